"""State set from outside: positions, velocities and forces, checked before they act."""

import numpy as np
import pytest

import supple
from supple.forces.pushes import add_pushes
from tests.physics.bodies import INTEGRATORS, NO_GRAVITY, chain, sheet


def test_positions_and_velocities_are_where_they_were_put():
    simulation = supple.Simulation(supple.Scene(sheet()))
    places = simulation.positions("cloth") + np.array((0.0, 2.0, 0.0))
    simulation.set("cloth", positions=places, velocities=np.full((36, 3), 0.5))
    np.testing.assert_array_equal(simulation.positions("cloth"), places)
    simulation.step()
    np.testing.assert_allclose(simulation.positions("cloth")[:, 0], places[:, 0] + 0.5 * 0.02, atol=1e-9)


def test_velocities_stay_unless_they_are_given_and_parameters_may_be_set_along():
    simulation = supple.Simulation(supple.Scene(sheet().changed(velocity=(1.0, 0.0, 0.0))))
    simulation.set("cloth", positions=simulation.positions("cloth") + 1.0, density=0.5)
    np.testing.assert_array_equal(simulation.velocities("cloth")[:, 0], 1.0)
    assert simulation.masses("cloth").sum() == pytest.approx(0.5)


def test_a_state_that_was_set_goes_on_as_one_that_came_about():
    """Set at rest in another place, the cloth moves as it did here."""
    scene = supple.Scene(sheet().pinned("top-left"))
    here, there = supple.Simulation(scene), supple.Simulation(scene)
    offset = np.array((4.0, 0.0, 2.0))  # powers of two: sums round alike
    there.set("cloth", positions=there.positions("cloth") + offset)
    for _ in range(5):
        here.step()
        there.step()
    np.testing.assert_allclose(there.positions("cloth") - offset, here.positions("cloth"), atol=1e-9)


@pytest.mark.parametrize("levels", [1, 2])
def test_a_soft_body_may_be_put_upside_down_without_a_start(levels):
    """Rotations of elements are found at once: a body at rest elsewhere is at rest."""
    body = supple.SoftBody.box(size=(0.3, 0.1, 0.1), cell=0.05, levels=levels, name="bar")
    simulation = supple.Simulation(supple.Scene(body, gravity=NO_GRAVITY))
    turned = simulation.positions("bar") @ np.diag([-1.0, -1.0, 1.0]) + (0.0, 1.0, 0.0)
    simulation.set("bar", positions=turned)
    for report in simulation.run(0.2):
        assert report.kinetic_energy < 1e-12
    np.testing.assert_allclose(simulation.positions("bar"), turned, atol=1e-6)


def test_cloth_put_beyond_an_obstacle_does_not_come_back():
    simulation = supple.Simulation(
        supple.Scene(sheet(), supple.Box(size=(3.0, 3.0, 0.1), at=(0.0, 0.0, -0.5)), gravity=NO_GRAVITY)
    )
    simulation.step()
    simulation.set("cloth", positions=simulation.positions("cloth") - (0.0, 0.0, 1.0))
    simulation.step()
    assert simulation.positions("cloth")[:, 2].max() < -0.9


def test_exact_contact_refuses_positions_that_are_intersected_and_keeps_the_old():
    cloth = sheet().changed(self_contact="exact", thickness=0.01)
    simulation = supple.Simulation(supple.Scene(cloth, cloth.changed(at=(0.0, 0.0, 0.5), name="other")))
    before = simulation.positions("cloth").copy()
    crossed = before[:, [2, 1, 0]] + (0.03, 0.02, 0.5)  # edge-on, through the other sheet
    with pytest.raises(supple.SuppleError, match="passes through"):
        simulation.set("cloth", positions=crossed)
    np.testing.assert_array_equal(simulation.positions("cloth"), before)
    simulation.step()


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"positions": np.zeros((3, 3))}, r"\(36, 3\)"),
        ({"positions": "here"}, "array"),
        ({"positions": np.full((36, 3), np.nan)}, "vertex 0"),
        ({"velocities": np.full((36, 3), 1e9)}, "vertex 0"),
        ({"velocities": np.zeros((36, 3)), "stiffnes": 3.0}, "stiffnes"),
    ],
)
def test_what_cannot_be_set_is_refused_with_a_reason(values, words):
    simulation = supple.Simulation(supple.Scene(sheet()))
    before = simulation.positions("cloth").copy()
    with pytest.raises(supple.SuppleError, match=words):
        simulation.set("cloth", **values)
    np.testing.assert_array_equal(simulation.positions("cloth"), before)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_push_gives_its_momentum_in_one_frame_and_ends(integrator):
    simulation = supple.Simulation(
        supple.Scene(sheet(), gravity=NO_GRAVITY), integrator=integrator, substeps=4
    )
    simulation.push("cloth", 7, (0.3, 0.0, 0.0))
    simulation.push("cloth", 7, (0.0, 0.0, -0.1))
    np.testing.assert_allclose(
        simulation.step().linear_momentum, np.array((0.3, 0.0, -0.1)) * 0.02, atol=1e-9
    )
    np.testing.assert_allclose(
        simulation.step().linear_momentum, np.array((0.3, 0.0, -0.1)) * 0.02, atol=1e-9
    )


def test_forces_on_all_points_carry_a_body_against_gravity():
    simulation = supple.Simulation(supple.Scene(chain(), supple.SoftBody.box(size=(0.2, 0.2, 0.2), cell=0.1)))
    start = {name: simulation.positions(name).copy() for name in simulation.body_names}
    for _ in range(10):
        for name in simulation.body_names:
            simulation.push(name, forces=simulation.masses(name)[:, None] * (0.0, 9.81, 0.0))
        simulation.step()
    for name, places in start.items():
        np.testing.assert_allclose(simulation.positions(name), places, atol=1e-6)


def test_held_points_feel_no_push_and_waiting_pushes_are_part_of_the_state(tmp_path):
    simulation = supple.Simulation(supple.Scene(sheet().pinned("top-left")))
    simulation.push("cloth", forces=np.tile((0.0, 0.0, 0.02), (36, 1)))
    moment = simulation.snapshot()
    simulation.save(tmp_path / "pushed.state")
    simulation.step()
    moved = simulation.positions("cloth").copy()
    assert (moved[1:, 2] > 0.0).all() and moved[0, 2] == 0.0
    simulation.step()
    simulation.restore(moment)
    simulation.step()
    np.testing.assert_array_equal(simulation.positions("cloth"), moved)
    loaded = supple.Simulation.load(tmp_path / "pushed.state")
    loaded.step()
    np.testing.assert_array_equal(loaded.positions("cloth"), moved)


def test_pushes_that_make_no_sense_are_refused():
    body = supple.SoftBody.box(size=(0.4, 0.1, 0.1), cell=0.05, levels=2, name="bar")
    simulation = supple.Simulation(supple.Scene(sheet(), body.changed(at=(0.0, 2.0, 0.0))))
    for arguments in (
        {},
        {"vertex": 3},
        {"force": (0, 0, 1)},
        {"vertex": 3, "force": (0, 0, 1), "forces": np.zeros((36, 3))},
    ):
        with pytest.raises(supple.SuppleError, match="`push` needs"):
            simulation.push("cloth", **arguments)
    with pytest.raises(supple.SuppleError, match="`vertex` is 36"):
        simulation.push("cloth", 36, (0, 0, 1))
    with pytest.raises(supple.SuppleError, match="levels of detail"):
        simulation.push("bar", 0, (0, 0, 1))


def test_pushes_compiled_and_in_python_agree():
    random = np.random.default_rng(0)
    points, forces = np.array([2, 0, 2]), random.normal(size=(3, 3))
    masses, is_fixed = random.uniform(1.0, 2.0, 4), np.array([True, False, False, False])
    both = [np.zeros((4, 3)), np.zeros((4, 3))]
    add_pushes(points, forces, masses, is_fixed, 0.01, both[0])
    add_pushes.py_func(points, forces, masses, is_fixed, 0.01, both[1])
    np.testing.assert_array_equal(*both)
    np.testing.assert_allclose(both[0][2], 0.01**2 * (forces[0] + forces[2]) / masses[2])
    assert not both[0][[0, 1, 3]].any()
