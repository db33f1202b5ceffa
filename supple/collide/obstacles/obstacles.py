"""Obstacles: everything cloth collides with, and where it is in every substep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from supple.collide.edge_contact.edge_contact import Bridges
from supple.collide.edge_contact.face_contact import ThinSolids, collide_faces, inner_radius
from supple.collide.edge_contact.sharp_edges import least_bend
from supple.collide.filter_contact.carriers import (
    add_loads,
    end_carrying,
    expect_with_neighbours,
    mark_carriers,
)
from supple.collide.filter_contact.followers import (
    add_passed_on,
    calm_touching_parts,
    find_followers,
    forget_contacts,
    part_spans,
)
from supple.collide.obstacles.compound import Compound
from supple.collide.obstacles.hand_targets import keep_hands_outside
from supple.collide.obstacles.particle_contact import (
    EMERGENCE,
    bounce_particles,
    collide_particles,
    measure_depths,
)
from supple.collide.obstacles.poses import (
    Placement,
    angles_of,
    bounding_radius,
    box_at,
    largest_move,
    part_way,
    triple,
)
from supple.collide.obstacles.repulsion import repel_particles
from supple.collide.obstacles.rigid_bodies import RigidBodies
from supple.collide.obstacles.solid_arrays import Progress, SolidArrays, parts_of
from supple.model.tables.growable import fitted, zeros
from supple.model.world import World
from supple.scene.obstacles.obstacle import Obstacle
from supple.scene.placement import rotation_matrix
from supple.scene.timeline.keyframes import Path

SWEPT_EVERY = 10
"""Substeps after which the relay sweeps also parts whose contacts go on as expected."""


class Relay(Protocol):
    """Passes the moves of particles in contact on to the others."""

    def pass_on(
        self,
        follows: NDArray[np.bool_],
        moves: NDArray[np.float64],
        last: NDArray[np.float64],
        positions: NDArray[np.float64],
        *,
        is_due: bool = True,
    ) -> None:
        """Move the particles that follow; `moves` are given for all others, `last` is left for the next time."""

    def pass_on_firmly(
        self, follows: NDArray[np.bool_], moves: NDArray[np.float64], positions: NDArray[np.float64]
    ) -> None:
        """Move the particles that follow as far as they would in the end; `moves` are given for all others."""

    def loads(self, is_wanted: NDArray[np.bool_], moves: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what moved the particles that were wanted, (particle_count, 3) [kg·m], until the next call."""

    def trace(
        self, follows: NDArray[np.bool_], moves: NDArray[np.float64], sources: NDArray[np.int64]
    ) -> None:
        """Write which solid moved the particles that followed last; given for all others."""


class Relays(Protocol):
    """Who has a relay for every size of substep."""

    def relay(self, step: float) -> Relay:
        """Return the relay for substeps of `step` seconds."""


class Obstacles:
    """The obstacles of a scene in arrays, their poses, and what is known of each particle.

    A union becomes one solid per part; all its solids follow the union's pose.
    """

    def __init__(
        self, declared: tuple[Obstacle, ...], world: World, progress: Progress | None = None
    ) -> None:
        """Put all obstacles where they start; `progress` is told of the distance maps being built."""
        self.declared = declared
        self._world = world
        self.particles = particles = world.particles
        self.solids = solids = SolidArrays.of(declared, progress, largest_extent(world))
        parts = [part for obstacle in declared for part in parts_of(obstacle)]
        self._locals = [
            (rotation_matrix(part.rotation), np.array(part.at)) if part is not declared[owner] else None
            for owner, part in zip(solids.owners, parts, strict=True)
        ]
        count, particle_count = len(parts), particles.count
        self.frictions = np.array([declared[owner].friction for owner in solids.owners])
        is_repelling = np.array(
            [declared[owner].response == "repel" for owner in solids.owners], dtype=np.bool_
        )
        self.restitutions = np.where(
            is_repelling, 0.0, [declared[owner].restitution for owner in solids.owners]
        )
        self.energies = np.where(is_repelling, [declared[owner].repulsion for owner in solids.owners], 0.0)
        self._is_bouncy, self._is_repelling = bool(self.restitutions.any()), bool(self.energies.any())
        self.reaches = np.array([declared[owner].repulsion_range for owner in solids.owners])
        self._radii = [bounding_radius(obstacle) for obstacle in declared]
        self._standing = [Placement(np.array(o.at), np.array(o.rotation)) for o in declared]
        self._goals: dict[int, Placement] = {}
        self.poses_t0 = np.zeros((count, 12))
        self.poses_t1 = np.zeros((count, 12))
        self.shells = np.array([declared[owner].shell for owner in solids.owners])
        self._widest_shell = float(self.shells.max(initial=0.0))
        self.touched = zeros((particle_count,), np.int64)
        self.touched[:] = -1
        self.reactions = np.zeros((count, 6))
        self._pushes, self._rubs = np.zeros(particle_count), np.zeros(particle_count)
        self._seen, self._nearest = np.zeros((particle_count, 3)), np.full(particle_count, -np.inf)
        self._lists = np.zeros((particle_count, 2), dtype=np.int64)
        self._cell_ends = np.full(particle_count, -np.inf)
        self._margins, self._travels = np.full((particle_count, count), -np.inf), np.zeros(particle_count)
        self._planes, self._rooms = np.full((particle_count, 8), -1.0), np.full(particle_count, -np.inf)
        self._drifts, self._drifts_seen = np.zeros(count), np.zeros(particle_count)
        self._drift = 0.0
        self._is_first = True
        self._step = 1.0
        self._substep = 0
        """Counts from 1 in every frame."""
        self._leaders, self._spans = world.couplings.leaders, part_spans(world.couplings.leaders)
        self._is_touching = np.zeros(particle_count, dtype=np.bool_)
        self._follows, self._moves = np.zeros(particle_count, dtype=np.bool_), np.zeros((particle_count, 3))
        self._carries, self._bears, self._is_borne = (np.zeros_like(self._follows) for _ in range(3))
        self._by_part = np.zeros((particle_count, 2), dtype=np.bool_)
        self._sources, self._last = np.zeros(particle_count, dtype=np.int64), np.zeros((particle_count, 4))
        self._poses = [self._pose(n, 0.0, 0.0) for n in range(len(declared))]
        # A tool is felt by the hand that leads it: soft bodies push back measurably on everything.
        has_soft = world.has_soft_bodies
        self._is_weighed = np.array(
            [has_soft or declared[owner].mass is not None for owner in solids.owners], dtype=np.bool_
        )
        self._is_any_weighed = bool(self._is_weighed.any())
        self._felt, self._felt_substeps = np.zeros((count, 3)), 0
        self.rigid = RigidBodies(declared, solids.owners)
        self._is_projecting = ~is_repelling
        has_mass = np.array([declared[owner].mass is not None for owner in solids.owners], dtype=np.bool_)
        self._is_firm = self._is_projecting & ~has_mass
        surfaces = [part.surface() for part in parts]
        boxes = [np.array([v.min(axis=0), v.max(axis=0)]) for v, _ in surfaces]
        radii = np.array([inner_radius(solids.shapes, n, box) for n, box in enumerate(boxes)])
        self._thin = ThinSolids(world, radii, self._is_projecting)
        bends = np.array([least_bend(solids.shapes, n, faces) for n, faces in enumerate(surfaces)])
        self._bridges = Bridges(world, bends, self.shells, self._is_firm, self._thin.indices)
        self._is_at_rest = np.zeros(count, dtype=np.bool_)
        self._spread()
        self._merge()

    def place(self, fraction: float, time: float, step: float) -> None:
        """Begin a substep: move every obstacle to where it is at its end and forget old contacts."""
        if not self.declared:
            return
        np.copyto(self.poses_t0, self.poses_t1)
        self._step = step
        self._substep += 1
        has_moved = False
        for n, obstacle in enumerate(self.declared):
            if obstacle.motion is not None or n in self._goals:
                self._move(n, self._pose(n, fraction, time))
                has_moved = True
        if has_moved:
            self._spread()
        if self.rigid.indices:
            self._let_fall(step)
        forget_contacts(self._pushes, self._rubs, self._moves, self.touched)
        self.reactions[:] = 0.0
        self._is_first = True

    def _let_fall(self, step: float) -> None:
        """Move the obstacles that have a mass."""
        rigid = self.rigid
        for body, index in enumerate(rigid.indices):
            if rigid.is_held[body]:
                rigid.follow(body, self._poses[index], step)
        poses = self.poses_t0, self.poses_t1
        world = self._world
        rigid.fall(
            self.solids.shapes, self.frictions, self.restitutions, poses, world.gravity, world.drag, step
        )
        for body, index in enumerate(rigid.indices):
            if not rigid.is_held[body]:
                self._move(index, rigid.pose(body))
        self._spread()

    def react(self, step: float, masses: NDArray[np.float64] | None = None) -> None:
        """End a substep: obstacles that have a mass feel what their contacts did to the particles.

        Args:
            step: substep [s]
            masses: (particle_count,) what moves with each particle that is pushed [kg]; None is its own mass
        """
        if not self._is_any_weighed:
            return
        if self._felt_substeps == 0:
            self._felt[:] = 0.0
        self._felt += self.reactions[:, :3] / step**2
        self._felt_substeps += 1
        if self.rigid.indices:
            particles = self.particles
            self.rigid.react(
                self.touched,
                self.reactions,
                particles.positions,
                particles.masses if masses is None else masses,
                particles.velocities,
                step,
            )

    def repel(self, step: float) -> None:
        """Add what the potentials of repelling obstacles do to the inertial targets."""
        if self._is_repelling:
            particles = self.particles
            repel_particles(
                *self.solids.shapes, self.energies, self.reaches, self.frictions, self.poses_t0, self.poses_t1,
                particles.starts, self._world.inertia(step), particles.is_fixed, step, self.reactions,
                particles.targets,
            )  # fmt: skip

    def stop_hands(self, points: NDArray[np.int64]) -> None:
        """Keep hands out of what stands or moves as it is told; what falls is no match for them.

        Args:
            points: (hand_count,) particles that hands hold
        """
        if self.declared and len(points):
            particles = self.particles
            keep_hands_outside(
                *self.solids.shapes, self._is_firm, self.shells, self.poses_t0, self.poses_t1, points,
                particles.starts, particles.targets,
            )  # fmt: skip

    def end_frame(self) -> None:
        """Let obstacles that were led by hand stand where they have arrived."""
        for n, goal in self._goals.items():
            self._standing[n] = goal
        self._felt /= max(self._felt_substeps, 1)
        self._felt_substeps = 0
        self._substep = 0

    def felt(self, index: int) -> NDArray[np.float64]:
        """Return what the contacts of the last frame did to an obstacle, on average, (3,) [N]."""
        total: NDArray[np.float64] = self._felt[self.solids.owners == index].sum(axis=0)
        return total

    def collide(self) -> None:
        """Keep particles outside; may be called several times in a substep."""
        if self.declared:
            self._collide_particles()
            particles = self.particles
            if self._thin.is_active:
                has_moved = collide_faces(
                    *self.solids.shapes, self._thin.indices, self._thin.radii, self._thin.triangles, self.frictions,
                    self.poses_t0, self.poses_t1, self._drift, self.shells, self._is_weighed, particles.starts,
                    particles.masses, particles.is_fixed, self._seen, self._drifts_seen, self._nearest,
                    *self._thin.scratch, self.touched, self.reactions, self._moves, particles.positions,
                )  # fmt: skip
                if has_moved:
                    self._collide_particles()  # a triangle must not push its corners into something else
            if self._bridges.is_active:
                poses = self.poses_t0, self.poses_t1
                self._bridges.find(self.solids.shapes, poses, self._drift, particles)
                if self._bridges.lift(
                    self.frictions, self._is_weighed, particles, self.touched, self.reactions, self._moves
                ):
                    self._collide_particles()

    def _collide_particles(self) -> None:
        particles = self.particles
        collide_particles(
            *self.solids.shapes, *self._compound.arrays, self.frictions, self.poses_t0, self.poses_t1,
            self._drifts, self._drift, self.shells, self._widest_shell, EMERGENCE * self._step, self._is_weighed,
            self._is_at_rest, particles.starts, particles.masses, particles.is_fixed, self._is_first,
            self._seen, self._travels, self._drifts_seen, self._nearest, self._lists, self._cell_ends,
            self._margins, self._planes, self._rooms,
            self._pushes, self._rubs, self.touched, self.reactions, self._moves,
            particles.positions,
        )  # fmt: skip
        self._is_first = False

    def pass_on(self, relays: Relays, step: float) -> None:
        """Keep particles outside for a first time, and let those around follow; `collide` has the last word."""
        if not self.declared:
            return
        self.collide()
        particles = self.particles
        if find_followers(self.touched, self._spans, particles.is_fixed, self._is_touching, self._follows):
            relay = relays.relay(step)  # takes time to make after an edit, so only where something is touched
            is_any_carrying = self.rigid.indices and mark_carriers(
                self.touched, self.rigid.bodies_of, self._leaders, particles.is_fixed, self._follows,
                self._by_part, self._carries, self._is_borne, self._bears,
            )  # fmt: skip
            if is_any_carrying:
                self._carry(relay)
            is_due = self._substep % SWEPT_EVERY == 1
            relay.pass_on(self._follows, self._moves, self._last, particles.positions, is_due=is_due)
            if is_any_carrying:
                end_carrying(self._carries, self._is_borne, self._bears, self._follows, self._last)
            if self._is_any_weighed:
                np.copyto(self._sources, self.touched)
                relay.trace(self._follows, self._moves, self._sources)
                add_passed_on(
                    self._sources, self._follows, self._is_weighed, particles.masses, particles.positions,
                    self._moves, self.reactions,
                )  # fmt: skip
        else:
            self._last[:] = 0.0

    def _carry(self, relay: Relay) -> None:
        """Let what is under bodies with a mass follow to the end; what is held or stands elsewhere bears their loads."""
        particles, moves = self.particles, self._moves
        relay.pass_on_firmly(self._bears, moves, particles.positions)
        loads = relay.loads(self._is_borne, moves)
        add_loads(
            self.touched, self._is_borne, self._is_weighed, particles.masses, particles.positions, moves, loads,
            self.reactions,
        )  # fmt: skip

    def heed_carriers(self) -> None:
        """Let all of a part that carried a body with a mass, and what edges carry, go on as its neighbours do (K21)."""
        self._bridges.begin(self._step, self._is_weighed, self.particles, self.reactions)
        if self.rigid.indices:
            expect_with_neighbours(self._carries, self.particles.loads)
            self._carries[:] = False

    def bounce(self, gravity: float, step: float) -> None:
        """Prepare the velocities of particles that hit something; called before they are computed."""
        self._bridges.end(self.particles.starts)
        if self._is_bouncy:
            particles = self.particles
            bounce_particles(
                *self.solids.shapes, self.restitutions, self.poses_t0, self.poses_t1,
                particles.positions, particles.velocities, particles.masses, self.touched,
                2.0 * gravity * step, step, self.reactions, particles.starts,
            )  # fmt: skip

    def calm(self) -> None:
        """Let the predictor forget what springs did in parts that touch something."""
        if self.declared:
            calm_touching_parts(self.touched, self._spans, self._is_touching, self.particles.accelerations)

    @property
    def contact_count(self) -> int:
        """Particles in contact in the last substep."""
        return int(np.count_nonzero(self.touched >= 0))

    def lead(self, index: int, at: NDArray[np.float64], rotation: NDArray[np.float64]) -> None:
        """Take an obstacle by hand to `at` [m], turned by `rotation` [rad], by the end of the next frame."""
        if index not in self._goals:
            pose = self._poses[index]
            self._standing[index] = Placement(pose[9:].copy(), angles_of(pose[:9].reshape(3, 3)))
            self._goals[index] = Placement(at, rotation)
            self._merge()
        self._goals[index] = Placement(at, rotation)
        if index in self.rigid.indices:
            self.rigid.is_held[self.rigid.indices.index(index)] = True

    def release(self, index: int) -> None:
        """Let go of an obstacle: one that has a mass flies on, any other stays where it is."""
        if index in self.rigid.indices and index in self._goals:
            self.rigid.is_held[self.rigid.indices.index(index)] = False
            del self._goals[index]

    def pose(self, index: int) -> NDArray[np.float64]:
        """Return the rotation by rows, then the place of an obstacle, (12,)."""
        return self._poses[index]

    def velocity(self, index: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return velocity [m/s] and spin [rad/s] of an obstacle that has a mass; zeros for any other."""
        if index not in self.rigid.indices:
            return np.zeros(3), np.zeros(3)
        body = self.rigid.indices.index(index)
        return self.rigid.velocities[body].copy(), self.rigid.spin(body)

    def force(self, index: int) -> NDArray[np.float64]:
        """Return what particles in contact did to an obstacle with a mass in the last substep, (3,) [N]."""
        moved: NDArray[np.float64] = self.reactions[self.solids.owners == index, :3].sum(axis=0)
        return moved / self._step**2

    def depths(self) -> NDArray[np.float64]:
        """Return how deep every particle is inside the obstacles, (particle_count,) [m]; negative outside."""
        positions = self.particles.positions
        depths = np.full(len(positions), -np.inf)
        measure_depths(*self.solids.shapes, self.poses_t1, positions, depths)
        return depths

    def reshape(self, nearest: NDArray[np.int64]) -> None:
        """Follow an edit of the world; `nearest` (particle_count,) tells what each particle was before."""
        self.particles = self._world.particles
        count, kept = len(nearest), min(len(nearest), len(self.touched))
        if not self.declared:  # then nobody asks for anything but that nothing is touched
            self.touched = fitted(self.touched, count)
            self.touched[kept:] = -1
            return
        is_same = np.array_equal(nearest[:kept], np.arange(kept))
        for name in (
            "touched", "_pushes", "_rubs", "_seen", "_nearest", "_lists", "_cell_ends", "_margins", "_travels",
            "_planes", "_rooms", "_drifts_seen", "_last", "_carries",
        ):  # fmt: skip
            setattr(self, name, _continued(getattr(self, name), nearest, is_same=is_same))
        # What was known of distances is found anew.
        for known in (self._nearest, self._margins, self._cell_ends, self._rooms):
            known[:] = -np.inf
        for name in ("_is_touching", "_follows", "_moves", "_sources", "_bears", "_is_borne", "_by_part"):
            cleared = fitted(getattr(self, name), count)
            cleared[:] = 0
            setattr(self, name, cleared)
        self._leaders = self._world.couplings.leaders
        self._spans = part_spans(self._leaders)
        self._thin.reshape(self._world)
        self._bridges.reshape(self._world, self._thin.indices)

    def lengths_changed(self) -> None:
        """Look anew which solids fit between the points of cloth that shrinks or grows."""
        if self.declared:
            self._thin.reshape(self._world)
            self._bridges.relength(self._world, self._thin.indices)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return what `restore` needs to go on bit for bit."""
        goals = np.full((len(self.declared), 6), np.nan)
        for n, goal in self._goals.items():
            goals[n] = np.concatenate([goal.at, goal.rotation])
        rigid = self.rigid
        return {
            "standing": np.array([np.concatenate([s.at, s.rotation]) for s in self._standing]).reshape(-1, 6),
            "goals": goals,
            "poses": np.array(self._poses).reshape(-1, 12),
            "planes": self._planes,
            "rooms": self._rooms,
            "seen": self._seen,
            "travels": self._travels,
            "nearest": self._nearest,
            "lists": self._lists,
            "cell_ends": self._cell_ends,
            "margins": self._margins,
            "last": self._last,
            "carries": self._carries,
            "drifts": self._drifts,
            "drifts_seen": self._drifts_seen,
            "drift": np.array([self._drift]),
            **self._bridges.state(),
            "rigid_centres": rigid.centres,
            "rigid_turns": rigid.turns,
            "rigid_velocities": rigid.velocities,
            "rigid_momenta": rigid.momenta,
        }

    def restore(self, saved: Mapping[str, NDArray[Any]]) -> None:
        """Take over what `state` returned; a ValueError or KeyError tells that it does not fit."""
        now = self.state()
        for name, array in now.items():
            if name.startswith("bridge_"):
                continue  # they look themselves
            if saved[name].shape != array.shape or saved[name].dtype != array.dtype:
                raise ValueError(name)
        touched = saved["planes"][:, 7]
        if not ((touched >= -1.0) & (touched < max(1, len(self.shells)))).all():
            raise ValueError("planes")
        self._standing = [Placement(row[:3].copy(), row[3:].copy()) for row in saved["standing"]]
        for n, row in enumerate(saved["goals"]):
            if np.isfinite(row).all():
                self.lead(n, row[:3].copy(), row[3:].copy())
                self._standing[n] = Placement(
                    saved["standing"][n, :3].copy(), saved["standing"][n, 3:].copy()
                )
        self._poses = [row.copy() for row in saved["poses"]]
        for name in ("centres", "turns", "velocities", "momenta"):
            getattr(self.rigid, name)[:] = saved[f"rigid_{name}"]
        self._spread()
        self._merge()
        members, lists = self._compound.members, saved["lists"]
        if members is not None and not ((lists >= 0) & (lists <= len(members))).all():
            raise ValueError("lists")
        # What the broad phase remembers decides when a contact plane is looked up anew, so it belongs to the bits.
        for name in (
            "planes", "rooms", "seen", "travels", "nearest", "lists", "cell_ends", "margins", "last", "drifts",
            "drifts_seen", "carries",
        ):  # fmt: skip
            getattr(self, f"_{name}")[:] = saved[name]
        self._drift = float(saved["drift"][0])
        self._bridges.restore(saved)

    def _merge(self) -> None:
        """Make the compound of all obstacles that neither move, nor fall, nor are led by hand."""
        is_resting = [
            obstacle.motion is None and obstacle.mass is None and n not in self._goals
            for n, obstacle in enumerate(self.declared)
        ]
        boxes = np.array(
            [
                box_at(obstacle, pose) if is_at_rest else np.full(6, np.nan)
                for obstacle, pose, is_at_rest in zip(self.declared, self._poses, is_resting, strict=True)
            ]
        ).reshape(-1, 6)
        owners = self.solids.owners
        is_at_rest = np.array(is_resting, dtype=np.bool_)[owners]
        if not np.array_equal(is_at_rest, self._is_at_rest):
            self._planes[:, 7] = -1.0  # they are kept in other axes now
            self._is_at_rest = is_at_rest
        self._cell_ends[:] = -np.inf
        self._rooms[:] = -np.inf
        self._compound = Compound.of(
            self.solids.shapes,
            self.poses_t1,
            boxes[owners],
            is_at_rest,
            self._is_projecting,
        )

    def _move(self, index: int, pose: NDArray[np.float64]) -> None:
        way = largest_move(self._poses[index], pose, self._radii[index])
        self._poses[index] = pose
        self._drifts[self.solids.owners == index] += way
        self._drift += way

    def _spread(self) -> None:
        for n, owner in enumerate(self.solids.owners):
            pose = self._poses[owner]
            local = self._locals[n]
            if local is None:
                self.poses_t1[n] = pose
            else:
                turn = pose[:9].reshape(3, 3)
                self.poses_t1[n, :9] = (turn @ local[0]).ravel()
                self.poses_t1[n, 9:] = turn @ local[1] + pose[9:]

    def _pose(self, index: int, fraction: float, time: float) -> NDArray[np.float64]:
        obstacle, stood = self.declared[index], self._standing[index]
        if index in self._goals:
            goal = self._goals[index]
            place = stood.at + fraction * (goal.at - stood.at)
            turn = rotation_matrix(triple(goal.rotation))
            if not np.array_equal(stood.rotation, goal.rotation):
                turn = part_way(rotation_matrix(triple(stood.rotation)), turn, fraction)
            return np.concatenate([turn.ravel(), place])
        own = rotation_matrix(obstacle.rotation)
        place = np.array(obstacle.at)
        if obstacle.motion is not None:
            offset, angles = obstacle.pose(time)
            turn = rotation_matrix(triple(angles))
            path = obstacle.motion
            pivot = np.array(path.centre) if isinstance(path, Path) and path.centre is not None else place
            own = turn @ own
            place = pivot + turn @ (place - pivot) + offset
        return np.concatenate([own.ravel(), place])


def _continued(array: NDArray[Any], nearest: NDArray[np.int64], *, is_same: bool) -> NDArray[Any]:
    """Return the rows of an array that `nearest` tells; if those there were stay where they are, nothing is copied."""
    if not is_same:
        return array.take(nearest, axis=0)  # far quicker than an index
    kept = min(len(array), len(nearest))
    result = fitted(array, len(nearest))
    result[kept:] = result[nearest[kept:]]
    return result


def largest_extent(world: World) -> float:
    """Return the longest side of the box of any one body [m]."""
    spans = [world.particles.positions[body.particles] for body in world.bodies.values()]
    return max(float(np.ptp(points, axis=0).max()) for points in spans)
