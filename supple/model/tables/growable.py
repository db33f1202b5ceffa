"""Room to grow: arrays that begin a larger piece of memory, so that edits need not copy them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Scalar = TypeVar("Scalar", bound=np.generic)

LEAST = 256
"""Rows that an array gets in addition when it moves, at least."""


class Room(np.ndarray[Any, Any]):
    """Memory that an array is the beginning of; only this module makes some."""


def fitted(array: NDArray[Scalar], count: int) -> NDArray[Scalar]:
    """Return `count` rows that begin with those of `array`; what any further rows hold is not said.

    If the array came from here and its memory has room, nothing is copied: the result is the same memory, so the
    array given must not be used any more by others that expect it to stay as it is.
    """
    room = array.base
    if type(room) is Room and len(array) == count:
        return array
    if type(room) is not Room:
        room = _room_of(array)
    # Every array that has a room as its base was made here, so it begins where the room does.
    if room is None or len(room) < count or room.dtype != array.dtype or room.shape[1:] != array.shape[1:]:
        return _moved(array, count)
    return np.ndarray((count, *array.shape[1:]), array.dtype, buffer=room)


def _room_of(array: NDArray[Any]) -> Room | None:
    """Return the memory that a view of a view begins, None if there is none."""
    room = array.base
    while isinstance(room, np.ndarray) and not isinstance(room, Room):
        room = room.base
    if not isinstance(room, Room) or not array.flags.c_contiguous:
        return None
    begins = room.__array_interface__["data"][0] == array.__array_interface__["data"][0]
    return room if begins else None


def rows_that_fit(array: NDArray[Any]) -> int:
    """Return how many rows fit where an array is."""
    room = array.base if type(array.base) is Room else _room_of(array)
    return len(array) if room is None else len(room)


def roomy(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """Return a copy with room to grow."""
    return _moved(array, len(array))


def zeros(shape: tuple[int, ...], dtype: type[Scalar]) -> NDArray[Scalar]:
    """Return zeros with room to grow."""
    room = Room((_room_rows(shape[0]), *shape[1:]), dtype)
    room[...] = 0
    return np.ndarray(shape, dtype, buffer=room)


def reserved(count: int, dtype: type[Scalar]) -> NDArray[Scalar]:
    """Return an array of no rows, with room for `count`: the system hands their pages out when they are written to."""
    return np.ndarray((0,), dtype, buffer=Room((max(count, 1),), dtype))


def joined(arrays: Sequence[NDArray[Scalar]]) -> NDArray[Scalar]:
    """Return arrays of one kind, one after the other, with room to grow."""
    count = sum(map(len, arrays))
    result = zeros((count, *arrays[0].shape[1:]), arrays[0].dtype.type)
    return np.concatenate(arrays, out=result)


def _room_rows(count: int) -> int:
    """Return for how many rows an array of `count` gets room."""
    return count + count // 8 + LEAST


def _moved(array: NDArray[Scalar], count: int) -> NDArray[Scalar]:
    """Return `count` rows that begin with a copy of those of `array`, in memory of their own."""
    larger = Room((_room_rows(count), *array.shape[1:]), array.dtype)
    kept = min(count, len(array))
    larger[:kept] = array[:kept]
    larger[kept:] = 0  # touches the pages now, before a frame has to wait for them
    return np.ndarray((count, *array.shape[1:]), array.dtype, buffer=larger)
