"""The solid inside a closed triangle surface, seen from the lines of a lattice.

Every edge of a body-centred lattice lies on a line of one of seven families: along x, y, z and along the four
diagonals of a cube. Each triangle is drawn, as on a screen, into the plane across such a family; where it
covers a line the surface crosses it. The crossings of the lines along x tell what is inside, those of all
families where edges are to be cut.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.scene.placement import BoolArray, FloatArray, IndexArray
from supple.scene.soft_shapes.isosurface_stuffing import Lattice

MOST_COVERED = 4_000_000
"""Triangles times lines looked at in one go, for the sake of memory."""


@dataclass(frozen=True)
class Crossings:
    """Where a surface crosses the lines of one family, sorted by line and then along it."""

    keys: IndexArray
    """(n,) which line."""

    along: FloatArray
    """(n,) how far along it, in steps of the lattice."""

    ways: IndexArray
    """(n,) 1 where the line leaves the solid, -1 where it enters."""


class SurfaceSolid:
    """What a closed surface encloses, on one lattice.

    Where closed parts overlap the inside of either counts, so a surface that passes through itself
    still has a plain inside.
    """

    def __init__(self, vertices: FloatArray, triangles: IndexArray, lattice: Lattice) -> None:
        """Take the surface, (v, 3) [m] and (t, 3) counter-clockwise seen from outside."""
        self._corners = ((vertices - lattice.origin) / lattice.half)[triangles]
        self._width = int(4 * max(lattice.counts) + 8)
        self._families: dict[tuple[int, ...], Crossings] = {}

    def is_inside(self, points: FloatArray, names: IndexArray) -> BoolArray:
        """Tell for each lattice point (n, 3) how often the surface winds round it: more than not at all."""
        step = np.array([2, 0, 0])
        found = self._family(step)
        keys, along = self._lines(names, step)
        # Sum the ways of all crossings beyond the point, as a difference of running sums.
        sums = np.concatenate([[0], np.cumsum(found.ways)])
        windings = (
            sums[np.searchsorted(found.keys, keys, side="right")] - sums[_positions(found, keys, along)]
        )
        inside: BoolArray = windings > 0
        return inside

    def crossings(
        self, starts: FloatArray, ends: FloatArray, names: IndexArray, step: IndexArray
    ) -> FloatArray:
        """Return the share of each edge at which it first crosses the surface; half where rounding hides it."""
        found = self._family(step)
        keys, along = self._lines(names, step)
        length = float(np.abs(step).max())
        at = _positions(found, keys, along)
        is_there = at < len(found.keys)
        safe = np.minimum(at, max(len(found.keys) - 1, 0))
        if not len(found.keys):
            return np.full(len(names), 0.5)
        share = (found.along[safe] - along) / length
        is_there &= (found.keys[safe] == keys) & (share <= 1.0)
        return np.where(is_there, np.clip(share, 0.0, 1.0), 0.5)

    def _lines(self, points: FloatArray | IndexArray, step: IndexArray) -> tuple[IndexArray, FloatArray]:
        """Return on which line of a family lattice points are, and how far along."""
        u, v, along = _sheared(points, step)
        keys: IndexArray = ((u + self._width) * (3 * self._width) + (v + self._width)).astype(np.int64)
        return keys, along

    def _family(self, step: IndexArray) -> Crossings:
        name = tuple(step.tolist())
        if name not in self._families:
            self._families[name] = self._crossed(step)
        return self._families[name]

    def _crossed(self, step: IndexArray) -> Crossings:
        """Draw every triangle into the plane across a family of lines."""
        u, v, along = _sheared(self._corners, step)  # (t, 3) each
        area = (u[:, 1] - u[:, 0]) * (v[:, 2] - v[:, 0]) - (u[:, 2] - u[:, 0]) * (v[:, 1] - v[:, 0])
        low_u, low_v = np.ceil(u.min(axis=1)).astype(np.int64), np.ceil(v.min(axis=1)).astype(np.int64)
        columns = np.maximum(np.floor(u.max(axis=1)).astype(np.int64) - low_u + 1, 0)
        rows = np.maximum(np.floor(v.max(axis=1)).astype(np.int64) - low_v + 1, 0)
        counts = np.where(area != 0.0, columns * rows, 0)
        keys, heights, ways = [], [], []
        for part in _parts(counts):
            triangle = np.repeat(part, counts[part])
            within = np.arange(len(triangle)) - np.repeat(
                np.cumsum(counts[part]) - counts[part], counts[part]
            )
            pu = low_u[triangle] + within % columns[triangle]
            pv = low_v[triangle] + within // columns[triangle]
            is_line = (pu - pv) % 2 == 0 if np.count_nonzero(step) == 1 else (pu % 2 == 0) & (pv % 2 == 0)
            triangle, pu, pv = triangle[is_line], pu[is_line], pv[is_line]
            weights = []
            for a, b in ((1, 2), (2, 0), (0, 1)):
                ua, va, ub, vb = u[triangle, a], v[triangle, a], u[triangle, b], v[triangle, b]
                weights.append(((ua - pu) * (vb - pv) - (ub - pu) * (va - pv)) / area[triangle])
            is_hit = (weights[0] >= 0.0) & (weights[1] >= 0.0) & (weights[2] >= 0.0)
            height = sum(weight * along[triangle, n] for n, weight in enumerate(weights))
            names = (pu + self._width) * (3 * self._width) + (pv + self._width)
            keys.append(names[is_hit])
            heights.append(np.asarray(height)[is_hit])
            ways.append(np.sign(area[triangle[is_hit]]).astype(np.int64))
        line, far, way = np.concatenate(keys), np.concatenate(heights), np.concatenate(ways)
        order = np.lexsort((far, line))
        return Crossings(line[order], far[order], way[order])


def _sheared(points: FloatArray | IndexArray, step: IndexArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return where points lie across a family of lines (u and v, equal all along a line) and how far along."""
    points = points.astype(np.float64)
    axis = int(np.flatnonzero(step)[0])
    along = points[..., axis]
    slope = step / step[axis] if np.count_nonzero(step) > 1 else np.zeros(3)
    b, c = (axis + 1) % 3, (axis + 2) % 3
    return points[..., b] - slope[b] * along, points[..., c] - slope[c] * along, along


def _positions(found: Crossings, keys: IndexArray, along: FloatArray) -> IndexArray:
    """Return the first crossing on each line that lies beyond `along`, as an index into `found`."""
    every_key = np.concatenate([found.keys, keys])
    every_along = np.concatenate([found.along, along])
    is_query = np.concatenate([np.zeros(len(found.keys), np.int64), np.ones(len(keys), np.int64)])
    order = np.lexsort((is_query, every_along, every_key))
    before = np.cumsum(is_query[order] == 0)
    where = np.empty(len(every_key), dtype=np.int64)
    where[order] = before
    return where[len(found.keys) :]


def _parts(counts: IndexArray) -> list[IndexArray]:
    """Return the triangles that cover something, in parts that fit into memory."""
    covering = np.flatnonzero(counts)
    if not len(covering):
        return [covering]
    part = np.cumsum(counts[covering]) // MOST_COVERED
    return np.split(covering, np.flatnonzero(np.diff(part)) + 1)
