"""Candidate triangles: those that can be the nearest in a cube of a distance map, fewer from cube to cube.

With d the distance of the centre of a cube and R half its diagonal, the triangles within d + 2 R of the centre are all
that can be closest to one of its points. Around each triangle lies a disc, which rules most of them out by a look.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.collide.narrow_phase.point_triangle import closest_from, triangle_distance2
from supple.kernel import kernel

HALF_DIAGONAL = 0.5 * math.sqrt(3.0)
"""Of a cube, in sides [-]."""


class Candidates(NamedTuple):
    """Rows of triangles: each chosen from the row before it, for a smaller cube."""

    triangles: NDArray[np.int32]
    """(row_count, triangle_count) indices."""

    discs: NDArray[np.float64]
    """(row_count, triangle_count, 7) a disc around each of them: centre and radius [m], normal."""

    counts: NDArray[np.int64]
    """(row_count,) how many are in each row."""

    squares: NDArray[np.float64]
    """(triangle_count,) scratch: squared distances of the centres of the discs of one row [m²]."""


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
def nearest_place(corners, candidates, row, x, y, z):
    """Return the distance of the nearest triangle of a row [m], and its place in it; write the squares of the row.

    A triangle whose disc is farther than the best so far is not looked at.
    """
    discs, squares = candidates.discs, candidates.squares
    best, near, nearest = math.inf, math.inf, 0
    for i in range(candidates.counts[row]):
        dx, dy, dz = x - discs[row, i, 0], y - discs[row, i, 1], z - discs[row, i, 2]
        square = dx * dx + dy * dy + dz * dz
        squares[i] = square
        far = near + discs[row, i, 3]
        if square <= far * far and not is_disc_beyond(discs, row, i, dx, dy, dz, square, best):
            d2 = triangle_distance2(corners, 9 * candidates.triangles[row, i], x, y, z)
            if d2 < best:
                best, near, nearest = d2, math.sqrt(d2), i
    return near, nearest


@kernel(counts_references=False)
def keep_near(corners, candidates, row, near, nearest, x, y, z, reach):
    """Fill the next row with the triangles that are at most `reach` farther from a point than the nearest one.

    The nearest comes first, and the discs come with them: side by side in memory, most triangles
    are ruled out by a look at their disc. Before it comes `nearest_place`, which finds `near` and
    `nearest` and fills the squares.
    """
    lists, discs, squares = candidates.triangles, candidates.discs, candidates.squares
    limit = near + reach
    kept = 1
    for i in range(candidates.counts[row]):
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
    candidates.counts[row + 1] = kept


@kernel(counts_references=False)
def gather_near(corners, candidates, row, x, y, z, reach):
    """Fill the next row with what matters within half of `reach` [m] of a point; return the distance of the nearest [m]."""
    near, nearest = nearest_place(corners, candidates, row, x, y, z)
    keep_near(corners, candidates, row, near, nearest, x, y, z, reach)
    return near


@kernel(counts_references=False)
def nearest_in_row(corners, candidates, row, x, y, z):
    """Return squared distance, index, part and closest point of the nearest triangle of a row.

    A triangle whose disc is farther than the best so far is not looked at.
    """
    discs = candidates.discs
    best, near, best_t, best_part = math.inf, math.inf, 0, 0
    bx, by, bz = x, y, z
    for i in range(candidates.counts[row]):
        dx, dy, dz = x - discs[row, i, 0], y - discs[row, i, 1], z - discs[row, i, 2]
        far = near + discs[row, i, 3]
        square = dx * dx + dy * dy + dz * dz
        if square > far * far or is_disc_beyond(discs, row, i, dx, dy, dz, square, best):
            continue
        t = candidates.triangles[row, i]
        px, py, pz, part = closest_from(corners, 9 * t, x, y, z)
        d2 = (x - px) * (x - px) + (y - py) * (y - py) + (z - pz) * (z - pz)
        if d2 < best:
            best, near, best_t, best_part = d2, math.sqrt(d2), t, part
            bx, by, bz = px, py, pz
    return best, best_t, best_part, bx, by, bz


@kernel(counts_references=False)
def drop_hopeless(corners, candidates, row, x, y, z, size):
    """Keep in a row only triangles that may be closest somewhere in a cube; return how many.

    Any point of the cube is within δ of one of 27 samples. A triangle that is more than 2 δ
    farther than the nearest one at all of them is nowhere the nearest.
    """
    lists, discs, count = candidates.triangles, candidates.discs, candidates.counts[row]
    reach = size * HALF_DIAGONAL
    kept = 0
    for sample in range(27):
        px = x + 0.5 * size * (sample // 9)
        py = y + 0.5 * size * (sample // 3 % 3)
        pz = z + 0.5 * size * (sample % 3)
        d2, _, _, _, _, _ = nearest_in_row(corners, candidates, row, px, py, pz)
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
    candidates.counts[row] = kept
    return kept
