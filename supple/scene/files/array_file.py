"""Arrays in NumPy's file format, checked before a byte of them is looked at.

The head of an array says what follows it, and a file from elsewhere may say anything: bytes that are to be taken for
pointers, more rows than there are bytes, a billion of them behind a few that are compressed. What is read here is plain
numbers of the kind and shape that are expected, and all of them are in the file.
"""

from __future__ import annotations

import math
import zipfile
from typing import IO, Any, NamedTuple

import numpy as np
import numpy.typing as npt

FLOATS, WHOLES = "f", "iu"
"""Kinds of numbers, as NumPy abbreviates them."""

ALWAYS_UNPACKED, LARGEST_RATIO = 1 << 28, 100
"""An archive may unpack to so many bytes, and to so many times its size more."""


class Expected(NamedTuple):
    """What an array must be."""

    kinds: str
    """Of numbers: FLOATS or WHOLES."""

    row: tuple[int, ...] = ()
    """Shape of a row."""

    def empty(self) -> npt.NDArray[Any]:
        """Return an array of no rows."""
        return np.zeros((0, *self.row), np.float64 if self.kinds == FLOATS else np.int64)


class Head(NamedTuple):
    """What the head of an array says."""

    shape: tuple[int, ...]
    kind: np.dtype[Any]
    start: int
    """Where the numbers begin [bytes]."""

    @property
    def row_bytes(self) -> int:
        """Size of a row [bytes]."""
        return math.prod(self.shape[1:]) * self.kind.itemsize


def read_head(file: IO[bytes], expected: Expected) -> Head:
    """Read the head of an array from a file that stands where it begins; a ValueError tells what is wrong with it."""
    version = np.lib.format.read_magic(file)
    if version != (1, 0):
        raise ValueError(f"an array of version {version}")
    shape, is_fortran, kind = np.lib.format.read_array_header_1_0(file)
    if kind.hasobject or kind.names is not None or kind.subdtype is not None:
        raise ValueError(f"an array that holds no plain numbers but {kind}")
    if kind.kind not in expected.kinds or kind.itemsize > 8 or not kind.isnative:
        raise ValueError(f"an array of {kind} numbers")
    if any(not isinstance(size, int) or size < 0 for size in shape):
        raise ValueError(f"an array of shape {shape}")
    if 0 in shape and len(shape) > 0:
        shape = (0, *expected.row)
    if len(shape) != 1 + len(expected.row) or tuple(shape[1:]) != expected.row or is_fortran:
        raise ValueError(f"an array of shape {shape} with rows other than {expected.row}")
    return Head(tuple(shape), kind, file.tell())


def check_archive(archive: zipfile.ZipFile, size: int) -> None:
    """Raise a ValueError if an archive of `size` bytes would unpack to far more: a few bytes may stand for any number."""
    total = sum(entry.file_size for entry in archive.infolist() if entry.compress_type != zipfile.ZIP_STORED)
    if total > ALWAYS_UNPACKED + LARGEST_RATIO * size:
        raise ValueError(f"it unpacks to {total} bytes from {size}")


def unpacked(file: IO[bytes], size: int, expected: Expected) -> npt.NDArray[Any]:
    """Return an array from a stream of `size` bytes that cannot be mapped, as of a compressed entry of an archive."""
    head = read_head(file, expected)
    length = head.shape[0] * head.row_bytes
    if head.start + length > size:
        raise ValueError("an array that ends too early")
    data = file.read(length)
    if len(data) != length:
        raise ValueError("an array that ends too early")
    return np.frombuffer(data, head.kind).reshape(head.shape)
