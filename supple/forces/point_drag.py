"""Drag of single bodies and points: dampers beside the ambient drag of the scene (Güdükbay 1997, the matrix C of Eq. 1)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.model.world import BodyRange, World
from supple.scene.scene import Scene

NO_RATES = np.zeros(0)


@kernel
def slow_particles(rates, is_fixed, velocities, step, time, targets):
    """Let particles aim less far, by dampers of their own.

    Theory: docs/theory/integrators.md, eq. (I10).

        y' = y - (1 - s) v h / (1 + h γ),    s = 1 - h γ_i  up to h γ_i = 1/2,  1 / (4 h γ_i) beyond

    Only the velocity is slowed, not what gravity and springs do in the substep: what hangs at rest hangs as it would
    without, and what falls ends at g / γ_i.

    Args:
        rates: (particle_count,) γ_i = c / m [1/s]
        is_fixed: (particle_count,)
        velocities: (particle_count, 3) [m/s], at the start of the substep
        step: h [s]
        time: the substep shortened by the ambient drag, h / (1 + h γ) [s]
        targets: (particle_count, 3) [m], changed in place
    """
    for i in range(rates.shape[0]):
        if rates[i] > 0.0 and not is_fixed[i]:
            loss = step * rates[i]
            lost = loss if loss <= 0.5 else 1.0 - 0.25 / loss
            for axis in range(3):
                targets[i, axis] -= lost * time * velocities[i, axis]


class PointDrag:
    """The rates at which bodies and points with a drag of their own slow down."""

    def __init__(self, scene: Scene, world: World) -> None:
        """Take the rates of all bodies over; nothing is done if none has any."""
        self._world = world
        rest = world.particles.rest_positions
        self._declared = {
            body.name or "": (np.asarray(body.drag), rest[world.bodies[body.name or ""].particles].copy())
            for body in scene.bodies
            if np.any(body.drag)
        }
        self._rates = NO_RATES
        self.reshape()

    def reshape(self) -> None:
        """Follow an edit: every point has the rate of the declared point it comes from."""
        if not self._declared:
            return
        self._rates = np.zeros(self._world.particles.count)
        for span in self._world.bodies.values():
            if span.origin in self._declared:
                self._rates[span.particles] = self._rates_of(span)

    def _rates_of(self, span: BodyRange) -> NDArray[np.float64]:
        """Return the rates of a body that is as declared, or of what has become of one, (vertex_count,) or () [1/s]."""
        rates, declared = self._declared[span.origin]
        if rates.ndim == 0:
            return rates
        if span.ancestry is not None:
            return rates[span.ancestry.ancestors[:, 0]]
        if span.soft_ancestors is not None:
            return rates[span.soft_ancestors]
        rest = self._world.particles.rest_positions[span.particles]
        if len(rest) == len(rates):
            return rates
        nearest = [
            int(((declared - point) ** 2).sum(axis=1).argmin()) for point in rest
        ]  # a chain that snapped
        return rates[nearest]

    def apply(self, step: float) -> None:
        """Let particles aim less far in a substep, after inertia was asked where it leads."""
        if len(self._rates):
            world, particles = self._world, self._world.particles
            time = step / (1.0 + step * world.drag)
            slow_particles(
                self._rates, particles.is_fixed, particles.velocities, step, time, particles.targets
            )
