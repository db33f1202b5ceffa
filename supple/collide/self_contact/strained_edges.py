"""Strained edges: what hangs on points that the CCD guard stops waits instead of being torn.

Theory: docs/theory/contact.md, eq. (K27) and (K28). The CCD guard stops points, or lets them move together, without regard
to the springs between them: what is stopped is torn by what moves on, and what moves together keeps its strain for ever.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from supple.collide.broad_phase.pair_table import Pairs
from supple.collide.self_contact.find_contacts import Hits
from supple.kernel import difference, kernel, norm
from supple.model.tetrahedra import EDGES_OF_TETRAHEDRON
from supple.model.world import World

LONGEST_SPRING = 1.5
"""Length from which on a spring counts as strained, in lengths at rest [-]."""

LONGEST_SOFT_EDGE = 3.0
"""The same for edges of soft bodies [-]: jelly hangs on a hand with more than twice its length."""

Floats = NDArray[np.float64]


@kernel(counts_references=False)
def equalise_fractions(edges, lengths, most, starts, ends, fractions):
    """Let both ends of edges that would be torn go the same fraction of their displacement, that of the slower one.

    Args:
        edges: (edge_count, 2) points
        lengths: (edge_count,) at rest [m]
        most: length that counts as strained, in lengths at rest [-]
        starts: (point_count, 3) [m], where the substep starts
        ends: (point_count, 3) [m], where it ends so far
        fractions: (point_count,) fraction of its displacement that each point goes, changed in place

    Returns:
        Whether any fraction has changed.
    """
    has_changed = False
    for n in range(edges.shape[0]):
        i, j = edges[n, 0], edges[n, 1]
        if fractions[i] == fractions[j]:
            continue
        after = norm(difference(ends, i, j))
        if after > most * lengths[n] and after > norm(difference(starts, i, j)):
            fractions[i] = fractions[j] = min(fractions[i], fractions[j])
            has_changed = True
    return has_changed


@kernel(counts_references=False)
def count_strained(edges, lengths, most, starts, zones):
    """Return how many edges within one impact zone are strained.

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
        if zones[i] == zones[j] and norm(difference(starts, i, j)) > most * lengths[n]:
            count += 1
    return count


@kernel(counts_references=False)
def add_fractions(bases, displacements, fractions, ends):
    """Write bases + fraction · displacements, (point_count, 3) [m], as the ends of all points."""
    for i in range(ends.shape[0]):
        for axis in range(3):
            ends[i, axis] = bases[i, axis] + fractions[i] * displacements[i, axis]


@kernel(counts_references=False)
def limit_lengths(most, displacements):
    """Shorten displacements, (point_count, 3) [m], that are longer than `most` [m]."""
    for i in range(displacements.shape[0]):
        x, y, z = displacements[i, 0], displacements[i, 1], displacements[i, 2]
        square = x * x + y * y + z * z
        if square > most * most:
            less = most / math.sqrt(square)
            for axis in range(3):
                displacements[i, axis] *= less


@kernel(counts_references=False)
def scale_fractions(hit_count, hits, pairs, factor, fractions):
    """Multiply the fractions of points of pairs that hit by `factor`."""
    for n in range(hit_count):
        for corner in range(4):
            fractions[pairs.points[hits.pairs[n], corner]] *= factor


class StrainedEdges:
    """All edges that can be strained: springs, and edges of tetrahedra."""

    def __init__(self, world: World) -> None:
        """Find the edges of tetrahedra."""
        self._world = world
        corners = world.tetrahedra.corners.astype(np.int64)
        edges = np.concatenate([corners[:, list(pair)] for pair in EDGES_OF_TETRAHEDRON])
        edges = np.unique(np.sort(edges, axis=1), axis=0)
        rest = world.particles.rest_positions
        self._edges = edges.astype(np.uint32)
        self._lengths = np.linalg.norm(rest[edges[:, 0]] - rest[edges[:, 1]], axis=1)

    def slow_down(self, starts: Floats, displacements: Floats, fractions: Floats, ends: Floats) -> None:
        """Let what strained edges connect to slower points go no larger fraction; see `equalise_fractions`."""
        springs = self._world.springs
        is_cloth = equalise_fractions(
            springs.ends, springs.rest_lengths, LONGEST_SPRING, starts, ends, fractions
        )
        is_soft = equalise_fractions(self._edges, self._lengths, LONGEST_SOFT_EDGE, starts, ends, fractions)
        if is_cloth or is_soft:
            add_fractions(starts, displacements, fractions, ends)

    def are_locked(self, starts: Floats, zones: NDArray[np.int32]) -> bool:
        """Tell whether impact zones hold strained edges as they are."""
        springs = self._world.springs
        return bool(
            count_strained(springs.ends, springs.rest_lengths, LONGEST_SPRING, starts, zones)
            or count_strained(self._edges, self._lengths, LONGEST_SOFT_EDGE, starts, zones)
        )


class ZoneRelease:
    """Points of impact zones that go, beside the motion of their zone, as much of their own displacement as is free."""

    def __init__(self, count: int) -> None:
        """Make room for some points."""
        self._together, self._displacements = np.zeros((count, 3)), np.zeros((count, 3))
        self._fractions = np.ones(count)

    def begin(self, starts: Floats, wishes: Floats, most: float, ends: Floats) -> None:
        """Let all points move on their own.

        Args:
            starts: (point_count, 3) [m], where the substep starts
            wishes: (point_count, 3) [m], where each would go from there by itself
            most: how far it goes at most, beside the motion of its zone [m]
            ends: (point_count, 3) [m], where zones lead, changed in place
        """
        np.copyto(self._together, ends)
        np.add(starts, wishes, out=self._displacements)
        self._displacements -= ends
        limit_lengths(most, self._displacements)
        self._fractions[:] = 1.0
        add_fractions(self._together, self._displacements, self._fractions, ends)

    def shorten(self, hit_count: int, hits: Hits, pairs: Pairs, factor: float, ends: Floats) -> None:
        """Shorten the own displacements of points of pairs that hit by a factor."""
        scale_fractions(hit_count, hits, pairs, factor, self._fractions)
        add_fractions(self._together, self._displacements, self._fractions, ends)

    def give_up(self, ends: Floats) -> None:
        """Let all points move with their zones: that was free."""
        np.copyto(ends, self._together)
