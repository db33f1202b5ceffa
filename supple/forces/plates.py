"""Plates: energy and force of bending, a triangle and its neighbours at a time.

Theory: docs/theory/bending.md, eq. (B5), (B6). The curvatures of a plate are vectors along its normal, weighted sums of six
points, so that flat cloth has a quadratic energy with a constant matrix.
"""

from __future__ import annotations

from supple.kernel import cross, difference, kernel, norm


@kernel
def curvature_vector(positions, plates, p, k):
    """Return the curvature vector k of plate p as a tuple [1/m]."""
    x = y = z = 0.0
    for a in range(6):
        i, w = plates.points[p, a], plates.weights[p, k, a]
        x += w * positions[i, 0]
        y += w * positions[i, 1]
        z += w * positions[i, 2]
    return x, y, z


@kernel
def plate_normal(positions, plates, p):
    """Return the unit normal of the triangle of plate p; zero if it has no area."""
    n = cross(
        difference(positions, plates.points[p, 1], plates.points[p, 0]),
        difference(positions, plates.points[p, 2], plates.points[p, 0]),
    )
    length = norm(n)
    if length == 0.0:
        return 0.0, 0.0, 0.0
    return n[0] / length, n[1] / length, n[2] / length


@kernel
def plate_energy(positions, plates):
    """Return the bending energy of all plates [J], Σ ½ k |d - κ₀ n|² over their three curvatures (B5)."""
    energy = 0.0
    for p in range(plates.points.shape[0]):
        n = plate_normal(positions, plates, p)
        for k in range(3):
            d = curvature_vector(positions, plates, p, k)
            rest = plates.rest[p, k]
            for axis in range(3):
                energy += 0.5 * plates.stiffness[p, k] * (d[axis] - rest * n[axis]) ** 2
    return energy


@kernel
def add_plate_forces(positions, plates, forces):
    """Add the force of every plate to its points (B6).

    Args:
        positions: (particle_count, 3) [m]
        plates: `PlateArrays`
        forces: (particle_count, 3) [N], added to in place
    """
    for p in range(plates.points.shape[0]):
        n = plate_normal(positions, plates, p)
        for k in range(3):
            d = curvature_vector(positions, plates, p, k)
            rest, stiffness = plates.rest[p, k], plates.stiffness[p, k]
            for a in range(6):
                i, w = plates.points[p, a], stiffness * plates.weights[p, k, a]
                for axis in range(3):
                    forces[i, axis] -= w * (d[axis] - rest * n[axis])


@kernel
def add_rest_curvature(positions, plates, curved, forces):
    """Add the part of the force that rest curvature makes, +k κ₀ n w: what is not in the constant matrix (B6).

    Args:
        positions: (particle_count, 3) that give the normals [m]
        plates: `PlateArrays`
        curved: (curved_count,) plates that are curved at rest
        forces: (particle_count, 3) [N], added to in place
    """
    for t in range(curved.shape[0]):
        p = curved[t]
        n = plate_normal(positions, plates, p)
        for k in range(3):
            pull = plates.stiffness[p, k] * plates.rest[p, k]
            for a in range(6):
                i, w = plates.points[p, a], pull * plates.weights[p, k, a]
                for axis in range(3):
                    forces[i, axis] += w * n[axis]


@kernel
def plate_rows(plates, rows):
    """Add the absolute row sums of the stiffness matrix to `rows` (particle_count,), for explicit steps."""
    for p in range(plates.points.shape[0]):
        for k in range(3):
            total = 0.0
            for a in range(6):
                total += abs(plates.weights[p, k, a])
            for a in range(6):
                rows[plates.points[p, a]] += plates.stiffness[p, k] * abs(plates.weights[p, k, a]) * total
