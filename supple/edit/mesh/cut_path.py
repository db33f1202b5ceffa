"""Cut path: marks the edges of a cut along a path or a plane, splitting triangles on the way.

Theory: docs/theory/edits.md, eq. (T3). The tip of the cut is at a vertex of the mesh. In the triangle around it through
which the straight line to the target leaves, the opposite edge is split where the line crosses it; if the crossing is
near an end of that edge, the cut goes to this end instead, so that no sliver is made. The edge from the old tip to the
new one is marked, and all marked edges are opened in the end.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.adjacency import corner_of, is_on_boundary, next_in_one_ring, one_ring_start
from supple.edit.mesh.triangle_mesh import (
    cevian_length,
    mark_edge,
    read_triangle,
    split_edge,
    triangle_quality,
)
from supple.kernel import difference, dot, kernel, norm

OUTER_FRACTION = 0.2
"""Crossings in the outer fifths of an edge go to its end."""

SHORTEST_PART = 0.3
"""Shortest part of an edge, as a fraction of the mean edge."""

LEAST_QUALITY = 0.15
"""Quality of the flattest triangle that a split may leave; 1 is equilateral."""

REACH = 0.5
"""The tip has arrived when it is this close to its target, as a fraction of the mean edge."""

OFF_CLOTH = 1.0
"""Points of a path farther from the cloth than this are beside it, as a fraction of the mean edge."""

VERTICES_PER_BOX = 64
"""Vertices whose bounding box is looked at before they are."""

SPACING = 1.5
"""Distance of the targets along a path, as a fraction of the mean edge: a cut straight to its end misses curved cloth."""


@kernel
def split_or_snap(mesh, t, c, fraction, mean_edge):
    """Return a vertex near `fraction` of the edge opposite corner c of t: a new one, or an end if that avoids slivers."""
    read_triangle(mesh, t)
    first, last = mesh.triangles[t, (c + 1) % 3], mesh.triangles[t, (c + 2) % 3]
    whole = mesh.lengths[t, c]
    is_poor = fraction < OUTER_FRACTION or fraction > 1.0 - OUTER_FRACTION
    is_poor = is_poor or min(fraction, 1.0 - fraction) * whole < SHORTEST_PART * mean_edge
    u = mesh.neighbours[t, c]
    for side in range(2):
        if side == 1 and u < 0:
            break
        tri = t if side == 0 else u
        read_triangle(mesh, tri)
        p, q = corner_of(mesh.triangles, tri, first), corner_of(mesh.triangles, tri, last)
        left, right = mesh.lengths[tri, q], mesh.lengths[tri, p]
        inner = cevian_length(left, right, whole, fraction)
        is_poor = is_poor or triangle_quality(left, inner, fraction * whole) < LEAST_QUALITY
        is_poor = is_poor or triangle_quality(right, inner, (1.0 - fraction) * whole) < LEAST_QUALITY
    if is_poor:
        return first if fraction < 0.5 else last
    return split_edge(mesh, t, c, fraction)


@kernel
def exit_triangle(mesh, vertex, direction):
    """Find the triangle through which a straight line leaves the one-ring of a vertex.

    Args:
        mesh: the mesh
        vertex: the tip of the cut
        direction: (x, y, z) [m], from the vertex to the target

    Returns:
        the triangle (-1 if the line leaves the cloth), its corner at the vertex, and the weights of the two
        edges there: direction = α e + β f, so that 1 / (α + β) of it lies in the triangle
    """
    triangles, positions = mesh.triangles, mesh.positions
    best_t, best_c, best_alpha, best_beta, best = -1, 0, 0.0, 0.0, 0.0
    edge_t, edge_c, edge_is_first, edge_best, edge_length = -1, 0, True, 0.0, 1.0
    t, entry = one_ring_start(mesh.adjacency, vertex)
    is_border = mesh.neighbours[t, entry] < 0
    first = t
    length = norm(direction)
    while t >= 0:
        c = corner_of(triangles, t, vertex)
        e = difference(positions, triangles[t, (c + 1) % 3], vertex)
        f = difference(positions, triangles[t, (c + 2) % 3], vertex)
        ee, ef, ff, ae, af = dot(e, e), dot(e, f), dot(f, f), dot(direction, e), dot(direction, f)
        det = ee * ff - ef * ef
        if det > 1e-12 * ee * ff:
            alpha, beta = (ae * ff - af * ef) / det, (af * ee - ae * ef) / det
            kept = alpha * ae + beta * af  # square of the part of the direction that lies in the plane
            if min(alpha, beta) > -1e-9 * (abs(alpha) + abs(beta)) and kept > best:
                best_t, best_c, best_alpha, best_beta, best = t, c, max(alpha, 0.0), max(beta, 0.0), kept
        for side in range(2):
            cosine = ae / (math.sqrt(ee) * length) if side == 0 else af / (math.sqrt(ff) * length)
            if cosine > edge_best:
                edge_t, edge_c, edge_is_first, edge_best = t, c, side == 0, cosine
                edge_length = math.sqrt(ee) if side == 0 else math.sqrt(ff)
        t, entry = next_in_one_ring(mesh.adjacency, t, vertex, entry)
        if t == first:
            break
    if best_t < 0 and edge_best > (0.97 if is_border else 0.3):
        # Between two triangles that fold away from the line: go along the edge.
        ratio = length / edge_length
        if edge_is_first:
            return edge_t, edge_c, ratio, 0.0
        return edge_t, edge_c, 0.0, ratio
    return best_t, best_c, best_alpha, best_beta


@kernel
def advance_cut(mesh, tip, target, is_at_end, mean_edge):
    """Cut from a vertex straight towards a target; return the tip of the cut and whether it has left the cloth.

    The tip is -1 if the mesh has no capacity left.
    """
    previous = np.int64(-1)
    for _ in range(10_000):
        if mesh.counts[0] + 2 > mesh.positions.shape[0] or mesh.counts[1] + 4 > mesh.triangles.shape[0]:
            return np.int64(-1), False
        direction = (
            target[0] - mesh.positions[tip, 0],
            target[1] - mesh.positions[tip, 1],
            target[2] - mesh.positions[tip, 2],
        )
        if norm(direction) < (0.1 if is_at_end else REACH) * mean_edge:
            return tip, False
        t, c, alpha, beta = exit_triangle(mesh, tip, direction)
        if t < 0:
            return tip, is_on_boundary(mesh.adjacency, tip)
        reach = alpha + beta
        if reach < (0.5 if is_at_end else 1.0):
            return tip, False
        is_border = mesh.neighbours[t, c] < 0
        ahead = split_or_snap(mesh, t, c, beta / reach, mean_edge)
        if ahead == previous:
            return tip, False
        mark_edge(mesh, tip, ahead)
        is_new = ahead == mesh.counts[0] - 1
        previous, tip = tip, ahead
        if is_border and is_new:
            return tip, True
    return tip, False


@kernel
def bound_vertices(mesh, boxes):
    """Write the bounding boxes (box_count, 6) of VERTICES_PER_BOX vertices each, in order: least and largest x, y, z [m]."""
    for n in range(boxes.shape[0]):
        for axis in range(3):
            low = high = mesh.positions[VERTICES_PER_BOX * n, axis]
            for p in range(VERTICES_PER_BOX * n + 1, VERTICES_PER_BOX * (n + 1)):
                low, high = min(low, mesh.positions[p, axis]), max(high, mesh.positions[p, axis])
            boxes[n, axis], boxes[n, 3 + axis] = low, high


@kernel
def nearest_vertex(mesh, target, boxes, guess):
    """Return the vertex nearest to a target, the first of those that are.

    Bounding boxes that are farther away than the `guess`, a vertex that may be near, are left out.
    """
    best, nearest = guess, 0.0
    for axis in range(3):
        nearest += (mesh.positions[guess, axis] - target[axis]) ** 2
    for n in range(boxes.shape[0] + 1):
        end = mesh.counts[0]
        if n < boxes.shape[0]:
            end = min(end, VERTICES_PER_BOX * (n + 1))
            square = 0.0
            for axis in range(3):
                beyond = max(boxes[n, axis] - target[axis], target[axis] - boxes[n, 3 + axis], 0.0)
                square += beyond * beyond
            if square > nearest:
                continue
        for p in range(VERTICES_PER_BOX * n, end):
            x = mesh.positions[p, 0] - target[0]
            y = mesh.positions[p, 1] - target[1]
            z = mesh.positions[p, 2] - target[2]
            square = x * x + y * y + z * z
            if square < nearest or (square == nearest and p < best):
                best, nearest = p, square
    return best


@kernel
def closest_point_on_triangle(mesh, t, target):
    """Return the squared distance of a target from a triangle, and the last two barycentric weights of the closest point."""
    a, b, c = mesh.triangles[t, 0], mesh.triangles[t, 1], mesh.triangles[t, 2]
    x = mesh.positions
    e, f = difference(x, b, a), difference(x, c, a)
    g = (target[0] - x[a, 0], target[1] - x[a, 1], target[2] - x[a, 2])
    ee, ef, ff, ge, gf = dot(e, e), dot(e, f), dot(f, f), dot(g, e), dot(g, f)
    det = ee * ff - ef * ef
    v = (ge * ff - gf * ef) / det if det > 0.0 else -1.0
    w = (gf * ee - ge * ef) / det if det > 0.0 else -1.0
    if v < 0.0 or w < 0.0 or v + w > 1.0:
        # The closest point lies on an edge: try all three.
        best = math.inf
        bv, bw = 0.0, 0.0
        for edge in range(3):
            if edge == 0:
                s = min(1.0, max(0.0, ge / ee)) if ee > 0.0 else 0.0
                pv, pw = s, 0.0
            elif edge == 1:
                s = min(1.0, max(0.0, gf / ff)) if ff > 0.0 else 0.0
                pv, pw = 0.0, s
            else:
                hh = ee - 2.0 * ef + ff
                s = min(1.0, max(0.0, (gf - ge + ee - ef) / hh)) if hh > 0.0 else 0.0
                pv, pw = 1.0 - s, s
            away = dot(g, g) - 2.0 * (pv * ge + pw * gf) + pv * pv * ee + 2.0 * pv * pw * ef + pw * pw * ff
            if away < best:
                best, bv, bw = away, pv, pw
        v, w = bv, bw
    away = dot(g, g) - 2.0 * (v * ge + w * gf) + v * v * ee + 2.0 * v * w * ef + w * w * ff
    return max(away, 0.0), v, w


@kernel
def closest_triangle(mesh, target, boxes, guess):
    """Return the triangle closest to a target, the last two barycentric weights there, and the distance [m].

    Only the one-ring of the nearest vertex is searched; `guess` is a vertex that may be near.
    """
    vertex = nearest_vertex(mesh, target, boxes, guess)
    best_t, best_v, best_w, best = np.int64(-1), 0.0, 0.0, math.inf
    t, entry = one_ring_start(mesh.adjacency, vertex)
    first = t
    while t >= 0:
        away, v, w = closest_point_on_triangle(mesh, t, target)
        if away < best:
            best_t, best_v, best_w, best = t, v, w, away
        t, entry = next_in_one_ring(mesh.adjacency, t, vertex, entry)
        if t == first:
            break
    return best_t, best_v, best_w, math.sqrt(best)


@kernel
def start_vertex(mesh, t, v, w, mean_edge):
    """Return the vertex that a cut starts from, near a point of triangle t given by its barycentric weights."""
    u = 1.0 - v - w
    if max(u, v, w) > 0.7:
        return mesh.triangles[t, 0 if u > 0.7 else (1 if v > 0.7 else 2)]
    if u <= v and u <= w:
        return split_or_snap(mesh, t, 0, w / (v + w), mean_edge)
    if v <= w:
        return split_or_snap(mesh, t, 1, u / (u + w), mean_edge)
    return split_or_snap(mesh, t, 2, v / (u + v), mean_edge)


@kernel
def cut_along(mesh, path, mean_edge, boxes):
    """Mark the edges of a cut along a path; return how many targets lay on the cloth, -1 if the capacity ran out.

    Args:
        mesh: changed in place
        path: (target_count, 3) [m], close enough together to follow the cloth
        mean_edge: mean length of edges [m]
        boxes: (vertex_count // VERTICES_PER_BOX, 6) scratch
    """
    bound_vertices(mesh, boxes)
    tip, guess = np.int64(-1), np.int64(0)
    found = 0
    for k in range(path.shape[0]):
        if mesh.counts[0] + 4 > mesh.positions.shape[0] or mesh.counts[1] + 8 > mesh.triangles.shape[0]:
            return -1
        target = (path[k, 0], path[k, 1], path[k, 2])
        t, v, w, away = closest_triangle(mesh, target, boxes, guess)
        guess = mesh.triangles[t, 0]
        is_on = away <= OFF_CLOTH * mean_edge
        found += is_on
        is_at_end = k == path.shape[0] - 1
        if tip >= 0:
            tip, has_left = advance_cut(mesh, tip, target, is_at_end and is_on, mean_edge)
            if tip < 0:
                return -1
            if not has_left:
                continue
            tip = np.int64(-1)
            t, v, w, away = closest_triangle(
                mesh, target, boxes, guess
            )  # splits may have changed the triangle
            is_on = away <= OFF_CLOTH * mean_edge
            # The target is the border itself: the cut has ended there.
            if not is_on or away > 0.25 * mean_edge or is_at_end:
                continue
        if is_on and not (is_at_end and found == 1):
            tip = start_vertex(mesh, t, v, w, mean_edge)
            if k > 0:
                before = (path[k - 1, 0], path[k - 1, 1], path[k - 1, 2])
                if advance_cut(mesh, tip, before, False, mean_edge)[0] < 0:
                    return -1
    return found


@kernel
def cut_by_plane(mesh, normal, offset, mean_edge, signed_distances):
    """Mark the edges of a cut along a plane n · x = offset; return whether the capacity sufficed.

    Args:
        mesh: changed in place
        normal: (x, y, z) unit vector
        offset: [m]
        mean_edge: mean length of edges [m]
        signed_distances: (vertex_capacity,) scratch: from the plane, 0 for vertices that the cut passes through [m]
    """
    for p in range(mesh.counts[0]):
        x = mesh.positions[p]
        signed_distances[p] = normal[0] * x[0] + normal[1] * x[1] + normal[2] * x[2] - offset
    for is_second in range(2):
        t = 0
        while t < mesh.counts[1]:
            for c in range(3):
                a, b = mesh.triangles[t, (c + 1) % 3], mesh.triangles[t, (c + 2) % 3]
                if not signed_distances[a] * signed_distances[b] < 0.0:
                    continue
                if (
                    mesh.counts[0] + 2 > signed_distances.shape[0]
                    or mesh.counts[1] + 4 > mesh.triangles.shape[0]
                ):
                    return False
                fraction = signed_distances[a] / (signed_distances[a] - signed_distances[b])
                near = a if fraction < 0.5 else b
                if not is_second:
                    # First let the plane go through vertices that are near, so that no split leaves a sliver.
                    read_triangle(mesh, t)
                    part = min(fraction, 1.0 - fraction)
                    if part < OUTER_FRACTION or part * mesh.lengths[t, c] < SHORTEST_PART * mean_edge:
                        signed_distances[near] = 0.0
                    continue
                middle = split_or_snap(mesh, t, c, fraction, mean_edge)
                signed_distances[middle] = 0.0
            t += 1
    for t in range(mesh.counts[1]):
        for c in range(3):
            u = mesh.neighbours[t, c]
            if u > t and is_beyond_plane(mesh, t, signed_distances) != is_beyond_plane(
                mesh, u, signed_distances
            ):
                a, b = mesh.triangles[t, (c + 1) % 3], mesh.triangles[t, (c + 2) % 3]
                mark_edge(mesh, a, b)
    return True


@kernel
def is_beyond_plane(mesh, t, signed_distances):
    """Return whether a triangle lies on the side of the normal."""
    return (
        signed_distances[mesh.triangles[t, 0]] > 0.0
        or signed_distances[mesh.triangles[t, 1]] > 0.0
        or signed_distances[mesh.triangles[t, 2]] > 0.0
    )


def resampled(path: NDArray[np.float64], spacing: float) -> NDArray[np.float64]:
    """Return points along a path (count, 3) at most `spacing` apart, its corners among them [m]."""
    parts = [path[:1]]
    for start, end in itertools.pairwise(path):
        steps = max(1, math.ceil(float(np.linalg.norm(end - start)) / spacing))
        shares = np.arange(1, steps + 1)[:, None] / steps
        parts.append(start + shares * (end - start))
    return np.concatenate(parts)
