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
from supple.adapt.budget import Budget
from supple.adapt.detail import Detail
from supple.arguments import Points, Triple, as_number, as_path, as_point
from supple.collide.obstacles import Obstacles
from supple.collide.self_contact import SelfContact
from supple.collide.soft_repairs import soft_repairs
from supple.collide.solid_arrays import Progress
from supple.collide.wind_shadow import WindShadow
from supple.constrain.crush_limit import CrushLimiter
from supple.constrain.holds import Holds
from supple.constrain.momentum import MomentumKeeper
from supple.constrain.stretch_limit import StretchLimiter
from supple.edit.change import Change
from supple.edit.diary import Diary
from supple.edit.editor import Editor, Sewing, chain_of
from supple.edit.eraser import rows_of
from supple.edit.schedule import frame_of, make_again, make_due_edits
from supple.errors import SuppleError
from supple.forces.air import Air
from supple.forces.bending import bending_energy
from supple.forces.gas import Gas, warn_of_leaks
from supple.forces.soft_measure import SoftMeasure
from supple.forces.springs import largest_stretch, spring_energy
from supple.integrate.adaptive import adaptive_substeps
from supple.integrate.choose import choose_integrator
from supple.integrate.explicit import Explicit
from supple.integrate.filter import Filter
from supple.integrate.inertia import inertial_targets, velocities_from_positions
from supple.integrate.integrator import Integrator
from supple.integrate.multirate import MultiRate
from supple.model.elasticity import Elasticity
from supple.model.measure import measure_motion
from supple.model.skin import Skin, Skins
from supple.model.world import BodyRange, build_world
from supple.report import Status, StepReport
from supple.scene.changes import BodyChanges
from supple.scene.closed_surface import enclosed_volume, open_edge
from supple.scene.edits import Cut, Seam, Shrink, Tear
from supple.scene.handling import (
    WORLD_CHANGES,
    CutEdges,
    Erase,
    Free,
    Grab,
    Hold,
    Redo,
    Release,
    Undo,
    Unseam,
)
from supple.scene.handling import Change as Changed
from supple.scene.mistakes import listed, suggestion
from supple.scene.scene import Scene
from supple.scene.script import Script
from supple.scene.settings import Settings
from supple.scene.stitch import Stitch
from supple.scene.timed import Timed
from supple.stopwatch import Stopwatch

WORLD_SETTINGS = ("gravity", "drag", "wind", "fans", "waters")
"""Fields of the scene that `set` may change."""


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
        progress: Progress | None = None,
        **settings: Any,
    ) -> None:
        """Build the world of a scene; `settings` replace those of the scene.

        Args:
            scene: what to animate
            progress: called with the name of a mesh obstacle and the share of its distance map that is built
            settings: fields of `Settings`, such as `integrator="xpbd"`, `substeps=20` or `budget_ms=15.0`
        """
        for line in soft_repairs(scene):
            warnings.warn(line, stacklevel=2)
        self.scene = scene
        self.settings = scene.settings.changed(**settings)
        self.frame = 0
        self.time = 0.0
        self._world = build_world(scene)
        self._holds = Holds(self._world.particles.positions)
        self._obstacles = Obstacles(scene.obstacles, self._world, progress)
        self._air = Air(scene, self._world, self.settings.seed, WindShadow(self._obstacles))
        self._gas = Gas(scene, self._world)
        self._contact = SelfContact(scene, self._world)
        self._contact.refuse_troubles()
        self._pin_bodies()
        self._soft = SoftMeasure(self._world)
        self._detail = self._new_detail()
        self._skins = Skins(scene, self._world)
        self._integrator: Integrator = choose_integrator(self.settings, self._world)
        self._limiter = self._new_limiter()
        self._crush = CrushLimiter(self._world)
        self._momentum = MomentumKeeper(self._world, self.settings.momentum_correction)
        self.revision = 0
        """Grows with every edit of the bodies; arrays taken before are out of date."""
        self._editor = Editor(self._world, self._follow_edit, self._lengths_changed)
        self._diary = Diary()
        self._measured = np.zeros(10)
        self._safe_positions = np.zeros_like(self._world.particles.positions)
        self._measure()

    # ------------------------------------------------------------------ motion

    def step(self) -> StepReport:
        """Advance by one frame and report."""
        watch = Stopwatch()
        if self.frame in self._diary.planned:
            make_again(self, self._diary.planned.pop(self.frame))
        if self.scene.edits or self.scene.stitches:
            with self._diary.closed():
                make_due_edits(self)
        self._editor.advance(self.frame_seconds)
        world, particles = self._world, self._world.particles
        holds, obstacles, air, contact = self._holds, self._obstacles, self._air, self._contact
        self._detail.begin_frame(self.frame_seconds)
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
            self._gas.begin(self.time + (n - 1) * step, step, self._integrator)
            watch.lap("integrate")
            air.push(step)
            watch.lap("air")
            iterations += self._integrator.advance(step)
            watch.lap("integrate")
            self._gas.settle(step, self._integrator)
            self._momentum.restore()
            self._crush.apply()
            if isinstance(others := self._others, Filter):
                obstacles.pass_on(others.relay(step))
            passes = self._limiter.apply(substeps, obstacles.collide)
            if passes and not obstacles.contact_count:
                self._momentum.restore()
            contact.resolve(step, obstacles.collide, obstacles.touched)
            obstacles.bounce(math.hypot(*world.gravity), step)
            self._detail.settle(step, obstacles.touched, obstacles.reactions)
            iterations += passes
            watch.lap("constrain")
            velocities_from_positions(
                particles.positions, particles.starts, particles.targets, step,
                particles.velocities, particles.accelerations,
            )  # fmt: skip
            obstacles.react(step, self._detail.contact_masses() if obstacles.rigid.indices else None)
            if obstacles.rigid.indices:
                self._detail.recoil(step, obstacles.touched)
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

    @property
    def _others(self) -> Integrator:
        """What moves everything but bodies of several levels."""
        integrator = self._integrator
        return integrator.inner if isinstance(integrator, MultiRate) else integrator

    def _substeps(self) -> int:
        wanted = self.settings.substeps
        count = (
            wanted
            if isinstance(wanted, int)
            else adaptive_substeps(self._world, self.frame_seconds, float(self._measured[8]))
        )
        integrator = self._integrator
        if isinstance(integrator, MultiRate):
            others = self._world.springs.count + self._world.tetrahedra.count
            return integrator.substeps(self.frame_seconds, count if others else 1)
        if isinstance(integrator, Explicit):
            return integrator.substeps(self.frame_seconds, count)
        return count

    def _measure(self) -> None:
        particles = self._world.particles
        measure_motion(
            particles.positions, particles.velocities, particles.masses, self._world.gravity, self._measured
        )
        self._detail.correct(self._measured)

    def _report(self, watch: Stopwatch, substeps: int, iterations: int) -> StepReport:
        world, particles = self._world, self._world.particles
        springs, bends, anchors = world.springs, world.bends, world.anchors
        status = Status.OK
        if isinstance(self._integrator, MultiRate) and self._integrator.softened < 1.0:
            status = Status.SOFTENED
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
            world.tetrahedra.stop_turning()
            self._detail.recover()
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
            + self._gas.energy()
        )
        stretch = largest_stretch(particles.positions, springs.ends, springs.rest_lengths, springs.kind)
        if world.has_soft_bodies:
            potential += self._soft.energy()
            stretch = max(stretch, self._soft.largest_stretch())
        if self._detail:
            potential += self._detail.energy()
            if self._detail.held_back() and status is Status.OK:
                status = Status.HELD_BACK
        watch.lap("report")
        updates, most_ms = self._detail.updates(), self.settings.budget_ms
        budget = 1e3 * self.frame_seconds if most_ms is None else most_ms
        self._detail.end_frame(self._obstacles.touched, watch.milliseconds)
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
            self_contact=self._contact.mode,
            is_finite=is_finite,
            deadline_kept=watch.milliseconds <= budget,
            status=status,
            worst_particle=worst,
            level_nodes=self._detail.level_counts(),
            node_updates=updates,
            budget_used=self._detail.budget.used(watch.milliseconds, updates),
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
    def may_reshape(self) -> bool:
        """Whether bodies may be cut, torn or sewn by themselves from now on, and so change their number of points."""
        return self.scene.may_reshape or self._editor.is_under_way or bool(self._diary.planned)

    @property
    def body_names(self) -> tuple[str, ...]:
        """Names of the bodies, in the order of the scene."""
        return tuple(self._world.bodies)

    @property
    def particle_count(self) -> int:
        """Number of mass points of all bodies."""
        return self._world.particles.count

    def positions(self, body: str) -> NDArray[np.float64]:
        """Return the points of a body, (vertex_count, 3) [m], as a read-only view, live until an edit."""
        return _read_only(self._world.particles.positions[self._body(body).particles])

    def velocities(self, body: str) -> NDArray[np.float64]:
        """Return the velocities of a body, (vertex_count, 3) [m/s], as a read-only view, live until an edit."""
        return _read_only(self._world.particles.velocities[self._body(body).particles])

    def masses(self, body: str) -> NDArray[np.float64]:
        """Return the masses of a body, (vertex_count,) [kg], as a read-only view, live until an edit."""
        return _read_only(self._world.particles.masses[self._body(body).particles])

    def triangles(self, body: str) -> NDArray[np.int64]:
        """Return the surface of a body, (triangle_count, 3) vertex indices; empty for chains."""
        return _read_only(self._body(body).triangles)

    def surface(self, body: str) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return what a body looks like: points (n, 3) [m] and triangles (t, 3), a moment's copy or view.

        Of most bodies these are `positions` and `triangles`. A soft body that is `smooth` shows a finer surface
        that its tetrahedra carry; its own vertices are the first of the points.
        """
        points, triangles = self._skins.placed(self._body(body))
        return _read_only(points), _read_only(triangles)

    def skin(self, body: str) -> Skin | None:
        """Return how the surface of a soft body hangs on its vertices; None if it is made of them."""
        return self._skins.of(self._body(body))

    def edges(self, body: str) -> NDArray[np.int64]:
        """Return the springs of a body, or the edges of a soft one, (edge_count, 2) vertex indices."""
        found = self._body(body)
        if found.tetrahedra.stop > found.tetrahedra.start or body in self._world.levels:
            return _read_only(self._soft.edges(found))
        ends = self._world.springs.ends[found.springs].astype(np.int64) - found.particles.start
        return _read_only(ends)

    def rest_lengths(self, body: str) -> NDArray[np.float64]:
        """Return the lengths at rest of the springs of a body, (spring_count,) [m], as a read-only view."""
        return _read_only(self._world.springs.rest_lengths[self._body(body).springs])

    def level_shares(self, body: str) -> NDArray[np.float64]:
        """Return how finely each vertex of a body is computed now, (vertex_count,): 0 the coarsest level, 1 the finest."""
        span = self._body(body).particles
        levels = self._world.levels.get(body)
        if levels is None:
            return np.ones(span.stop - span.start)
        return levels.node_levels() / (levels.count - 1)

    @property
    def levelled_bodies(self) -> tuple[str, ...]:
        """Names of the bodies of several levels of detail."""
        return tuple(self._world.levels)

    def touching(self, body: str) -> NDArray[np.bool_]:
        """Return which points of a body touched an obstacle in the last substep, (vertex_count,)."""
        touched: NDArray[np.bool_] = self._obstacles.touched[self._body(body).particles] >= 0
        return touched

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

    def pressure(self, body: str) -> float:
        """Return the overpressure of the gas inside a cloth now [Pa]; 0 if it holds none."""
        return self._gas.pressure(self._body(body).name)

    def volume(self, body: str) -> float:
        """Return the volume inside the surface of a body that is closed [m³]."""
        found = self._body(body)
        if len(found.triangles) == 0 or open_edge(found.triangles) is not None:
            raise SuppleError(f"the surface of {body!r} is not closed, so it encloses no volume.")
        return enclosed_volume(self.positions(body), found.triangles)

    def wind_at(self, points: Triple | NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the velocity of the air now, behind obstacles too, at (n, 3) places [m], or at one (3,) [m/s]."""
        places = np.array(points, dtype=np.float64)
        found = self._air.velocities_at(places.reshape(-1, 3))
        return found.reshape(places.shape)

    def tool_force(self, obstacle: str) -> NDArray[np.float64]:
        """Return the force of soft bodies on an obstacle, averaged over the last frame, (3,) [N].

        This is what a hand feels that leads a tool: force feedback, and the weight on a table.
        """
        return self._obstacles.felt(self._obstacle(obstacle))

    def largest_tool_force(self) -> float:
        """Return the largest `tool_force` on any obstacle [N]; 0 without soft bodies."""
        if not self._world.has_soft_bodies:
            return 0.0
        forces = [self._obstacles.felt(n) for n in range(len(self.scene.obstacles))]
        return max((float(np.linalg.norm(force)) for force in forces), default=0.0)

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
        goal = as_point("target", target)
        self._holds.grab(self._particle(body, vertex), goal)
        self._holds_changed()
        self._note(Grab, body=body, vertex=int(vertex), target=tuple(goal.tolist()))

    def release(self, body: str, vertex: int) -> None:
        """Let go of a grabbed vertex; it keeps its velocity."""
        self._holds.release(self._particle(body, vertex))
        self._holds_changed()
        self._note(Release, body=body, vertex=int(vertex))

    def release_all(self) -> None:
        """Let go of everything that is held by hand."""
        for name, body in self._world.bodies.items():
            for vertex in self._holds.grabbed(body.particles):
                self.release(name, vertex)

    def pin(self, body: str, vertex: int, target: Triple | None = None) -> None:
        """Pin a vertex where it is, or at `target` (3,) [m], reached by the end of the next frame."""
        particle = self._particle(body, vertex)
        here = self._world.particles.positions[particle].copy()
        goal = here if target is None else as_point("target", target)
        self._holds.pin(particle, goal)
        self._holds_changed()
        self._note(Hold, body=body, points=(int(vertex),), target=tuple(goal.tolist()))

    def unpin(self, body: str, vertex: int) -> None:
        """Free a pinned vertex."""
        self._holds.unpin(self._particle(body, vertex))
        self._holds_changed()
        self._note(Free, body=body, points=(int(vertex),))

    def move_pin(self, body: str, vertex: int, target: Triple) -> None:
        """Move a pinned vertex; by the end of the next frame it is at `target` (3,) [m]."""
        particle = self._particle(body, vertex)
        if not self._holds.is_pinned(particle):
            raise SuppleError(f"vertex {vertex} of {body!r} is not pinned. Use `pin` first.")
        goal = as_point("target", target)
        self._holds.pin(particle, goal)
        self._note(Hold, body=body, points=(int(vertex),), target=tuple(goal.tolist()))

    def move_obstacle(self, obstacle: str, at: Triple, rotation: Triple = (0.0, 0.0, 0.0)) -> None:
        """Lead an obstacle by hand; by the end of the next frame it is at `at` [m], turned by `rotation` [rad]."""
        self._obstacles.lead(self._obstacle(obstacle), as_point("at", at), as_point("rotation", rotation))
        self._diary.is_complete = False

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
        `stretch_limit`, `density`, `pressure` of closed cloth, and for soft bodies `young`, `poisson`, `damping`,
        `volume_damping`, `density`, in the units of its declaration. Without: `gravity`, `drag`, `wind`,
        `fans`, `waters` and every field of `Settings` (`integrator`, `substeps`, `frame_rate`, ...).
        """
        if body is not None:
            wanted = BodyChanges(**changes)
            self._set_body(self._body(body), wanted)
            self._editor.settings_since().append((body, wanted))
            self._note(Changed, body=body, **wanted.fields())
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
            self._integrator = choose_integrator(settings, self._world)
            self.settings = settings
            self._limiter = self._new_limiter()
            self._detail.budget = Budget(settings.budget_ms, settings.budget_updates)
            self._momentum.has_rotation = settings.momentum_correction
        if told := {name: getattr(scene, name) for name in scene_changes if name in WORLD_CHANGES}:
            self._note(Changed, **told)
        if changes or set(scene_changes) - set(WORLD_CHANGES) or ("wind" in told and scene.wind is None):
            self._diary.is_complete = False

    # ------------------------------------------------------------------ editing

    def cut(
        self,
        body: str,
        *,
        path: Points | None = None,
        plane: tuple[Triple, Triple] | None = None,
        edges: Sequence[int] | None = None,
    ) -> None:
        """Cut a cloth or a soft body while it moves, along a path, by a plane or along edges.

        A piece that comes off becomes a body of its own, called after the first one: `"cloth-piece-1"`. Arrays that
        `positions` and the like returned before do not follow.

        Args:
            body: a cloth or a soft body
            path: (count, 3) points near its surface [m]; the cut follows straight lines between them, and goes
                right through a soft body
            plane: a point in the plane [m] and its normal
            edges: vertices, each joined to the next by an edge of a triangle
        """
        if sum(way is not None for way in (path, plane, edges)) != 1:
            raise SuppleError("`cut` needs one of `path`, `plane` and `edges`.")
        found = self._editable(body) if edges is not None else self._body(body)
        if edges is not None:
            count = found.particles.stop - found.particles.start
            chain = chain_of("edges", edges, count)
            self._editor.cut_edges(found, chain)
            self._note(CutEdges, body=body, vertices=tuple(chain))
            return
        self._refuse_levels(body)
        gap = self._contact.gap(found)
        if path is not None:
            way = as_path(path)
            self._editor.cut(found, way, None, gap)
            self._note(Cut, body=body, path=tuple(map(tuple, way.tolist())))
            return
        if not isinstance(plane, Sequence) or len(plane) != 2:
            raise SuppleError(
                f"`plane` is {plane!r}, but it must be a point and a normal: ((x, y, z), (x, y, z))."
            )
        point, normal = as_point("plane", plane[0]), as_point("plane", plane[1])
        length = float(np.linalg.norm(normal))
        if length == 0.0:
            raise SuppleError("the normal of `plane` is (0, 0, 0), which has no direction.")
        self._editor.cut(found, None, (normal / length, float(point @ normal) / length), gap)
        self._note(Cut, body=body, plane_point=tuple(point.tolist()), plane_normal=tuple(normal.tolist()))

    def tear(self, body: str, strain: float | None) -> None:
        """Let a body tear wherever it is stretched by more than `strain` [-], 0.1 for a tenth; None stops that."""
        if strain is not None:
            strain = as_number("strain", strain, above=0.0)
        strain = math.inf if strain is None else strain
        self._editor.tear(self._editable(body), strain)
        self._note(Tear, body=body, strain=strain)

    def seam(
        self,
        a: tuple[str, Sequence[int]],
        b: tuple[str, Sequence[int]],
        seconds: float = 0.8,
        *,
        stiffness: float = 1.0e4,
        strength: float | None = None,
        weld: bool = True,
        turn: bool = True,
    ) -> int:
        """Sew two chains of vertices together and return the number of the seam, for `unseam`.

        Args:
            a: name of a body and vertices along the seam
            b: the same for the other side; it may be the same body, and have more or fewer vertices
            seconds: time over which the chains are pulled together [s]
            stiffness: of the thread between two points [N/m]
            strength: force at which a thread gives way [N]; None never
            weld: whether chains of one body become one, once they are together; a seam of limited strength or
                between two bodies is held by threads instead
            turn: whether the second chain is turned round if it then runs alongside the first one
        """
        found = self._editable(a[0]), self._editable(b[0])
        chains = tuple(
            chain_of(name, side[1], body.particles.stop - body.particles.start)
            for name, side, body in zip("ab", (a, b), found, strict=True)
        )
        if found[0].name == found[1].name and set(chains[0][1:-1]) & set(chains[1]) | set(
            chains[1][1:-1]
        ) & set(chains[0]):
            raise SuppleError("the two chains share vertices, so the seam would join a chain with itself.")
        seconds = as_number("seconds", seconds, at_least=0.0)
        stiffness = as_number("stiffness", stiffness, above=0.0)
        strength = None if strength is None else as_number("strength", strength, above=0.0)
        sewing = Sewing(
            bodies=found,
            chains=(chains[0], chains[1]),
            seconds=seconds,
            stiffness=stiffness,
            strength=math.inf if strength is None else strength,
            is_weldable=weld,
            may_turn=turn,
        )
        (number,) = self._editor.sew(f"seam {a[0]}", [sewing])
        self._note(
            Seam,
            body=a[0],
            points=tuple(chains[0]),
            other=b[0],
            other_points=tuple(chains[1]),
            seconds=seconds,
            stiffness=stiffness,
            strength=strength,
            weld=bool(weld),
            turn=bool(turn),
        )
        return number

    def sew(self, *stitches: Stitch) -> None:
        """Sew edges of declared cloth together, all as one edit; the scene's own stitches need no call."""
        sewings = []
        for stitch in stitches:
            sides = ((stitch.a[0], stitch.b[0]), stitch.chains(self.scene.cloths))
            chains = [self.heirs(name, chain.tolist()) for name, chain in zip(*sides, strict=True)]
            sewings.append(
                Sewing(
                    bodies=(self._editable(stitch.a[0]), self._editable(stitch.b[0])),
                    chains=(chains[0], chains[1]),
                    seconds=stitch.seconds,
                    stiffness=stitch.stiffness,
                    strength=math.inf if stitch.strength is None else stitch.strength,
                    may_turn=False,
                )
            )
            if min(map(len, chains)) < 2:
                raise SuppleError(f"of the edges of stitch {stitch.name!r} less than two points are left.")
        self._editor.sew("sew", sewings)
        self._diary.is_complete &= self._diary.is_closed

    def unseam(self, seam: int) -> None:
        """Open a seam again."""
        self._editor.unseam(seam)
        self._note(Unseam, seam=int(seam))

    def shrink(
        self, body: str, points: Sequence[int] | None = None, ratio: float = 0.5, seconds: float = 1.0
    ) -> None:
        """Change the rest lengths between some vertices of a body over time; all vertices if None.

        Args:
            body: its name
            points: vertices of the band; springs between two of them change
            ratio: rest lengths in the end over those now [-]; above 1 stretches
            seconds: time it takes [s]
        """
        found = self._editable(body)
        count = found.particles.stop - found.particles.start
        chosen = np.arange(count) if points is None else np.array(chain_of("points", points, count))
        ratio = as_number("ratio", ratio, above=0.0)
        seconds = as_number("seconds", seconds, at_least=0.0)
        self._editor.shrink(found, chosen, ratio, seconds)
        shrunk = None if points is None else tuple(chosen.tolist())
        self._note(Shrink, body=body, points=shrunk, ratio=ratio, seconds=seconds)

    def erase(self, body: str, triangles: Sequence[int]) -> None:
        """Take triangles of a cloth away, with their mass; the rest moves on as it did.

        A piece that came off may be erased whole, a body of the scene may not.

        Args:
            body: a cloth
            triangles: rows of `triangles(body)`
        """
        found = self._editable(body)
        count = len(found.triangles)
        if count == 0:
            raise SuppleError(f"{body!r} has no triangles to erase.")
        rows = rows_of("triangles", triangles, count)
        self._editor.erase(found, rows)
        self._note(Erase, body=body, triangles=tuple(rows.tolist()))

    def undo(self) -> str:
        """Take the last edit back, and every tear and weld since; return what it was. Motion goes on."""
        since = self._editor.settings_since()
        label = self._editor.undo()
        for name, changes in since:
            if name in self._world.bodies:
                self._set_body(self._body(name), changes)
        self._note(Undo)
        return label

    def redo(self) -> str:
        """Make the edit again that was taken back last; return what it was."""
        label = self._editor.redo()
        self._note(Redo)
        return label

    @property
    def undoable(self) -> tuple[str, ...]:
        """What `undo` can take back, in a few words each, the last edit last."""
        return tuple(step.label for step in self._editor.history.done if step.erased is None)

    @property
    def redoable(self) -> tuple[str, ...]:
        """What `redo` can make again, in a few words each, the next one last."""
        return tuple(step.label for step in self._editor.history.undone if step.erased is None)

    @property
    def script(self) -> Script:
        """Everything that was done so far by calls: edits, undo, pins, grabs, changes of bodies, gravity, drag and wind.

        Edits that the scene declares are no part of it. Save it with `script.save`, and have it done again to the same
        scene, bit for bit, with `replay`.
        """
        return self._diary.script

    def replay(self, script: Script) -> None:
        """Do again what a script says, each entry when its time has come; more than one script adds up.

        What cannot be done is left out with a warning.
        """
        planned = {frame: list(edits) for frame, edits in self._diary.planned.items()}
        for edit in script.edits:
            frame = frame_of(edit, self.frame_rate)
            if frame < self.frame:
                raise SuppleError(
                    f"the script has a {edit.kind} at {edit.time:g} s, but it is {self.time:g} s already."
                )
            planned.setdefault(frame, []).append(edit)
        if not script.is_complete:
            warnings.warn("the script is not complete: what follows will differ.", stacklevel=2)
        self._diary.planned = planned

    def _note(self, kind: type[Timed], **values: Any) -> None:
        self._diary.note(kind, self.frame / self.frame_rate, **values)

    @property
    def seams(self) -> tuple[int, ...]:
        """Numbers of the seams that there are."""
        return tuple(seam.number for seam in self._editor.ongoing.seams)

    def origin(self, body: str) -> tuple[str, NDArray[np.int64], NDArray[np.float64]]:
        """Return where a body comes from: a declared body, and for every vertex three of its vertices and their weights.

        Bodies that were never edited are their own origin.
        """
        found = self._body(body)
        if found.births is not None:
            born = np.repeat(found.births[:, None], 3, axis=1)
            return found.origin, born, np.tile([1.0, 0.0, 0.0], (len(born), 1))
        fabric = self._editor.fabric(found)
        if fabric is not None:
            return found.origin, fabric.birth_points, fabric.birth_weights
        count = found.particles.stop - found.particles.start
        return (
            found.origin,
            np.repeat(np.arange(count)[:, None], 3, axis=1),
            np.tile([1.0, 0.0, 0.0], (count, 1)),
        )

    def heirs(self, body: str, points: Sequence[int]) -> list[int]:
        """Return the vertices of a body that vertices of its declared body have become, in order; lost ones are left out."""
        return self._editor.heirs(self._body(body), points)

    def _refuse_levels(self, name: str) -> None:
        if name in self._world.levels:
            raise SuppleError(
                f"{name!r} has several levels of detail, which cannot be cut. Give it `levels = 1`."
            )

    def _editable(self, name: str) -> BodyRange:
        body = self._body(name)
        if body.tetrahedra.stop > body.tetrahedra.start or name in self._world.levels:
            raise SuppleError(
                f"{name!r} is a soft body: it can be cut, but only bodies of springs can be torn, sewn and shrunk."
            )
        return body

    def _follow_edit(self, change: Change) -> None:
        """Let everything that works on the world follow an edit of it."""
        self.revision += 1
        world, particles = self._world, self._world.particles
        is_mixed = np.zeros(change.new_count, dtype=np.bool_)
        is_mixed[change.mixed] = is_mixed[change.revived] = True
        self._holds.reshape(particles.positions, change.new_of, change.nearest, is_mixed)
        particles.is_fixed[:] = False
        particles.is_fixed[self._holds.points()] = True
        self._obstacles.reshape(change.nearest)
        self._renew_followers()
        self._contact.part_lips()
        if isinstance(self._others, Filter):
            self._others.reshape(change.new_of, change.touched)
        else:
            self._integrator = choose_integrator(self.settings, world)
        self._limiter.refresh()
        self._measure()

    def _renew_followers(self) -> None:
        """Renew what holds arrays as long as the particles and keeps nothing that must outlast an edit."""
        world = self._world
        self._air.reshape()
        warn_of_leaks(self._gas.reshape())
        if world.has_soft_bodies:
            self._soft, self._crush = SoftMeasure(world), CrushLimiter(world)
            self._skins.reshape()
        self._contact = SelfContact(self.scene, world)
        self._momentum = MomentumKeeper(world, self.settings.momentum_correction)
        self._safe_positions = np.zeros_like(world.particles.positions)

    def _lengths_changed(self) -> None:
        self._integrator.lengths_changed()
        self._limiter.refresh()

    def _set_body(self, body: BodyRange, changes: BodyChanges) -> None:
        values = changes.fields()
        density = values.pop("density")
        if density is not None:
            self._world.particles.masses[body.particles] = density * body.shares
        pressure = values.pop("pressure")
        if pressure is not None and not self._gas.set(body.name, pressure):
            raise SuppleError(
                f"`pressure` does not apply to {body.name!r}: it was declared without. Give the cloth a `pressure`."
            )
        soft = {name: values.pop(name) for name in ("young", "poisson", "volume_damping")}
        levels = self._world.levels.get(body.name)
        if levels is not None:
            self._refuse(body, "a soft body has no springs", "young", {**values, "damping": None})
            whole = slice(0, levels.elements.count)
            levels.elements.set_material(whole, damping=values["damping"], **soft)
            self._detail.material_changed(levels)
        elif body.tetrahedra.stop > body.tetrahedra.start:
            self._refuse(body, "a soft body has no springs", "young", {**values, "damping": None})
            self._world.tetrahedra.set_material(body.tetrahedra, damping=values["damping"], **soft)
        else:
            self._refuse(body, "it is no soft body", "stretch_stiffness", soft)
            self._world.set_elasticity(body, Elasticity(**values))
        self._integrator.parameters_changed()
        if self.settings.integrator == "auto" and self._world.tetrahedra.count:
            suited = choose_integrator(self.settings, self._world)
            if type(suited) is not type(self._integrator):
                self._integrator = suited
        self._limiter.refresh()

    def _refuse(self, body: BodyRange, reason: str, instead: str, values: dict[str, Any]) -> None:
        for name, value in values.items():
            if value is not None:
                raise SuppleError(
                    f"`{name}` does not apply to {body.name!r}: {reason}. Use `{instead}` instead."
                )

    def _new_detail(self) -> Detail:
        return Detail(self._world, self.settings.budget_ms, self.settings.budget_updates)

    def _new_limiter(self) -> StretchLimiter:
        settings = self.settings
        return StretchLimiter(
            self._world, settings.limiter_iterations, settings.limiter_tolerance, settings.limiter_ms
        )

    # ------------------------------------------------------------------ keeping

    def save(self, path: str | Path) -> None:
        """Write the running state to a file, so that `load` goes on bit for bit."""
        integrator = self._others
        is_edited = self._editor.is_edited
        order = integrator.kept_order() if is_edited and isinstance(integrator, Filter) else {}
        state.save(
            path,
            self.scene,
            self.settings,
            self._world,
            self._holds,
            self._obstacles,
            self._air,
            self._contact,
            self._gas,
            self.frame,
            self.time,
            self._editor,
            self._diary,
            order,
        )

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return the simulation that `save` wrote."""
        saved = state.load(path)
        simulation = cls(saved.scene, **saved.settings.fields())
        if saved.edits:
            saved.reshape(simulation._editor)
            simulation._follow_load()
        saved.restore(
            simulation._world,
            simulation._holds,
            simulation._obstacles,
            simulation._air,
            simulation._contact,
            simulation._gas,
        )
        simulation.frame, simulation.time = saved.frame, saved.time
        simulation.replay(saved.planned)
        simulation._diary.made, simulation._diary.is_complete = [*saved.made.edits], saved.made.is_complete
        simulation._holds_changed()
        simulation._detail.resume()
        simulation._integrator = choose_integrator(simulation.settings, simulation._world)
        if isinstance(simulation._others, Filter) and (order := saved.part("order.")):
            simulation._others.take_order(order)
        simulation._limiter.refresh()
        simulation._measure()
        return simulation

    def _follow_load(self) -> None:
        """Make room for the particles of a saved state whose bodies were edited."""
        particles = self._world.particles
        self._holds.rebase(particles.positions)
        self._obstacles.reshape(np.zeros(particles.count, dtype=np.int64))
        self._renew_followers()


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.setflags(write=False)
    return view
