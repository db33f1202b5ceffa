"""Paths along surfaces are as long as a tape says, whatever way the edges run."""

from __future__ import annotations

import math

import numpy as np
import pytest

import supple
from supple.model.surface_path import shortest_path


def sheet():
    """Return a flat panel with irregular triangles: points (n, 3) and triangles."""
    cloth = supple.Cloth.panel(outline=[[0.0, 0.0], [0.8, 0.0], [0.7, 0.6], [0.0, 0.5]], size=0.04)
    return cloth.local_points(), cloth.surface_triangles()


def test_on_a_flat_sheet_it_is_the_straight_line():
    points, triangles = sheet()
    random = np.random.default_rng(3)
    for _ in range(8):
        a, b = random.choice(len(points), 2, replace=False).tolist()
        path = shortest_path(points, triangles, a, b)
        assert path.length == pytest.approx(np.linalg.norm(points[a] - points[b]), abs=5e-4)
        np.testing.assert_array_equal(path.points[[0, -1]], points[[a, b]])


def test_on_a_cylinder_it_is_a_helix():
    flat, triangles = sheet()
    radius = 0.4
    points = np.column_stack(
        [radius * np.sin(flat[:, 0] / radius), flat[:, 1], radius * np.cos(flat[:, 0] / radius)]
    )
    a, b = (int(np.linalg.norm(flat[:, :2] - place, axis=1).argmin()) for place in ((0.05, 0.05), (0.6, 0.5)))
    path = shortest_path(points, triangles, a, b)
    assert path.length == pytest.approx(math.dist(flat[a], flat[b]), abs=1e-3)
    assert path.length > 1.03 * math.dist(points[a], points[b])


def test_round_a_notch_it_bends_at_the_corner():
    cloth = supple.Cloth.panel(
        outline=[[0.0, 0.0], [0.6, 0.0], [0.6, 0.4], [0.31, 0.4], [0.3, 0.1], [0.29, 0.4], [0.0, 0.4]],
        size=0.03,
    )
    points, triangles = cloth.local_points(), cloth.surface_triangles()
    a, b, notch = (
        int(np.linalg.norm(points[:, :2] - place, axis=1).argmin())
        for place in ((0.15, 0.4), (0.45, 0.4), (0.3, 0.1))
    )
    way = math.dist(points[a], points[notch]) + math.dist(points[notch], points[b])
    assert shortest_path(points, triangles, a, b).length == pytest.approx(way, abs=1e-3)


def test_pieces_that_do_not_hang_together_have_no_path():
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [5, 0, 0], [6, 0, 0], [5, 1, 0]], dtype=float)
    triangles = np.array([[0, 1, 2], [3, 4, 5]])
    assert shortest_path(points, triangles, 0, 4) is None
    assert shortest_path(points, triangles, 1, 1).length == 0.0
