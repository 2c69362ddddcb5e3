"""Parsed JSON as frozen dataclasses: the base of all answers, and their reader."""

from __future__ import annotations

import dataclasses
import functools
import keyword
import typing
from typing import Any


class Record:
    """Base of all answers: a frozen dataclass, with further fields where the question asks for more."""

    if typing.TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def to_dict(self) -> dict[str, Any]:
        """The record as the command's `--json` has it: names of fields as there, records within as dicts."""
        return {_json_name(name): _plain(value) for name, value in vars(self).items()}

    def __reduce__(self) -> tuple[Any, ...]:
        return read, (self.to_dict(), (getattr(type(self), "_declared", type(self)),))


class AnyRecord(Record):
    """An answer whose fields depend on the question; docs/reference names them."""


def read(value: Any, candidates: tuple[type[Record], ...] = ()) -> Any:
    """Parsed JSON as records: an object is the first candidate all of whose fields it has, else an AnyRecord.

    An object whose keys are no names, because they are data, stays a dict.
    """
    if isinstance(value, list):
        return [read(one, candidates) for one in value]
    if not isinstance(value, dict):
        return value
    if not all(key.isidentifier() for key in value):
        return {key: read(one) for key, one in value.items()}
    fields = {_field_name(key): one for key, one in value.items()}
    declared = next((one for one in candidates if _fields_of(one) <= fields.keys()), AnyRecord)
    extra = tuple(name for name in fields if name not in _fields_of(declared))
    within = _records_within(declared)
    return _class_of(declared, extra)(**{name: read(one, within.get(name, ())) for name, one in fields.items()})


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return value


def _field_name(name: str) -> str:
    return name + "_" if keyword.iskeyword(name) else name


def _json_name(name: str) -> str:
    return name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name


@functools.lru_cache(maxsize=None)
def _class_of(declared: type[Record], extra: tuple[str, ...]) -> type[Record]:
    """The declared class, or a subclass with these fields besides."""
    if not extra:
        return declared
    fields = [(name, Any) for name in extra]
    made = dataclasses.make_dataclass(declared.__name__, fields, bases=(declared,), frozen=True)
    made.__module__ = declared.__module__
    made.__doc__ = declared.__doc__
    setattr(made, "_declared", declared)
    return made


@functools.lru_cache(maxsize=None)
def _fields_of(declared: type[Record]) -> frozenset[str]:
    return frozenset(field.name for field in dataclasses.fields(declared)) if dataclasses.is_dataclass(declared) else frozenset()


@functools.lru_cache(maxsize=None)
def _records_within(declared: type[Record]) -> dict[str, tuple[type[Record], ...]]:
    """The classes of records that the fields of a class hold."""

    def classes(hint: Any) -> tuple[type[Record], ...]:
        if isinstance(hint, type) and issubclass(hint, Record):
            return (hint,)
        return tuple(one for part in typing.get_args(hint) for one in classes(part))

    if not dataclasses.is_dataclass(declared):
        return {}
    return {name: classes(hint) for name, hint in typing.get_type_hints(declared).items()}
