"""Rigid bodies: obstacles with a mass, which fall, are carried by cloth, push each other and come to rest.

Theory: docs/theory/obstacles.md, eq. (O9), (O10), (O11), (O12).

A rigid body is moved at the start of a substep by its own velocity, and held off planes and other
obstacles by impulses at points of its surface. Cloth then meets it as any moving obstacle. The reaction of
its contacts with cloth comes back at the end of the substep, exactly and with the opposite
sign, so the momentum of cloth and bodies together is kept to rounding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.collide.obstacles.poses import Poses
from supple.collide.obstacles.solid_arrays import SolidProperties, Solids
from supple.collide.rigid_bodies.body_motion import BodyArrays, body_spin, move_bodies
from supple.collide.rigid_bodies.body_reactions import apply_reactions
from supple.collide.rigid_bodies.mass_properties import mass_properties, surface_points_of
from supple.collide.rigid_bodies.rigid_contacts import (
    CONTACT_NUMBERS,
    SurfacePoints,
    find_rigid_contacts,
    solve_rigid_contacts,
)
from supple.model.particles import Particles
from supple.scene.obstacles.obstacle import Obstacle
from supple.scene.placement import rotation_matrix

CONTACTS = 256
"""Most contacts between bodies and obstacles that a substep can hold."""

SAVED = ("centres", "turns", "velocities", "momenta")
"""Arrays that change, and that a saved state holds."""


class RigidBodies:
    """Owner of the arrays of all obstacles with a mass."""

    def __init__(self, declared: Sequence[Obstacle], owners: NDArray[np.int64]) -> None:
        """Put the bodies where their obstacles start, at rest."""
        self.indices = [n for n, obstacle in enumerate(declared) if obstacle.mass is not None]
        """Obstacle of each body."""
        bodies = [declared[n] for n in self.indices]
        body_of = {index: b for b, index in enumerate(self.indices)}
        count = len(bodies)
        spread = [mass_properties(body) for body in bodies]
        masses = np.array([body.mass or 0.0 for body in bodies])
        inertias = np.array([each.inertia for each in spread]).reshape(count, 3, 3)
        self._local_centres = np.array([each.centre for each in spread]).reshape(count, 3)
        turns = np.array([rotation_matrix(body.rotation).ravel() for body in bodies]).reshape(count, 9)
        centres = np.zeros((count, 3))
        for b, body in enumerate(bodies):
            centres[b] = np.array(body.at) + turns[b].reshape(3, 3) @ self._local_centres[b]
        self.arrays = BodyArrays(
            centres=centres,
            turns=turns,
            velocities=np.zeros((count, 3)),
            momenta=np.zeros((count, 3)),
            masses=masses,
            inverse_masses=1.0 / masses,
            inertias=inertias,
            inverse_inertias=np.linalg.inv(inertias) if count else np.zeros((0, 3, 3)),
            frictions=np.array([body.friction for body in bodies]),
            is_held=np.zeros(count, dtype=np.bool_),
            of_solids=np.array([body_of.get(int(owner), -1) for owner in owners], dtype=np.int64),
        )
        samples = [
            surface_points_of(body) - np.append(each.centre, 0.0)
            for body, each in zip(bodies, spread, strict=True)
        ]
        self._surface = SurfacePoints(
            np.concatenate([np.zeros((0, 4)), *samples]),
            np.cumsum([0, *(len(points) for points in samples)]).astype(np.int64),
        )
        self._contacts = np.zeros((CONTACTS, CONTACT_NUMBERS))
        self._tensor = np.zeros((3, 3))

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self.indices)

    def advance(
        self,
        solids: Solids,
        properties: SolidProperties,
        poses: Poses,
        gravity: NDArray[np.float64],
        drag: float,
        step: float,
    ) -> None:
        """Advance all bodies by a substep: gravity, contacts with other obstacles, motion.

        Args:
            solids: shapes of all solids
            properties: their frictions and restitutions
            poses: where they are
            gravity: (3,) [m/s²]
            drag: [1/s]
            step: substep [s]
        """
        bodies = self.arrays
        free = ~bodies.is_held
        bodies.velocities[free] = (bodies.velocities[free] + step * gravity) / (1.0 + step * drag)
        bodies.momenta[free] /= 1.0 + step * drag
        slowest = 2.0 * step * float(np.linalg.norm(gravity)) + 1e-9
        count = find_rigid_contacts(
            solids, properties.restitutions, poses, bodies, self._surface, slowest, step, self._contacts
        )
        if count:
            solve_rigid_contacts(self._contacts, count, properties.frictions, poses, bodies, step)
        move_bodies(bodies, step)

    def apply_reactions(
        self,
        touched: NDArray[np.int64],
        reactions: NDArray[np.float64],
        particles: Particles,
        masses: NDArray[np.float64],
        step: float,
    ) -> None:
        """Give bodies, and the particles that touch them, the reactions of this substep's contacts.

        Args:
            touched: (particle_count,) solid in contact, -1 for none
            reactions: (solid_count, 6) [kg·m, kg·m²]
            particles: whose velocities change
            masses: (particle_count,) what moves with each particle [kg]
            step: substep [s]
        """
        apply_reactions(
            touched, reactions, particles.positions, masses, particles.velocities, step, self.arrays, self._tensor
        )  # fmt: skip

    def set_held(self, obstacle: int, is_held: bool) -> None:
        """Say whether a hand moves an obstacle; one without a mass is none of ours."""
        if obstacle in self.indices:
            self.arrays.is_held[self.indices.index(obstacle)] = is_held

    def pose(self, body: int) -> NDArray[np.float64]:
        """Return the rotation by rows, then the position of the origin of a body's obstacle, (12,)."""
        turn = self.arrays.turns[body]
        return np.concatenate(
            [turn, self.arrays.centres[body] - turn.reshape(3, 3) @ self._local_centres[body]]
        )

    def velocity(self, obstacle: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return velocity [m/s] and spin [rad/s] of an obstacle; zeros if it has no mass."""
        if obstacle not in self.indices:
            return np.zeros(3), np.zeros(3)
        body = self.indices.index(obstacle)
        return self.arrays.velocities[body].copy(), np.array(body_spin(self.arrays, body))

    def follow(self, body: int, pose: NDArray[np.float64], step: float) -> None:
        """Take over the pose (12,) to which a hand has moved a body in a substep, and the velocity of that."""
        bodies = self.arrays
        before = bodies.turns[body].reshape(3, 3).copy()
        turn = pose[:9].reshape(3, 3)
        centre = pose[9:] + turn @ self._local_centres[body]
        bodies.velocities[body] = (centre - bodies.centres[body]) / step
        change = (turn @ before.T - before @ turn.T) / (2.0 * step)
        spin = np.array([change[2, 1], change[0, 2], change[1, 0]])
        bodies.momenta[body] = turn @ bodies.inertias[body] @ turn.T @ spin
        bodies.centres[body], bodies.turns[body] = centre, pose[:9]

    def state(self) -> dict[str, NDArray[Any]]:
        """Return what `restore` needs to go on bit for bit."""
        return {f"rigid_{name}": getattr(self.arrays, name) for name in SAVED}

    def restore(self, saved: Mapping[str, NDArray[Any]]) -> None:
        """Take over what `state` returned."""
        for name in SAVED:
            getattr(self.arrays, name)[:] = saved[f"rigid_{name}"]
