"""Memory of tensors: on the heap that ranks share, from which peers read it in place."""

from . import _backend

_asked = []


def share_memory(enabled=True):
    """Lets new tensors of 16 KiB and more lie in memory that the other ranks reach in place; says whether they do.

    init_process_group("tutti") does it by itself; a program that makes its model before calls it first. Memory that
    tensors leave is kept for the next ones, up to 256 MiB or what is in use, and given back where it becomes scarce.
    With TUTTI_HEAP=0 the answer is False, and torch's own allocator serves. share_memory(False) goes back to that.
    """
    _asked.append(enabled)
    if enabled:
        return _backend.share_memory()
    _backend.keep_memory_private()
    return False


def shares_memory():
    """Whether new tensors lie in shared memory."""
    return _backend.shares_memory()


def is_shared(tensor):
    """Whether a tensor's elements lie in memory that the other ranks reach in place."""
    return _backend.is_shared(tensor.data_ptr())


def memory_stats():
    """Counts of the allocator since the program began: a dict of bytes (used, peak, idle, returned) and calls.

    allocations: tensors of 16 KiB and more; reuses: those that took memory which another one had left; refusals: those
    for which no shared memory was left, and that lie in private memory.
    """
    return _backend.memory_statistics()


def empty_cache():
    """Gives memory back to the system that is kept for the next tensors."""
    _backend.release_idle_memory()


def share_by_default():
    """At the first init_process_group: shares memory unless the program has said what it wants."""
    if not _asked:
        share_memory()
