"""The surfaces with exact contact, at one moment: their BVH and thickness, where they intersect, and how that is mended.

Which bodies they are, how thick, the bounding-volume hierarchy over them; where they cross or touch now, whether contact can
begin there, and how that is brought about. What happens while they move is the matter of `self_contact`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from supple.collide.broad_phase.bvh import Surface, build_bvh
from supple.collide.narrow_phase.intersections import find_crossings
from supple.collide.obstacles.obstacles import Obstacles
from supple.collide.self_contact.cut_opening import coincident_points, open_cut
from supple.collide.untangle.untangle import Untangled, Untangling, find_close_pairs
from supple.errors import SuppleError
from supple.model.tables.growable import zeros
from supple.model.world import BodyRange, World
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.contact_settings import least_height
from supple.scene.bodies.soft_body import SoftBody
from supple.scene.cloth_shapes.bezier import Bezier
from supple.scene.cloth_shapes.rectangle import Rectangle
from supple.scene.scene import Scene
from supple.scene.settings import OnIntersection

SOFT_OPENING = 0.25
"""How far each bank of a cut through a soft body draws back, in thicknesses [-]."""

TOUCH = 1.0e-6
"""Layers that start closer than this touch, in thicknesses [-]: nothing could tell which of them is above."""

ROUNDING = 1.0e-10
"""What cannot be told apart at any rate, in sizes of the whole [-]."""

MOST_SPOTS = 6
"""Places of a bad start that are named in a message."""

CUT_OPENING = 0.1
"""How far the points of a cut are moved off it, in thicknesses [-]."""


class ContactSurfaces:
    """All surfaces with `self_contact = "exact"`, as they are now."""

    def __init__(self, scene: Scene, world: World) -> None:
        """Build the hierarchy over every surface of the scene that must not pass through others or itself."""
        self.world = world
        particles = world.particles
        self.radii, self.frictions = (zeros((particles.count,), np.float64) for _ in range(2))
        """(particle_count,) half of the thickness [m], and friction coefficient [-]; zero for what is not exact."""
        self._surfaces = _surfaces(scene, world)
        self._take_contact_settings(scene)
        self.is_active = bool(self._surfaces)
        if self.is_active:
            self._build_bvh(particles.positions.copy())

    def _is_unchanged(self, scene: Scene) -> bool:
        """Tell whether the surfaces of the world are still made of the same triangles, in the same order."""
        now = _surfaces(scene, self.world)
        return len(now) == len(self._surfaces) and all(
            np.array_equal(one.triangles, other.triangles)
            for one, other in zip(now, self._surfaces, strict=True)
        )

    def _build_bvh(self, shape: NDArray[np.float64]) -> None:
        """Build the hierarchy over `shape`, (particle_count, 3) [m].

        An edit builds it anew, where cloth is then, and the order of contacts follows it: a saved state keeps the shape.
        """
        self._shape = shape
        self.bvh = build_bvh(self._surfaces, shape)
        roots = self.bvh.surface_roots
        self.root_pairs = np.array(
            [(roots[a], roots[b]) for a in range(len(roots)) for b in range(a, len(roots))], dtype=np.int32
        ).reshape(-1, 2)

    def _take_contact_settings(self, scene: Scene) -> None:
        """Take over how thick and how rough every surface is."""
        for found, body in _exact_bodies(scene, self.world):
            self.radii[found.particles] = 0.5 * _thickness(self.world, body, found)
            self.frictions[found.particles] = body.friction
        self.thickness = 2.0 * float(self.radii.max(initial=0.0))

    def forget(self) -> None:
        """Forget what was known of the motion: positions have changed by other means."""

    def gap(self, body: BodyRange) -> float:
        """Return how far two banks of a cut must open for contact to tell them apart [m]; 0 if it does not look."""
        return SOFT_OPENING * 2.0 * float(self.radii[body.particles].max(initial=0.0))

    def members(self) -> NDArray[np.int64]:
        """Return the particles of all that must not pass through each other, ascending; none of several levels of detail."""
        is_member = self.radii > 0.0
        for name in self.world.levels:
            is_member[self.world.bodies[name].particles] = False
        return np.flatnonzero(is_member)

    def crossings(self) -> NDArray[np.int32]:
        """Return where cloth passes through cloth now: (crossing_count, 5), an edge and a triangle each."""
        if not self.is_active:
            return np.zeros((0, 5), dtype=np.int32)
        return find_crossings(self.bvh, self.root_pairs, self.world.particles.positions)

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
        told = ", ".join(f"({x:.3g}, {y:.3g}, {z:.3g})" for x, y, z in spots[:MOST_SPOTS])
        more = f" m and {len(spots) - MOST_SPOTS} more places" if len(spots) > MOST_SPOTS else " m"
        return told + more

    def _tangled(self, marks: NDArray[np.int8] | None) -> NDArray[np.int32]:
        """Return where cloth passes through cloth now, or if it does not, where it touches cloth; see `_touching`."""
        positions = self.world.particles.positions
        found = find_crossings(self.bvh, self.root_pairs, positions, marks)
        return found if len(found) else self._touching(marks)

    def _touching(self, marks: NDArray[np.int8] | None = None) -> NDArray[np.int32]:
        """Return the pairs that are at the same place now, (pair_count, 4) points: the guard would not let them move.

        If there are marks, (particle_count,) 0 or 1, only what marked points have to do with is looked at.
        """
        if not self.is_active:
            return np.zeros((0, 4), dtype=np.int32)
        touch, positions = self._touching_distance(), self.world.particles.positions
        return find_close_pairs(self.bvh, self.root_pairs, positions, touch, marks).points

    def _touching_distance(self) -> float:
        """Return how far apart things are at most that are at the same place [m]."""
        positions = self.world.particles.positions
        extent = float((positions.max(axis=0) - positions.min(axis=0)).max())
        return max(TOUCH * self.thickness, ROUNDING * extent)

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

    def untangle(self, obstacles: Obstacles, progress: Untangled | None = None) -> None:
        """Move cloth apart that passes through cloth or touches it now; a SuppleError says where it cannot be done.

        Held points and soft bodies stay where they are, and nothing gains velocity.

        Args:
            obstacles: what points stay out of
            progress: called in every round with the edges that are free again and with all that were not
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
            self.bvh, self.root_pairs, self.radii, is_held, springs, particles.positions, obstacles
        )
        if untangling.is_free:
            return
        told = self.places() or "the start has cloth that touches cloth"
        if not untangling.run(progress):
            raise SuppleError(
                f"{told}. It could not be untangled in {untangling.rounds:,} rounds: {untangling.shortcoming}. "
                f"Move the cloth apart, or pin fewer points of it."
            )
        self.forget()

    def open_cuts(self, changed: NDArray[np.int64] | None = None) -> NDArray[np.int32]:
        """Move points that an edit has put at the same place a little apart, each into its own triangles.

        The two banks of a cut begin in touch, from where the CCD guard would not let them move. If they cannot open, they
        stay where they are.

        Args:
            changed: (count,) points of all triangles that the edit has changed, or moved: all others are as free of
                each other as they were, and are not looked at; None if everything has to be

        Returns:
            What passes through something or touches it at the end, or at the last attempt to open, as points in each row.
        """
        if not self.is_active:
            return self.crossings()
        positions, triangles = self.world.particles.positions, self.bvh.triangles
        is_bank = np.zeros(len(positions), dtype=np.bool_)
        is_bank[triangles] = True
        points = np.flatnonzero(is_bank)
        banks = points[coincident_points(positions[points])]
        is_bank[:] = False
        is_bank[banks] = True
        marks = None
        if changed is not None:
            marks = is_bank.astype(np.int8)
            marks[changed] = 1
        found = np.zeros((0, 5), dtype=np.int32)

        def is_free() -> bool:
            nonlocal found
            found = self._tangled(marks)
            return not len(found)

        if len(banks):
            near = triangles[is_bank[triangles].any(axis=1)].astype(np.int64)
            open_cut(positions, near, banks, CUT_OPENING * self.thickness, is_free)
        else:
            is_free()
        return found


def _surfaces(scene: Scene, world: World) -> list[Surface]:
    """Return all surfaces that must not pass through others or themselves."""
    surfaces = []
    for found, body in _exact_bodies(scene, world):
        # A grid of rows and columns is one only as long as no edit has changed it.
        is_grid = (
            isinstance(body.shape, Rectangle | Bezier)
            and body.point_count == found.particles.stop - found.particles.start
            and np.array_equal(found.triangles, body.surface_triangles())
        )
        surfaces.append(Surface(found.triangles + found.particles.start, is_grid))
    return surfaces


def _exact_bodies(scene: Scene, world: World) -> Iterator[tuple[BodyRange, Cloth | SoftBody]]:
    """Yield every body and piece of one with `self_contact = "exact"`, and how it was declared."""
    declared = {body.name: body for body in scene.bodies}
    for found in world.bodies.values():
        body = declared.get(found.origin)
        if isinstance(body, Cloth | SoftBody) and body.self_contact == "exact" and len(found.triangles):
            yield found, body


def _thickness(world: World, body: Cloth | SoftBody, found: BodyRange) -> float:
    """Return the distance that a surface keeps [m]; what a cut has divided may have smaller triangles than declared."""
    if found.soft_ancestors is None:
        return body.contact_thickness()
    height = least_height(world.particles.rest_positions[found.particles], found.triangles)
    return min(body.contact_thickness(), 0.5 * height)
