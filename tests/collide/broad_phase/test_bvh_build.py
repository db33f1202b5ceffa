"""Construction of a bounding-volume hierarchy, compiled and in Python."""

from __future__ import annotations

import numpy as np
import pytest

from supple.collide.broad_phase import bvh, bvh_build
from supple.collide.broad_phase.bvh import Surface, build_bvh, nodes_over
from supple.model.builders import mesh_edges
from supple.model.builders.mesh import triangle_edges
from supple.scene.cloth_shapes.grid import grid_triangles


@pytest.mark.parametrize("count", [1, 2, 7, 100, 257])
def test_the_first_half_comes_before_the_second_by_the_first_axis_that_tells(count):
    centres = np.random.default_rng(count).integers(0, 4, (count, 3)).astype(np.float64)
    axes, members = np.array([2, 0, -1], np.int8), np.arange(count)
    expected = np.lexsort((members, centres[:, 0], centres[:, 2]))
    bvh_build.put_first_half_first(centres, axes, count // 2, centres[:, 2].copy(), members)
    assert sorted(members[: count // 2]) == sorted(expected[: count // 2])


def test_every_leaf_has_one_node_and_halves_are_apart_along_the_longest_side():
    centres = np.random.default_rng(2).standard_normal((37, 3)) * (3.0, 1.0, 1.0)
    nodes = nodes_over(centres, 100, 5)
    is_leaf = nodes[:, 0] < 0
    assert sorted(nodes[is_leaf, 1]) == list(range(100, 137))
    assert sorted(nodes[~is_leaf].ravel()) == list(range(6, 5 + len(nodes)))

    def below(node):
        first, second = nodes[node - 5]
        return {second - 100} if first < 0 else below(first) | below(second)

    left, right = (sorted(below(child)) for child in nodes[0])
    assert len(left) == 18 and centres[left, 0].max() <= centres[right, 0].min()


def test_edges_are_those_that_sorting_all_sides_finds():
    triangles = np.random.default_rng(3).permutation(grid_triangles(9, 7))
    for quick, plain in zip(mesh_edges.numbered_edges(triangles), triangle_edges(triangles), strict=True):
        np.testing.assert_array_equal(quick, plain)


def test_every_point_and_edge_belongs_to_one_leaf():
    triangles = grid_triangles(6, 5)
    positions = np.random.default_rng(4).standard_normal((30, 3))
    tree = build_bvh([Surface(triangles)], positions)
    owned = np.take_along_axis(tree.corners, np.maximum(tree.leaf_points, 0), axis=1)[tree.leaf_points >= 0]
    assert sorted(owned) == list(range(30))
    pairs = [
        tuple(sorted(corners[edge]))
        for corners, edges in zip(tree.corners, tree.leaf_edges, strict=True)
        for edge in edges
        if edge[0] >= 0
    ]
    assert sorted(pairs) == sorted(map(tuple, tree.edges))


def test_a_tree_over_nothing_is_empty():
    tree = build_bvh([], np.zeros((0, 3)))
    assert len(tree.children) == len(tree.corners) == 0


KERNELS = (
    "comes_before", "put_first_half_first", "longest_side", "halve_leaves", "match_triangles", "assign_owners",
    "number_corners", "join_corners", "number_item_corners",
)  # fmt: skip


def test_kernels_do_the_same_as_python(monkeypatch: pytest.MonkeyPatch):
    triangles = np.random.default_rng(5).permutation(grid_triangles(7, 6))
    positions = np.random.default_rng(6).standard_normal((42, 3))
    compiled = build_bvh([Surface(triangles)], positions)
    for name in KERNELS:
        python = getattr(bvh_build, name).py_func
        monkeypatch.setattr(bvh_build, name, python)
        monkeypatch.setattr(bvh, name, python, raising=False)
    monkeypatch.setattr(mesh_edges, "number_edges", mesh_edges.number_edges.py_func)
    python = build_bvh([Surface(triangles)], positions)
    for name, array in compiled._asdict().items():
        assert np.array_equal(array, getattr(python, name)), name
