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

STIFFNESS_WEIGHT = 2.0
"""Substeps per decade of h² k / m at frame length."""


def adaptive_substeps(world: World, frame: float, fastest: float) -> int:
    """Return the number of substeps for the next frame.

    A particle should not pass more than one spring length in a substep, and the error in the
    direction of springs grows with h² k / m, which spans many decades: its logarithm counts.

    Args:
        world: what moves
        frame: duration of the frame [s]
        fastest: largest speed of a particle [m/s]
    """
    springs, particles = world.springs, world.particles
    if springs.count == 0:
        return 1
    ratio = frame * frame * float(springs.stiffness.max()) / float(particles.masses.mean())
    for_stiffness = STIFFNESS_WEIGHT * math.log10(1.0 + ratio)
    speed = fastest + frame * math.hypot(*world.gravity)
    for_speed = speed * frame / float(springs.rest_lengths.mean())
    wanted = max(for_stiffness, for_speed)
    return next((count for count in LADDER if count >= wanted), LADDER[-1])
