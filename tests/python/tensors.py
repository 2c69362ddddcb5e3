"""Tensors of torch on the CPU, which have no buffer and are read through DLPack: laws on every rank."""

import torch
import tutti

DTYPES = [
    torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64,
    torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128,
]  # fmt: skip


def refused(call, *words):
    try:
        call()
    except tutti.InvalidArgument as error:
        assert all(word in str(error) for word in words), f"{error} lacks one of {words}"
    else:
        raise AssertionError(f"nothing was refused where {words} were to be told")


def check_dtypes(comm):
    """Sums of small integers, which are exact in every dtype."""
    r, p = comm.rank, comm.size
    for dtype in DTYPES:
        for shape in ((), (0,), (5,), (3, 4), (5000,)):
            a = torch.full(shape, r + 1).to(dtype)
            total = torch.full(shape, p * (p + 1) // 2).to(dtype)
            out = torch.zeros(shape, dtype=dtype)
            assert comm.all_reduce(a, out=out) is out
            assert torch.equal(out, total), f"all_reduce of {dtype} {shape}: {out}"
            assert comm.all_reduce(a, out=a) is a
            assert torch.equal(a, total), f"all_reduce in place of {dtype} {shape}: {a}"
            data = torch.full(shape, r).to(dtype)
            assert comm.broadcast(data, p - 1) is data
            assert torch.equal(data, torch.full(shape, p - 1).to(dtype)), f"broadcast of {dtype} {shape}"


def check_blocks(comm):
    r, p = comm.rank, comm.size
    whole = torch.empty(p, 3)
    comm.all_gather(torch.full((3,), float(r)), whole)
    assert whole[:, 0].tolist() == list(range(p))
    came = torch.empty(2, dtype=torch.bfloat16)
    comm.send_receive(torch.full((2,), r).bfloat16(), (r + 1) % p, came, (r - 1) % p)
    assert came.tolist() == [(r - 1) % p] * 2
    handle = comm.all_reduce_async(torch.ones(1000), out=torch.empty(1000))
    assert (handle.wait() == p).all()
    weights = torch.ones(4, requires_grad=True)
    assert comm.all_reduce(weights.detach(), tutti.average, weights.detach()).tolist() == [1.0] * 4
    assert comm.all_reduce(weights).tolist() == [p] * 4  # a new array of NumPy


def check_memory(comm):
    """Rows of a matrix and dimensions of 1 lie in one piece, columns do not; nothing is read beside what is shown."""
    p = comm.size
    matrix = torch.ones(4, 6)
    comm.all_reduce(matrix[2], out=matrix[2])
    assert matrix[2].tolist() == [p] * 6 and matrix[1].tolist() == [1] * 6 and matrix[3].tolist() == [1] * 6
    column = torch.ones(6, 1).t()  # strides of a dimension of 1 mean nothing
    comm.all_reduce(column, out=column)
    assert column.tolist() == [[p] * 6]
    for part in (matrix.t(), matrix[:, 0], matrix[::2], torch.ones(1).expand(5)):
        refused(lambda: comm.all_reduce(part), "all_reduce takes contiguous arrays", "a.contiguous() makes one")
        refused(lambda: comm.all_reduce(part.contiguous(), out=part), "contiguous")
    comm.all_reduce(torch.ones(0, 3).t(), out=torch.ones(0, 3).t())
    refused(lambda: comm.all_reduce(torch.ones(3), out=torch.ones(3).double()), "float", "double", "a's dtype")
    refused(lambda: comm.all_reduce(torch.ones(3), out=torch.ones(4)), "3", "4")
    refused(lambda: comm.all_reduce(torch.ones(3, device="meta")), "DLPack", "a.numpy()")
    flags = torch.tensor([True, False])
    assert comm.all_reduce(flags.numpy(), tutti.logical_and).tolist() == [True, False]


def main():
    comm = tutti.world()
    for check in (check_dtypes, check_blocks, check_memory):
        check(comm)
        comm.barrier()
    print(f"rank {comm.rank}: the laws hold of tensors", flush=True)


main()
