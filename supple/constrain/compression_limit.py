"""The compression limit: no tetrahedron is pressed flat or inverted.

Theory: docs/theory/soft-bodies.md, eq. (E7). Linear elasticity, corotated or not, lets an element vanish under a
finite pressure, and finds rest again inside out. Real matter does not; this stops it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.constrain.compression_rebound import find_half_kicks, rebound
from supple.constrain.volume_gradients import (
    ElementNodes,
    GradientScratch,
    are_active,
    find_volume_gradients,
    place_followers,
    six_volumes,
)
from supple.kernel import kernel
from supple.model.levels.level_weights import ACTIVE
from supple.model.levels.levels import MOST_GHOST_WEIGHTS, Levels
from supple.model.world import World

LEAST_VOLUME = 0.15
"""Share of its volume at rest that an element always keeps [-]."""

ALERT = 0.6
"""Share of its volume below which an element is looked at [-]; what is larger cannot be pressed flat in a substep."""

PATIENCE = 0.2
"""How long an element may be inverted before it takes the rotation of its neighbours [s]; most recover by themselves."""

MOST_PASSES = 20
"""Most visits of a compressed element in a substep: what one gets back may be taken from its neighbours."""

LARGEST_GAIN = 0.2
"""Most of its volume that an element gets back in one substep [-], so that nothing is thrown."""


@kernel
def list_compressed(used, compressions, inside_out, begin, end, bounces, listed):
    """Write which elements of a body have less than ALERT of their volume; return how many.

    None while one of them takes the rotation of its neighbours, and none of a damped body if one is inverted: then a
    hand has pushed something through it. To recover it passes through other elements, which have to vanish for a moment;
    limiting those would lock it in.

    Args:
        used: (place_count,) element at each place
        compressions: (place_count or more,) volume over volume at rest [-]
        inside_out: (element_count,) for how long each element has been inverted [s]
        begin: first place of the body
        end: place after its last
        bounces: whether the body is not damped, and bounces off the limit
        listed: (element_count,) overwritten from the start
    """
    found = 0
    for e in range(begin, end):
        if inside_out[used[e]] >= PATIENCE or not (bounces or compressions[e] > 0.0):
            return 0
        if compressions[e] < ALERT:
            listed[found] = e
            found += 1
    return found


@kernel
def was_moved_since(visit, e, corners, moved_at):
    """Tell whether a corner of an element was moved at a visit or later."""
    for a in range(4):
        if moved_at[corners[e, a]] >= visit:
            return True
    return False


@kernel(is_entry=True)
def inflate(listed, turn, begun, mesh, scratch, moved_at, positions):
    """Give elements below LEAST_VOLUME that volume back; return how many were moved.

    Along the gradient of the volume, in proportion to inverse masses: neither the momentum nor the
    angular momentum of the body changes. Most elements that are looked at have enough, and keep it as long as none of
    their corners is moved: after the first turn these are passed over.

    Args:
        listed: (listed_count,) elements to look at
        turn: how many times these have been looked at before, from 0
        begun: visits of elements until this turn, ever; all later than those in `moved_at`
        mesh: `ElementNodes`
        scratch: `GradientScratch`
        moved_at: (node_count,) at which visit each node was last moved, brought up to date
        positions: (node_count, 3) [m], moved in place
    """
    members, gradients = scratch.members, scratch.gradients
    listed_count = listed.shape[0]
    moved = 0
    for at in range(listed_count):
        e = listed[at]
        if are_active(e, mesh.corners, mesh.roles):
            last = begun + at - listed_count
            if turn > 0 and not was_moved_since(last, e, mesh.corners, moved_at):
                continue
        else:
            place_followers(e, mesh, scratch, positions)
        rest = 6.0 * mesh.volumes[e]
        lack = LEAST_VOLUME * rest - six_volumes(e, mesh.corners, positions)
        if not lack > 0.0:
            continue
        count = find_volume_gradients(e, mesh, positions, scratch)
        give = 0.0
        for k in range(count):
            i = members[k]
            if not mesh.is_held[i]:
                square = gradients[k, 0] ** 2 + gradients[k, 1] ** 2 + gradients[k, 2] ** 2
                give += square / mesh.masses[i]
        if not give > 0.0:
            continue
        push = min(lack, LARGEST_GAIN * rest) / give
        for k in range(count):
            i = members[k]
            if not mesh.is_held[i]:
                moved_at[i] = begun + at
                for axis in range(3):
                    positions[i, axis] += push * gradients[k, axis] / mesh.masses[i]
        moved += 1
    return moved


class CompressionLimiter:
    """Keeps the tetrahedra of a world from vanishing."""

    def __init__(self, world: World) -> None:
        """Look at all soft bodies."""
        self.world = world
        self._bodies = [b for b in world.bodies.values() if b.tetrahedra.stop > b.tetrahedra.start]
        most = max([world.tetrahedra.count, *(levels.elements.count for levels in world.levels.values())])
        self._all, self._listed = np.arange(world.tetrahedra.count), np.zeros(most, dtype=np.int64)
        count = world.particles.count if self._bodies else 0
        # Nobody follows anybody in a body of one mesh.
        self._roles = np.full(count, ACTIVE, dtype=np.int8)
        self._parents, self._parent_weights = np.zeros((count, 4), dtype=np.int64), np.zeros((count, 4))
        most_nodes = max([count, *(len(levels.rest) for levels in world.levels.values())])
        self._half_kicks = np.zeros((most_nodes, 3))
        self._moved_at, self._visits = np.full(most_nodes, -1, dtype=np.int64), 0
        self._scratch = GradientScratch(
            np.zeros(MOST_GHOST_WEIGHTS, dtype=np.int64), np.zeros(MOST_GHOST_WEIGHTS),
            np.zeros(4 * MOST_GHOST_WEIGHTS, dtype=np.int64), np.zeros((4 * MOST_GHOST_WEIGHTS, 3)),
        )  # fmt: skip

    def apply(self, step: float, bounces: bool) -> int:
        """Limit compression at the end of a substep; return how many times an element was below the limit.

        Args:
            step: substep [s]
            bounces: whether bodies of one mesh bounce off the limit; those of several levels know it themselves
        """
        elements, particles = self.world.tetrahedra, self.world.particles
        mesh = ElementNodes(
            elements.corners, elements.volumes, particles.masses, particles.is_fixed, self._roles, self._parents,
            self._parent_weights,
        )  # fmt: skip
        total = 0
        for body in self._bodies:
            span, own = body.tetrahedra, body.particles
            count = list_compressed(
                self._all, elements.compressions, elements.inside_out, span.start, span.stop, bounces, self._listed
            )  # fmt: skip
            if count and bounces:
                find_half_kicks(
                    own.start, own.stop, particles.starts, particles.positions, particles.velocities, step,
                    self._half_kicks,
                )  # fmt: skip
                total += self._rebound(mesh, count, particles.starts, step, particles.positions)
            elif count:
                total += self._inflate(mesh, count, particles.positions)
        for levels in self.world.levels.values():
            total += self._limit_levels(levels, step)
        return total

    def _limit_levels(self, levels: Levels, step: float) -> int:
        """Do the same for a body of several levels; nodes that follow others stay with them."""
        mesh = ElementNodes(
            levels.blocks.corners, levels.blocks.volumes, levels.masses, levels.is_constrained, levels.roles, levels.parents,
            levels.parent_weights,
        )  # fmt: skip
        bounces = not levels.elements.is_damped
        count = 0
        for level in range(levels.count):
            begin, end = levels.block_range(level)
            count += list_compressed(
                levels.blocks.used, levels.blocks.compressions, levels.elements.inside_out, begin, end, bounces,
                self._listed[count:],
            )  # fmt: skip
        if count == 0:
            return 0
        if bounces:
            find_half_kicks(
                0,
                len(levels.rest),
                levels.starts,
                levels.positions,
                levels.velocities,
                step,
                self._half_kicks,
            )
            total = self._rebound(mesh, count, levels.starts, step, levels.positions)
        else:
            total = self._inflate(mesh, count, levels.positions)
        if total:
            levels.write_particles(self.world.particles.positions[self.world.bodies[levels.name].particles])
        return total

    def _inflate(self, mesh: ElementNodes, count: int, positions: NDArray[np.float64]) -> int:
        total = 0
        for turn in range(MOST_PASSES):
            moved = inflate(
                self._listed[:count], turn, self._visits, mesh, self._scratch, self._moved_at, positions
            )
            self._visits += count
            if moved == 0:
                break
            total += moved
        return total

    def _rebound(
        self,
        mesh: ElementNodes,
        count: int,
        starts: NDArray[np.float64],
        step: float,
        positions: NDArray[np.float64],
    ) -> int:
        total = 0
        for _ in range(MOST_PASSES):
            reversed_count = rebound(
                self._listed[:count], LEAST_VOLUME, mesh, starts, self._half_kicks, step, self._scratch, positions
            )  # fmt: skip
            if reversed_count == 0:
                break
            total += reversed_count
        return total
