import numpy as np
import pytest

import supple
from supple.constrain.compression_limit import LEAST_VOLUME, CompressionLimiter, inflate, list_compressed
from supple.constrain.volume_gradients import ElementNodes, GradientScratch
from supple.forces.soft_body_measures import SoftMeasure
from supple.model.levels.level_weights import ACTIVE
from supple.model.world import build_world
from tests.physics.soft import block, elastic_forces


def pressed(share):
    """Return the world of a cube pressed to a share of its height, its compressions measured."""
    world = build_world(supple.Scene(block(0.25)))
    world.particles.positions[:, 1] *= share
    elastic_forces(world, world.particles.positions, rounds=1)
    return world


def test_what_is_compressed_too_far_gets_its_least_volume_back():
    world = pressed(0.05)
    assert CompressionLimiter(world).apply(0.01, False) > 0
    assert SoftMeasure(world).smallest_volume() > 0.9 * LEAST_VOLUME


def test_what_is_only_pressed_is_left_alone():
    world = pressed(0.3)
    before = world.particles.positions.copy()
    assert CompressionLimiter(world).apply(0.01, False) == 0
    np.testing.assert_array_equal(world.particles.positions, before)


def test_what_is_inside_out_is_left_to_elasticity():
    world = pressed(-0.05)
    assert CompressionLimiter(world).apply(0.01, False) == 0


def test_neither_the_centre_of_mass_nor_the_angular_momentum_moves():
    world = pressed(0.05)
    particles = world.particles
    particles.positions += 0.002 * np.random.default_rng(0).standard_normal(particles.positions.shape)
    elastic_forces(world, particles.positions, rounds=1)
    before = particles.positions.copy()
    assert CompressionLimiter(world).apply(0.01, False) > 0
    moved = particles.masses[:, None] * (particles.positions - before)
    assert np.abs(moved).max() > 1e-4
    assert np.abs(moved.sum(axis=0)).max() < 1e-12
    # One pass turns nothing; later ones start from other places, so the sum is small, not nought.
    assert np.abs(np.cross(before, moved).sum(axis=0)).max() < 0.02 * np.abs(np.cross(before, moved)).sum()


def test_a_fixed_corner_stays():
    world = pressed(0.05)
    world.particles.is_fixed[:] = True
    before = world.particles.positions.copy()
    CompressionLimiter(world).apply(0.01, False)
    np.testing.assert_array_equal(world.particles.positions, before)


@pytest.mark.parametrize("way", ["compiled", "python"])
def test_kernels_give_in_python_what_they_give_compiled(way):
    world = pressed(0.05)
    elements, particles = world.tetrahedra, world.particles
    count = particles.count
    listed = np.zeros(elements.count, dtype=np.int64)
    version = (lambda function: function) if way == "compiled" else (lambda function: function.py_func)
    used, inside_out = np.arange(elements.count), elements.inside_out
    listed_count = version(list_compressed)(
        used, elements.compressions, inside_out, 0, elements.count, False, listed
    )
    assert listed_count == elements.count
    mesh = ElementNodes(
        elements.corners, elements.volumes, particles.masses, particles.is_fixed,
        np.full(count, ACTIVE, dtype=np.int8), np.zeros((count, 4), dtype=np.int64), np.zeros((count, 4)),
    )  # fmt: skip
    room = GradientScratch(
        np.zeros(4, dtype=np.int64), np.zeros(4), np.zeros(16, dtype=np.int64), np.zeros((16, 3))
    )
    moved_at = np.full(count, -1, dtype=np.int64)
    moved = version(inflate)(listed[:listed_count], 0, 0, mesh, room, moved_at, particles.positions)
    assert moved > 0
    assert particles.positions[:, 1].max() > 0.25 * 0.05
