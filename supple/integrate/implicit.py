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

import numpy as np
from numpy.typing import NDArray

from supple.forces.bending import bending_vector
from supple.forces.elasticity import add_elastic_forces, add_rate_forces, elastic_energy
from supple.forces.gas import add_gas_forces, gas_work
from supple.integrate.integrator import Integrator
from supple.kernel import add_scaled, difference, dot, kernel, norm
from supple.model.tetrahedra import ELASTIC, VISCOUS
from supple.model.world import World

MOST_NEWTON_STEPS = 60
MOST_GRADIENT_STEPS = 1000

SYSTEM_TOLERANCE = 1e-3
"""Reduction of the residual, in the preconditioner's norm, that ends conjugate gradients [-]."""

MOVE_TOLERANCE = 1e-8
"""Newton has converged when it moves no particle farther than this times the mean rest length."""


@kernel
def objective(
    targets, starts, masses, is_fixed, ends, rest_lengths, stiffness, damping,
    points, weights, bend_rest_lengths, bend_stiffness, anchor_points, anchor_stiffness, anchor_targets,
    step, positions,
):  # fmt: skip
    """Return Φ(q) [kg·m²]."""
    value = 0.0
    for i in range(positions.shape[0]):
        if not is_fixed[i]:
            for axis in range(3):
                away = positions[i, axis] - targets[i, axis]
                value += 0.5 * masses[i] * away * away
    for s in range(ends.shape[0]):
        d = difference(positions, ends[s, 0], ends[s, 1])
        stretch = norm(d) - rest_lengths[s]
        value += 0.5 * step * step * stiffness[s] * stretch * stretch
        if damping[s] > 0.0:
            x = difference(starts, ends[s, 0], ends[s, 1])
            length = norm(x)
            if length > 0.0:
                moved = (dot(x, d) - length * length) / length
                value += 0.5 * step * damping[s] * moved * moved
    for b in range(points.shape[0]):
        bent = norm(bending_vector(positions, points, weights, b)) - bend_rest_lengths[b]
        value += 0.5 * step * step * bend_stiffness[b] * bent * bent
    for a in range(anchor_points.shape[0]):
        for axis in range(3):
            away = positions[anchor_points[a], axis] - anchor_targets[a, axis]
            value += 0.5 * step * step * anchor_stiffness[a] * away * away
    return value


@kernel
def linearise(
    targets, starts, positions, masses, is_fixed, ends, rest_lengths, stiffness, damping,
    points, weights, bend_rest_lengths, bend_stiffness, anchor_points, anchor_stiffness, anchor_targets,
    step, gradient, spring_units, spring_across, damping_units, bend_units, bend_across, blocks,
):  # fmt: skip
    """Write the gradient of Φ and what the products with its Hessian need.

    Per spring: its unit vector, the share of its stiffness that acts across it (never below
    zero), and the unit vector its damping acts along. `blocks` (particle_count, 3, 3) receives
    the diagonal blocks of the Hessian.
    """
    for i in range(positions.shape[0]):
        for a in range(3):
            gradient[i, a] = masses[i] * (positions[i, a] - targets[i, a])
            for c in range(3):
                blocks[i, a, c] = masses[i] if a == c else 0.0
    for s in range(ends.shape[0]):
        i, j = ends[s, 0], ends[s, 1]
        k = step * step * stiffness[s]
        d = difference(positions, i, j)
        length = norm(d)
        inverse = 1.0 / length if length > 0.0 else 0.0
        pull = k * (1.0 - rest_lengths[s] * inverse) if length > 0.0 else 0.0
        add_scaled(gradient, i, d, pull)
        add_scaled(gradient, j, d, -pull)
        spring_across[s] = max(0.0, pull)
        for a in range(3):
            spring_units[s, a] = d[a] * inverse
        x = difference(starts, i, j)
        start_length = norm(x)
        rate = 0.0
        if damping[s] > 0.0 and start_length > 0.0:
            rate = step * damping[s]
            moved = (dot(x, d) - start_length * start_length) / (start_length * start_length)
            add_scaled(gradient, i, x, rate * moved)
            add_scaled(gradient, j, x, -rate * moved)
        for a in range(3):
            damping_units[s, a] = x[a] / start_length if rate > 0.0 else 0.0
        for a in range(3):
            for c in range(3):
                entry = (k - spring_across[s]) * spring_units[s, a] * spring_units[s, c]
                entry += rate * damping_units[s, a] * damping_units[s, c]
                if a == c:
                    entry += spring_across[s]
                blocks[i, a, c] += entry
                blocks[j, a, c] += entry
    for b in range(points.shape[0]):
        k = step * step * bend_stiffness[b]
        d = bending_vector(positions, points, weights, b)
        length = norm(d)
        rest = bend_rest_lengths[b]
        across = k
        pull = k
        if rest > 0.0:
            pull = k * (1.0 - rest / length) if length > 0.0 else 0.0
            across = max(0.0, pull)
        bend_across[b] = across
        for a in range(3):
            bend_units[b, a] = d[a] / length if length > 0.0 else 0.0
        for corner in range(4):
            i = points[b, corner]
            w = weights[b, corner]
            add_scaled(gradient, i, d, pull * w)
            for a in range(3):
                for c in range(3):
                    entry = (k - across) * bend_units[b, a] * bend_units[b, c]
                    if a == c:
                        entry += across
                    blocks[i, a, c] += w * w * entry
    for n in range(anchor_points.shape[0]):
        i = anchor_points[n]
        k = step * step * anchor_stiffness[n]
        for a in range(3):
            gradient[i, a] += k * (positions[i, a] - anchor_targets[n, a])
            blocks[i, a, a] += k
    for i in range(positions.shape[0]):
        if is_fixed[i]:
            for a in range(3):
                gradient[i, a] = 0.0


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
def apply_hessian(
    masses, is_fixed, ends, stiffness, damping, points, weights, bend_stiffness,
    anchor_points, anchor_stiffness, corners, element_blocks, rotations, work, step,
    spring_units, spring_across, damping_units, bend_units, bend_across, vectors, product,
):  # fmt: skip
    """Write the Hessian of Φ times `vectors` (particle_count, 3); fixed rows stay zero."""
    for i in range(vectors.shape[0]):
        for a in range(3):
            product[i, a] = masses[i] * vectors[i, a]
    for s in range(ends.shape[0]):
        i, j = ends[s, 0], ends[s, 1]
        v = difference(vectors, i, j)
        n = (spring_units[s, 0], spring_units[s, 1], spring_units[s, 2])
        across = spring_across[s]
        along = (step * step * stiffness[s] - across) * dot(n, v)
        w = (across * v[0] + along * n[0], across * v[1] + along * n[1], across * v[2] + along * n[2])
        add_scaled(product, i, w, 1.0)
        add_scaled(product, j, w, -1.0)
        if damping[s] > 0.0:
            n = (damping_units[s, 0], damping_units[s, 1], damping_units[s, 2])
            along = step * damping[s] * dot(n, v)
            add_scaled(product, i, n, along)
            add_scaled(product, j, n, -along)
    for b in range(points.shape[0]):
        v = bending_vector(vectors, points, weights, b)
        n = (bend_units[b, 0], bend_units[b, 1], bend_units[b, 2])
        across = bend_across[b]
        along = (step * step * bend_stiffness[b] - across) * dot(n, v)
        w = (across * v[0] + along * n[0], across * v[1] + along * n[1], across * v[2] + along * n[2])
        for corner in range(4):
            add_scaled(product, points[b, corner], w, weights[b, corner])
    for n_anchor in range(anchor_points.shape[0]):
        i = anchor_points[n_anchor]
        for a in range(3):
            product[i, a] += step * step * anchor_stiffness[n_anchor] * vectors[i, a]
    if corners.shape[0]:
        add_rate_forces(vectors, corners, element_blocks, rotations, ELASTIC, -step * step, work, product)
        add_rate_forces(vectors, corners, element_blocks, rotations, VISCOUS, -step, work, product)
    for i in range(vectors.shape[0]):
        if is_fixed[i]:
            for a in range(3):
                product[i, a] = 0.0


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
def conjugate_gradients(
    masses, is_fixed, ends, stiffness, damping, points, weights, bend_stiffness,
    anchor_points, anchor_stiffness, corners, element_blocks, rotations, work, step,
    spring_units, spring_across, damping_units, bend_units, bend_across,
    inverse_blocks, tolerance, most_steps, residual, preconditioned, direction, product, solution,
):  # fmt: skip
    """Solve Hessian · solution = residual and return the number of steps; `residual` is used up."""
    solution[:] = 0.0
    rho = precondition(inverse_blocks, residual, preconditioned)
    direction[:] = preconditioned
    goal = tolerance * tolerance * rho
    steps = 0
    while steps < most_steps and rho > goal and rho > 0.0:
        apply_hessian(
            masses, is_fixed, ends, stiffness, damping, points, weights, bend_stiffness,
            anchor_points, anchor_stiffness, corners, element_blocks, rotations, work, step,
            spring_units, spring_across, damping_units, bend_units, bend_across, direction, product,
        )  # fmt: skip
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
        self._vectors = [np.zeros((count, 3)) for _ in range(5)]
        self._blocks = np.zeros((count, 3, 3))
        self._spring_units, self._damping_units = np.zeros((springs, 3)), np.zeros((springs, 3))
        self._spring_across = np.zeros(springs)
        self._bend_units, self._bend_across = np.zeros((bends, 3)), np.zeros(bends)
        self._trial = np.zeros((count, 3))
        self.lengths_changed()

    def prepare(self, step: float) -> None:
        """Nothing is kept between substeps."""

    def parameters_changed(self) -> None:
        """Nothing is kept between substeps."""

    def lengths_changed(self) -> None:
        """Measure how small a move is content with: a saved state knows the lengths of now, not those of the start."""
        world = self.world
        size = float(world.springs.rest_lengths.mean()) if world.springs.count else 1.0
        if world.tetrahedra.count:
            size = min(size, float(np.cbrt(world.tetrahedra.volumes.mean())))
        self._tolerance = MOVE_TOLERANCE * size

    def fixed_changed(self, points: NDArray[np.int64]) -> None:
        """Nothing is kept between substeps."""

    def advance(self, step: float) -> int:
        """Minimise Φ from the inertial targets; return all steps of conjugate gradients."""
        world = self.world
        particles, springs, bends, anchors = world.particles, world.springs, world.bends, world.anchors
        elastic = (springs.ends, springs.rest_lengths, springs.stiffness, springs.damping)
        bending = (bends.points, bends.weights, bends.rest_lengths, bends.stiffness)
        anchoring = (anchors.points, anchors.stiffness, anchors.targets)
        held = (world.inertia(step), particles.is_fixed)
        elements, gas = world.tetrahedra, world.gas_volumes
        parts = (elements.block_corners, elements.blocks)
        local = (
            self._spring_units, self._spring_across, self._damping_units,
            self._bend_units, self._bend_across,
        )  # fmt: skip
        gradient, preconditioned, direction, product, move = self._vectors

        def value(positions: NDArray[np.float64]) -> float:
            energy = objective(
                particles.targets, particles.starts, *held, *elastic, *bending, *anchoring, step, positions
            )
            if elements.count:
                energy += self._soft_objective(positions, step)
            if gas.count:
                energy -= step * step * gas_work(positions, gas.arrays)
            return float(energy)

        q = particles.positions
        np.copyto(q, particles.targets)
        before = value(q)
        total = 0
        for _ in range(MOST_NEWTON_STEPS):
            linearise(
                particles.targets, particles.starts, q, *held, *elastic, *bending, *anchoring, step,
                gradient, *local, self._blocks,
            )  # fmt: skip
            if elements.count:
                self._linearise_soft(q, step, gradient)
            if gas.count:  # its Hessian is left out: it may be indefinite, and the cloth is far stiffer
                add_gas_forces(q, gas.arrays, -step * step, gradient)
                gradient[particles.is_fixed] = 0.0
            invert_blocks(self._blocks)
            slope_source = self._trial
            np.copyto(slope_source, gradient)
            total += conjugate_gradients(
                *held, springs.ends, springs.stiffness, springs.damping,
                bends.points, bends.weights, bends.stiffness, anchors.points, anchors.stiffness,
                *parts, elements.rotations, elements.work, step, *local, self._blocks, SYSTEM_TOLERANCE, MOST_GRADIENT_STEPS,
                gradient, preconditioned, direction, product, move,
            )  # fmt: skip
            slope = -float(np.vdot(slope_source, move))
            farthest = float(np.abs(move).max(initial=0.0))
            if not math.isfinite(farthest):
                break
            length = 1.0
            while True:
                np.multiply(move, -length, out=self._trial)
                np.add(q, self._trial, out=self._trial)
                after = value(self._trial)
                if after <= before + 1e-4 * length * slope or length * farthest <= self._tolerance:
                    break
                length *= 0.5
            if not math.isfinite(after) or after > before:
                break
            np.copyto(q, self._trial)
            before = after
            if length * farthest <= self._tolerance:
                break
        return total

    def _soft_objective(self, positions: NDArray[np.float64], step: float) -> float:
        """Return what soft bodies add to Φ [kg·m²]; their elements turn with `positions` (particle_count, 3) [m]."""
        elements, particles = self.world.tetrahedra, self.world.particles
        parts = (elements.block_corners, elements.blocks)
        value = step * step * elastic_energy(positions, *parts, elements.work, elements.rotations)
        if elements.is_damped:
            move = positions - particles.starts
            push = np.zeros_like(move)
            add_rate_forces(move, *parts, elements.rotations, VISCOUS, step, elements.work, push)
            value -= 0.5 * float(np.vdot(move, push))
        return float(value)

    def _linearise_soft(
        self, positions: NDArray[np.float64], step: float, gradient: NDArray[np.float64]
    ) -> None:
        """Add what soft bodies give to the gradient of Φ, and their share of its diagonal blocks."""
        elements, particles = self.world.tetrahedra, self.world.particles
        parts = (elements.block_corners, elements.blocks)
        add_elastic_forces(
            positions, *parts, 1, -step * step, elements.work, elements.rotations, elements.compressions,
            gradient,
        )  # fmt: skip
        if elements.is_damped:
            move = positions - particles.starts
            add_rate_forces(move, *parts, elements.rotations, VISCOUS, -step, elements.work, gradient)
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
        world = self.world
        springs, bends, anchors, elements = world.springs, world.bends, world.anchors, world.tetrahedra
        pushes[world.particles.is_fixed] = 0.0
        residual, preconditioned, direction, product, move = self._vectors
        np.copyto(residual, pushes)
        conjugate_gradients(
            world.inertia(step), world.particles.is_fixed, springs.ends, springs.stiffness, springs.damping,
            bends.points, bends.weights, bends.stiffness, anchors.points, anchors.stiffness,
            elements.block_corners, elements.blocks, elements.rotations, elements.work, step,
            self._spring_units, self._spring_across, self._damping_units, self._bend_units, self._bend_across,
            self._blocks, SYSTEM_TOLERANCE, MOST_GRADIENT_STEPS, residual, preconditioned, direction, product, move,
        )  # fmt: skip
        np.copyto(pushes, move)
