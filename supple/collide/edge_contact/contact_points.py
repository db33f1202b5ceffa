"""Places of cloth that edges of solids hold up: pushed out, with friction, and what they carry from substep to substep.

Theory: docs/theory/obstacles.md, eq. (O25) and (O26).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.collide.obstacles.particle_contact import add_reaction
from supple.kernel import add_scaled, kernel


class PlaceArrays(NamedTuple):
    """Places of cloth that solids hold up; only the first ones are in use, see `Places`."""

    faces: NDArray[np.int64]
    """(capacity,) triangle of each place."""

    keys: NDArray[np.int64]
    """(capacity,) which side, or which face after all sides."""

    solids: NDArray[np.int64]
    """(capacity,) which solid."""

    weights: NDArray[np.float64]
    """(capacity, 3) barycentric weights of the corners."""

    normals: NDArray[np.float64]
    """(capacity, 3) of the tangent plane."""

    offsets: NDArray[np.float64]
    """(capacity,) normal times a place on the surface [m]."""

    anchors: NDArray[np.float64]
    """(capacity, 3) where the solid has carried the place at which the substep began [m]."""

    targets: NDArray[np.float64]
    """(capacity,) distance that each place is to keep [m]."""

    extras: NDArray[np.float64]
    """(capacity,) how much of that is still to be given back without a velocity [m]."""

    pushes: NDArray[np.float64]
    """(capacity,) what each place carries [kg·m]."""

    befores: NDArray[np.float64]
    """(capacity,) what it carried in the substep before [kg·m]."""

    rubs: NDArray[np.float64]
    """(capacity,) how far friction has held it back [m]."""


@kernel(counts_references=False, is_entry=True)
def lift_places(count, places, triangles, properties, particles, contacts, reactions, shifts):
    """Move the corners of triangles until every place that was found is outside, with friction.

    Args:
        count: how many places there are
        places: see `PlaceArrays`, changed in place
        triangles: (triangle_count, 3) particles
        properties: see `SolidProperties`
        particles: see `ParticleArrays`; positions are moved in place
        contacts: see `ParticleContacts`, changed in place
        reactions: (solid_count, 6) [kg·m, kg·m²], what the solids receive, added to in place
        shifts: (particle_count, 3) [m], moves that are to give no velocity, added to in place

    Returns:
        Whether anything was moved.
    """
    faces, solids, weights, normals = places.faces, places.solids, places.weights, places.normals
    offsets, anchors, targets, extras = places.offsets, places.anchors, places.targets, places.extras
    pushes, rubs, touched, moves = places.pushes, places.rubs, contacts.touched, contacts.displacements
    positions, masses, is_fixed = particles.positions, particles.masses, particles.is_fixed
    has_moved = False
    for n in range(count):
        f, o = faces[n], solids[n]
        x = y = z = give = 0.0
        for corner in range(3):
            i, w = triangles[f, corner], weights[n, corner]
            x, y, z = x + w * positions[i, 0], y + w * positions[i, 1], z + w * positions[i, 2]
            if not is_fixed[i]:
                give += w * w / masses[i]
        nx, ny, nz = normals[n, 0], normals[n, 1], normals[n, 2]
        if not give > 0.0:
            continue
        lack = targets[n] - (nx * x + ny * y + nz * z - offsets[n])
        lack = max(lack, -give * pushes[n])
        if lack == 0.0:
            continue
        has_moved = True
        regained = max(min(lack, extras[n]), 0.0)
        extras[n] -= regained
        pushes[n] += lack / give
        sx, sy, sz = x - anchors[n, 0], y - anchors[n, 1], z - anchors[n, 2]
        normal = sx * nx + sy * ny + sz * nz
        sx, sy, sz = sx - normal * nx, sy - normal * ny, sz - normal * nz
        slip = math.sqrt(sx * sx + sy * sy + sz * sz)
        held = min(slip, max(properties.frictions[o] * give * pushes[n] - rubs[n], 0.0))
        rubs[n] += held
        share = held / slip if slip > 0.0 else 0.0
        g = (lack * nx - share * sx, lack * ny - share * sy, lack * nz - share * sz)
        for corner in range(3):
            i = triangles[f, corner]
            if is_fixed[i] or weights[n, corner] == 0.0:
                continue
            part = weights[n, corner] / (masses[i] * give)
            if properties.wants_reaction[o]:
                add_reaction(
                    reactions, o, masses[i], positions[i, 0], positions[i, 1], positions[i, 2],
                    part * g[0], part * g[1], part * g[2],
                )  # fmt: skip
            add_scaled(positions, i, g, part)
            add_scaled(moves, i, g, part)
            add_scaled(shifts, i, (nx, ny, nz), part * regained)
            if touched[i] < 0:
                touched[i] = o
    return has_moved


@kernel(counts_references=False, is_entry=True)
def give_last_pushes(
    count, places, scale, triangles, wants_reaction, particles, reactions
):  # fmt: skip
    """Add what places carried in the last substep to where inertia leads.

    A blow lasts one substep, a load lasts: no more goes on than twice the push before the last.

    Args:
        count: how many places there are
        places: see `PlaceArrays`, changed in place
        scale: square of this substep over the last one
        triangles: (triangle_count, 3) particles
        wants_reaction: (solid_count,) whether the reaction on the solid is summed up
        particles: see `ParticleArrays`; targets are added to
        reactions: (solid_count, 6) [kg·m, kg·m²], what the solids receive, added to in place
    """
    faces, solids, weights, normals = places.faces, places.solids, places.weights, places.normals
    pushes, befores, rubs = places.pushes, places.befores, places.rubs
    masses, is_fixed, targets = particles.masses, particles.is_fixed, particles.targets
    for n in range(count):
        push = pushes[n]
        kept = scale * min(push, 2.0 * befores[n])
        befores[n], pushes[n], rubs[n] = push, kept, 0.0
        if push <= 0.0:
            continue
        for corner in range(3):
            i, w = triangles[faces[n], corner], weights[n, corner]
            if w != 0.0 and not is_fixed[i]:
                way = kept * w / masses[i]
                x, y, z = way * normals[n, 0], way * normals[n, 1], way * normals[n, 2]
                if wants_reaction[solids[n]]:
                    add_reaction(
                        reactions, solids[n], masses[i], targets[i, 0], targets[i, 1], targets[i, 2], x, y, z
                    )
                add_scaled(targets, i, (x, y, z), 1.0)


@kernel(counts_references=False, is_entry=True)
def hand_on(old_count, old, count, new, slots):
    """Let places go on with what the same side or face carried.

    Args:
        old_count: how many places there were
        old: see `PlaceArrays`
        count: how many places there are
        new: see `PlaceArrays`; pushes, befores and rubs are overwritten
        slots: (side_count + triangle_count,) all -1, and so they are afterwards
    """
    for n in range(old_count):
        slots[old.keys[n]] = n
    for n in range(count):
        m = slots[new.keys[n]]
        new.pushes[n] = new.befores[n] = new.rubs[n] = 0.0
        if m >= 0:
            new.pushes[n], new.befores[n], new.rubs[n] = old.pushes[m], old.befores[m], old.rubs[m]
            slots[new.keys[n]] = -1  # a second solid at the same side begins with nothing
    for n in range(old_count):
        slots[old.keys[n]] = -1


class Places:
    """Places of cloth that solids hold up."""

    KEPT = ("faces", "keys", "solids", "weights", "normals", "pushes", "befores")
    """What the next substep needs of the last one."""

    def __init__(self, capacity: int) -> None:
        """Make room for some."""
        self.count = 0
        self.capacity = capacity
        faces, keys, solids = (np.zeros(capacity, dtype=np.int64) for _ in range(3))
        weights, normals, anchors = (np.zeros((capacity, 3)) for _ in range(3))
        offsets, targets, extras, pushes, befores, rubs = (np.zeros(capacity) for _ in range(6))
        self.arrays = PlaceArrays(
            faces, keys, solids, weights, normals, offsets, anchors, targets, extras, pushes, befores, rubs
        )
