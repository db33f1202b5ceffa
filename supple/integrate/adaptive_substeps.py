"""Adaptive substeps: as many as the stiffness and the fastest particle ask for.

Theory: docs/theory/integrators.md, eq. (I9). Kang 2000 stresses that the step may change at
any time; here it changes from frame to frame, between the values of a ladder, so that an
integrator which precomputes can remember a few of them.
"""

from __future__ import annotations

import math

from supple.model.world import World

LADDER = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
"""Numbers of substeps that are used."""

CONTACT_SUBSTEPS = 8
"""Least substeps of soft bodies that may touch something: contact and elasticity take turns."""

STIFFNESS_WEIGHT = 2.0
"""Substeps per decade of h² k / m at frame length."""


def rungs(wanted: int) -> tuple[int, ...]:
    """Return the numbers of substeps that may be taken instead of `wanted`, ascending, itself the last."""
    return (*(count for count in LADDER if count < wanted), wanted)


def adaptive_substeps(world: World, frame: float, fastest: float) -> int:
    """Return the number of substeps for the next frame.

    A particle should not pass more than one spring length in a substep, and the error in the
    direction of springs grows with h² k / m, which spans many decades: its logarithm counts.

    Args:
        world: what moves
        frame: duration of the frame [s]
        fastest: largest speed of a particle [m/s]
    """
    springs, elements, particles = world.springs, world.tetrahedra, world.particles
    ratio, length = 0.0, math.inf
    if springs.count:
        ratio = frame * frame * float(springs.stiffness.max()) / float(particles.masses.mean())
        length = float(springs.rest_lengths.mean())
        for fabric in world.fabrics.values():
            if fabric.has_elements:
                stiffest = float(fabric.moduli[:, :2].max())
                ratio = max(ratio, frame * frame * stiffest / float(particles.masses.mean()))
    if elements.count:
        # What a spring is to a cloth, a wave that crosses an element is to a soft body.
        size = math.pow(12.0 * float(elements.volumes.mean()), 1.0 / 3.0)  # of a lattice cell
        used = slice(int(elements.corners.min()), int(elements.corners.max()) + 1)
        density = float(particles.masses[used].sum()) / float(elements.volumes.sum())
        modulus = float((2.0 * elements.shear_moduli + elements.lame_moduli).max())
        ratio = max(ratio, frame * frame * modulus / (density * size * size))
        length = min(length, size)
    for_stiffness = STIFFNESS_WEIGHT * math.log10(1.0 + ratio)
    speed = fastest + frame * math.hypot(*world.gravity)
    wanted = max(for_stiffness, speed * frame / length)
    if elements.count and world.has_obstacles:
        wanted = max(wanted, CONTACT_SUBSTEPS)
    return next((count for count in LADDER if count >= wanted), LADDER[-1])
