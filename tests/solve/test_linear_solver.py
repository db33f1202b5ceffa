"""The solver is chosen by name, or by what it would cost."""

from __future__ import annotations

import numpy as np
import pytest

from supple.errors import SuppleError
from supple.solve import linear_solver
from supple.solve.linear_solver import choose
from supple.solve.multigrid import Multigrid
from supple.solve.tree_factor import TreeFactor


@pytest.mark.parametrize(
    ("name", "kind"), [("factor", TreeFactor), ("multigrid", Multigrid), ("auto", TreeFactor)]
)
def test_solver_is_chosen_by_name(bodies, name, kind):
    sheet = bodies["sheet"](12, 12)
    assert isinstance(choose(name, sheet.coordinates, sheet.pairs), kind)


def test_auto_takes_multigrid_where_the_factor_fills_up(bodies, monkeypatch):
    lattice, sheet = bodies["lattice"](14), bodies["sheet"](30, 30)
    monkeypatch.setattr(linear_solver, "SMALL_FACTOR", 1000)
    assert isinstance(choose("auto", lattice.coordinates, lattice.pairs), Multigrid)
    assert isinstance(choose("auto", sheet.coordinates, sheet.pairs), TreeFactor)


def test_both_solvers_serve_through_the_same_words(bodies):
    sheet = bodies["sheet"](12, 12)
    right_side = np.random.default_rng(0).standard_normal((144, 3))
    results = []
    for name in ("factor", "multigrid"):
        solver = choose(name, sheet.coordinates, sheet.pairs)
        solver.factor(sheet.diagonal, sheet.values, sheet.is_fixed)
        solver.change(np.array([4]))
        result = right_side.copy()
        solver.solve(result)
        results.append(result)
    assert np.allclose(results[0], results[1], rtol=0.0, atol=1e-8 * np.abs(results[0]).max())


def test_unknown_name_is_explained():
    with pytest.raises(
        SuppleError, match=r'no linear solver "magic"; choose one of: auto, factor, multigrid'
    ):
        choose("magic", np.zeros((1, 3)), np.zeros((0, 2), np.int64))
