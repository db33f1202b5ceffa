"""Pins, paths and hands: where held points go, and what they leave behind."""

import numpy as np
import pytest

import supple
from supple.constrain.kinematic_points import place_on_lines
from supple.scene.placement import rotation_matrix
from tests.physics.bodies import INTEGRATORS, NO_GRAVITY, sheet


@pytest.mark.parametrize("place", [place_on_lines, place_on_lines.py_func], ids=["compiled", "python"])
def test_points_move_evenly_along_lines_and_end_on_them_to_the_bit(place):
    generator = np.random.default_rng(0)
    begins, ends = generator.uniform(-1e3, 1e3, (2, 50, 3))
    points, targets = np.arange(50), np.zeros((50, 3))
    place(points, begins, ends, 0.25, targets)
    np.testing.assert_allclose(targets, 0.75 * begins + 0.25 * ends, rtol=1e-9)
    place(points, begins, ends, 1.0, targets)
    np.testing.assert_array_equal(targets, ends)
    place(points, ends, ends, 0.3, targets)
    np.testing.assert_array_equal(targets, ends)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_pins_stand_still_to_the_bit(integrator):
    simulation = supple.Simulation(supple.Scene(sheet().pinned("top-left", 10)), integrator=integrator)
    before = simulation.positions("cloth")[[0, 10]].copy()
    for _ in range(10):
        simulation.step()
    np.testing.assert_array_equal(simulation.positions("cloth")[[0, 10]], before)
    np.testing.assert_array_equal(simulation.velocities("cloth")[[0, 10]], 0.0)


@pytest.mark.parametrize("smooth", [False, True])
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_pins_follow_their_path_through_shifts_and_turns(integrator, smooth):
    keys = (
        supple.Keyframe(time=0.1),
        supple.Keyframe(time=0.3, offset=(0.5, 0.2, 0.0), rotation=(0.0, 0.0, 0.8)),
        supple.Keyframe(time=0.5, offset=(0.0, 0.0, 1.0), rotation=(0.3, 0.5, 0.8)),
    )
    path = supple.Path(keyframes=keys, smooth=smooth)
    simulation = supple.Simulation(
        supple.Scene(sheet().pinned("top", path=path)), integrator=integrator, substeps=3
    )
    start = simulation.positions("cloth")[:6].copy()
    centre = start.mean(axis=0)
    for report in simulation.run(0.6):
        offset, rotation = path.pose(report.time)
        expected = (start - centre) @ rotation_matrix(tuple(rotation)).T + centre + offset
        assert np.abs(simulation.positions("cloth")[:6] - expected).max() < 1e-12
    final = (start - centre) @ rotation_matrix((0.3, 0.5, 0.8)).T + centre + [0.0, 0.0, 1.0]
    np.testing.assert_allclose(simulation.positions("cloth")[:6], final, atol=1e-12)


def test_a_path_may_turn_about_a_given_centre():
    path = supple.Path(
        keyframes=(supple.Keyframe(time=0.0), supple.Keyframe(time=0.1, rotation=(0.0, 0.0, 0.5 * np.pi))),
        centre=(1.0, 0.5, 0.0),
    )
    simulation = supple.Simulation(supple.Scene(sheet().pinned("top-left", path=path)))
    for _ in simulation.run(0.2):
        pass
    np.testing.assert_allclose(simulation.positions("cloth")[0], [1.0, -1.0, 0.0], atol=1e-12)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_hand_reaches_its_target_exactly_at_the_end_of_the_frame(integrator):
    simulation = supple.Simulation(supple.Scene(sheet()), integrator=integrator, substeps=7)
    for target in ((0.3, 0.1, 0.7), (-1.0 / 3.0, 2.0 / 7.0, 0.1)):
        simulation.grab("cloth", 14, target)
        simulation.step()
        np.testing.assert_array_equal(simulation.positions("cloth")[14], target)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_released_point_flies_on_with_the_velocity_of_the_hand(integrator):
    point = supple.Network(points=[[0.0, 0.0], [1.0, 0.0]], springs=[[0, 1]], stiffness=0.0, mass=0.1)
    simulation = supple.Simulation(supple.Scene(point, gravity=NO_GRAVITY), integrator=integrator)
    simulation.grab("network", 1, (1.1, 0.2, -0.04))
    simulation.step()
    simulation.release("network", 1)
    np.testing.assert_allclose(simulation.velocities("network")[1], [5.0, 10.0, -2.0], rtol=1e-9)
    simulation.step()
    np.testing.assert_allclose(simulation.velocities("network")[1], [5.0, 10.0, -2.0], rtol=1e-9)
    np.testing.assert_allclose(simulation.positions("network")[1], [1.2, 0.4, -0.08], rtol=1e-9)


def test_a_hand_that_stays_holds_its_point_still():
    simulation = supple.Simulation(supple.Scene(sheet()))
    simulation.grab("cloth", 0, (0.0, 1.0, 0.0))
    simulation.step()
    for _ in range(5):
        simulation.step()
        np.testing.assert_array_equal(simulation.positions("cloth")[0], [0.0, 1.0, 0.0])
        np.testing.assert_array_equal(simulation.velocities("cloth")[0], 0.0)
    assert simulation.pinned("cloth").tolist() == [0]


def test_a_moved_pin_arrives_and_stays():
    simulation = supple.Simulation(supple.Scene(sheet().pinned("top-left")))
    simulation.move_pin("cloth", 0, (1.0, 2.0, 3.0))
    simulation.step()
    np.testing.assert_array_equal(simulation.positions("cloth")[0], [1.0, 2.0, 3.0])
    simulation.step()
    np.testing.assert_array_equal(simulation.positions("cloth")[0], [1.0, 2.0, 3.0])


def test_a_pinned_point_that_was_grabbed_stays_where_it_is_let_go():
    simulation = supple.Simulation(supple.Scene(sheet().pinned("top-left")))
    simulation.grab("cloth", 0, (0.0, 1.0, 0.5))
    simulation.step()
    simulation.release("cloth", 0)
    simulation.step()
    np.testing.assert_array_equal(simulation.positions("cloth")[0], [0.0, 1.0, 0.5])
    simulation.unpin("cloth", 0)
    simulation.step()
    assert simulation.positions("cloth")[0, 1] != 1.0


def test_a_point_taken_off_its_path_leaves_the_others_on_it():
    path = supple.Path(
        keyframes=(supple.Keyframe(time=0.0), supple.Keyframe(time=1.0, offset=(1.0, 0.0, 0.0)))
    )
    simulation = supple.Simulation(supple.Scene(sheet().pinned("top", path=path)))
    start = simulation.positions("cloth")[:6].copy()
    simulation.grab("cloth", 3, (0.0, 0.0, 1.0))
    report = simulation.step()
    np.testing.assert_array_equal(simulation.positions("cloth")[3], [0.0, 0.0, 1.0])
    others = [0, 1, 2, 4, 5]
    expected = start[others] + [report.time, 0.0, 0.0]
    np.testing.assert_allclose(simulation.positions("cloth")[others], expected, atol=1e-12)


@pytest.mark.parametrize(
    ("action", "arguments"),
    [
        ("grab", ("cloth", 36, (0.0, 0.0, 0.0))),
        ("grab", ("cloth", -1, (0.0, 0.0, 0.0))),
        ("grab", ("cloth", True, (0.0, 0.0, 0.0))),
        ("grab", ("flag", 0, (0.0, 0.0, 0.0))),
        ("grab", ("cloth", 0, (0.0, float("nan"), 0.0))),
        ("grab", ("cloth", 0, (0.0, 1e9, 0.0))),
        ("grab", ("cloth", 0, (0.0, 0.0))),
        ("grab", ("cloth", 0, "here")),
        ("move_pin", ("cloth", 5, (0.0, 0.0, 0.0))),
        ("pin", ("cloth", 1.5, (0.0, 0.0, 0.0))),
    ],
)
def test_a_wrong_touch_is_refused_and_nothing_is_held(action, arguments):
    simulation = supple.Simulation(supple.Scene(sheet()))
    with pytest.raises(supple.SuppleError):
        getattr(simulation, action)(*arguments)
    assert len(simulation.pinned("cloth")) == 0


def test_a_path_may_push_pins_together():
    path = supple.Path(
        keyframes=(
            supple.Keyframe(time=0.0),
            supple.Keyframe(
                time=0.1, scale=(0.2, 1.0, 1.0), rotation=(0.0, 0.0, 0.5 * np.pi), offset=(0.0, 0.0, 0.3)
            ),
        )
    )
    simulation = supple.Simulation(supple.Scene(sheet().pinned("top", path=path), gravity=NO_GRAVITY))
    start = simulation.positions("cloth")[:6].copy()
    for _ in simulation.run(0.1):
        pass
    arms = (start - start.mean(axis=0)) * (0.2, 1.0, 1.0)
    expected = start.mean(axis=0) + arms[:, [1, 0, 2]] * (-1.0, 1.0, 1.0) + (0.0, 0.0, 0.3)
    np.testing.assert_allclose(simulation.positions("cloth")[:6], expected, atol=1e-12)
    np.testing.assert_allclose(path.scale(0.05), (0.6, 1.0, 1.0))


def test_obstacles_cannot_be_scaled():
    path = supple.Path(
        keyframes=(supple.Keyframe(time=0.0), supple.Keyframe(time=1.0, scale=(0.5, 1.0, 1.0)))
    )
    with pytest.raises(supple.SuppleError, match="only pinned points"):
        supple.Sphere(radius=0.1, motion=path)
