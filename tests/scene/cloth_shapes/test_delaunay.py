"""Outlines are filled with Delaunay triangles, whatever their shape."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import Delaunay

from supple.scene.cloth_shapes.delaunay import OUTSIDE, Triangulation
from supple.scene.cloth_shapes.ear_clipping import CrossedOutlineError
from supple.scene.cloth_shapes.outline import signed_area
from supple.scene.cloth_shapes.plane_geometry import orientation

SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def loop(points):
    return [np.arange(len(points))]


def assert_sound(mesh, area):
    """Check that triangles turn left, fill the area once, know their neighbours and use every point."""
    areas = orientation(*mesh.corners())
    assert areas.min() > 0.0
    assert areas.sum() / 2 == pytest.approx(area, rel=1e-12)
    assert np.array_equal(np.unique(mesh.triangles), np.arange(len(mesh.points)))
    inner = np.flatnonzero(mesh.twins != OUTSIDE)
    assert np.array_equal(mesh.twins[mesh.twins[inner]], inner)
    assert np.array_equal(mesh.starts[mesh.twins[inner]], mesh.ends[inner])


def circles_hold_no_corner_behind_an_edge(mesh):
    inner = np.flatnonzero(mesh.twins > np.arange(len(mesh.twins)))
    return mesh.delaunay_excess(inner).max(initial=0.0) < 1e-9


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), count=st.integers(1, 200))
def test_points_in_a_square_get_the_triangles_that_scipy_finds(seed, count):
    inside = np.random.default_rng(seed).uniform(0.01, 0.99, (count, 2))
    mesh = Triangulation(SQUARE, loop(SQUARE))
    assert len(mesh.drop(inside)) == count
    assert_sound(mesh, 1.0)
    ours = {tuple(sorted(t)) for t in mesh.triangles.tolist()}
    theirs = {tuple(sorted(t)) for t in Delaunay(mesh.points).simplices.tolist()}
    # A triangle without area may hide behind a side of the square in theirs.
    flat = {t for t in theirs if abs(orientation(*mesh.points[list(t)])) < 1e-12}
    assert ours == theirs - flat


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), corners=st.integers(3, 60), count=st.integers(0, 80))
def test_a_star_is_filled_and_delaunay(seed, corners, count):
    random = np.random.default_rng(seed)
    angles = 2 * np.pi * (np.arange(corners) + random.uniform(0.0, 0.7, corners)) / corners
    radii = random.uniform(0.1, 1.0, corners)
    star = np.column_stack([radii * np.cos(angles), radii * np.sin(angles)])
    if signed_area(star) < 1e-3 or (orientation(np.zeros(2), star, np.roll(star, -1, axis=0)) <= 0.0).any():
        return  # not around the middle
    mesh = Triangulation(star, loop(star))
    assert len(mesh.triangles) == corners - 2
    mesh.drop(random.uniform(-1.0, 1.0, (count, 2)))
    assert_sound(mesh, signed_area(star))
    assert circles_hold_no_corner_behind_an_edge(mesh)


def test_points_in_the_middle_of_straight_sides_get_triangles_with_area():
    side = np.arange(20) / 20.0
    walk = [np.column_stack(pair) for pair in ((side, 0 * side), (1 + 0 * side, side))]
    around = np.concatenate([*walk, *(1.0 - step for step in walk)])
    mesh = Triangulation(around, loop(around))
    assert len(mesh.triangles) == len(around) - 2
    assert_sound(mesh, 1.0)


def test_holes_stay_open_even_when_they_hide_each_other():
    points, loops = [SQUARE], [np.arange(4)]
    for x in (0.2, 0.5, 0.8):
        hole = np.array([[x - 0.05, 0.3], [x - 0.05, 0.7], [x + 0.05, 0.7], [x + 0.05, 0.3]])
        loops.append(np.arange(4) + 4 * len(loops))
        points.append(hole)
    mesh = Triangulation(np.concatenate(points), loops)
    assert_sound(mesh, 1.0 - 3 * 0.04)
    grid = np.stack(np.meshgrid(np.arange(0.02, 1.0, 0.06), np.arange(0.02, 1.0, 0.06)), -1).reshape(-1, 2)
    inside = mesh.drop(grid)
    in_hole = np.zeros(len(grid), dtype=bool)
    for x in (0.2, 0.5, 0.8):
        in_hole |= (np.abs(grid[:, 0] - x) < 0.05) & (np.abs(grid[:, 1] - 0.5) < 0.2)
    assert np.array_equal(inside, np.flatnonzero(~in_hole))
    assert_sound(mesh, 1.0 - 3 * 0.04)


def test_edges_of_the_rim_can_be_split():
    mesh = Triangulation(SQUARE, loop(SQUARE))
    rim = np.flatnonzero(mesh.twins == OUTSIDE)
    one_each = rim[np.unique(rim // 3, return_index=True)[1]]
    middle = 0.5 * (mesh.points[mesh.starts[one_each]] + mesh.points[mesh.ends[one_each]])
    mesh.split_rim(one_each, middle)
    assert len(mesh.points) == 4 + len(one_each)
    assert_sound(mesh, 1.0)


def test_a_bow_tie_cannot_be_filled():
    bow = SQUARE[[0, 1, 3, 2]]
    with pytest.raises(CrossedOutlineError):
        Triangulation(bow, loop(bow))
