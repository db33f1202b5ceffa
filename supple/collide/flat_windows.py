"""Which parts of a sheet of rows and columns are too flat to touch themselves.

Theory: docs/theory/contact.md, eq. (K4). This is the idea of Volino 1994, that a surface has to bend a lot before
it can meet itself, in a form that can be proved: it looks at how points of a window of three by three
cells are spread in space, not at normals, which say nothing about a surface that is squeezed together.
"""

from __future__ import annotations

import math

from supple.kernel import kernel

FOOT = math.sqrt(0.5)
"""Least distance of a point to a triangle, or of two edges, that share no corner, on a grid of unit cells."""


@kernel(counts_references=False)
def least_stretch(ux, uy, uz, vx, vy, vz):
    """Return the smaller singular value of the 3 x 2 matrix with columns u and v."""
    uu = ux * ux + uy * uy + uz * uz
    vv = vx * vx + vy * vy + vz * vz
    uv = ux * vx + uy * vy + uz * vz
    half = 0.5 * (uu + vv)
    root = math.sqrt(0.25 * (uu - vv) * (uu - vv) + uv * uv)
    return math.sqrt(max(half - root, 0.0))


@kernel(counts_references=False)
def window_spread(x, first, columns, low_row, high_row, low_column, high_column):
    """Return the mean steps along a row and along a column over a window, and how far single steps differ.

    Args:
        x: (point_count, 3) [m]
        first: first point of the grid
        columns: points in a row
        low_row: first row of points of the window
        high_row: last row
        low_column: first column of points
        high_column: last column

    Returns:
        Mean step u (3), mean step v (3), and sqrt(max |u_i - u|² + max |v_i - v|²) [m].
    """
    rows, steps = high_row - low_row, high_column - low_column
    ux = uy = uz = vx = vy = vz = 0.0
    for r in range(low_row, high_row + 1):
        a, b = first + r * columns + low_column, first + r * columns + high_column
        ux += x[b, 0] - x[a, 0]
        uy += x[b, 1] - x[a, 1]
        uz += x[b, 2] - x[a, 2]
    for c in range(low_column, high_column + 1):
        a, b = first + low_row * columns + c, first + high_row * columns + c
        vx += x[b, 0] - x[a, 0]
        vy += x[b, 1] - x[a, 1]
        vz += x[b, 2] - x[a, 2]
    share = 1.0 / ((rows + 1) * steps)
    ux, uy, uz = ux * share, uy * share, uz * share
    share = 1.0 / ((steps + 1) * rows)
    vx, vy, vz = vx * share, vy * share, vz * share
    off_u = off_v = 0.0
    for r in range(low_row, high_row + 1):
        for c in range(low_column, high_column):
            a = first + r * columns + c
            dx = x[a + 1, 0] - x[a, 0] - ux
            dy = x[a + 1, 1] - x[a, 1] - uy
            dz = x[a + 1, 2] - x[a, 2] - uz
            off_u = max(off_u, dx * dx + dy * dy + dz * dz)
    for r in range(low_row, high_row):
        for c in range(low_column, high_column + 1):
            a = first + r * columns + c
            b = a + columns
            dx = x[b, 0] - x[a, 0] - vx
            dy = x[b, 1] - x[a, 1] - vy
            dz = x[b, 2] - x[a, 2] - vz
            off_v = max(off_v, dx * dx + dy * dy + dz * dz)
    return ux, uy, uz, vx, vy, vz, math.sqrt(off_u + off_v)


@kernel(counts_references=False)
def find_flat_cells(x0, x1, first, columns, rows, reach, first_leaf, is_flat):
    """Tell of every cell of a grid whether nothing within its window can come as close as `reach`.

    With Q the mean steps as a 3 x 2 matrix, σ its smaller singular value and δ the largest difference of
    a step from the mean, two points of the window that are a distance l apart on the unit grid are
    at least (σ - δ) l apart in space: along the straight way between them the steps sum up to
    Q l, but for δ l. Between the ends of a motion, σ is at least ½ (σ0 + σ1 - |Q1 - Q0|).

    Args:
        x0: (point_count, 3) [m], where the motion starts
        x1: (point_count, 3) [m], where it ends
        first: first point of the grid
        columns: points in a row
        rows: rows of points
        reach: [m]
        first_leaf: leaf of the first cell
        is_flat: (leaf_count,) written for the cells of this grid
    """
    for row in range(rows - 1):
        for column in range(columns - 1):
            low_row, high_row = max(row - 1, 0), min(row + 2, rows - 1)
            low_column, high_column = max(column - 1, 0), min(column + 2, columns - 1)
            ax, ay, az, bx, by, bz, off0 = window_spread(
                x0, first, columns, low_row, high_row, low_column, high_column
            )
            cx, cy, cz, dx, dy, dz, off1 = window_spread(
                x1, first, columns, low_row, high_row, low_column, high_column
            )
            sigma = least_stretch(ax, ay, az, bx, by, bz) + least_stretch(cx, cy, cz, dx, dy, dz)
            ax, ay, az, bx, by, bz = cx - ax, cy - ay, cz - az, dx - bx, dy - by, dz - bz
            change = math.sqrt(ax * ax + ay * ay + az * az + bx * bx + by * by + bz * bz)
            spread = 0.5 * (sigma - change) - max(off0, off1)
            is_flat[first_leaf + row * (columns - 1) + column] = FOOT * spread > reach
