"""Bridges: sides and faces of cloth that reach over an edge of a solid, between points that are all outside of it.

Theory: docs/theory/obstacles.md, eq. (O22) to (O26), after Kang 2000 §4 (edges and triangles, not points only). Cloth of
coarse cells touches the edge of a table with sides, and a spike with a face: points alone would let them poke through. A
triangle that lies above a tangent plane of the solid needs no further look until it has moved as far; in others the
nearest places of sides and face are sought, and pushed out as points are.

Solids that fit between two points of a cloth as a whole are left to `thin_solids`, and those that bend so little that no
triangle dips into their shell are left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.collide.edge_contact.closest_points import across_face, lowest_on_side, tangents_meet
from supple.collide.edge_contact.contact_points import Places, give_last_pushes, hand_on, lift_places
from supple.collide.obstacles.obstacle_motion import SolidMotion
from supple.collide.obstacles.particle_contact import ParticleContacts
from supple.collide.obstacles.signed_distance import distance_to, into_axes, out_of_axes
from supple.collide.obstacles.solid_arrays import SolidProperties, Solids
from supple.kernel import dot, kernel
from supple.model.builders.mesh_edges import numbered_edges
from supple.model.particles import ParticleArrays, Particles
from supple.model.world import BodyRange, World

CLEARANCE = 0.25
"""Share of the shell that sides and faces keep [-]: less than points, so that cloth rests on its points wherever it can."""

GUARDED = 0.05
"""The same where contact is part of the solve, and passes after it are a guard only [-]."""

READY = 0.5
"""Places are kept ready from this share of the shell outside of the clearance [-]: passes may lead them there."""

INSIDE = 0.02
"""Least weight of each corner for a place to count as one of the face: others are places of a side [-]."""

LEAST_ACROSS = 0.1
"""Share of the gradient across a side or a face below which a place is none to push at [-]."""

RECOVERY = 0.2
"""Share of a lack of clearance that is given back in a substep [-]."""

RECOVERY_SPEED = 0.25
"""Fastest way back to the clearance [m/s]."""

FINDS = 2
"""Passes of a substep in which places are looked for: when particles have moved, and when others have followed."""

NEAR_BY = 0.2
"""How far on both sides of a place the bend of a solid is looked at, in lengths of the line [-]."""

LITTLE = 1.1
"""How far a line may dip into what bends smoothly where contact is part of the solve, in shells [-]."""

INTO = 0.1
"""How deep such a line may be inside of the solid, in shells [-]."""

VISIBLE = 5.0
"""How far sides of cloth may dip into what bends smoothly, in shells, before they are looked at [-]."""


@kernel(counts_references=False)
def add_ways(positions, last, paths):
    """Add how far each point has moved since the last call to its path; (particle_count, 3), (particle_count,) [m]."""
    for i in range(positions.shape[0]):
        dx, dy, dz = positions[i, 0] - last[i, 0], positions[i, 1] - last[i, 1], positions[i, 2] - last[i, 2]
        square = dx * dx + dy * dy + dz * dz
        if square > 0.0:
            paths[i] += math.sqrt(square)
            last[i, 0], last[i, 1], last[i, 2] = positions[i, 0], positions[i, 1], positions[i, 2]


@kernel(counts_references=False)
def corner_in_axes(poses, o, points, i):
    """Return row i of an array (n, 3) [m] in the axes of solid o."""
    return into_axes(poses, o, points[i, 0], points[i, 1], points[i, 2])


class Surface(NamedTuple):
    """The triangles of all cloth, and when each has to be looked at."""

    triangles: NDArray[np.int64]
    """(triangle_count, 3) particles."""

    opposite: NDArray[np.int64]
    """(triangle_count, 3) number of the side opposite each corner."""

    visits: NDArray[np.int64]
    """(side_count,) number of the call that has looked at each side last."""

    dues: NDArray[np.float64]
    """(triangle_count,) paths of its corners and three times the drift, in sum, until which a triangle need not be looked
    at [m]."""

    paths: NDArray[np.float64]
    """(particle_count,) length of the way of each particle since the beginning [m]."""

    @property
    def key_count(self) -> int:
        """How many edges and faces there are."""
        return len(self.visits) + len(self.triangles)


@kernel(counts_references=False)
def dips_little(solids, o, p, q, t, at_p, at_q, most):
    """Tell whether the solid bends smoothly at place t of the line p to q, and the line dips by less than `most` [m] (O22).

    A line whose ends rest on the shell of a smooth solid dips by L² / 8r. Held off, it would carry the cloth in turn with
    its points, and cloth that slides would have to climb from one to the other. Across an edge the gradient turns at once,
    on a smooth surface in proportion to the way.
    """
    e = (q[0] - p[0], q[1] - p[1], q[2] - p[2])
    low, high = max(0.0, t - NEAR_BY), min(1.0, t + NEAR_BY)
    _, ax, ay, az = distance_to(solids, o, p[0] + low * e[0], p[1] + low * e[1], p[2] + low * e[2])
    _, bx, by, bz = distance_to(solids, o, p[0] + high * e[0], p[1] + high * e[1], p[2] + high * e[2])
    turn_near = (bx - ax) ** 2 + (by - ay) ** 2 + (bz - az) ** 2
    turn = (at_q[1] - at_p[1], at_q[2] - at_p[2], at_q[3] - at_p[3])
    share = 1.5 * (high - low)
    return turn_near < share * share * dot(turn, turn) and dot(turn, e) < 8.0 * most


@kernel(counts_references=False)
def keep_place(
    solids, o, clearance, poses, triangles, f, starts, corners, weights, away, key, fastest, count, places
):  # fmt: skip
    """Write a place of triangle f, given its corners in the axes of solid o, as one to keep outside; return the count.

    It is pushed along `away`, of any length. The gradient of the distance would not do: inside it is that of one face,
    and a quarter of a millimetre outside of an edge it turns with the least of errors.
    """
    a, b, c = corners
    wa, wb, wc = weights
    x = wa * a[0] + wb * b[0] + wc * c[0]
    y = wa * a[1] + wb * b[1] + wc * c[1]
    z = wa * a[2] + wb * b[2] + wc * c[2]
    d, nx, ny, nz = distance_to(solids, o, x, y, z)
    size = math.sqrt(dot(away, away))
    # How fast the distance grows on the way: outside of an edge as fast as one moves, inside as that to both faces together.
    share = (nx * away[0] + ny * away[1] + nz * away[2]) / size if d > 0.0 else size
    if not share > LEAST_ACROSS:
        return count
    if count < places.faces.shape[0]:
        nx, ny, nz = away[0] / size, away[1] / size, away[2] / size
        places.faces[count], places.keys[count], places.solids[count] = f, key, o
        normals, offsets, anchors = places.normals, places.offsets, places.anchors
        places.weights[count, 0], places.weights[count, 1], places.weights[count, 2] = wa, wb, wc
        offset = nx * x + ny * y + nz * z - d / share
        nx, ny, nz = out_of_axes(poses.t1, o, nx, ny, nz)
        normals[count, 0], normals[count, 1], normals[count, 2] = nx, ny, nz
        offsets[count] = offset + nx * poses.t1[o, 9] + ny * poses.t1[o, 10] + nz * poses.t1[o, 11]
        i, j, k = triangles[f, 0], triangles[f, 1], triangles[f, 2]
        x, y, z = into_axes(
            poses.t0, o,
            wa * starts[i, 0] + wb * starts[j, 0] + wc * starts[k, 0],
            wa * starts[i, 1] + wb * starts[j, 1] + wc * starts[k, 1],
            wa * starts[i, 2] + wb * starts[j, 2] + wc * starts[k, 2],
        )  # fmt: skip
        x, y, z = out_of_axes(poses.t1, o, x, y, z)
        anchors[count, 0], anchors[count, 1] = x + poses.t1[o, 9], y + poses.t1[o, 10]
        anchors[count, 2] = z + poses.t1[o, 11]
        begun = nx * anchors[count, 0] + ny * anchors[count, 1] + nz * anchors[count, 2] - offsets[count]
        kept = min(clearance, begun)
        places.extras[count] = min(RECOVERY * (clearance - kept), fastest)
        places.targets[count] = kept + places.extras[count]
    return count + 1


@kernel(counts_references=False, is_entry=True)
def find_bridges(
    solids, properties, motion, particles, edged, share, little, fastest, surface, visit, places
):
    """Write every place at which a triangle may dip into a solid with edges, and return how many there are.

    Args:
        solids: shapes of all solids, see `Solids`
        properties: see `SolidProperties`
        motion: see `SolidMotion`
        particles: see `ParticleArrays`
        edged: (edged_count,) solids that have edges
        share: of the shell that places are to keep [-]
        little: how far edges may dip into what bends smoothly without being looked at, in shells [-]
        fastest: longest way in a substep on which what began inside is led out [m]
        surface: see `Surface`; visits and dues are changed in place
        visit: number that no other call has had
        places: see `PlaceArrays`, overwritten

    Returns:
        The number of places; those beyond the capacity are only counted.
    """
    triangles, opposite, visits, dues, paths = surface
    poses, drift, shells = motion.poses, motion.drift, properties.shells
    starts, positions = particles.starts, particles.positions
    count = 0
    for f in range(triangles.shape[0]):
        i, j, k = triangles[f, 0], triangles[f, 1], triangles[f, 2]
        begun = paths[i] + paths[j] + paths[k] + 3.0 * drift
        if begun < dues[f]:
            continue
        slack = math.inf
        for n in range(edged.shape[0]):
            o = edged[n]
            a, b = corner_in_axes(poses.t1, o, positions, i), corner_in_axes(poses.t1, o, positions, j)
            c = corner_in_axes(poses.t1, o, positions, k)
            clearance, ready = share * shells[o], (share + READY) * shells[o]
            x, y, z = (a[0] + b[0] + c[0]) / 3.0, (a[1] + b[1] + c[1]) / 3.0, (a[2] + b[2] + c[2]) / 3.0
            inner, nx, ny, nz = distance_to(solids, o, x, y, z)
            lowest = min(
                nx * (a[0] - x) + ny * (a[1] - y) + nz * (a[2] - z),
                min(
                    nx * (b[0] - x) + ny * (b[1] - y) + nz * (b[2] - z),
                    nx * (c[0] - x) + ny * (c[1] - y) + nz * (c[2] - z),
                ),
            )
            free = inner + lowest - clearance
            if free > 0.0:
                slack = min(slack, free)
                continue
            slack = -math.inf
            at_a = distance_to(solids, o, a[0], a[1], a[2])
            at_b = distance_to(solids, o, b[0], b[1], b[2])
            at_c = distance_to(solids, o, c[0], c[1], c[2])
            if not min(at_a[0], min(at_b[0], at_c[0])) > clearance:
                continue  # a corner is inside, held there or on its way out: whatever the others do, the triangle stays in
            for side in range(4):
                key = visits.shape[0] + f
                if side < 3:
                    key = opposite[f, (side + 2) % 3]
                    if visits[key] == visit * edged.shape[0] + n:
                        continue  # the triangle beyond it has found its place
                    visits[key] = visit * edged.shape[0] + n
                    p, q = (a, b) if side == 0 else ((b, c) if side == 1 else (c, a))
                    at_p = at_a if side == 0 else (at_b if side == 1 else at_c)
                    at_q = at_b if side == 0 else (at_c if side == 1 else at_a)
                    t, d, nx, ny, nz = lowest_on_side(solids, o, p, q, at_p, at_q, ready)
                    if -INTO * shells[o] < d < ready and dips_little(
                        solids, o, p, q, t, at_p, at_q, little * shells[o]
                    ):
                        continue
                    wa = 1.0 - t if side == 0 else (0.0 if side == 1 else t)
                    wb = t if side == 0 else (1.0 - t if side == 1 else 0.0)
                else:
                    wb, wc = tangents_meet(a, b, c, at_a, at_b, at_c)
                    wa = 1.0 - wb - wc
                    if not min(wa, min(wb, wc)) > INSIDE:
                        break
                    d, nx, ny, nz = distance_to(
                        solids, o,
                        wa * a[0] + wb * b[0] + wc * c[0], wa * a[1] + wb * b[1] + wc * c[1],
                        wa * a[2] + wb * b[2] + wc * c[2],
                    )  # fmt: skip
                    nx, ny, nz = across_face(a, b, c, (nx, ny, nz))
                if d < ready:
                    count = keep_place(
                        solids, o, clearance, poses, triangles, f, starts, (a, b, c), (wa, wb, 1.0 - wa - wb),
                        (nx, ny, nz), key, fastest, count, places,
                    )  # fmt: skip
        # The tangent plane stays a bound until a corner has come as near to it; a tenth is left for the rounding of paths.
        dues[f] = begun + 0.9 * slack
    return count


def cloth_of(world: World) -> list[BodyRange]:
    """Return the bodies that have a surface and no tetrahedra."""
    bodies = world.bodies.values()
    return [b for b in bodies if len(b.triangles) and b.tetrahedra.stop == b.tetrahedra.start]


def edged_solids(
    world: World, bends: NDArray[np.float64], shells: NDArray[np.float64], is_sought: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return those of the sought solids that bend so sharply that edges of cloth dip into them.

    Args:
        world: its cloth
        bends: (solid_count,) smallest radius at which each bends outwards, of `least_bend` [m]
        shells: (solid_count,) [m]
        is_sought: (solid_count,)
    """
    lengths = world.springs.rest_lengths
    longest = max((float(lengths[body.springs].max(initial=0.0)) for body in cloth_of(world)), default=0.0)
    # An edge of length L dips by L² / 8r into what bends with radius r.
    return np.flatnonzero(is_sought & (longest**2 > 8.0 * VISIBLE * shells * bends))


def surface_of(world: World, edged: NDArray[np.int64]) -> Surface:
    """Return the triangles of all cloth, none if no solid has edges for it."""
    cloth = cloth_of(world) if len(edged) else []
    triangles = np.concatenate(
        [np.zeros((0, 3), dtype=np.int64), *(body.triangles + body.particles.start for body in cloth)]
    )
    edges, opposite = numbered_edges(triangles)
    return Surface(
        triangles,
        opposite,
        visits=np.full(len(edges), -1, dtype=np.int64),
        dues=np.full(len(triangles), -np.inf),
        paths=np.zeros(world.particles.count if len(triangles) else 0),
    )


class Bridges:
    """Solids with edges, the triangles that must not let them through, and the places where they would."""

    def __init__(
        self,
        world: World,
        bends: NDArray[np.float64],
        shells: NDArray[np.float64],
        is_firm: NDArray[np.bool_],
        thin: NDArray[np.int64],
    ) -> None:
        """Look at all cloth.

        Args:
            world: bodies with a surface and no tetrahedra are cloth
            bends: (solid_count,) [m], of `least_bend`
            shells: (solid_count,) [m]
            is_firm: (solid_count,) whether a solid keeps particles out by projection and has no mass
            thin: solids that somebody else keeps from passing between points
        """
        self._bends, self._shells, self._is_firm = bends, shells, is_firm
        self.share = CLEARANCE
        """Share of the shell that places are to keep [-]."""
        self.little = 0.0
        """How far edges may dip into what bends smoothly without being looked at, in shells [-]."""
        self.reshape(world, thin)

    def reshape(self, world: World, thin: NDArray[np.int64]) -> None:
        """Take over the surfaces of the world, and forget what they carried; `thin` as at the beginning."""
        self._edged = self._edged_for(world, thin)
        self.surface = surface_of(world, self._edged)
        self.triangles = self.surface.triangles
        self.is_active = len(self.triangles) > 0
        count = len(self.surface.paths)
        self._visit = 0
        self._slots = np.full(self.surface.key_count, -1, dtype=np.int32)
        self._last, self._shifts = np.zeros((count, 3)), np.zeros((count, 3))
        self.places, self._spare = Places(64), Places(64)
        self._finds, self._step, self._has_lifted = 0, 0.0, False

    def relength(self, world: World, thin: NDArray[np.int64]) -> None:
        """Follow cloth that shrinks or grows: what its sides carry goes on, unless other solids have edges for it now."""
        if not np.array_equal(self._edged, self._edged_for(world, thin)):
            self.reshape(world, thin)

    def _edged_for(self, world: World, thin: NDArray[np.int64]) -> NDArray[np.int64]:
        is_sought = self._is_firm.copy()
        is_sought[thin] = False
        return edged_solids(world, self._bends, self._shells, is_sought)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return what `restore` needs to go on bit for bit."""
        places = self.places
        arrays = {f"bridge_{name}": getattr(places.arrays, name)[: places.count] for name in Places.KEPT}
        own = {
            "bridge_dues": self.surface.dues,
            "bridge_last": self._last,
            "bridge_paths": self.surface.paths,
        }
        return {**arrays, **own, "bridge_step": np.array([self._step])}

    def restore(self, saved: Mapping[str, NDArray[Any]]) -> None:
        """Take over what `state` returned; a ValueError or KeyError tells that it does not fit."""
        for name, array in self.state().items():
            is_fixed = name.removeprefix("bridge_") not in Places.KEPT
            if (
                saved[name].dtype != array.dtype
                or saved[name].shape[not is_fixed :] != array.shape[not is_fixed :]
            ):
                raise ValueError(name)
        count = len(saved["bridge_faces"])
        for name, end in (
            ("faces", len(self.triangles)),
            ("keys", len(self._slots)),
            ("solids", len(self._shells)),
        ):
            numbers = saved[f"bridge_{name}"]
            if len(numbers) != count or not ((numbers >= 0) & (numbers < end)).all():
                raise ValueError(name)
        self.places, self._spare = Places(max(64, count)), Places(max(64, count))
        self.places.count = count
        for name in Places.KEPT:
            getattr(self.places.arrays, name)[:count] = saved[f"bridge_{name}"]
        self.surface.dues[:] = saved["bridge_dues"]
        self.surface.paths[:] = saved["bridge_paths"]
        self._last[:] = saved["bridge_last"]
        self._step = float(saved["bridge_step"][0])

    def begin(
        self,
        step: float,
        wants_reaction: NDArray[np.bool_],
        particles: Particles,
        reactions: NDArray[np.float64],
    ) -> None:
        """Let the integrator feel what places carried: after the inertial targets, and after contact of cloth with cloth.

        Args:
            step: substep [s]
            wants_reaction: (solid_count,) whether the reaction on the solid is summed up
            particles: with their inertial targets
            reactions: (solid_count, 6) [kg·m, kg·m²], what the solids receive, added to in place
        """
        if not self.is_active:
            return
        places = self.places
        scale = (step / self._step) ** 2 if self._step else 1.0
        self._step, self._finds = step, 0
        give_last_pushes(
            places.count, places.arrays, scale, self.triangles, wants_reaction, particles.arrays, reactions
        )  # fmt: skip

    def begin_guard(self, step: float) -> None:
        """Begin a substep of `step` seconds in which places carry nothing: the solve has done what is to be carried."""
        self._step, self._finds = step, 0
        self.places.count = 0

    def find(
        self,
        solids: Solids,
        properties: SolidProperties,
        motion: SolidMotion,
        particles: ParticleArrays,
    ) -> None:
        """Look for places that dip into solids, in the first passes of a substep."""
        if self._finds == FINDS or (self._finds and not self.places.count):
            return
        self._finds += 1
        add_ways(particles.positions, self._last, self.surface.paths)
        old = self.places
        self._visit += 1
        while True:
            new = self._spare
            new.count = find_bridges(
                solids, properties, motion, particles, self._edged, self.share, self.little,
                RECOVERY_SPEED * self._step, self.surface, self._visit, new.arrays,
            )  # fmt: skip
            if new.count <= new.capacity:
                break
            self._spare = Places(2 * new.count)
            self._visit += 1
        hand_on(old.count, old.arrays, new.count, new.arrays, self._slots)
        self.places, self._spare = new, old

    def lift(
        self,
        properties: SolidProperties,
        particles: ParticleArrays,
        contacts: ParticleContacts,
        reactions: NDArray[np.float64],
    ) -> bool:
        """Push out the places that were found; return whether anything has moved. Arguments are those of `lift_places`."""
        places = self.places
        has_moved = lift_places(
            places.count,
            places.arrays,
            self.triangles,
            properties,
            particles,
            contacts,
            reactions,
            self._shifts,
        )
        self._has_lifted |= bool(has_moved)
        return bool(has_moved)

    def end(self, starts: NDArray[np.float64]) -> None:
        """Let what was given back be no velocity: the starts of the substep, (particle_count, 3) [m], move as well."""
        if self._has_lifted:
            starts += self._shifts
            self._shifts[:] = 0.0
            self._has_lifted = False
