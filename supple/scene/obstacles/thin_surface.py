"""Thin surfaces: an open mesh that encloses nothing, such as a flat sheet, becomes a plate with two sides.

The sum of the area vectors of a closed surface is zero, and that of an open one is the area of its holes. Where the holes
are nearly as large as the surface itself, there is nothing to be inside of.
"""

from __future__ import annotations

import numpy as np

from supple.scene.placement import FloatArray, IndexArray

OPEN = 0.7
"""Least area of the holes of a thin surface, over its own [-]; half a ball has 0.5."""

THICKNESS = 1.0 / 64.0
"""Of the plate, over the largest extent of the surface [-]: a voxel of its distance map."""


def is_thin(vertices: FloatArray, triangles: IndexArray) -> bool:
    """Tell whether a mesh encloses next to nothing, so that it has two sides instead of an inside."""
    areas = np.cross(
        vertices[triangles[:, 1]] - vertices[triangles[:, 0]],
        vertices[triangles[:, 2]] - vertices[triangles[:, 0]],
    )
    whole = float(np.linalg.norm(areas, axis=1).sum())
    return whole > 0.0 and float(np.linalg.norm(areas.sum(axis=0))) > OPEN * whole


def plate(vertices: FloatArray, triangles: IndexArray, thickness: float) -> tuple[FloatArray, IndexArray]:
    """Return the closed surface of a plate around a thin one: both sides, and a rim where it has a border.

    Args:
        vertices: (vertex_count, 3) [m]
        triangles: (triangle_count, 3) that face the same way
        thickness: of the plate [m]; half of it lies on either side
    """
    corners = vertices[triangles]
    areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros_like(vertices)
    for corner in range(3):
        np.add.at(normals, triangles[:, corner], areas)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    count = len(vertices)
    points = np.concatenate([vertices + 0.5 * thickness * normals, vertices - 0.5 * thickness * normals])
    sides = triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    a, b = sides[~np.isin(sides[:, 0] * count + sides[:, 1], sides[:, 1] * count + sides[:, 0])].T
    rim = np.concatenate([np.stack([a, a + count, b + count], axis=1), np.stack([a, b + count, b], axis=1)])
    return points, np.concatenate([triangles, triangles[:, ::-1] + count, rim])
