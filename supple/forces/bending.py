"""Bending: energy and force of the bending elements."""

from __future__ import annotations

from supple.kernel import add_scaled, kernel, norm


@kernel
def bending_vector(positions, points, weights, b):
    """Return d = Σ w_a x_a of one bending element as a tuple."""
    x = 0.0
    y = 0.0
    z = 0.0
    for a in range(4):
        i = points[b, a]
        w = weights[b, a]
        x += w * positions[i, 0]
        y += w * positions[i, 1]
        z += w * positions[i, 2]
    return (x, y, z)


@kernel
def bending_energy(positions, bends):
    """Return the energy of all bending elements [J], Σ ½ k (|d| - L)².

    Theory: docs/theory/bending.md, eq. (B1).
    """
    energy = 0.0
    for b in range(bends.points.shape[0]):
        bent = norm(bending_vector(positions, bends.points, bends.weights, b)) - bends.rest_lengths[b]
        energy += 0.5 * bends.stiffness[b] * bent * bent
    return energy


@kernel(is_entry=True)
def add_bending_forces(positions, bends, forces):
    """Add the force of every bending element to its particles.

    Theory: docs/theory/bending.md, eq. (B2).

        f_a = -k (1 - L / |d|) w_a d

    Flat cloth has L = 0: the force is linear and its matrix constant. Curved cloth (L > 0)
    is pushed back to its own curvature; a crease ironed exactly flat has no direction to
    return to, and only the other elements move it.

    Args:
        positions: (particle_count, 3) [m]
        bends: `BendArrays`
        forces: (particle_count, 3) [N], added to in place
    """
    for b in range(bends.points.shape[0]):
        d = bending_vector(positions, bends.points, bends.weights, b)
        factor = bends.stiffness[b]
        rest = bends.rest_lengths[b]
        if rest > 0.0:
            length = norm(d)
            if length > 0.0:
                factor *= 1.0 - rest / length
        for a in range(4):
            add_scaled(forces, bends.points[b, a], d, -factor * bends.weights[b, a])


@kernel(is_entry=True)
def add_constant_bending_forces(directions, bends, tensions, curved, factor, forces):
    """Add the part of curved elements' force that keeps its length k L and only turns.

        f_a = +k L w_a d / |d|

    Args:
        directions: (particle_count, 3) [m], positions that give d
        bends: `BendArrays`
        tensions: (bend_count,) [N], k L
        curved: (curved_count,) the elements with L > 0
        factor: scale of what is added
        forces: (particle_count, 3), added to in place
    """
    for n in range(curved.shape[0]):
        b = curved[n]
        d = bending_vector(directions, bends.points, bends.weights, b)
        length = norm(d)
        if length > 0.0:
            for a in range(4):
                add_scaled(forces, bends.points[b, a], d, factor * tensions[b] * bends.weights[b, a] / length)
