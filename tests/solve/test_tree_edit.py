"""An elimination order that follows edits stays one, and the factor equals a fresh one."""

from __future__ import annotations

import numpy as np
import pytest

from supple.errors import StateError
from supple.solve import tree_edit, tree_factor
from supple.solve.elimination_order import EliminationOrder
from supple.solve.tree_factor import TreeFactor


def grid(size, seed=0):
    """Return coordinates, pairs, diagonal and values of a sheet of springs."""
    index = np.arange(size * size).reshape(size, size)
    pairs = np.concatenate(
        [np.stack([a.ravel(), b.ravel()], axis=1) for a, b in (
            (index[:, :-1], index[:, 1:]), (index[:-1], index[1:]), (index[:-1, :-1], index[1:, 1:])
        )]
    )  # fmt: skip
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    x, y = np.meshgrid(np.arange(size), np.arange(size))
    coordinates = np.stack([x.ravel(), y.ravel(), np.zeros(size * size)], axis=1).astype(float)
    return coordinates, pairs


def matrix(count, pairs, seed=0):
    random = np.random.default_rng(seed)
    values = -random.uniform(0.5, 2.0, len(pairs))
    diagonal = np.ones(count)
    np.subtract.at(diagonal, pairs[:, 0], values)
    np.subtract.at(diagonal, pairs[:, 1], values)
    return diagonal, values, random.random(count) < 0.02


def edited(size, seed):
    """Return a sheet after random points were dropped, added and coupled across, and what it takes to follow."""
    random = np.random.default_rng(seed)
    coordinates, pairs = grid(size)
    count = len(coordinates)
    is_kept = random.random(count) > 0.03
    new_of = np.where(is_kept, np.cumsum(is_kept) - 1, -1)
    kept = new_of[pairs]
    kept = kept[(kept >= 0).all(axis=1)]
    old_count = int(is_kept.sum())
    more = [(int(random.integers(old_count)), old_count + n) for n in range(5)]
    more += [(int(random.integers(old_count)), old_count + n) for n in range(5)]
    more += [tuple(random.choice(old_count, 2, replace=False).tolist()) for _ in range(6)]
    new_pairs = np.unique(np.sort(np.concatenate([kept, np.array(more)]), axis=1), axis=0)
    new_count = old_count + 5
    gone = np.flatnonzero(~is_kept)
    beside = new_of[np.unique(pairs[np.isin(pairs, gone).any(axis=1)])]
    touched = np.unique(np.concatenate([beside[beside >= 0], np.array(more).ravel()]))
    points = np.concatenate([coordinates[is_kept], random.uniform(0, size, (5, 3))])
    return coordinates, pairs, points, new_pairs, new_of, touched, new_count


def followed(coordinates, pairs, new_pairs, new_of, touched, count):
    """Return a factor that has followed an edit; its numbers are any."""
    factor = TreeFactor(coordinates, pairs)
    factor.factor(*matrix(len(coordinates), pairs))
    factor.reshape(new_of, new_pairs, touched, *matrix(count, new_pairs))
    return factor


@pytest.mark.parametrize("seed", range(6))
def test_a_factor_that_follows_equals_a_fresh_one(seed):
    coordinates, pairs, points, new_pairs, new_of, touched, count = edited(18, seed)
    factor = TreeFactor(coordinates, pairs)
    factor.factor(*matrix(len(coordinates), pairs, seed))
    diagonal, values, is_fixed = matrix(count, new_pairs, seed)
    # Entries that no edit touches are what they were.
    old_diagonal, old_values, old_fixed = matrix(len(coordinates), pairs, seed)
    is_touched = np.zeros(count, bool)
    is_touched[touched] = True
    was = np.full(count, -1)
    was[new_of[new_of >= 0]] = np.flatnonzero(new_of >= 0)
    lookup = {tuple(pair): value for pair, value in zip(pairs.tolist(), old_values.tolist(), strict=True)}
    for k, (a, b) in enumerate(new_pairs.tolist()):
        if not (is_touched[a] and is_touched[b]):
            values[k] = lookup[tuple(sorted((int(was[a]), int(was[b]))))]
    diagonal = np.where(is_touched, 50.0, old_diagonal[was])
    is_fixed = np.where(is_touched, False, old_fixed[was])
    factor.reshape(new_of, new_pairs, touched, diagonal, values, is_fixed)
    right_side = np.random.default_rng(seed).normal(size=(count, 3))
    found, expected, same = right_side.copy(), right_side.copy(), right_side.copy()
    factor.solve(found)
    fresh = TreeFactor(points, new_pairs)
    fresh.factor(diagonal, values, is_fixed)
    fresh.solve(expected)
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-10 * np.abs(expected).max())
    again = TreeFactor(points, new_pairs, tree=EliminationOrder.of(factor).tree(new_pairs))
    again.factor(diagonal, values, is_fixed)
    again.solve(same)
    np.testing.assert_array_equal(found, same)


@pytest.mark.parametrize("seed", range(3))
def test_coupled_points_stay_above_or_below_each_other(seed):
    coordinates, pairs, _, new_pairs, new_of, touched, count = edited(18, seed)
    order = EliminationOrder.of(followed(coordinates, pairs, new_pairs, new_of, touched, count))
    assert order.is_sound(count, new_pairs)
    assert (order.order < 0).any()  # points that are gone have left gaps


@pytest.mark.parametrize("seed", range(3))
def test_points_come_and_go_without_moving_others(seed):
    """Only what an edit concerns gets another row, unless a node is full."""
    coordinates, pairs, _, new_pairs, new_of, touched, count = edited(18, seed)
    before = TreeFactor(coordinates, pairs)
    after = followed(coordinates, pairs, new_pairs, new_of, touched, count)
    np.testing.assert_array_equal(before.rows.starts, after.rows.starts)
    kept = np.flatnonzero(new_of >= 0)
    is_same = after.rows.row_of[new_of[kept]] == before.rows.row_of[kept]
    assert set(new_of[kept[~is_same]].tolist()) <= set(touched.tolist())
    assert is_same.mean() > 0.9


def test_a_node_that_is_full_gets_more_rows():
    """Forty points that all hang on one leaf do not fit into its rows."""
    coordinates, pairs = grid(12)
    count = len(coordinates)
    new = np.arange(count, count + 40)
    new_pairs = np.concatenate([pairs, np.stack([np.zeros(40, int), new], axis=1)])
    new_pairs = new_pairs[np.lexsort((new_pairs[:, 1], new_pairs[:, 0]))]
    factor = followed(coordinates, pairs, new_pairs, np.arange(count), np.append(0, new), count + 40)
    again = TreeFactor(np.zeros((count + 40, 3)), new_pairs, tree=EliminationOrder.of(factor).tree(new_pairs))
    again.factor(*matrix(count + 40, new_pairs))
    right_side = np.random.default_rng(0).normal(size=(count + 40, 3))
    found, same = right_side.copy(), right_side.copy()
    factor.factor(*matrix(count + 40, new_pairs))
    factor.solve(found)
    again.solve(same)
    np.testing.assert_array_equal(found, same)


def test_blocks_that_outgrow_their_memory_take_what_others_have_left():
    """Points across the sheet are coupled one after the other, and every time the blocks up to the root grow."""
    coordinates, pairs = grid(24)
    count, random = len(coordinates), np.random.default_rng(3)
    factor = TreeFactor(coordinates, pairs)
    factor.factor(*matrix(count, pairs))
    for _ in range(60):
        across = np.sort(random.choice(count, (4, 2), replace=False), axis=1)
        pairs = np.unique(np.concatenate([pairs, across]), axis=0)
        diagonal, _, is_fixed = matrix(count, pairs)
        values = np.full(len(pairs), -1.0)
        factor.reshape(np.arange(count), pairs, np.arange(count), diagonal + 50.0, values, is_fixed)
    again = TreeFactor(coordinates, pairs, tree=EliminationOrder.of(factor).tree(pairs))
    again.factor(diagonal + 50.0, values, is_fixed)
    assert again.pool_rows < factor.pool_rows < 2.5 * again.pool_rows
    right_side = random.normal(size=(count, 3))
    found, same = right_side.copy(), right_side.copy()
    factor.solve(found)
    again.solve(same)
    np.testing.assert_array_equal(found, same)


KERNELS = (
    "first_descendants", "lowest_common_ancestor", "mark_ancestors", "renumber_points", "assign_nodes", "lift_points",
    "assign_rows", "trim_gaps", "mark_points", "merge", "collect_border", "collect_dirty_borders", "relate_borders",
)  # fmt: skip


def test_kernels_do_the_same_as_python(monkeypatch):
    coordinates, pairs, _, new_pairs, new_of, touched, count = edited(10, 1)
    compiled = followed(coordinates, pairs, new_pairs, new_of, touched, count)
    for name in KERNELS:
        python = getattr(tree_edit, name).py_func
        monkeypatch.setattr(tree_edit, name, python)
        monkeypatch.setattr(tree_factor, name, python, raising=False)
    interpreted = followed(coordinates, pairs, new_pairs, new_of, touched, count)
    for name in ("rows", "borders", "fronts"):
        for one, other in zip(getattr(compiled, name), getattr(interpreted, name), strict=True):
            np.testing.assert_array_equal(one, other, name)


def test_orders_that_make_no_sense_are_refused():
    coordinates, pairs = grid(6)
    order = EliminationOrder.of(TreeFactor(coordinates, pairs))
    assert EliminationOrder.of_arrays(order.arrays(), 36, pairs).is_sound(36, pairs)
    for name, place, value in (
        ("order", 0, 99),
        ("own_start", 1, -3),
        ("parent", 0, 0),
        ("fresh_entries", 0, -1.0),
    ):
        arrays = {key: array.copy() for key, array in order.arrays().items()}
        arrays[name][place] = value
        with pytest.raises(StateError):
            EliminationOrder.of_arrays(arrays, 36, pairs)
