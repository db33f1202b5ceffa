"""Simulation: a scene in motion."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import numpy as np

from supple import state
from supple.adapt.level_of_detail import Detail
from supple.adapt.time_budget import Budget
from supple.arguments import Triple, as_point
from supple.collide.narrow_phase.intersection_query import Intersections
from supple.collide.obstacles.obstacles import Obstacles
from supple.collide.obstacles.puppets import Puppets
from supple.collide.obstacles.solid_arrays import Progress
from supple.collide.obstacles.wind_shadow import WindShadow
from supple.collide.self_contact.self_contact import SelfContact
from supple.collide.untangle.soft_mesh_repairs import soft_repairs
from supple.collide.untangle.untangle import Untangled
from supple.constrain.crush_limit import CrushLimiter
from supple.constrain.grab_limit import Grips
from supple.constrain.inverted_elements import Untangler
from supple.constrain.kinematic_points import Holds
from supple.constrain.momentum import MomentumKeeper
from supple.constrain.strain_limit import StretchLimiter
from supple.edit.commands.schedule import make_again, make_due_edits
from supple.edit.editor import Editor
from supple.edit.history.action_log import Diary
from supple.edit.world.change import Change
from supple.edit.world.intersection_check import Watch
from supple.editing import Editing
from supple.errors import SuppleError
from supple.forces.air import Air
from supple.forces.bending import bending_energy
from supple.forces.gas import Gas, warn_of_leaks
from supple.forces.soft_body_measures import SoftMeasure
from supple.forces.springs import largest_stretch, spring_energy
from supple.integrate.adaptive_substeps import adaptive_substeps, rungs
from supple.integrate.choose import choose_integrator
from supple.integrate.explicit import Explicit
from supple.integrate.filter import Filter
from supple.integrate.inertia import inertial_targets, velocities_from_positions
from supple.integrate.integrator import Integrator
from supple.integrate.multirate import MultiRate
from supple.model.elasticity import Elasticity
from supple.model.motion_measures import measure_motion
from supple.model.skin import Skins
from supple.model.tables.growable import fitted, zeros
from supple.model.world import BodyRange, build_world
from supple.report import Status, StepReport
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.puppet import Puppet
from supple.scene.bodies.soft_body import SoftBody
from supple.scene.error_messages import listed, suggestion
from supple.scene.scene import Scene
from supple.scene.settings import Settings
from supple.scene.timeline.actions import (
    WORLD_CHANGES,
    Free,
    Grab,
    Hold,
    Release,
)
from supple.scene.timeline.actions import Change as Changed
from supple.scene.timeline.parameter_changes import TOUCH, BodyChanges
from supple.stopwatch import Stopwatch

WORLD_SETTINGS = ("gravity", "drag", "wind", "fans", "waters")
"""Fields of the scene that `set` may change."""


class Simulation(Editing):
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
        untangled: Untangled | None = None,
        **settings: Any,
    ) -> None:
        """Build the world of a scene; `settings` replace those of the scene.

        Args:
            scene: what to animate
            progress: called with the name of a mesh obstacle and the share of its distance map that is built
            untangled: called while an intersected start is untangled, with the edges that are free again and
                with all that were not
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
        self._puppets = Puppets(scene, self._world)
        self._contact = SelfContact(scene, self._world)
        self._next_contact: SelfContact | None = None
        """Of a world that an edit has changed, and that others are still to be told of."""
        self._grips = Grips(self._world)
        self._pin_bodies()
        if self.settings.on_intersection == "untangle":
            self._contact.untangle(self._obstacles, untangled)
        else:
            self._contact.refuse_troubles()
        self._air = Air(scene, self._world, self.settings.seed, WindShadow(self._obstacles, self._puppets))
        self._gas = Gas(scene, self._world)
        self._intersections = Intersections(scene, self._world)
        self._soft = SoftMeasure(self._world)
        self._detail = self._new_detail()
        self._skins = Skins(scene, self._world)
        self._integrator: Integrator = choose_integrator(self.settings, self._world)
        self._limiter = self._new_limiter()
        self._crush = CrushLimiter(self._world)
        self._untangler = Untangler(self._world)
        self._momentum = MomentumKeeper(self._world, self.settings.momentum_correction)
        self.revision = 0
        """Grows with every edit of the bodies; arrays taken before are out of date."""
        watch = Watch(lambda: self._contact.is_active, lambda: self._contact.members(), self._part_lips)
        self._editor = Editor(self._world, self._follow_edit, self._lengths_changed, watch)
        self._diary = Diary()
        self._measured = np.zeros(10)
        self._is_held_back = False
        self._safe_positions = zeros(self._world.particles.positions.shape, np.float64)
        self._measure()

    # ------------------------------------------------------------------ motion

    def step(self) -> StepReport:
        """Advance by one frame and report."""
        watch = Stopwatch()
        if self.frame in self._diary.planned:
            if late := make_again(self, self._diary.planned.pop(self.frame)):
                self._diary.planned.setdefault(self.frame + 1, [])[:0] = late
        if self.scene.edits or self.scene.stitches:
            with self._diary.closed():
                self._diary.waiting = make_due_edits(self, self._diary.waiting)
        self._editor.advance(self.frame_seconds)
        world, particles = self._world, self._world.particles
        holds, obstacles, air, contact = self._holds, self._obstacles, self._air, self._contact
        self._detail.begin_frame(self.frame_seconds)
        self._untangler.begin_frame()
        substeps = self._substeps()
        step = self.frame_seconds / substeps
        np.copyto(self._safe_positions, particles.positions)
        holds.begin_frame()
        strides, tearing = holds.strides(substeps), self._editor.tearing()
        self._grips.begin_frame(holds.led, strides, contact.members(), tearing)
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
            obstacles.stop_hands(holds.hands)
            self._grips.slow(step)
            obstacles.repel(step)
            self._gas.begin(self.time + (n - 1) * step, step, self._integrator)
            watch.lap("integrate")
            air.push(step)
            watch.lap("air")
            contact.begin(step, self._others if isinstance(self._others, Filter) else None, self._momentum)
            obstacles.heed_carriers()
            iterations += self._integrator.advance(step)
            watch.lap("integrate")
            self._puppets.begin()
            self._gas.settle(step, self._integrator)
            has_bodies = bool(obstacles.rigid.indices)
            if has_bodies:  # they give way, so even what touches them is free: before anything is touched
                self._momentum.restore(obstacles.touched)
            others = self._others
            self._crush.apply(step, isinstance(others, Explicit) and not world.tetrahedra.is_damped)
            if isinstance(others, Filter):
                obstacles.pass_on(others, step)
                self._puppets.pass_on(others, step)
            if not has_bodies:
                self._momentum.restore(self._puppets.with_touched(obstacles.touched))
            passes = self._limiter.apply(substeps, self._collide)
            if passes and not obstacles.contact_count and not self._puppets.contact_count:
                self._momentum.restore(obstacles.touched)
            has_solids = bool(obstacles.declared) or self._puppets.is_active
            contact.resolve(
                step, self._collide if has_solids else None, self._puppets.with_touched(obstacles.touched)
            )
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
            self._puppets.calm()
            watch.lap("velocities")
        obstacles.end_frame()
        air.end_frame(self.frame_seconds)
        self._untangler.end_frame(self.frame_seconds)
        self.frame += 1
        self.time = self.frame_seconds + self.time
        self._editor.prepare()
        return self._report(watch, substeps, iterations)

    def _collide(self) -> None:
        """Keep particles out of obstacles and puppets; may be called several times in a substep."""
        self._obstacles.collide()
        self._puppets.collide()

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
        afforded = self._detail.budget.affordable(rungs(count), self._detail.updates())
        self._is_held_back = afforded < count
        count = afforded
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
            self._is_held_back |= self._detail.held_back() > 0
        if self._is_held_back and status is Status.OK:
            status = Status.HELD_BACK
        watch.lap("report")
        updates, most_ms = self._detail.updates(), self.settings.budget_ms
        budget = 1e3 * self.frame_seconds if most_ms is None else most_ms
        thinking = watch.stages["prepare"] + watch.stages["report"]
        self._detail.end_frame(self._obstacles.touched, substeps, watch.milliseconds, thinking)
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
            contacts=self._obstacles.contact_count + self._puppets.contact_count,
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

    # ------------------------------------------------------------------ touching

    def grab(self, body: str, vertex: int, target: Triple) -> None:
        """Take a vertex by hand; by the end of the next frame it is at `target` (3,) [m].

        An obstacle in the way stops it at its surface, and in bodies with exact contact it waits for what it pulls.
        """
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
            if isinstance(body, Puppet):
                self._holds.lead(first + np.arange(body.point_count), body)
            for pin in body.pins:
                points = body.indices(pin.where) + first
                if pin.path is not None:
                    self._holds.follow(points, pin.path)
                else:
                    for point in points.tolist():
                        self._holds.pin(point, positions[point].copy())
        self._world.particles.is_fixed[self._holds.fixed()] = True

    def _holds_changed(self) -> None:
        is_fixed = self._world.particles.is_fixed
        is_held = np.zeros_like(is_fixed)
        is_held[self._holds.fixed()] = True
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
        `volume_damping`, `density`, in the units of its declaration. For cloth and soft bodies also
        `self_contact`, `thickness` and `friction`, of all pieces of the body; what is intersected now cannot
        become "exact". Without: `gravity`, `drag`, `wind`,
        `fans`, `waters` and every field of `Settings` (`integrator`, `substeps`, `frame_rate`, ...).
        """
        if body is not None:
            wanted = BodyChanges(**changes)
            self._set_body(self._body(body), wanted)
            # How surfaces meet stands in the scene, which no undo of an edit takes back.
            self._editor.settings_since().append((body, wanted.changed(**dict.fromkeys(TOUCH))))
            self._note(Changed, body=body, **wanted.fields())
            return
        known = (*WORLD_SETTINGS, *Settings.model_fields)
        for name in changes:
            if name not in known:
                raise SuppleError(
                    f"`{name}` is not a setting. Settings: {listed(known)}.{suggestion(name, known)}"
                )
        if "on_intersection" in changes:
            raise SuppleError(
                "`on_intersection` acts on the start only. Give it to the scene or to `Simulation`."
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

    def _set_body(self, body: BodyRange, changes: BodyChanges) -> None:
        values = changes.fields()
        self._set_touch(body, {name: value for name in TOUCH if (value := values.pop(name)) is not None})
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

    def _set_touch(self, body: BodyRange, changes: dict[str, Any]) -> None:
        """Let a declared body and all its pieces meet others in another way; a refusal changes nothing."""
        if not changes:
            return
        before = self.scene.body(body.origin)
        if not isinstance(before, Cloth | SoftBody):
            raise SuppleError(
                f"`{next(iter(changes))}` does not apply to {body.name!r}: only cloth and soft bodies meet each other."
            )
        after = before.changed(**changes)
        bodies = tuple(after if other is before else other for other in self.scene.bodies)
        scene = self.scene.changed(bodies=bodies)
        if after.self_contact == before.self_contact:
            self._contact.retune(scene)
        else:
            contact = SelfContact(scene, self._world)
            if count := len(contact.part_lips()):
                raise SuppleError(
                    f"{body.origin!r} stays {before.self_contact!r}: cloth that is exact must not pass through cloth, but "
                    f"{count} {'edge does' if count == 1 else 'edges do'} now. Move them apart, or start again."
                )
            self._contact = contact
        self.scene = scene

    def _refuse(self, body: BodyRange, reason: str, instead: str, values: dict[str, Any]) -> None:
        for name, value in values.items():
            if value is not None:
                raise SuppleError(
                    f"`{name}` does not apply to {body.name!r}: {reason}. Use `{instead}` instead."
                )

    # ------------------------------------------------------------------ following

    def _follow_edit(self, change: Change) -> None:
        """Let everything that works on the world follow an edit of it."""
        self.revision += 1
        world, particles = self._world, self._world.particles
        is_mixed = np.zeros(change.new_count, dtype=np.bool_)
        is_mixed[change.mixed] = is_mixed[change.revived] = True
        self._holds.reshape(particles.positions, change.new_of, change.nearest, is_mixed)
        particles.is_fixed[:] = False
        particles.is_fixed[self._holds.fixed()] = True
        self._obstacles.reshape(change.nearest)
        self._puppets.reshape()
        self._detail.follow_edit()
        contact = self._next_contact or self._contact.after(self.scene, change.was, change.touched)
        self._renew_followers(contact)
        if isinstance(self._others, Filter):
            origins = change.nearest if change.is_renumbered else None
            self._others.reshape(change.new_of, change.touched, origins, keeps_pairs=change.keeps_pairs)
            if isinstance(self._integrator, MultiRate):
                self._integrator.reshape()
        else:
            self._integrator = choose_integrator(self.settings, world)
        self._limiter.refresh()
        if self.settings.substeps == "auto":
            self._measure()

    def _part_lips(self, change: Change | None) -> str:
        """Open the sides of cuts where contact is exact; return where cloth touches cloth then, in words.

        Only what a change has touched is looked at, everything if none is given.
        """
        before = self._contact
        contact = (
            SelfContact(self.scene, self._world)
            if change is None
            else before.after(self.scene, change.was, change.touched)
        )
        found = contact.part_lips(None if change is None else change.touched)
        self._next_contact = None if len(found) else contact
        return contact.spots(found) if len(found) else ""

    def _renew_followers(self, contact: SelfContact) -> None:
        """Renew what holds arrays as long as the particles; `contact` knows what outlasts an edit."""
        world = self._world
        self._air.reshape()
        warn_of_leaks(self._gas.reshape())
        if world.has_soft_bodies:
            self._soft, self._crush, self._untangler = (
                SoftMeasure(world),
                CrushLimiter(world),
                Untangler(world),
            )
            self._skins.reshape()
        self._contact, self._next_contact = contact, None
        self._intersections = Intersections(self.scene, world)
        self._momentum = MomentumKeeper(world, self.settings.momentum_correction)
        self._safe_positions = fitted(self._safe_positions, world.particles.count)

    def _lengths_changed(self) -> None:
        self._integrator.lengths_changed()
        self._obstacles.lengths_changed()
        self._limiter.refresh()

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
        order = (
            integrator.kept_order()
            if (is_edited or self.may_reshape) and isinstance(integrator, Filter)
            else {}
        )
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
        # Contact may have been set in motion: where it has come to must be free, its start need not be.
        simulation = cls(_without_contact(saved.scene), **saved.settings.fields())
        simulation.scene = saved.scene
        if saved.edits:
            saved.reshape(simulation._editor)
            simulation._follow_load()
        else:
            simulation._contact = SelfContact(saved.scene, simulation._world)
        saved.restore(
            simulation._world,
            simulation._holds,
            simulation._obstacles,
            simulation._air,
            simulation._contact,
            simulation._gas,
        )
        simulation.frame, simulation.time = saved.frame, saved.time
        simulation._plan(saved.planned)
        simulation._diary.waiting = saved.waiting
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
        self._puppets.reshape()
        self._detail = self._new_detail()
        self._renew_followers(self._contact.reshaped(self.scene))


def _without_contact(scene: Scene) -> Scene:
    """Return a scene whose bodies do not notice each other."""
    return scene.changed(
        bodies=tuple(
            body.changed(self_contact="off") if isinstance(body, Cloth | SoftBody) else body
            for body in scene.bodies
        )
    )
