"""Finding pairs: nothing that is near is left out, whatever is skipped on the way."""

import ipctk
import numpy as np
import pytest

from supple.collide.broad_phase.bvh import STACK, Surface, build_bvh, find_leaf_pairs, refit
from supple.collide.broad_phase.pair_selection import BINS, sort_pairs
from supple.collide.broad_phase.pair_table import PairTable
from supple.collide.broad_phase.primitive_pairs import PairQuery, list_pairs, make_batches
from supple.collide.broad_phase.self_collision_culling import OneRingCulling
from supple.scene.cloth_shapes.grid import grid_triangles
from tests.physics.bodies import irregular_mesh

ROOTS = np.zeros((1, 2), dtype=np.int32)


def crumpled(columns, rows, seed, size=0.02):
    """Return the points of a sheet that is rolled up and shaken, cells of about `size` [m]."""
    rng = np.random.default_rng(seed)
    u, v = np.meshgrid(np.arange(columns) * size, np.arange(rows) * size)
    radius = 0.02 + 0.004 * u / size / 3.0
    x = np.stack([radius * np.cos(u / 0.025), radius * np.sin(u / 0.025), v], axis=-1).reshape(-1, 3)
    return x + 0.002 * rng.standard_normal(x.shape)


def spread_out(columns, rows, size=0.02):
    """Return the points of a flat sheet, cells of `size` [m]."""
    u, v = np.meshgrid(np.arange(columns) * size, np.arange(rows) * size)
    return np.stack([u, v, 0.0 * u], axis=-1).reshape(-1, 3)


def find(tree, rest, x0, x1, reach):
    """Return the pairs that the engine lists, as a set of sorted tuples, and their gaps, and which one-rings are flat."""
    boxes = np.zeros((len(tree.children), 6), dtype=np.float32)
    refit(x0, x1, tree.children, tree.corners, 0.5 * reach, boxes)
    culling = OneRingCulling(rest, tree)
    culling.find_flat(x0, x1, reach)
    leaf_pairs = np.zeros((200_000, 2), dtype=np.int32)
    stack = np.zeros((STACK, 2), dtype=np.int32)
    count = find_leaf_pairs(
        ROOTS, tree.children, boxes, tree.corners, culling.is_flat, stack, leaf_pairs
    )  # fmt: skip
    assert 0 <= count <= len(leaf_pairs)
    table = PairTable(400_000)
    query = PairQuery(x0, x1, reach, reach, np.zeros(len(x0), dtype=np.int8), 0)
    batches = make_batches(len(x0), len(tree.corners))
    table.count = list_pairs(query, tree, leaf_pairs[:count], batches, table.arrays)
    assert table.count <= table.capacity
    found, listed = table.used, {}
    for pair, flag, gap in zip(found.points.tolist(), found.is_edges.tolist(), found.gaps, strict=True):
        key = name_of(flag, pair)
        assert key not in listed, "listed twice"
        listed[key] = gap
    return listed, culling.is_flat


def name_of(is_edges, pair):
    if is_edges:
        return (True, *sorted([tuple(sorted(pair[:2])), tuple(sorted(pair[2:]))]))
    return (False, pair[0], tuple(sorted(pair[1:])))


def boxes_near(low_a, high_a, low_b, high_b, reach):
    """Return (a, b) indices of all boxes that are at most `reach` apart along every axis."""
    apart = np.maximum(low_a[:, None] - high_b[None], low_b[None] - high_a[:, None])
    return np.argwhere((apart <= reach).all(axis=2)).tolist()


def near_by_hand(tree, x0, x1, reach):
    """Return every pair that comes within `reach` at one of a few moments, by trying all."""
    near = {}
    triangles, edges = tree.triangles.tolist(), tree.edges.tolist()
    for t in np.linspace(0.0, 1.0, 4):
        x = x0 + t * (x1 - x0)
        faces, lines = x[tree.triangles], x[tree.edges]
        tests = [
            (name_of(False, [i, *triangles[f]]), ipctk.point_triangle_distance, (x[i], *faces[f]))
            for i, f in boxes_near(x, x, faces.min(axis=1), faces.max(axis=1), reach)
            if i not in triangles[f]
        ] + [
            (name_of(True, [*edges[a], *edges[b]]), ipctk.edge_edge_distance, (*lines[a], *lines[b]))
            for a, b in boxes_near(*(lines.min(axis=1), lines.max(axis=1)) * 2, reach)
            if a < b and not set(edges[a]) & set(edges[b])
        ]
        for pair, distance, points in tests:
            d = np.sqrt(distance(*points))
            if d < reach:
                near[pair] = min(near.get(pair, np.inf), d)
    return near


@pytest.mark.parametrize("is_grid", [True, False], ids=["grid", "mesh"])
def test_every_near_pair_is_listed_once_with_a_gap_that_it_keeps(is_grid):
    columns, rows, reach = 20, 5, 0.006
    triangles = grid_triangles(columns, rows)
    x0 = crumpled(columns, rows, seed=1)
    x1 = x0 + np.array([0.3, 0.0, 0.0]) + 0.003 * np.random.default_rng(2).standard_normal(x0.shape)
    tree = build_bvh([Surface(triangles, is_grid)], x0)
    listed, is_flat = find(tree, spread_out(columns, rows), x0, x1, reach)
    near = near_by_hand(tree, x0, x1, reach)
    assert is_flat.any()
    assert len(near) > 100
    assert set(near) <= set(listed)
    assert all(listed[pair] <= near[pair] + 1e-12 for pair in near)


def test_a_flat_sheet_has_no_pairs_and_a_folded_one_has():
    columns = rows = 12
    triangles = grid_triangles(columns, rows)
    flat = spread_out(columns, rows)
    u, v = flat[:, 0], flat[:, 1]
    tree = build_bvh([Surface(triangles, is_grid=True)], flat)
    listed, is_flat = find(tree, flat, flat, flat, 0.005)
    assert not listed
    assert is_flat.all()
    folded = np.stack([np.minimum(u, 0.22 - u), v, 0.003 * (u > 0.11)], axis=-1)
    listed, is_flat = find(tree, flat, folded, folded, 0.005)
    assert len(listed) > 100
    assert not is_flat.reshape(rows, columns)[:, 5:7].any()  # where it is folded


def test_flat_far_apart_and_moving_fast_together_is_still_flat():
    columns = rows = 6
    rest = spread_out(columns, rows)
    tree = build_bvh([Surface(grid_triangles(columns, rows), is_grid=True)], rest)
    assert not find(tree, rest, rest + 1e3, rest + 1e3 + 5.0, 0.005)[0]


def test_every_point_edge_and_triangle_belongs_to_one_leaf():
    vertices, triangles = irregular_mesh(points=6)
    tree = build_bvh([Surface(triangles)], vertices)
    points = [tree.corners[n, k] for n, own in enumerate(tree.leaf_points) for k in own if k >= 0]
    assert sorted(points) == list(range(len(vertices)))
    edges = [
        tuple(sorted(tree.corners[n, own]))
        for n in range(len(tree.corners))
        for own in tree.leaf_edges[n]
        if own[0] >= 0
    ]
    assert sorted(edges) == sorted(map(tuple, tree.edges.tolist()))
    faces = [
        tuple(sorted(tree.corners[n, own]))
        for n in range(len(tree.corners))
        for own in tree.leaf_triangles[n]
        if own[0] >= 0
    ]
    assert sorted(faces) == sorted(tuple(sorted(t)) for t in triangles.tolist())


def test_pairs_are_sorted_by_their_gap():
    rng = np.random.default_rng(0)
    count, reach = 500, 0.01
    pairs, out = PairTable(count), PairTable(count)
    pairs.gaps[:] = rng.uniform(0.0, reach, count)
    pairs.points[:] = np.arange(4 * count).reshape(count, 4)
    pairs.is_edges[:] = rng.random(count) < 0.5
    ends = np.zeros(BINS, dtype=np.int64)
    sort_pairs(count, pairs.arrays, reach, ends, out.arrays)
    assert ends[-1] == count
    assert (np.diff(out.gaps) > -reach / BINS).all()
    for n in range(BINS):
        assert (out.gaps[: ends[n]] <= (n + 1) * reach / BINS).all()
    order = out.points[:, 0] // 4
    np.testing.assert_array_equal(out.gaps, pairs.gaps[order])
    np.testing.assert_array_equal(out.is_edges, pairs.is_edges[order])
