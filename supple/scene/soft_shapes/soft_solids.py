"""Solids given by formulas that soft bodies can fill."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from supple.scene.placement import BoolArray, FloatArray, IndexArray

HALVINGS = 40
"""Bisections of an edge: enough to find its crossing to the last digit."""


@dataclass(frozen=True)
class FormulaSolid:
    """The places where a function is negative."""

    height: Callable[[FloatArray], FloatArray]
    """Negative inside, (n, 3) points [m] to (n,)."""

    half_extents: tuple[float, float, float]
    """The solid lies within these about the origin [m]."""

    @property
    def box(self) -> tuple[FloatArray, FloatArray]:
        """Low and high corner (3,) [m]."""
        return -np.array(self.half_extents), np.array(self.half_extents)

    def is_inside(self, points: FloatArray, names: IndexArray) -> BoolArray:
        """Tell for each of the (n, 3) points [m] whether it lies inside."""
        inside: BoolArray = self.height(points) < 0.0
        return inside

    def crossings(
        self, starts: FloatArray, ends: FloatArray, names: IndexArray, step: IndexArray
    ) -> FloatArray:
        """Return the share of each edge at which it crosses the surface, by bisection."""
        is_inside = self.height(starts) < 0.0
        low, high = np.zeros(len(starts)), np.ones(len(starts))
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            is_same = (self.height(starts + middle[:, None] * (ends - starts)) < 0.0) == is_inside
            low, high = np.where(is_same, middle, low), np.where(is_same, high, middle)
        return 0.5 * (low + high)


def ellipsoid(radii: tuple[float, float, float]) -> FormulaSolid:
    """Return a ball with three radii [m]."""
    scales = np.array(radii)
    return FormulaSolid(lambda points: np.linalg.norm(points / scales, axis=1) - 1.0, radii)


def capsule(radius: float, height: float) -> FormulaSolid:
    """Return a rod with round ends along y; `height` is from end to end [m]."""
    half = 0.5 * height - radius

    def outside(points: FloatArray) -> FloatArray:
        beyond = points[:, 1] - np.clip(points[:, 1], -half, half)
        return np.sqrt(points[:, 0] ** 2 + beyond**2 + points[:, 2] ** 2) - radius

    return FormulaSolid(outside, (radius, 0.5 * height, radius))


def cylinder(radius: float, height: float) -> FormulaSolid:
    """Return a rod with flat ends along y [m]."""

    def outside(points: FloatArray) -> FloatArray:
        return np.maximum(np.hypot(points[:, 0], points[:, 2]) - radius, np.abs(points[:, 1]) - 0.5 * height)

    return FormulaSolid(outside, (radius, 0.5 * height, radius))


def torus(radius: float, tube: float) -> FormulaSolid:
    """Return a ring about y: `radius` to the middle of the tube, `tube` its own radius [m]."""

    def outside(points: FloatArray) -> FloatArray:
        return np.hypot(np.hypot(points[:, 0], points[:, 2]) - radius, points[:, 1]) - tube

    return FormulaSolid(outside, (radius + tube, tube, radius + tube))
