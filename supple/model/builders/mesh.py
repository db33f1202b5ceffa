"""Springs and bending elements of any triangle mesh."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.model.bends import Bends, plain_bends
from supple.model.springs import STRETCH, Springs, plain_springs


def triangle_areas(positions: NDArray[np.float64], triangles: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the area of every triangle, (triangle_count,) [m²]."""
    a, b, c = (positions[triangles[:, corner]] for corner in range(3))
    areas: NDArray[np.float64] = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return areas


def vertex_areas(positions: NDArray[np.float64], triangles: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the area each vertex stands for: a third of its triangles, (vertex_count,) [m²]."""
    areas = np.zeros(len(positions))
    thirds = triangle_areas(positions, triangles) / 3.0
    for corner in range(3):
        np.add.at(areas, triangles[:, corner], thirds)
    return areas


def triangle_edges(
    triangles: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the unique edges (edge_count, 2) and the edge opposite each corner (triangle_count, 3)."""
    all_edges = np.sort(triangles[:, [[1, 2], [2, 0], [0, 1]]].reshape(-1, 2), axis=1)
    edges, where = np.unique(all_edges, axis=0, return_inverse=True)
    return edges.astype(np.int64), where.reshape(-1, 3).astype(np.int64)


def mesh_springs(positions: NDArray[np.float64], triangles: NDArray[np.int64]) -> Springs:
    """Return one spring per edge, as stiff as the strip of cloth it stands for.

    The strip of an edge of length l has the area A of its triangles and so the width A / l:
    k = Y A / l². On equilateral triangles this gives Young's modulus Y exactly.
    """
    edges, opposite = triangle_edges(triangles)
    areas = np.zeros(len(edges))
    np.add.at(areas, opposite.ravel(), np.repeat(triangle_areas(positions, triangles), 3))
    lengths = np.linalg.norm(positions[edges[:, 0]] - positions[edges[:, 1]], axis=1)
    return plain_springs(edges.astype(np.uint32), lengths, areas / lengths**2, STRETCH)


def mesh_bends(positions: NDArray[np.float64], triangles: NDArray[np.int64]) -> Bends:
    """Return one bending element across every edge that two triangles share.

    Theory: docs/theory/bending.md, eq. (B3). With the heights h of the two opposite corners
    over the edge and the feet f they stand on,

        d = |e| ( (x_2 - f_2) / h_2 + (x_3 - f_3) / h_3 ),    k = B / (A_2 + A_3)

    d vanishes on flat cloth and has the length |e| θ for a small fold θ. Bent to a cylinder
    along its edges a mesh stores B/2 κ² per area. Edges of three and more triangles fold freely.
    """
    edges, opposite = triangle_edges(triangles)
    order = np.argsort(opposite.ravel(), kind="stable")
    sorted_edges = opposite.ravel()[order]
    is_shared = np.bincount(sorted_edges, minlength=len(edges)) == 2
    corners = triangles.ravel()[order][is_shared[sorted_edges]].reshape(-1, 2)
    edges = edges[is_shared]
    first, second = positions[edges[:, 0]], positions[edges[:, 1]]
    along = second - first
    length = np.linalg.norm(along, axis=1)
    weights = np.zeros((len(edges), 4))
    area = np.zeros(len(edges))
    for side in range(2):
        arm = positions[corners[:, side]] - first
        foot = np.einsum("ex,ex->e", arm, along) / length**2
        height = np.linalg.norm(arm - foot[:, None] * along, axis=1)
        weight = length / height
        weights[:, 2 + side] = weight
        weights[:, 0] -= weight * (1.0 - foot)
        weights[:, 1] -= weight * foot
        area += 0.5 * length * height
    points = np.concatenate([edges, corners], axis=1).astype(np.uint32)
    return plain_bends(points, weights, 1.0 / area, positions)
