"""Normals at the corners of triangles: smooth over cloth, sharp at the edges of a box."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel

Floats = NDArray[np.float64]

SHARPEST_SMOOTH = 0.4
"""Cosine of the largest angle between two triangles that look like one surface."""


@kernel
def average_over_folds(points, corners, areas, planes, sharpest, corner_normals):
    """Give every corner the mean normal of the triangles around its point that fold little.

    A cloth so looks smooth, while the edge of a box, where triangles meet at a large angle,
    stays sharp.

    Args:
        points: (3 m,) point of each corner, ascending
        corners: (3 m,) number of the corner, 3 t + place in triangle t, in the same order
        areas: (m, 3) normals of the triangles, as long as twice their area [m²]
        planes: (m, 3) the same with unit length
        sharpest: cosine of the largest angle that is smoothed over
        corner_normals: (3 m, 3), added to
    """
    first = 0
    while first < points.shape[0]:
        last = first
        while last < points.shape[0] and points[last] == points[first]:
            last += 1
        for a in range(first, last):
            here = corners[a] // 3
            for b in range(first, last):
                there = corners[b] // 3
                alike = 0.0
                for axis in range(3):
                    alike += planes[here, axis] * planes[there, axis]
                if alike >= sharpest or here == there:
                    for axis in range(3):
                        corner_normals[corners[a], axis] += areas[there, axis]
        first = last


def corner_normals(positions: Floats, triangles: NDArray[np.integer]) -> Floats:
    """Return unit normals at the corners of every triangle, (triangle_count, 3, 3).

    Args:
        positions: (point_count, 3) [m]
        triangles: (triangle_count, 3) point indices
    """
    faces = np.ascontiguousarray(triangles, dtype=np.int64)
    p = positions[faces]
    areas = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
    points = faces.ravel()
    corners = np.argsort(points, kind="stable")
    normals = np.zeros((points.size, 3))
    average_over_folds(points[corners], corners, areas, unit(areas), SHARPEST_SMOOTH, normals)
    return unit(normals).reshape(-1, 3, 3)


def unit(vectors: Floats) -> Floats:
    """Return the vectors with length 1, or 0 where they have none."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Floats = vectors / np.where(length > 0.0, length, 1.0)
    return scaled
