"""Motion: particles after an edit move on as those before it did.

Theory: docs/theory/edits.md, eq. (T5). Means alone keep momentum when points are added, but not angular momentum: a
point between two others moves as their mean. Points that are given up or become one lose some of both. The particles
concerned are given what is missing as a common velocity and a turn about their centre of mass.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.edit.change import Change
from supple.kernel import cross, kernel
from supple.model.particles import Particles
from supple.model.room import fitted

FLATTEST = 1e-9
"""Moment of inertia over the largest one below which particles are not turned about its axis."""

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]


def moved_on(before: Particles, change: Change, masses: Floats, rest_positions: Floats) -> Particles:
    """Return the particles after an edit.

    Args:
        before: particles before it
        change: how the ones come from the others
        masses: (new particle_count,) [kg]
        rest_positions: (new particle_count, 3) [m]
    """
    particles = Particles(
        positions=change.carried(before.positions),
        velocities=change.carried(before.velocities),
        masses=masses,
        rest_positions=rest_positions,
    )
    particles.accelerations = change.carried(before.accelerations)
    particles.pushes = change.carried(before.pushes)
    particles.is_fixed = before.is_fixed[change.nearest]
    particles.is_fixed[change.mixed] = particles.is_fixed[change.revived] = False
    origins = _origins(change)
    make_up(particles, change.touched, momentum(before, origins), angular_momentum(before, origins))
    return particles


def grow(particles: Particles, change: Change, masses: Floats) -> None:
    """Let particles be those after an edit that leaves all of them their numbers, and adds some at the end.

    Args:
        particles: changed
        change: how those after come from those before
        masses: (new particle_count,) [kg]
    """
    count, old_count = change.new_count, change.old_count
    origins = _origins(change)
    had, had_spin = momentum(particles, origins), angular_momentum(particles, origins)
    copied = change.nearest[old_count:]
    rows = change.mixed
    for name in ("positions", "velocities", "rest_positions", "accelerations", "pushes"):
        array = fitted(getattr(particles, name), count)
        add_rows(copied, rows, change.mixed_from, change.mixed_weights, old_count, array)
        setattr(particles, name, array)
    particles.starts, particles.targets = fitted(particles.starts, count), fitted(particles.targets, count)
    particles.is_fixed = fitted(particles.is_fixed, count)
    particles.is_fixed[old_count:] = particles.is_fixed[copied]
    particles.is_fixed[rows] = False
    particles.masses = masses
    make_up(particles, change.touched, had, had_spin)


@kernel
def add_rows(copied, mixed, mixed_from, mixed_weights, first, array):
    """Write rows that are added at the end of an array: copies of others, or means, summed in the order of their entries.

    Args:
        copied: (added_count,) row that each new one is a copy of, unless it is a mean
        mixed: (mix_count,) rows that are means, one entry for each that they are a mean of
        mixed_from: (mix_count,) rows that they are a mean of
        mixed_weights: (mix_count,) their weights [-]
        first: the first new row
        array: (row_count, width) written from there on
    """
    for n in range(copied.shape[0]):
        for axis in range(array.shape[1]):
            array[first + n, axis] = array[copied[n], axis]
    for n in range(mixed.shape[0]):
        is_first = n == 0 or mixed[n] != mixed[n - 1]
        for axis in range(array.shape[1]):
            own = 0.0 if is_first else array[mixed[n], axis]
            array[mixed[n], axis] = own + mixed_weights[n] * array[mixed_from[n], axis]


def make_up(particles: Particles, points: Indices, had: Floats, had_spin: Floats) -> None:
    """Give some particles what they lack of the momentum (3,) and the angular momentum (3,) they had."""
    lost = had - momentum(particles, points)
    free = points[~particles.is_fixed[points]]
    if len(free):
        particles.velocities[free] += lost / particles.masses[free].sum()
        _restore_spin(particles, points, free, had_spin)


def _origins(change: Change) -> Indices:
    """Return the particles before that those touched come from: all but those that go on as they were."""
    is_origin, is_other = np.ones(change.old_count, np.bool_), np.zeros(change.new_count, np.bool_)
    is_other[change.touched] = is_other[change.revived] = True
    unmark_kept(change.nearest, is_other, is_origin)
    return np.flatnonzero(is_origin)


@kernel
def unmark_kept(nearest, is_other, is_origin):
    """Clear the marks (old_count,) of particles that go on as they were, given those (new_count,) of all others."""
    for i in range(nearest.shape[0]):
        if not is_other[i]:
            is_origin[nearest[i]] = False


def momentum(particles: Particles, points: Indices) -> Floats:
    """Return Σ m v of some particles, (3,) [kg·m/s]."""
    total: Floats = particles.masses[points] @ particles.velocities[points]
    return total


def angular_momentum(particles: Particles, points: Indices) -> Floats:
    """Return Σ m x × v of some particles, (3,) [kg·m²/s]."""
    total = np.zeros(3)
    add_spins(points, particles.masses, particles.positions, particles.velocities, total)
    return total


@kernel
def add_spins(points, masses, positions, velocities, total):
    """Add Σ m x × v of some particles, (count,), to the total (3,) [kg·m²/s]."""
    for n in range(points.shape[0]):
        i = points[n]
        spin = cross(
            (positions[i, 0], positions[i, 1], positions[i, 2]),
            (velocities[i, 0], velocities[i, 1], velocities[i, 2]),
        )
        for axis in range(3):
            total[axis] += masses[i] * spin[axis]


@kernel
def turn_by(omega, centre, points, positions, velocities):
    """Let some particles, (count,), turn about a centre (3,) [m] with the angular velocity ω (3,) [1/s] in addition."""
    turn = (omega[0], omega[1], omega[2])
    for n in range(points.shape[0]):
        i = points[n]
        arm = (
            positions[i, 0] - centre[0],
            positions[i, 1] - centre[1],
            positions[i, 2] - centre[2],
        )
        more = cross(turn, arm)
        for axis in range(3):
            velocities[i, axis] += more[axis]


def _restore_spin(particles: Particles, points: Indices, free: Indices, wanted: Floats) -> None:
    """Turn the free ones among some particles so that the angular momentum of all is `wanted` (3,)."""
    lack = wanted - angular_momentum(particles, points)
    masses = particles.masses[free]
    if len(free) < 3 or not lack.any():
        return
    points_at = particles.positions.take(free, axis=0)
    centre = masses @ points_at / masses.sum()
    arms = points_at - centre
    products = (masses[:, None] * arms).T @ arms
    moments, axes = np.linalg.eigh(products.trace() * np.eye(3) - products)
    # About an axis that all of them lie on nothing can be turned.
    is_loose = moments > FLATTEST * moments[2]
    turns = np.zeros(3)
    turns[is_loose] = (axes.T @ lack)[is_loose] / moments[is_loose]
    turn_by(axes @ turns, centre, free, particles.positions, particles.velocities)
