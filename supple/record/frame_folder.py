"""Frames on disk as a folder of plain NumPy files, readable at any moment, also after a crash.

It is the `.npy` format, and the place where frames wait for all formats that can only be written as a whole:
these stream into a folder beside the file, `drape.usd.part`, and make the file of it when the run ends. So
memory does not grow with the length of a run, a killed run has lost nothing, and a disk that fills up while
the file is made takes no frame with it.

    drape.npy/about.json            names, kinds, colours, frame rate, convention
    drape.npy/time.npy              (frame_count,) float64 [s]
    drape.npy/reports.npy           (report_count, column_count) float64, columns named in about.json
    drape.npy/NAME/positions.npy    (frame_count, point_count, 3) float32, for each body
    drape.npy/NAME/triangles.npy, edges.npy, coordinates.npy, pinned.npy
    drape.npy/NAME/pinned-000123.npy    what is held from frame 123 on, if that changes
    drape.npy/NAME/poses.npy        (frame_count, 12) float64, for each obstacle: rotation by rows, place
    drape.npy/NAME/vertices.npy, triangles.npy
    drape.npy/segment-0001/NAME/... the same from the frame on at which something was cut or torn
"""

from __future__ import annotations

import io
import json
import os
import time
from abc import abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.errors import SuppleError
from supple.record.frame import Frame, Indices, Shapes, are_same_pins
from supple.record.readers.numpy_reader import ABOUT, VERSION, NumpyReader, pins_name, read_about
from supple.record.readers.recording_reader import RecordingReader
from supple.record.writer import Plan, Writer, put_whole, reason, remove, telling

Array = npt.NDArray[Any]


HEAD_SECONDS = 0.5
"""Time after which the head of a growing file is brought up to date [s]."""


class NpyStream:
    """An array in a `.npy` file that grows by its first axis.

    Rows are on disk at once. The head, which says how many there are, follows now and then and in the end;
    `supple.open` counts by the size of the file, so it never misses a row.
    """

    def __init__(self, path: Path, row_shape: tuple[int, ...], kind: str, kept: int = 0) -> None:
        """Make a file, or cut one off after `kept` rows and go on with it.

        Args:
            path: the file
            row_shape: shape of what is appended
            kind: NumPy's name of the number type
            kept: rows to keep of a file that is there
        """
        self.path = path
        self.count = kept
        self._row_shape = row_shape
        self._kind = np.dtype(kind)
        self._told = time.monotonic()
        head = self._head()
        self._start = len(head)
        row_bytes = int(np.prod(row_shape, dtype=np.int64)) * self._kind.itemsize
        with telling(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("r+b" if kept else "w+b", buffering=0)
            if kept:
                size = self._start + kept * row_bytes
                if self._file.seek(0, os.SEEK_END) < size:
                    raise SuppleError(
                        f"{path} holds fewer than {kept} frames, so the run cannot go on from there."
                    )
                self._file.truncate(size)
                self._file.seek(0)
            self._write(memoryview(head))
            self._file.seek(0, os.SEEK_END)

    def append(self, row: Array) -> None:
        """Write a row."""
        data = np.asarray(row, dtype=self._kind, order="C")
        if data.shape != self._row_shape:
            raise SuppleError(f"{self.path} takes rows of shape {self._row_shape}, not {data.shape}.")
        with telling(self.path):
            self._write(data.reshape(-1).view(np.uint8).data)
            self.count += 1
            if time.monotonic() - self._told > HEAD_SECONDS:
                self._tell()

    def _tell(self) -> None:
        self._told = time.monotonic()
        end = self._file.tell()
        self._file.seek(0)
        self._write(memoryview(self._head()))
        self._file.seek(end)

    def _write(self, data: memoryview) -> None:
        """Hand all bytes to the operating system at once; it may take them in pieces."""
        left = data
        while left:
            left = left[self._file.write(left) :]

    def _head(self) -> bytes:
        # NumPy leaves room for the first axis to grow, so the head keeps its length.
        buffer = io.BytesIO()
        shape = (self.count, *self._row_shape)
        descr = np.lib.format.dtype_to_descr(self._kind)
        np.lib.format.write_array_header_1_0(buffer, {"descr": descr, "fortran_order": False, "shape": shape})
        return buffer.getvalue()

    def close(self) -> None:
        """Bring the head up to date and let go of the file."""
        if self._file.closed:
            return
        try:
            self._tell()
        except OSError:  # a row that did not fit on the disk was told already
            pass
        finally:
            with suppress(OSError):
                self._file.close()


class FrameFolder:
    """Writes frames into a folder as described above."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        """Start an empty folder, or go on after the frames that the plan keeps."""
        self.folder = folder
        self.count = plan.kept
        self._plan = plan
        self._shapes: Shapes | None = None
        self._pins: Mapping[str, Indices] = {}
        self._streams: dict[str, NpyStream] = {}
        self._reports: NpyStream | None = None
        self._columns: list[str] = []
        self._about: dict[str, Any] = {
            "version": VERSION,
            "frame_rate": plan.frame_rate,
            "up": plan.convention.up,
            "unit": plan.convention.unit,
            "segments": [],
            "reports": {"first": 0, "columns": []},
        }
        if plan.kept:
            self._go_on(plan.kept)
        else:
            with telling(folder):
                if folder.exists():
                    remove(folder)
                folder.mkdir(parents=True)
            self._tell()
        self._times = NpyStream(folder / "time.npy", (), "<f8", plan.kept)

    def _go_on(self, kept: int) -> None:
        about = read_about(self.folder)
        self._about = about
        for segment in [s for s in about["segments"] if s["first"] >= kept]:
            if segment["folder"]:
                remove(self.folder / segment["folder"])
        about["segments"] = [s for s in about["segments"] if s["first"] < kept]
        with NumpyReader(self.folder, as_stored=True) as recording:
            if len(recording) < kept:
                raise SuppleError(
                    f"{self.folder} holds {len(recording)} frames, but the checkpoint comes after {kept}."
                )
            self._shapes, self._pins = recording[kept - 1].shapes, recording[kept - 1].pins
        segment = about["segments"][-1]
        segment["pins"] = [first for first in segment.get("pins", []) if first < kept]
        self._open_segment(self.folder / segment["folder"], self._shapes, kept - segment["first"])
        self._columns = list(about["reports"]["columns"])
        if self._columns:
            rows = kept - about["reports"]["first"]
            if rows > 0:
                self._reports = NpyStream(self.folder / "reports.npy", (len(self._columns),), "<f8", rows)
            else:
                self._columns = []
        self._tell()

    def add(self, frame: Frame) -> None:
        """Write a frame. The time comes last: a frame counts from then on."""
        if self._shapes is None or (
            frame.shapes is not self._shapes and not frame.shapes.are_like(self._shapes)
        ):
            self._new_segment(frame)
        elif not are_same_pins(frame.pins, self._pins):
            self._new_pins(frame)
        for name in frame.shapes.bodies:
            self._streams[name].append(frame.points[name])
        for name in frame.shapes.solids:
            place, turn = frame.poses[name]
            self._streams[name].append(np.concatenate([turn.ravel(), place]))
        if frame.report:
            self._report(frame)
        self._times.append(np.array(frame.time))
        self.count += 1

    def _report(self, frame: Frame) -> None:
        if self._reports is None:
            self._columns = list(frame.report)
            self._about["reports"] = {"first": self.count, "columns": self._columns}
            self._reports = NpyStream(self.folder / "reports.npy", (len(self._columns),), "<f8")
            self._tell()
        self._reports.append(np.array([frame.report.get(name, np.nan) for name in self._columns]))

    def _new_segment(self, frame: Frame) -> None:
        number = len(self._about["segments"])
        name = f"segment-{number:04d}" if number else ""
        folder = self.folder / name
        shapes = frame.shapes
        bodies = {
            body: {
                "kind": shape.kind,
                "colour": shape.colour,
                "fabric": shape.fabric,
                "points": shape.point_count,
            }
            for body, shape in shapes.bodies.items()
        }
        solids = {
            solid: {"kind": shape.kind, "colour": shape.colour} for solid, shape in shapes.solids.items()
        }
        for body, shape in shapes.bodies.items():
            _save(folder / body / "triangles.npy", shape.triangles.astype("<i4"))
            _save(folder / body / "edges.npy", shape.edges.astype("<i4"))
            _save(folder / body / "coordinates.npy", shape.coordinates.astype("<f4"))
            _save(folder / body / "pinned.npy", np.asarray(frame.pinned(body)).astype("<i4"))
        for solid, form in shapes.solids.items():
            _save(folder / solid / "vertices.npy", form.vertices.astype("<f8"))
            _save(folder / solid / "triangles.npy", form.triangles.astype("<i4"))
        self._shapes, self._pins = shapes, frame.pins
        self._open_segment(folder, shapes, 0)
        self._about["segments"].append(
            {"first": self.count, "folder": name, "bodies": bodies, "solids": solids, "pins": []}
        )
        self._tell()

    def _new_pins(self, frame: Frame) -> None:
        """Write what is held from this frame on, for all bodies."""
        segment = self._about["segments"][-1]
        for body in frame.shapes.bodies:
            pins = np.asarray(frame.pinned(body)).astype("<i4")
            _save(self.folder / segment["folder"] / body / f"{pins_name(self.count)}.npy", pins)
        segment["pins"].append(self.count)
        self._pins = frame.pins
        self._tell()

    def _open_segment(self, folder: Path, shapes: Shapes, kept: int) -> None:
        for stream in self._streams.values():
            stream.close()
        self._streams = {
            name: NpyStream(folder / name / "positions.npy", (shape.point_count, 3), "<f4", kept)
            for name, shape in shapes.bodies.items()
        }
        for name in shapes.solids:
            self._streams[name] = NpyStream(folder / name / "poses.npy", (12,), "<f8", kept)

    def _tell(self) -> None:
        put_whole(self.folder / ABOUT, json.dumps(self._about, indent=1).encode())

    def close(self) -> None:
        """Let go of the files."""
        for stream in [*self._streams.values(), self._times, *([self._reports] if self._reports else [])]:
            stream.close()


def _save(path: Path, array: Array) -> None:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, allow_pickle=False)
    with telling(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(buffer.getvalue())


class NpyFolder(Writer):
    """`.npy`: a folder of NumPy files, to be memory-mapped; it is complete after every frame."""

    is_folder = True

    def __init__(self, path: Path, plan: Plan) -> None:
        """See `Writer`."""
        super().__init__(path, plan)
        self._frames = FrameFolder(path, plan)

    def _make_way(self) -> None:
        if self.path.exists() and not (self.path / ABOUT).is_file():
            raise SuppleError(
                f"cannot write {self.path}: there is a folder of this name that is no recording."
            )
        super()._make_way()

    def add(self, frame: Frame) -> None:
        """Write a frame."""
        self._frames.add(frame)

    def close(self) -> list[Path]:
        """Let go of the files and return the folder; without a frame nothing is left of it."""
        self._frames.close()
        if self._frames.count == 0:
            remove(self.path)
            return []
        return [self.path]


class DeferredWriter(Writer):
    """Base of formats that are written as a whole when the run ends, from frames that wait in a folder."""

    def __init__(self, path: Path, plan: Plan) -> None:
        """See `Writer`."""
        super().__init__(path, plan)
        self._frames = FrameFolder(self.parts, plan)

    def add(self, frame: Frame) -> None:
        """Put a frame aside."""
        self._frames.add(frame)

    def close(self) -> list[Path]:
        """Make the file of all frames; if that goes wrong they stay in their folder."""
        self._frames.close()
        if self._frames.count == 0:
            remove(self.parts)
            return []
        try:
            with NumpyReader(self.parts, as_stored=True) as recording:
                return self.finish(recording)
        except OSError as trouble:
            raise SuppleError(f"cannot write {self.path}: {reason(trouble)}{self._safe()}") from trouble
        except SuppleError as trouble:
            raise SuppleError(f"{trouble}{self._safe()}") from trouble

    def _safe(self) -> str:
        return (
            f"\nNo frame is lost: all {self._frames.count} are in {self.parts}. When the trouble is gone, "
            f"`supple convert {self.parts} {self.path}` makes the file."
        )

    @abstractmethod
    def finish(self, recording: RecordingReader) -> list[Path]:
        """Write the file and return all that were written."""

    def told(self, done: int, total: int) -> None:
        """Tell how far the file is."""
        if self.plan.finished is not None:
            self.plan.finished(self.path.name, done, total)
