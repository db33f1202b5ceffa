"""Strained edges: where the guard stops points, what hangs on them waits instead of being torn.

Theory: docs/theory/contact.md, eq. (K27) and (K28). The guard stops points, or lets them move together, without a thought
of the springs between them: what is stopped is torn by what goes on, and what moves together keeps its strain for ever.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.model.tetrahedra import EDGES_OF_TETRAHEDRON
from supple.model.world import World

TORN = 1.5
"""Length from which on a spring counts as strained, in lengths at rest [-]."""

DRAWN = 3.0
"""The same for edges of soft bodies [-]: jelly hangs on a hand with more than twice its length."""


@kernel(counts_references=False)
def edge_length(points, i, j):
    """Return how far two points are from each other [m]."""
    x, y, z = points[i, 0] - points[j, 0], points[i, 1] - points[j, 1], points[i, 2] - points[j, 2]
    return math.sqrt(x * x + y * y + z * z)


@kernel(counts_references=False)
def spread_shares(edges, lengths, most, starts, ends, shares):
    """Let both ends of edges that would be torn go the same share of their ways, that of the slower one.

    Args:
        edges: (edge_count, 2) points
        lengths: (edge_count,) at rest [m]
        most: length that counts as strained, in lengths at rest [-]
        starts: (point_count, 3) [m], where the substep starts
        ends: (point_count, 3) [m], where it ends so far
        shares: (point_count,) share of the way that each point goes, changed in place

    Returns:
        Whether any share has changed.
    """
    has_changed = False
    for n in range(edges.shape[0]):
        i, j = edges[n, 0], edges[n, 1]
        if shares[i] == shares[j]:
            continue
        after = edge_length(ends, i, j)
        if after > most * lengths[n] and after > edge_length(starts, i, j):
            shares[i] = shares[j] = min(shares[i], shares[j])
            has_changed = True
    return has_changed


@kernel(counts_references=False)
def count_strained(edges, lengths, most, starts, zones):
    """Return how many edges within one zone are strained.

    Args:
        edges: (edge_count, 2) points
        lengths: (edge_count,) at rest [m]
        most: length that counts as strained, in lengths at rest [-]
        starts: (point_count, 3) [m], where the substep starts
        zones: (point_count,) the point that stands for the zone of each
    """
    count = 0
    for n in range(edges.shape[0]):
        i, j = edges[n, 0], edges[n, 1]
        if zones[i] == zones[j] and edge_length(starts, i, j) > most * lengths[n]:
            count += 1
    return count


@kernel(counts_references=False)
def go_on(bases, ways, shares, ends):
    """Let every point go its share of a way from where it would be: bases + share · ways, (point_count, 3) [m]."""
    for i in range(ends.shape[0]):
        for axis in range(3):
            ends[i, axis] = bases[i, axis] + shares[i] * ways[i, axis]


@kernel(counts_references=False)
def shorten_long(most, ways):
    """Shorten ways, (point_count, 3) [m], that are longer than `most` [m]."""
    for i in range(ways.shape[0]):
        square = ways[i, 0] * ways[i, 0] + ways[i, 1] * ways[i, 1] + ways[i, 2] * ways[i, 2]
        if square > most * most:
            less = most / math.sqrt(square)
            for axis in range(3):
                ways[i, axis] *= less


@kernel(counts_references=False)
def hold_back(hit_count, hits, pairs, share, shares):
    """Multiply the shares of points of pairs that hit by `share`."""
    for n in range(hit_count):
        for corner in range(4):
            shares[pairs[hits[n], corner]] *= share


class Strains:
    """All edges that can be strained: springs, and edges of tetrahedra."""

    def __init__(self, world: World) -> None:
        """Look for the edges of tetrahedra."""
        self._world = world
        corners = world.tetrahedra.corners.astype(np.int64)
        edges = np.concatenate([corners[:, list(pair)] for pair in EDGES_OF_TETRAHEDRON])
        edges = np.unique(np.sort(edges, axis=1), axis=0)
        rest = world.particles.rest_positions
        self._edges = edges.astype(np.uint32)
        self._lengths = np.linalg.norm(rest[edges[:, 0]] - rest[edges[:, 1]], axis=1)

    def wait(
        self,
        starts: NDArray[np.float64],
        ways: NDArray[np.float64],
        shares: NDArray[np.float64],
        ends: NDArray[np.float64],
    ) -> None:
        """Let what hangs on slower points by strained edges go no larger share of its way; see `spread_shares`."""
        springs = self._world.springs
        is_cloth = spread_shares(springs.ends, springs.rest_lengths, TORN, starts, ends, shares)
        is_soft = spread_shares(self._edges, self._lengths, DRAWN, starts, ends, shares)
        if is_cloth or is_soft:
            go_on(starts, ways, shares, ends)

    def are_locked(self, starts: NDArray[np.float64], zones: NDArray[np.int32]) -> bool:
        """Tell whether zones hold strained edges as they are."""
        springs = self._world.springs
        return bool(
            count_strained(springs.ends, springs.rest_lengths, TORN, starts, zones)
            or count_strained(self._edges, self._lengths, DRAWN, starts, zones)
        )


class Loosening:
    """Points of zones that go, beside the motion of their zone, as much of their own way as is free."""

    def __init__(self, count: int) -> None:
        """Make room for some points."""
        self._together, self._ways = np.zeros((count, 3)), np.zeros((count, 3))
        self._shares = np.ones(count)

    def begin(
        self,
        starts: NDArray[np.float64],
        wishes: NDArray[np.float64],
        most: float,
        ends: NDArray[np.float64],
    ) -> None:
        """Let all points go their own ways.

        Args:
            starts: (point_count, 3) [m], where the substep starts
            wishes: (point_count, 3) [m], where each would go from there by itself
            most: how far it goes at most, beside the motion of its zone [m]
            ends: (point_count, 3) [m], where zones lead, changed in place
        """
        np.copyto(self._together, ends)
        np.add(starts, wishes, out=self._ways)
        self._ways -= ends
        shorten_long(most, self._ways)
        self._shares[:] = 1.0
        go_on(self._together, self._ways, self._shares, ends)

    def hold_back(
        self,
        hit_count: int,
        hits: NDArray[np.int32],
        pairs: NDArray[np.int32],
        share: float,
        ends: NDArray[np.float64],
    ) -> None:
        """Shorten the ways of points of pairs that hit to a share of what they are."""
        hold_back(hit_count, hits, pairs, share, self._shares)
        go_on(self._together, self._ways, self._shares, ends)

    def give_up(self, ends: NDArray[np.float64]) -> None:
        """Let all points move with their zones: that was free."""
        np.copyto(ends, self._together)
