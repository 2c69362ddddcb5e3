"""A rank of an mpirun, on one host or several: the laws of operations, memory that ranks of a host share, groups, a mismatch."""

import os
import sys

import torch
import torch.distributed as dist

import tutti
import tutti.torch
import test_operations as laws
from ranks import raised


def shares_memory():
    """Whether this process has memory that other ranks of its host have, too."""
    with open("/proc/self/maps") as maps:
        return any("memfd:tutti" in line for line in maps)


def host():
    """The name of this rank's host: in the tests of several, that of a namespace."""
    return os.environ.get("TUTTI_NODE", "")


def groups(rank, size):
    """A group of each host's ranks, and one of the first ranks of all hosts."""
    hosts = [None] * size
    dist.all_gather_object(hosts, host())
    inside = {name: [r for r in range(size) if hosts[r] == name] for name in sorted(set(hosts))}
    for members in [*inside.values(), [each[0] for each in inside.values()]]:
        group = dist.new_group(members)
        if rank not in members:
            continue
        a = torch.tensor([float(rank)])
        dist.all_reduce(a, group=group)
        assert a.item() == sum(members), (members, a)
    return len(inside)


def main():
    torch.set_num_threads(1)
    dist.init_process_group("tutti")
    rank, size = dist.get_rank(), dist.get_world_size()
    for law in (laws.reductions, laws.moves, laws.exchanges, laws.scatters_of_sums, laws.messages, laws.odd_shapes):
        law(rank, size)
    hosts = groups(rank, size)
    sharing = [None] * size
    dist.all_gather_object(sharing, shares_memory())
    error = raised(lambda: dist.all_reduce(torch.zeros(4 + rank)))
    assert isinstance(error, tutti.Mismatch) and "rank" in str(error), error
    print(f"rank {rank} of {size}: all laws hold on {hosts} hosts; {sum(sharing)} ranks share memory; {error}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
