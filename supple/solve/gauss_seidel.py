"""Gauss-Seidel smoothers of a V-cycle: one sweep before the coarse correction, its mirror after it.

With A = L + D + Lᵀ (docs/theory/solve.md, eq. (L4)):

    before   (D + L) x = b  in rising order;    residual  b - A x = -Lᵀ x
    after    x = D⁻¹ (b - L x - Lᵀ x)  in falling order

One sweep each way, the second the mirror of the first, keeps the cycle symmetric. Starting from zero the
first needs only one half of A and its residual only the other, so a cycle passes twice over the matrix.
The two halves L and Lᵀ are stored one after the other, so that a sweep reads only what it needs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from supple.kernel import kernel
from supple.solve.lanes import item, load, minus_product, pack, scaled, store


class MatrixHalves(NamedTuple):
    """A square sparse matrix as its lower and its upper half and the reciprocal of its diagonal."""

    lower_start: npt.NDArray[np.int64]
    """(point_count + 1,) entries of each row left of the diagonal."""

    upper_start: npt.NDArray[np.int64]
    """(point_count + 1,) entries of each row right of it."""

    column: npt.NDArray[np.int32]
    """(entry_count,) columns of both halves."""

    value: npt.NDArray[np.float64]
    """(entry_count,) entries of both halves."""

    inverse_diagonal: npt.NDArray[np.float64]
    """(point_count,) 0 for fixed points."""


@kernel
def split_pattern(matrix, halves):
    """List the columns left of the diagonal, of all rows, and after them those right of it."""
    start, column, count = matrix.start, matrix.column, matrix.start.shape[0] - 1
    at = 0
    for i in range(count):
        halves.lower_start[i] = at
        for k in range(start[i], start[i + 1]):
            if column[k] < i:
                halves.column[at] = column[k]
                at += 1
    halves.lower_start[count] = at
    for i in range(count):
        halves.upper_start[i] = at
        for k in range(start[i], start[i + 1]):
            if column[k] > i:
                halves.column[at] = column[k]
                at += 1
    halves.upper_start[count] = at


@kernel
def split_rows(rows, matrix, halves):
    """Copy these rows of A into the two halves, and the reciprocal of the diagonal (0 for fixed points)."""
    for i in rows:
        low, high = halves.lower_start[i], halves.upper_start[i]
        halves.inverse_diagonal[i] = 0.0
        for k in range(matrix.start[i], matrix.start[i + 1]):
            column, value = matrix.column[k], matrix.value[k]
            if column < i:
                halves.value[low] = value
                low += 1
            elif column > i:
                halves.value[high] = value
                high += 1
            elif value > 0.0:
                halves.inverse_diagonal[i] = 1.0 / value


@kernel
def minus_half_row(value, i, half_start, half_column, half_value, vector):
    """Return value minus the product of row i of one half of A with the vector (point_count, 4)."""
    for k in range(half_start[i], half_start[i + 1]):
        value = minus_product(value, item(half_value, k), load(vector, item(half_column, k)))
    return value


@kernel
def smooth_and_restrict(halves, restriction, b, x, residual, coarse_b):
    """Smooth from zero, on the way down, and restrict the residual.

    Args:
        halves: `MatrixHalves` of A
        restriction: `SparseRows`, Pᵀ
        b: (point_count, 4) right-hand sides
        x: (point_count, 4) written, the smoothed solution
        residual: (point_count, 4) scratch
        coarse_b: (coarse_count, 4) written
    """
    zero = pack(0.0, 0.0, 0.0, 0.0)
    lower_start, upper_start, column, value, inverse = halves
    count = inverse.shape[0]
    for i in range(count):
        t = minus_half_row(load(b, i), i, lower_start, column, value, x)
        store(x, i, scaled(t, inverse[i]))
    for i in range(count):
        store(residual, i, minus_half_row(zero, i, upper_start, column, value, x))
    for c in range(coarse_b.shape[0]):
        total = zero
        for k in range(restriction.start[c], restriction.start[c + 1]):
            total = minus_product(total, -restriction.value[k], load(residual, restriction.column[k]))
        store(coarse_b, c, total)


@kernel
def prolong_and_smooth(halves, prolongation, b, coarse_x, x):
    """Add the prolonged coarse correction, on the way up, and smooth again.

    Args:
        halves: `MatrixHalves` of A
        prolongation: `SparseRows`, P
        b: (point_count, 4) right-hand sides
        coarse_x: (coarse_count, 4) correction
        x: (point_count, 4) changed in place
    """
    lower_start, upper_start, column, value, inverse = halves
    p_start, p_column, p_value = prolongation
    count = inverse.shape[0]
    for i in range(count):
        total = load(x, i)
        for k in range(p_start[i], p_start[i + 1]):
            total = minus_product(total, -item(p_value, k), load(coarse_x, item(p_column, k)))
        store(x, i, total)
    for i in range(count - 1, -1, -1):
        rest = minus_half_row(load(b, i), i, lower_start, column, value, x)
        rest = minus_half_row(rest, i, upper_start, column, value, x)
        store(x, i, scaled(rest, inverse[i]))
