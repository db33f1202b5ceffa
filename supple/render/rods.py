"""Rods: chains and networks as surfaces, so that they are drawn like everything else."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.render.corner_normals import unit

Floats = NDArray[np.float64]

SIDES = 6


def rod_surfaces(points: Floats, ends: NDArray[np.integer], radii: Floats) -> tuple[Floats, Floats]:
    """Return prisms around the lines between points: corners (m, 3, 3) [m] and their unit normals (m, 3, 3).

    Args:
        points: (point_count, 3) [m]
        ends: (rod_count, 2) point indices
        radii: (point_count,) [m]
    """
    a, b = points[ends[:, 0]], points[ends[:, 1]]
    along = unit(b - a)
    helper = np.where(np.abs(along[:, 1:2]) < 0.9, [[0.0, 1.0, 0.0]], [[1.0, 0.0, 0.0]])
    first = unit(np.cross(along, helper))
    second = np.cross(along, first)
    angles = 2.0 * np.pi * np.arange(SIDES) / SIDES
    outwards = np.cos(angles)[:, None] * first[:, None] + np.sin(angles)[:, None] * second[:, None]
    low = a[:, None] + radii[ends[:, 0], None, None] * outwards
    high = b[:, None] + radii[ends[:, 1], None, None] * outwards
    after = np.roll(np.arange(SIDES), -1)
    corners = np.stack([low, low[:, after], high[:, after], low, high[:, after], high], axis=2)
    normals = np.stack([outwards, outwards[:, after], outwards[:, after]] * 2, axis=2)
    normals[:, :, 4:] = np.stack([outwards[:, after], outwards], axis=2)
    normals[:, :, 3] = outwards
    return corners.reshape(-1, 3, 3), normals.reshape(-1, 3, 3)
