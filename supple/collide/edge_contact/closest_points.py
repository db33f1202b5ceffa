"""Where sides and faces of cloth are nearest to a solid with edges.

Theory: docs/theory/obstacles.md, eq. (O23) to (O25). Around its edges the distance to a solid is convex, and lies above
each of its tangents: a few of them tell where it is least.
"""

from __future__ import annotations

import math

from supple.collide.obstacles.signed_distance import distance_to
from supple.kernel import cross, dot, kernel

TANGENTS = 8
"""Most places of a side that are looked at."""

NEAR_ENOUGH = 0.05
"""How exactly the nearest place of a side is sought, in shares of what is looked for [-]."""

FLAT = 1e-6
"""Determinant of three tangents, over its terms, below which they count as parallel [-]."""


@kernel(counts_references=False)
def lowest_on_side(solids, o, p, q, at_p, at_q, enough):
    """Return where on the line from p to q solid o is nearest, 0 to 1, how near [m], and the direction away from it.

    The distance to a solid is convex around its edges, so it lies above its tangents: the next place to look at is where
    those of the last two places meet (O23). Not searched further is a line that stays farther than `enough` [m]. Distance
    and gradient at both ends are known. The direction mixes the gradients left and right of the place so that it is across
    the line (O25); it is nothing if the nearest place is an end.
    """
    e = (q[0] - p[0], q[1] - p[1], q[2] - p[2])
    low, d_low, n_low = 0.0, at_p[0], (at_p[1], at_p[2], at_p[3])
    high, d_high, n_high = 1.0, at_q[0], (at_q[1], at_q[2], at_q[3])
    slope_low, slope_high = dot(n_low, e), dot(n_high, e)
    if not (slope_low < 0.0 and slope_high > 0.0):
        return (low, d_low, 0.0, 0.0, 0.0) if d_low <= d_high else (high, d_high, 0.0, 0.0, 0.0)
    best, least = (low, d_low) if d_low <= d_high else (high, d_high)
    for _ in range(TANGENTS):
        t = (d_low - slope_low * low - d_high + slope_high * high) / (slope_high - slope_low)
        bound = d_low + slope_low * (t - low)
        if bound > enough or not (t > low and t < high):
            break
        d, nx, ny, nz = distance_to(solids, o, p[0] + t * e[0], p[1] + t * e[1], p[2] + t * e[2])
        if d < least:
            best, least = t, d
        slope = nx * e[0] + ny * e[1] + nz * e[2]
        if d - bound < NEAR_ENOUGH * enough or slope == 0.0:
            break
        if slope < 0.0:
            low, d_low, slope_low, n_low = t, d, slope, (nx, ny, nz)
        else:
            high, d_high, slope_high, n_high = t, d, slope, (nx, ny, nz)
    share = slope_high / (slope_high - slope_low)
    return (
        best, least, share * n_low[0] + (1.0 - share) * n_high[0], share * n_low[1] + (1.0 - share) * n_high[1],
        share * n_low[2] + (1.0 - share) * n_high[2],
    )  # fmt: skip


@kernel(counts_references=False)
def tangents_meet(a, b, c, at_a, at_b, at_c):
    """Return the weights of b and c at which the tangents of the distance at the corners of a triangle meet, NaN if nowhere.

    Above a corner of a solid they are its three faces, and meet in it (O24).
    """
    u = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
    v = (c[0] - a[0], c[1] - a[1], c[2] - a[2])
    na, nb, nc = (at_a[1], at_a[2], at_a[3]), (at_b[1], at_b[2], at_b[3]), (at_c[1], at_c[2], at_c[3])
    # Seen from a, the tangents are d + (nu) s + (nv) t in the weights s and t of b and c.
    au, av, bu, bv, cu, cv = dot(na, u), dot(na, v), dot(nb, u), dot(nb, v), dot(nc, u), dot(nc, v)
    da, db, dc = at_a[0], at_b[0] - bu, at_c[0] - cv
    m00, m01, m10, m11 = bu - au, bv - av, cu - au, cv - av
    r0, r1 = da - db, da - dc
    determinant = m00 * m11 - m01 * m10
    if not abs(determinant) > FLAT * (abs(m00 * m11) + abs(m01 * m10)):
        return math.nan, math.nan
    return (r0 * m11 - r1 * m01) / determinant, (m00 * r1 - m10 * r0) / determinant


@kernel(counts_references=False)
def across_face(a, b, c, n):
    """Return the part of n along the normal of a triangle."""
    u = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
    v = (c[0] - a[0], c[1] - a[1], c[2] - a[2])
    e = cross(u, v)
    share = dot(n, e) / dot(e, e)
    return share * e[0], share * e[1], share * e[2]
