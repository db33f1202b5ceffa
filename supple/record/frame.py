"""Everything there is to see at one moment, whether it is computed now or read from a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from supple.errors import SuppleError
from supple.record.formats.convention import Convention
from supple.report import StepReport

Floats = npt.NDArray[np.floating[Any]]
Indices = npt.NDArray[np.integer[Any]]

NO_TRIANGLES = np.zeros((0, 3), dtype=np.int64)
NO_EDGES = np.zeros((0, 2), dtype=np.int64)
NO_COORDINATES = np.zeros((0, 2))
NO_CORNERS, NO_WEIGHTS = np.zeros((0, 3), dtype=np.int64), np.zeros((0, 3))


class Subject(Protocol):
    """Anything with named bodies that can be looked at: a `Simulation`, a `Frame`, a stand-in in tests."""

    @property
    def body_names(self) -> Sequence[str]:
        """Names of the bodies, in the order of the scene."""

    @property
    def time(self) -> float:
        """Simulated time [s]."""

    def positions(self, body: str, /) -> Floats:
        """Return the points of a body, (n, 3) [m]."""

    def triangles(self, body: str, /) -> Indices:
        """Return the triangles of a body, (m, 3) point indices; none for chains and networks."""

    def edges(self, body: str, /) -> Indices:
        """Return the edges of a body, (e, 2) point indices."""

    def pinned(self, body: str, /) -> Indices:
        """Return the points of a body that are held, (p,) point indices."""

    @property
    def obstacle_names(self) -> Sequence[str]:
        """Names of the obstacles, in the order of the scene."""

    def obstacle_surface(self, obstacle: str, /) -> tuple[Floats, Indices]:
        """Return an obstacle's vertices (n, 3) [m] in its own axes and triangles (m, 3)."""

    def obstacle_pose(self, obstacle: str, /) -> tuple[Floats, Floats]:
        """Return an obstacle's place (3,) [m] and rotation matrix (3, 3)."""


@dataclass(frozen=True, eq=False)
class BodyShape:
    """What of a body stays the same from frame to frame, unless it is cut or torn."""

    kind: str
    """cloth, chain, lattice, network, ..."""

    point_count: int
    triangles: Indices = field(default_factory=lambda: NO_TRIANGLES)
    """(m, 3) point indices, counter-clockwise seen from the front."""

    edges: Indices = field(default_factory=lambda: NO_EDGES)
    """(e, 2) point indices."""

    coordinates: Floats = field(default_factory=lambda: NO_COORDINATES)
    """(n, 2) places on the flat cloth [m], or empty."""

    colour: str = "#d2455c"
    """sRGB of the front."""

    fabric: str = "cotton"
    """What it looks like close by: silk, cotton, wool, denim, knit, rubber or mail."""

    def is_like(self, other: BodyShape) -> bool:
        """Tell whether the other has as many points, joined in the same way."""
        return (
            self.point_count == other.point_count
            and np.array_equal(self.triangles, other.triangles)
            and (len(self.triangles) > 0 or np.array_equal(self.edges, other.edges))
        )


@dataclass(frozen=True, eq=False)
class SolidShape:
    """What of an obstacle stays the same: all but its place."""

    kind: str
    """sphere, box, plane, mesh, ..."""

    vertices: Floats
    """(n, 3) in its own axes [m]."""

    triangles: Indices
    """(m, 3) vertex indices, counter-clockwise seen from outside."""

    colour: str = "#a9b4c2"
    """sRGB."""


@dataclass(frozen=True, eq=False)
class Shapes:
    """The shapes of everything in a frame, by name."""

    bodies: Mapping[str, BodyShape]
    solids: Mapping[str, SolidShape]

    def are_like(self, other: Shapes) -> bool:
        """Tell whether nothing was cut, torn, sewn, added or taken away between the two."""
        return (
            list(self.bodies) == list(other.bodies)
            and list(self.solids) == list(other.solids)
            and all(shape.is_like(other.bodies[name]) for name, shape in self.bodies.items())
        )

    def converted(self, convention: Convention) -> Shapes:
        """Return the shapes as a file of that convention holds them."""
        matrix = convention.matrix
        solids = {
            name: SolidShape(solid.kind, solid.vertices @ matrix.T, solid.triangles, solid.colour)
            for name, solid in self.solids.items()
        }
        return Shapes(self.bodies, solids)


Pose = tuple[Floats, Floats]
"""Place (3,) [m] and rotation matrix (3, 3)."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One moment. Has the methods of a `Simulation` that look at it, so either can be drawn or written.

    Example:
        >>> import numpy as np
        >>> shapes = Shapes({"rope": BodyShape("chain", 2, edges=np.array([[0, 1]]))}, {})
        >>> Frame(0, 0.0, shapes, {"rope": np.zeros((2, 3))}).positions("rope").shape
        (2, 3)
    """

    number: int
    """Place in its recording, from 0."""

    time: float
    """Simulated time [s]."""

    shapes: Shapes
    points: Mapping[str, Floats]
    """(n, 3) by body [m]; single precision if read from a file."""

    poses: Mapping[str, Pose] = field(default_factory=dict)
    """Where the obstacles are, by name."""

    report: Mapping[str, float] = field(default_factory=dict)
    """What the step that led here did and cost; empty at the start, and where a file does not tell."""

    pins: Mapping[str, Indices] = field(default_factory=dict)
    """Points held, by body."""

    fields: Mapping[str, Mapping[str, Floats]] = field(default_factory=dict)
    """More numbers for each point by body and name: `velocity` (n, 3) [m/s], `strain` and `contact` (n,)."""

    @property
    def body_names(self) -> tuple[str, ...]:
        """Names of the bodies."""
        return tuple(self.shapes.bodies)

    @property
    def obstacle_names(self) -> tuple[str, ...]:
        """Names of the obstacles."""
        return tuple(self.shapes.solids)

    def positions(self, body: str) -> Floats:
        """Return the points of a body, (n, 3) [m]."""
        return self.points[self._known(body, self.points, "body")]

    def triangles(self, body: str) -> Indices:
        """Return the triangles of a body, (m, 3) point indices; none for chains and networks."""
        return self.shapes.bodies[self._known(body, self.points, "body")].triangles

    def edges(self, body: str) -> Indices:
        """Return the edges of a body, (e, 2) point indices."""
        return self.shapes.bodies[self._known(body, self.points, "body")].edges

    def pinned(self, body: str) -> Indices:
        """Return the points of a body that are held; none if the file does not tell."""
        return self.pins.get(self._known(body, self.points, "body"), NO_EDGES.ravel())

    def obstacle_surface(self, obstacle: str) -> tuple[Floats, Indices]:
        """Return an obstacle's vertices (n, 3) [m] in its own axes and triangles (m, 3)."""
        solid = self.shapes.solids[self._known(obstacle, self.shapes.solids, "obstacle")]
        return solid.vertices, solid.triangles

    def obstacle_pose(self, obstacle: str) -> Pose:
        """Return an obstacle's place (3,) [m] and rotation matrix (3, 3)."""
        return self.poses[self._known(obstacle, self.poses, "obstacle")]

    def _known(self, name: str, among: Mapping[str, Any], word: str) -> str:
        if name not in among:
            raise SuppleError(f"there is no {word} called {name!r}. There are: {', '.join(among) or 'none'}.")
        return name

    def converted(self, convention: Convention, shapes: Shapes) -> Frame:
        """Return the frame as a file of that convention holds it; `shapes` are those converted already."""
        matrix, turn = convention.matrix, convention.turn
        poses = {name: (matrix @ place, turn @ spin @ turn.T) for name, (place, spin) in self.poses.items()}
        more = {
            body: {name: each @ matrix.T if name == "velocity" else each for name, each in values.items()}
            for body, values in self.fields.items()
        }
        points = {body: positions @ matrix.T for body, positions in self.points.items()}
        return Frame(self.number, self.time, shapes, points, poses, self.report, self.pins, more)


def are_same_pins(some: Mapping[str, Indices], others: Mapping[str, Indices]) -> bool:
    """Tell whether the same points of the same bodies are held."""
    return some is others or (
        some.keys() == others.keys()
        and all(
            len(pins) == len(others[name]) and bool((pins == others[name]).all())
            for name, pins in some.items()
        )
    )


# ---------------------------------------------------------------- from a simulation


def surface_of(subject: Subject, body: str) -> tuple[Floats, Indices]:
    """Return the points and triangles that a body shows: those it has, or the smooth surface of a soft one."""
    if hasattr(subject, "surface"):
        points, triangles = subject.surface(body)
        return points, triangles
    return subject.positions(body), subject.triangles(body)


def shapes_of(subject: Subject) -> Shapes:
    """Return the shapes of everything in a simulation as it is now."""
    from supple.scene.appearance import SOLID_COLOURS, body_colours, fabric_of, flat_coordinates

    scene = getattr(subject, "scene", None)
    declared = {body.name: body for body in getattr(scene, "bodies", ())}
    obstacles = {obstacle.name: obstacle for obstacle in getattr(scene, "obstacles", ())}
    bodies = {}
    numbers = {name: number for number, name in enumerate(declared or subject.body_names)}
    for name in subject.body_names:
        points, surface = surface_of(subject, name)
        triangles, count = np.array(surface), len(points)
        # What has come off a body looks like it, and so does its pattern.
        origin, corners, weights = (
            subject.origin(name) if hasattr(subject, "origin") else (name, NO_CORNERS, NO_WEIGHTS)
        )
        body = declared.get(origin)
        kind = body.kind if body is not None else "cloth" if len(triangles) else "network"
        coordinates = NO_COORDINATES
        if len(triangles) and body is not None and len(weights) == count:
            coordinates = np.einsum("nk,nkx->nx", weights, flat_coordinates(body)[corners])
        elif len(triangles) and body is not None and body.point_count == count:
            coordinates = flat_coordinates(body)
        colour = body_colours(numbers.get(origin, 0), kind, getattr(body, "colour", None))[0]
        fabric = "cotton" if body is None or scene is None else fabric_of(body, scene)
        edges = np.array(subject.edges(name))
        bodies[name] = BodyShape(kind, count, triangles, edges, coordinates, colour, fabric)
    solids = {}
    for number, name in enumerate(subject.obstacle_names):
        vertices, triangles = subject.obstacle_surface(name)
        obstacle = obstacles.get(name)
        colour = getattr(obstacle, "colour", None) or SOLID_COLOURS[number % len(SOLID_COLOURS)]
        solids[name] = SolidShape(getattr(obstacle, "kind", "mesh"), vertices, triangles, colour)
    return Shapes(bodies, solids)


def is_reshaped(shapes: Shapes, subject: Subject) -> bool:
    """Tell whether a simulation has other points, triangles or ropes than `shapes` say."""
    for name in subject.body_names:
        shape = shapes.bodies.get(name)
        points, triangles = surface_of(subject, name)
        if shape is None or len(points) != shape.point_count:
            return True
        if triangles.shape != shape.triangles.shape or not np.array_equal(triangles, shape.triangles):
            return True
        if len(triangles) == 0 and not np.array_equal(subject.edges(name), shape.edges):
            return True
    return len(subject.body_names) != len(shapes.bodies)


def frame_of(
    subject: Subject,
    number: int,
    shapes: Shapes,
    report: StepReport | None = None,
    *,
    pins: Mapping[str, Indices] | None = None,
    with_fields: bool = False,
) -> Frame:
    """Return a simulation as it is now. Positions are views that stay live: read them before the next step.

    Args:
        subject: what to look at
        number: place of the frame in its recording
        shapes: what `shapes_of` returned, and still holds
        report: of the step that led here
        pins: points held by body, if they are known
        with_fields: whether velocity, strain and contact of every point are wanted
    """
    names = subject.body_names
    return Frame(
        number=number,
        time=float(subject.time),
        shapes=shapes,
        points={name: surface_of(subject, name)[0] for name in names},
        poses={name: subject.obstacle_pose(name) for name in subject.obstacle_names},
        report=report_numbers(report) if report is not None else {},
        pins={name: subject.pinned(name) for name in names} if pins is None else pins,
        fields={name: fields_of(subject, name) for name in names} if with_fields else {},
    )


def fields_of(subject: Subject, body: str) -> dict[str, Floats]:
    """Return what is known of every point of a body beside its place."""
    found: dict[str, Floats] = {}
    if hasattr(subject, "velocities"):
        found["velocity"] = subject.velocities(body)
    if hasattr(subject, "rest_lengths"):
        found["strain"] = vertex_strain(
            subject.positions(body), subject.edges(body), subject.rest_lengths(body)
        )
    if body in getattr(subject, "levelled_bodies", ()):
        found["level"] = subject.level_shares(body)  # type: ignore[attr-defined]
    if hasattr(subject, "touching"):
        found["contact"] = subject.touching(body).astype(np.float32)
    skin = subject.skin(body) if hasattr(subject, "skin") else None
    return found if skin is None else {name: skin.spread(values) for name, values in found.items()}


def vertex_strain(positions: Floats, edges: Indices, rest_lengths: Floats) -> Floats:
    """Return the largest elongation among the springs at each vertex, (n,) [-]; 0 if all are shorter than at rest."""
    from supple.record.pictures.vertex_strain import vertex_strains

    has_length = rest_lengths > 0.0
    strains = np.zeros(len(positions))
    vertex_strains(np.asarray(positions), edges[has_length], rest_lengths[has_length], strains)
    return strains


REPORT_FIELDS = tuple(entry.name for entry in fields(StepReport))
NUMBERS = (float, int, np.number)


def report_numbers(report: StepReport) -> dict[str, float]:
    """Return everything in a report that is a number, by column name: vectors as `_x`, `_y`, `_z`."""
    row: dict[str, float] = {}
    for name in REPORT_FIELDS:
        value = getattr(report, name)
        if isinstance(value, NUMBERS):
            row[name] = float(value)
        elif isinstance(value, tuple):
            for axis, part in zip("xyz", value, strict=False):
                row[f"{name}_{axis}"] = float(part)
        elif isinstance(value, dict):
            for stage, spent in value.items():
                row[f"ms_{stage.replace(' ', '_')}"] = float(spent)
    return row
