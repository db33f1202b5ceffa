"""Batched lower bounds on the distance of pairs during a motion, in single precision.

Theory: docs/theory/contact.md, eq. (K3). In a batch the same number of all pairs stands in one row: the compiler then
works on eight pairs at a time. Closest points only serve to choose a direction, without branches and without care
for the last digit; what is returned is the distance along this direction at both ends of the motion, less all
that rounding may have done to it: a separating direction. So a bound may be a little low, but never too high.
"""

from __future__ import annotations

import numpy as np

from supple.kernel import kernel

LANES = 64
"""Pairs in a batch."""

ROWS = 18
"""Numbers of a pair: three vectors of `pair_vectors` at the start of a motion, and the same at its end."""

END = 9 * LANES
"""Where the vectors at the end of a motion begin."""

ZERO, ONE, TWO = np.float32(0.0), np.float32(1.0), np.float32(2.0)

TINY = np.float32(1e-30)
"""Stands for zero in a denominator."""

ROUNDING = np.float32(1e-6)
"""Largest error of a distance along a direction, in sums of the sizes of all numbers [-]: a dozen roundings of 6e-8."""


@kernel(counts_references=False, is_inlined=True)
def clamped(value):
    """Return the value moved into [0, 1]."""
    return min(max(value, ZERO), ONE)


@kernel(counts_references=False, is_inlined=True)
def edge_line(r, e, f):
    """Return a line between two edges where they come closest: r + s e - t f."""
    rx, ry, rz = r
    ex, ey, ez = e
    fx, fy, fz = f
    ee, ef, ff = ex * ex + ey * ey + ez * ez, ex * fx + ey * fy + ez * fz, fx * fx + fy * fy + fz * fz
    er, fr = ex * rx + ey * ry + ez * rz, fx * rx + fy * ry + fz * rz
    s = clamped((ef * fr - er * ff) / max(ee * ff - ef * ef, TINY))
    t = clamped((s * ef + fr) / max(ff, TINY))
    s = clamped((t * ef - er) / max(ee, TINY))
    return rx + s * ex - t * fx, ry + s * ey - t * fy, rz + s * ez - t * fz


@kernel(counts_references=False, is_inlined=True)
def triangle_line(p, b, c):
    """Return a line between the point p and the triangle (0, b, c) where they come closest: p - u b - v c."""
    px, py, pz = p
    bx, by, bz = b
    cx, cy, cz = c
    bb, bc, cc = bx * bx + by * by + bz * bz, bx * cx + by * cy + bz * cz, cx * cx + cy * cy + cz * cz
    pb, pc = px * bx + py * by + pz * bz, px * cx + py * cy + pz * cz
    square = max(bb * cc - bc * bc, TINY)
    iu, iv = (cc * pb - bc * pc) / square, (bb * pc - bc * pb) / square
    # The three sides, and the squares of their distances but for |p|².
    u = clamped(pb / max(bb, TINY))
    best = u * (u * bb - TWO * pb)
    w = clamped(pc / max(cc, TINY))
    other = w * (w * cc - TWO * pc)
    is_closer = other < best
    best = other if is_closer else best
    u = ZERO if is_closer else u
    v = w if is_closer else ZERO
    w = clamped((pc - pb - bc + bb) / max(bb - TWO * bc + cc, TINY))
    rest = ONE - w
    other = rest * rest * bb + TWO * rest * w * bc + w * w * cc - TWO * (rest * pb + w * pc)
    is_closer = other < best
    u = rest if is_closer else u
    v = w if is_closer else v
    is_inside = (iu >= ZERO) & (iv >= ZERO) & (iu + iv <= ONE)
    u = iu if is_inside else u
    v = iv if is_inside else v
    return px - u * bx - v * cx, py - u * by - v * cy, pz - u * bz - v * cz


@kernel(counts_references=False, is_inlined=True)
def free_along(is_edges, p, b, c, n):
    """Return how far a pair is apart along n, times its length [m]."""
    px, py, pz = p
    bx, by, bz = b
    cx, cy, cz = c
    nx, ny, nz = n
    start, second, third = (
        px * nx + py * ny + pz * nz,
        bx * nx + by * ny + bz * nz,
        cx * nx + cy * ny + cz * nz,
    )
    if is_edges:
        return min(start, start + second) - max(third, ZERO)
    return start - max(max(second, third), ZERO)


@kernel(counts_references=False, is_inlined=True)
def free_by_line(is_edges, p, b, c, p0, b0, c0, p1, b1, c1):
    """Return the lesser distance of a pair at two moments, along the line between the closest points of (p, b, c) [m]."""
    n = edge_line(p, b, c) if is_edges else triangle_line(p, b, c)
    length = np.sqrt(max(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], TINY))
    return min(free_along(is_edges, p0, b0, c0, n), free_along(is_edges, p1, b1, c1, n)) / length


@kernel(counts_references=False, is_inlined=True)
def vector(v, row, n):
    """Return the vector of pair n that begins in some row of a batch."""
    return v[row * LANES + n], v[(row + 1) * LANES + n], v[(row + 2) * LANES + n]


@kernel(counts_references=False, is_inlined=True)
def size_of(v, n):
    """Return the sum of the sizes of all numbers of a pair [m]."""
    size = ZERO
    for row in range(ROWS):
        size += abs(v[row * LANES + n])
    return size


@kernel(counts_references=False, is_inlined=True)
def bound_gaps(is_edges, v, gaps):
    """Write lower bounds on the distance of pairs of one kind in a motion; written once for both, and compiled for each."""
    for n in range(LANES):
        p0, b0, c0 = vector(v, 0, n), vector(v, 3, n), vector(v, 6, n)
        p1, b1, c1 = vector(v, 9, n), vector(v, 12, n), vector(v, 15, n)
        first = free_by_line(is_edges, p0, b0, c0, p0, b0, c0, p1, b1, c1)
        second = free_by_line(is_edges, p1, b1, c1, p0, b0, c0, p1, b1, c1)
        gaps[n] = max(first, second) - ROUNDING * size_of(v, n)


@kernel(counts_references=False)
def bound_edge_gaps(v, gaps):
    """Write lower bounds on the distance of two edges in a motion, for a batch of pairs.

    Args:
        v: (ROWS * LANES,) single precision [m], row by row: start of the first edge seen from the start of the second,
            the first edge and the second, at the start of the motion and at its end
        gaps: (LANES,) single precision [m], overwritten; negative or NaN if no direction tells a pair apart
    """
    bound_gaps(True, v, gaps)


@kernel(counts_references=False)
def bound_triangle_gaps(v, gaps):
    """Write lower bounds on the distance of a point and a triangle in a motion, for a batch of pairs.

    Args:
        v: (ROWS * LANES,) single precision [m], row by row: the point and two corners seen from the first corner,
            at the start of the motion and at its end
        gaps: (LANES,) single precision [m], overwritten; negative or NaN if no direction tells a pair apart
    """
    bound_gaps(False, v, gaps)


@kernel(counts_references=False, is_inlined=True)
def place_pair(x0, x1, is_edges, lane, i, j, k, m, v):
    """Write the vectors of a pair into its place in a batch."""
    # An edge is seen from its own start, and a corner from the first corner.
    base, own = (k, i) if is_edges else (j, j)
    second, third = (j, m) if is_edges else (k, m)
    for axis in range(3):
        row = axis * LANES + lane
        v[row] = x0[i, axis] - x0[base, axis]
        v[3 * LANES + row] = x0[second, axis] - x0[own, axis]
        v[6 * LANES + row] = x0[third, axis] - x0[base, axis]
        v[END + row] = x1[i, axis] - x1[base, axis]
        v[END + 3 * LANES + row] = x1[second, axis] - x1[own, axis]
        v[END + 6 * LANES + row] = x1[third, axis] - x1[base, axis]
