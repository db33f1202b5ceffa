"""Mesh edges: what `mesh.triangle_edges` returns, compiled, for meshes that are cut while they move."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.model.couplings.couplings import number_pairs


def numbered_edges(triangles: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the unique edges (edge_count, 2) and the edge opposite each corner (triangle_count, 3)."""
    triangles = np.ascontiguousarray(triangles, dtype=np.int64)
    count = len(triangles)
    edges, opposite = np.empty((3 * count, 2), dtype=np.int64), np.empty((count, 3), dtype=np.int64)
    row_starts = np.zeros(int(triangles.max(initial=-1)) + 2, dtype=np.int64)
    found = number_edges(triangles, row_starts, np.empty(3 * count, dtype=np.int64), edges, opposite)
    return edges[:found].copy(), opposite


@kernel
def number_edges(triangles, row_starts, keys, edges, opposite):
    """List every edge once, ascending, and return how many there are.

    Args:
        triangles: (triangle_count, 3) vertices
        row_starts: (vertex_count + 1,) zeros; scratch
        keys: (3 * triangle_count,) scratch
        edges: (3 * triangle_count, 2) written, the smaller vertex first
        opposite: (triangle_count, 3) written, the edge opposite each corner
    """
    for t in range(triangles.shape[0]):
        for c in range(3):
            row_starts[min(triangles[t, (c + 1) % 3], triangles[t, (c + 2) % 3]) + 1] += 1
    for p in range(row_starts.shape[0] - 1):
        row_starts[p + 1] += row_starts[p]
    for t in range(triangles.shape[0]):
        for c in range(3):
            a, b = triangles[t, (c + 1) % 3], triangles[t, (c + 2) % 3]
            keys[row_starts[min(a, b)]] = (max(a, b) << 32) + 3 * t + c
            row_starts[min(a, b)] += 1
    count = number_pairs(row_starts, keys, edges)  # every start has moved on to where the next row began
    for k in range(3 * triangles.shape[0]):
        which = keys[k] & 0xFFFFFFFF
        opposite[which // 3, which % 3] = keys[k] >> 32
    return count
