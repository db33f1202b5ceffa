"""Triangle mesh that is being edited: its edges can be split and opened, the two steps that all edits are made of.

Theory: docs/theory/edits.md, eq. (T1) and (T2). An edge is *split* at a point between its ends, or edges that were
marked are *opened*: marked edges divide the one-ring of a vertex into sectors, and every sector but one gets a copy of
the vertex. Mass is lumped at the corners of triangles and rest lengths belong to their edges, so both steps move them
along without knowing how the cloth was made.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.adjacency import (
    Adjacency,
    corner_of,
    edge_triangles,
    next_in_one_ring,
    one_ring_start,
    opposite_corner,
)
from supple.kernel import difference, kernel, norm

UNCHANGED, RELINKED, SPLIT = 0, 1, 2
"""What an edit did to a triangle: nothing; other corners or neighbours; another shape."""

STRETCH_KIND, SHEAR_KIND = 0, 1
"""As in `supple.model.springs`."""

LEAST_AREA = 1.0e-30
"""Area of a triangle whose edge lengths do not close [m²]."""

LEAST_CEVIAN = 0.02
"""Shortest cevian that splits a triangle, as a fraction of the edges beside it [-]."""

PARALLEL, PERPENDICULAR = 0.94, 0.34
"""Cosines of 20° and 70°: an edge this close to a thread, or to its normal, counts as a thread."""


class MeshBeforeEdit(NamedTuple):
    """A cloth before an edit; see `ClothRecord` and `Springs`."""

    triangles: NDArray[np.int64]
    """(triangle_count, 3) vertices."""

    neighbours: NDArray[np.int64]
    """(triangle_count, 3) see `Adjacency`."""

    spring_of: NDArray[np.int64]
    """(triangle_count, 3) spring along the edge opposite each corner, -1 if there is none."""

    rest_lengths: NDArray[np.float64]
    """(spring_count,) [m]"""

    shape: NDArray[np.float64]
    """(spring_count,) stiffness per unit of the material's modulus."""

    kind: NDArray[np.int8]
    """(spring_count,)"""

    region: NDArray[np.int32]
    """(spring_count,)"""

    corner_fractions: NDArray[np.float64]
    """(triangle_count, 3) fraction of its vertex' mass that is lumped at each corner [-]."""

    masses: NDArray[np.float64]
    """(vertex_count,) [kg]"""

    shares: NDArray[np.float64]
    """(vertex_count,) as in `BodyRange`."""


class TriangleMesh(NamedTuple):
    """A triangle mesh with spare capacity; only the rows below `counts` are in use.

    Lengths, shapes, kinds, regions and lumped masses of a triangle are there once it has been read: see `read_triangle`.
    """

    counts: NDArray[np.int64]
    """(2,) vertices and triangles in use."""

    triangles: NDArray[np.int64]
    """(triangle_capacity, 3) vertices."""

    neighbours: NDArray[np.int64]
    """(triangle_capacity, 3) triangle on the other side of the edge opposite each corner, -1 at a border."""

    incident_triangle: NDArray[np.int64]
    """(vertex_capacity,) one of the triangles around each vertex."""

    adjacency: Adjacency
    """The three arrays above, for kernels that only walk over the mesh."""

    positions: NDArray[np.float64]
    """(vertex_capacity, 3) [m], now."""

    lengths: NDArray[np.float64]
    """(triangle_capacity, 3) rest length of the edge opposite each corner [m]."""

    shapes: NDArray[np.float64]
    """(triangle_capacity, 3) what the triangle adds to `Springs.shape` of that edge."""

    kinds: NDArray[np.int8]
    """(triangle_capacity, 3) kind of the spring along that edge."""

    regions: NDArray[np.int32]
    """(triangle_capacity, 3) region of the spring along that edge."""

    lumped: NDArray[np.float64]
    """(triangle_capacity, 3, 2) mass [kg] and share of the body (see `BodyRange`) lumped at each corner."""

    is_read: NDArray[np.bool_]
    """(triangle_capacity,) triangles that have been read."""

    areas: NDArray[np.float64]
    """(triangle_capacity,) at rest before the edit [m²], below zero where not computed yet: see `source_area`."""

    is_marked: NDArray[np.bool_]
    """(triangle_capacity, 3) edges to open."""

    changes: NDArray[np.uint8]
    """(triangle_capacity,) UNCHANGED, RELINKED or SPLIT."""

    is_separated: NDArray[np.bool_]
    """(vertex_capacity,) scratch: vertices whose sectors have been separated."""

    parents: NDArray[np.int64]
    """(vertex_capacity, 2) for vertices that are new: the two they lie between; twice the same for a copy."""

    parent_fractions: NDArray[np.float64]
    """(vertex_capacity,) how far from the first parent to the second [-]."""

    source: MeshBeforeEdit
    """What the mesh was before the edit."""


# ---------------------------------------------------------------- lengths, areas and springs of triangles


@kernel
def are_still_adjacent(mesh, t, u):
    """Return whether two triangles are not split and still share an edge."""
    if mesh.changes[t] == SPLIT or mesh.changes[u] == SPLIT:
        return False
    return opposite_corner(mesh.neighbours, t, u) >= 0


@kernel
def heron_area(a, b, c):
    """Return the area of a triangle with these edge lengths (Heron) [m²].

    Where cloth was shrunk there may be no triangle with these lengths: then next to nothing, but never nothing, for
    masses and stiffnesses are divided in proportion to areas.
    """
    s = 0.5 * (a + b + c)
    square = s * (s - a) * (s - b) * (s - c)
    return max(LEAST_AREA, math.sqrt(square)) if square > 0.0 else LEAST_AREA


@kernel
def rest_length(triangles, spring_of, rest_lengths, positions, t, c):
    """Return the rest length of the edge opposite corner c of triangle t [m]; without a spring its length now."""
    s = spring_of[t, c]
    if s >= 0:
        return rest_lengths[s]
    return norm(difference(positions, triangles[t, (c + 1) % 3], triangles[t, (c + 2) % 3]))


@kernel
def source_length(mesh, t, c):
    """Return the rest length of an edge before the edit [m]."""
    source = mesh.source
    return rest_length(source.triangles, source.spring_of, source.rest_lengths, mesh.positions, t, c)


@kernel
def source_area(mesh, t):
    """Return the rest area of a triangle before the edit [m²]; it is computed once."""
    if mesh.areas[t] < 0.0:
        a, b, c = source_length(mesh, t, 0), source_length(mesh, t, 1), source_length(mesh, t, 2)
        mesh.areas[t] = heron_area(a, b, c)
    return mesh.areas[t]


@kernel
def read_triangle(mesh, t):
    """Copy lengths, springs and masses of a triangle from the mesh before the edit, unless that has been done.

    The stiffness of an edge is divided between its two triangles in proportion to their areas. An edge without a spring
    has none.
    """
    if mesh.is_read[t]:
        return
    mesh.is_read[t] = True
    source = mesh.source
    own = source_area(mesh, t)
    for c in range(3):
        s, u, i = source.spring_of[t, c], source.neighbours[t, c], source.triangles[t, c]
        mesh.lengths[t, c] = source_length(mesh, t, c)
        mesh.kinds[t, c] = source.kind[s] if s >= 0 else SHEAR_KIND
        mesh.regions[t, c] = source.region[s] if s >= 0 else -1
        other = source_area(mesh, u) if u >= 0 else 0.0
        part = own / (own + other) if own + other > 0.0 else (0.5 if u >= 0 else 1.0)
        mesh.shapes[t, c] = part * source.shape[s] if s >= 0 else 0.0
        mesh.lumped[t, c, 0] = source.corner_fractions[t, c] * source.masses[i]
        mesh.lumped[t, c, 1] = source.corner_fractions[t, c] * source.shares[i]


@kernel
def triangle_quality(a, b, c):
    """Return 1 for an equilateral triangle, 0 for one without area."""
    return 4.0 * math.sqrt(3.0) * heron_area(a, b, c) / (a * a + b * b + c * c)


@kernel
def cevian_length(first, second, whole, fraction):
    """Return the length of a cevian: from a corner to a point on the opposite edge, `fraction` of it from the first end.

    Stewart's theorem; `first` and `second` are the edges from the corner to the ends, `whole` the opposite one.
    Where cloth was shrunk there may be no triangle with these lengths: then a small length stands in, never none.
    """
    square = (1.0 - fraction) * first**2 + fraction * second**2 - fraction * (1.0 - fraction) * whole**2
    least = LEAST_CEVIAN * ((1.0 - fraction) * first + fraction * second)
    return math.sqrt(square) if square > least**2 else least


# ---------------------------------------------------------------- splitting an edge


@kernel
def cevian_kind(mesh, t, c, fraction):
    """Return the kind of the spring along a cevian, from corner c of a triangle to a point on the opposite edge.

    Woven cloth has springs of two kinds. One parallel or perpendicular to a thread is a thread; any other only
    resists shear, as on the bias. Cloth without shear springs has one kind.
    """
    first, second = (c + 1) % 3, (c + 2) % 3
    whole = mesh.lengths[t, c]
    left, right = mesh.lengths[t, second], mesh.lengths[t, first]
    x = (left**2 - right**2 + whole**2) / (2.0 * whole)
    y = 2.0 * heron_area(left, right, whole) / whole
    dx, dy = fraction * whole - x, -y
    length = math.sqrt(dx * dx + dy * dy)
    has_shear = False
    for edge in range(3):
        if mesh.kinds[t, edge] == SHEAR_KIND:
            has_shear = True
            continue
        ex, ey = whole, 0.0
        if edge == second:
            ex, ey = x, y
        elif edge == first:
            ex, ey = x - whole, y
        cosine = abs(dx * ex + dy * ey) / (length * math.sqrt(ex * ex + ey * ey) + 1e-300)
        if cosine > PARALLEL or cosine < PERPENDICULAR:
            return STRETCH_KIND
    return SHEAR_KIND if has_shear else STRETCH_KIND


@kernel
def set_spring_shapes(mesh, t):
    """Give the edges of a split triangle the stiffness of the strip they stand for: A / l², twice that in shear."""
    area = heron_area(mesh.lengths[t, 0], mesh.lengths[t, 1], mesh.lengths[t, 2])
    for c in range(3):
        factor = 2.0 if mesh.kinds[t, c] == SHEAR_KIND else 1.0
        mesh.shapes[t, c] = factor * area / mesh.lengths[t, c] ** 2


@kernel
def link_halves(mesh, t, n, c, middle):
    """Give the two halves t and n of a triangle their corners and neighbours; see `bisect_triangle`."""
    first, second = (c + 1) % 3, (c + 2) % 3
    apex, end = mesh.triangles[t, c], mesh.triangles[t, second]
    mesh.triangles[n, c], mesh.triangles[n, first], mesh.triangles[n, second] = apex, middle, end
    mesh.triangles[t, second] = middle
    beyond = mesh.neighbours[t, first]
    mesh.neighbours[n, c], mesh.neighbours[n, first], mesh.neighbours[n, second] = -1, beyond, t
    mesh.neighbours[t, first] = n
    if beyond >= 0:
        mesh.neighbours[beyond, opposite_corner(mesh.neighbours, beyond, t)] = n
    if mesh.incident_triangle[end] == t:
        mesh.incident_triangle[end] = n


@kernel
def split_edge_values(mesh, t, n, c, fraction):
    """Divide rest lengths, kinds, regions and marks of a triangle between its halves t and n; see `bisect_triangle`."""
    first, second = (c + 1) % 3, (c + 2) % 3
    whole, left, right = mesh.lengths[t, c], mesh.lengths[t, second], mesh.lengths[t, first]
    inner = cevian_length(left, right, whole, fraction)
    kind = cevian_kind(mesh, t, c, fraction)
    region = mesh.regions[t, c]
    if mesh.regions[t, first] != region or mesh.regions[t, second] != region:
        region = -1
    mesh.lengths[n, c], mesh.lengths[n, first] = (1.0 - fraction) * whole, right
    mesh.lengths[n, second] = mesh.lengths[t, first] = inner
    mesh.lengths[t, c] = fraction * whole
    mesh.kinds[n, c], mesh.kinds[n, first] = mesh.kinds[t, c], mesh.kinds[t, first]
    mesh.kinds[n, second] = mesh.kinds[t, first] = kind
    mesh.regions[n, c], mesh.regions[n, first] = mesh.regions[t, c], mesh.regions[t, first]
    mesh.regions[n, second] = mesh.regions[t, first] = region
    mesh.is_marked[n, c], mesh.is_marked[n, first] = mesh.is_marked[t, c], mesh.is_marked[t, first]
    mesh.is_marked[n, second] = mesh.is_marked[t, first] = False


@kernel
def split_lumped_masses(mesh, t, n, c, fraction):
    """Divide the mass at the corners of a triangle between its halves t and n; see `bisect_triangle`.

    Every quantity that is linear over the triangle keeps its sum: mass, centre of mass and momentum
    (docs/theory/edits.md, eq. (T1)).
    """
    first, second = (c + 1) % 3, (c + 2) % 3
    for q in range(2):
        at_apex, at_first, at_end = mesh.lumped[t, c, q], mesh.lumped[t, first, q], mesh.lumped[t, second, q]
        given = min(at_first, at_end)
        mesh.lumped[t, c, q], mesh.lumped[n, c, q] = fraction * at_apex, (1.0 - fraction) * at_apex
        mesh.lumped[t, second, q], mesh.lumped[n, first, q] = fraction * given, (1.0 - fraction) * given
        mesh.lumped[t, first, q] = at_first - (1.0 - fraction) * given
        mesh.lumped[n, second, q] = at_end - fraction * given


@kernel
def bisect_triangle(mesh, t, c, middle, fraction):
    """Bisect triangle t from corner c to the vertex `middle` on the opposite edge; return the new half.

    Triangle t keeps the first end of the edge.
    """
    read_triangle(mesh, t)
    n = mesh.counts[1]
    mesh.counts[1] += 1
    mesh.is_read[n] = True
    split_edge_values(mesh, t, n, c, fraction)
    link_halves(mesh, t, n, c, middle)
    split_lumped_masses(mesh, t, n, c, fraction)
    mesh.changes[t] = mesh.changes[n] = SPLIT
    set_spring_shapes(mesh, t)
    set_spring_shapes(mesh, n)
    return n


@kernel
def split_edge(mesh, t, c, fraction):
    """Put a vertex on the edge opposite corner c of triangle t and return it; both triangles there are bisected.

    Args:
        mesh: changed in place; two more triangles and one more vertex must fit
        t: triangle
        c: its corner opposite the edge
        fraction: where on the edge, counted from corner c + 1 [-]
    """
    first, last = mesh.triangles[t, (c + 1) % 3], mesh.triangles[t, (c + 2) % 3]
    middle = mesh.counts[0]
    mesh.counts[0] += 1
    for axis in range(3):
        x = mesh.positions[first, axis]
        mesh.positions[middle, axis] = x + fraction * (mesh.positions[last, axis] - x)
    mesh.parents[middle, 0], mesh.parents[middle, 1] = first, last
    mesh.parent_fractions[middle] = fraction
    mesh.incident_triangle[middle] = t
    u = mesh.neighbours[t, c]
    n = bisect_triangle(mesh, t, c, middle, fraction)
    if u >= 0:
        d = opposite_corner(mesh.neighbours, u, t)
        is_same_way = mesh.triangles[u, (d + 1) % 3] == first
        m = bisect_triangle(mesh, u, d, middle, fraction if is_same_way else 1.0 - fraction)
        at_first, at_last = (u, m) if is_same_way else (m, u)
        mesh.neighbours[t, c], mesh.neighbours[at_first, d] = at_first, t
        mesh.neighbours[n, c], mesh.neighbours[at_last, d] = at_last, n
    return middle


@kernel
def mark_edge(mesh, a, b):
    """Mark the edge between two vertices to be opened; return whether there is one that can be."""
    triangles = mesh.triangles
    t, u = edge_triangles(mesh.adjacency, a, b)
    if t < 0 or u < 0:
        return False
    mesh.is_marked[t, 3 - corner_of(triangles, t, a) - corner_of(triangles, t, b)] = True
    mesh.is_marked[u, 3 - corner_of(triangles, u, a) - corner_of(triangles, u, b)] = True
    return True


# ---------------------------------------------------------------- opening marked edges


@kernel
def duplicate_vertex(mesh, vertex):
    """Append a copy of a vertex and return it."""
    copy = mesh.counts[0]
    mesh.counts[0] += 1
    for axis in range(3):
        mesh.positions[copy, axis] = mesh.positions[vertex, axis]
    mesh.parents[copy, 0] = mesh.parents[copy, 1] = vertex
    mesh.parent_fractions[copy] = 0.0
    return copy


@kernel
def separate_sectors(mesh, vertex):
    """Give every sector of triangles around a vertex, but the first, a copy of it; marked edges divide sectors."""
    triangles, marked, adjacency = mesh.triangles, mesh.is_marked, mesh.adjacency
    t, entry = one_ring_start(adjacency, vertex)
    first = t
    if mesh.neighbours[t, entry] >= 0:
        # Away from borders: start behind a marked edge, if there is one.
        while not marked[t, entry]:
            t, entry = next_in_one_ring(adjacency, t, vertex, entry)
            if t == first:
                return
    first = t
    mesh.incident_triangle[vertex] = t
    label = vertex
    while True:
        u, next_entry = next_in_one_ring(adjacency, t, vertex, entry)
        corner = corner_of(triangles, t, vertex)
        is_barrier = marked[t, 3 - corner - entry]
        if label != vertex:
            triangles[t, corner] = label
            mesh.changes[t] = max(mesh.changes[t], RELINKED)
        if u < 0 or u == first:
            return
        if is_barrier:
            label = duplicate_vertex(mesh, vertex)
            mesh.incident_triangle[label] = u
        t, entry = u, next_entry


@kernel
def open_edges(mesh, marked):
    """Open marked edges and return how many; one whose ends both stay whole is left as it was.

    Args:
        mesh: changed in place
        marked: (mark_count,) all that are marked, ascending: three times the triangle, and the corner opposite
    """
    vertex_count = mesh.counts[0]
    mesh.is_separated[:vertex_count] = False
    for mark in marked:
        t, c = mark // 3, mark % 3
        for end in ((c + 1) % 3, (c + 2) % 3):
            vertex = mesh.triangles[t, end]
            if vertex < vertex_count and not mesh.is_separated[vertex]:
                mesh.is_separated[vertex] = True
                separate_sectors(mesh, vertex)
    opened = 0
    for mark in marked:
        t, c = mark // 3, mark % 3
        if not mesh.is_marked[t, c]:
            continue
        mesh.is_marked[t, c] = False
        u = mesh.neighbours[t, c]
        if u < 0:
            continue
        a, b = mesh.triangles[t, (c + 1) % 3], mesh.triangles[t, (c + 2) % 3]
        d = opposite_corner(mesh.neighbours, u, t)
        mesh.is_marked[u, d] = False
        if corner_of(mesh.triangles, u, a) >= 0 and corner_of(mesh.triangles, u, b) >= 0:
            continue
        mesh.neighbours[t, c] = mesh.neighbours[u, d] = -1
        mesh.changes[t] = max(mesh.changes[t], RELINKED)
        mesh.changes[u] = max(mesh.changes[u], RELINKED)
        opened += 1
    return opened


def open_marked_edges(mesh: TriangleMesh) -> int:
    """Open the marked edges and return how many."""
    return int(open_edges(mesh, np.flatnonzero(mesh.is_marked[: mesh.counts[1]])))


def has_capacity(mesh: TriangleMesh) -> bool:
    """Tell whether the copies that opening all marked edges may need fit in: one for either end of each edge."""
    marks = int(np.count_nonzero(mesh.is_marked[: mesh.counts[1]]))
    return int(mesh.counts[0]) + 2 * marks <= len(mesh.positions)
