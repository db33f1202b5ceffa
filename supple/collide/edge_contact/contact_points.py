"""Places of cloth that edges of solids hold up: pushed out, with friction, and what they carry from substep to substep.

Theory: docs/theory/obstacles.md, eq. (O25) and (O26).
"""

from __future__ import annotations

import math

import numpy as np

from supple.collide.obstacles.particle_contact import add_reaction
from supple.kernel import add_scaled, kernel
from supple.model.particles import PUSHED


@kernel(counts_references=False)
def lift_places(
    count, faces, solids, weights, normals, offsets, anchors, targets, extras, pushes, rubs, triangles, frictions,
    is_weighed, masses, is_fixed, touched, reactions, moves, shifts, positions,
):  # fmt: skip
    """Move the corners of triangles until every place that was found is outside, with friction.

    Args:
        count: how many places there are
        faces: (capacity,) triangle of each place
        solids: (capacity,) which solid
        weights: (capacity, 3) of the corners
        normals: (capacity, 3) of the tangent plane
        offsets: (capacity,) [m]
        anchors: (capacity, 3) [m]
        targets: (capacity,) [m], distance that each place keeps
        extras: (capacity,) [m], how much of that is still to be given back without a velocity, changed in place
        pushes: (capacity,) [kg·m], what each place carries, changed in place
        rubs: (capacity,) [m], how far friction has held it back, changed in place
        triangles: (triangle_count, 3) particles
        frictions: (solid_count,) Coulomb coefficients
        is_weighed: (solid_count,) whether anybody wants to know what the solid receives
        masses: (particle_count,) [kg]
        is_fixed: (particle_count,)
        touched: (particle_count,) solid in contact in this substep, changed in place
        reactions: (solid_count, 6) [kg·m, kg·m²], what the solids receive, added to in place
        moves: (particle_count, 3) [m], what contact did to the particles in this substep, added to in place
        shifts: (particle_count, 3) [m], moves that are to give no velocity, added to in place
        positions: (particle_count, 3) [m], moved in place

    Returns:
        Whether anything was moved.
    """
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
        held = min(slip, max(frictions[o] * give * pushes[n] - rubs[n], 0.0))
        rubs[n] += held
        share = held / slip if slip > 0.0 else 0.0
        g = (lack * nx - share * sx, lack * ny - share * sy, lack * nz - share * sz)
        for corner in range(3):
            i = triangles[f, corner]
            if is_fixed[i] or weights[n, corner] == 0.0:
                continue
            part = weights[n, corner] / (masses[i] * give)
            if is_weighed[o]:
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


@kernel(counts_references=False)
def give_last_pushes(
    count, faces, solids, weights, normals, pushes, befores, rubs, scale, triangles, is_weighed, masses, is_fixed, stillness,
    loads, reactions, targets,
):  # fmt: skip
    """Add what places carried in the last substep to where inertia leads, and mark their corners as pushed.

    A blow lasts one substep, a load lasts: no more goes on than twice the push before the last (K8).

    Args:
        count: how many places there are
        faces: (capacity,) triangle of each place
        solids: (capacity,) which solid
        weights: (capacity, 3) of the corners
        normals: (capacity, 3) of the tangent plane
        pushes: (capacity,) [kg·m], overwritten with what goes on
        befores: (capacity,) [kg·m], those of the substep before, overwritten
        rubs: (capacity,) [m], overwritten with nothing
        scale: square of this substep over the last one
        triangles: (triangle_count, 3) particles
        is_weighed: (solid_count,) whether anybody wants to know what the solid receives
        masses: (particle_count,) [kg]
        is_fixed: (particle_count,)
        stillness: (particle_count,) of `Stillness`, which would hide from a corner that it is pushed, changed in place
        loads: (particle_count,) FREE, NEAR or PUSHED, changed in place
        reactions: (solid_count, 6) [kg·m, kg·m²], what the solids receive, added to in place
        targets: (particle_count, 3) [m], added to
    """
    for n in range(count):
        push = pushes[n]
        kept = scale * min(push, 2.0 * befores[n])
        befores[n], pushes[n], rubs[n] = push, kept, 0.0
        if push <= 0.0:
            continue
        for corner in range(3):
            i, w = triangles[faces[n], corner], weights[n, corner]
            if w != 0.0 and not is_fixed[i]:
                loads[i] = PUSHED
                stillness[i] = 0.0
                way = kept * w / masses[i]
                x, y, z = way * normals[n, 0], way * normals[n, 1], way * normals[n, 2]
                if is_weighed[solids[n]]:
                    add_reaction(
                        reactions, solids[n], masses[i], targets[i, 0], targets[i, 1], targets[i, 2], x, y, z
                    )
                add_scaled(targets, i, (x, y, z), 1.0)


@kernel(counts_references=False)
def hand_on(
    old_count, old_keys, old_pushes, old_befores, old_rubs, count, keys, slots, pushes, befores, rubs
):  # fmt: skip
    """Let places go on with what the same side or face carried.

    Args:
        old_count: how many places there were
        old_keys: (capacity,) side or face of each
        old_pushes: (capacity,) [kg·m]
        old_befores: (capacity,) [kg·m]
        old_rubs: (capacity,) [m]
        count: how many places there are
        keys: (capacity,) side or face of each
        slots: (side_count + triangle_count,) all -1, and so they are afterwards
        pushes: (capacity,) [kg·m], overwritten, as are all that follow
        befores: (capacity,) [kg·m]
        rubs: (capacity,) [m]
    """
    for n in range(old_count):
        slots[old_keys[n]] = n
    for n in range(count):
        m = slots[keys[n]]
        pushes[n] = befores[n] = rubs[n] = 0.0
        if m >= 0:
            pushes[n], befores[n], rubs[n] = old_pushes[m], old_befores[m], old_rubs[m]
            slots[keys[n]] = -1  # a second solid at the same side begins with nothing
    for n in range(old_count):
        slots[old_keys[n]] = -1


class Places:
    """Places of cloth that solids hold up."""

    KEPT = ("faces", "keys", "solids", "weights", "normals", "pushes", "befores")
    """What the next substep needs of the last one."""

    def __init__(self, capacity: int) -> None:
        """Make room for some."""
        self.count = 0
        self.faces, self.keys, self.solids = (np.zeros(capacity, dtype=np.int64) for _ in range(3))
        self.weights, self.normals, self.anchors = (np.zeros((capacity, 3)) for _ in range(3))
        self.offsets, self.targets, self.extras = (np.zeros(capacity) for _ in range(3))
        self.pushes, self.befores, self.rubs = (np.zeros(capacity) for _ in range(3))
