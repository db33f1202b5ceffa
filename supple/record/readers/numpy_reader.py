"""Read recordings in NumPy's own formats: a folder of `.npy` files, or an `.npz` archive of them.

Nothing is copied: positions are windows into the file, also inside an archive, where arrays lie
uncompressed. The archives that the studio records are read too.
"""

from __future__ import annotations

import io
import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.errors import SuppleError
from supple.record.formats.convention import Convention
from supple.record.frame import BodyShape, Frame, Shapes, SolidShape
from supple.record.readers.recording_reader import RecordingReader

ABOUT = "about.json"
VERSION = 1
Array = npt.NDArray[Any]


def pins_name(frame: int) -> str:
    """Return the name of the array that says what is held from a frame on."""
    return f"pinned-{frame:06d}"


def read_about(folder: Path) -> dict[str, Any]:
    """Return what the head of a recording says."""
    return _checked((folder / ABOUT).read_text(encoding="utf-8"), folder)


def _checked(text: str, path: Path) -> dict[str, Any]:
    try:
        about = json.loads(text)
        version = about["version"]
    except (ValueError, KeyError, TypeError):
        raise SuppleError(f"{path} is no recording, or its {ABOUT} is damaged.") from None
    if version != VERSION:
        raise SuppleError(f"{path} is of version {version}; this supple reads version {VERSION}.")
    return dict(about)


class _Folder:
    """Arrays in the files of a folder."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def about(self) -> dict[str, Any]:
        return read_about(self._path)

    def array(self, name: str) -> Array:
        """Return an array; of one that is still being written all rows that are whole."""
        path = self._path / f"{name}.npy"
        with path.open("rb") as file:
            np.lib.format.read_magic(file)
            shape, fortran, kind = np.lib.format.read_array_header_1_0(file)
            start = file.tell()
        row = int(np.prod(shape[1:], dtype=np.int64)) * kind.itemsize
        if row:
            shape = ((path.stat().st_size - start) // row, *shape[1:])
        if 0 in shape:  # NumPy cannot map what holds nothing
            return np.zeros(shape, kind)
        return np.memmap(path, kind, "r", start, shape, "F" if fortran else "C")

    def has(self, name: str) -> bool:
        return (self._path / f"{name}.npy").is_file()


class _Archive:
    """Arrays in an archive."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with zipfile.ZipFile(path) as archive:
            self._entries = {entry.filename: entry for entry in archive.infolist()}
            self._about = archive.read(ABOUT).decode() if ABOUT in self._entries else None

    def about(self) -> dict[str, Any]:
        return _checked(self._about, self._path) if self._about else self._studio_about()

    def has(self, name: str) -> bool:
        return f"{name}.npy" in self._entries

    def array(self, name: str) -> Array:
        entry = self._entries.get(f"{name}.npy")
        if entry is None:
            raise SuppleError(f"{self._path} is no recording: it lacks the array `{name}`.")
        if entry.compress_type != zipfile.ZIP_STORED:
            with zipfile.ZipFile(self._path) as archive:
                return np.asarray(np.load(io.BytesIO(archive.read(entry)), allow_pickle=False))
        with self._path.open("rb") as file:
            # The local head of an entry repeats its name and has an extra field of its own length.
            file.seek(entry.header_offset + 26)
            name_length, extra_length = struct.unpack("<2H", file.read(4))
            file.seek(name_length + extra_length, io.SEEK_CUR)
            np.lib.format.read_magic(file)
            shape, fortran, kind = np.lib.format.read_array_header_1_0(file)
            start = file.tell()
        if 0 in shape or shape == ():
            with self._path.open("rb") as file:
                file.seek(start)
                return np.fromfile(file, kind, count=int(np.prod(shape, dtype=np.int64))).reshape(shape)
        return np.memmap(self._path, kind, "r", start, shape, "F" if fortran else "C")

    def _studio_about(self) -> dict[str, Any]:
        """Return the head of an archive of the studio, which has none of its own."""
        names = [
            name.removesuffix("/positions.npy") for name in self._entries if name.endswith("/positions.npy")
        ]
        if not names or not self.has("time"):
            raise SuppleError(
                f"{self._path} is no recording: it holds neither {ABOUT} nor time and positions."
            )
        times = self.array("time")
        rate = 1.0 / float(np.median(np.diff(times))) if len(times) > 1 else 50.0
        bodies = {}
        for name in names:
            kind = "cloth" if len(self.array(f"{name}/triangles")) else "network"
            bodies[name] = {"kind": kind, "points": self.array(f"{name}/positions").shape[1]}
        segment = {"first": 0, "folder": "", "bodies": bodies, "solids": {}}
        return {"version": VERSION, "frame_rate": rate, "segments": [segment]}


class _Segment:
    """Frames between two changes of shape."""

    def __init__(self, source: _Folder | _Archive, facts: dict[str, Any]) -> None:
        self.first = int(facts["first"])
        prefix = f"{facts['folder']}/" if facts["folder"] else ""
        bodies = {}
        for name, told in facts["bodies"].items():
            at = f"{prefix}{name}"
            bodies[name] = BodyShape(
                told["kind"],
                int(told["points"]),
                source.array(f"{at}/triangles").reshape(-1, 3),
                source.array(f"{at}/edges").reshape(-1, 2),
                source.array(f"{at}/coordinates").reshape(-1, 2)
                if source.has(f"{at}/coordinates")
                else np.zeros((0, 2)),
                told.get("colour", "#d2455c"),
            )
        solids = {
            name: SolidShape(
                told["kind"],
                source.array(f"{prefix}{name}/vertices"),
                source.array(f"{prefix}{name}/triangles"),
                told.get("colour", "#a9b4c2"),
            )
            for name, told in facts["solids"].items()
        }
        self.shapes = Shapes(bodies, solids)
        self._pins = [(self.first, self._held(source, prefix, "pinned"))]
        self._pins += [
            (first, self._held(source, prefix, pins_name(first))) for first in facts.get("pins", [])
        ]
        self.points = {name: source.array(f"{prefix}{name}/positions") for name in bodies}
        self.poses = {name: np.asarray(source.array(f"{prefix}{name}/poses")) for name in solids}

    def _held(self, source: _Folder | _Archive, prefix: str, array: str) -> dict[str, Array]:
        names = {name: f"{prefix}{name}/{array}" for name in self.shapes.bodies}
        return {
            name: source.array(place) if source.has(place) else np.zeros(0, int)
            for name, place in names.items()
        }

    def pins(self, number: int) -> dict[str, Array]:
        """Return what is held in a frame of the recording, by body."""
        return next(held for first, held in reversed(self._pins) if first <= number)

    @property
    def count(self) -> int:
        return min((len(array) for array in (*self.points.values(), *self.poses.values())), default=0)


class NumpyReader(RecordingReader):
    """Frames of an `.npy` folder or an `.npz` archive."""

    def __init__(self, path: Path, *, as_stored: bool = False) -> None:
        """Open one; see `RecordingReader`."""
        super().__init__(path, as_stored=as_stored)
        try:
            source: _Folder | _Archive = _Folder(path) if path.is_dir() else _Archive(path)
            about = source.about()
            self.convention = Convention.from_facts(about)
            self.frame_rate = float(about["frame_rate"])
            self.times = np.array(source.array("time"))
            self._segments = [_Segment(source, facts) for facts in about["segments"]]
            told = about.get("reports", {"first": 0, "columns": []})
            self._first_report = int(told["first"])
            self._columns = list(told["columns"])
            # A plain array is looked into many times faster than NumPy's memory map, and is the same memory.
            self._rows = np.asarray(source.array("reports")) if self._columns else np.zeros((0, 0))
        except (KeyError, ValueError, TypeError, zipfile.BadZipFile, EOFError) as trouble:
            raise SuppleError(f"{path} is no recording, or it is damaged ({trouble}).") from None
        whole = self._segments[-1].first + self._segments[-1].count if self._segments else 0
        self.times = self.times[:whole]

    @property
    def reports(self) -> dict[str, npt.NDArray[np.float64]]:  # type: ignore[override]
        """What the steps did and cost, by column."""
        return {name: np.asarray(self._rows[:, n]) for n, name in enumerate(self._columns)}

    def stored(self, number: int) -> Frame:
        """Return a frame as it stands in the files."""
        segment = next(s for s in reversed(self._segments) if s.first <= number)
        row = number - segment.first
        poses = {}
        for name, rows in segment.poses.items():
            pose = rows[row]
            poses[name] = pose[9:], pose[:9].reshape(3, 3)
        place = number - self._first_report
        has_report = bool(self._columns) and 0 <= place < len(self._rows)
        report = dict(zip(self._columns, self._rows[place].tolist(), strict=True)) if has_report else {}
        points = {name: array[row] for name, array in segment.points.items()}
        return Frame(
            number, float(self.times[number]), segment.shapes, points, poses, report, segment.pins(number)
        )

    def shape_changes(self) -> bool:
        """Tell whether bodies gain or lose points or triangles on the way."""
        return len(self._segments) > 1
