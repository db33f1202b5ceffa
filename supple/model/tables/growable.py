"""Growable arrays: views of larger buffers, so that adding rows need not copy them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Scalar = TypeVar("Scalar", bound=np.generic)

LEAST_SPARE_ROWS = 256
"""Spare rows that an array gets when it is reallocated, at least."""


class Buffer(np.ndarray[Any, Any]):
    """Memory that a growable array is the beginning of; only this module makes some."""


def resized(array: NDArray[Scalar], count: int) -> NDArray[Scalar]:
    """Return `count` rows that begin with those of `array`; what any further rows hold is undefined.

    If the array is growable and its buffer is large enough, nothing is copied: the result is the same memory, so the
    array given must not be used any more by others that expect it to stay as it is.
    """
    buffer = array.base
    if type(buffer) is Buffer and len(array) == count:
        return array
    if type(buffer) is not Buffer:
        buffer = _buffer_of(array)
    # Every array that has a buffer as its base was made here, so it begins where the buffer does.
    if (
        buffer is None
        or len(buffer) < count
        or buffer.dtype != array.dtype
        or buffer.shape[1:] != array.shape[1:]
    ):
        return _reallocated(array, count)
    return np.ndarray((count, *array.shape[1:]), array.dtype, buffer=buffer)


def _buffer_of(array: NDArray[Any]) -> Buffer | None:
    """Return the buffer that a view of a view begins, None if there is none."""
    buffer = array.base
    while isinstance(buffer, np.ndarray) and not isinstance(buffer, Buffer):
        buffer = buffer.base
    if not isinstance(buffer, Buffer) or not array.flags.c_contiguous:
        return None
    begins = buffer.__array_interface__["data"][0] == array.__array_interface__["data"][0]
    return buffer if begins else None


def capacity_of(array: NDArray[Any]) -> int:
    """Return how many rows fit into the buffer of an array."""
    buffer = array.base if type(array.base) is Buffer else _buffer_of(array)
    return len(array) if buffer is None else len(buffer)


def growable_copy(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """Return a growable copy."""
    return _reallocated(array, len(array))


def zeros(shape: tuple[int, ...], dtype: type[Scalar]) -> NDArray[Scalar]:
    """Return a growable array of zeros."""
    buffer = Buffer((spare_capacity(shape[0]), *shape[1:]), dtype)
    buffer[...] = 0
    return np.ndarray(shape, dtype, buffer=buffer)


def reserved(count: int, dtype: type[Scalar]) -> NDArray[Scalar]:
    """Return an array of no rows with capacity for `count`: the system hands their pages out when they are written to."""
    return np.ndarray((0,), dtype, buffer=Buffer((max(count, 1),), dtype))


def joined(arrays: Sequence[NDArray[Scalar]]) -> NDArray[Scalar]:
    """Return a growable array of the rows of several, one after the other."""
    count = sum(map(len, arrays))
    result = zeros((count, *arrays[0].shape[1:]), arrays[0].dtype.type)
    return np.concatenate(arrays, out=result)


def spare_capacity(count: int) -> int:
    """Return for how many rows memory is allocated where `count` are needed now."""
    return count + count // 8 + LEAST_SPARE_ROWS


def _reallocated(array: NDArray[Scalar], count: int) -> NDArray[Scalar]:
    """Return `count` rows that begin with a copy of those of `array`, in a buffer of their own."""
    larger = Buffer((spare_capacity(count), *array.shape[1:]), array.dtype)
    kept = min(count, len(array))
    larger[:kept] = array[:kept]
    larger[kept:] = 0  # touches the pages now, before a frame has to wait for them
    return np.ndarray((count, *array.shape[1:]), array.dtype, buffer=larger)
