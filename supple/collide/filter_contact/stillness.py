"""Parts that lie on themselves or on others and hardly move: what is left of their motion is taken out.

Theory: docs/theory/contact.md, eq. (K19). Springs are evaluated where a substep is expected to end. Contacts change that end
after springs have acted, so in a fold the expectation is never quite right, and what is wrong in it feeds a slow swing
of the free parts for ever. A part that is slow and carries itself is therefore expected closer to where it is. This resists
turning, as yarns that rub on each other do in real cloth.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.model.world import World

SLOW = 0.05
"""Root mean square speed of its points below which a part that touches something falls still [m/s]."""

UNEVEN = 4.0
"""Fastest point of a still part, in speeds that the mean may have [-]."""

WAKING = 2.0
"""How much faster than it fell still a part has to be to move freely again [-]."""

LED = 1.0e-3
"""Speed of a held point that leads its part: such a part is never still [m/s]."""

FALLING = 0.05
"""Time in which a part falls still or wakes [s]: a sudden change would itself be a blow."""


@kernel
def measure_parts(contact_count, points, pushes, leaders, velocities, is_fixed, sums):
    """Measure how every part moves, and whether it carries something.

    Args:
        contact_count: how many contacts there are
        points: (capacity, 4) points of each
        pushes: (capacity,) [kg·m], what each carries
        leaders: (particle_count,) first particle of the part that each belongs to
        velocities: (particle_count, 3) [m/s]
        is_fixed: (particle_count,) whether a point is held
        sums: (particle_count, 4) by leader: points, sum and largest of the squared speeds [m²/s²], and whether the part
            may fall still, overwritten
    """
    sums[:] = 0.0
    for c in range(contact_count):
        if pushes[c] > 0.0:
            for corner in range(4):
                if points[c, corner] < leaders.shape[0]:
                    sums[leaders[points[c, corner]], 3] = 1.0
    for i in range(leaders.shape[0]):
        part = leaders[i]
        square = velocities[i, 0] ** 2 + velocities[i, 1] ** 2 + velocities[i, 2] ** 2
        sums[part, 0] += 1.0
        sums[part, 1] += square
        sums[part, 2] = max(sums[part, 2], square)
    for i in range(leaders.shape[0]):
        square = velocities[i, 0] ** 2 + velocities[i, 1] ** 2 + velocities[i, 2] ** 2
        if is_fixed[i] and square > LED * LED:
            sums[leaders[i], 3] = 0.0


@kernel
def settle_parts(leaders, sums, change, stillness):
    """Let parts fall still or wake by a step, each as a whole.

    Args:
        leaders: (particle_count,) first particle of the part that each belongs to
        sums: (particle_count, 4) of `measure_parts`
        change: largest change of the stillness [-]
        stillness: (particle_count,) 0 for points that move freely, 1 for those of still parts, changed in place
    """
    for i in range(leaders.shape[0]):
        part = leaders[i]
        limit = SLOW * SLOW
        if stillness[i] > 0.0:
            limit *= WAKING * WAKING
        is_slow = sums[part, 1] < limit * sums[part, 0] and sums[part, 2] < UNEVEN * UNEVEN * limit
        if is_slow and sums[part, 3] > 0.0:
            stillness[i] = min(1.0, stillness[i] + change)
        else:
            stillness[i] = max(0.0, stillness[i] - change)


class Stillness:
    """How still every part is: writes `world.particles.stillness`."""

    def __init__(self, world: World) -> None:
        """Let everything move freely."""
        self.world = world
        count = world.particles.count
        self.sums = np.zeros((count, 4))
        """(particle_count, 4) by leader, of `measure_parts`."""

    def follow(
        self, contact_count: int, points: NDArray[np.int32], pushes: NDArray[np.float64], step: float
    ) -> None:
        """Look at the contacts and velocities of the last substep.

        Args:
            contact_count: how many contacts there are
            points: (capacity, 4) points of each
            pushes: (capacity,) [kg·m], what each carries
            step: substep [s]
        """
        particles, leaders = self.world.particles, self.world.couplings.component_labels
        measure_parts(
            contact_count, points, pushes, leaders, particles.velocities, particles.is_fixed, self.sums
        )
        settle_parts(leaders, self.sums, step / FALLING, particles.stillness)
