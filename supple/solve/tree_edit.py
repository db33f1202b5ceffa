"""Follow an edit in the elimination order: points come and go, the tree of separators stays.

Two coupled points must lie in nodes of which one is above the other. A point that is new goes to the lowest
node comparable with those of all its neighbours; a new coupling between nodes that are not comparable lifts one
of its ends to the lowest node above both (docs/theory/solve.md, eq. (L5)). Everything else stays where it was: a point
that leaves its node leaves a gap, so that nobody else's row changes, and only the nodes from the edit up to the
root need new lists.
"""

from __future__ import annotations

import numpy as np

from supple.kernel import kernel
from supple.solve.separator_tree import sort_ascending


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
def mark_upwards(node, parent, is_marked):
    """Mark a node and all nodes above it."""
    while node >= 0 and not is_marked[node]:
        is_marked[node] = True
        node = parent[node]


@kernel
def rename_points(new_of, parent, row_start, own_count, point_at, node_of, row_of, is_marked):
    """Call every point by its new name; those that are gone leave gaps, and their nodes are marked.

    Args:
        new_of: (old point_count,) what each point is called now, -1 if it is gone
        parent: (node_count,) node above, -1 for the root
        row_start: (node_count,) first row of each node
        own_count: (node_count,) rows in use, gaps included
        point_at: (row_count,) point in each row, -1 for a gap; renamed
        node_of: (point_count,) written for points that there were
        row_of: (point_count,) written for points that there were
        is_marked: (node_count,) set for nodes that lose a point, and all above
    """
    for node in range(parent.shape[0]):
        for row in range(row_start[node], row_start[node] + own_count[node]):
            if point_at[row] < 0:
                continue
            point = new_of[point_at[row]]
            point_at[row] = point
            if point >= 0:
                node_of[point], row_of[point] = node, row
            else:
                mark_upwards(node, parent, is_marked)


@kernel
def adopt_points(starts, ends, others, parent, first, node_of):
    """Give every point without a node (-1) the lowest one comparable with its neighbours' nodes.

    Args:
        starts: (point_count,) where each point's row of `others` begins
        ends: (point_count,) where it ends
        others: (room,) coupled points
        parent: (node_count,) node above, -1 for the root
        first: (node_count,) smallest node of each subtree
        node_of: (point_count,) node of each point, written where it was -1
    """
    root = parent.shape[0] - 1
    for point in range(node_of.shape[0]):
        if node_of[point] >= 0:
            continue
        lowest = root
        for k in range(starts[point], ends[point]):
            node = node_of[others[k]]
            if 0 <= node < lowest:
                lowest = node
        for k in range(starts[point], ends[point]):
            node = node_of[others[k]]
            if node >= 0 and not (first[node] <= lowest <= node):
                lowest = lowest_common(lowest, node, parent, first)
        node_of[point] = lowest


@kernel
def lift_points(points, starts, ends, others, parent, first, point_at, node_of, row_of, is_marked):
    """Lift one end of every pair of these points whose nodes are not comparable to the lowest node above both.

    Neighbours of a lifted point lay above or below its old node, so they are above or below the new one too:
    one pass is enough. A lifted point has no row (-1) until it is seated, and its old node is marked.
    """
    for point in points:
        for k in range(starts[point], ends[point]):
            a, b = node_of[point], node_of[others[k]]
            low, high = min(a, b), max(a, b)
            if first[high] <= low:
                continue
            lifted = point if a == low else others[k]
            if row_of[lifted] >= 0:
                point_at[row_of[lifted]] = -1
                row_of[lifted] = -1
                mark_upwards(low, parent, is_marked)
            node_of[lifted] = lowest_common(low, high, parent, first)


@kernel
def seat_points(points, row_start, row_room, node_of, own_count, point_at, row_of):
    """Give points without a row the first gap of their node, or the row after its last; return whether all fitted in.

    Args:
        points: (count,) points to seat; those that have a row already keep it
        row_start: (node_count,) first row of each node
        row_room: (node_count,) rows each node may use
        node_of: (point_count,) node of each point
        own_count: (node_count,) rows in use, updated
        point_at: (row_count,) point in each row, updated
        row_of: (point_count,) row of each point, updated
    """
    for point in points:
        if row_of[point] >= 0:
            continue
        node = node_of[point]
        begin = row_start[node]
        row, end = begin, begin + own_count[node]
        while row < end and point_at[row] >= 0:
            row += 1
        if row == begin + row_room[node]:
            return False
        if row == end:
            own_count[node] += 1
        point_at[row] = point
        row_of[point] = row
    return True


@kernel
def drop_last_gaps(row_start, own_count, point_at, is_marked):
    """Let no marked node end with a gap."""
    for node in range(is_marked.shape[0]):
        if is_marked[node]:
            while own_count[node] > 0 and point_at[row_start[node] + own_count[node] - 1] < 0:
                own_count[node] -= 1


@kernel
def mark_paths(points, parent, node_of, starts, ends, others, is_marked):
    """Mark the nodes that hold an entry of these points, and all nodes above them.

    The entry of a pair is held by the node eliminated first, which may be the neighbour's.
    """
    for point in points:
        own = node_of[point]
        mark_upwards(own, parent, is_marked)
        for k in range(starts[point], ends[point]):
            if node_of[others[k]] < own:
                mark_upwards(node_of[others[k]], parent, is_marked)


@kernel
def collect_border(
    node, starts, ends, others, first_child, next_sibling, row_start, row_room, own_count, point_at, row_of,
    border_start, border_count, border_rows, is_seen, spare, found,
):  # fmt: skip
    """List the rows that eliminating a node couples, ascending: of its own points' and its children's borders.

    Args:
        node: whose border
        starts: (point_count,) where each point's row of `others` begins
        ends: (point_count,) where it ends
        others: (room,) coupled points
        first_child: (node_count,) -1 for a leaf
        next_sibling: (node_count,) -1 for the last child
        row_start: (node_count,) first row of each node
        row_room: (node_count,) rows each node may use
        own_count: (node_count,) rows in use
        point_at: (row_count,) point in each row, -1 for a gap
        row_of: (point_count,) row of each point
        border_start: (node_count,) where each node's stretch of `border_rows` begins
        border_count: (node_count,) its length
        border_rows: (room,) rows of each node's border
        is_seen: (row_count,) all False, and so they are afterwards
        spare: (row_count,) scratch
        found: (row_count,) written

    Returns:
        how many there are
    """
    own_end, count = row_start[node] + row_room[node], np.int64(0)
    for k in range(row_start[node], row_start[node] + own_count[node]):
        point = point_at[k]
        if point < 0:
            continue
        for e in range(starts[point], ends[point]):
            row = row_of[others[e]]
            if row >= own_end and not is_seen[row]:
                is_seen[row] = True
                found[count] = row
                count += 1
    for k in range(count):
        is_seen[found[k]] = False
    sort_ascending(found[:count])
    child = first_child[node]
    while child >= 0:
        begin = border_start[child]
        end = begin + border_count[child]
        while begin < end and border_rows[begin] < own_end:
            begin += 1
        for k in range(count):
            spare[k] = found[k]
        count = merge(spare[:count], border_rows[begin:end], found)
        child = next_sibling[child]
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
def collect_borders_of_marked(
    starts, ends, others, first_child, next_sibling, row_start, row_room, own_count, point_at, row_of,
    is_marked, used, idle, is_seen, spare, found, border_start, border_room, border_count, border_rows,
):  # fmt: skip
    """Find the borders of marked nodes anew; return the room in use, -1 if there is not enough.

    A border that has outgrown its stretch of `border_rows` gets another one at the end. Fillers up to a multiple of
    four are the row `idle`.

    Args: see `collect_border`, and
        is_marked: (node_count,)
        used: how much of `border_rows` is in use
        idle: a row that nobody has
        border_room: (node_count,) length of each stretch, updated
    """
    for node in range(is_marked.shape[0]):
        if not is_marked[node]:
            continue
        count = collect_border(
            node, starts, ends, others, first_child, next_sibling, row_start, row_room, own_count,
            point_at, row_of, border_start, border_count, border_rows, is_seen, spare, found,
        )  # fmt: skip
        padded = (count + 3) // 4 * 4
        if padded > border_room[node]:
            room = padded + 8
            if used + room > border_rows.shape[0]:
                return -1
            border_start[node], border_room[node] = used, room
            used += room
        border_count[node] = count
        begin = border_start[node]
        for k in range(count):
            border_rows[begin + k] = found[k]
        for k in range(count, padded):
            border_rows[begin + k] = idle
    return used


@kernel
def relate_borders(
    parent, is_marked, row_start, row_room, own_rows, border_start, border_count, border_rows, relative
):
    """Find where each border row stands in the parent's front, for the children of marked nodes.

    Args:
        parent: (node_count,) node above, -1 for the root
        is_marked: (node_count,)
        row_start: (node_count,) first row of each node
        row_room: (node_count,) rows each node may use
        own_rows: (node_count,) rows in use, filled up to a multiple of four
        border_start: (node_count,) where each node's stretch of `border_rows` begins
        border_count: (node_count,) its length
        border_rows: (room,) rows of each node's border, ascending
        relative: (room,) written, row in the parent's front
    """
    for node in range(parent.shape[0]):
        above = parent[node]
        if above < 0 or not is_marked[above]:
            continue
        own_end, q = row_start[above] + row_room[above], border_start[above]
        for k in range(border_start[node], border_start[node] + border_count[node]):
            row = border_rows[k]
            if row < own_end:
                relative[k] = row - row_start[above]
            else:
                while border_rows[q] < row:
                    q += 1
                relative[k] = own_rows[above] + q - border_start[above]
