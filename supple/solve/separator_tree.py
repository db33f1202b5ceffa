"""Order in which to eliminate points: a tree of separators found by cutting the rest shape in halves.

A set of points is cut in two halves of equal size across its longest extent. Of the points that
touch the other half, those of the side with fewer of them form the separator: without them the
halves are uncoupled. Both halves are cut again until some 16 points remain. Every set so found
is a node of the tree; a node is eliminated after everything below it, so fill-in stays
between a node and its ancestors, and a change at one point concerns only the path from its node to
the root (docs/theory/solve.md, eq. (L1)).

Only the pairs decide what is a separator: coordinates merely guide the cuts, so coincident points,
isolated points and couplings across the whole body cost time, never correctness.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from supple.kernel import kernel

LEAF_SIZE = 16
"""Sets of at most this many points are not cut further."""

STACK_SIZE = 128
"""Deepest nesting of cuts; each halves the set, so 64 bits of point index cannot exceed it."""

CUT_ANGLE_DEG = 37.0
"""Turn of the cutting axes against those of the rest shape [deg]. Springs two apart reach
across two rows of a grid but need fewer points to separate along a slanted line: a third less work."""


@kernel
def build_adjacency(pairs, neighbour_start, neighbours):
    """List the neighbours of every point, in the order of the pairs.

    Args:
        pairs: (pair_count, 2) point indices; a point that is paired with itself is its own neighbour, which harms nobody
        neighbour_start: (point_count + 1,) written, neighbours of i from [i] to [i + 1]
        neighbours: (2 * pair_count,) written
    """
    point_count = neighbour_start.shape[0] - 1
    neighbour_start[:] = 0
    for k in range(pairs.shape[0]):
        neighbour_start[pairs[k, 0] + 1] += 1
        neighbour_start[pairs[k, 1] + 1] += 1
    for i in range(point_count):
        neighbour_start[i + 1] += neighbour_start[i]
    for k in range(pairs.shape[0]):
        for end in range(2):
            i = pairs[k, end]
            neighbours[neighbour_start[i]] = pairs[k, 1 - end]
            neighbour_start[i] += 1
    for i in range(point_count, 0, -1):  # every start has moved on to the next one
        neighbour_start[i] = neighbour_start[i - 1]
    neighbour_start[0] = 0


@kernel
def list_neighbour_pairs(pairs, cursor, neighbour_start, neighbour_pairs):
    """Write which pair each neighbour comes from, in the order of `build_adjacency`.

    `cursor` (point_count,) is scratch.
    """
    for point in range(cursor.shape[0]):
        cursor[point] = neighbour_start[point]
    for k in range(pairs.shape[0]):
        for end in range(2):
            point = pairs[k, end]
            neighbour_pairs[cursor[point]] = k
            cursor[point] += 1


class Adjacency(NamedTuple):
    """Every point with those it is coupled to; the rows may lie anywhere, with gaps between them."""

    starts: npt.NDArray[np.uint32]
    """(point_count,) where each point's row begins."""

    ends: npt.NDArray[np.uint32]
    """(point_count,) where it ends."""

    others: npt.NDArray[np.uint32]
    """(room,) the points at the other ends."""

    pairs: npt.NDArray[np.int64]
    """(room,) the pair that each of these is."""


def adjacency_of(pairs: npt.NDArray[np.int64], point_count: int) -> Adjacency:
    """Return the rows of points coupled by `pairs` (pair_count, 2), in the order of the pairs."""
    starts, others = np.empty(point_count + 1, np.int64), np.empty(2 * len(pairs), np.int64)
    build_adjacency(pairs, starts, others)
    pair_of = np.empty(2 * len(pairs), np.int64)
    list_neighbour_pairs(pairs, np.empty(point_count, np.int64), starts, pair_of)
    narrow = starts.astype(np.uint32)
    return Adjacency(narrow[:-1], narrow[1:], others.astype(np.uint32), pair_of)


@kernel
def select_rank(keys, points, low, high, rank):
    """Reorder points[low:high] so that the one of this rank stands at `rank`, smaller ones before it.

    Equal keys are ordered by point index, so the two halves never depend on the order given.
    """
    last = high - 1
    while low < last:
        pivot = points[(low + last) // 2]
        key = keys[pivot]
        i, j = low, last
        while i <= j:
            while keys[points[i]] < key or (keys[points[i]] == key and points[i] < pivot):
                i += 1
            while keys[points[j]] > key or (keys[points[j]] == key and points[j] > pivot):
                j -= 1
            if i <= j:
                points[i], points[j] = points[j], points[i]
                i += 1
                j -= 1
        if rank <= j:
            last = j
        elif rank >= i:
            low = i
        else:
            return


@kernel
def longest_axis(coordinates, points):
    """Return the axis along which these points extend farthest."""
    best_axis, best_extent = 0, -1.0
    for axis in range(3):
        lowest = highest = coordinates[axis, points[0]]
        for p in points:
            lowest = min(lowest, coordinates[axis, p])
            highest = max(highest, coordinates[axis, p])
        if highest - lowest > best_extent:
            best_axis, best_extent = axis, highest - lowest
    return best_axis


@kernel
def touches(point, label, labels, neighbour_start, neighbours):
    """Return whether a neighbour of the point carries the label."""
    for k in range(neighbour_start[point], neighbour_start[point + 1]):
        if labels[neighbours[k]] == label:
            return True
    return False


@kernel
def label_separator(points, middle, label, neighbour_start, neighbours, labels):
    """Label the halves of a set `label` and `label + 1`, and the separator between them `label + 2`.

    Args:
        points: (count,) the set, the first half before `middle`
        middle: size of the first half
        label: first of three labels no point carries yet
        neighbour_start: (point_count + 1,) stretch of `neighbours` of each point
        neighbours: (2 * pair_count,) neighbours of all points in turn
        labels: (point_count,) written for the points of the set
    """
    for k in range(points.shape[0]):
        labels[points[k]] = label if k < middle else label + 1
    first_count = second_count = 0
    for k in range(middle):
        first_count += touches(points[k], label + 1, labels, neighbour_start, neighbours)
    for k in range(middle, points.shape[0]):
        second_count += touches(points[k], label, labels, neighbour_start, neighbours)
    if first_count <= second_count:
        for k in range(middle):
            if touches(points[k], label + 1, labels, neighbour_start, neighbours):
                labels[points[k]] = label + 2
    else:
        for k in range(middle, points.shape[0]):
            if touches(points[k], label, labels, neighbour_start, neighbours):
                labels[points[k]] = label + 2


@kernel
def group_by_label(points, label, labels):
    """Reorder points by their labels `label`, `label + 1`, `label + 2`; return where the last two begin."""
    first_end, i, separator_start = 0, 0, points.shape[0]
    while i < separator_start:
        found = labels[points[i]]
        if found == label:
            points[first_end], points[i] = points[i], points[first_end]
            first_end += 1
            i += 1
        elif found == label + 2:
            separator_start -= 1
            points[separator_start], points[i] = points[i], points[separator_start]
        else:
            i += 1
    return first_end, separator_start


@kernel
def cut_in_halves(
    coordinates, leaf_size, neighbour_start, neighbours, stack, labels, order, node_parent, node_start
):
    """Cut recursively; return the number of nodes, which are found parent before child.

    Each set is a stretch of `order`; it ends up as first half, second half, separator. The whole
    array is therefore the elimination order, and node k owns the stretch from
    node_start[k] to node_start[k - 1]. An empty separator makes no node (its halves
    hang under the node above), except at the root.

    Args:
        coordinates: (3, point_count) [m]
        leaf_size: sets of at most this size are leaves
        neighbour_start: (point_count + 1,) stretch of `neighbours` of each point
        neighbours: (2 * pair_count,) neighbours of all points in turn
        stack: (STACK_SIZE, 3) scratch
        labels: (point_count,) scratch
        order: (point_count,) written, points in elimination order
        node_parent: (2 * point_count + 1,) written, -1 for the root
        node_start: (2 * point_count + 1,) written
    """
    point_count = order.shape[0]
    for i in range(point_count):
        order[i] = i
        labels[i] = -1
    node_count, depth = 0, 1
    label = np.int64(0)  # a plain 0 would be a type of its own, and compile the callees twice
    stack[0, 0], stack[0, 1], stack[0, 2] = 0, point_count, -1
    while depth > 0:
        depth -= 1
        low, high, parent = stack[depth, 0], stack[depth, 1], stack[depth, 2]
        first_end = separator_start = low
        if high - low > leaf_size:
            points = order[low:high]
            middle = (high - low) // 2
            axis = longest_axis(coordinates, points)
            select_rank(coordinates[axis], points, 0, high - low, middle)
            label_separator(points, middle, label, neighbour_start, neighbours, labels)
            first, separator = group_by_label(points, label, labels)
            first_end, separator_start = low + first, low + separator
            label += 3
        if separator_start < high or parent < 0:
            node_parent[node_count] = parent
            node_start[node_count] = separator_start
            parent = node_count
            node_count += 1
        if low < first_end:
            stack[depth, 0], stack[depth, 1], stack[depth, 2] = low, first_end, parent
            depth += 1
        if first_end < separator_start:
            stack[depth, 0], stack[depth, 1], stack[depth, 2] = first_end, separator_start, parent
            depth += 1
    return node_count


@kernel
def sort_ascending(values):
    """Sort a short array in place (Shell's method: no memory, no recursion)."""
    gap = 1
    while 3 * gap + 1 < values.shape[0]:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, values.shape[0]):
            value = values[i]
            k = i
            while k >= gap and values[k - gap] > value:
                values[k] = values[k - gap]
                k -= gap
            values[k] = value
        gap //= 3


@kernel
def collect_borders(
    order,
    place,
    own_start,
    first_child,
    next_sibling,
    neighbour_start,
    neighbours,
    seen,
    border_start,
    border,
):
    """List the border of every node: later points that its own points or its children's borders touch.

    Args:
        order: (place_count,) points in elimination order, -1 at places that nobody has
        place: (point_count,) its inverse
        own_start: (node_count + 1,) places each node owns
        first_child: (node_count,) -1 for a leaf
        next_sibling: (node_count,) -1 for the last child
        neighbour_start: (point_count + 1,) stretch of `neighbours` of each point
        neighbours: (2 * pair_count,) neighbours of all points in turn
        seen: (place_count,) scratch
        border_start: (node_count + 1,) written
        border: (capacity,) written, places, ascending within a node

    Returns:
        Whether the capacity sufficed; if not, try again with more.
    """
    seen[:] = -1
    border_start[0] = end = 0
    for node in range(first_child.shape[0]):
        begin, own_end = end, own_start[node + 1]
        if end + order.shape[0] - own_end > border.shape[0]:
            return False
        for k in range(own_start[node], own_end):
            point = order[k]
            if point < 0:
                continue
            for q in range(neighbour_start[point], neighbour_start[point + 1]):
                other = place[neighbours[q]]
                if other >= own_end and seen[other] != node:
                    seen[other] = node
                    border[end] = other
                    end += 1
        child = first_child[node]
        while child >= 0:
            for q in range(border_start[child], border_start[child + 1]):
                other = border[q]
                if other >= own_end and seen[other] != node:
                    seen[other] = node
                    border[end] = other
                    end += 1
            child = next_sibling[child]
        sort_ascending(border[begin:end])
        border_start[node + 1] = end
    return True


@kernel
def list_children(parent, first_child, next_sibling):
    """Write the first child and the next sibling of every node, ascending; both hold -1 before."""
    for node in range(parent.shape[0] - 1, -1, -1):
        above = parent[node]
        if above >= 0:
            next_sibling[node] = first_child[above]
            first_child[above] = node


@dataclass(frozen=True, kw_only=True)
class SeparatorTree:
    """Elimination order of the points and the dense blocks it leads to.

    Places count points in elimination order. A node's index exceeds its children's, and the
    places of a whole subtree are contiguous.
    """

    order: npt.NDArray[np.int64]
    """(place_count,) point at each place; -1 where edits have taken one away."""

    own_start: npt.NDArray[np.int64]
    """(node_count + 1,) node k owns the places from [k] to [k + 1]."""

    parent: npt.NDArray[np.int64]
    """(node_count,) node above, -1 for the last node, the root."""

    first_child: npt.NDArray[np.int64]
    """(node_count,) smallest child, -1 for a leaf."""

    next_sibling: npt.NDArray[np.int64]
    """(node_count,) next larger child of the same parent, -1 for the last."""

    border_start: npt.NDArray[np.int64]
    """(node_count + 1,) stretch of `border` of each node."""

    border: npt.NDArray[np.int64]
    """(border_start[-1],) ancestors' places that eliminating a node couples, ascending."""

    @property
    def node_count(self) -> int:
        """Number of tree nodes."""
        return len(self.parent)

    @property
    def factor_entries(self) -> int:
        """Number of entries of the Cholesky factor, the measure of a solve's cost."""
        own, border = np.diff(self.own_start), np.diff(self.border_start)
        return int((own * (own + 1) // 2 + own * border).sum())

    @classmethod
    def build(
        cls, coordinates: npt.NDArray[np.float64], pairs: npt.NDArray[np.int64], *, leaf_size: int = LEAF_SIZE
    ) -> SeparatorTree:
        """Find the tree of points at `coordinates` (point_count, 3) [m] with `pairs` (pair_count, 2)."""
        point_count = len(coordinates)
        neighbour_start = np.empty(point_count + 1, np.int64)
        neighbours = np.empty(2 * len(pairs), np.int64)
        build_adjacency(pairs, neighbour_start, neighbours)

        order = np.empty(point_count, np.int64)
        labels = np.empty(point_count, np.int64)
        node_parent = np.empty(2 * point_count + 1, np.int64)
        node_start = np.empty(2 * point_count + 1, np.int64)
        node_count = cut_in_halves(
            cutting_coordinates(coordinates, pairs),
            leaf_size,
            neighbour_start,
            neighbours,
            np.empty((STACK_SIZE, 3), np.int64),
            labels,
            order,
            node_parent,
            node_start,
        )
        # The cuts find parents first; elimination needs children first, so count from the end.
        found = node_parent[:node_count][::-1]
        parent = np.where(found < 0, -1, node_count - 1 - found)
        own_start = np.append(node_start[:node_count][::-1], point_count)
        return cls.of_nodes(order, own_start, parent, neighbour_start, neighbours)

    @classmethod
    def of_nodes(
        cls,
        order: npt.NDArray[np.int64],
        own_start: npt.NDArray[np.int64],
        parent: npt.NDArray[np.int64],
        neighbour_start: npt.NDArray[np.int64],
        neighbours: npt.NDArray[np.int64],
    ) -> SeparatorTree:
        """Return the tree of nodes that own these stretches of an elimination order, borders included."""
        point_count, node_count = len(neighbour_start) - 1, len(parent)
        first_child, next_sibling = _child_lists(parent)

        place = np.empty(point_count, np.int64)
        place[order[order >= 0]] = np.flatnonzero(order >= 0)
        border_start = np.empty(node_count + 1, np.int64)
        capacity = 8 * len(order)
        while True:
            border = np.empty(capacity, np.int64)
            if collect_borders(
                order,
                place,
                own_start,
                first_child,
                next_sibling,
                neighbour_start,
                neighbours,
                np.empty(len(order), np.int64),
                border_start,
                border,
            ):
                break
            capacity *= 2
        return cls(
            order=order,
            own_start=own_start,
            parent=parent,
            first_child=first_child,
            next_sibling=next_sibling,
            border_start=border_start,
            border=border[: border_start[-1]].copy(),
        )


def cutting_coordinates(
    coordinates: npt.NDArray[np.float64], pairs: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """Return the coordinates along the axes to cut across, (3, point_count) [m].

    These are the principal axes turned by `CUT_ANGLE_DEG` about the thinnest one. A square sheet has
    no principal axis in its plane; the direction of the first pair stands in for it.
    """
    centred = coordinates - coordinates.mean(axis=0)
    spread, axes = np.linalg.eigh(centred.T @ centred)
    thinnest, first = axes[:, 0], axes[:, 2]
    if len(pairs) and spread[1] > 0.98 * spread[2]:
        edge = coordinates[pairs[0, 1]] - coordinates[pairs[0, 0]]
        edge = edge - (edge @ thinnest) * thinnest
        if np.linalg.norm(edge) > 0.0:
            first = edge / np.linalg.norm(edge)
    second = np.cross(thinnest, first)
    cosine, sine = np.cos(np.radians(CUT_ANGLE_DEG)), np.sin(np.radians(CUT_ANGLE_DEG))
    axes_turned = np.stack([cosine * first + sine * second, cosine * second - sine * first, thinnest])
    return np.ascontiguousarray(axes_turned @ centred.T)


def _child_lists(parent: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the first child and the next sibling of every node, ascending."""
    first_child = np.full(len(parent), -1, np.int64)
    next_sibling = np.full(len(parent), -1, np.int64)
    list_children(parent, first_child, next_sibling)
    return first_child, next_sibling
