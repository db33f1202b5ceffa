"""`filter`: the precomputed implicit filter of Desbrun 1999, factored instead of inverted.

Theory: docs/theory/integrators.md, eq. (I3).

    q = z + A⁻¹ (M (y - z) + h² f(z)),    A = M + h² K + h C

with f the split force at the predictor's guess z, and y the inertial target. The paper's
W = (I - h²/m H)⁻¹ is A⁻¹ M; the artificial viscosity it adds, k h (v_j - v_i), is the linear part
taken at the end of the coasting motion instead of its start. Because A bounds the true Hessian
from above, the step never overshoots: it is stable at any stiffness and any step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from supple.errors import StateError
from supple.integrate.integrator import Integrator
from supple.integrate.predictor import Predictor
from supple.integrate.reordering import Reordering, System
from supple.integrate.split_forces import SplitForces
from supple.model.couplings.update_couplings import ChangedParticles
from supple.model.world import World
from supple.solve.elimination_order import EliminationOrder
from supple.solve.linear_solver import LinearSolver, choose
from supple.solve.separator_tree import Adjacency
from supple.solve.tree_factor import TreeFactor

if TYPE_CHECKING:
    from supple.edit.world.particle_change import ParticleChange

REMEMBERED_STEPS = 3
"""How many step sizes keep their factor, so that adaptive substeps seldom refactor."""

MOST_FILL = 1.5
"""A factor that edits have let grow by this much is ordered anew, beside the frames."""

NEXT = "next_"
"""What names of a saved order that is in the making begin with."""

NO_POINTS = np.zeros(0, dtype=np.int64)


class Filter(Integrator):
    """One back-substitution per substep."""

    name = "filter"

    def __init__(self, world: World, predictor: str, solver: str) -> None:
        """Choose the predictor and the linear solver by name."""
        self.world = world
        self.predictor = Predictor(predictor, world)
        self.solver_name = solver
        self.forces = SplitForces(world)
        self.solvers: dict[float, LinearSolver] = {}
        """Factored step matrices by step [s], the one used last at the end."""

        self._spares: list[LinearSolver] = []
        self._solver: LinearSolver | None = None
        self.order: EliminationOrder | None = None
        """The order in which points are eliminated, once there is one: edits make it depend on the past."""

        self.reordering: Reordering | None = None
        """A better order in the making, if edits have let the factors fill up."""

        self._is_order_new = True
        """Whether nobody has looked yet how much this order fills the factors."""

    @property
    def constant_matrix(self) -> Filter:
        """The filter itself."""
        return self

    def prepare(self, step: float) -> None:
        """Make ready for a frame: factor the matrix of this step, unless it is remembered, and see to the order."""
        if self.reordering is not None and self.reordering.is_due():
            self._take_new_order(self.reordering)
            self.reordering, self._is_order_new = None, True
        self._take_step(step)
        if self._is_order_new and self.reordering is None:
            self._is_order_new = False
            factors = self._factors()
            if step in factors and factors[step].fill >= MOST_FILL:
                self.reordering = Reordering(System.of(self.world.particles.rest_positions, factors))

    def _factors(self) -> dict[float, TreeFactor]:
        """Return the solvers that have an order, by the step size."""
        return {step: solver for step, solver in self.solvers.items() if isinstance(solver, TreeFactor)}

    def _take_new_order(self, reordering: Reordering) -> None:
        """Go on with factors in a new order; what has none is forgotten until its step comes again."""
        found = reordering.finished(self._factors(), self._rows())
        if found:
            self._spares.clear()
            self.order = None
            self.solvers = dict(found)

    def _take_step(self, step: float) -> None:
        """Factor the matrix of this step, unless it is remembered."""
        self.forces.prepare(step)
        solver = self.solvers.pop(step, None)
        if solver is None:
            world = self.world
            # Ordering the elimination takes longer than the numbers, and does not depend on them.
            solver = self._spares.pop() if self._spares else self._new_solver()
            solver.factor(*world.step_matrix(step), world.particles.is_fixed)
            solver.change(NO_POINTS)  # so that the first grab does not wait for the compiler
        self.solvers[step] = solver  # most recent last
        while len(self.solvers) > REMEMBERED_STEPS:
            self._spares.append(self.solvers.pop(next(iter(self.solvers))))
        self._solver = solver

    def parameters_changed(self) -> None:
        """Forget the numbers of every factor; the orderings stay."""
        self._known_order()
        self.reordering, self._is_order_new = None, True
        self._spares.extend(self.solvers.values())
        self.solvers.clear()
        self.forces.refresh()

    def lengths_changed(self) -> None:
        """Take them over; the matrix does not depend on them."""
        self.forces.relength()

    def follow_edit(self, change: ParticleChange) -> bool:
        """Follow an edit of the world: the factors refactor what it concerns."""
        origins = change.nearest if change.is_renumbered else None
        self.reshape(change.new_of, change.changed_particles, origins, keeps_pairs=change.keeps_pairs)
        return True

    def reshape(
        self,
        new_of: NDArray[np.int64],
        touched: NDArray[np.int64],
        origins: NDArray[np.int64] | None = None,
        *,
        keeps_pairs: bool = False,
    ) -> None:
        """Follow an edit of the world: the factors refactor what it concerns.

        Args:
            new_of: (particle_count before,) what each particle is called now, -1 if it is gone; particles that
                have become one are called the same
            touched: (count,) particles whose mass or whose couplings have changed
            origins: (particle_count,) what each particle was called before, any for those that are new; None if
                all have the numbers they had
            keeps_pairs: whether all pairs that are left have the numbers they had
        """
        world = self.world
        self._spares.clear()
        self.order, self._is_order_new = None, True
        self.predictor.reshape()
        if keeps_pairs:
            if self._follow_in_place(new_of, world.changed_particles_at(touched), origins):
                return
            world.recouple()  # a new order must not depend on which numbers pairs were given in the past
        self.forces = SplitForces(world)
        only = new_of
        if np.bincount(new_of[new_of >= 0]).max(initial=0) > 1:
            heirs, first = np.unique(new_of, return_index=True)
            only = np.full(len(new_of), -1, dtype=np.int64)
            only[first] = heirs  # of particles that have become one, the first goes on
        if self.reordering is not None:
            count = world.particles.count
            self.reordering.follow(only, touched, count, keeps_pairs=False, keeps_names=False)
        before, self.solvers = self.solvers, {}
        for step, solver in before.items():
            matrix = world.step_matrix(step)
            if isinstance(solver, TreeFactor):
                pairs, is_fixed = world.couplings.pairs, world.particles.is_fixed
                solver.reshape(only, pairs, touched, *matrix, is_fixed, self._rows())
            else:
                solver = self._new_solver()
                solver.factor(*matrix, world.particles.is_fixed)
            self.solvers[step] = solver

    def _follow_in_place(
        self, new_of: NDArray[np.int64], touched: ChangedParticles, origins: NDArray[np.int64] | None
    ) -> bool:
        """Follow an edit that has left all pairs their numbers; return whether all factors can."""
        world, factors = self.world, self._factors()
        if not factors or len(factors) < len(self.solvers):
            return False
        self.forces.reshape(touched, is_renumbered=origins is not None)
        rows, keeps_names = self._rows(), origins is None
        if self.reordering is not None:
            self.reordering.follow(
                new_of, touched.points, world.particles.count, keeps_pairs=True, keeps_names=keeps_names
            )
        for step, factor in factors.items():
            diagonal = factor.diagonal if origins is None else factor.diagonal.take(origins)
            matrix = world.patched_step_matrix(step, touched, diagonal, factor.values)
            factor.reshape(
                new_of, world.couplings.pairs, touched.points, *matrix, world.particles.is_fixed, rows,
                keeps_pairs=True, keeps_names=keeps_names,
            )  # fmt: skip
        return True

    def _rows(self) -> Adjacency:
        """Return the coupled particles of each one, which the world knows already."""
        found = self.world.couplings
        return Adjacency(found.row_starts, found.row_ends, found.columns, found.pair_of_entry)

    def saved_order(self) -> dict[str, NDArray[Any]]:
        """Return what `take_order` needs, empty if sums do not depend on the past."""
        order, steps = self._known_order(), np.array(list(self.solvers))
        if order is None:
            return {}
        after = {} if self.reordering is None else self.reordering.arrays()
        return {**order.arrays(), "steps": steps, **{NEXT + name: array for name, array in after.items()}}

    def _known_order(self) -> EliminationOrder | None:
        """Return the order in which points are eliminated, if there is one yet."""
        for solver in self.solvers.values():
            if self.order is None and isinstance(solver, TreeFactor):
                self.order = EliminationOrder.of(solver)
        return self.order

    def take_order(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Eliminate in the order of a saved state, so that sums come out the same to the bit."""
        world = self.world
        self.order = EliminationOrder.of_arrays(arrays, world.particles.count, world.couplings.pairs)
        steps = arrays.get("steps", np.zeros(0))
        if steps.ndim != 1 or len(steps) > REMEMBERED_STEPS or not ((steps > 0.0) & (steps < 1e3)).all():
            raise StateError("the state holds steps of time that make no sense.")
        for step in steps.tolist():  # an edit may come before the next substep
            self._take_step(step)
        after = {name.removeprefix(NEXT): array for name, array in arrays.items() if name.startswith(NEXT)}
        if after:
            self.reordering = Reordering.of_arrays(after, world.particles.count)

    def _new_solver(self) -> LinearSolver:
        """Return a solver that is still to be factored; all of them eliminate in the same order."""
        world = self.world
        points, pairs = world.particles.rest_positions, world.couplings.pairs
        order = self._known_order()
        if order is None:
            solver = choose(self.solver_name, points, pairs)
            if isinstance(solver, TreeFactor):
                self.order = EliminationOrder.of(solver)
            return solver
        return TreeFactor(points, pairs, tree=order.tree(pairs), fresh_entries=order.fresh_entries)

    def fixed_changed(self, points: NDArray[np.int64]) -> None:
        """Let the remembered factors follow the pins and grabs."""
        if self.reordering is not None:
            self.reordering.change(points, self.world.particles.count)
        for solver in self.solvers.values():
            solver.change(points)

    def advance(self, step: float) -> int:
        """Filter the forces once and move."""
        assert self._solver is not None
        guess, directions = self.predictor.predict(step)
        correction = self.forces.evaluate(guess, directions, step)
        self._solver.solve(correction)
        np.add(guess, correction, out=self.world.particles.positions)
        return 1

    def respond(self, step: float, pushes: NDArray[np.float64]) -> None:
        """Filter the pushes as well."""
        assert self._solver is not None
        self._solver.solve(pushes)
