"""How deep points are inside a closed surface, found by other means than those that are tested."""

from __future__ import annotations

import numpy as np

from supple.collide.narrow_phase.point_triangle import triangle_distance2
from supple.collide.obstacles.particle_contact import measure_depths


def depth(points, corners):
    """Return how deep the deepest of some points is inside a closed surface [m]; 0 if none is inside.

    Independent of what is tested: a point is inside if the surface fills all directions around it.
    """
    deepest = 0.0
    for x, y, z in points:
        a, b, c = (corners[:, k] - (x, y, z) for k in range(3))
        la, lb, lc = (np.linalg.norm(v, axis=1) for v in (a, b, c))
        dot = [np.einsum("ij,ij->i", u, v) for u, v in ((a, b), (b, c), (c, a))]
        whole = la * lb * lc + dot[0] * lc + dot[1] * la + dot[2] * lb
        if 2.0 * np.arctan2(np.einsum("ij,ij->i", a, np.cross(b, c)), whole).sum() > 2.0 * np.pi:
            flat = np.ascontiguousarray(corners.reshape(-1))
            nearest = min(triangle_distance2(flat, 9 * n, x, y, z) for n in range(len(corners)))
            deepest = max(deepest, float(np.sqrt(nearest)))
    return deepest


def deepest_place(simulation, body, parts=6):
    """Return how deep the deepest of many places on the triangles of a body is inside of obstacles [m], negative outside."""
    weights = (
        np.array([(a, b, parts - a - b) for a in range(parts + 1) for b in range(parts + 1 - a)]) / parts
    )
    corners = simulation.positions(body)[simulation.triangles(body)]
    places = np.ascontiguousarray(np.einsum("nw,twx->tnx", weights, corners).reshape(-1, 3))
    obstacles, depths = simulation.engine.obstacles, np.empty(len(places))
    measure_depths(obstacles.solids, obstacles.poses.t1, places, depths)
    return float(depths.max())
