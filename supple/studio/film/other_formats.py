"""File formats in which the studio offers a recording beside its own. Imports nothing heavy."""

from __future__ import annotations

from pathlib import Path

from supple.record import can_write
from supple.record.readers.convert import convert

ALSO = (".html", ".usd", ".glb")
"""Endings of formats to pass on: a page for everybody, and files for other programs."""


def formats_for(*, is_reshaped: bool) -> tuple[str, ...]:
    """Return the endings that can hold a recording, with bodies cut or sewn or not, and whose libraries are here."""
    return tuple(ending for ending in ALSO if can_write(ending, reshapes=is_reshaped))


def converted(recording: Path, ending: str) -> Path:
    """Return a finished recording in another format; it is made when it is asked for the first time."""
    target = recording.with_suffix(ending)
    if not target.is_file():
        convert(recording, target)
    return target
