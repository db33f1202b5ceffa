"""A pair of a point and a triangle, or of two edges, as vectors: its closest points and their barycentric weights.

Theory: docs/theory/contact.md, eq. (K1), (K3). A pair is four points, (point, three corners) or (two ends, two ends), and a
flag that says which.
"""

from __future__ import annotations

from supple.collide.narrow_phase.primitive_distance import edge_parameters, triangle_weights
from supple.kernel import difference, dot, kernel


@kernel(counts_references=False)
def pair_vectors(x, is_edges, i, j, k, m):
    """Return what a pair looks like from one of its corners.

    For a point and a triangle, the point and two corners seen from the first corner; for two edges,
    the start of the first seen from the start of the second, and both edges.
    """
    if is_edges:
        return difference(x, i, k), difference(x, j, i), difference(x, m, k)
    return difference(x, i, j), difference(x, k, j), difference(x, m, j)


@kernel(counts_references=False)
def closest_line(is_edges, p, b, c):
    """Return the line between the closest points of a pair, from the second to the first, and two weights.

    The weights are those of the triangle's second and third corner, or the parameters along the edges.
    The pair comes as `pair_vectors`.
    """
    if is_edges:
        s, t = edge_parameters(p, b, c)
        return (p[0] + s * b[0] - t * c[0], p[1] + s * b[1] - t * c[1], p[2] + s * b[2] - t * c[2]), s, t
    u, v = triangle_weights(p, b, c)
    return (p[0] - u * b[0] - v * c[0], p[1] - u * b[1] - v * c[1], p[2] - u * b[2] - v * c[2]), u, v


@kernel(counts_references=False)
def gap_along(is_edges, p, b, c, n):
    """Return how far a pair is apart along n, times its length [m]; negative if n does not tell it apart."""
    if is_edges:
        start = dot(p, n)
        return min(start, start + dot(b, n)) - max(0.0, dot(c, n))
    return dot(p, n) - max(0.0, max(dot(b, n), dot(c, n)))


@kernel(counts_references=False)
def pair_weights(is_edges, u, v):
    """Return the barycentric weights of the four points of a pair, which add up to zero, from those of `closest_line`."""
    if is_edges:
        return 1.0 - u, u, v - 1.0, -v
    return 1.0, u + v - 1.0, -u, -v
