"""Level of detail: decides frame by frame how finely each part of a soft body is computed (Debunne 2000, §4)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.adapt.error_estimate import (
    LAPLACIAN,
    STRAIN,
    estimate_errors,
    gather_child_errors,
    gather_gradients,
    mark_rings,
)
from supple.adapt.ghost_nodes import (
    GhostContacts,
    ParticleMotion,
    finish_substep,
    pass_recoil_on,
)
from supple.adapt.level_switch import fill_unused, momenta, restore_momentum, stored_energy, switch
from supple.adapt.time_budget import Budget, Load
from supple.model.levels.level_weights import ACTIVE
from supple.model.levels.levels import Levels
from supple.model.motion_measures import measure_motion
from supple.model.world import World

MEMORY = 0.25
"""Time within which a peak of the error is forgotten to a third [s]: a body that swings passes through rest twice in a
period, and must not be merged each time."""

COARSENING = 4.0
"""By how much the error grows when nodes are merged: as the square of their distance [-]."""

BORDER = 1.3
"""Node updates that splitting costs, over those of the children alone: ghost nodes at borders come on top [-]."""

CONTACT_RINGS = 2
"""How many rings of coarser elements around a contact are split with it [-]. A tool that presses on strains them
only later; waited for, they moved with what is touched, and the largest error was twice as large."""

MOST_OVERHEAD = 0.7
"""Share of the budget that substeps alone may take for the sake of a finer level [-]."""


@dataclass(frozen=True)
class _Workspace:
    """Errors and contacts of one body, found anew in every frame."""

    gathered: NDArray[np.float64]
    """(node_count, 14) sums over the elements around each node, see `gather_gradients`."""

    errors: NDArray[np.float64]
    """(node_count,) [m]"""

    worst: NDArray[np.float64]
    """(node_count,) largest error among the children of a node [m]."""

    has_split_child: NDArray[np.bool_]
    """(node_count,)"""

    rings: NDArray[np.int8]
    """(node_count,) 1 for nodes in contact, more for the rings around them, 0 for all others."""

    child_counts: NDArray[np.int64]
    """(node_count,) nodes of the next finer level in the Voronoi cell of a node."""

    contacts: GhostContacts
    """Ghost nodes that contacts and grabs have displaced."""

    @classmethod
    def of(cls, levels: Levels) -> _Workspace:
        """Make room."""
        count = len(levels.rest)
        owned = levels.owners[levels.owners >= 0]
        return cls(
            gathered=np.zeros((count, 14)),
            errors=np.zeros(count),
            worst=np.zeros(count),
            has_split_child=np.zeros(count, dtype=np.bool_),
            rings=np.zeros(count, dtype=np.int8),
            child_counts=np.bincount(owned, minlength=count),
            contacts=GhostContacts.blank(levels.finest_nodes.stop - levels.finest_nodes.start),
        )


@dataclass(frozen=True)
class _SplitRequest:
    """A node whose error is too large."""

    urgency: float
    """Its error over what is allowed [-]."""

    body: int
    node: int
    rate: int
    """How many times in a frame its children act."""

    cost: float
    """Node updates that splitting it adds to a frame, about."""


class LevelOfDetail:
    """The levels of detail of all bodies that have several, and the budget they share."""

    def __init__(self, world: World, budget_ms: float | None, budget_updates: int | None) -> None:
        """Start where the bodies are."""
        self.world = world
        self.budget = Budget(budget_ms, budget_updates)
        self._bodies = list(world.levels.values())
        self._workspaces = [_Workspace.of(levels) for levels in self._bodies]
        self._measured = np.zeros(10)
        self._substeps = 1
        self.resume()
        if budget_ms is not None:
            for levels in self._bodies:  # the first switch must not wait for the compiler
                switch(levels, levels.is_split.copy())

    def __bool__(self) -> bool:
        """Tell whether any body has several levels."""
        return bool(self._bodies)

    def resume(self) -> None:
        """Follow masses, materials, fixed particles and which nodes are split after a state was loaded."""
        particles = self.world.particles
        for levels in self._bodies:
            own = self.world.bodies[levels.name].particles
            levels.update_material(float(particles.masses[own].sum()))
            levels.set_fixed(particles.is_fixed[own])
            levels.rebuild()
            levels.positions[levels.finest_nodes] = particles.positions[own]

    def material_changed(self, levels: Levels) -> None:
        """Follow a changed density or material."""
        own = self.world.bodies[levels.name].particles
        levels.store_rotations()
        levels.update_material(float(self.world.particles.masses[own].sum()))
        levels.rebuild()

    def recover(self) -> None:
        """Bring all levels to rest where the particles are, after a frame that had to be taken back."""
        for levels in self._bodies:
            self._follow_particles(levels)
            levels.velocities[:] = 0.0
            levels.turns[:] = (1.0, 0.0, 0.0, 0.0)
            levels.pack()

    def place(self, levels: Levels) -> None:
        """Let the levels of a body be where its particles were put, turned and moving as they are."""
        self._follow_particles(levels)
        levels.fit_rotations()
        levels.pack()

    def _follow_particles(self, levels: Levels) -> None:
        own, fine = self.world.bodies[levels.name].particles, levels.finest_nodes
        particles = self.world.particles
        for into, of in ((levels.positions, particles.positions), (levels.velocities, particles.velocities)):
            into[fine] = of[own]
            for level in range(levels.count - 2, -1, -1):
                nodes = slice(levels.node_firsts[level], levels.node_firsts[level + 1])
                weights = levels.child_weights[nodes][:, :, None]
                into[nodes] = (weights * into[levels.children[nodes]]).sum(axis=1)
        levels.elements.inside_out[:] = 0.0
        levels.peaks[:] = 0.0

    # ------------------------------------------------------------------ edits

    def begin_edit(self) -> None:
        """Place all nodes of all levels where the bodies are, for an edit to start from."""
        for levels in self._bodies:
            self.read_particles(levels)
            fill_unused(levels)

    def follow_edit(self) -> None:
        """Follow an edit that has made new bodies of old ones; they keep the momentum of those in sum.

        Theory: docs/theory/levels.md, eq. (D9).
        """
        particles = self.world.particles
        before, present = self._bodies, list(self.world.levels.values())
        gone = [levels for levels in before if not any(levels is other for other in present)]
        new = [levels for levels in present if not any(levels is other for other in before)]
        workspaces = {id(levels): work for levels, work in zip(before, self._workspaces, strict=True)}
        self._bodies = present
        self._workspaces = [workspaces.get(id(levels)) or _Workspace.of(levels) for levels in present]
        for levels in new:
            own = self.world.bodies[levels.name].particles
            levels.update_material(float(particles.masses[own].sum()))
            levels.set_fixed(particles.is_fixed[own])
            levels.fit_rotations()
            levels.rebuild()
            levels.update_ghosts()
        if new:
            restore_momentum(new, momenta(*gone))
        for levels in new:
            levels.update_ghosts()
            self.write_particles(levels)

    # ------------------------------------------------------------------ a frame

    def begin_frame(self, frame: float) -> None:
        """Split and merge nodes where the last frame, of `frame` seconds, has shown that it is needed."""
        keeping = math.exp(-frame / MEMORY)
        wanted: list[NDArray[np.bool_]] = []
        requests: list[_SplitRequest] = []
        for number, (levels, work) in enumerate(zip(self._bodies, self._workspaces, strict=True)):
            self._estimate(levels, work, keeping)
            is_split = levels.is_split & ~self._may_merge(levels, work)
            wanted.append(is_split)
            requests += self._requests(number, levels, work, is_split)
        if not self._bodies:
            return
        requests.sort(key=lambda request: (-request.urgency, request.body, request.node))
        granted = self._granted(requests, wanted)
        for number, levels in enumerate(self._bodies):
            levels.held_back = sum(request.body == number for request in requests[granted:])
            levels.switches = int(np.count_nonzero(wanted[number] != levels.is_split))
            if levels.switches:
                switch(levels, wanted[number])
                self.write_particles(levels)
            levels.element_seconds = 0.0

    def _estimate(self, levels: Levels, work: _Workspace, keeping: float) -> None:
        """Read where the particles are and estimate the errors; `keeping` is what is left of a peak [-]."""
        levels.set_fixed(self.world.particles.is_fixed[self.world.bodies[levels.name].particles])
        self.read_particles(levels)
        gather_gradients(levels.blocks, levels.weighed_elements, levels.positions, work.gathered)
        measure = STRAIN if levels.refine.measure == "strain" else LAPLACIAN
        estimate_errors(measure, work.gathered, levels.spacings, keeping, work.errors, levels.peaks)
        if levels.refine.touched:
            self._raise_near_contacts(levels, work)
        gather_child_errors(
            int(levels.node_firsts[1]), levels.owners, levels.children, levels.is_split, levels.peaks,
            work.gathered, work.worst, work.has_split_child,
        )  # fmt: skip

    def _raise_near_contacts(self, levels: Levels, work: _Workspace) -> None:
        """Raise the errors near contacts, so that nodes there are split, and not merged."""
        nodes = levels.finest_nodes.start + np.flatnonzero(levels.is_touched)
        enough = 1.001 * levels.refine.upper(levels.cell)
        work.rings[:] = 0
        work.rings[nodes] = 1
        for level in range(levels.count - 2, -1, -1):
            nodes = levels.owners[nodes]
            work.rings[nodes] = 1
            begin, end = levels.element_firsts[level : level + 2]
            mark_rings(CONTACT_RINGS, int(begin), int(end), levels.elements.corners, work.rings)
        is_near = work.rings > 0
        for errors in (work.errors, levels.peaks):
            np.maximum(errors, enough, out=errors, where=is_near)

    def _may_merge(self, levels: Levels, work: _Workspace) -> NDArray[np.bool_]:
        """Return which nodes may take the place of their children again, (node_count,)."""
        may = levels.is_split & ~work.has_split_child
        may &= work.rings == 0
        may[: levels.node_firsts[levels.refine.floor]] = False
        may &= COARSENING * work.worst < levels.refine.lower(levels.cell)
        return may

    def _requests(
        self, number: int, levels: Levels, work: _Workspace, is_split: NDArray[np.bool_]
    ) -> list[_SplitRequest]:
        """Return the nodes whose error is too large, and which may be split: those whose own owner is split."""
        upper = levels.refine.upper(levels.cell)
        coarse = levels.finest_nodes.start
        chosen = np.flatnonzero(
            (work.errors[:coarse] > upper) & ~levels.is_split[:coarse] & (levels.roles[:coarse] == ACTIVE)
        )
        owners = levels.owners[chosen]
        chosen = chosen[(owners < 0) | is_split[owners]]
        finer = np.searchsorted(levels.node_firsts, chosen, side="right")
        return [
            _SplitRequest(
                urgency=float(work.errors[node]) / upper,
                body=number,
                node=int(node),
                rate=int(levels.rates[level]),
                cost=BORDER * float(work.child_counts[node] * levels.rates[level]),
            )
            for node, level in zip(chosen, finer, strict=True)
        ]

    def _granted(self, requests: list[_SplitRequest], wanted: list[NDArray[np.bool_]]) -> int:
        """Write which nodes will be split, as far as the budget reaches; return how many requests were granted."""
        budget, updates = self.budget, float(self.updates())
        granted = 0
        if budget.is_endless:
            granted = len(requests)
        else:
            substeps = self._next_substeps(wanted)
            # Merging takes time as well, so it begins while there is some for it.
            if budget.share(Load(updates, substeps, is_switching=True)) > 1.0:
                self._save(wanted)
                return 0
            for request in requests:
                if request.rate > substeps and budget.share(Load(0.0, request.rate)) > MOST_OVERHEAD:
                    break
                updates += request.cost
                substeps = max(substeps, request.rate)
                if budget.share(Load(updates, substeps, is_switching=True)) > budget.splitting_share:
                    break
                granted += 1
        for request in requests[:granted]:
            wanted[request.body][request.node] = True
        return granted

    def _next_substeps(self, wanted: list[NDArray[np.bool_]]) -> int:
        """Return how many substeps the next frame takes if these nodes are split."""
        now = max(_rate(levels, levels.is_split) for levels in self._bodies)
        then = max(_rate(levels, flags) for levels, flags in zip(self._bodies, wanted, strict=True))
        # What is more than the levels ask for is due to other things in the scene.
        return max(then, self._substeps if self._substeps > now else 1)

    def _save(self, wanted: list[NDArray[np.bool_]]) -> None:
        """Merge nodes although their errors forbid it until the budget is kept.

        Either those with the smallest errors first, or the finest level first, which saves substeps: what leaves more.
        """
        plans = []
        for is_finest_first in (False, True):
            flags = [own.copy() for own in wanted]
            plans.append((self._saved(flags, is_finest_first), flags))
        best = max(plans, key=lambda plan: plan[0])[1]
        for own, chosen in zip(wanted, best, strict=True):
            own[:] = chosen

    def _saved(self, wanted: list[NDArray[np.bool_]], is_finest_first: bool) -> float:
        """Clear the flags of nodes to be merged; return the node updates that are left."""
        choices = []
        for number, (levels, work) in enumerate(zip(self._bodies, self._workspaces, strict=True)):
            may = wanted[number] & ~work.has_split_child
            may[: levels.node_firsts[levels.refine.floor]] = False
            nodes = np.flatnonzero(may)
            rates = levels.rates[np.searchsorted(levels.node_firsts, nodes, side="right")]
            order = -rates if is_finest_first else np.zeros_like(rates)
            costs = work.child_counts[nodes] * rates
            columns = (order, work.worst[nodes], np.full(len(nodes), number), nodes, costs, rates)
            choices += list(zip(*(column.tolist() for column in columns), strict=True))
        updates, substeps = float(self.updates()), self._next_substeps(wanted)
        for _, _, number, node, cost, rate in sorted(choices):
            if self.budget.share(Load(updates, substeps, is_switching=True)) <= self.budget.splitting_share:
                break
            wanted[number][node] = False
            updates -= cost
            if rate >= substeps:
                substeps = self._next_substeps(wanted)
        return updates

    # ------------------------------------------------------------------ particles

    def read_particles(self, levels: Levels) -> None:
        """Give the finest nodes of a body the positions and velocities of its particles."""
        particles = self.world.particles
        own, fine = self.world.bodies[levels.name].particles, levels.finest_nodes
        levels.positions[fine] = particles.positions[own]
        levels.velocities[fine] = particles.velocities[own]

    def write_particles(self, levels: Levels) -> None:
        """Give the free particles of a body the positions and velocities of its finest nodes."""
        particles = self.world.particles
        own, fine = self.world.bodies[levels.name].particles, levels.finest_nodes
        is_free = ~particles.is_fixed[own]
        particles.positions[own][is_free] = levels.positions[fine][is_free]
        particles.velocities[own][is_free] = levels.velocities[fine][is_free]

    def apply_contacts(self, step: float, solids: NDArray[np.int64], reactions: NDArray[np.float64]) -> None:
        """End a substep: move the nodes as contacts and grabs have moved the particles.

        Args:
            step: substep [s]
            solids: (particle_count,) solid in contact of every particle of the world, -1 for none
            reactions: (solid_count, 6) what solids received, corrected
        """
        particles = self.world.particles
        for levels, work in zip(self._bodies, self._workspaces, strict=True):
            own = self.world.bodies[levels.name].particles
            finish_substep(
                step, levels.finest_nodes.start, particles.positions[own], solids[own], particles.masses[own],
                levels.lists, levels.ghosts, levels.nodes, work.contacts, reactions,
            )  # fmt: skip

    def contact_masses(self) -> NDArray[np.float64]:
        """Return the mass that moves with each particle of the world that is pushed, (particle_count,) [kg]."""
        if not self._bodies:
            return self.world.particles.masses
        masses = self.world.particles.masses.copy()
        for levels, work in zip(self._bodies, self._workspaces, strict=True):
            masses[self.world.bodies[levels.name].particles] = work.contacts.effective_masses
        return masses

    def recoil(self, step: float, solids: NDArray[np.int64]) -> None:
        """Move the nodes, by velocity, as solids with a mass have moved the particles in contact with them."""
        particles = self.world.particles
        for levels, work in zip(self._bodies, self._workspaces, strict=True):
            own = self.world.bodies[levels.name].particles
            motion = ParticleMotion(
                step, particles.starts[own], particles.positions[own], particles.velocities[own]
            )
            pass_recoil_on(
                levels.finest_nodes.start, solids[own], motion, levels.ghosts, levels.nodes, work.contacts
            )

    def end_frame(
        self, solids: NDArray[np.int64], substeps: int, milliseconds: float, overhead: float, share: float
    ) -> None:
        """End a frame: remember which particles are in contact, and what it has cost.

        What other programs took from the processor meanwhile is no cost of the frame: on a busy machine nothing would ever
        be refined, and being coarse would not make it less busy.

        Args:
            solids: (particle_count,) solid in contact of every particle of the world, -1 for none
            substeps: of the frame
            milliseconds: that it took [ms]
            overhead: of these, what is done once in a frame [ms]
            share: of this time in which the processor worked for the frame [-]
        """
        for levels in self._bodies:
            np.greater_equal(solids[self.world.bodies[levels.name].particles], 0, out=levels.is_touched)
        self._substeps = substeps
        load = Load(self.updates(), substeps, any(levels.switches for levels in self._bodies))
        elements = 1e3 * sum(levels.element_seconds for levels in self._bodies)
        self.budget.note(load, share * milliseconds, share * overhead, share * elements)

    # ------------------------------------------------------------------ measures

    def updates(self) -> int:
        """Return the node updates of a frame, all bodies together."""
        return sum(levels.updates() for levels in self._bodies)

    def level_counts(self) -> tuple[int, ...]:
        """Return the active nodes of every level, the coarsest first, all bodies together."""
        counts = np.zeros(max((levels.count for levels in self._bodies), default=0), dtype=np.int64)
        for levels in self._bodies:
            # Bodies of fewer levels have only the finer ones.
            counts[len(counts) - levels.count :] += levels.level_counts()
        return tuple(counts.tolist())

    def held_back(self) -> int:
        """Return how many nodes the budget has kept from being split."""
        return sum(levels.held_back for levels in self._bodies)

    def correct(self, measured: NDArray[np.float64]) -> None:
        """Replace what `measure_motion` says of particles by what the active nodes do; the first 8 entries."""
        particles = self.world.particles
        for levels in self._bodies:
            own, fine = self.world.bodies[levels.name].particles, levels.finest_nodes
            gravity = self.world.gravity
            levels.velocities[fine] = particles.velocities[own]
            measure_motion(
                particles.positions[own],
                particles.velocities[own],
                particles.masses[own],
                gravity,
                self._measured,
            )
            measured[:8] -= self._measured[:8]
            measure_motion(levels.positions, levels.velocities, levels.masses, gravity, self._measured)
            measured[:8] += self._measured[:8]

    def energy(self) -> float:
        """Return the elastic energy of all bodies of several levels [J]."""
        return sum(stored_energy(levels) for levels in self._bodies)


def _rate(levels: Levels, is_split: NDArray[np.bool_]) -> int:
    """Return how many times in a frame the finest level in use acts if these nodes are split, (node_count,)."""
    split = np.flatnonzero(is_split)
    last = int(split[-1]) if len(split) else -1
    return int(levels.rates[np.searchsorted(levels.node_firsts, last, side="right")])
