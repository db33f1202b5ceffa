"""The parts of the other integrators, on systems small enough to solve by hand."""

import numpy as np
import pytest

import supple
from supple.integrate.adaptive_substeps import LADDER, adaptive_substeps
from supple.integrate.explicit import Explicit, stiffness_rows
from supple.integrate.inertia import inertial_targets, velocities_from_positions
from supple.integrate.jacobi import StepMatrix, first_sweep, next_sweep, safe_diagonal
from supple.integrate.predictor import Predictor
from supple.integrate.xpbd import Xpbd
from supple.model.world import build_world
from tests.physics.bodies import chain, lattice, mesh, sheet
from tests.physics.energy import dense_step_matrix, stiffness_matrix

BOTH = pytest.mark.parametrize("way", ["compiled", "python"])


def version(function, way):
    return function if way == "compiled" else function.py_func


# ---------------------------------------------------------------- inertia


@BOTH
def test_a_substep_aims_where_inertia_gravity_and_drag_lead(way):
    positions, velocities = np.array([[1.0, 2.0, 3.0]]), np.array([[4.0, 5.0, 6.0]])
    starts, targets = np.zeros((1, 3)), np.zeros((1, 3))
    version(inertial_targets, way)(
        positions, velocities, np.array([0.0, -10.0, 0.0]), 5.0, 0.1, starts, targets
    )
    np.testing.assert_array_equal(starts, positions)
    np.testing.assert_allclose(targets, positions + 0.1 * np.array([[4.0, 4.0, 6.0]]) / 1.5)


@BOTH
def test_velocities_come_from_positions(way):
    starts, targets, positions = np.zeros((1, 3)), np.full((1, 3), 0.5), np.array([[1.0, 2.0, 3.0]])
    velocities, accelerations = np.zeros((1, 3)), np.zeros((1, 3))
    version(velocities_from_positions, way)(positions, starts, targets, 0.5, velocities, accelerations)
    np.testing.assert_allclose(velocities, [[2.0, 4.0, 6.0]])
    np.testing.assert_allclose(accelerations, [[2.0, 6.0, 10.0]])


# ---------------------------------------------------------------- predictors


def test_predictors_guess_the_fall_and_point_at_rest_where_springs_point():
    world = build_world(supple.Scene(sheet(points=3).pinned("top-left"), drag=2.0))
    particles, step = world.particles, 0.01
    particles.is_fixed[0] = True
    inertial_targets(
        particles.positions, particles.velocities, world.gravity, world.drag, step,
        particles.starts, particles.targets,
    )  # fmt: skip
    particles.targets[0] = particles.starts[0]
    guess, directions = Predictor("current", world).predict(step)
    assert (guess is particles.targets, directions is particles.starts) == (True, True)
    guess, directions = Predictor("inertial", world).predict(step)
    assert (guess is particles.targets, directions is particles.targets) == (True, True)
    guess, _ = Predictor("accelerated", world).predict(step)
    np.testing.assert_array_equal(guess, particles.targets)  # nothing but gravity so far: free fall
    particles.accelerations[:] = (particles.starts - particles.targets) / step**2  # at rest
    guess, directions = Predictor("accelerated", world).predict(step)
    np.testing.assert_allclose(directions, particles.starts, atol=1e-15)
    np.testing.assert_allclose(guess, 0.5 * (particles.starts + particles.targets), atol=1e-15)


# ---------------------------------------------------------------- explicit


@pytest.mark.parametrize("make", [sheet, mesh, chain, lattice])
def test_stable_step_is_below_two_over_the_highest_frequency_but_not_by_far(make):
    world = build_world(supple.Scene(make(1000.0)))
    curvature = stiffness_matrix(world, world.particles.positions)
    masses = np.repeat(world.particles.masses, 3)
    highest = np.linalg.eigvalsh(curvature / np.sqrt(np.outer(masses, masses))).max()
    ratio = Explicit(world).stable_step() / (2.0 / np.sqrt(highest))
    assert 0.4 < ratio < 0.8001  # SAFETY; on a straight chain the bound is sharp


def test_without_forces_any_step_is_stable():
    world = build_world(supple.Scene(sheet(0.0, bending_stiffness=0.0, shear_stiffness=0.0)))
    assert Explicit(world).stable_step() == np.inf


@BOTH
def test_row_sums_bound_the_matrix(way):
    world = build_world(supple.Scene(sheet(100.0, points=4, bending_stiffness=0.5)))
    rows = np.zeros(world.particles.count)
    version(stiffness_rows, way)(world.springs.arrays, world.bends.arrays, rows)
    matrix = dense_step_matrix(world, 1.0) - np.diag(world.particles.masses)
    assert (rows >= np.abs(matrix).sum(axis=1) - 1e-9).all()


# ---------------------------------------------------------------- jacobi


@BOTH
@pytest.mark.parametrize("make", [sheet, mesh, chain])
def test_sweeps_are_jacobi_iterations_with_a_diagonal_that_converges(way, make):
    world = build_world(supple.Scene(make(1000.0, bending_stiffness=0.5)))
    diagonal, values = world.step_matrix(0.02)
    c = world.couplings
    entries = values[c.pair_of_entry]
    safe = np.zeros_like(diagonal)
    version(safe_diagonal, way)(world.particles.masses, diagonal, c.row_starts, c.row_ends, entries, safe)
    matrix = dense_step_matrix(world, 0.02)
    assert (safe >= diagonal).all()
    assert np.abs(np.linalg.eigvals(np.eye(len(safe)) - matrix / safe[:, None])).max() < 1.0
    residual = np.random.default_rng(0).standard_normal((len(safe), 3))
    is_fixed = world.particles.is_fixed.copy()
    is_fixed[2] = True
    first, second = np.zeros_like(residual), np.zeros_like(residual)
    version(first_sweep, way)(safe, is_fixed, residual, first)
    expected = residual / safe[:, None]
    expected[2] = 0.0
    np.testing.assert_allclose(first, expected)
    rows = StepMatrix(diagonal, safe, c.row_starts, c.row_ends, c.columns, entries)
    version(next_sweep, way)(rows, is_fixed, residual, first, second)
    expected += (residual - matrix @ expected) / safe[:, None]
    expected[2] = 0.0
    np.testing.assert_allclose(second, expected, atol=1e-12 * np.abs(expected).max())


# ---------------------------------------------------------------- xpbd


def test_one_spring_is_solved_exactly():
    """A single constraint is a single equation: one pass is backward Euler along the spring."""
    pair = supple.Network(points=[[0.0, 0.0], [1.0, 0.0]], springs=[[0, 1]], stiffness=40.0, mass=(0.2, 0.5))
    world = build_world(supple.Scene(pair))
    particles, h = world.particles, 0.05
    particles.targets[:] = [[-0.1, 0.0, 0.0], [1.3, 0.0, 0.0]]
    scheme = Xpbd(world)
    scheme.prepare(h)
    scheme.advance(h)
    stretch = particles.positions[1, 0] - particles.positions[0, 0] - 1.0
    force = 40.0 * stretch
    np.testing.assert_allclose(
        particles.positions[:, 0], [-0.1 + h * h * force / 0.2, 1.3 - h * h * force / 0.5]
    )


def test_one_damped_spring_is_solved_exactly():
    pair = supple.Network(
        points=[[0.0, 0.0], [1.0, 0.0]], springs=[[0, 1]], stiffness=40.0, mass=0.2, damping=3.0
    )
    world = build_world(supple.Scene(pair))
    particles, h = world.particles, 0.05
    particles.targets[:] = [[0.0, 0.0, 0.0], [1.4, 0.0, 0.0]]
    scheme = Xpbd(world)
    scheme.prepare(h)
    scheme.advance(h)
    length = particles.positions[1, 0] - particles.positions[0, 0]
    force = 40.0 * (length - 1.0) + 3.0 * (length - 1.0) / h
    np.testing.assert_allclose(particles.positions[:, 0], [h * h * force / 0.2, 1.4 - h * h * force / 0.2])


def test_explicit_with_fixed_substeps_takes_what_it_is_told_and_diverges():
    scene = supple.Scene(sheet(1.0e4))
    kept = supple.Simulation(scene, integrator="explicit", substeps=2).step()
    assert kept.substeps > 2 and kept.status == "substepped"
    simulation = supple.Simulation(
        scene, integrator="explicit", substeps=2, fixed_substeps=True, limiter_iterations=0
    )
    simulation.push("cloth", 0, (0.0, 0.0, 5.0))
    reports = list(simulation.run(seconds=1.0))
    assert {report.substeps for report in reports} == {2}
    assert "diverged" in {report.status for report in reports}
    assert np.isfinite(simulation.positions("cloth")).all()


# ---------------------------------------------------------------- adaptive


def test_adaptive_substeps_climb_a_ladder():
    world = build_world(supple.Scene(sheet(100.0)))
    counts = [adaptive_substeps(world, 0.02, speed) for speed in (0.0, 1.0, 30.0, 100.0, 1e9)]
    assert set(counts) <= set(LADDER)
    assert counts == sorted(counts)
    assert counts[-1] == LADDER[-1]
    assert adaptive_substeps(build_world(supple.Scene(sheet(0.0))), 1e-5, 0.0) == 1
