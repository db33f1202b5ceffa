"""The place that a tool touches or a hand holds in a running simulation, as a local model, frame by frame.

Theory: docs/theory/haptics.md, eq. (U1) to (U3).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from supple.arguments import Triple
from supple.collide.obstacles.particle_contact import measure_depths
from supple.errors import SuppleError
from supple.haptics.local_model import LocalModel, Vector
from supple.simulation import Simulation

FIRST_STIFFNESS = 200.0
"""Stiffness that is taken for a place before it has been felt [N/m]."""

SOFTEST = 10.0
"""Least stiffness of an estimate [N/m]."""

STIFFEST = 1500.0
"""Most stiffness of a model [N/m]: at 1 kHz a hand feels more as a buzz. What is harder gives less force."""

LEARNING = 0.15
"""Share by which one frame changes the stiffness of a place and the direction of its surface [-]."""

DRIFT = 0.03
"""Share by which one frame moves the surface to where its force says it is [-]: bodies move, but viscosity is no motion."""

LEAST_DEPTH = 1.0e-4
"""Depth below which a force says nothing about stiffness [m]."""

LEAST_FORCE = 1.0e-3
"""Force below which nothing is touched [N]."""

NUDGE = 1.0e-5
"""Half the distance over which the gradient of the distance is taken [m]."""


class TouchedPlace:
    """Follows one tool, an obstacle that is led, or some held points, and tells after every frame what they feel.

    Example:
        >>> import supple
        >>> block = supple.SoftBody.box(size=(0.2, 0.1, 0.2), cell=0.05, name="block").pinned("bottom")
        >>> probe = supple.Sphere(radius=0.02, at=(0.0, 0.08, 0.0), name="probe")
        >>> simulation = supple.Simulation(supple.Scene(block, probe, gravity=(0.0, 0.0, 0.0)))
        >>> place = TouchedPlace.of_tool(simulation, "probe").model()
        >>> place.normal, round(place.point[1], 3)
        ((0.0, 1.0, 0.0), 0.07)
    """

    def __init__(self, simulation: Simulation, tool: str, body: str, vertices: Sequence[int]) -> None:
        """Use `of_tool` or `of_hand`."""
        self._simulation = simulation
        self._tool, self._body, self._vertices = tool, body, list(vertices)
        self._stiffness = FIRST_STIFFNESS
        self._place = self._middle()
        self._surface: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None
        """Point [m] and normal of the plane that is touched, or will be first."""

    @staticmethod
    def of_tool(simulation: Simulation, obstacle: str) -> TouchedPlace:
        """Follow an obstacle that a hand leads.

        Raises:
            SuppleError: there is no such obstacle
        """
        simulation.obstacle_pose(obstacle)
        return TouchedPlace(simulation, obstacle, "", ())

    @staticmethod
    def of_hand(simulation: Simulation, body: str, vertices: Sequence[int]) -> TouchedPlace:
        """Follow points of a body that are held.

        Raises:
            SuppleError: there is no such body, or no such point
        """
        count = len(simulation.positions(body))
        if not vertices or min(vertices) < 0 or max(vertices) >= count:
            raise SuppleError(f"{body!r} has {count} vertices; a hand holds some of them, not {vertices}.")
        return TouchedPlace(simulation, "", body, vertices)

    def force(self) -> NDArray[np.float64]:
        """Return the force on the hand in the last frame, (3,) [N]."""
        if self._tool:
            return self._simulation.obstacle_force(self._tool)
        held: NDArray[np.float64] = -self._simulation.pin_forces(self._body)[self._vertices].sum(axis=0)
        return held

    def model(self) -> LocalModel | None:
        """Return the local model after the frame that was computed last; None where nothing is near.

        Call it once per frame: it learns where the surface is and how stiff.
        """
        place, force = self._middle(), self.force()
        middle = 0.5 * (place + self._place)  # the force is a mean of the frame
        self._place = place
        size = float(np.linalg.norm(force))
        if not np.isfinite(size):
            return None
        if not self._tool:
            self._learn_spring(middle, force, size)
        elif size > LEAST_FORCE:
            self._learn_surface(middle, force / size, size)
        else:
            self._surface = self._ahead(place)
        if self._surface is None:
            return None
        point, normal = self._surface
        stiffness = min(self._stiffness, STIFFEST)
        return LocalModel(_vector(point), _vector(normal) if self._tool else None, stiffness, self._time)

    def _learn_surface(self, place: NDArray[np.float64], direction: NDArray[np.float64], size: float) -> None:
        """Follow the plane by the force on the tool: its direction, stiffness and place (U2), (U3)."""
        if self._surface is None:
            self._surface = place + direction * size / self._stiffness, direction
        point, normal = self._surface
        normal = normal + LEARNING * (direction - normal)
        length = float(np.linalg.norm(normal))
        normal = normal / length if length > 1.0e-6 else direction
        depth = float((point - place) @ normal)
        self._learn_stiffness(size, depth)
        depth += DRIFT * (size / self._stiffness - depth)
        self._surface = place + depth * normal, normal

    def _learn_spring(self, place: NDArray[np.float64], force: NDArray[np.float64], size: float) -> None:
        """Follow the point at which what is held would not pull."""
        if self._surface is None:
            self._surface = place + force / self._stiffness, np.zeros(3)
        rest = self._surface[0]
        self._learn_stiffness(size, float(np.linalg.norm(rest - place)))
        rest = rest + LEARNING * (place + force / self._stiffness - rest)
        self._surface = rest, np.zeros(3)

    def _learn_stiffness(self, size: float, depth: float) -> None:
        """Let the stiffness come nearer to a force [N] over its depth [m], by no more than a factor of two."""
        if depth < LEAST_DEPTH:
            return
        found = min(max(size / depth, 0.5 * self._stiffness), 2.0 * self._stiffness)
        self._stiffness = max(SOFTEST, self._stiffness + LEARNING * (found - self._stiffness))

    @property
    def _time(self) -> float:
        return self._simulation.time

    def _middle(self) -> NDArray[np.float64]:
        """Return where the tool is, or the middle of what is held, (3,) [m]."""
        if self._tool:
            return self._simulation.obstacle_pose(self._tool)[0]
        middle: NDArray[np.float64] = self._simulation.positions(self._body)[self._vertices].mean(axis=0)
        return middle

    def _ahead(self, place: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """Return the plane that the tool will meet first, from the point of a body that is nearest to it."""
        particles = self._simulation.engine.world.particles
        if particles.count == 0:
            return None
        distances = self._distances(particles.positions)
        nearest = int(np.argmin(distances))
        point = particles.positions[nearest]
        sides = np.concatenate([point + NUDGE * np.eye(3), point - NUDGE * np.eye(3)])
        there = self._distances(sides)
        gradient = there[:3] - there[3:]
        length = float(np.linalg.norm(gradient))
        if not length > 0.0:
            return None
        outward = gradient / length
        return place + distances[nearest] * outward, -outward

    def _distances(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how far points (n, 3) [m] are from the tool, negative inside, (n,) [m]."""
        obstacles = self._simulation.engine.obstacles
        names = [declared.name for declared in obstacles.declared]
        own = obstacles.owners == names.index(self._tool)
        depths = np.empty(len(points))
        measure_depths(
            obstacles.solids.chosen(own), obstacles.poses.t1[own], np.ascontiguousarray(points), depths
        )
        return -depths


def _vector(values: NDArray[np.float64] | Triple) -> Vector:
    x, y, z = (float(value) + 0.0 for value in values)  # + 0.0: no negative zeros
    return x, y, z
