"""Isosurface stuffing: fill a solid with well-shaped tetrahedra (Labelle and Shewchuk 2007).

A body-centred cubic lattice is laid over the solid. Lattice points close to the surface are moved onto
it, tetrahedra that the surface still crosses are cut along it, and what lies inside is kept. Because no
cut passes near a lattice point, no tetrahedron comes out thin.

Lattice points are named by whole numbers (i, j, k): all even (corners of cubes) or all odd (their middles). A
step of 1 is half the edge of a cube, the cell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from supple.scene.placement import BoolArray, FloatArray, IndexArray
from supple.scene.soft_shapes.tetra_quality import dihedral_angles

Mesh = tuple[FloatArray, IndexArray]
"""Points (n, 3) [m] and tetrahedra (t, 4)."""

LONG_STEPS = ((2, 0, 0), (0, 2, 0), (0, 0, 2))
"""Edges between lattice points of the same kind, one cell long."""

SHORT_STEPS = ((1, 1, 1), (1, 1, -1), (1, -1, 1), (1, -1, -1))
"""Edges between corners and middles, 0.87 cells long."""

LONG_REACH, SHORT_REACH = 0.24999, 0.41189
"""Share of an edge within which a crossing pulls the lattice point onto the surface [-]; these give the best
worst angles (Labelle and Shewchuk 2007, Table 1)."""

GOOD_ANGLE = 18.0
"""Smallest dihedral angle that ends the search for a better place of the lattice [degrees]."""

SHIFTS = ((0.4871, 0.5093, 0.4957), (0.31, 0.43, 0.37), (0.73, 0.19, 0.61), (0.11, 0.67, 0.83))
"""Shares of the spare room below the solid; odd numbers, so that no flat face lies in a plane of the lattice."""


class Solid(Protocol):
    """What can be filled: it knows what is inside, and where its surface crosses lattice edges."""

    def is_inside(self, points: FloatArray, names: IndexArray) -> BoolArray:
        """Tell for each of the (n, 3) lattice points [m] with names (n, 3) whether it lies inside."""

    def crossings(
        self, starts: FloatArray, ends: FloatArray, names: IndexArray, step: IndexArray
    ) -> FloatArray:
        """Return the share of each edge from `starts` to `ends` (n, 3) [m], one of them inside, at which it crosses.

        Edges lead from the lattice points `names` (n, 3) by `step` (3,).
        """


@dataclass(frozen=True)
class Lattice:
    """A body-centred cubic lattice over a box."""

    origin: FloatArray
    """(3,) place of the point (0, 0, 0) [m]."""

    half: float
    """Half the edge of a cube [m]."""

    counts: tuple[int, int, int]
    """Steps along x, y and z; all even."""

    @classmethod
    def over(
        cls, box: tuple[FloatArray, FloatArray], cell: float, shift: tuple[float, float, float]
    ) -> Lattice:
        """Return a lattice of cubes with edge `cell` [m] around a box; `shift` is one of SHIFTS."""
        low, high = box
        cubes = np.ceil((high - low) / cell).astype(np.int64) + 2
        spare = cubes * cell - (high - low)
        x, y, z = (2 * cubes).tolist()
        return cls(low - np.array(shift) * spare, 0.5 * cell, (x, y, z))

    def names(self) -> IndexArray:
        """Return all lattice points, (n, 3) whole numbers; corners of cubes first, then their middles."""
        parts = []
        for first in (0, 1):
            axes = [np.arange(first, count + 1, 2) for count in self.counts]
            parts.append(np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3))
        return np.concatenate(parts)

    def points(self, names: IndexArray) -> FloatArray:
        """Return where lattice points are, (n, 3) [m]."""
        places: FloatArray = self.origin + self.half * names
        return places


def stuffed(solid_on: Callable[[Lattice], Solid], box: tuple[FloatArray, FloatArray], cell: float) -> Mesh:
    """Return the points (n, 3) [m] and the tetrahedra (t, 4) that fill a solid; none if the cells miss it.

    The lattice is shifted a few times at most, until the smallest angle is good.

    Args:
        solid_on: makes the solid ready for a lattice
        box: low and high corner of the solid (3,) [m]
        cell: edge of the cubes of the lattice [m]
    """
    best, best_angle = None, -1.0
    for shift in SHIFTS:
        lattice = Lattice.over(box, cell, shift)
        points, tetrahedra = _stuffed_once(solid_on(lattice), lattice)
        angle = float(np.degrees(dihedral_angles(points, tetrahedra).min(initial=np.pi)))
        if best is None or (len(tetrahedra) and angle > best_angle):
            best, best_angle = (points, tetrahedra), angle
        if angle >= GOOD_ANGLE and len(tetrahedra):
            break
    assert best is not None
    return best


def _stuffed_once(solid: Solid, lattice: Lattice) -> Mesh:
    names = lattice.names()
    points = lattice.points(names)
    index = np.full(np.array(lattice.counts) + 1, -1)
    index[tuple(names.T)] = np.arange(len(names))
    side = np.where(solid.is_inside(points, names), 1, -1)
    edges, cuts, reaches = _cut_edges(solid, lattice, names, points, index, side)
    points, side, is_cut = _snapped(points, side, edges, cuts, reaches)
    return _trimmed(points, side, edges[is_cut], cuts[is_cut], _lattice_tetrahedra(lattice, index))


def _cut_edges(
    solid: Solid,
    lattice: Lattice,
    names: IndexArray,
    points: FloatArray,
    index: IndexArray,
    side: IndexArray,
) -> tuple[IndexArray, FloatArray, FloatArray]:
    """Return the lattice edges that the surface crosses: their ends, where [m], and the reach of a snap [-]."""
    edges, cuts, reaches = [], [], []
    most = np.array(lattice.counts)
    for steps, reach in ((LONG_STEPS, LONG_REACH), (SHORT_STEPS, SHORT_REACH)):
        for step in steps:
            other = names + step
            is_there = ((other >= 0) & (other <= most)).all(axis=1)
            start = np.flatnonzero(is_there)
            end = index[tuple(other[start].T)]
            is_crossed = side[start] != side[end]
            start, end = start[is_crossed], end[is_crossed]
            shares = solid.crossings(points[start], points[end], names[start], np.array(step))
            edges.append(np.stack([start, end], axis=1))
            cuts.append(points[start] + shares[:, None] * (points[end] - points[start]))
            reaches.append(np.full(len(start), reach))
    return np.concatenate(edges), np.concatenate(cuts), np.concatenate(reaches)


def _snapped(
    points: FloatArray, side: IndexArray, edges: IndexArray, cuts: FloatArray, reaches: FloatArray
) -> tuple[FloatArray, IndexArray, BoolArray]:
    """Move lattice points that are close to the surface onto it; return what is left of the crossed edges.

    A point that moves takes all crossings of its edges away. Points at two ends of a crossed edge
    never move in the same round: the nearer one does, and the other may not need to any more.
    """
    points, side = points.copy(), side.copy()
    lengths = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)
    is_cut = np.ones(len(edges), dtype=np.bool_)
    while True:
        live = np.flatnonzero(is_cut)
        away = np.linalg.norm(cuts[live, None, :] - points[edges[live]], axis=2) / lengths[live, None]
        is_near = away < reaches[live, None]
        if not is_near.any():
            return points, side, is_cut
        nearest = np.full(len(points), np.inf)
        np.minimum.at(nearest, edges[live][is_near], away[is_near])
        # A point gives way to a neighbour that is nearer, or as near and comes first.
        rank = np.full(len(points), len(points))
        wanting = np.flatnonzero(np.isfinite(nearest))
        rank[wanting[np.lexsort((wanting, nearest[wanting]))]] = np.arange(len(wanting))
        ends = rank[edges[live]]
        is_free = np.isfinite(nearest)
        is_free[edges[live, 0][ends[:, 0] > ends[:, 1]]] = False
        is_free[edges[live, 1][ends[:, 1] > ends[:, 0]]] = False
        moving = is_free[edges[live]] & is_near & (away == nearest[edges[live]])
        row, end = np.nonzero(moving)
        points[edges[live[row], end]] = cuts[live[row]]
        side[edges[live[row], end]] = 0
        is_cut[live] = (side[edges[live]] != 0).all(axis=1)


def _lattice_tetrahedra(lattice: Lattice, index: IndexArray) -> IndexArray:
    """Return all tetrahedra of the lattice: two middles of neighbouring cubes and an edge of their common face."""
    parts = []
    for axis in range(3):
        u, v, w = axis, (axis + 1) % 3, (axis + 2) % 3
        views = index.transpose(u, v, w)
        low, high = views[1:-2:2, 1::2, 1::2], views[3::2, 1::2, 1::2]
        face = [
            views[2:-1:2, :-1:2, :-1:2],
            views[2:-1:2, 2::2, :-1:2],
            views[2:-1:2, 2::2, 2::2],
            views[2:-1:2, :-1:2, 2::2],
        ]
        for n in range(4):
            parts.append(np.stack([low, face[n], face[(n + 1) % 4], high], axis=-1).reshape(-1, 4))
    return np.concatenate(parts)


def _trimmed(
    points: FloatArray, side: IndexArray, edges: IndexArray, cuts: FloatArray, tetrahedra: IndexArray
) -> tuple[FloatArray, IndexArray]:
    """Keep the tetrahedra inside, cut those that the surface crosses, and drop points that nothing uses."""
    places = np.concatenate([points, cuts])
    parts = _cut_tetrahedra(places, side, edges, tetrahedra)
    edge_vectors = places[parts[:, 1:]] - places[parts[:, :1]]
    is_inverted = np.linalg.det(edge_vectors) < 0.0
    parts[is_inverted, 2:] = parts[is_inverted, :1:-1]
    used, renumbered = np.unique(parts, return_inverse=True)
    return places[used], renumbered.reshape(-1, 4).astype(np.int64)


def _cut_tetrahedra(
    places: FloatArray, side: IndexArray, edges: IndexArray, tetrahedra: IndexArray
) -> IndexArray:
    """Return the parts of tetrahedra that lie inside, (count, 4), one template for each way to be cut.

    Args:
        places: lattice points, then the points where `edges` cross the surface, (n, 3) [m]
        side: 1 for lattice points inside, 0 on the surface, -1 outside
        edges: (edge_count, 2) lattice edges that cross the surface
        tetrahedra: (t, 4) lattice points
    """
    count = len(side)
    tetrahedra = tetrahedra[(side[tetrahedra] == 1).any(axis=1)]
    # Corners inside first, then on the surface, then outside; among equals the first lattice point first.
    # All tetrahedra that share a face order it alike, so they cut it alike.
    order = np.lexsort((tetrahedra, -side[tetrahedra]), axis=1)
    tetrahedra = np.take_along_axis(tetrahedra, order, axis=1)
    inside, outside = (side[tetrahedra] == 1).sum(axis=1), (side[tetrahedra] == -1).sum(axis=1)
    keys = np.sort(edges, axis=1) @ np.array([count, 1])
    by_key = np.argsort(keys)

    def cut(a: IndexArray, b: IndexArray) -> IndexArray:
        """Return the points where the surface crosses the edges from a to b."""
        key = np.minimum(a, b) * count + np.maximum(a, b)
        return count + by_key[np.searchsorted(keys[by_key], key)]

    def case(inner: int, outer: int) -> IndexArray:
        chosen: IndexArray = tetrahedra[(inside == inner) & (outside == outer)].T
        return chosen

    parts = [tetrahedra[outside == 0].T]
    a, b, c, d = case(1, 1)
    parts += [np.stack([a, b, c, cut(a, d)])]
    a, b, c, d = case(1, 2)
    parts += [np.stack([a, b, cut(a, c), cut(a, d)])]
    a, b, c, d = case(1, 3)
    parts += [np.stack([a, cut(a, b), cut(a, c), cut(a, d)])]
    a, b, c, d = case(2, 1)
    parts += [np.stack([c, a, b, cut(b, d)]), np.stack([c, a, cut(b, d), cut(a, d)])]
    a, b, c, d = case(3, 1)
    ad, bd, cd = cut(a, d), cut(b, d), cut(c, d)
    parts += [np.stack([a, b, c, cd]), np.stack([a, b, bd, cd]), np.stack([a, ad, bd, cd])]
    a, b, c, d = case(2, 2)
    parts += _halved(places, a, b, (cut(a, c), cut(a, d), cut(b, c), cut(b, d)))
    return np.concatenate(parts, axis=1).T


def _halved(
    places: FloatArray,
    a: IndexArray,
    b: IndexArray,
    cuts: tuple[IndexArray, IndexArray, IndexArray, IndexArray],
) -> list[IndexArray]:
    """Return the three parts of tetrahedra with an edge a-b inside, cut along the shorter diagonal of the four cuts."""
    ac, ad, bc, bd = cuts
    first = np.linalg.norm(places[ac] - places[bd], axis=1)
    second = np.linalg.norm(places[bc] - places[ad], axis=1)
    is_first = first <= second
    return [
        np.stack([a, b, bc, bd]),
        np.stack([a, ac, np.where(is_first, bd, ad), bc]),
        np.stack([a, np.where(is_first, ac, bc), bd, ad]),
    ]
