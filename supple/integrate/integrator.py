"""What the simulation asks of every integrator."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Integrator(Protocol):
    """Moves `world.particles.positions` from the starts to the end of a substep.

    Every integrator reads the starts x and the inertial targets y and leaves its
    approximation of one backward Euler step in the positions q. Particles that are fixed end
    exactly on their targets.
    """

    projects: bool
    """Whether forces are constraints, met one after the other at the end of a substep."""

    def prepare(self, step: float) -> None:
        """Make ready for substeps of `step` seconds; cheap when nothing has changed."""

    def parameters_changed(self) -> None:
        """Note that stiffness, damping or masses have changed."""

    def lengths_changed(self) -> None:
        """Note that rest lengths of springs or bending elements have changed."""

    def fixed_changed(self, points: NDArray[np.int64]) -> None:
        """Note that these particles have been fixed or freed."""

    def advance(self, step: float) -> int:
        """Carry out one substep and return the number of inner iterations."""

    def respond(self, step: float, pushes: NDArray[np.float64]) -> None:
        """Replace pushes at the end of a substep by how far particles yield to them.

        Args:
            step: [s]
            pushes: (particle_count, 3) force times squared step [kg·m], overwritten [m]; zero where fixed
        """
