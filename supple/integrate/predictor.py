"""Predictors: where a substep is expected to end, before it is computed.

Theory: docs/theory/integrators.md, eq. (I4).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.kernel import cross, kernel
from supple.model.particles import FREE, NEAR
from supple.model.tables.growable import resized, zeros
from supple.model.world import World

ACCELERATION_SHARE = 0.5
"""Share of what springs did in the last substep that is expected to go on; from 0.7 on it rings."""

STILL_SHARE = 0.5
"""Share of its velocity with which a still part is expected to go on: 0 would be `current`."""


THIN = 1e-6
"""Least moment of inertia about any axis, relative to their sum [-]: points on a line do not turn about it."""


@kernel
def accelerated_positions(
    targets, expected, accelerations, pushes, gravity, is_fixed, factor, weight, share, guess, directions
):
    """Write where a substep is expected to end, given what springs did in the last one.

        z = y + θ h² a,    p = z - (1 - θ) (h² g / (1 + h γ) + d)

    What contacts are expected to add to y is left out: light points are led far by it before springs answer.
    In free fall (a = 0) the guess z is exact, so a solver that stops early does not slow the fall.
    At rest (y + h² a = x) the positions p, which give the directions of springs, are the starts:
    springs point where they balance gravity, wind and water, and nothing creeps. Without the
    displacement d by wind and water a rope that the wind holds aside would start to swing by itself.

    Args:
        targets: (particle_count, 3) [m], y and what contacts are expected to add
        expected: (particle_count, 3) [m], what contacts are expected to add
        accelerations: (particle_count, 3) [m/s²], a, gravity and drag aside
        pushes: (particle_count, 3) [m], d
        gravity: (3,) [m/s²], g
        is_fixed: (particle_count,)
        factor: θ h² [s²]
        weight: (1 - θ) h² / (1 + h γ) [s²]
        share: 1 - θ [-]
        guess: (particle_count, 3) [m], z, overwritten
        directions: (particle_count, 3) [m], p, overwritten
    """
    for i in range(targets.shape[0]):
        for axis in range(3):
            y = targets[i, axis]
            if is_fixed[i]:
                guess[i, axis] = y
                directions[i, axis] = y
            else:
                z = y - expected[i, axis] + factor * accelerations[i, axis]
                guess[i, axis] = z
                directions[i, axis] = z - weight * gravity[axis] - share * pushes[i, axis]


@kernel
def hold_still(velocities, stillness, is_fixed, way, directions):
    """Expect points of still parts to go on with a share of their velocity only.

        p ← p - s (1 - β) h v / (1 + h γ)

    Theory: docs/theory/contact.md, eq. (K19).

    Args:
        velocities: (particle_count, 3) [m/s], v
        stillness: (particle_count,) s
        is_fixed: (particle_count,)
        way: (1 - β) h / (1 + h γ) [s]
        directions: (particle_count, 3) [m], p, changed in place
    """
    for i in range(velocities.shape[0]):
        if stillness[i] > 0.0 and not is_fixed[i]:
            for axis in range(3):
                directions[i, axis] -= stillness[i] * way * velocities[i, axis]


@kernel(counts_references=False)
def spin_of_neighbours(starts, velocities, columns, first, end, centre, mean):
    """Return with which angular velocity [rad/s] points turn about their centre, each counting alike.

        ω = I⁻¹ Σ (x - c) × (v - v̄)

    Args:
        starts: (particle_count, 3) [m], x
        velocities: (particle_count, 3) [m/s], v
        columns: (entry_count,) particles
        first: where those that count begin in `columns`
        end: where they end
        centre: their mean place c [m]
        mean: their mean velocity v̄ [m/s]
    """
    xx = yy = zz = xy = xz = yz = 0.0
    lx = ly = lz = 0.0
    for e in range(first, end):
        j = columns[e]
        x, y, z = starts[j, 0] - centre[0], starts[j, 1] - centre[1], starts[j, 2] - centre[2]
        u, v, w = velocities[j, 0] - mean[0], velocities[j, 1] - mean[1], velocities[j, 2] - mean[2]
        lx, ly, lz = lx + y * w - z * v, ly + z * u - x * w, lz + x * v - y * u
        xx, yy, zz = xx + y * y + z * z, yy + x * x + z * z, zz + x * x + y * y
        xy, xz, yz = xy - x * y, xz - x * z, yz - y * z
    # Points on a line do not turn about it.
    least = THIN * (xx + yy + zz)
    xx, yy, zz = xx + least, yy + least, zz + least
    a, b, c = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    d, f, g = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
    whole = xx * a + xy * b + xz * c
    if not whole > 0.0:
        return 0.0, 0.0, 0.0
    return (
        (a * lx + b * ly + c * lz) / whole,
        (b * lx + d * ly + f * lz) / whole,
        (c * lx + f * ly + g * lz) / whole,
    )


@kernel
def go_with_neighbours(
    starts, velocities, loads, stillness, is_fixed, row_starts, row_ends, columns, way, directions
):
    """Expect points of parts that contacts push to go on as their neighbours do, shifting and turning.

        p ← s p + (1 - s) (x + h (v̄ + ω × (x - c)) / (1 + h γ)),    c, v̄, ω of the neighbours

    The spin is left out for points that are pushed themselves. Theory: docs/theory/contact.md, eq. (K21), (K22).

    Args:
        starts: (particle_count, 3) [m], x
        velocities: (particle_count, 3) [m/s], v
        loads: (particle_count,) FREE, NEAR or PUSHED
        stillness: (particle_count,) s
        is_fixed: (particle_count,)
        row_starts: (particle_count,) where the neighbours of each begin in `columns`
        row_ends: (particle_count,) where they end
        columns: (entry_count,) particles
        way: h / (1 + h γ) [s]
        directions: (particle_count, 3) [m], p, changed in place
    """
    for i in range(starts.shape[0]):
        first, end = row_starts[i], row_ends[i]
        if loads[i] == FREE or is_fixed[i] or end == first:
            continue
        cx = cy = cz = u = v = w = 0.0
        for e in range(first, end):
            j = columns[e]
            cx, cy, cz = cx + starts[j, 0], cy + starts[j, 1], cz + starts[j, 2]
            u, v, w = u + velocities[j, 0], v + velocities[j, 1], w + velocities[j, 2]
        one = 1.0 / (end - first)
        centre, mean = (one * cx, one * cy, one * cz), (one * u, one * v, one * w)
        turning = (0.0, 0.0, 0.0)
        if loads[i] == NEAR:
            spin = spin_of_neighbours(starts, velocities, columns, first, end, centre, mean)
            arm = (starts[i, 0] - centre[0], starts[i, 1] - centre[1], starts[i, 2] - centre[2])
            turning = cross(spin, arm)
        for axis in range(3):
            expected = starts[i, axis] + way * (mean[axis] + turning[axis])
            directions[i, axis] += (1.0 - stillness[i]) * (expected - directions[i, axis])


class Predictor:
    """Guesses the end of a substep, and the directions in which springs will point there.

    - `current`: directions as at the start, as printed in Desbrun 1999. Resists turning like molasses.
    - `inertial`: the inertial target. Same cost, same stability, moves.
    - `accelerated`: half of what springs did in the last substep is expected to go on; closest to
      the converged motion, and exact at rest and in free fall.
    """

    def __init__(self, name: str, world: World) -> None:
        """Choose the predictor by name."""
        self.name = name
        self.world = world
        self._guess = zeros(world.particles.positions.shape, np.float64)
        self._directions = zeros(world.particles.positions.shape, np.float64)

    def reshape(self) -> None:
        """Follow an edit of the world."""
        self._guess = resized(self._guess, self.world.particles.count)
        self._directions = resized(self._directions, self.world.particles.count)

    def predict(self, step: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the guess and the positions that give directions, (particle_count, 3) [m] each."""
        world, particles = self.world, self.world.particles
        if self.name == "current":
            return particles.targets, particles.starts
        if self.name == "inertial":
            if not (particles.stillness.any() or particles.loads.any()):
                return particles.targets, particles.targets
            np.subtract(particles.targets, particles.expected, out=self._directions)
            self._predict_contact(step)
            return particles.targets, self._directions
        factor = ACCELERATION_SHARE * step * step
        weight = (1.0 - ACCELERATION_SHARE) * step * step / (1.0 + step * world.drag)
        accelerated_positions(
            particles.targets, particles.expected, particles.accelerations, particles.pushes, world.gravity,
            particles.is_fixed, factor, weight, 1.0 - ACCELERATION_SHARE, self._guess, self._directions,
        )  # fmt: skip
        self._predict_contact(step)
        return self._guess, self._directions

    def _predict_contact(self, step: float) -> None:
        world, particles = self.world, self.world.particles
        rows, whole = world.couplings, step / (1.0 + step * world.drag)
        go_with_neighbours(
            particles.starts, particles.velocities, particles.loads, particles.stillness, particles.is_fixed,
            rows.row_starts, rows.row_ends, rows.columns, whole, self._directions,
        )  # fmt: skip
        way = (1.0 - STILL_SHARE) * step / (1.0 + step * world.drag)
        hold_still(
            particles.velocities, particles.stillness, particles.is_fixed, way, self._directions
        )  # fmt: skip
