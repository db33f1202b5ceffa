"""Files that are read whole, up to a limit: a device has no end, and its size is told as 0."""

from __future__ import annotations

from pathlib import Path


class TooLargeError(Exception):
    """A file goes on behind the limit."""


def bytes_of(path: Path, largest: int) -> bytes:
    """Return what a file holds; a `TooLargeError` tells that it is more than `largest` bytes."""
    with path.open("rb") as file:
        data = file.read(largest + 1)
    if len(data) > largest:
        raise TooLargeError(path)
    return data
