"""Contact of particles with obstacles: sweep, projection, friction and bounce.

Theory: docs/theory/obstacles.md, eq. (O3), (O4), (O5), (O6), after Meyer 2000 §4.2 (tangent plane, epsilon
shell). Everything happens in the obstacle's own axes, where the obstacle stands still: the start
of the substep is seen from the obstacle's pose then, its end from the pose at the end. So a
moving obstacle carries, pushes and drags by its surface velocity without a special case.
"""

from __future__ import annotations

import math

from supple.collide.shapes import shape_distance
from supple.kernel import kernel

SWEEP_STEPS = 64
"""Most steps of the sweep along a path; running out of them counts as a hit."""

PROJECTIONS = 4
"""Most projections onto the shell at the end of a path; more than one only in corners."""

ROUNDS = 6
"""Most rounds over all obstacles; being pushed out of one may push a particle into another."""

TOUCH = 1e-5
"""Distance at which a swept particle has arrived at the surface [m]."""


@kernel
def into_axes(pose, x, y, z):
    """Return a world point in an obstacle's axes; `pose` (12,) is its rotation by rows, then its place."""
    x, y, z = x - pose[9], y - pose[10], z - pose[11]
    return (
        pose[0] * x + pose[3] * y + pose[6] * z,
        pose[1] * x + pose[4] * y + pose[7] * z,
        pose[2] * x + pose[5] * y + pose[8] * z,
    )


@kernel
def out_of_axes(pose, x, y, z):
    """Return a vector from an obstacle's axes in world axes."""
    return (
        pose[0] * x + pose[1] * y + pose[2] * z,
        pose[3] * x + pose[4] * y + pose[5] * z,
        pose[6] * x + pose[7] * y + pose[8] * z,
    )


@kernel
def first_touch(kind, parameters, ax, ay, az, ux, uy, uz, length):
    """Return how much of the way a + t u (0 <= t <= 1) is free of the obstacle, 2 if all of it.

    Steps as far as the distance says is safe, so nothing is ever jumped over, however thin or
    fast. A particle that starts in touch and moves away, or along, passes.
    """
    t = 0.0
    for _ in range(SWEEP_STEPS):
        d, nx, ny, nz = shape_distance(kind, parameters, ax + t * ux, ay + t * uy, az + t * uz)
        if d < TOUCH:
            if nx * ux + ny * uy + nz * uz >= 0.0:
                d = TOUCH
            else:
                return t
        t += d / length
        if t >= 1.0:
            return 2.0
    return t


@kernel
def free_distance(kinds, parameters, poses, positions, i):
    """Return the signed distance of particle i to the nearest obstacle [m]."""
    nearest = math.inf
    for o in range(kinds.shape[0]):
        x, y, z = into_axes(poses[o], positions[i, 0], positions[i, 1], positions[i, 2])
        nearest = min(nearest, shape_distance(kinds[o], parameters[o], x, y, z)[0])
    return nearest


@kernel
def collide_particles(
    starts, is_fixed, shells, kinds, parameters, frictions, poses_t0, poses_t1, drifts, drift,
    seen, margins, pushes, rubs, touched, positions,
):  # fmt: skip
    """Keep every free particle outside of every obstacle, with friction.

    For one particle and one obstacle, in the obstacle's axes, with a the start, b the end:

    1. If the obstacle may lie between (|b - a| exceeds the distance of b), sweep from a to b; at
       the first touch the tangent plane there bounds the rest of the way.
    2. b is moved out along the gradient until it is a shell away from the surface.
    3. Coulomb friction shortens the way along the surface by at most μ times what all pushes of
       this substep moved the particle along the normal.

    A particle in free air costs a comparison: `seen`, `margins` and `drifts` say where it was last
    tested, how far from the nearest shell, and how far obstacles had moved by then.

    Args:
        starts: (particle_count, 3) [m]
        is_fixed: (particle_count,)
        shells: (particle_count,) [m], distance to keep
        kinds: (obstacle_count,) which shape
        parameters: (obstacle_count, 8) of the shape
        frictions: (obstacle_count,) Coulomb coefficients
        poses_t0: (obstacle_count, 12) at the start of the substep
        poses_t1: (obstacle_count, 12) at its end
        drifts: (particle_count,) [m], value of `drift` at the last test
        drift: how far obstacles have moved since the beginning, at most [m]
        seen: (particle_count, 3) [m], position at the last test
        margins: (particle_count,) [m], distance that was free then
        pushes: (particle_count,) [m], how far along normals this substep has pushed
        rubs: (particle_count,) [m], how far friction has held back in this substep
        touched: (particle_count,) obstacle in contact in this substep, -1 for none
        positions: (particle_count, 3) [m], moved in place
    """
    for i in range(positions.shape[0]):
        if is_fixed[i]:
            continue
        sx = positions[i, 0] - seen[i, 0]
        sy = positions[i, 1] - seen[i, 1]
        sz = positions[i, 2] - seen[i, 2]
        left = margins[i] - (drift - drifts[i])
        if left > 0.0 and sx * sx + sy * sy + sz * sz < left * left:
            continue
        shell = shells[i]
        free = math.inf
        for _ in range(ROUNDS):
            free = math.inf
            has_moved = False
            for o in range(kinds.shape[0]):
                ax, ay, az = into_axes(poses_t0[o], starts[i, 0], starts[i, 1], starts[i, 2])
                bx, by, bz = into_axes(poses_t1[o], positions[i, 0], positions[i, 1], positions[i, 2])
                ux, uy, uz = bx - ax, by - ay, bz - az
                length = math.sqrt(ux * ux + uy * uy + uz * uz)
                d, nx, ny, nz = shape_distance(kinds[o], parameters[o], bx, by, bz)
                is_corrected = False
                if d < length:
                    t = first_touch(kinds[o], parameters[o], ax, ay, az, ux, uy, uz, length)
                    if t < 1.0:
                        gap, nx, ny, nz = shape_distance(
                            kinds[o], parameters[o], ax + t * ux, ay + t * uy, az + t * uz
                        )
                        below = shell - gap - (1.0 - t) * (nx * ux + ny * uy + nz * uz)
                        if below > 0.0:
                            is_corrected = True
                            bx, by, bz = bx + below * nx, by + below * ny, bz + below * nz
                        d, nx, ny, nz = shape_distance(kinds[o], parameters[o], bx, by, bz)
                for _ in range(PROJECTIONS):
                    if d >= shell:
                        break
                    is_corrected = True
                    bx, by, bz = bx + (shell - d) * nx, by + (shell - d) * ny, bz + (shell - d) * nz
                    d, nx, ny, nz = shape_distance(kinds[o], parameters[o], bx, by, bz)
                push = (bx - ax - ux) * nx + (by - ay - uy) * ny + (bz - az - uz) * nz
                if push > 0.0:
                    pushes[i] += push
                    touched[i] = o
                hold = frictions[o] * pushes[i] - rubs[i]
                if touched[i] == o and hold > 0.0:
                    vx, vy, vz = bx - ax, by - ay, bz - az
                    normal = vx * nx + vy * ny + vz * nz
                    tx, ty, tz = vx - normal * nx, vy - normal * ny, vz - normal * nz
                    slip = math.sqrt(tx * tx + ty * ty + tz * tz)
                    if slip > 0.0:
                        is_corrected = True
                        held = min(slip, hold)
                        rubs[i] += held
                        share = held / slip
                        bx, by, bz = bx - share * tx, by - share * ty, bz - share * tz
                        # On a curved surface the way back along the tangent may dip into the shell.
                        d, nx, ny, nz = shape_distance(kinds[o], parameters[o], bx, by, bz)
                        if d < shell:
                            bx, by, bz = bx + (shell - d) * nx, by + (shell - d) * ny, bz + (shell - d) * nz
                if is_corrected:
                    has_moved = True
                    px, py, pz = out_of_axes(poses_t1[o], bx - ax - ux, by - ay - uy, bz - az - uz)
                    positions[i, 0] += px
                    positions[i, 1] += py
                    positions[i, 2] += pz
                free = min(free, d - shell)
            if not has_moved or kinds.shape[0] == 1:
                break
        if has_moved and kinds.shape[0] > 1:
            free = free_distance(kinds, parameters, poses_t1, positions, i) - shell
            if free < -0.5 * shell:
                # Wedged in: where the substep began was free of everything that stands still.
                for axis in range(3):
                    positions[i, axis] = starts[i, axis]
                free = free_distance(kinds, parameters, poses_t1, positions, i) - shell
        for axis in range(3):
            seen[i, axis] = positions[i, axis]
        margins[i] = free
        drifts[i] = drift


@kernel
def bounce_particles(
    positions, velocities, touched, kinds, parameters, restitutions, poses_t0, poses_t1, slowest, step, starts
):
    """Give particles that hit an obstacle back their share of the normal speed.

    A velocity is (q - x) / h, so it is set by moving the remembered start x. Speeds below
    `slowest` [m/s] do not bounce, or gravity would keep resting particles hopping.

    Args:
        positions: (particle_count, 3) [m], at the end of the substep
        velocities: (particle_count, 3) [m/s], at its start
        touched: (particle_count,) obstacle in contact, -1 for none
        kinds: (obstacle_count,) which shape
        parameters: (obstacle_count, 8) of the shape
        restitutions: (obstacle_count,) share of the normal speed given back
        poses_t0: (obstacle_count, 12) at the start of the substep
        poses_t1: (obstacle_count, 12) at its end
        slowest: approach below which nothing bounces [m/s]
        step: substep [s]
        starts: (particle_count, 3) [m], changed in place
    """
    for i in range(positions.shape[0]):
        o = touched[i]
        if o < 0 or restitutions[o] == 0.0:
            continue
        x, y, z = into_axes(poses_t1[o], positions[i, 0], positions[i, 1], positions[i, 2])
        _, nx, ny, nz = shape_distance(kinds[o], parameters[o], x, y, z)
        n = out_of_axes(poses_t1[o], nx, ny, nz)
        # Velocity of the obstacle's own point under the particle.
        before = out_of_axes(poses_t0[o], x, y, z)
        after = out_of_axes(poses_t1[o], x, y, z)
        approach = 0.0
        leave = 0.0
        for axis in range(3):
            surface = (after[axis] + poses_t1[o, 9 + axis] - before[axis] - poses_t0[o, 9 + axis]) / step
            approach += n[axis] * (velocities[i, axis] - surface)
            leave += n[axis] * ((positions[i, axis] - starts[i, axis]) / step - surface)
        if approach < -slowest:
            gain = -restitutions[o] * approach - leave
            for axis in range(3):
                starts[i, axis] -= step * gain * n[axis]


@kernel
def measure_depths(positions, kinds, parameters, poses, depths):
    """Write how deep every particle is inside the nearest obstacle; negative outside [m]."""
    for i in range(positions.shape[0]):
        depths[i] = -free_distance(kinds, parameters, poses, positions, i)


@kernel
def calm_touching_parts(touched, leaders, is_touching, accelerations):
    """Clear the accelerations of every connected part that touches an obstacle.

    The accelerated predictor expects what springs did to go on. Contact is found after the springs
    have acted, so next to it the expectation is wrong in the same way in every substep, and keeps
    a draped cloth trembling: there the part is predicted by its inertia alone.

    Args:
        touched: (particle_count,) obstacle in contact, -1 for none
        leaders: (particle_count,) first particle of the part that each belongs to
        is_touching: (particle_count,) scratch, by leader
        accelerations: (particle_count, 3) [m/s²], changed in place
    """
    for i in range(touched.shape[0]):
        is_touching[i] = False
    for i in range(touched.shape[0]):
        if touched[i] >= 0:
            is_touching[leaders[i]] = True
    for i in range(touched.shape[0]):
        if is_touching[leaders[i]]:
            for axis in range(3):
                accelerations[i, axis] = 0.0
