"""Intersection contours: on which side of a triangle an edge that passes through it belongs, decided contour by contour.

Theory: docs/theory/contact.md, eq. (K14), (K15). Crossings that follow each other along a line where two layers pass
through each other form a contour, and one decision holds for all of it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.kernel import cross, difference, dot, kernel
from supple.model.builders.mesh import triangle_edges
from supple.model.couplings.connected_components import label_components

HELD = 1000.0
"""What a held point weighs when the smaller side is sought, in points [-]: it cannot give way."""

STEADINESS = 0.25
"""What it counts that points were moved somewhere in the last rounds, against the sizes of components [-]."""

ORDER = 1e-3
"""What the order of the bodies counts where nothing else decides [-]."""


@kernel
def find_leader(n, leaders, signs):
    """Return the leader of the contour of crossing n, and the sign of n against it."""
    sign = 1
    while leaders[n] != n:
        sign *= signs[n]
        n = leaders[n]
    return n, sign


@kernel
def triangle_normal(triangles, t, x):
    """Return the normal of a triangle, twice as long as its area [m²]."""
    a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
    return cross(difference(x, b, a), difference(x, c, a))


@kernel
def join_contours(keys, members, pierced, triangles, x, leaders, signs):
    """Join crossings that lie in the same pair of triangles, and tell their sides from each other.

    If both pierce the same triangle of the pair, they belong on the same side. If each pierces the other's, they are
    seen from the two layers: what is above is below for the other, unless the layers face each other (K14).

    Args:
        keys: (entry_count,) pairs of triangles, in order
        members: (entry_count,) crossing in that pair
        pierced: (entry_count, 2) its pierced triangle, and the one its edge belongs to
        triangles: (triangle_count, 3) points
        x: (point_count, 3) [m]
        leaders: (crossing_count,) overwritten; follow it to the leader of a contour
        signs: (crossing_count,) side of each against the one it follows, overwritten
    """
    for n in range(leaders.shape[0]):
        leaders[n] = n
        signs[n] = 1
    for e in range(1, keys.shape[0]):
        if keys[e] != keys[e - 1]:
            continue
        relation = 1
        if pierced[e, 0] != pierced[e - 1, 0]:
            facing = dot(
                triangle_normal(triangles, pierced[e, 0], x), triangle_normal(triangles, pierced[e, 1], x)
            )
            relation = -1 if facing >= 0.0 else 1
        one, sign = find_leader(members[e - 1], leaders, signs)
        other, other_sign = find_leader(members[e], leaders, signs)
        if one < other:
            leaders[other] = one
            signs[other] = sign * relation * other_sign
        elif other < one:
            leaders[one] = other
            signs[one] = sign * relation * other_sign


@kernel
def choose_sides(crossings, x, components, weights, directions, leaders, signs, votes, sides):
    """Write the side of its triangle on which every edge ought to be: +1 along the normal, -1 against it.

    Every crossing votes for the side on which the connected component of its edge is larger (K15), and, with less weight,
    for where it was moved before: a contour that comes to no end of a layer would else go back and forth. Where that leaves
    a tie, the later body goes along the normal of the earlier one.

    Args:
        crossings: (crossing_count, 5) points of the edge, then of the triangle
        x: (point_count, 3) [m]
        components: (point_count,) number of the connected component of each, edges that are pierced left out
        weights: (point_count,) weight of every component
        directions: (point_count, 3) direction in which each point was moved last, zero if it was not
        leaders: (crossing_count,) from `join_contours`
        signs: (crossing_count,) from `join_contours`
        votes: (crossing_count,) scratch
        sides: (crossing_count,) overwritten
    """
    votes[:] = 0.0
    for n in range(crossings.shape[0]):
        leader, sign = find_leader(n, leaders, signs)
        i, j, a, b, c = crossings[n, 0], crossings[n, 1], crossings[n, 2], crossings[n, 3], crossings[n, 4]
        normal = cross(difference(x, b, a), difference(x, c, a))
        above, below = weights[components[i]], weights[components[j]]
        if dot(difference(x, i, a), normal) < dot(difference(x, j, a), normal):
            above, below = below, above
        before = 0.0
        for axis in range(3):
            edge = directions[i, axis] + directions[j, axis]
            triangle = directions[a, axis] + directions[b, axis] + directions[c, axis]
            before += normal[axis] * (edge - triangle)
        vote = (above - below) / (above + below)
        if before != 0.0:
            vote += STEADINESS if before > 0.0 else -STEADINESS
        if i > a:
            vote += ORDER
        votes[leader] += sign * vote
    for n in range(crossings.shape[0]):
        leader, sign = find_leader(n, leaders, signs)
        sides[n] = sign if votes[leader] >= 0.0 else -sign


class IntersectionContours:
    """The triangles that may pass through each other, and which of them are neighbours."""

    def __init__(self, triangles: NDArray[np.int64], is_held: NDArray[np.bool_]) -> None:
        """Look up neighbours.

        Args:
            triangles: (triangle_count, 3) points
            is_held: (point_count,) whether a point must stay where it is
        """
        self.triangles = np.ascontiguousarray(triangles, dtype=np.int64)
        self._weights = np.where(is_held, HELD, 1.0)
        self._count = len(is_held)
        self.edges = triangle_edges(self.triangles)[0].astype(np.int64)
        corners = np.sort(self.triangles, axis=1)
        self._triangle_keys = (corners[:, 0] * self._count + corners[:, 1]) * self._count + corners[:, 2]
        self._triangle_order = np.argsort(self._triangle_keys, kind="stable")
        sides = np.sort(self.triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
        side_keys = sides[:, 0] * self._count + sides[:, 1]
        self._side_order = np.argsort(side_keys, kind="stable")
        self._side_keys = side_keys[self._side_order]

    def sides(
        self, crossings: NDArray[np.int32], positions: NDArray[np.float64], directions: NDArray[np.float64]
    ) -> NDArray[np.int8]:
        """Return on which side of its triangle the edge of every crossing ought to be, (crossing_count,) +1 or -1.

        Args:
            crossings: (crossing_count, 5) points of the edge, then of the triangle
            positions: (point_count, 3) [m]
            directions: (point_count, 3) direction in which each point was moved last
        """
        count, points = len(crossings), crossings.astype(np.int64)
        ends = np.sort(points[:, :2], axis=1)
        edge_keys = ends[:, 0] * self._count + ends[:, 1]
        corners = np.sort(points[:, 2:], axis=1)
        keys = (corners[:, 0] * self._count + corners[:, 1]) * self._count + corners[:, 2]
        pierced = self._triangle_order[
            np.searchsorted(self._triangle_keys, keys, sorter=self._triangle_order)
        ]
        # One entry for every triangle at the edge of a crossing: the pair it forms with the pierced one.
        first = np.searchsorted(self._side_keys, edge_keys, side="left")
        last = np.searchsorted(self._side_keys, edge_keys, side="right")
        members = np.repeat(np.arange(count), last - first)
        steps = np.arange(len(members)) - np.repeat(np.cumsum(last - first) - (last - first), last - first)
        own = self._side_order[first[members] + steps] // 3
        both = np.stack([pierced[members], own], axis=1)
        pair_keys = both.min(axis=1) * len(self.triangles) + both.max(axis=1)
        order = np.argsort(pair_keys, kind="stable")
        leaders, signs = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        join_contours(
            pair_keys[order], members[order], both[order], self.triangles, positions, leaders, signs
        )
        sides = np.zeros(count, dtype=np.int8)
        components, weights = self._components(edge_keys)
        choose_sides(
            crossings, positions, components, weights, directions, leaders, signs, np.zeros(count), sides
        )
        return sides

    def _components(self, pierced: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the connected component of every point, by edges that are not pierced, and the weight of each component."""
        keys, times = np.unique(pierced, return_counts=True)
        cut = keys[times % 2 == 1]
        ends = np.sort(self.edges, axis=1)
        is_whole = ~np.isin(ends[:, 0] * self._count + ends[:, 1], cut)
        components = label_components(self.edges[is_whole], self._count)
        weights = np.zeros(self._count)
        np.add.at(weights, components, self._weights)
        return components, weights
