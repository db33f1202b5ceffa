"""A cloth of few points that is divided into more keeps its surface."""

import numpy as np
import pytest

from benchmarks.folded import Sheet, in_between
from supple.scene.cloth_shapes.grid import grid_triangles


@pytest.mark.parametrize("times", [3, 6])
def test_what_is_divided_lies_on_the_triangles_there_were(times):
    rng = np.random.default_rng(5)
    columns, rows = 25, 9
    sheet = Sheet("fold", columns, rows, 0.002)
    coarse = rng.standard_normal((columns * rows, 3))
    fine = in_between(coarse, sheet, times)
    finer = sheet.divided(times)
    np.testing.assert_allclose(
        fine.reshape(finer.rows, finer.columns, 3)[::times, ::times].reshape(-1, 3), coarse
    )
    # The middle of a coarse triangle is a point of the finer grid, if a cell is divided by three.
    triangles = grid_triangles(columns, rows)
    row, column = np.divmod(triangles, columns)
    inner = fine[(times * row.sum(axis=1) // 3) * finer.columns + times * column.sum(axis=1) // 3]
    np.testing.assert_allclose(inner, coarse[triangles].mean(axis=1), atol=1e-12)
