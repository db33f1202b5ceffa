"""Cloth against itself and against other cloth: found in continuous time, kept apart, guaranteed.

Theory: docs/theory/contact.md. A substep goes through these steps:

1. What contacts carried in the last substeps is added to where inertia leads (`begin`).
2. The integrator moves the particles; springs feel the contacts.
3. If any point began farther from its expected way than the skin, near pairs are listed anew (`_detect`).
   A list is made for an expected motion and with a skin around it, so at rest it lasts for many frames.
4. Contacts are found in the list and pushed apart, in turn with obstacles (`_push`).
5. The guard makes sure that the motion from start to end is free (`_secure`). Points that contacts have led out
   of their skin are compared with everything once more (`_list_strays`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.collide.contact_store import ContactStore, PairStore, match_pairs
from supple.collide.crossings import find_crossings
from supple.collide.flat_windows import find_flat_cells
from supple.collide.guard import (
    CHANGED,
    STRAY,
    expect_ways,
    find_hits,
    largest_deviation,
    mark_hits,
    mark_points,
    redirect_strays,
    shorten_ways,
)
from supple.collide.lips import open_lips
from supple.collide.near_pairs import BINS, SPANS, keep_pairs, list_pairs, sort_pairs
from supple.collide.obstacles import Obstacles
from supple.collide.point_contact import PointContact
from supple.collide.response import (
    MARGIN,
    RECOVERY_SPEED,
    add_hit_contacts,
    find_contacts,
    give_last_pushes,
    mark_loaded,
    push_apart,
    regain_thickness,
)
from supple.collide.stillness import Stillness
from supple.collide.surface_tree import (
    STACK,
    Surface,
    build_tree,
    mark_nodes,
    marked_leaves,
    near_leaves,
    refit,
)
from supple.collide.untangle import Untangling, find_close_pairs
from supple.collide.zones import join_zones, move_zones
from supple.errors import SuppleError
from supple.model.world import BodyRange, World
from supple.scene.bezier import Bezier
from supple.scene.cloth import Cloth
from supple.scene.rectangle import Rectangle
from supple.scene.scene import Scene
from supple.scene.settings import OnIntersection
from supple.scene.soft_body import SoftBody
from supple.scene.touch import least_height

SKIN = 0.5
"""How far points may be from their expected way before pairs are listed anew, in thicknesses [-]."""

SEPARATION = 0.02
"""What the guard keeps between surfaces at any rate, in thicknesses [-]."""

LONGEST_HORIZON = 20
"""Most substeps that a list of pairs is made for."""

FARTHEST_WAY = 1.0
"""Longest typical way that a list of pairs is made for, in reaches [-]."""

FARTHEST_STRAY = 2.0
"""How far points may be led from their expected way before contacts act, in skins [-]: most are pushed back."""

MOST_STRAYS = 0.3
"""Share of points that may leave their skins in a substep before all pairs are listed anew [-]."""

OPENING = 0.25
"""How far each side of a cut through a soft body draws back, in thicknesses [-]."""

PASSES = 12
"""Most passes over all contacts in a substep, each followed by the obstacles."""

CONTENT = 0.001
"""Correction of a contact at which the passes end, in thicknesses [-]."""

BLOWS = 1
"""Rounds in which the guard pushes pairs that would hit apart before it shortens their ways."""

ZONES = 20
"""Rounds in which pairs that would hit move together, as rigid zones, before the guard shortens ways."""

STOPS = 4
"""Shortenings after which the guard stops points instead."""

TOUCH = 1.0e-6
"""Layers that start closer than this touch, in thicknesses [-]: nothing could tell which of them is above."""

ROUNDING = 1.0e-10
"""What cannot be told apart at any rate, in sizes of the whole [-]."""

MOST_PLACES = 6
"""Places of a bad start that are told."""

LIP_GAP = 0.1
"""How far the points of a cut are moved off it, in thicknesses [-]."""

STANDSTILL = 40
"""Round in which the guard stops everything."""

YIELDING = 1.6e-3
"""How the thickness yields to a load [s]: by the acceleration that the load gives to the points of a contact, times this
squared. Layers lose a few hundredths of it under their weight; a crease that is bent too sharply stays within it."""

MOST_YIELD = 0.05
"""Share of the thickness that yields at most [-]: under any load layers keep the rest."""

CALM = 0.1
"""Contacts are searched anew when a point has moved by this many thicknesses [-]."""


class SelfContact:
    """All cloth that may touch cloth, and what is known of its contacts."""

    def __init__(self, scene: Scene, world: World) -> None:
        """Build the tree over every cloth with `self_contact = "exact"`, and a sphere on every point of "points"."""
        self.world = world
        self._points = PointContact(scene, world)
        self._stillness = Stillness(world)
        self._is_loaded = np.zeros(world.particles.count, dtype=np.bool_)
        particles = world.particles
        count = particles.count
        self._radii, self._frictions = np.zeros(count), np.zeros(count)
        surfaces: list[Surface] = []
        grids: list[tuple[int, int, int, int]] = []
        for found, body in _exact_bodies(scene, world):
            first = found.particles.start
            # A sheet of rows and columns is one only as long as no edit has changed it.
            grid = None
            if isinstance(body.shape, Rectangle | Bezier) and np.array_equal(
                found.triangles, body.surface_triangles()
            ):
                grid = body.shape.columns, body.shape.rows
                grids.append((first, *grid, len(surfaces)))
            surfaces.append(Surface(found.triangles + first, grid))
        self._take_touch(scene)
        self.is_active = bool(surfaces)
        self._surfaces, self._sheets = surfaces, grids
        if self.is_active:
            self._grow_tree(particles.positions.copy())

    def _grow_tree(self, shape: NDArray[np.float64]) -> None:
        """Build the tree over `shape`, (particle_count, 3) [m], and make room for all that depends on it.

        An edit grows it anew, where cloth is then, and the order of contacts follows it: a saved state keeps the shape.
        """
        surfaces, grids, count = self._surfaces, self._sheets, len(shape)
        self._shape = shape
        self.tree = build_tree(surfaces, shape)
        first_leaves = np.searchsorted(self.tree.leaf_surfaces, np.arange(len(surfaces))).tolist()
        self._grids = [(first, columns, rows, first_leaves[n]) for first, columns, rows, n in grids]
        roots = self.tree.surface_roots
        self._root_pairs = np.array(
            [(roots[a], roots[b]) for a in range(len(roots)) for b in range(a, len(roots))], dtype=np.int32
        ).reshape(-1, 2)
        self._inverse_masses, self._free_masses = np.zeros(count), np.zeros(count)
        self._x, self._q = np.zeros((count, 3)), np.zeros((count, 3))
        self._base, self._way = np.zeros((count, 3)), np.zeros((count, 3))
        self._expected = np.zeros((count, 3))
        self._searched = np.full((count, 3), np.inf)
        self._ways, self._shares = np.zeros((count, 3)), np.ones(count)
        self._shifts = np.zeros((count, 3))
        self._zones, self._zone_sums = np.zeros(count, dtype=np.int32), np.zeros((count, 17))
        self._own_zones = np.arange(count, dtype=np.int32)
        self._is_steady = np.zeros(count, dtype=np.bool_)
        leaf_count = len(self.tree.corners)
        self._boxes = np.zeros((len(self.tree.children), 6), dtype=np.float32)
        self._is_flat = np.zeros(leaf_count, dtype=np.bool_)
        self._tested, self._marks = np.zeros((count, 3)), np.zeros(count, dtype=np.int8)
        self._node_marks = np.zeros(len(self.tree.children), dtype=np.int8)
        self._stack = np.zeros((STACK, 2), dtype=np.int32)
        self._leaf_pairs = np.zeros((8 * leaf_count, 2), dtype=np.int32)
        self._spread, self._spans = np.zeros((8, 6)), np.zeros((2, SPANS, 2, 6))
        self._bin_ends = np.zeros(BINS, dtype=np.int64)
        self._list, self._spare = PairStore(16 * leaf_count), PairStore(16 * leaf_count)
        self._contacts, self._old = ContactStore(4 * leaf_count), ContactStore(4 * leaf_count)
        self._table = np.zeros(1 << int(np.ceil(np.log2(16 * leaf_count))), dtype=np.int32)
        self._hits, self._times = np.zeros(4 * leaf_count, dtype=np.int32), np.zeros(4 * leaf_count)
        self._last_contacts = np.zeros(count, dtype=np.int32)
        self._step = 0.0
        self.forget()
        self.detections = self.redirections = self.searches = self.strays = self.stops = self.zones = 0

    def _take_touch(self, scene: Scene) -> None:
        for found, body in _exact_bodies(scene, self.world):
            self._radii[found.particles] = 0.5 * _thickness(self.world, body, found)
            self._frictions[found.particles] = body.friction
        self.thickness = 2.0 * float(self._radii.max(initial=0.0))
        self._skin = SKIN * self.thickness

    def retune(self, scene: Scene) -> None:
        """Take over thicknesses and frictions; every body is there as before, with the same `self_contact`."""
        self._points = PointContact(scene, self.world)
        self._take_touch(scene)
        self.forget()

    def part_lips(self) -> NDArray[np.int32]:
        """Move points that an edit has put at the same place a little apart, each into its own triangles.

        The two lips of a cut begin in touch, from where the guard would not let them move. If they cannot open, they
        stay where they are.

        Returns:
            What passes through something or touches it at the end, or when the lips were tried last, as points in each row.
        """
        if not self.is_active:
            return self.crossings()
        positions, triangles = self.world.particles.positions, self.tree.triangles
        points = np.unique(triangles).astype(np.int64)
        _, group, sizes = np.unique(positions[points], axis=0, return_inverse=True, return_counts=True)
        lips = points[sizes[group.ravel()] > 1]
        found = np.zeros((0, 5), dtype=np.int32)

        def is_free() -> bool:
            nonlocal found
            found = self._tangled()
            return not len(found)

        if len(lips):
            open_lips(positions, triangles.astype(np.int64), lips, LIP_GAP * self.thickness, is_free)
        else:
            is_free()
        return found

    def gap(self, body: BodyRange) -> float:
        """Return how far two sides of a cut must open for contact to tell them apart [m]; 0 if it does not look."""
        return OPENING * 2.0 * float(self._radii[body.particles].max(initial=0.0))

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return what `restore` needs to go on bit for bit."""
        if not self.is_active:
            return self._points.state()
        found, contacts = self._list, self._contacts
        arrays: dict[str, NDArray[np.generic]] = {
            **self._points.state(),
            "clock": np.array([self._elapsed, self._horizon_time, self._deviation, self._step]),
            "ages": np.array([self._age, self._horizon, int(self._has_list)]),
            "base": self._base,
            "way": self._way,
            "searched": self._searched,
            "stillness": self._stillness.shares,
            "bin_ends": self._bin_ends,
            "shape": self._shape,
        }
        for name in PairStore.ARRAYS:
            arrays[f"pair_{name}"] = getattr(found, name)[: found.count]
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
        for name in ("base", "way", "searched", "bin_ends"):
            getattr(self, f"_{name}")[:] = saved[name]
        self._stillness.shares[:] = saved["stillness"]
        self._elapsed, self._horizon_time, self._deviation, self._step = saved["clock"].tolist()
        self._age, self._horizon = int(saved["ages"][0]), int(saved["ages"][1])
        self._has_list = bool(saved["ages"][2])
        pair_count, contact_count = len(saved["pair_gaps"]), len(saved["contact_gaps"])
        if pair_count > self._list.capacity:
            self._list, self._spare = PairStore(2 * pair_count), PairStore(2 * pair_count)
        if contact_count > self._contacts.capacity:
            self._contacts, self._old = ContactStore(2 * contact_count), ContactStore(2 * contact_count)
        self._list.count, self._contacts.count = pair_count, contact_count
        for name in PairStore.ARRAYS:
            getattr(self._list, name)[:pair_count] = saved[f"pair_{name}"]
        for name in ContactStore.ARRAYS:
            getattr(self._contacts, name)[:contact_count] = saved[f"contact_{name}"]
        points = len(self._q)
        if not all(
            ((array >= 0) & (array < points)).all()
            for array in (saved["pair_pairs"], saved["contact_points"])
        ):
            raise ValueError("points")

    def forget(self) -> None:
        """Forget lists and contacts: positions have changed by other means than motion."""
        self._points.forget()
        if self.is_active:
            self._has_list = False
            self._elapsed = self._horizon_time = 0.0
            self._deviation = 0.0
            self._age, self._horizon = 0, 1
            self._contacts.count = self._list.count = 0
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

    def members(self) -> NDArray[np.int64]:
        """Return the particles of all that must not pass through each other, ascending; none of several levels of detail."""
        is_member = self._radii > 0.0
        for name in self.world.levels:
            is_member[self.world.bodies[name].particles] = False
        return np.flatnonzero(is_member)

    def crossings(self) -> NDArray[np.int32]:
        """Return where cloth passes through cloth now: (crossing_count, 5), an edge and a triangle each."""
        if not self.is_active:
            return np.zeros((0, 5), dtype=np.int32)
        return find_crossings(self.tree, self._root_pairs, self.world.particles.positions)

    def places(self) -> str:
        """Return where cloth passes through cloth now, in words, empty if it does not."""
        found, what = self.crossings(), "edges pass through triangles"
        if not len(found):
            found, what = self._touching(), "pairs of edges, or of points and triangles, touch"
        if not len(found):
            return ""
        names = [
            body.name
            for body in self.world.bodies.values()
            if ((found >= body.particles.start) & (found < body.particles.stop)).any()
        ]
        return (
            f"{' and '.join(names)}: the start is intersected: {len(found)} {what}, near {self.spots(found)}"
        )

    def spots(self, found: NDArray[np.int32]) -> str:
        """Return where crossings or pairs are, (count, 4 or 5) points, in words; those close together count as one."""
        places = self.world.particles.positions[found[:, :2]].mean(axis=1)
        apart = 0.1 * float(np.linalg.norm(np.ptp(self.world.particles.positions[np.unique(found)], axis=0)))
        spots: list[NDArray[np.float64]] = []
        for place in places:
            if all(np.linalg.norm(place - spot) > apart for spot in spots):
                spots.append(place)
        told = ", ".join(f"({x:.3g}, {y:.3g}, {z:.3g})" for x, y, z in spots[:MOST_PLACES])
        more = f" m and {len(spots) - MOST_PLACES} more places" if len(spots) > MOST_PLACES else " m"
        return told + more

    def _tangled(self) -> NDArray[np.int32]:
        """Return where cloth passes through cloth now, or if it does not, where it touches cloth."""
        found = self.crossings()
        return found if len(found) else self._touching()

    def _touching(self) -> NDArray[np.int32]:
        """Return the pairs that are at the same place now, (pair_count, 4) points: the guard would not let them move."""
        if not self.is_active:
            return np.zeros((0, 4), dtype=np.int32)
        extent = float(np.ptp(self.world.particles.positions, axis=0).max(initial=0.0))
        touch = max(TOUCH * self.thickness, ROUNDING * extent)
        count, pairs, _ = find_close_pairs(self.tree, self._root_pairs, self.world.particles.positions, touch)
        return pairs[:count]

    def troubles(self, on_intersection: OnIntersection = "refuse") -> list[str]:
        """Return what is wrong, and what can be done, if cloth passes through cloth now: contact cannot begin here."""
        places = self.places()
        if not places:
            return []
        remedy = (
            'It is untangled before the first frame, as on_intersection = "untangle" says.'
            if on_intersection == "untangle"
            else 'Move the cloth apart, let it be done by on_intersection = "untangle" in the settings, or set '
            'self_contact = "off".'
        )
        return [f"{places}. {remedy}"]

    def refuse_troubles(self) -> None:
        """Raise a SuppleError if cloth passes through cloth now."""
        for trouble in self.troubles():
            raise SuppleError(trouble)

    def untangle(self, obstacles: Obstacles) -> None:
        """Move cloth apart that passes through cloth or touches it now; a SuppleError says where it cannot be done.

        Held points and soft bodies stay where they are, and nothing gains velocity.
        """
        if not self.is_active:
            return
        particles = self.world.particles
        is_held = particles.is_fixed.copy()
        for body in self.world.bodies.values():
            if body.is_soft:
                is_held[body.particles] = True
        springs = self.world.springs.ends.astype(np.int64)
        untangling = Untangling(
            self.tree, self._root_pairs, self._radii, is_held, springs, particles.positions, obstacles
        )
        if untangling.is_free:
            return
        told = self.places() or "the start has cloth that touches cloth"
        if not untangling.run():
            raise SuppleError(
                f"{told}. It could not be untangled in {untangling.rounds:,} rounds: {untangling.shortcoming}. "
                f"Move the cloth apart, or pin fewer points of it."
            )
        self.forget()

    # ------------------------------------------------------------------ a substep

    def begin(self, step: float) -> None:
        """Let the integrator feel what contacts carried: before it runs, after the inertial targets."""
        particles, contacts = self.world.particles, self._contacts if self.is_active else None
        particles.stillness, particles.is_loaded = self._stillness.shares, self._is_loaded
        if contacts is None:
            return
        self._stillness.follow(contacts.count, contacts.points, contacts.pushes, step)
        mark_loaded(contacts.count, contacts.points, contacts.pushes, self._is_loaded)
        np.divide(1.0, particles.masses, out=self._inverse_masses)
        self._inverse_masses[particles.is_fixed] = 0.0
        scale = (step / self._step) ** 2 if self._step else 1.0
        self._step = step
        give_last_pushes(
            contacts.count, contacts.points, contacts.is_edges, self._inverse_masses, particles.positions, scale,
            contacts.weights, contacts.normals, contacts.gaps, contacts.pushes, contacts.pushes_before,
            contacts.rubs, particles.targets,
        )  # fmt: skip

    def resolve(self, step: float, collide: Callable[[], None], touched: NDArray[np.int64]) -> None:
        """End the substep free of intersections.

        Args:
            step: substep [s]
            collide: keeps particles out of obstacles
            touched: (particle_count,) obstacle that each particle touches, -1 for none
        """
        if self._points.is_active:
            self._points.resolve(step)
            if self._points.contact_count:
                collide()
        if not self.is_active:
            return
        np.copyto(self._free_masses, self._inverse_masses)
        self._free_masses[touched >= 0] = 0.0
        particles = self.world.particles
        np.copyto(self._x, particles.starts)
        np.copyto(self._q, particles.positions)
        before = self._elapsed
        self._elapsed += step
        self._age += 1
        deviation = self._deviation
        self._measure_deviation()
        if not self._has_list:
            self._detect(step)
        elif not (deviation <= self._skin and self._deviation <= FARTHEST_STRAY * self._skin):
            self._redirect(step, before)
        self._find_contacts()
        self._push(PASSES, collide)
        contacts = self._contacts
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

    @property
    def _reach(self) -> float:
        """Distance within which pairs are listed [m]."""
        return (1.0 + MARGIN) * self.thickness + 2.0 * self._skin

    def _measure_deviation(self) -> None:
        time = min(self._elapsed, self._horizon_time)
        self._deviation = largest_deviation(self._q, self._base, self._way, time)

    # ------------------------------------------------------------------ finding pairs

    def _detect(self, step: float, *, is_late: bool = False) -> None:
        """List all pairs that may come near while points go on as in the last substep, or to where they are if late."""
        self.detections += 1
        # A list that lasted is worth making for longer, one that did not is made for as long as it lasted.
        self._horizon = max(
            1, min(LONGEST_HORIZON, self._age if self._age < self._horizon else 2 * self._age)
        )
        self._age = 1
        if is_late:
            self._horizon = 1
            np.subtract(self._q, self._x, out=self._way)
        else:
            velocities = self.world.particles.velocities
            expect_ways(self._x, self._q, velocities, step, FARTHEST_STRAY * self._skin, self._way)
        # What moves far meets much on its way: the list would be long, and most of it never needed.
        typical = float(np.sqrt(np.mean(self._way**2) * 3.0))
        if typical * self._horizon > FARTHEST_WAY * self._reach:
            self._horizon = max(1, int(FARTHEST_WAY * self._reach / typical))
        self._horizon_time = self._horizon * step
        is_still = bool(np.abs(self._way).max() * self._horizon < 0.1 * self._skin)
        if is_still:
            self._way[:] = 0.0
            np.copyto(self._base, self._x)
            np.copyto(self._expected, self._x)
        else:
            np.copyto(self._base, self._x)
            np.multiply(self._way, self._horizon, out=self._expected)
            self._expected += self._base
            self._way /= step
        self._elapsed = step
        self._list_pairs(is_still)
        self._has_list = True
        self._measure_deviation()

    def _redirect(self, step: float, before: float) -> None:
        """List the pairs of points anew that have left their way; all pairs if those are many, or the list is old."""
        if before >= self._horizon_time:
            self._detect(step)
            return
        after = min(self._elapsed, self._horizon_time)
        velocities = self.world.particles.velocities
        strays = redirect_strays(
            self._x, self._q, velocities, step, before, after, self._skin, FARTHEST_STRAY * self._skin, self._base,
            self._way, self._marks,
        )  # fmt: skip
        if strays > MOST_STRAYS * len(self._q):
            self._detect(step)
        if strays == 0 or strays > MOST_STRAYS * len(self._q):
            return
        self.redirections += 1
        tree, found, spare = self.tree, self._list, self._spare
        np.multiply(self._way, before, out=self._ways)
        self._ways += self._base
        np.multiply(self._way, self._horizon_time, out=self._expected)
        self._expected += self._base
        mark_nodes(tree.children, tree.corners, self._marks, self._node_marks)
        refit(self._ways, self._expected, tree.children, tree.corners, 0.5 * self._reach, self._boxes)
        leaf_pair_count = self._find_marked_leaves(STRAY)
        kept = keep_pairs(
            found.count, found.pairs, found.is_edges, found.gaps, self._marks, STRAY, spare.pairs, spare.is_edges,
            spare.gaps,
        )  # fmt: skip
        while True:
            spare = self._spare
            count = kept + list_pairs(
                self._ways, self._expected, False, self._leaf_pairs, leaf_pair_count, tree.corners, tree.leaf_points,
                tree.leaf_triangles, tree.leaf_edges, self._marks, STRAY, self._reach, self._spread, self._spans,
                spare.pairs[kept:], spare.is_edges[kept:], spare.gaps[kept:],
            )  # fmt: skip
            if count <= spare.capacity:
                break
            spare.count = kept
            spare.grow(3 * count // 2)
            self._list = PairStore(spare.capacity)
        self._keep_list(count)
        self._measure_deviation()

    def _find_marked_leaves(self, wanted: int) -> int:
        """Find the pairs of leaves that are near and have all wanted marks; return how many there are."""
        while True:
            count = marked_leaves(
                self._root_pairs, self.tree.children, self._boxes, self._node_marks, wanted, self._stack,
                self._leaf_pairs,
            )  # fmt: skip
            if count < 0:
                self._stack = np.zeros((2 * len(self._stack), 2), dtype=np.int32)
            elif count > len(self._leaf_pairs):
                self._leaf_pairs = np.zeros((3 * count // 2, 2), dtype=np.int32)
            else:
                return int(count)

    def _list_pairs(self, is_still: bool) -> None:
        tree, base, end = self.tree, self._base, self._expected
        refit(base, end, tree.children, tree.corners, 0.5 * self._reach, self._boxes)
        self._is_flat[:] = False
        for first, columns, rows, leaf in self._grids:
            find_flat_cells(base, end, first, columns, rows, self._reach, leaf, self._is_flat)
        while True:
            leaf_pair_count = near_leaves(
                self._root_pairs, tree.children, self._boxes, tree.cells, self._is_flat, self._stack, self._leaf_pairs
            )  # fmt: skip
            if leaf_pair_count < 0:
                self._stack = np.zeros((2 * len(self._stack), 2), dtype=np.int32)
            elif leaf_pair_count > len(self._leaf_pairs):
                self._leaf_pairs = np.zeros((3 * leaf_pair_count // 2, 2), dtype=np.int32)
            else:
                break
        while True:
            spare = self._spare
            count = list_pairs(
                base, end, is_still, self._leaf_pairs, leaf_pair_count, tree.corners, tree.leaf_points,
                tree.leaf_triangles, tree.leaf_edges, self._marks, 0, self._reach, self._spread, self._spans, spare.pairs,
                spare.is_edges, spare.gaps,
            )  # fmt: skip
            if count <= spare.capacity:
                break
            self._list, self._spare = PairStore(3 * count // 2), PairStore(3 * count // 2)
        self._keep_list(count)

    def _keep_list(self, count: int) -> None:
        """Sort the pairs that were found into the list, and match them with the contacts so far."""
        found, spare = self._list, self._spare
        sort_pairs(
            count, spare.pairs, spare.is_edges, spare.gaps, self._reach, self._bin_ends,
            found.pairs, found.is_edges, found.gaps,
        )  # fmt: skip
        found.count = count
        contacts = self._contacts
        if 2 * contacts.count >= len(self._table):
            self._table = np.zeros(8 * len(self._table), dtype=np.int32)
        match_pairs(
            contacts.count, contacts.points, contacts.is_edges, found.pairs, found.is_edges, count, self._table,
            found.contacts,
        )  # fmt: skip
        self._searched[:] = np.inf

    def _near(self, gap: float) -> int:
        """Return how many pairs of the list may be as close as `gap` in this substep, nearest first."""
        deviation = min(self._deviation, self._skin)
        bin_number = int(BINS * (gap + 2.0 * deviation) / self._reach)
        return int(self._bin_ends[min(bin_number, BINS - 1)])

    # ------------------------------------------------------------------ contacts

    def _find_contacts(self) -> None:
        contacts = self._contacts
        if largest_deviation(self._q, self._searched, self._way, 0.0) <= CALM * self.thickness:
            return
        self.searches += 1
        np.copyto(self._searched, self._q)
        found = self._list
        near = self._near((1.0 + MARGIN) * self.thickness)
        known = self._spare.contacts[:near]
        np.copyto(known, found.contacts[:near])
        while True:
            new = self._old
            count = find_contacts(
                self._x, self._q, found.pairs, found.is_edges, near, self._radii, self._frictions,
                self._inverse_masses, found.contacts, contacts.count, contacts.pushes, contacts.pushes_before,
                contacts.rubs, self._last_contacts, new.next_contacts, new.sources, new.points,
                new.is_edges, new.weights,
                new.normals, new.gaps, new.thicknesses, new.grips, new.pushes, new.pushes_before, new.rubs,
            )  # fmt: skip
            if count <= new.capacity:
                break
            self._old = ContactStore(3 * count // 2)
            np.copyto(found.contacts[:near], known)  # the search has written over what it still needs
        found.contacts[near : found.count] = -1
        new.count = count
        self._contacts, self._old = new, contacts

    def _push(self, passes: int, collide: Callable[[], None]) -> None:
        contacts, positions = self._contacts, self.world.particles.positions
        for n in range(passes):
            largest = push_apart(
                contacts.count, contacts.points, contacts.weights, contacts.normals, contacts.gaps,
                contacts.thicknesses, contacts.grips, self._inverse_masses, self._free_masses, self._x,
                n % 2 == 1, contacts.pushes, contacts.rubs, self._q,
            )  # fmt: skip
            if largest == 0.0:
                break
            np.copyto(positions, self._q)
            collide()
            np.copyto(self._q, positions)
            if largest < CONTENT * self.thickness:
                break

    # ------------------------------------------------------------------ the guarantee

    def _secure(self, step: float, collide: Callable[[], None]) -> None:
        """Change the end of the substep until the way to it is free."""
        self._shares[:] = 1.0
        self._marks[:] = CHANGED
        real_contacts = self._contacts.count
        zones = shortenings = 0
        for n in range(STANDSTILL + 2):
            self._measure_deviation()
            count, found = self._find_hits(step), self._list
            if count == 0:
                break
            mark_hits(count, self._hits, found.pairs, self._marks)
            if n < BLOWS:
                contacts = self._contacts
                if contacts.count + count > contacts.capacity:
                    # All must find room: which ones do must not depend on how much was needed in the past.
                    contacts.grow(3 * (contacts.count + count) // 2)
                contacts.count = add_hit_contacts(
                    count, self._hits, self._times, found.pairs, found.is_edges, self._x, self._q, self._radii,
                    self._frictions, self._inverse_masses, contacts.count, contacts.points, contacts.weights,
                    contacts.normals, contacts.gaps, contacts.thicknesses, contacts.grips, contacts.pushes,
                    contacts.rubs,
                )  # fmt: skip
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
        self.zones += zones > 0

    def _move_together(self, hit_count: int, collide: Callable[[], None]) -> None:
        """Let the points of pairs that hit, and all that hang together by them, move as rigid zones."""
        particles = self.world.particles
        join_zones(hit_count, self._hits, self._list.pairs, self._zones, self._is_steady)
        move_zones(
            self._zones, self._is_steady, particles.masses, particles.is_fixed, self._x, self._ways,
            self._zone_sums, self._q,
        )  # fmt: skip
        np.copyto(particles.positions, self._q)
        collide()
        np.copyto(self._q, particles.positions)

    def _find_hits(self, step: float) -> int:
        """Find all pairs that hit on the way of this substep, listed or not, and return how many there are."""
        found, separation = self._list, SEPARATION * self.thickness
        time = min(self._elapsed, self._horizon_time)
        last = found.count
        strays = mark_points(self._q, self._base, self._way, time, self._skin, self._tested, self._marks)
        if strays > MOST_STRAYS * len(self._q):
            self._detect(step, is_late=True)
            found = self._list
            last = found.count
        elif strays:
            last += self._list_strays(separation)
        near = self._near(separation)
        while True:
            count = find_hits(
                self._x, self._q, found.pairs, found.is_edges, 0, near, self._marks, separation, self._hits,
                self._times,
            )  # fmt: skip
            if last > found.count and count <= len(self._hits):
                count += find_hits(
                    self._x, self._q, found.pairs, found.is_edges, found.count, last, self._marks,
                    separation, self._hits[count:], self._times[count:],
                )  # fmt: skip
            if count <= len(self._hits):
                return int(count)
            self._hits, self._times = np.zeros(2 * count, dtype=np.int32), np.zeros(2 * count)

    def _list_strays(self, separation: float) -> int:
        """Add what points that left their skin may hit to the end of the list; return how many pairs that is.

        The list says nothing of them: they were pushed away or stopped. All others it still holds for.
        """
        tree = self.tree
        mark_nodes(tree.children, tree.corners, self._marks, self._node_marks)
        refit(self._x, self._q, tree.children, tree.corners, 0.5 * separation, self._boxes)
        leaf_pair_count = self._find_marked_leaves(STRAY | CHANGED)
        while True:
            found, first = self._list, self._list.count
            count = list_pairs(
                self._x, self._q, False, self._leaf_pairs, leaf_pair_count, tree.corners, tree.leaf_points,
                tree.leaf_triangles, tree.leaf_edges, self._marks, STRAY | CHANGED, separation, self._spread, self._spans,
                found.pairs[first:], found.is_edges[first:], found.gaps[first:],
            )  # fmt: skip
            self.strays += 1
            if first + count <= found.capacity:
                return int(count)
            found.grow(2 * (first + count))
            self._spare = PairStore(found.capacity)


def _exact_bodies(scene: Scene, world: World) -> Iterator[tuple[BodyRange, Cloth | SoftBody]]:
    """Yield every body and piece of one with `self_contact = "exact"`, and how it was declared."""
    declared = {body.name: body for body in scene.bodies}
    for found in world.bodies.values():
        body = declared.get(found.origin)
        if isinstance(body, Cloth | SoftBody) and body.self_contact == "exact" and len(found.triangles):
            yield found, body


def _thickness(world: World, body: Cloth | SoftBody, found: BodyRange) -> float:
    """Return the distance that a surface keeps [m]; what a cut has divided may have smaller triangles than declared."""
    if found.births is None:
        return body.contact_thickness()
    height = least_height(world.particles.rest_positions[found.particles], found.triangles)
    return min(body.contact_thickness(), 0.5 * height)
