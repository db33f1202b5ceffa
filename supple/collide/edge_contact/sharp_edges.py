"""Which solids have edges, and how sharply others bend."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from supple.collide.obstacles import shapes
from supple.collide.obstacles.solid_arrays import Solids
from supple.model.builders.mesh_edges import numbered_edges

SHARP = math.radians(30.0)
"""Angle between two triangles of a mesh from which on they form an edge [rad]."""


def least_bend(solids: Solids, index: int, faces: tuple[NDArray[np.float64], NDArray[np.int64]]) -> float:
    """Return the smallest radius at which the surface of a solid bends outwards [m]: 0 at an edge, inf where it is flat.

    Args:
        solids: all of them
        index: which one
        faces: its surface, vertices (vertex_count, 3) [m] and triangles (triangle_count, 3)
    """
    kind, values = int(solids.kinds[index]), solids.parameters[index]
    match kind:
        case shapes.PLANE:
            return math.inf
        case shapes.SPHERE:
            return float(values[0])
        case shapes.ELLIPSOID:
            return float(values[:3].min() ** 2 / values[:3].max())
        case shapes.BOX:
            return float(values[3])
        case shapes.CAPSULE:
            return float(values[6])
        case shapes.CYLINDER:
            return 0.0
        case shapes.TORUS:
            return float(values[1])
    return 0.0 if has_sharp_edges(*faces) else math.inf


def has_sharp_edges(vertices: NDArray[np.float64], triangles: NDArray[np.int64]) -> bool:
    """Return whether two triangles of a mesh form an edge that points outwards."""
    corners = vertices[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    normals /= np.where(lengths > 0.0, lengths, 1.0)[:, None]
    sides = numbered_edges(triangles)[1].ravel()
    order = np.argsort(sides, kind="stable")
    is_shared = sides[order][1:] == sides[order][:-1]
    one, other = order[:-1][is_shared] // 3, order[1:][is_shared] // 3
    is_bent = (normals[one] * normals[other]).sum(axis=1) < math.cos(SHARP)
    is_bent &= (lengths[one] > 0.0) & (lengths[other] > 0.0)
    way = corners[other].mean(axis=1) - corners[one].mean(axis=1)
    return bool((is_bent & ((normals[one] * way).sum(axis=1) < 0.0)).any())
