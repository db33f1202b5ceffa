"""Contact of particles with obstacles: sweep, projection, friction and bounce.

Theory: docs/theory/obstacles.md, eq. (O3), (O4), (O5), (O6), (O21), after Meyer 2000 §4.2 (tangent plane, epsilon
shell). Everything happens in the obstacle's own axes, where the obstacle stands still: the start
of the substep is seen from the obstacle's pose then, its end from the pose at the end. So a
moving obstacle carries, pushes and drags by its surface velocity without a special case.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.collide.coulomb import stuck_share
from supple.collide.obstacles.compound import cell_at
from supple.collide.obstacles.particle_memory import continued
from supple.collide.obstacles.shapes import MAP
from supple.collide.obstacles.signed_distance import distance_to, into_axes, out_of_axes
from supple.kernel import kernel
from supple.model.tables.growable import zeros

SWEEP_STEPS = 64
"""Most steps of the sweep along a path; running out of them counts as a hit."""

PROJECTIONS = 4
"""Most projections onto the shell at the end of a path; more than one only in corners."""

ROUNDS = 6
"""Most rounds over all obstacles; being pushed out of one may push a particle into another."""

TOUCH = 1e-5
"""Distance at which a swept particle has arrived at the surface [m]."""

WEDGED = 5e-4
"""How far inside a shell a particle in a gap may end [m]; never more than half of the shell."""

PLANE_REACH = 0.5
"""Share of the shell over which a surface counts as its tangent plane [-]: never wrong by more than that."""

EMERGENCE = 1.0
"""Speed at which a particle that starts a substep deeper inside than a shell is moved out [m/s]: at once would be a blow."""

CLOSE_ENOUGH = 1e-8
"""How far inside its shell a particle may stay [m]: rounding is no reason for another round."""


class ParticleContacts(NamedTuple):
    """What contact with obstacles has done to every particle in the current substep."""

    touched: NDArray[np.int64]
    """(particle_count,) solid in contact, -1 for none."""

    normal_displacements: NDArray[np.float64]
    """(particle_count,) sum of the displacements along normals [m]."""

    friction_displacements: NDArray[np.float64]
    """(particle_count,) sum of the displacements by friction [m]."""

    displacements: NDArray[np.float64]
    """(particle_count, 3) displacement by contact [m]."""

    @staticmethod
    def of(count: int) -> ParticleContacts:
        """Return the contacts of `count` particles that touch nothing; what each touches has room to grow."""
        touched = zeros((count,), np.int64)
        touched[:] = -1
        return ParticleContacts(touched, np.zeros(count), np.zeros(count), np.zeros((count, 3)))

    def reshaped(self, nearest: NDArray[np.int64], *, is_same: bool) -> ParticleContacts:
        """Return the contacts after an edit, see `continued`; displacements begin anew."""
        contacts = ParticleContacts(*(continued(array, nearest, is_same=is_same) for array in self))
        contacts.displacements[:] = 0.0
        return contacts


@kernel(counts_references=False, is_entry=True)
def clear_contacts(contacts):
    """Begin a substep in which nothing is touched yet."""
    contacts.touched[:] = -1
    contacts.normal_displacements[:] = 0.0
    contacts.friction_displacements[:] = 0.0
    contacts.displacements[:] = 0.0


@kernel(counts_references=False)
def first_touch(solids, o, ax, ay, az, ux, uy, uz, length):
    """Return the t at which the path a + t u (0 <= t <= 1) first touches solid o, 2 if it does not.

    Steps as far as the distance says is safe, so nothing is ever jumped over, however thin or
    fast. A particle that starts in touch and moves away, or along, passes.
    """
    t = 0.0
    for _ in range(SWEEP_STEPS):
        d, nx, ny, nz = distance_to(solids, o, ax + t * ux, ay + t * uy, az + t * uz)
        if d < TOUCH:
            if nx * ux + ny * uy + nz * uz >= 0.0:
                d = TOUCH
            else:
                return t
        t += d / length
        if t >= 1.0:
            return 2.0
    return t


@kernel(counts_references=False)
def free_distance(solids, poses, positions, i):
    """Return the signed distance of particle i to the nearest solid [m]."""
    nearest = math.inf
    for o in range(solids.kinds.shape[0]):
        x, y, z = into_axes(poses, o, positions[i, 0], positions[i, 1], positions[i, 2])
        nearest = min(nearest, distance_to(solids, o, x, y, z)[0])
    return nearest


@kernel(counts_references=False)
def end_outside(
    solids, o, ax, ay, az, bx, by, bz, shell, emergence
):  # fmt: skip
    """Return where the path from a to b may end, a shell away from solid o; then distance and gradient there.

    What starts deep inside, because a hand or a pin held it there, is moved out by `emergence` [m] only.

    1. If the solid may lie between (|b - a| exceeds the distance of b, and is no fraction of the shell
       that a kept), sweep from a to b; at the first touch the tangent plane there bounds the rest of the path.
    2. b is moved out along the gradient until it is a shell away from the surface; more than once
       only if the way out is so long that the surface may bend on it, or a mesh may have a crease there.
    """
    ux, uy, uz = bx - ax, by - ay, bz - az
    length = math.sqrt(ux * ux + uy * uy + uz * uz)
    d, nx, ny, nz = distance_to(solids, o, bx, by, bz)
    is_deep, kept = False, shell
    if (
        d < length - shell
    ):  # the distance cannot grow faster than one moves: else it did not start deep inside
        begun = distance_to(solids, o, ax, ay, az)[0]
        if begun < -shell:
            is_deep, kept = True, min(shell, begun + emergence)
    if not is_deep and d < length and length > PLANE_REACH * shell:
        t = first_touch(solids, o, ax, ay, az, ux, uy, uz, length)
        if t < 1.0:
            gap, nx, ny, nz = distance_to(solids, o, ax + t * ux, ay + t * uy, az + t * uz)
            below = shell - gap - (1.0 - t) * (nx * ux + ny * uy + nz * uz)
            if below > 0.0:
                bx, by, bz = bx + below * nx, by + below * ny, bz + below * nz
            d, nx, ny, nz = distance_to(solids, o, bx, by, bz)
    for _ in range(PROJECTIONS):
        if d >= kept - CLOSE_ENOUGH:
            break
        push = kept - d
        bx, by, bz = bx + push * nx, by + push * ny, bz + push * nz
        if push < PLANE_REACH * shell and solids.kinds[o] != MAP:
            d = kept
            break
        d, nx, ny, nz = distance_to(solids, o, bx, by, bz)
    return bx, by, bz, d, nx, ny, nz


@kernel(counts_references=False)
def plane_of(planes, i):
    """Return the tangent plane of the last contact of particle i as a tuple: point, normal, distance of the point [m]."""
    return planes[i, 0], planes[i, 1], planes[i, 2], planes[i, 3], planes[i, 4], planes[i, 5], planes[i, 6]


@kernel(counts_references=False)
def plane_in_axes(poses, is_at_rest, o, planes, i):
    """Return the same in the axes of solid o, whose tangent planes are kept in world axes if it is at rest."""
    plane = plane_of(planes, i)
    if is_at_rest[o]:
        px, py, pz, nx, ny, nz, d = plane
        px, py, pz = into_axes(poses, o, px, py, pz)
        nx, ny, nz = (
            poses[o, 0] * nx + poses[o, 3] * ny + poses[o, 6] * nz,
            poses[o, 1] * nx + poses[o, 4] * ny + poses[o, 7] * nz,
            poses[o, 2] * nx + poses[o, 5] * ny + poses[o, 8] * nz,
        )
        plane = px, py, pz, nx, ny, nz, d
    return plane


@kernel(counts_references=False)
def store_plane(poses, is_at_rest, o, px, py, pz, nx, ny, nz, d, i, planes):
    """Remember a tangent plane, given in the axes of solid o, as that of particle i."""
    if is_at_rest[o]:
        px, py, pz = out_of_axes(poses, o, px, py, pz)
        px, py, pz = px + poses[o, 9], py + poses[o, 10], pz + poses[o, 11]
        nx, ny, nz = out_of_axes(poses, o, nx, ny, nz)
    planes[i, 0], planes[i, 1], planes[i, 2] = px, py, pz
    planes[i, 3], planes[i, 4], planes[i, 5] = nx, ny, nz
    planes[i, 6], planes[i, 7] = d, o


@kernel(counts_references=False)
def end_above_plane(plane, ax, ay, az, bx, by, bz, shell):
    """Return as `end_outside` does, from the tangent plane of the last contact; the distance is NaN if it is too far.

    The plane (point, normal, distance of the point) is Meyer's. It is used again only as long as the
    particle stays within a fraction of the shell, so nothing can go wrong by more than that.
    """
    px, py, pz, nx, ny, nz, d = plane
    wx, wy, wz = bx - px, by - py, bz - pz
    d += nx * wx + ny * wy + nz * wz
    reach = PLANE_REACH * shell
    way = (bx - ax) * (bx - ax) + (by - ay) * (by - ay) + (bz - az) * (bz - az)
    if not (wx * wx + wy * wy + wz * wz < reach * reach and d > 0.0 and way < d * d):
        return bx, by, bz, math.nan, nx, ny, nz
    if d < shell - CLOSE_ENOUGH:
        bx, by, bz, d = bx + (shell - d) * nx, by + (shell - d) * ny, bz + (shell - d) * nz, shell
    return bx, by, bz, d, nx, ny, nz


@kernel(counts_references=False)
def apply_friction(ax, ay, az, bx, by, bz, nx, ny, nz, hold):
    """Return b with its path from a along the surface shortened by at most `hold` [m], and by how much: Coulomb friction."""
    vx, vy, vz = bx - ax, by - ay, bz - az
    normal = vx * nx + vy * ny + vz * nz
    tx, ty, tz = vx - normal * nx, vy - normal * ny, vz - normal * nz
    slip = math.sqrt(tx * tx + ty * ty + tz * tz)
    share = stuck_share(slip, hold)
    return bx - share * tx, by - share * ty, bz - share * tz, min(slip, hold)


@kernel(counts_references=False)
def add_reaction(reactions, o, mass, x, y, z, px, py, pz):
    """Add the reaction of solid o to a displacement p of a mass at x: -m p, then its moment about the world's origin."""
    reactions[o, 0] -= mass * px
    reactions[o, 1] -= mass * py
    reactions[o, 2] -= mass * pz
    reactions[o, 3] -= mass * (y * pz - z * py)
    reactions[o, 4] -= mass * (z * px - x * pz)
    reactions[o, 5] -= mass * (x * py - y * px)


@kernel(counts_references=False, is_entry=True)
def collide_particles(
    solids, compound, properties, motion, particles, emergence, is_first, memory, contacts, reactions
):
    """Keep every free particle outside of every solid, with friction.

    A particle and a solid meet in the solid's axes: the path of the substep is ended outside
    (`end_outside`), and Coulomb friction shortens its part along the surface by at most μ times
    the displacement along the normal of this substep so far.

    A particle in free air costs a comparison with what is remembered of its last test, see `MemoryArrays`. One
    that rests on a solid is tested against that one only, and what rests longer meets only the tangent plane it
    rests on.

    Args:
        solids: shapes of all solids, see `Solids`
        compound: see `Compound`; None if every list would hold every solid
        properties: see `SolidProperties`
        motion: see `SolidMotion`
        particles: see `ParticleArrays`; positions are moved in place
        emergence: how far what starts deep inside of a solid is moved out in a substep [m]
        is_first: whether this is the first pass of the substep; later ones skip what has not moved since
        memory: see `MemoryArrays`, changed in place
        contacts: see `ParticleContacts`, added to in place
        reactions: (solid_count, 6) reaction on each solid and its moment [kg·m, kg·m²], added to in place
    """
    # Compiled twice: without a compound every solid is tested, and the compiler drops what reads its lists.
    poses, drifts, drift, is_at_rest = motion
    frictions, shells, widest_shell = properties.frictions, properties.shells, properties.widest_shell
    wants_reaction = properties.wants_reaction
    starts, positions, masses, is_fixed = (
        particles.starts,
        particles.positions,
        particles.masses,
        particles.is_fixed,
    )
    seen, travels, drifts_seen, nearest, lists, cell_ends, margins, planes, rooms = memory
    touched, pushes, rubs, moves = contacts
    for i in range(positions.shape[0]):
        if is_fixed[i]:
            continue
        sx = positions[i, 0] - seen[i, 0]
        sy = positions[i, 1] - seen[i, 1]
        sz = positions[i, 2] - seen[i, 2]
        square = sx * sx + sy * sy + sz * sz
        left = nearest[i] - (drift - drifts_seen[i])
        if (left > 0.0 and square < left * left) or (square == 0.0 and not is_first):
            continue
        # Ways along the axes are never shorter than the straight one, and cost no root.
        travel = travels[i] + abs(sx) + abs(sy) + abs(sz)
        x, y, z = positions[i, 0], positions[i, 1], positions[i, 2]
        way = abs(x - starts[i, 0]) + abs(y - starts[i, 1]) + abs(z - starts[i, 2]) + widest_shell
        room = rooms[i] - drift - travel - way
        if room > 0.0:
            o = int(planes[i, 7])
            shell = shells[o]
            is_still = is_at_rest[o]
            ax, ay, az, cx, cy, cz = starts[i, 0], starts[i, 1], starts[i, 2], x, y, z
            if not is_still:
                ax, ay, az = into_axes(poses.t0, o, ax, ay, az)
                cx, cy, cz = into_axes(poses.t1, o, cx, cy, cz)
            bx, by, bz, d, nx, ny, nz = end_above_plane(plane_of(planes, i), ax, ay, az, cx, cy, cz, shell)
            push = max(0.0, (bx - cx) * nx + (by - cy) * ny + (bz - cz) * nz)
            held = 0.0
            hold = frictions[o] * (pushes[i] + push) - rubs[i]
            if (push > 0.0 or touched[i] == o) and hold > 0.0:
                bx, by, bz, held = apply_friction(ax, ay, az, bx, by, bz, nx, ny, nz, hold)
            # If not (the distance is NaN if the plane is too far), nothing is known yet, and all is asked below.
            if d == d and held <= PLANE_REACH * shell and push + held < room:
                if push > 0.0:
                    pushes[i] += push
                    touched[i] = o
                rubs[i] += held
                px, py, pz = bx - cx, by - cy, bz - cz
                if not is_still:
                    px, py, pz = out_of_axes(poses.t1, o, px, py, pz)
                if wants_reaction[o]:
                    add_reaction(reactions, o, masses[i], x, y, z, px, py, pz)
                travel += push + held
                margins[i, o] = d - shell + drifts[o] + travel
                moves[i, 0] += px
                moves[i, 1] += py
                moves[i, 2] += pz
                x, y, z = x + px, y + py, z + pz
                positions[i, 0], positions[i, 1], positions[i, 2] = x, y, z
                seen[i, 0], seen[i, 1], seen[i, 2] = x, y, z
                nearest[i], travels[i] = min(d - shell, room - push - held), travel
                drifts_seen[i] = drift
                continue
        first, end, others = 0, solids.kinds.shape[0], math.inf
        if compound is not None:
            if not way < cell_ends[i] - travel:
                cell, clear = cell_at(compound, x, y, z)
                lists[i, 0], lists[i, 1], cell_ends[i] = (
                    compound.firsts[cell],
                    compound.firsts[cell + 1],
                    clear + travel,
                )
            first, end, others = lists[i, 0], lists[i, 1], cell_ends[i]
        last = -1
        for _ in range(ROUNDS):
            has_moved = False
            if compound is not None:
                if not way < others - travel:
                    first, end, others = (
                        compound.firsts[compound.clears.shape[0] - 1],
                        compound.members.shape[0],
                        math.inf,
                    )
            begun = travel
            free = others - travel - widest_shell
            tightest = -1
            for k in range(first, end):
                o = k if compound is None else compound.members[k]
                margin = margins[i, o] - drifts[o] - travel
                if margin > 0.0 or o == last:
                    if margin < free:
                        free, tightest = margin, o
                    continue
                shell = shells[o]
                ax, ay, az = into_axes(poses.t0, o, starts[i, 0], starts[i, 1], starts[i, 2])
                cx, cy, cz = into_axes(poses.t1, o, x, y, z)
                bx, by, bz, d, nx, ny, nz = cx, cy, cz, math.nan, 0.0, 0.0, 0.0
                if planes[i, 7] == o:
                    plane = plane_in_axes(poses.t1, is_at_rest, o, planes, i)
                    bx, by, bz, d, nx, ny, nz = end_above_plane(plane, ax, ay, az, cx, cy, cz, shell)
                if not d == d:
                    bx, by, bz, d, nx, ny, nz = end_outside(
                        solids, o, ax, ay, az, cx, cy, cz, shell, emergence
                    )  # fmt: skip
                    if d < 2.0 * shell:
                        store_plane(poses.t1, is_at_rest, o, bx, by, bz, nx, ny, nz, d, i, planes)
                push = (bx - cx) * nx + (by - cy) * ny + (bz - cz) * nz
                if push > 0.0:
                    pushes[i] += push
                    touched[i] = o
                hold = frictions[o] * pushes[i] - rubs[i]
                if touched[i] == o and hold > 0.0:
                    bx, by, bz, held = apply_friction(ax, ay, az, bx, by, bz, nx, ny, nz, hold)
                    rubs[i] += held
                    if held > PLANE_REACH * shell:
                        # On a curved surface the way back along the tangent may dip into the shell.
                        d, nx, ny, nz = distance_to(solids, o, bx, by, bz)
                        if d < shell:
                            bx, by, bz = bx + (shell - d) * nx, by + (shell - d) * ny, bz + (shell - d) * nz
                            d = shell
                if bx != cx or by != cy or bz != cz:
                    has_moved = True
                    last = o
                    px, py, pz = out_of_axes(poses.t1, o, bx - cx, by - cy, bz - cz)
                    if wants_reaction[o]:
                        add_reaction(reactions, o, masses[i], x, y, z, px, py, pz)
                    x, y, z = x + px, y + py, z + pz
                    moved = math.sqrt(px * px + py * py + pz * pz)
                    travel += moved
                    way += moved
                margins[i, o] = d - shell + drifts[o] + travel
                if d - shell < free:
                    free, tightest = d - shell, o
            if not has_moved:
                break
        free -= travel - begun
        room = others - travel
        for k in range(first, end):
            o = k if compound is None else compound.members[k]
            if o != planes[i, 7]:
                room = min(room, margins[i, o] - drifts[o] - travel)
        rooms[i] = room + drift + travel if planes[i, 7] >= 0.0 else -math.inf
        if tightest >= 0 and free < -min(WEDGED, PLANE_REACH * shells[tightest]):
            # Wedged in a gap too narrow for two shells: the particle goes with the solid, from where the substep began,
            # unless it was deeper there.
            ax, ay, az = into_axes(poses.t0, tightest, starts[i, 0], starts[i, 1], starts[i, 2])
            bx, by, bz = into_axes(poses.t1, tightest, x, y, z)
            before = distance_to(solids, tightest, ax, ay, az)[0]
            if before > distance_to(solids, tightest, bx, by, bz)[0]:
                px, py, pz = out_of_axes(poses.t1, tightest, ax - bx, ay - by, az - bz)
                x, y, z = x + px, y + py, z + pz
            cell_ends[i] = -math.inf
            for o in range(solids.kinds.shape[0]):
                margins[i, o] = -math.inf
            free = rooms[i] = -math.inf
        moves[i, 0] += x - positions[i, 0]
        moves[i, 1] += y - positions[i, 1]
        moves[i, 2] += z - positions[i, 2]
        positions[i, 0], positions[i, 1], positions[i, 2] = x, y, z
        seen[i, 0], seen[i, 1], seen[i, 2] = x, y, z
        nearest[i], travels[i] = free, travel
        drifts_seen[i] = drift


@kernel(counts_references=False)
def bounce_particles(solids, restitutions, poses, particles, touched, slowest, step, reactions):
    """Give particles that hit an obstacle back their share of the normal speed.

    A velocity is (q - x) / h, so it is set by moving the remembered start x. Speeds below
    `slowest` [m/s] do not bounce, or gravity would keep resting particles hopping.

    Args:
        solids: shapes of all solids, see `Solids`
        restitutions: (solid_count,) share of the normal speed given back
        poses: see `Poses`
        particles: see `ParticleArrays`; velocities are those at the start of the substep, starts are changed in place
        touched: (particle_count,) solid in contact, -1 for none
        slowest: approach below which nothing bounces [m/s]
        step: substep [s]
        reactions: (solid_count, 6) reaction on each solid and its moment [kg·m, kg·m²], added to in place
    """
    starts, positions, velocities, masses = (
        particles.starts,
        particles.positions,
        particles.velocities,
        particles.masses,
    )
    for i in range(positions.shape[0]):
        o = touched[i]
        if o < 0 or restitutions[o] == 0.0:
            continue
        x, y, z = into_axes(poses.t1, o, positions[i, 0], positions[i, 1], positions[i, 2])
        _, nx, ny, nz = distance_to(solids, o, x, y, z)
        n = out_of_axes(poses.t1, o, nx, ny, nz)
        # Velocity of the obstacle's own point under the particle.
        before = out_of_axes(poses.t0, o, x, y, z)
        after = out_of_axes(poses.t1, o, x, y, z)
        approach = 0.0
        leave = 0.0
        for axis in range(3):
            surface = (after[axis] + poses.t1[o, 9 + axis] - before[axis] - poses.t0[o, 9 + axis]) / step
            approach += n[axis] * (velocities[i, axis] - surface)
            leave += n[axis] * ((positions[i, axis] - starts[i, axis]) / step - surface)
        if approach < -slowest:
            gain = step * (-restitutions[o] * approach - leave)
            add_reaction(
                reactions, o, masses[i], positions[i, 0], positions[i, 1], positions[i, 2],
                gain * n[0], gain * n[1], gain * n[2],
            )  # fmt: skip
            for axis in range(3):
                starts[i, axis] -= gain * n[axis]


@kernel(counts_references=False)
def measure_depths(solids, poses, positions, depths):
    """Write how deep every particle is inside the nearest solid; negative outside [m]."""
    for i in range(positions.shape[0]):
        depths[i] = -free_distance(solids, poses, positions, i)
