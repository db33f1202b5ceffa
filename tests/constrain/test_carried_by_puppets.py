"""Points that a triangle of a puppet carries, that a bone carries, and that hang on a point of another body."""

import numpy as np
import pytest

import supple
from supple.constrain.kinematic_points import place_on_surface, place_on_triangles, row_of
from tests.interpreted import interpreted
from tests.physics.bodies import sheet


def shoulder(**values):
    """A sheet that hangs from a plate which rises, turns and grows, at its upper left corner."""
    flat = np.array([[-0.7, 0.45, -0.2], [-0.3, 0.45, -0.2], [-0.3, 0.45, 0.2], [-0.7, 0.45, 0.2]])
    turn = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
    plate = supple.Puppet(
        moments=[0.0, 1.0],
        samples=[flat, 1.5 * flat @ turn.T],
        triangles=[[0, 2, 1], [0, 3, 2]],
        name="plate",
    )
    cloth = sheet().changed(pins=[{"where": "top-left", "to": "plate"}])
    return supple.Simulation(supple.Scene(cloth, plate), **values)


def in_axes_of_the_plate(simulation):
    """Return where the pinned corner is, as weights along the plate and height over it [m]."""
    a, b, _, d = simulation.positions("plate")
    side, other = b - a, d - a
    normal = np.cross(other, side)
    normal /= np.linalg.norm(normal)
    way = simulation.positions("cloth")[0] - a
    return np.array([way @ side / (side @ side), way @ other / (other @ other), way @ normal])


def test_a_point_on_a_puppet_goes_with_its_triangle():
    simulation = shoulder()
    before = in_axes_of_the_plate(simulation)
    assert before[2] == pytest.approx(0.05)
    for _ in simulation.run(0.6):
        np.testing.assert_allclose(in_axes_of_the_plate(simulation), before, atol=1e-12)
    assert simulation.pinned("cloth").tolist() == [0]
    assert np.linalg.norm(simulation.pin_forces("cloth")[0]) > 0.0


def test_it_is_saved_restored_and_kept_over_a_cut(tmp_path):
    simulation = shoulder()
    for _ in simulation.run(0.1):
        pass
    moment = simulation.snapshot()
    simulation.save(tmp_path / "held.state")

    def go_on(one):
        for _ in one.run(0.1):
            pass
        return one.positions("cloth").copy()

    expected = go_on(simulation)
    simulation.unpin("cloth", 0)
    assert simulation.pinned("cloth").tolist() == []
    simulation.step()
    simulation.restore(moment)
    np.testing.assert_array_equal(go_on(simulation), expected)
    loaded = supple.Simulation.load(tmp_path / "held.state")
    np.testing.assert_array_equal(go_on(loaded), expected)
    goal = loaded.positions("cloth")[0].copy()
    # Farther from what is held than from most: a cut through that corner would leave it to both pieces.
    across = np.array([1.0, 0.3, 0.2])
    order = np.argsort(np.abs((loaded.positions("cloth") - goal) @ across))
    loaded.cut("cloth", plane=(loaded.positions("cloth")[order[3 * len(order) // 4]], across))
    held = [name for name in loaded.body_names if name != "plate" and len(loaded.pinned(name))]
    assert [len(loaded.pinned(name)) for name in held] == [1]
    vertex = loaded.pinned(held[0])[0]
    np.testing.assert_allclose(loaded.positions(held[0])[vertex], goal, atol=1e-12)
    before = loaded.positions("plate").copy()
    loaded.step()
    way = loaded.positions(held[0])[vertex] - goal
    moves = loaded.positions("plate") - before
    assert np.linalg.norm(way - moves.mean(axis=0)) < np.ptp(moves, axis=0).max()


def test_a_point_can_be_taken_by_a_puppet_while_it_runs():
    simulation = shoulder()
    simulation.step()
    simulation.unpin("cloth", 0)
    simulation.pin("cloth", 3, to="plate")
    assert simulation.pinned("cloth").tolist() == [3]
    with pytest.raises(supple.SuppleError, match="no obstacle"):
        simulation.pin("cloth", 3, to="plaet")


def test_a_bone_of_a_figure_carries_points():
    """Bones come as obstacles, each called after the figure and itself."""
    arm = supple.Box(
        size=(0.1, 0.1, 0.1),
        at=(-0.5, 0.6, 0.0),
        name="mary-arm",
        motion=lambda t: ((0.0, t, 0.0), (0.0, 0.0, t)),
    )
    simulation = supple.Simulation(
        supple.Scene(sheet().changed(pins=[{"where": "top-left", "to": "mary-arm"}]), arm)
    )
    at, turn = simulation.obstacle_pose("mary-arm")
    offset = turn.T @ (simulation.positions("cloth")[0] - at)
    for _ in simulation.run(0.4):
        at, turn = simulation.obstacle_pose("mary-arm")
        np.testing.assert_allclose(simulation.positions("cloth")[0], at + turn @ offset, atol=1e-12)


def test_a_point_that_hangs_on_another_body_pulls_it():
    upper = supple.Cloth.rectangle(width=0.4, height=0.4, columns=9, rows=9, name="upper")
    lower = supple.Cloth.rectangle(
        width=0.2, height=0.2, columns=5, rows=5, at=(0.0, -0.31, 0.0), name="lower"
    )
    with pytest.raises(supple.SceneError, match="gives way"):
        supple.Scene(upper, lower.changed(pins=[{"where": "top-left", "to": "upper"}]))
    simulation = supple.Simulation(supple.Scene(upper.pinned("top-left", "top-right"), lower))
    with pytest.raises(supple.SuppleError, match="a point and a point"):
        simulation.seam(("upper", [76]), ("lower", [2, 3]))
    with pytest.raises(supple.SuppleError, match="nothing to sew"):
        simulation.seam(("upper", [76]), ("upper", [76]))
    seam = simulation.seam(("upper", [76]), ("lower", [2]), seconds=0.1)
    loads = [simulation.pin_forces("upper")[:, 1].sum() for _ in simulation.run(3.0)]
    weight = 9.81 * (simulation.masses("upper").sum() + simulation.masses("lower").sum())
    assert np.mean(loads[-50:]) == pytest.approx(weight, rel=0.01)
    gap = simulation.positions("upper")[76] - simulation.positions("lower")[2]
    assert np.linalg.norm(gap) < 1e-3
    simulation.unseam(seam)
    for _ in simulation.run(0.5):
        pass
    assert simulation.positions("lower")[2, 1] < -1.0


def test_a_damaged_state_that_names_no_puppet_is_refused(tmp_path):
    simulation = shoulder()
    arrays = simulation.engine.kinematic.state()
    arrays["on_puppets_goals"] = arrays["on_puppets_goals"].copy()
    arrays["on_puppets_goals"][0, 1] = 99.0
    with pytest.raises(ValueError, match="on_puppets_goals"):
        simulation.engine.kinematic.restore(arrays)


def test_the_kernels_give_in_python_what_they_give_compiled_and_find_the_point_again():
    random = np.random.default_rng(4)
    places = random.normal(size=(7, 3))
    triangles = np.array([[0, 1, 2], [2, 3, 4], [1, 4, 5]])
    triangle, weights, offset = place_on_surface(places[6], places[triangles])
    arguments = np.array([6]), triangles[[triangle]], weights[None], offset[None]
    both = np.array([places, places])
    both[:, 6] = 0.0
    place_on_triangles(*arguments, both[0])
    with interpreted():
        place_on_triangles.py_func(*arguments, both[1])
    np.testing.assert_allclose(both[0], both[1], rtol=1e-15)
    np.testing.assert_allclose(both[0], places, atol=1e-14)
    assert row_of.py_func(places, 2) == row_of(places, 2) == tuple(places[2])
    flat = np.zeros((1, 3, 3))
    assert place_on_surface(np.ones(3), flat)[2].tolist() == [0.0, 0.0, 0.0]
