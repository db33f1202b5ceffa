"""Normals of a surface at its vertices and the box around it, for formats that hold them."""

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
        px, py, pz = positions[a, 0], positions[a, 1], positions[a, 2]
        ux, uy, uz = positions[b, 0] - px, positions[b, 1] - py, positions[b, 2] - pz
        vx, vy, vz = positions[c, 0] - px, positions[c, 1] - py, positions[c, 2] - pz
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


@kernel
def box_around(points, box):
    """Write the two corners of the box around points.

    Args:
        points: (point_count, 3), at least one [m]
        box: (2, 3) least and largest coordinates [m], written
    """
    left, low, back = right, high, front = points[0, 0], points[0, 1], points[0, 2]
    for n in range(1, points.shape[0]):
        x, y, z = points[n, 0], points[n, 1], points[n, 2]
        left, low, back = min(left, x), min(low, y), min(back, z)
        right, high, front = max(right, x), max(high, y), max(front, z)
    box[0, 0], box[0, 1], box[0, 2] = left, low, back
    box[1, 0], box[1, 1], box[1, 2] = right, high, front
