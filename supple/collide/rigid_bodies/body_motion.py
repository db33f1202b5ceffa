"""Motion of rigid bodies: their state in arrays, velocities of their points, impulses, and a step in time.

Theory: docs/theory/obstacles.md, eq. (O9).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.collide.obstacles.signed_distance import out_of_axes
from supple.kernel import cross, kernel


class BodyArrays(NamedTuple):
    """All rigid bodies."""

    centres: NDArray[np.float64]
    """(body_count, 3) centres of mass [m]."""

    turns: NDArray[np.float64]
    """(body_count, 9) rotation matrices by rows, from the body's axes to the world's."""

    velocities: NDArray[np.float64]
    """(body_count, 3) of the centres of mass [m/s]."""

    momenta: NDArray[np.float64]
    """(body_count, 3) angular momenta about the centres of mass [kg·m²/s]."""

    masses: NDArray[np.float64]
    """(body_count,) [kg]."""

    inverse_masses: NDArray[np.float64]
    """(body_count,) [1/kg]."""

    inertias: NDArray[np.float64]
    """(body_count, 3, 3) in the body's axes [kg·m²]."""

    inverse_inertias: NDArray[np.float64]
    """(body_count, 3, 3) in the body's axes [1/(kg·m²)]."""

    frictions: NDArray[np.float64]
    """(body_count,) Coulomb coefficients [-]."""

    is_held: NDArray[np.bool_]
    """(body_count,) whether a hand moves the body, which is kinematic then."""

    of_solids: NDArray[np.int64]
    """(solid_count,) body that each solid belongs to, -1 for none."""


@kernel
def turn_by(turns, b, wx, wy, wz):
    """Turn the axes of body b by the rotation vector w [rad], and make them orthonormal again."""
    angle = math.sqrt(wx * wx + wy * wy + wz * wz)
    if angle == 0.0:
        return
    ux, uy, uz = wx / angle, wy / angle, wz / angle
    s, c = math.sin(angle), math.cos(angle)
    for k in range(3):
        x, y, z = turns[b, k], turns[b, 3 + k], turns[b, 6 + k]
        along = (1.0 - c) * (ux * x + uy * y + uz * z)
        turns[b, k] = c * x + s * (uy * z - uz * y) + along * ux
        turns[b, 3 + k] = c * y + s * (uz * x - ux * z) + along * uy
        turns[b, 6 + k] = c * z + s * (ux * y - uy * x) + along * uz
    for k in range(2):
        if k == 1:
            share = turns[b, 0] * turns[b, 1] + turns[b, 3] * turns[b, 4] + turns[b, 6] * turns[b, 7]
            for row in range(3):
                turns[b, 3 * row + 1] -= share * turns[b, 3 * row]
        length = math.sqrt(turns[b, k] ** 2 + turns[b, 3 + k] ** 2 + turns[b, 6 + k] ** 2)
        for row in range(3):
            turns[b, 3 * row + k] /= length
    for row in range(3):
        n, m = 3 * ((row + 1) % 3), 3 * ((row + 2) % 3)
        turns[b, 3 * row + 2] = turns[b, n] * turns[b, m + 1] - turns[b, m] * turns[b, n + 1]


@kernel
def spin_of(bodies, b, momentum):
    """Return the angular velocity of body b [rad/s] that an angular momentum stands for; both as 3-tuples."""
    turns, i = bodies.turns, bodies.inverse_inertias[b]
    lx, ly, lz = momentum
    x = turns[b, 0] * lx + turns[b, 3] * ly + turns[b, 6] * lz
    y = turns[b, 1] * lx + turns[b, 4] * ly + turns[b, 7] * lz
    z = turns[b, 2] * lx + turns[b, 5] * ly + turns[b, 8] * lz
    x, y, z = (
        i[0, 0] * x + i[0, 1] * y + i[0, 2] * z,
        i[1, 0] * x + i[1, 1] * y + i[1, 2] * z,
        i[2, 0] * x + i[2, 1] * y + i[2, 2] * z,
    )
    return out_of_axes(turns, b, x, y, z)


@kernel
def body_spin(bodies, b):
    """Return the angular velocity of body b [rad/s]."""
    momenta = bodies.momenta
    return spin_of(bodies, b, (momenta[b, 0], momenta[b, 1], momenta[b, 2]))


@kernel
def point_velocity(bodies, b, arm):
    """Return the velocity [m/s] of the point of body b that is `arm` (a 3-tuple) away from its centre."""
    wx, wy, wz = body_spin(bodies, b)
    rx, ry, rz = arm
    velocities = bodies.velocities
    return (
        velocities[b, 0] + wy * rz - wz * ry,
        velocities[b, 1] + wz * rx - wx * rz,
        velocities[b, 2] + wx * ry - wy * rx,
    )


@kernel
def add_impulse(bodies, b, arm, impulse):
    """Apply an impulse [N·s] to body b at `arm` from its centre; both as 3-tuples."""
    moment = cross(arm, impulse)
    for axis in range(3):
        bodies.velocities[b, axis] += bodies.inverse_masses[b] * impulse[axis]
        bodies.momenta[b, axis] += moment[axis]


@kernel
def inverse_effective_mass(bodies, b, arm, direction):
    """Return the change of speed along a direction, at `arm` from the centre of body b, by a unit impulse there [1/kg]."""
    moment = cross(arm, direction)
    spin = spin_of(bodies, b, moment)
    return bodies.inverse_masses[b] + spin[0] * moment[0] + spin[1] * moment[1] + spin[2] * moment[2]


@kernel(is_entry=True)
def move_bodies(bodies, step):
    """Advance the centres and axes of all bodies that nobody holds by a substep [s]."""
    for b in range(bodies.centres.shape[0]):
        if bodies.is_held[b]:
            continue
        for axis in range(3):
            bodies.centres[b, axis] += step * bodies.velocities[b, axis]
        wx, wy, wz = body_spin(bodies, b)
        turn_by(bodies.turns, b, step * wx, step * wy, step * wz)
