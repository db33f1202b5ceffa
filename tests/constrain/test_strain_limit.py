"""The over-stretch limiter: threshold, masses, pins, and its three ways to end."""

import numpy as np
import pytest

import supple
from supple.constrain import strain_limit
from supple.constrain.strain_limit import StretchLimiter, shorten_springs
from supple.model.world import build_world
from tests.physics.bodies import INTEGRATORS


def stretched(count=8, factor=1.5, limit=0.1, masses=None, pinned=()):
    """Return the world of a row of points pulled `factor` too long."""
    points = np.zeros((count, 3))
    points[:, 0] = np.arange(count)
    network = supple.Network(
        points=points, springs=[[i, i + 1] for i in range(count - 1)], stiffness=0.0,
        mass=np.ones(count) if masses is None else masses, stretch_limit=limit,
    )  # fmt: skip
    world = build_world(supple.Scene(network))
    world.particles.is_fixed[list(pinned)] = True
    world.particles.positions *= factor
    return world


def lengths(world):
    ends = world.springs.ends
    return np.linalg.norm(np.diff(world.particles.positions[ends], axis=1)[:, 0], axis=1)


@pytest.mark.parametrize("shorten", [shorten_springs, shorten_springs.py_func], ids=["compiled", "python"])
def test_one_spring_is_brought_to_its_limit_about_its_centre_of_mass(shorten):
    positions = np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]])
    ends = np.array([[0, 1]], dtype=np.uint32)
    excess = shorten(ends, np.array([1.1]), np.array([1.0, 0.25]), False, positions)
    assert excess == pytest.approx(2.0 / 1.1 - 1.0)
    np.testing.assert_allclose(positions[:, 0], [0.72, 1.82])
    assert 1.0 * positions[0, 0] + 4.0 * positions[1, 0] == pytest.approx(8.0)


@pytest.mark.parametrize("shorten", [shorten_springs, shorten_springs.py_func], ids=["compiled", "python"])
def test_springs_within_their_limit_and_between_fixed_points_are_left_alone(shorten):
    positions = np.array([[0.0, 0.0, 0.0], [1.05, 0.0, 0.0], [5.0, 0.0, 0.0]])
    before = positions.copy()
    ends = np.array([[0, 1], [1, 2]], dtype=np.uint32)
    assert shorten(ends, np.array([1.1, 1.1]), np.array([1.0, 0.0, 0.0]), True, positions) == 0.0
    np.testing.assert_array_equal(positions, before)


def test_it_ends_by_error():
    world = stretched()
    passes = StretchLimiter(world, 1000, 0.01, None).apply(1)
    assert 1 < passes < 1000
    assert lengths(world).max() < 1.1 * 1.01 * 1.02


def test_it_ends_by_count():
    world = stretched()
    assert StretchLimiter(world, 3, 1e-9, None).apply(1) == 3
    assert lengths(world).max() > 1.1


def test_it_ends_by_time_each_substep_taking_its_share(monkeypatch):
    clock = iter(np.arange(0.0, 10.0, 1e-3))  # every look at the clock takes a millisecond
    monkeypatch.setattr(strain_limit.time, "perf_counter", lambda: next(clock))
    assert StretchLimiter(stretched(), 1000, 1e-9, 20.0).apply(1) == pytest.approx(20, abs=1)
    assert StretchLimiter(stretched(), 1000, 1e-9, 20.0).apply(5) == pytest.approx(4, abs=1)


def test_no_iterations_turn_it_off():
    world = stretched()
    before = world.particles.positions.copy()
    assert StretchLimiter(world, 0, 0.01, None).apply(1) == 0
    np.testing.assert_array_equal(world.particles.positions, before)


def test_the_centre_of_mass_stays():
    masses = np.array([1.0, 5.0, 0.1, 2.0, 0.01, 3.0, 1.0, 7.0])
    world = stretched(masses=masses)
    before = masses @ world.particles.positions
    StretchLimiter(world, 50, 1e-6, None).apply(1)
    np.testing.assert_allclose(masses @ world.particles.positions, before, rtol=1e-13)


def test_pins_are_respected():
    world = stretched(pinned=(0,))
    StretchLimiter(world, 500, 1e-6, None).apply(1)
    np.testing.assert_array_equal(world.particles.positions[0], 0.0)
    assert lengths(world).max() < 1.1001


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_hanging_chain_mail_stays_within_its_limit(integrator):
    mail = supple.Cloth.rectangle(width=1.0, height=1.0, columns=8, rows=8, material="chain mail")
    simulation = supple.Simulation(
        supple.Scene(mail.pinned("top-left", "top-right")), integrator=integrator, limiter_iterations=30
    )
    stretch = [report.max_stretch for report in simulation.run(2.0)]
    assert max(stretch) < 1.02 * 1.03
    assert simulation.positions("cloth")[:, 1].min() < -0.45


def test_more_iterations_keep_the_limit_better():
    stretch = []
    for iterations in (1, 5, 40):
        mail = supple.Cloth.rectangle(width=1.0, height=1.0, columns=8, rows=8, material="chain mail")
        scene = supple.Scene(mail.pinned("top-left", "top-right"))
        simulation = supple.Simulation(scene, limiter_iterations=iterations)
        stretch.append(max(report.max_stretch for report in simulation.run(1.0)))
    assert stretch[0] > stretch[1] > stretch[2]
    assert stretch[2] < 1.035


def test_a_limit_changed_while_running_takes_effect():
    chain = supple.Chain(length=1.0, points=8, stretch_stiffness=2.0).pinned("start")
    simulation = supple.Simulation(supple.Scene(chain), limiter_iterations=200)
    for report in simulation.run(0.5):
        pass
    assert report.max_stretch > 1.3
    simulation.set("chain", stretch_limit=0.05)
    for _ in range(10):
        report = simulation.step()
    assert report.max_stretch < 1.06
