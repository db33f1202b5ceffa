"""What the simulation asks of every integrator."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from supple.integrate.constant_matrix import ConstantMatrix
from supple.integrate.inertia import velocities_from_positions
from supple.model.world import World

if TYPE_CHECKING:
    from supple.collide.obstacles.obstacles import Obstacles
    from supple.collide.obstacles.puppets import Puppets
    from supple.collide.self_contact.self_contact import SelfContact
    from supple.edit.world.particle_change import ParticleChange


class Integrator(ABC):
    """Moves `world.particles.positions` from the starts to the end of a substep.

    Every integrator reads the starts x and the inertial targets y and leaves its
    approximation of one backward Euler step in the positions q. Particles that are fixed end
    exactly on their targets.

    What an integrator can do beyond that it says itself, by the attributes and methods below that have a default:
    nobody asks for its class.
    """

    world: World
    """What it moves."""

    name: ClassVar[str]
    """As in `Settings.integrator`."""

    projects: bool = False
    """Whether forces are constraints, met one after the other at the end of a substep."""

    keeps_energy: bool = False
    """Whether undamped elements keep their energy, so that they rebound from the compression limit."""

    solves_contact: bool = False
    """Whether contact is part of its solve; then the passes after it are a guard only."""

    reports_substeps: bool = False
    """Whether a frame that took more substeps than asked for is reported as such."""

    softened: float = 1.0
    """Smallest factor by which a stiffness had to be reduced for the sake of stability [-]; 1 is none."""

    is_held_back: bool = False
    """Whether this frame was computed less exactly than asked for, as it would have taken too much work."""

    @property
    def for_springs(self) -> Integrator:
        """What moves everything but bodies of several levels of detail."""
        return self

    @property
    def arms(self) -> NDArray[np.float64]:
        """What velocities count from, (particle_count, 3) [m]: v = (q - arm) / h. Angular momentum is Σ m arm × q / h."""
        return self.world.particles.starts

    @property
    def constant_matrix(self) -> ConstantMatrix | None:
        """The integrator itself if it solves with one factored matrix, None for all others."""
        return None

    def take_threads(self, count: int) -> None:  # noqa: B027  most integrators do all on one
        """Work on as many as `count` threads; what comes out must not depend on it."""

    @abstractmethod
    def prepare(self, step: float) -> None:
        """Make ready for substeps of `step` seconds; cheap when nothing has changed."""

    @abstractmethod
    def advance(self, step: float) -> int:
        """Carry out one substep and return the number of inner iterations."""

    @abstractmethod
    def respond(self, step: float, pushes: NDArray[np.float64]) -> None:
        """Replace impulses at the end of a substep by the displacements they cause.

        Args:
            step: [s]
            pushes: (particle_count, 3) force times squared step [kg·m], overwritten [m]; zero where fixed
        """

    def without_momentum(self, touched: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return `touched` with entries >= 0 for all particles whose components do not keep their momentum in this substep.

        Args:
            touched: (particle_count,) what each particle is in contact with, -1 for nothing
        """
        return touched

    def take_obstacles(self, obstacles: Obstacles) -> None:
        """Take over what bodies collide with, if contact is part of the solve; others leave it to `collide`."""
        return

    def take_puppets(self, puppets: Puppets) -> None:
        """Take over surfaces in motion that bodies collide with, if contact is part of the solve."""
        return

    def take_surfaces(self, contact: SelfContact) -> None:
        """Take over the contacts between surfaces, if they are part of the solve; others leave them to `collide`."""
        return

    def set_velocities(self, step: float, touching: Callable[[], NDArray[np.bool_]]) -> None:
        """End a substep: take velocities from where particles have come, after constraints and contact.

        Args:
            step: substep [s]
            touching: returns which particles a contact acted on in this substep, (particle_count,)
        """
        particles = self.world.particles
        velocities_from_positions(
            particles.positions, particles.starts, particles.targets, step,
            particles.velocities, particles.accelerations,
        )  # fmt: skip

    def substeps(self, frame: float, wanted: int) -> int:
        """Return how many substeps a frame of `frame` seconds takes if `wanted` are asked for."""
        return wanted

    # ------------------------------------------------------------------ changes of the world

    @abstractmethod
    def parameters_changed(self) -> None:
        """Note that stiffness, damping or masses have changed."""

    @abstractmethod
    def lengths_changed(self) -> None:
        """Note that rest lengths of springs or bending elements have changed."""

    def rest_shape_changed(self) -> None:
        """Note that rest lengths and masses have changed together."""
        self.lengths_changed()
        self.parameters_changed()

    def gravity_changed(self) -> None:
        """Note that gravity has changed."""
        return

    @abstractmethod
    def fixed_changed(self, points: NDArray[np.int64]) -> None:
        """Note that these particles have been fixed or freed."""

    def follow_edit(self, change: ParticleChange) -> bool:
        """Take over an edit of the world; return whether that is possible, else a new integrator is made."""
        return False

    def forget(self) -> None:
        """Forget substeps before: particles have been put elsewhere, or have got other velocities, by other means."""
        return

    # ------------------------------------------------------------------ saved states

    def state(self) -> dict[str, NDArray[Any]]:
        """Return what of the past the next substep needs, for `restore`."""
        return {}

    def restore(self, saved: dict[str, NDArray[Any]]) -> None:
        """Take over what `state` returned; a ValueError or KeyError tells that it does not fit."""
        return

    def saved_order(self) -> dict[str, NDArray[Any]]:
        """Return what of the past decides about rounding, for `take_order`; empty if nothing does."""
        return {}

    def take_order(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take over what `saved_order` returned, so that sums come out the same to the bit."""
        raise NotImplementedError(f"{self.name} saves no order")
