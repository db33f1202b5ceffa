"""Which places of cloth are near a solid: particles, and edges and faces that reach over an edge of the solid.

Every Newton step looks anew, at its guess: a contact is a tangent plane, and the plane of a curved surface turns with the
place. A particle that is far from every solid is not looked at again until it may have come near.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.collide.obstacles.signed_distance import distance_to, into_axes, out_of_axes
from supple.kernel import kernel
from supple.simd import ROW

REACH = 3.0
"""How far outside of the shell particles count as near, in shells [-]."""

DEEP = 4.0
"""A guess so many shells inside of a solid is held off the plane that the substep began above [-]."""


class Clearances(NamedTuple):
    """How far particles are known to be from all solids."""

    seen: NDArray[np.float64]
    """(particle_count, 3) where each was looked at [m]."""

    rooms: NDArray[np.float64]
    """(particle_count,) how far from there nothing is near, plus the drift of the solids then [m]."""


def make_clearances(particle_count: int) -> Clearances:
    """Return clearances that nothing is known of."""
    return Clearances(np.zeros((particle_count, 3)), np.full(particle_count, -np.inf))


@kernel(is_inlined=True)
def write_plane(rows, r, o, poses, n, offset, start):
    """Write the tangent plane of a contact with solid o, and where the solid has carried its start."""
    rows.solids[r] = o
    rows.normals[r, 0], rows.normals[r, 1], rows.normals[r, 2] = n
    rows.offsets[r] = offset
    ax, ay, az = into_axes(poses.t0, o, start[0], start[1], start[2])
    wx, wy, wz = out_of_axes(poses.t1, o, ax, ay, az)
    rows.anchors[r, 0] = wx + poses.t1[o, 9]
    rows.anchors[r, 1] = wy + poses.t1[o, 10]
    rows.anchors[r, 2] = wz + poses.t1[o, 11]


@kernel
def find_particle_contacts(solids, properties, motion, particles, slots, guess, emergence, clearances, rows):
    """Write a contact for every particle near a solid, in the order of the particles; return how many there are.

    Args:
        solids: shapes of all solids, see `Solids`
        properties: see `SolidProperties`
        motion: see `SolidMotion`
        particles: see `ParticleArrays`
        slots: (particle_count,)
        guess: (4 slot_count,) where particles are [m]
        emergence: how far what starts deep inside is led out in this substep [m]
        clearances: see `Clearances`, changed in place
        rows: see `ContactRows`; geometry and keys are overwritten, those beyond the capacity are only counted
    """
    poses, solid_count = motion.poses, solids.kinds.shape[0]
    count = 0
    for i in range(slots.shape[0]):
        if particles.is_fixed[i]:
            continue
        at = ROW * slots[i]
        x, y, z = guess[at], guess[at + 1], guess[at + 2]
        dx, dy, dz = x - clearances.seen[i, 0], y - clearances.seen[i, 1], z - clearances.seen[i, 2]
        room = clearances.rooms[i] - motion.drift
        if room > 0.0 and dx * dx + dy * dy + dz * dz < room * room:
            continue
        room = math.inf
        for o in range(solid_count):
            if not properties.is_projecting[o]:
                continue
            shell = properties.shells[o]
            ax, ay, az = into_axes(poses.t1, o, x, y, z)
            d, nx, ny, nz = distance_to(solids, o, ax, ay, az)
            room = min(room, d - (1.0 + REACH) * shell)
            if not d < (1.0 + REACH) * shell:
                continue
            place, start = (
                (ax, ay, az),
                (particles.starts[i, 0], particles.starts[i, 1], particles.starts[i, 2]),
            )
            kept = shell
            if d < 0.0:
                bx, by, bz = into_axes(poses.t0, o, start[0], start[1], start[2])
                outside, ux, uy, uz = distance_to(solids, o, bx, by, bz)
                if outside > 0.0 and d < -DEEP * shell:
                    d, nx, ny, nz, place = outside, ux, uy, uz, (bx, by, bz)
                elif outside <= 0.0:  # held there by a hand, or put there: led out slowly
                    kept = min(shell, outside + emergence)
            if count < rows.keys.shape[0]:
                rows.keys[count] = i * solid_count + o
                rows.points[count, 0], rows.points[count, 1:] = i, -1
                rows.weights[count, 0], rows.weights[count, 1:] = 1.0, 0.0
                rows.coefficients[count] = properties.frictions[o]
                n = out_of_axes(poses.t1, o, nx, ny, nz)
                offset = nx * place[0] + ny * place[1] + nz * place[2] - d + kept
                offset += n[0] * poses.t1[o, 9] + n[1] * poses.t1[o, 10] + n[2] * poses.t1[o, 11]
                write_plane(rows, count, o, poses, n, offset, start)
            count += 1
        clearances.seen[i, 0], clearances.seen[i, 1], clearances.seen[i, 2] = x, y, z
        clearances.rooms[i] = room + motion.drift
    return count


@kernel
def take_places(place_count, places, triangles, properties, first, rows):
    """Write contacts for places of edges and faces, see `PlaceArrays`, after the first ones."""
    for p in range(place_count):
        r = first + p
        rows.keys[r] = places.keys[p]
        rows.solids[r] = places.solids[p]
        rows.coefficients[r] = properties.frictions[places.solids[p]]
        rows.offsets[r] = places.offsets[p] + places.targets[p]
        rows.points[r, 3], rows.weights[r, 3] = -1, 0.0
        for c in range(3):
            weight = places.weights[p, c]
            rows.points[r, c] = triangles[places.faces[p], c] if weight != 0.0 else -1
            rows.weights[r, c] = weight
            rows.normals[r, c] = places.normals[p, c]
            rows.anchors[r, c] = places.anchors[p, c]


@kernel
def carry_on(old, old_end, rows, end):
    """Let contacts go on with the forces that they ended the last substep with; both stand in the order of their keys."""
    m = 0
    for r in range(end):
        key = rows.keys[r]
        while m < old_end and old.keys[m] < key:
            m += 1
        if m < old_end and old.keys[m] == key:
            rows.pressures[r] = old.pressures[m]
            for axis in range(3):
                rows.frictions[r, axis] = old.frictions[m, axis]
        else:
            rows.pressures[r] = 0.0
            for axis in range(3):
                rows.frictions[r, axis] = 0.0


@kernel
def carry_on_by_table(old, old_first, old_end, rows, first, end, table):
    """Do the same for contacts in any order; `table` (key_count,) is all -1 before and after."""
    for m in range(old_first, old_end):
        table[old.keys[m]] = m
    for r in range(first, end):
        m = table[rows.keys[r]]
        rows.pressures[r] = 0.0
        for axis in range(3):
            rows.frictions[r, axis] = 0.0
        if m >= 0:
            rows.pressures[r] = old.pressures[m]
            for axis in range(3):
                rows.frictions[r, axis] = old.frictions[m, axis]
            table[rows.keys[r]] = -1  # a second solid at the same edge begins with nothing
    for m in range(old_first, old_end):
        table[old.keys[m]] = -1
