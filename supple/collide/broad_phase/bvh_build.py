"""Construction of a bounding-volume hierarchy: leaves, what they own, and the nodes over them, in a few fast passes.

Every edit of cloth builds the hierarchy anew while the user waits.
"""

from __future__ import annotations

from supple.kernel import kernel


@kernel
def comes_before(centres, axes, i, j):
    """Return whether leaf i stands before leaf j along the first axis that tells, or else by its number.

    Args:
        centres: (leaf_count, 3) where the leaves are [m]
        axes: (3,) axes to ask, -1 for no more
        i: leaf
        j: leaf
    """
    for k in range(3):
        axis = axes[k]
        if axis < 0:
            break
        if centres[i, axis] < centres[j, axis]:
            return True
        if centres[i, axis] > centres[j, axis]:
            return False
    return i < j


@kernel
def put_first_half_first(centres, axes, middle, keys, members):
    """Reorder members so that the `middle` of them that come before all others stand first.

    Args:
        centres: (leaf_count, 3) where the leaves are [m]
        axes: (3,) axes to ask, -1 for no more
        middle: how many
        keys: (count,) where each member is along the first axis [m], reordered as well
        members: (count,) leaves, reordered
    """
    low, high = 0, members.shape[0] - 1
    while low < high:
        pivot, key = members[(low + high) // 2], keys[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while keys[i] < key or (keys[i] == key and comes_before(centres, axes, members[i], pivot)):
                i += 1
            while keys[j] > key or (keys[j] == key and comes_before(centres, axes, pivot, members[j])):
                j -= 1
            if i <= j:
                keys[i], keys[j] = keys[j], keys[i]
                members[i], members[j] = members[j], members[i]
                i += 1
                j -= 1
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            return


@kernel
def longest_side(centres, members):
    """Return the axis along which some of the centres (count, 3) extend most; the first of equal ones."""
    best, longest = 0, -1.0
    for axis in range(3):
        low = high = centres[members[0], axis]
        for n in members:
            low, high = min(low, centres[n, axis]), max(high, centres[n, axis])
        if high - low > longest:
            best, longest = axis, high - low
    return best


@kernel
def halve_leaves(centres, first_leaf, first_node, order, keys, axes, spans, nodes):
    """Write the nodes over some leaves, halving these level by level along their longest side.

    Leaves that are level with each other are told apart along the side of the level above, and so on.

    Args:
        centres: (leaf_count, 3) where the leaves are [m], one or more
        first_leaf: number of the first of them
        first_node: number that the root gets
        order: (leaf_count,) 0, 1, ...; used up
        keys: (leaf_count,) scratch, float64
        axes: (node_count, 3) -1; scratch: axes along which each node was cut out, the last one first
        spans: (node_count, 2) scratch: stretch of `order` below each node
        nodes: (2 leaf_count - 1, 2) written: children, or -1 and the leaf
    """
    spans[0, 0], spans[0, 1] = 0, centres.shape[0]
    count = 1
    for node in range(nodes.shape[0]):
        low, high = spans[node, 0], spans[node, 1]
        if high - low == 1:
            nodes[node, 0], nodes[node, 1] = -1, first_leaf + order[low]
            continue
        axis = longest_side(centres, order[low:high])
        moved = axis
        for k in range(3):  # to the front; those before it move on
            axes[node, k], moved = moved, axes[node, k]
            if moved == axis:
                break
        middle = (high - low) // 2
        for k in range(low, high):
            keys[k] = centres[order[k], axis]
        put_first_half_first(centres, axes[node], middle, keys[low:high], order[low:high])
        for child in range(count, count + 2):
            for k in range(3):
                axes[child, k] = axes[node, k]
        spans[count, 0], spans[count, 1] = low, low + middle
        spans[count + 1, 0], spans[count + 1, 1] = low + middle, high
        nodes[node, 0], nodes[node, 1] = first_node + count, first_node + count + 1
        count += 2


@kernel
def match_triangles(opposite, edge_starts, by_edge, is_taken, leaves):
    """Match triangles that share an edge, as far as they can be, and return how many leaves that makes.

    Args:
        opposite: (triangle_count, 3) edge opposite each corner
        edge_starts: (edge_count + 1,) zeros; scratch
        by_edge: (3 * triangle_count,) scratch
        is_taken: (triangle_count,) False; scratch
        leaves: (triangle_count, 2) written: two triangles, or one and -1
    """
    edge_count = edge_starts.shape[0] - 1
    for t in range(opposite.shape[0]):
        for c in range(3):
            edge_starts[opposite[t, c] + 1] += 1
    for e in range(edge_count):
        edge_starts[e + 1] += edge_starts[e]
    for t in range(opposite.shape[0]):
        for c in range(3):
            by_edge[edge_starts[opposite[t, c]]] = t
            edge_starts[opposite[t, c]] += 1
    count = begin = 0
    for e in range(edge_count):
        end = edge_starts[e]  # has moved on to where the next edge began
        for k in range(begin + 1, end):
            a, b = by_edge[k - 1], by_edge[k]
            if not (is_taken[a] or is_taken[b] or a == b):
                is_taken[a] = is_taken[b] = True
                leaves[count, 0], leaves[count, 1] = a, b
                count += 1
        begin = end
    for t in range(opposite.shape[0]):
        if not is_taken[t]:
            leaves[count, 0], leaves[count, 1] = t, -1
            count += 1
    return count


@kernel
def assign_owners(items, leaf_of_triangle, owners, counts, owned):
    """Give every point or edge to the first leaf that has it.

    Args:
        items: (triangle_count, 3) points or edges of each triangle
        leaf_of_triangle: (triangle_count,)
        owners: (item_count,) -1; scratch
        counts: (leaf_count,) zeros; scratch
        owned: (leaf_count, width) -1; written, ascending within a leaf
    """
    for t in range(items.shape[0]):
        leaf = leaf_of_triangle[t]
        for c in range(3):
            item = items[t, c]
            if owners[item] < 0 or leaf < owners[item]:
                owners[item] = leaf
    for item in range(owners.shape[0]):
        leaf = owners[item]
        if leaf >= 0:
            owned[leaf, counts[leaf]] = item
            counts[leaf] += 1


@kernel
def number_corners(points, corners, numbers):
    """Write points of leaves as numbers of their corners.

    Args:
        points: (leaf_count, width) points, below zero for none
        corners: (leaf_count, 4) points
        numbers: (leaf_count, width) written: 0 to 3, -1 for none
    """
    for leaf in range(points.shape[0]):
        for n in range(points.shape[1]):
            numbers[leaf, n] = -1
            for c in range(3, -1, -1):
                if points[leaf, n] >= 0 and corners[leaf, c] == points[leaf, n]:
                    numbers[leaf, n] = c


@kernel
def join_corners(triangles, leaves, positions, corners, centres):
    """Write the points of every leaf, and the middle of them.

    Args:
        triangles: (triangle_count, 3) points
        leaves: (leaf_count, 2) triangles, -1 for none
        positions: (point_count, 3) [m]
        corners: (leaf_count, 4) written: those of the first triangle and the other one of the second, or the last again
        centres: (leaf_count, 3) written [m]
    """
    for leaf in range(leaves.shape[0]):
        first, second = leaves[leaf, 0], leaves[leaf, 1]
        a, b, c = triangles[first, 0], triangles[first, 1], triangles[first, 2]
        d = c
        if second >= 0:
            for n in range(2, -1, -1):
                point = triangles[second, n]
                if point != a and point != b and point != c:
                    d = point
        corners[leaf, 0], corners[leaf, 1], corners[leaf, 2], corners[leaf, 3] = a, b, c, d
        for axis in range(3):
            total = positions[a, axis] + positions[b, axis] + positions[c, axis] + positions[d, axis]
            centres[leaf, axis] = total / 4.0


@kernel
def number_item_corners(items, item_points, corners, numbers):
    """Write edges or triangles of leaves by the numbers of their corners.

    Args:
        items: (leaf_count, item_count) edges or triangles, below zero for none
        item_points: (count, width) their points
        corners: (leaf_count, 4) points of the leaves
        numbers: (leaf_count, item_count, width) written: 0 to 3, -1 for none
    """
    for leaf in range(items.shape[0]):
        for n in range(items.shape[1]):
            item = items[leaf, n]
            for k in range(item_points.shape[1]):
                numbers[leaf, n, k] = -1
                for c in range(3, -1, -1):
                    if item >= 0 and corners[leaf, c] == item_points[item, k]:
                        numbers[leaf, n, k] = c
