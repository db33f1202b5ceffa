"""The factor solves exactly, and follows edits to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supple.solve import dense_fronts, tree_factor, triangular_solve
from supple.solve.tree_factor import TreeFactor

KERNELS = {
    tree_factor: (
        "relate_borders",
        "place_entries",
        "count_entries",
        "take_slot",
        "release_slot",
        "with_spare_rows",
        "grow_slots",
        "mark_points",
        "group_start",
        "factor_dirty_fronts",
        "solve_factored",
    ),
    dense_fronts: (
        "group_start",
        "transposed",
        "subtract_products",
        "pack_factors",
        "subtract_from_one",
        "subtract_from_two",
        "safe_pivot",
        "eliminate_group",
        "clear_rows",
        "clear_row",
        "assemble_front",
        "column_start",
        "extend_add",
        "eliminate_front",
    ),
    triangular_solve: ("minus_row", "substitute_forward", "substitute_backward"),
}


def factored(system):
    solver = TreeFactor(system.coordinates, system.pairs)
    solver.factor(system.diagonal, system.values, system.is_fixed)
    return solver


def right_side_of(system, seed=0):
    return np.random.default_rng(seed).standard_normal((len(system.coordinates), 3))


def test_solve_agrees_with_dense_solve(body):
    solver = factored(body)
    right_side = right_side_of(body)
    expected = body.solution(right_side)
    solver.solve(right_side)
    condition = np.linalg.cond(body.dense())
    assert np.abs(right_side - expected).max() <= 1e-15 * (50.0 + condition) * np.abs(expected).max()
    assert not right_side[body.is_fixed].any()
    assert solver.clamped_pivots == 0


def test_residual_is_round_off_even_when_springs_dwarf_masses(bodies):
    sheet = bodies["sheet"](25, 25, stiffness=1e9, mass=1.0)
    right_side = right_side_of(sheet)
    solution = right_side.copy()
    factored(sheet).solve(solution)
    residual = sheet.dense() @ solution - right_side
    assert np.abs(residual).max() < 1e-14 * sheet.diagonal.max() * np.abs(solution).max()


def test_positive_off_diagonals_are_fine(bodies):
    sheet = bodies["sheet"](15, 12)
    generator = np.random.default_rng(8)
    values = generator.standard_normal(len(sheet.pairs))
    diagonal = np.ones(len(sheet.diagonal))
    np.add.at(diagonal, sheet.pairs[:, 0], np.abs(values))
    np.add.at(diagonal, sheet.pairs[:, 1], np.abs(values))
    sheet = sheet._replace(values=values, diagonal=diagonal)
    right_side = right_side_of(sheet)
    expected = sheet.solution(right_side)
    factored(sheet).solve(right_side)
    assert np.allclose(right_side, expected, rtol=0.0, atol=1e-13)


def test_solution_of_a_free_sheet_keeps_translations(bodies):
    """A 1 = M 1 away from pins, so A⁻¹ M c = c for a constant c."""
    sheet = bodies["sheet"](24, 24)
    right_side = np.full((576, 3), 1.5e-5) * [1.0, -2.0, 3.0]
    factored(sheet).solve(right_side)
    assert np.allclose(right_side, [1.0, -2.0, 3.0], rtol=1e-10)


def edit(system, generator, count):
    """Pin, release and re-stiffen at random; return the points touched."""
    points = generator.choice(len(system.coordinates), min(count, len(system.coordinates)), replace=False)
    touched = []
    for point in points:
        if generator.random() < 0.5:
            system.is_fixed[point] = not system.is_fixed[point]
            touched.append(point)
            continue
        system.diagonal[point] *= generator.uniform(1.0, 2.0)
        touched.append(point)
        springs = np.flatnonzero((system.pairs == point).any(axis=1))
        if len(springs):
            spring = generator.choice(springs)
            a, b = system.pairs[spring]
            more = system.values[spring] * generator.uniform(0.0, 1.0)
            system.values[spring] += more
            system.diagonal[[a, b]] -= more
            touched += [a, b]
    return np.unique(np.array(touched, np.int64))


def test_change_equals_fresh_factor_bit_for_bit(body):
    solver = factored(body)
    generator = np.random.default_rng(11)
    for count in (1, 1, 3, 10):
        solver.change(edit(body, generator, count))
        fresh = factored(body)
        assert np.array_equal(solver.fronts.pool, fresh.fronts.pool)
        followed, expected = right_side_of(body), right_side_of(body)
        solver.solve(followed)
        fresh.solve(expected)
        assert np.array_equal(followed, expected)


@settings(max_examples=25, deadline=None)
@given(
    count=st.integers(1, 70),
    density=st.floats(0.0, 6.0),
    seed=st.integers(0, 2**31),
    edits=st.integers(0, 12),
)
def test_random_networks_are_solved_and_followed(bodies, count, density, seed, edits):
    system = bodies["network"](count, int(density * count), seed)
    solver = factored(system)
    solver.change(edit(system, np.random.default_rng(seed), edits))
    solution = right_side_of(system)
    expected = system.solution(solution)
    solver.solve(solution)
    assert np.abs(solution - expected).max() <= 1e-9 * max(np.abs(expected).max(), 1e-300)
    assert np.array_equal(solver.fronts.pool, factored(system).fronts.pool)


def test_pinned_point_moves_nothing_and_its_neighbours_do_not_feel_it(bodies):
    sheet = bodies["sheet"](10, 10)
    solver = factored(sheet)
    sheet.is_fixed[44] = True
    solver.change(np.array([44]))
    push = np.zeros((100, 3))
    push[44] = 1.0
    solver.solve(push)
    assert not push.any()


def test_change_touches_only_the_paths_to_the_root(bodies):
    sheet = bodies["sheet"](40, 40)
    solver = factored(sheet)
    marker = solver.clamped
    marker[:] = -7  # every node that is refactored writes its count
    solver.change(np.array([0]))
    refactored = marker != -7
    marker[~refactored] = 0
    assert 0 < refactored.sum() < 0.1 * len(marker)
    assert refactored[-1]


def test_same_input_gives_the_same_bits(body):
    a, b = right_side_of(body), right_side_of(body)
    factored(body).solve(a)
    factored(body).solve(b)
    assert np.array_equal(a, b)


def test_solve_leaves_nothing_behind(body):
    solver = factored(body)
    first, second = right_side_of(body), right_side_of(body)
    solver.solve(first)
    solver.solve(right_side_of(body, seed=5) * 1e30)
    solver.solve(second)
    assert np.array_equal(first, second)


def test_indefinite_matrix_is_clamped_and_counted(bodies):
    sheet = bodies["sheet"](9, 9)
    sheet.diagonal[40] = -1.0
    solver = factored(sheet)
    assert solver.clamped_pivots > 0
    right_side = right_side_of(sheet)
    solver.solve(right_side)
    assert np.isfinite(right_side).all()
    sheet.diagonal[40] = 1.0
    solver.change(np.array([40]))
    assert solver.clamped_pivots == 0


@pytest.mark.parametrize("diagonal", [0.0, -1.0, np.nan, np.inf])
def test_single_bad_point_gives_a_finite_answer(diagonal):
    solver = TreeFactor(np.zeros((1, 3)), np.zeros((0, 2), np.int64))
    solver.factor(np.array([diagonal]), np.zeros(0), np.zeros(1, np.bool_))
    right_side = np.ones((1, 3))
    solver.solve(right_side)
    assert solver.clamped_pivots == 1
    assert np.isfinite(right_side).all()


def test_singular_free_sheet_without_mass_gives_a_finite_answer(bodies):
    sheet = bodies["sheet"](12, 12, mass=0.0)
    solver = factored(sheet)
    right_side = right_side_of(sheet)
    solver.solve(right_side)
    assert np.isfinite(right_side).all()


def test_solve_and_change_allocate_nothing(bodies, memory_of):
    blocks = []
    for side in (6, 60):
        sheet = bodies["sheet"](side, side)
        solver, right_side, points = factored(sheet), right_side_of(sheet), np.array([7, 20])

        def solve_and_change(solver=solver, right_side=right_side, points=points):
            solver.solve(right_side)
            solver.change(points)

        peak, count = memory_of(solve_and_change)
        assert peak < 60_000  # calls take some whatever the size; a vector of the larger sheet has 115 kB
        blocks.append(count)
    assert blocks[0] == blocks[1]


def test_unused_solver_gives_zero(bodies):
    sheet = bodies["sheet"](5, 5)
    solver = TreeFactor(sheet.coordinates, sheet.pairs)
    right_side = np.ones((25, 3))
    solver.solve(right_side)
    assert not right_side.any()


def test_kernels_do_the_same_as_python(bodies, monkeypatch):
    sheet = bodies["sheet"](7, 6, fixed=[3])
    compiled = factored(sheet)
    expected = right_side_of(sheet)
    compiled.solve(expected)
    sheet.is_fixed[20] = True
    compiled.change(np.array([20]))
    for module, names in KERNELS.items():
        for name in names:
            monkeypatch.setattr(module, name, getattr(module, name).py_func)
    sheet.is_fixed[20] = False
    python = factored(sheet)
    result = right_side_of(sheet)
    python.solve(result)
    assert np.array_equal(result, expected)
    sheet.is_fixed[20] = True
    python.change(np.array([20]))
    assert np.array_equal(python.fronts.pool, compiled.fronts.pool)


def test_subtract_products_is_a_matrix_product():
    generator = np.random.default_rng(3)
    pool = generator.standard_normal((24, 4))
    expected = pool.copy()
    expected[16:24] -= pool[0:8] @ pool[0:4].T
    dense_fronts.subtract_products(0, 16, 8, pool)
    assert np.allclose(pool, expected, rtol=0.0, atol=1e-14)


def test_groups_at_once_are_what_they_are_one_by_one():
    # A front of 20 rows: two groups that are eliminated, of 20 and 16 rows, and the first two of the others.
    pool = np.random.default_rng(4).standard_normal((56, 4))
    expected, alone, packed = pool.copy(), pool.copy(), np.empty((16, 4))
    for left in (8, 24):
        dense_fronts.subtract_products(left, 36, 12, expected)
        dense_fronts.subtract_products(left + 4, 48, 8, expected)
    dense_fronts.pack_factors(8, 20, 2, True, pool, packed)
    dense_fronts.subtract_from_two(8, 20, 2, 36, 48, 12, packed, pool)
    assert np.array_equal(pool, expected)
    for first, out, count in ((8, 36, 12), (12, 48, 8)):
        dense_fronts.pack_factors(first, 20, 2, False, alone, packed)
        dense_fronts.subtract_from_one(first, 20, 2, out, count, packed, alone)
    assert np.array_equal(alone, expected)
