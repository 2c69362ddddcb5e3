# Rank 1 raises, and the others wait for it. mpi4py has errors of MPI returned, and raises them.
import sys
from mpi4py import MPI

world = MPI.COMM_WORLD
way = sys.argv[1]
if way[0] == '+':
    world.Barrier()
if world.Get_rank() == 1:
    raise ValueError('no input')
{'Barrier': world.Barrier,
 'allreduce': lambda: world.allreduce(1),
 'bcast': lambda: world.bcast('text', root=1),
 'recv': lambda: world.recv(source=1),
 'Ibarrier': lambda: world.Ibarrier().Wait()}[way.lstrip('+')]()
