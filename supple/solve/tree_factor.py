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
and of border points of each node is filled up to a multiple of four with unit rows. A row of four
is what `lanes` handles in one instruction: four columns in the factorisation, the three right-hand
sides (and an idle lane) in the solve. Panels (own columns) come first in the pool, updates after all
of them, so that a solve streams through contiguous memory.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from supple.kernel import kernel
from supple.solve.elimination import factor_marked, group_start
from supple.solve.separator_tree import SeparatorTree, build_adjacency
from supple.solve.substitution import solve_factored
from supple.solve.tree_edit import edited_tree


@kernel
def relate_borders(
    parent, own_start, own_rows, row_start, border_start, border, padded_start, relative, border_rows
):
    """Find where each border point stands in the parent's front and in the padded vector.

    Args:
        parent: (node_count,) node above, -1 for the root
        own_start: (node_count + 1,) places each node owns
        border_start: (node_count + 1,) stretch of `border` of each node
        border: (border_count,) places, ascending within a node
        own_rows: (node_count,) own points, filled up to a multiple of four
        row_start: (node_count + 1,) padded rows of each node; the last entry is the idle row
        padded_start: (node_count + 1,) stretch of `border_rows` of each node
        relative: (border_count,) written, row in the parent's front
        border_rows: (padded_start[-1],) written, row of the padded vector; fillers point at the idle row
    """
    border_rows[:] = row_start[parent.shape[0]]
    for node in range(parent.shape[0]):
        above = parent[node]
        q = border_start[above] if above >= 0 else 0
        owner = above
        for k in range(border_start[node], border_start[node + 1]):
            place = border[k]
            while place >= own_start[owner + 1]:
                owner = parent[owner]
            border_rows[padded_start[node] + k - border_start[node]] = (
                row_start[owner] + place - own_start[owner]
            )
            if owner == above:
                relative[k] = place - own_start[above]
            else:
                while border[q] < place:
                    q += 1
                relative[k] = own_rows[above] + q - border_start[above]


@kernel
def place_entries(
    order, place, neighbour_start, neighbours, neighbour_pairs, own_start, own_rows, panel_start, front_rows,
    border_start, border, row_of_place, entry_start, entry_pair, entry_row, entry_lane,
):  # fmt: skip
    """List for every node which entries of A go to which row and lane of the pool.

    Args:
        order: (point_count,) point at each place
        place: (point_count,) place of each point in elimination order
        neighbour_start: (point_count + 1,) stretch of `neighbours` of each point
        neighbours: (2 * pair_count,) neighbours of all points in turn
        neighbour_pairs: (2 * pair_count,) pair that each of these comes from
        own_start: (node_count + 1,) places each node owns
        own_rows: (node_count,) own points, filled up to a multiple of four
        panel_start: (node_count,) pool row of each panel
        front_rows: (node_count,) rows of the whole front
        border_start: (node_count + 1,) stretch of `border` of each node
        border: (border_count,) places, ascending within a node
        row_of_place: (point_count,) scratch: row in the front at hand
        entry_start: (node_count + 1,) written: stretch of the lists of each node
        entry_pair: (pair_count,) written, pair of each entry
        entry_row: (pair_count,) written, its pool row
        entry_lane: (pair_count,) written, its lane
    """
    at = 0
    for node in range(own_rows.shape[0]):
        entry_start[node] = at
        first, last = own_start[node], own_start[node + 1]
        for k in range(first, last):
            row_of_place[k] = k - first
        for k in range(border_start[node], border_start[node + 1]):
            row_of_place[border[k]] = own_rows[node] + k - border_start[node]
        for low in range(first, last):
            column = low - first
            group = column // 4
            top = group_start(panel_start[node], front_rows[node], group) - 4 * group
            point = order[low]
            for k in range(neighbour_start[point], neighbour_start[point + 1]):
                high = place[neighbours[k]]
                if high > low:
                    entry_pair[at] = neighbour_pairs[k]
                    entry_row[at] = top + row_of_place[high]
                    entry_lane[at] = column - 4 * group
                    at += 1
    entry_start[own_rows.shape[0]] = at


@kernel
def list_neighbour_pairs(pairs, cursor, neighbour_start, neighbour_pairs):
    """Write which pair each neighbour comes from, in the order of `build_adjacency`.

    `cursor` (point_count,) is scratch.
    """
    for point in range(cursor.shape[0]):
        cursor[point] = neighbour_start[point]
    for k in range(pairs.shape[0]):
        for end in range(2):
            point = pairs[k, end]
            neighbour_pairs[cursor[point]] = k
            cursor[point] += 1


@kernel
def mark_paths(points, parent, node_of, neighbour_start, neighbours, is_marked):
    """Mark the nodes that hold an entry of these points, and all nodes above them.

    The entry of a pair is held by the node eliminated first, which may be the neighbour's.
    """
    for point in points:
        for k in range(neighbour_start[point] - 1, neighbour_start[point + 1]):
            node = node_of[point] if k < neighbour_start[point] else node_of[neighbours[k]]
            if node > node_of[point]:
                continue
            while node >= 0 and not is_marked[node]:
                is_marked[node] = True
                node = parent[node]


def _filled_up(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the counts rounded up to multiples of four."""
    return (counts + 3) // 4 * 4


def _starts(counts: npt.NDArray[np.int64], first: int = 0) -> npt.NDArray[np.int64]:
    """Return where each of these consecutive stretches begins, and where the last ends."""
    return np.concatenate([[first], first + np.cumsum(counts)]).astype(np.int64)


@kernel
def mark_upwards(nodes, parent, is_marked):
    """Mark these nodes and all nodes above them."""
    for node in nodes:
        while node >= 0 and not is_marked[node]:
            is_marked[node] = True
            node = parent[node]


@kernel
def grow_slots(own_rows, front_rows, used, panel_room, update_room, panel_start, update_start):
    """Move every panel and update that has outgrown its room to the end of the pool; return where that is.

    Only nodes that an edit concerns can have grown, and those are recomputed: nothing is copied.

    Args:
        own_rows: (node_count,) own points, filled up to a multiple of four
        front_rows: (node_count,) rows of the whole front
        used: pool rows in use
        panel_room: (node_count,) pool rows each panel may take, updated
        update_room: (node_count,) pool rows each update may take, updated
        panel_start: (node_count,) pool row of each panel, updated
        update_start: (node_count,) pool row of each update, updated
    """
    for node in range(own_rows.shape[0]):
        own, border = own_rows[node], front_rows[node] - own_rows[node]
        needed = group_start(0, own + border, own // 4)
        if needed > panel_room[node]:
            panel_start[node] = used
            panel_room[node] = needed
            used += needed
        needed = group_start(0, border, border // 4)
        if needed > update_room[node]:
            update_start[node] = used
            update_room[node] = needed
            used += needed
    return used


SLACK = 4
"""Inverse of the share of its first contents by which the pool is larger from the start, for blocks that edits let grow."""


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
        self._lay_out(tree)
        groups = self.own_rows // 4
        panel_rows = groups * (self.front_rows - 2 * (groups - 1))
        groups = (self.front_rows - self.own_rows) // 4
        update_rows = groups * (self.front_rows - self.own_rows - 2 * (groups - 1))
        self.panel_start = _starts(panel_rows)[:-1]
        self.update_start = _starts(update_rows, int(panel_rows.sum()))[:-1]
        self._panel_room, self._update_room = panel_rows, update_rows
        self._pool_used = int(panel_rows.sum() + update_rows.sum())
        self._place_entries()

        self.is_marked = np.zeros(node_count, np.bool_)
        self.clamped = np.zeros(node_count, np.int64)
        # Touch the pages of the first edits now: faults inside a frame cost more than the arithmetic. The rest of
        # the room is only taken from the system when edits get there.
        self.pool = np.zeros((2 * self._pool_used + 64, 4))
        self.pool[: self._pool_used + self._pool_used // SLACK].fill(0.0)
        self.diagonal = np.ones(point_count)
        self.values = np.zeros(len(self.pairs))
        self.is_fixed = np.ones(point_count, np.bool_)
        own_entries = tree.factor_entries / max(point_count, 1)
        self.fresh_entries = own_entries if fresh_entries is None else fresh_entries

    def _lay_out(self, tree: SeparatorTree) -> None:
        """Find the rows of every front and of the padded vector."""
        self.tree = tree
        point_count, node_count = len(tree.order), tree.node_count
        own_counts, border_counts = np.diff(tree.own_start), np.diff(tree.border_start)
        self.own_rows = _filled_up(own_counts)
        border_rows = _filled_up(border_counts)
        self.front_rows = self.own_rows + border_rows
        self.row_start = _starts(self.own_rows)
        self.padded_start = _starts(border_rows)
        self.relative = np.empty(len(tree.border), np.int64)
        self.border_rows = np.empty(self.padded_start[-1], np.int64)
        relate_borders(
            tree.parent,
            tree.own_start,
            self.own_rows,
            self.row_start,
            tree.border_start,
            tree.border,
            self.padded_start,
            self.relative,
            self.border_rows,
        )
        self._place = np.empty(point_count, np.int64)
        self._place[tree.order] = np.arange(point_count)
        self.node_of = np.repeat(np.arange(node_count), own_counts)[self._place]
        self.row_of = self._place + (self.row_start[:-1] - tree.own_start[:-1])[self.node_of]
        self.own_diagonal = np.zeros(self.own_rows.max())
        self.front = np.zeros((self.front_rows.max(), 4))
        self.vector = np.zeros((self.row_start[-1] + 1, 4))

    def _place_entries(self) -> None:
        """Find where every entry of A goes, and the neighbours of every point."""
        tree = self.tree
        self.entry_start = np.empty(tree.node_count + 1, np.int64)
        self.entry_pair = np.empty(len(self.pairs), np.int64)
        self.entry_row = np.empty(len(self.pairs), np.int64)
        self.entry_lane = np.empty(len(self.pairs), np.int64)
        point_count = len(tree.order)
        self.neighbour_start = np.empty(point_count + 1, np.int64)
        self.neighbours = np.empty(2 * len(self.pairs), np.int64)
        build_adjacency(self.pairs, self.neighbour_start, self.neighbours)
        scratch, neighbour_pairs = np.empty(point_count, np.int64), np.empty(2 * len(self.pairs), np.int64)
        list_neighbour_pairs(self.pairs, scratch, self.neighbour_start, neighbour_pairs)
        place_entries(
            tree.order,
            self._place,
            self.neighbour_start,
            self.neighbours,
            neighbour_pairs,
            tree.own_start,
            self.own_rows,
            self.panel_start,
            self.front_rows,
            tree.border_start,
            tree.border,
            scratch,
            self.entry_start,
            self.entry_pair,
            self.entry_row,
            self.entry_lane,
        )

    def reshape(
        self,
        new_of: npt.NDArray[np.int64],
        pairs: npt.NDArray[np.int64],
        touched: npt.NDArray[np.int64],
        diagonal: npt.NDArray[np.float64],
        values: npt.NDArray[np.float64],
        is_fixed: npt.NDArray[np.bool_],
    ) -> None:
        """Follow an edit of the points and pairs; refactor only what it concerns.

        Args:
            new_of: (old point_count,) what each point is called now, -1 if it is gone
            pairs: (pair_count, 2) coupled points after the edit
            touched: (count,) points, as they are called now, whose diagonal or whose pairs have changed
            diagonal: (point_count,) as in `factor`
            values: (pair_count,) as in `factor`
            is_fixed: (point_count,) as in `factor`
        """
        self.pairs = np.ascontiguousarray(pairs, np.int64).reshape(-1, 2)
        tree, is_moved, left = edited_tree(self.tree, self.node_of, new_of, len(diagonal), self.pairs)
        self._lay_out(tree)
        self._pool_used = grow_slots(
            self.own_rows, self.front_rows, self._pool_used, self._panel_room, self._update_room,
            self.panel_start, self.update_start,
        )  # fmt: skip
        if self._pool_used > len(self.pool):
            larger = np.zeros((2 * self._pool_used + 64, 4))
            larger[: len(self.pool)] = self.pool
            self.pool = larger
        self._place_entries()
        self.diagonal, self.values, self.is_fixed = diagonal, values, is_fixed
        mark_upwards(left, tree.parent, self.is_marked)
        self.change(np.union1d(touched, np.flatnonzero(is_moved)))

    @property
    def fill(self) -> float:
        """Entries of the factor a point, over those of the order it began with [-]; edits let it grow."""
        return self.tree.factor_entries / (len(self.tree.order) * self.fresh_entries)

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
        mark_paths(
            points, self.tree.parent, self.node_of, self.neighbour_start, self.neighbours, self.is_marked
        )
        self._factor_marked()

    def solve(self, right_side: npt.NDArray[np.float64]) -> None:
        """Replace right_side (point_count, 3) by A⁻¹ right_side; 0 at fixed points."""
        solve_factored(
            self.row_of,
            self.is_fixed,
            self.own_rows,
            self.front_rows,
            self.row_start,
            self.padded_start,
            self.border_rows,
            self.panel_start,
            self.pool,
            self.front,
            self.vector,
            right_side,
        )

    def _factor_marked(self) -> None:
        factor_marked(
            self.tree.order,
            self.tree.own_start,
            self.tree.first_child,
            self.tree.next_sibling,
            self.tree.border_start,
            self.relative,
            self.entry_start,
            self.entry_pair,
            self.entry_row,
            self.entry_lane,
            self.pairs,
            self.diagonal,
            self.values,
            self.is_fixed,
            self.own_rows,
            self.front_rows,
            self.panel_start,
            self.update_start,
            self.is_marked,
            self.own_diagonal,
            self.clamped,
            self.pool,
        )
