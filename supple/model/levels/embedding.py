"""Embedding of points in another mesh: the tetrahedron around each, its barycentric weights, and the nearest point."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.kernel import dot, kernel

INSIDE = -1e-9
"""Barycentric weights above this count as inside [-]."""

NEGLIGIBLE = 1e-10
"""Weights below this are rounded to zero [-]: a parent of such a weight would only cost time."""


class Grid(NamedTuple):
    """A uniform grid whose cells list the boxes that reach into them."""

    low: NDArray[np.float64]
    """(3,) corner of the grid [m]."""

    size: float
    """Edge of its cells [m]."""

    counts: NDArray[np.int64]
    """(3,) cells along each axis."""

    firsts: NDArray[np.int64]
    """(cell_count + 1,) first member of each cell."""

    members: NDArray[np.int64]
    """Boxes that reach into the cells."""

    @classmethod
    def of(cls, lows: NDArray[np.float64], highs: NDArray[np.float64], size: float) -> Grid:
        """Sort boxes, `lows` and `highs` (count, 3) [m], into cells of edge `size` [m]."""
        low = lows.min(axis=0)
        counts = np.maximum(1, np.ceil((highs.max(axis=0) - low) / size)).astype(np.int64)
        cursors = np.zeros(int(counts.prod()), dtype=np.int64)
        sort_into_cells(lows, highs, low, size, counts, cursors, np.zeros(0, dtype=np.int64))
        firsts = np.concatenate([[0], np.cumsum(cursors)])
        members = np.zeros(int(firsts[-1]), dtype=np.int64)
        sort_into_cells(lows, highs, low, size, counts, firsts[:-1].copy(), members)
        return cls(low, size, counts, firsts, members)


@kernel
def cell_of(x, low, size, count):
    """Return the cell along one axis in which x lies, the nearest one if outside."""
    cell = int((x - low) / size)
    return min(max(cell, 0), count - 1)


@kernel
def sort_into_cells(lows, highs, low, size, counts, cursors, members):
    """List the boxes that reach into each cell of a grid; with an empty list, only count them.

    Args:
        lows: (box_count, 3) [m]
        highs: (box_count, 3) [m]
        low: (3,) corner of the grid [m]
        size: edge of its cells [m]
        counts: (3,) cells along each axis
        cursors: (cell_count,) where the next member of each cell goes, moved on
        members: written at the cursors, or empty
    """
    for e in range(lows.shape[0]):
        i0, i1 = cell_of(lows[e, 0], low[0], size, counts[0]), cell_of(highs[e, 0], low[0], size, counts[0])
        j0, j1 = cell_of(lows[e, 1], low[1], size, counts[1]), cell_of(highs[e, 1], low[1], size, counts[1])
        k0, k1 = cell_of(lows[e, 2], low[2], size, counts[2]), cell_of(highs[e, 2], low[2], size, counts[2])
        for i in range(i0, i1 + 1):
            for j in range(j0, j1 + 1):
                for k in range(k0, k1 + 1):
                    cell = (i * counts[1] + j) * counts[2] + k
                    if members.shape[0]:
                        members[cursors[cell]] = e
                    cursors[cell] += 1


@kernel
def cell_around(points, p, grid):
    """Return the cell in which point `p` lies, the nearest one if outside, along each axis."""
    return (
        cell_of(points[p, 0], grid.low[0], grid.size, grid.counts[0]),
        cell_of(points[p, 1], grid.low[1], grid.size, grid.counts[1]),
        cell_of(points[p, 2], grid.low[2], grid.size, grid.counts[2]),
    )


@kernel
def better_element(points, p, cell, origins, inverses, grid, best, weights):
    """Look at the tetrahedra of one cell; return the one that holds point `p` better than `best`, or -1, and how well.

    How well a tetrahedron holds a point is its smallest barycentric weight there.
    """
    found = -1
    for m in range(grid.firsts[cell], grid.firsts[cell + 1]):
        e = grid.members[m]
        x = points[p, 0] - origins[e, 0]
        y = points[p, 1] - origins[e, 1]
        z = points[p, 2] - origins[e, 2]
        b = dot(inverses[e, 0], (x, y, z))
        c = dot(inverses[e, 1], (x, y, z))
        d = dot(inverses[e, 2], (x, y, z))
        a = 1.0 - b - c - d
        least = min(min(a, b), min(c, d))
        if least > best:
            best, found = least, e
            weights[p, 0], weights[p, 1], weights[p, 2], weights[p, 3] = a, b, c, d
    return found, best


@kernel
def embed(points, origins, inverses, grid, elements, weights):
    """Write the tetrahedron that holds each point, or the one that holds it best, and the barycentric weights.

    Outside of all, the tetrahedron whose smallest weight is largest is taken: a negative weight is the price of
    extrapolation, and this is the least of it. Cells are searched ring by ring around the point.

    Args:
        points: (point_count, 3) [m]
        origins: (element_count, 3) first corner of each tetrahedron [m]
        inverses: (element_count, 3, 3) rows give the weights of the other corners [1/m]
        grid: `Grid` of the boxes around the tetrahedra
        elements: (point_count,) overwritten
        weights: (point_count, 4) overwritten [-]
    """
    counts = grid.counts
    ring_count = max(counts[0], counts[1], counts[2])  # as many hold every cell
    for p in range(points.shape[0]):
        home = cell_around(points, p, grid)
        best, found, last = -np.inf, -1, ring_count
        for ring in range(ring_count):
            if ring > last:
                break
            for i in range(max(home[0] - ring, 0), min(home[0] + ring + 1, counts[0])):
                for j in range(max(home[1] - ring, 0), min(home[1] + ring + 1, counts[1])):
                    for k in range(max(home[2] - ring, 0), min(home[2] + ring + 1, counts[2])):
                        if max(abs(i - home[0]), abs(j - home[1]), abs(k - home[2])) != ring:
                            continue
                        cell = (i * counts[1] + j) * counts[2] + k
                        better, best = better_element(points, p, cell, origins, inverses, grid, best, weights)
                        found = better if better >= 0 else found
            if best >= INSIDE:
                break
            if found >= 0 and last == ring_count:
                last = ring + 1  # a neighbour of the first find may hold the point better
        elements[p] = found


@kernel
def find_nearest(points, others, grid, nearest):
    """Write which of `others` (n, 3) [m] is nearest to each of `points` (m, 3) [m]; the first of equals.

    `grid` sorts `others` into cells.
    """
    counts = grid.counts
    ring_count = max(counts[0], counts[1], counts[2])  # as many hold every cell
    for p in range(points.shape[0]):
        home = cell_around(points, p, grid)
        best, found = np.inf, -1
        for ring in range(ring_count):
            # What lies in a farther ring is at least as far as the rings in between are wide; a point outside of
            # the grid is farther from everything, so this holds for it too.
            if found >= 0 and (ring - 1) * grid.size > np.sqrt(best):
                break
            for i in range(max(home[0] - ring, 0), min(home[0] + ring + 1, counts[0])):
                for j in range(max(home[1] - ring, 0), min(home[1] + ring + 1, counts[1])):
                    for k in range(max(home[2] - ring, 0), min(home[2] + ring + 1, counts[2])):
                        if max(abs(i - home[0]), abs(j - home[1]), abs(k - home[2])) != ring:
                            continue
                        cell = (i * counts[1] + j) * counts[2] + k
                        for m in range(grid.firsts[cell], grid.firsts[cell + 1]):
                            n = grid.members[m]
                            x = points[p, 0] - others[n, 0]
                            y = points[p, 1] - others[n, 1]
                            z = points[p, 2] - others[n, 2]
                            square = x * x + y * y + z * z
                            if square < best or (square == best and n < found):
                                best, found = square, n
        nearest[p] = found


def embedded(
    points: NDArray[np.float64], vertices: NDArray[np.float64], corners: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the tetrahedron of a mesh each point lies in, (point_count,), and the barycentric weights of its corners.

    The weights (point_count, 4) add up to 1 and give the point back: Σ w x = p. Points outside get a negative one.

    Args:
        points: (point_count, 3) [m]
        vertices: (vertex_count, 3) of the mesh [m]
        corners: (element_count, 4) its tetrahedra
    """
    origins = np.ascontiguousarray(vertices[corners[:, 0]])
    edges = vertices[corners[:, 1:]] - origins[:, None, :]
    inverses = np.ascontiguousarray(np.linalg.inv(edges.transpose(0, 2, 1)))
    lows, highs = vertices[corners].min(axis=1), vertices[corners].max(axis=1)
    grid = Grid.of(lows, highs, float((highs - lows).mean()))
    elements = np.zeros(len(points), dtype=np.int64)
    weights = np.zeros((len(points), 4))
    embed(np.ascontiguousarray(points), origins, inverses, grid, elements, weights)
    weights[np.abs(weights) < NEGLIGIBLE] = 0.0
    # What rounding took goes to the heaviest corner: weights of 1 in sum make rigid motion exact.
    rows, heaviest = np.arange(len(points)), weights.argmax(axis=1)
    weights[rows, heaviest] += 1.0 - weights.sum(axis=1)
    return elements, weights


def nearest_points(points: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return which of `others` (n, 3) [m] is nearest to each of `points` (m, 3) [m]: its Voronoi cell, (m,)."""
    extent = np.ptp(others, axis=0)
    size = float(max((extent.prod() / max(len(others), 1)) ** (1.0 / 3.0), 1e-3 * extent.max(), 1e-12))
    grid = Grid.of(others, others, size)
    nearest = np.zeros(len(points), dtype=np.int64)
    find_nearest(np.ascontiguousarray(points), np.ascontiguousarray(others), grid, nearest)
    return nearest
