"""Every operation over 1 to 4 ranks, each dtype and operator, against what one process computes from the inputs of all."""

import functools

import pytest
import torch
import torch.distributed as dist

import tutti.torch
from ranks import run

sizes = [1, 2, 3, 4]
floats = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
integers = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64]
dtypes = floats + integers + [torch.bool, torch.complex64, torch.complex128]


def made(rank, shape, dtype, seed=0):
    """The input of a rank: small integers, which every dtype and every sum of four holds exactly."""
    generator = torch.Generator().manual_seed(1000 * seed + rank)
    values = torch.randint(0, 4, tuple(shape), generator=generator)
    return values.to(dtype)


def inputs(size, shape, dtype, seed=0):
    return [made(rank, shape, dtype, seed) for rank in range(size)]


def same(result, expected):
    assert result.dtype == expected.dtype and result.shape == expected.shape
    assert torch.equal(result, expected), (result, expected)


combine = {
    dist.ReduceOp.SUM: lambda a, b: a + b,
    dist.ReduceOp.PRODUCT: lambda a, b: a * b,
    dist.ReduceOp.MIN: torch.minimum,
    dist.ReduceOp.MAX: torch.maximum,
    dist.ReduceOp.BAND: torch.bitwise_and,
    dist.ReduceOp.BOR: torch.bitwise_or,
    dist.ReduceOp.BXOR: torch.bitwise_xor,
}


def operators_of(dtype):
    arithmetic = [dist.ReduceOp.SUM, dist.ReduceOp.PRODUCT]
    if dtype.is_complex:
        return arithmetic[:1]
    if dtype == torch.bool:
        return [dist.ReduceOp.BAND, dist.ReduceOp.BOR, dist.ReduceOp.BXOR]
    ordered = arithmetic + [dist.ReduceOp.MIN, dist.ReduceOp.MAX]
    return ordered + ([] if dtype.is_floating_point else [dist.ReduceOp.BAND, dist.ReduceOp.BOR, dist.ReduceOp.BXOR])


def reductions(rank, size):
    for dtype in dtypes:
        for op in operators_of(dtype):
            for n in (0, 1, 7, 1000, 20011):
                of_all = inputs(size, (n,), dtype)
                expected = functools.reduce(combine[op], of_all)
                a = of_all[rank].clone()
                dist.all_reduce(a, op)
                same(a, expected)
                for root in range(size) if n == 7 else [size - 1]:
                    a = of_all[rank].clone()
                    if not dtype.is_complex:
                        dist.reduce(a, root, op)
                        if rank == root:
                            same(a, expected)


def averages(rank, size):
    for dtype in floats:
        of_all = inputs(size, (1001,), dtype)
        a = of_all[rank].clone()
        dist.all_reduce(a, dist.ReduceOp.AVG)
        expected = sum(each.double() for each in of_all) / size
        assert torch.allclose(a.double(), expected, rtol=1e-2 if dtype in (torch.float16, torch.bfloat16) else 1e-6)
    for dtype in integers:
        a = made(rank, (1001,), dtype)
        dist.all_reduce(a, dist.ReduceOp.AVG)
        same(a, sum(inputs(size, (1001,), dtype)).div(size, rounding_mode="trunc").to(dtype))
    for dtype in floats:
        a = made(rank, (33,), dtype)
        dist.all_reduce(a, tutti.torch.premul_sum(0.5))
        same(a, sum(inputs(size, (33,), dtype)) * 0.5)


def moves(rank, size):
    for dtype in dtypes:
        for shape in ((0,), (1,), (3, 5), (130, 171)):  # the last one beyond the limit of lists that are joined
            of_all = inputs(size, shape, dtype)
            for root in range(size):
                a = of_all[rank].clone()
                dist.broadcast(a, root)
                same(a, of_all[root])
                parts = [torch.zeros_like(a) for _ in range(size)] if rank == root else None
                dist.gather(of_all[rank], parts, root)
                for r in range(size) if rank == root else []:
                    same(parts[r], of_all[r])
                a = torch.zeros(shape, dtype=dtype)
                dist.scatter(a, of_all if rank == root else None, root)
                same(a, of_all[rank])
            parts = [torch.zeros(shape, dtype=dtype) for _ in range(size)]
            dist.all_gather(parts, of_all[rank])
            for r in range(size):
                same(parts[r], of_all[r])
            if dtype.is_complex:
                continue
            whole = torch.zeros((size * shape[0],) + shape[1:], dtype=dtype)
            dist.all_gather_into_tensor(whole, of_all[rank])
            same(whole, torch.cat(of_all))
            row_of_chunks = list(torch.zeros((size,) + shape, dtype=dtype))
            dist.all_gather(row_of_chunks, of_all[rank])
            same(torch.stack(row_of_chunks), torch.stack(of_all))


def exchanges(rank, size):
    for dtype in dtypes:
        for n in (0, 1, 5, 9001):
            blocks = [[made(100 * s + r, (n,), dtype) for r in range(size)] for s in range(size)]
            expected = [blocks[s][rank] for s in range(size)]
            a = torch.zeros(size * n, dtype=dtype)
            dist.all_to_all_single(a, torch.cat(blocks[rank]))
            same(a, torch.cat(expected))
            out = [torch.zeros(n, dtype=dtype) for _ in range(size)]
            dist.all_to_all(out, blocks[rank])
            for mine, theirs in zip(out, expected):
                same(mine, theirs)
            # Block of s to r: (s + 2 r) % 3 rows of n columns.
            rows = [[(s + 2 * r) % 3 for r in range(size)] for s in range(size)]
            uneven = [[made(100 * s + r, (rows[s][r], n), dtype) for r in range(size)] for s in range(size)]
            received = [rows[s][rank] for s in range(size)]
            a = torch.zeros((sum(received), n), dtype=dtype)
            dist.all_to_all_single(a, torch.cat(uneven[rank]), received, rows[rank])
            same(a, torch.cat([uneven[s][rank] for s in range(size)]))
            out = [torch.zeros((k, n), dtype=dtype) for k in received]
            dist.all_to_all(out, uneven[rank])
            for s in range(size):
                same(out[s], uneven[s][rank])


def scatters_of_sums(rank, size):
    for dtype in floats + integers:
        for n in (0, 1, 6, 3001):
            of_all = inputs(size, (size * n,), dtype)
            expected = sum(of_all).to(dtype)[rank * n : (rank + 1) * n]
            a = torch.zeros(n, dtype=dtype)
            dist.reduce_scatter_tensor(a, of_all[rank])
            same(a, expected)
            a = torch.zeros(n, dtype=dtype)
            dist.reduce_scatter(a, [each.clone() for each in of_all[rank].chunk(size)] if n else [a.clone() for _ in range(size)])
            same(a, expected)


def messages(rank, size):
    if size == 1:
        return
    after, before = (rank + 1) % size, (rank - 1) % size
    for dtype in dtypes:
        for n in (0, 1, 1000, 70001):
            out = torch.zeros(n, dtype=dtype)
            works = [dist.isend(made(rank, (n,), dtype), after, tag=3), dist.irecv(out, before, tag=3)]
            for work in works:
                work.wait()
                work.wait()
            same(out, made(before, (n,), dtype))
    if rank == 0:
        seen = []
        for _ in range(1, size):
            a = torch.zeros(2)
            seen.append(dist.recv(a))
            assert a[0] == seen[-1]
        assert sorted(seen) == list(range(1, size))
    else:
        dist.send(torch.tensor([float(rank), 0.0]), 0)
    dist.barrier()
    a, b = torch.zeros(3), torch.zeros(3)
    works = dist.batch_isend_irecv([dist.P2POp(dist.isend, a + rank, after), dist.P2POp(dist.irecv, b, before)])
    for work in works:
        work.wait()
    same(b, torch.zeros(3) + before)


def odd_shapes(rank, size):
    """Tensors that are not contiguous, and operations under way together."""
    base = torch.zeros(8, 6)
    view = base.t()[::2]
    view += rank + 1
    dist.all_reduce(view)
    assert torch.equal(view, torch.full((3, 8), float(sum(range(1, size + 1)))))
    assert base[:, 1].abs().sum() == 0
    tensors = [torch.full((k,), float(rank)) for k in (1, 100, 5000)]
    works = [dist.all_reduce(t, async_op=True) for t in tensors]
    for work in reversed(works):
        work.wait()
        assert work.is_completed() and work.is_success()
    for t in tensors:
        assert torch.equal(t, torch.full_like(t, float(sum(range(size)))))
    a = torch.full((4,), float(rank))
    future = dist.all_reduce(a, async_op=True).get_future().then(lambda f: f.value()[0] * 2)
    assert torch.equal(future.wait(), torch.full((4,), 2.0 * sum(range(size))))
    dist.all_reduce_coalesced([a, a.clone()])
    objects = [None] * size
    dist.all_gather_object(objects, {"rank": rank})
    assert objects == [{"rank": r} for r in range(size)]
    one = [rank if rank == 0 else None]
    dist.broadcast_object_list(one, 0)
    assert one == [0]
    dist.barrier()
    dist.monitored_barrier()
    sparse = torch.sparse_coo_tensor([[rank, 0]], [1.0, float(rank)], (size + 1,))
    dist.all_reduce(sparse)
    expected = torch.ones(size + 1)
    expected[size] = 0
    expected[0] += sum(range(size))
    assert torch.equal(sparse.to_dense(), expected)


@pytest.mark.parametrize("size", sizes)
@pytest.mark.parametrize("law", [reductions, averages, moves, exchanges, scatters_of_sums, messages, odd_shapes])
def test_operations(law, size):
    run(law, size)
