"""Algorithms that are written in Python, proved, simulated, drawn and run."""

import numpy
import tutti
from tutti import lab


@lab.algorithm("all_reduce")
def ring_of_python(me):
    """Sums go round the ring once, then results."""
    p, r = me.size, me.rank
    left, right = (r - 1) % p, (r + 1) % p
    me.copy(me.output(), me.input())
    me.wait()
    for step in range(p - 1):
        sent, came = (r - step) % p, (r - step - 1) % p
        me.send(me.output(sent), right)
        me.receive(me.scratch(0, len(me.output(came))), left)
        me.wait()
        me.reduce(me.output(came), me.scratch(0, len(me.output(came))), me.output(came))
        me.wait()
    for step in range(p - 1):
        me.send(me.output((r + 1 - step) % p), right)
        me.receive(me.output((r - step) % p), left)
        me.wait()


@lab.algorithm("broadcast", "forgets-one")
def forgets_one(me):
    if me.rank == me.root:
        for other in range(me.size):
            if other not in (me.root, 3):
                me.send(me.message(), other)
    elif me.rank != 3:
        me.receive(me.message(), me.root)
    me.wait()


@lab.algorithm("broadcast", "raises")
def raises(me):
    raise LookupError(f"rank {me.rank} finds nothing")


comm = tutti.world()
rings = ring_of_python.prove(4, count=8, commutative=True)
assert rings, rings
broken = forgets_one.prove(1, 8)
assert not broken and "3" in broken.reason, broken
times = ring_of_python.simulate(64, count=6400, element_bytes=8, topology="ring:64")
assert times.rounds == 2 * 63 and times.seconds >= times.bound_seconds > 0, times
prices = ring_of_python.price(8, count=800, element_bytes=8)
assert "ring-of-python" in [price.algorithm for price in prices]
assert [price.seconds for price in prices] == sorted(price.seconds for price in prices)
assert ring_of_python.draw(4, count=4)._repr_svg_().rstrip().endswith("</svg>")
assert "srcdoc" in ring_of_python.draw_page(4, count=4)._repr_html_()
assert "rank 0" in ring_of_python.listing(2, count=2)
for call in (lambda: raises.prove(2, count=1), lambda: raises.simulate(2)):
    try:
        call()
    except LookupError as error:
        assert "finds nothing" in str(error)
    else:
        raise AssertionError("the exception of a text did not arrive")
a = numpy.arange(20.0) * (comm.rank + 1)
found = comm.all_reduce(a, algorithm=ring_of_python)
assert (found == numpy.arange(20.0) * sum(range(1, comm.size + 1))).all()
if comm.size == 4:
    try:
        comm.broadcast(a, algorithm=forgets_one)
    except tutti.InvalidArgument as error:
        assert "3" in str(error)
    else:
        raise AssertionError("a wrong algorithm was run")
print(f"rank {comm.rank}: proved and run", flush=True)
