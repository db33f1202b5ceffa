"""Boxes around points, edges and triangles in a motion: the cheapest proof that two of them stay apart.

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


@kernel(counts_references=False, is_inlined=True)
def box_of_two(boxes, i, j):
    """Return the box around two points."""
    return (
        min(boxes[i, 0], boxes[j, 0]), min(boxes[i, 1], boxes[j, 1]), min(boxes[i, 2], boxes[j, 2]),
        max(boxes[i, 3], boxes[j, 3]), max(boxes[i, 4], boxes[j, 4]), max(boxes[i, 5], boxes[j, 5]),
    )  # fmt: skip


@kernel(counts_references=False, is_inlined=True)
def box_with(box, boxes, i):
    """Return a box made larger to hold one more point."""
    return (
        min(box[0], boxes[i, 0]), min(box[1], boxes[i, 1]), min(box[2], boxes[i, 2]),
        max(box[3], boxes[i, 3]), max(box[4], boxes[i, 4]), max(box[5], boxes[i, 5]),
    )  # fmt: skip


@kernel(counts_references=False, is_inlined=True)
def is_outside(boxes, i, box):
    """Return whether the box of a point does not overlap another box."""
    return (
        boxes[i, 0] > box[3] or box[0] > boxes[i, 3]
        or boxes[i, 1] > box[4] or box[1] > boxes[i, 4]
        or boxes[i, 2] > box[5] or box[2] > boxes[i, 5]
    )  # fmt: skip


@kernel(counts_references=False, is_inlined=True)
def are_apart(a, b):
    """Return whether two boxes do not overlap."""
    return a[0] > b[3] or b[0] > a[3] or a[1] > b[4] or b[1] > a[4] or a[2] > b[5] or b[2] > a[5]
