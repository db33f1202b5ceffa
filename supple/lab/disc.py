"""Disc: rings of points joined by nearly equilateral triangles, as the drape test needs them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def ring_mesh(
    inner: float, outer: float, held: float, spacing: float
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Return a flat annulus: points (n, 3) in the plane xz, triangles, and the points within the held radius.

    A ring of points lies exactly at the held radius, so that cloth is free from there on.

    Args:
        inner: radius of the hole, which shrinks to a whole number of rings [m]
        outer: radius of the border [m]
        held: radius up to which points are held [m]
        spacing: about the distance of neighbouring points [m]
    """
    step = spacing * np.sqrt(3.0) / 2.0
    outside = np.linspace(held, outer, max(2, round((outer - held) / step) + 1))
    inside = held - (outside[1] - outside[0]) * np.arange(1, max(1, round((held - inner) / step)) + 1)[::-1]
    points: list[NDArray[np.float64]] = []
    triangles: list[list[int]] = []
    before: tuple[NDArray[np.int64], NDArray[np.float64]] | None = None
    first = 0
    for number, radius in enumerate(np.concatenate([inside, outside])):
        count = max(6, round(2.0 * np.pi * radius / spacing))
        angles = 2.0 * np.pi * (np.arange(count) + 0.5 * (number % 2)) / count
        points.append(np.stack([radius * np.sin(angles), np.zeros(count), radius * np.cos(angles)], axis=1))
        names = first + np.arange(count)
        if before is not None:
            triangles += _joined(*before, names, angles)
        before, first = (names, angles), first + count
    positions = np.concatenate(points)
    is_held = np.hypot(positions[:, 0], positions[:, 2]) < held * (1.0 + 1e-9)
    return positions, np.array(triangles), np.flatnonzero(is_held)


def _joined(
    low: NDArray[np.int64],
    low_angles: NDArray[np.float64],
    high: NDArray[np.int64],
    high_angles: NDArray[np.float64],
) -> list[list[int]]:
    """Return the triangles between two rings, each step going on along the ring that lies behind."""
    triangles = []
    i = j = 0
    turn = 2.0 * np.pi
    while i < len(low) or j < len(high):
        next_low = low_angles[(i + 1) % len(low)] + turn * ((i + 1) // len(low))
        next_high = high_angles[(j + 1) % len(high)] + turn * ((j + 1) // len(high))
        a, b = int(low[i % len(low)]), int(high[j % len(high)])
        if j >= len(high) or (i < len(low) and next_low < next_high):
            i += 1
            triangles.append([a, b, int(low[i % len(low)])])
        else:
            j += 1
            triangles.append([a, b, int(high[j % len(high)])])
    return triangles
