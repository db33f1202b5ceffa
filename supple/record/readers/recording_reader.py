"""Recordings that are read, frame by frame.

    for frame in supple.open("drape.usd"):
        frame.time, frame.positions("cloth")

Frames are read when they are asked for, so a recording may be larger than the memory. Whatever axes and
units a file has, frames are in metres with Y up.
"""

from __future__ import annotations

import importlib
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self, overload

import numpy as np
import numpy.typing as npt

from supple.errors import SuppleError
from supple.record.formats.convention import UNITS, Convention
from supple.record.frame import Frame, Shapes
from supple.record.readers.frame_check import check_frame, check_shapes, check_times
from supple.scene.files.damage import telling_damage

READERS: dict[str, tuple[str, str]] = {
    ".npy": ("supple.record.readers.numpy_reader", "NumpyReader"),
    ".npz": ("supple.record.readers.numpy_reader", "NumpyReader"),
    ".obj": ("supple.record.formats.obj", "ObjReader"),
    ".ply": ("supple.record.formats.ply", "PlyReader"),
    ".pc2": ("supple.record.formats.pc2", "Pc2Reader"),
    ".vtu": ("supple.record.formats.vtu", "VtuReader"),
    ".pvd": ("supple.record.formats.vtu", "VtuReader"),
    ".glb": ("supple.record.readers.glb_reader", "GlbReader"),
    ".usd": ("supple.record.formats.usd", "UsdReader"),
    ".usdc": ("supple.record.formats.usd", "UsdReader"),
    ".usda": ("supple.record.formats.usd", "UsdReader"),
}
"""Module and class that read a recording, by file ending."""


class RecordingReader(ABC):
    """A recording on disk: a sequence of `Frame`s."""

    def __init__(self, path: Path, *, as_stored: bool = False) -> None:
        """Remember the place.

        Args:
            path: the file, or the folder
            as_stored: whether frames keep the file's own axes and units
        """
        self.path = path
        self._as_stored = as_stored
        self._converted: tuple[Shapes, Shapes] | None = None
        self._sound: Shapes | None = None
        """Shapes that were checked."""

    times: npt.NDArray[np.float64]
    """(frame_count,) [s]"""

    frame_rate: float
    """Frames per second [1/s]."""

    convention: Convention
    """Axes and units of the file."""

    reports: dict[str, npt.NDArray[np.float64]]
    """What the steps did and cost, (report_count,) by column; empty if the file does not tell."""

    @abstractmethod
    def stored(self, number: int) -> Frame:
        """Return a frame in the file's own axes and units."""

    def __len__(self) -> int:
        """Return the number of frames."""
        return len(self.times)

    @overload
    def __getitem__(self, number: int) -> Frame: ...

    @overload
    def __getitem__(self, number: slice) -> list[Frame]: ...

    def __getitem__(self, number: int | slice) -> Frame | list[Frame]:
        """Return a frame, counted from the end if negative, or a list of them."""
        if isinstance(number, slice):
            return [self[n] for n in range(*number.indices(len(self)))]
        if not -len(self) <= number < len(self):
            raise IndexError(f"there is no frame {number} in {self.path}, which has {len(self)}")
        with telling_damage(f"frame {number} of {self.path}"):
            frame = self.stored(int(number) % len(self))
            if frame.shapes is not self._sound:
                check_shapes(frame.shapes)
                self._sound = frame.shapes
            check_frame(frame)
        if self._as_stored or self.convention.is_ours:
            return frame
        return _to_ours(frame, self._our_shapes(frame.shapes), self.convention)

    def _our_shapes(self, shapes: Shapes) -> Shapes:
        if self._converted is None or self._converted[0] is not shapes:
            self._converted = shapes, _shapes_to_ours(shapes, self.convention)
        return self._converted[1]

    def __iter__(self) -> Iterator[Frame]:
        """Yield every frame."""
        for number in range(len(self)):
            yield self[number]

    @property
    def body_names(self) -> tuple[str, ...]:
        """Names of the bodies in the first frame."""
        return self[0].body_names if len(self) else ()

    def shape_changes(self) -> bool:
        """Tell whether bodies gain or lose points or triangles on the way."""
        before: Shapes | None = None
        for number in range(len(self)):
            shapes = self.stored(number).shapes
            if before is not None and shapes is not before and not shapes.are_like(before):
                return True
            before = shapes
        return False

    def close(self) -> None:
        """Let go of the file."""
        return

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of the file."""
        self.close()


def _to_ours(frame: Frame, shapes: Shapes, convention: Convention) -> Frame:
    turn = convention.turn.T
    scale = convention.metres
    return Frame(
        frame.number,
        frame.time,
        shapes,
        {body: scale * (points @ turn.T) for body, points in frame.points.items()},
        {name: (scale * (turn @ place), turn @ spin @ turn.T) for name, (place, spin) in frame.poses.items()},
        frame.report,
        frame.pins,
        {
            body: {
                name: scale * (each @ turn.T) if name == "velocity" else each for name, each in values.items()
            }
            for body, values in frame.fields.items()
        },
    )


def _shapes_to_ours(shapes: Shapes, convention: Convention) -> Shapes:
    from dataclasses import replace

    turn = convention.turn.T
    return Shapes(
        shapes.bodies,
        {
            name: replace(solid, vertices=convention.metres * (solid.vertices @ turn.T))
            for name, solid in shapes.solids.items()
        },
    )


def open_reader(path: str | os.PathLike[str]) -> RecordingReader:
    """Open a recording for reading, the format by its ending.

    The remains of a killed run open too: `drape.usd.part`, or `drape.usd` if there is nothing else.

    Args:
        path: a file that `supple.record` or `supple run` wrote; for numbered files the name without the number,
            or any of them
    """
    place = Path(path)
    module, name = _reader_of(place)
    try:
        if not place.exists() and (part := place.with_name(place.name + ".part")).exists():
            place = part
            module, name = READERS[".npy"] if part.is_dir() else (module, name)
        if place.exists() and not (place.is_file() or place.is_dir()):
            raise SuppleError(f"cannot open {place}: it is a device and no file.")
        reader: Any = getattr(importlib.import_module(module), name)
        with telling_damage(str(place)):
            recording: RecordingReader = reader(place)
            check_times(recording.times, recording.frame_rate)
    except FileNotFoundError:
        raise SuppleError(f"cannot open {place}: there is no such recording.") from None
    except OSError as trouble:
        raise SuppleError(f"cannot open {place}: {trouble.strerror or trouble}.") from trouble
    return recording


def _reader_of(path: Path) -> tuple[str, str]:
    ending = path.suffix.lower()
    if ending == ".part":
        return READERS[".npy"] if path.is_dir() else _reader_of(path.with_suffix(""))
    if ending in READERS:
        return READERS[ending]
    if ending in (".csv", ".parquet"):
        raise SuppleError(
            f"{path} holds numbers about a run, not its shapes. `supple plot {path}` draws them."
        )
    if ending in (".mp4", ".gif", ".webp", ".png"):
        raise SuppleError(
            f"{path} holds pictures, not shapes. Record to .npz or .usd beside the film to keep them."
        )
    known = ", ".join(READERS)
    raise SuppleError(f"cannot open {path}: recordings end in one of {known}.")


def unit_of(metres: float) -> str:
    """Return the name of the unit of so many metres, or say that there is none."""
    for name, length in UNITS.items():
        if abs(length - metres) < 1e-9 * length:
            return name
    raise SuppleError(f"a unit of {metres:g} m is none we know: {', '.join(UNITS)}.")


open = open_reader
"""The name users call it by: `supple.open`."""
