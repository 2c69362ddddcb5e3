"""How operations are awaited, and what the other ranks are told of one that ends by an exception or is late."""

import faulthandler
import os
import signal
import sys

_looks_before_sleep = 64
_sleep = 0.0005
_stack = []


def awaited(operation):
    """The generator behind `await operation`: lets the event loop run between two looks."""
    import asyncio

    looks = 0
    while not operation.test():
        looks += 1
        yield from asyncio.sleep(0 if looks < _looks_before_sleep else _sleep).__await__()
    return operation.wait()


def tell_at_exception(abandon):
    """Has an exception that nobody catches told to all ranks, before this one ends."""
    before = sys.excepthook

    def hook(kind, value, traceback):
        text = str(value)
        try:
            abandon(f"{kind.__name__}: {text}" if text else kind.__name__)
        finally:
            before(kind, value, traceback)

    sys.excepthook = hook


def report_lines(number=signal.SIGRTMAX - 1):
    """Has errors and warnings about a late rank name the line of Python that it executes: "sleeps, in clock_nanosleep
    called from step (train.py:12)".

    Each rank calls it once, or sets the environment's TUTTI_PYTHON_LINES=1 before it joins. A rank that waits for too
    long for this one sends it that signal, at which Python writes its stack to a file in memory; calls of the system
    that it cuts short are made again. It costs nothing while no rank is late.

    number: the signal, by default the last but one of the system's. Raises RuntimeError for a signal by which programs
    crash, such as SIGSEGV, and ValueError for a number that is no signal.
    """
    if _stack:
        return
    file = os.memfd_create(f"tutti-python-stack-{number:d}")  # src/transport/processes/python_line.hpp looks for that name
    try:
        faulthandler.register(number, file=file, all_threads=False)
    except (RuntimeError, ValueError):
        os.close(file)
        raise
    _stack.append(file)


def report_lines_if_asked():
    """As the environment says."""
    if os.environ.get("TUTTI_PYTHON_LINES", "0") not in ("", "0"):
        report_lines()
