"""Springs: energy, force, and the parts of the force that the filter and Kang's sweeps need."""

from __future__ import annotations

import math

from supple.kernel import add_scaled, difference, dot, kernel, norm


@kernel
def spring_energy(positions, springs):
    """Return the elastic energy of all springs [J], Σ ½ k (|d| - L)².

    Theory: docs/theory/springs.md, eq. (S1).
    """
    energy = 0.0
    for s in range(springs.ends.shape[0]):
        d = difference(positions, springs.ends[s, 0], springs.ends[s, 1])
        stretch = norm(d) - springs.rest_lengths[s]
        energy += 0.5 * springs.stiffness[s] * stretch * stretch
    return energy


@kernel(is_entry=True)
def add_spring_forces(positions, velocities, springs, forces):
    """Add the pull of every damped spring to the two particles it joins.

    Theory: docs/theory/springs.md, eq. (S2).

        f_i = -(k (|d| - L) + c (d · w) / |d|) d / |d|,    f_j = -f_i

    Damping acts along the spring only, so cloth that turns or falls as a rigid sheet loses no
    energy to it. The loop is serial: springs share particles, and the sum must not depend on
    thread order. A spring of zero length has no direction and is skipped.

    Symbols: d = x_i - x_j, w = v_i - v_j, L rest length, k stiffness, c damping.

    Args:
        positions: (particle_count, 3) [m]
        velocities: (particle_count, 3) [m/s]
        springs: `SpringArrays`
        forces: (particle_count, 3) [N], added to in place
    """
    for s in range(springs.ends.shape[0]):
        i, j = springs.ends[s, 0], springs.ends[s, 1]
        d = difference(positions, i, j)
        length = norm(d)
        if length == 0.0:
            continue
        stretch_rate = dot(d, difference(velocities, i, j)) / length
        pull = springs.stiffness[s] * (length - springs.rest_lengths[s]) + springs.damping[s] * stretch_rate
        add_scaled(forces, i, d, -pull / length)
        add_scaled(forces, j, d, +pull / length)


@kernel
def add_constant_spring_forces(directions, ends, tensions, factor, forces):
    """Add the part of every spring force that keeps its length k L and only turns.

    Theory: docs/theory/springs.md, eq. (S4), after Desbrun 1999 §3.3.

        f_i = +k L n,    f_j = -f_i

    with n the direction of the spring where the predictor expects it. Where the predictor
    puts both ends on one spot there is no direction, and the force is left out.

    Args:
        directions: (particle_count, 3) [m], positions that give n
        ends: (spring_count, 2) particle indices
        tensions: (spring_count,) [N], k L
        factor: scale of what is added
        forces: (particle_count, 3), added to in place
    """
    for s in range(ends.shape[0]):
        i, j = ends[s, 0], ends[s, 1]
        n = difference(directions, i, j)
        length2 = dot(n, n)
        if length2 > 0.0:
            along = factor * tensions[s] / math.sqrt(length2)
            add_scaled(forces, i, n, along)
            add_scaled(forces, j, n, -along)


@kernel(is_entry=True)
def add_coasting_damping(guess, starts, directions, springs, step, factor, forces):
    """Add the damping that every spring would feel on its way from the start to the guess.

    Theory: docs/theory/springs.md, eq. (S5).

        f_i = -(c / h) (n (n · (d_p - d_x)) + d_z - d_p),    f_j = -f_i

    As far as the directions p reach only motion along the spring counts, so rigid turning is
    free. From there to the guess z damping is that of the step matrix, the same across as along:
    the matrix takes it back exactly, and a body at rest hangs alike with any damping.

    Symbols: d = x_i - x_j of the starts (x), the directions (p) and the guess (z), n the unit
    vector of d_p, h step.

    Args:
        guess: (particle_count, 3) [m], where the substep is expected to end
        starts: (particle_count, 3) [m]
        directions: (particle_count, 3) [m], positions that give n
        springs: `SpringArrays`
        step: substep [s]
        factor: scale of what is added
        forces: (particle_count, 3), added to in place
    """
    for s in range(springs.ends.shape[0]):
        i, j = springs.ends[s, 0], springs.ends[s, 1]
        n = difference(directions, i, j)
        length2 = dot(n, n)
        push = -factor * springs.damping[s] / step
        if length2 > 0.0:
            along = push * (1.0 - dot(n, difference(starts, i, j)) / length2)
            add_scaled(forces, i, n, along)
            add_scaled(forces, j, n, -along)
        z = difference(guess, i, j)
        ahead = (z[0] - n[0], z[1] - n[1], z[2] - n[2])
        add_scaled(forces, i, ahead, push)
        add_scaled(forces, j, ahead, -push)


@kernel
def largest_stretch(positions, ends, rest_lengths, kind):
    """Return the largest length over rest length among the stretch springs (kind 0), at least 0."""
    largest = 0.0
    for s in range(ends.shape[0]):
        if kind[s] == 0:
            ratio = norm(difference(positions, ends[s, 0], ends[s, 1])) / rest_lengths[s]
            if not ratio <= largest:
                largest = ratio
    return largest
