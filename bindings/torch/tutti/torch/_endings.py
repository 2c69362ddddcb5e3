"""How a program with process groups ends: an exception reaches all ranks, and groups that were not destroyed are left."""

import atexit
import sys

from .. import _signals

_failed = []


def prepare(backend):
    """Once: an exception that nobody catches is told to all ranks; at another end the groups are left."""

    def abandon(why):
        _failed.append(why)
        backend.abandon_all(why)

    def leave():
        if _failed:  # the others know that this rank has failed
            return
        try:
            backend.leave_all()
        except Exception as error:
            print(f"tutti: the end of this rank: {error}", file=sys.stderr)

    _signals.tell_at_exception(abandon)
    atexit.register(leave)
