"""The Newton system of `descent` against dense matrices and converged solutions."""

import numpy as np
import pytest

import supple
from supple.forces.membrane import membrane_energy
from supple.forces.plates import plate_energy
from supple.integrate.descent.aggregates import add_neighbour_groups, assemble_levels, pass_residual_on
from supple.integrate.descent.newton_solve import linearise, solve_newton
from tests.physics.bodies import irregular_mesh


def prepared(kind="grid", **material):
    """Return a descent integrator whose system is linearised at a crumpled sheet, held at one corner."""
    fabric = supple.Material(
        area_density=0.15, stretch_stiffness=500.0, shear_stiffness=100.0, bending_stiffness=1e-3, **material
    )
    if kind == "grid":
        cloth = supple.Cloth.rectangle(width=1.0, height=1.0, columns=9, rows=9, material=fabric)
    else:
        membrane = "springs" if kind == "mesh" else "elements"
        cloth = supple.Cloth.from_mesh(*irregular_mesh(points=9), material=fabric, membrane=membrane)
    simulation = supple.Simulation(supple.Scene(cloth.pinned(0)), integrator="descent")
    simulation.step()
    particles = simulation.engine.world.particles
    particles.positions += 0.02 * np.random.default_rng(1).standard_normal(particles.positions.shape)
    simulation.step()
    integrator = simulation.engine.integrator
    linearise(integrator.newton)
    assemble_levels(integrator.points, integrator.system, integrator.hierarchy)
    return integrator


def dense(integrator):
    """Return the matrix of all free coordinates, and which these are."""
    system, order = integrator.system, integrator.order
    count = order.slot_count
    matrix = np.zeros((count, 3, count, 3))
    at = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
    for n, (r, c) in enumerate(at):
        for a, b in {(r, c), (c, r)}:
            matrix[np.arange(count), a, np.arange(count), b] = system.diagonals[n * count : (n + 1) * count]
    for rows, is_block in ((integrator.springs, True), (integrator.bending, False)):
        widths = np.diff(rows.firsts)
        packs = np.repeat(np.arange(len(widths)), widths)
        slots = (8 * packs[:, None] + np.arange(8)).ravel()
        others = rows.columns
        real = slots != others
        for n, (r, c) in enumerate(at):
            if is_block:
                values = -system.blocks.reshape(-1, 6, 8)[:, n].ravel()
            elif r == c:
                values = system.bending
            else:
                continue
            for a, b in {(r, c), (c, r)}:
                np.add.at(matrix, (slots[real], a, others[real], b), values[real])
    rows = system.elements
    packs = np.repeat(np.arange(len(rows.middles)), np.diff(rows.firsts))
    slots, real = (8 * packs[:, None] + np.arange(8)).ravel(), np.arange(len(rows.columns))
    real = real[slots != rows.columns]
    blocks = rows.blocks.reshape(-1, 3, 3, 8).transpose(0, 3, 1, 2).reshape(-1, 3, 3)
    for a in range(3):
        for b in range(3):
            np.add.at(matrix, (slots[real], a, rows.columns[real], b), -blocks[real, a, b])
    free = np.flatnonzero(integrator.points.freedom > 0.0)
    return matrix[np.ix_(free, range(3), free, range(3))].reshape(3 * len(free), -1), free


def packed(vector, free):
    return vector.reshape(-1, 4)[free, :3].ravel().astype(np.float64)


@pytest.mark.parametrize("kind", ["grid", "mesh", "elements"])
def test_the_matrix_is_symmetric_and_positive_definite(kind):
    matrix, _ = dense(prepared(kind))
    np.testing.assert_allclose(matrix, matrix.T, rtol=1e-5, atol=1e-2)
    assert np.linalg.eigvalsh(0.5 * (matrix + matrix.T)).min() > 0.0


@pytest.mark.parametrize("kind", ["grid", "mesh", "elements"])
def test_a_cycle_knows_its_own_product_with_the_matrix(kind):
    integrator = prepared(kind)
    matrix, free = dense(integrator)
    solve_newton(integrator.newton, (integrator.no_couplings,) * 2, 1)
    z, hz = packed(integrator.vectors.z, free), packed(integrator.vectors.hz, free)
    np.testing.assert_allclose(hz, matrix @ z, atol=2e-5 * np.abs(hz).max())


@pytest.mark.parametrize("kind", ["grid", "mesh", "elements"])
def test_conjugate_gradients_reach_the_solution(kind):
    integrator = prepared(kind)
    matrix, free = dense(integrator)
    right_side = packed(integrator.system.residual, free).copy()
    expected = np.linalg.solve(matrix, right_side)
    norm = expected @ matrix @ expected
    errors = []
    for iterations in (1, 3, 12):
        linearise(integrator.newton)
        solve_newton(integrator.newton, (integrator.no_couplings,) * 2, iterations)
        left = packed(integrator.vectors.solution, free) - expected
        errors.append(np.sqrt(left @ matrix @ left / norm))
    assert errors[0] < 0.2
    assert errors[1] < 0.03
    assert errors[2] < 1e-3


@pytest.mark.parametrize("kind", ["grid", "elements"])
def test_the_residual_is_minus_the_slope_of_the_energy(kind):
    integrator = prepared(kind)
    world, slots = integrator.world, integrator.order.slots
    guess = integrator.points.guess.copy()

    def energy(points):
        positions = points.reshape(-1, 4)[slots, :3]
        targets = integrator.points.targets.reshape(-1, 4)[slots, :3]
        springs, bends = world.springs, world.bends
        inertia = 0.5 * integrator.points.inertia[slots] @ ((positions - targets) ** 2).sum(axis=1)
        ends = springs.ends.astype(int)
        lengths = np.linalg.norm(positions[ends[:, 0]] - positions[ends[:, 1]], axis=1)
        bent = (bends.weights[:, :, None] * positions[bends.points.astype(int)]).sum(axis=1)
        stored = 0.5 * springs.stiffness @ (lengths - springs.rest_lengths) ** 2
        stored += membrane_energy(positions, world.membrane.arrays)
        stored += plate_energy(positions, world.membrane.plates)
        return inertia + stored + 0.5 * bends.stiffness @ (bent**2).sum(axis=1)

    for point in (5, 23, 60):
        for axis in range(3):
            at = 4 * slots[point] + axis
            around = []
            for away in (-1e-6, 1e-6):
                moved = guess.copy()
                moved[at] += away
                around.append(energy(moved))
            slope = (around[1] - around[0]) / 2e-6
            assert -integrator.system.residual[at] == pytest.approx(slope, rel=1e-4, abs=1e-4)


def test_the_levels_are_the_sum_of_the_blocks_of_elements():
    integrator = prepared("elements")
    matrix, free = dense(integrator)
    h = integrator.hierarchy
    for level in range(len(h.node_firsts) - 1):
        first, end = h.node_firsts[level], h.node_firsts[level + 1]
        groups = h.group_of[free]
        for _ in range(level):
            groups = h.parents[groups]
        spread = np.zeros((3 * len(free), 3 * (end - first)))
        for n, group in enumerate(groups):
            for axis in range(3):
                spread[3 * n + axis, 3 * (group - first) + axis] = 1.0
        expected = spread.T @ matrix @ spread
        found = np.zeros_like(expected)
        h.corrections[:] = 0.0
        for node in range(first, end):
            for axis in range(3):
                h.corrections[node, axis] = 1.0
                column = 3 * (node - first) + axis
                for other in range(first, end):
                    found[3 * (other - first) : 3 * (other - first) + 3, column] = -np.array(
                        add_neighbour_groups.py_func(
                            h, other, h.row_firsts[other], h.row_firsts[other + 1], (0.0, 0.0, 0.0)
                        )
                    )
                h.corrections[node, axis] = 0.0
            own = [[0, 1, 2], [1, 3, 4], [2, 4, 5]]
            at = slice(3 * (node - first), 3 * (node - first) + 3)
            found[at, at] += h.diagonals[node][own]
        np.testing.assert_allclose(found, expected, atol=1e-4 * np.abs(expected).max())


def test_residuals_are_passed_on_between_coarse_levels():
    """Only sheets of some thousand points have three levels."""
    cloth = supple.Cloth.rectangle(width=1.0, height=1.0, columns=84, rows=84)
    simulation = supple.Simulation(supple.Scene(cloth), integrator="descent", substeps=1)
    simulation.step()
    h = simulation.engine.integrator.hierarchy
    assert len(h.node_firsts) == 4
    h.corrections[:] = np.random.default_rng(2).standard_normal(h.corrections.shape)
    found = []
    for way in (pass_residual_on, pass_residual_on.py_func):
        h.residuals[:] = 0.0
        for i in range(h.node_firsts[1], h.node_firsts[2]):
            way(h, i)
        found.append(h.residuals.copy())
    np.testing.assert_allclose(found[0], found[1], rtol=1e-12)
    assert np.abs(found[0][h.node_firsts[2] :]).min() > 0.0
    assert not found[0][: h.node_firsts[2]].any()
