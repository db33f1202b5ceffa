"""`descent`: one Newton step on the true forces in every substep, of second order in time where nothing touches.

Theory: docs/theory/descent.md, eq. (N1) to (N6). A substep aims (`time_order`), adds what acts beside springs and flat
bending (`solid_contact`, `other_forces`), linearises at the guess and solves (`newton_system`, with the groups of
`aggregates`), on several threads if it may (`newton_solve`). It does so up to three times, while springs turn far or
contacts do not give the forces that were counted on.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.collide.obstacles.obstacles import Obstacles
from supple.collide.obstacles.puppets import Puppets
from supple.collide.self_contact.self_contact import SelfContact
from supple.constrain.momentum import components_of_several, free_components
from supple.forces.averaged_strain import add_averaged_forces
from supple.forces.gas import add_gas_forces
from supple.forces.plates import add_rest_curvature
from supple.forces.thread_laws import add_plate_friction, follow_plate_slips
from supple.integrate.descent.aggregates import assemble_levels, build_hierarchy, nested_labels
from supple.integrate.descent.contact_rows import make_rows
from supple.integrate.descent.element_rows import ElementShare
from supple.integrate.descent.impact_substeps import ImpactSubsteps
from supple.integrate.descent.newton_solve import (
    Newton,
    add_damping,
    help_newton,
    linearise,
    make_course,
    make_newton_team,
    solve_newton,
)
from supple.integrate.descent.newton_system import (
    BendingRows,
    Couplings,
    Points,
    SpringRows,
    largest_change,
    make_system,
    make_vectors,
    overshoot,
    step_back,
)
from supple.integrate.descent.obstacle_contact import ObstacleContact
from supple.integrate.descent.other_forces import (
    SOFTEST,
    Damping,
    Material,
    add_anchors,
    add_curvature,
    clear_outer,
    read_guess,
    subtract_forces,
    take_bases,
)
from supple.integrate.descent.packed_rows import pack_rows
from supple.integrate.descent.point_order import PointOrder
from supple.integrate.descent.puppet_contact import PuppetContact
from supple.integrate.descent.surface_contact import SurfaceContact
from supple.integrate.descent.tetrahedron_rows import SoftShare, point_stiffness
from supple.integrate.descent.time_order import CALM, aim, find_waiting, keep_spin, make_past, take_velocities
from supple.integrate.integrator import Integrator
from supple.kernel import kernel
from supple.model.couplings.couplings import Couplings as Pairs
from supple.model.plates import PlateArrays
from supple.model.strain_patches import make_patches
from supple.model.thread_laws import BENDING_REACH
from supple.model.world import World
from supple.simd import ROW
from supple.threads import POOL

ITERATIONS = 6
"""Iterations of conjugate gradients in a Newton step, at most: calm cloth needs two or three. With three a curtain that
is let go swings by a tenth too slowly."""

PRESSED_ITERATIONS = 12
"""The same where contacts press, which the coarse levels know little of, and after the first Newton step."""

SOFT_ITERATIONS = 5
"""The same for soft bodies: contacts are as stiff as they are, and stand on the diagonal."""

MOST_STEPS = 4
"""Newton steps in a substep, at most. One is enough where springs hardly turn and contacts stay as they are."""

VIOLENT_STEPS = 8
"""The same where points are still torn about after `MOST_STEPS`, as by a hand that yanks."""

MOST_BACKS = 3
"""How often a Newton step that went too far is shortened."""

LARGE = 0.02
"""Displacement after which forces are linearised anew, in lengths of the shortest springs [-]; less where springs are stiff,
see `Descent._turns_far`. With 0.1 a sheet that is let go level comes 6 % higher or lower than in converged motion."""

LARGE_IN_ELEMENTS = 0.1
"""The same for tetrahedra, in their sizes."""

LAG = 5
"""Substeps for which the coarse levels keep their numbers, and tetrahedra their blocks."""


@kernel(is_entry=True)
def add_solution(slots, guess, solution, positions):
    """Write guess + solution to the positions; held points have no solution but zero."""
    for i in range(slots.shape[0]):
        for axis in range(3):
            at = ROW * slots[i] + axis
            positions[i, axis] = guess[at] + solution[at]


class Descent(Integrator):
    """Newton steps in a substep, one where nothing touches, each solved to a few percent."""

    name = "descent"
    solves_contact = True

    def __init__(self, world: World) -> None:
        """Order the points, and make room."""
        self.world = world
        self.past = make_past(world.particles.count)
        self._contact: ObstacleContact | None = None
        self._obstacles: Obstacles | None = None
        self._surfaces: SurfaceContact | None = None
        self._puppets: PuppetContact | None = None
        self._step, self._age, self._gained = 0.0, 0, 0.0
        self._helpers = 0
        self._build()

    def _build(self) -> None:
        """Lay out springs and bending; done anew when bending stiffness changes, as its zeros take no room."""
        world, couplings = self.world, self.world.couplings
        membrane = world.weave()
        self._is_acting = ~membrane.is_replaced
        self.order = order = PointOrder.of(*_graph(couplings, membrane.plates))
        slot_of, count = order.slots, order.slot_count
        ends = slot_of[world.springs.ends[self._is_acting].astype(np.int64)]
        rows, self._spring_places = pack_rows(
            order, np.concatenate([ends[:, 0], ends[:, 1]]), np.concatenate([ends[:, 1], ends[:, 0]])
        )
        room = len(rows.columns)
        self.springs = SpringRows(*rows, np.zeros(room), np.ones(room), np.zeros(room))
        self.material = Material(np.zeros(room), np.ones(room), np.zeros(room))
        at, to, values, diagonal = bending_matrix(world)
        along = self._along_springs(at, to)
        self.springs.bending[self._spring_places[along[along >= 0]]] = values[along >= 0]
        at, to, values = at[along < 0], to[along < 0], values[along < 0]
        soft = world.tetrahedra
        self.elements = ElementShare(order, membrane.arrays, soft.corners.astype(np.int64), membrane.laws)
        self.soft = SoftShare(order, soft, self.elements.pairs, self.elements.places)
        is_apart = ~self.elements.take_bending(at, to, values)
        at, to, values = at[is_apart], to[is_apart], values[is_apart]
        bending_rows, places = pack_rows(order, slot_of[at], slot_of[to])
        packed, packed_diagonal = np.zeros(len(bending_rows.columns)), np.zeros(count)
        packed[places], packed_diagonal[slot_of] = values, diagonal
        self.bending = BendingRows(*bending_rows, packed, packed_diagonal)
        self.system = make_system(order, room, packed, self.elements.rows)
        self.vectors = make_vectors(count)
        guess, targets, outer = (np.zeros(ROW * count) for _ in range(3))
        self.points = Points(
            guess, targets, np.ones(count), np.zeros(count), outer, np.zeros(6 * count), np.zeros(count)
        )
        self.damping = Damping(self.material, np.zeros(ROW * count), np.zeros(count))
        self.no_couplings = Couplings(make_rows(0), 0, 0, order.slots, self.points.freedom)
        labels = couplings.component_labels.astype(np.int64)
        # Points of puppets are held and joined to nothing: thousands of components that need no group each.
        is_idle = (couplings.row_starts == couplings.row_ends) & world.particles.is_fixed
        active = np.flatnonzero(~is_idle)
        places = np.zeros(len(labels), dtype=np.int64)
        places[active] = np.arange(len(active))
        grouped = nested_labels(world.particles.rest_positions[active], labels[active])
        self._groups = [group[places] if len(active) else places for group in grouped]
        self._rows = rows, bending_rows, self.elements.layout
        self._bending_stiffness = world.bends.stiffness.copy()
        self._plates = membrane.plates
        self._curved_plates = np.flatnonzero((membrane.plates.rest != 0.0).any(axis=1))
        self._forces, self._positions = (np.zeros_like(world.particles.positions) for _ in range(2))
        self._components = components_of_several(world)
        # Points of soft bodies wait for themselves, all others for their whole component, see `time_order`.
        self._component_labels = couplings.component_labels.astype(np.int64)
        self._soft_points = np.unique(soft.corners).astype(np.int64)
        self._own_waits = self._component_labels.copy()
        self._own_waits[self._soft_points] = self._soft_points
        self._waiting, self._fastest = self._own_waits.copy(), np.zeros(world.particles.count)
        self._refix()
        self._take_springs()

    def _along_springs(self, at: NDArray[np.int64], to: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return for pairs of points the entry of a spring between them, -1 if there is none."""
        count = self.world.particles.count
        ends = self.world.springs.ends[self._is_acting].astype(np.int64)
        keys = np.concatenate([ends[:, 0] * count + ends[:, 1], ends[:, 1] * count + ends[:, 0]])
        if not len(keys):
            return np.full(len(at), -1, dtype=np.int64)
        unique, first = np.unique(keys, return_index=True)
        wanted = at * count + to
        found = np.minimum(np.searchsorted(unique, wanted), len(unique) - 1)
        return np.where(unique[found] == wanted, first[found], -1)

    def _refix(self) -> None:
        """Take over which points are held."""
        self.points.freedom[self.order.slots] = ~self.world.particles.is_fixed
        is_held = self.points.freedom == 0.0
        self.hierarchy = build_hierarchy(self.order, self._groups, is_held, *self._rows)
        self._free_components = free_components(self.world, self._components)
        self._age = 0
        # With a team of its own, so that a thread that comes late does not help with the wrong arrays.
        self.newton = Newton(
            self.points, self.springs, self.damping, self.bending, self.system, self.hierarchy, self.vectors,
            make_course(self.order, self.hierarchy), make_newton_team(self.order),
        )  # fmt: skip

    def _take_springs(self) -> None:
        """Take over stiffness, rest lengths and damping."""
        springs, places = self.world.springs, self._spring_places
        for into, values in zip(
            self.material, (springs.stiffness, springs.rest_lengths, springs.damping), strict=True
        ):
            into[places] = np.tile(values[self._is_acting], 2)
        np.copyto(self.springs.stiffness, self.material.stiffness)
        np.copyto(self.springs.lengths, self.material.lengths)
        self._is_damped = bool(springs.damping.any())
        self.points.resistance[self.order.slots] = point_stiffness(
            self.world.tetrahedra, self.world.particles.count
        )
        self._impacts = ImpactSubsteps(self.world)
        bends = self.world.bends
        self._curved = np.flatnonzero(bends.stiffness * bends.rest_lengths > 0.0)
        sizes = np.cbrt(self.world.tetrahedra.volumes)  # about half an edge
        self._large = min(
            LARGE * float(springs.rest_lengths.min(initial=np.inf)),
            LARGE_IN_ELEMENTS * float(sizes.min(initial=np.inf)),
        )
        masses = self.world.particles.masses[springs.ends].min(axis=1, initial=np.inf)
        is_stiff = springs.stiffness > SOFTEST
        ratios = springs.rest_lengths[is_stiff] ** 2 * masses[is_stiff] / springs.stiffness[is_stiff]
        self._stiffest = float(ratios.min(initial=np.inf))
        self._is_soft = not self.soft.is_empty
        self._patches = make_patches(self.world.tetrahedra)

    @property
    def arms(self) -> NDArray[np.float64]:
        """What velocities count from: b of (N3)."""
        return self.past.bases

    def without_momentum(self, touched: NDArray[np.int64]) -> NDArray[np.int64]:
        """Add points of soft bodies that are moved with first order, while the rest of the body is not."""
        rates = self.past.rates
        is_first = rates[self._soft_points] * self._step < 1.25
        if not is_first.any() or is_first.all():
            return touched
        touched = touched.copy()
        touched[self._soft_points[is_first]] = 0
        return touched

    def take_obstacles(self, obstacles: Obstacles) -> None:
        """Let contact with obstacles be part of the Newton steps."""
        has_obstacles = bool(obstacles.properties.is_projecting.any())
        self._contact = ObstacleContact(self.world, obstacles) if has_obstacles else None
        self._obstacles = obstacles if has_obstacles else None

    def take_surfaces(self, contact: SelfContact) -> None:
        """Let contact between surfaces be part of the Newton steps."""
        self._surfaces = SurfaceContact(self.world, contact) if contact.is_active else None

    def take_puppets(self, puppets: Puppets) -> None:
        """Let contact with puppets be part of the Newton steps."""
        self._puppets = PuppetContact(self.world, puppets) if puppets.is_active else None

    def _all_contacts(self) -> list[ObstacleContact | SurfaceContact | PuppetContact]:
        """Return contacts of all kinds that there may be."""
        return [each for each in (self._contact, self._puppets, self._surfaces) if each is not None]

    def take_threads(self, count: int) -> None:
        """Let so many threads work on the Newton steps."""
        self._helpers = count - 1

    def substeps(self, frame: float, wanted: int) -> int:
        """Return how many substeps a frame takes: more than asked for where a soft body is about to hit something."""
        return max(wanted, self._impacts.count(frame, self._obstacles)) if self._is_soft else wanted

    def prepare(self, step: float) -> None:
        """Begin a frame: coarse levels are assembled in its first substep, so that saved states go on the same way."""
        self._age = 0

    def parameters_changed(self) -> None:
        """Take over stiffness, damping and masses."""
        membrane = self.world.weave()
        has_same_plates = np.array_equal(self._plates.stiffness, membrane.plates.stiffness)
        if has_same_plates and np.array_equal(self._bending_stiffness, self.world.bends.stiffness):
            self._take_springs()
            self.elements.take_material(membrane.arrays, membrane.laws)
            self._plates = membrane.plates
        else:
            self._build()

    def rest_shape_changed(self) -> None:
        """Take over rest lengths and masses, which are read together."""
        self.lengths_changed()

    def lengths_changed(self) -> None:
        """Take over rest lengths."""
        if len(self._plates.points):
            self._build()
        else:
            self._take_springs()
            membrane = self.world.weave()
            self.elements.take_material(membrane.arrays, membrane.laws)
        if self._contact is not None:
            self._contact.lengths_changed()

    def gravity_changed(self) -> None:
        """Go on with order one: the second would let the old gravity act for another third of a substep."""
        self._step = 0.0

    def fixed_changed(self, points: NDArray[np.int64]) -> None:
        """Take over which points are held; what acted until now does not go on, so order one is next."""
        self._refix()
        self._step = 0.0

    def advance(self, step: float) -> int:
        """Carry out a substep."""
        with POOL.helping(self.newton.team, self._helpers, help_newton, self.newton):
            return self._advance(step)

    def _advance(self, step: float) -> int:
        """Carry out a substep, with whoever helps."""
        world, particles, order, points = self.world, self.world.particles, self.order, self.points
        is_past_known, self._step = self._step == step, step
        if self._is_soft:
            slow = CALM * step * math.hypot(*world.gravity)
            find_waiting(
                particles.velocities, self._component_labels, self._soft_points, slow, self.past, self._fastest,
                self._waiting,
            )  # fmt: skip
        aim(
            particles.arrays, self._waiting, world.inertia(step), world.gravity, particles.accelerations, step,
            is_past_known, self.past, order.slots, points,
        )  # fmt: skip
        for members in self._free_components:
            if self.past.rates[members].min() * step > 1.25:  # second order
                keep_spin(particles.arrays, members, step, self.past, order.slots, points)
        if self._is_damped:
            take_bases(order.slots, self.past, self.damping.bases, self.damping.rates)
            add_damping(self.newton)
        self.elements.begin(particles.starts, self.past.bases, self.past.rates)
        follow_plate_slips(particles.starts, self._plates, world.membrane.friction)
        self.soft.begin(self.past.bases, self.past.rates)
        for contact in self._all_contacts():
            contact.begin(step)
        for number in range(VIOLENT_STEPS):
            if number > 0:
                points.guess[:] += self.vectors.solution
            self._newton_step(number)
            if self._is_settled(number) or (number + 1 >= MOST_STEPS and not self._turns_far()):
                break
        else:  # still torn about: order one, which calms it down, is next
            points.guess[:] += self.vectors.solution
            self._linearise_nearby(number)
            self.vectors.solution[:] = 0.0
            self._step = 0.0
        self._age += 1
        for contact in self._all_contacts():
            contact.end(step, order.slots, points.guess, self.vectors.solution)
        add_solution(order.slots, points.guess, self.vectors.solution, particles.positions)
        return (number + 1) * ITERATIONS

    def _is_settled(self, number: int) -> bool:
        """Return whether forces are what Newton step `number` has counted on."""
        solution = self.vectors.solution
        if self._turns_far():
            return False
        return all(
            contact.holds(number, self.order.slots, self.points.guess, solution)
            for contact in self._all_contacts()
        )

    def _turns_far(self) -> bool:
        """Return whether the last Newton step moved a point so far that springs have other forces than it counted on.

        A spring of length L that is turned by a displacement d becomes longer by d² / 2L, which a linear model does not
        know (N16). The energy k (d² / 2L)² / 2 of that must not exceed what the displacement itself is worth, m d² / 2h²:
        in stiff cloth it would be stirred up from nothing.
        """
        limit = min(self._large * self._large, self._stiffest / (self._step * self._step))
        return bool(largest_change(self.vectors.solution) > limit)

    def _newton_step(self, number: int) -> None:
        """Linearise at the guess, and solve for what is to be added to it."""
        self._linearise_nearby(number)
        is_due = self._is_pressed or (self._age % LAG == 0 and number == 0) or number >= MOST_STEPS
        if self._has_new_blocks if self._is_soft else is_due:
            assemble_levels(self.points, self.system, self.hierarchy)
        self._gained = solve_newton(
            self.newton, (self._of_obstacles, self._of_surfaces), self._iterations(number)
        )

    def _linearise_nearby(self, number: int) -> None:
        """Linearise at the guess, having taken back what the last Newton step overdid."""
        is_far = number > 0 and self._turns_far()  # contacts that come and go change the slope, not the step
        self._linearise(number)
        for _ in range(MOST_BACKS if is_far else 0):
            share = overshoot(self.system, self.vectors, self._gained)
            if share == 1.0:
                break
            step_back(self.points.guess, self.vectors.solution, share)
            self._gained *= share
            self._linearise(number)

    def _linearise(self, number: int) -> None:
        """Write gradient and Hessian at the guess."""
        order, points, contact, surfaces = self.order, self.points, self._contact, self._surfaces
        clear_outer(points)
        of_obstacles = of_surfaces = self.no_couplings
        is_pressed = False
        if contact is not None:
            is_pressed = contact.add(number, order.slots, points) > 0
            of_obstacles = Couplings(
                contact.rows, contact.particle_count, contact.count, order.slots, points.freedom
            )
        if self._puppets is not None:
            is_pressed |= self._puppets.add(number, order.slots, points) > 0
        if surfaces is not None:
            is_pressed |= surfaces.add(number, order.slots, points) > 0
            of_surfaces = Couplings(surfaces.rows, 0, surfaces.count, order.slots, points.freedom)
        self._is_pressed, self._of_obstacles, self._of_surfaces = is_pressed, of_obstacles, of_surfaces
        self._add_other_forces()
        is_new = self._age % LAG == 0 and number == 0
        is_turned = number > 0 and self._turns_far()
        has_blocks = is_new or is_turned or self.elements.has_triangles
        self.elements.add(points, has_blocks)
        self.soft.add(points, self.elements.rows, has_blocks)
        linearise(self.newton)
        self._has_new_blocks = has_blocks

    def _iterations(self, number: int) -> int:
        """Return how many iterations of conjugate gradients Newton step `number` may take."""
        if self._is_soft:
            return PRESSED_ITERATIONS if self._is_pressed and self._of_surfaces.end > 0 else SOFT_ITERATIONS
        return PRESSED_ITERATIONS if self._is_pressed or number > 0 else ITERATIONS

    def _add_other_forces(self) -> None:
        """Write what acts at the guess beside springs and flat bending."""
        world, points, slots = self.world, self.points, self.order.slots
        if len(world.anchors.points):
            add_anchors(world.anchors.arrays, slots, points)
        if len(self._curved):
            add_curvature(world.bends.arrays, self._curved, slots, points)
        friction = world.membrane.friction
        has_patches = len(self._patches.pivots) > 0
        if not (world.gas_volumes.count or len(self._curved_plates) or len(friction.slips) or has_patches):
            return
        read_guess(slots, points.guess, self._positions)
        self._forces[:] = 0.0
        if len(self._curved_plates):
            add_rest_curvature(self._positions, self._plates, self._curved_plates, self._forces)
        add_plate_friction(self._positions, self._plates, friction, True, self._forces)
        if has_patches:
            rotations = world.tetrahedra.rotations
            add_averaged_forces(self._positions, self._patches, rotations, 1.0, self._forces)
        if world.gas_volumes.count:
            add_gas_forces(self._positions, world.gas_volumes.arrays, 1.0, self._forces)
        subtract_forces(self._forces, slots, points)

    def set_velocities(self, step: float, touching: Callable[[], NDArray[np.bool_]]) -> None:
        """Take velocities by the formula of the targets, by backward Euler where something touches."""
        particles = self.world.particles
        take_velocities(
            particles.arrays,
            particles.accelerations,
            self._own_waits,
            touching(),
            step,
            self.past,
        )

    def respond(self, step: float, pushes: NDArray[np.float64]) -> None:
        """Let impulses move masses alone."""
        pushes /= self.world.inertia(step)[:, None]

    def forget(self) -> None:
        """Go on with first order, and with no contact."""
        self._step = 0.0
        if self._contact is not None:
            self._contact.forget()
        if self._puppets is not None:
            self._puppets.forget()

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the last substep and the forces of contacts, which the next one continues."""
        return {
            "positions": self.past.positions,
            "velocities": self.past.velocities,
            "waits": self.past.waits,
            "step": np.array([self._step]),
            **({} if self._contact is None else self._contact.state()),
            **({} if self._puppets is None else self._puppets.state()),
        }

    def restore(self, saved: dict[str, NDArray[Any]]) -> None:
        """Go on from a saved substep."""
        into = self.state()
        if self._contact is not None:
            self._contact.restore(saved)
        if self._puppets is not None:
            self._puppets.restore(saved)
        for name, array in into.items():
            if name.startswith("contact_"):
                continue
            if saved[name].shape != array.shape or saved[name].dtype != array.dtype:
                raise ValueError(name)
            array[:] = saved[name]
        self._step = float(saved["step"][0])


def _graph(couplings: Pairs, plates: PlateArrays) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return which points act on each other, as rows of neighbours: where each begins, where it ends, and who they are."""
    if not len(plates.points):
        return couplings.row_starts, couplings.row_ends, couplings.columns
    count = np.int64(len(couplings.row_starts))
    starts, ends = couplings.row_starts.astype(np.int64), couplings.row_ends.astype(np.int64)
    lengths = ends - starts
    rows = np.repeat(np.arange(count), lengths)
    places = np.arange(len(rows)) + np.repeat(starts - (np.cumsum(lengths) - lengths), lengths)
    keys = rows * count + couplings.columns[places].astype(np.int64)
    more = np.repeat(plates.points, 6, axis=1) * count + np.tile(plates.points, 6)
    keys = np.unique(np.concatenate([keys, more.ravel()]))
    keys = keys[keys // count != keys % count]
    firsts = np.searchsorted(keys // count, np.arange(count + 1))
    return firsts[:-1], firsts[1:], keys % count


def bending_matrix(
    world: World,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the matrix Σ k w wᵀ of bending elements and plates: rows, columns, values off the diagonal, the diagonal."""
    bends, count = world.bends, world.particles.count
    points, weights = bends.points.astype(np.int64), bends.weights
    rows = np.repeat(points[:, :, None], 4, axis=2).reshape(-1)
    columns = np.repeat(points[:, None, :], 4, axis=1).reshape(-1)
    products = bends.stiffness[:, None, None] * weights[:, :, None] * weights[:, None, :]
    values = products.reshape(-1)
    plates = world.membrane.plates
    if len(plates.points):
        stiffness, limits = plates.stiffness, world.membrane.friction.limits
        if len(limits):
            stiffness = stiffness + limits / BENDING_REACH  # what friction resists while it holds
        sums = np.einsum("pka,pk,pkb->pab", plates.weights, stiffness, plates.weights)
        rows = np.concatenate([rows, np.repeat(plates.points, 6, axis=1).ravel()])
        columns = np.concatenate([columns, np.tile(plates.points, 6).ravel()])
        values = np.concatenate([values, sums.ravel()])
    kept = values != 0.0
    rows, columns, values = rows[kept], columns[kept], values[kept]
    on_diagonal = rows == columns
    diagonal: NDArray[np.float64] = np.bincount(
        rows[on_diagonal], values[on_diagonal], minlength=count
    ).astype(np.float64)
    keys, numbers = np.unique(rows[~on_diagonal] * count + columns[~on_diagonal], return_inverse=True)
    summed = np.bincount(numbers.ravel(), values[~on_diagonal], minlength=len(keys)).astype(np.float64)
    return keys // count, keys % count, summed, diagonal
