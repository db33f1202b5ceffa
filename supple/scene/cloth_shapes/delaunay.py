"""Constrained Delaunay triangulation of the plane within an outline, holes and all.

The outline is cut into triangles first, ear by ear, so nothing ever lies outside of it. Points are then dropped
into the triangles they fall in, many at once, and edges are flipped until every one is Delaunay. Edges of the
outline have no triangle on their other side and are therefore never flipped: the triangulation is a constrained
one without any further ado.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.scene.cloth_shapes.ear_clipping import CrossedOutlineError, clipped_ears, one_loop
from supple.scene.cloth_shapes.plane_geometry import orientation
from supple.scene.placement import FloatArray, IndexArray

OUTSIDE = -1
"""Stands for the triangle or half-edge beyond the outline."""

SLACK = 1.0e-12
"""How far beyond half a turn two opposite angles must reach before an edge is flipped [-]; less is rounding."""


class Triangulation:
    """Triangles of a region of the plane that can be added to, and the edges between them.

    Half-edge 3 t + k runs along triangle t from its corner k to the next; its twin is the same edge in the
    triangle on the other side, or OUTSIDE.
    """

    points: FloatArray
    """(point_count, 2) [m]"""

    triangles: IndexArray
    """(triangle_count, 3) point indices, counter-clockwise."""

    twins: IndexArray
    """(3 triangle_count,) half-edges."""

    def __init__(self, points: FloatArray, loops: Sequence[IndexArray]) -> None:
        """Fill an outline.

        Args:
            points: (point_count, 2) [m]
            loops: indices of the points around the region, counter-clockwise, then around each hole, clockwise

        Raises:
            CrossedOutlineError: if the loops cross or touch
        """
        self.points = np.array(points, dtype=np.float64)
        self.triangles = clipped_ears(self.points, one_loop(self.points, loops))
        self.twins = _twins_of(self.triangles)
        self._homes = np.zeros(0, dtype=np.int64)
        self._waiting = np.zeros(0, dtype=np.int64)
        self.make_delaunay()

    @property
    def starts(self) -> IndexArray:
        """The point each half-edge starts from."""
        return self.triangles.ravel()

    @property
    def ends(self) -> IndexArray:
        """The point each half-edge leads to."""
        return self.triangles[:, [1, 2, 0]].ravel()

    def corners(self, which: IndexArray | slice = slice(None)) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the three corners of some triangles, (n, 2) each [m]."""
        chosen = self.points[self.triangles[which]]
        return chosen[:, 0], chosen[:, 1], chosen[:, 2]

    def drop(self, points: FloatArray) -> IndexArray:
        """Add the points that lie inside, wherever that is; return which of them did.

        Args:
            points: (n, 2) [m], not on top of one another or of points that are there

        Returns:
            Indices into `points`, ascending; they are added in this order.
        """
        homes = self.located(points)
        inside = np.flatnonzero(homes != OUTSIDE)
        self.insert(points[inside], homes[inside])
        return inside

    def located(self, points: FloatArray) -> IndexArray:
        """Return the triangle each of the (n, 2) points lies in, or OUTSIDE."""
        homes = np.full(len(points), OUTSIDE, dtype=np.int64)
        order = np.argsort(points[:, 0], kind="stable")
        sorted_x = points[order, 0]
        for index, (a, b, c) in enumerate(zip(*self.corners(), strict=True)):
            low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
            first, last = np.searchsorted(sorted_x, low[0]), np.searchsorted(sorted_x, high[0], side="right")
            near = order[first:last]
            near = near[(points[near, 1] >= low[1]) & (points[near, 1] <= high[1])]
            here = points[near]
            is_inside = (
                (orientation(a, b, here) >= 0.0)
                & (orientation(b, c, here) >= 0.0)
                & (orientation(c, a, here) >= 0.0)
            )
            homes[near[is_inside]] = index
        return homes

    def insert(self, points: FloatArray, homes: IndexArray) -> None:
        """Add (n, 2) points, each into the triangle it is said to lie in, and stay Delaunay.

        One point per triangle and round: these do not meet, so a round is a handful of array operations.
        """
        first = len(self.points)
        self.points = np.concatenate([self.points, points])
        self._waiting = np.arange(first, len(self.points), dtype=np.int64)
        self._homes = np.array(homes, dtype=np.int64)
        while len(self._waiting):
            depth = self._depth(self._homes, self.points[self._waiting])
            # The deepest in each triangle; ties go to the first.
            order = np.lexsort((self._waiting, -depth, self._homes))
            is_first = np.ones(len(order), dtype=np.bool_)
            is_first[1:] = self._homes[order[1:]] != self._homes[order[:-1]]
            chosen = np.sort(order[is_first])
            inserted, into = self._waiting[chosen], self._homes[chosen]
            is_left = np.ones(len(self._waiting), dtype=np.bool_)
            is_left[chosen] = False
            self._waiting, self._homes = self._waiting[is_left], self._homes[is_left]
            self._split(into, inserted)
            self.make_delaunay()

    def _depth(self, triangles: IndexArray, points: FloatArray) -> FloatArray:
        """Return how deep points lie in triangles: twice the least area between them and a side [m²]."""
        a, b, c = self.corners(triangles)
        sides = orientation(a, b, points), orientation(b, c, points), orientation(c, a, points)
        depth: FloatArray = np.minimum(np.minimum(sides[0], sides[1]), sides[2])
        return depth

    def split_rim(self, half_edges: IndexArray, points: FloatArray) -> None:
        """Put one (n, 2) point into each of some edges of the rim, at most one per triangle."""
        first, count = len(self.points), len(half_edges)
        self.points = np.concatenate([self.points, points])
        middle = np.arange(first, first + count, dtype=np.int64)
        old = half_edges // 3
        new = len(self.triangles) + np.arange(count)
        a, b, c = (half_edges, _next(half_edges), _next(_next(half_edges)))
        u, v, w = self.starts[a], self.starts[b], self.starts[c]
        moves = {"from": np.concatenate([b, c]), "to": np.concatenate([3 * new + 1, 3 * old + 2])}
        corners = np.concatenate([np.stack([u, middle, w], 1), np.stack([middle, v, w], 1)])
        self._rewrite(np.concatenate([old, new]), corners, moves, [(3 * old + 1, 3 * new + 2)])
        self.twins[3 * old] = OUTSIDE
        self.twins[3 * new] = OUTSIDE
        self.make_delaunay()

    def move(self, points: FloatArray) -> None:
        """Put all points elsewhere, none across an edge, and make the triangulation Delaunay again."""
        self.points = points
        self.make_delaunay()

    def make_delaunay(self) -> None:
        """Flip edges until none of them has opposite angles of more than half a turn in sum.

        Theory: docs/theory/panels.md, eq. (P1).
        """
        suspects = np.flatnonzero(self.twins > np.arange(len(self.twins)))
        while len(suspects):
            badness = self.delaunay_excess(suspects)
            suspects, badness = suspects[badness > SLACK], badness[badness > SLACK]
            if not len(suspects):
                return
            # Worst first, and no two flips in one triangle.
            rank = np.empty(len(suspects), dtype=np.int64)
            rank[np.lexsort((suspects, -badness))] = np.arange(len(suspects))
            best = np.full(len(self.triangles), len(suspects), dtype=np.int64)
            one, other = suspects // 3, self.twins[suspects] // 3
            np.minimum.at(best, one, rank)
            np.minimum.at(best, other, rank)
            is_chosen = (best[one] == rank) & (best[other] == rank)
            changed = self._flip(suspects[is_chosen])
            around = (3 * changed[:, None] + np.arange(3)).ravel()
            left = np.concatenate([suspects[~is_chosen], around])
            left = left[self.twins[left] != OUTSIDE]
            suspects = np.unique(np.minimum(left, self.twins[left]))

    def delaunay_excess(self, half_edges: IndexArray) -> FloatArray:
        """Return how far opposite angles exceed half a turn: minus the sine of their sum; 0 where no flip fits."""
        h, g = half_edges, self.twins[half_edges]
        u, v = self.points[self.starts[h]], self.points[self.ends[h]]
        w, x = (self.points[self.starts[_next(_next(side))]] for side in (h, g))
        sine_w, sine_x = orientation(u, v, w), orientation(v, u, x)
        cosine_w = np.einsum("ij,ij->i", u - w, v - w)
        cosine_x = np.einsum("ij,ij->i", u - x, v - x)
        lengths = [np.hypot(*(p - q).T) for p, q in ((u, w), (v, w), (u, x), (v, x))]
        size = lengths[0] * lengths[1] * lengths[2] * lengths[3]
        badness: FloatArray = -(sine_w * cosine_x + cosine_w * sine_x) / np.maximum(size, 1.0e-300)
        fits = np.minimum(orientation(w, u, x), orientation(x, v, w)) > 0.0
        return np.where(fits, badness, 0.0)

    def _flip(self, h: IndexArray) -> IndexArray:
        """Turn the common edges u-v of triangles (u, v, w) and (v, u, x) into w-x; return the triangles."""
        g = self.twins[h]
        one, other = h // 3, g // 3
        h1, h2, g1, g2 = _next(h), _next(_next(h)), _next(g), _next(_next(g))
        u, v, w, x = self.starts[h], self.starts[h1], self.starts[h2], self.starts[g2]
        moves = {
            "from": np.concatenate([h2, g1, g2, h1]),
            "to": np.concatenate([3 * one, 3 * one + 1, 3 * other, 3 * other + 1]),
        }
        corners = np.concatenate([np.stack([w, u, x], 1), np.stack([x, v, w], 1)])
        changed = np.concatenate([one, other])
        self._rewrite(changed, corners, moves, [(3 * one + 2, 3 * other + 2)])
        if len(self._waiting):
            pair = np.full(len(self.triangles), -1, dtype=np.int64)
            pair[one] = pair[other] = np.arange(len(h))
            which = pair[self._homes]
            touched = np.flatnonzero(which >= 0)
            which = which[touched]
            side = orientation(
                self.points[x[which]], self.points[w[which]], self.points[self._waiting[touched]]
            )
            self._homes[touched] = np.where(side > 0.0, one[which], other[which])
        return changed

    def _split(self, into: IndexArray, inserted: IndexArray) -> None:
        """Cut triangles (a, b, c) into three around a point of each."""
        count = len(into)
        second = len(self.triangles) + np.arange(count)
        third = second + count
        a, b, c = self.triangles[into].T
        moves = {
            "from": np.concatenate([3 * into + 1, 3 * into + 2]),
            "to": np.concatenate([3 * second, 3 * third]),
        }
        corners = [np.stack([p, q, inserted], 1) for p, q in ((a, b), (b, c), (c, a))]
        ways = [(3 * into, second), (3 * second, third), (3 * third, into)]
        inner = [(this + 1, 3 * after + 2) for this, after in ways]
        self._rewrite(np.concatenate([into, second, third]), np.concatenate(corners), moves, inner)
        if len(self._waiting):
            part = np.full(len(self.triangles), -1, dtype=np.int64)
            part[into] = np.arange(count)
            which = part[self._homes]
            touched = np.flatnonzero(which >= 0)
            which = which[touched]
            here = self.points[self._waiting[touched]]
            parts = np.stack([into, second, third])[:, which]
            # The part it lies deepest in. Signs alone would mislead where points stand in one line.
            depth = [self._depth(part, here) for part in parts]
            self._homes[touched] = parts[np.argmax(depth, axis=0), np.arange(len(which))]

    def _rewrite(
        self,
        changed: IndexArray,
        corners: IndexArray,
        moves: dict[str, IndexArray],
        inner: list[tuple[IndexArray, IndexArray]],
    ) -> None:
        """Replace triangles, moving the half-edges around them and joining new ones inside.

        Both sides of an edge may move at once, so places are looked up in a table of all moves.
        """
        more = max(int(changed.max(initial=-1)) + 1 - len(self.triangles), 0)
        before = len(self.twins)
        self.triangles = np.concatenate([self.triangles, np.zeros((more, 3), dtype=np.int64)])
        self.twins = np.concatenate([self.twins, np.full(3 * more, OUTSIDE, dtype=np.int64)])
        self.triangles[changed] = corners
        place = np.arange(before)
        place[moves["from"]] = moves["to"]
        partners = self.twins[moves["from"]]
        partners = np.where(partners == OUTSIDE, OUTSIDE, place[partners])
        self.twins[moves["to"]] = partners
        has_partner = partners != OUTSIDE
        self.twins[partners[has_partner]] = moves["to"][has_partner]
        for one, other in inner:
            self.twins[one] = other
            self.twins[other] = one


def _next(half_edges: IndexArray) -> IndexArray:
    """Return the half-edge after each around its triangle."""
    return np.where(half_edges % 3 == 2, half_edges - 2, half_edges + 1)


def _twins_of(triangles: IndexArray) -> IndexArray:
    starts, ends = triangles.ravel(), triangles[:, [1, 2, 0]].ravel()
    count = int(triangles.max()) + 1
    keys, wanted = starts * count + ends, ends * count + starts
    order = np.argsort(keys)
    if np.any(keys[order[1:]] == keys[order[:-1]]):
        raise CrossedOutlineError("an edge is used twice in the same direction")
    place = np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)
    found = order[place]
    return np.where(keys[found] == wanted, found, OUTSIDE)
