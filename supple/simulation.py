"""Simulation: a scene in motion."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from supple import state
from supple.collide.obstacles import Obstacles
from supple.collide.self_contact import SelfContact
from supple.collide.solid_arrays import Progress
from supple.collide.wind_shadow import WindShadow
from supple.constrain.holds import Holds
from supple.constrain.momentum import MomentumKeeper
from supple.constrain.stretch_limit import StretchLimiter
from supple.errors import SuppleError
from supple.forces.air import Air
from supple.forces.bending import bending_energy
from supple.forces.springs import largest_stretch, spring_energy
from supple.integrate.adaptive import adaptive_substeps
from supple.integrate.choose import choose_integrator
from supple.integrate.explicit import Explicit
from supple.integrate.inertia import inertial_targets, velocities_from_positions
from supple.integrate.integrator import Integrator
from supple.model.elasticity import Elasticity
from supple.model.measure import measure_motion
from supple.model.world import BodyRange, build_world
from supple.report import Status, StepReport
from supple.scene.changes import BodyChanges
from supple.scene.mistakes import listed, suggestion
from supple.scene.scene import Scene
from supple.scene.settings import Settings
from supple.scene.stitch import unsewn
from supple.stopwatch import Stopwatch

WORLD_SETTINGS = ("gravity", "drag", "wind", "fans", "waters")
"""Fields of the scene that `set` may change."""

Triple = Sequence[float] | NDArray[np.float64]


class Simulation:
    """A scene that moves, frame by frame.

    Example:
        >>> import supple
        >>> sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=10, rows=10)
        >>> simulation = supple.Simulation(supple.Scene(sheet.pinned("top-left", "top-right")))
        >>> simulation.step().frame
        1
    """

    def __init__(
        self,
        scene: Scene,
        *,
        budget_ms: float | None = None,
        progress: Progress | None = None,
        **settings: Any,
    ) -> None:
        """Build the world of a scene; `settings` replace those of the scene.

        Args:
            scene: what to animate
            budget_ms: time a frame may take [ms]; None is the duration of a frame
            progress: called with the name of a mesh obstacle and the share of its distance map that is built
            settings: fields of `Settings`, such as `integrator="xpbd"` or `substeps=20`
        """
        for line in unsewn(scene.stitches):
            warnings.warn(line, stacklevel=2)
        self.scene = scene
        self.settings = scene.settings.changed(**settings)
        self.budget_ms = budget_ms
        self.frame = 0
        self.time = 0.0
        self._world = build_world(scene)
        self._holds = Holds(self._world.particles.positions)
        self._obstacles = Obstacles(scene.obstacles, self._world, progress)
        self._air = Air(scene, self._world, self.settings.seed, WindShadow(self._obstacles))
        self._contact = SelfContact(scene, self._world)
        self._contact.refuse_troubles()
        self._pin_bodies()
        self._integrator: Integrator = choose_integrator(self.settings, self._world)
        self._limiter = self._new_limiter()
        self._momentum = MomentumKeeper(self._world, self.settings.momentum_correction)
        self._measured = np.zeros(10)
        self._safe_positions = np.zeros_like(self._world.particles.positions)
        self._measure()

    # ------------------------------------------------------------------ motion

    def step(self) -> StepReport:
        """Advance by one frame and report."""
        watch = Stopwatch()
        world, particles = self._world, self._world.particles
        holds, obstacles, air, contact = self._holds, self._obstacles, self._air, self._contact
        substeps = self._substeps()
        step = self.frame_seconds / substeps
        np.copyto(self._safe_positions, particles.positions)
        holds.begin_frame()
        self._integrator.prepare(step)
        iterations = 0
        watch.lap("prepare")
        air.begin_frame()
        watch.lap("air")
        for n in range(1, substeps + 1):
            inertial_targets(
                particles.positions, particles.velocities, world.gravity, world.drag, step,
                particles.starts, particles.targets,
            )  # fmt: skip
            holds.place(n / substeps, self.time + n * step, particles.targets)
            obstacles.place(n / substeps, self.time + n * step, step)
            obstacles.repel(step)
            contact.begin(step)
            watch.lap("integrate")
            air.push(step)
            watch.lap("air")
            iterations += self._integrator.advance(step)
            watch.lap("integrate")
            self._momentum.restore()
            passes = self._limiter.apply(substeps, obstacles.collide)
            if passes and not obstacles.contact_count:
                self._momentum.restore()
            contact.resolve(step, obstacles.collide, obstacles.touched)
            obstacles.bounce(math.hypot(*world.gravity), step)
            iterations += passes
            watch.lap("constrain")
            velocities_from_positions(
                particles.positions, particles.starts, particles.targets, step,
                particles.velocities, particles.accelerations,
            )  # fmt: skip
            obstacles.react(step)
            obstacles.calm()
            watch.lap("velocities")
        obstacles.end_frame()
        air.end_frame(self.frame_seconds)
        self.frame += 1
        self.time = self.frame_seconds + self.time
        return self._report(watch, substeps, iterations)

    def run(self, seconds: float) -> Iterator[StepReport]:
        """Advance by `seconds`, yielding the report of every frame."""
        if not (math.isfinite(seconds) and seconds >= 0.0):
            raise SuppleError(f"`seconds` is {seconds}, but it must be a finite number, 0 or more.")
        for _ in range(round(seconds * self.frame_rate)):
            yield self.step()

    def _substeps(self) -> int:
        wanted = self.settings.substeps
        count = (
            wanted
            if isinstance(wanted, int)
            else adaptive_substeps(self._world, self.frame_seconds, float(self._measured[8]))
        )
        if isinstance(self._integrator, Explicit):
            return self._integrator.substeps(self.frame_seconds, count)
        return count

    def _measure(self) -> None:
        particles = self._world.particles
        measure_motion(
            particles.positions, particles.velocities, particles.masses, self._world.gravity, self._measured
        )

    def _report(self, watch: Stopwatch, substeps: int, iterations: int) -> StepReport:
        world, particles = self._world, self._world.particles
        springs, bends, anchors = world.springs, world.bends, world.anchors
        status = Status.OK
        if isinstance(self._integrator, Explicit):
            if substeps != self.settings.substeps and self.settings.substeps != "auto":
                status = Status.SUBSTEPPED
            if self._integrator.softened < 1.0:
                status = Status.SOFTENED
        self._measure()
        worst = int(self._measured[9])
        is_finite = bool(np.isfinite(self._measured).all())
        if not is_finite:
            status = Status.DIVERGED
            np.copyto(particles.positions, self._safe_positions)
            particles.velocities[:] = 0.0
            particles.accelerations[:] = 0.0
            self._contact.forget()
            self._integrator = choose_integrator(self.settings, world)  # drop what it computed meanwhile
            self._measure()
        anchored = anchors.targets - particles.positions[anchors.points]
        potential = (
            spring_energy(particles.positions, springs.ends, springs.rest_lengths, springs.stiffness)
            + bending_energy(
                particles.positions, bends.points, bends.weights, bends.rest_lengths, bends.stiffness
            )
            + 0.5 * float(np.sum(anchors.stiffness[:, None] * anchored**2))
            + float(self._measured[7])
        )
        stretch = largest_stretch(particles.positions, springs.ends, springs.rest_lengths, springs.kind)
        watch.lap("report")
        budget = 1e3 * self.frame_seconds if self.budget_ms is None else self.budget_ms
        px, py, pz, lx, ly, lz = (float(value) for value in self._measured[:6])
        return StepReport(
            time=self.time,
            frame=self.frame,
            milliseconds=watch.milliseconds,
            stage_milliseconds=watch.stages,
            substeps=substeps,
            iterations=iterations,
            max_stretch=float(stretch),
            linear_momentum=(px, py, pz),
            angular_momentum=(lx, ly, lz),
            kinetic_energy=float(self._measured[6]),
            potential_energy=potential,
            contacts=self._obstacles.contact_count,
            self_contacts=self._contact.contact_count,
            is_finite=is_finite,
            deadline_kept=watch.milliseconds <= budget,
            status=status,
            worst_particle=worst,
        )

    # ------------------------------------------------------------------ looking

    @property
    def frame_rate(self) -> float:
        """Frames per second of simulated time [1/s]."""
        return self.settings.frame_rate

    @property
    def frame_seconds(self) -> float:
        """Simulated duration of a frame [s]."""
        return 1.0 / self.settings.frame_rate

    @property
    def body_names(self) -> tuple[str, ...]:
        """Names of the bodies, in the order of the scene."""
        return tuple(self._world.bodies)

    @property
    def particle_count(self) -> int:
        """Number of mass points of all bodies."""
        return self._world.particles.count

    def positions(self, body: str) -> NDArray[np.float64]:
        """Return the points of a body, (vertex_count, 3) [m], as a read-only view that stays live."""
        return _read_only(self._world.particles.positions[self._body(body).particles])

    def velocities(self, body: str) -> NDArray[np.float64]:
        """Return the velocities of a body, (vertex_count, 3) [m/s], as a read-only view that stays live."""
        return _read_only(self._world.particles.velocities[self._body(body).particles])

    def masses(self, body: str) -> NDArray[np.float64]:
        """Return the masses of a body, (vertex_count,) [kg], as a read-only view that stays live."""
        return _read_only(self._world.particles.masses[self._body(body).particles])

    def triangles(self, body: str) -> NDArray[np.int64]:
        """Return the surface of a body, (triangle_count, 3) vertex indices; empty for chains."""
        return _read_only(self._body(body).triangles)

    def edges(self, body: str) -> NDArray[np.int64]:
        """Return the springs of a body, (spring_count, 2) vertex indices."""
        found = self._body(body)
        ends = self._world.springs.ends[found.springs].astype(np.int64) - found.particles.start
        return _read_only(ends)

    def pinned(self, body: str) -> NDArray[np.int64]:
        """Return the vertices of a body that are held, ascending."""
        held = self._holds.points()
        span = self._body(body).particles
        inside: NDArray[np.int64] = held[(held >= span.start) & (held < span.stop)] - span.start
        return inside

    @property
    def obstacle_names(self) -> tuple[str, ...]:
        """Names of the obstacles, in the order of the scene."""
        return tuple(obstacle.name or "" for obstacle in self.scene.obstacles)

    def obstacle_surface(self, obstacle: str) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return what an obstacle looks like: vertices (n, 3) [m] in its own axes and triangles (t, 3)."""
        return self.scene.obstacles[self._obstacle(obstacle)].surface()

    def obstacle_pose(self, obstacle: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return where an obstacle is now: its place (3,) [m] and its rotation matrix (3, 3)."""
        pose = self._obstacles.pose(self._obstacle(obstacle))
        return pose[9:].copy(), pose[:9].reshape(3, 3).copy()

    def obstacle_velocity(self, obstacle: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return how an obstacle that has a mass moves: velocity of its centre [m/s] and spin [rad/s], (3,) each."""
        return self._obstacles.velocity(self._obstacle(obstacle))

    def obstacle_force(self, obstacle: str) -> NDArray[np.float64]:
        """Return the force of the last substep's contacts on an obstacle that has a mass, (3,) [N]."""
        return self._obstacles.force(self._obstacle(obstacle))

    def air_force(self, body: str) -> NDArray[np.float64]:
        """Return what air and water did to a body in the last substep, buoyancy included, (3,) [N]."""
        return self._air.force(self._body(body))

    def wind_at(self, points: Triple | NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the velocity of the air now, behind obstacles too, at (n, 3) places [m], or at one (3,) [m/s]."""
        places = np.array(points, dtype=np.float64)
        found = self._air.velocities_at(places.reshape(-1, 3))
        return found.reshape(places.shape)

    def depth(self) -> float:
        """Return how deep the deepest free particle is inside an obstacle [m]; negative if none is."""
        depths = self._obstacles.depths()[~self._world.particles.is_fixed]
        return float(depths.max(initial=-math.inf))

    def intersections(self) -> int:
        """Return how many edges of cloth with exact self-contact pass through triangles; always 0."""
        return len(self._contact.crossings())

    def _obstacle(self, name: str) -> int:
        if name not in self.obstacle_names:
            raise SuppleError(
                f"there is no obstacle called {name!r}. Obstacles: {listed(self.obstacle_names)}."
                f"{suggestion(name, self.obstacle_names)}"
            )
        return self.obstacle_names.index(name)

    def _body(self, name: str) -> BodyRange:
        try:
            return self._world.bodies[name]
        except (KeyError, TypeError):
            raise SuppleError(
                f"there is no body called {name!r}. Bodies: {listed(self.body_names)}."
                f"{suggestion(name, self.body_names)}"
            ) from None

    def _particle(self, body: str, vertex: int) -> int:
        span = self._body(body).particles
        count = span.stop - span.start
        if isinstance(vertex, bool) or not isinstance(vertex, int | np.integer) or not 0 <= vertex < count:
            raise SuppleError(
                f"`vertex` is {vertex!r}, but the vertices of {body!r} run from 0 to {count - 1}."
            )
        return int(span.start + vertex)

    # ------------------------------------------------------------------ touching

    def grab(self, body: str, vertex: int, target: Triple) -> None:
        """Take a vertex by hand; by the end of the next frame it is at `target` (3,) [m]."""
        self._holds.grab(self._particle(body, vertex), _point("target", target))
        self._holds_changed()

    def release(self, body: str, vertex: int) -> None:
        """Let go of a grabbed vertex; it keeps its velocity."""
        self._holds.release(self._particle(body, vertex))
        self._holds_changed()

    def pin(self, body: str, vertex: int, target: Triple | None = None) -> None:
        """Pin a vertex where it is, or at `target` (3,) [m], reached by the end of the next frame."""
        particle = self._particle(body, vertex)
        here = self._world.particles.positions[particle].copy()
        self._holds.pin(particle, here if target is None else _point("target", target))
        self._holds_changed()

    def unpin(self, body: str, vertex: int) -> None:
        """Free a pinned vertex."""
        self._holds.unpin(self._particle(body, vertex))
        self._holds_changed()

    def move_pin(self, body: str, vertex: int, target: Triple) -> None:
        """Move a pinned vertex; by the end of the next frame it is at `target` (3,) [m]."""
        particle = self._particle(body, vertex)
        if not self._holds.is_pinned(particle):
            raise SuppleError(f"vertex {vertex} of {body!r} is not pinned. Use `pin` first.")
        self._holds.pin(particle, _point("target", target))

    def move_obstacle(self, obstacle: str, at: Triple, rotation: Triple = (0.0, 0.0, 0.0)) -> None:
        """Lead an obstacle by hand; by the end of the next frame it is at `at` [m], turned by `rotation` [rad]."""
        self._obstacles.lead(self._obstacle(obstacle), _point("at", at), _point("rotation", rotation))

    def release_obstacle(self, obstacle: str) -> None:
        """Let go of an obstacle; one that has a mass keeps its velocity, any other stays where it is."""
        self._obstacles.release(self._obstacle(obstacle))

    def _pin_bodies(self) -> None:
        positions = self._world.particles.positions
        for body in self.scene.bodies:
            first = self._body(body.name or "").particles.start
            for pin in body.pins:
                points = body.indices(pin.where) + first
                if pin.path is not None:
                    self._holds.follow(points, pin.path)
                else:
                    for point in points.tolist():
                        self._holds.pin(point, positions[point].copy())
        self._world.particles.is_fixed[self._holds.points()] = True

    def _holds_changed(self) -> None:
        is_fixed = self._world.particles.is_fixed
        is_held = np.zeros_like(is_fixed)
        is_held[self._holds.points()] = True
        changed = np.flatnonzero(is_held != is_fixed)
        if len(changed):
            is_fixed[changed] = is_held[changed]
            self._integrator.fixed_changed(changed)
            self._limiter.refix()
            self._momentum.refix()

    # ------------------------------------------------------------------ changing

    def set(self, body: str | None = None, **changes: Any) -> None:
        """Change parameters while the simulation runs; they act from the next frame on.

        With a body: `stretch_stiffness`, `shear_stiffness`, `bending_stiffness`, `damping`,
        `stretch_limit`, `density`, in the units of its declaration. Without: `gravity`, `drag`, `wind`,
        `fans`, `waters` and every field of `Settings` (`integrator`, `substeps`, `frame_rate`, ...).
        """
        if body is not None:
            self._set_body(self._body(body), BodyChanges(**changes))
            return
        known = (*WORLD_SETTINGS, *Settings.model_fields)
        for name in changes:
            if name not in known:
                raise SuppleError(
                    f"`{name}` is not a setting. Settings: {listed(known)}.{suggestion(name, known)}"
                )
        scene_changes = {name: changes.pop(name) for name in list(changes) if name in WORLD_SETTINGS}
        scene = self.scene.changed(**scene_changes)
        settings = self.settings.changed(**changes)
        self.scene = scene
        self._world.gravity[:] = scene.gravity
        if scene_changes.keys() & {"wind", "fans", "waters"}:
            self._air.set(scene)
        if scene.drag != self._world.drag:
            self._world.drag = scene.drag
            self._integrator.parameters_changed()
        if settings != self.settings:
            self.settings = settings
            self._integrator = choose_integrator(settings, self._world)
            self._limiter = self._new_limiter()
            self._momentum.has_rotation = settings.momentum_correction

    def _set_body(self, body: BodyRange, changes: BodyChanges) -> None:
        values = changes.fields()
        density = values.pop("density")
        if density is not None:
            self._world.particles.masses[body.particles] = density * body.shares
        self._world.set_elasticity(body, Elasticity(**values))
        self._integrator.parameters_changed()
        self._limiter.refresh()

    def _new_limiter(self) -> StretchLimiter:
        settings = self.settings
        return StretchLimiter(
            self._world, settings.limiter_iterations, settings.limiter_tolerance, settings.limiter_ms
        )

    # ------------------------------------------------------------------ keeping

    def save(self, path: str | Path) -> None:
        """Write the running state to a file, so that `load` goes on bit for bit."""
        state.save(
            path,
            self.scene,
            self.settings,
            self._world,
            self._holds,
            self._obstacles,
            self._air,
            self._contact,
            self.frame,
            self.time,
        )

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return the simulation that `save` wrote."""
        saved = state.load(path)
        simulation = cls(saved.scene, **saved.settings.fields())
        saved.restore(
            simulation._world, simulation._holds, simulation._obstacles, simulation._air, simulation._contact
        )
        simulation.frame, simulation.time = saved.frame, saved.time
        simulation._holds_changed()
        simulation._integrator = choose_integrator(simulation.settings, simulation._world)
        simulation._limiter.refresh()
        simulation._measure()
        return simulation


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.setflags(write=False)
    return view


def _point(name: str, value: Triple) -> NDArray[np.float64]:
    try:
        point = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        point = np.zeros(0)
    if point.shape != (3,) or not np.isfinite(point).all() or np.abs(point).max() > 1e6:
        raise SuppleError(f"`{name}` is {value!r}, but it must be three finite numbers (x, y, z) in metres.")
    return point
