"""Which parts of a surface are too flat to touch themselves.

Theory: docs/theory/contact.md, eq. (K4). This is the idea of Volino 1994, that a surface has to bend a lot before
it can meet itself, in a form that can be proved: it looks at how points around a point are spread in space, not at
normals, which say nothing about a surface that is squeezed together.

The star of a point is all leaves that have it as a corner. At rest, spread out on a plane, it is a map: every point of
the star has two coordinates, and what shares no corner is some way apart. As long as space is nearly a linear
image of the map, it stays so. This needs no rows and columns: meshes, patterns, garments and cloth that was cut have
stars as well. Where a cut ends, both of its sides are in one star at the same place, and that star is never flat.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.kernel import cross, difference, dot, kernel

ROUNDING = 1.0e-6
"""What single precision may do to distances on a map, in sizes of the map [-]: maps are read again and again."""


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
def gather_star(i, corners, starts, leaves, places, members):
    """Write the points of the star of point i, itself first, and return how many there are.

    Args:
        i: point
        corners: (leaf_count, 4) points of each leaf
        starts: (point_count + 1,) where the leaves of each point begin
        leaves: leaves, point by point
        places: (point_count,) -1; written: the number of each point within the star
        members: (point_count,) written: the points
    """
    members[0], places[i], count = i, 0, 1
    for n in range(starts[i], starts[i + 1]):
        for c in range(4):
            j = corners[leaves[n], c]
            if places[j] < 0:
                places[j] = count
                members[count] = j
                count += 1
    return count


@kernel(counts_references=False)
def side_of(ax, ay, bx, by, px, py):
    """Return twice the area of the triangle (a, b, p) in the plane, positive if it turns to the left."""
    return (bx - ax) * (py - ay) - (by - ay) * (px - ax)


@kernel(counts_references=False)
def square_to_side(ax, ay, bx, by, px, py):
    """Return the square of the distance of p to the side from a to b in the plane."""
    ex, ey, wx, wy = bx - ax, by - ay, px - ax, py - ay
    square = ex * ex + ey * ey
    t = min(max((wx * ex + wy * ey) / square, 0.0), 1.0) if square > 0.0 else 0.0
    dx, dy = wx - t * ex, wy - t * ey
    return dx * dx + dy * dy


@kernel(counts_references=False)
def has_been(sides, n):
    """Return whether side n, which another triangle may have gone through the other way, is one of those before it."""
    for m in range(n):
        if (sides[m, 0] == sides[n, 1] and sides[m, 1] == sides[n, 0]) or (
            sides[m, 0] == sides[n, 0] and sides[m, 1] == sides[n, 1]
        ):
            return True
    return False


@kernel(counts_references=False)
def star_gap(sides, side_count, u, count):
    """Return how far sides and points of a map that share no corner are apart at least [m], 0 if anything overlaps.

    Triangles that do not overlap are as far apart as their sides; a point within a triangle, or two sides that cross, are
    found because the sides of every triangle are followed around it.

    Args:
        sides: (capacity, 2) points of the sides of all triangles of a star, three after three, around each triangle
        side_count: how many there are
        u: (capacity, 2) coordinates of the points [m]
        count: how many points there are
    """
    least = math.inf
    for n in range(side_count):
        a, b = sides[n, 0], sides[n, 1]
        ax, ay, bx, by = u[a, 0], u[a, 1], u[b, 0], u[b, 1]
        if n % 3 == 0:
            c = sides[n + 1, 1]
            cx, cy = u[c, 0], u[c, 1]
            turn = side_of(ax, ay, bx, by, cx, cy)
            for p in range(count):
                px, py = u[p, 0], u[p, 1]
                if (
                    p != a and p != b and p != c
                    and turn * side_of(ax, ay, bx, by, px, py) >= 0.0
                    and turn * side_of(bx, by, cx, cy, px, py) >= 0.0
                    and turn * side_of(cx, cy, ax, ay, px, py) >= 0.0
                ):  # fmt: skip
                    return 0.0
        if has_been(sides, n):
            continue
        for p in range(count):
            if p != a and p != b:
                least = min(least, square_to_side(ax, ay, bx, by, u[p, 0], u[p, 1]))
        for m in range(n):
            c, d = sides[m, 0], sides[m, 1]
            if a == c or a == d or b == c or b == d:
                continue
            cx, cy, dx, dy = u[c, 0], u[c, 1], u[d, 0], u[d, 1]
            if (
                side_of(ax, ay, bx, by, cx, cy) * side_of(ax, ay, bx, by, dx, dy) < 0.0
                and side_of(cx, cy, dx, dy, ax, ay) * side_of(cx, cy, dx, dy, bx, by) < 0.0
            ):  # fmt: skip
                return 0.0
    return math.sqrt(least)


@kernel(counts_references=False)
def is_same_star(
    i, corners, leaf_triangles, starts, leaves, was, old_corners, old_leaf_triangles, old_starts, old_leaves
):
    """Return whether the star of point i is made of the same leaves as before an edit; see `map_stars`."""
    j = was[i]
    if j < 0 or starts[i + 1] - starts[i] != old_starts[j + 1] - old_starts[j]:
        return False
    for n in range(starts[i + 1] - starts[i]):
        leaf, old = leaves[starts[i] + n], old_leaves[old_starts[j] + n]
        for c in range(4):
            if was[corners[leaf, c]] != old_corners[old, c]:
                return False
        for t in range(2):
            for c in range(3):
                if leaf_triangles[leaf, t, c] != old_leaf_triangles[old, t, c]:
                    return False
    return True


@kernel(counts_references=False)
def map_stars(
    rest, corners, leaf_triangles, starts, leaves, was, old_corners, old_leaf_triangles, old_starts, old_leaves,
    old_firsts, old_maps, old_gaps, places, members, sides, u, firsts, points, maps, gaps,
):  # fmt: skip
    """Spread the star of every point out on a plane, which is across its mean normal at rest.

    Stars that are made of the same leaves as before an edit have the map they had.

    Args:
        rest: (point_count, 3) [m], shape at rest
        corners: (leaf_count, 4) points of each leaf
        leaf_triangles: (leaf_count, 2, 3) corners of its triangles, -1 for none
        starts: (point_count + 1,) of `list_leaves`
        leaves: of `list_leaves`
        was: (point_count,) what each point was called before an edit, -1 if it is new; empty if nothing is known
        old_corners: (old leaf_count, 4) before the edit, and so on
        old_leaf_triangles: (old leaf_count, 2, 3)
        old_starts: (old point_count + 1,)
        old_leaves: leaves of each point
        old_firsts: (old point_count + 1,) what this has written then
        old_maps: (old capacity, 4)
        old_gaps: (old point_count,) [m]
        places: (point_count,) -1; scratch
        members: (point_count,) scratch
        sides: (most sides of a star, 2) scratch
        u: (point_count, 2) scratch
        firsts: (point_count + 1,) where the points of each star begin, written
        points: (capacity,) points of all stars but the middle, written
        maps: (capacity, 4) their coordinates [m] and weights [1/m], which give a linear image of the map, written
        gaps: (point_count,) [m], how far apart what shares no corner is on the map, written
    """
    total = 0
    for i in range(gaps.shape[0]):
        firsts[i] = total
        count = gather_star(i, corners, starts, leaves, places, members)
        if was.shape[0] > 0 and is_same_star(
            i,
            corners,
            leaf_triangles,
            starts,
            leaves,
            was,
            old_corners,
            old_leaf_triangles,
            old_starts,
            old_leaves,
        ):
            first_old = old_firsts[was[i]]
            for n in range(count - 1):
                points[total + n] = members[1 + n]
                for k in range(4):
                    maps[total + n, k] = old_maps[first_old + n, k]
            gaps[i] = old_gaps[was[i]]
            for n in range(count):
                places[members[n]] = -1
            total += count - 1
            continue
        normal, side_count = (0.0, 0.0, 0.0), 0
        for n in range(starts[i], starts[i + 1]):
            leaf = leaves[n]
            for t in range(2):
                if leaf_triangles[leaf, t, 0] < 0:
                    break
                a, b = corners[leaf, leaf_triangles[leaf, t, 0]], corners[leaf, leaf_triangles[leaf, t, 1]]
                c = corners[leaf, leaf_triangles[leaf, t, 2]]
                area = cross(difference(rest, b, a), difference(rest, c, a))
                normal = (normal[0] + area[0], normal[1] + area[1], normal[2] + area[2])
                sides[side_count, 0], sides[side_count, 1] = places[a], places[b]
                sides[side_count + 1, 0], sides[side_count + 1, 1] = places[b], places[c]
                sides[side_count + 2, 0], sides[side_count + 2, 1] = places[c], places[a]
                side_count += 3
        # Two directions across the normal; without a normal all coordinates are NaN, and the star is never flat.
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
            place, x, y = total + n - 1, u[n, 0], u[n, 1]
            points[place] = members[n]
            maps[place, 0], maps[place, 1] = x, y
            maps[place, 2], maps[place, 3] = (yy * x - xy * y) / square, (xx * y - xy * x) / square
        gaps[i] = star_gap(sides, side_count, u, count) - ROUNDING * size if square > 0.0 else 0.0
        for n in range(count):
            places[members[n]] = -1
        total += count - 1
    firsts[gaps.shape[0]] = total


@kernel(counts_references=False)
def least_stretch(u, v):
    """Return the smaller singular value of the 3 x 2 matrix with columns u and v."""
    uu, vv, uv = dot(u, u), dot(v, v), dot(u, v)
    half = 0.5 * (uu + vv)
    root = math.sqrt(0.25 * (uu - vv) * (uu - vv) + uv * uv)
    return math.sqrt(max(half - root, 0.0))


@kernel(counts_references=False)
def image_of(x, i, first, end, points, maps):
    """Return the columns of a linear image of the map of star i that fits the points x (point_count, 3) [m] best."""
    ux = uy = uz = vx = vy = vz = 0.0
    for n in range(first, end):
        dx, dy, dz = difference(x, points[n], i)
        a, b = maps[n, 2], maps[n, 3]
        ux, uy, uz = ux + a * dx, uy + a * dy, uz + a * dz
        vx, vy, vz = vx + b * dx, vy + b * dy, vz + b * dz
    return (ux, uy, uz), (vx, vy, vz)


@kernel(counts_references=False)
def misfit_of(x, i, first, end, points, maps, u, v):
    """Return how far apart points of a star are from where an image of its map puts them, at most [m]."""
    # The middle is where it should be.
    lx = ly = lz = hx = hy = hz = 0.0
    for n in range(first, end):
        a, b = maps[n, 0], maps[n, 1]
        dx, dy, dz = difference(x, points[n], i)
        dx, dy, dz = dx - a * u[0] - b * v[0], dy - a * u[1] - b * v[1], dz - a * u[2] - b * v[2]
        lx, ly, lz = min(lx, dx), min(ly, dy), min(lz, dz)
        hx, hy, hz = max(hx, dx), max(hy, dy), max(hz, dz)
    lx, ly, lz = hx - lx, hy - ly, hz - lz
    return math.sqrt(lx * lx + ly * ly + lz * lz)


@kernel(counts_references=False)
def find_flat_points(x0, x1, firsts, points, maps, gaps, reach, is_flat):
    """Tell of every point whether nothing within its star can come as close as `reach` in a motion.

    Args:
        x0: (point_count, 3) [m], where the motion starts
        x1: (point_count, 3) [m], where it ends
        firsts: (star_count + 1,) of `map_stars`
        points: of `map_stars`
        maps: of `map_stars`
        gaps: (star_count,) of `map_stars`
        reach: [m]
        is_flat: (star_count,) overwritten
    """
    for i in range(gaps.shape[0]):
        is_flat[i] = False
        if not gaps[i] > reach:
            continue
        first, end = firsts[i], firsts[i + 1]
        u0, v0 = image_of(x0, i, first, end, points, maps)
        u1, v1 = image_of(x1, i, first, end, points, maps)
        u = (u1[0] - u0[0], u1[1] - u0[1], u1[2] - u0[2])
        v = (v1[0] - v0[0], v1[1] - v0[1], v1[2] - v0[2])
        stretch = 0.5 * (least_stretch(u0, v0) + least_stretch(u1, v1) - math.sqrt(dot(u, u) + dot(v, v)))
        room = stretch * gaps[i] - reach
        # Written so that NaN is not flat.
        if room > misfit_of(x0, i, first, end, points, maps, u0, v0):
            is_flat[i] = room > misfit_of(x1, i, first, end, points, maps, u1, v1)


@dataclass(frozen=True)
class KnownStars:
    """Stars before an edit: those that it has not changed need not be spread out again."""

    stars: FlatStars
    was: NDArray[np.int64]
    """(point_count,) what each point was called then, -1 if it is new."""


class FlatStars:
    """The maps of all stars of some surfaces."""

    def __init__(
        self,
        rest: NDArray[np.float64],
        corners: NDArray[np.int32],
        leaf_triangles: NDArray[np.int32],
        known: KnownStars | None = None,
    ) -> None:
        """Spread every star out on a plane.

        Args:
            rest: (point_count, 3) [m], shape at rest
            corners: (leaf_count, 4) points of each leaf
            leaf_triangles: (leaf_count, 2, 3) corners of its triangles, -1 for none
            known: stars before an edit, if there were any
        """
        before, was = (self, np.zeros(0, dtype=np.int64)) if known is None else (known.stars, known.was)
        count = len(rest)
        starts = np.zeros(count + 1, dtype=np.int64)
        count_leaves(corners, starts)
        leaves = np.zeros(int(starts[-1]), dtype=np.int32)
        most = int(np.diff(starts).max(initial=0))
        list_leaves(corners, starts, leaves)
        room = 3 * len(leaves)  # every leaf has three corners besides the middle
        self._firsts = np.zeros(count + 1, dtype=np.int64)
        self._points = np.zeros(room, dtype=np.int32)
        self._maps = np.zeros((room, 4), dtype=np.float32)
        self._gaps = np.zeros(count)
        self._corners, self._leaf_triangles, self._starts, self._leaves = (
            corners,
            leaf_triangles,
            starts,
            leaves,
        )
        map_stars(
            rest, corners, leaf_triangles, starts, leaves, was,
            before._corners, before._leaf_triangles, before._starts, before._leaves,
            before._firsts, before._maps, before._gaps, np.full(count, -1, dtype=np.int32),
            np.zeros(count, dtype=np.int32), np.zeros((6 * most, 2), dtype=np.int32),
            np.zeros((count, 2)), self._firsts, self._points, self._maps, self._gaps,
        )  # fmt: skip
        self.is_flat = np.zeros(count, dtype=np.bool_)
        """(point_count,) whether nothing within the star of a point can touch."""

    def look(self, starts: NDArray[np.float64], ends: NDArray[np.float64], reach: float) -> None:
        """Find out which stars keep `reach` [m] throughout a motion, (point_count, 3) [m] at both ends."""
        find_flat_points(
            starts, ends, self._firsts, self._points, self._maps, self._gaps, reach, self.is_flat
        )
