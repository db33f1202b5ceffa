"""PC2 point cache: positions alone, frame after frame, for a mesh that the other program already has.

Blender (modifier Mesh Cache), 3ds Max, Maya and Houdini read it. A file holds one body;
its layout stands in `supple.scene.files.point_cache`.

The mesh to put it on is beside it: `drape.rest.obj`, whose first comment tells frame rate, axis and unit.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import IO

import numpy as np

from supple.errors import SuppleError
from supple.record.formats.obj import faces_of, obj_text, read_obj
from supple.record.frame import BodyShape, Frame, Shapes
from supple.record.readers.recording_reader import RecordingReader
from supple.record.writer import Plan, Writer, put_whole, telling
from supple.scene.files.point_cache import HEAD, MAGIC, read_cache


class PointCache(Writer):
    """Writes `drape.pc2` with `drape.rest.obj`; for several bodies `drape-NAME.pc2` each."""

    takes_changes = False

    def __init__(self, path: Path, plan: Plan) -> None:
        """See `Writer`."""
        super().__init__(path, plan)
        self._files: dict[str, tuple[Path, IO[bytes]]] = {}
        self._rests: list[Path] = []
        self._shapes: Shapes | None = None
        self._count = plan.kept

    def existing(self) -> list[Path]:
        """Return the caches that are there."""
        pattern = re.compile(
            re.escape(self.path.stem) + r"(-.+)?" + re.escape(self.path.suffix), re.IGNORECASE
        )
        folder = self.path.parent
        return sorted(entry for entry in folder.iterdir() if pattern.fullmatch(entry.name))

    def add(self, frame: Frame) -> None:
        """Append the frame, then raise the count of samples."""
        if self._shapes is None:
            self._begin(frame)
        elif frame.shapes is not self._shapes and not frame.shapes.are_like(self._shapes):
            raise SuppleError(
                f"{self.path} ends after {self._count} frames: a body was cut, torn or sewn, and a point cache holds "
                "one number of points. Record to .usd, .npz, .vtu, .ply or .obj."
            )
        self._count += 1
        for body, (path, file) in self._files.items():
            data = np.ascontiguousarray(frame.points[body], dtype="<f4")
            with telling(path):
                file.write(data.data)
                file.flush()
                end = file.tell()
                file.seek(0)
                file.write(self._head(len(data)))
                file.flush()
                file.seek(end)

    def _begin(self, frame: Frame) -> None:
        self._shapes = frame.shapes
        names = frame.body_names
        for name in names:
            path = (
                self.path
                if len(names) == 1
                else self.path.with_name(f"{self.path.stem}-{name}{self.path.suffix}")
            )
            alone = Frame(
                0, frame.time, Shapes({name: frame.shapes.bodies[name]}, {}), {name: frame.points[name]}
            )
            count = len(frame.points[name])
            with telling(path):
                file = path.open("r+b" if self._count else "w+b")
                if self._count:
                    size = HEAD.size + 12 * count * self._count
                    if file.seek(0, os.SEEK_END) < size:
                        raise SuppleError(
                            f"{path} holds fewer than {self._count} frames, so the run cannot go on."
                        )
                    file.truncate(size)
                else:
                    file.write(self._head(count))
                file.seek(0, os.SEEK_END)
            self._files[name] = path, file
            rest = path.with_name(f"{path.stem}.rest.obj")
            if not self._count:
                text = obj_text(alone, faces_of(alone), self.plan.convention, self.plan.frame_rate)
                put_whole(rest, text.encode())
            self._rests.append(rest)

    def _head(self, points: int) -> bytes:
        return HEAD.pack(MAGIC, 1, points, 0.0, 1.0, self._count)

    def close(self) -> list[Path]:
        """Let go of the files and return them."""
        for _, file in self._files.values():
            try:
                file.close()
            except OSError:  # a frame that did not fit on the disk was told already
                pass
        return [*(path for path, _ in self._files.values()), *self._rests]


class Pc2Reader(RecordingReader):
    """Frames of a point cache and its rest mesh."""

    def __init__(self, path: Path, *, as_stored: bool = False) -> None:
        """Open one; see `RecordingReader`. For several bodies give the name without theirs, as when it was written."""
        super().__init__(path, as_stored=as_stored)
        paths = [path] if path.is_file() else sorted(path.parent.glob(f"{path.stem}-*{path.suffix}"))
        if not paths:
            raise FileNotFoundError(path)
        bodies: dict[str, BodyShape] = {}
        self._points = {}
        start = 0.0
        for each in paths:
            cache = read_cache(each)
            rest = each.with_name(f"{each.stem}.rest.obj")
            if not rest.is_file():
                raise SuppleError(f"{each} needs its mesh beside it: {rest.name}.")
            start, self.frame_rate, self.convention, frame = read_obj(rest)
            ((name, shape),) = frame.shapes.bodies.items()
            if shape.point_count != cache.shape[1]:
                raise SuppleError(
                    f"{each} has {cache.shape[1]} points, but {rest.name} has {shape.point_count}."
                )
            bodies[name] = shape
            self._points[name] = cache
        self._shapes = Shapes(bodies, {})
        self.times = start + np.arange(min(map(len, self._points.values()))) / self.frame_rate
        self.reports = {}

    def stored(self, number: int) -> Frame:
        """Return a frame as it stands in the file."""
        points = {name: cache[number] for name, cache in self._points.items()}
        return Frame(number, float(self.times[number]), self._shapes, points)

    def shape_changes(self) -> bool:
        """Point caches never do."""
        return False
