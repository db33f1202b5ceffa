"""Points that an obstacle carries: grasp, lift, release."""

import numpy as np
import pytest

import supple
from supple.constrain.kinematic_points import place_on_obstacles
from tests.physics.bodies import sheet


def held_by_a_hand(**values):
    hand = supple.Sphere(radius=0.05, at=(-0.5, 0.62, 0.0), name="hand")
    return supple.Simulation(
        supple.Scene(sheet().changed(pins=[{"where": "top-left", "to": "hand"}]), hand), **values
    )


def offset_of(simulation, vertex=0):
    at, turn = simulation.obstacle_pose("hand")
    return turn.T @ (simulation.positions("cloth")[vertex] - at)


def test_a_pinned_point_goes_where_its_obstacle_goes_and_turns_with_it():
    simulation = held_by_a_hand()
    before = offset_of(simulation)
    for n in range(10):
        simulation.move_obstacle("hand", (-0.5 + 0.02 * n, 0.62, 0.01 * n), (0.0, 0.0, 0.1 * n))
        simulation.step()
        np.testing.assert_allclose(offset_of(simulation), before, atol=1e-12)
    assert simulation.pinned("cloth").tolist() == [0]
    assert simulation.positions("cloth")[0, 0] > -0.45


def test_grasp_lift_and_release_in_five_lines():
    scene = supple.Scene(
        sheet().changed(rotation=(np.pi / 2, 0.0, 0.0)),
        supple.Plane(offset=-0.05),
        supple.Sphere(radius=0.02, at=(0.0, 0.03, 0.0), name="hand"),
    )
    simulation = supple.Simulation(scene)
    vertex = int(np.argmin(np.linalg.norm(simulation.positions("cloth"), axis=1)))
    simulation.pin("cloth", vertex, to="hand")
    for n in range(25):
        simulation.move_obstacle("hand", (0.0, 0.03 + 0.02 * n, 0.0))
        simulation.step()
    assert simulation.positions("cloth")[vertex, 1] > 0.45
    simulation.unpin("cloth", vertex)
    for _ in range(40):
        simulation.step()
    assert simulation.positions("cloth")[:, 1].max() < 0.45 and simulation.pinned("cloth").tolist() == []


def test_attached_points_are_part_of_saved_states_and_snapshots(tmp_path):
    simulation = held_by_a_hand()
    simulation.move_obstacle("hand", (-0.3, 0.7, 0.0))
    simulation.step()
    moment = simulation.snapshot()
    simulation.save(tmp_path / "held.state")

    def go_on(one):
        one.move_obstacle("hand", (-0.2, 0.8, 0.1))
        for _ in range(3):
            one.step()
        return one.positions("cloth").copy()

    expected = go_on(simulation)
    simulation.unpin("cloth", 0)
    simulation.step()
    simulation.restore(moment)
    np.testing.assert_array_equal(go_on(simulation), expected)
    np.testing.assert_array_equal(go_on(supple.Simulation.load(tmp_path / "held.state")), expected)


def test_attached_points_stay_attached_over_a_cut():
    simulation = held_by_a_hand()
    simulation.cut("cloth", plane=((0.05, 0.0, 0.0), (1.0, 0.0, 0.0)))
    simulation.move_obstacle("hand", (-0.5, 0.9, 0.0))
    simulation.step()
    held = [name for name in simulation.body_names if len(simulation.pinned(name))]
    assert len(held) == 1
    assert simulation.positions(held[0])[simulation.pinned(held[0])[0], 1] == pytest.approx(0.78, abs=1e-9)


def test_a_hand_takes_an_attached_point_over_and_pins_take_it_off():
    simulation = held_by_a_hand()
    simulation.grab("cloth", 0, (0.0, 1.0, 0.0))
    simulation.step()
    np.testing.assert_allclose(simulation.positions("cloth")[0], (0.0, 1.0, 0.0), atol=1e-9)
    simulation.release("cloth", 0)
    simulation.move_obstacle("hand", (3.0, 3.0, 0.0))
    simulation.step()
    np.testing.assert_allclose(
        simulation.positions("cloth")[0], (0.0, 1.0, 0.0), atol=1e-9
    )  # pinned where it was let go


def test_files_say_the_same_and_what_is_wrong_is_told(tmp_path):
    text = """
[cloth.flag]
rectangle = { width = 1.0, height = 1.0, columns = 3, rows = 3 }
pin = [{ at = "top-left", to = "hand" }]
[obstacle.hand]
sphere = { radius = 0.05 }
at = [-0.5, 0.62, 0.0]
"""
    (tmp_path / "scene.toml").write_text(text)
    scene = supple.read_scene(tmp_path / "scene.toml")
    assert scene.bodies[0].pins == (supple.Pin(where="top-left", to="hand"),)
    (tmp_path / "scene.toml").write_text(text.replace('to = "hand"', 'to = "hnad"'))
    with pytest.raises(supple.SceneError, match="Did you mean"):
        supple.read_scene(tmp_path / "scene.toml")
    path = supple.Path(keyframes=(supple.Keyframe(time=0.0), supple.Keyframe(time=1.0)))
    with pytest.raises(supple.SceneError, match="Keep one of them"):
        supple.Pin(where="top", to="hand", path=path)
    with pytest.raises(supple.SceneError, match="has a mass"):
        supple.Scene(
            sheet().changed(pins=[{"where": "top", "to": "ball"}]),
            supple.Sphere(radius=0.1, mass=1.0, name="ball", at=(0, 2, 0)),
        )
    simulation = held_by_a_hand()
    with pytest.raises(supple.SuppleError, match="which is no obstacle"):
        simulation.pin("cloth", 3, to="foot")
    with pytest.raises(supple.SuppleError, match="not both"):
        simulation.pin("cloth", 3, (0, 0, 0), to="hand")


def test_the_kernel_gives_in_python_what_it_gives_compiled():
    random = np.random.default_rng(0)
    arguments = np.array([3, 1]), random.normal(size=(2, 3)), random.normal(size=(2, 12))
    both = np.zeros((4, 3)), np.zeros((4, 3))
    place_on_obstacles(*arguments, both[0])
    place_on_obstacles.py_func(*arguments, both[1])
    np.testing.assert_array_equal(*both)
    np.testing.assert_allclose(
        both[0][3], arguments[2][0, :9].reshape(3, 3) @ arguments[1][0] + arguments[2][0, 9:]
    )
