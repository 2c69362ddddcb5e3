"""Keyword arguments as words of the command."""

import collections.abc
import difflib
import functools
import importlib
import numbers
import os
import re

from . import lab
from ._tutti import InvalidArgument, Unsupported


def answer(words):
    """Exit status, text, notes and remarks of the command with these words."""
    return _command().answer(words)


@functools.lru_cache(maxsize=None)
def options_of(command):
    """The options of a command by their keywords: {"ranks": ("--ranks", "N")}; the type of a flag is empty."""
    return {_keyword(name): (name, kind) for name, kind in _command().options(command)}


def options_in(text):
    """The options that a help text lists, in the same form."""
    known = {}
    for names, kind in re.findall(r"^  (?:-\w,)?(--[\w-]+(?:,--[\w-]+)*)(?: (\S+))?", text, re.MULTILINE):
        known.update({_keyword(name): (name, kind) for name in names.split(",")})
    return known


def words_of(function, words, options, known):
    """The words of the command's line. Raises TypeError for a keyword that is not known, naming the nearest."""
    line = [_text_of(function, word, "") for word in words]
    for key, value in options.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1, cutoff=0)
            hint = f"; the nearest is '{near[0]}'" if near else ""
            raise TypeError(f"{function}() got an unexpected keyword argument '{key}'{hint}")
        name, kind = known[key]
        if value is None or value is False:
            continue
        if not kind:
            if value is not True:
                raise TypeError(f"{function}() takes True or False for '{key}', not {value!r}")
            line.append(name)
        elif value is True:
            raise TypeError(f"{function}() takes a value for '{key}' ({kind}), not True")
        else:
            line.append(f"{name}={_text_of(function, value, kind)}")
    return line


def _command():
    try:
        return importlib.import_module("._command", __package__)
    except ModuleNotFoundError:
        raise Unsupported("this tutti was built without its command: build it with -DTUTTI_BUILD_APP=ON") from None


def _keyword(option):
    return option.lstrip("-").replace("-", "_")


def _text_of(function, value, kind):
    """A value as the command takes it; `kind` is the option's type in the help, such as "N|A..B" or "RxC"."""
    if isinstance(value, lab.Algorithm):
        raise InvalidArgument(
            f"'{value}' is an algorithm of your own, which analysis.{function} does not know: call its methods prove, "
            "price, simulate, draw, draw_page and listing"
        )
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if isinstance(value, range) and value.step == 1 and ".." in kind:
        return f"{value.start}..{value.stop - 1}"
    if isinstance(value, collections.abc.Mapping):
        return ",".join(f"{_text_of(function, key, '')}:{_text_of(function, one, '')}" for key, one in value.items())
    if isinstance(value, collections.abc.Iterable) and kind:
        parts = [_text_of(function, one, "") for one in value]
        return _separator(kind, parts).join(parts)
    raise TypeError(f"{function}() takes texts, numbers and lists of these, not {value!r}")


def _separator(kind, parts):
    if ".." in kind and len(parts) == 2:
        return ".."
    return {"RxC": "x", "N+N+…": "+"}.get(kind, ",")
