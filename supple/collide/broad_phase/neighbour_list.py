"""The list of all pairs that are near, kept from substep to substep.

Theory: docs/theory/contact.md, eq. (K20). A list is made for points that go on as they do, for some substeps, with a
skin around their way; later on they are expected to stay where it ends. As long as no point leaves its skin,
what is not listed stays farther apart than the reach less two skins, and what is listed keeps its gap but for how
far its own points have left their ways (`pick`). Points that start a substep outside of their skin get a new way, and
their pairs alone are listed anew, behind the others (`_redirect`). Only when those are many are all pairs listed
anew (`_detect`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.collide.broad_phase.bvh import STACK, SurfaceTree, mark_nodes, marked_leaves, near_leaves, refit
from supple.collide.broad_phase.primitive_pairs import (
    BINS,
    Batches,
    keep_closer,
    list_pairs,
    number_on,
    pick_pairs,
    put_contacts_first,
    sort_pairs,
    strike_out,
)
from supple.collide.broad_phase.self_collision_culling import FlatStars, KnownStars
from supple.collide.narrow_phase.intersections import crossings_of
from supple.collide.self_contact.ccd_guard import (
    CHANGED,
    STRAY,
    expect_ways,
    measure_deviations,
    redirect_strays,
)
from supple.collide.self_contact.contact_table import ContactStore, PairStore, match_pairs
from supple.collide.self_contact.contact_transfer import Survivors, go_on_with_pairs

SKIN = 0.4
"""How far points may be from their expected way before their pairs are listed anew, in touching distances [-]."""

LONGEST_HORIZON = 20
"""Most substeps that a list of pairs is made for."""

FARTHEST_WAY = 1.0
"""Longest typical way that a list of pairs is made for, in reaches [-]."""

FARTHEST_STRAY = 2.0
"""How far points may be led from their expected way before contacts act, in skins [-]: in dense folds springs lead them far
and contacts push them back. To expect them where springs lead lists much that they never meet; but with 5 what they do
meet is listed too late, and light ribbons in a knot whip."""

EARLY = 0.75
"""How far from its way a point may start a substep, in skins [-]: it gets a new one before the guard has to ask about it."""

RENEWED = 0.5
"""How far from their ways other points are that get new ones along with it, in skins [-]: so that it happens less often."""

MOST_STRAYS = 0.05
"""Share of points that may start a substep off their ways before all pairs are listed anew [-]: that costs as much."""

MOST_LED_OFF = 0.3
"""Share of points that contacts may lead out of their skins in a substep before all that may hit is listed anew [-]."""

LONGEST_TAIL = 0.25
"""Pairs behind the sorted ones, per sorted pair, before all pairs are listed anew [-]."""

EDGE_WAYS = 4.0
"""How far edges may come closer within a substep without being listed, in typical ways [-]; the guard sees those."""


class NearList:
    """Pairs that are near, and for how long the list of them holds."""

    def __init__(
        self,
        tree: SurfaceTree,
        root_pairs: NDArray[np.int32],
        rest: NDArray[np.float64],
        known: KnownStars | None = None,
    ) -> None:
        """Make room for the pairs of some surfaces.

        Args:
            tree: over the surfaces
            root_pairs: (n, 2) nodes whose surfaces may touch
            rest: (point_count, 3) [m], their shape at rest
            known: stars of these surfaces before an edit, if there were any
        """
        self.tree, self._root_pairs = tree, root_pairs
        leaf_count, point_count = len(tree.corners), len(rest)
        self.stars = FlatStars(rest, tree.corners, tree.leaf_triangles, known)
        """Which parts of the surfaces cannot touch themselves."""
        self.marks = np.zeros(point_count, dtype=np.int8)
        """(point_count,) STRAY, CHANGED: what is wanted of a pair, between its points."""
        self.deviations = np.zeros(point_count)
        """(point_count,) how far each point is from its expected way at most, in this substep [m]."""
        self.pairs = PairStore(16 * leaf_count)
        """The pairs: those that were sorted, nearest first, and behind them the pairs of strays."""
        self.picked: NDArray[np.int32] = np.zeros(16 * leaf_count, dtype=np.int32)
        """(capacity,) pairs that `pick` and `add_strays` have chosen."""
        self._in_order: NDArray[np.int32] = np.zeros(16 * leaf_count, dtype=np.int32)
        self._places: NDArray[np.int32] = np.zeros(16 * leaf_count, dtype=np.int32)
        self._spare = PairStore(16 * leaf_count)
        self._base, self._way = np.zeros((point_count, 3)), np.zeros((point_count, 3))
        self._now, self._expected = np.zeros((point_count, 3)), np.zeros((point_count, 3))
        self._boxes = np.zeros((len(tree.children), 6), dtype=np.float32)
        self._node_marks = np.zeros(len(tree.children), dtype=np.int8)
        self._stack = np.zeros((STACK, 2), dtype=np.int32)
        self._leaf_pairs = np.zeros((8 * leaf_count, 2), dtype=np.int32)
        self._batches = Batches(point_count, leaf_count)
        self._bin_ends = np.zeros(BINS, dtype=np.int64)
        self._table = np.zeros(1 << int(np.ceil(np.log2(16 * leaf_count))), dtype=np.int32)
        self.detections = self.late_detections = self.redirections = self.comparisons = 0
        self.tune(0.0, 0.0)
        self.forget()

    def tune(self, touch: float, edge_touch: float) -> None:
        """Set how close a point and a triangle, and two edges, have to be to be looked at [m]."""
        self._touch, self._edge_touch = touch, min(edge_touch, touch)
        self.skin = SKIN * touch

    def forget(self) -> None:
        """Forget all pairs: positions have changed by other means than motion."""
        self._has_list = self._is_fresh = False
        self._elapsed = self._horizon_time = 0.0
        self._age, self._horizon = 0, 1
        self._largest = 0.0
        self._reach = self._edge_reach = self.reach
        self.edge_gap = self._touch
        self.pairs.count = self.pairs.sorted_count = 0

    @property
    def reach(self) -> float:
        """Distance within which pairs are listed [m]."""
        return self._touch + 2.0 * self.skin

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return what `restore` needs to go on bit for bit."""
        pairs = self.pairs
        arrays: dict[str, NDArray[np.generic]] = {
            "clock": np.array(
                [
                    self._elapsed,
                    self._horizon_time,
                    self._largest,
                    self.edge_gap,
                    self._reach,
                    self._edge_reach,
                ]
            ),
            "ages": np.array(
                [self._age, self._horizon, int(self._has_list), pairs.sorted_count, int(self._is_fresh)]
            ),
            "base": self._base,
            "way": self._way,
            "bin_ends": self._bin_ends,
        }
        for name in PairStore.ARRAYS:
            arrays[f"pair_{name}"] = getattr(pairs, name)[: pairs.count]
        return arrays

    def restore(self, saved: Mapping[str, NDArray[Any]]) -> None:
        """Take over what `state` returned; a ValueError or KeyError tells that it does not fit."""
        for name in ("base", "way", "bin_ends"):
            getattr(self, f"_{name}")[:] = saved[name]
        self._elapsed, self._horizon_time, self._largest, self.edge_gap = saved["clock"][:4].tolist()
        self._reach, self._edge_reach = saved["clock"][4:].tolist()
        self._age, self._horizon, has_list, sorted_count, is_fresh = saved["ages"].tolist()
        self._has_list, self._is_fresh = bool(has_list), bool(is_fresh)
        count = len(saved["pair_gaps"])
        if not 0 <= sorted_count <= count:
            raise ValueError("ages")
        if count > self.pairs.capacity:
            self._make_room(2 * count)
        self.pairs.count, self.pairs.sorted_count = count, sorted_count
        for name in PairStore.ARRAYS:
            getattr(self.pairs, name)[:count] = saved[f"pair_{name}"]
        if not ((saved["pair_pairs"] >= 0) & (saved["pair_pairs"] < len(self.marks))).all():
            raise ValueError("pair_pairs")

    def go_on(self, before: NearList, survivors: Survivors, contact_numbers: NDArray[np.int32]) -> None:
        """Go on with the list of the surfaces before an edit; see `going_on`."""
        if not before._has_list or before._touch != self._touch or before._edge_touch != self._edge_touch:
            return
        if before.pairs.count > self.pairs.capacity:
            self._make_room(2 * before.pairs.count)
        go_on_with_pairs(before.pairs, self.pairs, survivors, contact_numbers)
        self._base[:] = np.inf  # nowhere near where they are
        self._base[survivors.points] = before._base.take(survivors.were, axis=0)
        self._way[survivors.points] = before._way.take(survivors.were, axis=0)
        self._bin_ends[:] = before._bin_ends
        self._has_list, self._is_fresh = True, before._is_fresh
        self._elapsed, self._horizon_time = before._elapsed, before._horizon_time
        self._age, self._horizon, self._largest = before._age, before._horizon, before._largest
        self._reach, self._edge_reach, self.edge_gap = before._reach, before._edge_reach, before.edge_gap

    # ------------------------------------------------------------------ in every substep

    def follow(
        self,
        starts: NDArray[np.float64],
        ends: NDArray[np.float64],
        velocities: NDArray[np.float64],
        step: float,
        contacts: ContactStore,
    ) -> None:
        """Make the list hold for a substep.

        Args:
            starts: (point_count, 3) [m], where the substep starts
            ends: (point_count, 3) [m], where it ends before contacts have acted
            velocities: (point_count, 3) [m/s]
            step: substep [s]
            contacts: what is known of contacts; pairs that are listed anew are matched with them
        """
        before = min(self._elapsed, self._horizon_time)
        self._elapsed += step
        self._age += 1
        if not self._has_list:
            self._detect(starts, ends, velocities, step, contacts)
            return
        is_within = self._largest <= EARLY * self.skin
        self._measure(starts, before, ends)
        if not (is_within and self._largest <= FARTHEST_STRAY * self.skin):
            self._redirect(starts, ends, velocities, step, before, contacts)

    def measure(self, starts: NDArray[np.float64], ends: NDArray[np.float64], step: float) -> None:
        """Measure how far every point leaves its way in a substep that now ends elsewhere, (point_count, 3) [m] each."""
        self._measure(starts, min(self._elapsed - step, self._horizon_time), ends)

    def _measure(self, starts: NDArray[np.float64], before: float, ends: NDArray[np.float64]) -> None:
        after = min(self._elapsed, self._horizon_time)
        self._largest = measure_deviations(
            starts, before, ends, after, self._base, self._way, self.deviations
        )

    def pick(self, gap: float, edge_gap: float, *, starts: NDArray[np.float64] | None = None) -> int:
        """Choose the pairs that may come as close as `gap`, or `edge_gap` for two edges [m]; return how many there are.

        For contacts, `starts` tells where the substep starts, (point_count, 3) [m]: pairs with a contact are then chosen at
        any rate, as far as they may be as close as the larger of both, and new ones of edges if they meet inside of both.
        Points outside of their skin count as if they were at its border: `add_strays` is for them.
        """
        pairs = self.pairs
        slack = self._largest if self._largest < self.skin else self.skin  # the skin, too, if it is NaN
        bin_number = int(BINS * (max(gap, edge_gap) + 2.0 * slack) / self._reach)
        near = int(self._bin_ends[min(bin_number, BINS - 1)]) if pairs.sorted_count else 0
        if len(self.picked) < pairs.capacity:
            self.picked = np.zeros(pairs.capacity, dtype=np.int32)
        count = pick_pairs(
            near, pairs.sorted_count, pairs.count, pairs.pairs, pairs.is_edges, pairs.gaps, pairs.contacts,
            self.deviations, self.skin, gap, edge_gap, starts is not None, self._base if starts is None else starts,
            self.picked,
        )  # fmt: skip
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

    def add_strays(
        self, starts: NDArray[np.float64], ends: NDArray[np.float64], separation: float, count: int
    ) -> int:
        """Add what marked points may hit to the pairs that were picked; return how many there are then.

        The list says nothing of points that left their skin: they were pushed away or stopped. Of all others it still
        holds. The pairs are written behind those of the list, and stay there until the next call.
        """
        self.comparisons += 1
        tree, wanted = self.tree, STRAY | CHANGED
        mark_nodes(tree.children, tree.corners, self.marks, self._node_marks)
        refit(starts, ends, tree.children, tree.corners, 0.5 * separation, self._boxes)
        leaf_pair_count = self._find_marked_leaves(wanted)
        found = self._append(starts, ends, leaf_pair_count, wanted, separation, separation)
        first = self.pairs.count
        if count + found > len(self.picked):
            self.picked = np.concatenate([self.picked, np.zeros(count + 2 * found, dtype=np.int32)])
        number_on(first, found, self.picked[count:])
        return count + found

    def meetings(
        self, positions: NDArray[np.float64], reach: float, marks: NDArray[np.int8]
    ) -> NDArray[np.int32]:
        """Return what passes through each other now, or if nothing does, what is within `reach` [m], as points in each row.

        Only leaves with a marked point are looked at. The list stays as it is.

        Args:
            positions: (point_count, 3) [m]
            reach: [m]
            marks: (point_count,) 0 or 1
        """
        tree, spare = self.tree, self._spare
        mark_nodes(tree.children, tree.corners, marks, self._node_marks)
        refit(positions, positions, tree.children, tree.corners, 0.5 * reach, self._boxes)
        leaf_pair_count = self._find_marked_leaves(1)
        crossings = crossings_of(tree, positions, self._leaf_pairs, leaf_pair_count)
        if len(crossings):
            return crossings
        while True:
            count = list_pairs(
                positions, positions, self._leaf_pairs, leaf_pair_count, tree.corners, tree.leaf_points,
                tree.leaf_triangles, tree.leaf_edges, self.marks, 0, reach, reach, *self._batches.arrays,
                spare.pairs, spare.is_edges, spare.gaps,
            )  # fmt: skip
            if count <= spare.capacity:
                break
            spare = self._spare = PairStore(3 * count // 2)
        # What is listed is near but for rounding; what is asked for is near.
        count = keep_closer(count, positions, reach, spare.pairs, spare.is_edges)
        return spare.pairs[:count].copy()

    # ------------------------------------------------------------------ listing anew

    def _detect(
        self,
        starts: NDArray[np.float64],
        ends: NDArray[np.float64],
        velocities: NDArray[np.float64],
        step: float,
        contacts: ContactStore,
    ) -> None:
        """List all pairs that may come near while points go on as in the last substep."""
        self.detections += 1
        # A list that lasted is worth making for longer, one that did not is made for as long as it lasted.
        self._horizon = max(
            1, min(LONGEST_HORIZON, self._age if self._age < self._horizon else 2 * self._age)
        )
        self._age = 1
        expect_ways(starts, ends, velocities, step, FARTHEST_STRAY * self.skin, self._way)
        # What moves far meets much on its way: the list would be long, and most of it never needed.
        typical = float(np.sqrt(np.vdot(self._way, self._way) / len(self._way)))
        if typical * self._horizon > FARTHEST_WAY * self.reach:
            self._horizon = max(1, int(FARTHEST_WAY * self.reach / typical))
        self._horizon_time = self._horizon * step
        self.edge_gap = min(self._edge_touch + EDGE_WAYS * typical, self._touch)
        np.copyto(self._base, starts)
        np.multiply(self._way, self._horizon, out=self._expected)
        self._expected += self._base
        self._way /= step
        self._elapsed = step
        self.list_all(self._base, self._expected, self.reach, self.edge_gap + 2.0 * self.skin)
        self._match(0, contacts)
        self._has_list = self._is_fresh = True
        self._measure(starts, 0.0, ends)

    def start_anew(
        self, starts: NDArray[np.float64], ends: NDArray[np.float64], step: float, separation: float
    ) -> None:
        """List all pairs that may hit, for a substep that ends elsewhere than most points were expected.

        This list serves the guard, which will change ends again and again: each change within the skins leaves it valid. For
        contacts it does not reach far enough, so the next substep begins with a new one.
        """
        self.late_detections += 1
        np.copyto(self._base, starts)
        np.subtract(ends, starts, out=self._way)
        self._way /= step
        self._elapsed = self._horizon_time = step
        reach = separation + 2.0 * self.skin
        self.list_all(starts, ends, reach, reach)
        self.pairs.contacts[: self.pairs.count] = -1
        self._has_list = False
        self._measure(starts, 0.0, ends)

    def list_all(
        self, starts: NDArray[np.float64], ends: NDArray[np.float64], reach: float, edge_reach: float
    ) -> None:
        """List and sort all pairs that come within their reach [m] in a motion, (point_count, 3) [m] at both ends."""
        tree, spare = self.tree, self._spare
        self._reach, self._edge_reach = reach, edge_reach
        refit(starts, ends, tree.children, tree.corners, 0.5 * reach, self._boxes)
        self.stars.look(starts, ends, reach)
        leaf_pair_count = self._find_near_leaves()
        while True:
            count = list_pairs(
                starts, ends, self._leaf_pairs, leaf_pair_count, tree.corners, tree.leaf_points, tree.leaf_triangles,
                tree.leaf_edges, self.marks, 0, reach, edge_reach, *self._batches.arrays,
                spare.pairs, spare.is_edges, spare.gaps,
            )  # fmt: skip
            if count <= spare.capacity:
                break
            self.pairs.count = 0
            self._make_room(3 * count // 2)
            spare = self._spare
        pairs = self.pairs
        sort_pairs(
            count, spare.pairs, spare.is_edges, spare.gaps, reach, self._bin_ends,
            pairs.pairs, pairs.is_edges, pairs.gaps,
        )  # fmt: skip
        pairs.count = pairs.sorted_count = int(count)

    def _redirect(
        self,
        starts: NDArray[np.float64],
        ends: NDArray[np.float64],
        velocities: NDArray[np.float64],
        step: float,
        before: float,
        contacts: ContactStore,
    ) -> None:
        """List the pairs of points anew that have left their way; all pairs if those are many, or the list is old."""
        pairs = self.pairs
        if before >= self._horizon_time:
            # All are expected to stay where their ways have ended: ways of no length, from there.
            self._way *= self._horizon_time
            self._base += self._way
            self._way[:] = 0.0
            before, self._elapsed, self._horizon_time = 0.0, step, LONGEST_HORIZON * step
        after = min(self._elapsed, self._horizon_time)
        strays = redirect_strays(
            starts, ends, velocities, step, before, after, RENEWED * self.skin, FARTHEST_STRAY * self.skin, self._base,
            self._way, self.marks,
        )  # fmt: skip
        is_long = pairs.count - pairs.sorted_count > LONGEST_TAIL * pairs.sorted_count + 256
        if strays > MOST_STRAYS * len(self.marks) or is_long:
            self._detect(starts, ends, velocities, step, contacts)
            return
        if strays:
            self.redirections += 1
            tree = self.tree
            np.multiply(self._way, before, out=self._now)
            self._now += self._base
            np.multiply(self._way, self._horizon_time, out=self._expected)
            self._expected += self._base
            mark_nodes(tree.children, tree.corners, self.marks, self._node_marks)
            refit(self._now, self._expected, tree.children, tree.corners, 0.5 * self.reach, self._boxes)
            leaf_pair_count = self._find_marked_leaves(STRAY)
            strike_out(pairs.count, pairs.pairs, self.marks, STRAY, pairs.gaps)
            first = pairs.count
            pairs.count += self._append(
                self._now, self._expected, leaf_pair_count, STRAY, self.reach, self._edge_reach
            )
            self._match(first, contacts)
        self._measure(starts, before, ends)

    def _append(
        self,
        starts: NDArray[np.float64],
        ends: NDArray[np.float64],
        leaf_pair_count: int,
        wanted: int,
        reach: float,
        edge_reach: float,
    ) -> int:
        """Write the pairs with all wanted marks that come near behind the list; return how many there are."""
        tree, first = self.tree, self.pairs.count
        while True:
            pairs = self.pairs
            count = list_pairs(
                starts, ends, self._leaf_pairs, leaf_pair_count, tree.corners, tree.leaf_points, tree.leaf_triangles,
                tree.leaf_edges, self.marks, wanted, reach, edge_reach, *self._batches.arrays,
                pairs.pairs[first:], pairs.is_edges[first:], pairs.gaps[first:],
            )  # fmt: skip
            if first + count <= pairs.capacity:
                return int(count)
            self._make_room(2 * (first + count))

    def _match(self, first: int, contacts: ContactStore) -> None:
        """Find the contacts of all pairs from the first given on."""
        pairs = self.pairs
        if 2 * contacts.count >= len(self._table):
            self._table = np.zeros(8 * len(self._table), dtype=np.int32)
        match_pairs(
            contacts.count, contacts.points, contacts.is_edges, pairs.pairs[first:], pairs.is_edges[first:],
            pairs.count - first, self._table, pairs.contacts[first:],
        )  # fmt: skip

    def _make_room(self, capacity: int) -> None:
        self.pairs.grow(capacity)
        self._spare = PairStore(capacity)

    def _find_near_leaves(self) -> int:
        """Find the pairs of leaves that are near, and return how many there are."""
        while True:
            count = near_leaves(
                self._root_pairs, self.tree.children, self._boxes, self.tree.corners, self.stars.is_flat, self._stack,
                self._leaf_pairs,
            )  # fmt: skip
            if self._has_room(count):
                return int(count)

    def _find_marked_leaves(self, wanted: int) -> int:
        """Find the pairs of leaves that are near and have all wanted marks; return how many there are."""
        while True:
            count = marked_leaves(
                self._root_pairs, self.tree.children, self._boxes, self._node_marks, wanted, self._stack,
                self._leaf_pairs,
            )  # fmt: skip
            if self._has_room(count):
                return int(count)

    def _has_room(self, count: int) -> bool:
        """Return whether there was room for so many pairs of leaves, -1 if the stack was too small; make room if not."""
        if count < 0:
            self._stack = np.zeros((2 * len(self._stack), 2), dtype=np.int32)
        elif count > len(self._leaf_pairs):
            self._leaf_pairs = np.zeros((3 * count // 2, 2), dtype=np.int32)
        else:
            return True
        return False
