"""The CCD guard: no substep ends in an intersection, or passes through one.

Theory: docs/theory/contact.md, eq. (K9) and the proof beside it. Surfaces start free of each other. Their first
contact would be that of a point and a triangle, or of two edges; all such pairs that could meet in
this substep are listed, and each is tested by continuous collision detection. What would hit is first pushed apart;
then it moves together, as impact zones; if that does not help in some rounds, its points go only a fraction of their
displacement, and in the end none of it: where the substep started was free.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from supple.collide.broad_phase.expected_paths import CHANGED, OUTSIDE
from supple.collide.broad_phase.neighbour_list import MOST_OUTSIDE, NeighbourList
from supple.collide.narrow_phase.ccd import contact_time
from supple.collide.narrow_phase.pair_geometry import closest_line, gap_along, pair_vectors
from supple.collide.self_contact.find_contacts import Hits
from supple.collide.self_contact.impact_zones import ImpactZones
from supple.collide.self_contact.strained_edges import StrainedEdges, ZoneRelease
from supple.kernel import kernel, norm
from supple.model.world import World

SEPARATION = 0.02
"""What the guard keeps between surfaces at any rate, in thicknesses [-]."""

PUSH_ROUNDS = 1
"""Rounds in which pairs that would hit are pushed apart."""

ZONE_ROUNDS = 20
"""Rounds in which pairs that would hit move together, as impact zones, before displacements are shortened."""

SHORTENINGS = 4
"""Rounds in which displacements are shortened before points are stopped instead."""

STANDSTILL = 40
"""Round in which everything is stopped."""

RELEASE_ROUNDS = 10
"""Rounds in which points of impact zones that hold strained edges try to move on their own."""

SHORTER = 0.3
"""What is left of the own displacement of a point that would hit [-]."""

FARTHEST_RELEASE = 1.0
"""How far points of such zones move on their own in a substep, in thicknesses [-]: longer displacements meet too much."""


@kernel(counts_references=False)
def mark_points(points, deviations, skin, tested, marks):
    """Mark points that are outside of their skin or have moved since the last test, and remember where they are tested.

    Args:
        points: (point_count, 3) [m]
        deviations: (point_count,) how far each is from its path [m]
        skin: [m]
        tested: (point_count, 3) [m], where each was at the last test, overwritten
        marks: (point_count,) what is already marked as changed stays so; overwritten

    Returns:
        The number of points outside of their skin.
    """
    count = 0
    for i in range(points.shape[0]):
        mark = marks[i] & CHANGED
        for axis in range(3):
            if points[i, axis] != tested[i, axis]:
                mark = CHANGED
            tested[i, axis] = points[i, axis]
        # Written so that NaN is outside.
        if not deviations[i] <= skin:
            mark |= OUTSIDE
            count += 1
        marks[i] = mark
    return count


@kernel(counts_references=False)
def mark_hits(hit_count, hits, pairs, marks):
    """Forget all marks but those of pairs that hit: these are tested again, moved or not."""
    marks[:] = 0
    for n in range(hit_count):
        for corner in range(4):
            marks[pairs.points[hits.pairs[n], corner]] = CHANGED


@kernel(counts_references=False, is_entry=True)
def find_hits(starts, ends, pairs, picked, marks, separation, hits):
    """Write which pairs come closer than they may in a substep, and when; return how many there are.

    A pair keeps `separation`, or a share of its gap at the start if that is smaller. Most pairs are told
    apart by the direction between their closest points at the start; the others are followed in time.
    Pairs of which no point has changed are known to be free.

    Args:
        starts: (point_count, 3) [m], where the substep starts
        ends: (point_count, 3) [m], where it ends
        pairs: Pairs
        picked: (picked_count,) indices of the pairs to be tested
        marks: (point_count,) of `mark_points`
        separation: [m]
        hits: Hits, overwritten

    Returns:
        The number of hits; those beyond the room are only counted.
    """
    count = 0
    for place in range(picked.shape[0]):
        n = picked[place]
        is_edges = pairs.is_edges[n]
        i, j, k, m = pairs.points[n, 0], pairs.points[n, 1], pairs.points[n, 2], pairs.points[n, 3]
        if (marks[i] | marks[j] | marks[k] | marks[m]) & CHANGED == 0:
            continue
        p, b, c = pair_vectors(starts, is_edges, i, j, k, m)
        line, _, _ = closest_line(is_edges, p, b, c)
        gap = norm(line)
        least = min(separation, 0.9 * gap)
        p, b, c = pair_vectors(ends, is_edges, i, j, k, m)
        if gap_along(is_edges, p, b, c, line) > least * gap and gap > 0.0:
            continue
        time = contact_time(starts, ends, is_edges, i, j, k, m, least)
        if time <= 1.0:
            if count < hits.pairs.shape[0]:
                hits.pairs[count] = n
                hits.times[count] = time
            count += 1
    return count


@kernel(counts_references=False)
def shorten_displacements(hit_count, hits, pairs, is_last, starts, displacements, fractions, ends):
    """Let the points of pairs that hit go only a fraction of their displacement, or none of it if `is_last`.

    Args:
        hit_count: how many hits there are
        hits: Hits
        pairs: Pairs
        is_last: whether to stop the points
        starts: (point_count, 3) [m], where the substep starts
        displacements: (point_count, 3) [m], the whole displacement of each point
        fractions: (point_count,) fraction of it that each point goes, changed in place
        ends: (point_count, 3) [m], changed in place
    """
    for n in range(hit_count):
        for corner in range(4):
            i = pairs.points[hits.pairs[n], corner]
            fractions[i] = 0.0 if is_last else 0.8 * hits.times[n] * fractions[i]
    for i in range(starts.shape[0]):
        if fractions[i] < 1.0:
            for axis in range(3):
                ends[i, axis] = starts[i, axis] + fractions[i] * displacements[i, axis]


Floats = NDArray[np.float64]
Collide = Callable[[], None] | None
"""Keeps particles out of obstacles; None if there are none."""


class CCDGuard:
    """Changes the end of a substep until the motion to it is free of intersections."""

    def __init__(self, world: World, neighbours: NeighbourList, starts: Floats, ends: Floats) -> None:
        """Make room.

        Args:
            world: whose particles move
            neighbours: the neighbour list
            starts: (particle_count, 3) [m], where a substep starts; read in every substep
            ends: (particle_count, 3) [m], where it ends; changed in place
        """
        self._world, self._neighbours = world, neighbours
        self._starts, self._ends = starts, ends
        count, capacity = len(starts), 4 * len(neighbours.bvh.corners)
        self.thickness = 0.0
        """Largest thickness [m]."""
        self.fractions = np.ones(count)
        """(particle_count,) fraction of its displacement that each point went in the last substep [-]."""
        self._hits = Hits(np.zeros(capacity, dtype=np.int32), np.zeros(capacity))
        self._tested, self._displacements = np.zeros((count, 3)), np.zeros((count, 3))
        self._zones = ImpactZones(count)
        self._strained_edges, self._release = StrainedEdges(world), ZoneRelease(count)

    def secure(
        self, step: float, push_hits_apart: Callable[[int, Hits], None], collide: Collide, most_work: int
    ) -> bool:
        """Change the end of the substep until the motion to it is free; return whether there was time for that.

        Args:
            step: substep [s]
            push_hits_apart: solves for contact impulses between so many pairs that would hit
            collide: keeps particles out of obstacles
            most_work: of the neighbour list, beyond which no further round begins
        """
        self.fractions[:] = 1.0
        self._neighbours.marks[:] = CHANGED
        zone_rounds = stop_rounds = 0
        for n in range(STANDSTILL + 2):
            if self._neighbours.work > most_work:
                return False
            hit_count = self._find_hits(step)
            if hit_count == 0:
                break
            mark_hits(hit_count, self._hits, self._neighbours.pairs.arrays, self._neighbours.marks)
            if n < PUSH_ROUNDS:
                push_hits_apart(hit_count, self._hits)
            elif n < PUSH_ROUNDS + ZONE_ROUNDS:
                if not zone_rounds:
                    self._zones.clear()
                    np.subtract(self._ends, self._starts, out=self._displacements)
                zone_rounds += 1
                self._move_together(hit_count, collide)
            else:
                if not stop_rounds:
                    np.subtract(self._ends, self._starts, out=self._displacements)
                stop_rounds += 1
                if n >= STANDSTILL:
                    self.fractions[:] = 0.0
                self._shorten(hit_count, is_last=stop_rounds > SHORTENINGS)
        if (
            zone_rounds
            and not stop_rounds
            and self._strained_edges.are_locked(self._starts, self._zones.members)
        ):
            self._release_zones(step)
        return True

    def _find_hits(self, step: float) -> int:
        """Find all pairs that hit in this substep, listed or not, and return how many there are."""
        near, separation = self._neighbours, SEPARATION * self.thickness
        starts, ends = self._starts, self._ends
        near.measure(starts, ends, step)
        outside = mark_points(ends, near.deviations, near.skin, self._tested, near.marks)
        if outside > MOST_OUTSIDE * len(ends):
            near.start_anew(starts, ends, step, separation)
            outside = 0
        count = near.pick(separation, separation)
        if outside:
            count = near.add_outside(starts, ends, separation, count)
        picked = near.picked[:count]
        while True:
            hit_count = find_hits(starts, ends, near.pairs.arrays, picked, near.marks, separation, self._hits)
            if hit_count <= len(self._hits.pairs):
                return int(hit_count)
            self._hits = Hits(np.zeros(2 * hit_count, dtype=np.int32), np.zeros(2 * hit_count))

    def _move_together(self, hit_count: int, collide: Collide) -> None:
        """Let the points of pairs that hit, and all that are connected by such pairs, move as rigid impact zones."""
        particles, zones = self._world.particles, self._zones
        zones.join(hit_count, self._hits, self._neighbours.pairs.arrays)
        zones.move(particles.masses, particles.is_fixed, self._starts, self._displacements, self._ends)
        if collide is not None:
            np.copyto(particles.positions, self._ends)
            collide()
            np.copyto(self._ends, particles.positions)

    def _shorten(self, hit_count: int, *, is_last: bool) -> None:
        """Let points that would hit, and those that strained edges connect to them, go a smaller fraction."""
        shorten_displacements(
            hit_count, self._hits, self._neighbours.pairs.arrays, is_last, self._starts, self._displacements,
            self.fractions, self._ends,
        )  # fmt: skip
        self._strained_edges.slow_down(self._starts, self._displacements, self.fractions, self._ends)

    def _release_zones(self, step: float) -> None:
        """Let points of impact zones move on their own as far as is free: what moves together cannot lose its strain."""
        near, release = self._neighbours, self._release
        release.begin(self._starts, self._displacements, FARTHEST_RELEASE * self.thickness, self._ends)
        for n in range(RELEASE_ROUNDS):
            hit_count = self._find_hits(step)
            if hit_count == 0:
                return
            mark_hits(hit_count, self._hits, near.pairs.arrays, near.marks)
            factor = SHORTER if n < SHORTENINGS - 1 else 0.0
            release.shorten(hit_count, self._hits, near.pairs.arrays, factor, self._ends)
        release.give_up(self._ends)
