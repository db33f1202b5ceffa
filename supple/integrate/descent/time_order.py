"""Second order in time where nothing touches, first order elsewhere.

Theory: docs/theory/descent.md, eq. (N3). BDF2 takes velocities from three positions, so a point that was stopped by a
contact would be thrown back by its own past. A connected component that touches something is therefore moved by backward
Euler until two substeps after its last contact; the two formulas differ in the base b, the effective step h and the target.
Of a soft body only the points that touch are: it would hardly rebound else. When it has become calm, all of it is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.constrain.momentum import solve_inertia
from supple.kernel import cross, dot, kernel
from supple.simd import ROW

WAIT = 2
"""Substeps without contact after which a component is moved with second order again."""

CALM = 5.0
"""Speed below which a soft body that touches something is moved by backward Euler altogether [-], in shares of what gravity
adds in a substep: contacts that come and go stir it up by about as much."""


IMPERFECTION = 1.0e-15
"""How far the guesses of a substep are put aside, times a whole number up to 128 that differs from point to point [m].

Cloth that is pushed together in its plane buckles, but nothing would ever lead a sheet out of a plane in which all its
points lie to the last digit: a flat one that is sewn together stayed flat and stretched. What is left of this grows where,
and only where, the sheet is about to buckle."""


class Past(NamedTuple):
    """What the next substep needs of the last ones."""

    positions: NDArray[np.float64]
    """(particle_count, 3) x', at the start of the last substep [m]."""

    velocities: NDArray[np.float64]
    """(particle_count, 3) v' [m/s]"""

    bases: NDArray[np.float64]
    """(particle_count, 3) b [m]"""

    rates: NDArray[np.float64]
    """(particle_count,) 1 / h [1/s]"""

    aims: NDArray[np.float64]
    """(particle_count, 3) h' (v + h' a), where inertia and what acts from outside lead at first order [m]."""

    waits: NDArray[np.int64]
    """(particle_count,) substeps that a component has to wait, in the entry of the particle that labels it."""


def make_past(particle_count: int) -> Past:
    """Return a past in which nothing is known."""
    positions, velocities, bases, aims = (np.zeros((particle_count, 3)) for _ in range(4))
    waits = np.full(particle_count, WAIT, dtype=np.int64)
    return Past(positions, velocities, bases, np.zeros(particle_count), aims, waits)


@kernel
def find_waiting(velocities, components, soft_points, slow, past, fastest, waiting):
    """Write for every point of a soft body whom it waits for: itself, or a point of its body that does if the body is calm.

    Args:
        velocities: (particle_count, 3) [m/s]
        components: (particle_count,) a particle that stands for the component
        soft_points: (soft_point_count,) points of soft bodies
        slow: speed below which a body is calm [m/s]
        past: `Past`
        fastest: (particle_count,) scratch: largest squared speed of a component [m²/s²]
        waiting: (particle_count,) entries of soft points are overwritten
    """
    for n in range(soft_points.shape[0]):
        fastest[components[soft_points[n]]] = 0.0
        waiting[components[soft_points[n]]] = -1
    for n in range(soft_points.shape[0]):
        i = soft_points[n]
        leader = components[i]
        speed = velocities[i, 0] ** 2 + velocities[i, 1] ** 2 + velocities[i, 2] ** 2
        fastest[leader] = max(fastest[leader], speed)
        if waiting[leader] < 0 and past.waits[i] > 0:
            waiting[leader] = i
    for n in range(soft_points.shape[0]):
        i = soft_points[n]
        leader = components[i]
        if i != leader:
            is_calm = fastest[leader] < slow * slow and waiting[leader] >= 0
            waiting[i] = waiting[leader] if is_calm else i
    for n in range(soft_points.shape[0]):
        leader = components[soft_points[n]]
        if waiting[leader] < 0 or fastest[leader] >= slow * slow:
            waiting[leader] = leader


@kernel(is_entry=True)
def aim(particles, labels, inertia, gravity, accelerations, step, is_past_known, past, slots, points):
    """Write targets, effective inertia and guess of a substep, and remember its start.

    The guess of what touches something is held up by what bore it in the last substep (N17): what rests starts where it is.

    Args:
        particles: bundle of the particles; targets are replaced where the order is two
        labels: (particle_count,) a particle that stands for the component
        inertia: (particle_count,) mass with ambient drag [kg]
        gravity: (3,) [m/s²]
        accelerations: (particle_count, 3) of the last substep by all but gravity and drag [m/s²]
        step: substep [s]
        is_past_known: whether `past` holds a substep of the same length
        past: changed in place
        slots: (particle_count,)
        points: `newton_system.Points`, overwritten
    """
    short = 2.0 * step / 3.0
    square = gravity[0] ** 2 + gravity[1] ** 2 + gravity[2] ** 2
    for i in range(slots.shape[0]):
        s = slots[i]
        borne = 0.0
        if past.waits[labels[i]] > 0 and square > 0.0 and not particles.is_fixed[i]:
            along = -(
                gravity[0] * accelerations[i, 0]
                + gravity[1] * accelerations[i, 1]
                + gravity[2] * accelerations[i, 2]
            )
            borne = step * step * min(max(along / square, 0.0), 1.0)
        is_second = is_past_known and past.waits[labels[i]] == 0 and not particles.is_fixed[i]
        h = short if is_second else step
        past.rates[i] = 1.0 / h
        points.inertia[s] = inertia[i] / (h * h)
        for axis in range(3):
            x, v, y = particles.starts[i, axis], particles.velocities[i, axis], particles.targets[i, axis]
            base = x
            past.aims[i, axis] = y - x
            if is_second:
                base = (4.0 * x - past.positions[i, axis]) / 3.0
                rate = (4.0 * v - past.velocities[i, axis]) / 3.0
                outer = y - x - step * v
                y = base + h * rate + (4.0 / 9.0) * outer
                particles.targets[i, axis] = y
            past.bases[i, axis] = base
            past.positions[i, axis] = x
            past.velocities[i, axis] = v
            points.targets[ROW * s + axis] = y
            points.guess[ROW * s + axis] = y - borne * gravity[axis]
            if not particles.is_fixed[i]:
                points.guess[ROW * s + axis] += IMPERFECTION * ((1103 * i + 367 * axis) % 257 - 128)


@kernel(is_inlined=True)
def row(array, i):
    """Return a row of three numbers."""
    return array[i, 0], array[i, 1], array[i, 2]


@kernel(is_inlined=True)
def plus(a, factor, b):
    """Return a + factor b of two 3-vectors."""
    return a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]


@kernel(is_inlined=True)
def scaled(a, factor):
    """Return factor a of a 3-vector."""
    return factor * a[0], factor * a[1], factor * a[2]


@kernel
def keep_spin(particles, members, step, past, slots, points):
    """Turn the targets of a free component so that inertia alone keeps its angular momentum.

    BDF2 extrapolates along straight lines, and so lets the angular momentum L grow with the square of the angle of a
    substep. L is Σ m b × q / h at its end, and is to be Σ m x × (v + h' a), both about the centre of mass: what the centre
    itself does is right already, and its own share would be taken for spin wherever it falls along a curve.

    Args:
        particles: bundle of the particles; targets are changed in place
        members: (member_count,) particles of the component, which is moved with second order
        step: substep h' [s]
        past: of `aim`
        slots: (particle_count,)
        points: `newton_system.Points`; targets and guess are changed in place
    """
    h = 1.0 / past.rates[members[0]]
    total, centre = 0.0, (0.0, 0.0, 0.0)
    start, way, goal = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for n in range(members.shape[0]):
        i = members[n]
        m = particles.masses[i]
        total += m
        centre = plus(centre, m, row(past.bases, i))
        start = plus(start, m, row(particles.starts, i))
        way = plus(way, m, row(past.aims, i))
        goal = plus(goal, m, row(particles.targets, i))
    centre, start = scaled(centre, 1.0 / total), scaled(start, 1.0 / total)
    way, goal = scaled(way, 1.0 / total), scaled(goal, 1.0 / total)
    lack = (0.0, 0.0, 0.0)
    inertia = np.zeros((3, 3))
    for n in range(members.shape[0]):
        i = members[n]
        m = particles.masses[i]
        arm = plus(row(past.bases, i), -1.0, centre)
        before = cross(plus(row(particles.starts, i), -1.0, start), plus(row(past.aims, i), -1.0, way))
        lack = plus(lack, m * h / step, before)
        lack = plus(lack, -m, cross(arm, plus(row(particles.targets, i), -1.0, goal)))
        for a in range(3):
            inertia[a, a] += m * dot(arm, arm)
            for b in range(3):
                inertia[a, b] -= m * arm[a] * arm[b]
    omega = solve_inertia(inertia, lack)
    for n in range(members.shape[0]):
        i = members[n]
        turn = cross(omega, plus(row(past.bases, i), -1.0, centre))
        for axis in range(3):
            particles.targets[i, axis] += turn[axis]
            points.targets[ROW * slots[i] + axis] = particles.targets[i, axis]
            points.guess[ROW * slots[i] + axis] = particles.targets[i, axis]


@kernel(is_entry=True)
def take_velocities(particles, accelerations, labels, is_touching, step, past):
    """Take velocities from where particles have come; what touches something does so by backward Euler.

    Args:
        particles: bundle of the particles; velocities are overwritten
        accelerations: (particle_count, 3) overwritten [m/s²]
        labels: (particle_count,) a particle that stands for the component
        is_touching: (particle_count,) whether a contact acted on the particle in this substep
        step: substep [s]
        past: of `aim`; waits are changed in place
    """
    for i in range(labels.shape[0]):
        if labels[i] == i and past.waits[i] > 0:
            past.waits[i] -= 1
    for i in range(labels.shape[0]):
        if is_touching[i]:
            past.waits[labels[i]] = WAIT
    rate = 1.0 / step
    for i in range(labels.shape[0]):
        is_first = past.waits[labels[i]] == WAIT
        for axis in range(3):
            q = particles.positions[i, axis]
            accelerations[i, axis] = rate * rate * (q - particles.targets[i, axis])
            if is_first:
                particles.velocities[i, axis] = rate * (q - particles.starts[i, axis])
            else:
                particles.velocities[i, axis] = past.rates[i] * (q - past.bases[i, axis])
