"""What the tutti command computes, in process: proofs, prices, simulations, pictures.

    from tutti import analysis

    prices = analysis.price("all-reduce", ranks=64, bytes="1MiB")
    pandas.DataFrame(prices.rows())                              # or prices.sizes[0].algorithms
    analysis.simulate("broadcast", topology="torus:4x4", bytes=1 << 20, ts=2e-6).seconds
    assert analysis.verify("all-reduce", ranks=range(1, 17))
    analysis.draw("all-gather", algorithm="ring", ranks=4)       # notebooks show it

Arguments are those of the command: its words in their order, and its long options with underscores for dashes. A flag
is True. A value is a text as the command takes it, or a number (times in seconds, sizes in bytes), a pair (8, 1 << 20)
or range(1, 17) where a range is allowed, and a list elsewhere: counts=[5, 0, 2], grid=(4, 4), nodes=[3, 5, 1],
algorithm=["ring", "binomial"], skew={3: "5us"}. None leaves an option out.

Results are frozen dataclasses with the fields of `--json`, which the command's pages in docs/reference name; both come
from one function. What was assumed of the input is a warning, and the field `notes` of an answer that is no list.

Raises InvalidArgument with the command's own sentence for bad input, Unsupported where this build lacks the command,
and TypeError for a keyword that is no option, with the nearest that is one. Calls cost some milliseconds beside
what they compute; other threads run meanwhile, and may call, too. Algorithms of tutti.lab have methods of their own.
"""

import functools
import json
import os
import subprocess
import tempfile
import warnings

from . import _arguments, _records
from ._arguments import options_of
from ._record import AnyRecord, Record, read
from ._records import (
    Failure,
    LinkLoad,
    ListedAlgorithm,
    LowerBound,
    MachineCosts,
    Message,
    Mistake,
    Network,
    NetworkBound,
    Planned,
    PlannedAlgorithm,
    PlannedSize,
    PricedAlgorithm,
    Prices,
    PricesOfSize,
    ProgramProof,
    ProvedAlgorithm,
    Proofs,
    SimulatedMessages,
    Simulation,
    SynthesizedSchedule,
    TextbookRow,
    Winner,
)
from ._tutti import InvalidArgument
from ._worlds import command
from .lab import Drawing, Page

_OWN = ("json", "help", "markdown")
"""Options that say how the command prints, which a record does not need."""


def verify(*words, **options):
    """Proves algorithms: the whole catalogue, those of a collective, one, or a program or schedule in a file.

        verify("all-reduce", ranks=range(1, 33)), verify("program", "exchange.txt")

    Returns Proofs, or of a file a ProgramProof; true if nothing failed. A failure names the rank, the step, the slice
    and the reason. Without ranks 1 to 64 are proved, on all cores.
    """
    return _answer("verify", words, options, _records.Proofs, _records.ProgramProof)


def price(*words, **options):
    """Times of all algorithms of a collective on a network, by closed forms or simulation, in seconds.

        price("all-reduce", ranks=64, bytes=(8, 1 << 20)), price("schedule", "mine.json", topology="torus:4x4")

    Returns Prices, with an entry of `sizes` for each size and the fastest algorithm first; with symbolic, search or
    several distances an AnyRecord. Simulations take time by their messages, closed forms hardly any.
    """
    return _answer("price", words, options, _records.Prices)


def simulate(*words, **options):
    """A run in virtual time, of an algorithm, of messages, or of a program or schedule in a file.

        simulate("all-reduce", algorithm="ring", topology="ring:16", bytes="1MiB"), simulate("messages", "1-6", "4-7:64KiB")

    Returns a Simulation, SimulatedMessages, or with symbolic an AnyRecord. Takes time by the number of messages.
    """
    return _answer("simulate", words, options, _records.Simulation, _records.SimulatedMessages)


def topology(*shapes, **options):
    """Numbers of a network, and the lower bounds of all collectives on it: topology("torus:8x8", bytes="1KiB").

    Returns a Network; of several shapes, or with compare, a list.
    """
    return _answer("topology", shapes, options, _records.Network)


def synthesize(*words, **options):
    """A schedule for a network, as fast as its links allow: synthesize("all-gather", topology="dgx-1v").

    Returns a SynthesizedSchedule, proved; output="FILE.json" writes it, for simulate("schedule", "FILE.json") and the
    like. Takes time by ranks and links: linear programs for an all-to-all over up to 16 ranks.
    """
    return _answer("synthesize", words, options, _records.SynthesizedSchedule)


def textbook(**options):
    """Every time of the textbook, from its formula and from simulation: textbook(row="broadcast.*", ranks=64).

    Returns a list of TextbookRow; `agrees` says whether both are equal.
    """
    return _answer("textbook", (), options, _records.TextbookRow)


def explain(*words, **options):
    """A collective, an algorithm or any word of the field: explain("broadcast", algorithm="binomial", steps=True).

    Returns a record whose fields depend on what is explained. report("explain", …) is the text.
    """
    return _answer("explain", words, options)


def list_algorithms(*collective, **options):
    """The catalogue, a ListedAlgorithm for each algorithm, or of one collective: list_algorithms("all-reduce").

    With topologies, collectives, words or optimality records of these instead.
    """
    return _answer("list", collective, options, _records.ListedAlgorithm)


def gallery(*words, **options):
    """Mistakes that were published or shipped, a Mistake for each, with the reason for which its proof is refused."""
    return _answer("gallery", words, options, _records.Mistake)


def draw(*words, **options):
    """The steps of an algorithm, or with timeline a simulation, as a picture: draw("all-gather", ranks=4).

    Returns a lab.Drawing, SVG that notebooks show. A figure of style="book" is one picture, however large. For PDF, PNG
    and TikZ take the command: python -m tutti draw … -o FILE.pdf.
    """
    if options.get("style") == "book":
        options = {"whole": True, **options}
    return Drawing(_drawn("draw", words, options, "drawing.svg"))


def draw_page(*words, **options):
    """The steps as a page that plays them: a lab.Page, HTML that notebooks show in a frame and that fetches nothing."""
    return Page(_drawn("draw", words, options, "page.html"))


def plan(*words, **options):
    """Which algorithm programs on this machine take, what each would take, and why: plan("all-reduce", ranks=4).

    Returns a Planned; with check or rivals a list. The one question that the command answers as a process, which lies
    beside the package or on the PATH: it looks at this machine, and with run=True starts ranks and measures.
    """
    known = {key: option for key, option in plan_options().items() if key not in _OWN}
    ended = _process("plan", *_arguments.words_of("plan", words, options, known), "--json")
    if ended.returncode not in (0, 1):
        raise InvalidArgument(ended.stderr.strip().rpartition("\n")[2].removeprefix("tutti: "))
    return read(json.loads(ended.stdout), (_records.Planned,))


def report(name, /, *words, **options):
    """The text that the command of that name prints: print(report("explain", "all-reduce", algorithm="ring")).

    Raises Unsupported for commands that run or measure something on this machine: start those as python -m tutti.
    """
    _, text, notes, remarks = _arguments.answer([name, *_arguments.words_of(name, words, options, options_of(name))])
    _warn(remarks, 3)
    return text + "".join(f"Note: {note}\n" for note in notes)


def _answer(name, words, options, *candidates):
    known = {key: option for key, option in options_of(name).items() if key not in _OWN}
    _, text, notes, remarks = _arguments.answer([name, *_arguments.words_of(name, words, options, known), "--json"])
    _warn(notes + remarks)
    value = json.loads(text)
    if notes and isinstance(value, dict):
        value["notes"] = notes
    return read(value, candidates)


def _drawn(name, words, options, file):
    known = {key: option for key, option in options_of(name).items() if key not in ("output", *_OWN)}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, file)
        _, _, notes, remarks = _arguments.answer(
            [name, *_arguments.words_of(name, words, options, known), "--output", path]
        )
        with open(path, encoding="utf-8") as drawn:
            text = drawn.read()
    _warn(notes + remarks)
    return text


def _warn(sentences, level=4):
    """Warns the caller of a function here; `level` counts the calls between, as stacklevel does."""
    for sentence in sentences:
        warnings.warn(sentence, stacklevel=level)


def _process(*words):
    clean = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    return subprocess.run([command(), *words], text=True, capture_output=True, env=clean)


@functools.lru_cache(maxsize=None)
def plan_options():
    """As options_of, of plan, which is not in process: from its help."""
    return _arguments.options_in(_process("help", "plan").stdout)
