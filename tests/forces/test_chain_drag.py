"""What air and water do to chains."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import supple
from supple.forces.chain_drag import ROD_DRAG, ROD_SKIN, Rod, rod_impulse
from tests.forces.airborne import DENSITY, compiled_agrees


def held_rod(angle, points=5):
    """Return a rod of 2 m, 2 cm thick, held everywhere in a wind of 10 m/s along x, turned by `angle` from upright."""
    rod = supple.Chain(length=2.0, points=points, diameter=0.02, rotation=(0.0, 0.0, angle))
    scene = supple.Scene(rod.pinned(list(range(points))), supple.Wind(velocity=(10.0, 0.0, 0.0)))
    simulation = supple.Simulation(scene, substeps=1)
    simulation.step()
    return simulation.air_force("chain")


@pytest.mark.parametrize("angle", np.radians([0.0, 20.0, 45.0, 70.0, 90.0]))
def test_a_rod_feels_what_flows_across_it_and_a_little_of_what_flows_along(angle):
    axis = np.array([math.sin(angle), -math.cos(angle), 0.0])
    along = 10.0 * math.sin(angle)
    across = np.array([10.0, 0.0, 0.0]) - along * axis
    push = 0.5 * DENSITY * ROD_DRAG * 0.02 * 2.0 * np.linalg.norm(across) * across
    rub = 0.5 * DENSITY * ROD_SKIN * math.pi * 0.02 * 2.0 * abs(along) * along * axis
    np.testing.assert_allclose(held_rod(angle), push + rub, atol=1e-9)


def test_the_force_on_a_rod_does_not_depend_on_the_number_of_links():
    np.testing.assert_allclose(held_rod(0.5, points=3), held_rod(0.5, points=41), rtol=1e-9)


@pytest.mark.parametrize("integrator", ["explicit", "filter", "implicit", "jacobi", "xpbd"])
def test_a_rope_in_the_wind_hangs_at_the_angle_at_which_drag_and_weight_balance(integrator):
    rope = supple.Chain(length=2.0, points=12, linear_density=0.05, damping=0.5, rotation_deg=(0, 0, 15))
    scene = supple.Scene(rope.pinned("start"), supple.Wind(velocity=(5.0, 0.0, 0.0)), drag=0.5)
    simulation = supple.Simulation(scene, integrator=integrator)
    for _ in simulation.run(4.0):
        pass
    start, *_, end = simulation.positions("chain")
    angle = math.atan2(end[0] - start[0], start[1] - end[1])
    push, weight = 0.5 * DENSITY * ROD_DRAG * 0.01 * 25.0, 0.05 * 9.81
    # Across the rope: push cos² a = weight sin a.
    expected = math.asin((math.sqrt(weight**2 + 4.0 * push**2) - weight) / (2.0 * push))
    assert angle == pytest.approx(expected, abs=math.radians(1.5))
    assert np.abs(simulation.velocities("chain")).max() < 0.15


@given(
    mass=st.floats(1e-6, 1e2),
    speed=st.floats(1e-3, 1e4),
    step=st.floats(1e-5, 1.0),
    density=st.floats(0.1, 1e4),
    added=st.floats(0.0, 1e3),
    seed=st.integers(0, 1000),
)
@settings(max_examples=200, deadline=None)
def test_no_fluid_reverses_the_motion_of_a_rod_or_speeds_it_up(mass, speed, step, density, added, seed):
    random = np.random.default_rng(seed)
    axis = random.standard_normal(3)
    axis /= np.linalg.norm(axis)
    w = speed * random.standard_normal(3)  # the rod coasts through fluid at rest
    rod = Rod(tuple(axis), length=0.1, diameter=0.01, mass=mass, free_share=1.0, step=step)
    after = w - np.array(rod_impulse(rod, tuple(w), tuple(w), density, added)) / mass
    assert w @ after >= -1e-9 * speed**2
    assert np.linalg.norm(after) <= np.linalg.norm(w) * (1.0 + 1e-9)


def test_a_rod_gives_in_python_what_it_gives_compiled():
    rod = Rod((0.6, 0.0, 0.8), length=0.1, diameter=0.01, mass=0.01, free_share=0.5, step=0.002)
    w, lagged = (3.0, 1.0, -2.0), (3.1, 1.0, -2.0)
    compiled_agrees(rod_impulse, rod, w, lagged, 1.2, 0.0)
    compiled_agrees(rod_impulse, rod._replace(free_share=1.0), w, lagged, 1000.0, 0.02)
