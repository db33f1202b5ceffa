"""Couplings that follow edits are those that are found anew, and matrices on them have the same bits."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple import SuppleError
from supple.model.couplings import update_couplings
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
    simulation = supple.Simulation(
        supple.Scene(sheet(7).pinned("top-left", "top-right")), substeps=3, integrator="filter"
    )
    simulation.step()
    in_place = 0
    for n in range(150):
        try:
            random_edit(simulation, random)
        except SuppleError:
            continue
        in_place += bool(simulation.engine.world.couplings.counts[update_couplings.FREE_COUNT])
        while simulation.particle_count > 200:
            simulation.undo()
        if n % 5 == 0:
            simulation.step()
        assert_same_as_fresh(simulation)
    assert in_place > 20  # pairs have gone without all of them being found anew


INNER = (
    "find_pair",
    "add_entry",
    "find_or_add_pair",
    "keep_pair",
    "sort_row",
    "couple_near_springs",
    "couple_near_bends",
    "drop_dead_pairs",
)


def without_bends(ends, pair_of_spring):
    return update_couplings.CoupledElements(
        ends, np.zeros((0, 4), np.uint32), np.zeros((0, 4)), pair_of_spring, np.zeros((0, 6), np.int64)
    )


def everything_changed(particle_count, spring_count):
    """Return all particles as changed, and all springs as near."""
    marks = update_couplings.ChangeMarks(np.arange(particle_count), np.ones(particle_count, np.bool_))
    return marks, update_couplings.NearElements(np.arange(spring_count), np.zeros(0, np.int64))


@pytest.mark.parametrize("spare", [64, 2])
def test_updating_pairs_gives_the_same_in_python(monkeypatch, spare):
    """Four points in a row; the first two are parted, and the last is coupled to all others."""
    ends = np.array([[1, 2], [2, 3], [0, 3], [1, 3]], np.uint32)

    def run():
        pairs = np.zeros((3 + spare, 2), np.int64)
        pairs[:3] = [[0, 1], [1, 2], [2, 3]]
        table = update_couplings.PairTable(
            np.array([3, 0, 6]), np.zeros(3 + spare, np.int64), pairs, np.ones(3 + spare, np.bool_)
        )
        rows = update_couplings.PairRows(
            starts=np.array([0, 1, 3, 5], np.uint32),
            ends=np.array([1, 3, 5, 6], np.uint32),
            capacities=np.array([1, 2, 2, 1]),
            columns=np.zeros(6 + 12 * spare, np.uint32),
            pair_of_entry=np.zeros(6 + 12 * spare, np.int64),
        )
        rows.columns[:6] = [1, 0, 2, 1, 3, 2]
        rows.pair_of_entry[:6] = [0, 0, 1, 1, 2, 2]
        elements = without_bends(ends, np.full(4, -1))
        fits = update_couplings.update_pairs(*everything_changed(4, 4), elements, table, rows)
        return fits, table, rows, elements

    compiled = run()
    fits, table, rows, _ = compiled
    assert fits
    assert {tuple(pair) for pair in table.pairs.tolist() if pair[1]} == {(1, 2), (2, 3), (0, 3), (1, 3)}
    assert rows.columns[rows.starts[3] : rows.ends[3]].tolist() == [0, 1, 2]
    for name in (*INNER, "update_pairs"):
        monkeypatch.setattr(update_couplings, name, getattr(update_couplings, name).py_func)
    interpreted = run()
    assert interpreted[0]
    for bundle, other in zip(compiled[1:], interpreted[1:], strict=True):
        for name, array in bundle._asdict().items():
            np.testing.assert_array_equal(array, getattr(other, name), name)


def test_too_little_capacity_is_told_and_nothing_is_lost():
    ends = np.array([[0, 1], [0, 2], [1, 2]], np.uint32)
    empty = np.zeros(3, np.uint32)
    for capacity, fits in ((4, False), (40, True)):
        table = update_couplings.PairTable(
            np.zeros(3, np.int64), np.zeros(8, np.int64), np.zeros((8, 2), np.int64), np.ones(8, np.bool_)
        )
        rows = update_couplings.PairRows(
            empty.copy(), empty.copy(), np.zeros(3, np.int64), np.zeros(capacity, np.uint32),
            np.zeros(capacity, np.int64),
        )  # fmt: skip
        elements = without_bends(ends, np.full(3, -1))
        assert update_couplings.update_pairs(*everything_changed(3, 3), elements, table, rows) == fits
