"""Collectives of any objects: pickled, which each of their names says."""

import pickle

import numpy


def _bytes_of(value):
    return numpy.frombuffer(pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL), dtype=numpy.uint8)


def _object_of(data):
    return pickle.loads(memoryview(data))


def broadcast_object(self, value, root=0):
    """The root's object on every rank; pickled. What other ranks give is not looked at.

    Cost: two broadcasts, of 8 bytes and of the pickled object.
    """
    data = _bytes_of(value) if self.rank == root else None
    size = self.broadcast(len(data) if data is not None else 0, root)
    if data is None:
        data = numpy.empty(size, numpy.uint8)
    self.broadcast(data, root)
    return value if self.rank == root else _object_of(data)


def all_gather_object(self, value):
    """The objects of all ranks, by rank, as a list on every rank; pickled. Cost: an all_gather of 8 bytes, and
    all_gather_v."""
    data = _bytes_of(value)
    counts = self.all_gather(len(data))
    return _parted(self.all_gather_v(data, counts), counts)


def gather_object(self, value, root=0):
    """The objects of all ranks, by rank, as a list at the root; None elsewhere; pickled."""
    data = _bytes_of(value)
    counts = self.all_gather(len(data))
    gathered = self.gather_v(data, counts, root)
    return _parted(gathered, counts) if self.rank == root else None


def scatter_object(self, values=None, root=0):
    """Object r of the root's list on rank r; None elsewhere as `values`; pickled."""
    parts = [_bytes_of(value) for value in values] if self.rank == root else []
    if self.rank == root and len(parts) != self.size:
        from . import InvalidArgument

        raise InvalidArgument(f"scatter_object takes an object for each of the {self.size} ranks, not {len(parts)}")
    counts = numpy.array([len(part) for part in parts] if parts else [0] * self.size)
    self.broadcast(counts, root)
    mine = numpy.empty(counts[self.rank], numpy.uint8)
    self.scatter_v(numpy.concatenate(parts) if parts else None, counts, root, mine)
    return _object_of(mine)


def all_to_all_object(self, values):
    """Object r of this rank's list goes to rank r; a list of what came from each; pickled."""
    parts = [_bytes_of(value) for value in values]
    counts = numpy.array([len(part) for part in parts])
    came = self.all_to_all(counts)
    data = self.all_to_all_v(numpy.concatenate(parts), counts, came)
    return _parted(data, came)


def send_object(self, value, to, tag=0):
    """Sends an object, pickled, to receive_object of rank `to`."""
    data = _bytes_of(value)
    self.send(data, to, tag)


def receive_object(self, source=-1, tag=0):
    """The object that rank `source` has sent by send_object; any_rank: whoever sends first."""
    envelope = self.probe(source, tag)
    data = numpy.empty(envelope.count, numpy.uint8)
    self.receive(data, envelope.rank, envelope.tag)
    return _object_of(data)


def _parted(data, counts):
    ends = numpy.cumsum(counts)
    return [_object_of(data[end - count : end]) for count, end in zip(counts, ends)]


def add_object_calls(communicator):
    """Makes the functions above methods of the class."""
    for call in (
        broadcast_object,
        all_gather_object,
        gather_object,
        scatter_object,
        all_to_all_object,
        send_object,
        receive_object,
    ):
        setattr(communicator, call.__name__, call)
