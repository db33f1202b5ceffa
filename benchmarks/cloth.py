"""The cloth every benchmark drops, and the log of what its frames cost."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

MATERIAL = {
    "area_density": 0.15,
    "stretch_stiffness": 7000.0,
    "shear_stiffness": 500.0,
    "bending_stiffness": 1e-5,
}
"""A cotton weave in SI units: stiff along the threads, soft in shear.

With 1000 N/m the motion converged in time itself stretches by 14 % at the held corners of a
64 x 64 cloth, so a small largest stretch would measure an error, not a virtue; with 7000 N/m it
stretches by 4 %.
"""

FRAME_RATE = 50.0
"""Frames per second."""

FALL_FRAMES = 25
"""Frames of one run: 0.5 s, by which time the far edge has swung down."""


@dataclass(frozen=True, kw_only=True)
class FrameLog:
    """What a block of frames cost and where it left the cloth."""

    cpu_ms: tuple[float, ...]
    """CPU milliseconds of each frame, all threads together."""

    wall_ms: tuple[float, ...]
    """Elapsed milliseconds of each frame."""

    lowest: float
    """Height of the lowest point after the block [m]; the pins are at 0."""

    max_stretch: float
    """Largest length / rest length of a thread after any frame of the block [-]."""


class Competitor(Protocol):
    """A cloth that can be run and put back."""

    def reset(self) -> None:
        """Put the cloth back to its start, flat and at rest."""

    def advance(self, frames: int) -> FrameLog:
        """Compute `frames` frames."""


def largest_stretch(positions: NDArray[np.float64], points: int) -> float:
    """Return the largest length / rest length of a thread of a `points` x `points` cloth [-].

    Args:
        positions: (points², 3) [m], row by row
        points: points along one side of the square metre
    """
    grid = positions.reshape(points, points, 3)
    longest = max(np.linalg.norm(np.diff(grid, axis=axis), axis=2).max() for axis in (0, 1))
    return float(longest) * (points - 1)


def drop(points: int, **settings: Any) -> Any:
    """Return a `Simulation` of the benchmark cloth with `points` x `points` points."""
    import supple

    sheet = supple.Cloth.rectangle(
        width=1.0,
        height=1.0,
        columns=points,
        rows=points,
        plane="xz",
        material=supple.Material(**MATERIAL),
    )
    scene = supple.Scene(sheet.pinned("top-left", "top-right"))
    return supple.Simulation(scene, frame_rate=FRAME_RATE, **settings)


class OurCloth:
    """The benchmark cloth in this engine."""

    def __init__(self, points: int, integrator: str, *, substeps: int) -> None:
        """Build it with `points` x `points` points; kernels compile on its first frame."""
        self.points = points
        self.settings = {"integrator": integrator, "substeps": substeps}
        self.simulation = drop(points, **self.settings)

    def reset(self) -> None:
        """Build the cloth anew, unless it has not moved yet."""
        if self.simulation.frame:
            self.simulation = drop(self.points, **self.settings)

    def advance(self, frames: int) -> FrameLog:
        """Compute `frames` frames; the time is that of the whole `step()`, its report included."""
        cpu_ms, wall_ms, max_stretch = [], [], 1.0
        for _ in range(frames):
            cpu, wall = time.process_time(), time.perf_counter()
            self.simulation.step()
            cpu_ms.append(1e3 * (time.process_time() - cpu))
            wall_ms.append(1e3 * (time.perf_counter() - wall))
            positions = self.simulation.positions("cloth")
            max_stretch = max(max_stretch, largest_stretch(positions, self.points))
        return FrameLog(
            cpu_ms=tuple(cpu_ms),
            wall_ms=tuple(wall_ms),
            lowest=float(self.simulation.positions("cloth")[:, 1].min()),
            max_stretch=max_stretch,
        )
