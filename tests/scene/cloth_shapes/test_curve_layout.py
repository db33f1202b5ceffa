"""Rectangles laid along a curve at the start are flat at rest."""

import numpy as np
import pytest

import supple

BEND = {"through": [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [1.0, 0.0, 0.0]]}


def strip(course, **changes):
    values = {"width": 1.0, "height": 0.1, "columns": 41, "rows": 3, "course": course}
    return supple.Cloth.rectangle(**(values | changes))


def test_a_straight_course_lays_a_strip_from_its_first_point():
    points = strip(BEND).start_points().reshape(3, 41, 3)
    np.testing.assert_allclose(points[1, :, 0], np.linspace(0.0, 1.0, 41), atol=1e-12)
    np.testing.assert_allclose(points[0] - points[1], np.tile([0.0, 0.0, 0.05], (41, 1)), atol=1e-12)


def test_a_strip_goes_straight_on_where_its_course_ends():
    points = strip(BEND, width=1.5).start_points().reshape(3, 41, 3)
    np.testing.assert_allclose(points[1, -1], [1.5, 0.0, 0.0], atol=1e-12)


@pytest.mark.parametrize("plane", ["xy", "xz"])
def test_a_strip_keeps_its_length_round_a_circle(plane):
    angles = np.linspace(0.0, 1.5 * np.pi, 25)
    radius = 1.0 / (1.5 * np.pi)
    circle = radius * np.stack([np.cos(angles), np.sin(angles), 0.0 * angles], axis=1)
    laid = strip({"through": circle}, plane=plane)
    points = laid.start_points().reshape(3, 41, 3)
    chords = np.linalg.norm(np.diff(points, axis=1), axis=2)
    np.testing.assert_allclose(chords, 2.0 * radius * np.sin(0.5 / 40 / radius), rtol=2e-3)
    np.testing.assert_allclose(np.hypot(points[..., 0], points[..., 1]), radius, rtol=2e-3)
    assert (points[0, :, 2] == 0.05).all()


def test_a_strip_on_a_course_is_flat_at_rest_and_straightens():
    arc = np.linspace(0.0, np.pi, 15)
    half_turn = np.stack([np.sin(arc), 1.0 - np.cos(arc), 0.0 * arc], axis=1) / np.pi
    bent, flat = (
        supple.Simulation(supple.Scene(strip(course, material="denim"), gravity=(0.0, 0.0, 0.0)))
        for course in ({"through": half_turn}, None)
    )
    np.testing.assert_allclose(bent.rest_lengths("cloth"), flat.rest_lengths("cloth"), rtol=1e-12)

    def span():
        middle = bent.positions("cloth").reshape(3, 41, 3)[1]
        return float(np.linalg.norm(middle[-1] - middle[0]))

    start = span()
    for _ in bent.run(0.5):
        pass
    assert start == pytest.approx(2.0 / np.pi, rel=1e-2) and span() > start + 0.005


@pytest.mark.parametrize(
    ("course", "message"),
    [
        ({"through": [[0.0, 0.0, 0.0]]}, "`cloth.rectangle.course.through` holds one point"),
        ({"through": [[0, 0, 0], [1, 0, 0], [1, 0, 0]]}, "holds the same point twice, at places 1 and 2"),
        ({"through": [[0, 0, 0], [1, 0]]}, "must be a list of points"),
        ({"through": np.zeros((1001, 3))}, "holds 1,001 points, but a curve may have at most 1,000"),
        (BEND | {"across": (0.0, 0.0, 0.0)}, "`cloth.rectangle.course.across` is (0, 0, 0)"),
        (BEND | {"across": (1.0, 0.0, 0.0)}, "points along the curve near [0, 0, 0]"),
        ({}, "`cloth.rectangle.course.through`"),
    ],
)
def test_a_wrong_course_is_told(course, message):
    with pytest.raises(supple.SceneError) as error:
        strip(course)
    assert message in str(error.value)
