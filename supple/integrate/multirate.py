"""Multirate integration of bodies with several levels of detail: each level acts as often as it must (Debunne 2000, §4).

Theory: docs/theory/levels.md, eq. (D5). Every node moves in every substep. Elements act less often the larger they
are: those of a level push with the impulse of their own, longer step at its start. This is a sequence of kicks and
drifts (symplectic, as in r-RESPA), so momentum is exact and energy stays bounded. Everything else in the scene is left
to another integrator.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.forces.elasticity import add_elastic_forces, add_rate_forces
from supple.integrate.constant_matrix import ConstantMatrix
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
from supple.integrate.integrator import Integrator
from supple.kernel import kernel
from supple.model.levels.level_fields import add_tie_forces, prolong, restrict, write_particles
from supple.model.levels.levels import Levels, level_elements
from supple.model.tetrahedra import ELASTIC, VALUES, VISCOUS, WIDTH, WORK, ElementBlocks
from supple.model.world import World

if TYPE_CHECKING:
    from supple.edit.world.particle_change import ParticleChange

SAFETY = 0.85
"""Share of the stable step of a level that is used at most [-]. Ghost nodes outside of the coarser mesh extrapolate its
motion, so a mixture of levels may be a little less stable than each of them."""

UNDAMPED_SAFETY = 0.8
"""The same for bodies without damping, before what their strain takes [-]."""

VIOLENT = 0.4
"""Largest strain of bodies without damping up to which their levels have steps of their own [-]. Above it elements rebound
from the compression limit, and that keeps the energy only where all that pushes does so at the same time."""

MOST_SUBSTEPS = 2048
"""Upper bound of substeps in a frame."""


class Schedule(NamedTuple):
    """When each level of a body acts in a frame."""

    frame: float
    """Duration of the frame [s]."""

    substeps: int
    """Substeps in the frame."""

    rates: NDArray[np.int64]
    """(level_count,) how many times in a frame each level acts."""

    first_kicks: NDArray[np.float64]
    """(level_count,) how much longer the first kick of each level in this frame is than the others [-]."""

    newton_steps: NDArray[np.int64]
    """(level_count,) steps by which the rotations of each level follow its elements."""

    is_damped: bool
    """Whether elements resist the rate of their strain."""


@kernel(is_entry=True)
def kick(turn, schedule, blocks, ties, lists, ghosts, nodes, work, forces, kicks):
    """Write by how much the elements whose turn it is change the velocities of active nodes.

    Theory: docs/theory/levels.md, eq. (D5).

    Args:
        turn: number of the substep in the frame, from 0
        schedule: `Schedule`
        blocks: `Blocks`; rotations are brought up to date, compressions overwritten where it is the turn
        ties: `Ties`
        lists: `NodeLists`
        ghosts: `GhostWeights`
        nodes: `Nodes`; positions and velocities of ghost nodes are brought up to date
        work: (10 · WIDTH,) scratch
        forces: (node_count, 3) scratch
        kicks: (node_count, 3) overwritten [m/s]
    """
    active, interpolated, ghost_count = lists.active[: lists.counts[0]], lists.interpolated, lists.counts[1]
    for i in active:
        kicks[i, 0] = kicks[i, 1] = kicks[i, 2] = 0.0
    prolong(interpolated, 0, ghost_count, ghosts, nodes.positions)
    if schedule.is_damped:
        prolong(interpolated, 0, ghost_count, ghosts, nodes.velocities)
    for level in range(schedule.rates.shape[0]):
        is_unused = blocks.counts[level] == 0
        if is_unused or turn % (schedule.substeps // schedule.rates[level]) != 0:
            continue
        add_level_forces(level, schedule, blocks, ties, nodes, work, forces)
        restrict(interpolated, 0, ghost_count, ghosts, forces)
        step = schedule.frame / schedule.rates[level]
        if turn == 0:
            step *= schedule.first_kicks[level]
        for i in active:
            if not nodes.is_fixed[i]:
                for axis in range(3):
                    kicks[i, axis] += step * forces[i, axis] / nodes.masses[i]


@kernel
def add_level_forces(level, schedule, blocks, ties, nodes, work, forces):
    """Write the forces of the elements and the ties of one level; arguments as of `kick`."""
    begin, end = blocks.firsts[level], blocks.firsts[level] + blocks.counts[level]
    elements = ElementBlocks(
        blocks.corners[begin:end], blocks.values[begin * VALUES : end * VALUES], blocks.rotations[begin * 4 : end * 4],
        blocks.compressions[begin:end], work,
    )  # fmt: skip
    forces[:] = 0.0
    add_elastic_forces(nodes.positions, elements, schedule.newton_steps[level], 1.0, forces)
    if schedule.is_damped:
        add_rate_forces(nodes.velocities, elements, VISCOUS, 1.0, forces)
    add_tie_forces(ties.firsts[level], ties.firsts[level + 1], ties, nodes.positions, forces)


class CoarseFixed(NamedTuple):
    """Fixed nodes of coarser levels, which go where the fixed particles around them go."""

    nodes: NDArray[np.int64]
    """(count,) fixed nodes of all levels but the finest, finer ones first."""

    children: NDArray[np.int64]
    """(node_count, 4) corners of the finer tetrahedron around each node."""

    weights: NDArray[np.float64]
    """(node_count, 4) [-]"""


class Surroundings(NamedTuple):
    """What acts on a body besides its own elements, in a substep."""

    step: float
    """Substep [s]."""

    gravity: NDArray[np.float64]
    """(3,) [m/s²]"""

    drag: float
    """Ambient damping rate [1/s]."""

    first: int
    """First of the finest nodes, which are the particles of the body."""

    ends: NDArray[np.float64]
    """(particle_count, 3) where the particles were moved to without their elements, overwritten with where they end [m]."""

    masses: NDArray[np.float64]
    """(particle_count,) of the particles [kg]."""


@kernel(is_entry=True)
def move_nodes(around, fixed, lists, ghosts, nodes, kicks, impulses):
    """Move all nodes and the particles of a body by one substep: active nodes, fixed ones, and then ghost nodes.

    `fixed` is a `CoarseFixed`; for the other arguments see `drift`.
    """
    drift(around, lists, ghosts, nodes, kicks, impulses)
    place_fixed(around.first, around.ends, fixed, nodes)
    write_particles(around.first, lists, ghosts, nodes, around.ends)


@kernel
def drift(around, lists, ghosts, nodes, kicks, impulses):
    """Move active nodes: free flight, the kicks of their elements, and what acts from outside.

    What acts on the particles of a body (air, water, anchors, obstacles that repel) shows in where the integrator of
    all other things has moved them, beyond inertia and gravity. Where a particle is no active node, its share of the
    momentum is restricted to its parents.

    Args:
        around: `Surroundings`
        lists: `NodeLists`
        ghosts: `GhostWeights`
        nodes: `Nodes`; starts are overwritten with the positions, and positions moved in place
        kicks: (node_count, 3) [m/s]
        impulses: (node_count, 3) scratch, all zero before and after
    """
    step, gravity, first = around.step, around.gravity, around.first
    is_fixed, positions, velocities = nodes.is_fixed, nodes.positions, nodes.velocities
    time = step / (1.0 + step * around.drag)
    is_pushed = gather_outer_impulses(time, around, lists, nodes, impulses)
    if is_pushed:
        ghost_count, count = lists.counts[1], lists.counts[2]
        restrict(lists.interpolated, ghost_count, count, ghosts, impulses)
        restrict(lists.interpolated, 0, ghost_count, ghosts, impulses)
    for n in range(lists.counts[0]):
        i = lists.active[n]
        for axis in range(3):
            x = positions[i, axis]
            nodes.starts[i, axis] = x
            if i >= first:
                y = around.ends[i - first, axis]
            elif is_fixed[i]:
                continue
            else:
                y = x + time * (velocities[i, axis] + step * gravity[axis])
            if not is_fixed[i]:
                y += time * kicks[i, axis]
                if is_pushed:
                    y += impulses[i, axis] / nodes.masses[i]
            positions[i, axis] = y
            impulses[i, axis] = 0.0


@kernel
def gather_outer_impulses(time, around, lists, nodes, impulses):
    """Write what acts from outside on particles that are no active nodes [kg·m]; return whether anything does.

    Args:
        time: substep, shortened by drag [s]
        around: `Surroundings`
        lists: `NodeLists`
        nodes: `Nodes`
        impulses: (node_count, 3) written where something acts
    """
    first, is_pushed = around.first, False
    for n in range(lists.counts[2]):
        i = lists.interpolated[n]
        if i < first or nodes.is_fixed[i]:
            continue
        for axis in range(3):
            velocity = nodes.velocities[i, axis] + around.step * around.gravity[axis]
            free = nodes.positions[i, axis] + time * velocity
            away = around.ends[i - first, axis] - free
            # Velocities of interpolated nodes are differences of positions: rounding alone moves nothing.
            if abs(away) > 1e-13 * (abs(free) + time):
                impulses[i, axis] = around.masses[i - first] * away
                is_pushed = True
    return is_pushed


@kernel
def place_fixed(first, ends, fixed, nodes):
    """Put fixed nodes of coarser levels where the fixed nodes of finer levels around them are.

    Args:
        first: first of the finest nodes
        ends: (particle_count, 3) where the finest nodes are to be [m]
        fixed: `CoarseFixed`
        nodes: `Nodes`; positions are changed in place
    """
    is_fixed, rest, positions = nodes.is_fixed, nodes.rest, nodes.positions
    children, child_weights = fixed.children, fixed.weights
    for i in fixed.nodes:
        total = 0.0
        for a in range(4):
            if is_fixed[children[i, a]]:
                total += child_weights[i, a]
        for axis in range(3):
            moved = 0.0
            for a in range(4):
                c = children[i, a]
                if is_fixed[c]:
                    end = ends[c - first, axis] if c >= first else positions[c, axis]
                    moved += child_weights[i, a] * (end - rest[c, axis])
            positions[i, axis] = rest[i, axis] + moved / total


class MultiRate(Integrator):
    """Multirate integrator: kicks and drifts for bodies of several levels; `inner` moves all others."""

    name = "multirate"

    def __init__(self, world: World, inner: Integrator, frame: float) -> None:
        """Find how often in a frame of `frame` seconds each level has to act."""
        self.world, self.inner = world, inner
        self.projects = inner.projects
        self._frame = frame
        self._turn = self._substeps = 0
        self._first_kicks: dict[str, NDArray[np.float64]] = {}
        self._work = np.zeros(WORK * WIDTH)
        self.reshape()

    @property
    def for_springs(self) -> Integrator:
        """The integrator of all other bodies."""
        return self.inner

    @property
    def constant_matrix(self) -> ConstantMatrix | None:
        """That of all other bodies."""
        return self.inner.constant_matrix

    def follow_edit(self, change: ParticleChange) -> bool:
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
        self._first_kicks = {levels.name: np.ones(levels.count) for levels in self.world.levels.values()}
        self._measure()

    def _measure(self) -> None:
        self.softened = 1.0
        for levels in self.world.levels.values():
            for level in range(levels.count):
                needed = self._frame / (SAFETY * stable_step(levels, level))
                levels.softening[level] = min(1.0, (MOST_SUBSTEPS / needed) ** 2)
            self._rate(levels)
            self.softened = min(self.softened, float(levels.softening.min()))
            levels.update_ties()
            levels.store_rotations()
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
                # To and fro between two steps in time with the motion would pump energy into it.
                if last > 0.0:
                    needed = max(needed, min(self._frame / last, STEADY * needed))
            power = 2 ** math.ceil(math.log2(max(needed, 1.0)) - 1e-9)
            slowest = max(slowest, min(power, MOST_SUBSTEPS))
            levels.rates[level] = slowest
        if not levels.elements.is_damped and levels.elements.peak_strain.max() > VIOLENT:
            levels.rates[:] = levels.rates[np.flatnonzero(levels.blocks.counts)].max(initial=1)

    def _watch_strain(self, levels: Levels) -> None:
        """Remember what strain of late counts on every level of a body; asking twice changes nothing."""
        peaks = levels.elements.peak_strain
        for level in range(levels.count):
            span, blocks = levels.padded_range(level), levels.blocks
            if span.stop > span.start:
                elements = ElementBlocks(
                    blocks.corners[span], blocks.values[span.start * VALUES : span.stop * VALUES],
                    blocks.rotations[span.start * 4 : span.stop * 4], blocks.compressions[span], self._work,
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
            used = np.flatnonzero(levels.blocks.counts)
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
            np.minimum(0.5 * (1.0 + last / steps), LONGEST_KICK, out=self._first_kicks[levels.name])
            last[:] = steps

    def parameters_changed(self) -> None:
        """Measure the stable steps anew."""
        self.inner.parameters_changed()
        self._measure()

    def lengths_changed(self) -> None:
        """Pass on what concerns springs only."""
        self.inner.lengths_changed()

    def rest_shape_changed(self) -> None:
        """Pass on what concerns springs and masses, and measure the stable steps anew."""
        self.inner.rest_shape_changed()
        self._measure()

    def gravity_changed(self) -> None:
        """Let what moves the other bodies know."""
        self.inner.gravity_changed()

    def fixed_changed(self, points: NDArray[np.int64]) -> None:
        """Pass on; levels look at what is held at the start of every frame."""
        self.inner.fixed_changed(points)

    def respond(self, step: float, pushes: NDArray[np.float64]) -> None:
        """Leave it to the other integrator: gas pushes cloth only."""
        self.inner.respond(step, pushes)

    def advance(self, step: float) -> int:
        """Carry out a substep; bodies of several levels end where their elements move them, with their ghost nodes."""
        iterations = self.inner.advance(step)
        world, particles = self.world, self.world.particles
        for levels in world.levels.values():
            own, fine = world.bodies[levels.name].particles, levels.finest_nodes
            kicks, impulses = self._scratch[levels.name]
            levels.velocities[fine] = particles.velocities[own]
            lists, ghosts, nodes = levels.lists, levels.ghosts, levels.nodes
            schedule = self._schedule(levels)
            begun = time.perf_counter()
            kick(
                self._turn, schedule, levels.blocks, levels.ties, lists, ghosts, nodes, self._work, levels.forces, kicks
            )  # fmt: skip
            levels.element_seconds += time.perf_counter() - begun
            ends = particles.positions[own]
            around = Surroundings(step, world.gravity, world.drag, fine.start, ends, particles.masses[own])
            fixed = CoarseFixed(levels.coarse_fixed, levels.children, levels.child_weights)
            move_nodes(around, fixed, lists, ghosts, nodes, kicks, impulses)
        self._turn += 1
        return iterations

    def _schedule(self, levels: Levels) -> Schedule:
        return Schedule(
            frame=self._frame,
            substeps=self._substeps,
            rates=levels.rates,
            first_kicks=self._first_kicks[levels.name],
            newton_steps=levels.newton_steps,
            is_damped=levels.elements.is_damped,
        )


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
