"""Contacts of rigid bodies with obstacles and with each other: found at surface points, solved by impulses.

Theory: docs/theory/obstacles.md, eq. (O10) and (O11).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.collide.obstacles.signed_distance import distance_to, into_axes, out_of_axes
from supple.collide.rigid_bodies.body_motion import add_impulse, inverse_effective_mass, point_velocity
from supple.kernel import dot, kernel, norm

SWEEPS = 16
"""Rounds of Gauss-Seidel over all contacts."""

RECOVERY = 0.2
"""Share of a penetration that a substep takes back."""

FASTEST_RECOVERY = 0.5
"""Speed at which a penetration is left, at most [m/s]."""

BODY, SOLID, GAP, SEPARATION, NORMAL, ARM, NORMAL_IMPULSE, FRICTION_IMPULSE = 0, 1, 2, 3, 4, 7, 10, 11
"""Columns of a contact: body, solid, gap [m], speed of separation to reach [m/s], normal of the solid (3), from the centre
of the body to the point of contact (3) [m], and the impulses so far, along the normal and across it (3) [N·s]."""

CONTACT_NUMBERS = 14


class SurfacePoints(NamedTuple):
    """Points that stand for the surfaces of all bodies."""

    points: NDArray[np.float64]
    """(point_count, 4) from the centre of mass, in the body's axes, and a radius around each [m]."""

    firsts: NDArray[np.int64]
    """(body_count + 1,) where the points of each body start."""


@kernel
def arm_from(bodies, other, b, arm):
    """Return the way from the centre of body `other` to the point that is `arm` away from that of body b [m]."""
    centres = bodies.centres
    return (
        centres[b, 0] + arm[0] - centres[other, 0],
        centres[b, 1] + arm[1] - centres[other, 1],
        centres[b, 2] + arm[2] - centres[other, 2],
    )


@kernel
def solid_velocity(poses, o, x, y, z, step):
    """Return the velocity [m/s] of the point of solid o at (x, y, z) in its axes."""
    ax, ay, az = out_of_axes(poses.t0, o, x, y, z)
    bx, by, bz = out_of_axes(poses.t1, o, x, y, z)
    return (
        (bx + poses.t1[o, 9] - ax - poses.t0[o, 9]) / step,
        (by + poses.t1[o, 10] - ay - poses.t0[o, 10]) / step,
        (bz + poses.t1[o, 11] - az - poses.t0[o, 11]) / step,
    )


@kernel
def separation_speed(gap, approach, restitution, slowest, step):
    """Return the normal speed at which the two sides of a contact should leave each other [m/s].

    Across a gap they may approach by just as much; a penetration is taken back by and by; a hit bounces.
    """
    speed = -gap / step if gap > 0.0 else min(-RECOVERY * gap / step, FASTEST_RECOVERY)
    if approach < -slowest and gap + approach * step < 0.0:
        speed = max(speed, -restitution * approach)
    return speed


@kernel
def write_contact(b, o, gap, separation, normal, arm, contact):
    """Write the columns of a contact that has not been solved yet."""
    contact[BODY], contact[SOLID], contact[GAP], contact[SEPARATION] = b, o, gap, separation
    for axis in range(3):
        contact[NORMAL + axis], contact[ARM + axis] = normal[axis], arm[axis]
    for column in range(NORMAL_IMPULSE, CONTACT_NUMBERS):
        contact[column] = 0.0


@kernel(is_entry=True)
def find_rigid_contacts(solids, restitutions, poses, bodies, surface, slowest, step, contacts):
    """List where the surface points of bodies will be within a substep of other solids; return how many.

    Args:
        solids: shapes of all solids, see `Solids`
        restitutions: (solid_count,) [-]
        poses: see `Poses`
        bodies: see `BodyArrays`
        surface: see `SurfacePoints`
        slowest: approach below which nothing bounces [m/s]
        step: substep [s]
        contacts: (capacity, CONTACT_NUMBERS) written
    """
    count = 0
    for b in range(bodies.centres.shape[0]):
        if bodies.is_held[b]:
            continue
        for k in range(surface.firsts[b], surface.firsts[b + 1]):
            radius = surface.points[k, 3]
            r = out_of_axes(bodies.turns, b, surface.points[k, 0], surface.points[k, 1], surface.points[k, 2])
            x, y, z = bodies.centres[b, 0] + r[0], bodies.centres[b, 1] + r[1], bodies.centres[b, 2] + r[2]
            velocity = point_velocity(bodies, b, r)
            for o in range(solids.kinds.shape[0]):
                other = bodies.of_solids[o]
                if other == b:
                    continue
                sx, sy, sz = into_axes(poses.t1, o, x, y, z)
                d, nx, ny, nz = distance_to(solids, o, sx, sy, sz)
                gap = d - radius
                reach = 2.0 * step * norm(velocity) + 1e-3
                if gap > reach or count == contacts.shape[0]:
                    continue
                n = out_of_axes(poses.t1, o, nx, ny, nz)
                # The part of the radius that faces the other solid is what touches.
                arm = (r[0] - radius * n[0], r[1] - radius * n[1], r[2] - radius * n[2])
                u = solid_velocity(poses, o, sx, sy, sz, step)
                if other >= 0:
                    u = point_velocity(bodies, other, arm_from(bodies, other, b, arm))
                velocity = point_velocity(bodies, b, arm)
                approach = dot((velocity[0] - u[0], velocity[1] - u[1], velocity[2] - u[2]), n)
                separation = separation_speed(gap, approach, restitutions[o], slowest, step)
                write_contact(b, o, gap, separation, n, arm, contacts[count])
                count += 1
    return count


@kernel
def relative_velocity(bodies, poses, b, arm, other, other_arm, o, step):
    """Return the velocity of the point of body b against the other side of a contact [m/s].

    That is body `other`, or solid o, which moves as it is told, if `other` is -1.
    """
    v = point_velocity(bodies, b, arm)
    if other >= 0:
        u = point_velocity(bodies, other, other_arm)
    else:
        centres = bodies.centres
        x, y, z = into_axes(
            poses.t1, o, centres[b, 0] + arm[0], centres[b, 1] + arm[1], centres[b, 2] + arm[2]
        )
        u = solid_velocity(poses, o, x, y, z, step)
    return v[0] - u[0], v[1] - u[1], v[2] - u[2]


@kernel
def pair_inverse_mass(bodies, b, arm, other, other_arm, direction):
    """Return the inverse effective mass of a contact along a direction [1/kg]; `other` is -1 if only b can move."""
    total = inverse_effective_mass(bodies, b, arm, direction)
    if other >= 0:
        total += inverse_effective_mass(bodies, other, other_arm, direction)
    return total


@kernel
def add_pair_impulse(bodies, b, arm, other, other_arm, impulse):
    """Apply an impulse to body b and its opposite to body `other`, -1 for none."""
    add_impulse(bodies, b, arm, impulse)
    if other >= 0:
        add_impulse(bodies, other, other_arm, (-impulse[0], -impulse[1], -impulse[2]))


@kernel
def normal_impulse(contact, n, velocity, inverse_mass):
    """Return the change of the impulse along the normal that gives a contact its speed; its sum never pulls."""
    impulse = (contact[SEPARATION] - dot(velocity, n)) / inverse_mass
    before = contact[NORMAL_IMPULSE]
    contact[NORMAL_IMPULSE] = max(0.0, before + impulse)
    impulse = contact[NORMAL_IMPULSE] - before
    return impulse * n[0], impulse * n[1], impulse * n[2]


@kernel
def friction_impulse(contact, t, slip, inverse_mass, friction):
    """Return the change of the friction impulse that stops a slip along t; its sum stays within the Coulomb cone."""
    impulse = -slip / inverse_mass
    hold = friction * contact[NORMAL_IMPULSE]
    f = FRICTION_IMPULSE
    fx = contact[f] + impulse * t[0]
    fy = contact[f + 1] + impulse * t[1]
    fz = contact[f + 2] + impulse * t[2]
    size = math.sqrt(fx * fx + fy * fy + fz * fz)
    if size > hold:
        fx, fy, fz = fx * hold / size, fy * hold / size, fz * hold / size
    change = (fx - contact[f], fy - contact[f + 1], fz - contact[f + 2])
    contact[f], contact[f + 1], contact[f + 2] = fx, fy, fz
    return change


@kernel
def solve_rigid_contacts(contacts, count, frictions, poses, bodies, step):
    """Find impulses that keep bodies apart, with Coulomb friction, one contact after the other.

    Args:
        contacts: (capacity, CONTACT_NUMBERS) of `find_rigid_contacts`; impulses are added to
        count: how many there are
        frictions: (solid_count,) Coulomb coefficients [-]
        poses: see `Poses`
        bodies: see `BodyArrays`; velocities and momenta are changed in place
        step: substep [s]
    """
    for _ in range(SWEEPS):
        for c in range(count):
            contact = contacts[c]
            b, o = int(contact[BODY]), int(contact[SOLID])
            n = (contact[NORMAL], contact[NORMAL + 1], contact[NORMAL + 2])
            arm = (contact[ARM], contact[ARM + 1], contact[ARM + 2])
            other, other_arm = bodies.of_solids[o], (0.0, 0.0, 0.0)
            if other >= 0 and bodies.is_held[other]:
                other = -1  # it moves as a hand tells it, like a solid without mass
            if other >= 0:
                other_arm = arm_from(bodies, other, b, arm)
            velocity = relative_velocity(bodies, poses, b, arm, other, other_arm, o, step)
            inverse_mass = pair_inverse_mass(bodies, b, arm, other, other_arm, n)
            impulse = normal_impulse(contact, n, velocity, inverse_mass)
            add_pair_impulse(bodies, b, arm, other, other_arm, impulse)
            velocity = relative_velocity(bodies, poses, b, arm, other, other_arm, o, step)
            speed = dot(velocity, n)
            t = (velocity[0] - speed * n[0], velocity[1] - speed * n[1], velocity[2] - speed * n[2])
            slip = norm(t)
            if slip == 0.0:
                continue
            t = (t[0] / slip, t[1] / slip, t[2] / slip)
            inverse_mass = pair_inverse_mass(bodies, b, arm, other, other_arm, t)
            friction = math.sqrt(frictions[o] * bodies.frictions[b])
            impulse = friction_impulse(contact, t, slip, inverse_mass, friction)
            add_pair_impulse(bodies, b, arm, other, other_arm, impulse)
