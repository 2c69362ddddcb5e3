"""Times of collectives from Python, of tutti or of mpi4py: one JSON line from rank 0.

    calls.py tutti|mpi4py [--shared] [--quick]

The median of rows of calls, in microseconds a call, on the slowest rank. Buffers are the same in each call.
"""

import json
import sys
import time

import numpy

library = sys.argv[1]
shared = "--shared" in sys.argv
quick = "--quick" in sys.argv
SIZES = [8, 1024, 65536, 1 << 20, 1 << 24]


def calls_of_tutti():
    import tutti

    comm = tutti.world()
    array = tutti.empty if shared else numpy.empty

    def made(n):
        a, out = array(n, "f8"), array(n, "f8")
        whole, wide = array(n * comm.size, "f8"), array(n * comm.size, "f8")
        for each in (a, out, whole, wide):
            each[:] = comm.rank
        return {
            "all_reduce": lambda: comm.all_reduce(a, tutti.sum, out),
            "broadcast": lambda: comm.broadcast(a, 0),
            "reduce": lambda: comm.reduce(a, tutti.sum, 0, out if comm.rank == 0 else None),
            "all_gather": lambda: comm.all_gather(a, whole),
            "reduce_scatter": lambda: comm.reduce_scatter(whole, tutti.sum, out),
            "all_to_all": lambda: comm.all_to_all(whole, wide),
            "scan": lambda: comm.scan(a, tutti.sum, out),
        }

    return comm.rank, made, comm.barrier, lambda x: comm.all_reduce(x, tutti.maximum)


def calls_of_mpi4py():
    from mpi4py import MPI

    comm = MPI.COMM_WORLD

    def made(n):
        a, out = numpy.empty(n), numpy.empty(n)
        whole, wide = numpy.empty(n * comm.size), numpy.empty(n * comm.size)
        for each in (a, out, whole, wide):
            each[:] = comm.rank
        return {
            "all_reduce": lambda: comm.Allreduce(a, out, MPI.SUM),
            "broadcast": lambda: comm.Bcast(a, 0),
            "reduce": lambda: comm.Reduce(a, out if comm.rank == 0 else None, MPI.SUM, 0),
            "all_gather": lambda: comm.Allgather(a, whole),
            "reduce_scatter": lambda: comm.Reduce_scatter_block(whole, out, MPI.SUM),
            "all_to_all": lambda: comm.Alltoall(whole, wide),
            "scan": lambda: comm.Scan(a, out, MPI.SUM),
        }

    return comm.rank, made, comm.Barrier, lambda x: comm.allreduce(x, MPI.MAX)


def measured(call, barrier, greatest, seconds):
    """Rows of calls that last a fifteenth of the time each; the median of eleven."""
    began = time.perf_counter()
    for _ in range(3):
        call()
    once = greatest((time.perf_counter() - began) / 3)
    n = max(3, min(20000, int(seconds / 15 / once)))
    rows = []
    for _ in range(11):
        barrier()
        began = time.perf_counter()
        for _ in range(n):
            call()
        rows.append(greatest((time.perf_counter() - began) / n))
    return sorted(rows)[5] * 1e6


def main():
    rank, made, barrier, greatest = calls_of_tutti() if library == "tutti" else calls_of_mpi4py()
    times = {}
    for size in SIZES:
        for name, call in made(size // 8).items():
            times[f"{name} {size}"] = measured(call, barrier, greatest, 0.05 if quick else 0.3)
    if rank == 0:
        print(json.dumps(times))


main()
