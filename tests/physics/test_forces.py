"""Forces against the slope of their energy, and the one matrix that bounds its curvature."""

import numpy as np
import pytest

import supple
from supple.integrate.split_forces import SplitForces
from supple.model.world import build_world
from tests.physics.bodies import chain, fabric, irregular_mesh, lattice, mesh, sheet
from tests.physics.energy import (
    dense_step_matrix,
    elastic_energy,
    elastic_forces,
    slope,
    stiffness_matrix,
)

BEND = 0.3  # N·m, large enough that bending is felt beside stretch

PATCH = [
    [[0.0, 0.0, 0.0], [0.5, 0.0, 0.4], [1.0, 0.0, 0.0]],
    [[0.0, 0.5, 0.3], [0.5, 0.5, 0.9], [1.0, 0.5, 0.3]],
    [[0.0, 1.0, 0.0], [0.5, 1.0, 0.4], [1.0, 1.0, 0.0]],
]


def curved_mesh():
    vertices, triangles = irregular_mesh(points=4)
    vertices[:, 2] = 0.4 * np.cos(2.0 * vertices[:, 0]) * np.cos(1.5 * vertices[:, 1])
    return supple.Cloth.from_mesh(vertices, triangles, material=fabric(50.0, bending_stiffness=BEND))


BODIES = {
    "flat grid": lambda: sheet(50.0, points=4, bending_stiffness=BEND),
    "curved grid": lambda: supple.Cloth.bezier(
        PATCH, columns=4, rows=5, material=fabric(50.0, bending_stiffness=BEND)
    ),
    "flat mesh": lambda: mesh(50.0, bending_stiffness=BEND),
    "curved mesh": curved_mesh,
    "chain": lambda: chain(50.0, bending_stiffness=BEND),
    "lattice": lambda: lattice(50.0),
    "anchored chain": lambda: chain(50.0).anchored("start", 3, stiffness=40.0, target=(0.3, 0.2, 0.1)),
}


@pytest.fixture(params=BODIES)
def world(request):
    return build_world(supple.Scene(BODIES[request.param]()))


def shaken(world, seed, amount=0.05):
    generator = np.random.default_rng(seed)
    return world.particles.positions + amount * generator.standard_normal(world.particles.positions.shape)


@pytest.mark.parametrize("seed", range(3))
def test_force_is_minus_the_slope_of_the_energy(world, seed):
    positions = shaken(world, seed)
    forces = elastic_forces(world, positions)
    error = np.abs(forces - slope(world, positions)).max()
    assert error < 1e-7 * np.abs(forces).max()


def test_body_at_rest_has_no_energy_and_no_force(world):
    world.anchors.stiffness[:] = 0.0
    positions = world.particles.positions
    assert elastic_energy(world, positions) < 1e-24
    assert np.abs(elastic_forces(world, positions)).max() < 1e-11


def test_energy_and_force_ignore_where_a_free_body_is_and_how_it_is_turned(world):
    world.anchors.stiffness[:] = 0.0
    positions = shaken(world, 0)
    turn, _ = np.linalg.qr(np.random.default_rng(1).standard_normal((3, 3)))
    turn *= np.sign(np.linalg.det(turn))
    moved = positions @ turn.T + [0.3, -0.2, 0.5]
    assert elastic_energy(world, moved) == pytest.approx(elastic_energy(world, positions), rel=1e-11)
    forces = elastic_forces(world, positions)
    np.testing.assert_allclose(
        elastic_forces(world, moved), forces @ turn.T, atol=1e-10 * np.abs(forces).max()
    )


def test_internal_forces_neither_push_nor_turn_the_body(world):
    world.anchors.stiffness[:] = 0.0
    world.springs.damping[:] = 0.7
    generator = np.random.default_rng(2)
    positions = shaken(world, 3)
    forces = elastic_forces(world, positions, generator.standard_normal(positions.shape))
    scale = np.abs(forces).sum()
    assert np.abs(forces.sum(axis=0)).max() < 1e-14 * scale
    assert np.abs(np.cross(positions, forces).sum(axis=0)).max() < 1e-14 * scale


@pytest.mark.parametrize("seed", range(3))
def test_damping_never_gives_power(world, seed):
    world.springs.damping[:] = 0.7
    generator = np.random.default_rng(seed)
    positions, velocities = shaken(world, seed), generator.standard_normal(world.particles.positions.shape)
    damping = elastic_forces(world, positions, velocities) - elastic_forces(world, positions)
    assert np.sum(damping * velocities) < -0.1


def test_damping_leaves_rigid_motion_alone(world):
    world.springs.damping[:] = 0.7
    positions = shaken(world, 1)
    velocities = np.array([1.0, -2.0, 0.5]) + np.cross([0.7, 1.3, -2.0], positions)
    damping = elastic_forces(world, positions, velocities) - elastic_forces(world, positions)
    assert np.abs(damping).max() < 1e-12


@pytest.mark.parametrize("seed", range(2))
def test_split_force_with_its_own_directions_is_the_full_force(world, seed):
    particles, step = world.particles, 0.01
    world.springs.damping[:] = 0.7
    particles.targets[:] = shaken(world, seed)
    particles.starts[:] = shaken(world, seed + 10)
    split = SplitForces(world)
    split.prepare(step)
    split.evaluate(particles.targets, particles.targets, step)
    coasting = (particles.targets - particles.starts) / step
    full = elastic_forces(world, particles.targets, coasting)
    np.testing.assert_allclose(split.residual / step**2, full, atol=1e-11 * np.abs(full).max())


@pytest.mark.parametrize("seed", range(2))
def test_step_matrix_bounds_the_curvature_of_the_energy_from_above(world, seed):
    step = 0.1
    masses = np.diag(world.particles.masses)
    bound = np.kron((dense_step_matrix(world, step) - masses) / step**2, np.eye(3))
    curvature = stiffness_matrix(world, shaken(world, seed))
    eigenvalues = np.linalg.eigvalsh(bound - curvature)
    assert eigenvalues.min() > -1e-6 * np.abs(bound).max()


def test_step_matrix_is_the_curvature_along_a_straight_chain():
    world = build_world(supple.Scene(chain(50.0, bending_stiffness=BEND)))
    step = 0.1
    bound = (dense_step_matrix(world, step) - np.diag(world.particles.masses)) / step**2
    curvature = stiffness_matrix(world, world.particles.positions)[1::3, 1::3]
    np.testing.assert_allclose(curvature, bound, atol=1e-6 * np.abs(bound).max())


def test_step_matrix_holds_mass_stiffness_damping_and_anchors():
    pair = supple.Network(
        points=[[0.0, 0.0], [1.0, 0.0]], springs=[[0, 1]], stiffness=50.0, damping=2.0, mass=(0.1, 0.4)
    )
    world = build_world(supple.Scene(pair.anchored(1, stiffness=30.0)))
    h = 0.05
    w = h * h * 50.0 + h * 2.0
    expected = [[0.1 + w, -w], [-w, 0.4 + w + h * h * 30.0]]
    np.testing.assert_allclose(dense_step_matrix(world, h), expected, rtol=1e-14)
