"""Collectives of torch.distributed on tutti and on Gloo, in turn in the same processes: one JSON line from rank 0.

    calls.py [--quick]        (a rank, as env:// describes it)

Rows of calls alternate between Gloo and tutti, each on tensors in private memory and in shared memory. For each way: the
best and the median row, and the processor's time of the median row, in microseconds a call, on the slowest rank.
"""

import json
import sys
import time

import torch
import torch.distributed as dist

import tutti.torch

quick = "--quick" in sys.argv
SIZES = [8, 64 << 10, 1 << 20, 16 << 20] if quick else [8, 1024, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20]
ROWS = 5 if quick else 15
SECONDS = 0.05 if quick else 0.2  # a row, at most 20,000 calls


def calls_on(size, group, ranks):
    """A call of each collective on new tensors of zeros, whose sums stay zeros; `size` is the bytes that a rank passes in, or gets of an all-gather."""
    n = size // 4
    each = max(1, n // ranks)
    a, whole, wide, part = torch.zeros(n), torch.zeros(each * ranks), torch.zeros(each * ranks), torch.zeros(each)
    tensors, options = [a], dist.AllreduceOptions()
    received, parts = list(whole.split(each)), list(torch.zeros(each * ranks).split(each))
    return {
        "all_reduce": lambda: dist.all_reduce(a, group=group),
        "all_gather": lambda: dist.all_gather(received, part, group=group),
        "all_to_all_single": lambda: dist.all_to_all_single(wide, whole, group=group),
        "reduce_scatter": lambda: dist.reduce_scatter(part, parts, group=group),
        "ProcessGroup.allreduce": lambda: group.allreduce(tensors, options).wait(),
        "barrier": lambda: dist.barrier(group=group),
    }


def greatest(value, group):
    """The greatest of all ranks."""
    each = torch.tensor([value], dtype=torch.float64)
    dist.all_reduce(each, op=dist.ReduceOp.MAX, group=group)
    return each.item()


def row(call, number, gloo):
    """Seconds of so many calls, and of the processor for them, a call."""
    dist.barrier(group=gloo)
    began, computed = time.perf_counter(), time.process_time()
    for _ in range(number):
        call()
    return (
        greatest((time.perf_counter() - began) / number, gloo),
        greatest((time.process_time() - computed) / number, gloo),
    )


def measured(ways, gloo):
    """The rows of each way, taken in turn."""
    numbers, rows = {}, {}
    for way, call in ways.items():
        once = min(row(call, 1, gloo)[0] for _ in range(3))
        numbers[way] = max(2, min(20000, int(SECONDS / once)))
        rows[way] = []
    for _ in range(ROWS):
        for way, number in numbers.items():
            rows[way].append(row(ways[way], number, gloo))
    return {
        way: {
            "best": min(seconds for seconds, _ in taken) * 1e6,
            "median": sorted(taken)[len(taken) // 2][0] * 1e6,
            "cpu": sorted(taken)[len(taken) // 2][1] * 1e6,
        }
        for way, taken in rows.items()
    }


def main():
    tutti.torch.share_memory()
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    ranks = dist.get_world_size()
    gloo, ours = dist.group.WORLD, dist.new_group(backend="tutti")
    found = {}
    for size in SIZES:
        calls = {}
        for memory in ("private", "shared"):
            tutti.torch.share_memory(memory == "shared")
            for backend, group in (("gloo", gloo), ("tutti", ours)):
                for name, call in calls_on(size, group, ranks).items():
                    if (backend, name) == ("gloo", "reduce_scatter"):  # torch 1.13 has none
                        continue
                    calls.setdefault(name, {})[f"{backend} {memory}"] = call
        for name, ways in calls.items():
            if name in ("ProcessGroup.allreduce", "barrier") and size != SIZES[0]:
                continue
            found[f"{name} {0 if name == 'barrier' else size}"] = measured(ways, gloo)
    if dist.get_rank() == 0:
        print(json.dumps(found), flush=True)
    dist.barrier()
    dist.destroy_process_group()


main()
