"""Faces of cloth against thin solids: what points alone would let pass between them.

Theory: docs/theory/contact.md, eq. (K10) and (K11), after Kang 2000 §4 (edges and triangles, not points only). A pole
that is thinner than half of an edge fits between two points of the cloth. So each triangle near such a
solid is looked at as a whole: where on it the signed distance is least, at moments so close that no solid is
jumped over, and its three corners are moved such that this place ends on the shell.

Everything happens in the axes of the solid, as in `contact`: a solid that moves is no special case.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.collide.obstacles import shapes
from supple.collide.obstacles.obstacle_motion import SolidMotion
from supple.collide.obstacles.particle_contact import ParticleContacts, add_reaction
from supple.collide.obstacles.particle_memory import MemoryArrays
from supple.collide.obstacles.signed_distance import distance_to, into_axes, out_of_axes
from supple.collide.obstacles.solid_arrays import SolidProperties, Solids
from supple.kernel import add_scaled, dot, kernel
from supple.model.particles import ParticleArrays
from supple.model.world import World

SAMPLES = 4
"""Parts of a line that are looked at before the least distance is sought in two of them."""

HALVINGS = 8
"""Steps of the golden section: the place is then known to a hundredth of the line."""

GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)

DESCENTS = 3
"""Lines that are followed into a triangle from its border."""

INWARD = 0.02
"""Cosine by which the distance must fall into a triangle for its inside to be searched [-]."""

MOMENTS = 24
"""Most moments of a substep at which a triangle is looked at."""

STRIDE = 0.7
"""How far cloth may move between two moments, in radii of the solid [-]."""

ROUNDS = 3
"""Most pushes of a triangle by one solid in one pass."""

LONGEST_LEVER = 4.0
"""Farthest that a corner is moved by one push, in what the triangle lacks [-]. Where a triangle is met close to a pin, its
free corners would have to swing far round it."""

DEPTH_SAMPLES = 24
"""Points along each side of the box of a mesh at which its thickness is sought."""


@kernel(counts_references=False)
def along(p, q, t):
    """Return the point of the line from p to q at t."""
    return (p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2]))


@kernel(counts_references=False)
def distance_at(solids, o, p):
    """Return the signed distance of a place, given as a tuple, to solid o [m]."""
    return distance_to(solids, o, p[0], p[1], p[2])[0]


@kernel(counts_references=False)
def nearest_on_line(solids, o, p, q, reach):
    """Return where on the line from p to q the distance to solid o is least, 0 to 1, and that distance [m].

    A line of which no part can be within `reach` [m] is not searched further than its samples.
    """
    best, least = 0, math.inf
    for n in range(SAMPLES + 1):
        d = distance_at(solids, o, along(p, q, n / SAMPLES))
        if d < least:
            best, least = n, d
    e = (q[0] - p[0], q[1] - p[1], q[2] - p[2])
    if least - 0.5 * math.sqrt(dot(e, e)) / SAMPLES > reach:
        return best / SAMPLES, least
    low, high = max(best - 1, 0) / SAMPLES, min(best + 1, SAMPLES) / SAMPLES
    s, t = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    ds = distance_at(solids, o, along(p, q, s))
    dt = distance_at(solids, o, along(p, q, t))
    for _ in range(HALVINGS):
        if ds <= dt:
            high, t, dt = t, s, ds
            s = high - GOLDEN * (high - low)
            ds = distance_at(solids, o, along(p, q, s))
        else:
            low, s, ds = s, t, dt
            t = low + GOLDEN * (high - low)
            dt = distance_at(solids, o, along(p, q, t))
    if least <= ds and least <= dt:
        return best / SAMPLES, least
    return (s, ds) if ds <= dt else (t, dt)


@kernel(counts_references=False)
def nearest_on_triangle(solids, o, a, b, c, reach):
    """Return the weights of the place of a triangle that is nearest to solid o, and its distance [m].

    A place farther than `reach` [m] may be told as the nearest although another is a little nearer. First the three
    sides; then, if the distance falls from there into the triangle, along the steepest way inside.
    """
    t, least = nearest_on_line(solids, o, a, b, reach)
    wa, wb, wc = 1.0 - t, t, 0.0
    t, d = nearest_on_line(solids, o, b, c, reach)
    if d < least:
        wa, wb, wc, least = 0.0, 1.0 - t, t, d
    t, d = nearest_on_line(solids, o, c, a, reach)
    if d < least:
        wa, wb, wc, least = t, 0.0, 1.0 - t, d
    u = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
    v = (c[0] - a[0], c[1] - a[1], c[2] - a[2])
    uu, uv, vv = dot(u, u), dot(u, v), dot(v, v)
    square = uu * vv - uv * uv
    if not square > 1e-12 * uu * vv:
        return wa, wb, wc, least
    for _ in range(DESCENTS):
        x = wa * a[0] + wb * b[0] + wc * c[0]
        y = wa * a[1] + wb * b[1] + wc * c[1]
        z = wa * a[2] + wb * b[2] + wc * c[2]
        _, nx, ny, nz = distance_to(solids, o, x, y, z)
        n = (nx, ny, nz)
        nu, nv = dot(n, u), dot(n, v)
        # The steepest way down within the plane, in weights of b and c.
        db, dc = -(vv * nu - uv * nv) / square, -(uu * nv - uv * nu) / square
        da = -db - dc
        slope = db * nu + dc * nv
        way = math.sqrt(db * db * uu + 2.0 * db * dc * uv + dc * dc * vv)
        if not (way > 0.0 and slope < -INWARD * way):
            break
        farthest = math.inf
        if da < 0.0:
            farthest = min(farthest, wa / -da)
        if db < 0.0:
            farthest = min(farthest, wb / -db)
        if dc < 0.0:
            farthest = min(farthest, wc / -dc)
        if not (farthest > 0.0 and farthest < math.inf):
            break
        end = (
            x + farthest * (db * u[0] + dc * v[0]),
            y + farthest * (db * u[1] + dc * v[1]),
            z + farthest * (db * u[2] + dc * v[2]),
        )
        t, d = nearest_on_line(solids, o, (x, y, z), end, reach)
        if not d < least:
            break
        least = d
        wa, wb, wc = (
            max(wa + t * farthest * da, 0.0),
            max(wb + t * farthest * db, 0.0),
            max(wc + t * farthest * dc, 0.0),
        )
    return wa, wb, wc, least


@kernel(counts_references=False)
def weighted(points, wa, wb, wc):
    """Return the weighted sum of three places, the rows of a (3, 3) array."""
    return (
        wa * points[0, 0] + wb * points[1, 0] + wc * points[2, 0],
        wa * points[0, 1] + wb * points[1, 1] + wc * points[2, 1],
        wa * points[0, 2] + wb * points[1, 2] + wc * points[2, 2],
    )


class ThinArrays(NamedTuple):
    """Solids that fit between the points of a cloth, and the triangles that they must not pass."""

    indices: NDArray[np.int64]
    """(thin_count,) which solids."""

    radii: NDArray[np.float64]
    """(thin_count,) how deep their inside is [m]."""

    triangles: NDArray[np.int64]
    """(triangle_count, 3) particles."""


@kernel(counts_references=False, is_entry=True)
def collide_faces(solids, thin_solids, properties, motion, particles, memory, scratch, contacts, reactions):
    """Keep every triangle outside of every thin solid, with friction.

    A triangle is left out if all of it is farther from every shell than a corner was found to be, or if
    the ball around it does not meet the solid.

    Args:
        solids: shapes of all solids, see `Solids`
        thin_solids: see `ThinArrays`
        properties: see `SolidProperties`
        motion: see `SolidMotion`
        particles: see `ParticleArrays`; positions are moved in place
        memory: see `MemoryArrays`, of `collide_particles`
        scratch: three (3, 3) arrays
        contacts: see `ParticleContacts`, changed in place
        reactions: (solid_count, 6) [kg·m, kg·m²], what the solids receive, added to in place

    Returns:
        How many triangles were moved.
    """
    thin, radii, triangles = thin_solids
    begins, ends, moments = scratch
    poses, drift, shells = motion.poses, motion.drift, properties.shells
    starts, positions, masses, is_fixed = (
        particles.starts,
        particles.positions,
        particles.masses,
        particles.is_fixed,
    )
    seen, drifts_seen, nearest = memory.seen, memory.drifts_seen, memory.nearest
    touched, moves = contacts.touched, contacts.displacements
    count = 0
    for f in range(triangles.shape[0]):
        free, size = -math.inf, 0.0
        for corner in range(3):
            i, j = triangles[f, corner], triangles[f, (corner + 1) % 3]
            sx, sy, sz = (
                positions[i, 0] - seen[i, 0],
                positions[i, 1] - seen[i, 1],
                positions[i, 2] - seen[i, 2],
            )
            free = max(free, nearest[i] - (drift - drifts_seen[i]) - math.sqrt(sx * sx + sy * sy + sz * sz))
            sx, sy, sz = (
                positions[i, 0] - positions[j, 0],
                positions[i, 1] - positions[j, 1],
                positions[i, 2] - positions[j, 2],
            )
            size = max(size, sx * sx + sy * sy + sz * sz)
        if free > 0.0 and free * free > size:
            continue
        for k in range(thin.shape[0]):
            o, shell = thin[k], shells[thin[k]]
            way = 0.0
            for corner in range(3):
                i = triangles[f, corner]
                begins[corner, 0], begins[corner, 1], begins[corner, 2] = into_axes(
                    poses.t0, o, starts[i, 0], starts[i, 1], starts[i, 2]
                )
                ends[corner, 0], ends[corner, 1], ends[corner, 2] = into_axes(
                    poses.t1, o, positions[i, 0], positions[i, 1], positions[i, 2]
                )
                square = 0.0
                for axis in range(3):
                    square += (ends[corner, axis] - begins[corner, axis]) ** 2
                way = max(way, math.sqrt(square))
            centre = weighted(ends, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0)
            around = 0.0
            for corner in range(3):
                square = 0.0
                for axis in range(3):
                    square += (ends[corner, axis] - centre[axis]) ** 2
                around = max(around, square)
            if distance_at(solids, o, centre) - math.sqrt(around) - way > shell:
                continue
            is_pierced = False
            for corner in range(3):
                if is_fixed[triangles[f, corner]]:
                    end = (ends[corner, 0], ends[corner, 1], ends[corner, 2])
                    is_pierced = is_pierced or (distance_at(solids, o, end) < shell)
            if is_pierced:
                continue  # the solid has been led over a pin: whatever the free corners do, the triangle stays in it
            steps = min(1 + int(way / (STRIDE * radii[k])), MOMENTS)
            pushes = 0
            for n in range(1, steps + 1):
                share = n / steps
                while pushes < ROUNDS:
                    for corner in range(3):
                        for axis in range(3):
                            moments[corner, axis] = begins[corner, axis] + share * (
                                ends[corner, axis] - begins[corner, axis]
                            )
                    wa, wb, wc, d = nearest_on_triangle(
                        solids, o,
                        (moments[0, 0], moments[0, 1], moments[0, 2]),
                        (moments[1, 0], moments[1, 1], moments[1, 2]),
                        (moments[2, 0], moments[2, 1], moments[2, 2]), shell,
                    )  # fmt: skip
                    if d >= shell - 1e-7:
                        break
                    hit, last = weighted(moments, wa, wb, wc), weighted(ends, wa, wb, wc)
                    _, nx, ny, nz = distance_to(solids, o, hit[0], hit[1], hit[2])
                    lack = (
                        shell
                        - d
                        - nx * (last[0] - hit[0])
                        - ny * (last[1] - hit[1])
                        - nz * (last[2] - hit[2])
                    )
                    give = 0.0
                    for corner in range(3):
                        i = triangles[f, corner]
                        w = wa if corner == 0 else (wb if corner == 1 else wc)
                        if not is_fixed[i]:
                            give += w * w / masses[i]
                    if not (lack > 1e-7 and give > 0.0):
                        break
                    first = weighted(begins, wa, wb, wc)
                    tx, ty, tz = last[0] - first[0], last[1] - first[1], last[2] - first[2]
                    normal = tx * nx + ty * ny + tz * nz
                    tx, ty, tz = tx - normal * nx, ty - normal * ny, tz - normal * nz
                    slip = math.sqrt(tx * tx + ty * ty + tz * tz)
                    held = min(1.0, properties.frictions[o] * lack / slip) if slip > 0.0 else 0.0
                    gx, gy, gz = lack * nx - held * tx, lack * ny - held * ty, lack * nz - held * tz
                    wx, wy, wz = out_of_axes(poses.t1, o, gx, gy, gz)
                    for corner in range(3):
                        i = triangles[f, corner]
                        w = wa if corner == 0 else (wb if corner == 1 else wc)
                        if is_fixed[i] or w == 0.0:
                            continue
                        part = min(w / (masses[i] * give), LONGEST_LEVER)
                        if properties.wants_reaction[o]:
                            add_reaction(
                                reactions, o, masses[i], positions[i, 0], positions[i, 1], positions[i, 2],
                                part * wx, part * wy, part * wz,
                            )  # fmt: skip
                        ends[corner, 0] += part * gx
                        ends[corner, 1] += part * gy
                        ends[corner, 2] += part * gz
                        add_scaled(positions, i, (wx, wy, wz), part)
                        add_scaled(moves, i, (wx, wy, wz), part)
                        if touched[i] < 0:
                            touched[i] = o
                    pushes += 1
                if pushes >= ROUNDS:
                    break
            if pushes > 0:
                count += 1
    return count


@kernel(counts_references=False)
def deepest(solids, o, low, high):
    """Return how deep the inside of solid o is at points of a grid over a box (3,) (3,), at most [m]."""
    depth = 0.0
    for a in range(DEPTH_SAMPLES):
        x = low[0] + (a + 0.5) / DEPTH_SAMPLES * (high[0] - low[0])
        for b in range(DEPTH_SAMPLES):
            y = low[1] + (b + 0.5) / DEPTH_SAMPLES * (high[1] - low[1])
            for c in range(DEPTH_SAMPLES):
                z = low[2] + (c + 0.5) / DEPTH_SAMPLES * (high[2] - low[2])
                depth = max(depth, -distance_to(solids, o, x, y, z)[0])
    return depth


def inner_radius(solids: Solids, index: int, box: NDArray[np.float64]) -> float:
    """Return the radius of the largest ball inside a solid [m]; `box` (2, 3) [m] encloses it in its own axes."""
    kind, values = int(solids.kinds[index]), solids.parameters[index]
    match kind:
        case shapes.PLANE:
            return math.inf
        case shapes.SPHERE:
            return float(values[0])
        case shapes.ELLIPSOID | shapes.BOX:
            return float(values[:3].min())
        case shapes.CAPSULE | shapes.CYLINDER:
            return float(values[6])
        case shapes.TORUS:
            return float(values[1])
    return float(deepest(solids, index, box[0], box[1]))


class ThinSolids:
    """Solids that fit between the points of a cloth, and the triangles that they must not pass."""

    def __init__(self, world: World, radii: NDArray[np.float64], is_projecting: NDArray[np.bool_]) -> None:
        """Compare every solid with the longest side of every cloth.

        Args:
            world: bodies with a surface are cloth
            radii: (solid_count,) [m], of the largest ball inside each solid
            is_projecting: (solid_count,) whether a solid keeps particles out by projection
        """
        self._radii, self._is_projecting = radii, is_projecting
        self._scratch = np.zeros((3, 3, 3))
        self.reshape(world)

    def reshape(self, world: World) -> None:
        """Take over the surfaces of the world."""
        chosen, longest = [np.zeros((0, 3), dtype=np.int64)], 0.0
        least = float(np.where(self._is_projecting, self._radii, math.inf).min(initial=math.inf))
        lengths = world.springs.rest_lengths
        for body in world.bodies.values():
            if body.tetrahedra.stop > body.tetrahedra.start or not len(body.triangles):
                continue
            triangles = body.triangles + body.particles.start
            # Springs lie along the sides; rest positions do not tell them, for a weld joins what lies apart at rest.
            side = float(lengths[body.springs].max(initial=0.0))
            if least < 0.5 * side:
                chosen.append(triangles)
                longest = max(longest, side)
        self.triangles = np.ascontiguousarray(np.concatenate(chosen))
        self.indices = np.flatnonzero(self._is_projecting & (self._radii < 0.5 * longest))
        self._radii_of_thin = np.ascontiguousarray(self._radii[self.indices])
        self.is_active = bool(len(self.indices) and len(self.triangles))

    def collide(
        self,
        solids: Solids,
        properties: SolidProperties,
        motion: SolidMotion,
        particles: ParticleArrays,
        memory: MemoryArrays,
        contacts: ParticleContacts,
        reactions: NDArray[np.float64],
    ) -> bool:
        """Keep triangles outside of thin solids; return whether any has moved. Arguments are those of `collide_faces`."""
        thin = ThinArrays(self.indices, self._radii_of_thin, self.triangles)
        scratch = self._scratch[0], self._scratch[1], self._scratch[2]
        count = collide_faces(
            solids, thin, properties, motion, particles, memory, scratch, contacts, reactions
        )
        return bool(count)
