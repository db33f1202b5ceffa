"""Dense fronts of the tree factor: filled, eliminated four columns at a time, and passed on.

The layout in memory is described in `tree_factor`: a front is cut into groups of four columns, and a group
holds its rows from the diagonal downwards, four numbers a row of `pool`.
"""

from __future__ import annotations

import math

from supple.kernel import kernel
from supple.solve.lanes import element, load, minus_product, pack, store

SMALLEST_PIVOT = 1e-15
"""A pivot below this share of its point's diagonal is round-off, not stiffness, and is replaced."""


@kernel
def group_start(first_row, row_count, group):
    """Return the pool row where a group begins, of a block that begins at `first_row`.

    Group g of a block of R rows holds its rows 4 g to R, so the groups before it hold R + (R - 4) + ... rows.
    """
    return first_row + group * (row_count - 2 * (group - 1))


@kernel
def subtract_products(left, right, out, row_count, pool):
    """Subtract from a group's rows their products with four rows of an earlier group.

        C_i -= Σ_k L_ik R_k,   i = 0 ... row_count - 1,   R = transpose of the rows `right` to `right + 3`

    Args:
        left: pool row where L begins
        right: pool row where the four rows R begin
        out: pool row where C begins
        row_count: rows of C
        pool: (m, 4) changed in place
    """
    r0 = pack(
        element(pool, right, 0),
        element(pool, right + 1, 0),
        element(pool, right + 2, 0),
        element(pool, right + 3, 0),
    )
    r1 = pack(
        element(pool, right, 1),
        element(pool, right + 1, 1),
        element(pool, right + 2, 1),
        element(pool, right + 3, 1),
    )
    r2 = pack(
        element(pool, right, 2),
        element(pool, right + 1, 2),
        element(pool, right + 2, 2),
        element(pool, right + 3, 2),
    )
    r3 = pack(
        element(pool, right, 3),
        element(pool, right + 1, 3),
        element(pool, right + 2, 3),
        element(pool, right + 3, 3),
    )
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
    node, point_at, row_start, own_count, entry_start, entry_count, entry_pair, entry_row, entry_lane,
    pairs, diagonal, values, is_fixed, own_rows, front_rows, panel_start, update_start, own_diagonal, pool,
):  # fmt: skip
    """Fill a node's front with zeros and its entries of A; couplings of fixed points are left out."""
    own, rows = own_rows[node], front_rows[node]
    for row in range(panel_start[node], group_start(panel_start[node], rows, own // 4)):
        store(pool, row, pack(0.0, 0.0, 0.0, 0.0))
    for row in range(update_start[node], group_start(update_start[node], rows - own, (rows - own) // 4)):
        store(pool, row, pack(0.0, 0.0, 0.0, 0.0))
    for i in range(own_rows[node]):
        own_diagonal[i] = 1.0
        if i < own_count[node]:
            point = point_at[row_start[node] + i]
            if point >= 0 and not is_fixed[point]:
                own_diagonal[i] = diagonal[point]
        group = i // 4
        row = group_start(panel_start[node], front_rows[node], group) + i - 4 * group
        pool[row, i - 4 * group] = own_diagonal[i]
    for k in range(entry_start[node], entry_start[node] + entry_count[node]):
        pair = entry_pair[k]
        if not (is_fixed[pairs[pair, 0]] or is_fixed[pairs[pair, 1]]):
            pool[entry_row[k], entry_lane[k]] += values[pair]


@kernel
def add_update(
    child, node, own_rows, front_rows, panel_start, update_start, border_start, border_count, relative, pool
):
    """Add a child's update to its parent's front."""
    first, count = border_start[child], border_count[child]
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
    point_at, row_start, own_count, first_child, next_sibling, border_start, border_count, relative,
    entry_start, entry_count, entry_pair, entry_row, entry_lane, pairs, diagonal, values, is_fixed,
    own_rows, front_rows, panel_start, update_start, is_marked, own_diagonal, clamped, pool,
):  # fmt: skip
    """Refactor the marked nodes, children first, and take the marks away."""
    for node in range(is_marked.shape[0]):
        if not is_marked[node]:
            continue
        is_marked[node] = False
        assemble_front(
            node, point_at, row_start, own_count, entry_start, entry_count, entry_pair, entry_row, entry_lane,
            pairs, diagonal, values, is_fixed,
            own_rows, front_rows, panel_start, update_start, own_diagonal, pool,
        )  # fmt: skip
        child = first_child[node]
        while child >= 0:
            add_update(
                child, node, own_rows, front_rows, panel_start, update_start,
                border_start, border_count, relative, pool,
            )  # fmt: skip
            child = next_sibling[child]
        clamped[node] = eliminate_front(
            node, own_rows, front_rows, panel_start, update_start, own_diagonal, pool
        )
