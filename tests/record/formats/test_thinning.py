import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from supple.record.formats.normals import box_around, vertex_normals
from supple.record.formats.thinning import fits_between, kept_frames, narrow_slopes
from supple.scene.rotations import quaternion_matrix, quaternion_of


def largest_error(frames, times, kept):
    """Return how far any point of any frame is from the straight line between the frames kept."""
    worst = 0.0
    for before, after in itertools.pairwise(kept):
        for n in range(before, after + 1):
            share = (times[n] - times[before]) / (times[after] - times[before])
            shown = frames[before] + share * (frames[after] - frames[before])
            worst = max(worst, np.linalg.norm(shown - frames[n], axis=1).max())
    return worst


@settings(max_examples=30, deadline=None)
@given(
    frames=arrays(
        np.float64, st.tuples(st.integers(2, 12), st.just(2), st.just(3)), elements=st.floats(-2, 2)
    ),
    tolerance=st.floats(1e-3, 1.0),
)
def test_no_point_is_ever_farther_away_than_the_tolerance(frames, tolerance):
    times = 0.02 * np.arange(len(frames))
    kept = kept_frames(iter(frames), times, tolerance)
    assert kept[0] == 0 and kept[-1] == len(frames) - 1
    assert kept == sorted(set(kept))
    assert largest_error(frames, times, kept) <= tolerance * (1 + 1e-9)


def test_straight_motion_needs_two_frames_and_a_corner_one_more():
    times = 0.02 * np.arange(21)
    straight = np.array([np.full((5, 3), time) for time in times])
    assert kept_frames(iter(straight), times, 1e-6) == [0, 20]
    bent = np.array([np.full((5, 3), abs(time - 0.2)) for time in times])
    assert kept_frames(iter(bent), times, 1e-6) == [0, 10, 20]


def test_a_finer_bound_keeps_more():
    times = 0.02 * np.arange(101)
    wave = np.array([np.full((3, 3), np.sin(6.0 * time)) for time in times])
    counts = [len(kept_frames(iter(wave), times, bound)) for bound in (1e-1, 1e-2, 1e-3)]
    assert counts[0] < counts[1] < counts[2] < 101


def test_tolerance_zero_keeps_whatever_is_not_straight():
    times = np.arange(4.0)
    frames = np.array([0.0, 1.0, 4.0, 9.0])[:, None, None] * np.ones((1, 2, 3))
    assert kept_frames(iter(frames), times, 0.0) == [0, 1, 2, 3]


def test_one_frame_is_kept():
    assert kept_frames(iter([np.zeros((2, 3))]), np.zeros(1), 0.1) == [0]


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "python"])
def test_slopes_narrow_until_a_line_no_longer_fits(compiled):
    narrow = narrow_slopes if compiled else narrow_slopes.py_func
    fits = fits_between if compiled else fits_between.py_func
    lowest, highest = np.full(2, -np.inf), np.full(2, np.inf)
    start = np.zeros(2)
    assert fits(start, np.array([5.0, -5.0]), 1.0, lowest, highest)
    narrow(start, np.array([1.0, 0.0]), 1.0, 0.25, lowest, highest)
    np.testing.assert_allclose(lowest, [0.75, -0.25])
    np.testing.assert_allclose(highest, [1.25, 0.25])
    assert fits(start, np.array([2.0, 0.0]), 2.0, lowest, highest)
    assert not fits(start, np.array([2.0, 1.0]), 2.0, lowest, highest)


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "python"])
def test_normals_of_a_folded_sheet_average_by_area_and_lone_points_get_up(compiled):
    points = np.array([[0, 0, 0], [2, 0, 0], [0, 0, -1], [0, 1, 0], [9, 9, 9]], dtype=np.float64)
    triangles = np.array([[0, 1, 2], [0, 2, 3]])
    normals = np.zeros((5, 3))
    (vertex_normals if compiled else vertex_normals.py_func)(points, triangles, normals)
    np.testing.assert_allclose(normals[1], [0.0, 1.0, 0.0])
    np.testing.assert_allclose(normals[3], [1.0, 0.0, 0.0])
    np.testing.assert_allclose(normals[0], np.array([1.0, 2.0, 0.0]) / np.sqrt(5.0))
    np.testing.assert_allclose(normals[4], [0.0, 1.0, 0.0])


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "python"])
def test_box_around_points_touches_the_outermost(compiled):
    points = np.random.default_rng(7).normal(size=(50, 3)).astype(np.float32)
    box = np.zeros((2, 3), dtype=np.float32)
    (box_around if compiled else box_around.py_func)(points, box)
    np.testing.assert_array_equal(box, [points.min(axis=0), points.max(axis=0)])


@settings(max_examples=60, deadline=None)
@given(arrays(np.float64, 4, elements=st.floats(-1, 1)).filter(lambda q: np.linalg.norm(q) > 0.1))
def test_quaternion_and_matrix_are_the_same_turn(quaternion):
    turn = quaternion_matrix(quaternion)
    np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(quaternion_matrix(quaternion_of(turn)), turn, atol=1e-12)
