"""Flat pieces are triangulated at the size asked for, with good angles wherever the outline allows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supple.scene.cloth_shapes.outline import Curve, first_crossing, sampled, signed_area
from supple.scene.cloth_shapes.panel_mesh import all_angles, flat_mesh, smallest_angles
from supple.scene.cloth_shapes.plane_geometry import orientation


def polygon(corners):
    corners = np.asarray(corners, dtype=float)
    return [Curve(np.array(pair)) for pair in zip(corners, np.roll(corners, -1, axis=0), strict=True)]


def edge_lengths(mesh):
    sides = mesh.points[mesh.triangles] - mesh.points[mesh.triangles[:, [1, 2, 0]]]
    return np.hypot(sides[..., 0], sides[..., 1])


def corner_angles(mesh):
    """Return the angles of the sampled rim, inside the piece [degrees]."""
    found = []
    for loop in mesh.loops:
        before, here, after = (mesh.points[np.roll(loop, shift)] for shift in (1, 0, -1))
        one, two = here - before, after - here
        cross = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]
        found.append(180.0 - np.degrees(np.arctan2(cross, (one * two).sum(axis=1))))
    return np.concatenate(found)


def assert_good(mesh, size):
    """Check the bar: 99 % above 30 degrees and none below 15, wherever the outline allows.

    It does not where it runs into a sharp corner, from where it is narrower than a triangle.
    """
    angles = np.degrees(smallest_angles(mesh.points, mesh.triangles))
    corners = corner_angles(mesh)
    assert angles.min() > min(15.0, 0.75 * corners.min())
    middles = mesh.points[mesh.triangles].mean(axis=1)
    is_free = np.ones(len(angles), dtype=bool)
    rim = np.concatenate(mesh.loops)
    for corner in np.flatnonzero(corners < 60.0):
        reach = 1.5 * size / np.sin(np.radians(corners[corner]))
        is_free &= np.linalg.norm(middles - mesh.points[rim[corner]], axis=1) > reach
    assert np.count_nonzero(angles[is_free] < 30.0) <= 0.01 * len(angles) + 1


@st.composite
def outlines(draw):
    """Draw star-shaped outlines with straight, quadratic and cubic edges, about 0.3 to 1 m in radius."""
    count = draw(st.integers(3, 11))
    steps = np.array([draw(st.floats(0.35, 1.0)) for _ in range(count)])
    angles = 2 * np.pi * np.cumsum(steps) / steps.sum()
    radii = np.array([draw(st.floats(0.3, 1.0)) for _ in range(count)])
    corners = np.column_stack([radii * np.cos(angles), radii * np.sin(angles)])
    curves = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = end - start
        left = np.array([-along[1], along[0]])
        degree = draw(st.integers(1, 3))
        bends = [draw(st.floats(-0.2, 0.2)) for _ in range(degree - 1)]
        controls = [start + (k + 1) / degree * along + bend * left for k, bend in enumerate(bends)]
        curves.append(Curve(np.array([start, *controls, end])))
    return curves


@settings(max_examples=40, deadline=None)
@given(curves=outlines(), size=st.sampled_from([0.04, 0.06, 0.1]))
def test_random_outlines_get_good_angles(curves, size):
    rim = sampled([curves], size)
    if first_crossing(rim) is not None:
        return
    mesh = flat_mesh([curves], size)
    area = orientation(*(mesh.points[mesh.triangles[:, k]] for k in range(3))).sum() / 2
    assert area == pytest.approx(signed_area(mesh.points[mesh.loops[0]]), rel=1e-12)
    assert len(mesh.triangles) == 2 * len(mesh.points) - len(mesh.loops[0]) - 2  # Euler: no hole, no pinch
    assert_good(mesh, size)


SHAPES = {
    "square": [polygon([(0, 0), (1, 0), (1, 1), (0, 1)])],
    "L": [polygon([(0, 0), (1, 0), (1, 0.3), (0.3, 0.3), (0.3, 1), (0, 1)])],
    "strap": [polygon([(0, 0), (1, 0), (1, 0.015), (0, 0.015)])],
    "comb": [polygon([(x / 10, 0.5 * (x % 2)) for x in range(11)] + [(1, 1), (0, 1)])],
    "holes": [
        polygon([(0, 0), (1, 0), (1, 1), (0, 1)]),
        polygon([(0.4, 0.4), (0.4, 0.6), (0.6, 0.6), (0.6, 0.4)]),
        polygon([(0.7, 0.2), (0.7, 0.25), (0.75, 0.25), (0.75, 0.2)]),
    ],
    "lens": [
        [Curve(np.array([[-0.5, 0.0], [0.0, -0.9], [0.5, 0.0]])), Curve(np.array([[0.5, 0.0], [0.0, 0.9], [-0.5, 0.0]]))]
    ],
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_plain_shapes_get_good_angles(shape):
    assert_good(flat_mesh(SHAPES[shape], 0.04), 0.04)


@pytest.mark.parametrize("size", [0.2, 0.05, 0.02])
def test_sides_are_as_long_as_asked_for(size):
    mesh = flat_mesh(SHAPES["square"], size)
    lengths = edge_lengths(mesh)
    assert lengths.mean() == pytest.approx(size, rel=0.08)
    assert 0.6 * size < lengths.min()
    assert lengths.max() < 1.6 * size


def test_inside_nearly_all_triangles_are_equilateral():
    mesh = flat_mesh(SHAPES["square"], 0.025)
    angles = np.degrees(all_angles(mesh.points, mesh.triangles))
    assert np.mean(np.abs(angles - 60.0) < 6.0) > 0.9


def test_chains_run_along_the_edges_and_close_the_outline():
    mesh = flat_mesh(SHAPES["holes"], 0.05)
    for chain, curve in zip(mesh.chains, [c for loop in SHAPES["holes"] for c in loop], strict=True):
        places = mesh.points[chain]
        assert np.allclose(places[0], curve.controls[0])
        assert np.allclose(places[-1], curve.controls[-1])
        along = (places - places[0]) @ (curve.controls[1] - curve.controls[0])
        assert (np.diff(along) > 0.0).all()
    assert [int(chain[-1]) for chain in mesh.chains[:4]] == [int(chain[0]) for chain in np.roll(
        np.array(mesh.chains[:4], dtype=object), -1, axis=0)]  # fmt: skip
    assert np.array_equal(np.concatenate([chain[:-1] for chain in mesh.chains[:4]]), mesh.loops[0])


def test_points_on_a_curve_lie_on_it_and_tight_bends_are_cut_finer():
    radius, size = 0.02, 0.05
    k = 4.0 / 3.0 * np.tan(np.pi / 8)
    quarter = np.array([[1, 0], [1, k], [k, 1], [0, 1]]) * radius
    turn_left = np.array([[0.0, 1.0], [-1.0, 0.0]])
    circle = [Curve(quarter @ np.linalg.matrix_power(turn_left, n)) for n in range(4)]
    mesh = flat_mesh([circle], size)
    rim = mesh.points[mesh.loops[0]]
    assert len(rim) >= 12
    assert np.allclose(np.hypot(*rim.T), radius, rtol=3e-4)


def test_the_same_outline_gives_the_same_mesh_bit_by_bit():
    one, other = (flat_mesh(SHAPES["holes"], 0.04) for _ in range(2))
    assert np.array_equal(one.points, other.points)
    assert np.array_equal(one.triangles, other.triangles)
