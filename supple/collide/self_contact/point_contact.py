"""Cloth against cloth by discs on its points: cheap, and without a guarantee.

Theory: docs/theory/contact.md, eq. (K12). Each point carries a disc as thick as the cloth, in the plane of the
surface there. Points that are no close neighbours along the cloth stay on their sides of each other's discs.
What passes between discs is not noticed, so it suits large cloth that must be fast. Spheres would be simpler, but to
leave no holes they must be as thick as points are far apart, and layers that lie closer would burst apart.
Near pairs are found by a hash grid (broad phase) and kept as a neighbour list until points have moved by the skin.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.collide.broad_phase.expected_paths import largest_distance
from supple.collide.coulomb import stuck_share
from supple.kernel import add_scaled, cross, difference, dot, kernel, norm
from supple.model.world import World
from supple.scene.bodies.cloth import Cloth
from supple.scene.scene import Scene

DISC = 0.75
"""Radius of the disc around a point in lengths of the shortest edges [-]: discs cover the cloth."""

SKIN = 0.1
"""How far points may move before pairs are listed anew, in radii [-]."""

TURN = 0.02
"""How far points may move before the normals are computed anew, in radii [-]: about a degree."""

CALM = 0.04
"""How far points may end from where their normals were computed for the short list to hold, in radii [-]."""

LEAST_AGE = 5
"""Substeps that a list is used at least: what moves faster than that is caught a little later."""

NEIGHBOURS = 2.0
"""Points that are closer along the cloth than this do not meet, in radii [-]."""

RECOVERY_SPEED = 0.02
"""Fastest recovery of the full thickness [m/s]."""

PASSES = 1
"""Passes over all pairs in a substep."""

NONE = -1
"""Instead of a number of pairs: there is no short list."""


class HashGrid(NamedTuple):
    """Points sorted into the cells of a hash grid."""

    cells: NDArray[np.int64]
    """(count, 3) cell of each point."""

    firsts: NDArray[np.int64]
    """(places + 1,) where the members of each place of the hash table begin; the places are a power of two."""

    members: NDArray[np.int64]
    """(count,) numbers of points, place by place."""


class Discs(NamedTuple):
    """The disc around every particle."""

    radii: NDArray[np.float64]
    """(particle_count,) [m], zero for particles without a disc."""

    thicknesses: NDArray[np.float64]
    """(particle_count,) [m], half of what layers keep."""

    frictions: NDArray[np.float64]
    """(particle_count,) [-]."""

    inverse_masses: NDArray[np.float64]
    """(particle_count,) [1/kg], zero for kinematic points."""


@kernel(counts_references=False)
def cell_of(i, j, k, mask):
    """Return the place of a cell in a table of mask + 1 entries."""
    return ((i * 73856093) ^ (j * 19349663) ^ (k * 83492791)) & mask


@kernel(counts_references=False)
def fill_grid(positions, points, size, grid):
    """Sort points into the cells of a hash grid.

    Args:
        positions: (particle_count, 3) [m]
        points: (count,) which particles
        size: width of a cell [m]
        grid: HashGrid, overwritten
    """
    cells, firsts, members = grid
    mask = firsts.shape[0] - 2
    firsts[:] = 0
    for n in range(points.shape[0]):
        for axis in range(3):
            cells[n, axis] = math.floor(positions[points[n], axis] / size)
        firsts[cell_of(cells[n, 0], cells[n, 1], cells[n, 2], mask) + 1] += 1
    for place in range(mask + 1):
        firsts[place + 1] += firsts[place]
    for n in range(points.shape[0] - 1, -1, -1):
        place = cell_of(cells[n, 0], cells[n, 1], cells[n, 2], mask)
        firsts[place + 1] -= 1
        members[firsts[place + 1]] = n
    # Every entry now tells the begin of the place before it.
    for place in range(mask + 1):
        firsts[place] = firsts[place + 1]
    firsts[mask + 1] = points.shape[0]


@kernel(counts_references=False)
def list_near_points(positions, rests, bodies, points, radii, size, grid, pairs):
    """Write all pairs of points within `size` that may meet; return how many there are.

    Args:
        positions: (particle_count, 3) [m]
        rests: (particle_count, 3) [m], shape at rest
        bodies: (particle_count,) body of each
        points: (count,) which particles
        radii: (particle_count,) [m]
        size: width of a cell, and how far to look [m]
        grid: HashGrid of `fill_grid`
        pairs: (capacity, 2) particles, overwritten

    Returns:
        The number of pairs; those beyond the room are only counted.
    """
    cells, firsts, members = grid
    mask = firsts.shape[0] - 2
    count = 0
    for n in range(points.shape[0]):
        i = points[n]
        for neighbour in range(27):
            a = cells[n, 0] + neighbour // 9 - 1
            b = cells[n, 1] + (neighbour // 3) % 3 - 1
            c = cells[n, 2] + neighbour % 3 - 1
            place = cell_of(a, b, c, mask)
            for member in range(firsts[place], firsts[place + 1]):
                other = members[member]
                # Several cells may share a place.
                if other <= n or cells[other, 0] != a or cells[other, 1] != b or cells[other, 2] != c:
                    continue
                j = points[other]
                d = difference(positions, i, j)
                if dot(d, d) > size * size:
                    continue
                if bodies[i] == bodies[j]:
                    d = difference(rests, i, j)
                    near = NEIGHBOURS * max(radii[i], radii[j])
                    if dot(d, d) < near * near:
                        continue
                if count < pairs.shape[0]:
                    pairs[count, 0], pairs[count, 1] = i, j
                count += 1
    return count


@kernel(counts_references=False)
def point_normals(positions, triangles, normals):
    """Write the unit normal of the surface at every point, the mean of its triangles' normals; zero where there is none."""
    normals[:] = 0.0
    for n in range(triangles.shape[0]):
        i, j, k = triangles[n, 0], triangles[n, 1], triangles[n, 2]
        normal = cross(difference(positions, j, i), difference(positions, k, i))
        add_scaled(normals, i, normal, 1.0)
        add_scaled(normals, j, normal, 1.0)
        add_scaled(normals, k, normal, 1.0)
    for i in range(normals.shape[0]):
        square = normals[i, 0] ** 2 + normals[i, 1] ** 2 + normals[i, 2] ** 2
        if square > 0.0:
            scale = 1.0 / math.sqrt(square)
            for axis in range(3):
                normals[i, axis] *= scale


@kernel(counts_references=False)
def shorten_list(pair_count, pairs, discs, normals, places, turn, calm, short, directions):
    """Write the pairs that may press on each other while points stay where they are, more or less; return how many.

    Args:
        pair_count: how many pairs there are
        pairs: (capacity, 2) particles
        discs: Discs
        normals: (particle_count, 3) unit normals of the surface
        places: (particle_count, 3) [m], where the normals were computed
        turn: how far from there points start a substep at most [m]
        calm: how far from there they end it at most [m], infinite if they move
        short: (capacity, 2) particles, overwritten
        directions: (capacity, 3) across the surface where two points meet, of unit length, overwritten
    """
    count = 0
    for p in range(pair_count):
        i, j = pairs[p, 0], pairs[p, 1]
        # Both sides of a cloth are alike: the two directions are added the way in which they agree.
        a, b = (normals[i, 0], normals[i, 1], normals[i, 2]), (normals[j, 0], normals[j, 1], normals[j, 2])
        share = math.copysign(1.0, dot(a, b))
        n = (b[0] + share * a[0], b[1] + share * a[1], b[2] + share * a[2])
        d, square = difference(places, i, j), dot(n, n)
        if not square > 0.0:
            continue
        above = dot(d, n)
        most = discs.thicknesses[i] + discs.thicknesses[j] + 2.0 * calm
        reach = max(discs.radii[i], discs.radii[j]) + 2.0 * turn
        if (
            above * above > most * most * square
            or dot(d, d) * square - above * above > reach * reach * square
        ):
            continue
        length = math.sqrt(square)
        short[count, 0], short[count, 1] = i, j
        for axis in range(3):
            directions[count, axis] = n[axis] / length
        count += 1
    return count


@kernel(counts_references=False, is_entry=True)
def push_discs_apart(pair_count, pairs, directions, discs, most, starts, positions):
    """Keep the discs of near points apart and hold back what slides; return how many pairs press on each other.

    Theory: docs/theory/contact.md, eq. (K12). The side on which a point began the substep is kept. Displacements, those by
    friction included, keep the momentum of the two points.

    Args:
        pair_count: how many pairs there are
        pairs: (capacity, 2) particles
        directions: (capacity, 3) across the surface where two points meet, of unit length
        discs: Discs
        most: largest recovery of the full thickness in a substep [m]
        starts: (particle_count, 3) [m], where the substep starts
        positions: (particle_count, 3) [m], moved in place
    """
    touching, inverse_masses = 0, discs.inverse_masses
    for p in range(pair_count):
        i, j = pairs[p, 0], pairs[p, 1]
        n = (directions[p, 0], directions[p, 1], directions[p, 2])
        s = difference(starts, i, j)
        reach, before = max(discs.radii[i], discs.radii[j]), dot(s, n)
        if dot(s, s) - before * before > reach * reach:
            continue
        if before < 0.0:
            n, before = (-n[0], -n[1], -n[2]), -before
        d = difference(positions, i, j)
        after = dot(d, n)
        push = min(discs.thicknesses[i] + discs.thicknesses[j], before + most) - after
        give = inverse_masses[i] + inverse_masses[j]
        if push <= 0.0 or not give > 0.0:
            continue
        touching += 1
        t = (
            d[0] - s[0] - (after - before) * n[0],
            d[1] - s[1] - (after - before) * n[1],
            d[2] - s[2] - (after - before) * n[2],
        )
        held = stuck_share(norm(t), math.sqrt(discs.frictions[i] * discs.frictions[j]) * push)
        g = (push * n[0] - held * t[0], push * n[1] - held * t[1], push * n[2] - held * t[2])
        add_scaled(positions, i, g, inverse_masses[i] / give)
        add_scaled(positions, j, g, -inverse_masses[j] / give)
    return touching


class PointContact:
    """All cloth with `self_contact = "points"`, and the pairs of its points that are near."""

    def __init__(self, scene: Scene, world: World) -> None:
        """Give every point of such cloth a disc."""
        self._world = world
        particles = world.particles
        count = particles.count
        self._discs = Discs(*(np.zeros(count) for _ in range(4)))
        radii, thicknesses, frictions, _ = self._discs
        self._bodies = np.zeros(count, dtype=np.int32)
        surfaces = [np.zeros((0, 3), dtype=np.int64)]
        declared = {body.name: body for body in scene.bodies}
        for number, found in enumerate(world.bodies.values()):
            body = declared.get(found.origin)
            if not isinstance(body, Cloth) or body.self_contact != "points":
                continue
            self._bodies[found.particles] = number
            radii[found.particles] = DISC * body.shortest_edge()
            thicknesses[found.particles] = 0.5 * body.contact_thickness()
            surfaces.append(found.triangles + found.particles.start)
            frictions[found.particles] = body.friction
        self.points = np.flatnonzero(radii)
        self.is_active = bool(len(self.points))
        self.contact_count = 0
        if not self.is_active:
            return
        self._triangles = np.concatenate(surfaces)
        self._normals = np.zeros((count, 3))
        self._skin = SKIN * float(radii.max())
        smallest = float(radii[self.points].min())
        self._farthest_turn, self._calm = TURN * smallest, CALM * smallest
        thickest = 2.0 * float(thicknesses.max())
        self._size = math.hypot(float(radii.max()), thickest) + 2.0 * self._skin
        places = 1 << int(np.ceil(np.log2(2 * len(self.points))))
        self._grid = HashGrid(
            np.zeros((len(self.points), 3), dtype=np.int64),
            np.zeros(places + 1, dtype=np.int64),
            np.zeros(len(self.points), dtype=np.int64),
        )
        self._pairs, self._pair_count = np.zeros((8 * len(self.points), 2), dtype=np.int32), 0
        self._short, self._short_count = np.zeros_like(self._pairs), NONE
        self._directions, self._short_holds = np.zeros((len(self._pairs), 3)), 0.0
        self.displacements = np.zeros((count, 3))
        """(particle_count, 3) by which the last substep pushed points apart, less what gives no velocity [m]."""
        self._base = np.zeros((count, 3))
        self._turned = np.zeros((count, 3))
        self.forget()

    def forget(self) -> None:
        """Forget the list of pairs."""
        if self.is_active:
            self._base[:] = self._turned[:] = np.inf
            self._age = LEAST_AGE
            self._pair_count, self._short_count = 0, NONE

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return what `restore` needs to go on bit for bit."""
        if not self.is_active:
            return {}
        return {
            "points_base": self._base,
            "points_turned": self._turned,
            "points_age": np.array([self._age]),
        }

    def restore(self, saved: Mapping[str, NDArray[Any]]) -> None:
        """Take over what `state` returned; a ValueError or KeyError tells that it does not fit."""
        for name, array in self.state().items():
            if saved[name].shape != array.shape or saved[name].dtype != array.dtype:
                raise ValueError(name)
        if self.is_active:
            self._base[:], self._turned[:] = saved["points_base"], saved["points_turned"]
            if np.isfinite(self._turned).all():
                point_normals(self._turned, self._triangles, self._normals)
            if np.isfinite(self._base).all():
                self._list(self._base)
            self._age = int(saved["points_age"][0])

    def resolve(self, step: float) -> None:
        """Push layers apart at the end of a substep."""
        if not self.is_active:
            return
        particles = self._world.particles
        positions = particles.positions
        np.divide(1.0, particles.masses, out=self._discs.inverse_masses)
        self._discs.inverse_masses[particles.is_fixed] = 0.0
        self._age += 1
        if self._age > LEAST_AGE and not largest_distance(positions, self._base) <= self._skin:
            np.copyto(self._base, positions)
            self._list(positions)
        if not largest_distance(particles.starts, self._turned) <= self._farthest_turn:
            np.copyto(self._turned, particles.starts)
            point_normals(self._turned, self._triangles, self._normals)
            self._short_count = NONE
        moved = largest_distance(positions, self._turned)
        if self._short_count == NONE or not moved <= self._short_holds:
            self._shorten(self._calm if moved <= self._calm else math.inf)
        np.subtract(particles.starts, positions, out=self.displacements)
        for n in range(PASSES):
            touching = push_discs_apart(
                self._short_count, self._short, self._directions, self._discs, RECOVERY_SPEED * step, particles.starts,
                positions,
            )  # fmt: skip
            if n == 0:
                self.contact_count = int(touching)
        self.displacements += positions
        self.displacements -= particles.starts

    def _list(self, positions: NDArray[np.float64]) -> None:
        rests = self._world.particles.rest_positions
        fill_grid(positions, self.points, self._size, self._grid)
        while True:
            count = list_near_points(
                positions, rests, self._bodies, self.points, self._discs.radii, self._size, self._grid, self._pairs
            )  # fmt: skip
            if count <= len(self._pairs):
                break
            self._pairs = np.zeros((3 * count // 2, 2), dtype=np.int32)
        self._pair_count, self._age, self._short_count = int(count), 0, NONE

    def _shorten(self, calm: float) -> None:
        """Leave out pairs that cannot press on each other as long as points end within `calm` [m] of their normals."""
        if len(self._short) < len(self._pairs):
            self._short, self._directions = np.zeros_like(self._pairs), np.zeros((len(self._pairs), 3))
        self._short_holds = calm
        self._short_count = shorten_list(
            self._pair_count, self._pairs, self._discs, self._normals, self._turned, self._farthest_turn, calm,
            self._short, self._directions,
        )  # fmt: skip
