"""What a linear solver offers the integrators, and which one to take."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from supple.errors import SuppleError
from supple.solve.multigrid import Multigrid
from supple.solve.separator_tree import SeparatorTree
from supple.solve.tree_factor import TreeFactor

NAMES = ("auto", "factor", "multigrid")
"""Solvers `choose` knows."""

SMALL_FACTOR = 300_000
"""Entries of a factor that is solved in a quarter of a millisecond: nothing else is worth a look."""

LARGEST_FILL = 6.0
"""Entries of the factor per entry of A above which a cycle costs half of a direct solve or less."""


class LinearSolver(Protocol):
    """Solver for A x = b: A symmetric positive definite, one number a pair of points, three columns in b."""

    def factor(
        self,
        diagonal: npt.NDArray[np.float64],
        values: npt.NDArray[np.float64],
        is_fixed: npt.NDArray[np.bool_],
    ) -> None:
        """Prepare for A anew; keep referring to (point_count,), (pair_count,), (point_count,) arrays."""

    def change(self, points: npt.NDArray[np.int64]) -> None:
        """Follow changes, made in place, of entries that touch `points` (count,)."""

    def solve(self, right_side: npt.NDArray[np.float64]) -> None:
        """Replace right_side (point_count, 3) by the solution, exact or approximate; 0 at fixed points."""


def choose(name: str, coordinates: npt.NDArray[np.float64], pairs: npt.NDArray[np.int64]) -> LinearSolver:
    """Return a solver for points at `coordinates` (point_count, 3) [m] coupled by `pairs` (pair_count, 2).

    "factor" is exact, "multigrid" is one V-cycle. "auto" compares their costs, which it knows once the
    elimination is ordered: sheets up to some 20 000 points and most small bodies get the factor, larger
    sheets and solid lattices, whose factors fill up, multigrid.
    """
    if name == "multigrid":
        return Multigrid(coordinates, pairs)
    if name not in NAMES:
        known = ", ".join(NAMES)
        raise SuppleError(f'there is no linear solver "{name}"; choose one of: {known}')
    tree = SeparatorTree.build(coordinates, pairs)
    entries = tree.factor_entries
    is_cheap = entries <= max(SMALL_FACTOR, LARGEST_FILL * (len(coordinates) + 2 * len(pairs)))
    if name == "factor" or is_cheap:
        return TreeFactor(coordinates, pairs, tree=tree)
    return Multigrid(coordinates, pairs)
