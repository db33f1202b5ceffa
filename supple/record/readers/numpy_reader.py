"""Read recordings in NumPy's own formats: a folder of `.npy` files, or an `.npz` archive of them.

Nothing is copied: positions are windows into the file, also inside an archive, where arrays lie
uncompressed. The archives that the studio records are read too. What is no array of the numbers expected is refused
before it is mapped (`array_file.py`).
"""

from __future__ import annotations

import io
import json
import re
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
from supple.scene.files.array_file import (
    FLOATS,
    WHOLES,
    Expected,
    Head,
    check_archive,
    read_head,
    unpacked,
)

ABOUT = "about.json"
VERSION = 1
Array = npt.NDArray[Any]

NUMBERS, INDICES = Expected(FLOATS), Expected(WHOLES)
EDGES, TRIANGLES = Expected(WHOLES, (2,)), Expected(WHOLES, (3,))
FLAT_PLACES, PLACES, POSES = Expected(FLOATS, (2,)), Expected(FLOATS, (3,)), Expected(FLOATS, (12,))

_SEGMENT = re.compile(r"(segment-\d{4,})?")
_OUTSIDE = re.compile(r"(^|[/\\])\.*([/\\]|$)|^\w:|\0")
"""What leads out of a folder, or nowhere: parts of a path that are empty or dots, and drives."""


def pins_name(frame: int) -> str:
    """Return the name of the array that says what is held from a frame on."""
    return f"pinned-{frame:06d}"


def read_about(folder: Path) -> dict[str, Any]:
    """Return what the head of a recording says."""
    return _checked((folder / ABOUT).read_bytes(), folder)


def _checked(text: bytes, path: Path) -> dict[str, Any]:
    try:
        about = dict(json.loads(text))
        version = about["version"]
        names = [str(name) for facts in about["segments"] for name in (*facts["bodies"], *facts["solids"])]
        folders = [str(facts["folder"]) for facts in about["segments"]]
        firsts = [int(facts["first"]) for facts in about["segments"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise SuppleError(f"{path} is no recording, or its {ABOUT} is damaged.") from None
    if version != VERSION:
        raise SuppleError(f"{path} is of version {version}; this supple reads version {VERSION}.")
    # Folders of segments are removed when a run goes on, and files are read by the names of bodies.
    if any(_OUTSIDE.search(name) for name in names) or not all(map(_SEGMENT.fullmatch, folders)):
        raise SuppleError(f"{path} is damaged: its {ABOUT} names files outside of it.")
    if firsts != sorted(firsts) or any(first < 0 for first in firsts):
        raise SuppleError(f"{path} is damaged: its {ABOUT} counts frames wrongly.")
    return about


LARGEST_ABOUT = 1 << 26
"""Most bytes that the head of a recording may have."""


def _mapped(path: Path, head: Head, rows: int, expected: Expected) -> Array:
    """Return so many rows of an array as a window into its file."""
    if rows == 0 or head.row_bytes == 0:  # NumPy cannot map what holds nothing
        return expected.empty() if rows == 0 else np.zeros((rows, *expected.row), head.kind)
    return np.memmap(path, head.kind, "r", head.start, (rows, *expected.row))


class _Folder:
    """Arrays in the files of a folder."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def about(self) -> dict[str, Any]:
        return read_about(self._path)

    def array(self, name: str, expected: Expected) -> Array:
        """Return an array; of one that is still being written all rows that are whole."""
        path = self._path / f"{name}.npy"
        with path.open("rb") as file:
            head = read_head(file, expected)
        held = path.stat().st_size - head.start
        rows = held // head.row_bytes if head.row_bytes else head.shape[0]
        return _mapped(path, head, rows, expected)

    def has(self, name: str) -> bool:
        return (self._path / f"{name}.npy").is_file()


class _Archive:
    """Arrays in an archive."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with zipfile.ZipFile(path) as archive:
            check_archive(archive, path.stat().st_size)
            self._entries = {entry.filename: entry for entry in archive.infolist()}
            self._about = None
            if ABOUT in self._entries:
                if self._entries[ABOUT].file_size > LARGEST_ABOUT:
                    raise ValueError(f"{ABOUT} is too large")
                self._about = archive.read(ABOUT)

    def about(self) -> dict[str, Any]:
        return _checked(self._about, self._path) if self._about else self._studio_about()

    def has(self, name: str) -> bool:
        return f"{name}.npy" in self._entries

    def array(self, name: str, expected: Expected) -> Array:
        entry = self._entries.get(f"{name}.npy")
        if entry is None:
            raise SuppleError(f"{self._path} is no recording: it lacks the array `{name}`.")
        if entry.compress_type != zipfile.ZIP_STORED:
            with zipfile.ZipFile(self._path) as archive, archive.open(entry) as stream:
                return unpacked(stream, entry.file_size, expected)
        with self._path.open("rb") as file:
            # The local head of an entry repeats its name and has an extra field of its own length.
            file.seek(entry.header_offset + 26)
            name_length, extra_length = struct.unpack("<2H", file.read(4))
            file.seek(name_length + extra_length, io.SEEK_CUR)
            begin = file.tell()
            head = read_head(file, expected)
        end = min(begin + entry.file_size, self._path.stat().st_size)
        if head.start + head.shape[0] * head.row_bytes > end:
            raise ValueError(f"`{name}` ends too early")
        return _mapped(self._path, head, head.shape[0], expected)

    def _studio_about(self) -> dict[str, Any]:
        """Return the head of an archive of the studio, which has none of its own."""
        names = [
            name.removesuffix("/positions.npy") for name in self._entries if name.endswith("/positions.npy")
        ]
        if not names or not self.has("time"):
            raise SuppleError(
                f"{self._path} is no recording: it holds neither {ABOUT} nor time and positions."
            )
        times = self.array("time", NUMBERS)
        rate = 1.0 / float(np.median(np.diff(times))) if len(times) > 1 else 50.0
        bodies = {}
        for name in names:
            kind = "cloth" if len(self.array(f"{name}/triangles", TRIANGLES)) else "network"
            bodies[name] = {"kind": kind, "points": self._point_count(name)}
        segment = {"first": 0, "folder": "", "bodies": bodies, "solids": {}}
        return {"version": VERSION, "frame_rate": rate, "segments": [segment]}

    def _point_count(self, name: str) -> int:
        """Return how many points a body has, by the shape of its positions."""
        with zipfile.ZipFile(self._path) as archive, archive.open(f"{name}/positions.npy") as stream:
            np.lib.format.read_magic(stream)
            return int(np.lib.format.read_array_header_1_0(stream)[0][1])


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
                source.array(f"{at}/triangles", TRIANGLES),
                source.array(f"{at}/edges", EDGES),
                source.array(f"{at}/coordinates", FLAT_PLACES)
                if source.has(f"{at}/coordinates")
                else np.zeros((0, 2)),
                told.get("colour", "#d2455c"),
                str(told.get("fabric", "cotton")),
            )
        solids = {
            name: SolidShape(
                told["kind"],
                source.array(f"{prefix}{name}/vertices", PLACES),
                source.array(f"{prefix}{name}/triangles", TRIANGLES),
                told.get("colour", "#a9b4c2"),
            )
            for name, told in facts["solids"].items()
        }
        self.shapes = Shapes(bodies, solids)
        self._pins = [(self.first, self._held(source, prefix, "pinned"))]
        self._pins += [
            (first, self._held(source, prefix, pins_name(first))) for first in facts.get("pins", [])
        ]
        self.points = {
            name: source.array(f"{prefix}{name}/positions", Expected(FLOATS, (shape.point_count, 3)))
            for name, shape in bodies.items()
        }
        self.poses = {name: np.asarray(source.array(f"{prefix}{name}/poses", POSES)) for name in solids}

    def _held(self, source: _Folder | _Archive, prefix: str, array: str) -> dict[str, Array]:
        names = {name: f"{prefix}{name}/{array}" for name in self.shapes.bodies}
        return {
            name: source.array(place, INDICES) if source.has(place) else np.zeros(0, int)
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
            self.times = np.array(source.array("time", NUMBERS))
            self._segments = [_Segment(source, facts) for facts in about["segments"]]
            told = about.get("reports", {"first": 0, "columns": []})
            self._first_report = int(told["first"])
            self._columns = list(told["columns"])
            # A plain array is looked into many times faster than NumPy's memory map, and is the same memory.
            rows = Expected(FLOATS, (len(self._columns),))
            self._rows = np.asarray(source.array("reports", rows)) if self._columns else np.zeros((0, 0))
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
