"""Couplings that follow edits are those that are found anew, and matrices on them have the same bits."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple import SuppleError
from supple.model.couplings import recoupling
from supple.model.couplings.couplings import couple
from tests.edit.judge import sheet
from tests.edit.test_random_edits import random_edit


def assert_same_as_fresh(simulation):
    world, filtered = simulation.engine.world, simulation.engine.integrator
    found = world.couplings
    fresh = couple(world.particles.count, world.springs, world.bends, world.tetrahedra)
    is_live = found.pairs[:, 1] > 0
    np.testing.assert_array_equal(np.unique(found.pairs[is_live], axis=0), fresh.pairs)
    assert np.count_nonzero(is_live) == len(fresh.pairs)
    np.testing.assert_array_equal(found.pairs[found.pair_of_spring], fresh.pairs[fresh.pair_of_spring])
    has_pair = fresh.pairs_of_bend >= 0
    np.testing.assert_array_equal(found.pairs_of_bend >= 0, has_pair)
    np.testing.assert_array_equal(
        found.pairs[found.pairs_of_bend[has_pair]], fresh.pairs[fresh.pairs_of_bend[has_pair]]
    )
    entries = found.entries()
    np.testing.assert_array_equal(found.columns[entries], fresh.columns)
    np.testing.assert_array_equal(found.row_ends - found.row_starts, fresh.row_ends - fresh.row_starts)
    stiffness = fresh.stiffness_entries(world.springs, world.bends)
    np.testing.assert_array_equal(filtered.forces._entries[entries], stiffness)
    tensions = world.springs.stiffness * world.springs.rest_lengths
    np.testing.assert_array_equal(filtered.forces._tensions, tensions)
    bend_tensions = world.bends.stiffness * world.bends.rest_lengths
    np.testing.assert_array_equal(filtered.forces._bend_tensions, bend_tensions)
    np.testing.assert_array_equal(filtered.forces._curved, np.flatnonzero(bend_tensions))
    for step, solver in filtered.solvers.items():
        diagonal, values = fresh.step_matrix(
            world.inertia(step), world.springs, world.bends, world.anchors, world.tetrahedra, step
        )
        np.testing.assert_array_equal(solver.diagonal, diagonal)
        order = np.lexsort((found.pairs[is_live][:, 1], found.pairs[is_live][:, 0]))
        np.testing.assert_array_equal(solver.values[is_live][order], values)


def test_couplings_after_many_edits_are_those_found_anew():
    random = np.random.default_rng(3)
    simulation = supple.Simulation(supple.Scene(sheet(7).pinned("top-left", "top-right")), substeps=3)
    simulation.step()
    in_place = 0
    for n in range(150):
        try:
            random_edit(simulation, random)
        except SuppleError:
            continue
        in_place += bool(simulation.engine.world.couplings.counts[recoupling.FREE])
        while simulation.particle_count > 200:
            simulation.undo()
        if n % 5 == 0:
            simulation.step()
        assert_same_as_fresh(simulation)
    assert in_place > 20  # pairs have gone without all of them being found anew


INNER = ("find_pair", "add_entry", "meet", "sort_row")


@pytest.mark.parametrize("room", [64, 2])
def test_coupling_the_touched_gives_the_same_in_python(monkeypatch, room):
    """Four points in a row; the first two part, and the last is coupled to all others."""
    ends = np.array([[1, 2], [2, 3], [0, 3], [1, 3]], np.uint32)

    def run():
        counts = np.array([3, 0, 6])
        pairs = np.zeros((3 + room, 2), np.int64)
        pairs[:3] = [[0, 1], [1, 2], [2, 3]]
        arrays = {
            "counts": counts, "free": np.zeros(3 + room, np.int64), "pairs": pairs,
            "pair_of_spring": np.full(4, -1), "pairs_of_bend": np.zeros((0, 6), np.int64),
            "row_starts": np.array([0, 1, 3, 5], np.uint32), "row_ends": np.array([1, 3, 5, 6], np.uint32),
            "row_rooms": np.array([1, 2, 2, 1]), "columns": np.zeros(6 + 12 * room, np.uint32),
            "pair_of_entry": np.zeros(6 + 12 * room, np.int64), "is_alive": np.ones(3 + room, np.bool_),
        }  # fmt: skip
        arrays["columns"][:6] = [1, 0, 2, 1, 3, 2]
        arrays["pair_of_entry"][:6] = [0, 0, 1, 1, 2, 2]
        fits = recoupling.couple_touched(
            np.arange(4), np.ones(4, np.bool_), np.arange(4), np.zeros(0, np.int64), ends,
            np.zeros((0, 4), np.uint32), np.zeros((0, 4)),
            *arrays.values(),
        )  # fmt: skip
        return fits, arrays

    compiled = run()
    assert compiled[0]
    rows = compiled[1]
    found = {tuple(pair) for pair in rows["pairs"].tolist() if pair[1]}
    assert found == {(1, 2), (2, 3), (0, 3), (1, 3)}
    last = rows["columns"][rows["row_starts"][3] : rows["row_ends"][3]]
    assert last.tolist() == [0, 1, 2]
    for name in (*INNER, "couple_touched"):
        monkeypatch.setattr(recoupling, name, getattr(recoupling, name).py_func)
    interpreted = run()
    assert compiled[0] == interpreted[0]
    for name, array in compiled[1].items():
        np.testing.assert_array_equal(array, interpreted[1][name], name)


def test_too_little_room_is_told_and_nothing_is_lost():
    ends = np.array([[0, 1], [0, 2], [1, 2]], np.uint32)
    rows = np.zeros(3, np.uint32)
    for room, fits in ((4, False), (40, True)):
        counts = np.zeros(3, np.int64)
        found = recoupling.couple_touched(
            np.arange(3), np.ones(3, np.bool_), np.arange(3), np.zeros(0, np.int64), ends,
            np.zeros((0, 4), np.uint32), np.zeros((0, 4)), counts,
            np.zeros(8, np.int64), np.zeros((8, 2), np.int64), np.full(3, -1), np.zeros((0, 6), np.int64),
            rows.copy(), rows.copy(), np.zeros(3, np.int64), np.zeros(room, np.uint32),
            np.zeros(room, np.int64), np.ones(8, np.bool_),
        )  # fmt: skip
        assert found == fits
