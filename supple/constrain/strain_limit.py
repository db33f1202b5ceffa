"""The over-stretch limiter (Provot 1995, as used by Desbrun 1999 §4 and Meyer 2000).

Theory: docs/theory/constraints.md, eq. (C1).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from supple.kernel import add_scaled, difference, kernel, norm
from supple.model.tables.growable import resized
from supple.model.world import World


@kernel
def shorten_springs(ends, longest, inverse_masses, is_backward, positions):
    """Bring every spring that is too long back to its limit; return the largest excess found.

    The two ends move towards each other along the spring in proportion to their inverse
    masses, so the centre of mass stays; a fixed end does not move. Springs are visited one
    after the other, in turn from the first and from the last, because a correction travels
    far in the direction of the loop and only one spring against it.

    Args:
        ends: (spring_count, 2) particle indices
        longest: (spring_count,) [m], length that is still allowed
        inverse_masses: (particle_count,) [1/kg], zero for fixed particles
        is_backward: whether to start from the last spring
        positions: (particle_count, 3) [m], moved in place

    Returns:
        Largest length over allowed length, minus one, among springs that can move [-].
    """
    count = ends.shape[0]
    excess = 0.0
    for n in range(count):
        s = count - 1 - n if is_backward else n
        i, j = ends[s, 0], ends[s, 1]
        d = difference(positions, i, j)
        length = norm(d)
        give = inverse_masses[i] + inverse_masses[j]
        if length <= longest[s] or give == 0.0:
            continue
        excess = max(excess, length / longest[s] - 1.0)
        move = (longest[s] - length) / (length * give)
        add_scaled(positions, i, d, inverse_masses[i] * move)
        add_scaled(positions, j, d, -inverse_masses[j] * move)
    return excess


@kernel
def list_limited(ends, rest_lengths, limits, limited_ends, longest):
    """List the springs that have a limit, and the length that it allows; return how many there are.

    Args:
        ends: (spring_count, 2) particle indices
        rest_lengths: (spring_count,) [m]
        limits: (spring_count,) largest elongation [-], inf for none
        limited_ends: (spring_count, 2) written
        longest: (spring_count,) written [m]
    """
    count = 0
    for s in range(ends.shape[0]):
        if limits[s] < math.inf:
            limited_ends[count, 0], limited_ends[count, 1] = ends[s, 0], ends[s, 1]
            longest[count] = rest_lengths[s] * (1.0 + limits[s])
            count += 1
    return count


class StretchLimiter:
    """Keeps springs below the elongation that their material allows."""

    def __init__(self, world: World, iterations: int, tolerance: float, milliseconds: float | None) -> None:
        """End by count (`iterations`), error (`tolerance` [-]) or time [ms a frame], whichever is first.

        Ending by time makes results depend on the machine's load; the other two do not.
        """
        self.world = world
        self.iterations = iterations
        self.tolerance = tolerance
        self.milliseconds = milliseconds
        self._ends: NDArray[np.uint32] = np.zeros((0, 2), np.uint32)
        self._longest = np.zeros(0)
        self.refresh()

    def refresh(self) -> None:
        """Take over changed limits, masses and fixed particles."""
        springs = self.world.springs
        self._ends = resized(self._ends, springs.count)
        self._longest = resized(self._longest, springs.count)
        count = list_limited(
            springs.ends, springs.rest_lengths, springs.stretch_limits, self._ends, self._longest
        )
        self._ends, self._longest = self._ends[:count], self._longest[:count]
        self.refix()
        self._is_active = count > 0 and self.iterations > 0

    def refix(self) -> None:
        """Take over which particles are fixed."""
        particles = self.world.particles
        self._inverse_masses = np.where(particles.is_fixed, 0.0, 1.0 / particles.masses)

    def apply(self, substeps: int, collide: Callable[[], None] = lambda: None) -> int:
        """Shorten over-stretched springs and return the number of passes that moved something.

        Each of the `substeps` of a frame may take its share of the time. Every pass ends with
        `collide`, as in Meyer 2000, Fig. 4, so that what is left is both unstretched and
        outside of obstacles.
        """
        if not self._is_active:
            collide()
            return 0
        positions = self.world.particles.positions
        end = None
        if self.milliseconds is not None:
            end = time.perf_counter() + 1e-3 * self.milliseconds / substeps
        for iteration in range(self.iterations):
            excess = shorten_springs(
                self._ends, self._longest, self._inverse_masses, iteration % 2 == 1, positions
            )
            collide()
            if excess <= self.tolerance:
                return iteration + int(excess > 0.0)
            if end is not None and time.perf_counter() >= end:
                return iteration + 1
        return self.iterations
