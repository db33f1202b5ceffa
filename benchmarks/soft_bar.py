"""The soft bar every benchmark of soft bodies bends: 1.0 x 0.3 x 0.3 m, one end fixed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

SIZE = (1.0, 0.3, 0.3)
"""Extents at rest [m]."""

YOUNG, POISSON, DENSITY = 1.0e5, 0.3, 1000.0
"""Soft enough to hang down nearly vertically: Pa, -, kg/m³."""

FRAME_RATE = 50.0
"""Frames per second."""

CONVERGED_TIP = (0.020, -0.867)
"""Where the middle of the free end comes to rest, x and y [m]: our own runs with 266 to 15,526 points, extrapolated
to cells of no size."""

CELLS = {"1,000": 0.06, "10,000": 0.028}
"""Edge of our cells [m], by the number of points they make, about."""


@dataclass(frozen=True, kw_only=True)
class BarLog:
    """What a block of frames cost and where it left the bar."""

    cpu_ms: tuple[float, ...]
    """CPU milliseconds of each frame, all threads together."""

    tip: tuple[float, float]
    """Middle of the free end, x and y [m]; the bar starts from -0.5 to 0.5 m."""

    inverted: int
    """Tetrahedra inside out after the last frame."""

    points: int
    """Number of points."""


class Bar(Protocol):
    """A bar that can be run."""

    def advance(self, frames: int) -> BarLog:
        """Compute `frames` frames."""


def bar_mesh(cell: float) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return points (n, 3) [m] and tetrahedra (t, 4) of the bar."""
    from supple.scene.soft_shapes.soft_shapes import SoftBox

    return SoftBox(size=SIZE, cell=cell).mesh


def summary(
    positions: NDArray[np.float64],
    rest: NDArray[np.float64],
    tetrahedra: NDArray[np.int64],
    cpu_ms: list[float],
) -> BarLog:
    """Return the log of a block of frames."""
    sign = np.sign(np.linalg.det(rest[tetrahedra[:, 1:]] - rest[tetrahedra[:, :1]]))
    volumes = np.linalg.det(positions[tetrahedra[:, 1:]] - positions[tetrahedra[:, :1]])
    tip = positions[np.isclose(rest[:, 0], rest[:, 0].max())].mean(axis=0)
    return BarLog(
        cpu_ms=tuple(cpu_ms),
        tip=(float(tip[0]), float(tip[1])),
        inverted=int(np.count_nonzero(~(volumes * sign > 0.0))),
        points=len(rest),
    )


class OurBar:
    """The bar in this engine; the integrator and the substeps are left to it."""

    def __init__(self, cell: float, drag: float = 1.0) -> None:
        """Build it with cells of `cell` metres; `drag` [1/s] lets it settle."""
        import supple

        material = supple.SoftMaterial(young=YOUNG, poisson=POISSON, density=DENSITY)
        body = supple.SoftBody.box(SIZE, cell, material=material)
        self.simulation = supple.Simulation(
            supple.Scene(body.pinned("left"), drag=drag), substeps="auto", frame_rate=FRAME_RATE
        )
        self._rest = self.simulation.positions("soft").copy()
        self._tetrahedra = body.tetrahedra()

    def advance(self, frames: int) -> BarLog:
        """Compute `frames` frames; the time is that of the whole `step()`, its report included."""
        cpu_ms = []
        for _ in range(frames):
            start = time.process_time()
            self.simulation.step()
            cpu_ms.append(1e3 * (time.process_time() - start))
        return summary(self.simulation.positions("soft"), self._rest, self._tetrahedra, cpu_ms)

    @property
    def method(self) -> str:
        """What the engine chose."""
        name: Any = type(self.simulation.engine.integrator).__name__
        return f"supple, {name.lower()}"
