"""Reel: a recording in the bytes the studio's page draws; the layout stands in `supple.studio.connection.protocol`."""

from __future__ import annotations

import json
import math
import struct
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.record.frame import Frame, Shapes, are_same_pins
from supple.record.readers.recording import Footage
from supple.scene.appearance import back_colour, tube_radius
from supple.scene.rotations import quaternion_of
from supple.studio.connection.packing import pack_positions
from supple.studio.connection.protocol import FRAME, GEOMETRY, STRAIN_UNIT

LOOKED_AT = 40
"""Frames that are looked at to see how much room a recording takes."""

DIRECTIONS = np.array(
    [
        (x, y, z)
        for x in range(-2, 3)
        for y in range(-2, 3)
        for z in range(-2, 3)
        if max(abs(x), abs(y), abs(z)) == 2
    ],
    dtype=np.float64,
)
"""(98, 3) ways to look for what lies outermost."""

LEVEL = 0.999
"""A plane whose normal has at least this height is ground."""

_FRAME_HEAD = struct.Struct("<4I d 2I")
_GEOMETRY_HEAD = struct.Struct("<4I")
_NO_STRAINS = np.zeros(0)


class Reel:
    """Packs the frames of a recording."""

    def __init__(self, footage: Footage) -> None:
        """Look through a recording for how much room it takes."""
        self.footage = footage
        self._worlds: list[Shapes] = []
        self._looks: list[Frame] = []
        self._outermost = np.zeros((0, 3))
        self._low, self._high, self._floor = self._bounds()

    def _bounds(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], float | None]:
        """Return the corners of the box around everything in all frames, and the height of the ground [m].

        What comes off in the course of time may fly anywhere, and does not count: the rest would look tiny.
        """
        count = len(self.footage)
        low, high = np.full(3, np.inf), np.full(3, -np.inf)
        floor: float | None = None
        for number in np.unique(np.linspace(0, count - 1, min(count, LOOKED_AT)).astype(int)).tolist():
            frame = self.footage[number]
            places = [points for name, points in frame.points.items() if name in self.footage[0].points]
            for name, solid in frame.shapes.solids.items():
                place, turn = frame.poses[name]
                vertices = solid.vertices @ turn.T + place
                if solid.kind != "plane":
                    places.append(vertices)
                elif floor is None and is_level(vertices, solid.triangles):
                    floor = float(vertices[:, 1].mean())
            for points in places:
                finite = points[np.isfinite(points).all(axis=1)]
                if len(finite):
                    low, high = np.minimum(low, finite.min(axis=0)), np.maximum(high, finite.max(axis=0))
                    candidates = np.concatenate([self._outermost, finite])
                    self._outermost = candidates[np.unique((candidates @ DIRECTIONS.T).argmax(axis=0))]
        if not np.isfinite(low).all():
            low, high = np.zeros(3), np.zeros(3)
        return low, high, floor

    def world_of(self, frame: Frame) -> int:
        """Return the number of the shapes and pins of a frame; each is sent to the page once."""
        for number, (shapes, look) in enumerate(zip(self._worlds, self._looks, strict=True)):
            is_alike = shapes is frame.shapes or shapes.are_like(frame.shapes)
            if is_alike and are_same_pins(look.pins, frame.pins):
                return number
        self._worlds.append(frame.shapes)
        self._looks.append(frame)
        return len(self._worlds) - 1

    def frame(self, number: int) -> bytes:
        """Return the message of a frame."""
        frame = self.footage[number]
        world = self.world_of(frame)
        bodies, solids = frame.points, frame.shapes.solids
        start = _FRAME_HEAD.size + 16 * len(bodies) + 28 * len(solids)
        start += -start % 8
        counts = [len(points) for points in bodies.values()]
        message = bytearray(start + 8 * sum(counts))
        packed = np.frombuffer(message, dtype=np.int16, offset=start).reshape(-1, 4)
        boxes = np.zeros((len(bodies), 4))
        first = 0
        for (points, box), count in zip(zip(bodies.values(), boxes, strict=True), counts, strict=True):
            places = np.ascontiguousarray(points, dtype=np.float64)
            pack_positions(places, _NO_STRAINS, STRAIN_UNIT, box, packed[first : first + count])
            first += count
        _FRAME_HEAD.pack_into(message, 0, FRAME, world, number, len(bodies), frame.time, len(solids), 0)
        place = _FRAME_HEAD.size
        message[place : place + 16 * len(bodies)] = boxes.astype("<f4").tobytes()
        place += 16 * len(bodies)
        for name in solids:
            struct.pack_into("<7f", message, place, *_pose(frame, name))
            place += 28
        return bytes(message)

    def geometry(self, world: int) -> bytes:
        """Return the message that tells the shapes of everything; a frame of that world has been asked for."""
        frame = self._looks[world]
        arrays: list[bytes] = []
        centre, size = 0.5 * (self._low + self._high), self._high - self._low
        radius = max(0.05, float(np.linalg.norm(size)) / 2.0)
        floor = self._floor if self._floor is not None else float(self._low[1]) - 0.06 * radius
        bodies = []
        for name, shape in frame.shapes.bodies.items():
            back = back_colour(shape.colour) if shape.kind == "cloth" else shape.colour
            edges = np.zeros((0, 2)) if len(shape.triangles) else np.asarray(shape.edges)
            points = np.asarray(frame.points[name], dtype=np.float64)
            flat = shape.coordinates if len(shape.coordinates) else _laid_flat(points)
            lengths = np.linalg.norm(points[shape.edges[:, 0]] - points[shape.edges[:, 1]], axis=1)
            bodies.append(
                {
                    "name": name,
                    "kind": shape.kind,
                    "points": shape.point_count,
                    "triangles": _put(arrays, shape.triangles, "<u4"),
                    "columns": 0,  # all triangles are drawn, however fine
                    "edges": _put(arrays, edges, "<u4"),
                    "coordinates": _put(arrays, flat, "<f4"),
                    "radius": tube_radius(lengths, radius),
                    "colour": shape.colour,
                    "back_colour": back,
                }
            )
        solids = []
        for name, solid in frame.shapes.solids.items():
            place, turn = frame.poses[name]
            is_ground = solid.kind == "plane" and is_level(solid.vertices @ turn.T + place, solid.triangles)
            solids.append(
                {
                    "name": name,
                    "kind": "floor" if is_ground else solid.kind,
                    "vertices": _put(arrays, solid.vertices, "<f4"),
                    "triangles": _put(arrays, solid.triangles, "<u4"),
                    "is_movable": False,
                    "colour": solid.colour,
                }
            )
        shapes = {
            "bodies": bodies,
            "solids": solids,
            "centre": centre.tolist(),
            "size": size.tolist(),
            "radius": radius,
            "floor": floor,
            "outermost": self._outermost.round(4).tolist(),
            "pins": {name: np.asarray(frame.pinned(name)).tolist() for name in frame.body_names},
        }
        text = json.dumps(shapes).encode()
        head = _GEOMETRY_HEAD.pack(GEOMETRY, world, len(text), 0)
        return b"".join([head, text, bytes(-(len(head) + len(text)) % 8), *arrays])


def is_level(vertices: npt.NDArray[Any], triangles: npt.NDArray[Any]) -> bool:
    """Tell whether a plane lies flat with its front up."""
    a, b, c = vertices[triangles[0]]
    x, y, z = np.cross(b - a, c - a).tolist()
    return bool(y > LEVEL * math.hypot(x, y, z))


def _pose(frame: Frame, name: str) -> tuple[float, ...]:
    place, turn = frame.poses[name]
    return (*np.asarray(place).tolist(), *quaternion_of(turn).tolist())


def _laid_flat(points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return places on the plane that fits the points best, (n, 2) [m]."""
    centred = points - points.mean(axis=0)
    sample = centred[:: max(1, len(centred) // 2000)]
    _, _, axes = np.linalg.svd(sample, full_matrices=False)
    flat = np.zeros((len(points), 2))
    flat[:, : min(2, len(axes))] = centred @ axes[:2].T
    return flat


def _put(arrays: list[bytes], array: npt.NDArray[Any], kind: str) -> dict[str, int]:
    data = np.ascontiguousarray(array, dtype=kind).tobytes()
    place = {"offset": sum(map(len, arrays)), "count": int(array.size)}
    arrays.append(data + bytes(-len(data) % 8))
    return place
