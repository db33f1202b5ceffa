"""Orientation and crossing of points and segments of the plane."""

from __future__ import annotations

import numpy as np

from supple.scene.placement import BoolArray, FloatArray


def orientation(a: FloatArray, b: FloatArray, c: FloatArray) -> FloatArray:
    """Return twice the signed area of triangles a, b, c: positive if they turn left [m²]."""
    area: FloatArray = (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (
        c[..., 0] - a[..., 0]
    )
    return area


def crosses(a: FloatArray, b: FloatArray, p: FloatArray, q: FloatArray) -> BoolArray:
    """Tell whether the segment a-b meets each of the segments p-q (n, 2), touching included."""
    first, second = orientation(a, b, p), orientation(a, b, q)
    third, fourth = (
        orientation(p, q, np.broadcast_to(a, p.shape)),
        orientation(p, q, np.broadcast_to(b, p.shape)),
    )
    is_straddling = (np.sign(first) * np.sign(second) <= 0.0) & (np.sign(third) * np.sign(fourth) <= 0.0)
    low, high = np.minimum(a, b), np.maximum(a, b)
    overlaps = np.all((np.minimum(p, q) <= high) & (np.maximum(p, q) >= low), axis=1)
    is_met: BoolArray = is_straddling & overlaps
    return is_met
