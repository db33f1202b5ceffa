"""`filter`: the precomputed implicit filter of Desbrun 1999, factored instead of inverted.

Theory: docs/theory/integrators.md, eq. (I3).

    q = z + A⁻¹ (M (y - z) + h² f(z)),    A = M + h² K + h C

with f the split force at the predictor's guess z, and y the inertial target. The paper's
W = (I - h²/m H)⁻¹ is A⁻¹ M; the artificial viscosity it adds, k h (v_j - v_i), is the linear part
taken at the end of the coasting motion instead of its start. Because A bounds the true Hessian
from above, the step never overshoots: it is stable at any stiffness and any step.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.integrate.predictor import Predictor
from supple.integrate.split_forces import SplitForces
from supple.model.world import World
from supple.solve.linear_solver import LinearSolver, choose

REMEMBERED_STEPS = 3
"""How many step sizes keep their factor, so that adaptive substeps seldom refactor."""

NO_POINTS = np.zeros(0, dtype=np.int64)


class Filter:
    """One back-substitution per substep."""

    def __init__(self, world: World, predictor: str, solver: str) -> None:
        """Choose the predictor and the linear solver by name."""
        self.world = world
        self.predictor = Predictor(predictor, world)
        self.solver_name = solver
        self.forces = SplitForces(world)
        self._solvers: dict[float, LinearSolver] = {}
        self._spares: list[LinearSolver] = []
        self._solver: LinearSolver | None = None

    def prepare(self, step: float) -> None:
        """Factor the matrix of this step, unless it is remembered."""
        self.forces.prepare(step)
        solver = self._solvers.pop(step, None)
        if solver is None:
            world = self.world
            # Ordering the elimination takes longer than the numbers, and does not depend on them.
            solver = (
                self._spares.pop()
                if self._spares
                else choose(self.solver_name, world.particles.rest_positions, world.couplings.pairs)
            )
            solver.factor(*world.step_matrix(step), world.particles.is_fixed)
            solver.change(NO_POINTS)  # so that the first grab does not wait for the compiler
        self._solvers[step] = solver  # most recent last
        while len(self._solvers) > REMEMBERED_STEPS:
            self._spares.append(self._solvers.pop(next(iter(self._solvers))))
        self._solver = solver

    def parameters_changed(self) -> None:
        """Forget the numbers of every factor; the orderings stay."""
        self._spares.extend(self._solvers.values())
        self._solvers.clear()
        self.forces.refresh()

    def fixed_changed(self, points: NDArray[np.int64]) -> None:
        """Let the remembered factors follow the pins and grabs."""
        for solver in self._solvers.values():
            solver.change(points)

    def advance(self, step: float) -> int:
        """Filter the forces once and move."""
        assert self._solver is not None
        guess, directions = self.predictor.predict(step)
        correction = self.forces.evaluate(guess, directions, step)
        self._solver.solve(correction)
        np.add(guess, correction, out=self.world.particles.positions)
        return 1
