import numpy as np
import pytest

import supple
from supple.scene.placement import rotation_angles, rotation_matrix
from supple.scene.rotations import quaternion_of
from supple.studio.connection.rigid_meshes import solids_of
from tests.studio.pages import sheet_scene


def turned_by(quaternion, vector):
    axis, w = np.array(quaternion[:3]), quaternion[3]
    twice = 2.0 * np.cross(axis, vector)
    return vector + w * twice + np.cross(axis, twice)


@pytest.mark.parametrize(
    "angles",
    [(0.0, 0.0, 0.0), (0.3, -0.7, 2.0), (np.pi, 0.0, 0.0), (0.4, np.pi / 2, 0.0), (0.2, -np.pi / 2, 0.5)],
)
def test_angles_and_quaternions_say_the_same_as_the_matrix(angles):
    turn = rotation_matrix(angles)
    assert np.allclose(rotation_matrix(rotation_angles(turn)), turn, atol=1e-12)
    vector = np.array([0.3, -1.0, 2.0])
    assert np.allclose(turned_by(quaternion_of(turn), vector), turn @ vector)


def scene_with_obstacles():
    ball = supple.Sphere(radius=0.3, at=(0.0, -1.2, 0.2), rotation=(0.0, 0.5, 0.0))
    ground = supple.Plane(normal=(0.0, 1.0, 0.0), offset=-2.0)
    return supple.Scene(*sheet_scene().bodies, ball, ground)


def test_obstacles_are_solids_and_level_planes_are_ground():
    ball, ground = solids_of(supple.Simulation(scene_with_obstacles()))
    assert (ball.kind, ball.is_movable, ball.floor) == ("sphere", True, None)
    assert ball.pose()[:3] == (0.0, -1.2, 0.2)
    assert np.linalg.norm(ball.placed_vertices() - (0.0, -1.2, 0.2), axis=1) == pytest.approx(0.3)
    assert (ground.kind, ground.is_movable, ground.floor) == ("floor", False, -2.0)


def test_a_solid_goes_where_it_is_moved_and_stays_turned():
    simulation = supple.Simulation(scene_with_obstacles())
    ball, _ = solids_of(simulation)
    before = ball.pose()
    ball.move((1.0, 0.0, 0.0), ball.rotation())
    simulation.step()
    assert ball.pose()[:3] == pytest.approx((1.0, 0.0, 0.0))
    assert np.abs(np.dot(ball.pose()[3:], before[3:])) == pytest.approx(1.0)
