"""Random programs on tutti and on Gloo: the same results, call by call.

No call is empty: Gloo divides by zero there.
"""

import os
import random

import torch
import torch.distributed as dist

from ranks import run

calls = int(os.environ.get("TUTTI_TORCH_CALLS", "2000"))
seed = int(os.environ.get("TUTTI_TORCH_SEED", "1"))

dtypes = [torch.float32, torch.float64, torch.float16, torch.uint8, torch.int8, torch.int32, torch.int64]
operators = [dist.ReduceOp.SUM, dist.ReduceOp.PRODUCT, dist.ReduceOp.MIN, dist.ReduceOp.MAX]


class Program:
    """One random program: the choices are alike on all ranks, the data differs."""

    def __init__(self, rank, size, number):
        self.rank, self.size = rank, size
        self.alike = random.Random(number)
        self.data = torch.Generator().manual_seed(1000 * number + rank)

    def tensor(self, *shape, dtype):
        return torch.randint(0, 5, shape, generator=self.data).to(dtype)

    def call(self):
        """One call as a function of the group; it returns the tensors that it has made."""
        kinds = [self.all_reduce, self.broadcast, self.reduce, self.all_gather, self.gather, self.scatter, self.all_to_all, self.ring, self.barrier]
        n = self.alike.choice([1, 3, 17, 500, 4097, 30000])
        return self.alike.choice(kinds)(n, self.alike.choice(dtypes), self.alike.randrange(self.size), self.alike.choice(operators))

    def all_reduce(self, n, dtype, root, op):
        a, wait = self.tensor(n, dtype=dtype), self.alike.random() < 0.5

        def run(group):
            b = a.clone()
            work = dist.all_reduce(b, op, group=group, async_op=wait)
            if wait:
                work.wait()
            return [b]

        return run

    def broadcast(self, n, dtype, root, op):
        a = self.tensor(n, dtype=dtype)

        def run(group):
            b = a.clone()
            dist.broadcast(b, root, group=group)
            return [b]

        return run

    def reduce(self, n, dtype, root, op):
        a = self.tensor(n, dtype=dtype)

        def run(group):
            b = a.clone()
            dist.reduce(b, root, op, group=group)
            return [b] if self.rank == root else []

        return run

    def all_gather(self, n, dtype, root, op):
        a = self.tensor(n, dtype=dtype)

        def run(group):
            parts = [torch.zeros_like(a) for _ in range(self.size)]
            dist.all_gather(parts, a, group=group)
            return parts

        return run

    def gather(self, n, dtype, root, op):
        a = self.tensor(n, dtype=dtype)

        def run(group):
            parts = [torch.zeros_like(a) for _ in range(self.size)] if self.rank == root else None
            dist.gather(a, parts, root, group=group)
            return parts or []

        return run

    def scatter(self, n, dtype, root, op):
        parts = [self.tensor(n, dtype=dtype) for _ in range(self.size)]

        def run(group):
            b = torch.zeros(n, dtype=dtype)
            dist.scatter(b, parts if self.rank == root else None, root, group=group)
            return [b]

        return run

    def all_to_all(self, n, dtype, root, op):
        rows = [[self.alike.randrange(4) for _ in range(self.size)] for _ in range(self.size)]
        columns = min(n, 300)
        a = self.tensor(sum(rows[self.rank]), columns, dtype=dtype)
        received = [rows[s][self.rank] for s in range(self.size)]

        def run(group):
            b = torch.zeros(sum(received), columns, dtype=dtype)
            dist.all_to_all_single(b, a, received, rows[self.rank], group=group)
            return [b]

        return run

    def ring(self, n, dtype, root, op):
        a, tag = self.tensor(n, dtype=dtype), self.alike.randrange(5)

        def run(group):
            if self.size == 1:
                return []
            b = torch.zeros(n, dtype=dtype)
            works = [dist.isend(a, (self.rank + 1) % self.size, group=group, tag=tag), dist.irecv(b, (self.rank - 1) % self.size, group=group, tag=tag)]
            for work in works:
                work.wait()
            return [b]

        return run

    def barrier(self, n, dtype, root, op):
        def run(group):
            dist.barrier(group=group)
            return []

        return run


def compare(rank, size, number, length):
    gloo = dist.new_group(list(range(size)), backend="gloo")
    program = Program(rank, size, number)
    for k in range(length):
        call = program.call()
        ours, theirs = call(None), call(gloo)
        for a, b in zip(ours, theirs):
            assert torch.equal(a, b), f"seed {number}, call {k} ({call.__qualname__}), rank {rank} of {size}: {a} is not {b}"


def test_random_programs_have_the_results_of_gloo():
    print(f"seed {seed}, {calls} calls")
    for size in (2, 3, 4):
        run(compare, size, seed + size, calls // 3, limit=3000)
