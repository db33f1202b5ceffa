import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from supple.record.pictures.camera import Camera

clouds = arrays(np.float64, st.tuples(st.integers(1, 20), st.just(3)), elements=st.floats(-50.0, 50.0))


@settings(deadline=None)  # a busy machine is no failure
@given(points=clouds, width=st.integers(50, 2000), height=st.integers(50, 2000))
def test_framing_camera_sees_every_point(points, width, height):
    camera = Camera.framing(points, (width, height))
    screen, nearness = camera.project(points, (width, height))
    assert (nearness > 0.0).all()
    assert (screen >= 0.0).all()
    assert (screen[:, 0] <= width).all() and (screen[:, 1] <= height).all()


def test_framing_is_tight():
    points = np.array([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.2, 0.0]])
    screen, _ = Camera.framing(points, (900, 600), margin=0.1).project(points, (900, 600))
    assert screen[:, 0].min() == pytest.approx(45.0)
    assert screen[:, 0].max() == pytest.approx(855.0)


def test_up_is_up_and_right_is_right():
    camera = Camera(eye=(0.0, 0.0, 5.0), azimuth=0.0, elevation=0.0)
    screen, nearness = camera.project(np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 0.0]]), (100, 100))
    np.testing.assert_allclose(screen[0], [50.0, 50.0])
    assert screen[1, 0] > 50.0 > screen[1, 1]
    np.testing.assert_allclose(nearness, 0.2)


def test_points_behind_the_eye_are_not_a_number():
    camera = Camera(eye=(0.0, 0.0, 5.0), azimuth=0.0, elevation=0.0)
    screen, nearness = camera.project(np.array([[0.0, 0.0, 6.0]]), (100, 100))
    assert np.isnan(nearness).all() and np.isnan(screen).all()


def test_points_that_are_not_finite_do_not_move_the_camera():
    points = np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 0.0]])
    broken = np.vstack([points, [[np.nan, 0.0, 0.0], [np.inf, 0.0, 0.0]]])
    assert Camera.framing(points, (100, 100)) == Camera.framing(broken, (100, 100))
    assert np.isfinite(Camera.framing(broken[2:], (100, 100)).eye).all()
