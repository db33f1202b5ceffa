"""Multifrontal Cholesky factor over a separator tree that follows edits: A = L Lᵀ, one dense front a tree node.

Eliminating the m own points of a node (a supernode) couples its r border points: fill-in. All of it happens in one dense
*front* of m + r rows (docs/theory/solve.md, eq. (L2)):

    [ A_oo      ]   +  what the children's       [ L_oo    ]               U = F_bb - L_bo L_boᵀ
    [ A_bo   0  ]      eliminations left   ->    [ L_bo  U ],

where U, the *update*, is added to the parent's front (extend-add). Updates are kept. A changed entry of A then
makes only the fronts on the path from its node to the root dirty, and recomputing those performs
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
from supple.model.tables.growable import resized, zeros
from supple.solve.dense_fronts import factor_dirty_fronts, group_start
from supple.solve.factor_arrays import (
    Borders,
    BorderScratch,
    EliminationTree,
    Entries,
    FactorScratch,
    Fronts,
    PointRows,
    PoolSlots,
    SymmetricMatrix,
)
from supple.solve.separator_tree import Adjacency, SeparatorTree, adjacency_of
from supple.solve.tree_edit import (
    assign_nodes,
    assign_rows,
    collect_dirty_borders,
    first_descendants,
    lift_points,
    mark_points,
    relate_borders,
    renumber_points,
    trim_gaps,
)
from supple.solve.triangular_solve import solve_factored


@kernel
def place_entries(used, is_chosen, adjacency, rows, borders, fronts, front_row_of, entries):
    """List for every chosen node which entries of A go to which place of the pool.

    Args:
        used: how much of the lists is in use
        is_chosen: (node_count,)
        adjacency: `Adjacency`
        rows: `PointRows`
        borders: `Borders`
        fronts: `Fronts`
        front_row_of: (row_count,) scratch: row in the front at hand
        entries: `Entries`, changed in place

    Returns:
        how much of the lists is in use then, -1 if they are too short
    """
    for node in range(is_chosen.shape[0]):
        if not is_chosen[node]:
            continue
        count = count_entries(node, adjacency, rows)
        if count > entries.rooms[node]:
            room = count + count // 8 + 8
            if used + room > entries.pair.shape[0]:
                return -1
            entries.starts[node], entries.rooms[node] = used, room
            used += room
        entries.counts[node] = count
        first, last = rows.starts[node], rows.starts[node] + rows.counts[node]
        for low in range(first, last):
            front_row_of[low] = low - first
        for k in range(borders.counts[node]):
            front_row_of[borders.rows[borders.starts[node] + k]] = fronts.own_rows[node] + k
        at = entries.starts[node]
        for low in range(first, last):
            point = rows.point_at[low]
            if point < 0:
                continue
            column = low - first
            group = column // 4
            top = group_start(fronts.panel_start[node], fronts.rows[node], group) - 4 * group
            for k in range(adjacency.starts[point], adjacency.ends[point]):
                high = rows.row_of[adjacency.others[k]]
                if high > low:
                    entries.pair[at] = adjacency.pairs[k]
                    entries.at[at] = 4 * (top + front_row_of[high]) + column - 4 * group
                    at += 1
    return used


@kernel
def count_entries(node, adjacency, rows):
    """Return how many entries below the diagonal the own columns of a node have."""
    count = 0
    for low in range(rows.starts[node], rows.starts[node] + rows.counts[node]):
        point = rows.point_at[low]
        if point >= 0:
            for k in range(adjacency.starts[point], adjacency.ends[point]):
                count += rows.row_of[adjacency.others[k]] > low
    return count


@kernel
def take_slot(wanted, used, slots):
    """Find a stretch of the pool; return where it begins, and how much of the pool is in use then.

    The smallest released stretch that is long enough is taken, and what is left of it stays free: memory that
    was used before is there, while fresh pages take longer than the arithmetic.

    Args:
        wanted: pool rows
        used: pool rows in use
        slots: `PoolSlots`, whose free stretches are updated
    """
    best = -1
    for k in range(slots.free_rows.shape[0]):
        if slots.free_rows[k] >= wanted and (best < 0 or slots.free_rows[k] < slots.free_rows[best]):
            best = k
    if best < 0:
        return used, used + wanted
    start = slots.free_start[best]
    slots.free_start[best] += wanted
    slots.free_rows[best] -= wanted
    return start, used


@kernel
def release_slot(start, rows, slots):
    """Note that a stretch of the pool is free; the shortest one is forgotten if the list is full."""
    shortest = 0
    for k in range(slots.free_rows.shape[0]):
        if slots.free_rows[k] < slots.free_rows[shortest]:
            shortest = k
    if rows > slots.free_rows[shortest]:
        slots.free_start[shortest], slots.free_rows[shortest] = start, rows


@kernel
def with_spare_rows(rows):
    """Return a multiple of four that leaves so many rows room to grow."""
    return rows + 4 * (rows // 32 + 1)


@kernel
def grow_slots(used, fronts, slots):
    """Move every panel and update that has outgrown its room to where it has some to spare; return how much is in use.

    Only dirty fronts can have grown, and those are recomputed: nothing is copied.

    Args:
        used: pool rows in use
        fronts: `Fronts`, whose starts are updated
        slots: `PoolSlots`, updated
    """
    for node in range(fronts.own_rows.shape[0]):
        own, border = fronts.own_rows[node], fronts.rows[node] - fronts.own_rows[node]
        if group_start(0, own + border, own // 4) > slots.panel_room[node]:
            release_slot(fronts.panel_start[node], slots.panel_room[node], slots)
            larger = with_spare_rows(own)
            slots.panel_room[node] = group_start(0, larger + with_spare_rows(border), larger // 4)
            fronts.panel_start[node], used = take_slot(slots.panel_room[node], used, slots)
        if group_start(0, border, border // 4) > slots.update_room[node]:
            release_slot(fronts.update_start[node], slots.update_room[node], slots)
            larger = with_spare_rows(border)
            slots.update_room[node] = group_start(0, larger, larger // 4)
            fronts.update_start[node], used = take_slot(slots.update_room[node], used, slots)
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
"""Inverse of the share of its first contents by which the pool is larger from the start, for fronts that edits let grow."""


FREE_SLOTS = 256
"""Stretches of the pool, released by fronts that have outgrown them, that are remembered for others."""


SPARE_ROWS = 16
"""Rows that every node has more than it needs, at least: a cut of some thirty springs brings a dozen points to one leaf."""


class TreeFactor:
    """Direct solver: Cholesky factor A = L Lᵀ over a separator tree, brought up to date after edits.

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
        first = np.empty(node_count, np.int64)
        first_descendants(tree.parent, first)
        self.tree = EliminationTree(tree.parent, tree.first_child, tree.next_sibling, first)
        self.adjacency = adjacency_of(self.pairs, point_count)
        self.is_dirty = np.ones(node_count, np.bool_)
        self.clamped = np.zeros(node_count, np.int64)
        """(node_count,) how many pivots of each front had to be replaced."""
        self._make_rows(tree, point_count)
        self._make_fronts()
        self._make_entries()
        self.matrix = SymmetricMatrix(
            np.ones(point_count), np.zeros(len(self.pairs)), np.ones(point_count, np.bool_)
        )
        own_entries = tree.factor_entries / max(point_count, 1)
        self.fresh_entries = own_entries if fresh_entries is None else fresh_entries

    @property
    def diagonal(self) -> npt.NDArray[np.float64]:
        """Diagonal of A, (point_count,)."""
        return self.matrix.diagonal

    @property
    def values(self) -> npt.NDArray[np.float64]:
        """Entries of A at the pairs, (pair_count,)."""
        return self.matrix.values

    @property
    def is_fixed(self) -> npt.NDArray[np.bool_]:
        """Points whose row and column are left out, (point_count,)."""
        return self.matrix.is_fixed

    # ------------------------------------------------------------------ structure

    def _make_rows(self, tree: SeparatorTree, point_count: int) -> None:
        """Give the points of a tree their rows, with room for more, and its borders theirs."""
        counts = np.diff(tree.own_start)
        node_of, row_of = zeros((point_count,), np.int64), zeros((point_count,), np.int64)
        self._set_rows(counts, counts, node_of, row_of)
        row_of_place = _stretches(self.rows.starts, counts)
        self.rows.point_at[row_of_place] = tree.order
        is_point = tree.order >= 0
        row_of[tree.order[is_point]] = row_of_place[is_point]
        node_of[tree.order[is_point]] = np.repeat(np.arange(tree.node_count), counts)[is_point]

        border_counts = np.diff(tree.border_start)
        border_room = _filled_up(border_counts) + 4
        starts = _starts(border_room)
        self._borders_used = int(starts[-1])
        room = self._borders_used + self._borders_used // SLACK + 64
        self.borders = Borders(
            starts=starts[:-1].copy(),
            rooms=border_room,
            counts=border_counts,
            rows=np.full(room, self._idle_row, np.int64),
            relative=np.zeros(room, np.int64),
        )
        self.borders.rows[_stretches(self.borders.starts, border_counts)] = row_of_place[tree.border]

    def _set_rows(
        self,
        wanted: npt.NDArray[np.int64],
        counts: npt.NDArray[np.int64],
        node_of: npt.NDArray[np.int64],
        row_of: npt.NDArray[np.int64],
    ) -> None:
        """Set rows aside for every node: more than the `wanted` (node_count,) ones, as edits bring points."""
        room = _filled_up(wanted + SPARE_ROWS + wanted // 8)
        starts = _starts(room)
        self._idle_row = int(starts[-1])
        point_at = np.full(self._idle_row, -1, np.int64)
        self.rows = PointRows(starts[:-1].copy(), room, counts, point_at, node_of, row_of)
        self.vector = np.zeros((self._idle_row + 1, 4))
        self._border_scratch = BorderScratch(
            is_seen=np.zeros(self._idle_row, np.bool_),
            spare=np.empty(self._idle_row, np.int64),
            found=np.empty(self._idle_row, np.int64),
        )

    def _make_fronts(self) -> None:
        """Lay the fronts out in memory: all panels, then all updates."""
        node_count = len(self.tree.parent)
        nothing = np.zeros(node_count, np.int64)
        self.fronts = Fronts(nothing, nothing, nothing, nothing, np.zeros((0, 4)))
        self._relate_borders()
        own, border = self.fronts.own_rows, self.fronts.rows - self.fronts.own_rows
        panel_rows = own // 4 * (self.fronts.rows - 2 * (own // 4 - 1))
        update_rows = border // 4 * (border - 2 * (border // 4 - 1))
        self._pool_used = int(panel_rows.sum() + update_rows.sum())
        # Touch the pages of the first edits now: faults inside a frame cost more than the arithmetic. The rest of
        # the room is only taken from the system when edits get there.
        pool = np.zeros((3 * self._pool_used + 64, 4))
        pool[: self._pool_used + self._pool_used // SLACK].fill(0.0)
        self.fronts = self.fronts._replace(
            panel_start=_starts(panel_rows)[:-1],
            update_start=_starts(update_rows, int(panel_rows.sum()))[:-1],
            pool=pool,
        )
        free = np.zeros((2, FREE_SLOTS), np.int64)
        self._slots = PoolSlots(panel_rows, update_rows, free[0], free[1])

    def _make_entries(self) -> None:
        """List where every entry of A goes."""
        node_count = len(self.tree.parent)
        room = len(self.pairs) + len(self.pairs) // 4 + 16 * node_count
        self.entries = Entries(
            starts=np.zeros(node_count, np.int64),
            rooms=np.zeros(node_count, np.int64),
            counts=np.zeros(node_count, np.int64),
            pair=np.empty(room, np.int64),
            at=np.empty(room, np.int64),
        )
        self._entries_used = 0
        self._place_entries(self.is_dirty)

    def _spread_rows(self, wanted: npt.NDArray[np.int64]) -> None:
        """Move every node's rows apart, so that `wanted` (node_count,) and some more fit in."""
        old, old_idle = self.rows, self._idle_row
        old_rows = _stretches(old.starts, old.counts)
        self._set_rows(np.maximum(wanted, old.counts), old.counts, old.node_of, old.row_of)
        rows = _stretches(self.rows.starts, old.counts)
        new_row_of = np.full(old_idle + 1, self._idle_row, np.int64)
        new_row_of[old_rows] = rows
        self.rows.point_at[rows] = old.point_at[old_rows]
        self.rows = self.rows._replace(row_of=np.where(old.row_of >= 0, new_row_of[old.row_of], -1))
        self.borders = self.borders._replace(rows=new_row_of[self.borders.rows])

    def _relate_borders(self) -> None:
        """Find the sizes of all fronts, and where the borders of dirty nodes stand in them."""
        own_rows = _filled_up(self.rows.counts)
        self.fronts = self.fronts._replace(own_rows=own_rows, rows=own_rows + _filled_up(self.borders.counts))
        relate_borders(self.tree, self.is_dirty, self.rows, own_rows, self.borders)
        largest = int(own_rows.max())
        self._scratch = FactorScratch(own_diagonal=np.zeros(largest), packed=np.zeros((2 * largest, 4)))
        self._front = np.zeros((self.fronts.rows.max(), 4))

    def _place_entries(self, is_chosen: npt.NDArray[np.bool_]) -> None:
        """Find where every entry of A goes that a chosen node holds."""
        while True:
            used = place_entries(
                self._entries_used, is_chosen, self.adjacency, self.rows, self.borders, self.fronts,
                self._border_scratch.found, self.entries,
            )  # fmt: skip
            if used >= 0:
                self._entries_used = used
                return
            entries = self.entries
            self.entries = entries._replace(pair=_longer(entries.pair), at=_longer(entries.at))
            self._entries_used = int((entries.starts + entries.rooms).max())

    def _collect_borders(self) -> None:
        """Find the borders of dirty nodes anew."""
        while True:
            used = collect_dirty_borders(
                self._borders_used, self._idle_row, self.adjacency, self.tree, self.rows, self.is_dirty,
                self._border_scratch, self.borders,
            )  # fmt: skip
            if used >= 0:
                self._borders_used = used
                return
            borders = self.borders
            self.borders = borders._replace(rows=_longer(borders.rows), relative=_longer(borders.relative))
            self._borders_used = int((borders.starts + borders.rooms).max())

    # ------------------------------------------------------------------ edits

    def reshape(
        self,
        new_of: npt.NDArray[np.int64],
        pairs: npt.NDArray[np.int64],
        changed: npt.NDArray[np.int64],
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
            new_of: (old point_count,) new number of each point, -1 if it is gone
            pairs: (pair_count, 2) coupled points after the edit; a pair of a point with itself counts for nothing
            changed: (count,) points, by their new numbers, whose diagonal or whose pairs have changed
            diagonal: (point_count,) as in `factor`
            values: (pair_count,) as in `factor`
            is_fixed: (point_count,) as in `factor`
            adjacency: the pairs by row, if they are known
            keeps_pairs: whether pairs that there were before still have their numbers
            keeps_names: whether all points that there were have their numbers still; then `new_of` is not read
        """
        self.pairs = np.ascontiguousarray(pairs, np.int64).reshape(-1, 2)
        point_count = len(diagonal)
        self.adjacency = adjacency_of(self.pairs, point_count) if adjacency is None else adjacency
        self._renumber(None if keeps_names else new_of, point_count)
        self._place_points(changed)
        self._collect_borders()
        self._relate_borders()
        self._grow_pool()
        self._place_entries(self.is_dirty if keeps_pairs else np.ones(len(self.tree.parent), np.bool_))
        self.matrix = SymmetricMatrix(diagonal, values, is_fixed)
        self._factor_dirty_fronts()

    def _renumber(self, new_of: npt.NDArray[np.int64] | None, point_count: int) -> None:
        """Follow new numbers of the points (None: all the same), and make room for new ones, which have no row yet."""
        rows = self.rows
        if new_of is None:
            before = len(rows.node_of)
            node_of, row_of = resized(rows.node_of, point_count), resized(rows.row_of, point_count)
            node_of[before:] = row_of[before:] = -1
            self.rows = rows._replace(node_of=node_of, row_of=row_of)
        else:
            node_of, row_of = zeros((point_count,), np.int64), zeros((point_count,), np.int64)
            node_of[:] = row_of[:] = -1
            self.rows = rows._replace(node_of=node_of, row_of=row_of)
            renumber_points(new_of, self.tree.parent, self.rows, self.is_dirty)

    def _place_points(self, changed: npt.NDArray[np.int64]) -> None:
        """Give new points a node and a row, move those with new couplings, and mark all fronts concerned as dirty."""
        is_concerned = self.rows.node_of < 0
        is_concerned[changed] = True
        assign_nodes(self.adjacency, self.tree, self.rows.node_of)
        lift_points(np.flatnonzero(is_concerned), self.adjacency, self.tree, self.rows, self.is_dirty)
        rowless = np.flatnonzero(self.rows.row_of < 0)
        if not assign_rows(rowless, self.rows):
            left = np.flatnonzero(self.rows.row_of < 0)
            more = np.bincount(self.rows.node_of[left], minlength=len(self.tree.parent))
            self._spread_rows(self.rows.counts + more)
            assign_rows(left, self.rows)
            rowless = left
        is_concerned[rowless] = True
        self._mark(np.flatnonzero(is_concerned))
        trim_gaps(self.rows, self.is_dirty)

    def _grow_pool(self) -> None:
        """Give fronts that have grown more memory."""
        self._pool_used = grow_slots(self._pool_used, self.fronts, self._slots)
        pool = self.fronts.pool
        if self._pool_used > len(pool):
            larger = np.zeros((2 * self._pool_used + 64, 4))
            larger[: len(pool)] = pool
            self.fronts = self.fronts._replace(pool=larger)

    def _mark(self, points: npt.NDArray[np.int64]) -> None:
        mark_points(points, self.adjacency, self.tree, self.rows.node_of, self.is_dirty)

    def places(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the point at each place, -1 for a gap, and (node_count + 1,) the places that each node owns."""
        rows = self.rows
        return rows.point_at[_stretches(rows.starts, rows.counts)], _starts(rows.counts)

    # ------------------------------------------------------------------ numbers

    @property
    def fill(self) -> float:
        """Entries of the factor a point, over those of the order it began with [-]; edits add fill-in."""
        own, border = self.rows.counts, self.borders.counts
        entries = int((own * (own + 1) // 2 + own * border).sum())
        return entries / (len(self.rows.row_of) * self.fresh_entries)

    @property
    def pool_rows(self) -> int:
        """Rows of four numbers that the factor and the updates take in memory."""
        return self._pool_used

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
        self.matrix = SymmetricMatrix(diagonal, values, is_fixed)
        self.is_dirty[:] = True
        self._factor_dirty_fronts()

    def change(self, points: npt.NDArray[np.int64]) -> None:
        """Follow changes of entries that touch `points` (count,), made in place in the arrays of `factor`."""
        self._mark(points)
        self._factor_dirty_fronts()

    def solve(self, right_side: npt.NDArray[np.float64]) -> None:
        """Replace right_side (point_count, 3) by A⁻¹ right_side; 0 at fixed points."""
        solve_factored(
            self.rows, self.matrix.is_fixed, self.borders, self.fronts, self._front, self.vector, right_side
        )

    def _factor_dirty_fronts(self) -> None:
        factor_dirty_fronts(
            self.tree, self.rows, self.borders, self.entries, self.matrix, self.is_dirty, self._scratch, self.clamped,
            self.fronts,
        )  # fmt: skip
