"""Stanford PLY, one numbered binary file a frame: small, fast, and read by every mesh library."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.errors import SuppleError
from supple.record.formats.convention import OURS, Convention
from supple.record.formats.sequence import Sequence, numbered_files, unbroken
from supple.record.frame import BodyShape, Frame, Shapes
from supple.record.readers.recording_reader import RecordingReader

_FACE = np.dtype([("count", "u1"), ("corners", "<i4", (3,))])
_EDGE = np.dtype([("ends", "<i4", (2,))])
_POINT = np.dtype([("place", "<f4", (3,)), ("flat", "<f4", (2,)), ("body", "<i4")])


class PlySequence(Sequence):
    """Writes `drape-0000.ply`, ... All bodies are in one mesh; the property `body` tells them apart."""

    def data(self, frame: Frame) -> bytes:
        """Return a frame as PLY."""
        points, faces, edges, comments, first = [], [], [], [], 0
        for number, (name, shape) in enumerate(frame.shapes.bodies.items()):
            rows = np.zeros(shape.point_count, _POINT)
            rows["place"] = frame.points[name]
            if len(shape.coordinates):
                rows["flat"] = shape.coordinates
            rows["body"] = number
            points.append(rows)
            faces.append(np.asarray(shape.triangles) + first)
            if len(shape.triangles) == 0:
                edges.append(np.asarray(shape.edges) + first)
            comments.append(f"comment body {shape.kind.replace(' ', '_')} {shape.point_count} {name}")
            first += shape.point_count
        corners = np.concatenate([np.zeros((0, 3), np.int64), *faces])
        ends = np.concatenate([np.zeros((0, 2), np.int64), *edges])
        table = np.zeros(len(corners), _FACE)
        table["count"], table["corners"] = 3, corners
        plan = self.plan
        lines = [
            "ply",
            "format binary_little_endian 1.0",
            f"comment time {frame.time!r} s; {plan.convention}; {plan.frame_rate!r} frames/s",
            *comments,
            f"element vertex {first}",
            *(f"property float {axis}" for axis in ("x", "y", "z", "s", "t")),
            "property int body",
            f"element face {len(corners)}",
            "property list uchar int vertex_indices",
            *(
                [f"element edge {len(ends)}", "property int vertex1", "property int vertex2"]
                if len(ends)
                else []
            ),
            "end_header\n",
        ]
        body = [*(rows.tobytes() for rows in points), table.tobytes(), ends.astype("<i4").tobytes()]
        return b"".join(["\n".join(lines).encode(), *body])


_TIME = re.compile(r"comment time (\S+) s; ([YZ]) up, unit (\w+); (\S+) frames/s")
_BODY = re.compile(r"comment body (\S+) (\d+) (.+)")
_ELEMENT = re.compile(r"element (\w+) (\d+)")


def _head(path: Path) -> tuple[str, int]:
    with path.open("rb") as file:
        start = file.read(65536)
    end = start.find(b"end_header\n")
    if not start.startswith(b"ply") or end < 0:
        raise SuppleError(f"{path} is no PLY file.")
    return start[:end].decode("utf-8", "replace"), end + len(b"end_header\n")


class PlyReader(RecordingReader):
    """Frames of a PLY sequence that supple wrote."""

    def __init__(self, path: Path, *, as_stored: bool = False) -> None:
        """Open one; see `RecordingReader`."""
        super().__init__(path, as_stored=as_stored)
        self._files = unbroken(numbered_files(path)) or ([path] if path.is_file() else [])
        if not self._files:
            raise FileNotFoundError(path)
        heads = [_TIME.search(_head(file)[0]) for file in self._files]
        first = heads[0]
        if first is None:
            raise SuppleError(f"{self._files[0]} was not written by supple: its head does not tell the time.")
        self.frame_rate = float(first[4])
        self.convention = Convention.named(first[2], first[3]) if first else OURS
        self.times = np.array([float(head[1]) for head in heads if head])
        self.reports = {}
        self._shapes: Shapes | None = None

    def stored(self, number: int) -> Frame:
        """Return a frame as it stands in its file."""
        path = self._files[number]
        head, start = _head(path)
        counts = {name: int(count) for name, count in _ELEMENT.findall(head)}
        told = [(kind.replace("_", " "), int(count), name) for kind, count, name in _BODY.findall(head)]
        data = path.read_bytes()
        points, start = _table(data, _POINT, counts["vertex"], start, path)
        faces, start = _table(data, _FACE, counts.get("face", 0), start, path)
        edges, _ = _table(data, _EDGE, counts.get("edge", 0), start, path)
        bodies, places, first = {}, {}, 0
        for kind, count, name in told:
            rows = points[first : first + count]
            triangles = _within(faces["corners"], first, count)
            flat = rows["flat"] if rows["flat"].any() else np.zeros((0, 2))
            bodies[name] = BodyShape(kind, count, triangles, _within(edges["ends"], first, count), flat)
            places[name] = rows["place"]
            first += count
        shapes = Shapes(bodies, {})
        if self._shapes is None or not self._shapes.are_like(shapes):
            self._shapes = shapes
        return Frame(number, float(self.times[number]), self._shapes, places)


def _table(
    data: bytes, kind: np.dtype[Any], count: int, start: int, path: Path
) -> tuple[npt.NDArray[Any], int]:
    end = start + count * kind.itemsize
    if end > len(data):
        raise SuppleError(f"{path} is broken: it ends too early.")
    return np.frombuffer(data, kind, count, start), end


def _within(rows: npt.NDArray[Any], first: int, count: int) -> npt.NDArray[np.int64]:
    inside = rows[(rows[:, 0] >= first) & (rows[:, 0] < first + count)]
    return inside.astype(np.int64) - first
