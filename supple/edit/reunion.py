"""Reunion: pieces of a body of several levels that have gone apart are laid together before a cut is undone.

Theory: docs/theory/soft-cuts.md, eq. (Q4). To join them by force would strain elements many times their size, which the
explicit steps of levels do not survive.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.edit.change import Change
from supple.model.particles import Particles
from supple.model.world import World

Floats = NDArray[np.float64]

FARTHEST = 0.1
"""How much farther from their middle than at rest points that become one may be, over the cell of the finest level [-]."""


def lay_together(world: World, change: Change, parted: list[str]) -> None:
    """Bring pieces back into the shape they had at rest, where the largest is, if they have gone apart.

    They then move as one with the momentum they had. What is held stays where it is.

    Args:
        world: its particles and levels are changed
        change: the way back
        parted: bodies of several levels that will be one, or one that was slit
    """
    particles = world.particles
    is_own = np.zeros(particles.count, np.bool_)
    for name in parted:
        is_own[world.bodies[name].particles] = True
    bodies = [world.levels[name] for name in parted]
    gaps = _gaps(particles, change)[is_own[change.mixed_from]]
    if not bodies or gaps.max(initial=0.0) <= FARTHEST * bodies[0].cell:
        return
    largest = max(
        parted, key=lambda name: world.bodies[name].particles.stop - world.bodies[name].particles.start
    )
    own = world.bodies[largest].particles
    turn, shift = _pose(particles.rest_positions[own], particles.positions[own], particles.masses[own])
    mass = sum(float(levels.masses.sum()) for levels in bodies)
    velocity = sum((levels.masses @ levels.velocities for levels in bodies), np.zeros(3)) / mass
    free = is_own & ~particles.is_fixed
    particles.positions[free] = particles.rest_positions[free] @ turn.T + shift
    particles.velocities[free] = velocity
    for levels in bodies:
        is_free = ~levels.is_fixed
        levels.positions[is_free] = levels.rest[is_free] @ turn.T + shift
        levels.velocities[is_free] = velocity


def _gaps(particles: Particles, change: Change) -> Floats:
    """Return how much farther particles are from the middle of those they become one with than at rest, (mix_count,) [m]."""
    gaps: Floats = np.zeros(len(change.mixed))
    for values, sign in ((particles.positions, 1.0), (particles.rest_positions, -1.0)):
        ways = values[change.mixed_from] - change.carried(values)[change.mixed]
        gaps += sign * np.linalg.norm(ways, axis=1)
    return gaps


def _pose(rest: Floats, places: Floats, masses: Floats) -> tuple[Floats, Floats]:
    """Return the rotation (3, 3) and the shift (3,) [m] that bring points at rest closest to where they are."""
    weights = masses / masses.sum()
    middle, place = weights @ rest, weights @ places
    left, _, right = np.linalg.svd((weights[:, None] * (places - place)).T @ (rest - middle))
    flip = np.array([1.0, 1.0, np.sign(np.linalg.det(left) * np.linalg.det(right))])
    turn: Floats = (left * flip) @ right
    return turn, place - turn @ middle
