"""Every scene of the gallery is played once, from start to end, and looked at by all tests."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from supple import Scene, Simulation, StepReport, find_scene


@dataclass(frozen=True)
class Playback:
    """A scene that was played to its end."""

    scene: Scene
    simulation: Simulation
    reports: list[StepReport]
    starts: dict[str, NDArray[np.float64]]
    """Positions of every body before the first step [m]."""

    lowest: dict[str, list[float]]
    """Height of every body's lowest point after each frame [m]."""

    depths: list[float]
    """How deep the deepest free point was inside an obstacle after each frame [m]; negative if none was."""

    @property
    def largest_stretch(self) -> float:
        return max(report.max_stretch for report in self.reports)

    def sag(self, body: str) -> float:
        """Return how far the lowest point of a body ended under its lowest start [m]."""
        return float(self.starts[body][:, 1].min() - self.simulation.positions(body)[:, 1].min())


@functools.cache
def _play(name: str) -> Playback:
    scene = find_scene(name)
    simulation = Simulation(scene)
    starts = {body: simulation.positions(body).copy() for body in simulation.body_names}
    lowest: dict[str, list[float]] = {body: [] for body in simulation.body_names}
    reports, depths = [], []
    for report in simulation.run(scene.duration):
        reports.append(report)
        depths.append(simulation.depth())
        for body, heights in lowest.items():
            heights.append(float(simulation.positions(body)[:, 1].min()))
    return Playback(scene, simulation, reports, starts, lowest, depths)


@pytest.fixture
def play() -> Callable[[str], Playback]:
    return _play
