"""Operators that keep the location of the least or the largest value."""

import numpy

from ._tutti import commutative


def located(values, locations):
    """An array of pairs for min_location and max_location: fields "value", of the dtype of `values`, and "location".

        best = comm.all_reduce(tutti.located(losses, comm.rank), tutti.min_location)
        best["value"], best["location"]

    locations: whole numbers, one for each value or one for all; the rank is the usual one.
    """
    values = numpy.asarray(values)
    pairs = numpy.empty(values.shape, [("value", values.dtype), ("location", numpy.int64)])
    pairs["value"] = values
    pairs["location"] = locations
    return pairs


def _min_location(a, b):
    return _better(a, b, a["value"] < b["value"], b["value"] < a["value"])


def _max_location(a, b):
    return _better(a, b, b["value"] < a["value"], a["value"] < b["value"])


def _better(a, b, a_wins, b_wins):
    """Of equal values, and beside NaN, the lower location wins, as in C++."""
    return numpy.where(numpy.where(a_wins == b_wins, b["location"] < a["location"], b_wins), b, a)


def _operator(name, pick):
    """The operator of that name, by which errors call it as they do the library's own."""
    pick.__module__, pick.__qualname__ = None, name
    return commutative(pick)


min_location = _operator("min_location", _min_location)
max_location = _operator("max_location", _max_location)
