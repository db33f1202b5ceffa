"""`implicit`: backward Euler to convergence, Newton with conjugate gradients.

Theory: docs/theory/integrators.md, eq. (I7). The baseline that the papers measure
themselves against, and ours for what is true at a given step:

    minimise  Φ(q) = ½ (q - y)ᵀ M (q - y) + h² E(q) + ½ h Σ c (n · (d_q - d_x))²

Newton's method with backtracking, its systems solved by conjugate gradients with 3 x 3 block
preconditioning. The part of the Hessian across a compressed spring is negative and is
dropped, so every system is positive definite. Tetrahedra of soft bodies keep their rotations within a system,
for the same reason; they turn between systems.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.forces.bending import bending_vector
from supple.forces.elasticity import add_elastic_forces, add_rate_forces, elastic_energy
from supple.forces.gas import add_gas_forces, gas_work
from supple.integrate.integrator import Integrator
from supple.kernel import add_scaled, difference, dot, kernel, norm
from supple.model.anchors import AnchorArrays
from supple.model.bends import BendArrays
from supple.model.springs import SpringArrays
from supple.model.tetrahedra import ELASTIC, VISCOUS, ElementBlocks
from supple.model.world import World

MOST_NEWTON_STEPS = 60
MOST_GRADIENT_STEPS = 1000

LARGE = 2000
"""Points up to which a frame should not take much longer than others, whatever is asked of it."""

MOST_WORK = 20_000 * LARGE
"""Steps of conjugate gradients, times points, that a frame may take; from LARGE points on that many steps, however many
points there are."""

SHORT_STEPS = 100
"""Steps of conjugate gradients in the one Newton step of every substep that is left to a frame then."""

SYSTEM_TOLERANCE = 1e-3
"""Reduction of the residual, in the preconditioner's norm, that ends conjugate gradients [-]."""

MOVE_TOLERANCE = 1e-8
"""Newton has converged when it moves no particle farther than this times the mean rest length."""


class Problem(NamedTuple):
    """One substep of `implicit` as its kernels take it: everything that Φ depends on beside q."""

    step: float
    """h [s]"""

    targets: NDArray[np.float64]
    """(particle_count, 3) y [m]"""

    starts: NDArray[np.float64]
    """(particle_count, 3) x [m]"""

    inertia: NDArray[np.float64]
    """(particle_count,) `World.inertia` [kg]"""

    is_fixed: NDArray[np.bool_]
    """(particle_count,)"""

    springs: SpringArrays
    bends: BendArrays
    anchors: AnchorArrays
    elements: ElementBlocks


class Hessian(NamedTuple):
    """What products with the Hessian of Φ need of springs and bending elements, written by `linearise`.

    Along a spring acts its stiffness k h², across it its tension over its length, never less than zero.
    """

    spring_units: NDArray[np.float64]
    """(spring_count, 3) directions [-]"""

    spring_across: NDArray[np.float64]
    """(spring_count,) stiffness across times h² [kg]"""

    damping_units: NDArray[np.float64]
    """(spring_count, 3) direction that damping acts along: that at the start [-]"""

    bend_units: NDArray[np.float64]
    """(bend_count, 3) directions of the bending vectors [-]"""

    bend_across: NDArray[np.float64]
    """(bend_count,) stiffness across times h² [kg]"""


class Vectors(NamedTuple):
    """Work arrays of conjugate gradients, (particle_count, 3) each."""

    residual: NDArray[np.float64]
    preconditioned: NDArray[np.float64]
    direction: NDArray[np.float64]
    product: NDArray[np.float64]
    solution: NDArray[np.float64]


@kernel
def objective(problem, positions):
    """Return Φ(q) of springs, bending elements and anchors [kg·m²]."""
    step, springs, bends, anchors = problem.step, problem.springs, problem.bends, problem.anchors
    value = 0.0
    for i in range(positions.shape[0]):
        if not problem.is_fixed[i]:
            for axis in range(3):
                away = positions[i, axis] - problem.targets[i, axis]
                value += 0.5 * problem.inertia[i] * away * away
    for s in range(springs.ends.shape[0]):
        i, j = springs.ends[s, 0], springs.ends[s, 1]
        d = difference(positions, i, j)
        stretch = norm(d) - springs.rest_lengths[s]
        value += 0.5 * step * step * springs.stiffness[s] * stretch * stretch
        if springs.damping[s] > 0.0:
            x = difference(problem.starts, i, j)
            length = norm(x)
            if length > 0.0:
                moved = (dot(x, d) - length * length) / length
                value += 0.5 * step * springs.damping[s] * moved * moved
    for b in range(bends.points.shape[0]):
        bent = norm(bending_vector(positions, bends.points, bends.weights, b)) - bends.rest_lengths[b]
        value += 0.5 * step * step * bends.stiffness[b] * bent * bent
    for n in range(anchors.points.shape[0]):
        for axis in range(3):
            away = positions[anchors.points[n], axis] - anchors.targets[n, axis]
            value += 0.5 * step * step * anchors.stiffness[n] * away * away
    return value


@kernel
def linearise(problem, positions, hessian, gradient, blocks):
    """Write the gradient of Φ and what the products with its Hessian need.

    Args:
        problem: `Problem`
        positions: (particle_count, 3) q [m]
        hessian: `Hessian`, written
        gradient: (particle_count, 3) written [kg·m], zero where particles are fixed
        blocks: (particle_count, 3, 3) diagonal blocks of the Hessian, written [kg]
    """
    for i in range(positions.shape[0]):
        for a in range(3):
            gradient[i, a] = problem.inertia[i] * (positions[i, a] - problem.targets[i, a])
            for c in range(3):
                blocks[i, a, c] = problem.inertia[i] if a == c else 0.0
    linearise_springs(problem, positions, hessian, gradient, blocks)
    linearise_bends(problem, positions, hessian, gradient, blocks)
    anchors = problem.anchors
    for n in range(anchors.points.shape[0]):
        i = anchors.points[n]
        k = problem.step * problem.step * anchors.stiffness[n]
        for a in range(3):
            gradient[i, a] += k * (positions[i, a] - anchors.targets[n, a])
            blocks[i, a, a] += k
    clear_fixed(problem.is_fixed, gradient)


@kernel
def linearise_springs(problem, positions, hessian, gradient, blocks):
    """Add the springs to the gradient and the diagonal blocks, and write their part of the Hessian."""
    step, springs = problem.step, problem.springs
    for s in range(springs.ends.shape[0]):
        i, j = springs.ends[s, 0], springs.ends[s, 1]
        k = step * step * springs.stiffness[s]
        d = difference(positions, i, j)
        length = norm(d)
        inverse = 1.0 / length if length > 0.0 else 0.0
        pull = k * (1.0 - springs.rest_lengths[s] * inverse) if length > 0.0 else 0.0
        add_scaled(gradient, i, d, pull)
        add_scaled(gradient, j, d, -pull)
        # A compressed spring is unstable across its direction: that part would make the system indefinite.
        across = max(0.0, pull)
        hessian.spring_across[s] = across
        for a in range(3):
            hessian.spring_units[s, a] = d[a] * inverse
        x = difference(problem.starts, i, j)
        start_length = norm(x)
        rate = 0.0
        if springs.damping[s] > 0.0 and start_length > 0.0:
            rate = step * springs.damping[s]
            moved = (dot(x, d) - start_length * start_length) / (start_length * start_length)
            add_scaled(gradient, i, x, rate * moved)
            add_scaled(gradient, j, x, -rate * moved)
        for a in range(3):
            hessian.damping_units[s, a] = x[a] / start_length if rate > 0.0 else 0.0
        for a in range(3):
            for c in range(3):
                entry = (k - across) * hessian.spring_units[s, a] * hessian.spring_units[s, c]
                entry += rate * hessian.damping_units[s, a] * hessian.damping_units[s, c]
                if a == c:
                    entry += across
                blocks[i, a, c] += entry
                blocks[j, a, c] += entry


@kernel
def linearise_bends(problem, positions, hessian, gradient, blocks):
    """Add the bending elements to the gradient and the diagonal blocks, and write their part of the Hessian."""
    step, bends = problem.step, problem.bends
    for b in range(bends.points.shape[0]):
        k = step * step * bends.stiffness[b]
        d = bending_vector(positions, bends.points, bends.weights, b)
        length = norm(d)
        rest = bends.rest_lengths[b]
        across = k  # flat cloth: the energy is quadratic
        pull = k
        if rest > 0.0:
            pull = k * (1.0 - rest / length) if length > 0.0 else 0.0
            across = max(0.0, pull)
        hessian.bend_across[b] = across
        for a in range(3):
            hessian.bend_units[b, a] = d[a] / length if length > 0.0 else 0.0
        for corner in range(4):
            i = bends.points[b, corner]
            w = bends.weights[b, corner]
            add_scaled(gradient, i, d, pull * w)
            for a in range(3):
                for c in range(3):
                    entry = (k - across) * hessian.bend_units[b, a] * hessian.bend_units[b, c]
                    if a == c:
                        entry += across
                    blocks[i, a, c] += w * w * entry


@kernel
def clear_fixed(is_fixed, vectors):
    """Set the rows of fixed particles to zero."""
    for i in range(vectors.shape[0]):
        if is_fixed[i]:
            for a in range(3):
                vectors[i, a] = 0.0


@kernel
def invert_blocks(blocks):
    """Replace every symmetric positive definite 3 x 3 block by its inverse."""
    for i in range(blocks.shape[0]):
        a, b, c = blocks[i, 0, 0], blocks[i, 0, 1], blocks[i, 0, 2]
        d, e, f = blocks[i, 1, 1], blocks[i, 1, 2], blocks[i, 2, 2]
        aa, bb, cc = d * f - e * e, c * e - b * f, b * e - c * d
        determinant = a * aa + b * bb + c * cc
        blocks[i, 0, 0] = aa / determinant
        blocks[i, 0, 1] = blocks[i, 1, 0] = bb / determinant
        blocks[i, 0, 2] = blocks[i, 2, 0] = cc / determinant
        blocks[i, 1, 1] = (a * f - c * c) / determinant
        blocks[i, 1, 2] = blocks[i, 2, 1] = (b * c - a * e) / determinant
        blocks[i, 2, 2] = (a * d - b * b) / determinant


@kernel
def apply_hessian(problem, hessian, vectors, product):
    """Write the Hessian of Φ times `vectors` (particle_count, 3); fixed rows stay zero."""
    step = problem.step
    for i in range(vectors.shape[0]):
        for a in range(3):
            product[i, a] = problem.inertia[i] * vectors[i, a]
    add_spring_products(problem, hessian, vectors, product)
    add_bend_products(problem, hessian, vectors, product)
    for n in range(problem.anchors.points.shape[0]):
        i = problem.anchors.points[n]
        for a in range(3):
            product[i, a] += step * step * problem.anchors.stiffness[n] * vectors[i, a]
    if problem.elements.corners.shape[0]:
        add_rate_forces(vectors, problem.elements, ELASTIC, -step * step, product)
        add_rate_forces(vectors, problem.elements, VISCOUS, -step, product)
    clear_fixed(problem.is_fixed, product)


@kernel
def stretched(across, along, v, n):
    """Return `across` v + `along` n: a vector scaled, and stretched along the unit vector n."""
    return (across * v[0] + along * n[0], across * v[1] + along * n[1], across * v[2] + along * n[2])


@kernel
def add_spring_products(problem, hessian, vectors, product):
    """Add the part of springs and their damping to the Hessian times `vectors`."""
    step, springs = problem.step, problem.springs
    for s in range(springs.ends.shape[0]):
        i, j = springs.ends[s, 0], springs.ends[s, 1]
        v = difference(vectors, i, j)
        n = (hessian.spring_units[s, 0], hessian.spring_units[s, 1], hessian.spring_units[s, 2])
        across = hessian.spring_across[s]
        along = (step * step * springs.stiffness[s] - across) * dot(n, v)
        w = stretched(across, along, v, n)
        add_scaled(product, i, w, 1.0)
        add_scaled(product, j, w, -1.0)
        if springs.damping[s] > 0.0:
            n = (hessian.damping_units[s, 0], hessian.damping_units[s, 1], hessian.damping_units[s, 2])
            along = step * springs.damping[s] * dot(n, v)
            add_scaled(product, i, n, along)
            add_scaled(product, j, n, -along)


@kernel
def add_bend_products(problem, hessian, vectors, product):
    """Add the part of bending elements to the Hessian times `vectors`."""
    step, bends = problem.step, problem.bends
    for b in range(bends.points.shape[0]):
        v = bending_vector(vectors, bends.points, bends.weights, b)
        n = (hessian.bend_units[b, 0], hessian.bend_units[b, 1], hessian.bend_units[b, 2])
        across = hessian.bend_across[b]
        along = (step * step * bends.stiffness[b] - across) * dot(n, v)
        w = stretched(across, along, v, n)
        for corner in range(4):
            add_scaled(product, bends.points[b, corner], w, bends.weights[b, corner])


@kernel
def precondition(inverse_blocks, residual, preconditioned):
    """Write the inverse blocks times the residual and return their scalar product."""
    total = 0.0
    for i in range(residual.shape[0]):
        for a in range(3):
            value = 0.0
            for c in range(3):
                value += inverse_blocks[i, a, c] * residual[i, c]
            preconditioned[i, a] = value
            total += value * residual[i, a]
    return total


@kernel
def conjugate_gradients(problem, hessian, inverse_blocks, tolerance, most_steps, vectors):
    """Solve Hessian · solution = residual and return the number of steps; `vectors.residual` is used up.

    Args:
        problem: `Problem`
        hessian: `Hessian`
        inverse_blocks: (particle_count, 3, 3) the preconditioner [1/kg]
        tolerance: reduction of the residual, in the preconditioner's norm, that ends the search [-]
        most_steps: most steps
        vectors: `Vectors`; the solution is written
    """
    residual, preconditioned = vectors.residual, vectors.preconditioned
    direction, product, solution = vectors.direction, vectors.product, vectors.solution
    solution[:] = 0.0
    rho = precondition(inverse_blocks, residual, preconditioned)
    direction[:] = preconditioned
    goal = tolerance * tolerance * rho
    steps = 0
    while steps < most_steps and rho > goal and rho > 0.0:
        apply_hessian(problem, hessian, direction, product)
        curvature = 0.0
        for i in range(product.shape[0]):
            for a in range(3):
                curvature += direction[i, a] * product[i, a]
        if not curvature > 0.0:
            break
        alpha = rho / curvature
        for i in range(product.shape[0]):
            for a in range(3):
                solution[i, a] += alpha * direction[i, a]
                residual[i, a] -= alpha * product[i, a]
        new_rho = precondition(inverse_blocks, residual, preconditioned)
        beta = new_rho / rho
        rho = new_rho
        for i in range(product.shape[0]):
            for a in range(3):
                direction[i, a] = preconditioned[i, a] + beta * direction[i, a]
        steps += 1
    return steps


class Implicit(Integrator):
    """Newton's method to convergence in every substep."""

    name = "implicit"

    def __init__(self, world: World) -> None:
        """Allocate the work arrays."""
        self.world = world
        count = world.particles.count
        springs, bends = world.springs.count, world.bends.count
        self._vectors = Vectors(*(np.zeros((count, 3)) for _ in range(5)))
        self._hessian = Hessian(
            np.zeros((springs, 3)), np.zeros(springs), np.zeros((springs, 3)), np.zeros((bends, 3)), np.zeros(bends)
        )  # fmt: skip
        self._blocks = np.zeros((count, 3, 3))
        self._trial = np.zeros((count, 3))
        self._steps_left = MOST_WORK
        self.lengths_changed()

    def prepare(self, step: float) -> None:
        """Begin a frame: count its work."""
        self._steps_left = MOST_WORK // max(1, min(self.world.particles.count, LARGE))
        self.is_held_back = False

    def parameters_changed(self) -> None:
        """Nothing is kept between substeps."""

    def lengths_changed(self) -> None:
        """Measure which move counts as converged: a saved state knows the lengths of now, not those of the start."""
        world = self.world
        size = float(world.springs.rest_lengths.mean()) if world.springs.count else 1.0
        if world.tetrahedra.count:
            size = min(size, float(np.cbrt(world.tetrahedra.volumes.mean())))
        self.move_tolerance = MOVE_TOLERANCE * size
        """How far Newton's step may move any particle when it has converged [m]."""

    def fixed_changed(self, points: NDArray[np.int64]) -> None:
        """Nothing is kept between substeps."""

    def problem(self, step: float) -> Problem:
        """Return a substep of `step` seconds as the kernels take it."""
        world, particles = self.world, self.world.particles
        return Problem(
            step, particles.targets, particles.starts, world.inertia(step), particles.is_fixed,
            world.springs.arrays, world.bends.arrays, world.anchors.arrays, world.tetrahedra.arrays,
        )  # fmt: skip

    def advance(self, step: float) -> int:
        """Minimise Φ from the inertial targets; return all steps of conjugate gradients."""
        problem = self.problem(step)
        q, gradient, move = self.world.particles.positions, self._vectors.residual, self._vectors.solution
        np.copyto(q, problem.targets)
        before = self._value(problem, q)
        total = 0
        for _ in range(MOST_NEWTON_STEPS):
            self._linearise(problem, q)
            np.copyto(self._trial, gradient)  # conjugate gradients use it up
            total += self._solve(problem)
            slope = -float(np.vdot(self._trial, move))
            farthest = float(np.abs(move).max(initial=0.0))
            if not math.isfinite(farthest):
                break
            length, after = self._backtrack(problem, before, slope, farthest)
            if not math.isfinite(after) or after > before:
                break
            np.copyto(q, self._trial)
            before = after
            if length * farthest <= self.move_tolerance:
                break
            if self._steps_left <= 0:
                self.is_held_back = True
                break
        return total

    def _value(self, problem: Problem, positions: NDArray[np.float64]) -> float:
        """Return Φ(q) of everything [kg·m²]."""
        energy, gas = objective(problem, positions), self.world.gas_volumes
        if self.world.tetrahedra.count:
            energy += self._soft_objective(positions, problem.step)
        if gas.count:
            energy -= problem.step * problem.step * gas_work(positions, gas.arrays)
        return float(energy)

    def _linearise(self, problem: Problem, q: NDArray[np.float64]) -> None:
        """Write the gradient of Φ and the inverse of the diagonal blocks of its Hessian."""
        gradient, gas = self._vectors.residual, self.world.gas_volumes
        linearise(problem, q, self._hessian, gradient, self._blocks)
        if self.world.tetrahedra.count:
            self._linearise_soft(q, problem.step, gradient)
        if gas.count:  # its Hessian is left out: it may be indefinite, and the cloth is far stiffer
            add_gas_forces(q, gas.arrays, -problem.step * problem.step, gradient)
            gradient[problem.is_fixed] = 0.0
        invert_blocks(self._blocks)

    def _solve(self, problem: Problem) -> int:
        """Solve for the residual in `_vectors`, with the Hessian of the last linearisation; return the steps taken."""
        most = MOST_GRADIENT_STEPS if self._steps_left > 0 else SHORT_STEPS
        steps: int = conjugate_gradients(
            problem, self._hessian, self._blocks, SYSTEM_TOLERANCE, most, self._vectors
        )
        self._steps_left -= steps
        return steps

    def _backtrack(
        self, problem: Problem, before: float, slope: float, farthest: float
    ) -> tuple[float, float]:
        """Halve Newton's step until Φ falls enough; return its length [-] and Φ there, and leave the place in `_trial`.

        Args:
            problem: the substep
            before: Φ at the start of the step [kg·m²]
            slope: of Φ along the step [kg·m²]
            farthest: how far the step moves any particle [m]
        """
        q, move = self.world.particles.positions, self._vectors.solution
        length = 1.0
        while True:
            np.multiply(move, -length, out=self._trial)
            np.add(q, self._trial, out=self._trial)
            after = self._value(problem, self._trial)
            if after <= before + 1e-4 * length * slope or length * farthest <= self.move_tolerance:
                return length, after
            length *= 0.5

    def _soft_objective(self, positions: NDArray[np.float64], step: float) -> float:
        """Return what soft bodies add to Φ [kg·m²]; their elements turn with `positions` (particle_count, 3) [m]."""
        elements, particles = self.world.tetrahedra, self.world.particles
        value = step * step * elastic_energy(positions, elements.arrays)
        if elements.is_damped:
            move = positions - particles.starts
            push = np.zeros_like(move)
            add_rate_forces(move, elements.arrays, VISCOUS, step, push)
            value -= 0.5 * float(np.vdot(move, push))
        return float(value)

    def _linearise_soft(
        self, positions: NDArray[np.float64], step: float, gradient: NDArray[np.float64]
    ) -> None:
        """Add what soft bodies give to the gradient of Φ, and their share of its diagonal blocks."""
        elements, particles = self.world.tetrahedra, self.world.particles
        add_elastic_forces(positions, elements.arrays, 1, -step * step, gradient)
        if elements.is_damped:
            move = positions - particles.starts
            add_rate_forces(move, elements.arrays, VISCOUS, -step, gradient)
        gradient[particles.is_fixed] = 0.0
        # A third of the trace of each block stands for the block: it only guides conjugate gradients.
        shear = step * (step * elements.shear_moduli + elements.shear_damping)
        volume = step * (step * elements.lame_moduli + elements.volume_damping)
        slopes = np.sum(elements.all_gradients() ** 2, axis=2)
        shares = (elements.volumes * (4.0 * shear + volume) / 3.0)[:, None] * slopes
        for axis in range(3):
            np.add.at(self._blocks[:, axis, axis], elements.corners, shares)

    def respond(self, step: float, pushes: NDArray[np.float64]) -> None:
        """Solve with the Hessian of the last step of Newton's method."""
        pushes[self.world.particles.is_fixed] = 0.0
        np.copyto(self._vectors.residual, pushes)
        self._solve(self.problem(step))
        np.copyto(pushes, self._vectors.solution)
