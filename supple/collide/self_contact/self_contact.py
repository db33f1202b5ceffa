"""Self-contact: cloth and soft bodies against themselves and each other, found in continuous time and guaranteed.

Theory: docs/theory/contact.md. The pipeline of one substep:

1. Contacts follow their points to the start of the substep (`begin`).
2. The integrator moves the particles.
3. Broad phase: the neighbour list with its skin is followed, or made anew as far as points have left their skins
   (`neighbour_list`, over the BVH of `surfaces`).
4. Narrow phase: contacts are found among the pairs of the list (`find_contacts`).
5. Contact impulses with Coulomb friction are sought, in turn with obstacles (`_solve`, `contact_response`).
6. CCD guard: the motion from start to end is made free of intersections by more impulses, then impact zones, then shorter
   displacements (`ccd_guard`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.collide.broad_phase.expected_paths import largest_distance
from supple.collide.broad_phase.neighbour_list import NeighbourList
from supple.collide.broad_phase.pair_transfer import UntouchedPoints
from supple.collide.broad_phase.self_collision_culling import RingsBeforeEdit
from supple.collide.self_contact.ccd_guard import CCDGuard
from supple.collide.self_contact.contact_impulses import add_contact_impulses
from supple.collide.self_contact.contact_response import (
    RECOVERY_SPEED,
    begin_contacts,
    recover_thickness,
    solve_contacts,
    take_over,
)
from supple.collide.self_contact.contact_table import ContactPoints, Contacts, ContactTable
from supple.collide.self_contact.contact_transfer import transfer_contacts
from supple.collide.self_contact.find_contacts import (
    EDGE_MARGIN,
    EDGE_SHARE,
    MARGIN,
    ContactChains,
    Hits,
    PickedPairs,
    add_hit_contacts,
    find_contacts,
)
from supple.collide.self_contact.point_contact import PointContact
from supple.collide.self_contact.surfaces import ContactSurfaces
from supple.model.tables.growable import resized
from supple.model.tables.row_updates import shared_arange
from supple.model.world import World
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.soft_body import SoftBody
from supple.scene.scene import Scene

PASSES = 12
"""Most Gauss-Seidel passes over all contacts in a substep, each followed by the obstacles."""

TOLERANCE = 0.001
"""Correction of a contact at which the passes end, in thicknesses [-]."""

MEAN_TOLERANCE = 0.05
"""Root mean square correction of all contacts at which the passes end as well, in shares of TOLERANCE [-]."""

MOST_UNEVEN = 4.0
"""Largest correction with which they may end so, in TOLERANCE [-]. Contacts that are nearly the same pass their load to and
fro in every pass, a few among thousands, while all others have long converged."""

SLIGHT = 0.3
"""How far the points of a contact may move before it is visited again, in shares of TOLERANCE [-]."""

YIELDING = 1.6e-3
"""How the thickness yields to a load [s]: by the acceleration that the load gives to the points of a contact, times this
squared. Layers lose a few hundredths of it under their weight; a crease that is bent too sharply stays within it."""

MOST_YIELD = 0.048
"""Share of the thickness that yields at most [-]: under any load layers keep the rest, 0.95 with what passes leave."""

UNSOLVED = 0.6
"""Share of the gap at the start (at most the thickness) below which passes mend what a solve has left [-]."""

NO_LINKS = np.zeros((0, 2), dtype=np.int64)
"""No component pushes another."""

WORK = 1_000_000
"""Least work of the neighbour list that a frame may take, see `NeighbourList.work`: some 0.4 s of one core."""

WORK_PER_TRIANGLE = 400
"""The same for every triangle: a sheet that is thrown about takes 30 in a substep, one that is torn to strips took 7,000."""

USUAL_SUBSTEPS = 10
"""Substeps that this is meant for; frames of more may take more, by the root of their number: each finds less anew."""

CALM = 0.1
"""Contacts are searched anew when a point has moved by this many thicknesses [-]."""


class SelfContact(ContactSurfaces):
    """All surfaces that may touch surfaces, and what is known of their contacts."""

    def __init__(self, scene: Scene, world: World, known: RingsBeforeEdit | None = None) -> None:
        """Build the hierarchy over every body with `self_contact = "exact"`, and a disc on every point of "points".

        Of cloth that was edited the one-rings before may be known.
        """
        super().__init__(scene, world)
        self._points = PointContact(scene, world)
        self.is_stopped = False
        """Whether surfaces were stopped in this frame, since to find a way for them took too much work."""
        self._is_stopped_now = False
        """Whether they were in this substep."""
        self._most_work = WORK
        self.is_guard = False
        """Whether contacts are part of the integrator's solve: then passes only mend what it has left undone."""
        if self.is_active:
            self._make_room(known)

    def after(self, scene: Scene, was: NDArray[np.int64], changed: NDArray[np.int64]) -> SelfContact:
        """Return the contacts of the world after an edit.

        Args:
            scene: how surfaces meet
            was: (particle_count,) number of each particle before, -1 if it is new
            changed: (count,) particles of all triangles that have changed
        """
        if not self.is_active:
            return self.reshaped(scene)
        is_same = np.array_equal(was, shared_arange(len(self.ends)))
        if is_same and not self._points.is_active and self._is_unchanged(scene):
            return self
        after = SelfContact(scene, self.world, RingsBeforeEdit(self.neighbours.culling, was))
        if after.is_active:
            untouched = UntouchedPoints(was, changed, len(self.ends))
            numbers = transfer_contacts(self.contacts, after.contacts, untouched)
            after.neighbours.transfer(self.neighbours, untouched, numbers)
        return after

    def reshaped(self, scene: Scene) -> SelfContact:
        """Return the contacts of the world after an edit; where nothing looks for any, there is nothing to find anew."""
        modes = {body.self_contact for body in scene.bodies if isinstance(body, Cloth | SoftBody)}
        if self.is_active or self._points.is_active or modes - {"off"}:
            return SelfContact(scene, self.world)
        count = self.world.particles.count
        self.radii, self.frictions = resized(self.radii, count), resized(self.frictions, count)
        for nothing in (self.radii, self.frictions):
            nothing[:] = 0
        return self

    def _tangled(self, marks: NDArray[np.int8] | None) -> NDArray[np.int32]:
        """Look where an edit has left marks, in memory that the next substep uses as well."""
        if marks is None:
            return super()._tangled(marks)
        return self.neighbours.meetings(self.world.particles.positions, self._touching_distance(), marks)

    def _make_room(self, known: RingsBeforeEdit | None = None) -> None:
        """Make room for all that depends on the hierarchy."""
        count, leaf_count = self.world.particles.count, len(self.bvh.corners)
        self.inverse_masses, self._free_masses = np.zeros(count), np.zeros(count)
        self.point_data = ContactPoints(self.radii, self.frictions, self.inverse_masses, self._free_masses)
        """What contact has to know of every point, as kernels take it."""
        self.starts, self.ends = np.zeros((count, 3)), np.zeros((count, 3))
        """(particle_count, 3) where the substep starts, and where it ends so far [m]."""
        self._searched = np.full((count, 3), np.inf)
        self._shifts = np.zeros((count, 3))
        self._travels = np.zeros(count)
        self.neighbours = NeighbourList(self.bvh, self.root_pairs, self.world.particles.rest_positions, known)
        """The neighbour list of all pairs that may come near."""
        self.contacts, self.spare_contacts = ContactTable(4 * leaf_count), ContactTable(4 * leaf_count)
        """The contacts of the last substep, and memory for those of the next."""
        self._guard = CCDGuard(self.world, self.neighbours, self.starts, self.ends)
        self._picked_contacts: NDArray[np.int32] = np.zeros(16 * leaf_count, dtype=np.int32)
        self._last_contacts: NDArray[np.int32] = np.zeros(count, dtype=np.int32)
        self._own_gaps, self._own_normal_impulses = np.zeros(0), np.zeros(0)
        self._own_impulses = np.zeros((0, 3))
        self._take_thickness()
        self.forget()

    def retune(self, scene: Scene) -> None:
        """Take over thicknesses and frictions; every body is there as before, with the same `self_contact`."""
        self._points = PointContact(scene, self.world)
        self._take_contact_settings(scene)
        if self.is_active:
            self._take_thickness()
        self.forget()

    def _take_thickness(self) -> None:
        edge_touch = (1.0 + EDGE_MARGIN) * EDGE_SHARE * self.thickness
        self.neighbours.tune((1.0 + MARGIN) * self.thickness, edge_touch)
        self._guard.thickness = self.thickness

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return what `restore` needs to go on bit for bit."""
        if not self.is_active:
            return self._points.state()
        return {
            **self._points.state(),
            **self.neighbours.state(),
            "searched": self._searched,
            "shape": self._shape,
            **self.contacts.state("contact"),
        }

    def restore(self, saved: Mapping[str, NDArray[Any]]) -> None:
        """Take over what `state` returned; a ValueError or KeyError tells that it does not fit."""
        if self.is_active:
            self._restore_exact(saved)
        self._points.restore(saved)

    def _restore_exact(self, saved: Mapping[str, NDArray[Any]]) -> None:
        for name, array in self.state().items():
            if saved[name].dtype != array.dtype or saved[name].shape[1:] != array.shape[1:]:
                raise ValueError(name)
        if len(saved["shape"]) != len(self._shape) or not np.isfinite(saved["shape"]).all():
            raise ValueError("shape")
        if not np.array_equal(saved["shape"], self._shape):
            self._build_bvh(saved["shape"])
            self._make_room()
        self._searched[:] = saved["searched"]
        self.neighbours.restore(saved)
        count = len(saved["contact_gaps"])
        if count > self.contacts.capacity:
            self.contacts, self.spare_contacts = ContactTable(2 * count), ContactTable(2 * count)
        self.contacts.restore("contact", saved)
        if not ((saved["contact_points"] >= 0) & (saved["contact_points"] < len(self.ends))).all():
            raise ValueError("contact_points")

    def forget(self) -> None:
        """Forget lists and contacts: positions have changed by other means than motion."""
        self._points.forget()
        if self.is_active:
            self.neighbours.forget()
            self.contacts.count = 0
            self._searched[:] = np.inf

    @property
    def contact_count(self) -> int:
        """Contacts with an impulse in the last substep."""
        if not self.is_active:
            return self._points.contact_count
        impulses = self.contacts.impulses[: self.contacts.count]
        return self._points.contact_count + int(np.count_nonzero(impulses))

    def mark_touching(self, is_touching: NDArray[np.bool_]) -> None:
        """Mark the particles of all contacts with an impulse in the last substep, (particle_count,); discs all together."""
        if self._points.is_active and self._points.contact_count:
            is_touching[self._points.points] = True
        if self._is_stopped_now:
            is_touching[self.bvh.corners.ravel()] = True
        if self.is_active:
            count = self.contacts.count
            acting = self.contacts.impulses[:count] > 0.0
            is_touching[self.contacts.points[:count][acting].ravel()] = True

    def links(self) -> NDArray[np.int64]:
        """Return the connected components that push each other, (link_count, 2) by their labels, the lower one first."""
        if not self.is_active or not self.contacts.count:
            return NO_LINKS
        count = self.contacts.count
        points = self.contacts.points[:count][self.contacts.impulses[:count] > 0.0]
        labels = self.world.couplings.component_labels
        a, b = labels[points[:, 0]].astype(np.int64), labels[points[:, 3]].astype(np.int64)
        keys = np.unique((np.minimum(a, b) * len(labels) + np.maximum(a, b))[a != b])
        return np.column_stack([keys // len(labels), keys % len(labels)])

    def add_impulses(self, step: float, impulses: NDArray[np.float64], links: NDArray[np.int64]) -> None:
        """Add what contacts gave to points in a substep that has ended.

        Args:
            step: substep [s]
            impulses: (particle_count, 3) [N·s], added to
            links: (particle_count,) changed in place, see `add_contact_impulses`
        """
        labels = self.world.couplings.component_labels
        if self.is_active and self.contacts.count:
            arrays = self.contacts.arrays
            if self.is_guard:  # what a solve carries on is less than what it pushed with
                arrays = arrays._replace(impulses=arrays.impulses_before)
            add_contact_impulses(self.contacts.count, arrays, 1.0 / step, labels, impulses, links)
        if self._points.is_active and self._points.contact_count:
            impulses += self.world.particles.masses[:, None] * self._points.displacements / step
            roots = np.unique(labels[self._points.points])
            links[roots] = roots[0]  # who pushed whom is not known

    @property
    def mode(self) -> str:
        """How cloth meets cloth: "off", "exact", "points", or "exact and points" if some does this and some that."""
        modes = [
            name for name, is_on in (("exact", self.is_active), ("points", self._points.is_active)) if is_on
        ]
        return " and ".join(modes) or "off"

    # ------------------------------------------------------------------ a substep

    def begin_frame(self, substeps: int) -> None:
        """Begin to count the work of a frame of so many substeps."""
        self.is_stopped = self._is_stopped_now = False
        if self.is_active:
            share = max(1.0, math.sqrt(substeps / USUAL_SUBSTEPS))
            self.neighbours.work = 0
            self._most_work = int(share * max(WORK, WORK_PER_TRIANGLE * len(self.bvh.corners)))

    def begin(self) -> None:
        """Begin a substep: contacts follow their points. Those that are part of the solve keep what they carry."""
        if not self.is_active:
            return
        particles = self.world.particles
        np.divide(1.0, particles.masses, out=self.inverse_masses)
        self.inverse_masses[particles.is_fixed] = 0.0
        if not self.is_guard:
            begin_contacts(self.contacts.count, self.contacts.arrays, particles.positions)

    def resolve(self, step: float, collide: Callable[[], None] | None, touched: NDArray[np.int64]) -> None:
        """End the substep free of intersections.

        Args:
            step: substep [s]
            collide: keeps particles out of obstacles, None if there are none
            touched: (particle_count,) obstacle that each particle touches, -1 for none
        """
        if self._points.is_active:
            self._points.resolve(step)
            if self._points.contact_count and collide is not None:
                collide()
        if not self.is_active:
            return
        particles = self.world.particles
        self._is_stopped_now = False
        if self.neighbours.work > self._most_work:
            self._stop()
            return
        np.copyto(self._free_masses, self.inverse_masses)
        self._free_masses[touched >= 0] = 0.0
        np.copyto(self.starts, particles.starts)
        np.copyto(self.ends, particles.positions)
        self.neighbours.follow(self.starts, self.ends, particles.velocities, step, self.contacts)
        self._find_contacts()
        if self.is_guard:
            self._guard_solved(step, collide)
            return
        self.contacts.due_travels[: self.contacts.count] = 0.0
        self._travels[:] = 0.0
        self._solve(collide)
        has_recovered = self._recover_thickness(step)
        if not self._secure(step, collide):
            return
        np.copyto(particles.positions, self.ends)
        if has_recovered:
            self._shifts *= self._guard.fractions[:, None]
            particles.starts += self._shifts

    def _guard_solved(self, step: float, collide: Callable[[], None] | None) -> None:
        """End a substep whose contacts the integrator has solved: mend what it has left undone, and secure the motion.

        What contacts carry stays what the solve has found: passes have impulses and goals of their own.
        """
        solved, passes, count = self.contacts.arrays, self._arrays_of_passes(), self.contacts.count
        np.minimum(solved.gaps[:count], solved.thicknesses[:count], out=passes.gaps[:count])
        passes.gaps[:count] *= UNSOLVED
        passes.impulses[:count] = 0.0
        passes.friction_impulses[:count] = 0.0
        passes.due_travels[:count] = 0.0
        self._travels[:] = 0.0
        self._solve(collide)
        if self._secure(step, collide):
            np.copyto(self.world.particles.positions, self.ends)

    def _secure(self, step: float, collide: Callable[[], None] | None) -> bool:
        """Make the motion of the substep free of intersections, or stop everything and return False."""
        is_free = self._guard.secure(
            step, lambda count, hits: self._push_hits_apart(count, hits, collide), collide, self._most_work
        )
        if not is_free:
            self._stop()
        return is_free

    def _stop(self) -> None:
        """End the substep where it started, free of intersections: there is no time for more."""
        particles, points = self.world.particles, np.unique(self.bvh.corners)
        particles.positions[points] = particles.starts[points]
        self.neighbours.is_valid = False
        self.is_stopped = self._is_stopped_now = True

    def _arrays_of_passes(self) -> Contacts:
        """Return the contacts as passes see them: beside a solve with impulses and gaps of their own."""
        arrays = self.contacts.arrays
        if not self.is_guard:
            return arrays
        missing = self.contacts.capacity - len(self._own_gaps)
        if missing > 0:
            self._own_gaps = np.pad(self._own_gaps, (0, missing))
            self._own_impulses = np.pad(self._own_impulses, ((0, missing), (0, 0)))
            self._own_normal_impulses = np.pad(self._own_normal_impulses, (0, missing))
        return arrays._replace(
            gaps=self._own_gaps, impulses=self._own_normal_impulses, friction_impulses=self._own_impulses
        )

    def _find_contacts(self) -> None:
        """Search for contacts in the neighbour list, if a point has moved so far that there may be new ones."""
        if largest_distance(self.ends, self._searched) <= CALM * self.thickness:
            return
        np.copyto(self._searched, self.ends)
        near, pairs, old = self.neighbours, self.neighbours.pairs, self.contacts
        picked_count = near.pick((1.0 + MARGIN) * self.thickness, near.edge_gap, starts=self.starts)
        # Passes end before the last digit: in another order they would end elsewhere, and what lies still would tremble.
        picked_count = near.put_in_order(picked_count, old.count)
        if len(self._picked_contacts) < picked_count:
            self._picked_contacts = np.zeros(2 * picked_count, dtype=np.int32)
        picked = PickedPairs(near.picked[:picked_count], self._picked_contacts[:picked_count])
        np.take(pairs.contacts, picked.pairs, out=picked.contacts, mode="clip")
        while True:
            new = self.spare_contacts
            pairs.contacts[: pairs.count] = -1
            chains = ContactChains(self._last_contacts, new.next_contacts, new.sources)
            new.count = find_contacts(
                self.starts, self.ends, pairs.arrays, picked, self.point_data, old.warm_start, chains, new.arrays
            )  # fmt: skip
            if new.count <= new.capacity:
                break
            self.spare_contacts = ContactTable(3 * new.count // 2)
        self.contacts, self.spare_contacts = new, old

    def _solve(self, collide: Callable[[], None] | None) -> None:
        """Do passes over all contacts, forth and back and in turn with obstacles, until their corrections are small."""
        contacts, positions = self.contacts, self.world.particles.positions
        tolerance = TOLERANCE * self.thickness
        slight, on_average = SLIGHT * tolerance, MEAN_TOLERANCE * tolerance
        arrays, points = self._arrays_of_passes(), self.point_data
        for n in range(PASSES):
            largest, squares = solve_contacts(
                contacts.count, arrays, points, n % 2 == 1, slight, self._travels, self.ends
            )
            if largest == 0.0:
                break
            if collide is not None:
                np.copyto(positions, self.ends)
                collide()
                take_over(positions, self._travels, self.ends)
            is_even = largest < MOST_UNEVEN * tolerance
            if largest < tolerance or (is_even and squares < contacts.count * on_average**2):
                break

    def _recover_thickness(self, step: float) -> bool:
        """Give back a little of the thickness that contacts lack; return whether anything moved."""
        return bool(
            recover_thickness(
                self.contacts.count, self.contacts.arrays, self._free_masses, (YIELDING / step) ** 2, MOST_YIELD,
                RECOVERY_SPEED * step, self.starts, self._shifts, self.ends,
            )
        )  # fmt: skip

    def _push_hits_apart(self, hit_count: int, hits: Hits, collide: Callable[[], None] | None) -> None:
        """Push pairs apart that would hit, as contacts of this substep only."""
        contacts, first = self.contacts, self.contacts.count
        if first + hit_count > contacts.capacity:
            # All must find room: which ones do must not depend on how much was needed in the past.
            contacts.grow(3 * (first + hit_count) // 2)
        contacts.count = add_hit_contacts(
            hit_count, hits, self.neighbours.pairs.arrays, self.starts, self.ends, self.point_data, first,
            self._arrays_of_passes(),
        )  # fmt: skip
        contacts.due_travels[first : contacts.count] = 0.0
        self._solve(collide)
        contacts.count = first
