"""Edits of the elimination tree: points come and go, the tree of separators stays.

Two coupled points must lie in nodes of which one is an ancestor of the other. A new point goes to the lowest node
comparable with those of all its neighbours; a new coupling between nodes that are not comparable lifts one of its ends
to their lowest common ancestor (docs/theory/solve.md, eq. (L5)). Everything else stays where it was: a point
that leaves its node leaves a gap, so that nobody else's row changes, and only the nodes from the edit up to the
root, whose fronts are dirty, need new lists.
"""

from __future__ import annotations

import numpy as np

from supple.kernel import kernel
from supple.solve.separator_tree import sort_ascending


@kernel
def first_descendants(parent, first):
    """Write the smallest node of every subtree: node n is m or an ancestor of it if first[n] <= m <= n."""
    for node in range(parent.shape[0]):
        first[node] = node
    for node in range(parent.shape[0]):
        above = parent[node]
        if above >= 0 and first[node] < first[above]:
            first[above] = first[node]


@kernel
def lowest_common_ancestor(a, b, tree):
    """Return the lowest node that is at or above both."""
    while not (tree.first_descendant[a] <= b <= a):
        a = tree.parent[a]
    return a


@kernel
def mark_ancestors(node, parent, is_dirty):
    """Mark the fronts of a node and of all its ancestors as dirty."""
    while node >= 0 and not is_dirty[node]:
        is_dirty[node] = True
        node = parent[node]


@kernel
def renumber_points(new_of, parent, rows, is_dirty):
    """Give every point its new number; those that are gone leave gaps, and their fronts are dirty.

    Args:
        new_of: (old point_count,) new number of each point, -1 if it is gone
        parent: (node_count,) node above, -1 for the root
        rows: `PointRows`; `point_at` is renumbered, the rows and nodes of points that there were are written
        is_dirty: (node_count,) set for nodes that lose a point, and all above
    """
    for node in range(parent.shape[0]):
        for row in range(rows.starts[node], rows.starts[node] + rows.counts[node]):
            if rows.point_at[row] < 0:
                continue
            point = new_of[rows.point_at[row]]
            rows.point_at[row] = point
            if point >= 0:
                rows.node_of[point], rows.row_of[point] = node, row
            else:
                mark_ancestors(node, parent, is_dirty)


@kernel
def assign_nodes(adjacency, tree, node_of):
    """Give every point without a node (-1) the lowest one comparable with its neighbours' nodes.

    Args:
        adjacency: `Adjacency`
        tree: `EliminationTree`
        node_of: (point_count,) node of each point, written where it was -1
    """
    root, first = tree.parent.shape[0] - 1, tree.first_descendant
    for point in range(node_of.shape[0]):
        if node_of[point] >= 0:
            continue
        lowest = root
        for k in range(adjacency.starts[point], adjacency.ends[point]):
            node = node_of[adjacency.others[k]]
            if 0 <= node < lowest:
                lowest = node
        for k in range(adjacency.starts[point], adjacency.ends[point]):
            node = node_of[adjacency.others[k]]
            if node >= 0 and not (first[node] <= lowest <= node):
                lowest = lowest_common_ancestor(lowest, node, tree)
        node_of[point] = lowest


@kernel
def lift_points(points, adjacency, tree, rows, is_dirty):
    """Lift one end of every pair of these points whose nodes are not comparable to their lowest common ancestor.

    Neighbours of a lifted point lay above or below its old node, so they are above or below the new one too:
    one pass is enough. A lifted point has no row (-1) until it is assigned one, and its old front is dirty.

    Args:
        points: (count,)
        adjacency: `Adjacency`
        tree: `EliminationTree`
        rows: `PointRows`, changed in place
        is_dirty: (node_count,) set for nodes that lose a point, and all above
    """
    node_of, row_of = rows.node_of, rows.row_of
    for point in points:
        for k in range(adjacency.starts[point], adjacency.ends[point]):
            other = adjacency.others[k]
            a, b = node_of[point], node_of[other]
            low, high = min(a, b), max(a, b)
            if tree.first_descendant[high] <= low:
                continue
            lifted = point if a == low else other
            if row_of[lifted] >= 0:
                rows.point_at[row_of[lifted]] = -1
                row_of[lifted] = -1
                mark_ancestors(low, tree.parent, is_dirty)
            node_of[lifted] = lowest_common_ancestor(low, high, tree)


@kernel
def assign_rows(points, rows):
    """Give points without a row the first gap of their node, or the row after its last; return whether all fitted in.

    Args:
        points: (count,) points; those that have a row already keep it
        rows: `PointRows`, changed in place
    """
    for point in points:
        if rows.row_of[point] >= 0:
            continue
        node = rows.node_of[point]
        begin = rows.starts[node]
        row, end = begin, begin + rows.counts[node]
        while row < end and rows.point_at[row] >= 0:
            row += 1
        if row == begin + rows.rooms[node]:
            return False
        if row == end:
            rows.counts[node] += 1
        rows.point_at[row] = point
        rows.row_of[point] = row
    return True


@kernel
def trim_gaps(rows, is_dirty):
    """Take gaps at the end of dirty nodes out of use."""
    for node in range(is_dirty.shape[0]):
        if is_dirty[node]:
            while rows.counts[node] > 0 and rows.point_at[rows.starts[node] + rows.counts[node] - 1] < 0:
                rows.counts[node] -= 1


@kernel
def mark_points(points, adjacency, tree, node_of, is_dirty):
    """Mark the fronts that hold an entry of these points, and all fronts above them, as dirty.

    The entry of a pair is held by the node eliminated first, which may be the neighbour's.
    """
    for point in points:
        own = node_of[point]
        mark_ancestors(own, tree.parent, is_dirty)
        for k in range(adjacency.starts[point], adjacency.ends[point]):
            node = node_of[adjacency.others[k]]
            if node < own:
                mark_ancestors(node, tree.parent, is_dirty)


@kernel
def collect_border(node, adjacency, tree, rows, borders, scratch):
    """List in `scratch.found`, ascending, the rows that eliminating a node couples; return how many.

    They come from the couplings of its own points and from the borders of its children.

    Args:
        node: whose border
        adjacency: `Adjacency`
        tree: `EliminationTree`
        rows: `PointRows`
        borders: `Borders` of its children
        scratch: `BorderScratch`
    """
    found, spare, is_seen = scratch.found, scratch.spare, scratch.is_seen
    own_end, count = rows.starts[node] + rows.rooms[node], np.int64(0)
    for k in range(rows.starts[node], rows.starts[node] + rows.counts[node]):
        point = rows.point_at[k]
        if point < 0:
            continue
        for e in range(adjacency.starts[point], adjacency.ends[point]):
            row = rows.row_of[adjacency.others[e]]
            if row >= own_end and not is_seen[row]:
                is_seen[row] = True
                found[count] = row
                count += 1
    for k in range(count):
        is_seen[found[k]] = False
    sort_ascending(found[:count])
    child = tree.first_child[node]
    while child >= 0:
        begin = borders.starts[child]
        end = begin + borders.counts[child]
        while begin < end and borders.rows[begin] < own_end:
            begin += 1
        for k in range(count):
            spare[k] = found[k]
        count = merge(spare[:count], borders.rows[begin:end], found)
        child = tree.next_sibling[child]
    return count


@kernel
def merge(first, second, merged):
    """Write the numbers of two ascending lists as one, each once; return how many there are."""
    count, i, j = np.int64(0), 0, 0
    while i < first.shape[0] and j < second.shape[0]:
        a, b = first[i], second[j]
        merged[count] = min(a, b)
        i += a <= b
        j += b <= a
        count += 1
    for k in range(i, first.shape[0]):
        merged[count] = first[k]
        count += 1
    for k in range(j, second.shape[0]):
        merged[count] = second[k]
        count += 1
    return count


@kernel
def collect_dirty_borders(used, idle, adjacency, tree, rows, is_dirty, scratch, borders):
    """Find the borders of dirty nodes anew; return the room in use, -1 if there is not enough.

    A border that has outgrown its stretch gets another one at the end.

    Args:
        used: how much of `borders.rows` is in use
        idle: a row that nobody has, to fill borders up to a multiple of four
        adjacency: `Adjacency`
        tree: `EliminationTree`
        rows: `PointRows`
        is_dirty: (node_count,)
        scratch: `BorderScratch`
        borders: `Borders`, changed in place
    """
    for node in range(is_dirty.shape[0]):
        if not is_dirty[node]:
            continue
        count = collect_border(node, adjacency, tree, rows, borders, scratch)
        padded = (count + 3) // 4 * 4
        if padded > borders.rooms[node]:
            room = padded + 8
            if used + room > borders.rows.shape[0]:
                return -1
            borders.starts[node], borders.rooms[node] = used, room
            used += room
        borders.counts[node] = count
        begin = borders.starts[node]
        for k in range(count):
            borders.rows[begin + k] = scratch.found[k]
        for k in range(count, padded):
            borders.rows[begin + k] = idle
    return used


@kernel
def relate_borders(tree, is_dirty, rows, own_rows, borders):
    """Find where each border row stands in the parent's front, for the children of dirty nodes.

    Args:
        tree: `EliminationTree`
        is_dirty: (node_count,)
        rows: `PointRows`
        own_rows: (node_count,) rows in use, filled up to a multiple of four
        borders: `Borders`, whose `relative` is written
    """
    border_rows = borders.rows
    for node in range(tree.parent.shape[0]):
        above = tree.parent[node]
        if above < 0 or not is_dirty[above]:
            continue
        own_end, q = rows.starts[above] + rows.rooms[above], borders.starts[above]
        for k in range(borders.starts[node], borders.starts[node] + borders.counts[node]):
            row = border_rows[k]
            if row < own_end:
                borders.relative[k] = row - rows.starts[above]
            else:
                while border_rows[q] < row:
                    q += 1
                borders.relative[k] = own_rows[above] + q - borders.starts[above]
