"""Untangling of an intersected start: points move until no edge passes through a triangle.

Theory: docs/theory/contact.md, eq. (K14) to (K17). A round does one of two things and then lets lengths return:

1. As long as edges pass through triangles, each is moved back to the side where more of its layer is (`resolve_crossings`).
   The contour moves on by a cell, and in the next round the next edges are moved, until the smaller side is through.
2. Once nothing passes through anything, what is closer than its thickness is moved apart (`spread_apart`).

Only places change: velocities, rest lengths and held points stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from supple.collide.broad_phase.bvh import BVH, leaf_pairs_within
from supple.collide.broad_phase.pair_selection import keep_closer
from supple.collide.broad_phase.pair_table import Pairs, PairTable
from supple.collide.broad_phase.primitive_pairs import PairQuery, list_pairs, make_batches
from supple.collide.narrow_phase.intersections import find_crossings
from supple.collide.narrow_phase.pair_geometry import closest_line, pair_vectors, pair_weights
from supple.collide.obstacles.obstacles import Obstacles
from supple.collide.obstacles.signed_distance import distance_to, into_axes, out_of_axes
from supple.collide.untangle.intersection_contours import IntersectionContours
from supple.kernel import add_scaled, cross, difference, dot, kernel, norm
from supple.model.builders.mesh import triangle_edges

Untangled = Callable[[int, int], None]
"""Told of every round: how many edges are free again, and how many passed through triangles at most."""

MOST_ROUNDS = 2000
"""Rounds after which a start is given up."""

MOST_STRETCH = 0.1
"""Elongation of any edge against the start that is accepted [-]."""

RELAXATIONS = 6
"""Passes over all lengths in a round, forth and back."""

FASTEST = 0.35
"""Farthest that a crossing is moved in a round, in edge lengths [-]."""

SWING = 0.5
"""Share of the last round's displacement that is repeated as long as edges pass through triangles [-]: cloth gets going."""

DRIFT = 0.3
"""Share of the mean displacement of the points that were moved by which all of a surface follows that nothing holds [-]."""

ROOM = 0.95
"""Share of the thickness at which layers count as apart [-]."""

LEAST_ROOM = 0.2
"""Share of the thickness that is enough where there is no more room, ten times what the guard needs [-]."""

PATIENCE = 100
"""Rounds in which the full thickness is sought before the least is enough."""

TOUCHING = 1e-6
"""Share of the thickness below which the line between closest points gives no direction [-]."""

LENGTH_TOLERANCE = 1e-9
"""Relative error of a length that is left alone [-]: what nothing has moved stays where it is to the bit."""

FOLD_SHARE = 0.3
"""Share of the error that lengths across an edge, which keep cloth from creasing, give back in a pass [-]."""


@kernel
def resolve_crossings(crossings, sides, mobilities, margin, most, directions, x):
    """Move every edge and its triangle against each other, towards the side of it where the edge ought to be (K16).

    One after the other, so that those that follow see what was done.

    Args:
        crossings: (crossing_count, 5) points of the edge, then of the triangle
        sides: (crossing_count,) +1 if the edge belongs above the triangle, -1 below
        mobilities: (point_count,) 1 for points that may move, 0 for held ones
        margin: how far beyond the triangle edges are moved [m]
        most: largest displacement [m]
        directions: (point_count, 3) direction in which each point was moved last, written
        x: (point_count, 3) [m], changed
    """
    for n in range(crossings.shape[0]):
        i, j = crossings[n, 0], crossings[n, 1]
        a, b, c = crossings[n, 2], crossings[n, 3], crossings[n, 4]
        u, v = difference(x, b, a), difference(x, c, a)
        normal = cross(u, v)
        length = norm(normal)
        if length == 0.0:
            continue
        scale = sides[n] / length
        direction = (scale * normal[0], scale * normal[1], scale * normal[2])
        first, second = dot(difference(x, i, a), direction), dot(difference(x, j, a), direction)
        if second < first:
            i, j = j, i
            first, second = second, first
        if first >= margin:
            continue
        # Where the edge passes through the plane, as weights of the corners.
        along = min(max(first / (first - second), 0.0), 1.0) if first < 0.0 < second else 0.0
        p = difference(x, i, a)
        e = difference(x, j, i)
        p = (p[0] + along * e[0], p[1] + along * e[1], p[2] + along * e[2])
        wb = min(max(dot(cross(p, v), normal) / (length * length), 0.0), 1.0)
        wc = min(max(dot(cross(u, p), normal) / (length * length), 0.0), 1.0 - wb)
        wa = 1.0 - wb - wc
        give = mobilities[i] + mobilities[a] * wa * wa + mobilities[b] * wb * wb + mobilities[c] * wc * wc
        if give < 1e-12:
            continue
        length = min(margin - first, most) / give
        add_scaled(x, i, direction, length * mobilities[i])
        add_scaled(x, a, direction, -length * wa * mobilities[a])
        add_scaled(x, b, direction, -length * wb * mobilities[b])
        add_scaled(x, c, direction, -length * wc * mobilities[c])
        for axis in range(3):
            directions[i, axis] = direction[axis]
            directions[a, axis] = directions[b, axis] = directions[c, axis] = -direction[axis]


@kernel
def drag_along(before, layers, is_loose, sums, x):
    """Let surfaces that nothing holds follow their points that were moved, by a share of the mean displacement of these.

    Without it only springs would tell the rest of a sheet where it ought to go, one cell in a pass.

    Args:
        before: (point_count, 3) [m], where points were before they were moved
        layers: (point_count,) number of the surface of each point, -1 for none
        is_loose: (surface_count,) whether nothing holds any point of it
        sums: (surface_count, 4) scratch
        x: (point_count, 3) [m], changed
    """
    sums[:] = 0.0
    for i in range(x.shape[0]):
        d = (x[i, 0] - before[i, 0], x[i, 1] - before[i, 1], x[i, 2] - before[i, 2])
        if layers[i] >= 0 and dot(d, d) > 0.0:
            add_scaled(sums, layers[i], d, 1.0)
            sums[layers[i], 3] += 1.0
    for i in range(x.shape[0]):
        layer = layers[i]
        if layer >= 0 and is_loose[layer] and sums[layer, 3] > 0.0:
            add_scaled(x, i, (sums[layer, 0], sums[layer, 1], sums[layer, 2]), DRIFT / sums[layer, 3])


@kernel
def write_normals(triangles, x, normals):
    """Write the normal of every point, the sum of those of its triangles, as long as they are large [m²]."""
    normals[:] = 0.0
    for t in range(triangles.shape[0]):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        normal = cross(difference(x, b, a), difference(x, c, a))
        for corner in range(3):
            add_scaled(normals, triangles[t, corner], normal, 1.0)


@kernel
def direction_apart(normals, i, j, layers):
    """Return the direction in which point i leaves point j, which is at the same place.

    Layers that face opposite ways each go against their own normal, so a fold opens. Of layers that face the same way
    the later one goes along the normal of the earlier one.
    """
    a = (normals[i, 0], normals[i, 1], normals[i, 2])
    b = (normals[j, 0], normals[j, 1], normals[j, 2])
    if dot(a, b) < 0.0:
        apart = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
    else:
        is_later = layers[i] > layers[j] or (layers[i] == layers[j] and i > j)
        sign = 1.0 if is_later else -1.0
        apart = (sign * (a[0] + b[0]), sign * (a[1] + b[1]), sign * (a[2] + b[2]))
    length = norm(apart)
    if length == 0.0:
        return 0.0, 1.0, 0.0
    return apart[0] / length, apart[1] / length, apart[2] / length


@kernel
def spread_apart(pairs, radii, mobilities, normals, layers, room, x):
    """Move pairs that are closer than their thickness apart, and return the least share of it that was found.

    Args:
        pairs: Pairs, all in use
        radii: (point_count,) half of the thickness [m]
        mobilities: (point_count,) 1 for points that may move, 0 for held ones
        normals: (point_count, 3) for pairs that touch
        layers: (point_count,) number of the surface of each point
        room: share of the thickness to reach [-]; 0 only measures
        x: (point_count, 3) [m], changed
    """
    least = 1.0
    for n in range(pairs.points.shape[0]):
        is_edges, points = pairs.is_edges[n], pairs.points[n]
        i, m = points[0], points[3]
        p, b, c = pair_vectors(x, is_edges, i, points[1], points[2], m)
        line, u, v = closest_line(is_edges, p, b, c)
        gap = norm(line)
        thickness = radii[i] + radii[m]
        least = min(least, gap / thickness)
        if gap >= room * thickness:
            continue
        weights = pair_weights(is_edges, u, v)
        if gap > TOUCHING * thickness:
            direction = (line[0] / gap, line[1] / gap, line[2] / gap)
        else:
            direction = direction_apart(normals, i, m, layers)
        give = 0.0
        for corner in range(4):
            give += mobilities[points[corner]] * weights[corner] * weights[corner]
        if give < 1e-12:
            continue
        length = (room * thickness - gap) / give
        for corner in range(4):
            add_scaled(x, points[corner], direction, length * weights[corner] * mobilities[points[corner]])
    return least


@kernel
def relax(ends, lengths, softness, mobilities, is_backward, x):
    """Let distances return towards `lengths` in one pass over all of them (K17).

    Args:
        ends: (length_count, 2) points
        lengths: (length_count,) [m], those of the start
        softness: (length_count,) share of the error that is given back [-]
        mobilities: (point_count,) 1 for points that may move, 0 for held ones
        is_backward: whether to begin with the last
        x: (point_count, 3) [m], changed
    """
    count = ends.shape[0]
    for n in range(count):
        s = count - 1 - n if is_backward else n
        i, j = ends[s, 0], ends[s, 1]
        give = mobilities[i] + mobilities[j]
        d = difference(x, i, j)
        length = norm(d)
        if give == 0.0 or length == 0.0 or abs(length - lengths[s]) <= LENGTH_TOLERANCE * lengths[s]:
            continue
        scale = softness[s] * (lengths[s] - length) / (give * length)
        add_scaled(x, i, d, scale * mobilities[i])
        add_scaled(x, j, d, -scale * mobilities[j])


@kernel
def largest_elongation(ends, lengths, x):
    """Return by how much the longest of all distances exceeds its length, as a share of it [-]."""
    most = 0.0
    for s in range(ends.shape[0]):
        if lengths[s] > 0.0:
            most = max(most, norm(difference(x, ends[s, 0], ends[s, 1])) / lengths[s] - 1.0)
    return most


@kernel
def stay_outside(solids, poses, shells, depths, mobilities, x):
    """Move points out of solids: a shell away, or as far as they were at the start if that is less.

    Args:
        solids: shapes of all solids, see `Solids`
        poses: (solid_count, 12)
        shells: (solid_count,) [m]
        depths: (point_count,) how deep each point was inside the nearest solid at the start [m]
        mobilities: (point_count,) 1 for points that may move, 0 for held ones
        x: (point_count, 3) [m], changed
    """
    for i in range(x.shape[0]):
        if mobilities[i] == 0.0:
            continue
        for o in range(solids.kinds.shape[0]):
            px, py, pz = into_axes(poses, o, x[i, 0], x[i, 1], x[i, 2])
            d, nx, ny, nz = distance_to(solids, o, px, py, pz)
            lack = min(shells[o], -depths[i]) - d
            if lack > 0.0:
                add_scaled(x, i, out_of_axes(poses, o, nx, ny, nz), lack)


class Untangling:
    """The surfaces of a start, and what keeps them as they are."""

    def __init__(
        self,
        bvh: BVH,
        root_pairs: NDArray[np.int32],
        radii: NDArray[np.float64],
        is_held: NDArray[np.bool_],
        more_ends: NDArray[np.int64],
        positions: NDArray[np.float64],
        obstacles: Obstacles | None,
    ) -> None:
        """Measure the start.

        Args:
            bvh: over all surfaces that must not pass through each other
            root_pairs: (root_pair_count, 2) surfaces that are compared
            radii: (point_count,) half of the thickness [m]
            is_held: (point_count,) whether a point must stay where it is
            more_ends: (spring_count, 2) points that ought to stay as far from each other as they are
            positions: (point_count, 3) [m], changed by `run`
            obstacles: what points must stay out of; None is nothing
        """
        self._bvh, self._root_pairs, self._radii = bvh, root_pairs, radii
        self._positions, self._obstacles = positions, obstacles
        triangles = bvh.triangles.astype(np.int64)
        self._mobilities = np.where(is_held, 0.0, 1.0)
        self._contours = IntersectionContours(triangles, is_held)
        edges, folds = triangle_edges(triangles)[0], _folds(triangles)
        stiff = np.unique(np.sort(np.concatenate([edges, more_ends]), axis=1), axis=0)
        self._ends = np.concatenate([stiff, folds])
        self._stiff_count = len(stiff)
        self._lengths = np.linalg.norm(positions[self._ends[:, 0]] - positions[self._ends[:, 1]], axis=1)
        self._softness = np.where(np.arange(len(self._ends)) < len(stiff), 1.0, FOLD_SHARE)
        self._thickness = 2.0 * float(radii.max())
        own = np.linalg.norm(positions[edges[:, 0]] - positions[edges[:, 1]], axis=1)
        self._most = FASTEST * float(np.median(own))
        self._layers = np.full(len(positions), -1)
        self._layers[bvh.corners] = bvh.leaf_surfaces[:, None]
        self._is_loose = np.ones(len(bvh.surface_roots), dtype=np.bool_)
        self._is_loose[self._layers[is_held & (self._layers >= 0)]] = False
        self._normals, self._directions = np.zeros_like(positions), np.zeros_like(positions)
        self._depths = obstacles.depths() if obstacles is not None and obstacles.declared else None
        self.rounds = 0

    @property
    def stretch(self) -> float:
        """Largest elongation of an edge against the start [-]."""
        ends, lengths = self._ends[: self._stiff_count], self._lengths[: self._stiff_count]
        return float(largest_elongation(ends, lengths, self._positions))

    @property
    def is_free(self) -> bool:
        """Whether nothing passes through anything, with room enough for contact to begin."""
        crossings = find_crossings(self._bvh, self._root_pairs, self._positions)
        return not len(crossings) and self._spread(0.0) >= LEAST_ROOM

    @property
    def shortcoming(self) -> str:
        """What keeps the start from being accepted as it is now, in words."""
        crossings = find_crossings(self._bvh, self._root_pairs, self._positions)
        if len(crossings):
            return f"{len(crossings)} edges still pass through triangles"
        if self.stretch > MOST_STRETCH:
            return f"an edge would be stretched by {self.stretch:.0%}, more than {MOST_STRETCH:.0%}"
        return f"layers come no farther apart than {self._spread(0.0):.2g} of their thickness"

    def run(self, progress: Untangled | None = None) -> bool:
        """Move points until the start is free; return whether it is.

        Args:
            progress: told of every round
        """
        x, patience, most = self._positions, PATIENCE, 0
        displacements, before, sums = np.zeros_like(x), np.zeros_like(x), np.zeros((len(self._is_loose), 4))
        for n in range(MOST_ROUNDS):
            crossings = find_crossings(self._bvh, self._root_pairs, x)
            most = max(most, len(crossings))
            if progress is not None:
                progress(most - len(crossings), most)
            np.copyto(before, x)
            if len(crossings):
                sides = self._contours.sides(crossings, x, self._directions)
                resolve_crossings(
                    crossings, sides, self._mobilities, self._thickness, self._most, self._directions, x
                )
                drag_along(before, self._layers, self._is_loose, sums, x)
                x += SWING * displacements
            else:
                enough = ROOM if patience > 0 else LEAST_ROOM
                patience -= 1
                if self._spread(0.0) >= enough and self.stretch <= MOST_STRETCH:
                    return True
                self._spread(1.0)
            for k in range(RELAXATIONS):
                relax(self._ends, self._lengths, self._softness, self._mobilities, (n + k) % 2 == 1, x)
            self._stay_outside()
            np.subtract(x, before, out=displacements)
            self.rounds += 1
        return False

    def _spread(self, room: float) -> float:
        """Move what is too close apart, by a pass over all pairs; return the least share of its thickness."""
        x = self._positions
        write_normals(self._bvh.triangles, x, self._normals)
        pairs = find_close_pairs(self._bvh, self._root_pairs, x, self._thickness)
        return float(spread_apart(pairs, self._radii, self._mobilities, self._normals, self._layers, room, x))

    def _stay_outside(self) -> None:
        if self._obstacles is not None and self._depths is not None:
            solids = self._obstacles
            stay_outside(
                solids.solids,
                solids.poses.t1,
                solids.properties.shells,
                self._depths,
                self._mobilities,
                self._positions,
            )


def find_close_pairs(
    bvh: BVH,
    root_pairs: NDArray[np.int32],
    positions: NDArray[np.float64],
    reach: float,
    marks: NDArray[np.int8] | None = None,
) -> Pairs:
    """Return the pairs that are closer than `reach` [m]; of their gaps nothing is said.

    If there are marks, (point_count,) 0 or 1, those of leaves with a marked point.
    """
    leaf_pairs = leaf_pairs_within(bvh, root_pairs, positions, reach, marks)
    batches, all_marks = make_batches(len(positions), len(bvh.corners)), np.zeros(len(positions), np.int8)
    query = PairQuery(positions, positions, reach, reach, all_marks, 0)
    table = PairTable(4 * len(bvh.corners))
    while (count := list_pairs(query, bvh, leaf_pairs, batches, table.arrays)) > table.capacity:
        table = PairTable(count)
    # What is listed is near but for rounding; what is asked for is near.
    count = keep_closer(count, positions, reach, table.arrays)
    table.count = int(count)
    return table.used


def _folds(triangles: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the two corners across every edge that two triangles share, (fold_count, 2)."""
    _, opposite = triangle_edges(triangles)
    order = np.argsort(opposite.ravel(), kind="stable")
    which, corners = opposite.ravel()[order], triangles.ravel()[order]
    is_shared = which[1:] == which[:-1]
    return np.stack([corners[:-1][is_shared], corners[1:][is_shared]], axis=1)
