"""Keep what happened: geometry and pictures on disk, the format chosen by the file's ending.

    supple.record(simulation, "drape.obj", seconds=4.0)

A format is one line in `FORMATS` and one class that follows `supple.record.writer.Writer`. Its
module is imported when the format is first asked for, so a heavy library costs only those who
use it.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from supple.errors import SuppleError

if TYPE_CHECKING:
    from supple.record.writer import Subject, Writer
    from supple.simulation import Simulation

__all__ = ["FORMATS", "Format", "Recording", "open_recording", "record"]


@dataclass(frozen=True)
class Format:
    """A way to keep frames on disk."""

    module: str
    """Module of the writer."""

    writer: str
    """Name of the `Writer` class in it."""

    summary: str
    """What is written, in a few words."""

    options: frozenset[str] = frozenset()
    """Keywords the writer takes beside those of `Writer`."""


FORMATS: dict[str, Format] = {
    ".obj": Format("supple.record.obj", "ObjSequence", "a numbered OBJ file for every frame"),
    ".png": Format(
        "supple.record.still",
        "Still",
        "a picture of the last frame, or a sheet of several",
        frozenset({"pictures", "size"}),
    ),
}
"""Format by file ending."""


def _format_of(path: Path) -> Format:
    ending = path.suffix.lower()
    if ending in FORMATS:
        return FORMATS[ending]
    known = "\n".join(f"  {key}  {form.summary}" for key, form in FORMATS.items())
    close = get_close_matches(ending, FORMATS, n=1)
    hint = f' Did you mean "{path.with_suffix(close[0]).name}"?' if close else ""
    found = (
        f'"{ending}" is not a format supple writes' if ending else "it has no ending to tell the format by"
    )
    raise SuppleError(f"cannot write {path}: {found}.{hint}\nKnown endings:\n{known}")


class Recording:
    """Several files written side by side from the same frames."""

    def __init__(self, writers: Iterable[Writer]) -> None:
        """Take over opened writers."""
        self._writers = list(writers)
        self.files: list[Path] = []
        """Files written, once the recording is closed."""

    def add(self, subject: Subject) -> None:
        """Take down the subject as it is now, in every file."""
        for writer in self._writers:
            writer.add(subject)

    def close(self) -> list[Path]:
        """Finish every file and return all that were written."""
        while self._writers:
            self.files.extend(self._writers.pop(0).close())
        return self.files


@contextmanager
def open_recording(
    paths: Iterable[str | os.PathLike[str]], *, frame_count: int, frame_rate: float, **options: Any
) -> Iterator[Recording]:
    """Open one writer for every path and close them all in the end, also after an interruption.

    Every ending and every folder is checked before the first frame.

    Args:
        paths: files to write, the format by the ending
        frame_count: frames that will follow, the start included
        frame_rate: frames per second [1/s]
        options: keywords for the formats that know them
    """
    writers: list[Writer] = []
    chosen = [(path, _format_of(path)) for path in map(Path, paths)]
    for path, form in chosen:
        known = {name: value for name, value in options.items() if name in form.options}
        make: Callable[..., Writer] = getattr(importlib.import_module(form.module), form.writer)
        writers.append(make(path, frame_count=frame_count, frame_rate=frame_rate, **known))
    recording = Recording(writers)
    try:
        yield recording
    finally:
        recording.close()


def record(
    simulation: Simulation, path: str | os.PathLike[str], *, seconds: float, **options: Any
) -> list[Path]:
    """Run a simulation and write what it shows, frame by frame.

    The state before the first step is frame 0, so `seconds` at 50 frames/s give 50 `seconds` + 1
    frames.

    Args:
        simulation: is stepped on from where it stands
        path: the file to write; its ending chooses the format (`FORMATS`)
        seconds: simulated time to record [s]
        options: keywords of the format: for pictures `pictures` (how many on the sheet) and
            `size` (width and height [pixels])

    Returns:
        The files written.
    """
    frame_count = 1 + round(seconds * simulation.frame_rate)
    rate = float(simulation.frame_rate)
    with open_recording([path], frame_count=frame_count, frame_rate=rate, **options) as recording:
        recording.add(simulation)
        for _ in range(frame_count - 1):
            simulation.step()
            recording.add(simulation)
    return recording.files


class _CallableModule(ModuleType):
    """Lets `supple.record(...)` work although `supple.record` is also this folder.

    Python binds a subpackage to its parent under the folder's name the moment it is imported,
    so a function of the same name in `supple/__init__.py` would be replaced by the module.
    """

    def __call__(self, *args: Any, **keywords: Any) -> list[Path]:
        """Call `record`."""
        return record(*args, **keywords)


sys.modules[__name__].__class__ = _CallableModule
