"""Ranks of mpi4py whose arrays lie in the heap that they share: NumPy's of all sizes, and children with arrays of their own."""

import multiprocessing
import subprocess

import numpy
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
large = numpy.ones(100000)
assert "memfd:tutti-heap" in open("/proc/self/maps").read()

for n in (10, 8192, 8193, 100000, 700000):
    for turn in range(5):
        mine = numpy.arange(n, dtype=numpy.float64) + rank + turn
        total = numpy.empty_like(mine)
        comm.Allreduce(mine, total)
        assert (total == size * (numpy.arange(n) + turn) + sum(range(size))).all()
        every = numpy.empty((size, n))
        comm.Allgather(mine, every)
        for other in range(size):
            assert (every[other] == numpy.arange(n) + other + turn).all()
        comm.Bcast(mine, root=turn % size)
        assert (mine == numpy.arange(n) + turn % size + turn).all()


def changed(k):
    mine[:] = k
    return float(mine.sum())


before = mine.copy()
with multiprocessing.get_context("fork").Pool(2) as pool:
    assert pool.map(changed, range(4)) == [float(k) * n for k in range(4)]
assert (mine == before).all()
assert subprocess.run(["true"]).returncode == 0
comm.Allreduce(MPI.IN_PLACE, mine)
assert (mine == before * size).all()
print("as expected" if rank == 0 else "", end="", flush=True)
