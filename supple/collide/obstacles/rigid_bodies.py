"""Rigid obstacles with a mass: they fall, are carried by cloth, push each other and come to rest.

Theory: docs/theory/obstacles.md, eq. (O9), (O10), (O11), (O12).

A rigid body is moved at the start of a substep by its own velocity, and held off planes and other
obstacles by impulses at the points of its skin. Cloth then sees it as any moving obstacle. What
its contacts did to the cloth comes back at the end of the substep, exactly and with the opposite
sign, so the momentum of cloth and bodies together is kept to rounding.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.collide.obstacles.signed_distance import distance_to, into_axes, out_of_axes
from supple.collide.obstacles.solid_arrays import Kernels, parts_of
from supple.kernel import kernel
from supple.scene.obstacles.obstacle import Obstacle
from supple.scene.obstacles.solids import Box, Capsule, Sphere, Torus
from supple.scene.placement import rotation_matrix

CONTACTS = 256
"""Most contacts between bodies and obstacles that a substep can hold."""

SWEEPS = 16
"""Rounds over all contacts; each solves one after the other."""

RECOVERY = 0.2
"""Share of a penetration that a substep takes back."""

FASTEST_RECOVERY = 0.5
"""Speed at which a penetration is left, at most [m/s]."""

SKIN_POINTS = 400
"""Most points that stand for the surface of a body without a formula."""

# Columns of a contact.
BODY, SOLID, GAP, LEAVE, NORMAL, POINT, PRESSED, RUBBED = 0, 1, 2, 3, 4, 7, 10, 11
CONTACT_NUMBERS = 14


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
def spin_of(turns, inverse_inertias, b, lx, ly, lz):
    """Return the angular velocity of body b [rad/s] that its angular momentum stands for."""
    x = turns[b, 0] * lx + turns[b, 3] * ly + turns[b, 6] * lz
    y = turns[b, 1] * lx + turns[b, 4] * ly + turns[b, 7] * lz
    z = turns[b, 2] * lx + turns[b, 5] * ly + turns[b, 8] * lz
    i = inverse_inertias[b]
    x, y, z = (
        i[0, 0] * x + i[0, 1] * y + i[0, 2] * z,
        i[1, 0] * x + i[1, 1] * y + i[1, 2] * z,
        i[2, 0] * x + i[2, 1] * y + i[2, 2] * z,
    )
    return (
        turns[b, 0] * x + turns[b, 1] * y + turns[b, 2] * z,
        turns[b, 3] * x + turns[b, 4] * y + turns[b, 5] * z,
        turns[b, 6] * x + turns[b, 7] * y + turns[b, 8] * z,
    )


@kernel
def point_velocity(turns, inverse_inertias, velocities, momenta, b, rx, ry, rz):
    """Return the velocity [m/s] of the point of body b that is r away from its centre."""
    wx, wy, wz = spin_of(turns, inverse_inertias, b, momenta[b, 0], momenta[b, 1], momenta[b, 2])
    return (
        velocities[b, 0] + wy * rz - wz * ry,
        velocities[b, 1] + wz * rx - wx * rz,
        velocities[b, 2] + wx * ry - wy * rx,
    )


@kernel
def add_impulse(inverse_masses, velocities, momenta, b, rx, ry, rz, px, py, pz):
    """Push body b with the impulse p [N·s] at r from its centre."""
    velocities[b, 0] += inverse_masses[b] * px
    velocities[b, 1] += inverse_masses[b] * py
    velocities[b, 2] += inverse_masses[b] * pz
    momenta[b, 0] += ry * pz - rz * py
    momenta[b, 1] += rz * px - rx * pz
    momenta[b, 2] += rx * py - ry * px


@kernel
def give(turns, inverse_inertias, inverse_masses, b, rx, ry, rz, nx, ny, nz):
    """Return by how much an impulse of one along n at r from the centre changes the speed there [1/kg]."""
    tx, ty, tz = ry * nz - rz * ny, rz * nx - rx * nz, rx * ny - ry * nx
    wx, wy, wz = spin_of(turns, inverse_inertias, b, tx, ty, tz)
    return inverse_masses[b] + wx * tx + wy * ty + wz * tz


@kernel
def find_contacts(
    kinds, parameters, integers, floats, doubles, poses_t0, poses_t1, bodies_of, restitutions,
    centres, turns, velocities, momenta, inverse_inertias, is_held, skins, skin_starts, slowest, step, contacts,
):  # fmt: skip
    """List where the skins of bodies will be within a substep of other solids; return how many.

    Skin points (x, y, z, radius) are in the body's axes from its centre of mass. `bodies_of` says
    which body a solid belongs to, -1 for none. A contact holds its columns (see above), among
    them the normal speed at which the two should leave each other.
    """
    count = 0
    for b in range(centres.shape[0]):
        if is_held[b]:
            continue
        for k in range(skin_starts[b], skin_starts[b + 1]):
            rx, ry, rz = out_of_axes(turns, b, skins[k, 0], skins[k, 1], skins[k, 2])
            x, y, z = centres[b, 0] + rx, centres[b, 1] + ry, centres[b, 2] + rz
            vx, vy, vz = point_velocity(turns, inverse_inertias, velocities, momenta, b, rx, ry, rz)
            for o in range(kinds.shape[0]):
                if bodies_of[o] == b:
                    continue
                sx, sy, sz = into_axes(poses_t1, o, x, y, z)
                d, nx, ny, nz = distance_to(kinds, parameters, integers, floats, doubles, o, sx, sy, sz)
                gap = d - skins[k, 3]
                reach = 2.0 * step * math.sqrt(vx * vx + vy * vy + vz * vz) + 1e-3
                if gap > reach or count == contacts.shape[0]:
                    continue
                nx, ny, nz = out_of_axes(poses_t1, o, nx, ny, nz)
                # The part of the radius that faces the other solid is what touches.
                px, py, pz = rx - skins[k, 3] * nx, ry - skins[k, 3] * ny, rz - skins[k, 3] * nz
                ux, uy, uz = solid_velocity(poses_t0, poses_t1, o, sx, sy, sz, step)
                if bodies_of[o] >= 0:
                    other = bodies_of[o]
                    ux, uy, uz = point_velocity(
                        turns, inverse_inertias, velocities, momenta, other,
                        centres[b, 0] + px - centres[other, 0],
                        centres[b, 1] + py - centres[other, 1],
                        centres[b, 2] + pz - centres[other, 2],
                    )  # fmt: skip
                vx, vy, vz = point_velocity(turns, inverse_inertias, velocities, momenta, b, px, py, pz)
                approach = (vx - ux) * nx + (vy - uy) * ny + (vz - uz) * nz
                leave = -gap / step if gap > 0.0 else min(-RECOVERY * gap / step, FASTEST_RECOVERY)
                if approach < -slowest and gap + approach * step < 0.0:
                    leave = max(leave, -restitutions[o] * approach)
                contact = contacts[count]
                contact[BODY], contact[SOLID], contact[GAP], contact[LEAVE] = b, o, gap, leave
                contact[NORMAL], contact[NORMAL + 1], contact[NORMAL + 2] = nx, ny, nz
                contact[POINT], contact[POINT + 1], contact[POINT + 2] = px, py, pz
                for column in range(PRESSED, CONTACT_NUMBERS):
                    contact[column] = 0.0
                count += 1
    return count


@kernel
def solid_velocity(poses_t0, poses_t1, o, x, y, z, step):
    """Return the velocity [m/s] of the point of solid o at (x, y, z) in its axes."""
    ax, ay, az = out_of_axes(poses_t0, o, x, y, z)
    bx, by, bz = out_of_axes(poses_t1, o, x, y, z)
    return (
        (bx + poses_t1[o, 9] - ax - poses_t0[o, 9]) / step,
        (by + poses_t1[o, 10] - ay - poses_t0[o, 10]) / step,
        (bz + poses_t1[o, 11] - az - poses_t0[o, 11]) / step,
    )


@kernel
def solve_contacts(
    contacts, count, poses_t0, poses_t1, bodies_of, frictions, body_frictions, centres, turns, inverse_masses,
    inverse_inertias, is_held, step, velocities, momenta,
):  # fmt: skip
    """Find impulses that keep bodies apart, with Coulomb friction, one contact after the other."""
    for _ in range(SWEEPS):
        for c in range(count):
            contact = contacts[c]
            b, o = int(contact[BODY]), int(contact[SOLID])
            nx, ny, nz = contact[NORMAL], contact[NORMAL + 1], contact[NORMAL + 2]
            rx, ry, rz = contact[POINT], contact[POINT + 1], contact[POINT + 2]
            other = bodies_of[o]
            is_pair = other >= 0 and not is_held[max(other, 0)]
            qx, qy, qz = 0.0, 0.0, 0.0
            if other >= 0:
                qx = centres[b, 0] + rx - centres[other, 0]
                qy = centres[b, 1] + ry - centres[other, 1]
                qz = centres[b, 2] + rz - centres[other, 2]
            for part in range(2):
                vx, vy, vz = point_velocity(turns, inverse_inertias, velocities, momenta, b, rx, ry, rz)
                if is_pair:
                    ux, uy, uz = point_velocity(
                        turns, inverse_inertias, velocities, momenta, other, qx, qy, qz
                    )
                else:
                    sx, sy, sz = into_axes(
                        poses_t1, o, centres[b, 0] + rx, centres[b, 1] + ry, centres[b, 2] + rz
                    )
                    ux, uy, uz = solid_velocity(poses_t0, poses_t1, o, sx, sy, sz, step)
                vx, vy, vz = vx - ux, vy - uy, vz - uz
                speed = vx * nx + vy * ny + vz * nz
                if part == 0:
                    tx, ty, tz = nx, ny, nz
                    wanted = contact[LEAVE] - speed
                else:
                    tx, ty, tz = vx - speed * nx, vy - speed * ny, vz - speed * nz
                    slip = math.sqrt(tx * tx + ty * ty + tz * tz)
                    if slip == 0.0:
                        continue
                    tx, ty, tz = tx / slip, ty / slip, tz / slip
                    wanted = -slip
                soft = give(turns, inverse_inertias, inverse_masses, b, rx, ry, rz, tx, ty, tz)
                if is_pair:
                    soft += give(turns, inverse_inertias, inverse_masses, other, qx, qy, qz, tx, ty, tz)
                impulse = wanted / soft
                if part == 0:
                    before = contact[PRESSED]
                    contact[PRESSED] = max(0.0, before + impulse)
                    impulse = contact[PRESSED] - before
                    px, py, pz = impulse * tx, impulse * ty, impulse * tz
                else:
                    # Friction adds up to a vector within the cone.
                    hold = math.sqrt(frictions[o] * body_frictions[b]) * contact[PRESSED]
                    fx = contact[RUBBED] + impulse * tx
                    fy = contact[RUBBED + 1] + impulse * ty
                    fz = contact[RUBBED + 2] + impulse * tz
                    size = math.sqrt(fx * fx + fy * fy + fz * fz)
                    if size > hold:
                        fx, fy, fz = fx * hold / size, fy * hold / size, fz * hold / size
                    px, py, pz = fx - contact[RUBBED], fy - contact[RUBBED + 1], fz - contact[RUBBED + 2]
                    contact[RUBBED], contact[RUBBED + 1], contact[RUBBED + 2] = fx, fy, fz
                add_impulse(inverse_masses, velocities, momenta, b, rx, ry, rz, px, py, pz)
                if is_pair:
                    add_impulse(inverse_masses, velocities, momenta, other, qx, qy, qz, -px, -py, -pz)


@kernel
def move_bodies(turns, inverse_inertias, is_held, step, velocities, momenta, centres):
    """Advance the places and axes of all bodies that nobody holds by a substep."""
    for b in range(centres.shape[0]):
        if is_held[b]:
            continue
        for axis in range(3):
            centres[b, axis] += step * velocities[b, axis]
        wx, wy, wz = spin_of(turns, inverse_inertias, b, momenta[b, 0], momenta[b, 1], momenta[b, 2])
        turn_by(turns, b, step * wx, step * wy, step * wz)


@kernel
def return_reactions(
    touched, bodies_of, reactions, positions, masses, particle_velocities, step,
    centres, body_masses, inertias, is_held, turns, velocities, momenta, tensor, torque,
):  # fmt: skip
    """Let bodies feel what the substep's contacts did to particles, with the opposite sign.

    A body and the particles that touch it take the impulse together, as if they were one: the
    particles go where the body goes. Else a body lighter than the cloth on it would be thrown
    back and forth. Linear and angular momentum are kept exactly.

    Args:
        touched: (particle_count,) solid in contact, -1 for none
        bodies_of: (solid_count,) body of each solid, -1 for none
        reactions: (solid_count, 6) [kg·m, kg·m²]
        positions: (particle_count, 3) [m]
        masses: (particle_count,) [kg]
        particle_velocities: (particle_count, 3) [m/s], changed in place
        step: substep [s]
        centres: (body_count, 3) [m]
        body_masses: (body_count,) [kg]
        inertias: (body_count, 3, 3) in the body's axes [kg·m²]
        is_held: (body_count,) whether a hand leads the body
        turns: (body_count, 9) axes
        velocities: (body_count, 3) [m/s], changed in place
        momenta: (body_count, 3) angular momenta about the centres [kg·m²/s], changed in place
        tensor: (3, 3) scratch
        torque: (3,) scratch
    """
    for b in range(centres.shape[0]):
        if is_held[b]:
            continue
        px, py, pz, tx, ty, tz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for o in range(bodies_of.shape[0]):
            if bodies_of[o] == b:
                px, py, pz = px + reactions[o, 0], py + reactions[o, 1], pz + reactions[o, 2]
                tx, ty, tz = tx + reactions[o, 3], ty + reactions[o, 4], tz + reactions[o, 5]
        if px == 0.0 and py == 0.0 and pz == 0.0 and tx == 0.0 and ty == 0.0 and tz == 0.0:
            continue
        px, py, pz, tx, ty, tz = px / step, py / step, pz / step, tx / step, ty / step, tz / step
        mass = body_masses[b]
        cx, cy, cz = mass * centres[b, 0], mass * centres[b, 1], mass * centres[b, 2]
        for i in range(touched.shape[0]):
            if touched[i] >= 0 and bodies_of[touched[i]] == b:
                mass += masses[i]
                cx += masses[i] * positions[i, 0]
                cy += masses[i] * positions[i, 1]
                cz += masses[i] * positions[i, 2]
        cx, cy, cz = cx / mass, cy / mass, cz / mass
        # Inertia of the body in world axes, then of all point masses about the common centre.
        for row in range(3):
            for column in range(3):
                value = 0.0
                for k in range(3):
                    for n in range(3):
                        value += turns[b, 3 * row + k] * inertias[b, k, n] * turns[b, 3 * column + n]
                tensor[row, column] = value
        add_point(tensor, body_masses[b], centres[b, 0] - cx, centres[b, 1] - cy, centres[b, 2] - cz)
        for i in range(touched.shape[0]):
            if touched[i] >= 0 and bodies_of[touched[i]] == b:
                add_point(tensor, masses[i], positions[i, 0] - cx, positions[i, 1] - cy, positions[i, 2] - cz)
        torque[0], torque[1], torque[2] = (
            tx - (cy * pz - cz * py),
            ty - (cz * px - cx * pz),
            tz - (cx * py - cy * px),
        )
        wx, wy, wz = solved_spin(tensor, torque)
        vx, vy, vz = px / mass, py / mass, pz / mass
        for i in range(touched.shape[0]):
            if touched[i] >= 0 and bodies_of[touched[i]] == b:
                rx, ry, rz = positions[i, 0] - cx, positions[i, 1] - cy, positions[i, 2] - cz
                particle_velocities[i, 0] += vx + wy * rz - wz * ry
                particle_velocities[i, 1] += vy + wz * rx - wx * rz
                particle_velocities[i, 2] += vz + wx * ry - wy * rx
        rx, ry, rz = centres[b, 0] - cx, centres[b, 1] - cy, centres[b, 2] - cz
        velocities[b, 0] += vx + wy * rz - wz * ry
        velocities[b, 1] += vy + wz * rx - wx * rz
        velocities[b, 2] += vz + wx * ry - wy * rx
        for row in range(3):
            for k in range(3):
                for n in range(3):
                    spun = turns[b, n] * wx + turns[b, 3 + n] * wy + turns[b, 6 + n] * wz
                    momenta[b, row] += turns[b, 3 * row + k] * inertias[b, k, n] * spun


@kernel
def solved_spin(tensor, torque):
    """Return ω with I ω = τ by Cramer's rule; a solid body's tensor is never singular."""
    a, b, c = tensor[0, 0], tensor[0, 1], tensor[0, 2]
    d, e, f = tensor[1, 1], tensor[1, 2], tensor[2, 2]
    x, y, z = torque[0], torque[1], torque[2]
    aa, ab, ac = d * f - e * e, c * e - b * f, b * e - c * d
    bb, bc, cc = a * f - c * c, b * c - a * e, a * d - b * b
    whole = a * aa + b * ab + c * ac
    return (
        (aa * x + ab * y + ac * z) / whole,
        (ab * x + bb * y + bc * z) / whole,
        (ac * x + bc * y + cc * z) / whole,
    )


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


# ---------------------------------------------------------------- the bodies


@dataclass(frozen=True)
class MassProperties:
    """How a mass is spread: centre (3,) [m] and inertia about it (3, 3) [kg·m²], in the body's axes."""

    centre: NDArray[np.float64]
    inertia: NDArray[np.float64]


def mass_properties(obstacle: Obstacle) -> MassProperties:
    """Return centre and inertia of an obstacle of even density, from the triangles of its surface.

    Every triangle spans a tetrahedron with the origin, whose second moments are known. A surface
    that encloses next to nothing is taken as the block around it.
    """
    vertices, triangles = obstacle.surface()
    mass = obstacle.mass or 0.0
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    volumes = np.sum(a * np.cross(b, c), axis=1) / 6.0
    volume = float(volumes.sum())
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    if volume < 1e-3 * float(np.prod(high - low)) or volume <= 0.0:
        squares = (high - low) ** 2
        return MassProperties(0.5 * (low + high), mass / 12.0 * np.diag(squares.sum() - squares))
    total = a + b + c
    centre = (volumes[:, None] * total).sum(axis=0) / (4.0 * volume)
    second = sum(np.einsum("t,ti,tj->ij", volumes, x, x) for x in (a, b, c, total)) / (20.0 * volume)
    second = second - np.outer(centre, centre)
    return MassProperties(centre, mass * (np.trace(second) * np.eye(3) - second))


def skin_of(obstacle: Obstacle) -> NDArray[np.float64]:
    """Return points that stand for the surface of an obstacle, each with a radius, (k, 4) [m]."""
    skins = []
    for part in parts_of(obstacle):
        points = _round_skin(part)
        if part is not obstacle:
            points[:, :3] = points[:, :3] @ rotation_matrix(part.rotation).T + part.at
        skins.append(points)
    return np.concatenate(skins)


def _round_skin(part: Obstacle) -> NDArray[np.float64]:
    match part:
        case Sphere():
            return np.array([[0.0, 0.0, 0.0, part.radius]])
        case Capsule():
            start, end = np.array(part.start), np.array(part.end)
            count = min(16, 2 + int(np.linalg.norm(end - start) / part.radius))
            return np.column_stack([np.linspace(start, end, count), np.full(count, part.radius)])
        case Torus():
            angles = 2.0 * np.pi * np.arange(24) / 24
            zeros = np.zeros(24)
            ring = [part.radius * np.cos(angles), zeros, part.radius * np.sin(angles)]
            return np.column_stack([*ring, zeros + part.tube])
        case Box():
            steps = np.linspace(-0.5, 0.5, 5)
            cube = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
            cube = cube[np.abs(cube).max(axis=1) == 0.5]
            inner = np.array(part.size) - 2.0 * part.rounding
            return np.column_stack([cube * inner, np.full(len(cube), part.rounding)])
    vertices, _ = part.surface()
    stride = -(-len(vertices) // SKIN_POINTS)
    return np.column_stack([vertices[::stride], np.zeros(len(vertices[::stride]))])


class RigidBodies:
    """All obstacles with a mass, in arrays."""

    def __init__(self, declared: Sequence[Obstacle], owners: NDArray[np.int64]) -> None:
        """Put the bodies where their obstacles start, at rest."""
        self.indices = [n for n, obstacle in enumerate(declared) if obstacle.mass is not None]
        bodies = [declared[n] for n in self.indices]
        body_of = {index: b for b, index in enumerate(self.indices)}
        count = len(bodies)
        self.bodies_of = np.array([body_of.get(int(owner), -1) for owner in owners], dtype=np.int64)
        self.is_held = np.zeros(count, dtype=np.bool_)
        spread = [mass_properties(body) for body in bodies]
        self.masses = np.array([body.mass or 0.0 for body in bodies])
        self.frictions = np.array([body.friction for body in bodies])
        self._locals = np.array([each.centre for each in spread]).reshape(count, 3)
        self._inertias = np.array([each.inertia for each in spread]).reshape(count, 3, 3)
        self._inverse_inertias = np.linalg.inv(self._inertias) if count else np.zeros((0, 3, 3))
        skins = [
            skin_of(body) - np.append(each.centre, 0.0) for body, each in zip(bodies, spread, strict=True)
        ]
        self._skins = np.concatenate([np.zeros((0, 4)), *skins])
        self._skin_starts = np.cumsum([0, *(len(skin) for skin in skins)]).astype(np.int64)
        self.turns = np.array([rotation_matrix(body.rotation).ravel() for body in bodies]).reshape(count, 9)
        self.centres = np.zeros((count, 3))
        for b, body in enumerate(bodies):
            self.centres[b] = np.array(body.at) + self.turns[b].reshape(3, 3) @ self._locals[b]
        self.velocities, self.momenta = np.zeros((count, 3)), np.zeros((count, 3))
        self._contacts = np.zeros((CONTACTS, CONTACT_NUMBERS))
        self._tensor, self._torque = np.zeros((3, 3)), np.zeros(3)

    def fall(
        self,
        shapes: Kernels,
        frictions: NDArray[np.float64],
        restitutions: NDArray[np.float64],
        poses: tuple[NDArray[np.float64], NDArray[np.float64]],
        gravity: NDArray[np.float64],
        drag: float,
        step: float,
    ) -> None:
        """Advance all bodies by a substep: gravity, contacts with other obstacles, motion."""
        free = ~self.is_held
        self.velocities[free] = (self.velocities[free] + step * gravity) / (1.0 + step * drag)
        self.momenta[free] /= 1.0 + step * drag
        slowest = 2.0 * step * float(np.linalg.norm(gravity)) + 1e-9
        count = find_contacts(
            *shapes, *poses, self.bodies_of, restitutions, self.centres, self.turns, self.velocities, self.momenta,
            self._inverse_inertias, self.is_held, self._skins, self._skin_starts, slowest, step, self._contacts,
        )  # fmt: skip
        if count:
            solve_contacts(
                self._contacts, count, *poses, self.bodies_of, frictions, self.frictions, self.centres, self.turns,
                1.0 / self.masses, self._inverse_inertias, self.is_held, step, self.velocities, self.momenta,
            )  # fmt: skip
        move_bodies(
            self.turns,
            self._inverse_inertias,
            self.is_held,
            step,
            self.velocities,
            self.momenta,
            self.centres,
        )

    def react(
        self,
        touched: NDArray[np.int64],
        reactions: NDArray[np.float64],
        positions: NDArray[np.float64],
        masses: NDArray[np.float64],
        velocities: NDArray[np.float64],
        step: float,
    ) -> None:
        """Let bodies, and the particles that touch them, feel what contact did in this substep."""
        return_reactions(
            touched, self.bodies_of, reactions, positions, masses, velocities, step, self.centres, self.masses,
            self._inertias, self.is_held, self.turns, self.velocities, self.momenta, self._tensor, self._torque,
        )  # fmt: skip

    def pose(self, body: int) -> NDArray[np.float64]:
        """Return the rotation by rows, then the place of the origin of a body's obstacle, (12,)."""
        turn = self.turns[body]
        return np.concatenate([turn, self.centres[body] - turn.reshape(3, 3) @ self._locals[body]])

    def spin(self, body: int) -> NDArray[np.float64]:
        """Return the angular velocity of a body, (3,) [rad/s]."""
        return np.array(spin_of(self.turns, self._inverse_inertias, body, *self.momenta[body]))

    def follow(self, body: int, pose: NDArray[np.float64], step: float) -> None:
        """Take over where a hand has led a body in a substep, and with what velocity."""
        before = self.turns[body].reshape(3, 3).copy()
        turn = pose[:9].reshape(3, 3)
        centre = pose[9:] + turn @ self._locals[body]
        self.velocities[body] = (centre - self.centres[body]) / step
        change = (turn @ before.T - before @ turn.T) / (2.0 * step)
        spin = np.array([change[2, 1], change[0, 2], change[1, 0]])
        self.momenta[body] = turn @ self._inertias[body] @ turn.T @ spin
        self.centres[body], self.turns[body] = centre, pose[:9]
