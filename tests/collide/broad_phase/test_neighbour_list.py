"""The neighbour list: nothing near is missing from it while points leave the paths that it was made for."""

import numpy as np

from supple.collide.broad_phase.bvh import Surface, build_bvh
from supple.collide.broad_phase.expected_paths import CHANGED
from supple.collide.broad_phase.neighbour_list import NeighbourList
from supple.collide.broad_phase.pair_table import PairTable
from supple.collide.broad_phase.swept_boxes import overlap, sweep_leaves, sweep_points
from supple.collide.narrow_phase.pair_geometry import pair_vectors
from supple.collide.narrow_phase.primitive_distance import meet_inside
from supple.collide.self_contact.ccd_guard import mark_points
from supple.scene.cloth_shapes.grid import grid_triangles
from tests.collide.broad_phase.test_primitive_pairs import ROOTS, crumpled, name_of, near_by_hand, spread_out

STEP = 0.002

NO_CONTACTS = PairTable(1)

TOUCH, EDGE_TOUCH = 0.004, 0.003


def layers(seed=3):
    """Return a tree over a rolled-up sheet, its list, its points, and a velocity of each, (n, 3) [m/s]."""
    columns, rows = 16, 5
    points = crumpled(columns, rows, seed)
    tree = build_bvh([Surface(grid_triangles(columns, rows), is_grid=True)], points)
    near = NeighbourList(tree, ROOTS, spread_out(columns, rows))
    near.tune(TOUCH, EDGE_TOUCH)
    return tree, near, points, 0.05 * np.random.default_rng(seed).standard_normal(points.shape)


def test_nothing_that_is_near_is_missing_while_points_leave_their_paths():
    """Points turn off their paths, some sooner than others: what is picked holds all that is as close as asked for."""
    tree, near, here, velocities = layers()
    push, seen = 2.0 * np.random.default_rng(5).standard_normal(here.shape), 0
    contacts = NO_CONTACTS
    for _ in range(20):
        velocities = velocities + STEP * push
        there = here + STEP * velocities
        near.follow(here, there, velocities, STEP, contacts)
        count = near.pick(EDGE_TOUCH, EDGE_TOUCH)
        near.marks[:] = CHANGED
        if mark_points(there, near.deviations, near.skin, np.zeros_like(there), near.marks):
            count = near.add_outside(here, there, EDGE_TOUCH, count)
        picked = near.picked[:count]
        listed = {
            name_of(bool(flag), pair.tolist())
            for flag, pair in zip(near.pairs.is_edges[picked], near.pairs.points[picked], strict=True)
        }
        close = near_by_hand(tree, here, there, EDGE_TOUCH)
        assert set(close) <= listed
        seen += len(close)
        here = there
    assert seen > 900
    assert near.rebuilds + near.redirections > 2
    assert near.outside_searches > 0


def test_contacts_are_looked_for_at_edges_that_meet_inside_and_where_there_is_one_already():
    _, near, here, velocities = layers()
    there = here + STEP * velocities
    near.follow(here, there, velocities, STEP, NO_CONTACTS)
    pairs = near.pairs
    all_near = near.picked[: near.pick(TOUCH, TOUCH)].copy()
    meets = np.array(
        [
            not is_edge_pair or meet_inside(*pair_vectors(here, True, *pair.tolist()))
            for is_edge_pair, pair in zip(pairs.is_edges[all_near], pairs.points[all_near], strict=True)
        ]
    )
    assert 0 < np.count_nonzero(~meets) < len(meets)
    kept = all_near[~meets][:3]
    pairs.contacts[kept] = np.arange(len(kept))
    picked = near.picked[: near.pick(TOUCH, TOUCH, starts=here)]
    expected = np.union1d(all_near[meets], kept)
    assert set(expected.tolist()) <= set(picked.tolist())
    assert not set(all_near[~meets][3:].tolist()) & set(picked.tolist())


def test_boxes_of_leaves_hold_the_boxes_of_their_points():
    tree, _, points, velocities = layers()
    boxes = np.zeros((len(points), 6), dtype=np.float32)
    sweep_points(points, points + 0.01 * velocities, 0.003, boxes)
    leaf_count = len(tree.corners)
    found = [np.zeros((leaf_count, count, 6), dtype=np.float32) for count in (2, 5)]
    sweep_leaves(boxes, tree.corners, tree.leaf_triangles, tree.leaf_edges, *found)
    again = [np.zeros_like(array) for array in found]
    sweep_leaves.py_func(boxes, tree.corners, tree.leaf_triangles, tree.leaf_edges, *again)
    for own, swept, other in zip((tree.leaf_triangles, tree.leaf_edges), found, again, strict=True):
        np.testing.assert_array_equal(swept, other)
        leaf, number = np.nonzero(own[..., 0] >= 0)
        held = boxes[tree.corners[leaf[:, None], own[leaf, number]]]
        np.testing.assert_array_equal(swept[leaf, number, :3], held[..., :3].min(axis=1))
        np.testing.assert_array_equal(swept[leaf, number, 3:], held[..., 3:].max(axis=1))


def test_boxes_overlap_unless_an_axis_tells_them_apart_and_where_a_number_is_missing():
    box = (0.0, 0.0, 0.0, 1.0, 1.0, 1.0)
    for axis in range(3):
        for shift, is_near in ((0.0, True), (1.0, True), (1.1, False), (-1.0, True), (-1.1, False)):
            other = np.array([box], dtype=np.float32)
            other[0, [axis, axis + 3]] += np.float32(shift)
            assert bool(overlap(box, other, 0)) is bool(overlap.py_func(box, other, 0)) is is_near
        other[0, [axis, axis + 3]] = np.nan
        assert overlap(box, other, 0)
        assert overlap.py_func(box, other, 0)
