"""Transfer motion: particles after an edit get the motion of those before it, with the same momentum.

Theory: docs/theory/edits.md, eq. (T5). Interpolation alone keeps momentum when points are added, but not angular
momentum: a point between two others moves as their mean. Points that are dropped or merged lose some of both. The
changed particles are given what is missing as a common velocity and a rotation about their centre of mass.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from supple.edit.world.particle_change import ParticleChange
from supple.kernel import cross, kernel
from supple.model.particles import Particles
from supple.model.tables.growable import resized

LEAST_MOMENT_RATIO = 1e-9
"""Moment of inertia over the largest one below which particles are not rotated about its axis."""

MOST_ROUNDS = 12
"""Rounds in which principal axes are found; each squares what is left beside the diagonal, so a few are enough."""

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]


def transfer_motion(
    before: Particles, change: ParticleChange, masses: Floats, rest_positions: Floats
) -> Particles:
    """Return the particles after an edit.

    Args:
        before: particles before it
        change: how the ones come from the others
        masses: (new particle_count,) [kg]
        rest_positions: (new particle_count, 3) [m]
    """
    particles = Particles(
        positions=change.interpolate(before.positions),
        velocities=change.interpolate(before.velocities),
        masses=masses,
        rest_positions=rest_positions,
    )
    particles.accelerations = change.interpolate(before.accelerations)
    particles.pushes = change.interpolate(before.pushes)
    particles.is_fixed = before.is_fixed[change.nearest]
    particles.is_fixed[change.interpolated] = particles.is_fixed[change.restored] = False
    origins = _origins(change)
    restore_momentum(particles, change.changed_particles, momentum_of(before, origins))
    return particles


def append_particles(particles: Particles, change: ParticleChange, masses: Floats) -> None:
    """Append the particles that an edit adds at the end; all others keep their numbers.

    Args:
        particles: changed
        change: how those after come from those before
        masses: (new particle_count,) [kg]
    """
    count, old_count = change.new_count, change.old_count
    origins = _origins(change)
    had = momentum_of(particles, origins)
    copied = change.nearest[old_count:]
    rows = change.interpolated
    for name in ("positions", "velocities", "rest_positions", "accelerations", "pushes"):
        array = resized(getattr(particles, name), count)
        add_rows(copied, rows, change.interpolated_from, change.interpolation_weights, old_count, array)
        setattr(particles, name, array)
    for name in ("starts", "targets"):
        setattr(particles, name, resized(getattr(particles, name), count))
    particles.is_fixed = resized(particles.is_fixed, count)
    particles.is_fixed[old_count:] = particles.is_fixed[copied]
    particles.is_fixed[rows] = False
    particles.masses = masses
    restore_momentum(particles, change.changed_particles, had)


@kernel
def add_rows(copied, interpolated, interpolated_from, interpolation_weights, first, array):
    """Write rows that are added at the end of an array: copies of others, or means, summed in the order of their entries.

    Args:
        copied: (added_count,) row that each new one is a copy of, unless it is a mean
        interpolated: (entry_count,) rows that are means, one entry for each that they are a mean of
        interpolated_from: (entry_count,) rows that they are a mean of
        interpolation_weights: (entry_count,) their weights [-]
        first: the first new row
        array: (row_count, width) written from there on
    """
    for n in range(copied.shape[0]):
        for axis in range(array.shape[1]):
            array[first + n, axis] = array[copied[n], axis]
    for n in range(interpolated.shape[0]):
        is_first = n == 0 or interpolated[n] != interpolated[n - 1]
        for axis in range(array.shape[1]):
            own = 0.0 if is_first else array[interpolated[n], axis]
            array[interpolated[n], axis] = own + interpolation_weights[n] * array[interpolated_from[n], axis]


def restore_momentum(particles: Particles, points: Indices, had: Floats) -> None:
    """Restore the momentum and the angular momentum, (6,), that some particles had."""
    add_missing_momentum(
        points, particles.is_fixed, particles.masses, particles.positions, had,
        np.zeros(6), np.zeros((3, 3)), np.zeros((3, 3)), particles.velocities,
    )  # fmt: skip


def _origins(change: ParticleChange) -> Indices:
    """Return the particles before that changed ones come from: all but those that stay as they were."""
    is_origin, is_other = np.ones(change.old_count, np.bool_), np.zeros(change.new_count, np.bool_)
    is_other[change.changed_particles] = is_other[change.restored] = True
    unmark_unchanged(change.nearest, is_other, is_origin)
    return np.flatnonzero(is_origin)


@kernel
def unmark_unchanged(nearest, is_other, is_origin):
    """Clear the marks (old_count,) of particles that stay as they were, given those (new_count,) of all others."""
    for i in range(nearest.shape[0]):
        if not is_other[i]:
            is_origin[nearest[i]] = False


def momentum_of(particles: Particles, points: Indices) -> Floats:
    """Return Σ m v [kg·m/s] and Σ m x × v [kg·m²/s] of some particles, (6,)."""
    total = np.zeros(6)
    add_momentum(points, particles.masses, particles.positions, particles.velocities, total)
    return total


@kernel
def add_momentum(points, masses, positions, velocities, total):
    """Add Σ m v and Σ m x × v of some particles, (count,), to the total (6,) [kg·m/s, kg·m²/s]."""
    for n in range(points.shape[0]):
        i = points[n]
        spin = cross(
            (positions[i, 0], positions[i, 1], positions[i, 2]),
            (velocities[i, 0], velocities[i, 1], velocities[i, 2]),
        )
        for axis in range(3):
            total[axis] += masses[i] * velocities[i, axis]
            total[3 + axis] += masses[i] * spin[axis]


@kernel
def centre_of_mass(points, is_fixed, masses, positions):
    """Return the centre of mass (x, y, z) [m] of the free ones among some particles, their mass [kg] and their number."""
    mass, free_count = 0.0, 0
    x, y, z = 0.0, 0.0, 0.0
    for i in points:
        if not is_fixed[i]:
            mass += masses[i]
            x += masses[i] * positions[i, 0]
            y += masses[i] * positions[i, 1]
            z += masses[i] * positions[i, 2]
            free_count += 1
    if free_count == 0:
        return (0.0, 0.0, 0.0), mass, free_count
    return (x / mass, y / mass, z / mass), mass, free_count


@kernel
def missing_rotation(missing, products, axes):
    """Return the angular velocity (x, y, z) [1/s] that has a given angular momentum.

    Args:
        missing: (3,) the angular momentum [kg·m²/s]
        products: (3, 3) Σ m r rᵀ about the centre of mass [kg·m²]; used up
        axes: (3, 3) scratch
    """
    trace = products[0, 0] + products[1, 1] + products[2, 2]
    principal_axes(products, axes)
    # The moment of inertia about an axis is what is spread out across it.
    largest = 0.0
    for n in range(3):
        largest = max(largest, trace - products[n, n])
    omega_x, omega_y, omega_z = 0.0, 0.0, 0.0
    for n in range(3):
        moment = trace - products[n, n]
        # About an axis that all particles lie on nothing can be rotated.
        if moment > LEAST_MOMENT_RATIO * largest:
            lack = 0.0
            for axis in range(3):
                lack += axes[axis, n] * missing[axis]
            omega_x += axes[0, n] * lack / moment
            omega_y += axes[1, n] * lack / moment
            omega_z += axes[2, n] * lack / moment
    return (omega_x, omega_y, omega_z)


@kernel
def add_missing_momentum(points, is_fixed, masses, positions, had, has, products, axes, velocities):
    """Add a common velocity and a rotation to the free ones among some particles, so that all have the momentum they had.

    Args:
        points: (count,) particles
        is_fixed: (particle_count,) which are held
        masses: (particle_count,) [kg]
        positions: (particle_count, 3) [m]
        had: (6,) momentum and angular momentum that they are to have, see `add_momentum`
        has: (6,) zeros; scratch
        products: (3, 3) zeros; scratch
        axes: (3, 3) scratch
        velocities: (particle_count, 3) [m/s], changed
    """
    add_momentum(points, masses, positions, velocities, has)
    centre, mass, free_count = centre_of_mass(points, is_fixed, masses, positions)
    if free_count == 0:
        return
    for i in points:
        if not is_fixed[i]:
            for axis in range(3):
                velocities[i, axis] += (had[axis] - has[axis]) / mass
            arm = (positions[i, 0] - centre[0], positions[i, 1] - centre[1], positions[i, 2] - centre[2])
            for a in range(3):
                for b in range(3):
                    products[a, b] += masses[i] * arm[a] * arm[b]
    if free_count < 3:
        return
    has[:] = 0.0
    add_momentum(points, masses, positions, velocities, has)
    missing = (had[3] - has[3], had[4] - has[4], had[5] - has[5])
    omega = missing_rotation(missing, products, axes)
    for i in points:
        if not is_fixed[i]:
            arm = (positions[i, 0] - centre[0], positions[i, 1] - centre[1], positions[i, 2] - centre[2])
            more = cross(omega, arm)
            for axis in range(3):
                velocities[i, axis] += more[axis]


@kernel
def principal_axes(matrix, axes):
    """Turn a symmetric matrix (3, 3) to its principal axes, which are written as columns (3, 3): Jacobi's eigenvalue method.

    Each rotation makes one entry off the diagonal zero and the others no larger on the whole; a few rounds leave round-off.
    """
    for a in range(3):
        for b in range(3):
            axes[a, b] = 1.0 if a == b else 0.0
    for _ in range(MOST_ROUNDS):
        beside = abs(matrix[0, 1]) + abs(matrix[0, 2]) + abs(matrix[1, 2])
        if beside <= 1e-18 * (matrix[0, 0] + matrix[1, 1] + matrix[2, 2]):
            return
        for a in range(2):
            for b in range(a + 1, 3):
                if matrix[a, b] == 0.0:
                    continue
                ratio = 0.5 * (matrix[b, b] - matrix[a, a]) / matrix[a, b]
                tangent = 1.0 / (abs(ratio) + math.sqrt(ratio * ratio + 1.0))
                tangent = tangent if ratio >= 0.0 else -tangent
                cosine = 1.0 / math.sqrt(tangent * tangent + 1.0)
                sine = tangent * cosine
                for k in range(3):
                    first, second = matrix[k, a], matrix[k, b]
                    matrix[k, a], matrix[k, b] = (
                        cosine * first - sine * second,
                        sine * first + cosine * second,
                    )
                for k in range(3):
                    first, second = matrix[a, k], matrix[b, k]
                    matrix[a, k], matrix[b, k] = (
                        cosine * first - sine * second,
                        sine * first + cosine * second,
                    )
                    first, second = axes[k, a], axes[k, b]
                    axes[k, a], axes[k, b] = cosine * first - sine * second, sine * first + cosine * second
