"""Particles: everything the engine knows about mass points."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.model.tables.growable import growable_copy, zeros


class ParticleArrays(NamedTuple):
    """Particles as kernels take them; build it at the call by `Particles.arrays`, since edits reallocate the arrays."""

    positions: NDArray[np.float64]
    """(particle_count, 3) [m], q"""

    velocities: NDArray[np.float64]
    """(particle_count, 3) [m/s]"""

    masses: NDArray[np.float64]
    """(particle_count,) [kg]"""

    starts: NDArray[np.float64]
    """(particle_count, 3) where the substep began [m], x"""

    targets: NDArray[np.float64]
    """(particle_count, 3) where inertia leads [m], y"""

    pushes: NDArray[np.float64]
    """(particle_count, 3) the part of y - x that air and water have added [m]."""

    is_fixed: NDArray[np.bool_]
    """(particle_count,) whether a pin or a hand holds the particle."""


@dataclass
class Particles:
    """Mass points of all bodies, concatenated.

    One substep reads `starts`, builds `targets` and leaves the result in `positions`; the
    three arrays stay apart so that every integrator, the limiter and the momentum
    correction can be written in terms of the same x, y and q.
    """

    positions: NDArray[np.float64]
    """(particle_count, 3) [m]; q, the result of the substep."""

    velocities: NDArray[np.float64]
    """(particle_count, 3) [m/s]"""

    masses: NDArray[np.float64]
    """(particle_count,) [kg], all positive."""

    rest_positions: NDArray[np.float64]
    """(particle_count, 3) [m]; start positions, with panels flat, used to order the points of the factor."""

    starts: NDArray[np.float64] = field(init=False)
    """(particle_count, 3) [m]; x, where the substep began."""

    targets: NDArray[np.float64] = field(init=False)
    """(particle_count, 3) [m]; y, where inertia and gravity alone would lead."""

    accelerations: NDArray[np.float64] = field(init=False)
    """(particle_count, 3) [m/s²]; what springs and constraints gave in the last substep, beside gravity
    and drag, for the accelerated predictor."""

    pushes: NDArray[np.float64] = field(init=False)
    """(particle_count, 3) [m]; the part of y - x that air and water have added in this substep."""

    is_fixed: NDArray[np.bool_] = field(init=False)
    """(particle_count,) whether a pin or a hand holds the point."""

    def __post_init__(self) -> None:
        """Allocate the work arrays; nothing is allocated while stepping."""
        self.starts, self.targets = growable_copy(self.positions), growable_copy(self.positions)
        self.accelerations = zeros(self.positions.shape, np.float64)
        self.pushes = zeros(self.positions.shape, np.float64)
        self.is_fixed = zeros((len(self.positions),), np.bool_)

    @property
    def count(self) -> int:
        """Number of particles."""
        return len(self.positions)

    @property
    def arrays(self) -> ParticleArrays:
        """The particles as kernels take them, valid until the next edit."""
        return ParticleArrays(
            self.positions,
            self.velocities,
            self.masses,
            self.starts,
            self.targets,
            self.pushes,
            self.is_fixed,
        )
