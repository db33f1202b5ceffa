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
    pairs, place, node_of, own_start, own_rows, panel_start, front_rows, border_start, border, cursor,
    entry_pair, entry_row, entry_lane,
):  # fmt: skip
    """List for every node which entries of A go to which row and lane of the pool.

    Args:
        pairs: (pair_count, 2) points
        place: (point_count,) place of each point in elimination order
        node_of: (point_count,) node of each point
        own_start: (node_count + 1,) places each node owns
        border_start: (node_count + 1,) stretch of `border` of each node
        border: (border_count,) places, ascending within a node
        own_rows: (node_count,) own points, filled up to a multiple of four
        front_rows: (node_count,) rows of the whole front
        panel_start: (node_count + 1,) pool row of each panel
        cursor: (node_count + 1,) written: stretch of the lists of each node
        entry_pair: (pair_count,) written, pair of each entry
        entry_row: (pair_count,) written, its pool row
        entry_lane: (pair_count,) written, its lane
    """
    cursor[:] = 0
    for k in range(pairs.shape[0]):
        cursor[min(node_of[pairs[k, 0]], node_of[pairs[k, 1]]) + 1] += 1
    for node in range(own_start.shape[0] - 1):
        cursor[node + 1] += cursor[node]
    for k in range(pairs.shape[0]):
        low, high = pairs[k, 0], pairs[k, 1]
        if place[low] > place[high]:
            low, high = high, low
        node = node_of[low]
        column = place[low] - own_start[node]
        if node_of[high] == node:
            row = place[high] - own_start[node]
        else:
            first, last = border_start[node], border_start[node + 1]
            while first + 1 < last:
                middle = (first + last) // 2
                if border[middle] <= place[high]:
                    first = middle
                else:
                    last = middle
            row = own_rows[node] + first - border_start[node]
        group = column // 4
        at = cursor[node]
        cursor[node] = at + 1
        entry_pair[at] = k
        entry_row[at] = group_start(panel_start[node], front_rows[node], group) + row - 4 * group
        entry_lane[at] = column - 4 * group
    for node in range(own_start.shape[0] - 1, 0, -1):
        cursor[node] = cursor[node - 1]
    cursor[0] = 0


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
    ) -> None:
        """Order the elimination and set the memory aside.

        Args:
            coordinates: (point_count, 3) rest positions, a guide for the order [m]
            pairs: (pair_count, 2) coupled points, the smaller first, each pair once
            tree: the order, if it is known already
        """
        self.pairs = np.ascontiguousarray(pairs, np.int64).reshape(-1, 2)
        if tree is None:
            tree = SeparatorTree.build(np.asarray(coordinates, np.float64), self.pairs)
        self.tree = tree
        point_count, node_count = len(coordinates), tree.node_count

        own_counts, border_counts = np.diff(tree.own_start), np.diff(tree.border_start)
        self.own_rows = _filled_up(own_counts)
        border_rows = _filled_up(border_counts)
        self.front_rows = self.own_rows + border_rows
        groups = self.own_rows // 4
        self.panel_start = _starts(groups * (self.front_rows - 2 * (groups - 1)))
        groups = border_rows // 4
        self.update_start = _starts(groups * (border_rows - 2 * (groups - 1)), self.panel_start[-1])
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

        place = np.empty(point_count, np.int64)
        place[tree.order] = np.arange(point_count)
        owner = np.repeat(np.arange(node_count), own_counts)
        self.node_of = owner[place]
        self.row_of = place + (self.row_start[:-1] - tree.own_start[:-1])[self.node_of]
        self.entry_start = np.empty(node_count + 1, np.int64)
        self.entry_pair = np.empty(len(self.pairs), np.int64)
        self.entry_row = np.empty(len(self.pairs), np.int64)
        self.entry_lane = np.empty(len(self.pairs), np.int64)
        place_entries(
            self.pairs,
            place,
            self.node_of,
            tree.own_start,
            self.own_rows,
            self.panel_start,
            self.front_rows,
            tree.border_start,
            tree.border,
            self.entry_start,
            self.entry_pair,
            self.entry_row,
            self.entry_lane,
        )
        self.neighbour_start = np.empty(point_count + 1, np.int64)
        self.neighbours = np.empty(2 * len(self.pairs), np.int64)
        build_adjacency(self.pairs, self.neighbour_start, self.neighbours)

        self.is_marked = np.zeros(node_count, np.bool_)
        self.clamped = np.zeros(node_count, np.int64)
        self.own_diagonal = np.zeros(self.own_rows.max())
        self.front = np.zeros((self.front_rows.max(), 4))
        self.vector = np.zeros((self.row_start[-1] + 1, 4))
        self.pool = np.empty((self.update_start[-1], 4))
        self.pool.fill(0.0)  # touch the pages now: faults inside a frame cost more than the arithmetic
        self.diagonal = np.ones(point_count)
        self.values = np.zeros(len(self.pairs))
        self.is_fixed = np.ones(point_count, np.bool_)

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
