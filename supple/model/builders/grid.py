"""Springs and bending elements of a regular grid of rows and columns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.model.bends import Bends, join_bends, plain_bends
from supple.model.springs import SHEAR, STRETCH, Springs, join_springs, plain_springs

Indices = NDArray[np.int64]


def grid_springs(positions: NDArray[np.float64], columns: int, rows: int) -> Springs:
    """Return threads along rows and columns, and both diagonals of every cell.

    A thread stands for the strip of cloth halfway to its neighbours, so border threads are
    half as stiff. With width w and length l its stiffness is Y w / l. Both diagonals (length
    D) of a cell of area A resist shear like the modulus G if each has G D² / (2 A).
    """
    index = np.arange(rows * columns).reshape(rows, columns)
    grid = positions.reshape(rows, columns, 3)
    across, down = _spacing(grid)
    parts = []
    for first, second, width in (
        (index[:, :-1], index[:, 1:], _strip_widths(down, axis=0)),
        (index[:-1, :], index[1:, :], _strip_widths(across, axis=1)),
    ):
        ends = _pairs(first, second)
        lengths = _lengths(positions, ends)
        width = width[:, : first.shape[1]] if first.shape[0] == rows else width[: first.shape[0], :]
        parts.append(plain_springs(ends, lengths, width.ravel() / lengths, STRETCH))
    areas = _cell_areas(grid).ravel()
    for first, second in ((index[:-1, :-1], index[1:, 1:]), (index[:-1, 1:], index[1:, :-1])):
        ends = _pairs(first, second)
        lengths = _lengths(positions, ends)
        parts.append(plain_springs(ends, lengths, lengths**2 / (2.0 * areas), SHEAR))
    return join_springs(parts, [0] * len(parts))


def grid_bends(positions: NDArray[np.float64], columns: int, rows: int) -> Bends:
    """Return second differences along rows and columns, and the twist of every cell.

    With spacing l and strip width w the bending vector d = a - 2 b + c is κ l², so
    k = B w / l³ gives the energy ½ B κ² per area exactly; the twist x00 - x01 - x10 + x11 of
    a cell of area A takes 2 B / A. Together they are B/2 |∇∇x|², the same in every direction.
    """
    index = np.arange(rows * columns).reshape(rows, columns)
    grid = positions.reshape(rows, columns, 3)
    across, down = _spacing(grid)
    parts = []
    for axis, spacing, other in ((1, across, down), (0, down, across)):
        before, middle, after = (
            (index[:, :-2], index[:, 1:-1], index[:, 2:])
            if axis == 1
            else (index[:-2, :], index[1:-1, :], index[2:, :])
        )
        widths = _strip_widths(other, axis=1 - axis)
        widths = widths[:, : before.shape[1]] if axis == 1 else widths[: before.shape[0], :]
        first, second = (spacing[:, :-1], spacing[:, 1:]) if axis == 1 else (spacing[:-1, :], spacing[1:, :])
        length = 0.5 * (first + second)
        points = np.stack([before, middle, after, after], axis=-1).reshape(-1, 4).astype(np.uint32)
        weights = np.broadcast_to([1.0, -2.0, 1.0, 0.0], (*length.shape, 4)).copy()
        # Unequal spacings (Bézier patches): weights that still vanish on a straight line.
        weights[..., 0] = length / first
        weights[..., 2] = length / second
        weights[..., 1] = -weights[..., 0] - weights[..., 2]
        shape = widths / length**3
        parts.append(plain_bends(points, weights.reshape(-1, 4), shape.ravel(), positions))
    corners = (
        np.stack([index[:-1, :-1], index[:-1, 1:], index[1:, :-1], index[1:, 1:]], axis=-1)
        .reshape(-1, 4)
        .astype(np.uint32)
    )
    weights = np.broadcast_to([1.0, -1.0, -1.0, 1.0], corners.shape)
    parts.append(plain_bends(corners, weights, 2.0 / _cell_areas(grid).ravel(), positions))
    return join_bends(parts, [0] * len(parts))


def _pairs(first: Indices, second: Indices) -> NDArray[np.uint32]:
    return np.stack([first.ravel(), second.ravel()], axis=1).astype(np.uint32)


def _lengths(positions: NDArray[np.float64], ends: NDArray[np.uint32]) -> NDArray[np.float64]:
    lengths: NDArray[np.float64] = np.linalg.norm(positions[ends[:, 0]] - positions[ends[:, 1]], axis=1)
    return lengths


def _spacing(grid: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the lengths of the threads along rows (rows, columns-1) and columns (rows-1, columns)."""
    return (
        np.linalg.norm(np.diff(grid, axis=1), axis=2),
        np.linalg.norm(np.diff(grid, axis=0), axis=2),
    )


def _strip_widths(spacing: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """Return, for every particle, half the distance to its two neighbours along `axis`."""
    half = 0.5 * spacing
    before = [(0, 0), (0, 0)]
    before[axis] = (1, 0)
    after = [(0, 0), (0, 0)]
    after[axis] = (0, 1)
    widths: NDArray[np.float64] = np.pad(half, before) + np.pad(half, after)
    return widths


def _cell_areas(grid: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the area of every cell, (rows-1, columns-1), from its crossed diagonals."""
    first = grid[1:, 1:] - grid[:-1, :-1]
    second = grid[1:, :-1] - grid[:-1, 1:]
    areas: NDArray[np.float64] = 0.5 * np.linalg.norm(np.cross(first, second), axis=2)
    return areas


def grid_areas(positions: NDArray[np.float64], columns: int, rows: int) -> NDArray[np.float64]:
    """Return the area each particle stands for: a quarter of its cells, (rows * columns,) [m²]."""
    cells = 0.25 * _cell_areas(positions.reshape(rows, columns, 3))
    areas = np.zeros((rows, columns))
    for y in (slice(None, -1), slice(1, None)):
        for x in (slice(None, -1), slice(1, None)):
            areas[y, x] += cells
    return areas.ravel()
