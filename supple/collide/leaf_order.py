"""Leaf order: what a tree over surfaces is built of, found in a few passes; an edit must not wait for it."""

from __future__ import annotations

from supple.kernel import kernel

RUN = 8
"""Numbers that are put in order one by one before such runs are merged."""


@kernel
def sort_by_key(keys, members, spare_keys, spare_members):
    """Sort members by their keys, all of them (count,) float64 and int64; those of equal keys stay in their order.

    The spares (count,) are scratch.
    """
    count = keys.shape[0]
    for begin in range(0, count, RUN):
        for k in range(begin + 1, min(begin + RUN, count)):
            key, member = keys[k], members[k]
            at = k
            while at > begin and keys[at - 1] > key:
                keys[at], members[at] = keys[at - 1], members[at - 1]
                at -= 1
            keys[at], members[at] = key, member
    width = RUN
    while width < count:
        for begin in range(0, count, 2 * width):
            middle, end = min(begin + width, count), min(begin + 2 * width, count)
            a, b = begin, middle
            for k in range(begin, end):
                if b >= end or (a < middle and keys[a] <= keys[b]):
                    spare_keys[k], spare_members[k] = keys[a], members[a]
                    a += 1
                else:
                    spare_keys[k], spare_members[k] = keys[b], members[b]
                    b += 1
        for k in range(count):
            keys[k], members[k] = spare_keys[k], spare_members[k]
        width *= 2


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
def halve_leaves(centres, first_leaf, first_node, order, keys, spare_keys, spare_order, spans, nodes):
    """Write the nodes over some leaves, halving these level by level along their longest side.

    Args:
        centres: (leaf_count, 3) where the leaves are [m], one or more
        first_leaf: number of the first of them
        first_node: number that the root gets
        order: (leaf_count,) 0, 1, ...; used up
        keys: (leaf_count,) scratch, float64
        spare_keys: (leaf_count,) scratch, float64
        spare_order: (leaf_count,) scratch
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
        for k in range(low, high):
            keys[k] = centres[order[k], axis]
        sort_by_key(keys[low:high], order[low:high], spare_keys[low:high], spare_order[low:high])
        middle = (low + high) // 2
        spans[count, 0], spans[count, 1] = low, middle
        spans[count + 1, 0], spans[count + 1, 1] = middle, high
        nodes[node, 0], nodes[node, 1] = first_node + count, first_node + count + 1
        count += 2


@kernel
def pair_triangles(sides, edge_starts, by_edge, is_taken, leaves):
    """Match triangles that share an edge, as far as they can be, and return how many leaves that makes.

    Args:
        sides: (triangle_count, 3) edge opposite each corner
        edge_starts: (edge_count + 1,) zeros; scratch
        by_edge: (3 * triangle_count,) scratch
        is_taken: (triangle_count,) False; scratch
        leaves: (triangle_count, 2) written: two triangles, or one and -1
    """
    edge_count = edge_starts.shape[0] - 1
    for t in range(sides.shape[0]):
        for c in range(3):
            edge_starts[sides[t, c] + 1] += 1
    for e in range(edge_count):
        edge_starts[e + 1] += edge_starts[e]
    for t in range(sides.shape[0]):
        for c in range(3):
            by_edge[edge_starts[sides[t, c]]] = t
            edge_starts[sides[t, c]] += 1
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
    for t in range(sides.shape[0]):
        if not is_taken[t]:
            leaves[count, 0], leaves[count, 1] = t, -1
            count += 1
    return count


@kernel
def share_out(items, leaf_of_triangle, owners, counts, owned):
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
def name_corners(points, corners, names):
    """Write points of leaves as numbers of their corners.

    Args:
        points: (leaf_count, width) points, below zero for none
        corners: (leaf_count, 4) points
        names: (leaf_count, width) written: 0 to 3, -1 for none
    """
    for leaf in range(points.shape[0]):
        for n in range(points.shape[1]):
            names[leaf, n] = -1
            for c in range(3, -1, -1):
                if points[leaf, n] >= 0 and corners[leaf, c] == points[leaf, n]:
                    names[leaf, n] = c


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
def name_items(items, item_points, corners, names):
    """Write edges or triangles of leaves by the numbers of their corners.

    Args:
        items: (leaf_count, item_count) edges or triangles, below zero for none
        item_points: (count, width) their points
        corners: (leaf_count, 4) points of the leaves
        names: (leaf_count, item_count, width) written: 0 to 3, -1 for none
    """
    for leaf in range(items.shape[0]):
        for n in range(items.shape[1]):
            item = items[leaf, n]
            for k in range(item_points.shape[1]):
                names[leaf, n, k] = -1
                for c in range(3, -1, -1):
                    if item >= 0 and corners[leaf, c] == item_points[item, k]:
                        names[leaf, n, k] = c
