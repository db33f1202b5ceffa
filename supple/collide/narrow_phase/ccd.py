"""Continuous collision detection (CCD) of a point and a triangle, or of two edges, by conservative advancement.

Theory: docs/theory/contact.md, eq. (K2), after Kang 2000 §4.1 (Eq. 5 and 6 and the threshold distance),
but not by the roots of its cubic, which rounding can lose: the distance itself is followed in time. While
corners move on straight lines by Δ, the distance of two shapes cannot shrink faster than the largest |Δ_i - Δ_j| between a
corner of one and a corner of the other. So from any moment it is safe to go on by the gap over this
speed, and nothing is ever jumped over. Running out of steps counts as a hit: a false hit costs a
little motion, a miss would cost the guarantee.

A pair comes as four rows of points: (point, three corners) or (two ends, two ends).
"""

from __future__ import annotations

import math

from supple.collide.narrow_phase.primitive_distance import edge_parameters, triangle_weights
from supple.kernel import dot, kernel

MOST_STEPS = 96
"""Most steps in time; more are needed only by pairs that stay within the separation."""

NEVER = 2.0
"""Returned instead of a time by pairs that do not come too close."""

KEPT = 0.5
"""Share of the separation below which the gap never falls by the time that is returned."""

EXACT = 5e-8
"""Largest error of a distance, relative to the lengths it was computed from (edges that are nearly parallel)."""


@kernel(counts_references=False)
def relative_speed(x0, x1, i, j):
    """Return |Δ_i - Δ_j|, how fast two points approach or leave each other at most [m]."""
    dx = (x1[i, 0] - x0[i, 0]) - (x1[j, 0] - x0[j, 0])
    dy = (x1[i, 1] - x0[i, 1]) - (x1[j, 1] - x0[j, 1])
    dz = (x1[i, 2] - x0[i, 2]) - (x1[j, 2] - x0[j, 2])
    return math.sqrt(dx * dx + dy * dy + dz * dz)


@kernel(counts_references=False)
def between(x0, x1, i, j, t):
    """Return point i minus point j at time t [m]."""
    ax, ay, az = x0[i, 0] - x0[j, 0], x0[i, 1] - x0[j, 1], x0[i, 2] - x0[j, 2]
    bx, by, bz = x1[i, 0] - x1[j, 0], x1[i, 1] - x1[j, 1], x1[i, 2] - x1[j, 2]
    return (ax + t * (bx - ax), ay + t * (by - ay), az + t * (bz - az))


@kernel(counts_references=False)
def largest3(a):
    """Return the largest size of three numbers."""
    return max(abs(a[0]), max(abs(a[1]), abs(a[2])))


@kernel(counts_references=False)
def point_triangle_gap(x0, x1, i, a, b, c, t):
    """Return the distance of point i to the triangle (a, b, c) at time t, less its rounding [m]."""
    p, q, r = between(x0, x1, i, a, t), between(x0, x1, b, a, t), between(x0, x1, c, a, t)
    u, v = triangle_weights(p, q, r)
    d = (p[0] - u * q[0] - v * r[0], p[1] - u * q[1] - v * r[1], p[2] - u * q[2] - v * r[2])
    size = max(largest3(p), max(largest3(q), largest3(r)))
    return math.sqrt(dot(d, d)) - EXACT * size


@kernel(counts_references=False)
def edge_edge_gap(x0, x1, a, b, c, d, t):
    """Return the distance of the edges (a, b) and (c, d) at time t, less its rounding [m]."""
    r, e, f = between(x0, x1, a, c, t), between(x0, x1, b, a, t), between(x0, x1, d, c, t)
    s, w = edge_parameters(r, e, f)
    g = (r[0] + s * e[0] - w * f[0], r[1] + s * e[1] - w * f[1], r[2] + s * e[2] - w * f[2])
    size = max(largest3(r), max(largest3(e), largest3(f)))
    return math.sqrt(dot(g, g)) - EXACT * size


@kernel(counts_references=False)
def contact_time(x0, x1, is_edges, i, j, k, m, separation):
    """Return when a pair first comes as close as `separation`, between 0 and 1, or 2 if it never does.

    Until the returned time the gap stays above half of the separation.

    Args:
        x0: (point_count, 3) [m], where the motion starts
        x1: (point_count, 3) [m], where it ends
        is_edges: whether the pair is two edges (i, j) and (k, m) or a point i and a triangle (j, k, m)
        i: first point
        j: second point
        k: third point
        m: fourth point
        separation: what counts as touching [m], above zero
    """
    if is_edges:
        speed = max(relative_speed(x0, x1, i, k), relative_speed(x0, x1, i, m))
        speed = max(speed, max(relative_speed(x0, x1, j, k), relative_speed(x0, x1, j, m)))
    else:
        speed = max(relative_speed(x0, x1, i, j), relative_speed(x0, x1, i, k))
        speed = max(speed, relative_speed(x0, x1, i, m))
    t = 0.0
    for _ in range(MOST_STEPS):
        if is_edges:
            gap = edge_edge_gap(x0, x1, i, j, k, m, t)
        else:
            gap = point_triangle_gap(x0, x1, i, j, k, m, t)
        # Written so that NaN is a hit.
        if not gap > separation:
            return t
        t += 0.999 * (gap - KEPT * separation) / speed if speed > 0.0 else 1.0
        if t >= 1.0:
            return NEVER
    return min(t, 1.0)
