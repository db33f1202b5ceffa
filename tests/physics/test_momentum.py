"""Momentum: internal forces neither push nor turn a free body, whatever the integrator."""

import numpy as np
import pytest

import supple
from tests.physics.bodies import BODIES, INTEGRATORS, NO_GRAVITY, chain, momenta, sheet, spin

SECONDS = 2.0


def free(*bodies, **settings):
    return supple.Simulation(supple.Scene(*bodies, gravity=NO_GRAVITY), **{"substeps": 2, **settings})


def run(simulation, seconds=SECONDS):
    """Run and return how far the momenta drifted, against the momenta that the parts exchange."""
    particles = simulation.engine.world.particles
    before = momenta(simulation)
    scale = float((particles.masses * np.linalg.norm(particles.velocities, axis=1)).sum())
    for _ in simulation.run(seconds):
        pass
    after = momenta(simulation)
    linear = np.linalg.norm(after[0] - before[0]) / scale
    angular = np.linalg.norm(after[1] - before[1]) / np.linalg.norm(before[1])
    return linear, angular


@pytest.mark.parametrize("stiffness", [10.0, 1e3, 1e5])
@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_body_that_spins_and_shakes_keeps_both_momenta(integrator, kind, stiffness):
    simulation = free(BODIES[kind](stiffness), integrator=integrator)
    spin(simulation, (1.0, 2.0, 3.0), shake=0.1)
    linear, angular = run(simulation)
    # `explicit` takes 18 000 substeps of 0.1 ms at 1e5 N/m; each rounds positions to 1e-16 m and with
    # them velocities to 1e-12 m/s.
    is_fine = integrator == "explicit" and stiffness == 1e5
    assert linear < (1e-11 if is_fine else 1e-12)
    assert angular < 1e-10


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("turn", [(0.0, 0.0, 4.0), (3.0, 0.0, -1.0)])
def test_points_on_a_line_keep_both_momenta_although_their_inertia_is_singular(integrator, turn):
    simulation = free(chain(), integrator=integrator)
    spin(simulation, turn, shake=0.0)
    linear, angular = run(simulation)
    assert linear < 1e-12
    assert angular < 1e-10


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_two_points_keep_both_momenta(integrator):
    pair = supple.Network(points=[[0.0, 0.0], [0.3, 0.4]], springs=[[0, 1]], stiffness=200.0, mass=(0.1, 0.7))
    simulation = free(pair, integrator=integrator)
    spin(simulation, (0.0, 1.0, 6.0), shake=0.2)
    linear, angular = run(simulation)
    assert linear < 1e-12
    assert angular < 1e-10


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_the_limiter_takes_no_momentum_away(integrator):
    simulation = free(sheet(10.0, stretch_limit=0.02), integrator=integrator)
    spin(simulation, (1.0, -2.0, 6.0), shake=0.5)
    stretch = [simulation.step().max_stretch for _ in range(5)]
    assert max(stretch) > 1.019, "the limiter has to have work"
    linear, angular = run(simulation)
    assert linear < 1e-12
    assert angular < 1e-10


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_each_of_several_bodies_keeps_its_own_momenta(integrator):
    bodies = (
        sheet(),
        chain().changed(at=(3.0, 0.0, 0.0)),
        sheet(50.0).changed(at=(0.0, 0.0, 2.0), name="soft"),
    )
    simulation = free(*bodies, integrator=integrator)
    spin(simulation, (0.5, 1.0, 1.5), shake=0.1)

    def each():
        found = []
        for name in simulation.body_names:
            linear = simulation.masses(name)[:, None] * simulation.velocities(name)
            found.append([linear.sum(axis=0), np.cross(simulation.positions(name), linear).sum(axis=0)])
        return np.array(found)

    before = each()
    for _ in simulation.run(SECONDS):
        pass
    assert np.abs(each() - before).max() < 1e-10 * np.linalg.norm(before, axis=-1).min()


def test_a_body_far_from_the_origin_keeps_its_spin():
    simulation = free(sheet().changed(at=(1000.0, -500.0, 200.0)))
    spin(simulation, (1.0, 2.0, 3.0), shake=0.0)

    def spin_about_centre():
        linear = simulation.masses("cloth")[:, None] * simulation.velocities("cloth")
        centre = np.average(simulation.positions("cloth"), axis=0, weights=simulation.masses("cloth"))
        return np.cross(simulation.positions("cloth") - centre, linear).sum(axis=0)

    before = spin_about_centre()
    for _ in simulation.run(SECONDS):
        pass
    assert np.linalg.norm(spin_about_centre() - before) < 1e-8 * np.linalg.norm(before)


# ---------------------------------------------------------------- what is lost without the correction


def lost_spin(frames, turn=5.0, stiffness=1e4, **settings):
    """Return the share of its angular momentum that a spinning sheet has lost after `frames`."""
    simulation = free(sheet(stiffness), momentum_correction=False, **settings)
    spin(simulation, (0.0, 0.0, turn), shake=0.0)
    before = momenta(simulation)[1][2]
    for _ in range(frames):
        simulation.step()
    return 1.0 - momenta(simulation)[1][2] / before


@pytest.mark.parametrize("stiffness", [10.0, 1e3, 1e5])
def test_explicit_loses_no_spin_without_the_correction(stiffness):
    assert abs(lost_spin(100, stiffness=stiffness, integrator="explicit", substeps=1)) < 1e-11


@pytest.mark.parametrize("settings", [{"substeps": 1}, {"substeps": 10}])
def test_current_predictor_loses_all_spin_in_the_first_frame_without_the_correction(settings):
    lost = lost_spin(1, integrator="filter", predictor="current", **settings)
    assert lost == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize(("substeps", "expected"), [(1, 0.42), (10, 0.087)])
@pytest.mark.parametrize(
    "settings",
    [{"integrator": "filter", "predictor": "inertial"}, {"integrator": "implicit"}, {"integrator": "xpbd"}],
    ids=["filter-inertial", "implicit", "xpbd"],
)
def test_backward_euler_loses_spin_by_a_law_without_the_correction(settings, substeps, expected):
    # A rigid ring aims along its tangent and is pulled back onto its circle: ω' = ω / (1 + ω² h²), so
    # after the time T it has lost 1 - 1 / sqrt(1 + 2 ω² h T).
    lost = lost_spin(100, substeps=substeps, **settings)
    law = 1.0 - (1.0 + 2.0 * 25.0 * 0.02 / substeps * SECONDS) ** -0.5
    assert law == pytest.approx(expected, abs=0.005)
    assert lost == pytest.approx(law, rel=0.03)


def test_accelerated_predictor_loses_less_spin_than_the_inertial_one():
    lost = {
        name: lost_spin(100, turn=3.0, integrator="filter", predictor=name, substeps=10)
        for name in ("accelerated", "inertial")
    }
    assert lost["inertial"] == pytest.approx(0.034, abs=0.002)
    assert 0.0 < lost["accelerated"] < 0.5 * lost["inertial"]


def test_jacobi_loses_the_same_spin_at_any_stiffness():
    lost = [
        lost_spin(100, integrator="jacobi", predictor="inertial", substeps=1, turn=3.0, stiffness=k)
        for k in (10.0, 1e3, 1e5)
    ]
    assert lost == pytest.approx([0.23, 0.23, 0.23], abs=0.01)


def test_linear_momentum_is_kept_without_the_angular_correction():
    for integrator in INTEGRATORS:
        simulation = free(sheet(), integrator=integrator, momentum_correction=False)
        spin(simulation, (1.0, 2.0, 3.0), shake=0.1)
        assert run(simulation, 0.5)[0] < 1e-12


# ---------------------------------------------------------------- what is not corrected


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_pinned_body_exchanges_momentum_with_its_pin(integrator):
    body = sheet(stretch_limit=None).pinned("top-left").changed(velocity=(1.0, 0.0, 0.0))
    on, off = (free(body, integrator=integrator, momentum_correction=flag) for flag in (True, False))
    for _ in range(20):
        on.step(), off.step()
    np.testing.assert_array_equal(on.positions("cloth"), off.positions("cloth"))
    assert abs(momenta(on)[0][0] / 0.15 - 1.0) > 0.05, "the pin has taken momentum away"


def test_an_anchored_body_exchanges_momentum_with_its_anchor():
    body = sheet().anchored("top-left", stiffness=100.0).changed(velocity=(1.0, 0.0, 0.0))
    simulation = free(body)
    for _ in range(20):
        simulation.step()
    assert abs(momenta(simulation)[0][0] / 0.15 - 1.0) > 0.05


def test_a_grabbed_body_is_corrected_again_once_it_is_released():
    simulation = free(sheet(), substeps=5)
    simulation.grab("cloth", 0, (-0.5, 0.5, 1.0))
    for _ in range(5):
        simulation.step()
    assert np.linalg.norm(momenta(simulation)[0]) > 0.01
    simulation.release("cloth", 0)
    linear, angular = run(simulation, 1.0)
    assert linear < 1e-12
    assert angular < 1e-10
