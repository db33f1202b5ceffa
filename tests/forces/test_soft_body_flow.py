"""Wind and water on soft bodies: on the faces they turn to the stream, and on the volume they displace."""

from __future__ import annotations

import numpy as np
import pytest

import supple


def foam(density: float, size=(0.1, 0.1, 0.1), cell=0.05, **options) -> supple.SoftBody:
    material = supple.SoftMaterial(young=2.0e4, poisson=0.3, density=density, damping=20.0)
    return supple.SoftBody.box(size, cell, material=material, **options)


def after(seconds: float, *items, **options) -> supple.Simulation:
    settings = {name: options.pop(name) for name in ("substeps",) if name in options}
    simulation = supple.Simulation(supple.Scene(*items, **options), **settings)
    for report in simulation.run(seconds):
        assert report.is_finite
    return simulation


@pytest.mark.parametrize("levels", [1, 2])
def test_a_cube_that_is_held_feels_the_pressure_of_the_wind_on_one_face(levels):
    cube = foam(30.0, cell=0.05 / levels, levels=levels)
    held = cube.pinned(list(range(cube.point_count)))
    simulation = after(0.02, held, supple.Wind(velocity=(30.0, 0.0, 0.0)))
    np.testing.assert_allclose(
        simulation.air_force("soft"), (0.5 * 1.2 * 30.0**2 * 0.01, 0.0, 0.0), atol=1e-9
    )


@pytest.mark.parametrize("levels", [1, 2])
def test_a_falling_cube_ends_at_its_terminal_speed(levels):
    simulation = after(2.5, foam(30.0, cell=0.05 / levels, levels=levels), supple.Wind())
    expected = np.sqrt(2.0 * 30.0 * 0.1 * 9.81 / 1.2)  # ρ_s V g = ½ ρ A v², C_D = 1
    assert -simulation.velocities("soft")[:, 1].mean() == pytest.approx(expected, rel=0.025)
    assert np.abs(simulation.velocities("soft")[:, [0, 2]]).max() < 0.05


def test_a_gust_carries_foam_away_and_no_storm_is_too_strong():
    simulation = after(0.2, foam(30.0), supple.Wind(velocity=(1000.0, 0.0, 0.0)), gravity=(0.0, 0.0, 0.0))
    speed = simulation.velocities("soft")[:, 0]
    assert 10.0 < speed.mean() < 1000.0 and speed.max() <= 1000.0


@pytest.mark.parametrize(("density", "levels"), [(300.0, 1), (300.0, 2), (700.0, 1)])
def test_a_block_floats_as_deep_as_archimedes_says(density, levels):
    block = foam(density, (0.2, 0.1, 0.2), 0.05 / levels, levels=levels, at=(0.0, 0.05 - 1e-4 * density, 0.0))
    simulation = after(2.0, block, supple.Water(level=0.0), drag=3.0)
    bottom = np.sort(simulation.positions("soft")[:, 1])[:10].mean()
    assert -bottom == pytest.approx(0.1 * density / 1000.0, abs=0.003)


@pytest.mark.parametrize(("substeps", "accuracy"), [(10, 0.05), (40, 0.01)])
def test_a_heavy_block_sinks_at_its_terminal_speed_the_better_the_shorter_the_step(substeps, accuracy):
    block = foam(1500.0, (0.2, 0.1, 0.2), at=(0.0, -0.2, 0.0))
    simulation = after(1.5, block, supple.Water(level=0.0), substeps=substeps)
    expected = np.sqrt(2.0 * 500.0 * 0.1 * 9.81 / (1000.0 * 1.2))
    assert -simulation.velocities("soft")[:, 1].mean() == pytest.approx(expected, rel=accuracy)


def test_a_river_takes_a_floating_block_along():
    block = foam(300.0, (0.2, 0.1, 0.2), at=(0.0, 0.02, 0.0))
    simulation = after(3.0, block, supple.Water(level=0.0, current=(0.5, 0.0, 0.0)))
    assert 0.25 < simulation.velocities("soft")[:, 0].mean() < 0.5


def test_both_halves_of_a_block_that_is_cut_float():
    block = foam(300.0, (0.2, 0.1, 0.2), at=(0.0, 0.02, 0.0))
    simulation = supple.Simulation(supple.Scene(block, supple.Water(level=0.0), drag=2.0))
    simulation.cut("soft", plane=((0.01, 0.0, 0.0), (1.0, 0.0, 0.0)))
    for _ in simulation.run(1.0):
        pass
    assert len(simulation.body_names) == 2
    for name in simulation.body_names:
        assert -0.1 < simulation.positions(name)[:, 1].min() < 0.0
        assert simulation.air_force(name)[1] > 0.0
