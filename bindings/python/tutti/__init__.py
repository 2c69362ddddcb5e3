"""Collective communication between the processes of one machine, and through MPI between machines.

    import numpy, tutti

    comm = tutti.world()                       # `tutti run -n 4 python program.py`, mpirun, or alone
    total = comm.all_reduce(numpy.arange(8.))  # a new array, the same bits on every rank
    comm.all_reduce(a, op=tutti.maximum, out=a)

Every rank makes the same collectives in the same order. Arrays are given as they are: no call pickles anything but
those in `_object`. Errors are sentences that name the rank and the remedy, on every rank.
"""

from . import _signals, analysis, lab
from ._locations import located, max_location, min_location
from ._objects import add_object_calls as _add_object_calls
from ._tutti import (
    Communicator,
    Envelope,
    Error,
    Handle,
    InternalError,
    InvalidArgument,
    Mismatch,
    Operator,
    PeerFailed,
    Plan,
    Timeout,
    Unsupported,
    abandon,
    any_rank,
    any_tag,
    average,
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    commutative,
    empty,
    finalize,
    logical_and,
    logical_or,
    logical_xor,
    maximum,
    minimum,
    non_commutative,
    product,
    sum,
    wait,
)
from ._signals import report_lines
from ._worlds import join, run, world

bfloat16 = "bfloat16"
"""As `dtype=tutti.bfloat16`: arrays of uint16 hold bfloat16, and are combined as such."""

_add_object_calls(Communicator)
Handle.__await__ = _signals.awaited
Plan.__await__ = _signals.awaited

__all__ = [name for name in dir() if not name.startswith("_")]
