"""What an edit has taken of the motion of particles is given back to them."""

from __future__ import annotations

import numpy as np
import pytest

from supple.edit.world.transfer_motion import momentum_of, principal_axes, restore_momentum
from supple.model.particles import Particles


def scattered(count: int, dimensions: int = 3) -> Particles:
    """Return particles in space, in a plane or on a line, with random masses and velocities."""
    random = np.random.default_rng(count + dimensions)
    positions = random.normal(size=(count, 3)) @ np.diag([1.0] * dimensions + [0.0] * (3 - dimensions))
    turned, _ = np.linalg.qr(random.normal(size=(3, 3)))
    return Particles(
        positions=positions @ turned,
        velocities=random.normal(size=(count, 3)),
        masses=0.1 + random.random(count),
        rest_positions=positions,
    )


@pytest.mark.parametrize("dimensions", [3, 2])
@pytest.mark.parametrize("held", [(), (0, 4)])
def test_particles_get_back_the_momentum_and_the_angular_momentum_they_had(dimensions, held):
    particles = scattered(12, dimensions)
    particles.is_fixed[list(held)] = True
    points, kept = np.arange(1, 11), particles.velocities.copy()
    had = momentum_of(particles, points)
    particles.velocities[points] += np.random.default_rng(1).normal(size=(10, 3))
    disturbed = particles.velocities.copy()
    restore_momentum(particles, points, had)
    np.testing.assert_allclose(momentum_of(particles, points), had, atol=1e-12)
    for outside in (0, 11):
        np.testing.assert_array_equal(particles.velocities[outside], kept[outside])
    for point in set(held) & set(points.tolist()):
        np.testing.assert_array_equal(particles.velocities[point], disturbed[point])


@pytest.mark.parametrize("count", [1, 2, 6])
def test_particles_on_a_line_are_not_turned_about_it(count):
    particles = scattered(count, dimensions=1)
    points = np.arange(count)
    had = momentum_of(particles, points)
    particles.velocities += 0.1
    restore_momentum(particles, points, had)
    assert np.isfinite(particles.velocities).all()
    np.testing.assert_allclose(momentum_of(particles, points)[:3], had[:3], atol=1e-12)


def test_held_particles_are_left_alone():
    particles = scattered(4)
    particles.is_fixed[:] = True
    before = particles.velocities.copy()
    restore_momentum(particles, np.arange(4), np.ones(6))
    np.testing.assert_array_equal(particles.velocities, before)


@pytest.mark.parametrize("spread", [(3.0, 2.0, 1.0), (1.0, 1.0, 1e-9), (2.0, 0.0, 0.0), (0.0, 0.0, 0.0)])
def test_principal_axes_are_those_of_the_matrix(spread):
    turned, _ = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))
    matrix = turned @ np.diag(spread) @ turned.T
    matrix = 0.5 * (matrix + matrix.T)
    moments, axes = matrix.copy(), np.empty((3, 3))
    principal_axes(moments, axes)
    np.testing.assert_allclose(axes.T @ axes, np.eye(3), atol=1e-14)
    np.testing.assert_allclose(axes @ np.diag(np.diag(moments)) @ axes.T, matrix, atol=1e-14)
    np.testing.assert_allclose(np.sort(np.diag(moments)), np.sort(spread), atol=1e-14)
    same, same_axes = matrix.copy(), np.empty((3, 3))
    principal_axes.py_func(same, same_axes)
    np.testing.assert_allclose(same_axes, axes, atol=1e-14)
