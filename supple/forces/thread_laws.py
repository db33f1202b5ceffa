"""Thread laws: threads that stiffen as they are pulled, and friction between them; also in bending.

Theory: docs/theory/membrane.md, eq. (M8) to (M10). Friction is a slider behind a spring: it follows the strain within its
reach and pulls with its limit beyond. Its slips are brought up to date once, at the start of a substep.
"""

from __future__ import annotations

import math

from supple.forces.membrane import SHORTEST, product, thread
from supple.forces.plates import curvature_vector, plate_normal
from supple.kernel import kernel
from supple.model.thread_laws import BENDING_REACH, REACH
from supple.simd import ROW

STRETCH_REACH, SHEAR_REACH = float(REACH[0]), float(REACH[2])


@kernel
def stiffened(strain, laws, e, side):
    """Return what stiffening adds to energy [J], pull and stiffness [N·m] of a thread of element e (M8).

    Args:
        strain: elongation of the thread [-]
        laws: `ThreadLaws`
        e: element
        side: 0 for warp, 1 for weft
    """
    energy = pull = stiffness = 0.0
    for bend in range(3):
        beyond = strain - (0.0 if bend == 0 else laws.knots[e, bend - 1])
        if beyond > 0.0:
            ramp = laws.ramps[e, side, bend]
            stiffness += ramp * beyond
            pull += 0.5 * ramp * beyond * beyond
            energy += ramp * beyond * beyond * beyond / 6.0
    return energy, pull, stiffness


@kernel
def rubbed(beyond, limit, reach):
    """Return the pull of friction whose strain is so far beyond its slip (M9)."""
    return limit * min(1.0, max(-1.0, beyond / reach))


@kernel
def thread_strains(positions, elements, e):
    """Return a, b and their lengths of element e."""
    a = thread(positions, elements.corners, elements.warp, e)
    b = thread(positions, elements.corners, elements.weft, e)
    return a, b, max(math.sqrt(product(a, a)), SHORTEST), max(math.sqrt(product(b, b)), SHORTEST)


@kernel
def add_thread_laws(positions, elements, laws, forces):
    """Add what stiffening and friction pull to the three particles of every element (M10).

    Args:
        positions: (particle_count, 3) [m]
        elements: `MembraneArrays`
        laws: `ThreadLaws` of all of them
        forces: (particle_count, 3) [N], added to in place
    """
    for e in range(laws.knots.shape[0]):
        a, b, long, wide = thread_strains(positions, elements, e)
        warp = stiffened(long - 1.0, laws, e, 0)[1]
        weft = stiffened(wide - 1.0, laws, e, 1)[1]
        warp += rubbed(long - 1.0 - laws.slips[e, 0], laws.limits[e, 0], STRETCH_REACH)
        weft += rubbed(wide - 1.0 - laws.slips[e, 1], laws.limits[e, 1], STRETCH_REACH)
        shear = rubbed(product(a, b) - laws.slips[e, 2], laws.limits[e, 2], SHEAR_REACH)
        for corner in range(3):
            i, u, v = elements.corners[e, corner], elements.warp[e, corner], elements.weft[e, corner]
            for axis in range(3):
                along = warp * a[axis] / long + shear * b[axis]
                across = weft * b[axis] / wide + shear * a[axis]
                forces[i, axis] -= u * along + v * across


@kernel
def thread_law_energy(positions, elements, laws):
    """Return the energy of stiffening, and what friction gives back when it is let go [J]."""
    energy = 0.0
    for e in range(laws.knots.shape[0]):
        a, b, long, wide = thread_strains(positions, elements, e)
        energy += stiffened(long - 1.0, laws, e, 0)[0] + stiffened(wide - 1.0, laws, e, 1)[0]
        for k in range(3):
            strain = long - 1.0 if k == 0 else (wide - 1.0 if k == 1 else product(a, b))
            reach = SHEAR_REACH if k == 2 else STRETCH_REACH
            share = min(1.0, abs(strain - laws.slips[e, k]) / reach)
            energy += 0.5 * laws.limits[e, k] * reach * share * share
    return energy


@kernel
def follow_slips(positions, elements, laws):
    """Let friction slip where strains have gone beyond its reach, and note how far beyond the slips they are.

    Args:
        positions: (particle_count, 3) at the start of a substep [m]
        elements: `MembraneArrays`
        laws: `ThreadLaws`; slips and starts are changed in place
    """
    for e in range(laws.knots.shape[0]):
        a, b, long, wide = thread_strains(positions, elements, e)
        for k in range(3):
            strain = long - 1.0 if k == 0 else (wide - 1.0 if k == 1 else product(a, b))
            reach = SHEAR_REACH if k == 2 else STRETCH_REACH
            beyond = min(reach, max(-reach, strain - laws.slips[e, k]))
            laws.slips[e, k] = strain - beyond
            laws.starts[e, k] = beyond


@kernel
def find_thread_laws(guess, triangles, laws):
    """Write what thread laws pull at the guess and how stiff they are, element by element, for the Newton system.

    The stiffness of friction is that between the start of the substep and the guess: nothing where it goes on slipping.

    Args:
        guess: (4 slot_count,) [m]
        triangles: `Triangles`; pulls and stiffness are overwritten
        laws: `ThreadLaws`
    """
    room, w = triangles.rates.shape[0], triangles.weights
    for e in range(laws.knots.shape[0]):
        i, j, k = (
            ROW * triangles.corners[e],
            ROW * triangles.corners[room + e],
            ROW * triangles.corners[2 * room + e],
        )
        aa = bb = ab = 0.0
        for axis in range(3):
            x, y = guess[j + axis] - guess[i + axis], guess[k + axis] - guess[i + axis]
            a = w[e] * x + w[room + e] * y
            b = w[2 * room + e] * x + w[3 * room + e] * y
            aa, bb, ab = aa + a * a, bb + b * b, ab + a * b
        for n in range(3):
            strain = ab if n == 2 else math.sqrt(aa if n == 0 else bb) - 1.0
            reach = SHEAR_REACH if n == 2 else STRETCH_REACH
            pull = stiffness = 0.0
            if n < 2:
                _, pull, stiffness = stiffened(strain, laws, e, n)
            limit, start = laws.limits[e, n], laws.starts[e, n]
            if limit > 0.0:
                beyond = strain - laws.slips[e, n]
                friction, way = rubbed(beyond, limit, reach), beyond - start
                pull += friction
                if abs(way) > 1e-9 * reach:
                    stiffness += max(0.0, (friction - rubbed(start, limit, reach)) / way)
                else:
                    stiffness += limit / reach
            triangles.pulls[n * room + e] = pull
            triangles.stiffness[n * room + e] = stiffness


@kernel
def normal_curvature(positions, plates, p, k, n):
    """Return curvature k of plate p along its normal n [1/m]."""
    d = curvature_vector(positions, plates, p, k)
    return d[0] * n[0] + d[1] * n[1] + d[2] * n[2]


@kernel
def follow_plate_slips(positions, plates, friction):
    """Let the friction of plates slip where curvatures have gone beyond its reach; `PlateFriction.slips` is changed."""
    for p in range(friction.limits.shape[0]):
        n = plate_normal(positions, plates, p)
        for k in range(3):
            bent = normal_curvature(positions, plates, p, k, n)
            friction.slips[p, k] = bent - min(BENDING_REACH, max(-BENDING_REACH, bent - friction.slips[p, k]))


@kernel
def plate_friction_energy(positions, plates, friction):
    """Return what the friction of plates gives back when it is let go [J]."""
    energy = 0.0
    for p in range(friction.limits.shape[0]):
        n = plate_normal(positions, plates, p)
        for k in range(3):
            beyond = normal_curvature(positions, plates, p, k, n) - friction.slips[p, k]
            share = min(1.0, abs(beyond) / BENDING_REACH)
            energy += 0.5 * friction.limits[p, k] * BENDING_REACH * share * share
    return energy


@kernel
def add_plate_friction(positions, plates, friction, is_in_matrix, forces):
    """Add the force of friction of every plate to its points, along the normal (M9).

    Args:
        positions: (particle_count, 3) [m]
        plates: `PlateArrays`
        friction: `PlateFriction`
        is_in_matrix: whether a constant matrix resists curvature with limit over reach already: that is taken off
        forces: (particle_count, 3) [N], added to in place
    """
    for p in range(friction.limits.shape[0]):
        n = plate_normal(positions, plates, p)
        for k in range(3):
            limit = friction.limits[p, k]
            if limit == 0.0:
                continue
            d = curvature_vector(positions, plates, p, k)
            bent = d[0] * n[0] + d[1] * n[1] + d[2] * n[2]
            moment = rubbed(bent - friction.slips[p, k], limit, BENDING_REACH)
            share = limit / BENDING_REACH if is_in_matrix else 0.0
            for a in range(6):
                i, w = plates.points[p, a], plates.weights[p, k, a]
                for axis in range(3):
                    forces[i, axis] -= w * (moment * n[axis] - share * d[axis])
