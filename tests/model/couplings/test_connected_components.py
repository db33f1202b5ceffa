"""Connected components against a plain search."""

import numpy as np
import pytest

from supple.model.couplings.connected_components import (
    are_connected,
    are_in_one_component,
    label_components,
    label_triangle_components,
    union,
)


def labels_by_search(pairs, count):
    neighbours = [[] for _ in range(count)]
    for a, b in pairs:
        neighbours[a].append(b)
        neighbours[b].append(a)
    labels = np.full(count, -1)
    for first in range(count):
        waiting = [first] if labels[first] < 0 else []
        while waiting:
            point = waiting.pop()
            if labels[point] < 0:
                labels[point] = first
                waiting += neighbours[point]
    return labels


@pytest.mark.parametrize("seed", range(5))
def test_every_point_is_labelled_with_the_first_of_its_component(seed):
    chance = np.random.default_rng(seed)
    pairs = chance.integers(0, 60, (35, 2))
    np.testing.assert_array_equal(label_components(pairs, 60), labels_by_search(pairs, 60))
    triangles = chance.integers(0, 60, (14, 3))
    edges = np.concatenate([triangles[:, :2], triangles[:, 1:]])
    np.testing.assert_array_equal(label_triangle_components(triangles, 60), labels_by_search(edges, 60))


def test_triangles_are_connected_if_a_search_meets_them_all():
    chance = np.random.default_rng(8)
    found = []
    for _ in range(60):
        triangles = chance.integers(0, 30, (12, 3))
        edges = np.concatenate([triangles[:, :2], triangles[:, 1:]])
        expected = len(set(labels_by_search(edges, 30)[triangles[:, 0]].tolist())) == 1
        assert are_connected(triangles, 30) == expected
        assert are_in_one_component.py_func(triangles, np.arange(30)) == expected
        found.append(expected)
    assert {True, False} == set(found)


def test_joining_gives_in_python_what_it_gives_compiled():
    by_machine, by_hand = np.arange(9), np.arange(9)
    for a, b in ((7, 3), (8, 7), (2, 8), (5, 4), (4, 3), (1, 1)):
        union(by_machine, a, b)
        union.py_func(by_hand, a, b)
        np.testing.assert_array_equal(by_machine, by_hand)
    assert by_machine[3] == 2 and by_machine[6] == 6
