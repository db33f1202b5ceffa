"""Inertia: where particles would go without springs, and the velocity they end with."""

from __future__ import annotations

from supple.kernel import kernel


@kernel
def inertial_targets(positions, velocities, gravity, drag, step, starts, targets):
    """Start a substep: remember the positions and aim where inertia and gravity lead.

    Theory: docs/theory/integrators.md, eq. (I1).

        x = q,    y = x + h (v + h g) / (1 + h γ)

    Gravity enters here and never through a filter, so free fall is exact for every
    integrator. The ambient drag γ [1/s] is implicit: it cannot overshoot at any step. A force f
    then moves a particle by h² f / (m (1 + h γ)), see `World.inertia`.

    Args:
        positions: (particle_count, 3) [m]
        velocities: (particle_count, 3) [m/s]
        gravity: (3,) [m/s²]
        drag: ambient damping rate [1/s]
        step: substep [s]
        starts: (particle_count, 3) [m], overwritten with the positions
        targets: (particle_count, 3) [m], overwritten
    """
    damped_step = step / (1.0 + step * drag)
    for i in range(positions.shape[0]):
        for axis in range(3):
            x = positions[i, axis]
            starts[i, axis] = x
            targets[i, axis] = x + damped_step * (velocities[i, axis] + step * gravity[axis])


@kernel
def velocities_from_positions(positions, starts, targets, step, velocities, accelerations):
    """End a substep: v' = (q - x) / h, and a = (q - y) / h² of all but gravity and drag."""
    rate = 1.0 / step
    for i in range(positions.shape[0]):
        for axis in range(3):
            q = positions[i, axis]
            velocities[i, axis] = rate * (q - starts[i, axis])
            accelerations[i, axis] = rate * rate * (q - targets[i, axis])
