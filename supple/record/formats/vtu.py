"""VTK: one numbered `.vtu` file a frame and a `.pvd` that lists them with their times, for ParaView.

Bodies and obstacles are one grid; the number `object` of every point tells them apart, in the order of the
names in the first comment. Points of bodies carry `velocity` [m/s], `strain` [-] and `contact` (1 where
something is touched).
"""

from __future__ import annotations

import base64
import json
import os
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.errors import SuppleError
from supple.record.formats.convention import Convention
from supple.record.formats.sequence import Sequence, numbered_files, unbroken
from supple.record.frame import BodyShape, Frame, Shapes, SolidShape
from supple.record.readers.recording_reader import RecordingReader
from supple.record.writer import Plan, telling

TRIANGLE, LINE = 5, 3
_KINDS = {"f4": "Float32", "f8": "Float64", "i4": "Int32", "i8": "Int64", "u1": "UInt8"}
_FIELDS = {"velocity": 3, "strain": 1, "contact": 1}
_TAIL = b"  </Collection>\n</VTKFile>\n"


class VtuSequence(Sequence):
    """Writes `drape-0000.vtu`, ... and `drape.pvd`, which is right after every frame."""

    wants_fields = True

    def __init__(self, path: Path, plan: Plan) -> None:
        """See `Writer`."""
        super().__init__(path.with_suffix(".vtu"), plan)
        self._list = path.with_suffix(".pvd")
        head = '<?xml version="1.0"?>\n<VTKFile type="Collection" version="0.1" byte_order="LittleEndian">\n'
        with telling(self._list):
            if plan.kept:
                lines = self._list.read_bytes().splitlines(keepends=True)[: 3 + plan.kept]
                self._list.write_bytes(b"".join([*lines, _TAIL]))
            else:
                self._list.write_bytes(f"{head}  <Collection>\n".encode() + _TAIL)

    def add(self, frame: Frame) -> None:
        """Write the next file and its line in the list."""
        super().add(frame)
        line = f'    <DataSet timestep="{frame.time!r}" part="0" file="{self._written[-1].name}"/>\n'
        with telling(self._list), self._list.open("r+b") as file:
            file.seek(-len(_TAIL), os.SEEK_END)
            file.write(_escaped(line).encode() + _TAIL)

    def close(self) -> list[Path]:
        """Return the files written."""
        files = super().close()
        if not files:
            self._list.unlink(missing_ok=True)
            return []
        return [*files, self._list]

    def data(self, frame: Frame) -> bytes:
        """Return a frame as VTU."""
        points, cells, kinds, owners, first = [], [], [], [], 0
        told: dict[str, Any] = {
            "up": self.plan.convention.up,
            "unit": self.plan.convention.unit,
            "time": frame.time,
            "frame_rate": self.plan.frame_rate,
            "bodies": [],
            "solids": [],
        }
        for name, shape in frame.shapes.bodies.items():
            corners = shape.triangles if len(shape.triangles) else shape.edges
            points.append(np.asarray(frame.points[name]))
            cells.append(np.asarray(corners) + first)
            kinds.append(np.full(len(corners), TRIANGLE if len(shape.triangles) else LINE, "u1"))
            told["bodies"].append([name, shape.kind, shape.point_count])
            first += shape.point_count
        for name, solid in frame.shapes.solids.items():
            place, turn = frame.poses[name]
            points.append(solid.vertices @ turn.T + place)
            cells.append(np.asarray(solid.triangles) + first)
            kinds.append(np.full(len(solid.triangles), TRIANGLE, "u1"))
            told["solids"].append([name, solid.kind, len(solid.vertices)])
            first += len(solid.vertices)
        owners = [np.full(len(each), number, "<i4") for number, each in enumerate(points)]
        lengths = np.concatenate([np.full(len(each), each.shape[1], np.int64) for each in cells])
        fields = [_array("object", np.concatenate(owners))]
        for name, width in _FIELDS.items():
            if any(name in values for values in frame.fields.values()):
                fields.append(_array(name, _gathered(frame, points, name, width), width))
        lines = [
            '<?xml version="1.0"?>',
            f"<!-- supple {json.dumps(told).replace('--', '- -')} -->",
            '<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64">',
            "<UnstructuredGrid>",
            f"<FieldData>{_array('TimeValue', np.array([frame.time]), tuples=1)}</FieldData>",
            f'<Piece NumberOfPoints="{first}" NumberOfCells="{len(lengths)}">',
            f"<PointData>{''.join(fields)}</PointData>",
            f"<Points>{_array('Points', np.concatenate(points).astype('<f4'), 3)}</Points>",
            f"<Cells>{_array('connectivity', np.concatenate([c.ravel() for c in cells]).astype('<i8'))}"
            f"{_array('offsets', np.cumsum(lengths))}{_array('types', np.concatenate(kinds))}</Cells>",
            "</Piece></UnstructuredGrid></VTKFile>\n",
        ]
        return "\n".join(lines).encode()


def _gathered(frame: Frame, points: list[npt.NDArray[Any]], name: str, width: int) -> npt.NDArray[np.float32]:
    parts = []
    bodies = [*frame.shapes.bodies, *([None] * len(frame.shapes.solids))]
    for body, places in zip(bodies, points, strict=True):
        values = frame.fields.get(body, {}).get(name) if body is not None else None
        shape = (len(places), width) if width > 1 else (len(places),)
        parts.append(np.zeros(shape, "<f4") if values is None else np.asarray(values, "<f4"))
    return np.concatenate(parts)


def _array(name: str, array: npt.NDArray[Any], width: int = 1, tuples: int | None = None) -> str:
    data = np.ascontiguousarray(array).tobytes()
    head = len(data).to_bytes(8, "little")
    kind = _KINDS[array.dtype.str[1:]]
    more = f' NumberOfTuples="{tuples}"' if tuples is not None else ""
    more += f' NumberOfComponents="{width}"' if width > 1 else ""
    text = base64.b64encode(head + data).decode()
    return f'<DataArray type="{kind}" Name="{name}"{more} format="binary">{text}</DataArray>'


def _escaped(line: str) -> str:
    return line.replace("&", "&amp;")


# ---------------------------------------------------------------- reading

_COMMENT = re.compile(r"<!-- supple (.*?) -->", re.DOTALL)


class VtuReader(RecordingReader):
    """Frames of a VTU sequence that supple wrote, given the `.pvd` or the name of the sequence."""

    def __init__(self, path: Path, *, as_stored: bool = False) -> None:
        """Open one; see `RecordingReader`."""
        super().__init__(path, as_stored=as_stored)
        given = path.with_suffix(".vtu")
        self._files = unbroken(numbered_files(given)) or ([given] if given.is_file() else [])
        if not self._files:
            raise FileNotFoundError(path)
        told = [_told(file) for file in self._files]
        self.times = np.array([float(each["time"]) for each in told])
        self.frame_rate = float(told[0]["frame_rate"])
        self.convention = Convention.from_facts(told[0])
        self.reports = {}
        self._shapes: Shapes | None = None

    def stored(self, number: int) -> Frame:
        """Return a frame as it stands in its file; obstacles stand where they are by their vertices."""
        path = self._files[number]
        told, arrays = _told(path), _arrays(path)
        points = arrays["Points"].reshape(-1, 3)
        cells, starts = arrays["connectivity"], np.concatenate([[0], arrays["offsets"]])
        owners = arrays["object"]
        bodies: dict[str, BodyShape] = {}
        solids: dict[str, SolidShape] = {}
        places, poses, fields = {}, {}, {}
        first = 0
        for index, (name, kind, count) in enumerate([*told["bodies"], *told["solids"]]):
            own = np.flatnonzero(owners[cells[starts[:-1]]] == index) if len(cells) else np.zeros(0, int)
            width = int(starts[own[0] + 1] - starts[own[0]]) if len(own) else 3
            corners = cells[starts[own][:, None] + np.arange(width)] - first
            rows = slice(first, first + count)
            if index < len(told["bodies"]):
                triangles = corners if width == 3 else np.zeros((0, 3), np.int64)
                edges = corners if width == 2 else np.zeros((0, 2), np.int64)
                bodies[name] = BodyShape(kind, count, triangles, edges)
                places[name] = points[rows]
                fields[name] = {
                    field: arrays[field].reshape(-1, size)[rows] if size > 1 else arrays[field][rows]
                    for field, size in _FIELDS.items()
                    if field in arrays
                }
            else:
                centre = points[rows].mean(axis=0)
                solids[name] = SolidShape(kind, points[rows] - centre, corners)
                poses[name] = np.asarray(centre, np.float64), np.eye(3)
            first += count
        shapes = Shapes(bodies, solids)
        if self._shapes is None or solids or not self._shapes.are_like(shapes):
            self._shapes = shapes
        return Frame(number, float(self.times[number]), self._shapes, places, poses, fields=fields)


def _told(path: Path) -> dict[str, Any]:
    with path.open(encoding="utf-8") as file:
        head = file.read(65536)
    match = _COMMENT.search(head)
    if match is None:
        raise SuppleError(f"{path} was not written by supple: the comment that names the bodies is missing.")
    return dict(json.loads(match[1]))


def _arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    names = {name: np.dtype(f"<{code}") for code, name in _KINDS.items()}
    found: dict[str, npt.NDArray[Any]] = {}
    for entry in ElementTree.parse(path).getroot().iter("DataArray"):
        data = base64.b64decode(entry.text or "")
        found[entry.attrib["Name"]] = np.frombuffer(data, names[entry.attrib["type"]], offset=8)
    return found
