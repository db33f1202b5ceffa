"""A stand-in for a simulation, and a real one recorded in every format that holds shapes."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import supple
from supple.record import record


class Drifting:
    """A quad of two triangles and a chain of three points, moving by 0.1 m along x a frame."""

    frame_rate = 10.0
    body_names = ("sheet", "rope")
    may_reshape = False

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


class Torn(Drifting):
    """The same, but from frame 2 on the sheet has a fifth point and its triangles share one edge less."""

    def step(self):
        super().step()
        if self.frame == 2:
            self._start["sheet"] = np.vstack([self._start["sheet"], [[1.0, 1.0, 0.5]]])
            self._triangles["sheet"] = np.array([[0, 2, 1], [4, 2, 3]])


@pytest.fixture
def drifting():
    return Drifting()


@pytest.fixture
def torn():
    return Torn()


SHAPE_ENDINGS = (".npz", ".npy", ".usd", ".usdc", ".usda", ".glb", ".obj", ".ply", ".pc2", ".vtu")
STEPS = 12


def moving_scene():
    """A sheet that falls onto a ball in motion, and a chain beside it."""
    swing = supple.Path(
        keyframes=(
            supple.Keyframe(time=0.0),
            supple.Keyframe(time=0.06),
            supple.Keyframe(time=0.2, offset=(0.1, 0.0, 0.0), rotation=(0.0, 1.2, 0.3)),
        )
    )
    return supple.Scene(
        supple.Cloth.rectangle(width=0.6, height=0.6, columns=7, rows=6, plane="xz", at=(0, 0.32, 0)),
        supple.Chain(length=0.4, points=5, at=(0.8, 0.5, 0.0)).pinned("start"),
        supple.Sphere(radius=0.3, name="ball", motion=swing),
        supple.Plane(name="ground", at=(0.0, -0.5, 0.0)),
    )


class Recorded:
    """A run and everything that was written of it."""

    def __init__(self, folder):
        self.simulation = supple.Simulation(moving_scene())
        self.positions = {name: [] for name in self.simulation.body_names}
        self.poses, self.times, self.reports = [], [], []
        self.folder = folder
        self._step = self.simulation.step
        self.simulation.step = self.step
        self.keep()
        paths = [self.path(ending) for ending in (*SHAPE_ENDINGS, ".csv", ".parquet")]
        self.files = record(self.simulation, *paths, seconds=STEPS / 50.0, tolerance=1.0e-4)

    def path(self, ending):
        return self.folder / ending[1:] / f"über run{ending}"

    def step(self):
        report = self._step()
        self.keep()
        self.reports.append(report)
        return report

    def keep(self):
        self.times.append(self.simulation.time)
        self.poses.append(self.simulation.obstacle_pose("ball"))
        for name, kept in self.positions.items():
            kept.append(self.simulation.positions(name).astype(np.float32))


@pytest.fixture(scope="session")
def recorded(tmp_path_factory):
    return Recorded(tmp_path_factory.mktemp("recorded"))
