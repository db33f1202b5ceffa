"""Wavefront OBJ, one numbered file a frame: the format every modelling program reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from supple.errors import SuppleError
from supple.record.formats.convention import OURS, Convention
from supple.record.formats.sequence import Sequence, numbered_files, unbroken
from supple.record.frame import BodyShape, Frame, Shapes, Subject, surface_of
from supple.record.readers.recording_reader import RecordingReader
from supple.record.writer import Plan


class ObjSequence(Sequence):
    """Writes `drape-0000.obj`, `drape-0001.obj`, ... for `drape.obj`.

    Each body is an object of its own name: faces where it has triangles, lines where it has
    only edges. Positions have nine digits, all that single precision holds. OBJ knows no
    units and no up axis; a comment tells them.
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        """See `Writer`."""
        super().__init__(path, plan)
        self._faces: tuple[Shapes, dict[str, str]] | None = None

    def data(self, frame: Frame) -> bytes:
        """Return a frame as OBJ."""
        if self._faces is None or self._faces[0] is not frame.shapes:
            self._faces = frame.shapes, faces_of(frame)
        return obj_text(frame, self._faces[1], self.plan.convention, self.plan.frame_rate).encode()


def obj_text(
    subject: Subject, faces: dict[str, str], convention: Convention = OURS, frame_rate: float | None = None
) -> str:
    """Return every body as OBJ; `faces` are what `faces_of` returned, which changes only with the shapes."""
    rate = f"; {frame_rate!r} frames/s" if frame_rate is not None else ""
    parts = [f"# time {float(subject.time)!r} s; {convention}{rate}\n"]
    for body in subject.body_names:
        points = np.asarray(surface_of(subject, body)[0], dtype=np.float32)
        parts.append(f"o {body}\n")
        parts.append("v %.9g %.9g %.9g\n" * len(points) % tuple(points.ravel().tolist()))
        parts.append(faces[body])
    return "".join(parts)


def faces_of(subject: Subject) -> dict[str, str]:
    """Return the lines of every body that do not change from frame to frame; OBJ counts from 1."""
    faces, first, first_place = {}, 1, 1
    for body in subject.body_names:
        points, triangles = surface_of(subject, body)
        places = np.zeros((0, 2))
        if isinstance(subject, Frame):
            places = np.asarray(subject.shapes.bodies[body].coordinates)
        lines = ["vt %.6g %.6g\n" * len(places) % tuple(places.ravel().tolist())]
        if len(places):
            pairs = np.stack([triangles + first, triangles + first_place], axis=2)
            lines.append("f %d/%d %d/%d %d/%d\n" * len(triangles) % tuple(pairs.ravel().tolist()))
        elif len(triangles):
            lines.append("f %d %d %d\n" * len(triangles) % tuple((triangles + first).ravel().tolist()))
        else:
            edges = subject.edges(body)
            lines.append("l %d %d\n" * len(edges) % tuple((edges + first).ravel().tolist()))
        faces[body] = "".join(lines)
        first += len(points)
        first_place += len(places)
    return faces


# ---------------------------------------------------------------- reading

_HEAD = re.compile(r"# time (\S+) s; ([YZ]) up, unit (\w+)(?:; (\S+) frames/s)?")


def read_obj(path: Path) -> tuple[float, float, Convention, Frame]:
    """Return time [s], frame rate [1/s], convention and content of a file; files of others are metres and Y up."""
    text = path.read_text(encoding="utf-8")
    head = _HEAD.match(text)
    time = float(head[1]) if head else 0.0
    rate = float(head[4]) if head and head[4] else 50.0
    convention = Convention.named(head[2], head[3]) if head else OURS
    try:
        bodies = list(_bodies(text))
    except (ValueError, IndexError):
        raise SuppleError(f"{path} is broken: a line of numbers cannot be read.") from None
    shapes = Shapes({name: shape for name, shape, _ in bodies}, {})
    return time, rate, convention, Frame(0, time, shapes, {name: points for name, _, points in bodies})


def _bodies(text: str) -> Iterator[tuple[str, BodyShape, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]]:
    name, first, place_first = "body", 1, 1
    points: list[list[str]] = []
    faces: list[list[str]] = []
    lines: list[list[str]] = []
    places: list[list[str]] = []

    def done() -> tuple[str, BodyShape, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
        triangles = np.array([[c.split("/")[0] for c in face] for face in faces], dtype=np.int64).reshape(
            -1, 3
        )
        edges = np.array(lines, dtype=np.int64).reshape(-1, 2)
        flat = np.array(places, dtype=np.float64).reshape(-1, 2)
        coordinates = flat if len(flat) == len(points) else np.zeros((0, 2))
        kind = "cloth" if len(triangles) else "network"
        shape = BodyShape(kind, len(points), triangles - first, edges - first, coordinates)
        return name, shape, np.array(points, dtype=np.float64).astype(np.float32).reshape(-1, 3)

    for line in text.splitlines():
        key, _, rest = line.partition(" ")
        if key == "v":
            points.append(rest.split()[:3])
        elif key == "vt":
            places.append(rest.split()[:2])
        elif key == "f":
            corners = rest.split()
            faces.extend([corners[0], corners[n], corners[n + 1]] for n in range(1, len(corners) - 1))
        elif key == "l":
            corners = rest.split()
            lines.extend([corners[n], corners[n + 1]] for n in range(len(corners) - 1))
        elif key == "o":
            if points:
                yield done()
                first, place_first = first + len(points), place_first + len(places)
                points, faces, lines, places = [], [], [], []
            name = rest
    if points:
        yield done()


class ObjReader(RecordingReader):
    """Frames of an OBJ sequence."""

    def __init__(self, path: Path, *, as_stored: bool = False) -> None:
        """Open one; see `RecordingReader`."""
        super().__init__(path, as_stored=as_stored)
        self._files = unbroken(numbered_files(path)) or ([path] if path.is_file() else [])
        if not self._files:
            raise FileNotFoundError(path)
        first, self.frame_rate, self.convention, _ = read_obj(self._files[0])
        self._shapes: Shapes | None = None
        heads = [_HEAD.match(_first_line(file)) for file in self._files]
        self.times = np.array(
            [float(head[1]) if head else first + n / self.frame_rate for n, head in enumerate(heads)]
        )
        self.reports = {}

    def stored(self, number: int) -> Frame:
        """Return a frame as it stands in its file."""
        frame = read_obj(self._files[number])[3]
        if self._shapes is None or not self._shapes.are_like(frame.shapes):
            self._shapes = frame.shapes
        return Frame(number, float(self.times[number]), self._shapes, frame.points)


def _first_line(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.readline()
