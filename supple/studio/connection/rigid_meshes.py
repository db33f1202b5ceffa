"""Solids: rigid meshes beside the bodies, each with a pose that may move."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from supple.scene.appearance import SOLID_COLOURS
from supple.scene.obstacles.solids import Plane
from supple.simulation import Simulation
from supple.studio.player.preview import Shown

Pose = tuple[float, float, float, float, float, float, float]
"""Position x, y, z [m] and quaternion x, y, z, w."""

LEVEL = 0.999
"""A plane whose normal has at least this height is ground."""


class Solid(Protocol):
    """A rigid mesh, standing or moving."""

    name: str
    kind: str
    """sphere, box, mesh, ..., or "floor" for a plane that is drawn as the ground."""

    vertices: NDArray[np.float64]
    """(vertex_count, 3) [m], in its own axes."""

    triangles: NDArray[np.int64]
    """(triangle_count, 3) vertex indices, counter-clockwise seen from outside."""

    is_movable: bool
    """Whether a hand can take it."""

    is_free: bool
    """Whether it falls and flies when no hand holds it."""

    colour: str
    """Such as "#8a8f98"."""

    floor: float | None
    """Height of it as ground [m], if it is one."""

    def pose(self) -> Pose:
        """Return where it is now."""

    def placed_vertices(self) -> NDArray[np.float64]:
        """Return the (vertex_count, 3) vertices where they are now [m]."""

    def rotation(self) -> NDArray[np.float64]:
        """Return how it is turned now, (3, 3)."""

    def move(self, position: tuple[float, float, float], turn: NDArray[np.float64]) -> None:
        """Bring it to `position` [m], turned by `turn` (3, 3), by the end of the next frame."""

    def release(self) -> None:
        """Let go of it."""


class ObstacleSolid:
    """An obstacle of a simulation, or of the preview of one, which nobody can move."""

    def __init__(self, simulation: Shown, name: str, number: int) -> None:
        """Look at the obstacle called `name`, the one of that number in its scene."""
        declared = simulation.scene.obstacles[number]
        self._simulation = simulation
        self.name = name
        self.kind = declared.kind
        self.vertices, self.triangles = simulation.obstacle_surface(name)
        self.is_movable = not isinstance(declared, Plane)
        self.is_free = declared.mass is not None
        self.colour = declared.colour or SOLID_COLOURS[number % len(SOLID_COLOURS)]
        self.floor: float | None = None
        if isinstance(declared, Plane):
            place, turn = simulation.obstacle_pose(name)
            normal = turn @ np.array(declared.normal)
            if normal[1] >= LEVEL:
                self.kind = "floor"
                self.floor = float(place[1] + declared.offset * normal[1])

    def pose(self) -> Pose:
        """Return where it is now."""
        place, turn = self._simulation.obstacle_pose(self.name)
        x, y, z = place.tolist()
        return (x, y, z, *_quaternion(turn))

    def placed_vertices(self) -> NDArray[np.float64]:
        """Return the (vertex_count, 3) vertices where they are now [m]."""
        place, turn = self._simulation.obstacle_pose(self.name)
        placed: NDArray[np.float64] = self.vertices @ turn.T + place
        return placed

    def rotation(self) -> NDArray[np.float64]:
        """Return how it is turned now, (3, 3)."""
        return self._simulation.obstacle_pose(self.name)[1]

    def move(self, position: tuple[float, float, float], turn: NDArray[np.float64]) -> None:
        """Bring it to `position` [m], turned by `turn` (3, 3), by the end of the next frame."""
        assert isinstance(self._simulation, Simulation)
        self._simulation.move_obstacle(self.name, position, _angles(turn))

    def release(self) -> None:
        """Let go of it: it flies on if it has a mass, and stays where it is if not."""
        assert isinstance(self._simulation, Simulation)
        self._simulation.release_obstacle(self.name)


def solids_of(simulation: Shown) -> list[Solid]:
    """Return the solids of a simulation."""
    return [ObstacleSolid(simulation, name, n) for n, name in enumerate(simulation.obstacle_names)]


def _quaternion(turn: NDArray[np.float64]) -> tuple[float, float, float, float]:
    """Return the quaternion x, y, z, w of a rotation matrix."""
    # The eigenvector that the rotation maps best onto itself; right for every angle, half turns too.
    a, b, c = turn
    k = np.array(
        [
            [a[0] - b[1] - c[2], b[0] + a[1], c[0] + a[2], c[1] - b[2]],
            [b[0] + a[1], b[1] - a[0] - c[2], c[1] + b[2], a[2] - c[0]],
            [c[0] + a[2], c[1] + b[2], c[2] - a[0] - b[1], b[0] - a[1]],
            [c[1] - b[2], a[2] - c[0], b[0] - a[1], a[0] + b[1] + c[2]],
        ]
    )
    x, y, z, w = np.linalg.eigh(k)[1][:, -1].tolist()
    return x, y, z, w


def _angles(turn: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return the angles about the fixed x, then y, then z axis [rad] of a rotation matrix."""
    flat = math.hypot(float(turn[2, 1]), float(turn[2, 2]))
    y = math.atan2(-float(turn[2, 0]), flat)
    if flat < 1e-9:  # x and z turn about the same axis
        return math.atan2(-float(turn[1, 2]), float(turn[1, 1])), y, 0.0
    return (
        math.atan2(float(turn[2, 1]), float(turn[2, 2])),
        y,
        math.atan2(float(turn[1, 0]), float(turn[0, 0])),
    )
