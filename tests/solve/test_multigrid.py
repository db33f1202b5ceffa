"""A V-cycle is symmetric, reduces the error by a stated factor and follows edits to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from supple.solve import gauss_seidel, multigrid
from supple.solve.multigrid import Multigrid


def prepared(system, coarsest_size=30):
    solver = Multigrid(system.coordinates, system.pairs, coarsest_size=coarsest_size)
    solver.factor(system.diagonal, system.values, system.is_fixed)
    return solver


def right_side_of(system, seed=0):
    return np.random.default_rng(seed).standard_normal((len(system.coordinates), 3))


def free_matrix(system):
    matrix = system.dense()
    matrix[system.is_fixed, system.is_fixed] = 0.0
    return matrix


def energy_norm(matrix, error):
    return np.sqrt(np.einsum("ij,ij->", error, matrix @ error))


def reductions(system, solver, cycles):
    """Return the factors by which cycles on the residual shrink an error, in the energy norm."""
    matrix = free_matrix(system)
    error = right_side_of(system) * ~system.is_fixed[:, None]
    factors = []
    for _ in range(cycles):
        correction = matrix @ error
        solver.solve(correction)
        reduced = error - correction
        factors.append(energy_norm(matrix, reduced) / energy_norm(matrix, error))
        error = reduced
    return factors


@pytest.mark.parametrize("stiffness", [1e-9, 4e-3, 1.5e4])
def test_two_levels_more_than_halve_the_error_every_time(bodies, stiffness):
    sheet = bodies["sheet"](36, 30, stiffness=stiffness, fixed=[0, 35])
    solver = prepared(sheet, coarsest_size=200)
    assert len(solver.levels) == 1
    factors = reductions(sheet, solver, 10)
    assert factors[0] < 0.06  # rough errors fall to relaxation
    assert max(factors) < 0.4


def test_three_levels_still_converge(bodies):
    sheet = bodies["sheet"](36, 30, fixed=[0, 35])
    solver = prepared(sheet, coarsest_size=20)
    assert len(solver.levels) == 2
    assert max(reductions(sheet, solver, 10)) < 0.7


@pytest.mark.parametrize("name", ["chain", "lattice"])
def test_chains_and_lattices_converge(bodies, name):
    body = bodies[name](11 if name == "lattice" else 400, fixed=[0])
    assert max(reductions(body, prepared(body, coarsest_size=100), 8)) < 0.5


def test_cycle_never_increases_the_error(body):
    solver = prepared(body)
    if body.is_fixed.all():
        return
    assert max(reductions(body, solver, 6)[:3]) < 1.0


def test_cycle_is_symmetric_and_positive(body):
    solver = prepared(body)
    a, b = right_side_of(body, 1), right_side_of(body, 2)
    a[body.is_fixed] = b[body.is_fixed] = 0.0
    solved_a, solved_b = a.copy(), b.copy()
    solver.solve(solved_a)
    solver.solve(solved_b)
    scale = np.sqrt((a * solved_a).sum(axis=0) * (b * solved_b).sum(axis=0))
    assert np.all(np.abs((a * solved_b).sum(axis=0) - (b * solved_a).sum(axis=0)) <= 1e-9 * scale)
    if not body.is_fixed.all():
        assert ((a * solved_a).sum(axis=0) > 0.0).all()


def test_fixed_points_get_zero(body):
    solver = prepared(body)
    right_side = right_side_of(body)
    solver.solve(right_side)
    assert np.isfinite(right_side).all()
    assert not right_side[body.is_fixed].any()


def test_small_bodies_are_solved_exactly(bodies):
    sheet = bodies["sheet"](10, 10)
    right_side = right_side_of(sheet)
    expected = sheet.solution(right_side)
    prepared(sheet, coarsest_size=100).solve(right_side)
    assert np.allclose(right_side, expected, rtol=0.0, atol=1e-9 * np.abs(expected).max())


def test_change_equals_fresh_factor_bit_for_bit(body):
    solver = prepared(body)
    generator = np.random.default_rng(7)
    for _ in range(3):
        points = np.unique(generator.integers(0, len(body.coordinates), 3))
        body.is_fixed[points[0]] ^= True
        body.diagonal[points] *= 1.5
        solver.change(points)
        followed, expected = right_side_of(body), right_side_of(body)
        solver.solve(followed)
        prepared(body).solve(expected)
        assert np.array_equal(followed, expected)


def test_spring_edit_reaches_every_level(bodies):
    sheet = bodies["sheet"](30, 30)
    solver = prepared(sheet, coarsest_size=20)
    spring = 333
    a, b = sheet.pairs[spring]
    sheet.diagonal[[a, b]] += sheet.values[spring]
    sheet.values[spring] = 0.0
    solver.change(np.array([a, b]))
    fresh = prepared(sheet, coarsest_size=20)
    for old, new in zip(solver.levels, fresh.levels, strict=True):
        assert np.array_equal(old.halves.value, new.halves.value)
        assert np.array_equal(old.halves.inverse_diagonal, new.halves.inverse_diagonal)
    assert np.array_equal(solver.coarsest.factor.fronts.pool, fresh.coarsest.factor.fronts.pool)


def test_network_that_does_not_coarsen_is_only_relaxed(bodies):
    network = bodies["network"](800, 1600, seed=2)
    solver = prepared(network, coarsest_size=50)
    assert solver.coarsest is None
    assert max(reductions(network, solver, 4)) < 1.0


def test_solve_allocates_nothing(bodies, memory_of):
    blocks = []
    for side in (12, 60):
        sheet = bodies["sheet"](side, side)
        solver, right_side = prepared(sheet, coarsest_size=side * side // 4), right_side_of(sheet)
        peak, count = memory_of(lambda solver=solver, right_side=right_side: solver.solve(right_side))
        assert peak < 60_000  # calls take some whatever the size; a vector of the larger sheet has 115 kB
        blocks.append(count)
    assert blocks[0] == blocks[1]


def test_kernels_do_the_same_as_python(bodies, monkeypatch):
    sheet = bodies["sheet"](9, 8, fixed=[3])
    expected = right_side_of(sheet)
    prepared(sheet, coarsest_size=10).solve(expected)
    above = ("matrix_pattern", "locate_pairs", "fill_rows", "fill_pairs", "widen", "narrow")
    shared = ("split_pattern", "split_rows", "smooth_and_restrict", "prolong_and_smooth")
    for name in above + shared:
        monkeypatch.setattr(multigrid, name, getattr(multigrid, name).py_func)
    monkeypatch.setattr(gauss_seidel, "minus_half_row", gauss_seidel.minus_half_row.py_func)
    result = right_side_of(sheet)
    prepared(sheet, coarsest_size=10).solve(result)
    assert np.array_equal(result, expected)
