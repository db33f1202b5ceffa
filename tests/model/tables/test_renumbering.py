"""Rows that change places are the same rows."""

import numpy as np

import supple
from supple.model.tables.renumbering import Renumbering, RowMover, Runs, places_of
from tests.edit.judge import sheet


def test_rows_stand_where_the_order_says():
    random = np.random.default_rng(0)
    mover = RowMover()
    for array in (random.normal(size=(50, 3)), np.arange(50, dtype=np.uint32), random.random(50) < 0.5):
        order = random.permutation(50)
        expected = array[order]
        mover.rearrange(array, Runs(order))
        np.testing.assert_array_equal(array, expected)
        mover.rearrange(array, Runs(places_of(order)))
        np.testing.assert_array_equal(array[order], expected)


def test_rows_that_stay_together_are_copied_together_and_those_that_stay_are_left_alone():
    order = np.array([0, 1, 5, 6, 7, 2, 3, 4, 8, 9])
    runs = Runs(order)
    assert runs.starts.tolist() == [2, 5, 8]
    assert len(Runs(np.arange(10)).starts) == 1
    for array in (np.arange(10.0), np.arange(20, dtype=np.uint32).reshape(10, 2), np.arange(10) % 2 == 0):
        expected = array[order]
        RowMover().rearrange(array, runs)
        np.testing.assert_array_equal(array, expected)


def test_a_world_renumbered_at_random_has_the_same_springs_masses_and_couplings():
    simulation = supple.Simulation(supple.Scene(sheet(6).pinned("top").anchored("bottom", stiffness=3.0)))
    world, random = simulation.engine.world, np.random.default_rng(1)
    world.couplings.component_labels  # noqa: B018 - known before, it has to follow

    def described():
        places = world.particles.rest_positions
        springs = [tuple(sorted(map(tuple, places[ends].tolist()))) for ends in world.springs.ends]
        pairs = [tuple(sorted(map(tuple, places[pair].tolist()))) for pair in world.couplings.pairs]
        rows = sorted(zip(map(tuple, places.tolist()), world.particles.masses.tolist(), strict=True))
        anchors = sorted(map(tuple, places[world.anchors.points].tolist()))
        lengths = sorted(zip(springs, world.springs.rest_lengths.tolist(), strict=True))
        return lengths, pairs, rows, anchors

    before, rest, masses = described(), world.particles.rest_positions, world.particles.masses
    kept = rest.copy(), masses.copy()
    counts = world.particles.count, world.springs.count, world.bends.count
    world.renumber(Renumbering(*(random.permutation(count) for count in counts)))
    assert described() == before  # pairs in the same order: they keep their numbers
    np.testing.assert_array_equal(rest, kept[0])  # which snapshots may share
    np.testing.assert_array_equal(masses, kept[1])
    found = world.couplings
    numbered, labels = found.pairs.copy(), found.component_labels.copy()
    ends = np.sort(world.springs.ends.astype(np.int64), axis=1)
    np.testing.assert_array_equal(numbered[found.pair_of_spring], ends)
    columns = found.columns[found.entries()].copy()
    world.recouple()
    np.testing.assert_array_equal(columns, world.couplings.columns)
    np.testing.assert_array_equal(labels, world.couplings.component_labels)
