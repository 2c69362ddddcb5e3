"""Answers as frozen dataclasses, whose fields are those of the command's `--json`.

A field whose name Python keeps for itself has a line behind it: `from_`. Where an answer has fields that its class does
not declare, as with `bottleneck=True`, it is of a subclass that has them. A list of records makes a pandas.DataFrame.
Times are in seconds, sizes in bytes, unless a field says otherwise.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from ._record import AnyRecord, Record


@dataclasses.dataclass(frozen=True)
class ListedAlgorithm(Record):
    """An algorithm of the catalogue. `needs` are words such as "power-of-two-ranks"."""

    collective: str
    name: str
    aliases: list[str]
    needs: list[str]
    summary: str
    when: str
    time: str
    source: str


@dataclasses.dataclass(frozen=True)
class Mistake(Record):
    """A mistake that was published or shipped, and why its proof is refused."""

    name: str
    mistake: str
    source: str
    collective: str
    ranks: int
    kind: str
    rank: int
    step: int
    slice: str
    reason: str
    cycle: list[int]


@dataclasses.dataclass(frozen=True)
class Failure(Record):
    """A case that is not proved: where, and why. `step` is -1 at the end."""

    ranks: int
    root: int
    count: int
    problem: str
    rank: int
    step: int
    slice: str
    kind: str
    reason: str


@dataclasses.dataclass(frozen=True)
class ProvedAlgorithm(Record):
    """How many proofs of an algorithm held and failed, and how many looked at one rank for all."""

    collective: str
    name: str
    proved: int
    failed: int
    by_symmetry: int
    failures: list[Failure]


@dataclasses.dataclass(frozen=True)
class Proofs(Record):
    """Outcome of proofs; true if none failed."""

    proved: int
    failed: int
    algorithms: list[ProvedAlgorithm]

    def __bool__(self) -> bool:
        return self.failed == 0


@dataclasses.dataclass(frozen=True)
class ProgramProof(Record):
    """Outcome of the proof of a program or schedule; true if it is proved."""

    title: str
    ranks: Any
    proved: bool
    failure: AnyRecord | None

    def __bool__(self) -> bool:
        return self.proved


@dataclasses.dataclass(frozen=True)
class MachineCosts(Record):
    """Seconds: of a message (ts), a byte (tw), a hop (th), a byte that is combined (tc)."""

    ts: float
    tw: float
    th: float
    tc: float


@dataclasses.dataclass(frozen=True)
class LowerBound(Record):
    """The time that no algorithm beats, and why."""

    seconds: float
    name: str
    reason: str
    source: str


@dataclasses.dataclass(frozen=True)
class PricedAlgorithm(Record):
    """An algorithm and its time. `basis` is "closed-form", "simulation" or "upper-bound"; None: its time is not known."""

    algorithm: str
    basis: str | None
    formula: str | None
    segments: int | None
    seconds: float | None
    ratio: float | None
    source: str | None


@dataclasses.dataclass(frozen=True)
class PricesOfSize(Record):
    """Algorithms for messages of one size, the fastest first."""

    bytes: int
    lower_bound: LowerBound
    algorithms: list[PricedAlgorithm]


@dataclasses.dataclass(frozen=True)
class Winner(Record):
    """The fastest algorithm over a range of sizes."""

    from_bytes: int
    to_bytes: int
    algorithm: str
    basis: str


@dataclasses.dataclass(frozen=True)
class Prices(Record):
    """Times of algorithms on a network."""

    collective: str
    ranks: int
    topology: str
    switching: str
    machine: MachineCosts
    traffic: AnyRecord | None
    sizes: list[PricesOfSize]
    winners: list[Winner]
    winners_between_sizes: bool
    not_simulated: list[str]

    def rows(self) -> list[dict[str, Any]]:
        """A dict for each size and algorithm: pandas.DataFrame(prices.rows())."""
        return [{"bytes": size.bytes, **row.to_dict()} for size in self.sizes for row in size.algorithms]


@dataclasses.dataclass(frozen=True)
class LinkLoad(Record):
    """Bytes over the link between two nodes: ranks, then switches."""

    from_: int
    to: int
    bytes: int


@dataclasses.dataclass(frozen=True)
class Simulation(Record):
    """A run of an algorithm in virtual time."""

    collective: str
    algorithm: str
    ranks: int
    bytes: int
    topology: str
    switching: str
    engine: str
    algorithm_by: str
    segments: int | None
    seconds: float
    closed_form_seconds: float | None
    closed_form_exact: bool | None
    bound_seconds: float
    bound: str
    rounds: int
    messages: int
    bytes_sent: int
    most_shared: int
    busiest_link: LinkLoad | None


@dataclasses.dataclass(frozen=True)
class Message(Record):
    """A message of a simulation and its times in seconds."""

    from_: int
    to: int
    bytes: int
    send_posted: float
    receive_posted: float
    begin: float
    end: float
    alone_seconds: float
    way: list[int]


@dataclasses.dataclass(frozen=True)
class SimulatedMessages(Record):
    """A run of messages, or of a program's, in virtual time."""

    title: str
    topology: str
    ranks: int
    switching: str
    engine: str
    seconds: float
    most_shared: int
    busiest_link: LinkLoad | None
    messages: list[Message]


@dataclasses.dataclass(frozen=True)
class NetworkBound(Record):
    """The least time of any algorithm for a collective on a network."""

    collective: str
    seconds: float
    name: str
    reason: str
    source: str


@dataclasses.dataclass(frozen=True)
class Network(Record):
    """Numbers of a network; None where one is not known."""

    topology: str
    ranks: int
    switches: int
    links: int
    cables: int
    lanes: float
    least_degree: int | None
    degree: int | None
    switch_degree: int | None
    diameter: int | None
    mean_distance: float | None
    mean_distance_with_self: float | None
    bisection: float | None
    hops: AnyRecord | None
    traffic: AnyRecord | None
    bytes: int
    lower_bounds: list[NetworkBound]


@dataclasses.dataclass(frozen=True)
class TextbookRow(Record):
    """A time of the textbook by its formula and by simulation."""

    id: str
    collective: str
    algorithm: str
    topology: str
    switching: str
    formula: str
    sources: Any
    closed_form_seconds: float | None
    simulated_seconds: float | None
    bound_seconds: float | None
    agrees: bool
    note: str


@dataclasses.dataclass(frozen=True)
class SynthesizedSchedule(Record):
    """A schedule that was made for a network, beside the least time and the best of the catalogue."""

    collective: str
    topology: str
    ranks: int
    forwarding: str
    root: int | None
    bytes: int
    bound_seconds: float
    bound: str
    optimum_seconds: float | None
    chunks: int
    seconds: float
    catalogue: AnyRecord | None
    traffic: AnyRecord | None


@dataclasses.dataclass(frozen=True)
class PlannedAlgorithm(Record):
    """An algorithm and its times on this machine: in a row of like calls, in one by itself, and measured."""

    algorithm: str
    parameters: str
    needs: str
    proved: bool | None
    predicted_seconds: float | None
    predicted_once_seconds: float | None
    measured_seconds: float | None
    error: float | None
    ratio: float | None


@dataclasses.dataclass(frozen=True)
class PlannedSize(Record):
    """The choice for messages of one size, and all algorithms, the fastest first."""

    bytes: int
    count: int
    bound_seconds: float
    chosen: str
    rule: str | None
    why: str
    chosen_if_even: str | None
    kept: list[AnyRecord]
    algorithms: list[PlannedAlgorithm]


@dataclasses.dataclass(frozen=True)
class Planned(Record):
    """Choices of algorithms on this machine or on a network."""

    collective: str
    ranks: int
    element_bytes: int
    costs: str
    planning: str
    winners: list[AnyRecord]
    sizes: list[PlannedSize]
