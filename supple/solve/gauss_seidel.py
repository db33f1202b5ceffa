"""Gauss-Seidel sweeps on the way down and up a V-cycle.

With A = L + D + Lᵀ (docs/theory/solve.md, eq. (L4)):

    down   (D + L) x = b  in rising order;    residual  b - A x = -Lᵀ x
    up     x = D⁻¹ (b - L x - Lᵀ x)  in falling order

One sweep each way, the second the mirror of the first, keeps the cycle symmetric. Starting from zero the
first needs only one half of A and its residual only the other, so a cycle passes twice over the matrix.
The two halves L and Lᵀ are stored one after the other, so that a sweep reads only what it needs.
"""

from __future__ import annotations

from supple.kernel import kernel
from supple.solve.lanes import item, load, minus_product, pack, scaled, store


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
    """Return value minus the product of row i of one half of A with the vector (point_count, 4)."""
    for k in range(half_start[i], half_start[i + 1]):
        value = minus_product(value, item(half_value, k), load(vector, item(half_column, k)))
    return value


@kernel
def descend(
    lower_start,
    upper_start,
    half_column,
    half_value,
    inverse,
    r_start,
    r_column,
    r_value,
    b,
    x,
    residual,
    coarse_b,
):
    """Relax from zero and restrict the residual.

    Args:
        lower_start: (point_count + 1,) entries of each row of A left of the diagonal
        upper_start: (point_count + 1,) entries of each row right of it
        half_column: columns of both halves
        half_value: entries of both halves
        inverse: (point_count,) reciprocals of the diagonal
        r_start: (coarse_count + 1,) where each row of Pᵀ begins
        r_column: its columns
        r_value: its entries
        b: (point_count, 4) right-hand sides
        x: (point_count, 4) written, the relaxed solution
        residual: (point_count, 4) scratch
        coarse_b: (coarse_count, 4) written
    """
    zero = pack(0.0, 0.0, 0.0, 0.0)
    count = inverse.shape[0]
    for i in range(count):
        t = minus_half_row(load(b, i), i, lower_start, half_column, half_value, x)
        store(x, i, scaled(t, inverse[i]))
    for i in range(count):
        store(residual, i, minus_half_row(zero, i, upper_start, half_column, half_value, x))
    for c in range(coarse_b.shape[0]):
        total = zero
        for k in range(r_start[c], r_start[c + 1]):
            total = minus_product(total, -r_value[k], load(residual, r_column[k]))
        store(coarse_b, c, total)


@kernel
def ascend(
    lower_start, upper_start, half_column, half_value, inverse, p_start, p_column, p_value, b, coarse_x, x
):  # fmt: skip
    """Add the coarse correction and relax again.

    Args:
        lower_start: (point_count + 1,) entries of each row of A left of the diagonal
        upper_start: (point_count + 1,) entries of each row right of it
        half_column: columns of both halves
        half_value: entries of both halves
        inverse: (point_count,) reciprocals of the diagonal
        p_start: (point_count + 1,) where each row of P begins
        p_column: its columns
        p_value: its entries
        b: (point_count, 4) right-hand sides
        coarse_x: (coarse_count, 4) correction
        x: (point_count, 4) changed in place
    """
    count = inverse.shape[0]
    for i in range(count):
        total = load(x, i)
        for k in range(p_start[i], p_start[i + 1]):
            total = minus_product(total, -item(p_value, k), load(coarse_x, item(p_column, k)))
        store(x, i, total)
    for i in range(count - 1, -1, -1):
        rest = minus_half_row(load(b, i), i, lower_start, half_column, half_value, x)
        rest = minus_half_row(rest, i, upper_start, half_column, half_value, x)
        store(x, i, scaled(rest, inverse[i]))
