"""Reactions of particle contact on rigid bodies: momentum that contact gave to cloth is taken from the body.

Theory: docs/theory/obstacles.md, eq. (O12).
"""

from __future__ import annotations

from supple.collide.inertia import solve_inertia_tensor
from supple.kernel import kernel


@kernel
def sum_of_reactions(of_solids, reactions, b, step):
    """Return the impulse on body b [N·s], then its moment about the world's origin, from the reactions on its solids."""
    px, py, pz, tx, ty, tz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for o in range(of_solids.shape[0]):
        if of_solids[o] == b:
            px, py, pz = px + reactions[o, 0], py + reactions[o, 1], pz + reactions[o, 2]
            tx, ty, tz = tx + reactions[o, 3], ty + reactions[o, 4], tz + reactions[o, 5]
    return px / step, py / step, pz / step, tx / step, ty / step, tz / step


@kernel
def touches_body(touched, of_solids, i, b):
    """Return whether particle i touches body b."""
    return touched[i] >= 0 and of_solids[touched[i]] == b


@kernel
def common_mass(bodies, b, touched, positions, masses):
    """Return mass [kg] and centre of mass [m] of body b together with the particles that touch it."""
    mass = bodies.masses[b]
    cx, cy, cz = mass * bodies.centres[b, 0], mass * bodies.centres[b, 1], mass * bodies.centres[b, 2]
    for i in range(touched.shape[0]):
        if touches_body(touched, bodies.of_solids, i, b):
            mass += masses[i]
            cx += masses[i] * positions[i, 0]
            cy += masses[i] * positions[i, 1]
            cz += masses[i] * positions[i, 2]
    return mass, (cx / mass, cy / mass, cz / mass)


@kernel
def write_common_inertia(bodies, b, touched, positions, masses, centre, tensor):
    """Write the inertia of body b and the particles that touch it about their common centre, in world axes [kg·m²]."""
    turns = bodies.turns
    cx, cy, cz = centre
    for row in range(3):
        for column in range(3):
            value = 0.0
            for k in range(3):
                for n in range(3):
                    value += turns[b, 3 * row + k] * bodies.inertias[b, k, n] * turns[b, 3 * column + n]
            tensor[row, column] = value
    centres = bodies.centres
    add_point(tensor, bodies.masses[b], centres[b, 0] - cx, centres[b, 1] - cy, centres[b, 2] - cz)
    for i in range(touched.shape[0]):
        if touches_body(touched, bodies.of_solids, i, b):
            add_point(tensor, masses[i], positions[i, 0] - cx, positions[i, 1] - cy, positions[i, 2] - cz)


@kernel
def add_rigid_velocity(velocities, i, points, n, centre, velocity, spin):
    """Add to row i of `velocities` the velocity of row n of `points` in a rigid motion about a centre."""
    rx, ry, rz = points[n, 0] - centre[0], points[n, 1] - centre[1], points[n, 2] - centre[2]
    wx, wy, wz = spin
    velocities[i, 0] += velocity[0] + wy * rz - wz * ry
    velocities[i, 1] += velocity[1] + wz * rx - wx * rz
    velocities[i, 2] += velocity[2] + wx * ry - wy * rx


@kernel
def add_spin(bodies, b, spin):
    """Add an angular velocity (3-tuple, world axes) [rad/s] to the angular momentum of body b."""
    turns = bodies.turns
    wx, wy, wz = spin
    for row in range(3):
        for k in range(3):
            for n in range(3):
                spun = turns[b, n] * wx + turns[b, 3 + n] * wy + turns[b, 6 + n] * wz
                bodies.momenta[b, row] += turns[b, 3 * row + k] * bodies.inertias[b, k, n] * spun


@kernel(is_entry=True)
def apply_reactions(touched, reactions, positions, masses, velocities, step, bodies, tensor):
    """Give bodies the reactions of the substep's contacts with particles.

    A body and the particles that touch it take the impulse together, as if they were one: the
    particles go where the body goes. Else a body lighter than the cloth on it would be thrown
    back and forth. Linear and angular momentum are kept exactly.

    Args:
        touched: (particle_count,) solid in contact, -1 for none
        reactions: (solid_count, 6) [kg·m, kg·m²]
        positions: (particle_count, 3) [m]
        masses: (particle_count,) [kg]
        velocities: (particle_count, 3) [m/s], changed in place
        step: substep [s]
        bodies: see `BodyArrays`; velocities and momenta are changed in place
        tensor: (3, 3) scratch
    """
    for b in range(bodies.centres.shape[0]):
        if bodies.is_held[b]:
            continue
        px, py, pz, tx, ty, tz = sum_of_reactions(bodies.of_solids, reactions, b, step)
        if px == 0.0 and py == 0.0 and pz == 0.0 and tx == 0.0 and ty == 0.0 and tz == 0.0:
            continue
        mass, centre = common_mass(bodies, b, touched, positions, masses)
        cx, cy, cz = centre
        write_common_inertia(bodies, b, touched, positions, masses, centre, tensor)
        torque = (tx - (cy * pz - cz * py), ty - (cz * px - cx * pz), tz - (cx * py - cy * px))
        spin = solve_inertia_tensor(
            (tensor[0, 0], tensor[1, 1], tensor[2, 2], tensor[1, 2], tensor[0, 2], tensor[0, 1]), torque
        )
        velocity = (px / mass, py / mass, pz / mass)
        for i in range(touched.shape[0]):
            if touches_body(touched, bodies.of_solids, i, b):
                add_rigid_velocity(velocities, i, positions, i, centre, velocity, spin)
        add_rigid_velocity(bodies.velocities, b, bodies.centres, b, centre, velocity, spin)
        add_spin(bodies, b, spin)


@kernel
def add_point(tensor, mass, x, y, z):
    """Add the inertia of a point mass at (x, y, z)."""
    square = x * x + y * y + z * z
    tensor[0, 0] += mass * (square - x * x)
    tensor[1, 1] += mass * (square - y * y)
    tensor[2, 2] += mass * (square - z * z)
    tensor[0, 1] -= mass * x * y
    tensor[1, 0] -= mass * x * y
    tensor[0, 2] -= mass * x * z
    tensor[2, 0] -= mass * x * z
    tensor[1, 2] -= mass * y * z
    tensor[2, 1] -= mass * y * z
