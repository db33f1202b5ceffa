"""Dampers of bodies and of single points."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.forces.point_drag import slow_particles


def free_points(drag, count=3):
    points = np.zeros((count, 3))
    points[:, 0] = np.arange(count)
    masses = np.linspace(0.1, 0.4, count)
    return supple.Network(points=points, springs=[], stiffness=1.0, mass=masses, drag=drag)


def test_every_point_falls_at_its_own_terminal_speed():
    simulation = supple.Simulation(supple.Scene(free_points([5.0, 10.0, 20.0])))
    for _ in simulation.run(6.0):
        pass
    np.testing.assert_allclose(
        -simulation.velocities("network")[:, 1], 9.81 / np.array([5.0, 10.0, 20.0]), rtol=1e-9
    )


def test_dampers_add_to_the_drag_of_the_scene():
    simulation = supple.Simulation(supple.Scene(free_points(4.0), drag=6.0))
    for _ in simulation.run(3.0):
        pass
    np.testing.assert_allclose(-simulation.velocities("network")[:, 1], 0.981, rtol=0.02)


def sheet(**options):
    return supple.Cloth.rectangle(width=0.5, height=0.5, columns=8, rows=8, plane="xz", **options)


@pytest.mark.parametrize("integrator", ["explicit", "filter", "descent"])
def test_what_hangs_hangs_as_without_dampers(integrator):
    material = supple.Material(
        area_density=0.2, stretch_stiffness=30.0, shear_stiffness=10.0, bending_stiffness=1e-3
    )  # too stiff to buckle
    rest = []
    for drag in (6.0, 12.0):
        hung = supple.Cloth.rectangle(width=0.5, height=0.5, columns=8, rows=8, material=material, drag=drag)
        simulation = supple.Simulation(
            supple.Scene(hung.pinned("top-left", "top-right")), integrator=integrator
        )
        for _ in simulation.run(4.0):
            pass
        rest.append(simulation.positions("cloth").copy())
    assert rest[0][:, 1].min() == pytest.approx(-0.273159, abs=2e-6), "as far as any integrator says"
    np.testing.assert_allclose(rest[0], rest[1], atol=2e-6)


def test_one_body_is_damped_and_its_neighbour_is_not():
    first, second = sheet(name="first", drag=30.0), sheet(name="second", at=(1.0, 0.0, 0.0))
    simulation = supple.Simulation(supple.Scene(first, second))
    for _ in simulation.run(1.0):
        pass
    assert simulation.velocities("second")[:, 1].mean() == pytest.approx(-9.81, rel=1e-9)
    assert simulation.velocities("first")[:, 1].mean() == pytest.approx(-9.81 / 30.0, rel=1e-6)


def test_a_piece_that_is_cut_off_keeps_the_dampers_of_its_points():
    drag = np.where(sheet().local_points()[:, 0] < 0.0, 40.0, 0.0)
    simulation = supple.Simulation(supple.Scene(sheet(drag=drag), gravity=(0.0, -1.0, 0.0)))
    simulation.cut("cloth", plane=((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)))
    assert len(simulation.body_names) == 2
    for _ in simulation.run(1.0):
        pass
    heights = {
        bool(simulation.positions(name)[:, 0].mean() < 0.0): simulation.positions(name)[:, 1].mean()
        for name in simulation.body_names
    }
    assert -0.1 < heights[True] < 0.0
    assert heights[False] == pytest.approx(-0.5, rel=0.02)


def test_soft_bodies_with_levels_are_damped_too():
    jelly = supple.SoftBody.box((0.2, 0.2, 0.2), 0.05, material="jelly", levels=2, drag=10.0)
    simulation = supple.Simulation(supple.Scene(jelly))
    for _ in simulation.run(1.0):
        pass
    assert simulation.velocities("soft")[:, 1].mean() == pytest.approx(-0.981, rel=0.02)


def test_no_rate_is_too_high():
    simulation = supple.Simulation(supple.Scene(free_points(1.0e6)))
    for report in simulation.run(0.2):
        assert report.is_finite
    assert np.abs(simulation.velocities("network")).max() < 0.1


def test_a_list_of_the_wrong_length_or_sign_is_refused():
    with pytest.raises(supple.SceneError, match="holds 2 numbers, but the body has 3 points"):
        free_points([1.0, 2.0])
    with pytest.raises(supple.SceneError, match="drag"):
        free_points(-1.0)


def test_the_kernel_gives_in_python_what_it_gives_compiled():
    rates, is_fixed = np.array([0.0, 10.0, 1000.0, 50.0]), np.array([False, False, False, True])
    velocities = np.arange(1.0, 13.0).reshape(4, 3)
    compiled, plain = 0.01 * velocities, 0.01 * velocities
    slow_particles(rates, is_fixed, velocities, 0.01, 0.01, compiled)
    slow_particles.py_func(rates, is_fixed, velocities, 0.01, 0.01, plain)
    np.testing.assert_array_equal(compiled, plain)
    shares = compiled / (0.01 * velocities)
    np.testing.assert_allclose(shares, np.array([[1.0], [0.9], [0.025], [1.0]]) * np.ones(3))
