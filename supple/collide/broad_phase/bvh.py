"""A bounding-volume hierarchy (BVH) over the surfaces of a scene: built once, refitted to every motion.

This is the first half of the broad phase: it finds the pairs of leaves whose axis-aligned boxes overlap. Leaves hold one or
two triangles. Every point and every edge belongs to exactly one leaf, so that a pair of points, edges and triangles is
looked at only once. The order of the tree comes from the shape at the start: cloth folds, but what is near along the cloth
stays near.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.collide.broad_phase.bvh_build import (
    assign_owners,
    halve_leaves,
    join_corners,
    match_triangles,
    number_corners,
    number_item_corners,
)
from supple.collide.broad_phase.indices import index
from supple.kernel import kernel
from supple.model.builders.mesh_edges import numbered_edges

Indices = NDArray[np.int32]

STACK = 1 << 14
"""Room for pairs of nodes that wait: twice the product of the depths is never reached by far."""


@kernel(counts_references=False)
def refit(x0, x1, children, corners, reach, boxes):
    """Let every box enclose its points at both ends of a motion, and `reach` more on each side.

    Boxes are kept in single precision, with the rounding added to the reach.

    Args:
        x0: (point_count, 3) [m], where the motion starts
        x1: (point_count, 3) [m], where it ends
        children: (node_count, 2) indices of nodes, or -1 and the leaf
        corners: (leaf_count, 4) points of each leaf, the last repeated if there are three
        reach: [m]
        boxes: (node_count, 6) low and high corners [m], overwritten
    """
    for n in range(children.shape[0] - 1, -1, -1):
        first, second = children[n, 0], children[n, 1]
        if first >= 0:
            for axis in range(3):
                boxes[n, axis] = min(boxes[first, axis], boxes[second, axis])
                boxes[n, 3 + axis] = max(boxes[first, 3 + axis], boxes[second, 3 + axis])
            continue
        for axis in range(3):
            low = high = x0[corners[second, 0], axis]
            for corner in range(4):
                i = corners[second, corner]
                a, b = x0[i, axis], x1[i, axis]
                low = min(low, min(a, b))
                high = max(high, max(a, b))
            more = reach + 2.4e-7 * max(abs(low), abs(high))
            boxes[n, axis] = low - more
            boxes[n, 3 + axis] = high + more


@kernel(counts_references=False)
def are_apart(boxes, a, b):
    """Return whether two boxes do not overlap."""
    return (
        boxes[a, 0] > boxes[b, 3] or boxes[b, 0] > boxes[a, 3]
        or boxes[a, 1] > boxes[b, 4] or boxes[b, 1] > boxes[a, 4]
        or boxes[a, 2] > boxes[b, 5] or boxes[b, 2] > boxes[a, 5]
    )  # fmt: skip


@kernel(counts_references=False)
def push_below(children, a, b, stack, height):
    """Put what lies below two nodes, not both of them leaves, on the stack of pairs; return its new height."""
    if a == b:
        left, right = children[a, 0], children[a, 1]
        stack[height, 0], stack[height, 1] = left, left
        stack[height + 1, 0], stack[height + 1, 1] = right, right
        stack[height + 2, 0], stack[height + 2, 1] = left, right
        return height + 3
    if children[b, 0] < 0 or (children[a, 0] >= 0 and a < b):
        # Nodes are numbered by level, so the lower number is the larger box.
        stack[height, 0], stack[height, 1] = children[a, 0], b
        stack[height + 1, 0], stack[height + 1, 1] = children[a, 1], b
    else:
        stack[height, 0], stack[height, 1] = a, children[b, 0]
        stack[height + 1, 0], stack[height + 1, 1] = a, children[b, 1]
    return height + 2


@kernel(counts_references=False)
def meet_at_flat_point(corners, is_flat, a, b):
    """Return whether two leaves, or a leaf and itself, have a corner in common around which nothing can touch."""
    for c in range(4):
        i = corners[a, c]
        if is_flat[i] and (
            i == corners[b, 0] or i == corners[b, 1] or i == corners[b, 2] or i == corners[b, 3]
        ):
            return True
    return False


@kernel(counts_references=False)
def find_leaf_pairs(roots, children, boxes, corners, is_flat, stack, pairs):
    """Write every pair of leaves whose boxes overlap, and return how many there are.

    Neighbours in a flat part of a surface are left out: they cannot touch (`self_collision_culling`). If there are
    more pairs than room, the rest is only counted.

    Args:
        roots: (root_pair_count, 2) nodes to compare; twice the same for a surface against itself
        children: (node_count, 2) indices of nodes, or -1 and the leaf
        boxes: (node_count, 6) low and high corners [m]
        corners: (leaf_count, 4) points of each leaf
        is_flat: (point_count,) whether nothing around a point can touch
        stack: (n, 2) scratch
        pairs: (capacity, 2) leaves, overwritten

    Returns:
        The number of pairs, or -1 if the stack was too small.
    """
    count = 0
    for r in range(roots.shape[0]):
        stack[0, 0], stack[0, 1] = roots[r, 0], roots[r, 1]
        height = 1
        while height > 0:
            height -= 1
            a, b = index(stack[height, 0]), index(stack[height, 1])
            if height + 4 > stack.shape[0]:
                return -1
            if a != b and are_apart(boxes, a, b):
                continue
            if children[a, 0] >= 0 or children[b, 0] >= 0:
                height = push_below(children, a, b, stack, height)
                continue
            p, q = children[a, 1], children[b, 1]
            if meet_at_flat_point(corners, is_flat, p, q):
                continue
            if count < pairs.shape[0]:
                pairs[count, 0], pairs[count, 1] = p, q
            count += 1
    return count


@kernel(counts_references=False)
def mark_nodes(children, corners, marks, node_marks):
    """Give every node the marks of all points below it."""
    for n in range(children.shape[0] - 1, -1, -1):
        first, second = children[n, 0], children[n, 1]
        if first >= 0:
            node_marks[n] = node_marks[first] | node_marks[second]
        else:
            node_marks[n] = (
                marks[corners[second, 0]] | marks[corners[second, 1]]
                | marks[corners[second, 2]] | marks[corners[second, 3]]
            )  # fmt: skip


@kernel(counts_references=False)
def find_marked_leaf_pairs(roots, children, boxes, node_marks, wanted, stack, pairs):
    """Write every pair of leaves whose boxes overlap and which have all wanted marks; return how many there are.

    Arguments and answer are those of `find_leaf_pairs`, but for `node_marks` (node_count,) of `mark_nodes` and the
    wanted marks: between them, the two leaves must have them all. No pair is left out as flat.
    """
    count = 0
    for r in range(roots.shape[0]):
        stack[0, 0], stack[0, 1] = roots[r, 0], roots[r, 1]
        height = 1
        while height > 0:
            height -= 1
            a, b = index(stack[height, 0]), index(stack[height, 1])
            if (node_marks[a] | node_marks[b]) & wanted != wanted:
                continue
            if height + 4 > stack.shape[0]:
                return -1
            if a != b and are_apart(boxes, a, b):
                continue
            if children[a, 0] >= 0 or children[b, 0] >= 0:
                height = push_below(children, a, b, stack, height)
                continue
            if count < pairs.shape[0]:
                pairs[count, 0], pairs[count, 1] = children[a, 1], children[b, 1]
            count += 1
    return count


class BVH(NamedTuple):
    """A bounding-volume hierarchy, as kernels take it: the leaves of all surfaces, what each owns, and the nodes above."""

    triangles: Indices
    """(triangle_count, 3) points."""

    edges: Indices
    """(edge_count, 2) points."""

    corners: Indices
    """(leaf_count, 4) points, the last repeated if there are three."""

    leaf_triangles: Indices
    """(leaf_count, 2, 3) corners of its triangles, 0 to 3; -1 for none."""

    leaf_points: Indices
    """(leaf_count, 4) corners that a leaf owns, -1 for none."""

    leaf_edges: Indices
    """(leaf_count, 5, 2) corners of the edges that a leaf owns, -1 for none."""

    children: Indices
    """(node_count, 2) indices of nodes, or -1 and the leaf; children come after their parents."""

    surface_roots: Indices
    """(surface_count,) root node of each surface."""

    leaf_surfaces: Indices
    """(leaf_count,) surface of each leaf, ascending."""


@dataclass(frozen=True)
class Surface:
    """The triangles of one body that others, or the body itself, may touch."""

    triangles: NDArray[np.int64]
    """(triangle_count, 3) points of the scene."""

    is_grid: bool = False
    """Whether it is a sheet of rows and columns, two triangles to a cell."""


def build_bvh(surfaces: list[Surface], positions: NDArray[np.float64]) -> BVH:
    """Build the hierarchy over all surfaces; `positions` (point_count, 3) [m] give its order."""
    triangles, leaves, leaf_counts = _all_leaves(surfaces)
    edges, opposite = numbered_edges(triangles)
    leaf_of_triangle = np.zeros(len(triangles), dtype=np.int64)
    for column in (1, 0):
        has = leaves[:, column] >= 0
        leaf_of_triangle[leaves[has, column]] = np.flatnonzero(has)
    corners, centres = np.empty((len(leaves), 4), dtype=np.int64), np.empty((len(leaves), 3))
    join_corners(triangles, leaves, np.ascontiguousarray(positions), corners, centres)
    points = _owned(triangles, leaf_of_triangle, len(leaves), 4)
    owned_edges = _owned(opposite, leaf_of_triangle, len(leaves), 5)
    leaf_triangles = np.empty((len(leaves), 2, 3), np.int32)
    leaf_edges = np.empty((len(leaves), 5, 2), np.int32)
    number_item_corners(leaves, triangles, corners, leaf_triangles)
    number_item_corners(owned_edges, edges, corners, leaf_edges)
    children, roots = _all_nodes(centres, leaf_counts)
    return BVH(
        triangles=triangles.astype(np.int32),
        edges=edges.astype(np.int32),
        corners=corners.astype(np.int32),
        leaf_triangles=leaf_triangles,
        leaf_points=_as_corners(points, corners),
        leaf_edges=leaf_edges,
        children=children,
        surface_roots=roots,
        leaf_surfaces=np.repeat(np.arange(len(leaf_counts)), leaf_counts).astype(np.int32),
    )


def _all_leaves(surfaces: list[Surface]) -> tuple[NDArray[np.int64], NDArray[np.int64], list[int]]:
    """Return the triangles of all surfaces, their leaves as triangles (leaf_count, 2), and how many each surface has."""
    leaf_parts: list[NDArray[np.int64]] = [np.zeros((0, 2), dtype=np.int64)]
    triangle_parts: list[NDArray[np.int64]] = [np.zeros((0, 3), dtype=np.int64)]
    leaf_counts, first = [], 0
    for surface in surfaces:
        leaves = _grid_leaves(surface) if surface.is_grid else _mesh_leaves(surface)
        leaf_parts.append(np.where(leaves >= 0, leaves + first, -1))
        triangle_parts.append(surface.triangles)
        leaf_counts.append(len(leaves))
        first += len(surface.triangles)
    return np.concatenate(triangle_parts), np.concatenate(leaf_parts), leaf_counts


def _all_nodes(centres: NDArray[np.float64], leaf_counts: list[int]) -> tuple[Indices, Indices]:
    """Return the nodes over the leaves of all surfaces, one surface after the other, and the root of each."""
    nodes = [np.zeros((0, 2), dtype=np.int32)]
    roots = []
    start = root = 0
    for count in leaf_counts:
        roots.append(root)
        nodes.append(nodes_over(centres[start : start + count], start, root))
        start, root = start + count, root + len(nodes[-1])
    return np.concatenate(nodes), np.array(roots, dtype=np.int32)


def _grid_leaves(surface: Surface) -> NDArray[np.int64]:
    """Return the two triangles of every cell of a grid."""
    return np.arange(len(surface.triangles)).reshape(-1, 2)


def _mesh_leaves(surface: Surface) -> NDArray[np.int64]:
    """Return triangles in pairs that share an edge, as far as they can be matched."""
    count = len(surface.triangles)
    edges, opposite = numbered_edges(surface.triangles)
    leaves = np.empty((count, 2), dtype=np.int64)
    starts, by_edge = np.zeros(len(edges) + 1, dtype=np.int64), np.empty(3 * count, dtype=np.int64)
    found = match_triangles(opposite, starts, by_edge, np.zeros(count, dtype=np.bool_), leaves)
    return leaves[:found]


def _as_corners(points: NDArray[np.int64], corners: NDArray[np.int64]) -> Indices:
    """Return points of leaves, (leaf_count, width), as numbers of their corners, -1 where there is nothing."""
    numbers = np.empty(points.shape, dtype=np.int32)
    number_corners(points, corners, numbers)
    return numbers


def _owned(
    items: NDArray[np.int64], leaf_of_triangle: NDArray[np.int64], leaf_count: int, width: int
) -> NDArray[np.int64]:
    """Return the points or edges that each leaf owns: those that no leaf before it has."""
    owned = np.full((leaf_count, width), -1, dtype=np.int64)
    owners = np.full(int(items.max(initial=-1)) + 1, -1, dtype=np.int64)
    assign_owners(items, leaf_of_triangle, owners, np.zeros(leaf_count, dtype=np.int64), owned)
    return owned


def nodes_over(centres: NDArray[np.float64], first_leaf: int, root: int) -> Indices:
    """Return the nodes over leaves at these centres (leaf_count, 3) [m]; the number of the first one is `root`."""
    count = len(centres)
    nodes = np.empty((2 * count - 1, 2), dtype=np.int32)
    axes = np.full((2 * count - 1, 3), -1, dtype=np.int8)
    spans = np.empty((2 * count - 1, 2), dtype=np.int64)
    halve_leaves(centres, first_leaf, root, np.arange(count), np.empty(count), axes, spans, nodes)
    return nodes


def leaf_pairs_within(
    bvh: BVH,
    root_pairs: NDArray[np.int32],
    positions: NDArray[np.float64],
    reach: float,
    marks: NDArray[np.int8] | None = None,
) -> NDArray[np.int32]:
    """Return the pairs of leaves that may be closer than `reach` [m], (count, 2); allocates.

    If there are marks, (point_count,) 0 or 1, only those that have a marked point.
    """
    boxes = np.zeros((len(bvh.children), 6), dtype=np.float32)
    refit(positions, positions, bvh.children, bvh.corners, 0.5 * reach, boxes)
    is_flat = np.zeros(len(positions), dtype=np.bool_)
    stack = np.zeros((STACK, 2), dtype=np.int32)
    leaves = np.zeros((8 * len(bvh.corners), 2), dtype=np.int32)
    node_marks = np.zeros(len(bvh.children), dtype=np.int8)
    if marks is not None:
        mark_nodes(bvh.children, bvh.corners, marks, node_marks)
    while True:
        if marks is None:
            count = find_leaf_pairs(root_pairs, bvh.children, boxes, bvh.corners, is_flat, stack, leaves)
        else:
            count = find_marked_leaf_pairs(root_pairs, bvh.children, boxes, node_marks, 1, stack, leaves)
        if count < 0:
            stack = np.zeros((2 * len(stack), 2), dtype=np.int32)
        elif count > len(leaves):
            leaves = np.zeros((count, 2), dtype=np.int32)
        else:
            return leaves[:count]
