"""torch.distributed on tutti.

    import torch.distributed as dist
    import tutti.torch                         # registers the backend "tutti"

    dist.init_process_group("tutti")           # torchrun, env:// or any Store; or an mpirun on one or several machines
    dist.all_reduce(tensor)

Ranks of one machine share memory. Errors are those of tutti, on every rank: sentences that name ranks and remedy.
"""

import torch  # noqa: F401  its libraries come first: the extension links them

import tutti  # noqa: F401  its errors as classes of Python

from . import _backend, _endings, _registration
from ._backend import premul_sum
from ._memory import empty_cache, is_shared, memory_stats, share_memory, shares_memory

_endings.prepare(_backend)
_registration.register(_backend)

__all__ = ["empty_cache", "is_shared", "memory_stats", "premul_sum", "share_memory", "shares_memory"]
