"""Dense fronts of the multifrontal Cholesky factor: assembled, eliminated four columns at a time, and passed on.

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
def transposed(pool, first, lane):
    """Return one lane of four rows of the pool, from row `first` on."""
    return pack(
        element(pool, first, lane),
        element(pool, first + 1, lane),
        element(pool, first + 2, lane),
        element(pool, first + 3, lane),
    )


@kernel
def subtract_products(left, out, row_count, pool):
    """Subtract from a group's rows their products with four rows of an earlier group.

        C_i -= Σ_k L_ik R_k,   i = 0 ... row_count - 1,   R = transpose of the first four rows of L

    Args:
        left: pool row where L begins
        out: pool row where C begins
        row_count: rows of C
        pool: (m, 4) changed in place
    """
    r0, r1 = transposed(pool, left, 0), transposed(pool, left, 1)
    r2, r3 = transposed(pool, left, 2), transposed(pool, left, 3)
    for i in range(row_count):
        c = load(pool, out + i)
        c = minus_product(c, element(pool, left + i, 0), r0)
        c = minus_product(c, element(pool, left + i, 1), r1)
        c = minus_product(c, element(pool, left + i, 2), r2)
        c = minus_product(c, element(pool, left + i, 3), r3)
        store(pool, out + i, c)


@kernel
def pack_factors(left, row_count, group_count, has_next, pool, packed):
    """Write the factors that a group, and the next one, are multiplied with: those of all groups before, in a row.

    Args:
        left: pool row of the first group where the rows of this group begin
        row_count: rows of the whole front
        group_count: groups before
        has_next: whether the next group is packed as well
        pool: (m, 4)
        packed: (8 group_count, 4) written: column by column, for this group and for the next
    """
    for earlier in range(group_count):
        for lane in range(4):
            store(packed, 8 * earlier + 2 * lane, transposed(pool, left, lane))
            if has_next:
                store(packed, 8 * earlier + 2 * lane + 1, transposed(pool, left + 4, lane))
        left += row_count - 4 * earlier - 4


@kernel
def subtract_from_one(first, row_count, group_count, out, out_count, packed, pool):
    """Subtract from a group's rows their products with the groups before, four rows at a time.

        C_i -= Σ_k L_ik R_k,   i = 0 ... out_count - 1,   k over all columns of the groups before, in their order

    Args:
        first: pool row of the first group where the rows of this group begin
        row_count: rows of the whole front
        group_count: groups before
        out: pool row where C begins
        out_count: rows of C, a multiple of four
        packed: (8 group_count, 4) of `pack_factors`
        pool: (m, 4) changed in place
    """
    for i in range(0, out_count, 4):
        at, left = out + i, first + i
        c0, c1, c2, c3 = load(pool, at), load(pool, at + 1), load(pool, at + 2), load(pool, at + 3)
        for earlier in range(group_count):
            for lane in range(4):
                r = load(packed, 8 * earlier + 2 * lane)
                c0 = minus_product(c0, element(pool, left, lane), r)
                c1 = minus_product(c1, element(pool, left + 1, lane), r)
                c2 = minus_product(c2, element(pool, left + 2, lane), r)
                c3 = minus_product(c3, element(pool, left + 3, lane), r)
            left += row_count - 4 * earlier - 4
        store(pool, at, c0)
        store(pool, at + 1, c1)
        store(pool, at + 2, c2)
        store(pool, at + 3, c3)


@kernel
def subtract_from_two(first, row_count, group_count, out, next_out, out_count, packed, pool):
    """Do the same to a group and the next one at once: every L_ik is fetched once for both, and all sums stay in registers.

    Args:
        first: pool row of the first group where the rows of this group begin
        row_count: rows of the whole front
        group_count: groups before
        out: pool row where the rows of this group begin
        next_out: pool row where those of the next group begin, which has four less
        out_count: rows of this group, a multiple of four
        packed: (8 group_count, 4) of `pack_factors`
        pool: (m, 4) changed in place
    """
    subtract_from_one(first, row_count, group_count, out, 4, packed, pool)
    for i in range(4, out_count, 4):
        at, next_at, left = out + i, next_out + i - 4, first + i
        c0, c1, c2, c3 = load(pool, at), load(pool, at + 1), load(pool, at + 2), load(pool, at + 3)
        d0, d1 = load(pool, next_at), load(pool, next_at + 1)
        d2, d3 = load(pool, next_at + 2), load(pool, next_at + 3)
        for earlier in range(group_count):
            for lane in range(4):
                r, s = load(packed, 8 * earlier + 2 * lane), load(packed, 8 * earlier + 2 * lane + 1)
                factor = element(pool, left, lane)
                c0, d0 = minus_product(c0, factor, r), minus_product(d0, factor, s)
                factor = element(pool, left + 1, lane)
                c1, d1 = minus_product(c1, factor, r), minus_product(d1, factor, s)
                factor = element(pool, left + 2, lane)
                c2, d2 = minus_product(c2, factor, r), minus_product(d2, factor, s)
                factor = element(pool, left + 3, lane)
                c3, d3 = minus_product(c3, factor, r), minus_product(d3, factor, s)
            left += row_count - 4 * earlier - 4
        store(pool, at, c0)
        store(pool, at + 1, c1)
        store(pool, at + 2, c2)
        store(pool, at + 3, c3)
        store(pool, next_at, d0)
        store(pool, next_at + 1, d1)
        store(pool, next_at + 2, d2)
        store(pool, next_at + 3, d3)


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
        diagonals: (4,) diagonal entries of A, the measure for pivots
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
def clear_rows(begin, end, pool):
    """Set rows of the pool to zero."""
    for row in range(begin, end):
        store(pool, row, pack(0.0, 0.0, 0.0, 0.0))


@kernel
def assemble_front(node, rows, borders, entries, matrix, own_diagonal, fronts, flat):
    """Fill a node's front with zeros and its entries of A; couplings of fixed points are left out.

    They are few: it is quicker to write all entries and to take their rows and columns out again than to ask for
    every entry whether it is one of theirs.

    Args:
        node: of the elimination tree
        rows: `PointRows`
        borders: `Borders`
        entries: `Entries`
        matrix: `SymmetricMatrix`
        own_diagonal: (own rows,) written
        fronts: `Fronts`, whose pool is changed in place
        flat: (4 pool_row_count,) the pool once more
    """
    own, count, panel, pool = fronts.own_rows[node], fronts.rows[node], fronts.panel_start[node], fronts.pool
    update, border = fronts.update_start[node], count - own
    clear_rows(panel, group_start(panel, count, own // 4), pool)
    clear_rows(update, group_start(update, border, border // 4), pool)
    for k in range(entries.starts[node], entries.starts[node] + entries.counts[node]):
        flat[entries.at[k]] = matrix.values[entries.pair[k]]
    for i in range(own):
        group = i // 4
        top, lane = group_start(panel, count, group) - 4 * group, i - 4 * group
        own_diagonal[i] = 1.0
        point = rows.point_at[rows.starts[node] + i] if i < rows.counts[node] else -1
        if point >= 0 and matrix.is_fixed[point]:
            for row in range(4 * group, count):
                pool[top + row, lane] = 0.0
            clear_row(i, group + 1, panel, count, pool)
        elif point >= 0:
            own_diagonal[i] = matrix.diagonal[point]
        pool[top + i, lane] = own_diagonal[i]
    for k in range(borders.counts[node]):
        point = rows.point_at[borders.rows[borders.starts[node] + k]]
        if point >= 0 and matrix.is_fixed[point]:
            clear_row(own + k, own // 4, panel, count, pool)


@kernel
def clear_row(row, group_count, panel, row_count, pool):
    """Set a row of the first groups of a panel to zero."""
    for group in range(group_count):
        store(pool, group_start(panel, row_count, group) - 4 * group + row, pack(0.0, 0.0, 0.0, 0.0))


@kernel
def column_start(column, own, rows, panel, update):
    """Return where row 0 of a column of a front would be in the flat pool; its rows follow each other by four.

    Args:
        column: of the front
        own: own rows of the front
        rows: all of its rows
        panel: pool row of its panel
        update: pool row of its update
    """
    group = column // 4
    if column < own:
        top = group_start(panel, rows, group)
    else:
        top = group_start(update, rows - own, group - own // 4)
    return 4 * (top - 4 * group) + column - 4 * group


@kernel
def extend_add(child, node, borders, fronts, flat):
    """Add a child's update to its parent's front, four columns at a time.

    Args:
        child: node whose update it is
        node: its parent
        borders: `Borders`
        fronts: `Fronts`, whose pool is changed in place
        flat: (4 pool_row_count,) the pool once more
    """
    first, count, relative, pool = borders.starts[child], borders.counts[child], borders.relative, fronts.pool
    child_rows, child_update = fronts.rows[child] - fronts.own_rows[child], fronts.update_start[child]
    own, rows = fronts.own_rows[node], fronts.rows[node]
    panel, update = fronts.panel_start[node], fronts.update_start[node]
    for begin in range(0, count, 4):
        source = group_start(child_update, child_rows, begin // 4) - begin
        # The corner of the triangle, and what is left of the last group.
        for j in range(begin, min(begin + 4, count)):
            target = column_start(relative[first + j], own, rows, panel, update)
            for i in range(j, min(begin + 4, count)):
                flat[target + 4 * relative[first + i]] += element(pool, source + i, j - begin)
        if begin + 4 >= count:
            break
        t0 = column_start(relative[first + begin], own, rows, panel, update)
        t1 = column_start(relative[first + begin + 1], own, rows, panel, update)
        t2 = column_start(relative[first + begin + 2], own, rows, panel, update)
        t3 = column_start(relative[first + begin + 3], own, rows, panel, update)
        for i in range(begin + 4, count):
            row = 4 * relative[first + i]
            flat[t0 + row] += element(pool, source + i, 0)
            flat[t1 + row] += element(pool, source + i, 1)
            flat[t2 + row] += element(pool, source + i, 2)
            flat[t3 + row] += element(pool, source + i, 3)


@kernel
def eliminate_front(node, scratch, fronts):
    """Factor an assembled front in place, two groups at a time; return how many pivots had to be replaced.

    Args:
        node: of the elimination tree
        scratch: `FactorScratch`
        fronts: `Fronts`, whose pool is changed in place
    """
    own_diagonal, packed, pool = scratch.own_diagonal, scratch.packed, fronts.pool
    own, rows = fronts.own_rows[node], fronts.rows[node]
    panel, update = fronts.panel_start[node], fronts.update_start[node]
    own_groups, groups = own // 4, rows // 4
    clamped = 0
    group = 0
    while group < groups:
        is_own = group < own_groups
        if is_own:
            out = group_start(panel, rows, group)
        else:
            out = group_start(update, rows - own, group - own_groups)
        count = rows - 4 * group
        next_out = out + count
        has_next = group + 1 < (own_groups if is_own else groups)
        before, first = min(group, own_groups), panel + 4 * group
        pack_factors(first, rows, before, has_next, pool, packed)
        if before > 0 and has_next:
            subtract_from_two(first, rows, before, out, next_out, count, packed, pool)
        elif before > 0:
            subtract_from_one(first, rows, before, out, count, packed, pool)
        if is_own:
            clamped += eliminate_group(out, count, own_diagonal[4 * group : 4 * group + 4], pool)
            if has_next:
                subtract_products(out + 4, next_out, count - 4, pool)
                clamped += eliminate_group(
                    next_out, count - 4, own_diagonal[4 * group + 4 : 4 * group + 8], pool
                )
        group += 2 if has_next else 1
    return clamped


@kernel
def factor_dirty_fronts(tree, rows, borders, entries, matrix, is_dirty, scratch, clamped, fronts):
    """Refactor the dirty fronts, children first; none is dirty afterwards.

    Args:
        tree: `EliminationTree`
        rows: `PointRows`
        borders: `Borders`
        entries: `Entries`
        matrix: `SymmetricMatrix`
        is_dirty: (node_count,) cleared
        scratch: `FactorScratch`
        clamped: (node_count,) written: how many pivots of each front had to be replaced
        fronts: `Fronts`, whose pool is changed in place
    """
    flat = fronts.pool.reshape(fronts.pool.size)
    for node in range(is_dirty.shape[0]):
        if not is_dirty[node]:
            continue
        is_dirty[node] = False
        assemble_front(node, rows, borders, entries, matrix, scratch.own_diagonal, fronts, flat)
        child = tree.first_child[node]
        while child >= 0:
            extend_add(child, node, borders, fronts, flat)
            child = tree.next_sibling[child]
        clamped[node] = eliminate_front(node, scratch, fronts)
