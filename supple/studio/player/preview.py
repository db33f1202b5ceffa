"""A scene as it starts, for pages to see while the simulation is still being built and compiled.

Nothing here calls a compiled kernel: what is seen first must not wait for the compiler.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from supple.model.builders.body_parts import body_parts
from supple.scene.obstacles.obstacle import Obstacle
from supple.scene.placement import rotation_matrix
from supple.scene.scene import Scene
from supple.scene.timeline.keyframes import Path

if TYPE_CHECKING:
    from supple.model.skin import Skin

Points = NDArray[np.float64]
Indices = NDArray[np.int64]


class Shown(Protocol):
    """What can be drawn: a simulation, or the preview of one."""

    @property
    def scene(self) -> Scene:
        """The scene as it is now."""

    @property
    def revision(self) -> int:
        """Grows with every edit of the bodies."""

    @property
    def frame(self) -> int:
        """Frames so far."""

    @property
    def time(self) -> float:
        """Simulated time [s]."""

    @property
    def frame_rate(self) -> float:
        """Frames per second of simulated time [1/s]."""

    @property
    def body_names(self) -> tuple[str, ...]:
        """Names of the bodies."""

    @property
    def obstacle_names(self) -> tuple[str, ...]:
        """Names of the obstacles."""

    @property
    def levelled_bodies(self) -> tuple[str, ...]:
        """Names of the bodies of several levels of detail."""

    def level_shares(self, body: str) -> Points:
        """Return how finely each vertex is computed, (vertex_count,): 0 the coarsest level, 1 the finest."""

    def positions(self, body: str) -> Points:
        """Return where the vertices of a body are, (vertex_count, 3) [m]."""

    def triangles(self, body: str) -> Indices:
        """Return the triangles of a body, (triangle_count, 3)."""

    def surface(self, body: str) -> tuple[Points, Indices]:
        """Return what a body looks like: points (n, 3) [m] and triangles (t, 3)."""

    def skin(self, body: str) -> Skin | None:
        """Return how that hangs on its vertices; None if it is made of them."""

    def edges(self, body: str) -> Indices:
        """Return the springs of a body, (spring_count, 2)."""

    def rest_lengths(self, body: str) -> Points:
        """Return how long they are at rest, (spring_count,) [m]."""

    def origin(self, body: str) -> tuple[str, Indices, Points]:
        """Return the declared body, and for every vertex three of its vertices and their weights."""

    def pinned(self, body: str) -> Indices:
        """Return the vertices that are held."""

    def obstacle_surface(self, obstacle: str) -> tuple[Points, Indices]:
        """Return vertices [m] and triangles of an obstacle, in its own axes."""

    def obstacle_pose(self, obstacle: str) -> tuple[Points, Points]:
        """Return the place (3,) [m] and the rotation matrix (3, 3) of an obstacle."""


class Preview:
    """The bodies and obstacles of a scene where it puts them."""

    revision = 0
    frame = 0
    time = 0.0
    levelled_bodies: tuple[str, ...] = ()
    """Before anything moves, nothing is coloured."""

    def __init__(self, scene: Scene) -> None:
        """Look at a scene."""
        self.scene = scene
        self.frame_rate: float = scene.settings.frame_rate
        self.body_names = tuple(body.name or "" for body in scene.bodies)
        self.obstacle_names = tuple(obstacle.name or "" for obstacle in scene.obstacles)

    def level_shares(self, body: str) -> Points:
        """Return ones, (vertex_count,): a preview has one level."""
        return np.ones(len(self.positions(body)))

    def positions(self, body: str) -> Points:
        """Return where the vertices of a body start, (vertex_count, 3) [m]."""
        return np.asarray(self.scene.body(body).start_points(), dtype=np.float64)

    def triangles(self, body: str) -> Indices:
        """Return the triangles of a body, (triangle_count, 3)."""
        return np.asarray(self.scene.body(body).surface_triangles(), dtype=np.int64)

    def surface(self, body: str) -> tuple[Points, Indices]:
        """Return where the vertices of a body start and its triangles; soft bodies are not smooth yet."""
        return self.positions(body), self.triangles(body)

    def skin(self, body: str) -> None:
        """Return None: what is seen is made of the vertices."""
        return None

    def edges(self, body: str) -> Indices:
        """Return the springs of a body without triangles, (spring_count, 2); none of any other are drawn."""
        if len(self.triangles(body)):
            return np.zeros((0, 2), np.int64)
        return body_parts(self.scene.body(body), self.scene).springs.ends.astype(np.int64)

    def rest_lengths(self, body: str) -> Points:
        """Return how long they are at the start, (spring_count,) [m]."""
        ends = self.positions(body)[self.edges(body)]
        lengths: Points = np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)
        return lengths

    def origin(self, body: str) -> tuple[str, Indices, Points]:
        """Return the body itself, and every vertex as its own origin."""
        count = len(self.positions(body))
        return body, np.repeat(np.arange(count)[:, None], 3, axis=1), np.tile([1.0, 0.0, 0.0], (count, 1))

    def pinned(self, body: str) -> Indices:
        """Return the vertices that are held from the start."""
        declared = self.scene.body(body)
        held = [declared.indices(pin.where) for pin in declared.pins]
        return np.unique(np.concatenate([np.zeros(0, np.int64), *held]))

    def obstacle_surface(self, obstacle: str) -> tuple[Points, Indices]:
        """Return vertices [m] and triangles of an obstacle, in its own axes."""
        return self._obstacle(obstacle).surface()

    def obstacle_pose(self, obstacle: str) -> tuple[Points, Points]:
        """Return the place (3,) [m] and the rotation matrix (3, 3) that an obstacle starts with."""
        found = self._obstacle(obstacle)
        turn, place = rotation_matrix(found.rotation), np.array(found.at, dtype=np.float64)
        if found.motion is not None:
            offset, (x, y, z) = found.pose(0.0)
            moved, path = rotation_matrix((float(x), float(y), float(z))), found.motion
            pivot = np.array(path.centre) if isinstance(path, Path) and path.centre is not None else place
            turn, place = moved @ turn, pivot + moved @ (place - pivot) + offset
        return place, turn

    def _obstacle(self, name: str) -> Obstacle:
        return self.scene.obstacles[self.obstacle_names.index(name)]
