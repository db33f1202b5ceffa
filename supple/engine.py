"""Engine: the parts that move one world, and the stages of a substep in which they act.

`Simulation.step` calls the stages one after the other; each is a method here and reads as a list of what the parts do.
Who may write which array, and when, stands in docs/architecture.md.
"""

from __future__ import annotations

import math
import weakref
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.adapt.level_of_detail import LevelOfDetail
from supple.adapt.time_budget import Budget
from supple.collide.narrow_phase.intersection_query import Intersections
from supple.collide.obstacles.obstacles import Obstacles
from supple.collide.obstacles.puppets import Puppets
from supple.collide.obstacles.solid_arrays import Progress
from supple.collide.obstacles.wind_shadow import WindShadow
from supple.collide.self_contact.self_contact import SelfContact
from supple.collide.untangle.untangle import Untangled
from supple.constrain.compression_limit import CompressionLimiter
from supple.constrain.grab_limit import GrabLimiter
from supple.constrain.inverted_elements import InvertedElements
from supple.constrain.kinematic_points import KinematicPoints
from supple.constrain.momentum import MomentumKeeper
from supple.constrain.reaction_forces import ReactionForces
from supple.constrain.strain_limit import StretchLimiter
from supple.edit.editor import Editor
from supple.edit.world.intersection_check import IntersectionCheck
from supple.edit.world.particle_change import ParticleChange
from supple.forces.air import Air
from supple.forces.gas import Gas, warn_of_leaks
from supple.forces.point_drag import PointDrag
from supple.forces.pushes import Pushes
from supple.forces.soft_body_measures import SoftMeasure
from supple.integrate.adaptive_substeps import adaptive_substeps, rungs
from supple.integrate.choose import choose_integrator, cloth_of_elements
from supple.integrate.constant_matrix import ConstantMatrix, KeepingMomentum
from supple.integrate.inertia import inertial_targets
from supple.integrate.integrator import Integrator
from supple.model.motion_measures import measure_motion
from supple.model.skin import Skins
from supple.model.tables.growable import resized, zeros
from supple.model.world import build_world
from supple.scene.bodies.puppet import Puppet
from supple.scene.scene import Scene
from supple.scene.settings import Settings
from supple.stopwatch import Stopwatch
from supple.thread_count import checked_threads, thread_count


@dataclass(frozen=True)
class Substep:
    """One substep of a frame."""

    number: int
    """From 1 to `count`."""

    count: int
    """Substeps of the frame."""

    step: float
    """Duration [s]."""

    frame_begin: float
    """Simulated time at the start of the frame [s]."""

    @property
    def fraction(self) -> float:
        """Share of the frame that has passed at the end of the substep [-]."""
        return self.number / self.count

    @property
    def begin(self) -> float:
        """Simulated time at the start of the substep [s]."""
        return self.frame_begin + (self.number - 1) * self.step

    @property
    def end(self) -> float:
        """Simulated time at the end of the substep [s]."""
        return self.frame_begin + self.number * self.step


class Engine:
    """A world and everything that works on it; each part owns its arrays, the engine says in which order they act."""

    def __init__(
        self,
        scene: Scene,
        settings: Settings,
        progress: Progress | None = None,
        untangled: Untangled | None = None,
        threads: int | None = None,
    ) -> None:
        """Build the world of a scene and the parts for it; see `Simulation`."""
        self.asked_threads = checked_threads(threads)
        """How many threads were asked for; None leaves it to the environment and the size of the world."""

        self.scene, self.settings = scene, settings
        self.frame, self.time = 0, 0.0
        self.revision = 0
        """Grows with every edit of the bodies."""

        self.world = world = build_world(scene)
        self.kinematic = KinematicPoints(world.particles.positions)
        self.obstacles = Obstacles(scene.obstacles, world, progress)
        self.puppets = Puppets(scene, world)
        self.contact = SelfContact(scene, world)
        self._contact_of_edit: SelfContact | None = None
        """Contact of a world that an edit is changing, until the other parts have followed."""

        self.grab_limit = GrabLimiter(world)
        self._pin_bodies()
        if settings.on_intersection == "untangle" or scene.starts_sewn:
            self.contact.untangle(self.obstacles, untangled)
        else:
            self.contact.refuse_troubles()
        self.air = Air(scene, world, settings.seed, WindShadow(self.obstacles, self.puppets))
        self.gas = Gas(scene, world)
        self.pushes = Pushes(world)
        self.point_drag = PointDrag(scene, world)
        self.reactions = ReactionForces(world)
        self.intersections = Intersections(scene, world)
        self.soft_measures = SoftMeasure(world)
        self.level_of_detail = self._new_level_of_detail()
        self.skins = Skins(scene, world)
        self.integrator: Integrator = self._chosen_integrator(settings)
        self.strain_limit = self._new_strain_limit()
        self.compression_limit = CompressionLimiter(world)
        self.inverted_elements = InvertedElements(world)
        self.momentum = MomentumKeeper(world, settings.momentum_correction)
        # The editor calls back without holding on to the engine: a world that nobody uses any more is freed at once,
        # not when the garbage collector comes to it.
        engine: Engine = weakref.proxy(self)
        check = IntersectionCheck(
            lambda: engine.contact.is_active,
            lambda: engine.contact.members(),
            lambda change: engine._open_cut_faces(change),
        )
        self.editor = Editor(
            world, lambda change: engine._follow_edit(change), lambda: engine._lengths_changed(), check
        )
        self.is_held_back = False
        """Whether the time budget allowed fewer substeps in this frame than asked for."""

        self._safe_positions = zeros(world.particles.positions.shape, np.float64)
        self._watch = Stopwatch()
        self.motion = np.zeros(10)
        """As measured last: linear momentum (3), angular momentum (3), kinetic energy, energy in the field of gravity,
        largest speed and the particle that has it; see `measure_motion`."""

        self.measure()

    def _pin_bodies(self) -> None:
        positions = self.world.particles.positions
        for body in self.scene.bodies:
            if isinstance(body, Puppet):
                first = self.world.bodies[body.name or ""].particles.start
                self.kinematic.lead(first + np.arange(body.point_count), body)
        for body in self.scene.bodies:
            first = self.world.bodies[body.name or ""].particles.start
            for pin in body.pins:
                points = body.indices(pin.where) + first
                if pin.path is not None:
                    self.kinematic.follow(points, pin.path)
                elif pin.to is not None:
                    self.attach(points, pin.to)
                else:
                    for point in points.tolist():
                        self.kinematic.pin(point, positions[point].copy())
        self.world.particles.is_fixed[self.kinematic.fixed()] = True

    def attach(self, points: NDArray[np.int64], to: str) -> None:
        """Let particles be carried from now on by an obstacle, or by the nearest triangle of a puppet, given by its name."""
        puppets = [body.name for body in self.scene.bodies if isinstance(body, Puppet)]
        if to in puppets:
            self.kinematic.attach_to_puppet(points, puppets.index(to))
            return
        obstacle = [each.name for each in self.scene.obstacles].index(to)
        self.kinematic.attach(points, obstacle, self.obstacles.pose(obstacle))

    @property
    def frame_seconds(self) -> float:
        """Simulated duration of a frame [s]."""
        return 1.0 / self.settings.frame_rate

    # ------------------------------------------------------------------ a frame

    def begin_frame(self, watch: Stopwatch) -> list[Substep]:
        """Make every part ready for a frame and return its substeps; `watch` times what stages do within each other."""
        self._watch = watch
        self.editor.advance(self.frame_seconds)
        self.level_of_detail.begin_frame(self.frame_seconds)
        self.inverted_elements.begin_frame()
        count = self._substep_count()
        step = self.frame_seconds / count
        np.copyto(self._safe_positions, self.world.particles.positions)
        self.reactions.begin_frame()
        self.kinematic.begin_frame()
        strides, tearing = self.kinematic.strides(count), self.editor.tearing()
        self.grab_limit.begin_frame(self.kinematic.led, strides, self.contact.members(), tearing)
        self.integrator.prepare(step)
        self.contact.begin_frame(count)
        self.air.begin_frame()
        return [Substep(n, count, step, self.time) for n in range(1, count + 1)]

    def _substep_count(self) -> int:
        """Return how many substeps the next frame takes: as asked for, as affordable, as the integrator needs."""
        wanted = self.settings.substeps
        count = (
            wanted
            if isinstance(wanted, int)
            else adaptive_substeps(self.world, self.frame_seconds, float(self.motion[8]))
        )
        detail = self.level_of_detail
        afforded = detail.budget.affordable(rungs(count), detail.updates())
        self.is_held_back = afforded < count
        return self.integrator.substeps(self.frame_seconds, afforded)

    def end_frame(self) -> None:
        """Let the parts end a frame, and the clock go on."""
        self.reactions.add_pushes(self.pushes.points, self.pushes.forces, self.frame_seconds)
        self.reactions.end_frame(self.frame_seconds)
        self.pushes.end_frame()
        self.obstacles.end_frame()
        self.air.end_frame(self.frame_seconds)
        self.inverted_elements.end_frame(self.frame_seconds)
        self.frame += 1
        self.time = self.frame_seconds + self.time
        self.editor.prepare()

    def measure(self) -> None:
        """Measure the motion of all bodies now."""
        particles = self.world.particles
        measure_motion(
            particles.positions, particles.velocities, particles.masses, self.world.gravity, self.motion
        )
        self.level_of_detail.correct(self.motion)

    def recover(self) -> None:
        """Take back a frame that did not stay finite: everything rests where it was before."""
        particles = self.world.particles
        np.copyto(particles.positions, self._safe_positions)
        particles.velocities[:] = 0.0
        particles.accelerations[:] = 0.0
        self.world.tetrahedra.stop_turning()
        self.level_of_detail.recover()
        self.contact.forget()
        self.reactions.forget()
        self.integrator = self._chosen_integrator(self.settings)  # drop what it computed meanwhile

    @property
    def threads(self) -> int:
        """On how many threads the integrator may work; the motion is the same to the bit on any number."""
        return thread_count(self.asked_threads, self.world.particles.count)

    # ------------------------------------------------------------------ the stages of a substep

    def predict(self, substep: Substep) -> None:
        """Aim where inertia leads, and put kinematic points and obstacles where they are at the end of the substep."""
        world, particles, step = self.world, self.world.particles, substep.step
        self.editor.advance_within((substep.count - substep.number) * step)
        inertial_targets(
            particles.positions, particles.velocities, world.gravity, world.drag, step,
            particles.starts, particles.targets,
        )  # fmt: skip
        self.kinematic.place(substep.fraction, substep.end, particles.targets)
        self.obstacles.begin_substep(substep.fraction, substep.end, step)
        self.kinematic.place_attached(self.obstacles.pose, particles.targets)
        self.obstacles.keep_targets_outside(self.kinematic.hands)
        self.grab_limit.slow(step)

    def push(self, substep: Substep) -> None:
        """Add to the targets what acts from outside: pushes, dampers, repulsion, gas, air, water; warm-start contact."""
        step = substep.step
        self.pushes.apply(step)
        self.point_drag.apply(step)
        self.obstacles.repel(step)
        self.gas.begin(substep.begin, step, self.integrator)
        self.air.push(step)
        self.contact.begin()
        self.obstacles.warm_start()

    def solve(self, substep: Substep) -> int:
        """Let internal forces act, by the integrator; return its iterations."""
        if self.integrator.solves_contact:
            self.puppets.begin_early()
        iterations = self.integrator.advance(substep.step)
        if not self.integrator.solves_contact:
            self.puppets.begin()
        self.gas.settle(substep.step, self.integrator)
        return iterations

    def constrain(self, substep: Substep) -> int:
        """Keep compression and stretch within their limits, and the momentum of free bodies; return the passes."""
        gives_way = bool(self.obstacles.rigid)
        if gives_way:  # even what touches a body with a mass is free: before anything is touched
            self._restore_momentum()
        is_undamped = not self.world.tetrahedra.is_damped
        self.compression_limit.apply(substep.step, self.integrator.for_springs.keeps_energy and is_undamped)
        if (matrix := self.integrator.constant_matrix) is not None:
            self._watch.within("collide", lambda: self._answer(matrix, substep.step))
        if not gives_way:
            self._restore_momentum()
        passes = self.strain_limit.apply(substep.count, self._keep_out_timed)
        if passes and not self.contact_count:
            self._restore_momentum()
        return passes

    def collide(self, substep: Substep) -> None:
        """Separate surfaces from each other, in turn with obstacles, and let what hit an obstacle bounce."""
        has_solids = bool(self.obstacles.declared) or self.puppets.is_active
        touched = self.puppets.with_touched(self.obstacles.touched)
        self.contact.resolve(substep.step, self._keep_out if has_solids else None, touched)
        self.obstacles.bounce(math.hypot(*self.world.gravity), substep.step)
        self.level_of_detail.apply_contacts(substep.step, self.obstacles.touched, self.obstacles.reactions)

    def finish(self, substep: Substep) -> None:
        """Take velocities from positions, and let obstacles with a mass feel what contacts did."""
        step = substep.step
        self.integrator.set_velocities(step, self.touching)
        detail, obstacles = self.level_of_detail, self.obstacles
        gives_way = bool(obstacles.rigid)
        obstacles.apply_reactions(step, detail.contact_masses() if gives_way else None)
        if gives_way:
            detail.recoil(step, obstacles.touched)
        obstacles.calm()
        self.puppets.calm()
        self._count_reactions(step)

    def _count_reactions(self, step: float) -> None:
        """Sum up what contacts, air and water gave to particles in a substep."""
        reactions, obstacles, puppets = self.reactions, self.obstacles, self.puppets
        if obstacles.declared:
            reactions.add_contacts(obstacles.sums.sums, step, obstacles.touched)
        if puppets.is_active:
            reactions.contacts += puppets.sums.sums / step
        self.contact.add_impulses(step, reactions.surfaces, reactions.links)
        reactions.add_outer(step, has_air=not self.air.is_still)

    def _keep_out(self) -> None:
        """Keep particles out of obstacles and puppets; may be called several times in a substep."""
        self.obstacles.collide()
        self.puppets.collide()

    def _keep_out_timed(self) -> None:
        """Do the same between passes of the strain limit; the time counts as that of `collide`."""
        self._watch.within("collide", self._keep_out)

    def _answer(self, matrix: ConstantMatrix, step: float) -> None:
        """Keep particles outside for a first time, and let the matrix answer to it."""
        filters = KeepingMomentum(matrix, self.momentum)
        self.obstacles.answer(filters, step)
        self.puppets.answer(filters, step)

    def _restore_momentum(self) -> None:
        """Give free bodies back the momentum that internal forces and limits must not change."""
        touched = self.integrator.without_momentum(self.puppets.with_touched(self.obstacles.touched))
        links = self.contact.links() if self.integrator.solves_contact else None
        self.momentum.restore(touched, self.integrator.arms, links)

    def touching(self) -> NDArray[np.bool_]:
        """Return which particles an obstacle, a puppet or another surface acted on in this substep, (particle_count,)."""
        is_touching: NDArray[np.bool_] = self.puppets.with_touched(self.obstacles.touched) >= 0
        self.contact.mark_touching(is_touching)
        return is_touching

    @property
    def contact_count(self) -> int:
        """Particles that touched an obstacle or a puppet in the last substep."""
        return self.obstacles.contact_count + self.puppets.contact_count

    # ------------------------------------------------------------------ following changes

    def kinematic_changed(self) -> None:
        """Let all parts follow points that were fixed or freed."""
        is_fixed = self.world.particles.is_fixed
        is_held = np.zeros_like(is_fixed)
        is_held[self.kinematic.fixed()] = True
        changed = np.flatnonzero(is_held != is_fixed)
        if len(changed):
            is_fixed[changed] = is_held[changed]
            self.integrator.fixed_changed(changed)
            self.strain_limit.refix()
            self.momentum.refix()

    def parameters_changed(self) -> None:
        """Let all parts follow masses, stiffness or damping of a body that have changed."""
        self.integrator.parameters_changed()
        if self.settings.integrator == "auto" and self.world.tetrahedra.count:
            suited = choose_integrator(self.settings, self.world)
            if suited.name != self.integrator.name:
                self.integrator = suited
                self._connect(suited)
        self.strain_limit.refresh()

    def rest_shape_changed(self) -> None:
        """Let all parts follow rest lengths and masses that have changed."""
        self.integrator.rest_shape_changed()
        self.obstacles.lengths_changed()
        self.strain_limit.refresh()

    def settings_changed(self, settings: Settings) -> None:
        """Go on with other settings."""
        self.integrator = self._chosen_integrator(settings)
        self.settings = settings
        self.strain_limit = self._new_strain_limit()
        self.level_of_detail.budget = Budget(settings.budget_ms, settings.budget_updates)
        self.momentum.has_rotation = settings.momentum_correction

    def _lengths_changed(self) -> None:
        self.integrator.lengths_changed()
        self.obstacles.lengths_changed()
        self.strain_limit.refresh()

    def _follow_edit(self, change: ParticleChange) -> None:
        """Let everything that works on the world follow an edit of it."""
        self.revision += 1
        particles = self.world.particles
        is_interpolated = np.zeros(change.new_count, dtype=np.bool_)
        is_interpolated[change.interpolated] = is_interpolated[change.restored] = True
        self.kinematic.reshape(particles.positions, change.new_of, change.nearest, is_interpolated)
        particles.is_fixed[:] = False
        particles.is_fixed[self.kinematic.fixed()] = True
        self.obstacles.reshape(change.nearest)
        self.puppets.reshape()
        self.level_of_detail.follow_edit()
        contact = self._contact_of_edit or self.contact.after(
            self.scene, change.old_of, change.changed_particles
        )
        self._renew_followers(contact)
        if not self.integrator.follow_edit(change):
            self.integrator = self._chosen_integrator(self.settings)
        self.strain_limit.refresh()
        if self.settings.substeps == "auto":
            self.measure()

    def _open_cut_faces(self, change: ParticleChange | None) -> str:
        """Open the faces of cuts where contact is exact; return where cloth touches cloth then, in words.

        Only what a change has changed is looked at, everything if none is given.
        """
        contact = (
            SelfContact(self.scene, self.world)
            if change is None
            else self.contact.after(self.scene, change.old_of, change.changed_particles)
        )
        found = contact.open_cuts(None if change is None else change.changed_particles)
        self._contact_of_edit = None if len(found) else contact
        return contact.spots(found) if len(found) else ""

    def _renew_followers(self, contact: SelfContact) -> None:
        """Renew what holds arrays as long as the particles; `contact` knows what outlasts an edit."""
        world = self.world
        self.air.reshape()
        self.pushes.clear()
        self.point_drag.reshape()
        self.reactions.reshape()
        warn_of_leaks(self.gas.reshape())
        if world.has_soft_bodies:
            self.soft_measures, self.compression_limit = SoftMeasure(world), CompressionLimiter(world)
            self.inverted_elements = InvertedElements(world)
            self.skins.reshape()
        self.contact, self._contact_of_edit = contact, None
        self.intersections = Intersections(self.scene, world)
        self.momentum = MomentumKeeper(world, self.settings.momentum_correction)
        self._safe_positions = resized(self._safe_positions, world.particles.count)

    def follow_load(self) -> None:
        """Make room for the particles of a saved state whose bodies were edited."""
        particles = self.world.particles
        self.kinematic.rebase(particles.positions)
        self.obstacles.reshape(np.zeros(particles.count, dtype=np.int64))
        self.puppets.reshape()
        self.level_of_detail = self._new_level_of_detail()
        self._renew_followers(self.contact.reshaped(self.scene))

    def forget_motion(self) -> None:
        """Let parts forget what they remember of substeps: particles are about to be elsewhere by other means."""
        self.reactions.forget()
        self.contact.forget()
        if self.world.has_soft_bodies:
            self.inverted_elements = InvertedElements(self.world)
        self.obstacles.forget()
        self.puppets.reshape()
        self.integrator.forget()

    def resume(self) -> None:
        """Let all parts go on from a state that was written into their arrays."""
        self.reactions.forget()
        is_fixed = self.world.particles.is_fixed
        is_fixed[:] = False
        is_fixed[self.kinematic.fixed()] = True
        self.level_of_detail.resume()
        self.integrator = self._chosen_integrator(self.settings)
        self.strain_limit.refix()
        self.momentum.refix()

    def _chosen_integrator(self, settings: Settings) -> Integrator:
        self.world.use_elements(cloth_of_elements(self.scene, settings))
        integrator = choose_integrator(settings, self.world)
        self._connect(integrator)
        return integrator

    def _connect(self, integrator: Integrator) -> None:
        """Let an integrator know the obstacles, and them whether contact is solved by it or by their passes."""
        self.obstacles.set_guard(integrator.solves_contact)
        self.contact.is_guard = integrator.solves_contact
        integrator.take_threads(self.threads)
        integrator.take_obstacles(self.obstacles)
        integrator.take_surfaces(self.contact)
        self.puppets.set_guard(integrator.solves_contact)
        integrator.take_puppets(self.puppets)

    def _new_level_of_detail(self) -> LevelOfDetail:
        return LevelOfDetail(self.world, self.settings.budget_ms, self.settings.budget_updates)

    def _new_strain_limit(self) -> StretchLimiter:
        settings = self.settings
        return StretchLimiter(
            self.world, settings.limiter_iterations, settings.limiter_tolerance, settings.limiter_ms
        )
