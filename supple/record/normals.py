"""Normals of a surface at its vertices, for formats that hold them."""

from __future__ import annotations

import math

from supple.kernel import kernel


@kernel
def vertex_normals(positions, triangles, normals):
    """Write the unit normal at every vertex: of the triangles around it, weighed by their areas.

    A vertex without a triangle, or with triangles that cancel, gets +y: a normal of length 0 makes some
    programs draw black.

    Args:
        positions: (vertex_count, 3) [m]
        triangles: (triangle_count, 3) vertex indices, counter-clockwise seen from the front
        normals: (vertex_count, 3), written
    """
    for n in range(normals.shape[0]):
        for axis in range(3):
            normals[n, axis] = 0.0
    for t in range(triangles.shape[0]):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        ux, uy, uz = (
            positions[b, 0] - positions[a, 0],
            positions[b, 1] - positions[a, 1],
            positions[b, 2] - positions[a, 2],
        )
        vx, vy, vz = (
            positions[c, 0] - positions[a, 0],
            positions[c, 1] - positions[a, 1],
            positions[c, 2] - positions[a, 2],
        )
        x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        for k in range(3):
            corner = triangles[t, k]
            normals[corner, 0] += x
            normals[corner, 1] += y
            normals[corner, 2] += z
    for n in range(normals.shape[0]):
        x, y, z = normals[n, 0], normals[n, 1], normals[n, 2]
        length = math.sqrt(x * x + y * y + z * z)
        if length > 0.0:
            normals[n, 0], normals[n, 1], normals[n, 2] = x / length, y / length, z / length
        else:
            normals[n, 0], normals[n, 1], normals[n, 2] = 0.0, 1.0, 0.0
