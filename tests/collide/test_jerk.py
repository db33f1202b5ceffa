"""Cloth that a hand jerks away in one frame: it may crumple, but neither winds itself up nor stays in the air."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.collide.response import mark_loaded
from supple.integrate.predictor import go_with_neighbours


@pytest.mark.parametrize("vertex", [36, 140])
def test_silk_that_is_jerked_by_a_metre_and_let_go_falls_and_comes_to_rest(vertex):
    silk = supple.Cloth.rectangle(
        width=0.41,
        height=0.25,
        columns=19,
        rows=14,
        material="silk",
        self_contact="exact",
        at=(0.0, 1.0, 0.0),
    )
    simulation = supple.Simulation(supple.Scene(silk, supple.Plane(friction=0.5)))
    simulation.step()
    hand = simulation.positions("cloth")[vertex] + (0.6, 0.5, -0.6)
    simulation.grab("cloth", vertex=vertex, target=tuple(hand))
    reports = [simulation.step() for _ in range(20)]
    assert max(report.max_stretch for report in reports[5:]) < 1.2  # 1.6 and growing without (K21)
    assert reports[-1].kinetic_energy < 0.01  # of 5 g of silk; 0.04 J without
    simulation.release("cloth", vertex=vertex)
    reports = [simulation.step() for _ in range(60)]
    assert simulation.positions("cloth")[:, 1].max() < 0.2
    assert max(report.max_stretch for report in reports[-20:]) < 1.1
    assert reports[-1].kinetic_energy < 0.001
    assert simulation.intersections() == 0


def test_points_are_loaded_if_a_contact_pushes_them():
    points = np.array([(0, 1, 2, 3), (2, 3, 4, 9), (5, 6, 7, 0)], dtype=np.int32)
    for mark in (mark_loaded, mark_loaded.py_func):
        is_loaded = np.ones(8, dtype=np.bool_)
        mark(3, points, np.array([1.0, 0.5, 0.0]), is_loaded)
        np.testing.assert_array_equal(is_loaded, [True] * 5 + [False] * 3)


def test_loaded_points_are_expected_to_go_on_as_their_neighbours_do():
    rng = np.random.default_rng(1)
    starts, velocities, before = rng.uniform(-1.0, 1.0, (3, 4, 3))
    # A chain of four points.
    row_starts, row_ends = np.array([0, 1, 3, 5]), np.array([1, 3, 5, 6])
    columns = np.array([1, 0, 2, 1, 3, 2])
    stillness = np.array([0.0, 0.25, 0.0, 0.0])
    is_loaded, is_fixed = np.array([False, True, True, True]), np.array([False, False, False, True])
    for go in (go_with_neighbours, go_with_neighbours.py_func):
        after = before.copy()
        go(
            starts, velocities, is_loaded, stillness, is_fixed, row_starts, row_ends, columns, 0.01, after
        )  # fmt: skip
        np.testing.assert_array_equal(after[[0, 3]], before[[0, 3]])
        expected = starts[1] + 0.01 * 0.5 * (velocities[0] + velocities[2])
        np.testing.assert_allclose(after[1], 0.25 * before[1] + 0.75 * expected)
        np.testing.assert_allclose(after[2], starts[2] + 0.01 * 0.5 * (velocities[1] + velocities[3]))


def test_what_all_points_share_goes_on():
    starts, velocities = np.zeros((4, 3)), np.tile((1.0, 2.0, 3.0), (4, 1))
    directions = np.zeros((4, 3))
    go_with_neighbours(
        starts, velocities, np.ones(4, dtype=np.bool_), np.zeros(4), np.zeros(4, dtype=np.bool_), np.array([0, 1, 3, 5]),
        np.array([1, 3, 5, 6]), np.array([1, 0, 2, 1, 3, 2]), 0.01, directions,
    )  # fmt: skip
    np.testing.assert_allclose(directions, 0.01 * velocities)
