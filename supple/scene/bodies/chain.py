"""A chain or rope: points in a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from supple.scene.bodies.body import Body
from supple.scene.cloth_shapes.rectangle import SHORTEST_EDGE
from supple.scene.error_messages import Steps
from supple.scene.field_types import Damping, Density, GridCount, Length, Stiffness, StretchLimit
from supple.scene.placement import FloatArray, IndexArray


class Chain(Body):
    """A line of points that hangs straight down (-y) from `at`, "start" at the top and "end" below.

    Example:
        >>> Chain(length=1.0, points=11).pinned("start").spacing
        0.1
    """

    kind: ClassVar[str] = "chain"
    point_names: ClassVar[tuple[str, ...]] = ("start", "end")

    length: Length
    """Length at rest [m]."""

    points: GridCount
    """Number of points, both ends included."""

    linear_density: Density = 0.1
    """Mass per length [kg/m]."""

    diameter: Length = 0.01
    """Of the rope, as wind and water see it [m]."""

    stretch_stiffness: Stiffness = 1.0e4
    """Pull at full elongation, Young's modulus times cross-section [N]."""

    bending_stiffness: Stiffness = 0.0
    """Moment per curvature [N·m²]."""

    damping: Damping = 0.0
    """Pull per rate of elongation [N·s]."""

    stretch_limit: StretchLimit | None = None
    """Largest elongation the over-stretch limiter allows [-]; None is no limit."""

    @property
    def point_count(self) -> int:
        """Number of points."""
        return self.points

    @property
    def spacing(self) -> float:
        """Distance of neighbouring points at rest [m]."""
        return self.length / (self.points - 1)

    def local_points(self) -> FloatArray:
        """Return the (point_count, 3) points in the chain's own axes [m], from the start down."""
        points = np.zeros((self.points, 3))
        points[:, 1] = np.linspace(0.0, -self.length, self.points)
        return points

    def surface_triangles(self) -> IndexArray:
        """Return no triangles: a chain has no surface."""
        return np.zeros((0, 3), dtype=np.int64)

    def named(self, name: str) -> IndexArray:
        """Return the index of the "start" or the "end"."""
        return np.array([{"start": 0, "end": self.points - 1}[name]], dtype=np.int64)

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        if self.spacing < SHORTEST_EDGE:
            yield (
                ("length",),
                f"is {self.length:g}, which puts neighbouring points {self.spacing:.2g} m apart, but they "
                f"must be at least {SHORTEST_EDGE:g} m apart. Lengths are in metres.",
            )
        yield from super()._mistakes()
