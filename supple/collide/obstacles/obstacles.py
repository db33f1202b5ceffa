"""Obstacles: everything particles collide with, and the passes of a substep that keep them outside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.collide.edge_contact import edge_contact
from supple.collide.edge_contact.edge_contact import Bridges
from supple.collide.edge_contact.face_contact import ThinSolids, inner_radius
from supple.collide.edge_contact.sharp_edges import least_bend
from supple.collide.obstacles.calm_components import CalmComponents
from supple.collide.obstacles.compound import Compound
from supple.collide.obstacles.contact_sums import ContactSums
from supple.collide.obstacles.filtered_contact import FilteredContact, Filters
from supple.collide.obstacles.hand_targets import keep_targets_outside
from supple.collide.obstacles.obstacle_motion import ObstacleMotion
from supple.collide.obstacles.particle_contact import (
    EMERGENCE,
    ParticleContacts,
    bounce_particles,
    clear_contacts,
    collide_particles,
    measure_depths,
)
from supple.collide.obstacles.particle_memory import ParticleMemory
from supple.collide.obstacles.poses import Poses
from supple.collide.obstacles.reactions import Reactions
from supple.collide.obstacles.repulsion import repel_particles
from supple.collide.obstacles.solid_arrays import Progress, SolidProperties, Solids, owners_of, parts_of
from supple.collide.rigid_bodies.rigid_bodies import RigidBodies
from supple.model.tables.growable import resized
from supple.model.world import World
from supple.scene.obstacles.obstacle import Obstacle

GUARDED = 0.7
"""Share of the shell that is guarded by passes after a solve that keeps the whole of it [-]."""

GUARDED_AT_FACES = 0.2
"""The same for faces at thin solids, whose edges keep less of the shell (`edge_contact.CLEARANCE`) [-]."""


class Obstacles:
    """The obstacles of a scene: solids and their properties, with the owners of all that changes.

    A union becomes one solid per part; all its solids follow the union's pose.
    """

    def __init__(
        self, declared: tuple[Obstacle, ...], world: World, progress: Progress | None = None
    ) -> None:
        """Put all obstacles where they start; `progress` is told of the distance maps being built."""
        self.declared = declared
        self._world = world
        self.owners = owners_of(declared)
        """(solid_count,) obstacle that each solid belongs to."""
        self.solids = Solids.of(declared, progress, largest_extent(world))
        self.properties = SolidProperties.of(declared)
        self._is_guard = False
        self._guarded = self._guarded_faces = self.properties
        """What passes of particles, and of edges and faces, see; less of a shell where contact is part of the solve."""
        self._is_bouncy = bool(self.properties.restitutions.any())
        self._is_repelling = bool(self.properties.repulsion_energies.any())
        self._is_along_normal = np.array(
            [declared[owner].repulsion_along == "normal" for owner in self.owners], dtype=np.bool_
        )
        self.motion = ObstacleMotion(declared)
        self._memory = ParticleMemory(world.particles.count, len(self.owners))
        self.contacts = ParticleContacts.of(world.particles.count)
        self.sums = ContactSums(world.particles.count)
        """What contact gave to every particle in this substep."""
        self._reactions = Reactions(self.owners)
        self._calm_components, self._filtered = CalmComponents(world), FilteredContact(world)
        self._is_first_pass, self._step = True, 1.0
        self._build_edge_contact()
        self._build_compound()

    def _build_edge_contact(self) -> None:
        """Find the solids that edges and faces of cloth need to be tested against."""
        surfaces = [part.surface() for obstacle in self.declared for part in parts_of(obstacle)]
        boxes = [np.array([v.min(axis=0), v.max(axis=0)]) for v, _ in surfaces]
        radii = np.array([inner_radius(self.solids, n, box) for n, box in enumerate(boxes)])
        self.bends = bends = np.array(
            [least_bend(self.solids, n, faces) for n, faces in enumerate(surfaces)], dtype=np.float64
        )
        """(solid_count,) smallest radius at which each solid bends outwards [m]."""
        properties = self.properties
        self.face_contact = ThinSolids(self._world, radii, properties.is_projecting)
        self.edge_contact = Bridges(
            self._world, bends, properties.shells, properties.is_kinematic, self.face_contact.indices
        )

    def _build_compound(self) -> None:
        """Build the grid over all solids at rest, whenever one begins or ends to be."""
        if self.motion.update_rest():
            self._memory.forget_planes()
        self._memory.forget_cells()
        motion = self.motion.arrays
        self.compound = Compound.of(
            self.solids,
            motion.poses.t1,
            self.motion.boxes(),
            motion.is_at_rest,
            self.properties.is_projecting,
        )

    # ------------------------------------------------------------------ a substep, in the order of its calls

    def begin_substep(self, fraction: float, time: float, step: float) -> None:
        """Move every obstacle to its pose at the end of the substep, and forget the contacts of the last one.

        Args:
            fraction: how much of the frame is over when the substep ends, 0 to 1
            time: when it ends [s]
            step: substep [s]
        """
        if not self.declared:
            return
        self._step = step
        self.motion.advance(fraction, time, step, self.solids, self.properties, self._world)
        clear_contacts(self.contacts)
        self._reactions.begin_substep()
        self.sums.begin_substep()
        self._is_first_pass = True

    def keep_targets_outside(self, points: NDArray[np.int64]) -> None:
        """Keep the targets of hands out of kinematic obstacles; obstacles with a mass give way to them.

        Args:
            points: (hand_count,) particles that hands hold
        """
        if self.declared and len(points):
            particles = self._world.particles
            keep_targets_outside(
                self.solids, self.properties, self.poses, points, particles.starts, particles.targets
            )

    def repel(self, step: float) -> None:
        """Add the displacement by the potentials of repelling obstacles to the inertial targets."""
        if self._is_repelling:
            particles = self._world.particles
            before = particles.targets.copy()
            repel_particles(
                self.solids, self.properties, self.poses, self._surface_normals(), self._is_along_normal,
                particles.starts, self._world.inertia(step), particles.is_fixed, step, self.reactions,
                particles.targets,
            )  # fmt: skip
            self.sums.sums += particles.masses[:, None] * (particles.targets - before)

    def _surface_normals(self) -> NDArray[np.float64]:
        """Return the unit normal of the surface at every particle, (particle_count, 3); 0 where none is or nobody asks."""
        starts = self._world.particles.starts
        normals = np.zeros_like(starts)
        if not self._is_along_normal.any():
            return normals
        for body in self._world.bodies.values():
            if len(body.triangles):
                a, b, c = (starts[body.particles][body.triangles[:, n]] for n in range(3))
                across = np.cross(b - a, c - a)
                for n in range(3):
                    np.add.at(normals[body.particles], body.triangles[:, n], across)
        lengths = np.linalg.norm(normals, axis=1, keepdims=True)
        np.divide(normals, lengths, out=normals, where=lengths > 0.0)
        return normals

    def warm_start(self) -> None:
        """Add the contact impulses of the last substep at edges to the inertial targets; a guard adds nothing."""
        if self._is_guard:
            self.edge_contact.begin_guard(self._step)
            return
        particles = self._world.particles
        is_carrying = self.edge_contact.is_active and self.edge_contact.places.count > 0
        before = particles.targets.copy() if is_carrying else particles.targets
        self.edge_contact.begin(self._step, self.properties.wants_reaction, particles, self.reactions)
        if is_carrying:
            self.sums.sums += particles.masses[:, None] * (particles.targets - before)

    def collide(self) -> None:
        """Keep particles, edges and faces outside; may be called several times in a substep."""
        if not self.declared:
            return
        self._collide_particles()
        if not (self.face_contact.is_active or self.edge_contact.is_active):
            return
        motion, particles = self.motion.arrays, self._world.particles.arrays
        if self.face_contact.is_active:
            has_moved = self.face_contact.collide(
                self.solids,
                self._guarded_faces,
                motion,
                particles,
                self._memory.arrays,
                self.contacts,
                self.reactions,
            )
            if has_moved:
                self._collide_particles()  # a triangle must not push its corners into something else
        if self.edge_contact.is_active:
            self.edge_contact.find(self.solids, self.properties, motion, particles)
            if self.edge_contact.lift(self.properties, particles, self.contacts, self.reactions):
                self._collide_particles()

    def set_guard(self, is_guard: bool) -> None:
        """Let the passes after the solve be a guard only, or not: if contact is part of the solve, it keeps the shell.

        What the solve leaves is a small share of the shell. Passes that made up for it would do so in every substep, and
        give a velocity each time.
        """
        shells, self._is_guard = self.properties.shells, is_guard
        self._guarded = self._guarded_faces = self.properties
        if is_guard:
            self._guarded = self.properties._replace(shells=GUARDED * shells)
            self._guarded_faces = self.properties._replace(shells=GUARDED_AT_FACES * shells)
        self.edge_contact.share = edge_contact.GUARDED if is_guard else edge_contact.CLEARANCE
        self.edge_contact.little = edge_contact.LITTLE if is_guard else 0.0

    def _collide_particles(self) -> None:
        collide_particles(
            self.solids, self.compound, self._guarded, self.motion.arrays, self._world.particles.arrays,
            EMERGENCE * self._step, self._is_first_pass, self._memory.arrays, self.contacts, self.reactions,
        )  # fmt: skip
        self._is_first_pass = False

    def answer(self, filters: Filters, step: float) -> None:
        """Keep particles outside for a first time, as far as the matrix of a filter does; `collide` has the last word."""
        if self.declared:
            self.collide()
            self._filtered.answer(
                filters, step, self.properties.wants_reaction, self.contacts, self.reactions
            )

    def bounce(self, gravity: float, step: float) -> None:
        """Give particles that hit something their normal speed; called before velocities are computed."""
        particles = self._world.particles
        self.edge_contact.end(particles.starts)
        if self._is_bouncy:
            before = particles.starts.copy()
            bounce_particles(
                self.solids, self.properties.restitutions, self.poses, particles.arrays, self.touched,
                2.0 * gravity * step, step, self.reactions,
            )  # fmt: skip
            self.sums.sums += particles.masses[:, None] * (before - particles.starts)

    def apply_reactions(self, step: float, masses: NDArray[np.float64] | None = None) -> None:
        """End a substep: give obstacles that have a mass the reactions of their contacts with particles.

        Args:
            step: substep [s]
            masses: (particle_count,) what moves with each particle that is pushed [kg]; None is its own mass
        """
        if not self.declared:
            return
        particles = self._world.particles
        self._reactions.end_substep(step)
        self.sums.end_substep(particles.masses, self.contacts)
        if self.rigid:
            self.rigid.apply_reactions(
                self.touched, self.reactions, particles, particles.masses if masses is None else masses, step
            )

    def calm(self) -> None:
        """Let the predictor forget what springs did in components that touch something."""
        if self.declared and not self._is_guard:
            self._calm_components.calm(self.touched)

    def end_frame(self) -> None:
        """End a frame: poses moved by hand become starts, reactions become means."""
        self.motion.end_frame()
        self._reactions.end_frame()

    # ------------------------------------------------------------------ by hand

    def set_target(self, index: int, at: NDArray[np.float64], rotation: NDArray[np.float64]) -> None:
        """Move an obstacle by hand to `at` [m], turned by `rotation` [rad], by the end of the next frame."""
        if self.motion.set_target(index, at, rotation):
            self._build_compound()

    def release(self, index: int) -> None:
        """Let go of an obstacle: one that has a mass flies on, any other stays where it is."""
        self.motion.release(index)

    # ------------------------------------------------------------------ questions

    @property
    def poses(self) -> Poses:
        """Poses of all solids in the current substep."""
        return self.motion.poses

    @property
    def rigid(self) -> RigidBodies:
        """Obstacles with a mass."""
        return self.motion.rigid

    @property
    def touched(self) -> NDArray[np.int64]:
        """(particle_count,) solid that each particle is in contact with in this substep, -1 for none."""
        return self.contacts.touched

    @property
    def reactions(self) -> NDArray[np.float64]:
        """(solid_count, 6) reaction on each solid in this substep and its moment, see `Reactions.sums`."""
        return self._reactions.sums

    @property
    def contact_count(self) -> int:
        """Particles in contact in the last substep."""
        return int(np.count_nonzero(self.touched >= 0))

    def pose(self, index: int) -> NDArray[np.float64]:
        """Return the rotation by rows, then the position of an obstacle, (12,)."""
        return self.motion.pose(index)

    def velocity(self, index: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return velocity [m/s] and spin [rad/s] of an obstacle that has a mass; zeros for any other."""
        return self.rigid.velocity(index)

    def mean_reaction(self, index: int, more: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the contact force on an obstacle and its moment about the world's origin, the mean of the last frame.

        Args:
            index: of the obstacle
            more: (solid_count, 6) to be added to what was summed up [N, N·m]

        Returns:
            (6,) [N, N·m]
        """
        return self._reactions.mean(index, more)

    def depths(self) -> NDArray[np.float64]:
        """Return how deep every particle is inside the obstacles, (particle_count,) [m]; negative outside."""
        positions = self._world.particles.positions
        depths = np.full(len(positions), -np.inf)
        measure_depths(self.solids, self.poses.t1, positions, depths)
        return depths

    # ------------------------------------------------------------------ edits and saved states

    def reshape(self, nearest: NDArray[np.int64]) -> None:
        """Follow an edit of the world; `nearest` (particle_count,) tells what each particle was before."""
        kept = min(len(nearest), len(self.touched))
        if not self.declared:  # then nobody asks for anything but that nothing is touched
            touched = resized(self.touched, len(nearest))
            touched[kept:] = -1
            self.contacts = self.contacts._replace(touched=touched)
            return
        is_same = np.array_equal(nearest[:kept], np.arange(kept))
        self.sums = ContactSums(len(nearest))
        self._reactions.forget()
        self.contacts = self.contacts.reshaped(nearest, is_same=is_same)
        self._memory.reshape(nearest, is_same=is_same)
        self._calm_components.reshape()
        self._filtered.reshape()
        self.face_contact.reshape(self._world)
        self.edge_contact.reshape(self._world, self.face_contact.indices)

    def lengths_changed(self) -> None:
        """Look anew which solids fit between the points of cloth that shrinks or grows."""
        if self.declared:
            self.face_contact.reshape(self._world)
            self.edge_contact.relength(self._world, self.face_contact.indices)

    def forget(self) -> None:
        """Forget contacts and distances: particles are elsewhere by other means than motion."""
        if self.declared:
            clear_contacts(self.contacts)
            self._reactions.forget()
            self._memory.forget_planes()
            self._memory.forget_distances()

    def state(self) -> dict[str, NDArray[Any]]:
        """Return what `restore` needs to go on bit for bit."""
        return {
            **self.motion.state(),
            **self._memory.state(),
            **self.edge_contact.state(),
        }

    def restore(self, saved: Mapping[str, NDArray[Any]]) -> None:
        """Take over what `state` returned; a ValueError or KeyError tells that it does not fit."""
        for name, array in self.state().items():
            if name.startswith("bridge_"):
                continue  # edge contact checks its own
            if saved[name].shape != array.shape or saved[name].dtype != array.dtype:
                raise ValueError(name)
        touched = saved["planes"][:, 7]
        if not ((touched >= -1.0) & (touched < max(1, len(self.owners)))).all():
            raise ValueError("planes")
        self.motion.restore(saved)
        if self.motion.update_rest():  # what is at rest is where it was declared
            self._build_compound()
        lists = saved["lists"]
        if self.compound is not None and not ((lists >= 0) & (lists <= len(self.compound.members))).all():
            raise ValueError("lists")
        self._memory.restore(saved)
        self.edge_contact.restore(saved)


def largest_extent(world: World) -> float:
    """Return the longest side of the box of any one body [m]."""
    spans = [world.particles.positions[body.particles] for body in world.bodies.values()]
    return max(float(np.ptp(points, axis=0).max()) for points in spans)
