"""Types of kernel arguments as text, and back: what a list of kernels on disk is made of.

A type is a word ("float64", "float64[2C]" for an array of two dimensions in C order, with an "r" behind it if it is
read-only) or a list: the name of a tuple's class ("" if it has none), then the types of its fields.
"""

from __future__ import annotations

import importlib
from typing import Any

from numba.core import types as numba_types

types: Any = numba_types  # its stubs leave half of them out

Encoded = str | list[Any]
"""A type as it stands in a file."""


class UnknownTypeError(ValueError):
    """A type that has no text."""


def encoded(kind: Any) -> Encoded:
    """Return the text of a Numba type.

    Raises:
        UnknownTypeError: if it is of a sort that no kernel is called with from a list
    """
    if isinstance(kind, types.Array):
        return f"{encoded(kind.dtype)}[{kind.ndim}{kind.layout}{'' if kind.mutable else 'r'}]"
    if isinstance(kind, types.BaseNamedTuple):
        home = kind.instance_class
        return [f"{home.__module__}:{home.__qualname__}", *(encoded(each) for each in kind.types)]
    if isinstance(kind, types.BaseTuple):
        return ["", *(encoded(each) for each in kind.types)]
    if isinstance(kind, types.Number | types.Boolean | types.NoneType):
        return str(kind)
    raise UnknownTypeError(str(kind))


def decoded(text: Encoded) -> Any:
    """Return the Numba type of a text.

    Raises:
        UnknownTypeError: if there is no such type, or a bundle has other fields now
    """
    if isinstance(text, list):
        return _tuple(text[0], tuple(decoded(each) for each in text[1:]))
    name, _, rest = text.partition("[")
    kind = getattr(types, name, None)
    if not isinstance(kind, types.Type):
        raise UnknownTypeError(text)
    if not rest:
        return kind
    return types.Array(kind, int(rest[0]), rest[1], readonly=rest[2] == "r")


def _tuple(name: str, fields: tuple[Any, ...]) -> Any:
    """Return the type of a tuple whose class is `module:name`, or of a plain one."""
    if not name:
        return types.Tuple(fields)
    module, _, inside = name.partition(":")
    home: Any = importlib.import_module(module)
    for part in inside.split("."):
        home = getattr(home, part, None)
    if home is None or len(getattr(home, "_fields", ())) != len(fields):
        raise UnknownTypeError(name)
    is_uniform = len(fields) > 0 and all(field == fields[0] for field in fields)
    return types.NamedUniTuple(fields[0], len(fields), home) if is_uniform else types.NamedTuple(fields, home)
