"""Snapshots: a simulation goes back to a moment and does the same again, to the bit, whatever happened in between."""

import copy
import pickle

import numpy as np
import pytest

import supple
from tests.physics.bodies import INTEGRATORS, sheet
from tests.test_state import all_positions, everything


def contact_scene():
    """Return cloth that folds onto itself, a soft ball, a rigid body, a puppet, gas, wind and its shadow."""
    cloth = supple.Cloth.rectangle(
        width=0.4,
        height=0.4,
        columns=9,
        rows=9,
        plane="xz",
        at=(0.0, 0.35, 0.0),
        self_contact="exact",
        thickness=0.01,
    )
    over = cloth.changed(at=(0.05, 0.4, 0.02), name="over")
    ball = supple.SoftBody.ball(radius=0.1, cell=0.1, at=(0.0, 0.55, 0.0), name="ball", self_contact="exact")
    return supple.Scene(
        cloth,
        over,
        ball,
        supple.Cloth.cushion(
            width=0.2, height=0.2, columns=5, rows=5, at=(0.8, 0.5, 0.0), pressure=50.0, name="cushion"
        ),
        supple.Sphere(radius=0.1, at=(0.0, 0.1, 0.0), name="post"),
        supple.Box(size=(0.1, 0.1, 0.1), at=(0.5, 0.3, 0.0), mass=0.2, name="block"),
        supple.Plane(),
        wind=supple.Wind(velocity=(2.0, 0.0, 0.5), gusts=0.5, shadow=True),
    )


def disturb(simulation):
    """Do something to every part of the state but settings and edits."""
    first = simulation.body_names[0]
    simulation.set(first, stretch_stiffness=77.0)
    simulation.grab(first, 3, (0.3, 0.9, 0.3))
    simulation.pin(simulation.body_names[-1], 1)
    simulation.push(first, 2, (0.5, 0.5, 0.5))
    for name in simulation.obstacle_names[:2]:
        simulation.move_obstacle(name, (0.1, 0.3, 0.2))
    for _ in range(3):
        simulation.step()


def run(simulation, frames=4):
    reports = [simulation.step() for _ in range(frames)]
    return all_positions(simulation).copy(), [r.kinetic_energy for r in reports]


def assert_same(a, b):
    np.testing.assert_array_equal(a[0], b[0])
    assert a[1] == b[1]


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_every_integrator_goes_on_from_a_snapshot_bit_for_bit(integrator):
    simulation = everything(integrator=integrator, substeps=3)
    simulation.grab("lattice", 3, (0.5, 0.5, 0.5))
    run(simulation, 3)
    moment = simulation.snapshot()
    expected = run(simulation)
    disturb(simulation)
    simulation.restore(moment)
    assert simulation.frame == 3
    assert_same(run(simulation), expected)


def test_contact_gas_wind_and_rigid_bodies_go_on_bit_for_bit():
    simulation = supple.Simulation(contact_scene(), substeps=4)
    run(simulation, 12)
    assert simulation.engine.contact.contact_count and simulation.engine.obstacles.contact_count
    moment = simulation.snapshot()
    expected = run(simulation)
    poses = [simulation.obstacle_pose(name) for name in simulation.obstacle_names]
    disturb(simulation)
    simulation.set("cushion", pressure=200.0)
    simulation.step()
    simulation.restore(moment)
    assert_same(run(simulation), expected)
    for name, pose in zip(simulation.obstacle_names, poses, strict=True):
        np.testing.assert_array_equal(simulation.obstacle_pose(name)[0], pose[0])
    twin = supple.Simulation(contact_scene(), substeps=4)  # a snapshot fits every simulation of its scene
    twin.restore(moment)
    assert_same(run(twin), expected)


def test_levels_of_detail_go_on_bit_for_bit():
    body = supple.SoftBody.box(size=(0.4, 0.1, 0.1), cell=0.05, levels=2)
    simulation = supple.Simulation(
        supple.Scene(body.pinned("left"), supple.Sphere(radius=0.1, at=(0.0, -0.3, 0.0)))
    )
    run(simulation, 5)
    moment = simulation.snapshot()
    expected = run(simulation)
    simulation.move_obstacle("sphere", (0.1, -0.1, 0.0))
    run(simulation, 3)
    simulation.restore(moment)
    assert_same(run(simulation), expected)


def test_snapshots_reach_over_edits_and_other_settings():
    simulation = supple.Simulation(supple.Scene(sheet(points=8).pinned("top")))
    run(simulation, 3)
    before = simulation.snapshot()
    whole = run(simulation)
    simulation.cut("cloth", plane=((0.05, 0.0, 0.0), (1.0, 0.0, 0.0)))
    run(simulation, 2)
    after = simulation.snapshot()
    halves = run(simulation)
    count, revision = simulation.particle_count, simulation.revision
    simulation.set(gravity=(0.0, -1.0, 0.0), substeps=2)
    run(simulation, 1)
    simulation.restore(before)
    assert simulation.particle_count == 64 != count
    assert simulation.revision > revision
    assert simulation.scene.gravity != (0.0, -1.0, 0.0)
    assert_same(run(simulation), whole)
    simulation.restore(after)
    assert_same(run(simulation), halves)
    assert simulation.undoable == ("cut cloth",)


def test_a_snapshot_holds_still_while_the_simulation_goes_on():
    simulation = supple.Simulation(supple.Scene(sheet().pinned("top-left")))
    run(simulation, 2)
    moment = simulation.snapshot()
    kept = {name: array.copy() for name, array in moment.arrays.items()}
    disturb(simulation)
    simulation.restore(moment)
    disturb(simulation)
    for name, array in moment.arrays.items():
        np.testing.assert_array_equal(array, kept[name], err_msg=name)


def test_the_script_of_a_restored_simulation_is_that_of_the_moment():
    simulation = supple.Simulation(supple.Scene(sheet()))
    simulation.grab("cloth", 0, (0.0, 1.0, 0.0))
    moment = simulation.snapshot()
    simulation.release("cloth", 0)
    simulation.restore(moment)
    assert [edit.kind for edit in simulation.script.edits] == ["grab"]
    assert simulation.pinned("cloth").tolist() == [0]


def test_reset_begins_anew_whatever_happened():
    scene = contact_scene()
    simulation = supple.Simulation(scene, substeps=4)
    expected = run(simulation, 3)
    for _ in range(2):  # the first builds the world anew, the second goes back to its start
        disturb(simulation)
        simulation.set(gravity=(0.0, -3.0, 0.0))
        simulation.reset()
        assert (simulation.frame, simulation.time, simulation.scene) == (0, 0.0, scene)
        assert_same(run(simulation, 3), expected)


def test_reset_with_another_seed_changes_the_gusts_and_nothing_else():
    scene = supple.Scene(sheet().pinned("left"), wind=supple.Wind(velocity=(3.0, 0.0, 1.0), gusts=0.9))
    simulation = supple.Simulation(scene, seed=1)
    first = run(simulation, 6)
    simulation.reset(seed=2)
    other = run(simulation, 6)
    assert not np.array_equal(first[0], other[0])
    assert_same(run(supple.Simulation(scene, seed=2), 6), other)
    simulation.reset()
    assert_same(run(simulation, 6), other)
    with pytest.raises(supple.SuppleError, match="seed"):
        simulation.reset(seed="x")


@pytest.mark.parametrize(
    "duplicate", [lambda s: s.copy(), copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))]
)
def test_copies_and_pickles_go_on_alone(duplicate):
    simulation = supple.Simulation(
        supple.Scene(sheet(points=7).pinned("top"), supple.Sphere(radius=0.2, at=(0, -0.6, 0.1)))
    )
    start = run(simulation, 3)
    simulation.cut("cloth", plane=((0.05, 0.0, 0.0), (1.0, 0.0, 0.0)))
    run(simulation, 1)
    twin = duplicate(simulation)
    twin.undo()
    twin.step()
    other = duplicate(simulation)
    assert_same(run(simulation), run(other))
    other.reset()
    assert_same(run(other, 3), start)


def test_something_else_is_no_snapshot():
    simulation = supple.Simulation(supple.Scene(sheet()))
    with pytest.raises(supple.SuppleError, match="snapshot"):
        simulation.restore({"frame": 3})
    moment = supple.Simulation(supple.Scene(sheet(points=3))).snapshot()
    simulation.restore(moment)  # of another scene: the simulation becomes that one
    assert simulation.particle_count == 9
