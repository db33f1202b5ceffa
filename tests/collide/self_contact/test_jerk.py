"""Cloth that a hand jerks away in one frame: it may crumple, but neither winds itself up nor stays in the air."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.collide.self_contact.contact_response import mark_loaded
from supple.collide.self_contact.contact_table import ContactTable
from supple.integrate.predictor import go_with_neighbours
from supple.model.particles import FREE, NEAR, PUSHED


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
    # The hand waits for the silk, which flies past it when it stops after five frames, and swings about it.
    stretches = [report.max_stretch for report in reports]
    assert max(stretches) < 1.4 and max(stretches[8:]) < 1.15  # 2.0 by the passes alone, and it stayed so
    assert reports[-1].kinetic_energy < 0.5  # of 5 g of silk; 1.5 J in converged motion without contact
    simulation.release("cloth", vertex=vertex)
    reports = [simulation.step() for _ in range(130)]  # it flies for a second, and slides
    assert simulation.positions("cloth")[:, 1].max() < 0.25  # a heap of a sheet 0.48 m across its corners
    assert max(report.max_stretch for report in reports[-20:]) < 1.15
    assert reports[-1].kinetic_energy < 0.001
    assert simulation.intersections() == 0


def test_points_are_pushed_or_near_to_what_is_pushed_unless_they_fly():
    table = ContactTable(3)
    table.points[:], table.impulses[:] = [(0, 1, 2, 8), (2, 3, 9, 9), (5, 6, 7, 0)], (1.0, 0.5, 0.0)
    contacts = table.arrays
    leaders = np.array([0, 0, 0, 0, 0, 5, 5, 5, 8, 8])
    sums = np.zeros((10, 4))
    sums[[0, 5, 8], 0], sums[0, 1], sums[8, 1] = (5.0, 3.0, 2.0), 0.99 * 5.0, 1.01 * 2.0  # m²/s²
    leans = np.ones(10, dtype=np.bool_)
    for mark in (mark_loaded, mark_loaded.py_func):
        loads = np.full(10, 7, dtype=np.int8)
        mark(3, contacts, ~leans, leaders, sums, loads)
        assert loads.tolist() == [NEAR] * 5 + [FREE] * 5  # what is carried is not pushed
        mark(3, contacts, leans, leaders, sums, loads)
        assert loads.tolist() == [PUSHED] * 4 + [NEAR] + [FREE] * 3 + [PUSHED] * 2
        mark(1, contacts, leans, leaders, sums, loads)
        assert loads.tolist() == [PUSHED] * 3 + [NEAR] * 2 + [FREE] * 3 + [
            PUSHED,
            FREE,
        ]  # the last part is fast


def test_pushed_points_are_expected_to_go_on_as_their_neighbours_do():
    rng = np.random.default_rng(1)
    starts, velocities, before = rng.uniform(-1.0, 1.0, (3, 4, 3))
    # A chain of four points.
    row_starts, row_ends = np.array([0, 1, 3, 5]), np.array([1, 3, 5, 6])
    columns = np.array([1, 0, 2, 1, 3, 2])
    stillness = np.array([0.0, 0.25, 0.0, 0.0])
    loads = np.array([FREE, PUSHED, PUSHED, PUSHED], dtype=np.int8)
    is_fixed = np.array([False, False, False, True])
    for go in (go_with_neighbours, go_with_neighbours.py_func):
        after = before.copy()
        go(
            starts, velocities, loads, stillness, is_fixed, row_starts, row_ends, columns, 0.01, after
        )  # fmt: skip
        np.testing.assert_array_equal(after[[0, 3]], before[[0, 3]])
        expected = starts[1] + 0.01 * 0.5 * (velocities[0] + velocities[2])
        np.testing.assert_allclose(after[1], 0.25 * before[1] + 0.75 * expected)
        np.testing.assert_allclose(after[2], starts[2] + 0.01 * 0.5 * (velocities[1] + velocities[3]))


@pytest.mark.parametrize("go", [go_with_neighbours, go_with_neighbours.py_func])
def test_what_all_points_share_goes_on_and_a_turn_too_where_nothing_pushes(go):
    """At the rim of a sheet as in its middle: a mean over neighbours alone would hold rims back."""
    starts = np.array([(x, 0.3 * x * x, z) for x in (0.0, 1.0, 2.0) for z in (0.0, 1.0, 2.0)])
    others = [[j for j in range(9) if j != i] for i in range(9)]
    row_starts, columns = np.arange(0, 72, 8), np.concatenate(others)
    turn, shift = np.array([0.3, -0.7, 1.1]), np.array([1.0, 2.0, 3.0])
    for load, velocities in ((NEAR, shift + np.cross(turn, starts)), (PUSHED, np.tile(shift, (9, 1)))):
        directions = np.zeros((9, 3))
        go(
            starts, velocities, np.full(9, load, dtype=np.int8), np.zeros(9), np.zeros(9, dtype=np.bool_),
            row_starts, row_starts + 8, columns, 0.01, directions,
        )  # fmt: skip
        np.testing.assert_allclose(directions, starts + 0.01 * velocities, rtol=1e-4, atol=1e-6)
