"""Binary messages that show a world to the page; their layout stands in `supple.studio.connection.protocol`."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.record.pictures.vertex_strain import vertex_strains
from supple.scene.appearance import body_colours, fabric_of, flat_coordinates, grid_columns, tube_radius
from supple.scene.bodies.body import Body
from supple.scene.bodies.cloth import Cloth
from supple.scene.cloth_shapes.panel import Panel
from supple.studio.connection.protocol import (
    FRAME,
    GEOMETRY,
    HAS_STRAIN,
    STRAIN_UNIT,
    ArrayPlace,
    BodyShape,
    Geometry,
    Outlook,
    SolidShape,
)
from supple.studio.connection.rigid_meshes import Solid, solids_of
from supple.studio.connection.water_surfaces import water_shapes
from supple.studio.player.framing import lowest_floor, room_of
from supple.studio.player.preview import Shown

_FRAME_HEAD = struct.Struct("<4I d 2I")
_GEOMETRY_HEAD = struct.Struct("<4I")
_POSE = struct.Struct("<7f")


@kernel
def pack_positions(positions, strains, strain_unit, box, packed):
    """Write positions as int16 parts of the body's own box, and strains beside them.

    One scale for all three axes keeps angles, so the page computes normals from the packed numbers.

    Args:
        positions: (vertex_count, 3) [m]
        strains: (vertex_count,) [-], or empty: zeros are written
        strain_unit: strain of one step [-]
        box: (4,) centre x, y, z and half extent [m], written
        packed: (vertex_count, 4) int16, written
    """
    count = positions.shape[0]
    low_x = low_y = low_z = np.inf
    high_x = high_y = high_z = -np.inf
    for n in range(count):
        x, y, z = positions[n, 0], positions[n, 1], positions[n, 2]
        low_x, low_y, low_z = min(low_x, x), min(low_y, y), min(low_z, z)
        high_x, high_y, high_z = max(high_x, x), max(high_y, y), max(high_z, z)
    # The page knows the box in single precision, so it is used in single precision here.
    box[0] = np.float32(0.5 * (low_x + high_x))
    box[1] = np.float32(0.5 * (low_y + high_y))
    box[2] = np.float32(0.5 * (low_z + high_z))
    half = 0.5 * max(high_x - low_x, high_y - low_y, high_z - low_z) * 1.0001
    box[3] = np.float32(half + 1e-6 * (1.0 + max(abs(box[0]), abs(box[1]), abs(box[2]))))
    factor = 32767.0 / box[3]
    for n in range(count):
        for axis in range(3):
            # Half a step up and then down is the nearest step, without the branches that `round` takes.
            packed[n, axis] = np.int16(math.floor((positions[n, axis] - box[axis]) * factor + 0.5))
        if strains.shape[0] > 0:
            packed[n, 3] = np.int16(max(-32767.0, min(32767.0, strains[n] / strain_unit)))
        else:
            packed[n, 3] = 0


def points_offset(body_count: int, solid_count: int) -> int:
    """Return where the points of a frame message begin [bytes]: after its head, boxes and poses."""
    end = _FRAME_HEAD.size + 16 * body_count + _POSE.size * solid_count
    return end + (-end) % 8


def write_frame_head(
    message: bytearray,
    *,
    world: int,
    number: int,
    time: float,
    boxes: NDArray[np.float64],
    poses: Sequence[Sequence[float]],
    flags: int = 0,
) -> None:
    """Write everything of a frame message but its points.

    Args:
        message: written in place
        world: number of the world
        number: of the frame
        time: of the frame [s]
        boxes: (body_count, 4) as `pack_positions` wrote them [m]
        poses: of each solid, its place [m] and quaternion x, y, z, w
        flags: what else the message holds
    """
    _FRAME_HEAD.pack_into(message, 0, FRAME, world, number, len(boxes), time, len(poses), flags)
    place = _FRAME_HEAD.size
    message[place : place + 16 * len(boxes)] = boxes.astype("<f4").tobytes()
    place += 16 * len(boxes)
    for pose in poses:
        _POSE.pack_into(message, place, *pose)
        place += _POSE.size


class ArrayBlock:
    """Arrays of a geometry message in a row, each at a multiple of 8 bytes."""

    def __init__(self) -> None:
        """Start empty."""
        self.parts: list[bytes] = []
        self._length = 0

    def add(self, array: NDArray[Any], kind: str) -> ArrayPlace:
        """Append an array as numbers of a kind; return where it lies."""
        data = np.ascontiguousarray(array, dtype=kind).tobytes()
        place = ArrayPlace(offset=self._length, count=int(array.size))
        data += bytes(-len(data) % 8)
        self.parts.append(data)
        self._length += len(data)
        return place


def geometry_message(world: int, text: str, arrays: ArrayBlock) -> bytes:
    """Return the message that tells the shapes of a world: JSON, then the arrays it points to."""
    encoded = text.encode()
    head = _GEOMETRY_HEAD.pack(GEOMETRY, world, len(encoded), 0)
    return b"".join([head, encoded, bytes(-(len(head) + len(encoded)) % 8), *arrays.parts])


@dataclass
class _PackedBody:
    name: str
    edges: NDArray[np.int64]
    rest_lengths: NDArray[np.float64]
    strains: NDArray[np.float64]
    rows: slice


FULL_STRAIN = 0.1
"""Strain that the page shows in its hottest colour [-]; the finest level of detail is shown in it too."""

_NO_STRAINS = np.zeros(0)


class Packer:
    """Packs the frames of one world; keeps what does not change between them."""

    def __init__(self, simulation: Shown, world: int, scene_name: str = "") -> None:
        """Look at the bodies and solids of a simulation.

        Args:
            simulation: what to show
            world: number of this world, put into every message
            scene_name: among the scenes offered
        """
        self.scene_name = scene_name
        self.simulation = simulation
        self.world = world
        self.solids: list[Solid] = solids_of(simulation)
        self.bodies: list[_PackedBody] = []
        first = 0
        for name in simulation.body_names:
            count = len(simulation.surface(name)[0])
            edges, lengths = _springs(simulation, name)
            rows = slice(first, first + count)
            self.bodies.append(_PackedBody(name, edges, lengths, np.zeros(count), rows))
            first += count
        self._boxes = np.zeros((len(self.bodies), 4))
        points_at = points_offset(len(self.bodies), len(self.solids))
        self._message = bytearray(points_at + 8 * first)
        self._packed = np.frombuffer(self._message, dtype=np.int16, offset=points_at).reshape(-1, 4)
        self._revision = simulation.revision
        self._colours = _colours_of(simulation)
        self._sizes = sizes_of(simulation)
        self._bounds = room_of(simulation, self.solids)

    def is_outdated(self) -> bool:
        """Tell whether edits have changed the bodies since, or they have other colours."""
        return self.simulation.revision != self._revision or self._colours != _colours_of(self.simulation)

    def has_other_sizes(self) -> bool:
        """Tell whether panels have been drawn anew since, so that their flat places are others."""
        return sizes_of(self.simulation) != self._sizes

    def frame(self, *, with_strain: bool, is_compiled: bool = True) -> bytes:
        """Return the message of the present frame, packed by compiled code or without waiting for a compiler."""
        pack = pack_positions if is_compiled else pack_positions.py_func
        message, packed = self._message, self._packed
        for body, box in zip(self.bodies, self._boxes, strict=True):
            positions = self.simulation.surface(body.name)[0]
            strains = _NO_STRAINS
            if with_strain and body.name in self.simulation.levelled_bodies:
                strains = FULL_STRAIN * self.simulation.level_shares(body.name)
            elif with_strain and len(body.edges):
                vertex_strains(positions, body.edges, body.rest_lengths, body.strains)
                strains = body.strains
            pack(positions, strains, STRAIN_UNIT, box, packed[body.rows])
        write_frame_head(
            message,
            world=self.world,
            number=self.simulation.frame,
            time=self.simulation.time,
            boxes=self._boxes,
            poses=[solid.pose() for solid in self.solids],
            flags=HAS_STRAIN if with_strain else 0,
        )
        return bytes(message)

    def geometry(self) -> bytes:
        """Return the message that tells the shapes of everything."""
        arrays = ArrayBlock()
        centre, radius = self.extent()
        width, height, depth = (self._bounds[1] - self._bounds[0]).tolist()
        view = self.simulation.scene.view
        shapes = Geometry(
            scene=self.scene_name,
            outlook=Outlook(
                azimuth=math.radians(view.azimuth_deg),
                elevation=math.radians(view.elevation_deg),
                distance=view.distance,
            ),
            bodies=tuple(self._body_shape(body, radius, arrays) for body in self.bodies),
            solids=tuple(_solid_shape(solid, arrays) for solid in self.solids),
            waters=water_shapes(self.simulation.scene.waters, centre, radius),
            centre=centre,
            size=(width, height, depth),
            radius=radius,
            floor=self._floor(),
        )
        return geometry_message(self.world, shapes.model_dump_json(), arrays)

    def _body_shape(self, body: _PackedBody, radius: float, arrays: ArrayBlock) -> BodyShape:
        """Return what the page is told of a body in a world of `radius` [m]; its arrays are added to `arrays`."""
        origin, points, weights = self.simulation.origin(body.name)
        declared = self.simulation.scene.body(origin)
        triangles = self.simulation.surface(body.name)[1]
        number = self.simulation.scene.bodies.index(declared)  # pieces look like what they came off
        front, back = body_colours(number, declared.kind, declared.colour)
        coordinates = np.einsum("nk,nkx->nx", weights, flat_coordinates(declared)[points])
        skin = self.simulation.skin(body.name)
        if skin is not None:
            coordinates = skin.spread(coordinates)
        edges = body.edges if len(triangles) == 0 else body.edges[:0]
        return BodyShape(
            name=body.name,
            kind=declared.kind,
            points=body.rows.stop - body.rows.start,
            triangles=arrays.add(triangles, "<u4"),
            columns=0 if self._revision else grid_columns(declared, len(triangles)),
            edges=arrays.add(edges, "<u4"),
            coordinates=arrays.add(coordinates, "<f4"),
            radius=tube_radius(body.rest_lengths, radius),
            outline=arrays.add(_outline(declared, len(triangles), weights), "<f4"),
            garment=getattr(declared, "garment", None) or "",
            fabric=fabric_of(declared, self.simulation.scene),
            colour=front,
            back_colour=back,
        )

    def extent(self) -> tuple[tuple[float, float, float], float]:
        """Return the centre [m] and radius [m] of a ball around the scene at its start."""
        low, high = self._bounds
        x, y, z = (0.5 * (low + high)).tolist()
        return (x, y, z), max(0.05, float(np.linalg.norm(high - low)) / 2.0)

    def _floor(self) -> float:
        """Return the height of the ground to draw [m]."""
        floor = lowest_floor(self.solids)
        return floor if floor is not None else float(self._bounds[0][1]) - 0.06 * self.extent()[1]


def _solid_shape(solid: Solid, arrays: ArrayBlock) -> SolidShape:
    """Return what the page is told of a solid; its arrays are added to `arrays`."""
    return SolidShape(
        name=solid.name,
        kind=solid.kind,
        vertices=arrays.add(solid.vertices, "<f4"),
        triangles=arrays.add(solid.triangles, "<u4"),
        is_movable=solid.is_movable,
        colour=solid.colour,
    )


def _springs(simulation: Shown, name: str) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the springs of a body and their lengths at rest [m], without those of no length."""
    edges = np.ascontiguousarray(simulation.edges(name))
    lengths = simulation.rest_lengths(name)
    has_length = lengths > 0.0
    return edges[has_length], lengths[has_length]


def _outline(declared: Body, triangle_count: int, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the loops round a panel as it is cut (n, 2) [m], NaN after each; its edges may be sewn to each other."""
    if not (isinstance(declared, Cloth) and declared.garment and isinstance(declared.shape, Panel)):
        return np.zeros((0, 2))
    if triangle_count != len(declared.surface_triangles()) or not (weights[:, 0] == 1.0).all():
        return np.zeros((0, 2))
    flat = declared.rest_points()[:, :2]
    return np.concatenate(
        [np.append(flat[loop], [[np.nan, np.nan]], axis=0) for loop in declared.shape.mesh.loops]
    )


def sizes_of(simulation: Shown) -> tuple[dict[str, float], ...]:
    """Return what sizes all panels of a scene have."""
    return tuple(body.sizes for body in simulation.scene.bodies if isinstance(body, Cloth) and body.sizes)


def _colours_of(simulation: Shown) -> tuple[str | None, ...]:
    """Return the colours that the bodies of a scene are declared with."""
    return tuple(body.colour for body in simulation.scene.bodies)
