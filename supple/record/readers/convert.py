"""Conversion of a recording from one format to another."""

from __future__ import annotations

import os
from dataclasses import replace as changed
from pathlib import Path
from typing import Any

from supple.errors import SuppleError
from supple.record import FORMATS, open_recording
from supple.record.formats.convention import Convention
from supple.record.readers.recording_reader import open_reader
from supple.record.writer import Finished


def convert(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    up: str = "y",
    unit: str = "m",
    from_up: str | None = None,
    from_unit: str | None = None,
    every: int = 1,
    replace: bool = False,
    finished: Finished | None = None,
    **options: Any,
) -> list[Path]:
    """Write a recording in another format, with other axes or units.

    Args:
        source: recording to read
        target: file to write, the format by its ending
        up: axis that points up in the target, "y" or "z"
        unit: unit of length of the target: "m", "cm", "mm", ...
        from_up: axis that points up in the source, where its format does not tell
        from_unit: unit of length of the source, where its format does not tell
        every: take every n-th frame only
        replace: whether a target that exists may be replaced
        finished: told how far the finishing of the file is
        options: keywords of the format, as for `record`

    Returns:
        The files written.
    """
    convention = Convention.named(up, unit)
    if Path(source).resolve() == Path(target).resolve():
        raise SuppleError(f"{target} cannot be converted into itself. Give the new file another name.")
    with open_reader(source) as recorded:
        if from_up is not None or from_unit is not None:
            told = recorded.convention
            recorded.convention = Convention.named(from_up or told.up, from_unit or told.unit)
        ending = Path(target).suffix.lower()
        if ending in (".csv", ".parquet") and not recorded.reports:
            raise SuppleError(f"{source} holds no reports, so there is nothing to write into {target}.")
        numbers = range(0, len(recorded), every)
        with open_recording(
            [target],
            frame_count=len(numbers),
            frame_rate=recorded.frame_rate / every,
            replace=replace,
            reshapes=ending in FORMATS and recorded.shape_changes(),
            convention=convention,
            finished=finished,
            **options,
        ) as recording:
            for number in numbers:
                recording.add(changed(recorded[number], number=number))
    return recording.files
