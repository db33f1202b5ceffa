"""Room to grow: arrays that begin a larger piece of memory, so that edits need not copy them."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Scalar = TypeVar("Scalar", bound=np.generic)

LEAST = 256
"""Rows that an array gets in addition when it moves, at least."""


class Room(np.ndarray[Any, Any]):
    """Memory that an array is the beginning of; only `fitted` makes some."""


def fitted(array: NDArray[Scalar], count: int) -> NDArray[Scalar]:
    """Return `count` rows that begin with those of `array`; what any further rows hold is not said.

    If the array came from here and its memory has room, nothing is copied: the result is the same memory, so the
    array given must not be used any more by others that expect it to stay as it is.
    """
    room = array.base
    while isinstance(room, np.ndarray) and not isinstance(room, Room):  # a view of a view
        room = room.base
    if (
        isinstance(room, Room)
        and len(room) >= count
        and room.dtype == array.dtype
        and array.flags.c_contiguous
        and room.shape[1:] == array.shape[1:]
        and room.__array_interface__["data"][0] == array.__array_interface__["data"][0]
    ):
        return np.ndarray((count, *array.shape[1:]), array.dtype, buffer=room)
    return _moved(array, count)


def roomy(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """Return a copy with room to grow."""
    return _moved(array, len(array))


def _moved(array: NDArray[Scalar], count: int) -> NDArray[Scalar]:
    """Return `count` rows that begin with a copy of those of `array`, in memory of their own."""
    larger = Room((count + count // 8 + LEAST, *array.shape[1:]), array.dtype)
    kept = min(count, len(array))
    larger[:kept] = array[:kept]
    larger[kept:] = 0  # touches the pages now, before a frame has to wait for them
    return np.ndarray((count, *array.shape[1:]), array.dtype, buffer=larger)
