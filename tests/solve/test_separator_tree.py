"""The elimination order is a tree, and its borders are the fill-in."""

from __future__ import annotations

import numpy as np
import pytest

from supple.solve import separator_tree
from supple.solve.separator_tree import SeparatorTree, cutting_coordinates

KERNEL = ["compiled", "python"]


def run_as(name, way):
    function = getattr(separator_tree, name)
    return function if way == "compiled" else function.py_func


def owners(tree):
    return np.repeat(np.arange(tree.node_count), np.diff(tree.own_start))


def test_every_point_is_eliminated_once(body):
    tree = SeparatorTree.build(body.coordinates, body.pairs)
    assert sorted(tree.order) == list(range(len(body.coordinates)))
    assert tree.own_start[0] == 0
    assert tree.own_start[-1] == len(body.coordinates)
    assert (np.diff(tree.own_start) >= 0).all()


def test_parents_come_after_their_children(body):
    tree = SeparatorTree.build(body.coordinates, body.pairs)
    assert tree.parent[-1] == -1
    assert (tree.parent[:-1] > np.arange(tree.node_count - 1)).all()
    listed = []
    for node in range(tree.node_count):
        child = tree.first_child[node]
        while child >= 0:
            assert tree.parent[child] == node
            listed.append(child)
            child = tree.next_sibling[child]
    assert sorted(listed) == list(range(tree.node_count - 1))


def test_borders_are_what_elimination_couples(body):
    tree = SeparatorTree.build(body.coordinates, body.pairs)
    place = np.argsort(tree.order)
    owner = owners(tree)
    coupled = [set() for _ in place]
    for i, j in place[body.pairs]:
        coupled[min(i, j)].add(max(i, j))
    for node in range(tree.node_count):
        own = range(tree.own_start[node], tree.own_start[node + 1])
        reached = set().union(*(coupled[k] for k in own)) if len(own) else set()
        child = tree.first_child[node]
        while child >= 0:
            reached |= set(tree.border[tree.border_start[child] : tree.border_start[child + 1]].tolist())
            child = tree.next_sibling[child]
        expected = sorted(k for k in reached if k >= tree.own_start[node + 1])
        assert tree.border[tree.border_start[node] : tree.border_start[node + 1]].tolist() == expected
        above = node
        for k in expected:  # ascending, so the way up passes the owners in turn
            while above != owner[k]:
                above = tree.parent[above]
                assert above >= 0


def test_factor_of_a_sheet_stays_sparse(bodies):
    sheet = bodies["sheet"](48, 48)
    tree = SeparatorTree.build(sheet.coordinates, sheet.pairs)
    assert tree.factor_entries < 0.6 * 48**2 * 96  # row by row: a band two rows wide
    assert tree.factor_entries < 55 * 48**2
    assert np.diff(tree.own_start).max() <= 2 * 48


def test_tree_of_a_turned_sheet_is_as_good(bodies):
    sheet = bodies["sheet"](30, 30)
    turn = np.linalg.qr(np.random.default_rng(5).standard_normal((3, 3)))[0]
    straight = SeparatorTree.build(sheet.coordinates, sheet.pairs).factor_entries
    turned = SeparatorTree.build(sheet.coordinates @ turn.T, sheet.pairs).factor_entries
    assert turned < 1.05 * straight


def test_same_points_give_the_same_tree(body):
    a = SeparatorTree.build(body.coordinates, body.pairs)
    b = SeparatorTree.build(body.coordinates.copy(), body.pairs.copy())
    assert np.array_equal(a.order, b.order)
    assert np.array_equal(a.border, b.border)


def test_leaves_hold_no_more_points_than_asked(bodies):
    sheet = bodies["sheet"](20, 20)
    tree = SeparatorTree.build(sheet.coordinates, sheet.pairs, leaf_size=6)
    is_leaf = tree.first_child < 0
    assert np.diff(tree.own_start)[is_leaf].max() <= 6


def test_long_range_network_of_thousands_is_ordered(bodies):
    network = bodies["network"](3000, 6000, seed=1)
    tree = SeparatorTree.build(network.coordinates, network.pairs)
    assert sorted(tree.order) == list(range(3000))


def test_cutting_axes_slant_across_a_square_sheet(bodies):
    sheet = bodies["sheet"](10, 10)
    across = cutting_coordinates(sheet.coordinates, sheet.pairs)
    assert np.allclose(
        np.linalg.norm(across, axis=0), np.linalg.norm(sheet.coordinates - sheet.coordinates.mean(0), axis=1)
    )
    assert np.abs(across[2]).max() < 1e-12
    step = across[:, 1] - across[:, 0]
    assert abs(step[0]) / np.linalg.norm(step) == pytest.approx(np.cos(np.radians(37.0)))


@pytest.mark.parametrize("way", KERNEL)
def test_select_rank_puts_the_smaller_half_first(way):
    generator = np.random.default_rng(2)
    keys = generator.integers(0, 5, 41).astype(np.float64)
    points = generator.permutation(41)
    run_as("select_rank", way)(keys, points, 0, 41, 20)
    expected = np.lexsort([np.arange(41), keys])
    assert sorted(points[:20]) == sorted(expected[:20])
    assert points[20] == expected[20]


@pytest.mark.parametrize("way", KERNEL)
@pytest.mark.parametrize("count", [0, 1, 2, 50])
def test_sort_ascending_sorts(way, count):
    values = np.random.default_rng(count).integers(0, 30, count)
    expected = np.sort(values)
    run_as("sort_ascending", way)(values)
    assert np.array_equal(values, expected)


@pytest.mark.parametrize("way", KERNEL)
def test_group_by_label_orders_halves_before_separator(way):
    labels = np.array([7, 9, 8, 7, 9, 8, 8, 7])
    points = np.arange(8)
    bounds = run_as("group_by_label", way)(points, 7, labels)
    assert bounds == (3, 6)
    assert labels[points].tolist() == [7, 7, 7, 8, 8, 8, 9, 9]


@pytest.mark.parametrize("way", KERNEL)
def test_label_separator_takes_the_smaller_side(way):
    # Points 0, 1 | 2, 3, 4: point 1 touches three points of the second half.
    pairs = np.array([[0, 1], [1, 2], [1, 3], [1, 4]])
    start, neighbours, labels = np.empty(6, np.int64), np.empty(8, np.int64), np.full(5, -1)
    run_as("build_adjacency", way)(pairs, start, neighbours)
    assert start.tolist() == [0, 1, 5, 6, 7, 8]
    run_as("label_separator", way)(np.arange(5), 2, 0, start, neighbours, labels)
    assert labels.tolist() == [0, 2, 1, 1, 1]
    labels[:] = -1
    run_as("label_separator", way)(np.arange(4, -1, -1), 3, 0, start, neighbours, labels)
    assert labels.tolist() == [1, 2, 0, 0, 0]


@pytest.mark.parametrize("way", KERNEL)
def test_longest_axis_is_found(way):
    coordinates = np.array([[0.0, 1.0, 0.0], [0.0, 3.0, 1.0], [5.0, 5.0, -9.0]])
    assert run_as("longest_axis", way)(coordinates, np.array([0, 1])) == 1
    assert run_as("longest_axis", way)(coordinates, np.array([0, 1, 2])) == 2


def test_whole_construction_runs_as_python(bodies, monkeypatch):
    sheet = bodies["sheet"](9, 6)
    compiled = SeparatorTree.build(sheet.coordinates, sheet.pairs)
    for name in ("build_adjacency", "cut_in_halves", "collect_borders"):
        monkeypatch.setattr(separator_tree, name, getattr(separator_tree, name).py_func)
    python = SeparatorTree.build(sheet.coordinates, sheet.pairs)
    assert np.array_equal(python.order, compiled.order)
    assert np.array_equal(python.border, compiled.border)
