"""Air and water: what flows around bodies, and what it does to them.

Theory: docs/theory/air.md and docs/theory/water.md. Before the integrator acts, what flows changes where inertia leads:
so it works the same for every integrator, and no step is too long for it. The wind changes little
from frame to frame and from triangle to triangle, but costs more than a triangle: it is asked once in a frame
for each patch of neighbouring triangles.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from supple.forces.air_elements import Division
from supple.forces.chain_drag import add_rod_impulses
from supple.forces.triangle_drag import add_panel_impulses, add_plate_impulses, share_freedom, share_masses
from supple.forces.water import lift_particles, pack_waters
from supple.forces.wind_field import WindField
from supple.kernel import kernel
from supple.model.tables.growable import fitted
from supple.model.world import BodyRange, World
from supple.scene.bodies.chain import Chain
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.lattice import Lattice
from supple.scene.scene import Scene

NOT_WET = np.zeros(0)


@kernel
def apply_impulses(impulses, masses, is_fixed, growth, step, pushes, targets):
    """Move the targets of free particles by what impulses [N·s] do within a substep; `pushes` sum up the moves."""
    for i in range(targets.shape[0]):
        if not is_fixed[i]:
            factor = step / (growth * masses[i])
            for axis in range(3):
                move = factor * impulses[i, axis]
                pushes[i, axis] += move
                targets[i, axis] += move


class Shelter(Protocol):
    """Something that keeps wind off."""

    def expose(
        self,
        directions: NDArray[np.float64],
        origins: NDArray[np.float64],
        points: NDArray[np.float64],
        exposures: NDArray[np.float64],
    ) -> None:
        """Write which share of each stream arrives at each point.

        Args:
            directions: (stream_count, 3) unit vectors
            origins: (stream_count,) where a stream begins, along its direction [m]; -inf without a beginning
            points: (point_count, 3) [m]
            exposures: (stream_count, point_count) [-], written
        """


class Air:
    """Everything that flows in a scene."""

    def __init__(self, scene: Scene, world: World, seed: int, shelter: Shelter) -> None:
        """Divide the bodies into panels, rods and patches; `shelter` says where the wind does not get."""
        self.world = world
        self._shelter = shelter
        self._field = WindField(seed)
        self._scene = scene
        self._division = Division(scene, world)
        self._impulses, self._moves = np.zeros((0, 3)), np.zeros((0, 3))
        self._totals, self._wets, self._places = np.zeros(0), np.zeros(0), np.zeros(0, dtype=np.int64)
        self._volumes, self._heights = np.zeros(0), np.zeros(0)
        self._is_divided = False
        self._take_streams(scene)
        self._begin()

    def reshape(self) -> None:
        """Follow an edit: divide the bodies as they are now, at once if there is anything that flows."""
        if self._is_divided or not self.is_still:
            self._begin()  # nothing else depends on the bodies

    def _begin(self) -> None:
        """Forget what was known of the bodies, and divide them if there is anything that flows."""
        self._is_wet = False
        self._step = 1.0
        self._is_divided = False
        self._division.clear()
        self._weighed = np.zeros(0)
        if self.is_still:
            self._clear()
        else:
            self._divide()
        self._expose()

    def _clear(self) -> None:
        """Let nothing have acted on any particle yet."""
        count = self.world.particles.count
        for name in ("_impulses", "_totals", "_moves", "_wets", "_places", "_volumes", "_heights"):
            cleared = fitted(getattr(self, name), count)
            cleared[:] = 1 if name == "_heights" else 0
            setattr(self, name, cleared)

    def _divide(self) -> None:
        self._is_divided = True
        self._clear()
        self._find_surfaces(self._scene)
        self._middles = self._division.middles
        self._centres = np.zeros((self._division.patch_count, 3))
        self._winds = np.zeros((self._division.patch_count, 3))

    def set(self, scene: Scene) -> None:
        """Take over the wind, the fans and the waters of a scene; gusts go on from where they are."""
        self._take_streams(scene)
        if not (self.is_still or self._is_divided):
            self._divide()
        self._expose()

    def _take_streams(self, scene: Scene) -> None:
        """Take over what flows in a scene, and where from."""
        self._scene = scene
        self._field.set(scene.wind, scene.fans)
        self._density = self._field.density if scene.wind or scene.fans else 0.0
        self._has_shadow = scene.wind is None or scene.wind.shadow
        self._origins = np.array(
            [-np.inf, *(float(np.dot(fan.at, fan.direction)) for fan in scene.fans)], dtype=np.float64
        )
        self._waters = pack_waters(scene.waters)

    def _expose(self) -> None:
        """Let everything be in the open, and nothing be pushed yet."""
        self._exposures = np.ones((1 + len(self._scene.fans), self._division.patch_count))
        self.world.particles.pushes[:] = 0.0

    @property
    def is_still(self) -> bool:
        """Whether there is neither air nor water."""
        return self._density == 0.0 and not len(self._waters)

    def begin_frame(self) -> None:
        """Ask the wind at every patch, and the masses of everything it blows on."""
        if self.is_still:
            return
        particles = self.world.particles
        self._weigh()
        if self._density == 0.0:
            return
        np.take(particles.positions, self._middles, axis=0, out=self._centres)
        if self._has_shadow:
            self._shelter.expose(self._field.directions, self._origins, self._centres, self._exposures)
        self._field.sample(self._centres, self._exposures, self._winds)

    def _weigh(self) -> None:
        """Look what is held, and share the masses of particles among panels and rods if they have changed."""
        masses, is_fixed = self.world.particles.masses, self.world.particles.is_fixed
        for panels in self._division.panels:
            share_freedom(panels.corners, panels.weights, is_fixed, panels.frees)
        for rods in self._division.rods:
            share_freedom(rods.links, rods.weights, is_fixed, rods.frees)
        if np.array_equal(masses, self._weighed):
            return
        self._weighed = masses.copy()
        for panels in self._division.panels:
            share_masses(panels.corners, panels.weights, panels.sizes, masses, self._totals, panels.masses)
        for rods in self._division.rods:
            share_masses(rods.links, rods.weights, rods.sizes, masses, self._totals, rods.masses)

    def push(self, step: float) -> None:
        """Let air and water change where inertia leads within a substep."""
        if self.is_still:
            return
        world, particles = self.world, self.world.particles
        growth = 1.0 + step * world.drag
        self._step = step
        self._impulses[:] = 0.0
        particles.pushes[:] = 0.0
        wets = NOT_WET
        if len(self._waters):
            self._is_wet = lift_particles(
                particles.starts, particles.is_fixed, particles.masses, self._volumes, self._heights,
                world.gravity, growth, step, self._waters, self._wets, self._places,
                particles.pushes, particles.targets,
            )  # fmt: skip
            wets = self._wets if self._is_wet else NOT_WET
        if self._density == 0.0 and not len(wets):
            return
        np.subtract(particles.targets, particles.starts, out=self._moves)
        for panels in self._division.panels:
            if panels.is_plain and not len(wets):
                add_plate_impulses(
                    particles.starts, self._moves,
                    panels.corners, panels.weights, panels.frees, panels.masses, panels.patches, self._winds, self._density,
                    panels.drag, world.gravity, growth, step, self._impulses,
                )  # fmt: skip
                continue
            add_panel_impulses(
                particles.starts, particles.targets, particles.velocities,
                panels.corners, panels.weights, panels.frees, panels.masses, panels.patches, self._winds,
                self._density, panels.law, panels.drag, panels.lift, panels.skin, panels.is_closed,
                world.gravity, growth, step, wets, self._places, self._waters, self._impulses,
            )  # fmt: skip
        for rods in self._division.rods:
            add_rod_impulses(
                particles.starts, particles.targets, particles.velocities,
                rods.links, rods.frees, rods.masses, rods.patches, self._winds, self._density, rods.diameter,
                growth, step, wets, self._places, self._waters, self._impulses,
            )  # fmt: skip
        apply_impulses(
            self._impulses,
            particles.masses,
            particles.is_fixed,
            growth,
            step,
            particles.pushes,
            particles.targets,
        )

    def end_frame(self, seconds: float) -> None:
        """Let the gusts travel on."""
        self._field.advance(seconds)

    def force(self, body: BodyRange) -> NDArray[np.float64]:
        """Return what air and water did to a body in the last substep, buoyancy included, (3,) [N]."""
        span = body.particles
        force: NDArray[np.float64] = self._impulses[span].sum(axis=0) / self._step
        if self._is_wet:
            displaced = self._waters[self._places[span], 9] * self._volumes[span] * self._wets[span]
            force -= displaced.sum() * self.world.gravity
        return force

    def velocities_at(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the velocity of the air at (point_count, 3) places [m] now, shadows included [m/s]."""
        points = np.ascontiguousarray(points, dtype=np.float64)
        winds = np.zeros_like(points)
        if self._density == 0.0:
            return winds
        exposures = np.ones((len(self._exposures), len(points)))
        if self._has_shadow:
            self._shelter.expose(self._field.directions, self._origins, points, exposures)
        self._field.sample(points, exposures, winds)
        return winds

    def state(self) -> dict[str, NDArray[np.float64]]:
        """Return what `restore` needs to go on bit for bit."""
        return {"phases": self._field.phases}

    def restore(self, saved: Mapping[str, NDArray[np.float64]]) -> None:
        """Take over what `state` returned; a ValueError or KeyError tells that it does not fit."""
        phases = saved["phases"]
        if phases.shape != self._field.phases.shape or not np.isfinite(phases).all():
            raise ValueError("phases")
        self._field.phases[:] = phases

    # ------------------------------------------------------------------ building

    def _find_surfaces(self, scene: Scene) -> None:
        declared = {body.name: body for body in scene.bodies}
        bodies = [(declared[span.origin], span) for span in self.world.bodies.values()]
        for body, span in bodies:
            if isinstance(body, Cloth) and len(span.triangles):
                thickness = scene.material_of(body).thickness
                self._division.add_panels(span, body.aerodynamics)
                self._displace(span, span.shares * thickness, thickness)
            elif isinstance(body, Lattice):
                self._division.add_panels(span, None)
                self._displace(span, span.shares, np.cbrt(span.shares))
            elif isinstance(body, Chain):
                if len(span.shares) > 1:  # a chain may have snapped to single points
                    self._division.add_rods(span, body.diameter)
                self._displace(span, span.shares * 0.25 * np.pi * body.diameter**2, body.diameter)

    def _displace(
        self, span: BodyRange, volumes: NDArray[np.float64], heights: float | NDArray[np.float64]
    ) -> None:
        self._volumes[span.particles] = volumes
        self._heights[span.particles] = heights
