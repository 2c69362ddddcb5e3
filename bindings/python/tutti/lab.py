"""Algorithms of one's own: written once, as the text that every rank runs, then proved, priced, simulated, drawn, and
run like those of the library.

    from tutti import lab

    @lab.algorithm("broadcast")
    def mine(me):
        if me.rank != me.root:
            me.receive(me.message(), me.root)
        else:
            for other in range(me.size):
                if other != me.root:
                    me.send(me.message(), other)
        me.wait()

    assert mine.prove(1, 12)                                  # for all roots and counts
    mine.simulate(1024, count=1 << 20, topology="hypercube:10")
    comm.broadcast(a, algorithm=mine)

The text is run once for each rank, to find out what the rank does; it never looks at data. What is wrong is not run. An
exception in the text arrives as itself.
"""

import dataclasses
import html

from ._tutti import lab as _lab


@dataclasses.dataclass(frozen=True)
class Proof:
    """Outcome of a proof; true if the algorithm is proved. `reason` is the place and the cause of a failure."""

    proved: bool
    reason: str

    def __bool__(self):
        return self.proved


@dataclasses.dataclass(frozen=True)
class Times:
    """A run in virtual time, in seconds; `bound_seconds` is what no algorithm beats."""

    seconds: float
    bound_seconds: float
    rounds: int
    messages: int
    bytes: int
    most_shared: int


@dataclasses.dataclass(frozen=True)
class Price:
    """An algorithm and the seconds that it takes. A list of these makes a pandas.DataFrame."""

    algorithm: str
    seconds: float


class Drawing(str):
    """A picture (SVG), which notebooks show."""

    def _repr_svg_(self):
        return str(self)


class Page(str):
    """A page that plays the steps (HTML), which notebooks show in a frame."""

    def _repr_html_(self):
        return f'<iframe srcdoc="{html.escape(str(self))}" width="100%" height="640"></iframe>'


class Algorithm(str):
    """An algorithm by its name, as calls take it: `comm.all_reduce(a, algorithm=mine)`."""

    def __new__(cls, collective, name, text, proved_before_first_call=True):
        made = super().__new__(cls, name)
        made.collective = collective
        made.text = text
        made._algorithm = _lab.Algorithm(collective, name, text, proved_before_first_call)
        return made

    def prove(self, first, last=None, **problem):
        """Proves it for `first` to `last` ranks, all roots and difficult counts; or, without `last`, one problem:
        prove(8, count=5, root=2). An operator is not taken to commute unless commutative=True is given."""
        if last is None:
            return Proof(*_lab.prove(self._algorithm, _problem(first, **{"commutative": False, **problem})))
        return Proof(*_lab.prove_all(self._algorithm, first, last))

    def simulate(self, ranks, count=1, *, topology="", machine=None, **problem):
        """Times on a network such as "ring:8" (none: a cable between every two ranks). count: elements of the whole
        message, or of one rank's block, of element_bytes bytes."""
        return Times(*_lab.simulate(self._algorithm, _problem(ranks, count, **problem), topology, _machine(machine)))

    def price(self, ranks, count=1, *, topology="", machine=None, **problem):
        """This algorithm and those of the library for the same problem, by simulation, the fastest first."""
        prices = _lab.price(self._algorithm, _problem(ranks, count, **problem), topology, _machine(machine))
        return [Price(*price) for price in prices]

    def draw(self, ranks, count=1, *, topology="", **problem):
        """The steps as a picture."""
        return Drawing(_lab.draw(self._algorithm, _problem(ranks, count, **problem), topology))

    def draw_page(self, ranks, count=1, *, topology="", **problem):
        """The steps as a page that plays them."""
        return Page(_lab.draw_page(self._algorithm, _problem(ranks, count, **problem), topology))

    def listing(self, ranks, count=1, **problem):
        """The program of every rank, a line an operation."""
        return _lab.listing(self._algorithm, _problem(ranks, count, **problem))


@dataclasses.dataclass(frozen=True)
class Machine:
    """Costs of messages in seconds: a message (ts), a byte (tw), a hop (th), a byte that is combined (tc)."""

    ts: float = 1e-6
    tw: float = 1e-9
    th: float = 0.0
    tc: float = 0.0
    switching: str = "alpha-beta"


def algorithm(collective, name=None, *, proved_before_first_call=True):
    """Makes an algorithm of the function below it, named after the function unless a name is given.

    collective: "all_reduce" and its like. The name is known to every call of that collective from now on; all ranks
    that call it must know it. A call has it proved before its first run of a shape, unless that is turned off.
    """

    def decorate(text):
        return Algorithm(collective, name or text.__name__.replace("_", "-"), text, proved_before_first_call)

    return decorate


def _problem(ranks, count=1, *, root=0, distance=1, commutative=True, element_bytes=1):
    return _lab.Problem(ranks, count, root, distance, commutative, element_bytes)


def _machine(machine):
    machine = machine or Machine()
    return _lab.Machine(machine.ts, machine.tw, machine.th, machine.tc, machine.switching)
