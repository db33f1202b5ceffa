"""Self-collision culling: which one-rings of a surface are too flat to touch themselves.

Theory: docs/theory/contact.md, eq. (K4). This is the idea of Volino 1994, that a surface has to bend a lot before
it can meet itself, in a form that can be proved: it looks at how the points around a point are spread in space, not at
normals, which say nothing about a surface that is squeezed together.

The one-ring of a point is here all leaves of the BVH that have it as a corner. At rest, spread out on a plane, it is a map:
every point of the ring has two coordinates, and what shares no corner is some way apart. As long as space is nearly a linear
image of the map, it stays so. This needs no rows and columns: meshes, patterns, garments and cloth that was cut have
one-rings as well. Where a cut ends, both of its banks are in one ring at the same place, and that ring is never flat.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.collide.broad_phase.bvh import BVH
from supple.kernel import cross, difference, dot, kernel

ROUNDING = 1.0e-6
"""What single precision may do to distances on a map, in sizes of the map [-]: maps are read again and again."""


class RingTopology(NamedTuple):
    """The leaves of the one-ring of every point."""

    corners: NDArray[np.int32]
    """(leaf_count, 4) points of each leaf."""

    leaf_triangles: NDArray[np.int32]
    """(leaf_count, 2, 3) corners of its triangles, -1 for none."""

    starts: NDArray[np.int64]
    """(point_count + 1,) where the leaves of each point begin in `leaves`."""

    leaves: NDArray[np.int32]
    """(starts[-1],) leaves, point by point."""


class RingMaps(NamedTuple):
    """The one-ring of every point, spread out on a plane."""

    firsts: NDArray[np.int64]
    """(point_count + 1,) where the points of each ring begin in `points` and `maps`."""

    points: NDArray[np.int32]
    """(capacity,) points of all rings but the middle."""

    maps: NDArray[np.float32]
    """(capacity, 4) their coordinates [m] and weights [1/m], which give a linear image of the map."""

    gaps: NDArray[np.float64]
    """(point_count,) least distance on the map of what shares no corner [m]."""


class RingScratch(NamedTuple):
    """Scratch memory for one one-ring at a time."""

    places: NDArray[np.int32]
    """(point_count,) number of each point within the ring, -1 for none."""

    members: NDArray[np.int32]
    """(point_count,) points of the ring, the middle first."""

    edges: NDArray[np.int32]
    """(most edges of a ring, 2) members at the ends of the edges of all triangles, three after three."""

    u: NDArray[np.float64]
    """(point_count, 2) coordinates of the members [m]."""


@kernel(counts_references=False)
def count_leaves(corners, starts):
    """Write where the leaves of each point begin, (point_count + 1,) zeros before, given the corners (leaf_count, 4)."""
    for leaf in range(corners.shape[0]):
        for c in range(4):
            if c < 3 or corners[leaf, 3] != corners[leaf, 2]:
                starts[corners[leaf, c] + 1] += 1
    for i in range(starts.shape[0] - 1):
        starts[i + 1] += starts[i]


@kernel(counts_references=False)
def list_leaves(corners, starts, leaves):
    """Write the leaves of each point, (starts[-1],), ascending; `starts` of `count_leaves` stay as they are."""
    for leaf in range(corners.shape[0] - 1, -1, -1):
        for c in range(4):
            if c < 3 or corners[leaf, 3] != corners[leaf, 2]:
                starts[corners[leaf, c] + 1] -= 1
                leaves[starts[corners[leaf, c] + 1]] = leaf
    # Every entry now tells the begin of the point before it.
    for i in range(starts.shape[0] - 1):
        starts[i] = starts[i + 1]
    starts[starts.shape[0] - 1] = leaves.shape[0]


@kernel(counts_references=False)
def gather_ring(i, topology, scratch):
    """Write the members of the one-ring of point i, itself first, and their places; return how many there are."""
    places, members = scratch.places, scratch.members
    members[0], places[i], count = i, 0, 1
    for n in range(topology.starts[i], topology.starts[i + 1]):
        for c in range(4):
            j = topology.corners[topology.leaves[n], c]
            if places[j] < 0:
                places[j] = count
                members[count] = j
                count += 1
    return count


@kernel(counts_references=False)
def doubled_area(ax, ay, bx, by, px, py):
    """Return twice the area of the triangle (a, b, p) in the plane, positive if it turns to the left."""
    return (bx - ax) * (py - ay) - (by - ay) * (px - ax)


@kernel(counts_references=False)
def square_to_edge(ax, ay, bx, by, px, py):
    """Return the square of the distance of p to the edge from a to b in the plane."""
    ex, ey, wx, wy = bx - ax, by - ay, px - ax, py - ay
    square = ex * ex + ey * ey
    t = min(max((wx * ex + wy * ey) / square, 0.0), 1.0) if square > 0.0 else 0.0
    dx, dy = wx - t * ex, wy - t * ey
    return dx * dx + dy * dy


@kernel(counts_references=False)
def is_repeated(edges, n):
    """Return whether edge n, which another triangle may list the other way round, is one of those before it."""
    for m in range(n):
        if (edges[m, 0] == edges[n, 1] and edges[m, 1] == edges[n, 0]) or (
            edges[m, 0] == edges[n, 0] and edges[m, 1] == edges[n, 1]
        ):
            return True
    return False


@kernel(counts_references=False)
def ring_gap(edges, edge_count, u, count):
    """Return the least distance of edges and points of a map that share no corner [m], 0 if anything overlaps.

    Triangles that do not overlap are as far apart as their edges; a point within a triangle, or two edges that cross, are
    found because the edges of every triangle are followed around it.

    Args:
        edges: (capacity, 2) points of the edges of all triangles of a one-ring, three after three, around each triangle
        edge_count: how many there are
        u: (capacity, 2) coordinates of the points [m]
        count: how many points there are
    """
    least = math.inf
    for n in range(edge_count):
        a, b = edges[n, 0], edges[n, 1]
        ax, ay, bx, by = u[a, 0], u[a, 1], u[b, 0], u[b, 1]
        if n % 3 == 0:
            c = edges[n + 1, 1]
            cx, cy = u[c, 0], u[c, 1]
            turn = doubled_area(ax, ay, bx, by, cx, cy)
            for p in range(count):
                px, py = u[p, 0], u[p, 1]
                if (
                    p != a and p != b and p != c
                    and turn * doubled_area(ax, ay, bx, by, px, py) >= 0.0
                    and turn * doubled_area(bx, by, cx, cy, px, py) >= 0.0
                    and turn * doubled_area(cx, cy, ax, ay, px, py) >= 0.0
                ):  # fmt: skip
                    return 0.0
        if is_repeated(edges, n):
            continue
        for p in range(count):
            if p != a and p != b:
                least = min(least, square_to_edge(ax, ay, bx, by, u[p, 0], u[p, 1]))
        for m in range(n):
            c, d = edges[m, 0], edges[m, 1]
            if a == c or a == d or b == c or b == d:
                continue
            cx, cy, dx, dy = u[c, 0], u[c, 1], u[d, 0], u[d, 1]
            if (
                doubled_area(ax, ay, bx, by, cx, cy) * doubled_area(ax, ay, bx, by, dx, dy) < 0.0
                and doubled_area(cx, cy, dx, dy, ax, ay) * doubled_area(cx, cy, dx, dy, bx, by) < 0.0
            ):  # fmt: skip
                return 0.0
    return math.sqrt(least)


@kernel(counts_references=False)
def is_same_ring(i, topology, was, old):
    """Return whether the one-ring of point i is made of the same leaves as in the topology before an edit."""
    j = was[i]
    starts = topology.starts
    if j < 0 or starts[i + 1] - starts[i] != old.starts[j + 1] - old.starts[j]:
        return False
    for n in range(starts[i + 1] - starts[i]):
        leaf, old_leaf = topology.leaves[starts[i] + n], old.leaves[old.starts[j] + n]
        for c in range(4):
            if was[topology.corners[leaf, c]] != old.corners[old_leaf, c]:
                return False
        for t in range(2):
            for c in range(3):
                if topology.leaf_triangles[leaf, t, c] != old.leaf_triangles[old_leaf, t, c]:
                    return False
    return True


@kernel(counts_references=False)
def copy_ring(i, count, scratch, j, old, maps):
    """Take over the map that the one-ring of point i, of `count` members, had before an edit, when it was point j."""
    first, old_first = maps.firsts[i], old.firsts[j]
    for n in range(count - 1):
        maps.points[first + n] = scratch.members[1 + n]
        for k in range(4):
            maps.maps[first + n, k] = old.maps[old_first + n, k]
    maps.gaps[i] = old.gaps[j]


@kernel(counts_references=False)
def gather_edges(i, rest, topology, scratch):
    """Write the edges of all triangles of the one-ring of point i; return how many there are, and their mean normal."""
    places, edges, corners = scratch.places, scratch.edges, topology.corners
    normal, count = (0.0, 0.0, 0.0), 0
    for n in range(topology.starts[i], topology.starts[i + 1]):
        leaf = topology.leaves[n]
        for t in range(2):
            triangle = topology.leaf_triangles[leaf, t]
            if triangle[0] < 0:
                break
            a, b, c = corners[leaf, triangle[0]], corners[leaf, triangle[1]], corners[leaf, triangle[2]]
            area = cross(difference(rest, b, a), difference(rest, c, a))
            normal = (normal[0] + area[0], normal[1] + area[1], normal[2] + area[2])
            edges[count, 0], edges[count, 1] = places[a], places[b]
            edges[count + 1, 0], edges[count + 1, 1] = places[b], places[c]
            edges[count + 2, 0], edges[count + 2, 1] = places[c], places[a]
            count += 3
    return count, normal


@kernel(counts_references=False)
def flatten_ring(i, count, rest, topology, scratch, maps):
    """Spread the one-ring of point i, of `count` members, out on the plane across its mean normal at rest."""
    edge_count, normal = gather_edges(i, rest, topology, scratch)
    members, u = scratch.members, scratch.u
    # Two directions across the normal; without a normal all coordinates are NaN, and the ring is never flat.
    axis = (1.0, 0.0, 0.0) if abs(normal[0]) <= abs(normal[1]) else (0.0, 1.0, 0.0)
    first = cross(normal, axis)
    second = cross(normal, first)
    one, two = 1.0 / math.sqrt(dot(first, first)), 1.0 / math.sqrt(dot(second, second))
    xx = xy = yy = size = 0.0
    for n in range(count):
        d = difference(rest, members[n], i)
        x, y = one * dot(first, d), two * dot(second, d)
        u[n, 0], u[n, 1] = x, y
        xx, xy, yy = xx + x * x, xy + x * y, yy + y * y
        size = max(size, max(abs(x), abs(y)))
    square = xx * yy - xy * xy
    for n in range(1, count):
        place, x, y = maps.firsts[i] + n - 1, u[n, 0], u[n, 1]
        maps.points[place] = members[n]
        maps.maps[place, 0], maps.maps[place, 1] = x, y
        maps.maps[place, 2], maps.maps[place, 3] = (yy * x - xy * y) / square, (xx * y - xy * x) / square
    maps.gaps[i] = ring_gap(scratch.edges, edge_count, u, count) - ROUNDING * size if square > 0.0 else 0.0


@kernel(counts_references=False)
def map_rings(rest, topology, was, old_topology, old_maps, scratch, maps):
    """Write the map of the one-ring of every point.

    Rings that are made of the same leaves as before an edit have the map they had.

    Args:
        rest: (point_count, 3) [m], shape at rest
        topology: RingTopology
        was: (point_count,) number of each point before an edit, -1 if it is new; empty if nothing is known
        old_topology: RingTopology before the edit
        old_maps: RingMaps before the edit
        scratch: RingScratch, all places -1
        maps: RingMaps, overwritten
    """
    total = 0
    for i in range(maps.gaps.shape[0]):
        maps.firsts[i] = total
        count = gather_ring(i, topology, scratch)
        if was.shape[0] > 0 and is_same_ring(i, topology, was, old_topology):
            copy_ring(i, count, scratch, was[i], old_maps, maps)
        else:
            flatten_ring(i, count, rest, topology, scratch, maps)
        for n in range(count):
            scratch.places[scratch.members[n]] = -1
        total += count - 1
    maps.firsts[maps.gaps.shape[0]] = total


@kernel(counts_references=False)
def least_stretch(u, v):
    """Return the smaller singular value of the 3 x 2 matrix with columns u and v."""
    uu, vv, uv = dot(u, u), dot(v, v), dot(u, v)
    half = 0.5 * (uu + vv)
    root = math.sqrt(0.25 * (uu - vv) * (uu - vv) + uv * uv)
    return math.sqrt(max(half - root, 0.0))


@kernel(counts_references=False, is_inlined=True)
def ring_image(x, i, rings):
    """Return the columns of the linear image of the map of ring i that fits the points x (point_count, 3) [m] best."""
    ux = uy = uz = vx = vy = vz = 0.0
    for n in range(rings.firsts[i], rings.firsts[i + 1]):
        dx, dy, dz = difference(x, rings.points[n], i)
        a, b = rings.maps[n, 2], rings.maps[n, 3]
        ux, uy, uz = ux + a * dx, uy + a * dy, uz + a * dz
        vx, vy, vz = vx + b * dx, vy + b * dy, vz + b * dz
    return (ux, uy, uz), (vx, vy, vz)


@kernel(counts_references=False, is_inlined=True)
def ring_misfit(x, i, rings, u, v):
    """Return how far apart points of a one-ring are from where an image of its map puts them, at most [m]."""
    # The middle is where it should be.
    lx = ly = lz = hx = hy = hz = 0.0
    for n in range(rings.firsts[i], rings.firsts[i + 1]):
        a, b = rings.maps[n, 0], rings.maps[n, 1]
        dx, dy, dz = difference(x, rings.points[n], i)
        dx, dy, dz = dx - a * u[0] - b * v[0], dy - a * u[1] - b * v[1], dz - a * u[2] - b * v[2]
        lx, ly, lz = min(lx, dx), min(ly, dy), min(lz, dz)
        hx, hy, hz = max(hx, dx), max(hy, dy), max(hz, dz)
    lx, ly, lz = hx - lx, hy - ly, hz - lz
    return math.sqrt(lx * lx + ly * ly + lz * lz)


@kernel(counts_references=False)
def find_flat_points(x0, x1, rings, reach, is_flat):
    """Tell of every point whether nothing within its one-ring can come as close as `reach` in a motion.

    Args:
        x0: (point_count, 3) [m], where the motion starts
        x1: (point_count, 3) [m], where it ends
        rings: RingMaps
        reach: [m]
        is_flat: (point_count,) overwritten
    """
    gaps = rings.gaps
    for i in range(gaps.shape[0]):
        is_flat[i] = False
        if not gaps[i] > reach:
            continue
        u0, v0 = ring_image(x0, i, rings)
        u1, v1 = ring_image(x1, i, rings)
        u = (u1[0] - u0[0], u1[1] - u0[1], u1[2] - u0[2])
        v = (v1[0] - v0[0], v1[1] - v0[1], v1[2] - v0[2])
        stretch = 0.5 * (least_stretch(u0, v0) + least_stretch(u1, v1) - math.sqrt(dot(u, u) + dot(v, v)))
        room = stretch * gaps[i] - reach
        # Written so that NaN is not flat.
        if room > ring_misfit(x0, i, rings, u0, v0):
            is_flat[i] = room > ring_misfit(x1, i, rings, u1, v1)


@dataclass(frozen=True)
class RingsBeforeEdit:
    """One-rings before an edit: those that it has not changed need not be spread out again."""

    culling: OneRingCulling
    was: NDArray[np.int64]
    """(point_count,) number of each point then, -1 if it is new."""


class OneRingCulling:
    """The maps of the one-rings of some surfaces, and which of these are flat in a motion."""

    def __init__(self, rest: NDArray[np.float64], bvh: BVH, known: RingsBeforeEdit | None = None) -> None:
        """Spread every one-ring out on a plane.

        Args:
            rest: (point_count, 3) [m], shape at rest
            bvh: over the surfaces
            known: one-rings before an edit, if there was one
        """
        count = len(rest)
        starts = np.zeros(count + 1, dtype=np.int64)
        count_leaves(bvh.corners, starts)
        leaves = np.zeros(int(starts[-1]), dtype=np.int32)
        most = int(np.diff(starts).max(initial=0))
        list_leaves(bvh.corners, starts, leaves)
        room = 3 * len(leaves)  # every leaf has three corners besides the middle
        self.topology = RingTopology(bvh.corners, bvh.leaf_triangles, starts, leaves)
        """The leaves of every one-ring."""
        self.maps = RingMaps(
            np.zeros(count + 1, dtype=np.int64),
            np.zeros(room, dtype=np.int32),
            np.zeros((room, 4), dtype=np.float32),
            np.zeros(count),
        )
        """Every one-ring on its plane."""
        self.is_flat = np.zeros(count, dtype=np.bool_)
        """(point_count,) whether nothing within the one-ring of a point can touch."""
        scratch = RingScratch(
            np.full(count, -1, dtype=np.int32),
            np.zeros(count, dtype=np.int32),
            np.zeros((6 * most, 2), dtype=np.int32),
            np.zeros((count, 2)),
        )
        before, was = (self, np.zeros(0, dtype=np.int64)) if known is None else (known.culling, known.was)
        map_rings(rest, self.topology, was, before.topology, before.maps, scratch, self.maps)

    def find_flat(self, starts: NDArray[np.float64], ends: NDArray[np.float64], reach: float) -> None:
        """Find out which one-rings keep `reach` [m] throughout a motion, (point_count, 3) [m] at both ends."""
        find_flat_points(starts, ends, self.maps, reach, self.is_flat)
