"""A sheet of rows and columns: its triangles and the names of its edges and corners."""

from __future__ import annotations

import numpy as np

from supple.scene.placement import IndexArray

GRID_NAMES = (
    "top",
    "bottom",
    "left",
    "right",
    "top-left",
    "top-right",
    "bottom-left",
    "bottom-right",
    "centre",
    "center",
)
"""Names of edges, corners and the middle point of a grid."""

GRID_EDGES = ("top", "bottom", "left", "right")
"""Those of them whose points stand in a row."""


def grid_triangles(columns: int, rows: int) -> IndexArray:
    """Return the (2 (columns - 1) (rows - 1), 3) triangles of a grid of points.

    Points run row by row from the top left. Diagonals alternate like the squares of a chess board, so the
    sheet has no direction in which it folds more easily. Triangles turn counter-clockwise seen from the
    side where left is left.
    """
    index = np.arange(rows * columns, dtype=np.int64).reshape(rows, columns)
    top_left, top_right = index[:-1, :-1], index[:-1, 1:]
    bottom_left, bottom_right = index[1:, :-1], index[1:, 1:]
    falling = np.stack([top_left, bottom_left, bottom_right, top_left, bottom_right, top_right], axis=-1)
    rising = np.stack([top_left, bottom_left, top_right, top_right, bottom_left, bottom_right], axis=-1)
    row, column = np.indices(top_left.shape)
    is_falling = ((row + column) % 2 == 0)[..., None]
    return np.where(is_falling, falling, rising).reshape(-1, 3)


def grid_named(name: str, columns: int, rows: int) -> IndexArray:
    """Return the indices of an edge, a corner or the centre of a grid.

    An even number of columns or rows has no middle point; the centre is then the one before the middle.
    """
    index = np.arange(rows * columns, dtype=np.int64).reshape(rows, columns)
    if name in ("centre", "center"):
        return np.array([index[(rows - 1) // 2, (columns - 1) // 2]], dtype=np.int64)
    row = {"top": slice(0, 1), "bottom": slice(rows - 1, rows)}
    column = {"left": slice(0, 1), "right": slice(columns - 1, columns)}
    parts = name.split("-")
    row_part = next((row[part] for part in parts if part in row), slice(None))
    column_part = next((column[part] for part in parts if part in column), slice(None))
    chosen: IndexArray = index[row_part, column_part]
    return chosen.reshape(-1)
