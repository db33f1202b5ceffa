"""Cholesky factor over a separator tree that follows edits: A = L Lᵀ, one dense block a tree node.

Eliminating the m own points of a node couples its r border points. All of it happens in one dense
*front* of m + r rows (docs/theory/solve.md, eq. (L2)):

    [ A_oo      ]   +  what the children's       [ L_oo    ]               U = F_bb - L_bo L_boᵀ
    [ A_bo   0  ]      eliminations left   ->    [ L_bo  U ],

where U, the *update*, is added to the parent's front. Updates are kept. A changed entry of A then
concerns only the fronts on the way from its node to the root, and recomputing those performs
exactly the operations of a fresh factorisation, so the result is the same to the last bit.

Fixed points are eliminated exactly without touching the structure: their couplings are left out and
their diagonal is 1.

Memory. Fronts are cut into groups of four columns. A group holds the rows from its own diagonal
downwards, four numbers a row, so `pool` is an (m, 4) array read front to back; the number of own
and of border rows of each node is filled up to a multiple of four with unit rows. A row of four
is what `lanes` handles in one instruction: four columns in the factorisation, the three right-hand
sides (and an idle lane) in the solve. Panels (own columns) come first in the pool, updates after all
of them, so that a solve streams through contiguous memory.

Edits. Every point has a *row* of the vector to solve for, and rows ascend in the order of elimination. A node has
more rows than points, and a point that leaves it leaves a gap: the rows of all others stay what they were, and with them
the lists of every node that an edit does not concern.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from supple.kernel import kernel
from supple.model.tables.growable import fitted, zeros
from supple.solve.dense_fronts import factor_marked, group_start
from supple.solve.separator_tree import Adjacency, SeparatorTree, adjacency_of
from supple.solve.tree_edit import (
    adopt_points,
    collect_borders_of_marked,
    drop_last_gaps,
    first_descendants,
    lift_points,
    mark_paths,
    relate_borders,
    rename_points,
    seat_points,
)
from supple.solve.triangular_solve import solve_factored


@kernel
def place_entries(
    is_chosen, starts, ends, others, pair_of, row_start, own_count, point_at, row_of, own_rows, panel_start,
    front_rows, border_start, border_count, border_rows, used, front_row_of, entry_start, entry_room,
    entry_count, entry_pair, entry_at,
):  # fmt: skip
    """List for every chosen node which entries of A go to which place of the pool.

    Args:
        is_chosen: (node_count,)
        starts: (point_count,) where each point's row of `others` begins
        ends: (point_count,) where it ends
        others: (room,) coupled points
        pair_of: (room,) the pair that each of these is
        row_start: (node_count,) first row of each node
        own_count: (node_count,) rows in use
        point_at: (row_count,) point in each row, -1 for a gap
        row_of: (point_count,) row of each point
        own_rows: (node_count,) rows in use, filled up to a multiple of four
        panel_start: (node_count,) pool row of each panel
        front_rows: (node_count,) rows of the whole front
        border_start: (node_count,) where each node's stretch of `border_rows` begins
        border_count: (node_count,) its length
        border_rows: (room,) rows of each node's border, ascending
        used: how much of the lists is in use
        front_row_of: (row_count,) scratch: row in the front at hand
        entry_start: (node_count,) where each node's stretch of the lists begins, updated
        entry_room: (node_count,) length of each stretch, updated
        entry_count: (node_count,) how much of it is in use, updated
        entry_pair: (room,) written, pair of each entry
        entry_at: (room,) written, its place in the flat pool

    Returns:
        how much of the lists is in use then, -1 if they are too short
    """
    for node in range(own_rows.shape[0]):
        if not is_chosen[node]:
            continue
        first, last = row_start[node], row_start[node] + own_count[node]
        count = 0
        for low in range(first, last):
            front_row_of[low] = low - first
            point = point_at[low]
            if point >= 0:
                for k in range(starts[point], ends[point]):
                    count += row_of[others[k]] > low
        if count > entry_room[node]:
            room = count + count // 8 + 8
            if used + room > entry_pair.shape[0]:
                return -1
            entry_start[node], entry_room[node] = used, room
            used += room
        entry_count[node] = count
        for k in range(border_count[node]):
            front_row_of[border_rows[border_start[node] + k]] = own_rows[node] + k
        at = entry_start[node]
        for low in range(first, last):
            point = point_at[low]
            if point < 0:
                continue
            column = low - first
            group = column // 4
            top = group_start(panel_start[node], front_rows[node], group) - 4 * group
            for k in range(starts[point], ends[point]):
                high = row_of[others[k]]
                if high > low:
                    entry_pair[at] = pair_of[k]
                    entry_at[at] = 4 * (top + front_row_of[high]) + column - 4 * group
                    at += 1
    return used


@kernel
def take_slot(wanted, used, free_start, free_rows):
    """Find a stretch of the pool; return where it begins, and how much of the pool is in use then.

    The smallest stretch that was given up and is long enough is taken, and what is left of it stays free: memory that
    was used before is there, while fresh pages take longer than the arithmetic.

    Args:
        wanted: pool rows
        used: pool rows in use
        free_start: (room,) where stretches that were given up begin, updated
        free_rows: (room,) their lengths, 0 for an entry that stands for none, updated
    """
    best = -1
    for k in range(free_rows.shape[0]):
        if free_rows[k] >= wanted and (best < 0 or free_rows[k] < free_rows[best]):
            best = k
    if best < 0:
        return used, used + wanted
    start = free_start[best]
    free_start[best] += wanted
    free_rows[best] -= wanted
    return start, used


@kernel
def give_up_slot(start, rows, free_start, free_rows):
    """Note that a stretch of the pool is free; the shortest one is forgotten if the list is full."""
    shortest = 0
    for k in range(free_rows.shape[0]):
        if free_rows[k] < free_rows[shortest]:
            shortest = k
    if rows > free_rows[shortest]:
        free_start[shortest], free_rows[shortest] = start, rows


@kernel
def with_spare_rows(rows):
    """Return a multiple of four that leaves so many rows room to grow."""
    return rows + 4 * (rows // 32 + 1)


@kernel
def grow_slots(
    own_rows, front_rows, used, panel_room, update_room, panel_start, update_start, free_start, free_rows
):
    """Move every panel and update that has outgrown its room to where it has some to spare; return how much is in use.

    Only nodes that an edit concerns can have grown, and those are recomputed: nothing is copied.

    Args:
        own_rows: (node_count,) rows in use, filled up to a multiple of four
        front_rows: (node_count,) rows of the whole front
        used: pool rows in use
        panel_room: (node_count,) pool rows each panel may take, updated
        update_room: (node_count,) pool rows each update may take, updated
        panel_start: (node_count,) pool row of each panel, updated
        update_start: (node_count,) pool row of each update, updated
        free_start: (room,) as for `take_slot`
        free_rows: (room,) as for `take_slot`
    """
    for node in range(own_rows.shape[0]):
        own, border = own_rows[node], front_rows[node] - own_rows[node]
        if group_start(0, own + border, own // 4) > panel_room[node]:
            give_up_slot(panel_start[node], panel_room[node], free_start, free_rows)
            larger = with_spare_rows(own)
            panel_room[node] = group_start(0, larger + with_spare_rows(border), larger // 4)
            panel_start[node], used = take_slot(panel_room[node], used, free_start, free_rows)
        if group_start(0, border, border // 4) > update_room[node]:
            give_up_slot(update_start[node], update_room[node], free_start, free_rows)
            larger = with_spare_rows(border)
            update_room[node] = group_start(0, larger, larger // 4)
            update_start[node], used = take_slot(update_room[node], used, free_start, free_rows)
    return used


def _filled_up(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the counts rounded up to multiples of four."""
    return (counts + 3) // 4 * 4


def _starts(counts: npt.NDArray[np.int64], first: int = 0) -> npt.NDArray[np.int64]:
    """Return where each of these consecutive stretches begins, and where the last ends."""
    return np.concatenate([[first], first + np.cumsum(counts)]).astype(np.int64)


def _stretches(begins: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the numbers of all stretches that begin here and are so long, one after the other."""
    offsets = np.repeat(begins - _starts(counts)[:-1], counts)
    found: npt.NDArray[np.int64] = offsets + np.arange(len(offsets))
    return found


def _longer(array: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return an array of twice the length that begins with this one."""
    result = np.zeros(2 * len(array) + 64, array.dtype)
    result[: len(array)] = array
    return result


SLACK = 2
"""Inverse of the share of its first contents by which the pool is larger from the start, for blocks that edits let grow."""


FREE_SLOTS = 256
"""Stretches of the pool, given up by blocks that have outgrown them, that are remembered for others."""


SPARE_ROWS = 16
"""Rows that every node has more than it needs, at least: a cut of some thirty springs brings a dozen points to one leaf."""


class TreeFactor:
    """Direct solver: A = L Lᵀ over a separator tree, brought up to date after edits.

    A is symmetric positive definite, (point_count, point_count), one number per pair of points. The
    factor refers to the arrays given to `factor`; change them in place and call `change`.
    """

    def __init__(
        self,
        coordinates: npt.NDArray[np.float64],
        pairs: npt.NDArray[np.int64],
        *,
        tree: SeparatorTree | None = None,
        fresh_entries: float | None = None,
    ) -> None:
        """Order the elimination and set the memory aside.

        Args:
            coordinates: (point_count, 3) rest positions, a guide for the order [m]
            pairs: (pair_count, 2) coupled points, the smaller first, each pair once
            tree: the order, if it is known already
            fresh_entries: entries of the factor a point that this order began with, if it has been edited since
        """
        self.pairs = np.ascontiguousarray(pairs, np.int64).reshape(-1, 2)
        if tree is None:
            tree = SeparatorTree.build(np.asarray(coordinates, np.float64), self.pairs)
        point_count, node_count = len(coordinates), tree.node_count
        self.parent, self.first_child, self.next_sibling = tree.parent, tree.first_child, tree.next_sibling
        self._first = np.empty(node_count, np.int64)
        first_descendants(self.parent, self._first)
        self.adjacency = adjacency_of(self.pairs, point_count)
        self.is_marked = np.ones(node_count, np.bool_)
        self._seat(tree, point_count)

        groups = self.own_rows // 4
        panel_rows = groups * (self.front_rows - 2 * (groups - 1))
        groups = (self.front_rows - self.own_rows) // 4
        update_rows = groups * (self.front_rows - self.own_rows - 2 * (groups - 1))
        self.panel_start = _starts(panel_rows)[:-1]
        self.update_start = _starts(update_rows, int(panel_rows.sum()))[:-1]
        self._panel_room, self._update_room = panel_rows, update_rows
        self._pool_used = int(panel_rows.sum() + update_rows.sum())
        self._free_start, self._free_rows = np.zeros(FREE_SLOTS, np.int64), np.zeros(FREE_SLOTS, np.int64)

        self.entry_start, self.entry_count = np.zeros(node_count, np.int64), np.zeros(node_count, np.int64)
        self._entry_room, self._entries_used = np.zeros(node_count, np.int64), 0
        room = len(self.pairs) + len(self.pairs) // 4 + 16 * node_count
        self.entry_pair, self.entry_at = np.empty(room, np.int64), np.empty(room, np.int64)
        self._place_entries(self.is_marked)

        self.clamped = np.zeros(node_count, np.int64)
        # Touch the pages of the first edits now: faults inside a frame cost more than the arithmetic. The rest of
        # the room is only taken from the system when edits get there.
        self.pool = np.zeros((3 * self._pool_used + 64, 4))
        self.pool[: self._pool_used + self._pool_used // SLACK].fill(0.0)
        self.diagonal = np.ones(point_count)
        self.values = np.zeros(len(self.pairs))
        self.is_fixed = np.ones(point_count, np.bool_)
        own_entries = tree.factor_entries / max(point_count, 1)
        self.fresh_entries = own_entries if fresh_entries is None else fresh_entries

    # ------------------------------------------------------------------ rows

    def _seat(self, tree: SeparatorTree, point_count: int) -> None:
        """Give the points of a tree their rows, with room for more, and its borders theirs."""
        self.own_count = np.diff(tree.own_start)
        self._set_rows()
        row_of_place = _stretches(self.row_start, self.own_count)
        self.point_at[row_of_place] = tree.order
        is_point = tree.order >= 0
        self.row_of, self.node_of = zeros((point_count,), np.int64), zeros((point_count,), np.int64)
        self.row_of[tree.order[is_point]] = row_of_place[is_point]
        self.node_of[tree.order[is_point]] = np.repeat(np.arange(tree.node_count), self.own_count)[is_point]

        self.border_count = np.diff(tree.border_start)
        self._border_room = _filled_up(self.border_count) + 4
        starts = _starts(self._border_room)
        self.border_start, self._borders_used = starts[:-1].copy(), int(starts[-1])
        room = self._borders_used + self._borders_used // SLACK + 64
        self.border_rows = np.full(room, self._idle_row, np.int64)
        self.border_rows[_stretches(self.border_start, self.border_count)] = row_of_place[tree.border]
        self.relative = np.zeros(room, np.int64)
        self._relate()

    def _set_rows(self) -> None:
        """Set rows aside for every node: more than it needs, as edits bring points."""
        self._row_room = _filled_up(self.own_count + SPARE_ROWS + self.own_count // 8)
        starts = _starts(self._row_room)
        self.row_start, self._idle_row = starts[:-1].copy(), int(starts[-1])
        self.point_at = np.full(self._idle_row, -1, np.int64)
        self.vector = np.zeros((self._idle_row + 1, 4))
        self._is_seen = np.zeros(self._idle_row, np.bool_)
        self._spare, self._found = np.empty(self._idle_row, np.int64), np.empty(self._idle_row, np.int64)

    def _spread_rows(self, wanted: npt.NDArray[np.int64]) -> None:
        """Move every node's rows apart, so that `wanted` (node_count,) and some more fit in."""
        old_start, old_at, old_idle = self.row_start, self.point_at, self._idle_row
        in_use = self.own_count
        self.own_count = np.maximum(wanted, in_use)
        self._set_rows()
        self.own_count = in_use
        old_rows, rows = _stretches(old_start, in_use), _stretches(self.row_start, in_use)
        new_row_of = np.full(old_idle + 1, self._idle_row, np.int64)
        new_row_of[old_rows] = rows
        self.point_at[rows] = old_at[old_rows]
        self.row_of = np.where(self.row_of >= 0, new_row_of[self.row_of], -1)
        self.border_rows = new_row_of[self.border_rows]

    def _relate(self) -> None:
        """Find the sizes of all fronts, and where the borders of marked nodes stand in them."""
        self.own_rows = _filled_up(self.own_count)
        self.front_rows = self.own_rows + _filled_up(self.border_count)
        relate_borders(
            self.parent, self.is_marked, self.row_start, self._row_room, self.own_rows,
            self.border_start, self.border_count, self.border_rows, self.relative,
        )  # fmt: skip
        self.own_diagonal = np.zeros(self.own_rows.max())
        self._packed = np.zeros((2 * self.own_rows.max(), 4))
        self.front = np.zeros((self.front_rows.max(), 4))

    def _place_entries(self, is_chosen: npt.NDArray[np.bool_]) -> None:
        """Find where every entry of A goes that a chosen node holds."""
        while True:
            used = place_entries(
                is_chosen, *self.adjacency, self.row_start, self.own_count, self.point_at, self.row_of,
                self.own_rows, self.panel_start, self.front_rows,
                self.border_start, self.border_count, self.border_rows, self._entries_used, self._found,
                self.entry_start, self._entry_room, self.entry_count,
                self.entry_pair, self.entry_at,
            )  # fmt: skip
            if used >= 0:
                self._entries_used = used
                return
            self.entry_pair, self.entry_at = _longer(self.entry_pair), _longer(self.entry_at)
            self._entries_used = int((self.entry_start + self._entry_room).max())

    def reshape(
        self,
        new_of: npt.NDArray[np.int64],
        pairs: npt.NDArray[np.int64],
        touched: npt.NDArray[np.int64],
        diagonal: npt.NDArray[np.float64],
        values: npt.NDArray[np.float64],
        is_fixed: npt.NDArray[np.bool_],
        adjacency: Adjacency | None = None,
        *,
        keeps_pairs: bool = False,
        keeps_names: bool = False,
    ) -> None:
        """Follow an edit of the points and pairs; refactor only what it concerns.

        Args:
            new_of: (old point_count,) what each point is called now, -1 if it is gone
            pairs: (pair_count, 2) coupled points after the edit; a pair of a point with itself counts for nothing
            touched: (count,) points, as they are called now, whose diagonal or whose pairs have changed
            diagonal: (point_count,) as in `factor`
            values: (pair_count,) as in `factor`
            is_fixed: (point_count,) as in `factor`
            adjacency: the pairs by row, if they are known
            keeps_pairs: whether pairs that there were before still have their numbers
            keeps_names: whether all points that there were are called as before; `new_of` need not be looked at
        """
        self.pairs = np.ascontiguousarray(pairs, np.int64).reshape(-1, 2)
        point_count = len(diagonal)
        self.adjacency = adjacency_of(self.pairs, point_count) if adjacency is None else adjacency
        starts, ends, others, _ = self.adjacency
        if keeps_names:
            before = len(self.node_of)
            self.node_of, self.row_of = fitted(self.node_of, point_count), fitted(self.row_of, point_count)
            self.node_of[before:] = self.row_of[before:] = -1
        else:
            self.node_of, self.row_of = zeros((point_count,), np.int64), zeros((point_count,), np.int64)
            self.node_of[:] = self.row_of[:] = -1
            rename_points(
                new_of, self.parent, self.row_start, self.own_count, self.point_at,
                self.node_of, self.row_of, self.is_marked,
            )  # fmt: skip
        is_concerned = self.node_of < 0
        is_concerned[touched] = True
        points = np.flatnonzero(is_concerned)
        adopt_points(starts, ends, others, self.parent, self._first, self.node_of)
        lift_points(
            points, starts, ends, others, self.parent, self._first,
            self.point_at, self.node_of, self.row_of, self.is_marked,
        )  # fmt: skip
        standing = np.flatnonzero(self.row_of < 0)
        seats = self._row_room, self.node_of, self.own_count
        if not seat_points(standing, self.row_start, *seats, self.point_at, self.row_of):
            standing = np.flatnonzero(self.row_of < 0)
            self._spread_rows(
                self.own_count + np.bincount(self.node_of[standing], minlength=len(self.parent))
            )
            seats = self._row_room, self.node_of, self.own_count
            seat_points(standing, self.row_start, *seats, self.point_at, self.row_of)
        is_concerned[standing] = True
        concerned = np.flatnonzero(is_concerned)
        mark_paths(concerned, self.parent, self.node_of, starts, ends, others, self.is_marked)
        drop_last_gaps(self.row_start, self.own_count, self.point_at, self.is_marked)
        self._collect_borders()
        self._relate()
        self._pool_used = grow_slots(
            self.own_rows, self.front_rows, self._pool_used, self._panel_room, self._update_room,
            self.panel_start, self.update_start, self._free_start, self._free_rows,
        )  # fmt: skip
        if self._pool_used > len(self.pool):
            larger = np.zeros((2 * self._pool_used + 64, 4))
            larger[: len(self.pool)] = self.pool
            self.pool = larger
        self._place_entries(self.is_marked if keeps_pairs else np.ones(len(self.parent), np.bool_))
        self.diagonal, self.values, self.is_fixed = diagonal, values, is_fixed
        self._factor_marked()

    def _collect_borders(self) -> None:
        """Find the borders of marked nodes anew."""
        starts, ends, others, _ = self.adjacency
        while True:
            used = collect_borders_of_marked(
                starts, ends, others, self.first_child, self.next_sibling, self.row_start, self._row_room,
                self.own_count, self.point_at, self.row_of, self.is_marked, self._borders_used, self._idle_row,
                self._is_seen, self._spare, self._found,
                self.border_start, self._border_room, self.border_count, self.border_rows,
            )  # fmt: skip
            if used >= 0:
                self._borders_used = used
                return
            self.border_rows, self.relative = _longer(self.border_rows), _longer(self.relative)
            self._borders_used = int((self.border_start + self._border_room).max())

    def places(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the point at each place, -1 for a gap, and (node_count + 1,) the places that each node owns."""
        return self.point_at[_stretches(self.row_start, self.own_count)], _starts(self.own_count)

    # ------------------------------------------------------------------ numbers

    @property
    def fill(self) -> float:
        """Entries of the factor a point, over those of the order it began with [-]; edits let it grow."""
        own, border = self.own_count, self.border_count
        entries = int((own * (own + 1) // 2 + own * border).sum())
        return entries / (len(self.row_of) * self.fresh_entries)

    @property
    def clamped_pivots(self) -> int:
        """How many pivots were not safely positive and were replaced; 0 for a definite matrix."""
        return int(self.clamped.sum())

    def factor(
        self,
        diagonal: npt.NDArray[np.float64],
        values: npt.NDArray[np.float64],
        is_fixed: npt.NDArray[np.bool_],
    ) -> None:
        """Factor A anew and keep referring to these arrays.

        Args:
            diagonal: (point_count,) diagonal entries of A
            values: (pair_count,) entries of A at the pairs
            is_fixed: (point_count,) points whose row and column are left out
        """
        self.diagonal, self.values, self.is_fixed = diagonal, values, is_fixed
        self.is_marked[:] = True
        self._factor_marked()

    def change(self, points: npt.NDArray[np.int64]) -> None:
        """Follow changes of entries that touch `points` (count,), made in place in the arrays of `factor`."""
        starts, ends, others, _ = self.adjacency
        mark_paths(points, self.parent, self.node_of, starts, ends, others, self.is_marked)
        self._factor_marked()

    def solve(self, right_side: npt.NDArray[np.float64]) -> None:
        """Replace right_side (point_count, 3) by A⁻¹ right_side; 0 at fixed points."""
        solve_factored(
            self.row_of,
            self.is_fixed,
            self.own_rows,
            self.front_rows,
            self.row_start,
            self.border_start,
            self.border_rows,
            self.panel_start,
            self.pool,
            self.front,
            self.vector,
            right_side,
        )

    def _factor_marked(self) -> None:
        factor_marked(
            self.point_at,
            self.row_start,
            self.own_count,
            self.first_child,
            self.next_sibling,
            self.border_start,
            self.border_count,
            self.border_rows,
            self.relative,
            self.entry_start,
            self.entry_count,
            self.entry_pair,
            self.entry_at,
            self.diagonal,
            self.values,
            self.is_fixed,
            self.own_rows,
            self.front_rows,
            self.panel_start,
            self.update_start,
            self.is_marked,
            self.own_diagonal,
            self._packed,
            self.clamped,
            self.pool,
        )
