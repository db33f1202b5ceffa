"""A cloth of few points that is divided into more keeps its surface."""

import numpy as np
import pytest

from benchmarks.folded import COARSE, in_between
from supple.scene.grid import grid_triangles


@pytest.mark.parametrize("times", [3, 6])
def test_what_is_divided_lies_on_the_triangles_there_were(times):
    rng = np.random.default_rng(5)
    coarse = rng.standard_normal((COARSE * COARSE, 3))
    fine = in_between(coarse, times)
    side = times * (COARSE - 1) + 1
    np.testing.assert_allclose(fine.reshape(side, side, 3)[::times, ::times].reshape(-1, 3), coarse)
    # The middle of a coarse triangle is a point of the finer grid, if a cell is divided by three.
    triangles = grid_triangles(COARSE, COARSE)
    row, column = np.divmod(triangles, COARSE)
    inner = fine[(times * row.sum(axis=1) // 3) * side + times * column.sum(axis=1) // 3]
    np.testing.assert_allclose(inner, coarse[triangles].mean(axis=1), atol=1e-12)
