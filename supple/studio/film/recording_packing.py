"""Binary messages that show a recording to the page; their layout stands in `supple.studio.connection.protocol`."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.record.frame import Frame, Shapes, are_same_pins
from supple.record.readers.recording_reader import RecordingReader
from supple.scene.appearance import back_colour, tube_radius
from supple.scene.rotations import quaternion_of
from supple.studio.connection.packing import (
    ArrayBlock,
    geometry_message,
    pack_positions,
    points_offset,
    write_frame_head,
)
from supple.studio.connection.protocol import STRAIN_UNIT
from supple.studio.connection.rigid_meshes import LEVEL

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
"""(98, 3) directions in which the outermost points are sought."""

_NO_STRAINS = np.zeros(0)


class RecordingPacker:
    """Packs the frames of a recording."""

    def __init__(self, recording: RecordingReader) -> None:
        """Look through a recording for how much room it takes."""
        self.recording = recording
        self._worlds: list[Shapes] = []
        self._looks: list[Frame] = []
        self._outermost = np.zeros((0, 3))
        self._low, self._high, self._floor = self._bounds()

    def _bounds(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], float | None]:
        """Return the corners of the box around everything in all frames, and the height of the ground [m].

        What comes off in the course of time may fly anywhere, and does not count: the rest would look tiny.
        """
        count = len(self.recording)
        low, high = np.full(3, np.inf), np.full(3, -np.inf)
        floor: float | None = None
        for number in np.unique(np.linspace(0, count - 1, min(count, LOOKED_AT)).astype(int)).tolist():
            frame = self.recording[number]
            places = [points for name, points in frame.points.items() if name in self.recording[0].points]
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
        frame = self.recording[number]
        world = self.world_of(frame)
        bodies, solids = frame.points, frame.shapes.solids
        start = points_offset(len(bodies), len(solids))
        counts = [len(points) for points in bodies.values()]
        message = bytearray(start + 8 * sum(counts))
        packed = np.frombuffer(message, dtype=np.int16, offset=start).reshape(-1, 4)
        boxes = np.zeros((len(bodies), 4))
        first = 0
        for (points, box), count in zip(zip(bodies.values(), boxes, strict=True), counts, strict=True):
            places = np.ascontiguousarray(points, dtype=np.float64)
            pack_positions(places, _NO_STRAINS, STRAIN_UNIT, box, packed[first : first + count])
            first += count
        poses = [pose_of(frame, name) for name in solids]
        write_frame_head(message, world=world, number=number, time=frame.time, boxes=boxes, poses=poses)
        return bytes(message)

    def geometry(self, world: int) -> bytes:
        """Return the message that tells the shapes of everything; a frame of that world has been asked for."""
        frame = self._looks[world]
        arrays = ArrayBlock()
        centre, size = 0.5 * (self._low + self._high), self._high - self._low
        radius = max(0.05, float(np.linalg.norm(size)) / 2.0)
        floor = self._floor if self._floor is not None else float(self._low[1]) - 0.06 * radius
        shapes = {
            "bodies": [_body_shape(frame, name, radius, arrays) for name in frame.shapes.bodies],
            "solids": [_solid_shape(frame, name, arrays) for name in frame.shapes.solids],
            "centre": centre.tolist(),
            "size": size.tolist(),
            "radius": radius,
            "floor": floor,
            "outermost": self._outermost.round(4).tolist(),
            "pins": {name: np.asarray(frame.pinned(name)).tolist() for name in frame.body_names},
        }
        return geometry_message(world, json.dumps(shapes), arrays)


def _body_shape(frame: Frame, name: str, radius: float, arrays: ArrayBlock) -> dict[str, Any]:
    """Return what the page is told of a body in a world of `radius` [m]; its arrays are added to `arrays`."""
    shape = frame.shapes.bodies[name]
    edges = np.zeros((0, 2)) if len(shape.triangles) else np.asarray(shape.edges)
    points = np.asarray(frame.points[name], dtype=np.float64)
    flat = shape.coordinates if len(shape.coordinates) else _laid_flat(points)
    lengths = np.linalg.norm(points[shape.edges[:, 0]] - points[shape.edges[:, 1]], axis=1)
    return {
        "name": name,
        "kind": shape.kind,
        "points": shape.point_count,
        "triangles": arrays.add(shape.triangles, "<u4").model_dump(),
        "columns": 0,  # all triangles are drawn, however fine
        "edges": arrays.add(edges, "<u4").model_dump(),
        "coordinates": arrays.add(flat, "<f4").model_dump(),
        "radius": tube_radius(lengths, radius),
        "fabric": shape.fabric,
        "colour": shape.colour,
        "back_colour": back_colour(shape.colour) if shape.kind == "cloth" else shape.colour,
    }


def _solid_shape(frame: Frame, name: str, arrays: ArrayBlock) -> dict[str, Any]:
    """Return what the page is told of an obstacle; its arrays are added to `arrays`."""
    solid = frame.shapes.solids[name]
    place, turn = frame.poses[name]
    is_ground = solid.kind == "plane" and is_level(solid.vertices @ turn.T + place, solid.triangles)
    return {
        "name": name,
        "kind": "floor" if is_ground else solid.kind,
        "vertices": arrays.add(solid.vertices, "<f4").model_dump(),
        "triangles": arrays.add(solid.triangles, "<u4").model_dump(),
        "is_movable": False,
        "colour": solid.colour,
    }


def is_level(vertices: npt.NDArray[Any], triangles: npt.NDArray[Any]) -> bool:
    """Tell whether a plane lies flat with its front up."""
    a, b, c = vertices[triangles[0]]
    x, y, z = np.cross(b - a, c - a).tolist()
    return bool(y > LEVEL * math.hypot(x, y, z))


def pose_of(frame: Frame, name: str) -> tuple[float, ...]:
    """Return the place [m] and the quaternion x, y, z, w of a solid."""
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
