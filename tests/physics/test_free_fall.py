"""Free fall: gravity enters through inertia, so every integrator falls exactly alike."""

import numpy as np
import pytest

import supple
from tests.physics.bodies import BODIES, INTEGRATORS

GRAVITY = 9.81
FRAMES = 25


def fall(body, integrator, **scene):
    simulation = supple.Simulation(supple.Scene(body, **scene), integrator=integrator, substeps=4)
    start = simulation.positions(simulation.body_names[0]).copy()
    for _ in range(FRAMES):
        report = simulation.step()
    return simulation, start, FRAMES * report.substeps, simulation.frame_seconds / report.substeps


@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_free_fall_is_exact_after_n_substeps(kind, integrator):
    simulation, start, n, h = fall(BODIES[kind](), integrator)
    moved = simulation.positions(simulation.body_names[0]) - start
    rounding = 1e-12 * max(
        1.0, (n / 500) ** 2
    )  # of n velocities x / h; explicit takes 700 substeps for elements
    assert np.abs(moved[:, 1] + 0.5 * GRAVITY * h * h * n * (n + 1)).max() < rounding
    assert np.abs(moved[:, [0, 2]]).max() < 1e-12


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_throw_adds_its_velocity_to_the_fall(integrator):
    body = BODIES["sheet"]().changed(velocity=(3.0, 4.0, -2.0))
    simulation, start, n, h = fall(body, integrator)
    fallen = np.array([0.0, -0.5 * GRAVITY * h * h * n * (n + 1), 0.0])
    flown = n * h * np.array([3.0, 4.0, -2.0])
    assert np.abs(simulation.positions("cloth") - start - fallen - flown).max() < 1e-11


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_gravity_may_point_anywhere(integrator):
    simulation, start, n, h = fall(BODIES["chain"](), integrator, gravity=(1.0, 0.0, -2.0))
    expected = 0.5 * h * h * n * (n + 1) * np.array([1.0, 0.0, -2.0])
    assert np.abs(simulation.positions("chain") - start - expected).max() < 1e-12


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_drag_slows_a_throw_by_the_same_factor_every_substep(integrator):
    rate = 5.0
    body = BODIES["sheet"]().changed(velocity=(2.0, 0.0, 0.0))
    simulation, _, n, h = fall(body, integrator, gravity=(0.0, 0.0, 0.0), drag=rate)
    assert np.abs(simulation.velocities("cloth")[:, 0] - 2.0 * (1.0 + h * rate) ** -n).max() < 1e-11
    # The implicit factor is the exponential to first order in the step.
    assert (1.0 + h * rate) ** -n == pytest.approx(np.exp(-rate * n * h), rel=rate * rate * n * h * h)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_drag_leads_a_fall_to_its_terminal_speed(integrator):
    rate = 40.0
    simulation, _, n, h = fall(BODIES["sheet"](), integrator, drag=rate)
    speed = GRAVITY / rate * (1.0 - (1.0 + h * rate) ** -n)
    assert np.abs(simulation.velocities("cloth")[:, 1] + speed).max() < 1e-11
    assert speed == pytest.approx(GRAVITY / rate, rel=1e-6)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_points_without_springs_fall_alone(integrator):
    network = supple.Network(points=[[0.0, 0.0], [1.0, 0.0]], springs=[], stiffness=0.0, mass=(1e-3, 5.0))
    simulation, start, n, h = fall(network, integrator)
    moved = simulation.positions("network") - start
    assert np.abs(moved[:, 1] + 0.5 * GRAVITY * h * h * n * (n + 1)).max() < 1e-12
