"""How soon errors reach every rank, as CSV: calls that differ, and a rank that is killed.

    limits.py BUILD [--quick]

Ranks are forked anew for each error. A time is that from the call of the latest rank, or from the kill, to the exception
of the latest rank that is told. Each exception has to be tutti's, with the ranks in it.
"""

import multiprocessing
import os
import signal
import statistics
import sys
import tempfile
import time
from datetime import timedelta

sys.path.insert(0, os.path.join(os.path.abspath(sys.argv[1]), "python"))

import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402

import tutti.torch  # noqa: E402

quick = "--quick" in sys.argv
TIMES = 5 if quick else 20
fork = multiprocessing.get_context("fork")
moment_of_kill = fork.Value("d", 0.0)


def differs_in_shape(rank):
    dist.all_reduce(torch.zeros(4 + rank))


def differs_in_dtype(rank):
    dist.all_reduce(torch.zeros(4, dtype=torch.float64 if rank else torch.float32))


def differs_in_operator(rank):
    dist.all_reduce(torch.zeros(4), dist.ReduceOp.MAX if rank else dist.ReduceOp.SUM)


def differs_in_order(rank):
    calls = [lambda: dist.all_reduce(torch.zeros(4)), dist.barrier]
    for call in calls if rank else reversed(calls):
        call()


def end():
    """Kills this process."""
    moment_of_kill.value = time.monotonic()
    os.kill(os.getpid(), signal.SIGKILL)


def is_killed(rank):
    """Rank 1 is killed in the midst of calls without end."""
    for k in range(10**9):
        if rank == 1 and k == 1000:
            end()
        dist.all_reduce(torch.zeros(4))


def is_killed_at_rest(rank):
    """Rank 1 is killed where the others have waited for so long that they sleep."""
    if rank == 1:
        time.sleep(0.5)
        end()
    dist.all_reduce(torch.zeros(4))


def body(case, rank, size, path, queue):
    torch.set_num_threads(1)
    store = dist.FileStore(path, size)
    dist.init_process_group("tutti", store=store, rank=rank, world_size=size, timeout=timedelta(seconds=60))
    dist.barrier()
    begun = time.monotonic()
    try:
        case(rank)
    except tutti.Error as error:
        queue.put((begun, time.monotonic(), type(error).__name__, str(error)))
    queue.close()
    queue.join_thread()
    os._exit(0)


def milliseconds(case, size):
    """Time of one error until the latest rank is told."""
    killed = case in (is_killed, is_killed_at_rest)
    kind, named = ("PeerFailed", "rank 1") if killed else ("Mismatch", "rank")
    with tempfile.TemporaryDirectory() as folder:
        queue = fork.Queue()
        ranks = [fork.Process(target=body, args=(case, rank, size, os.path.join(folder, "store"), queue)) for rank in range(size)]
        for process in ranks:
            process.start()
        told = [queue.get(timeout=60) for _ in range(size - killed)]
        for process in ranks:
            process.join()
    wrong = [text for _, _, name, text in told if name != kind or named not in text]
    if wrong:
        sys.exit(f"{case.__name__}, {size} ranks: {wrong}")
    began = moment_of_kill.value if killed else max(begun for begun, _, _, _ in told)
    return (max(raised for _, raised, _, _ in told) - began) * 1e3


def main():
    print("ranks,error,times,median ms,worst ms")
    for size in (2, 4):
        for case in (differs_in_shape, differs_in_dtype, differs_in_operator, differs_in_order, is_killed, is_killed_at_rest):
            taken = [milliseconds(case, size) for _ in range(TIMES)]
            print(f"{size},{case.__name__.replace('_', ' ')},{TIMES},{statistics.median(taken):.3g},{max(taken):.3g}", flush=True)


main()
