"""The crush limiter: no tetrahedron is pressed flat or turned inside out.

Theory: docs/theory/soft-bodies.md, eq. (E7). Linear elasticity, corotated or not, lets an element vanish under a
finite pressure, and finds rest again inside out. Real matter does not; this stops it.
"""

from __future__ import annotations

import numpy as np

from supple.kernel import add_scaled, cross, difference, dot, kernel
from supple.model.levels import Levels
from supple.model.world import World

LEAST_VOLUME = 0.15
"""Share of its volume at rest that an element always keeps [-]."""

ALERT = 0.6
"""Share of its volume below which an element is looked at [-]; what is larger cannot be crushed in a substep."""

PATIENCE = 0.2
"""How long an element may be inside out before its neighbours lead it [s]; most find back by themselves."""

MOST_PASSES = 20
"""Most visits of a crushed element in a substep: what one gets back may be taken from its neighbours."""

LARGEST_GAIN = 0.2
"""Most of its volume that an element gets back in one substep [-], so that nothing is thrown."""


@kernel
def list_pressed(used, compressions, inside_out, begin, end, listed):
    """Write which elements of a body have less than ALERT of their volume; return how many.

    None if one of them is inside out, or is being led by its neighbours: then a hand has pushed something through the
    body. It finds the way back through other elements that have to vanish for a moment; keeping those would lock it in.

    Args:
        used: (place_count,) element at each place
        compressions: (place_count or more,) volume over volume at rest [-]
        inside_out: (element_count,) for how long each element has been inside out [s]
        begin: first place of the body
        end: place after its last
        listed: (element_count,) overwritten from the start
    """
    found = 0
    for e in range(begin, end):
        if not compressions[e] > 0.0 or inside_out[used[e]] >= PATIENCE:
            return 0
        if compressions[e] < ALERT:
            listed[found] = e
            found += 1
    return found


@kernel
def inflate(listed, listed_count, corners, volumes, masses, is_fixed, positions):
    """Give crushed elements their least volume back; return how many were moved.

    Along the gradient of the volume, in proportion to inverse masses: neither the momentum nor the
    angular momentum of the body changes.

    Args:
        listed: (element_count,) elements to look at
        listed_count: how many of them
        corners: (element_count, 4) particle indices
        volumes: (element_count,) at rest [m³]
        masses: (particle_count,) [kg]
        is_fixed: (particle_count,)
        positions: (particle_count, 3) [m], moved in place
    """
    moved = 0
    for at in range(listed_count):
        e = listed[at]
        i, j, k, n = corners[e, 0], corners[e, 1], corners[e, 2], corners[e, 3]
        a, b, c = difference(positions, j, i), difference(positions, k, i), difference(positions, n, i)
        slope_j, slope_k, slope_n = cross(b, c), cross(c, a), cross(a, b)  # of six volumes
        rest = 6.0 * volumes[e]
        lack = LEAST_VOLUME * rest - dot(a, slope_j)
        if not lack > 0.0:
            continue
        slope_i = (
            -slope_j[0] - slope_k[0] - slope_n[0],
            -slope_j[1] - slope_k[1] - slope_n[1],
            -slope_j[2] - slope_k[2] - slope_n[2],
        )
        give_i = 0.0 if is_fixed[i] else 1.0 / masses[i]
        give_j = 0.0 if is_fixed[j] else 1.0 / masses[j]
        give_k = 0.0 if is_fixed[k] else 1.0 / masses[k]
        give_n = 0.0 if is_fixed[n] else 1.0 / masses[n]
        total = (
            give_i * dot(slope_i, slope_i)
            + give_j * dot(slope_j, slope_j)
            + give_k * dot(slope_k, slope_k)
            + give_n * dot(slope_n, slope_n)
        )
        if not total > 0.0:
            continue
        move = min(lack, LARGEST_GAIN * rest) / total
        add_scaled(positions, i, slope_i, give_i * move)
        add_scaled(positions, j, slope_j, give_j * move)
        add_scaled(positions, k, slope_k, give_k * move)
        add_scaled(positions, n, slope_n, give_n * move)
        moved += 1
    return moved


class CrushLimiter:
    """Keeps the tetrahedra of a world from vanishing."""

    def __init__(self, world: World) -> None:
        """Look at all soft bodies."""
        self.world = world
        self._spans = [b.tetrahedra for b in world.bodies.values() if b.tetrahedra.stop > b.tetrahedra.start]
        most = max([world.tetrahedra.count, *(levels.elements.count for levels in world.levels.values())])
        self._all, self._listed = np.arange(world.tetrahedra.count), np.zeros(most, dtype=np.int64)

    def apply(self) -> int:
        """Inflate what is crushed at the end of a substep; return how many times one was."""
        elements, particles = self.world.tetrahedra, self.world.particles
        total = 0
        for span in self._spans:
            count = list_pressed(
                self._all, elements.compressions, elements.inside_out, span.start, span.stop, self._listed
            )
            for _ in range(MOST_PASSES if count else 0):
                moved = inflate(
                    self._listed, count, elements.corners, elements.volumes, particles.masses,
                    particles.is_fixed, particles.positions,
                )  # fmt: skip
                if moved == 0:
                    break
                total += moved
        for levels in self.world.levels.values():
            total += self._inflate_levels(levels)
        return total

    def _inflate_levels(self, levels: Levels) -> int:
        """Do the same for a body of several levels; nodes that follow others stay with them."""
        total = 0
        for level in range(levels.count):
            begin, end = levels.places(level)
            inside_out = levels.elements.inside_out
            count = list_pressed(levels.used, levels.compressions, inside_out, begin, end, self._listed)
            for _ in range(MOST_PASSES if count else 0):
                moved = inflate(
                    self._listed, count, levels.block_corners, levels.block_volumes, levels.masses, levels.is_led,
                    levels.positions,
                )  # fmt: skip
                if moved == 0:
                    break
                total += moved
        if total:
            levels.show(self.world.particles.positions[self.world.bodies[levels.name].particles])
        return total
