"""Follow an edit in the elimination order: points come and go, the tree of separators stays.

Two coupled points must lie in nodes of which one is above the other. A point that is new goes to the lowest
node comparable with those of all its neighbours; a new coupling between nodes that are not comparable lifts one
of its ends to the lowest node above both (docs/theory/solve.md, eq. (L5)). Everything else stays where it was, so
only the nodes from the edit up to the root have other numbers afterwards.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from supple.kernel import kernel
from supple.solve.separator_tree import SeparatorTree, build_adjacency


@kernel
def first_descendants(parent, first):
    """Write the smallest node of every subtree: node n is at or above m if first[n] <= m <= n."""
    for node in range(parent.shape[0]):
        first[node] = node
    for node in range(parent.shape[0]):
        above = parent[node]
        if above >= 0 and first[node] < first[above]:
            first[above] = first[node]


@kernel
def lowest_common(a, b, parent, first):
    """Return the lowest node that is at or above both."""
    while not (first[a] <= b <= a):
        a = parent[a]
    return a


@kernel
def adopt_points(neighbour_start, neighbours, parent, first, node_of, is_moved):
    """Give every point without a node (-1) the lowest one comparable with its neighbours' nodes.

    Args:
        neighbour_start: (point_count + 1,) stretch of `neighbours` of each point
        neighbours: (2 * pair_count,) neighbours of all points in turn
        parent: (node_count,) node above, -1 for the root
        first: (node_count,) smallest node of each subtree
        node_of: (point_count,) node of each point, written where it was -1
        is_moved: (point_count,) set where a node was written
    """
    root = parent.shape[0] - 1
    for point in range(node_of.shape[0]):
        if node_of[point] >= 0:
            continue
        lowest = root
        for k in range(neighbour_start[point], neighbour_start[point + 1]):
            node = node_of[neighbours[k]]
            if 0 <= node < lowest:
                lowest = node
        for k in range(neighbour_start[point], neighbour_start[point + 1]):
            node = node_of[neighbours[k]]
            if node >= 0 and not (first[node] <= lowest <= node):
                lowest = lowest_common(lowest, node, parent, first)
        node_of[point] = lowest
        is_moved[point] = True


@kernel
def lift_points(pairs, parent, first, node_of, is_moved):
    """Lift one end of every pair whose nodes are not comparable to the lowest node above both.

    Neighbours of a lifted point lay above or below its old node, so they are above or below the new one too:
    one pass is enough.
    """
    for k in range(pairs.shape[0]):
        a, b = node_of[pairs[k, 0]], node_of[pairs[k, 1]]
        if a == b:
            continue
        low, high = min(a, b), max(a, b)
        if first[high] <= low:
            continue
        lifted = pairs[k, 0] if a == low else pairs[k, 1]
        node_of[lifted] = lowest_common(low, high, parent, first)
        is_moved[lifted] = True


@kernel
def order_by_node(old_order, new_of, node_of, is_moved, cursor, own_start, order):
    """List the points node by node: those that stayed in their old order, then those that came.

    Args:
        old_order: (old point_count,) points in the old elimination order
        new_of: (old point_count,) what each point is called now, -1 if it is gone
        node_of: (point_count,) node of each point
        is_moved: (point_count,) points that are new in their node
        cursor: (node_count,) scratch
        own_start: (node_count + 1,) written
        order: (point_count,) written
    """
    own_start[:] = 0
    for point in range(node_of.shape[0]):
        own_start[node_of[point] + 1] += 1
    for node in range(cursor.shape[0]):
        own_start[node + 1] += own_start[node]
        cursor[node] = own_start[node]
    for place in range(old_order.shape[0]):
        point = new_of[old_order[place]]
        if point >= 0 and not is_moved[point]:
            node = node_of[point]
            order[cursor[node]] = point
            cursor[node] += 1
    for point in range(node_of.shape[0]):
        if is_moved[point]:
            node = node_of[point]
            order[cursor[node]] = point
            cursor[node] += 1


def edited_tree(
    tree: SeparatorTree,
    node_of: npt.NDArray[np.int64],
    new_of: npt.NDArray[np.int64],
    point_count: int,
    pairs: npt.NDArray[np.int64],
) -> tuple[SeparatorTree, npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
    """Return the tree after an edit, which points are new in their node, and the nodes they left.

    Args:
        tree: before the edit
        node_of: (old point_count,) node of each point before
        new_of: (old point_count,) what each point is called now, -1 if it is gone
        point_count: points after the edit
        pairs: (pair_count, 2) coupled points after the edit
    """
    neighbour_start = np.empty(point_count + 1, np.int64)
    neighbours = np.empty(2 * len(pairs), np.int64)
    build_adjacency(pairs, neighbour_start, neighbours)
    node_count = tree.node_count
    first = np.empty(node_count, np.int64)
    first_descendants(tree.parent, first)

    is_kept = new_of >= 0
    before = np.full(point_count, -1, np.int64)
    before[new_of[is_kept]] = node_of[is_kept]
    after = before.copy()
    is_moved = np.zeros(point_count, np.bool_)
    adopt_points(neighbour_start, neighbours, tree.parent, first, after, is_moved)
    lift_points(pairs, tree.parent, first, after, is_moved)
    order, own_start = np.empty(point_count, np.int64), np.empty(node_count + 1, np.int64)
    order_by_node(tree.order, new_of, after, is_moved, np.empty(node_count, np.int64), own_start, order)
    edited = SeparatorTree.of_nodes(order, own_start, tree.parent, neighbour_start, neighbours)
    left = np.concatenate([node_of[~is_kept], before[is_moved]])
    return edited, is_moved, np.unique(left[left >= 0])
