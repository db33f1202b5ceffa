"""Solves with the tree factor: L y = b from the leaves to the root, Lᵀ x = y back down.

A node's own and border rows are gathered into one dense front; a row holds the three right-hand sides, so
every number of the factor meets all of them in one instruction. This is where a simulation spends its time.
"""

from __future__ import annotations

from supple.kernel import kernel
from supple.solve.dense_fronts import group_start
from supple.solve.lanes import element, load, minus_product, pack, plus, scaled, store


@kernel
def minus_row(value, row, x0, x1, x2, x3, pool):
    """Return value - Σ_k pool[row, k] x_k, lane by lane."""
    value = minus_product(value, element(pool, row, 0), x0)
    value = minus_product(value, element(pool, row, 1), x1)
    value = minus_product(value, element(pool, row, 2), x2)
    return minus_product(value, element(pool, row, 3), x3)


@kernel
def substitute_forward(row_start, borders, fronts, front, vector):
    """Solve L y = b in place, node by node from the leaves to the root.

    Args:
        row_start: (node_count,) first row of each node in `vector`
        borders: `Borders`
        fronts: `Fronts`, whose panels are the factor
        front: (largest front, 4) scratch
        vector: (row_count + 1, 4) changed in place; the last row is idle
    """
    own_rows, front_rows, panel_start, pool = fronts.own_rows, fronts.rows, fronts.panel_start, fronts.pool
    border_rows = borders.rows
    for node in range(own_rows.shape[0]):
        own, rows = own_rows[node], front_rows[node]
        first, border = row_start[node], borders.starts[node] - own
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
def substitute_backward(row_start, borders, fronts, front, vector):
    """Solve Lᵀ x = y in place, node by node from the root to the leaves; arguments as in the forward pass."""
    own_rows, front_rows, panel_start, pool = fronts.own_rows, fronts.rows, fronts.panel_start, fronts.pool
    border_rows = borders.rows
    for node in range(own_rows.shape[0] - 1, -1, -1):
        own, rows = own_rows[node], front_rows[node]
        first, border = row_start[node], borders.starts[node] - own
        for i in range(own):
            store(front, i, load(vector, first + i))
        for i in range(own, rows):
            store(front, i, load(vector, border_rows[border + i]))
        panel = group_start(panel_start[node], rows, own // 4)  # where the panel ends
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


@kernel(is_entry=True)
def solve_factored(rows, is_fixed, borders, fronts, front, vector, right_side):
    """Replace right_side (point_count, 3) by the solution; fixed points get 0.

    Args:
        rows: `PointRows`
        is_fixed: (point_count,)
        borders: `Borders`
        fronts: `Fronts`
        front: (largest front, 4) scratch
        vector: (row_count + 1, 4) scratch
        right_side: (point_count, 3) changed in place
    """
    row_of = rows.row_of
    for point in range(row_of.shape[0]):
        if is_fixed[point]:
            store(vector, row_of[point], pack(0.0, 0.0, 0.0, 0.0))
        else:
            b = pack(right_side[point, 0], right_side[point, 1], right_side[point, 2], 0.0)
            store(vector, row_of[point], b)
    substitute_forward(rows.starts, borders, fronts, front, vector)
    substitute_backward(rows.starts, borders, fronts, front, vector)
    for point in range(row_of.shape[0]):
        row = row_of[point]
        right_side[point, 0] = element(vector, row, 0)
        right_side[point, 1] = element(vector, row, 1)
        right_side[point, 2] = element(vector, row, 2)
