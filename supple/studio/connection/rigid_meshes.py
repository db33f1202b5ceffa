"""Rigid meshes beside the bodies, each with a pose that may move: the obstacles of a scene."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from supple.scene.appearance import SOLID_COLOURS
from supple.scene.obstacles.solids import Plane
from supple.scene.placement import rotation_angles
from supple.scene.rotations import quaternion_of
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
        (x, y, z), (a, b, c, w) = place.tolist(), quaternion_of(turn).tolist()
        return x, y, z, a, b, c, w

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
        self._simulation.move_obstacle(self.name, position, rotation_angles(turn))

    def release(self) -> None:
        """Let go of it: it flies on if it has a mass, and stays where it is if not."""
        assert isinstance(self._simulation, Simulation)
        self._simulation.release_obstacle(self.name)


def solids_of(simulation: Shown) -> list[Solid]:
    """Return the solids of a simulation."""
    return [ObstacleSolid(simulation, name, n) for n, name in enumerate(simulation.obstacle_names)]
