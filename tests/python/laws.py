"""Laws of the collectives in Python, held on every rank against NumPy: one program, started in every way.

    laws.py [--calls N] [--seed S]

Each rank knows what all ranks give, because it is drawn from a seed, and so what each call is to return.
"""

import argparse
import array
import asyncio
import functools
import os
import sys

import numpy
import store
import tutti

DTYPES = ["bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
SHAPES = [(), (0,), (5,), (3, 4), (1000,)]


def inputs(p, shape, dtype, seed):
    """What each rank gives: small integers, whose sums are exact in every dtype."""
    drawn = numpy.random.default_rng(seed).integers(0, 4, (p, *shape))
    return [numpy.array(drawn[r], dtype=dtype) for r in range(p)]


def folded(op, parts):
    return functools.reduce(op, parts)


def operators(dtype):
    kind = numpy.dtype(dtype).kind
    pairs = [(tutti.minimum, numpy.minimum), (tutti.maximum, numpy.maximum)] if kind != "c" else []
    if kind != "b":
        pairs += [(tutti.sum, numpy.add), (tutti.product, numpy.multiply)]
    if kind in "biu":
        pairs += [
            (tutti.logical_and, lambda a, b: ((a != 0) & (b != 0)).astype(a.dtype)),
            (tutti.logical_or, lambda a, b: ((a != 0) | (b != 0)).astype(a.dtype)),
            (tutti.logical_xor, lambda a, b: ((a != 0) ^ (b != 0)).astype(a.dtype)),
            (tutti.bitwise_and, numpy.bitwise_and),
            (tutti.bitwise_or, numpy.bitwise_or),
            (tutti.bitwise_xor, numpy.bitwise_xor),
        ]
    return pairs


def same(found, expected, what):
    found = numpy.asarray(found)
    expected = numpy.asarray(expected)
    assert found.shape == expected.shape, f"{what}: shape {found.shape}, not {expected.shape}"
    assert found.dtype == expected.dtype, f"{what}: dtype {found.dtype}, not {expected.dtype}"
    assert (found == expected).all(), f"{what}: {found}, not {expected}"


def in_shared_memory(a):
    copy = tutti.empty(a.shape, a.dtype)
    copy[...] = a
    return copy


def check_reductions(comm):
    r, p = comm.rank, comm.size
    for number, dtype in enumerate(DTYPES):
        # With many ranks on few cores each dtype has one shape, another one each.
        for shape in SHAPES if p <= 3 else [SHAPES[number % len(SHAPES)]]:
            x = inputs(p, shape, dtype, (1, number, len(shape)))
            for op, by_numpy in operators(dtype):
                what = f"{op} of {dtype} {shape}"
                total = folded(by_numpy, x)
                same(comm.all_reduce(x[r], op), total, "all_reduce by " + what)
                data = in_shared_memory(x[r])
                assert comm.all_reduce(data, op, out=data) is data
                same(data, total, "all_reduce in place by " + what)
                same(comm.scan(x[r], op), folded(by_numpy, x[: r + 1]), "scan by " + what)
                before = comm.exclusive_scan(x[r], op)
                assert (before is None) == (r == 0)
                if r > 0:
                    same(before, folded(by_numpy, x[:r]), "exclusive_scan by " + what)
            root = number % p
            if dtype != "bool":
                found = comm.reduce(x[r], root=root)
                assert (found is None) == (r != root)
                if r == root:
                    same(found, folded(numpy.add, x), f"reduce of {dtype} {shape}")


def check_blocks(comm):
    r, p = comm.rank, comm.size
    for number, dtype in enumerate(DTYPES):
        for rows in (0, 1, 3) if p <= 3 else [number % 3 + 1]:
            for rest in ((), (4,)) if p <= 3 else [(2,)]:
                whole = inputs(p, (p * rows, *rest), dtype, (2, number, rows))
                part = [w[s * rows : (s + 1) * rows] for s, w in enumerate(whole)]
                what = f"of {dtype} {whole[0].shape}"
                same(comm.all_gather(part[r]), numpy.concatenate(part), "all_gather " + what)
                same(
                    comm.all_to_all(whole[r]),
                    numpy.concatenate([whole[s][r * rows : (r + 1) * rows] for s in range(p)]),
                    "all_to_all " + what,
                )
                if dtype != "bool":
                    total = folded(numpy.add, whole)
                    same(comm.reduce_scatter(whole[r]), total[r * rows : (r + 1) * rows], "reduce_scatter " + what)
                for root in range(p) if p <= 3 else [number % p]:
                    data = whole[r].copy()
                    assert comm.broadcast(data, root) is data
                    same(data, whole[root], "broadcast " + what)
                    out = tutti.empty((rows, *rest), dtype)
                    comm.scatter(whole[r] if r == root else None, root, out)
                    same(out, whole[root][r * rows : (r + 1) * rows], "scatter " + what)
                    gathered = comm.gather(part[r], root)
                    assert (gathered is None) == (r != root)
                    if r == root:
                        same(gathered, numpy.concatenate(part), "gather " + what)
                for distance in (0, 1, -1, p + 2):
                    same(comm.shift(part[r], distance), part[(r - distance) % p], "shift " + what)


def check_counts(comm):
    r, p = comm.rank, comm.size
    counts = [(3 * s) % 5 for s in range(p)]
    part = [numpy.arange(n, dtype="f4") + 10 * s for s, n in enumerate(counts)]
    same(comm.all_gather_v(part[r], counts), numpy.concatenate(part), "all_gather_v")
    same(comm.all_gather_v(part[r]), numpy.concatenate(part), "all_gather_v without counts")
    for root in range(p):
        gathered = comm.gather_v(part[r], counts, root)
        if r == root:
            same(gathered, numpy.concatenate(part), "gather_v")
        out = numpy.empty(counts[r], "f4")
        comm.scatter_v(numpy.concatenate(part) if r == root else None, counts, root, out)
        same(out, part[r], "scatter_v")
    whole = [numpy.arange(sum(counts)) + s for s in range(p)]
    begin = sum(counts[:r])
    same(comm.reduce_scatter_v(whole[r], counts), folded(numpy.add, whole)[begin : begin + counts[r]], "reduce_scatter_v")
    sent = [[numpy.full((s + t) % 3, 10 * s + t) for t in range(p)] for s in range(p)]
    to = [len(block) for block in sent[r]]
    expected = numpy.concatenate([sent[s][r] for s in range(p)])
    same(comm.all_to_all_v(numpy.concatenate(sent[r]), to), expected, "all_to_all_v")
    same(comm.shift_v(part[r], None, 1), part[(r - 1) % p], "shift_v")


def check_numbers_and_buffers(comm):
    r, p = comm.rank, comm.size
    assert comm.all_reduce(r) == p * (p - 1) // 2
    assert comm.all_reduce(0.5) == 0.5 * p
    assert comm.all_reduce(1 + 2j) == p * (1 + 2j)
    assert comm.all_reduce(r == 0, tutti.logical_or) is True
    assert comm.broadcast(r + 5, p - 1) == p + 4
    for scalar in (numpy.float64, numpy.int16, numpy.bool_):
        told = comm.broadcast(scalar(r), p - 1)
        assert isinstance(told, scalar) and told == scalar(p - 1)
        assert comm.broadcast_async(scalar(r), p - 1).wait() == scalar(p - 1)
    assert comm.all_reduce(numpy.float64(r)) == p * (p - 1) / 2
    assert tutti.empty(numpy.int64(1000)).shape == (1000,) and tutti.empty([30, numpy.int8(40)]).shape == (30, 40)
    records = numpy.array([(r, 0.5)], dtype=[("O", "i4"), ("x", "f8")])  # a name is no format
    same(comm.all_gather(records)["O"], numpy.arange(p, dtype="i4"), "all_gather of records")
    assert comm.scan(1) == r + 1
    same(comm.all_gather(r), numpy.arange(p), "all_gather of numbers")
    data = bytearray([r] * 4)
    comm.broadcast(data, p - 1)
    assert data == bytearray([p - 1] * 4)
    doubles = array.array("d", [r, 1.0])
    comm.all_reduce(doubles, out=doubles)
    assert doubles.tolist() == [p * (p - 1) / 2, p]
    if r == 0:
        comm.broadcast(b"only read")
    else:
        text = bytearray(9)
        comm.broadcast(text)
        assert text == b"only read"
    records = numpy.array([(r, r / 2)], dtype=[("a", "i4"), ("b", "f8")])
    assert comm.all_gather(records)["b"].tolist() == [s / 2 for s in range(p)]
    # 1.5 and 1.0 in bfloat16; a sum of p of them.
    brain = numpy.array([0x3FC0, 0x3F80], dtype="u2")
    expected = (numpy.array([1.5 * p, p], dtype="f4").view("u4") >> 16).astype("u2")
    same(comm.all_reduce(brain, dtype=tutti.bfloat16), expected, "all_reduce of bfloat16")


def check_operators_of_python(comm):
    r, p = comm.rank, comm.size

    def compose(f, g):
        """g after f, of x -> a x + b held as a + bj: associative, and no more."""
        return f.real * g.real + 1j * (g.real * f.imag + g.imag)

    x = [numpy.array([2 + s * 1j, 1 - 1j * s]) for s in range(p)]
    same(comm.all_reduce(x[r], compose), folded(compose, x), "all_reduce by a callable")
    same(comm.scan(x[r], compose), folded(compose, x[: r + 1]), "scan by a callable")
    greatest = tutti.commutative(numpy.maximum)
    y = [numpy.array([1.0 + s, -s]) for s in range(p)]
    same(comm.all_reduce(y[r], greatest), folded(numpy.maximum, y), "a commutative callable")
    same(comm.all_reduce(y[r], tutti.average), folded(numpy.add, y) / p, "average")


def check_locations(comm):
    r, p = comm.rank, comm.size
    values = numpy.array([[(7 * s) % 5, -s, 3, s] for s in range(p)], "float64")
    for op, best in ((tutti.min_location, values.min(0)), (tutti.max_location, values.max(0))):
        first = [int(numpy.flatnonzero(values[:, k] == best[k])[0]) for k in range(4)]
        found = comm.all_reduce(tutti.located(values[r], r), op)
        same(found["value"], best, op.name)
        same(found["location"], numpy.array(first), op.name)
        found = comm.reduce(tutti.located(values[r].astype("int16"), r), op, root=p - 1)
        assert r != p - 1 or (found["location"] == first).all(), op.name


def check_asynchronous(comm):
    r, p = comm.rank, comm.size
    a = numpy.arange(100.0) + r
    total = folded(numpy.add, [numpy.arange(100.0) + s for s in range(p)])
    handles = [comm.all_reduce_async(a) for _ in range(20)]
    for found in tutti.wait(*handles):
        same(found, total, "all_reduce_async")
    polled = comm.all_gather_async(numpy.array([r]))
    while not polled.test():
        pass
    same(polled.wait(), numpy.arange(p), "all_gather_async")

    async def both():
        return await asyncio.gather(*[waited(comm.all_reduce_async(a)) for _ in range(3)])

    async def waited(handle):
        return await handle

    for found in asyncio.run(both()):
        same(found, total, "an awaited all_reduce_async")
    out = numpy.empty(100)
    plan = comm.plan_all_reduce(a, out=out)
    for round in range(5):
        a[:] = numpy.arange(100.0) + r + round
        assert plan() is out
        same(out, total + p * round, "plan_all_reduce")
    assert plan.algorithm == comm.algorithm_of("all_reduce", 100) and "all-reduce" in plan.explanation()
    for _ in range(30):
        comm.all_reduce_async(numpy.ones(1000))  # dropped: its memory stays until it is done


def check_messages(comm):
    r, p = comm.rank, comm.size
    for step in range(p):
        came = numpy.empty(3, int)
        comm.send_receive(numpy.full(3, r), (r + step) % p, came, (r - step) % p, tag=step)
        assert came.tolist() == [(r - step) % p] * 3
    if p > 1 and r == 0:
        seen = set()
        for _ in range(p - 1):
            envelope = comm.probe()
            data = numpy.empty(envelope.count, "i4")
            received = comm.receive(data, envelope.rank, envelope.tag)
            assert (received.rank, received.tag, received.count) == (envelope.rank, envelope.tag, envelope.count)
            assert data.tolist() == [envelope.rank] * envelope.rank and envelope.tag == 7
            seen.add(envelope.rank)
        assert seen == set(range(1, p))
    elif p > 1:
        comm.send(numpy.full(r, r, "i4"), 0, tag=7)


def check_groups_and_objects(comm):
    r, p = comm.rank, comm.size
    half = comm.split(r % 2, -r)
    members = [s for s in range(p) if s % 2 == r % 2][::-1]
    assert half.size == len(members) and members[half.rank] == r
    same(half.all_gather(r), numpy.array(members), "all_gather of a part")
    assert comm.split(0 if r == 0 else -1) is None or r == 0
    assert comm.duplicate().all_reduce(1) == p
    mine = {"rank": r, "text": "é" * r}
    assert comm.all_gather_object(mine) == [{"rank": s, "text": "é" * s} for s in range(p)]
    assert comm.gather_object(r, p - 1) == (list(range(p)) if r == p - 1 else None)
    assert comm.broadcast_object(mine if r == p - 1 else None, p - 1) == {"rank": p - 1, "text": "é" * (p - 1)}
    assert comm.scatter_object([f"to {s}" for s in range(p)] if r == 0 else None) == f"to {r}"
    assert comm.all_to_all_object([(r, s) for s in range(p)]) == [(s, r) for s in range(p)]
    if p > 1 and r == 0:
        comm.send_object({"a": [1, 2]}, p - 1, tag=3)
    if p > 1 and r == p - 1:
        assert comm.receive_object(tag=3) == {"a": [1, 2]}


def refused_by(error, call, words):
    try:
        call()
    except error as raised:
        assert words in str(raised), f"{raised} lacks {words}"
    else:
        raise AssertionError(f"nothing was refused where {words} were to be told")


def check_refusals(comm):
    def refused(call, *words):
        try:
            call()
        except tutti.InvalidArgument as error:
            assert isinstance(error, ValueError) and error.code == "invalid_argument"
            assert all(word in str(error) for word in words), f"{error} lacks one of {words}"
        else:
            raise AssertionError(f"nothing was refused where {words} were to be told")

    a = numpy.arange(8.0)
    fixed = a.copy()
    fixed.flags.writeable = False
    refused(lambda: comm.all_reduce(a[::2]), "contiguous", "ascontiguousarray")
    refused(lambda: comm.all_reduce(a.astype(">f8")), "swapped", "newbyteorder")
    refused(lambda: comm.all_reduce(a, out=fixed), "read-only", "copy")
    refused(lambda: comm.all_reduce([1, 2]), "not list", "numpy.asarray()")
    refused(lambda: comm.all_reduce(a, out=numpy.empty(8, "f4")), "type double", "type float")
    refused(lambda: comm.all_reduce(a, "sum"), "tutti.sum", "not str")
    refused(lambda: comm.all_reduce(a, root=1), "has no argument 'root'")
    refused(lambda: comm.all_reduce(a, tutti.sum, a, 3), "at most 3 arguments")
    refused(lambda: comm.all_reduce(a, op=tutti.sum, **{"out": a, "dtype": "f8"}), "tutti.bfloat16")
    refused(lambda: comm.broadcast(a, comm.size), f"root {comm.size}")
    refused(lambda: comm.all_gather_v(a, [1] * (comm.size + 1)), f"each of the {comm.size} ranks")
    refused(lambda: comm.all_gather_v(a, [2**70] * comm.size), "a count is a whole number from 0")
    refused(lambda: comm.all_reduce(2**63), "64 bits", "numpy.uint64")
    refused(lambda: comm.all_reduce(a, algorithm="no-such"), "no-such")
    refused(lambda: comm.all_reduce(numpy.array(["2020-01-01"], "M8[D]")), "view")
    refused(lambda: comm.broadcast(numpy.array([None, "x"])), "objects of Python's", "_object")
    refused(lambda: comm.all_gather(numpy.zeros(2, [("a", "O"), ("b", "i4")])), "objects of Python's")
    refused(lambda: comm.all_gather_v(a, [-1] * comm.size), "a count is -1")
    if comm.size > 1:
        refused(lambda: comm.all_gather_v(a, [2**62] * comm.size), "more than 2^63 - 1 elements")
    refused(lambda: comm.all_reduce(a, algorithm=b"ring"), "a name as algorithm", "not bytes")
    refused_by(TypeError, lambda: comm.all_gather_v(a, [2.5] * comm.size), "'float' object cannot be interpreted")
    refused_by(ValueError, lambda: tutti.empty(-1), "negative dimensions")
    refused_by(ValueError, lambda: tutti.empty(2**61 + 1024, "f8"), "too big")
    for kind in (tutti.Communicator, tutti.Handle, tutti.Plan, tutti.Operator, tutti.Envelope):
        refused_by(TypeError, lambda: kind.__new__(kind), "")
        refused_by(TypeError, kind, "cannot create")
    try:
        comm.all_reduce(a, tutti.bitwise_and)
    except tutti.Unsupported as error:
        assert "bitwise_and" in str(error) and error.code == "unsupported"
    else:
        raise AssertionError("bitwise_and of floats")


def check_random_calls(comm, calls, seed):
    """Random collectives in a row, which all ranks draw alike."""
    r, p = comm.rank, comm.size
    draw = numpy.random.default_rng(seed)
    for k in range(calls):
        n = int(draw.integers(0, 300))
        root = int(draw.integers(0, p))
        kind = int(draw.integers(0, 5))
        x = numpy.arange(n) + r
        if kind == 0:
            same(comm.all_reduce(x), p * numpy.arange(n) + p * (p - 1) // 2, f"call {k} of seed {seed}")
        elif kind == 1:
            same(comm.broadcast(x, root), numpy.arange(n) + root, f"call {k} of seed {seed}")
        elif kind == 2:
            same(comm.shift(x, root), numpy.arange(n) + (r - root) % p, f"call {k} of seed {seed}")
        elif kind == 3:
            found = comm.reduce(x, tutti.maximum, root)
            assert r != root or (found == numpy.arange(n) + p - 1).all()
        else:
            found = comm.all_gather(x)
            assert found.size == n * p and (n == 0 or found[-1] == n - 1 + p - 1)


CHECKS = [
    check_reductions,
    check_blocks,
    check_counts,
    check_numbers_and_buffers,
    check_operators_of_python,
    check_locations,
    check_asynchronous,
    check_messages,
    check_groups_and_objects,
    check_refusals,
]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--calls", type=int, default=300)
    options.add_argument("--seed", type=int, default=17)
    options.add_argument("--join", type=int, default=0, help="join that many ranks through a store at TEST_STORE")
    given = options.parse_args()
    if given.join:
        rank = int(os.environ["TEST_RANK"])
        comm = tutti.join(rank, given.join, store.Client(os.environ["TEST_STORE"]))
    else:
        comm = tutti.world()
    for check in CHECKS:
        check(comm)
        comm.barrier()
    check_random_calls(comm, given.calls, given.seed)
    if given.join:
        comm.leave()
        again = tutti.join(rank, given.join, store.Client(os.environ["TEST_STORE"], "again"))
        assert again.all_reduce(1) == given.join
        again.leave()
    elif comm.rank == 0:
        print(f"all laws hold on {comm.size} ranks (seed {given.seed})", flush=True)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
