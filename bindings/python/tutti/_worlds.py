"""Ways in which a program becomes several ranks."""

import atexit
import os
import subprocess
import sys
import weakref

from . import _signals, _tutti

_joined = weakref.WeakSet()
_told = []


def _prepare_end():
    """Once: exceptions that nobody catches reach all ranks, and worlds that were joined are left at the end."""
    if _told:
        return
    _told.append(True)
    _signals.tell_at_exception(_abandon_all)
    atexit.register(_leave_all)


def _abandon_all(why):
    _tutti.abandon(why)
    for communicator in _joined:
        communicator.abandon(why)
    _told.append(why)


def _leave_all():
    if len(_told) > 1:  # the others know that this rank has failed
        return
    for communicator in list(_joined):
        try:
            communicator.leave()
        except _tutti.Error as error:
            print(f"tutti: the end of rank {communicator.rank}: {error}", file=sys.stderr)


def world(timeout=None, progress_thread=False):
    """The communicator of all ranks of the job.

    A program is started as one rank (`python program.py`), as processes of this machine (`tutti run -n 4 python
    program.py`, or `python -m tutti run -n 4 python program.py`), or by an mpirun. The first call joins the job and
    returns when all ranks have come; later calls return the same communicator.

    timeout: seconds that a rank waits without progress; None: the environment's TUTTI_TIMEOUT, or as long as the
    others live. progress_thread: whether asynchronous operations advance while the rank computes.

    Raises InvalidArgument where the job's memory cannot be attached, and PeerFailed where a rank has ended before it
    came.
    """
    _signals.report_lines_if_asked()
    communicator = _tutti.world(timeout, progress_thread)
    _prepare_end()
    return communicator


def join(rank, size, exchange, *, timeout=None, progress_thread=False):
    """The communicator of a world that `size` processes of this machine make, this one as rank `rank`.

    exchange: an all-gather of bytes that the program has already, `exchange(mine) -> [of rank 0, of rank 1, ...]`, or a
    store with set(key, bytes) and a get(key) that waits, like those of torch.distributed. Worlds may follow one
    another and live side by side; `leave()` ends this rank's part, and so does the program's end.

    Raises InvalidArgument on all ranks where one cannot open the memory of rank 0, with the cause, and Unsupported where
    ranks run on several machines: start those with mpirun, and call world().
    """
    if hasattr(exchange, "set") and hasattr(exchange, "get"):
        exchange = _exchange_of(exchange, rank, size)
    _signals.report_lines_if_asked()
    communicator = _tutti.join(rank, size, exchange, timeout, progress_thread)
    _joined.add(communicator)
    _prepare_end()
    return communicator


def _exchange_of(store, rank, size):
    """The all-gather of a store; each of its rounds has keys of its own."""
    rounds = [0]

    def exchange(mine):
        rounds[0] += 1
        store.set(f"tutti/{rounds[0]}/{rank}", mine)
        return [bytes(store.get(f"tutti/{rounds[0]}/{other}")) for other in range(size)]

    return exchange


def command():
    """The path of the tutti command: beside the package, on the PATH, or in the build folder that holds the package."""
    here = os.path.dirname(os.path.abspath(__file__))
    beside = [os.path.join(here, "tutti"), os.path.join(here, "..", "..", "tutti")]
    on_path = [os.path.join(folder, "tutti") for folder in os.environ.get("PATH", "").split(os.pathsep)]
    for path in beside + on_path:
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return os.path.realpath(path)
    raise _tutti.Unsupported("the tutti command is neither beside the package nor on the PATH: install it, or set PATH")


def _reason(lines):
    """The line that names the rank that failed first, behind the one that was printed before it; else the last line."""
    if not lines:
        return "it printed nothing"
    first = next((k for k, line in enumerate(lines) if line.startswith("tutti run: rank ")), len(lines) - 1)
    before = [line.strip() for line in lines[:first] if line.strip()][-1:]
    return "; ".join([*before, lines[first].strip()])


def run(program, ranks, arguments=(), *, check=True, echo=True):
    """Runs a program with that many ranks on this machine, and returns what it printed: tutti.run("train.py", ranks=4).

    program: a file of Python, or a list of words, such as ["./a.out", "--fast"]. echo: whether its lines are printed
    as they come, as a notebook's cell needs it.

    Raises Error where a rank fails, unless check is False: with the line that names the first rank that failed, and
    the one that was printed before it. Ctrl-C ends the ranks.
    """
    words = [sys.executable, program] if isinstance(program, (str, os.PathLike)) else list(program)
    started = [command(), "run", "-n", str(ranks), *map(str, words), *map(str, arguments)]
    lines = []
    with subprocess.Popen(started, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as ended:
        try:
            for line in ended.stdout:
                lines.append(line)
                if echo:
                    print(line, end="", flush=True)
        except BaseException:
            ended.terminate()
            ended.wait()
            raise
    if check and ended.returncode != 0:
        raise _tutti.Error(f"{words[-1]} on {ranks} ranks ended with status {ended.returncode}: {_reason(lines)}")
    return "".join(lines)
