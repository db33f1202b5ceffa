"""Contact of particles with obstacles: sweep, projection, friction and bounce.

Theory: docs/theory/obstacles.md, eq. (O3), (O4), (O5), (O6), (O21), after Meyer 2000 §4.2 (tangent plane, epsilon
shell). Everything happens in the obstacle's own axes, where the obstacle stands still: the start
of the substep is seen from the obstacle's pose then, its end from the pose at the end. So a
moving obstacle carries, pushes and drags by its surface velocity without a special case.

The solids come as `kinds`, `parameters` and the three arrays of `pack_maps`, always in this order.
"""

from __future__ import annotations

import math

from supple.collide.obstacles.compound import cell_at
from supple.collide.obstacles.shapes import MAP
from supple.collide.obstacles.signed_distance import distance_to, into_axes, out_of_axes
from supple.kernel import kernel

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
"""Speed at which an obstacle leads out what starts a substep deeper inside than a shell [m/s]: at once would be a blow."""

CLOSE_ENOUGH = 1e-8
"""How far inside its shell a particle may stay [m]: rounding is no reason for another round."""


@kernel(counts_references=False)
def first_touch(kinds, parameters, integers, floats, doubles, o, ax, ay, az, ux, uy, uz, length):
    """Return how much of the way a + t u (0 <= t <= 1) is free of solid o, 2 if all of it.

    Steps as far as the distance says is safe, so nothing is ever jumped over, however thin or
    fast. A particle that starts in touch and moves away, or along, passes.
    """
    t = 0.0
    for _ in range(SWEEP_STEPS):
        d, nx, ny, nz = distance_to(
            kinds, parameters, integers, floats, doubles, o, ax + t * ux, ay + t * uy, az + t * uz
        )
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
def free_distance(kinds, parameters, integers, floats, doubles, poses, positions, i):
    """Return the signed distance of particle i to the nearest solid [m]."""
    nearest = math.inf
    for o in range(kinds.shape[0]):
        x, y, z = into_axes(poses, o, positions[i, 0], positions[i, 1], positions[i, 2])
        nearest = min(nearest, distance_to(kinds, parameters, integers, floats, doubles, o, x, y, z)[0])
    return nearest


@kernel(counts_references=False)
def kept_outside(
    kinds, parameters, integers, floats, doubles, o, ax, ay, az, bx, by, bz, shell, emergence
):  # fmt: skip
    """Return where the way from a to b may end, a shell away from solid o; then distance and gradient there.

    What starts deep inside, because a hand or a pin held it there, is led out by `emergence` [m] only.

    1. If the solid may lie between (|b - a| exceeds the distance of b, and is no fraction of the shell
       that a kept), sweep from a to b; at the first touch the tangent plane there bounds the rest of the way.
    2. b is moved out along the gradient until it is a shell away from the surface; more than once
       only if the way out is so long that the surface may bend on it, or a mesh may have a crease there.
    """
    ux, uy, uz = bx - ax, by - ay, bz - az
    length = math.sqrt(ux * ux + uy * uy + uz * uz)
    d, nx, ny, nz = distance_to(kinds, parameters, integers, floats, doubles, o, bx, by, bz)
    is_deep, kept = False, shell
    if (
        d < length - shell
    ):  # the distance cannot grow faster than one moves: else it did not start deep inside
        begun = distance_to(kinds, parameters, integers, floats, doubles, o, ax, ay, az)[0]
        if begun < -shell:
            is_deep, kept = True, min(shell, begun + emergence)
    if not is_deep and d < length and length > PLANE_REACH * shell:
        t = first_touch(kinds, parameters, integers, floats, doubles, o, ax, ay, az, ux, uy, uz, length)
        if t < 1.0:
            gap, nx, ny, nz = distance_to(
                kinds, parameters, integers, floats, doubles, o, ax + t * ux, ay + t * uy, az + t * uz
            )
            below = shell - gap - (1.0 - t) * (nx * ux + ny * uy + nz * uz)
            if below > 0.0:
                bx, by, bz = bx + below * nx, by + below * ny, bz + below * nz
            d, nx, ny, nz = distance_to(kinds, parameters, integers, floats, doubles, o, bx, by, bz)
    for _ in range(PROJECTIONS):
        if d >= kept - CLOSE_ENOUGH:
            break
        push = kept - d
        bx, by, bz = bx + push * nx, by + push * ny, bz + push * nz
        if push < PLANE_REACH * shell and kinds[o] != MAP:
            d = kept
            break
        d, nx, ny, nz = distance_to(kinds, parameters, integers, floats, doubles, o, bx, by, bz)
    return bx, by, bz, d, nx, ny, nz


@kernel(counts_references=False)
def plane_of(planes, i):
    """Return the tangent plane that particle i met last as a tuple: point, normal, and distance of the point [m]."""
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
def keep_plane(poses, is_at_rest, o, px, py, pz, nx, ny, nz, d, i, planes):
    """Keep a tangent plane, given in the axes of solid o, as that of particle i."""
    if is_at_rest[o]:
        px, py, pz = out_of_axes(poses, o, px, py, pz)
        px, py, pz = px + poses[o, 9], py + poses[o, 10], pz + poses[o, 11]
        nx, ny, nz = out_of_axes(poses, o, nx, ny, nz)
    planes[i, 0], planes[i, 1], planes[i, 2] = px, py, pz
    planes[i, 3], planes[i, 4], planes[i, 5] = nx, ny, nz
    planes[i, 6], planes[i, 7] = d, o


@kernel(counts_references=False)
def kept_above(plane, ax, ay, az, bx, by, bz, shell):
    """Return as `kept_outside` does, from the tangent plane of the last contact; the distance is NaN if it is too far.

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
def held_back(ax, ay, az, bx, by, bz, nx, ny, nz, hold):
    """Return b with its way from a along the surface shortened by at most `hold` [m], and by how much."""
    vx, vy, vz = bx - ax, by - ay, bz - az
    normal = vx * nx + vy * ny + vz * nz
    tx, ty, tz = vx - normal * nx, vy - normal * ny, vz - normal * nz
    slip = math.sqrt(tx * tx + ty * ty + tz * tz)
    if slip == 0.0:
        return bx, by, bz, 0.0
    held = min(slip, hold)
    share = held / slip
    return bx - share * tx, by - share * ty, bz - share * tz, held


@kernel(counts_references=False)
def add_reaction(reactions, o, mass, x, y, z, px, py, pz):
    """Add what moving a mass at x by p does to solid o: m p, then its moment about the world's origin."""
    reactions[o, 0] -= mass * px
    reactions[o, 1] -= mass * py
    reactions[o, 2] -= mass * pz
    reactions[o, 3] -= mass * (y * pz - z * py)
    reactions[o, 4] -= mass * (z * px - x * pz)
    reactions[o, 5] -= mass * (x * py - y * px)


@kernel(counts_references=False)
def collide_particles(
    kinds, parameters, integers, floats, doubles, grid, cell_counts, clears, firsts, members,
    frictions, poses_t0, poses_t1, drifts, drift, shells, widest_shell, emergence, is_weighed, is_at_rest, starts, masses,
    is_fixed, is_first, seen, travels, drifts_seen, nearest, lists, cell_ends, margins, planes, rooms,
    pushes, rubs, touched, reactions, moves, positions,
):  # fmt: skip
    """Keep every free particle outside of every solid, with friction.

    A particle and a solid meet in the solid's axes: the way of the substep is ended outside
    (`kept_outside`), and Coulomb friction shortens its part along the surface by at most μ times
    what all pushes of this substep moved the particle along the normal.

    A particle in free air costs a comparison: `seen`, `drifts_seen` and `nearest` say where it was
    last tested, how far solids had moved by then, and how far it was from the nearest shell. One
    that rests on a solid is tested against that one only: `margins` says the same for each solid
    that its cell of the compound lists. It may rely on its cell as long as what is clear of all
    other solids exceeds its way in the substep and all pushes. `rooms` says it for all of them at once:
    what rests meets only the tangent plane it rests on.

    Args:
        kinds: (solid_count,) which shape
        parameters: (solid_count, 8) of the shape
        integers: of the distance maps
        floats: of the distance maps
        doubles: of the distance maps
        grid: see `Compound`
        cell_counts: see `Compound`
        clears: see `Compound`
        firsts: see `Compound`
        members: see `Compound`; None if every list would hold every solid
        frictions: (solid_count,) Coulomb coefficients
        poses_t0: (solid_count, 12) at the start of the substep
        poses_t1: (solid_count, 12) at its end
        drifts: (solid_count,) how far each solid has moved since the beginning, at most [m]
        drift: the sum over all obstacles [m]
        shells: (solid_count,) [m], distance to keep
        widest_shell: the largest of them [m]
        emergence: how far a solid leads out what starts deep inside of it, in a substep [m]
        is_weighed: (solid_count,) whether anybody wants to know what the solid receives
        is_at_rest: (solid_count,) whether a solid stays where it is for ever
        starts: (particle_count, 3) [m]
        masses: (particle_count,) [kg]
        is_fixed: (particle_count,)
        is_first: whether this is the first pass of the substep; later ones skip what has not moved since
        seen: (particle_count, 3) [m], position at the last test
        travels: (particle_count,) [m], length of all ways from test to test
        drifts_seen: (particle_count,) [m], value of `drift` at the last test
        nearest: (particle_count,) [m], distance that was free then
        lists: (particle_count, 2) first and end of the list of the cell looked up last
        cell_ends: (particle_count,) [m], travel at which solids that are not in the list may be reached
        margins: (particle_count, solid_count) [m], the same for each solid, plus its drift and the travel
        planes: (particle_count, 8) tangent planes of the last contacts, and which solid: point, normal, distance there [m],
            in the solid's axes, or in the world's if it is at rest, which spares most contacts the way there and back
        rooms: (particle_count,) [m], how far from all solids but that of the plane, plus all drift and the travel
        pushes: (particle_count,) [m], how far along normals this substep has pushed
        rubs: (particle_count,) [m], how far friction has held back in this substep
        touched: (particle_count,) solid in contact in this substep, -1 for none
        reactions: (solid_count, 6) [kg·m, kg·m²], what the solids receive, added to in place
        moves: (particle_count, 3) [m], what contact did to the particles in this substep, added to in place
        positions: (particle_count, 3) [m], moved in place
    """
    # Compiled twice: without lists every solid is tested, and the compiler drops what reads them.
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
                ax, ay, az = into_axes(poses_t0, o, ax, ay, az)
                cx, cy, cz = into_axes(poses_t1, o, cx, cy, cz)
            bx, by, bz, d, nx, ny, nz = kept_above(plane_of(planes, i), ax, ay, az, cx, cy, cz, shell)
            push = max(0.0, (bx - cx) * nx + (by - cy) * ny + (bz - cz) * nz)
            held = 0.0
            hold = frictions[o] * (pushes[i] + push) - rubs[i]
            if (push > 0.0 or touched[i] == o) and hold > 0.0:
                bx, by, bz, held = held_back(ax, ay, az, bx, by, bz, nx, ny, nz, hold)
            # If not (the distance is NaN if the plane is too far), nothing is known yet, and all is asked below.
            if d == d and held <= PLANE_REACH * shell and push + held < room:
                if push > 0.0:
                    pushes[i] += push
                    touched[i] = o
                rubs[i] += held
                px, py, pz = bx - cx, by - cy, bz - cz
                if not is_still:
                    px, py, pz = out_of_axes(poses_t1, o, px, py, pz)
                if is_weighed[o]:
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
        first, end, others = 0, kinds.shape[0], math.inf
        if members is not None:
            if not way < cell_ends[i] - travel:
                cell, clear = cell_at(grid, cell_counts, clears, x, y, z)
                lists[i, 0], lists[i, 1], cell_ends[i] = firsts[cell], firsts[cell + 1], clear + travel
            first, end, others = lists[i, 0], lists[i, 1], cell_ends[i]
        last = -1
        for _ in range(ROUNDS):
            has_moved = False
            if members is not None:
                if not way < others - travel:
                    first, end, others = firsts[clears.shape[0] - 1], members.shape[0], math.inf
            begun = travel
            free = others - travel - widest_shell
            tightest = -1
            for k in range(first, end):
                o = k if members is None else members[k]
                margin = margins[i, o] - drifts[o] - travel
                if margin > 0.0 or o == last:
                    if margin < free:
                        free, tightest = margin, o
                    continue
                shell = shells[o]
                ax, ay, az = into_axes(poses_t0, o, starts[i, 0], starts[i, 1], starts[i, 2])
                cx, cy, cz = into_axes(poses_t1, o, x, y, z)
                bx, by, bz, d, nx, ny, nz = cx, cy, cz, math.nan, 0.0, 0.0, 0.0
                if planes[i, 7] == o:
                    plane = plane_in_axes(poses_t1, is_at_rest, o, planes, i)
                    bx, by, bz, d, nx, ny, nz = kept_above(plane, ax, ay, az, cx, cy, cz, shell)
                if not d == d:
                    bx, by, bz, d, nx, ny, nz = kept_outside(
                        kinds, parameters, integers, floats, doubles, o, ax, ay, az, cx, cy, cz, shell, emergence
                    )  # fmt: skip
                    if d < 2.0 * shell:
                        keep_plane(poses_t1, is_at_rest, o, bx, by, bz, nx, ny, nz, d, i, planes)
                push = (bx - cx) * nx + (by - cy) * ny + (bz - cz) * nz
                if push > 0.0:
                    pushes[i] += push
                    touched[i] = o
                hold = frictions[o] * pushes[i] - rubs[i]
                if touched[i] == o and hold > 0.0:
                    bx, by, bz, held = held_back(ax, ay, az, bx, by, bz, nx, ny, nz, hold)
                    rubs[i] += held
                    if held > PLANE_REACH * shell:
                        # On a curved surface the way back along the tangent may dip into the shell.
                        d, nx, ny, nz = distance_to(
                            kinds, parameters, integers, floats, doubles, o, bx, by, bz
                        )
                        if d < shell:
                            bx, by, bz = bx + (shell - d) * nx, by + (shell - d) * ny, bz + (shell - d) * nz
                            d = shell
                if bx != cx or by != cy or bz != cz:
                    has_moved = True
                    last = o
                    px, py, pz = out_of_axes(poses_t1, o, bx - cx, by - cy, bz - cz)
                    if is_weighed[o]:
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
            o = k if members is None else members[k]
            if o != planes[i, 7]:
                room = min(room, margins[i, o] - drifts[o] - travel)
        rooms[i] = room + drift + travel if planes[i, 7] >= 0.0 else -math.inf
        if tightest >= 0 and free < -min(WEDGED, PLANE_REACH * shells[tightest]):
            # Wedged in a gap too narrow for two shells: the particle goes with the solid, from where the substep began,
            # unless it was deeper there.
            ax, ay, az = into_axes(poses_t0, tightest, starts[i, 0], starts[i, 1], starts[i, 2])
            bx, by, bz = into_axes(poses_t1, tightest, x, y, z)
            before = distance_to(kinds, parameters, integers, floats, doubles, tightest, ax, ay, az)[0]
            if before > distance_to(kinds, parameters, integers, floats, doubles, tightest, bx, by, bz)[0]:
                px, py, pz = out_of_axes(poses_t1, tightest, ax - bx, ay - by, az - bz)
                x, y, z = x + px, y + py, z + pz
            cell_ends[i] = -math.inf
            for o in range(kinds.shape[0]):
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
def bounce_particles(
    kinds, parameters, integers, floats, doubles, restitutions, poses_t0, poses_t1,
    positions, velocities, masses, touched, slowest, step, reactions, starts,
):  # fmt: skip
    """Give particles that hit an obstacle back their share of the normal speed.

    A velocity is (q - x) / h, so it is set by moving the remembered start x. Speeds below
    `slowest` [m/s] do not bounce, or gravity would keep resting particles hopping.

    Args:
        kinds: (solid_count,) which shape
        parameters: (solid_count, 8) of the shape
        integers: of the distance maps
        floats: of the distance maps
        doubles: of the distance maps
        restitutions: (solid_count,) share of the normal speed given back
        poses_t0: (solid_count, 12) at the start of the substep
        poses_t1: (solid_count, 12) at its end
        positions: (particle_count, 3) [m], at the end of the substep
        velocities: (particle_count, 3) [m/s], at its start
        masses: (particle_count,) [kg]
        touched: (particle_count,) solid in contact, -1 for none
        slowest: approach below which nothing bounces [m/s]
        step: substep [s]
        reactions: (solid_count, 6) [kg·m, kg·m²], what the solids receive, added to in place
        starts: (particle_count, 3) [m], changed in place
    """
    for i in range(positions.shape[0]):
        o = touched[i]
        if o < 0 or restitutions[o] == 0.0:
            continue
        x, y, z = into_axes(poses_t1, o, positions[i, 0], positions[i, 1], positions[i, 2])
        _, nx, ny, nz = distance_to(kinds, parameters, integers, floats, doubles, o, x, y, z)
        n = out_of_axes(poses_t1, o, nx, ny, nz)
        # Velocity of the obstacle's own point under the particle.
        before = out_of_axes(poses_t0, o, x, y, z)
        after = out_of_axes(poses_t1, o, x, y, z)
        approach = 0.0
        leave = 0.0
        for axis in range(3):
            surface = (after[axis] + poses_t1[o, 9 + axis] - before[axis] - poses_t0[o, 9 + axis]) / step
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
def measure_depths(kinds, parameters, integers, floats, doubles, poses, positions, depths):
    """Write how deep every particle is inside the nearest solid; negative outside [m]."""
    for i in range(positions.shape[0]):
        depths[i] = -free_distance(kinds, parameters, integers, floats, doubles, poses, positions, i)
