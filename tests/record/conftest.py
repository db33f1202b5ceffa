"""A stand-in for a simulation: two bodies that drift, without any physics."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest


class Drifting:
    """A quad of two triangles and a chain of three points, moving by 0.1 m along x a frame."""

    frame_rate = 10.0
    body_names = ("sheet", "rope")

    def __init__(self):
        self.frame = 0
        self._start = {
            "sheet": np.array([[0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]),
            "rope": np.array([[2.0, 1.0, 0.0], [2.0, 0.5, 0.0], [2.0, 1.0 / 3.0, 0.0]]),
        }
        self._triangles = {
            "sheet": np.array([[0, 2, 1], [1, 2, 3]]),
            "rope": np.zeros((0, 3), dtype=np.int64),
        }
        self._edges = {"sheet": np.array([[0, 1]]), "rope": np.array([[0, 1], [1, 2]])}

    @property
    def time(self):
        return self.frame / self.frame_rate

    def step(self):
        self.frame += 1

    def positions(self, body):
        return self._start[body] + np.array([0.1 * self.frame, 0.0, 0.0])

    def triangles(self, body):
        return self._triangles[body]

    def edges(self, body):
        return self._edges[body]

    def pinned(self, body):
        return np.array([0])

    obstacle_names = ()
    scene = SimpleNamespace(bodies=(), obstacles=())


@pytest.fixture
def drifting():
    return Drifting()
