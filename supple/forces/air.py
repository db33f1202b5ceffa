"""Air and water: what flows around bodies, and what it does to them.

Theory: docs/theory/air.md and docs/theory/water.md. Before the integrator acts, what flows changes where inertia leads:
so it works the same for every integrator, and no step is too long for it. The wind changes little
from frame to frame and from triangle to triangle, but costs more than a triangle: it is asked once in a frame
for each wind patch of neighbouring triangles.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from supple.forces.air_elements import AirElements
from supple.forces.centre_of_pressure import write_pressure_shares
from supple.forces.chain_drag import add_segment_impulses
from supple.forces.triangle_drag import add_plate_impulses, add_triangle_impulses, share_freedom, share_masses
from supple.forces.water import WaterArrays, lift_particles, pack_waters
from supple.forces.wind_field import WindField
from supple.kernel import kernel
from supple.model.tables.growable import resized
from supple.model.world import BodyRange, World
from supple.scene.bodies.chain import Chain
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.lattice import Lattice
from supple.scene.bodies.soft_body import SoftBody
from supple.scene.scene import Scene

NOT_WET = np.zeros(0)


class Fluids(NamedTuple):
    """Air and water within a substep, as kernels take them."""

    step: float
    """Substep h [s]."""

    inertia_factor: float
    """1 + h γ, by which the ambient drag γ raises what resists a force [-]."""

    gravity: NDArray[np.float64]
    """(3,) [m/s²]"""

    winds: NDArray[np.float64]
    """(patch_count, 3) velocity of the air at each wind patch [m/s]."""

    air_density: float
    """[kg/m³]; 0 where there is no air."""

    wet_shares: NDArray[np.float64]
    """(particle_count,) share of each particle that is under water [-]; empty if none is."""

    water_of: NDArray[np.int64]
    """(particle_count,) the water that each wet particle is in."""

    waters: WaterArrays


@kernel(is_entry=True)
def apply_impulses(impulses, particles, inertia_factor, step):
    """Move the targets of free particles by what impulses [N·s] do within a substep; their pushes sum up the moves."""
    for i in range(particles.targets.shape[0]):
        if not particles.is_fixed[i]:
            factor = step / (inertia_factor * particles.masses[i])
            for axis in range(3):
                move = factor * impulses[i, axis]
                particles.pushes[i, axis] += move
                particles.targets[i, axis] += move


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
        """Divide the bodies into triangles, segments and patches; `shelter` says where the wind does not get."""
        self.world = world
        self._shelter = shelter
        self._field = WindField(seed)
        self._scene = scene
        self.elements = AirElements(scene, world)
        """Triangles and chain segments of all bodies, as air and water see them."""
        self._impulses, self._moves = np.zeros((0, 3)), np.zeros((0, 3))
        self._totals, self._measures = np.zeros(0), np.zeros(12)
        self._wet_shares, self._water_of = np.zeros(0), np.zeros(0, dtype=np.int64)
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
        self.elements.clear()
        self._weighed = np.zeros(0)
        if self.is_still:
            self._clear()
        else:
            self._divide()
        self._expose()

    def _clear(self) -> None:
        """Let nothing have acted on any particle yet."""
        count = self.world.particles.count
        for name in ("_impulses", "_totals", "_moves", "_wet_shares", "_water_of", "_volumes", "_heights"):
            cleared = resized(getattr(self, name), count)
            cleared[:] = 1 if name == "_heights" else 0
            setattr(self, name, cleared)

    def _divide(self) -> None:
        self._is_divided = True
        self._clear()
        self._find_surfaces(self._scene)
        self._middles = self.elements.middles
        self._centres = np.zeros((self.elements.patch_count, 3))
        self._winds = np.zeros((self.elements.patch_count, 3))

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
        self._waters, self._has_waters = pack_waters(scene.waters), bool(scene.waters)
        self._is_wet = False  # until the next substep finds out

    def _expose(self) -> None:
        """Let everything be in the open, and nothing be pushed yet."""
        self._exposures = np.ones((1 + len(self._scene.fans), self.elements.patch_count))
        self.world.particles.pushes[:] = 0.0

    @property
    def is_still(self) -> bool:
        """Whether there is neither air nor water."""
        return self._density == 0.0 and not self._has_waters

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
        """Look what is held, and share the masses of particles among their elements if they have changed."""
        masses, is_fixed, elements = self.world.particles.masses, self.world.particles.is_fixed, self.elements
        for triangles in elements.triangles:
            share_freedom(triangles.corners, triangles.weights, is_fixed, triangles.free_shares)
        for segments in elements.segments:
            share_freedom(segments.ends, segments.weights, is_fixed, segments.free_shares)
        if np.array_equal(masses, self._weighed):
            return
        self._weighed = masses.copy()
        for t in elements.triangles:
            share_masses(t.corners, t.weights, t.areas, masses, self._totals, t.masses)
        for s in elements.segments:
            share_masses(s.ends, s.weights, s.lengths, masses, self._totals, s.masses)

    def push(self, step: float) -> None:
        """Let air and water change where inertia leads within a substep."""
        if self.is_still:
            return
        particles = self.world.particles
        self._step = step
        self._impulses[:] = 0.0
        particles.pushes[:] = 0.0
        fluids = self._fluids(step)
        if self._has_waters:
            self._is_wet = lift_particles(particles.arrays, self._volumes, self._heights, fluids)
        if not self._is_wet:
            fluids = fluids._replace(wet_shares=NOT_WET)
        if self._density == 0.0 and not len(fluids.wet_shares):
            return
        self._add_impulses(fluids)
        apply_impulses(self._impulses, particles.arrays, fluids.inertia_factor, step)

    def _fluids(self, step: float) -> Fluids:
        """Return air and water as kernels take them."""
        world = self.world
        return Fluids(
            step, 1.0 + step * world.drag, world.gravity, self._winds, self._density,
            self._wet_shares, self._water_of, self._waters,
        )  # fmt: skip

    def _add_impulses(self, fluids: Fluids) -> None:
        """Add the impulses of air and water on all triangles and chain segments."""
        particles = self.world.particles
        np.subtract(particles.targets, particles.starts, out=self._moves)
        for triangles in self.elements.triangles:
            if triangles.is_plain and not len(fluids.wet_shares):
                add_plate_impulses(particles.starts, self._moves, triangles, fluids, self._impulses)
            else:
                if triangles.lead > 0.0:
                    write_pressure_shares(particles.starts, self._moves, triangles, fluids, self._measures)
                add_triangle_impulses(
                    particles.starts, self._moves, particles.velocities, triangles, fluids, self._impulses
                )
        for segments in self.elements.segments:
            add_segment_impulses(particles.arrays, segments, fluids, self._impulses)

    def end_frame(self, seconds: float) -> None:
        """Let the gusts travel on."""
        self._field.advance(seconds)

    def force(self, body: BodyRange) -> NDArray[np.float64]:
        """Return what air and water did to a body in the last substep, buoyancy included, (3,) [N]."""
        span = body.particles
        force: NDArray[np.float64] = self._impulses[span].sum(axis=0) / self._step
        if self._is_wet:
            densities = self._waters.densities[self._water_of[span]]
            displaced = densities * self._volumes[span] * self._wet_shares[span]
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
                self.elements.add_triangles(span, body.aerodynamics)
                self._displace(span, span.shares * thickness, thickness)
            elif isinstance(body, Lattice | SoftBody):
                self.elements.add_triangles(span, None)
                self._displace(span, span.shares, np.cbrt(span.shares))
            elif isinstance(body, Chain):
                if len(span.shares) > 1:  # a chain may have snapped to single points
                    self.elements.add_segments(span, body.diameter)
                self._displace(span, span.shares * 0.25 * np.pi * body.diameter**2, body.diameter)

    def _displace(
        self, span: BodyRange, volumes: NDArray[np.float64], heights: float | NDArray[np.float64]
    ) -> None:
        self._volumes[span.particles] = volumes
        self._heights[span.particles] = heights
