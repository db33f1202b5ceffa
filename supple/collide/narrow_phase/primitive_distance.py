"""Closest points of a point and a triangle, and of two edges, from differences of their corners.

Theory: docs/theory/contact.md, eq. (K1). Both work on differences only, so they lose no digits far from
the origin, and both answer for shapes without length or area: a needle triangle is its sides, an edge of
no length a point.
"""

from __future__ import annotations

from supple.kernel import dot, kernel

OPEN = 1e-6
"""Where the square of the sine of an angle exceeds this, rounding cannot spoil a foot inside the shapes.

Below, the ends and sides are tried as well, and the closest wins. The distance is then wrong by at
most about 1e-8 of the lengths: the foot inside by 1e-16 over the sine, the ends by the sine.
"""


@kernel(counts_references=False)
def clamp01(value):
    """Return the value moved into [0, 1]; NaN becomes 0."""
    if value >= 1.0:
        return 1.0
    return value if value > 0.0 else 0.0


@kernel(counts_references=False)
def triangle_weights(p, b, c):
    """Return u, v such that u b + v c is the point of the triangle (0, b, c) closest to p.

    The foot of the point in the plane if it lies inside, else the closest point of the three sides. So a
    needle triangle is no special case.
    """
    bb, bc, cc = dot(b, b), dot(b, c), dot(c, c)
    pb, pc = dot(p, b), dot(p, c)
    square = bb * cc - bc * bc
    best, u, v = 0.0, 0.0, 0.0
    if square > 0.0:
        fu, fv = (cc * pb - bc * pc) / square, (bb * pc - bc * pb) / square
        if fu >= 0.0 and fv >= 0.0 and fu + fv <= 1.0:
            if square > OPEN * bb * cc:
                return fu, fv
            u, v = fu, fv
            best = u * u * bb + 2.0 * u * v * bc + v * v * cc - 2.0 * (u * pb + v * pc)
    w = clamp01(pb / bb) if bb > 0.0 else 0.0
    found = w * (w * bb - 2.0 * pb)
    if found < best:
        best, u, v = found, w, 0.0
    w = clamp01(pc / cc) if cc > 0.0 else 0.0
    found = w * (w * cc - 2.0 * pc)
    if found < best:
        best, u, v = found, 0.0, w
    # The side from b to c: b + w (c - b).
    side = bb - 2.0 * bc + cc
    w = clamp01((pc - pb - bc + bb) / side) if side > 0.0 else 0.0
    ub, wc = 1.0 - w, w
    found = ub * ub * bb + 2.0 * ub * wc * bc + wc * wc * cc - 2.0 * (ub * pb + wc * pc)
    if found < best:
        u, v = ub, wc
    return u, v


@kernel(counts_references=False)
def edge_parameters(r, e, f):
    """Return s, t such that r + s e and t f are the closest points of two edges, one of which starts at 0.

    Inside both edges if their lines come closest there; else one of the four ends is closest to the
    other edge. Parallel edges take an end, or a foot that is as close.

    Args:
        r: start of the first edge minus start of the second [m]
        e: the first edge, from its start to its end [m]
        f: the second edge [m]
    """
    ee, ef, ff = dot(e, e), dot(e, f), dot(f, f)
    er, fr = dot(e, r), dot(f, r)
    square = ee * ff - ef * ef
    # Squares of distances without the common |r|².
    best_s, best_t, best = 0.0, 0.0, 0.0
    if square > 0.0:
        s, t = (ef * fr - er * ff) / square, (ee * fr - ef * er) / square
        if s >= 0.0 and s <= 1.0 and t >= 0.0 and t <= 1.0:
            if square > OPEN * ee * ff:
                return s, t
            best_s, best_t = s, t
            best = s * s * ee + t * t * ff + 2.0 * (s * er - t * fr - s * t * ef)
    # Each end against the other edge.
    t = clamp01(fr / ff) if ff > 0.0 else 0.0
    found = t * t * ff - 2.0 * t * fr
    if found < best:
        best, best_s, best_t = found, 0.0, t
    t = clamp01((fr + ef) / ff) if ff > 0.0 else 0.0
    found = 2.0 * er + ee - 2.0 * t * (fr + ef) + t * t * ff
    if found < best:
        best, best_s, best_t = found, 1.0, t
    s = clamp01(-er / ee) if ee > 0.0 else 0.0
    found = 2.0 * s * er + s * s * ee
    if found < best:
        best, best_s, best_t = found, s, 0.0
    s = clamp01((ef - er) / ee) if ee > 0.0 else 0.0
    found = 2.0 * s * (er - ef) + s * s * ee - 2.0 * fr + ff
    if found < best:
        best_s, best_t = s, 1.0
    return best_s, best_t


@kernel(counts_references=False)
def meet_inside(r, e, f):
    """Return whether the lines of two edges come closest inside of both; the edges come as in `edge_parameters`."""
    ee, ef, ff = dot(e, e), dot(e, f), dot(f, f)
    er, fr = dot(e, r), dot(f, r)
    square = ee * ff - ef * ef
    s, t = ef * fr - er * ff, ee * fr - ef * er
    return s > 0.0 and s < square and t > 0.0 and t < square
