"""Swept axis-aligned boxes of points, edges and triangles in a motion: the cheapest test that two of them stay apart.

Boxes are six numbers in single precision, the low corner and the high one, and already half of the reach larger on
every side: two things that come within the reach have boxes that overlap.
"""

from __future__ import annotations

from supple.kernel import kernel


@kernel(counts_references=False)
def sweep_points(x0, x1, reach, boxes):
    """Write the box of every point in a motion, and half of the reach more, with the rounding added.

    Args:
        x0: (point_count, 3) [m], where the motion starts
        x1: (point_count, 3) [m], where it ends
        reach: [m]
        boxes: (point_count, 6) single precision [m], overwritten
    """
    for i in range(x0.shape[0]):
        for axis in range(3):
            low, high = min(x0[i, axis], x1[i, axis]), max(x0[i, axis], x1[i, axis])
            more = 0.5 * reach + 2.4e-7 * max(abs(low), abs(high))
            boxes[i, axis] = low - more
            boxes[i, 3 + axis] = high + more


@kernel(counts_references=False)
def sweep_leaves(boxes, corners, leaf_triangles, leaf_edges, triangle_boxes, edge_boxes):
    """Write the boxes around the triangles of every leaf and the edges it owns, given those of their points.

    A leaf is compared with ten others: its boxes are made once, and lie side by side.

    Args:
        boxes: (point_count, 6) single precision [m], of `sweep_points`
        corners: (leaf_count, 4) points
        leaf_triangles: (leaf_count, 2, 3) corners of its triangles, -1 for none
        leaf_edges: (leaf_count, 5, 2) corners of the edges that it owns, -1 for none
        triangle_boxes: (leaf_count, 2, 6) single precision [m], overwritten where there is a triangle
        edge_boxes: (leaf_count, 5, 6) single precision [m], overwritten where there is an edge
    """
    for a in range(corners.shape[0]):
        for t in range(2):
            if leaf_triangles[a, t, 0] < 0:
                break
            j, k = corners[a, leaf_triangles[a, t, 0]], corners[a, leaf_triangles[a, t, 1]]
            m = corners[a, leaf_triangles[a, t, 2]]
            for axis in range(3):
                triangle_boxes[a, t, axis] = min(boxes[j, axis], min(boxes[k, axis], boxes[m, axis]))
                triangle_boxes[a, t, 3 + axis] = max(
                    boxes[j, 3 + axis], max(boxes[k, 3 + axis], boxes[m, 3 + axis])
                )
        for p in range(5):
            if leaf_edges[a, p, 0] < 0:
                break
            i, j = corners[a, leaf_edges[a, p, 0]], corners[a, leaf_edges[a, p, 1]]
            for axis in range(3):
                edge_boxes[a, p, axis] = min(boxes[i, axis], boxes[j, axis])
                edge_boxes[a, p, 3 + axis] = max(boxes[i, 3 + axis], boxes[j, 3 + axis])


@kernel(counts_references=False, is_inlined=True)
def box_at(boxes, n):
    """Return box n as six numbers."""
    return boxes[n, 0], boxes[n, 1], boxes[n, 2], boxes[n, 3], boxes[n, 4], boxes[n, 5]


@kernel(counts_references=False, is_inlined=True)
def overlap(box, boxes, n):
    """Return whether a box and box n of others overlap, without a branch: which ones do is hard to guess."""
    # Written so that NaN overlaps.
    return not (
        (box[0] > boxes[n, 3]) | (boxes[n, 0] > box[3])
        | (box[1] > boxes[n, 4]) | (boxes[n, 1] > box[4])
        | (box[2] > boxes[n, 5]) | (boxes[n, 2] > box[5])
    )  # fmt: skip
