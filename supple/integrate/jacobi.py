"""`jacobi`: the O(n) update of Kang 2000, Eq. 4, with any number of sweeps.

Theory: docs/theory/integrators.md, eq. (I5). Kang's formula is two Jacobi sweeps, from zero,
on the system of the filter. Nothing is precomputed, so masses, stiffness and step may change
at any time at no cost; but a sweep reaches one ring of neighbours only, so the effective
stiffness saturates.

A sweep multiplies the error of each mode by 1 - λ, with λ of D⁻¹ A between 0 and 2. An even
number of sweeps never overshoots. An odd number does where λ > 1, and a stiff mode that
overshoots by more than a third of its way feeds itself: D is enlarged to keep it below.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.integrate.integrator import Integrator
from supple.integrate.predictor import Predictor
from supple.integrate.split_forces import SplitForces
from supple.kernel import kernel
from supple.model.world import World

MOST_OVERSHOOT = 0.25
"""Share of its way by which a mode may overshoot after an odd number of sweeps [-]; 1/3 rings for ever."""


class StepMatrix(NamedTuple):
    """The matrix A of a substep by rows, and the diagonal D that sweeps divide by."""

    diagonal: NDArray[np.float64]
    """(particle_count,) of A [kg]"""

    safe: NDArray[np.float64]
    """(particle_count,) D [kg], see `safe_diagonal`"""

    row_starts: NDArray[np.uint32]
    """(particle_count,) where each row begins"""

    row_ends: NDArray[np.uint32]
    """(particle_count,) where it ends"""

    columns: NDArray[np.uint32]
    """(room,) the other particle"""

    entries: NDArray[np.float64]
    """(room,) A off the diagonal [kg]"""


@kernel
def safe_diagonal(masses, diagonal, row_starts, row_ends, entries, safe):
    """Write the diagonal that Jacobi sweeps may divide by.

    Springs give a diagonally dominant matrix, and the sweeps converge with its own diagonal
    (Kang's m + h² Σ k). Bending has positive entries off the diagonal too; where their sum
    exceeds the diagonal, the excess is added, which keeps the sweeps convergent.
    """
    for i in range(masses.shape[0]):
        total = masses[i]
        for e in range(row_starts[i], row_ends[i]):
            total += abs(entries[e])
        safe[i] = max(diagonal[i], total)


@kernel
def first_sweep(safe, is_fixed, residual, correction):
    """Write the sweep that starts from zero: δ = r / D."""
    for i in range(residual.shape[0]):
        factor = 0.0 if is_fixed[i] else 1.0 / safe[i]
        for axis in range(3):
            correction[i, axis] = factor * residual[i, axis]


@kernel
def next_sweep(matrix, is_fixed, residual, correction, improved):
    """Write the correction after one more sweep, δ' = δ + (r - A δ) / D, all particles at a time.

    Args:
        matrix: `StepMatrix`
        is_fixed: (particle_count,)
        residual: (particle_count, 3) [kg·m], r
        correction: (particle_count, 3) [m], δ
        improved: (particle_count, 3) [m], δ', overwritten
    """
    diagonal, columns, entries = matrix.diagonal, matrix.columns, matrix.entries
    for i in range(residual.shape[0]):
        x = residual[i, 0] - diagonal[i] * correction[i, 0]
        y = residual[i, 1] - diagonal[i] * correction[i, 1]
        z = residual[i, 2] - diagonal[i] * correction[i, 2]
        for e in range(matrix.row_starts[i], matrix.row_ends[i]):
            j = columns[e]
            x -= entries[e] * correction[j, 0]
            y -= entries[e] * correction[j, 1]
            z -= entries[e] * correction[j, 2]
        factor = 0.0 if is_fixed[i] else 1.0 / matrix.safe[i]
        improved[i, 0] = correction[i, 0] + factor * x
        improved[i, 1] = correction[i, 1] + factor * y
        improved[i, 2] = correction[i, 2] + factor * z


class Jacobi(Integrator):
    """A few sweeps per substep; the cost grows with the number of springs and no faster."""

    name = "jacobi"

    def __init__(self, world: World, predictor: str, sweeps: int) -> None:
        """Choose the predictor and the number of sweeps."""
        self.world = world
        self.predictor = Predictor(predictor, world)
        self.forces = SplitForces(world)
        self.sweeps = sweeps
        count = world.particles.count
        self._correction = np.zeros((count, 3))
        self._improved = np.zeros((count, 3))
        self._diagonal, self._safe = np.zeros(count), np.zeros(count)
        self._entries = np.zeros(0)
        self._step: float | None = None

    def prepare(self, step: float) -> None:
        """Assemble the matrix of this step."""
        self.forces.prepare(step)
        if step != self._step:
            couplings = self.world.couplings
            self._diagonal, values = self.world.step_matrix(step)
            self._entries = values[couplings.pair_of_entry]
            inertia = self.world.inertia(step)
            safe_diagonal(
                inertia, self._diagonal, couplings.row_starts, couplings.row_ends, self._entries, self._safe
            )
            if self.sweeps % 2 == 1:
                self._safe *= 2.0 / (1.0 + MOST_OVERSHOOT ** (1.0 / self.sweeps))
            self._step = step

    def parameters_changed(self) -> None:
        """Assemble anew before the next substep."""
        self._step = None
        self.forces.refresh()

    def lengths_changed(self) -> None:
        """Take them over."""
        self.forces.relength()

    def fixed_changed(self, points: NDArray[np.int64]) -> None:
        """Nothing is kept that depends on what is fixed."""

    def advance(self, step: float) -> int:
        """Sweep and move."""
        particles, couplings = self.world.particles, self.world.couplings
        # A few sweeps hardly undo a wrong guess, so they start from the inertial target, as Kang's do.
        _, directions = self.predictor.predict(step)
        residual = self.forces.evaluate(particles.targets, directions, step)
        first_sweep(self._safe, particles.is_fixed, residual, self._correction)
        matrix = StepMatrix(
            self._diagonal,
            self._safe,
            couplings.row_starts,
            couplings.row_ends,
            couplings.columns,
            self._entries,
        )
        for _ in range(self.sweeps - 1):
            next_sweep(matrix, particles.is_fixed, residual, self._correction, self._improved)
            self._correction, self._improved = self._improved, self._correction
        np.add(particles.targets, self._correction, out=particles.positions)
        return self.sweeps

    def respond(self, step: float, pushes: NDArray[np.float64]) -> None:
        """One sweep."""
        pushes /= self._safe[:, None]
        pushes[self.world.particles.is_fixed] = 0.0
