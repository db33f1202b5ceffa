"""Neighbour list: all pairs that may come near, with a skin, kept from substep to substep.

Theory: docs/theory/contact.md, eq. (K20). A list is made for points that go straight on for some substeps, with a skin
around their paths; later on they are expected to stay where the path ends. As long as no point leaves its skin, what is not
listed stays farther apart than the reach less two skins, and what is listed keeps its gap but for how far its own points
have left their paths (`pick`). Points that start a substep outside of their skin get a new path, and their pairs alone are
listed anew, behind the others (`_redirect`). Only when those are many are all pairs listed anew (`_rebuild`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.collide.broad_phase.bvh import (
    BVH,
    STACK,
    find_leaf_pairs,
    find_marked_leaf_pairs,
    mark_nodes,
    refit,
)
from supple.collide.broad_phase.expected_paths import (
    CHANGED,
    OUTSIDE,
    Interval,
    Paths,
    expect_displacements,
    measure_deviations,
    redirect_paths,
)
from supple.collide.broad_phase.pair_selection import (
    BINS,
    PickCriterion,
    keep_closer,
    pick_pairs,
    put_contacts_first,
    sort_pairs,
    strike_out,
)
from supple.collide.broad_phase.pair_table import GrowableTable, Pairs, PairTable, match_pairs
from supple.collide.broad_phase.pair_transfer import UntouchedPoints, transfer_pairs
from supple.collide.broad_phase.primitive_pairs import PairQuery, list_pairs, make_batches
from supple.collide.broad_phase.self_collision_culling import OneRingCulling, RingsBeforeEdit
from supple.collide.narrow_phase.intersections import crossings_of

Floats = NDArray[np.float64]

SKIN = 0.4
"""How far points may be from their expected path before their pairs are listed anew, in touching distances [-]."""

LONGEST_HORIZON = 20
"""Most substeps that a list of pairs is made for."""

LONGEST_PATH = 1.0
"""Longest typical path that a list of pairs is made for, in reaches [-]."""

FARTHEST_END = 2.0
"""How far points may end from their expected path before contacts act, in skins [-]: in dense folds springs carry them far
and contacts push them back. To expect them where springs carry them lists much that they never meet; but with 5 what they do
meet is listed too late, and light ribbons in a knot whip."""

EARLY = 0.75
"""How far from its path a point may start a substep, in skins [-]: it gets a new one before the CCD guard has to search
for its pairs."""

RENEWED = 0.5
"""How far from their paths other points are that get new ones along with it, in skins [-]: so that it happens less often."""

MOST_REDIRECTED = 0.05
"""Share of points that may start a substep off their paths before all pairs are listed anew [-]: that costs as much."""

MOST_OUTSIDE = 0.3
"""Share of points that contacts may push out of their skins in a substep before all that may hit is listed anew [-]."""

LONGEST_TAIL = 0.25
"""Pairs behind the sorted ones, per sorted pair, before all pairs are listed anew [-]."""

EDGE_PATHS = 4.0
"""How far edges may come closer within a substep without being listed, in typical displacements [-]; the CCD guard sees
those."""


class NeighbourList:
    """Pairs that may come near, and for how long the list of them holds."""

    def __init__(
        self, bvh: BVH, root_pairs: NDArray[np.int32], rest: Floats, known: RingsBeforeEdit | None = None
    ) -> None:
        """Make room for the pairs of some surfaces.

        Args:
            bvh: over the surfaces
            root_pairs: (n, 2) nodes whose surfaces may touch
            rest: (point_count, 3) [m], their shape at rest
            known: one-rings of these surfaces before an edit, if there was one
        """
        self.bvh, self._root_pairs = bvh, root_pairs
        leaf_count, point_count = len(bvh.corners), len(rest)
        self.culling = OneRingCulling(rest, bvh, known)
        """Which parts of the surfaces cannot touch themselves."""
        self.marks = np.zeros(point_count, dtype=np.int8)
        """(point_count,) OUTSIDE, CHANGED: what is wanted of a pair, between its points."""
        self.deviations = np.zeros(point_count)
        """(point_count,) how far each point is from its expected path at most, in this substep [m]."""
        self.pairs = PairTable(16 * leaf_count)
        """The pairs: those that were sorted, nearest first, and behind them those of points with a new path."""
        self.picked: NDArray[np.int32] = np.zeros(16 * leaf_count, dtype=np.int32)
        """(capacity,) pairs that `pick` and `add_outside` have chosen."""
        self._in_order: NDArray[np.int32] = np.zeros(16 * leaf_count, dtype=np.int32)
        self._places: NDArray[np.int32] = np.zeros(16 * leaf_count, dtype=np.int32)
        self._spare = PairTable(16 * leaf_count)
        self._paths = Paths(np.zeros((point_count, 3)), np.zeros((point_count, 3)))
        self._now, self._expected = np.zeros((point_count, 3)), np.zeros((point_count, 3))
        self._boxes = np.zeros((len(bvh.children), 6), dtype=np.float32)
        self._node_marks = np.zeros(len(bvh.children), dtype=np.int8)
        self._stack = np.zeros((STACK, 2), dtype=np.int32)
        self._leaf_pairs = np.zeros((8 * leaf_count, 2), dtype=np.int32)
        self._batches = make_batches(point_count, leaf_count)
        self._bin_ends = np.zeros(BINS, dtype=np.int64)
        self._table = np.zeros(1 << int(np.ceil(np.log2(16 * leaf_count))), dtype=np.int32)
        self.rebuilds = self.late_rebuilds = self.redirections = self.outside_searches = 0
        self.work = 0
        """Pairs of leaves that were looked into and pairs that were chosen, since whoever counts them began: what time goes
        into."""
        self.tune(0.0, 0.0)
        self.forget()

    def tune(self, touch: float, edge_touch: float) -> None:
        """Set how close a point and a triangle, and two edges, have to be to be looked at [m]."""
        self.touch, self.edge_touch = touch, min(edge_touch, touch)
        self.skin = SKIN * touch

    def forget(self) -> None:
        """Forget all pairs: positions have changed by other means than motion."""
        self.is_valid = self._is_fresh = False
        self._elapsed = self._horizon_time = 0.0
        self._age, self._horizon = 0, 1
        self.largest_deviation = 0.0
        self._reach = self._edge_reach = self.reach
        self.edge_gap = self.touch
        self.pairs.count = self.pairs.sorted_count = 0

    @property
    def reach(self) -> float:
        """Distance within which pairs are listed [m]."""
        return self.touch + 2.0 * self.skin

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return what `restore` needs to go on bit for bit."""
        times = [self._elapsed, self._horizon_time, self.largest_deviation]
        counts = [
            self._age,
            self._horizon,
            int(self.is_valid),
            self.pairs.sorted_count,
            int(self._is_fresh),
        ]
        return {
            "clock": np.array([*times, self.edge_gap, self._reach, self._edge_reach]),
            "ages": np.array(counts),
            "base": self._paths.origins,
            "way": self._paths.velocities,
            "bin_ends": self._bin_ends,
            **self.pairs.state("pair"),
        }

    def restore(self, saved: Mapping[str, NDArray[Any]]) -> None:
        """Take over what `state` returned; a ValueError or KeyError tells that it does not fit."""
        self._paths.origins[:], self._paths.velocities[:] = saved["base"], saved["way"]
        self._bin_ends[:] = saved["bin_ends"]
        self._elapsed, self._horizon_time, self.largest_deviation, self.edge_gap = saved["clock"][:4].tolist()
        self._reach, self._edge_reach = saved["clock"][4:].tolist()
        self._age, self._horizon, is_valid, sorted_count, is_fresh = saved["ages"].tolist()
        self.is_valid, self._is_fresh = bool(is_valid), bool(is_fresh)
        count = len(saved["pair_gaps"])
        if not 0 <= sorted_count <= count:
            raise ValueError("ages")
        if count > self.pairs.capacity:
            self._make_room(2 * count)
        self.pairs.restore("pair", saved)
        self.pairs.sorted_count = sorted_count
        if not ((saved["pair_pairs"] >= 0) & (saved["pair_pairs"] < len(self.marks))).all():
            raise ValueError("pair_pairs")

    def transfer(
        self, before: NeighbourList, untouched: UntouchedPoints, contact_numbers: NDArray[np.int32]
    ) -> None:
        """Take over what an edit leaves of the list of the surfaces before it; see `pair_transfer`."""
        if not before.is_valid or before.touch != self.touch or before.edge_touch != self.edge_touch:
            return
        if before.pairs.count > self.pairs.capacity:
            self._make_room(2 * before.pairs.count)
        transfer_pairs(before.pairs, self.pairs, untouched, contact_numbers)
        self._paths.origins[:] = np.inf  # nowhere near where they are
        for mine, theirs in zip(self._paths, before._paths, strict=True):
            mine[untouched.points] = theirs.take(untouched.were, axis=0)
        self._bin_ends[:] = before._bin_ends
        self.is_valid, self._is_fresh = True, before._is_fresh
        self._elapsed, self._horizon_time = before._elapsed, before._horizon_time
        self._age, self._horizon = before._age, before._horizon
        self.largest_deviation = before.largest_deviation
        self._reach, self._edge_reach, self.edge_gap = before._reach, before._edge_reach, before.edge_gap

    # ------------------------------------------------------------------ in every substep

    def follow(
        self, starts: Floats, ends: Floats, velocities: Floats, step: float, contacts: GrowableTable
    ) -> None:
        """Make the list hold for a substep.

        Args:
            starts: (point_count, 3) [m], where the substep starts
            ends: (point_count, 3) [m], where it ends before contacts have acted
            velocities: (point_count, 3) [m/s]
            step: substep [s]
            contacts: the contact table; pairs that are listed anew are matched with it
        """
        before = min(self._elapsed, self._horizon_time)
        self._elapsed += step
        self._age += 1
        if not self.is_valid:
            self._rebuild(starts, ends, velocities, step, contacts)
            return
        is_within = self.largest_deviation <= EARLY * self.skin
        self._measure(starts, before, ends)
        if not (is_within and self.largest_deviation <= FARTHEST_END * self.skin):
            self._redirect(starts, ends, velocities, step, before, contacts)

    def measure(self, starts: Floats, ends: Floats, step: float) -> None:
        """Measure how far every point leaves its path in a substep that now ends elsewhere, (point_count, 3) [m] each."""
        self._measure(starts, min(self._elapsed - step, self._horizon_time), ends)

    def _measure(self, starts: Floats, before: float, ends: Floats) -> None:
        interval = Interval(0.0, before, min(self._elapsed, self._horizon_time))
        self.largest_deviation = measure_deviations(starts, ends, interval, self._paths, self.deviations)

    def pick(self, gap: float, edge_gap: float, *, starts: Floats | None = None) -> int:
        """Choose the pairs that may come as close as `gap`, or `edge_gap` for two edges [m]; return how many there are.

        For contacts, `starts` tells where the substep starts, (point_count, 3) [m]: pairs with a contact are then chosen at
        any rate, as far as they may be as close as the larger of both, and new ones of edges if they meet inside of both.
        Points outside of their skin count as if they were at its border: `add_outside` is for them.
        """
        pairs = self.pairs
        # The skin, too, if it is NaN.
        slack = self.largest_deviation if self.largest_deviation < self.skin else self.skin
        bin_number = int(BINS * (max(gap, edge_gap) + 2.0 * slack) / self._reach)
        near = int(self._bin_ends[min(bin_number, BINS - 1)]) if pairs.sorted_count else 0
        if len(self.picked) < pairs.capacity:
            self.picked = np.zeros(pairs.capacity, dtype=np.int32)
        criterion = PickCriterion(gap, edge_gap, self.skin, starts is not None)
        places = self._paths.origins if starts is None else starts
        count = pick_pairs(
            near, pairs.sorted_count, pairs.count, pairs.arrays, self.deviations, criterion, places, self.picked
        )  # fmt: skip
        self.work += int(count)
        return int(count)

    def put_in_order(self, count: int, contact_count: int) -> int:
        """Put the pairs that were picked in the order of the contacts they have, new ones last; return their number.

        Once, after all pairs were listed and sorted anew, they stay as they are, nearest first.
        """
        if self._is_fresh:
            self._is_fresh = False
            return count
        if len(self._in_order) < len(self.picked):
            self._in_order = np.zeros(len(self.picked), dtype=np.int32)
        if len(self._places) < contact_count:
            self._places = np.zeros(2 * contact_count, dtype=np.int32)
        count = put_contacts_first(
            count, self.picked, self.pairs.contacts, contact_count, self._places, self._in_order
        )
        self.picked, self._in_order = self._in_order, self.picked
        return int(count)

    def add_outside(self, starts: Floats, ends: Floats, separation: float, count: int) -> int:
        """Add what marked points may hit to the pairs that were picked; return how many there are then.

        The list says nothing of points that left their skin: they were pushed away or stopped. Of all others it still
        holds. The pairs are written behind those of the list, and stay there until the next call.
        """
        self.outside_searches += 1
        query = PairQuery(starts, ends, separation, separation, self.marks, OUTSIDE | CHANGED)
        found, first = self._append(query), self.pairs.count
        if count + found > len(self.picked):
            self.picked = np.concatenate([self.picked, np.zeros(count + 2 * found, dtype=np.int32)])
        self.picked[count : count + found] = np.arange(first, first + found)
        return count + found

    def meetings(self, positions: Floats, reach: float, marks: NDArray[np.int8]) -> NDArray[np.int32]:
        """Return what passes through each other now, or if nothing does, what is within `reach` [m], as points in each row.

        Only leaves with a marked point are looked at. The list stays as it is.

        Args:
            positions: (point_count, 3) [m]
            reach: [m]
            marks: (point_count,) 0 or 1
        """
        leaf_pairs = self._marked_leaf_pairs(positions, positions, reach, marks, 1)
        crossings = crossings_of(self.bvh, positions, leaf_pairs)
        if len(crossings):
            return crossings
        query = PairQuery(positions, positions, reach, reach, self.marks, 0)
        while True:
            spare = self._spare
            count = self._list(query, leaf_pairs, spare.arrays)
            if count <= spare.capacity:
                break
            self._spare = PairTable(3 * count // 2)
        # What is listed is near but for rounding; what is asked for is near.
        count = keep_closer(count, positions, reach, spare.arrays)
        return spare.points[:count].copy()

    # ------------------------------------------------------------------ listing anew

    def _rebuild(
        self, starts: Floats, ends: Floats, velocities: Floats, step: float, contacts: GrowableTable
    ) -> None:
        """List all pairs that may come near while points go on as in the last substep."""
        self.rebuilds += 1
        # A list that lasted is worth making for longer, one that did not is made for as long as it lasted.
        self._horizon = max(
            1, min(LONGEST_HORIZON, self._age if self._age < self._horizon else 2 * self._age)
        )
        self._age = 1
        origins, displacements = self._paths  # velocities at the end, below
        expect_displacements(starts, ends, velocities, step, FARTHEST_END * self.skin, displacements)
        # What moves far meets much on its path: the list would be long, and most of it never needed.
        typical = float(np.sqrt(np.vdot(displacements, displacements) / len(displacements)))
        if typical * self._horizon > LONGEST_PATH * self.reach:
            self._horizon = max(1, int(LONGEST_PATH * self.reach / typical))
        self._horizon_time = self._horizon * step
        self.edge_gap = min(self.edge_touch + EDGE_PATHS * typical, self.touch)
        np.copyto(origins, starts)
        np.multiply(displacements, self._horizon, out=self._expected)
        self._expected += origins
        displacements /= step
        self._elapsed = step
        self.list_all(origins, self._expected, self.reach, self.edge_gap + 2.0 * self.skin)
        self._match(0, contacts)
        self.is_valid = self._is_fresh = True
        self._measure(starts, 0.0, ends)

    def start_anew(self, starts: Floats, ends: Floats, step: float, separation: float) -> None:
        """List all pairs that may hit, for a substep that ends elsewhere than most points were expected.

        This list serves the CCD guard, which will change ends again and again: each change within the skins leaves it valid.
        For contacts it does not reach far enough, so the next substep begins with a new one.
        """
        self.late_rebuilds += 1
        origins, velocities = self._paths
        np.copyto(origins, starts)
        np.subtract(ends, starts, out=velocities)
        velocities /= step
        self._elapsed = self._horizon_time = step
        reach = separation + 2.0 * self.skin
        self.list_all(starts, ends, reach, reach)
        self.pairs.contacts[: self.pairs.count] = -1
        self.is_valid = False
        self._measure(starts, 0.0, ends)

    def list_all(self, starts: Floats, ends: Floats, reach: float, edge_reach: float) -> None:
        """List and sort all pairs that come within their reach [m] in a motion, (point_count, 3) [m] at both ends."""
        self._reach, self._edge_reach = reach, edge_reach
        refit(starts, ends, self.bvh.children, self.bvh.corners, 0.5 * reach, self._boxes)
        self.culling.find_flat(starts, ends, reach)
        leaf_pairs = self._all_leaf_pairs()
        query = PairQuery(starts, ends, reach, edge_reach, self.marks, 0)
        while True:
            count = self._list(query, leaf_pairs, self._spare.arrays)
            if count <= self._spare.capacity:
                break
            self.pairs.count = 0
            self._make_room(3 * count // 2)
        sort_pairs(count, self._spare.arrays, reach, self._bin_ends, self.pairs.arrays)
        self.pairs.count = self.pairs.sorted_count = count

    def _redirect(
        self,
        starts: Floats,
        ends: Floats,
        velocities: Floats,
        step: float,
        before: float,
        contacts: GrowableTable,
    ) -> None:
        """List the pairs of points anew that have left their path; all pairs if those are many, or the list is old."""
        pairs = self.pairs
        if before >= self._horizon_time:
            self._end_paths()
            before, self._elapsed, self._horizon_time = 0.0, step, LONGEST_HORIZON * step
        interval = Interval(step, before, min(self._elapsed, self._horizon_time))
        redirected = redirect_paths(
            starts, ends, velocities, interval, RENEWED * self.skin, FARTHEST_END * self.skin, self._paths, self.marks
        )  # fmt: skip
        is_long = pairs.count - pairs.sorted_count > LONGEST_TAIL * pairs.sorted_count + 256
        if redirected > MOST_REDIRECTED * len(self.marks) or is_long:
            self._rebuild(starts, ends, velocities, step, contacts)
            return
        if redirected:
            self._relist_redirected(before, contacts)
        self._measure(starts, before, ends)

    def _end_paths(self) -> None:
        """Expect all points to stay where their paths have ended: paths of no length, from there."""
        origins, velocities = self._paths
        velocities *= self._horizon_time
        origins += velocities
        velocities[:] = 0.0

    def _relist_redirected(self, before: float, contacts: GrowableTable) -> None:
        """List the pairs of points with a new path anew, behind the others, from a time on the paths on [s]."""
        self.redirections += 1
        pairs, (origins, velocities) = self.pairs, self._paths
        np.multiply(velocities, before, out=self._now)
        self._now += origins
        np.multiply(velocities, self._horizon_time, out=self._expected)
        self._expected += origins
        strike_out(pairs.count, pairs.arrays, self.marks, OUTSIDE)
        first = pairs.count
        query = PairQuery(self._now, self._expected, self.reach, self._edge_reach, self.marks, OUTSIDE)
        pairs.count += self._append(query)
        self._match(first, contacts)

    def _append(self, query: PairQuery) -> int:
        """Write the pairs with all wanted marks that come near behind the list; return how many there are."""
        leaf_pairs = self._marked_leaf_pairs(query.x0, query.x1, query.reach, query.marks, query.wanted)
        first = self.pairs.count
        while True:
            count = self._list(query, leaf_pairs, self.pairs.behind(first))
            if first + count <= self.pairs.capacity:
                return count
            self._make_room(2 * (first + count))

    def _list(self, query: PairQuery, leaf_pairs: NDArray[np.int32], found: Pairs) -> int:
        return int(list_pairs(query, self.bvh, leaf_pairs, self._batches, found))

    def _match(self, first: int, contacts: GrowableTable) -> None:
        """Find the contacts of all pairs from the first given on."""
        pairs = self.pairs
        if 2 * contacts.count >= len(self._table):
            self._table = np.zeros(8 * len(self._table), dtype=np.int32)
        match_pairs(contacts.keys, pairs.keys_behind(first), self._table, pairs.contacts[first : pairs.count])

    def _make_room(self, capacity: int) -> None:
        self.pairs.grow(capacity)
        self._spare = PairTable(capacity)

    def _all_leaf_pairs(self) -> NDArray[np.int32]:
        """Return the pairs of leaves whose boxes overlap, but for flat parts, (count, 2); scratch memory."""
        bvh, is_flat = self.bvh, self.culling.is_flat
        while True:
            count = find_leaf_pairs(
                self._root_pairs, bvh.children, self._boxes, bvh.corners, is_flat, self._stack, self._leaf_pairs
            )  # fmt: skip
            if self._has_room(count):
                return self._leaf_pairs[:count]

    def _marked_leaf_pairs(
        self, starts: Floats, ends: Floats, reach: float, marks: NDArray[np.int8], wanted: int
    ) -> NDArray[np.int32]:
        """Return the pairs of leaves that come within reach and have all wanted marks, (count, 2); scratch memory."""
        bvh = self.bvh
        mark_nodes(bvh.children, bvh.corners, marks, self._node_marks)
        refit(starts, ends, bvh.children, bvh.corners, 0.5 * reach, self._boxes)
        while True:
            count = find_marked_leaf_pairs(
                self._root_pairs, bvh.children, self._boxes, self._node_marks, wanted, self._stack, self._leaf_pairs
            )  # fmt: skip
            if self._has_room(count):
                return self._leaf_pairs[:count]

    def _has_room(self, count: int) -> bool:
        """Return whether there was room for so many pairs of leaves, -1 if the stack was too small; make room if not."""
        self.work += max(0, count)
        if count < 0:
            self._stack = np.zeros((2 * len(self._stack), 2), dtype=np.int32)
        elif count > len(self._leaf_pairs):
            self._leaf_pairs = np.zeros((3 * count // 2, 2), dtype=np.int32)
        else:
            return True
        return False
