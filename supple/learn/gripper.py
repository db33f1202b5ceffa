"""A gripper: a point that moves, and holds the vertices it closed on."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from supple.simulation import Simulation

Floats = NDArray[np.float64]


class Gripper:
    """Moves through the scene and takes what it holds along."""

    def __init__(self, simulation: Simulation, body: str, at: Floats) -> None:
        """Begin open, at a place (3,) [m]."""
        self._simulation, self._body = simulation, body
        self.position = np.array(at, dtype=np.float64)
        """Where it is (3,) [m]."""

        self._held: dict[int, Floats] = {}

    @property
    def is_closed(self) -> bool:
        """Whether it holds something."""
        return bool(self._held)

    def close(self, reach: float, width: float = 0.0) -> bool:
        """Take the nearest vertex within `reach` [m], and those within `width` of it; return whether there is one."""
        points = self._simulation.positions(self._body)
        distances = np.linalg.norm(points - self.position, axis=1)
        vertex = int(np.argmin(distances))
        if not self._held and distances[vertex] <= reach:
            self.hold(np.flatnonzero(np.linalg.norm(points - points[vertex], axis=1) <= width))
        return self.is_closed

    def hold(self, vertices: NDArray[np.integer]) -> None:
        """Take these vertices, each where it is."""
        points = self._simulation.positions(self._body)
        self._held = {int(vertex): points[vertex] - self.position for vertex in vertices}

    def open(self) -> None:
        """Let go."""
        for vertex in self._held:
            self._simulation.release(self._body, vertex)
        self._held = {}

    def carry(self, target: Floats, speed: float) -> bool:
        """Go to a place (3,) [m] on a straight line at `speed` [m/s]; return whether everything stayed finite."""
        way = float(np.linalg.norm(np.asarray(target) - self.position))
        return self.move(target, max(4, math.ceil(way / (speed * self._simulation.frame_seconds))))

    def move(self, target: Floats, frames: int) -> bool:
        """Go to a place (3,) [m] on a straight line in some frames; return whether everything stayed finite."""
        start, is_finite = self.position.copy(), True
        for n in range(1, frames + 1):
            self.position = start + (n / frames) * (np.asarray(target) - start)
            for vertex, offset in self._held.items():
                self._simulation.grab(self._body, vertex, self.position + offset)
            is_finite &= self._simulation.step().is_finite
        return is_finite
