"""`multirate`: bodies of several levels of detail, each level's elements acting as often as they must (Debunne 2000, §4).

Theory: docs/theory/levels.md, eq. (D5). Every node moves in every substep. Elements act less often the larger they
are: those of a level push with the impulse of their own, longer step at its start. This is a sequence of kicks and
free flights, so momentum is exact and energy stays where it is. Everything else in the scene is left to another
integrator.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from supple.forces.elasticity import add_elastic_forces, add_rate_forces
from supple.integrate.explicit import (
    FADING,
    LIVELY_TURNS,
    LONGEST_KICK,
    STEADY,
    TAMING,
    damped_shortening,
    is_lively,
    lively_shortening,
    strain_that_counts,
)
from supple.integrate.highest_mode import highest_rate
from supple.integrate.integrator import ConstantMatrix, Integrator
from supple.kernel import kernel
from supple.model.levels.level_fields import add_tie_forces, follow, hand_back
from supple.model.levels.levels import Levels, level_elements
from supple.model.tetrahedra import ELASTIC, VALUES, VISCOUS, WIDTH, ElementBlocks
from supple.model.world import World

if TYPE_CHECKING:
    from supple.edit.world.change import Change

SAFETY = 0.85
"""Share of the stable step of a level that is used at most [-]. Ghosts outside of the coarser mesh see its motion
enlarged, so a mixture of levels may be a little less stable than each of them."""

UNDAMPED_SAFETY = 0.8
"""The same for bodies without damping, before what their strain takes [-]."""

VIOLENT = 0.4
"""Largest strain of bodies without damping up to which their levels have steps of their own [-]. Above it elements rebound
from the compression limit, and that keeps the energy only where all that pushes does so at the same time."""

MOST_SUBSTEPS = 2048
"""Upper bound of substeps in a frame."""


@kernel
def kick(
    turn, substeps, frame, rates, pushes, newton_steps, is_damped, block_firsts, block_counts, block_corners, blocks,
    rotations, compressions, work, tied, tie_firsts, tie_stiffness, tie_nodes, tie_weights, actives, followers, counts,
    parents, parent_weights, masses, is_fixed, positions, velocities, forces, kicks,
):  # fmt: skip
    """Write by how much the elements whose turn it is change the velocities of active nodes.

    Theory: docs/theory/levels.md, eq. (D5).

    Args:
        turn: number of the substep in the frame, from 0
        substeps: in the frame
        frame: its duration [s]
        rates: (level_count,) how many times in a frame each level acts
        pushes: (level_count,) how much longer the first push of each level in this frame is than the others [-]
        newton_steps: (level_count,) how far the rotations of each level follow its elements
        is_damped: whether elements resist the rate of their strain
        block_firsts: (level_count + 1,) see `Levels`, as all arrays down to `parent_weights`
        block_counts: (level_count,)
        block_corners: (place_count, 4)
        blocks: (place_count · VALUES,)
        rotations: (place_count · 4,) brought up to date
        compressions: (place_count,) overwritten where it is the turn
        work: (10 · WIDTH,) scratch
        tied: (node_count,)
        tie_firsts: (level_count + 1,)
        tie_stiffness: (node_count,) [N/m]
        tie_nodes: (node_count, 4)
        tie_weights: (node_count, 4)
        actives: (node_count,)
        followers: (node_count,)
        counts: (3,)
        parents: (node_count, 4)
        parent_weights: (node_count, 4)
        masses: (node_count,) [kg]
        is_fixed: (node_count,)
        positions: (node_count, 3) [m]; those of ghosts are brought up to date
        velocities: (node_count, 3) [m/s]; likewise
        forces: (node_count, 3) scratch
        kicks: (node_count, 3) overwritten [m/s]
    """
    active_count, ghost_count = counts[0], counts[1]
    for n in range(active_count):
        i = actives[n]
        kicks[i, 0] = kicks[i, 1] = kicks[i, 2] = 0.0
    follow(followers, 0, ghost_count, parents, parent_weights, positions)
    if is_damped:
        follow(followers, 0, ghost_count, parents, parent_weights, velocities)
    for level in range(rates.shape[0]):
        begin, end = block_firsts[level], block_firsts[level] + block_counts[level]
        if end == begin or turn % (substeps // rates[level]) != 0:
            continue
        forces[:] = 0.0
        elements = ElementBlocks(
            block_corners[begin:end], blocks[begin * VALUES : end * VALUES], rotations[begin * 4 : end * 4],
            compressions[begin:end], work,
        )  # fmt: skip
        add_elastic_forces(positions, elements, newton_steps[level], 1.0, forces)
        if is_damped:
            add_rate_forces(velocities, elements, VISCOUS, 1.0, forces)
        add_tie_forces(
            tied,
            tie_firsts[level],
            tie_firsts[level + 1],
            tie_stiffness,
            tie_nodes,
            tie_weights,
            positions,
            forces,
        )
        hand_back(followers, 0, ghost_count, parents, parent_weights, forces)
        step = frame / rates[level]
        if turn == 0:
            step *= pushes[level]
        for n in range(active_count):
            i = actives[n]
            if not is_fixed[i]:
                for axis in range(3):
                    kicks[i, axis] += step * forces[i, axis] / masses[i]


@kernel
def drift(
    step, gravity, drag, first, ends, particle_masses, actives, followers, counts, parents, parent_weights, masses,
    is_fixed, velocities, kicks, impulses, starts, positions,
):  # fmt: skip
    """Move all nodes: free flight, the kicks of their elements, and what acts from outside.

    What acts on the particles of a body (air, water, anchors, obstacles that repel) shows in where the integrator of
    all other things has moved them, beyond inertia and gravity. Where a particle is no active node, its share of the
    momentum goes to the nodes it follows.

    Args:
        step: substep [s]
        gravity: (3,) [m/s²]
        drag: ambient damping rate [1/s]
        first: first of the finest nodes
        ends: (particle_count, 3) where the finest nodes were moved to without their elements [m]
        particle_masses: (particle_count,) of the finest nodes [kg]
        actives: (node_count,) see `Levels`, as all arrays down to `velocities`
        followers: (node_count,)
        counts: (3,)
        parents: (node_count, 4)
        parent_weights: (node_count, 4)
        masses: (node_count,) [kg]
        is_fixed: (node_count,)
        velocities: (node_count, 3) [m/s]
        kicks: (node_count, 3) [m/s]
        impulses: (node_count, 3) scratch, all zero before and after
        starts: (node_count, 3) overwritten with the positions [m]
        positions: (node_count, 3) moved in place [m]
    """
    kept = step / (1.0 + step * drag)
    begin, end = counts[1], counts[2]
    pushed = False
    for n in range(end):
        i = followers[n]
        if i < first or is_fixed[i]:
            continue
        for axis in range(3):
            free = positions[i, axis] + kept * (velocities[i, axis] + step * gravity[axis])
            away = ends[i - first, axis] - free
            # Velocities of followers are differences of positions: rounding alone moves nothing.
            if abs(away) > 1e-13 * (abs(free) + kept):
                impulses[i, axis] = particle_masses[i - first] * away
                pushed = True
    if pushed:
        hand_back(followers, begin, end, parents, parent_weights, impulses)
        hand_back(followers, 0, begin, parents, parent_weights, impulses)
    for n in range(counts[0]):
        i = actives[n]
        for axis in range(3):
            x = positions[i, axis]
            starts[i, axis] = x
            if i >= first:
                y = ends[i - first, axis]
            elif is_fixed[i]:
                continue
            else:
                y = x + kept * (velocities[i, axis] + step * gravity[axis])
            if not is_fixed[i]:
                y += kept * kicks[i, axis]
                if pushed:
                    y += impulses[i, axis] / masses[i]
            positions[i, axis] = y
            impulses[i, axis] = 0.0


@kernel
def place_held(first, ends, rest, coarse_held, children, child_weights, is_fixed, positions):
    """Put held nodes of coarser levels where the held nodes of finer levels around them are.

    Args:
        first: first of the finest nodes
        ends: (particle_count, 3) where the finest nodes are to be [m]
        rest: (node_count, 3) [m]
        coarse_held: held nodes of all levels but the finest, finer ones first
        children: (node_count, 4)
        child_weights: (node_count, 4)
        is_fixed: (node_count,)
        positions: (node_count, 3) changed in place [m]
    """
    for n in range(coarse_held.shape[0]):
        i = coarse_held[n]
        total = 0.0
        for a in range(4):
            if is_fixed[children[i, a]]:
                total += child_weights[i, a]
        for axis in range(3):
            moved = 0.0
            for a in range(4):
                c = children[i, a]
                if is_fixed[c]:
                    place = ends[c - first, axis] if c >= first else positions[c, axis]
                    moved += child_weights[i, a] * (place - rest[c, axis])
            positions[i, axis] = rest[i, axis] + moved / total


class MultiRate(Integrator):
    """Kicks and free flights for bodies of several levels; `inner` moves all others."""

    name = "multirate"

    def __init__(self, world: World, inner: Integrator, frame: float) -> None:
        """Find how often in a frame of `frame` seconds each level has to act."""
        self.world, self.inner = world, inner
        self.projects = inner.projects
        self._frame = frame
        self._turn = self._substeps = 0
        self._pushes: dict[str, NDArray[np.float64]] = {}
        self._work = np.zeros(10 * WIDTH)
        self.reshape()

    @property
    def for_springs(self) -> Integrator:
        """The integrator of all other bodies."""
        return self.inner

    @property
    def constant_matrix(self) -> ConstantMatrix | None:
        """That of all other bodies."""
        return self.inner.constant_matrix

    def follow_edit(self, change: Change) -> bool:
        """Take over an edit if the integrator of all other bodies can."""
        if not self.inner.follow_edit(change):
            return False
        self.reshape()
        return True

    def saved_order(self) -> dict[str, NDArray[Any]]:
        """Return that of all other bodies: levels sum up in an order that does not change."""
        return self.inner.saved_order()

    def take_order(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Pass it on."""
        self.inner.take_order(arrays)

    def reshape(self) -> None:
        """Follow an edit of bodies of several levels; `inner` follows by itself."""
        self._scratch = {
            levels.name: tuple(np.zeros_like(levels.rest) for _ in range(2))
            for levels in self.world.levels.values()
        }
        self._pushes = {levels.name: np.ones(levels.count) for levels in self.world.levels.values()}
        self._measure()

    def _measure(self) -> None:
        self.softened = 1.0
        for levels in self.world.levels.values():
            for level in range(levels.count):
                needed = self._frame / (SAFETY * stable_step(levels, level))
                levels.softening[level] = min(1.0, (MOST_SUBSTEPS / needed) ** 2)
            self._rate(levels)
            self.softened = min(self.softened, float(levels.softening.min()))
            levels.tie()
            levels.put_away()
            levels.pack()

    def _rate(self, levels: Levels) -> None:
        """Write how often in a frame each level acts: a power of two, and no less than coarser ones."""
        slowest = 1
        for level in range(levels.count):
            needed = self._frame / (SAFETY * stable_step(levels, level))
            strain = float(levels.elements.peak_strain[level])
            if levels.elements.is_damped:
                needed *= damped_shortening(strain)
            else:
                wanted = self._frame / (UNDAMPED_SAFETY * stable_step(levels, level))
                needed = max(needed, lively_shortening(strain) * wanted)
                last = float(levels.elements.last_step[level])
                if (
                    last > 0.0
                ):  # to and fro between two steps in time with the motion would pump energy into it
                    needed = max(needed, min(self._frame / last, STEADY * needed))
            power = 2 ** math.ceil(math.log2(max(needed, 1.0)) - 1e-9)
            slowest = max(slowest, min(power, MOST_SUBSTEPS))
            levels.rates[level] = slowest
        if not levels.elements.is_damped and levels.elements.peak_strain.max() > VIOLENT:
            levels.rates[:] = levels.rates[np.flatnonzero(levels.block_counts)].max(initial=1)

    def _watch_strain(self, levels: Levels) -> None:
        """Remember what strain of late counts on every level of a body; asking twice changes nothing."""
        peaks = levels.elements.peak_strain
        for level in range(levels.count):
            begin, end = int(levels.block_firsts[level]), int(levels.block_firsts[level])
            end += int(levels.block_counts[level])
            if end > begin:
                elements = ElementBlocks(
                    levels.block_corners[begin:end], levels.blocks[begin * VALUES : end * VALUES],
                    levels.rotations[begin * 4 : end * 4], levels.compressions[begin:end], self._work,
                )  # fmt: skip
                now = strain_that_counts(not levels.elements.is_damped, levels.positions, elements)
                peaks[level] = max(now, peaks[level])

    def substeps(self, frame: float, wanted: int) -> int:
        """Return how many substeps the next frame takes: a power of two, enough for every level in use.

        Args:
            frame: its duration [s]
            wanted: what the rest of the scene asks for, if there is one
        """
        has_others = self.world.springs.count + self.world.tetrahedra.count > 0
        needed = self.inner.substeps(frame, wanted if has_others else 1)
        needed = int(2 ** math.ceil(math.log2(needed)))
        for levels in self.world.levels.values():
            self._watch_strain(levels)
            self._rate(levels)
            used = np.flatnonzero(levels.block_counts)
            needed = max(needed, int(levels.rates[used].max(initial=1)))
        return needed

    def prepare(self, step: float) -> None:
        """Begin a frame."""
        self.inner.prepare(step)
        self._turn = 0
        self._substeps = round(self._frame / step)
        for levels in self.world.levels.values():
            levels.elements.peak_strain *= TAMING if levels.elements.is_damped else FADING
            steps, last = self._frame / levels.rates, levels.elements.last_step
            # Velocities lag half a step of their level behind, see (E11).
            np.minimum(0.5 * (1.0 + last / steps), LONGEST_KICK, out=self._pushes[levels.name])
            last[:] = steps

    def parameters_changed(self) -> None:
        """Measure the stable steps anew."""
        self.inner.parameters_changed()
        self._measure()

    def lengths_changed(self) -> None:
        """Pass on what concerns springs only."""
        self.inner.lengths_changed()

    def fixed_changed(self, points: NDArray[np.int64]) -> None:
        """Pass on; levels look at what is held at the start of every frame."""
        self.inner.fixed_changed(points)

    def respond(self, step: float, pushes: NDArray[np.float64]) -> None:
        """Leave it to the other integrator: gas pushes cloth only."""
        self.inner.respond(step, pushes)

    def advance(self, step: float) -> int:
        """Carry out a substep; bodies of several levels end where their elements lead, followers with them."""
        iterations = self.inner.advance(step)
        world, particles = self.world, self.world.particles
        for levels in world.levels.values():
            own, fine = world.bodies[levels.name].particles, levels.finest_nodes
            kicks, impulses = self._scratch[levels.name]
            levels.velocities[fine] = particles.velocities[own]
            begun = time.perf_counter()
            kick(
                self._turn, self._substeps, self._frame, levels.rates, self._pushes[levels.name], levels.newton_steps,
                levels.elements.is_damped, levels.block_firsts, levels.block_counts, levels.block_corners, levels.blocks,
                levels.rotations, levels.compressions, self._work, levels.tied, levels.tie_firsts, levels.tie_stiffness,
                levels.tie_nodes, levels.tie_weights, levels.actives, levels.followers, levels.counts, levels.parents,
                levels.parent_weights, levels.masses, levels.is_fixed, levels.positions, levels.velocities,
                levels.forces, kicks,
            )  # fmt: skip
            levels.element_seconds += time.perf_counter() - begun
            ends = particles.positions[own]
            drift(
                step, world.gravity, world.drag, fine.start, ends, particles.masses[own], levels.actives,
                levels.followers, levels.counts, levels.parents, levels.parent_weights, levels.masses,
                levels.is_fixed, levels.velocities, kicks, impulses, levels.starts, levels.positions,
            )  # fmt: skip
            place_held(
                fine.start, ends, levels.rest, levels.coarse_held, levels.children, levels.child_weights,
                levels.is_fixed, levels.positions,
            )  # fmt: skip
            levels.show(ends)
        self._turn += 1
        return iterations


def stable_step(levels: Levels, level: int) -> float:
    """Return the longest step with which one level moved alone is stable [s].

    Theory: docs/theory/soft-bodies.md, eq. (E6).
    """
    if levels.stable_steps[level] == 0.0:
        part, masses = level_elements(levels, level)
        square = highest_rate(part, ELASTIC, masses)
        rate = highest_rate(part, VISCOUS, masses) if part.is_damped else 0.0
        levels.newton_steps[level] = LIVELY_TURNS if is_lively(rate, square) else 1
        levels.stiffest[level] = square
        levels.stable_steps[level] = 4.0 / (rate + math.sqrt(rate * rate + 4.0 * square))
    return float(levels.stable_steps[level])
