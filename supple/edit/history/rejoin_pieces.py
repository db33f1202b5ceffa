"""Rejoin pieces: pieces of a soft body that have moved apart are laid together before a cut is undone.

Theory: docs/theory/soft-cuts.md, eq. (Q4). To join them by force would strain elements to many times their size, which
explicit steps do not survive, and from which no body recovers soon.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from supple.edit.world.particle_change import ParticleChange
from supple.model.levels.embedding import embedded
from supple.model.levels.levels import level_elements
from supple.model.particles import Particles
from supple.model.world import World

Floats = NDArray[np.float64]

FARTHEST = 0.1
"""How much farther from their middle than at rest points that become one may be, over the cell of the finest level [-]."""

FARTHEST_OF_ONE = 1.0
"""The same for a body of one level, over the edge of its elements [-]: these are drawn together, with all their momentum."""

NEGLIGIBLE = 1e-6
"""Distance below which two rest positions are the same, over the cell of the finest level [-]."""


def rejoin_pieces(world: World, change: ParticleChange, split_bodies: list[str]) -> None:
    """Bring pieces back into the shape they had at rest, where the largest is, if they have moved apart.

    They then move as one with the momentum they had. What is held stays where it is.

    Args:
        world: its particles and levels are changed
        change: of the undo
        split_bodies: soft bodies that will be one, or one that was slit
    """
    if not split_bodies:
        return
    particles = world.particles
    is_own = np.zeros(particles.count, np.bool_)
    for name in split_bodies:
        is_own[world.bodies[name].particles] = True
    bodies = [world.levels[name] for name in split_bodies if name in world.levels]
    gaps = _gaps(particles, change)[is_own[change.interpolated_from]]
    farthest = FARTHEST * bodies[0].cell if bodies else FARTHEST_OF_ONE * _edge(world, split_bodies)
    if gaps.max(initial=0.0) <= farthest:
        return
    largest = max(
        split_bodies, key=lambda name: world.bodies[name].particles.stop - world.bodies[name].particles.start
    )
    own = world.bodies[largest].particles
    turn, shift = _pose(particles.rest_positions[own], particles.positions[own], particles.masses[own])
    velocity = _mean_velocity(particles.masses[is_own], particles.velocities[is_own])
    if bodies:
        velocity = _mean_velocity(
            np.concatenate([levels.masses for levels in bodies]),
            np.concatenate([levels.velocities for levels in bodies]),
        )
    free = is_own & ~particles.is_fixed
    if not particles.is_fixed[is_own].any():
        # What lies on something is flatter than at rest: it must not begin inside of what it lies on.
        laid = particles.rest_positions[is_own] @ turn.T + shift
        shift = shift + _lift(laid, particles.positions[own], world.gravity)
    particles.positions[free] = particles.rest_positions[free] @ turn.T + shift
    particles.velocities[free] = velocity
    for levels in bodies:
        is_free = ~levels.is_fixed
        levels.positions[is_free] = levels.rest[is_free] @ turn.T + shift
        levels.velocities[is_free] = velocity


def interpolate_moved_vertices(
    world: World, change: ParticleChange, split_bodies: list[str], rest: Floats
) -> ParticleChange:
    """Return the change of an undo in which vertices that the cut had moved are interpolated in the element around them.

    Args:
        world: before the cut is undone
        change: of the undo, by interpolation between particles alone
        split_bodies: as for `rejoin_pieces`
        rest: (new particle_count, 3) where the particles will be at rest [m]
    """
    if not split_bodies:
        return change
    own = world.particles.rest_positions
    is_off = (
        np.linalg.norm(change.interpolate(own) - rest, axis=1)
        > NEGLIGIBLE * world.levels[split_bodies[0]].cell
    )
    is_own, corners = np.zeros(change.old_count, np.bool_), []
    for name in split_bodies:
        span, levels = world.bodies[name].particles, world.levels[name]
        is_own[span] = True
        corners.append(level_elements(levels, levels.count - 1)[0].corners.astype(np.int64) + span.start)
    points = np.flatnonzero(is_off & is_own[change.nearest])
    if len(points) == 0:
        return change
    elements = np.concatenate(corners)
    held, weights = embedded(rest[points], own, elements)
    stays = ~np.isin(change.interpolated, points)
    interpolated = np.concatenate([change.interpolated[stays], np.repeat(points, 4)])
    order = np.argsort(interpolated, kind="stable")
    return replace(
        change,
        interpolated=interpolated[order],
        interpolated_from=np.concatenate([change.interpolated_from[stays], elements[held].ravel()])[order],
        interpolation_weights=np.concatenate([change.interpolation_weights[stays], weights.ravel()])[order],
    )


def _gaps(particles: Particles, change: ParticleChange) -> Floats:
    """Return how much farther than at rest particles are from the middle of those they merge with, (entry_count,) [m]."""
    gaps: Floats = np.zeros(len(change.interpolated))
    for values, sign in ((particles.positions, 1.0), (particles.rest_positions, -1.0)):
        ways = values[change.interpolated_from] - change.interpolate(values)[change.interpolated]
        gaps += sign * np.linalg.norm(ways, axis=1)
    return gaps


def _edge(world: World, names: list[str]) -> float:
    """Return the edge [m] of a regular tetrahedron as large as the elements of some bodies are on average."""
    volumes = np.concatenate([world.tetrahedra.volumes[world.bodies[name].tetrahedra] for name in names])
    return float(np.cbrt(6.0 * np.sqrt(2.0) * volumes.mean()))


def _mean_velocity(masses: Floats, velocities: Floats) -> Floats:
    """Return the velocity (3,) [m/s] that has the momentum of particles."""
    mean: Floats = masses @ velocities / masses.sum()
    return mean


def _lift(laid: Floats, positions: Floats, gravity: Floats) -> Floats:
    """Return the way up, (3,) [m], that brings the lowest point of `laid` (n, 3) [m] as high as that of `positions`."""
    strength = float(np.linalg.norm(gravity))
    if strength == 0.0:
        return np.zeros(3)
    up = -gravity / strength
    lift: Floats = max(0.0, float((positions @ up).min() - (laid @ up).min())) * up
    return lift


def _pose(rest: Floats, positions: Floats, masses: Floats) -> tuple[Floats, Floats]:
    """Return the rotation (3, 3) and the shift (3,) [m] that bring points at rest closest to where they are."""
    weights = masses / masses.sum()
    middle, place = weights @ rest, weights @ positions
    left, _, right = np.linalg.svd((weights[:, None] * (positions - place)).T @ (rest - middle))
    flip = np.array([1.0, 1.0, np.sign(np.linalg.det(left) * np.linalg.det(right))])
    turn: Floats = (left * flip) @ right
    return turn, place - turn @ middle
