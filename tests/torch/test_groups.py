"""Process groups: all overlapping shapes, groups that not all ranks make, init and destroy again and again."""

import itertools
import os

import torch
import torch.distributed as dist

from ranks import run

times = int(os.environ.get("TUTTI_TORCH_TIMES", "20"))


def shapes(rank, size):
    """A group of each set of ranks, several alive at once, and a call in each."""
    groups = []
    for k in range(1, size + 1):
        for members in itertools.combinations(range(size), k):
            groups.append((members, dist.new_group(list(members))))
    for members, group in groups + groups[::-1]:
        if rank not in members:
            continue
        a = torch.tensor([float(rank)])
        dist.all_reduce(a, group=group)
        assert a.item() == sum(members)
        assert dist.get_rank(group) == members.index(rank) and dist.get_world_size(group) == len(members)
        one = torch.tensor([float(rank)])
        dist.broadcast(one, members[-1], group=group)
        assert one.item() == members[-1]
    for members, group in groups:
        if rank in members:
            dist.destroy_process_group(group)
    dist.barrier()


def test_groups_of_all_overlapping_shapes():
    run(shapes, 4)


def open_files():
    return len(os.listdir("/proc/self/fd"))


def mapped():
    with open("/proc/self/maps") as maps:
        return sum(1 for _ in maps)


def threads():
    return len(os.listdir("/proc/self/task"))


def again(rank, size, path):
    seen = []
    for k in range(times):
        store = dist.FileStore(f"{path}{k}", size)
        dist.init_process_group("tutti", store=store, rank=rank, world_size=size)
        a = torch.ones(1000)
        dist.all_reduce(a)
        assert a[0] == size
        part = dist.new_group([0, 1])
        if rank < 2:
            dist.all_reduce(a, group=part)
        del part
        dist.barrier()
        dist.destroy_process_group()
        seen.append((open_files(), mapped(), threads()))
    return seen


def test_init_and_destroy_again_and_again(tmp_path):
    for seen in run(again, 3, str(tmp_path / "again"), backend=None):
        assert all(last <= early + 2 for early, last in zip(seen[times // 2], seen[-1])), seen
