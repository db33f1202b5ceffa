"""Cholesky factor over a separator tree that follows edits: A = L Lᵀ, one dense block a tree node.

Eliminating the m own points of a node couples its r border points. All of it happens in one dense
*front* of m + r rows (docs/theory/solve.md, eq. (S2)):

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
is what `lanes` handles in one instruction: four columns in the factorisation, the three right-hand sides (and an
idle lane) in the solve. Panels (own columns) come first in the pool, updates after all of them, so that a solve
streams through contiguous memory.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from supple.kernel import kernel
from supple.solve.lanes import element, load, minus_product, pack, plus, scaled, store
from supple.solve.separator_tree import SeparatorTree, build_adjacency

SMALLEST_PIVOT = 1e-15
"""A pivot below this share of its point's diagonal is round-off, not stiffness, and is replaced."""


# ---------------------------------------------------------------- layout


@kernel
def group_start(first_row, row_count, group):
    """Return the pool row where a group begins, of a block that begins at `first_row`.

    Group g of a block of R rows holds its rows 4 g to R, so the groups before it hold R + (R - 4) + ... rows.
    """
    return first_row + group * (row_count - 2 * (group - 1))


@kernel
def relate_borders(parent, own_start, own_rows, row_start, border_start, border, padded_start, relative, border_rows):
    """Find where each border point stands in the parent's front and in the padded vector.

    Args:
        parent, own_start, border_start, border: the tree
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
            border_rows[padded_start[node] + k - border_start[node]] = row_start[owner] + place - own_start[owner]
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
        own_start, border_start, border: the tree
        own_rows, front_rows: (node_count,) rows of a panel's own part and of the whole front
        panel_start: (node_count + 1,) pool row of each panel
        cursor: (node_count + 1,) written: stretch of the lists of each node
        entry_pair, entry_row, entry_lane: (pair_count,) written
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


# ---------------------------------------------------------------- factorisation


@kernel
def subtract_products(left, right, out, row_count, pool):
    """Subtract from a group's rows their products with four rows of an earlier group.

        C_i -= Σ_k L_ik R_k,   i = 0 ... row_count - 1,   R = transpose of the rows `right` to `right + 3`

    Args:
        left, right, out: pool rows where L, the rows R and C begin
        row_count: rows of C
        pool: (m, 4) changed in place
    """
    r0 = pack(element(pool, right, 0), element(pool, right + 1, 0), element(pool, right + 2, 0), element(pool, right + 3, 0))
    r1 = pack(element(pool, right, 1), element(pool, right + 1, 1), element(pool, right + 2, 1), element(pool, right + 3, 1))
    r2 = pack(element(pool, right, 2), element(pool, right + 1, 2), element(pool, right + 2, 2), element(pool, right + 3, 2))
    r3 = pack(element(pool, right, 3), element(pool, right + 1, 3), element(pool, right + 2, 3), element(pool, right + 3, 3))
    for i in range(row_count):
        c = load(pool, out + i)
        c = minus_product(c, element(pool, left + i, 0), r0)
        c = minus_product(c, element(pool, left + i, 1), r1)
        c = minus_product(c, element(pool, left + i, 2), r2)
        c = minus_product(c, element(pool, left + i, 3), r3)
        store(pool, out + i, c)


@kernel
def safe_pivot(pivot, diagonal):
    """Return the pivot and 0, or a harmless positive number and 1 if it is not safely positive."""
    scale = abs(diagonal)
    if SMALLEST_PIVOT * scale < pivot < math.inf:
        return pivot, 0
    return (scale if 0.0 < scale < math.inf else 1.0), 1


@kernel
def eliminate_group(start, row_count, diagonals, pool):
    """Factor the 4 x 4 block at the top of a group and solve the rows below with it.

    The reciprocal of the factor's diagonal is stored in its place: a solve only ever needs that.

    Args:
        start: pool row where the group begins
        row_count: rows of the group
        diagonals: the four diagonal entries of A, the measure for pivots
        pool: (m, 4) changed in place

    Returns:
        How many pivots had to be replaced.
    """
    pivot, clamped = safe_pivot(pool[start, 0], diagonals[0])
    d0 = 1.0 / math.sqrt(pivot)
    l10, l20, l30 = pool[start + 1, 0] * d0, pool[start + 2, 0] * d0, pool[start + 3, 0] * d0
    pivot, more = safe_pivot(pool[start + 1, 1] - l10 * l10, diagonals[1])
    clamped += more
    d1 = 1.0 / math.sqrt(pivot)
    l21, l31 = (pool[start + 2, 1] - l20 * l10) * d1, (pool[start + 3, 1] - l30 * l10) * d1
    pivot, more = safe_pivot(pool[start + 2, 2] - l20 * l20 - l21 * l21, diagonals[2])
    clamped += more
    d2 = 1.0 / math.sqrt(pivot)
    l32 = (pool[start + 3, 2] - l30 * l20 - l31 * l21) * d2
    pivot, more = safe_pivot(pool[start + 3, 3] - l30 * l30 - l31 * l31 - l32 * l32, diagonals[3])
    clamped += more
    d3 = 1.0 / math.sqrt(pivot)
    store(pool, start, pack(d0, 0.0, 0.0, 0.0))
    store(pool, start + 1, pack(l10, d1, 0.0, 0.0))
    store(pool, start + 2, pack(l20, l21, d2, 0.0))
    store(pool, start + 3, pack(l30, l31, l32, d3))
    for i in range(start + 4, start + row_count):
        c0 = element(pool, i, 0) * d0
        c1 = (element(pool, i, 1) - c0 * l10) * d1
        c2 = (element(pool, i, 2) - c0 * l20 - c1 * l21) * d2
        c3 = (element(pool, i, 3) - c0 * l30 - c1 * l31 - c2 * l32) * d3
        store(pool, i, pack(c0, c1, c2, c3))
    return clamped


@kernel
def assemble_front(
    node, order, own_start, entry_start, entry_pair, entry_row, entry_lane, pairs, diagonal, values, is_fixed,
    own_rows, front_rows, panel_start, update_start, own_diagonal, pool,
):  # fmt: skip
    """Fill a node's front with zeros and its entries of A; couplings of fixed points are left out."""
    for row in range(panel_start[node], panel_start[node + 1]):
        store(pool, row, pack(0.0, 0.0, 0.0, 0.0))
    for row in range(update_start[node], update_start[node + 1]):
        store(pool, row, pack(0.0, 0.0, 0.0, 0.0))
    own_count = own_start[node + 1] - own_start[node]
    for i in range(own_rows[node]):
        own_diagonal[i] = 1.0
        if i < own_count:
            point = order[own_start[node] + i]
            if not is_fixed[point]:
                own_diagonal[i] = diagonal[point]
        group = i // 4
        row = group_start(panel_start[node], front_rows[node], group) + i - 4 * group
        pool[row, i - 4 * group] = own_diagonal[i]
    for k in range(entry_start[node], entry_start[node + 1]):
        pair = entry_pair[k]
        if not (is_fixed[pairs[pair, 0]] or is_fixed[pairs[pair, 1]]):
            pool[entry_row[k], entry_lane[k]] += values[pair]


@kernel
def add_update(child, node, own_rows, front_rows, panel_start, update_start, border_start, relative, pool):
    """Add a child's update to its parent's front."""
    first = border_start[child]
    count = border_start[child + 1] - first
    child_rows = front_rows[child] - own_rows[child]
    own_groups = own_rows[node] // 4
    for j in range(count):
        source_group = j // 4
        source_lane = j - 4 * source_group
        source = group_start(update_start[child], child_rows, source_group) - 4 * source_group
        column = relative[first + j]
        group = column // 4
        lane = column - 4 * group
        if group < own_groups:
            target = group_start(panel_start[node], front_rows[node], group) - 4 * group
        else:
            below = front_rows[node] - own_rows[node]
            target = group_start(update_start[node], below, group - own_groups) - 4 * group
        for i in range(j, count):
            pool[target + relative[first + i], lane] += element(pool, source + i, source_lane)


@kernel
def eliminate_front(node, own_rows, front_rows, panel_start, update_start, own_diagonal, pool):
    """Factor an assembled front in place; return how many pivots had to be replaced."""
    rows, own = front_rows[node], own_rows[node]
    clamped = 0
    for group in range(rows // 4):
        if group < own // 4:
            out = group_start(panel_start[node], rows, group)
            earlier_count = group
        else:
            out = group_start(update_start[node], rows - own, group - own // 4)
            earlier_count = own // 4
        for earlier in range(earlier_count):
            left = group_start(panel_start[node], rows, earlier) + 4 * (group - earlier)
            subtract_products(left, left, out, rows - 4 * group, pool)
        if group < own // 4:
            at = 4 * group
            diagonals = (own_diagonal[at], own_diagonal[at + 1], own_diagonal[at + 2], own_diagonal[at + 3])
            clamped += eliminate_group(out, rows - 4 * group, diagonals, pool)
    return clamped


@kernel
def factor_marked(
    order, own_start, first_child, next_sibling, border_start, relative,
    entry_start, entry_pair, entry_row, entry_lane, pairs, diagonal, values, is_fixed,
    own_rows, front_rows, panel_start, update_start, is_marked, own_diagonal, clamped, pool,
):  # fmt: skip
    """Refactor the marked nodes, children first, and take the marks away."""
    for node in range(is_marked.shape[0]):
        if not is_marked[node]:
            continue
        is_marked[node] = False
        assemble_front(
            node, order, own_start, entry_start, entry_pair, entry_row, entry_lane, pairs, diagonal, values, is_fixed,
            own_rows, front_rows, panel_start, update_start, own_diagonal, pool,
        )  # fmt: skip
        child = first_child[node]
        while child >= 0:
            add_update(child, node, own_rows, front_rows, panel_start, update_start, border_start, relative, pool)
            child = next_sibling[child]
        clamped[node] = eliminate_front(
            node, own_rows, front_rows, panel_start, update_start, own_diagonal, pool
        )


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


# ---------------------------------------------------------------- solve


@kernel
def minus_row(value, row, x0, x1, x2, x3, pool):
    """Return value - Σ_k pool[row, k] x_k, lane by lane."""
    value = minus_product(value, element(pool, row, 0), x0)
    value = minus_product(value, element(pool, row, 1), x1)
    value = minus_product(value, element(pool, row, 2), x2)
    return minus_product(value, element(pool, row, 3), x3)


@kernel
def substitute_forward(own_rows, front_rows, row_start, padded_start, border_rows, panel_start, pool, front, vector):
    """Solve L y = b in place, node by node from the leaves to the root.

    Args:
        own_rows, front_rows: (node_count,) rows of a front that are its own, and all
        row_start: (node_count + 1,) first row of each node in `vector`
        padded_start, border_rows: rows of each node's border in `vector`
        panel_start: (node_count + 1,) pool row of each panel
        pool: (m, 4) the factor
        front: (largest front, 4) scratch
        vector: (padded_count + 1, 4) changed in place
    """
    for node in range(own_rows.shape[0]):
        own, rows = own_rows[node], front_rows[node]
        first, border = row_start[node], padded_start[node] - own
        for i in range(own):
            store(front, i, load(vector, first + i))
        for i in range(own, rows):
            store(front, i, load(vector, border_rows[border + i]))
        panel = panel_start[node]
        for top in range(0, own, 4):
            x0 = scaled(load(front, top), element(pool, panel, 0))
            x1 = minus_product(load(front, top + 1), element(pool, panel + 1, 0), x0)
            x1 = scaled(x1, element(pool, panel + 1, 1))
            x2 = minus_product(load(front, top + 2), element(pool, panel + 2, 0), x0)
            x2 = minus_product(x2, element(pool, panel + 2, 1), x1)
            x2 = scaled(x2, element(pool, panel + 2, 2))
            x3 = minus_product(load(front, top + 3), element(pool, panel + 3, 0), x0)
            x3 = minus_product(x3, element(pool, panel + 3, 1), x1)
            x3 = minus_product(x3, element(pool, panel + 3, 2), x2)
            x3 = scaled(x3, element(pool, panel + 3, 3))
            store(front, top, x0)
            store(front, top + 1, x1)
            store(front, top + 2, x2)
            store(front, top + 3, x3)
            for i in range(4, rows - top, 4):
                at, row = top + i, panel + i
                c0 = minus_row(load(front, at), row, x0, x1, x2, x3, pool)
                c1 = minus_row(load(front, at + 1), row + 1, x0, x1, x2, x3, pool)
                c2 = minus_row(load(front, at + 2), row + 2, x0, x1, x2, x3, pool)
                c3 = minus_row(load(front, at + 3), row + 3, x0, x1, x2, x3, pool)
                store(front, at, c0)
                store(front, at + 1, c1)
                store(front, at + 2, c2)
                store(front, at + 3, c3)
            panel += rows - top
        for i in range(own):
            store(vector, first + i, load(front, i))
        for i in range(own, rows):
            store(vector, border_rows[border + i], load(front, i))


@kernel
def substitute_backward(own_rows, front_rows, row_start, padded_start, border_rows, panel_start, pool, front, vector):
    """Solve Lᵀ x = y in place, node by node from the root to the leaves; arguments as in the forward pass."""
    for node in range(own_rows.shape[0] - 1, -1, -1):
        own, rows = own_rows[node], front_rows[node]
        first, border = row_start[node], padded_start[node] - own
        for i in range(own):
            store(front, i, load(vector, first + i))
        for i in range(own, rows):
            store(front, i, load(vector, border_rows[border + i]))
        panel = panel_start[node + 1]
        for top in range(own - 4, -1, -4):
            panel -= rows - top
            x0, x1 = load(front, top), load(front, top + 1)
            x2, x3 = load(front, top + 2), load(front, top + 3)
            y0 = y1 = y2 = y3 = pack(0.0, 0.0, 0.0, 0.0)
            for i in range(rows - top - 2, 3, -2):
                # Two sets of sums, or each would wait for its last addition; downwards, as the panels run.
                c, row = load(front, top + i), panel + i
                x0 = minus_product(x0, element(pool, row, 0), c)
                x1 = minus_product(x1, element(pool, row, 1), c)
                x2 = minus_product(x2, element(pool, row, 2), c)
                x3 = minus_product(x3, element(pool, row, 3), c)
                c, row = load(front, top + i + 1), row + 1
                y0 = minus_product(y0, element(pool, row, 0), c)
                y1 = minus_product(y1, element(pool, row, 1), c)
                y2 = minus_product(y2, element(pool, row, 2), c)
                y3 = minus_product(y3, element(pool, row, 3), c)
            x0, x1, x2, x3 = plus(x0, y0), plus(x1, y1), plus(x2, y2), plus(x3, y3)
            x3 = scaled(x3, element(pool, panel + 3, 3))
            x2 = minus_product(x2, element(pool, panel + 3, 2), x3)
            x2 = scaled(x2, element(pool, panel + 2, 2))
            x1 = minus_product(x1, element(pool, panel + 3, 1), x3)
            x1 = minus_product(x1, element(pool, panel + 2, 1), x2)
            x1 = scaled(x1, element(pool, panel + 1, 1))
            x0 = minus_product(x0, element(pool, panel + 3, 0), x3)
            x0 = minus_product(x0, element(pool, panel + 2, 0), x2)
            x0 = minus_product(x0, element(pool, panel + 1, 0), x1)
            x0 = scaled(x0, element(pool, panel, 0))
            store(front, top, x0)
            store(front, top + 1, x1)
            store(front, top + 2, x2)
            store(front, top + 3, x3)
        for i in range(own):
            store(vector, first + i, load(front, i))


@kernel
def solve_factored(
    row_of, is_fixed, own_rows, front_rows, row_start, padded_start, border_rows, panel_start, pool,
    front, vector, right_side,
):  # fmt: skip
    """Replace right_side (point_count, 3) by the solution; fixed points get 0."""
    for point in range(row_of.shape[0]):
        if is_fixed[point]:
            store(vector, row_of[point], pack(0.0, 0.0, 0.0, 0.0))
        else:
            store(
                vector,
                row_of[point],
                pack(right_side[point, 0], right_side[point, 1], right_side[point, 2], 0.0),
            )
    substitute_forward(own_rows, front_rows, row_start, padded_start, border_rows, panel_start, pool, front, vector)
    substitute_backward(own_rows, front_rows, row_start, padded_start, border_rows, panel_start, pool, front, vector)
    for point in range(row_of.shape[0]):
        row = row_of[point]
        right_side[point, 0] = element(vector, row, 0)
        right_side[point, 1] = element(vector, row, 1)
        right_side[point, 2] = element(vector, row, 2)


# ---------------------------------------------------------------- the class that owns the arrays


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
        self, diagonal: npt.NDArray[np.float64], values: npt.NDArray[np.float64], is_fixed: npt.NDArray[np.bool_]
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
