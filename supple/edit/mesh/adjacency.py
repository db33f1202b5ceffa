"""Adjacency: which triangles of a surface are neighbours, and how to walk around the one-ring of a vertex.

An edge of a triangle is known by the corner opposite it. A border is where an edge has no second triangle. The surface
must be a manifold: no edge has more than two triangles, and the triangles around a vertex are one fan or one ring.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel


class Adjacency(NamedTuple):
    """Triangles and their neighbours, as every kernel takes them that walks over a surface."""

    triangles: NDArray[np.int64]
    """(triangle_count, 3) vertices."""

    neighbours: NDArray[np.int64]
    """(triangle_count, 3) triangle on the other side of the edge opposite each corner, -1 at a border."""

    incident_triangle: NDArray[np.int64]
    """(vertex_count,) one of the triangles around each vertex."""


# ---------------------------------------------------------------- walking


@kernel
def corner_of(triangles, t, vertex):
    """Return which corner of triangle t a vertex is, -1 if none."""
    for c in range(3):
        if triangles[t, c] == vertex:
            return c
    return -1


@kernel
def opposite_corner(neighbours, u, t):
    """Return the corner of u that is opposite the edge shared with t, -1 if they share none."""
    for c in range(3):
        if neighbours[u, c] == t:
            return c
    return -1


@kernel
def next_in_one_ring(adjacency, t, vertex, entry):
    """Return the triangle after t in the one-ring of a vertex.

    Edges are known by the corner opposite, never by the vertices at their ends: while marked edges are opened, the two
    triangles of an edge may already have different vertices there.

    Args:
        adjacency: of the surface
        t: triangle
        vertex: one of its corners
        entry: the corner opposite the edge over which t was entered

    Returns:
        the next triangle, -1 behind a border, and the corner opposite the edge over which it is entered
    """
    u = adjacency.neighbours[t, 3 - corner_of(adjacency.triangles, t, vertex) - entry]
    return (u, opposite_corner(adjacency.neighbours, u, t)) if u >= 0 else (u, 0)


@kernel
def one_ring_start(adjacency, vertex):
    """Return the triangle where a walk over the whole one-ring of a vertex starts, and the corner opposite its entry.

    At a border the entry is the border; elsewhere any triangle will do.
    """
    triangles, neighbours = adjacency.triangles, adjacency.neighbours
    first = t = adjacency.incident_triangle[vertex]
    entry = (corner_of(triangles, t, vertex) + 1) % 3
    while True:
        u = neighbours[t, entry]
        if u < 0 or u == first:
            return t, entry
        entry = 3 - corner_of(triangles, u, vertex) - opposite_corner(neighbours, u, t)
        t = u


@kernel
def edge_triangles(adjacency, a, b):
    """Return the one or two triangles at the edge between two vertices, -1 for each that is missing."""
    t, entry = one_ring_start(adjacency, a)
    first = t
    while t >= 0:
        c = corner_of(adjacency.triangles, t, b)
        if c >= 0:
            return t, adjacency.neighbours[t, 3 - c - corner_of(adjacency.triangles, t, a)]
        t, entry = next_in_one_ring(adjacency, t, a, entry)
        if t == first:
            break
    return -1, -1


@kernel
def facing_triangles(adjacency, i, j):
    """Return the two triangles that share an edge and have i and j as their other corners, -1 if there are none."""
    triangles, neighbours = adjacency.triangles, adjacency.neighbours
    t, entry = one_ring_start(adjacency, i)
    first = t
    while t >= 0:
        u = neighbours[t, corner_of(triangles, t, i)]
        if u >= 0 and triangles[u, opposite_corner(neighbours, u, t)] == j:
            return t, u
        t, entry = next_in_one_ring(adjacency, t, i, entry)
        if t == first:
            break
    return np.int64(-1), np.int64(-1)


@kernel
def is_on_boundary(adjacency, vertex):
    """Return whether a border passes through a vertex."""
    t, entry = one_ring_start(adjacency, vertex)
    return adjacency.neighbours[t, entry] < 0


@kernel
def boundary_neighbours(adjacency, vertex):
    """Return the two vertices beside a vertex along its border, -1 twice if it is not on one."""
    t, entry = one_ring_start(adjacency, vertex)
    if adjacency.neighbours[t, entry] >= 0:
        return np.int64(-1), np.int64(-1)
    first = adjacency.triangles[t, 3 - corner_of(adjacency.triangles, t, vertex) - entry]
    last = t
    while t >= 0:
        last, last_entry = t, entry
        t, entry = next_in_one_ring(adjacency, t, vertex, entry)
    return first, adjacency.triangles[last, last_entry]


# ---------------------------------------------------------------- finding neighbours


@kernel
def link_neighbours(triangles, row_starts, cursor, edges, highs, neighbours, incident_triangle):
    """Find the neighbours of every triangle; return how many edges have more than two triangles.

    Args:
        triangles: (triangle_count, 3) vertices
        row_starts: (vertex_count + 1,) zeros; written: where the edges of each smaller vertex begin
        cursor: (vertex_count,) scratch
        edges: (3 * triangle_count,) scratch: edges of triangles by their smaller vertex
        highs: (3 * triangle_count,) scratch: their larger vertices
        neighbours: (triangle_count, 3) -1; written
        incident_triangle: (vertex_count,) -1; written: the first triangle of each vertex
    """
    for t in range(triangles.shape[0]):
        for c in range(3):
            a, b = triangles[t, c - 2], triangles[t, c - 1]  # those after corner c, counted from the end
            row_starts[min(a, b) + 1] += 1
            if incident_triangle[triangles[t, c]] < 0:
                incident_triangle[triangles[t, c]] = t
    for p in range(cursor.shape[0]):
        row_starts[p + 1] += row_starts[p]
        cursor[p] = row_starts[p]
    crowded = 0
    for t in range(triangles.shape[0]):
        for c in range(3):
            a, b = triangles[t, c - 2], triangles[t, c - 1]
            low, high = min(a, b), max(a, b)
            end = cursor[low]
            for k in range(row_starts[low], end):
                if highs[k] == high:
                    u, d = edges[k] // 3, edges[k] % 3
                    if neighbours[u, d] >= 0 or neighbours[t, c] >= 0:
                        crowded += 1
                    neighbours[u, d], neighbours[t, c] = t, u
            edges[end], highs[end] = 3 * t + c, high
            cursor[low] = end + 1
    return crowded


@kernel
def count_unreached_corners(triangles, neighbours, incident_triangle, seen):
    """Return how many corners no walk over a one-ring reaches: 0 if every vertex has one fan or one ring.

    Vertices whose incident triangle is below zero are left out. `seen` (triangle_count, 3) bool, zeros, is scratch.
    """
    for p in range(incident_triangle.shape[0]):
        if incident_triangle[p] < 0:
            continue
        for is_back in range(2):
            t = incident_triangle[p]
            c = 0
            while triangles[t, c] != p:
                c += 1
            entry = (c + 1 + is_back) % 3
            while t >= 0:
                c = 0
                while triangles[t, c] != p:
                    c += 1
                if seen[t, c] and t != incident_triangle[p]:
                    break
                seen[t, c] = True
                u = neighbours[t, 3 - c - entry]
                if u < 0 or u == incident_triangle[p]:
                    break
                d = 0
                while neighbours[u, d] != t:
                    d += 1
                t, entry = u, d
    missed = 0
    for t in range(triangles.shape[0]):
        for c in range(3):
            missed += not seen[t, c]
    return missed
