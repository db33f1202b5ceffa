"""Triangulation of a flat piece of cloth at a requested size: Delaunay refinement and smoothing.

Points of a hexagonal lattice fill the inside, which makes nearly all triangles equilateral at once. Where that
leaves gaps or thin triangles, at the rim and in narrow places, points are added at circumcentres, or the
rim is cut finer, as Ruppert and Chew do. In the end all points are moved to the weighted mean of the circumcentres
around them, which spreads them evenly (Chen's optimal Delaunay triangulation).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from supple.scene.cloth_shapes.delaunay import OUTSIDE, Triangulation
from supple.scene.cloth_shapes.outline import Curve, Rim, sampled
from supple.scene.cloth_shapes.plane_geometry import orientation
from supple.scene.placement import BoolArray, FloatArray, IndexArray

CLEARANCE = 0.62
"""Distance that lattice points keep from the rim, over the size [-]."""

DISORDER = 0.02
"""Width of the random shift of lattice points, over the size [-]."""

WIDEST_CIRCLE = 0.82
"""Largest circumradius of a triangle over the size [-]; 0.58 is an equilateral one."""

THIN, SMALL_CIRCLE = math.radians(30.0), 0.3
"""An angle below the first [rad] is worth another point, unless the circle is below the second, over the size [-]."""

THINNEST, SMALLEST_CIRCLE = math.radians(20.0), 0.06
"""The same for angles that would hurt: these are worth small triangles, until the outline itself is to blame."""

HARM = math.radians(34.0)
"""No point is moved so that an angle below this grows smaller still [rad]."""

AT_REST = 2.0e-3
"""Points that all move by less than this, over the size [-], need no further smoothing."""

ROUNDS = 60
"""Most rounds of adding points: sharp corners of an outline could ask for points for ever."""


@dataclass(frozen=True)
class FlatMesh:
    """A triangulated flat piece."""

    points: FloatArray
    """(point_count, 2) [m]: around the outline, around the holes, then inside from the top down."""

    triangles: IndexArray
    """(triangle_count, 3), turning like the outline."""

    chains: tuple[IndexArray, ...]
    """Points along each edge of the outline and of the holes, both ends included."""

    loops: tuple[IndexArray, ...]
    """Points around the outline and around each hole."""


def flat_mesh(loops: Sequence[Sequence[Curve]], size: float) -> FlatMesh:
    """Return triangles of about `size` [m] within an outline, without its holes.

    Args:
        loops: edges around the piece, counter-clockwise, then around each hole, clockwise
        size: length of a triangle's side [m]

    Raises:
        CrossedOutlineError: if the outline crosses itself
    """
    rim = sampled(loops, size)
    mesh = Triangulation(rim.points, rim.loops)
    lattice = _lattice(rim, size)
    mesh.drop(lattice)
    edges = np.full(len(mesh.points), -1, dtype=np.int64)
    shares = np.zeros(len(mesh.points))
    edges[: len(rim.points)], shares[: len(rim.points)] = rim.edges, rim.shares
    work = _DelaunayRefinement(mesh, rim, edges, shares, size)
    work.smooth(4)
    work.refine()
    work.smooth(30)
    work.refine()
    work.smooth(12)
    return work.finished()


def all_angles(points: FloatArray, triangles: IndexArray) -> FloatArray:
    """Return the (3, triangle_count) angles at the corners [rad], negative where a triangle is turned over."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    area = orientation(a, b, c)
    ways = ((a, b, c), (b, c, a), (c, a, b))
    return np.stack([np.arctan2(area, np.einsum("ij,ij->i", q - p, r - p)) for p, q, r in ways])


def smallest_angles(points: FloatArray, triangles: IndexArray) -> FloatArray:
    """Return the smallest angle of each triangle [rad], negative where one is turned over."""
    smallest: FloatArray = all_angles(points, triangles).min(axis=0)
    return smallest


def _lattice(rim: Rim, size: float) -> FloatArray:
    """Return the points of a hexagonal lattice over the outline that keep clear of the rim."""
    outline = rim.points[rim.loops[0]]
    low, high = outline.min(axis=0), outline.max(axis=0)
    rise = size * math.sqrt(0.75)
    rows, columns = int((high[1] - low[1]) / rise) + 2, int((high[0] - low[0]) / size) + 2
    middle = 0.5 * (low + high)
    row, column = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    x = middle[0] + size * (column - columns // 2 + 0.5 * (row % 2))
    y = middle[1] + rise * (row - rows // 2)
    points = np.stack([x.ravel(), y.ravel()], axis=1)
    # A little disorder, for long lines of points would make triangles without area on the way. These multiples
    # (of powers of the plastic number) never fall into step; moving the points later takes the disorder out.
    number = np.arange(1, len(points) + 1)[:, None]
    points += DISORDER * size * ((number * (0.7548776662466927, 0.5698402909980532)) % 1.0 - 0.5)
    points = points[np.all((points > low) & (points < high), axis=1)]
    is_clear = np.ones(len(points), dtype=np.bool_)
    order = np.argsort(points[:, 0], kind="stable")
    sorted_x = points[order, 0]
    reach = CLEARANCE * size
    for loop in rim.loops:
        for a, b in zip(rim.points[loop], rim.points[np.roll(loop, -1)], strict=True):
            left, right = min(a[0], b[0]) - reach, max(a[0], b[0]) + reach
            near = order[np.searchsorted(sorted_x, left) : np.searchsorted(sorted_x, right)]
            along = b - a
            share = np.clip((points[near] - a) @ along / (along @ along), 0.0, 1.0)
            apart = points[near] - a - share[:, None] * along
            is_clear[near[np.einsum("ij,ij->i", apart, apart) < reach**2]] = False
    return points[is_clear]


class _DelaunayRefinement:
    """A triangulation that is refined and smoothed until its angles are good."""

    def __init__(
        self, mesh: Triangulation, rim: Rim, edges: IndexArray, shares: FloatArray, size: float
    ) -> None:
        self.mesh = mesh
        self.rim = rim
        self.edges = edges
        self.shares = shares
        self.size = size

    # ------------------------------------------------------------ adding points

    def refine(self) -> None:
        """Add points until no triangle is too large or needlessly thin."""
        for _ in range(ROUNDS):
            wanted = self._wanted()
            if not len(wanted):
                return
            centres, radii = self._circumcircles(wanted)
            homes, blocked = self._located_by_walk(wanted, centres)
            is_free = blocked == OUTSIDE
            self._reject_encroaching(centres, homes, is_free, blocked)
            walls = self._splittable(blocked[blocked != OUTSIDE])
            if len(walls):
                self._split_rim(walls)
                continue
            free = self._spaced(np.flatnonzero(is_free), centres, radii)
            if not len(free):
                return
            self.mesh.insert(centres[free], homes[free])
            self._note(np.full(len(free), -1, dtype=np.int64), np.zeros(len(free)))

    def _wanted(self) -> IndexArray:
        """Return the triangles that want another point, the largest first.

        Theory: docs/theory/panels.md, eq. (P2).
        """
        every = np.arange(len(self.mesh.triangles))
        _, radii = self._circumcircles(every)
        angles = smallest_angles(self.mesh.points, self.mesh.triangles)
        is_thin = (angles < THIN) & (radii > SMALL_CIRCLE * self.size)
        is_thin |= (angles < THINNEST) & (radii > SMALLEST_CIRCLE * self.size)
        is_thin &= ~self._is_sharp_corner()
        is_wide = radii > WIDEST_CIRCLE * self.size
        wanted = np.flatnonzero(is_wide | is_thin)
        return wanted[np.lexsort((wanted, -radii[wanted]))]

    def _is_sharp_corner(self) -> BoolArray:
        """Tell which triangles have their smallest angle between two sides on the rim: the outline wants it."""
        on_rim = (self.mesh.twins == OUTSIDE).reshape(-1, 3)
        sharpest = np.argmin(all_angles(self.mesh.points, self.mesh.triangles), axis=0)
        row = np.arange(len(on_rim))
        is_sharp: BoolArray = on_rim[row, sharpest] & on_rim[row, (sharpest + 2) % 3]
        return is_sharp

    def _circumcircles(self, which: IndexArray) -> tuple[FloatArray, FloatArray]:
        """Return the circumcentres (n, 2) and circumradii (n,) of triangles [m]."""
        a, b, c = self.mesh.corners(which)
        return circumcircles(a, b, c)

    def _located_by_walk(self, which: IndexArray, goals: FloatArray) -> tuple[IndexArray, IndexArray]:
        """Walk from triangles to points; return where each ended and the edge of the rim in its way, if any."""
        homes, blocked = which.copy(), np.full(len(which), OUTSIDE, dtype=np.int64)
        walking = np.arange(len(which))
        for _ in range(4 + 4 * math.isqrt(len(self.mesh.triangles))):
            a, b, c = self.mesh.corners(homes[walking])
            goal = goals[walking]
            sides = np.stack(
                [orientation(a, b, goal), orientation(b, c, goal), orientation(c, a, goal)], axis=1
            )
            worst = np.argmin(sides, axis=1)
            is_there = sides[np.arange(len(walking)), worst] >= 0.0
            walking, worst = walking[~is_there], worst[~is_there]
            if not len(walking):
                break
            half_edges = 3 * homes[walking] + worst
            beyond = self.mesh.twins[half_edges]
            is_stopped = beyond == OUTSIDE
            blocked[walking[is_stopped]] = half_edges[is_stopped]
            homes[walking[~is_stopped]] = beyond[~is_stopped] // 3
            walking = walking[~is_stopped]
        blocked[walking] = OUTSIDE - 1  # lost on the way: neither free nor behind a wall
        return homes, blocked

    def _reject_encroaching(
        self, centres: FloatArray, homes: IndexArray, is_free: BoolArray, blocked: IndexArray
    ) -> None:
        """Let points that encroach on an edge of the rim (lie in its diametral circle) split that edge instead."""
        free = np.flatnonzero(is_free)
        for k in range(3):
            half_edges = 3 * homes[free] + k
            on_rim = self.mesh.twins[half_edges] == OUTSIDE
            u = self.mesh.points[self.mesh.starts[half_edges]] - centres[free]
            v = self.mesh.points[self.mesh.ends[half_edges]] - centres[free]
            is_close = on_rim & (np.einsum("ij,ij->i", u, v) < 0.0)
            blocked[free[is_close]] = half_edges[is_close]
            is_free[free[is_close]] = False

    def _splittable(self, half_edges: IndexArray) -> IndexArray:
        """Return the edges of the rim to cut: long enough, one per triangle."""
        half_edges = np.unique(half_edges[half_edges >= 0])
        along = self.mesh.points[self.mesh.ends[half_edges]] - self.mesh.points[self.mesh.starts[half_edges]]
        half_edges = half_edges[np.hypot(*along.T) > 4.0 * SMALLEST_CIRCLE * self.size]
        return half_edges[np.unique(half_edges // 3, return_index=True)[1]]

    def _split_rim(self, half_edges: IndexArray) -> None:
        starts, ends = self.mesh.starts[half_edges], self.mesh.ends[half_edges]
        rim = Rim(self.rim.curves, self.mesh.points, self.edges, self.shares, self.rim.loops)
        middle, edges, shares = rim.joined(starts, ends)
        u, v = self.mesh.points[starts], self.mesh.points[ends]
        apex = self.mesh.points[self.mesh.triangles.ravel()[3 * (half_edges // 3) + (half_edges + 2) % 3]]
        # On a curve the middle lies beside the chord; should that not fit the triangle, the chord has to do.
        fits = np.minimum(orientation(u, middle, apex), orientation(middle, v, apex)) > 0.1 * orientation(
            u, v, apex
        )
        self.mesh.split_rim(half_edges, np.where(fits[:, None], middle, 0.5 * (u + v)))
        self._note(edges, shares)

    def _spaced(self, candidates: IndexArray, centres: FloatArray, radii: FloatArray) -> IndexArray:
        """Return candidates, first come first served, that are not within another's circumcircle."""
        kept: list[int] = []
        for k in candidates.tolist():
            apart = centres[kept] - centres[k]
            if not kept or float(np.min(np.hypot(*apart.T) / radii[kept])) > 1.0:
                kept.append(k)
        return np.array(kept, dtype=np.int64)

    def _note(self, edges: IndexArray, shares: FloatArray) -> None:
        self.edges = np.concatenate([self.edges, edges])
        self.shares = np.concatenate([self.shares, shares])

    # ------------------------------------------------------------ moving points

    def smooth(self, rounds: int) -> None:
        """Move inner points to the area-weighted mean of the circumcentres around them, until they rest.

        Theory: docs/theory/panels.md, eq. (P3).
        """
        is_inner = self.edges < 0
        count = len(self.mesh.points)
        for _ in range(rounds):
            corners = self.mesh.triangles.ravel()
            a, b, c = self.mesh.corners()
            areas = orientation(a, b, c)
            centres, _ = circumcircles(a, b, c)
            # Across an obtuse triangle the middle of the circle lies outside; do not let it pull too far.
            middles = (a + b + c) / 3.0
            pulls = areas[:, None] * (middles + np.clip(centres - middles, -self.size, self.size))
            weights = np.bincount(corners, np.repeat(areas, 3), count)
            is_moved = is_inner & (weights > 0.0)
            moved = self.mesh.points.copy()
            for axis in range(2):
                goals = np.bincount(corners, np.repeat(pulls[:, axis], 3), count)
                moved[is_moved, axis] = goals[is_moved] / weights[is_moved]
            moved = self._without_harm(moved)
            farthest = float(np.abs(moved - self.mesh.points).max())
            self.mesh.move(moved)
            if farthest < AT_REST * self.size:
                return

    def _without_harm(self, moved: FloatArray) -> FloatArray:
        """Return the moves without those that would make a thin triangle thinner."""
        triangles = self.mesh.triangles
        before = smallest_angles(self.mesh.points, triangles)
        touched = np.arange(len(triangles))
        for _ in range(8):
            angles = smallest_angles(moved, triangles[touched])
            is_harmed = (angles < before[touched]) & (angles < HARM)
            if not is_harmed.any():
                return moved
            is_back = np.zeros(len(moved), dtype=np.bool_)
            is_back[triangles[touched[is_harmed]]] = True
            moved[is_back] = self.mesh.points[is_back]
            touched = np.flatnonzero(is_back[triangles].any(axis=1))
        return self.mesh.points

    # ------------------------------------------------------------ handing over

    def finished(self) -> FlatMesh:
        """Return the mesh with its points in order."""
        loop_of_edge = np.concatenate(
            [
                np.full(int(self.rim.edges[loop].max() - self.rim.edges[loop].min()) + 1, number)
                for number, loop in enumerate(self.rim.loops)
            ]
        )
        on_rim = np.flatnonzero(self.edges >= 0)
        on_rim = on_rim[np.lexsort((self.shares[on_rim], self.edges[on_rim]))]
        inner = np.flatnonzero(self.edges < 0)
        points = self.mesh.points
        inner = inner[np.lexsort((points[inner, 0], -np.round(points[inner, 1] / self.size)))]
        order = np.concatenate([on_rim, inner])
        new_of_old = np.empty_like(order)
        new_of_old[order] = np.arange(len(order))
        edges = self.edges[on_rim]
        loops = tuple(
            np.flatnonzero(loop_of_edge[edges] == number).astype(np.int64)
            for number in range(len(self.rim.loops))
        )
        chains = []
        for edge in range(len(self.rim.curves)):
            own = np.flatnonzero(edges == edge)
            loop = loops[int(loop_of_edge[edge])]
            after = loop[(int(np.searchsorted(loop, own[-1])) + 1) % len(loop)]
            chains.append(np.append(own, after).astype(np.int64))
        triangles = new_of_old[self.mesh.triangles]
        # Any order will do for the simulation; this one keeps neighbours near in memory.
        triangles = triangles[np.lexsort((triangles.max(axis=1), triangles.min(axis=1)))]
        return FlatMesh(points=points[order], triangles=triangles, chains=tuple(chains), loops=loops)


def circumcircles(a: FloatArray, b: FloatArray, c: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the circumcentres (n, 2) and circumradii (n,) of triangles with corners a, b and c [m]."""
    p, q = b - a, c - a
    twice = 2.0 * orientation(a, b, c)
    pp, qq = np.einsum("ij,ij->i", p, p), np.einsum("ij,ij->i", q, q)
    twice = np.where(np.abs(twice) > 1.0e-12 * np.maximum(pp, qq), twice, 1.0e-12 * np.maximum(pp, qq))
    away = np.stack([q[:, 1] * pp - p[:, 1] * qq, p[:, 0] * qq - q[:, 0] * pp], axis=1) / twice[:, None]
    return a + away, np.hypot(*away.T)
