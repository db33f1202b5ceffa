"""Cloth against itself and against other cloth: found in continuous time, kept apart, guaranteed.

Theory: docs/theory/contact.md. A substep goes through these steps:

1. What contacts carried in the last substeps is added to where inertia leads (`begin`).
2. The integrator moves the particles; springs feel the contacts.
3. The list of near pairs is kept, or made anew as far as points have left their expected ways (`near_list`).
4. Contacts are found in the list and pushed apart, in turn with obstacles (`_push`).
5. The guard makes sure that the motion from start to end is free (`_secure`). Points that contacts have led off their
   ways are compared with everything once more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.collide.broad_phase.neighbour_list import MOST_LED_OFF, NearList
from supple.collide.broad_phase.self_collision_culling import KnownStars
from supple.collide.filter_contact.bearing import Bearing, KeepsMomentum, Responds
from supple.collide.filter_contact.stillness import Stillness
from supple.collide.self_contact.ccd_guard import (
    CHANGED,
    find_hits,
    largest_deviation,
    mark_hits,
    mark_points,
    shorten_ways,
)
from supple.collide.self_contact.contact_response import (
    EDGE_MARGIN,
    EDGE_SHARE,
    MARGIN,
    RECOVERY_SPEED,
    add_hit_contacts,
    choose_carried,
    find_contacts,
    give_last_pushes,
    mark_loaded,
    push_apart,
    regain_thickness,
    take_back,
)
from supple.collide.self_contact.contact_table import ContactStore
from supple.collide.self_contact.contact_transfer import Survivors, go_on_with_contacts
from supple.collide.self_contact.impact_zones import join_zones, move_zones
from supple.collide.self_contact.point_contact import PointContact
from supple.collide.self_contact.strained_edges import Loosening, Strains
from supple.collide.self_contact.surfaces import ContactSurfaces
from supple.model.particles import FREE
from supple.model.tables.growable import fitted, zeros
from supple.model.tables.row_numbers import counted
from supple.model.world import World
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.soft_body import SoftBody
from supple.scene.scene import Scene

SEPARATION = 0.02
"""What the guard keeps between surfaces at any rate, in thicknesses [-]."""

PASSES = 12
"""Most passes over all contacts in a substep, each followed by the obstacles."""

CONTENT = 0.001
"""Correction of a contact at which the passes end, in thicknesses [-]."""

CONTENT_ON_AVERAGE = 0.05
"""Root mean square correction of all contacts at which the passes end as well, in shares of CONTENT [-]."""

MOST_UNEVEN = 4.0
"""Largest correction with which they may end so, in CONTENT [-]. Contacts that are nearly the same pass their load to and
fro in every pass, a few among thousands, while all others have long been content."""

SLIGHT = 0.3
"""How far the points of a contact may move before it is visited again, in shares of CONTENT [-]."""

BLOWS = 1
"""Rounds in which the guard pushes pairs that would hit apart before it shortens their ways."""

ZONES = 20
"""Rounds in which pairs that would hit move together, as rigid zones, before the guard shortens ways."""

STOPS = 4
"""Shortenings after which the guard stops points instead."""

LOOSENINGS = 10
"""Rounds in which points of zones that hold strained edges try to go their own way."""

LOOSER = 0.3
"""What is left of the own way of a point that would hit [-]."""

LOOSEST = 1.0
"""How far points of such zones go their own way in a substep, in thicknesses [-]: longer ways meet too much."""

STANDSTILL = 40
"""Round in which the guard stops everything."""

YIELDING = 1.6e-3
"""How the thickness yields to a load [s]: by the acceleration that the load gives to the points of a contact, times this
squared. Layers lose a few hundredths of it under their weight; a crease that is bent too sharply stays within it."""

MOST_YIELD = 0.048
"""Share of the thickness that yields at most [-]: under any load layers keep the rest, 0.95 with what passes leave."""

LONGEST_CARRIED = 2.5e-3
"""Substep up to which contacts of cloth alone are carried [s]. The matrix of the step resists turning, the more the longer
it is: pushes in the middle of a sheet then lift its rim as well. Soft bodies are carried always: passes throw them off."""

CALM = 0.1
"""Contacts are searched anew when a point has moved by this many thicknesses [-]."""


class SelfContact(ContactSurfaces):
    """All cloth that may touch cloth, and what is known of its contacts."""

    def __init__(self, scene: Scene, world: World, known: KnownStars | None = None) -> None:
        """Build the tree over every cloth with `self_contact = "exact"`, and a sphere on every point of "points".

        Of cloth that was edited it may be known which parts could not touch themselves before.
        """
        super().__init__(scene, world)
        self._points = PointContact(scene, world)
        self._stillness = Stillness(world)
        self._bearing = Bearing(world)
        self._loads = zeros((world.particles.count,), np.int8)
        if self.is_active:
            self._make_room(known)

    def after(self, scene: Scene, was: NDArray[np.int64], touched: NDArray[np.int64]) -> SelfContact:
        """Return the contacts of the world after an edit.

        Args:
            scene: how surfaces meet
            was: (particle_count,) what each particle was called before, -1 if it is new
            touched: (count,) particles of all triangles that have changed
        """
        if not self.is_active:
            return self.reshaped(scene)
        is_same = np.array_equal(was, counted(len(self._q)))
        if is_same and not self._points.is_active and self._is_unchanged(scene):
            return self
        after = SelfContact(scene, self.world, KnownStars(self.near.stars, was))
        if after.is_active:
            survivors = Survivors(was, touched, len(self._q))
            numbers = go_on_with_contacts(self._contacts, after._contacts, survivors)
            after._step = self._step
            after.near.go_on(self.near, survivors, numbers)
        return after

    def reshaped(self, scene: Scene) -> SelfContact:
        """Return the contacts of the world after an edit; where nothing looks for any, there is nothing to find anew."""
        modes = {body.self_contact for body in scene.bodies if isinstance(body, Cloth | SoftBody)}
        if self.is_active or self._points.is_active or modes - {"off"}:
            return SelfContact(scene, self.world)
        count = self.world.particles.count
        self._radii, self._frictions = fitted(self._radii, count), fitted(self._frictions, count)
        self._stillness.shares = fitted(self._stillness.shares, count)
        self._loads = fitted(self._loads, count)
        for nothing in (self._radii, self._frictions, self._stillness.shares, self._loads):
            nothing[:] = 0
        return self

    def _tangled(self, marks: NDArray[np.int8] | None) -> NDArray[np.int32]:
        """Look where an edit has left marks, in memory that the next substep uses as well."""
        if marks is None:
            return super()._tangled(marks)
        return self.near.meetings(self.world.particles.positions, self._touching_distance(), marks)

    def _make_room(self, known: KnownStars | None = None) -> None:
        """Make room for all that depends on the tree."""
        count = self.world.particles.count
        self._inverse_masses, self._free_masses = np.zeros(count), np.zeros(count)
        self._x, self._q = np.zeros((count, 3)), np.zeros((count, 3))
        self._searched = np.full((count, 3), np.inf)
        self._ways, self._shares = np.zeros((count, 3)), np.ones(count)
        self._loosening = Loosening(count)
        self._shifts, self._moves = np.zeros((count, 3)), np.zeros((count, 3))
        self._travels = np.zeros(count)
        self._zones, self._zone_sums = np.zeros(count, dtype=np.int32), np.zeros((count, 17))
        self._own_zones = np.arange(count, dtype=np.int32)
        self._is_steady = np.zeros(count, dtype=np.bool_)
        leaf_count = len(self.tree.corners)
        self.near = NearList(self.tree, self._root_pairs, self.world.particles.rest_positions, known)
        self._tested = np.zeros((count, 3))
        self._strains = Strains(self.world)
        self._contacts, self._old = ContactStore(4 * leaf_count), ContactStore(4 * leaf_count)
        self._picked_contacts: NDArray[np.int32] = np.zeros(16 * leaf_count, dtype=np.int32)
        self._hits, self._times = np.zeros(4 * leaf_count, dtype=np.int32), np.zeros(4 * leaf_count)
        self._last_contacts = np.zeros(count, dtype=np.int32)
        self._step = 0.0
        self._tune_list()
        self.forget()
        self.searches = self.stops = self.zones = 0

    def retune(self, scene: Scene) -> None:
        """Take over thicknesses and frictions; every body is there as before, with the same `self_contact`."""
        self._points = PointContact(scene, self.world)
        self._take_touch(scene)
        if self.is_active:
            self._tune_list()
        self.forget()

    def _tune_list(self) -> None:
        edge_touch = (1.0 + EDGE_MARGIN) * EDGE_SHARE * self.thickness
        self.near.tune((1.0 + MARGIN) * self.thickness, edge_touch)

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return what `restore` needs to go on bit for bit."""
        if not self.is_active:
            return self._points.state()
        contacts = self._contacts
        arrays: dict[str, NDArray[np.generic]] = {
            **self._points.state(),
            **self.near.state(),
            "step": np.array([self._step]),
            "searched": self._searched,
            "stillness": self._stillness.shares,
            "leans": self._bearing.leans,
            "shape": self._shape,
        }
        for name in ContactStore.ARRAYS:
            arrays[f"contact_{name}"] = getattr(contacts, name)[: contacts.count]
        return arrays

    def restore(self, saved: Mapping[str, NDArray[Any]]) -> None:
        """Take over what `state` returned; a ValueError or KeyError tells that it does not fit."""
        if self.is_active:
            self._restore_exact(saved)
        self._points.restore(saved)

    def _restore_exact(self, saved: Mapping[str, NDArray[Any]]) -> None:
        now = self.state()
        for name, array in now.items():
            if saved[name].dtype != array.dtype or saved[name].shape[1:] != array.shape[1:]:
                raise ValueError(name)
        if len(saved["shape"]) != len(self._shape) or not np.isfinite(saved["shape"]).all():
            raise ValueError("shape")
        if not np.array_equal(saved["shape"], self._shape):
            self._grow_tree(saved["shape"])
            self._make_room()
        self._searched[:] = saved["searched"]
        self._stillness.shares[:] = saved["stillness"]
        self._bearing.leans[:] = saved["leans"]
        self._step = float(saved["step"][0])
        self.near.restore(saved)
        count = len(saved["contact_gaps"])
        if count > self._contacts.capacity:
            self._contacts, self._old = ContactStore(2 * count), ContactStore(2 * count)
        self._contacts.count = count
        for name in ContactStore.ARRAYS:
            getattr(self._contacts, name)[:count] = saved[f"contact_{name}"]
        if not ((saved["contact_points"] >= 0) & (saved["contact_points"] < len(self._q))).all():
            raise ValueError("contact_points")

    def forget(self) -> None:
        """Forget lists and contacts: positions have changed by other means than motion."""
        self._points.forget()
        if self.is_active:
            self.near.forget()
            self._contacts.count = 0
            self._searched[:] = np.inf

    @property
    def contact_count(self) -> int:
        """Contacts that carry something in the last substep."""
        if not self.is_active:
            return self._points.contact_count
        return self._points.contact_count + int(
            np.count_nonzero(self._contacts.pushes[: self._contacts.count])
        )

    @property
    def mode(self) -> str:
        """How cloth meets cloth: "off", "exact", "points", or "exact and points" if some does this and some that."""
        modes = [
            name for name, is_on in (("exact", self.is_active), ("points", self._points.is_active)) if is_on
        ]
        return " and ".join(modes) or "off"

    # ------------------------------------------------------------------ a substep

    def begin(
        self, step: float, integrator: Responds | None = None, momentum: KeepsMomentum | None = None
    ) -> None:
        """Let the integrator feel what contacts carried: before it runs, after the inertial targets.

        Args:
            step: substep [s]
            integrator: answers to what surfaces press on each other; None leaves that to the passes
            momentum: gives its answers the momentum of the pushes
        """
        particles, contacts = self.world.particles, self._contacts if self.is_active else None
        particles.stillness, particles.loads = self._stillness.shares, self._loads
        if contacts is None:
            self._loads[:] = FREE
            particles.expected[:] = 0.0
            return
        is_known = step <= LONGEST_CARRIED or self.world.has_soft_bodies
        self._bearing.begin(integrator if is_known else None, momentum)
        self._stillness.follow(contacts.count, contacts.points, contacts.pushes, step)
        mark_loaded(
            contacts.count,
            contacts.points,
            contacts.pushes,
            self._bearing.leans,
            self.world.couplings.leaders,
            self._stillness.sums,
            self._loads,
        )
        np.divide(1.0, particles.masses, out=self._inverse_masses)
        self._inverse_masses[particles.is_fixed] = 0.0
        scale = (step / self._step) ** 2 if self._step else 1.0
        self._step = step
        bearing = self._bearing
        give_last_pushes(
            contacts.count, contacts.points, contacts.is_edges, self._inverse_masses, bearing.leans,
            particles.positions, scale, contacts.weights, contacts.normals, contacts.gaps, contacts.lines, contacts.pushes,
            contacts.pushes_before, contacts.rubs, self._moves, particles.targets,
        )  # fmt: skip
        choose_carried(self._moves, bearing.leans, particles.expected)
        bearing.expect(contacts)

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
        np.copyto(self._free_masses, self._inverse_masses)
        self._free_masses[touched >= 0] = 0.0
        particles = self.world.particles
        np.copyto(self._x, particles.starts)
        np.copyto(self._q, particles.positions)
        self.near.follow(self._x, self._q, particles.velocities, step, self._contacts)
        self._find_contacts()
        contacts = self._contacts
        self._bearing.carry(contacts, self._inverse_masses, self.thickness, step, self._q)
        contacts.dues[: contacts.count] = 0.0
        self._travels[:] = 0.0
        self._push(PASSES, collide)
        has_regained = regain_thickness(
            contacts.count, contacts.points, contacts.weights, contacts.gaps, contacts.thicknesses,
            contacts.pushes, (YIELDING / step) ** 2, MOST_YIELD, self._free_masses, RECOVERY_SPEED * step, self._x,
            self._shifts, self._q,
        )  # fmt: skip
        self._secure(step, collide)
        np.copyto(particles.positions, self._q)
        if has_regained:
            self._shifts *= self._shares[:, None]
            particles.starts += self._shifts
        self._bearing.end(self._contacts, touched)
        # Accelerations hold what carried contacts did: so the next substep can expect it to go on.
        choose_carried(self._moves, self._bearing.leans, particles.expected)
        particles.targets -= particles.expected

    # ------------------------------------------------------------------ contacts

    def _find_contacts(self) -> None:
        contacts = self._contacts
        if largest_deviation(self._q, self._searched) <= CALM * self.thickness:
            return
        self.searches += 1
        np.copyto(self._searched, self._q)
        near, found = self.near, self.near.pairs
        picked = near.pick((1.0 + MARGIN) * self.thickness, near.edge_gap, starts=self._x)
        # Passes end before the last digit: in another order they would end elsewhere, and what lies still would tremble.
        picked = near.put_in_order(picked, contacts.count)
        if len(self._picked_contacts) < picked:
            self._picked_contacts = np.zeros(2 * picked, dtype=np.int32)
        np.take(found.contacts, near.picked[:picked], out=self._picked_contacts[:picked], mode="clip")
        while True:
            new = self._old
            found.contacts[: found.count] = -1
            count = find_contacts(
                self._x, self._q, found.pairs, found.is_edges, picked, near.picked, self._picked_contacts, self._radii,
                self._frictions, self._inverse_masses, found.contacts, contacts.count, contacts.pushes,
                contacts.pushes_before, contacts.rubs, self._last_contacts, new.next_contacts, new.sources, new.points,
                new.is_edges, new.weights, new.normals, new.gaps, new.lines, new.thicknesses, new.grips, new.pushes,
                new.pushes_before, new.rubs,
            )  # fmt: skip
            if count <= new.capacity:
                break
            self._old = ContactStore(3 * count // 2)
        new.count = count
        self._contacts, self._old = new, contacts

    def _push(self, passes: int, collide: Callable[[], None] | None) -> None:
        contacts, positions = self._contacts, self.world.particles.positions
        content = CONTENT * self.thickness
        slight, on_average = SLIGHT * content, CONTENT_ON_AVERAGE * content
        for n in range(passes):
            largest, squares = push_apart(
                contacts.count, contacts.points, contacts.weights, contacts.normals, contacts.gaps, contacts.lines,
                contacts.thicknesses, contacts.grips, self._inverse_masses, self._free_masses, n % 2 == 1, slight,
                contacts.dues, contacts.pushes, contacts.rubs, self._travels, self._q,
            )  # fmt: skip
            if largest == 0.0:
                break
            if collide is not None:
                np.copyto(positions, self._q)
                collide()
                take_back(positions, self._travels, self._q)
            is_even = largest < MOST_UNEVEN * content
            if largest < content or (is_even and squares < contacts.count * on_average**2):
                break

    # ------------------------------------------------------------------ the guarantee

    def _secure(self, step: float, collide: Callable[[], None] | None) -> None:
        """Change the end of the substep until the way to it is free."""
        self._shares[:] = 1.0
        near = self.near
        near.marks[:] = CHANGED
        real_contacts = self._contacts.count
        zones = shortenings = 0
        for n in range(STANDSTILL + 2):
            near.measure(self._x, self._q, step)
            count, found = self._find_hits(step), near.pairs
            if count == 0:
                break
            mark_hits(count, self._hits, found.pairs, near.marks)
            if n < BLOWS:
                contacts = self._contacts
                if contacts.count + count > contacts.capacity:
                    # All must find room: which ones do must not depend on how much was needed in the past.
                    contacts.grow(3 * (contacts.count + count) // 2)
                contacts.count = add_hit_contacts(
                    count, self._hits, self._times, found.pairs, found.is_edges, self._x, self._q, self._radii,
                    self._frictions, self._inverse_masses, contacts.count, contacts.points, contacts.weights,
                    contacts.normals, contacts.gaps, contacts.lines, contacts.thicknesses, contacts.grips, contacts.pushes,
                    contacts.rubs,
                )  # fmt: skip
                contacts.dues[real_contacts : contacts.count] = 0.0
                self._push(PASSES, collide)
                contacts.count = real_contacts
                continue
            if n < BLOWS + ZONES:
                if not zones:
                    np.copyto(self._zones, self._own_zones)
                    self._is_steady[:] = False
                    np.subtract(self._q, self._x, out=self._ways)
                zones += 1
                self._move_together(count, collide)
                continue
            if not shortenings:
                self.stops += 1
                np.subtract(self._q, self._x, out=self._ways)
            shortenings += 1
            if n >= STANDSTILL:
                self._shares[:] = 0.0
            shorten_ways(
                count, self._hits, self._times, found.pairs, shortenings > STOPS, len(self._q), self._x, self._ways,
                self._shares, self._q,
            )  # fmt: skip
            self._strains.wait(self._x, self._ways, self._shares, self._q)
        self.zones += zones > 0
        if zones and not shortenings and self._strains.are_locked(self._x, self._zones):
            self._loosen(step)

    def _loosen(self, step: float) -> None:
        """Let the points of zones go as much of their own ways as is free: what moves together cannot find back."""
        near, loosening = self.near, self._loosening
        loosening.begin(self._x, self._ways, LOOSEST * self.thickness, self._q)
        for n in range(LOOSENINGS):
            near.measure(self._x, self._q, step)
            count = self._find_hits(step)
            if count == 0:
                return
            mark_hits(count, self._hits, near.pairs.pairs, near.marks)
            share = LOOSER if n < STOPS - 1 else 0.0
            loosening.hold_back(count, self._hits, near.pairs.pairs, share, self._q)
        loosening.give_up(self._q)

    def _move_together(self, hit_count: int, collide: Callable[[], None] | None) -> None:
        """Let the points of pairs that hit, and all that hang together by them, move as rigid zones."""
        particles = self.world.particles
        join_zones(hit_count, self._hits, self.near.pairs.pairs, self._zones, self._is_steady)
        move_zones(
            self._zones, self._is_steady, particles.masses, particles.is_fixed, self._x, self._ways,
            self._zone_sums, self._q,
        )  # fmt: skip
        if collide is not None:
            np.copyto(particles.positions, self._q)
            collide()
            np.copyto(self._q, particles.positions)

    def _find_hits(self, step: float) -> int:
        """Find all pairs that hit on the way of this substep, listed or not, and return how many there are."""
        near, separation = self.near, SEPARATION * self.thickness
        strays = mark_points(self._q, near.deviations, near.skin, self._tested, near.marks)
        if strays > MOST_LED_OFF * len(self._q):
            near.start_anew(self._x, self._q, step, separation)
            strays = 0
        picked = near.pick(separation, separation)
        if strays:
            picked = near.add_strays(self._x, self._q, separation, picked)
        while True:
            count = find_hits(
                self._x, self._q, near.pairs.pairs, near.pairs.is_edges, picked, near.picked, near.marks, separation,
                self._hits, self._times,
            )  # fmt: skip
            if count <= len(self._hits):
                return int(count)
            self._hits, self._times = np.zeros(2 * count, dtype=np.int32), np.zeros(2 * count)
