"""Second order in time where nothing touches, first order elsewhere.

Theory: docs/theory/descent.md, eq. (N3). BDF2 takes velocities from three positions, so a point that was stopped by a
contact would be thrown back by its own past. A connected component that touches something is therefore moved by backward
Euler until two substeps after its last contact; the two formulas differ in the base b, the effective step h and the target.
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
def aim(particles, labels, inertia, step, is_past_known, past, slots, points):
    """Write targets, effective inertia and guess of a substep, and remember its start.

    Args:
        particles: bundle of the particles; targets are replaced where the order is two
        labels: (particle_count,) a particle that stands for the component
        inertia: (particle_count,) mass with ambient drag [kg]
        step: substep [s]
        is_past_known: whether `past` holds a substep of the same length
        past: changed in place
        slots: (particle_count,)
        points: `newton_system.Points`, overwritten
    """
    short = 2.0 * step / 3.0
    for i in range(slots.shape[0]):
        s = slots[i]
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
            points.guess[ROW * s + axis] = y


@kernel(is_inlined=True)
def row(array, i):
    """Return a row of three numbers."""
    return array[i, 0], array[i, 1], array[i, 2]


@kernel(is_inlined=True)
def plus(a, factor, b):
    """Return a + factor b of two 3-vectors."""
    return a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]


@kernel
def keep_spin(particles, members, step, past, slots, points):
    """Turn the targets of a free component so that inertia alone keeps its angular momentum.

    BDF2 extrapolates along straight lines, and so lets the angular momentum L grow with the square of the angle of a
    substep. L is Σ m b × q / h at its end, and is to be Σ m x × (v + h' a).

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
    for n in range(members.shape[0]):
        total += particles.masses[members[n]]
        centre = plus(centre, particles.masses[members[n]], row(past.bases, members[n]))
    centre = (centre[0] / total, centre[1] / total, centre[2] / total)
    lack = (0.0, 0.0, 0.0)
    inertia = np.zeros((3, 3))
    for n in range(members.shape[0]):
        i = members[n]
        m = particles.masses[i]
        base = row(past.bases, i)
        lack = plus(lack, m * h / step, cross(row(particles.starts, i), row(past.aims, i)))
        lack = plus(lack, -m, cross(base, row(particles.targets, i)))
        arm = plus(base, -1.0, centre)
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


@kernel
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
