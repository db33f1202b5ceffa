"""Contacts inside the Newton step: unilateral, with Coulomb friction, by carried multipliers.

Theory: docs/theory/descent.md, eq. (N4). A contact holds a place of a body, p = Σ w q, off a plane with normal n:

    g = n·p - c,    λ' = max(0, λ - κ g),    f = λ' n - t,    t = clamp(τ + κ u, μ λ')                        (N4)

with u the displacement of the place along the plane, seen from what it touches, since the start of the substep; λ and τ
what the last substeps have found (an augmented Lagrangian), and κ a multiple of the inertia of the place. A contact only
pushes; where it presses on, λ converges to the true force and g to zero, whatever κ is. A place may be one particle, or lie
on an edge or a face.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.collide.obstacles.particle_contact import add_reaction
from supple.kernel import add_scaled, kernel
from supple.simd import ROW

STIFFNESS = 10.0
"""κ over the inertia m / h² of the place, and what a soft body resists there [-]."""

SURFACE_SHARE = 0.02
"""Share of that resistance that counts where two surfaces touch [-]. They are coupled by the contact alone, which the cycle
of the linear solve does not see: stiffer contacts need more iterations than there are, and stacks tremble."""

HOLDS = 0.02
"""How far forces may miss what a Newton step has counted on, in shares of them, for it to be the last [-]."""

CORNERS = 4
"""Most particles that a contact acts on."""


class ContactRows(NamedTuple):
    """Contacts of one Newton step; only the first ones are in use."""

    keys: NDArray[np.int64]
    """(capacity,) which contact it is, the same in the next substep."""

    points: NDArray[np.int64]
    """(capacity, 4) particles, -1 where a place has fewer."""

    weights: NDArray[np.float64]
    """(capacity, 4) w [-]; between two surfaces those of the second are negative"""

    solids: NDArray[np.int64]
    """(capacity,) solid that is touched, -1 for another surface."""

    normals: NDArray[np.float64]
    """(capacity, 3) n [-]"""

    offsets: NDArray[np.float64]
    """(capacity,) c [m]"""

    anchors: NDArray[np.float64]
    """(capacity, 3) where the solid has carried the place at which the substep began [m]."""

    coefficients: NDArray[np.float64]
    """(capacity,) μ [-]"""

    stiffness: NDArray[np.float64]
    """(capacity,) κ [N/m]"""

    least_stiffness: NDArray[np.float64]
    """(capacity,) what κ is at least [N/m]."""

    pressures: NDArray[np.float64]
    """(capacity,) λ as carried [N]."""

    frictions: NDArray[np.float64]
    """(capacity, 3) τ as carried [N]."""

    pushes: NDArray[np.float64]
    """(capacity,) λ' at the guess [N]."""

    holds: NDArray[np.float64]
    """(capacity,) stiffness of friction at the guess [N/m]."""

    slips: NDArray[np.float64]
    """(capacity, 3) s, where the contact slips at the guess, times the root of that stiffness; 0 if it sticks."""


def make_rows(capacity: int) -> ContactRows:
    """Return room for contacts."""
    return ContactRows(
        keys=np.zeros(capacity, dtype=np.int64),
        points=np.full((capacity, CORNERS), -1, dtype=np.int64),
        weights=np.zeros((capacity, CORNERS)),
        solids=np.zeros(capacity, dtype=np.int64),
        normals=np.zeros((capacity, 3)),
        offsets=np.zeros(capacity),
        anchors=np.zeros((capacity, 3)),
        coefficients=np.zeros(capacity),
        stiffness=np.zeros(capacity),
        least_stiffness=np.zeros(capacity),
        pressures=np.zeros(capacity),
        frictions=np.zeros((capacity, 3)),
        pushes=np.zeros(capacity),
        holds=np.zeros(capacity),
        slips=np.zeros((capacity, 3)),
    )


def lets_slip(number: int) -> bool:
    """Return whether friction that slips keeps its size in Newton step `number`, whatever the step changes (N14).

    Its secant, which the others take, is safe: it never reverses a slip. But it hardly lets go: of the way that a contact
    lacks a step makes up for a tenth. In the first step pressures are a guess; a slip that is reversed is noticed in the
    next.
    """
    return number % 2 == 1


@kernel
def stiffness_of(rows, r, points, slots):
    """Return κ of a contact: a multiple of 1 / Σ (w² / (m / h² + K)); 0 if everything it acts on is held.

    K is what a soft body resists at the point: a contact that gives way more easily than the body would let it sink in.
    """
    give = 0.0
    counted = 1.0 if rows.solids[r] >= 0 else SURFACE_SHARE
    for corner in range(CORNERS):
        i = rows.points[r, corner]
        if i >= 0:
            s = slots[i]
            square = points.freedom[s] * rows.weights[r, corner] ** 2
            give += square / (points.inertia[s] + counted * points.resistance[s])
    if not give > 0.0:
        return 0.0
    return max(STIFFNESS / give, rows.least_stiffness[r])


@kernel
def place_of(rows, r, vector, slots):
    """Return Σ w q of a vector with four numbers a slot."""
    x = y = z = 0.0
    for corner in range(CORNERS):
        i = rows.points[r, corner]
        if i >= 0:
            at, w = ROW * slots[i], rows.weights[r, corner]
            x += w * vector[at]
            y += w * vector[at + 1]
            z += w * vector[at + 2]
    return x, y, z


@kernel
def contact_force(rows, r, p):
    """Return λ', the friction t (3) and its stiffness, with the place at p."""
    nx, ny, nz = rows.normals[r, 0], rows.normals[r, 1], rows.normals[r, 2]
    kappa = rows.stiffness[r]
    push = rows.pressures[r] - kappa * (p[0] * nx + p[1] * ny + p[2] * nz - rows.offsets[r])
    if not push > 0.0 or kappa == 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    tx = rows.frictions[r, 0] + kappa * (p[0] - rows.anchors[r, 0])
    ty = rows.frictions[r, 1] + kappa * (p[1] - rows.anchors[r, 1])
    tz = rows.frictions[r, 2] + kappa * (p[2] - rows.anchors[r, 2])
    along = tx * nx + ty * ny + tz * nz
    tx, ty, tz = tx - along * nx, ty - along * ny, tz - along * nz
    length, most = math.sqrt(tx * tx + ty * ty + tz * tz), rows.coefficients[r] * push
    if length > most:
        scale = most / length
        return push, tx * scale, ty * scale, tz * scale, kappa * scale
    return push, tx, ty, tz, kappa


@kernel
def add_contacts(rows, first, end, slots, points, lets_slip):
    """Add the forces of contacts at the guess and their stiffness to gradient and diagonal blocks; return how many press.

    The stiffness w wᵀ of a place between particles is bounded by its sums of rows, so that no block outside of the diagonal
    is needed; `add_couplings` gives conjugate gradients the difference.
    """
    n = points.inertia.shape[0]
    pressing = 0
    for r in range(first, end):
        rows.stiffness[r] = stiffness_of(rows, r, points, slots)
        p = place_of(rows, r, points.guess, slots)
        push, tx, ty, tz, hold = contact_force(rows, r, p)
        rows.pushes[r], rows.holds[r] = push, hold
        if push == 0.0:
            continue
        pressing += 1
        sx = sy = sz = 0.0
        if lets_slip and 0.0 < hold < rows.stiffness[r]:  # does not grow along its direction (N14)
            scale = math.sqrt(hold / (tx * tx + ty * ty + tz * tz))
            sx, sy, sz = scale * tx, scale * ty, scale * tz
        rows.slips[r, 0], rows.slips[r, 1], rows.slips[r, 2] = sx, sy, sz
        nx, ny, nz = rows.normals[r, 0], rows.normals[r, 1], rows.normals[r, 2]
        stiff = rows.stiffness[r] - hold
        total = total_weight(rows, r)
        for corner in range(CORNERS):
            i = rows.points[r, corner]
            if i < 0:
                continue
            s, w = slots[i], rows.weights[r, corner]
            points.outer[ROW * s] += w * (tx - push * nx)
            points.outer[ROW * s + 1] += w * (ty - push * ny)
            points.outer[ROW * s + 2] += w * (tz - push * nz)
            bound = abs(w) * total
            points.outer_blocks[s] += bound * (hold + stiff * nx * nx - sx * sx)
            points.outer_blocks[n + s] += bound * (stiff * nx * ny - sx * sy)
            points.outer_blocks[2 * n + s] += bound * (stiff * nx * nz - sx * sz)
            points.outer_blocks[3 * n + s] += bound * (hold + stiff * ny * ny - sy * sy)
            points.outer_blocks[4 * n + s] += bound * (stiff * ny * nz - sy * sz)
            points.outer_blocks[5 * n + s] += bound * (hold + stiff * nz * nz - sz * sz)
    return pressing


@kernel
def total_weight(rows, r):
    """Return Σ |w| of a contact."""
    total = 0.0
    for corner in range(CORNERS):
        total += abs(rows.weights[r, corner])
    return total


@kernel
def add_couplings(rows, first, end, slots, freedom, z, hz):
    """Add to H z what contacts between several particles differ by from their bound on the diagonal."""
    for r in range(first, end):
        push = rows.pushes[r]
        if push == 0.0:
            continue
        nx, ny, nz = rows.normals[r, 0], rows.normals[r, 1], rows.normals[r, 2]
        sx, sy, sz = rows.slips[r, 0], rows.slips[r, 1], rows.slips[r, 2]
        hold = rows.holds[r]
        stiff = rows.stiffness[r] - hold
        p = place_of(rows, r, z, slots)
        total = total_weight(rows, r)
        for corner in range(CORNERS):
            i = rows.points[r, corner]
            if i < 0:
                continue
            s, w = slots[i], rows.weights[r, corner]
            bound = abs(w) * total
            vx, vy, vz = (
                w * p[0] - bound * z[ROW * s],
                w * p[1] - bound * z[ROW * s + 1],
                w * p[2] - bound * z[ROW * s + 2],
            )
            along = stiff * (nx * vx + ny * vy + nz * vz)
            slip = sx * vx + sy * vy + sz * vz
            free = freedom[s]
            hz[ROW * s] += np.float32(free * (hold * vx + along * nx - slip * sx))
            hz[ROW * s + 1] += np.float32(free * (hold * vy + along * ny - slip * sy))
            hz[ROW * s + 2] += np.float32(free * (hold * vz + along * nz - slip * sz))


@kernel
def forces_hold(rows, end, slots, guess, solution, may_slip):
    """Tell whether contacts give the forces, after a Newton step, that its linear model has counted on.

    They do not where something begins to touch, to slip or to stick, or turns while it slips: then another step is due. It
    is due as well where something slips and no step has let it yet (`may_slip`): by the secant alone it would creep.
    """
    missed = total = 0.0
    for r in range(end):
        p, d = place_of(rows, r, guess, slots), place_of(rows, r, solution, slots)
        push, tx, ty, tz, hold = contact_force(rows, r, p)
        after, ux, uy, uz, held = contact_force(rows, r, (p[0] + d[0], p[1] + d[1], p[2] + d[2]))
        if push == 0.0 and after == 0.0:
            continue
        if not may_slip and 0.0 < held < rows.stiffness[r]:
            return False
        nx, ny, nz = rows.normals[r, 0], rows.normals[r, 1], rows.normals[r, 2]
        along = d[0] * nx + d[1] * ny + d[2] * nz
        expected = push
        if push > 0.0:
            expected -= rows.stiffness[r] * along
            sx, sy, sz = rows.slips[r, 0], rows.slips[r, 1], rows.slips[r, 2]
            slip = sx * d[0] + sy * d[1] + sz * d[2]
            tx += hold * (d[0] - along * nx) - slip * sx
            ty += hold * (d[1] - along * ny) - slip * sy
            tz += hold * (d[2] - along * nz) - slip * sz
        missed += (after - expected) ** 2 + (ux - tx) ** 2 + (uy - ty) ** 2 + (uz - tz) ** 2
        total += after * after
    return missed <= HOLDS * HOLDS * total


@kernel
def end_contacts(rows, end, slots, guess, solution, step, contacts, sums, reactions):
    """Take over the forces that contacts ended with, and tell particles and obstacles of them.

    Args:
        rows: contacts; pressures and frictions are overwritten
        end: how many there are
        slots: (particle_count,)
        guess: (4 slot_count,) of the last Newton step [m]
        solution: (4 slot_count,) what it added [m]
        step: substep [s]
        contacts: `ParticleContacts`; `touched` is set
        sums: (particle_count, 3) force times squared substep [kg·m], added to
        reactions: (solid_count, 6) [kg·m, kg·m²], added to
    """
    for r in range(end):
        a, b = place_of(rows, r, guess, slots), place_of(rows, r, solution, slots)
        x, y, z = a[0] + b[0], a[1] + b[1], a[2] + b[2]
        push, tx, ty, tz, _ = contact_force(rows, r, (x, y, z))
        rows.pressures[r] = push
        rows.frictions[r, 0], rows.frictions[r, 1], rows.frictions[r, 2] = tx, ty, tz
        if push == 0.0:
            continue
        o = rows.solids[r]
        nx, ny, nz = rows.normals[r, 0], rows.normals[r, 1], rows.normals[r, 2]
        force = (push * nx - tx, push * ny - ty, push * nz - tz)
        for corner in range(CORNERS):
            i = rows.points[r, corner]
            if i >= 0:
                contacts.touched[i] = o
                add_scaled(sums, i, force, step * step * rows.weights[r, corner])
        add_reaction(reactions, o, step * step, x, y, z, force[0], force[1], force[2])
