"""Motion: particles after an edit move on as those before it did.

Theory: docs/theory/edits.md, eq. (T5). Means alone keep momentum when points are added, but not angular momentum: a
point between two others moves as their mean. Points that are given up or become one lose some of both. The particles
concerned are given what is missing as a common velocity and a turn about their centre of mass.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.edit.change import Change
from supple.model.particles import Particles
from supple.model.room import fitted

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
    _make_up(particles, change.touched, momentum(before, origins), angular_momentum(before, origins))
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
    rows, first = change.mixed, np.flatnonzero(np.diff(change.mixed, prepend=-1))
    for name in ("positions", "velocities", "rest_positions", "accelerations", "pushes"):
        array = fitted(getattr(particles, name), count)
        array[old_count:] = array[copied]
        if len(rows):
            # Sums in the order of the entries, as `Change.carried` takes them.
            array[rows[first]] = 0.0
            np.add.at(array, rows, change.mixed_weights[:, None] * array[change.mixed_from])
        setattr(particles, name, array)
    particles.starts, particles.targets = fitted(particles.starts, count), fitted(particles.targets, count)
    particles.is_fixed = fitted(particles.is_fixed, count)
    particles.is_fixed[old_count:] = particles.is_fixed[copied]
    particles.is_fixed[rows] = False
    particles.masses = masses
    _make_up(particles, change.touched, had, had_spin)


def _make_up(particles: Particles, points: Indices, had: Floats, had_spin: Floats) -> None:
    """Give some particles what they lack of the momentum (3,) and the angular momentum (3,) they had."""
    lost = had - momentum(particles, points)
    free = points[~particles.is_fixed[points]]
    if len(free):
        particles.velocities[free] += lost / particles.masses[free].sum()
        _restore_spin(particles, points, free, had_spin)


def _origins(change: Change) -> Indices:
    """Return the particles before that those touched come from: all but those that go on as they were."""
    is_origin, is_same = np.ones(change.old_count, np.bool_), np.ones(change.new_count, np.bool_)
    is_same[change.touched] = is_same[change.revived] = False
    is_origin[change.nearest[is_same]] = False
    return np.flatnonzero(is_origin)


def momentum(particles: Particles, points: Indices) -> Floats:
    """Return Σ m v of some particles, (3,) [kg·m/s]."""
    total: Floats = particles.masses[points] @ particles.velocities[points]
    return total


def angular_momentum(particles: Particles, points: Indices) -> Floats:
    """Return Σ m x × v of some particles, (3,) [kg·m²/s]."""
    spins = np.cross(particles.positions[points], particles.velocities[points])
    total: Floats = (particles.masses[points, None] * spins).sum(axis=0)
    return total


def _restore_spin(particles: Particles, points: Indices, free: Indices, wanted: Floats) -> None:
    """Turn the free ones among some particles so that the angular momentum of all is `wanted` (3,)."""
    lack = wanted - angular_momentum(particles, points)
    masses = particles.masses[free]
    if len(free) < 3 or not lack.any():
        return
    arms = particles.positions[free] - masses @ particles.positions[free] / masses.sum()
    inertia = (masses * (arms**2).sum(axis=1)).sum() * np.eye(3) - (masses[:, None] * arms).T @ arms
    particles.velocities[free] += np.cross(np.linalg.pinv(inertia, rcond=1e-9, hermitian=True) @ lack, arms)
