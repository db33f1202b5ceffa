"""Triangles that can be the nearest: how the lists of a distance map grow shorter from cube to cube.

With d the distance of the centre of a cube and R half its diagonal, the triangles within d + 2 R of the centre are all
that can be closest to one of its points. A list is a row of indices; round each of its triangles lies a disc, which rules
most of them out by a look.
"""

from __future__ import annotations

import math

from supple.collide.narrow_phase.point_triangle import closest_from, triangle_distance2
from supple.kernel import kernel

HALF_DIAGONAL = 0.5 * math.sqrt(3.0)
"""Of a cube, in sides [-]."""


@kernel(counts_references=False)
def is_disc_beyond(discs, row, i, dx, dy, dz, square, limit):
    """Tell whether a disc is farther than the root of `limit` [m²] from a point that is d from its middle.

    A ball would be a poor bound: seen from afar many balls reach out to the point.
    """
    height = dx * discs[row, i, 4] + dy * discs[row, i, 5] + dz * discs[row, i, 6]
    height *= height
    if square - height <= discs[row, i, 3] * discs[row, i, 3]:
        return height > limit
    aside = math.sqrt(square - height) - discs[row, i, 3]
    return height + aside * aside > limit


@kernel(counts_references=False)
def nearest_place(corners, lists, discs, row, count, x, y, z, squares):
    """Return the distance of the nearest triangle of a list [m], and its place in the list.

    A triangle whose disc is farther than the best so far is not looked at.

    Args:
        corners: (9 triangle_count,) [m]
        lists: (row_count, triangle_count) indices of triangles, one list a row
        discs: (row_count, triangle_count, 7) a disc round each of them: centre and radius [m], normal
        row: the list
        count: its length
        x: the point [m]
        y: its second coordinate
        z: its third coordinate
        squares: (triangle_count,) squared distances of the centres of the discs [m²], written
    """
    best, near, nearest = math.inf, math.inf, 0
    for i in range(count):
        dx, dy, dz = x - discs[row, i, 0], y - discs[row, i, 1], z - discs[row, i, 2]
        square = dx * dx + dy * dy + dz * dz
        squares[i] = square
        far = near + discs[row, i, 3]
        if square <= far * far and not is_disc_beyond(discs, row, i, dx, dy, dz, square, best):
            d2 = triangle_distance2(corners, 9 * lists[row, i], x, y, z)
            if d2 < best:
                best, near, nearest = d2, math.sqrt(d2), i
    return near, nearest


@kernel(counts_references=False)
def keep_near(corners, lists, discs, row, count, near, nearest, x, y, z, reach, squares):
    """Keep the triangles that are at most `reach` farther from a point than the nearest one; return how many.

    They go from one row of `lists` to the next, the nearest first, and their discs with them:
    side by side in memory, most triangles are ruled out by a look at their disc. Before it comes
    `nearest_place`, which finds `near` and `nearest` and fills `squares`.
    """
    limit = near + reach
    kept = 1
    for i in range(count):
        radius = discs[row, i, 3]
        far = limit + radius
        if squares[i] > far * far and i != nearest:
            continue
        # The ball round a small triangle is good enough.
        if radius > 0.35 * reach and i != nearest:
            dx, dy, dz = x - discs[row, i, 0], y - discs[row, i, 1], z - discs[row, i, 2]
            if is_disc_beyond(discs, row, i, dx, dy, dz, squares[i], limit * limit):
                continue
            if triangle_distance2(corners, 9 * lists[row, i], x, y, z) > limit * limit:
                continue
        place = 0
        if i != nearest:
            place = kept
            kept += 1
        lists[row + 1, place] = lists[row, i]
        for k in range(7):
            discs[row + 1, place, k] = discs[row, i, k]
    return kept


@kernel(counts_references=False)
def gather_near(corners, lists, discs, row, count, x, y, z, reach, squares):
    """Choose the triangles of a list that matter within half of `reach` [m] of a point, for the next row.

    Returns:
        How many there are, and the distance of the nearest [m].
    """
    near, nearest = nearest_place(corners, lists, discs, row, count, x, y, z, squares)
    kept = keep_near(corners, lists, discs, row, count, near, nearest, x, y, z, reach, squares)
    return kept, near


@kernel(counts_references=False)
def nearest_in_row(corners, lists, discs, row, count, x, y, z):
    """Return squared distance, index, part and closest point of the nearest triangle of a list.

    A triangle whose disc is farther than the best so far is not looked at.
    """
    best, near, best_t, best_part = math.inf, math.inf, 0, 0
    bx, by, bz = x, y, z
    for i in range(count):
        dx, dy, dz = x - discs[row, i, 0], y - discs[row, i, 1], z - discs[row, i, 2]
        far = near + discs[row, i, 3]
        square = dx * dx + dy * dy + dz * dz
        if square > far * far or is_disc_beyond(discs, row, i, dx, dy, dz, square, best):
            continue
        t = lists[row, i]
        px, py, pz, part = closest_from(corners, 9 * t, x, y, z)
        d2 = (x - px) * (x - px) + (y - py) * (y - py) + (z - pz) * (z - pz)
        if d2 < best:
            best, near, best_t, best_part = d2, math.sqrt(d2), t, part
            bx, by, bz = px, py, pz
    return best, best_t, best_part, bx, by, bz


@kernel(counts_references=False)
def drop_hopeless(corners, lists, discs, row, count, x, y, z, size):
    """Keep of a list only triangles that may be closest somewhere in a cube, in place; return how many.

    Any point of the cube is within δ of one of 27 samples. A triangle that is more than 2 δ
    farther than the nearest one at all of them is nowhere the nearest.
    """
    reach = size * HALF_DIAGONAL
    kept = 0
    for sample in range(27):
        px = x + 0.5 * size * (sample // 9)
        py = y + 0.5 * size * (sample // 3 % 3)
        pz = z + 0.5 * size * (sample % 3)
        d2, _, _, _, _, _ = nearest_in_row(corners, lists, discs, row, count, px, py, pz)
        limit = math.sqrt(d2) + reach
        # Those that may be closest move to the front and need no more looks.
        for i in range(kept, count):
            dx, dy, dz = px - discs[row, i, 0], py - discs[row, i, 1], pz - discs[row, i, 2]
            far = limit + discs[row, i, 3]
            square = dx * dx + dy * dy + dz * dz
            if square > far * far or is_disc_beyond(discs, row, i, dx, dy, dz, square, limit * limit):
                continue
            if triangle_distance2(corners, 9 * lists[row, i], px, py, pz) <= limit * limit:
                lists[row, i], lists[row, kept] = lists[row, kept], lists[row, i]
                for k in range(7):
                    discs[row, i, k], discs[row, kept, k] = discs[row, kept, k], discs[row, i, k]
                kept += 1
        if kept == count:
            break
    return kept
