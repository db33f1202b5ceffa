"""One V-cycle of multigrid: a solve whose cost grows with the number of points, not with fill-in.

Each level is relaxed by one symmetric Gauss-Seidel sweep before and after the correction from the next
coarser level (`aggregation`); the coarsest level is solved by `TreeFactor`. The result is not A⁻¹ b but B b
with B symmetric, positive definite and close to A⁻¹: repeat it on the residual, or use it as a
preconditioner.

With A = L + D + Lᵀ, sweeps share their sums, so that a cycle passes three times over the matrix and not five
(docs/theory/solve.md, eq. (S4)):

    down   (D + L) y = b;   x = y - z,  z = D⁻¹ Lᵀ x;    residual  b - A x = L z
    up     t = b - L x;     x = D⁻¹ (t - Lᵀ x_old), downwards through the points;   x = D⁻¹ (t - Lᵀ x), back up
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from supple.kernel import kernel
from supple.solve.aggregation import Coarsening, Rows, reached_rows
from supple.solve.lanes import element, load, minus_product, pack, plus, scaled, store
from supple.solve.separator_tree import build_adjacency, sort_ascending
from supple.solve.tree_factor import TreeFactor

COARSEST_SIZE = 1000
"""Levels of at most this many points are solved directly (0.05 ms for a sheet)."""

SLOWEST_COARSENING = 0.7
"""A coarse matrix with more entries than this share of the finer one's is not worth a level."""

REGULARISATION = 1e-12
"""Added share of the coarsest diagonal: interpolation from a few free points may leave it singular."""


@kernel
def matrix_pattern(pairs, neighbour_start, neighbours, start, column):
    """Write the rows of A, diagonal included, columns ascending.

    Args:
        pairs: (pair_count, 2)
        neighbour_start, neighbours: adjacency
        start: (point_count + 1,) written
        column: (2 * pair_count + point_count,) written
    """
    for i in range(start.shape[0]):
        start[i] = neighbour_start[i] + i
    for i in range(start.shape[0] - 1):
        at = start[i]
        column[at] = i
        for k in range(neighbour_start[i], neighbour_start[i + 1]):
            at += 1
            column[at] = neighbours[k]
        sort_ascending(column[start[i] : start[i + 1]])


@kernel
def locate_pairs(pairs, start, column, entry):
    """Find the two entries of every pair and write which pair each entry belongs to.

    Args:
        pairs: (pair_count, 2)
        start, column: rows of A
        entry: (entry_count,) written: the pair, or -1 on the diagonal
    """
    entry[:] = -1
    for k in range(pairs.shape[0]):
        for side in range(2):
            i, j = pairs[k, side], pairs[k, 1 - side]
            low, high = start[i], start[i + 1]
            while low + 1 < high:
                middle = (low + high) // 2
                if column[middle] <= j:
                    low = middle
                else:
                    high = middle
            entry[low] = k


@kernel
def fill_rows(rows, start, column, entry, diagonal, values, is_fixed, value):
    """Write these rows of A; rows and columns of fixed points are zero."""
    for i in rows:
        for k in range(start[i], start[i + 1]):
            if is_fixed[i] or is_fixed[column[k]]:
                value[k] = 0.0
            elif entry[k] < 0:
                value[k] = diagonal[i]
            else:
                value[k] = values[entry[k]]


@kernel
def split_pattern(start, column, lower_start, upper_start, half_column):
    """List the columns left of the diagonal, of all rows, and after them those right of it."""
    at = 0
    for i in range(start.shape[0] - 1):
        lower_start[i] = at
        for k in range(start[i], start[i + 1]):
            if column[k] < i:
                half_column[at] = column[k]
                at += 1
    lower_start[start.shape[0] - 1] = at
    for i in range(start.shape[0] - 1):
        upper_start[i] = at
        for k in range(start[i], start[i + 1]):
            if column[k] > i:
                half_column[at] = column[k]
                at += 1
    upper_start[start.shape[0] - 1] = at


@kernel
def split_rows(rows, start, column, value, lower_start, upper_start, half_value, inverse):
    """Copy these rows of A into the two halves, and the reciprocal of the diagonal (0 for fixed points)."""
    for i in rows:
        low, high = lower_start[i], upper_start[i]
        inverse[i] = 0.0
        for k in range(start[i], start[i + 1]):
            if column[k] < i:
                half_value[low] = value[k]
                low += 1
            elif column[k] > i:
                half_value[high] = value[k]
                high += 1
            elif value[k] > 0.0:
                inverse[i] = 1.0 / value[k]


@kernel
def minus_half_row(value, i, half_start, half_column, half_value, vector):
    """Return value minus the product of row i of one half of A with the vector."""
    for k in range(half_start[i], half_start[i + 1]):
        value = minus_product(value, element_of(half_value, k), load(vector, half_column[k]))
    return value


@kernel
def element_of(array, k):
    """Return a number of a flat array whose index is known not to be negative."""
    return array[np.uintp(k)]


@kernel
def descend(
    lower_start, upper_start, half_column, half_value, inverse, r_start, r_column, r_value, b, y, x, residual, coarse_b
):
    """Relax from zero and restrict the residual.

    Args:
        lower_start, upper_start, half_column, half_value: both halves of A
        inverse: (point_count,) reciprocals of the diagonal
        r_start, r_column, r_value: rows of Pᵀ
        b: (point_count, 4) right-hand sides
        y: (point_count, 4) scratch
        x: (point_count, 4) written, the relaxed solution
        residual: (point_count, 4) scratch
        coarse_b: (coarse_count, 4) written
    """
    zero = pack(0.0, 0.0, 0.0, 0.0)
    count = inverse.shape[0]
    for i in range(count):
        t = minus_half_row(load(b, i), i, lower_start, half_column, half_value, y)
        store(y, i, scaled(t, inverse[i]))
    for i in range(count - 1, -1, -1):
        z = scaled(minus_half_row(zero, i, upper_start, half_column, half_value, x), inverse[i])
        store(x, i, plus(load(y, i), z))
        store(y, i, z)
    for i in range(count):
        store(residual, i, minus_half_row(zero, i, lower_start, half_column, half_value, y))
    for c in range(coarse_b.shape[0]):
        total = zero
        for k in range(r_start[c], r_start[c + 1]):
            total = minus_product(total, -r_value[k], load(residual, r_column[k]))
        store(coarse_b, c, total)
