"""Centre of pressure: air pushes the leading half of a plate harder, which is why falling cards flutter.

Theory: docs/theory/air.md, eq. (A10). The push on every triangle is multiplied by a number that is never negative, so all
that holds of pushes that only brake still holds.
"""

from __future__ import annotations

import math

from supple.forces.triangle_drag import minus, weighted_row
from supple.kernel import cross, difference, dot, kernel

WIDEST = 3.0
"""A plate of even width has a variance of its half width squared over this [-]."""


@kernel
def plate_measures(starts, moves, triangles, fluids, measures):
    """Write the middle of a body [m], its mean velocity relative to the air [m/s] and the covariance of its area [m²].

    Args:
        starts: (particle_count, 3) [m]
        moves: (particle_count, 3) [m], what inertia adds within the substep
        triangles: `AirTriangles`
        fluids: `Fluids`
        measures: (12,) written: three numbers, three, then xx, yy, zz, xy, xz, yz
    """
    measures[:] = 0.0
    total, rate = 0.0, 1.0 / fluids.step
    for t in range(triangles.corners.shape[0]):
        i, j, k = triangles.corners[t, 0], triangles.corners[t, 1], triangles.corners[t, 2]
        third = (1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0)
        x, moved = weighted_row(starts, i, j, k, third), weighted_row(moves, i, j, k, third)
        area, o = triangles.areas[t], triangles.patches[t]
        total += area
        for axis in range(3):
            measures[axis] += area * x[axis]
            measures[3 + axis] += area * (rate * moved[axis] - fluids.winds[o, axis])
    if not total > 0.0:
        return
    for n in range(6):
        measures[n] /= total
    for t in range(triangles.corners.shape[0]):
        i, j, k = triangles.corners[t, 0], triangles.corners[t, 1], triangles.corners[t, 2]
        share = triangles.areas[t] / (3.0 * total)
        for corner in (i, j, k):
            x, y, z = (
                starts[corner, 0] - measures[0],
                starts[corner, 1] - measures[1],
                starts[corner, 2] - measures[2],
            )
            measures[6] += share * x * x
            measures[7] += share * y * y
            measures[8] += share * z * z
            measures[9] += share * x * y
            measures[10] += share * x * z
            measures[11] += share * y * z


@kernel(is_entry=True)
def write_pressure_shares(starts, moves, triangles, fluids, measures):
    """Write by what the push on every triangle is multiplied (A10), `triangles.ahead`.

        max(0, 1 + 3 lead cos θ ξ)

    Args:
        starts: (particle_count, 3) [m]
        moves: (particle_count, 3) [m], what inertia adds within the substep
        triangles: `AirTriangles`, whose `ahead` is written
        fluids: `Fluids`
        measures: (12,) scratch
    """
    plate_measures(starts, moves, triangles, fluids, measures)
    v = (measures[3], measures[4], measures[5])
    speed = math.sqrt(dot(v, v))
    for t in range(triangles.corners.shape[0]):
        i, j, k = triangles.corners[t, 0], triangles.corners[t, 1], triangles.corners[t, 2]
        n = cross(difference(starts, j, i), difference(starts, k, i))
        square = dot(n, n)
        triangles.ahead[t] = 1.0
        if not (square > 0.0 and speed > 0.0):
            continue
        across = dot(v, n) / square
        along = (v[0] - across * n[0], v[1] - across * n[1], v[2] - across * n[2])
        length = math.sqrt(dot(along, along))
        if not length > 0.0:
            continue
        x, y, z = along[0] / length, along[1] / length, along[2] / length
        variance = x * x * measures[6] + y * y * measures[7] + z * z * measures[8]
        variance += 2.0 * (x * y * measures[9] + x * z * measures[10] + y * z * measures[11])
        if not variance > 0.0:
            continue
        third = (1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0)
        place = minus(weighted_row(starts, i, j, k, third), (measures[0], measures[1], measures[2]))
        ahead = dot(place, (x, y, z)) / math.sqrt(WIDEST * variance)
        ahead = min(max(ahead, -1.0), 1.0)
        triangles.ahead[t] = max(0.0, 1.0 + 3.0 * triangles.lead * length / speed * ahead)
