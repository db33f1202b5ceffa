"""`xpbd`: small-step compliant constraints, one pass per substep, coloured.

Theory: docs/theory/integrators.md, eq. (I8). Every spring is a constraint C = |d| - L with
compliance 1 / k, every bending element a constraint d = 0 (or |d| = L). Beyond the five
papers, after the small-step form of extended position-based dynamics: many short substeps
with one Gauss-Seidel pass each. Constraints are ordered by colour, so those of one colour
share no particle and the result does not depend on how a colour is split up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.forces.bending import bending_vector
from supple.forces.gas import add_gas_forces
from supple.integrate.integrator import Integrator
from supple.kernel import add_scaled, difference, dot, kernel, norm
from supple.model.couplings.colouring import colour_order
from supple.model.world import World


class SpringConstraints(NamedTuple):
    """Springs as constraints of one step, ordered by colour."""

    ends: NDArray[np.uint32]
    """(spring_count, 2) particle indices."""

    rest_lengths: NDArray[np.float64]
    """(spring_count,) [m]"""

    compliance: NDArray[np.float64]
    """(spring_count,) α = 1 / (k h²) [1/kg]"""

    damping: NDArray[np.float64]
    """(spring_count,) γ = c / (k h) [-]"""


class BendConstraints(NamedTuple):
    """Bending elements as constraints of one step, ordered by colour."""

    points: NDArray[np.uint32]
    """(element_count, 3 or 4) particle indices."""

    weights: NDArray[np.float64]
    """(element_count, 3 or 4) g [-]"""

    rest_lengths: NDArray[np.float64]
    """(element_count,) length of the bending vector at rest [m]."""

    responses: NDArray[np.float64]
    """(element_count, 3 or 4) s_a = w_a g_a / (Σ w g² + α), by which each particle moves per bending vector [-]."""


@kernel(is_entry=True)
def project_springs(springs, starts, inverse_masses, positions):
    """Move the ends of every spring towards its rest length, as far as its compliance asks.

        λ = -(C + γ n · (d - d_x)) / ((1 + γ) (w_i + w_j) + α),    x_i += w_i λ n,   x_j -= w_j λ n

    Symbols: C = |d| - L, n = d / |d|, w inverse masses, α = 1 / (k h²), γ = c / (k h), d_x the
    spring at the start of the substep.

    Args:
        springs: `SpringConstraints`
        starts: (particle_count, 3) [m]
        inverse_masses: (particle_count,) [1/kg], zero for fixed particles
        positions: (particle_count, 3) [m], moved in place
    """
    for s in range(springs.ends.shape[0]):
        i, j = springs.ends[s, 0], springs.ends[s, 1]
        w_i, w_j = inverse_masses[i], inverse_masses[j]
        d = difference(positions, i, j)
        length = norm(d)
        if w_i + w_j == 0.0 or length == 0.0:
            continue
        gap = length - springs.rest_lengths[s]
        give = w_i + w_j
        damping = springs.damping[s]
        if damping > 0.0:
            before = difference(starts, i, j)
            gap += damping * (length - dot(d, before) / length)
            give *= 1.0 + damping
        move = -gap / ((give + springs.compliance[s]) * length)
        add_scaled(positions, i, d, w_i * move)
        add_scaled(positions, j, d, -w_j * move)


@kernel(is_entry=True)
def project_triples(bends, positions):
    """Straighten bending elements of three particles: x_a -= s_a d, with d = Σ g_a x_a.

    Flat elements are linear constraints d = 0, so what each particle moves per bending vector is known before the substep.

    Args:
        bends: `BendConstraints` of three particles, all flat
        positions: (particle_count, 3) [m], moved in place
    """
    points, weights, responses = bends.points, bends.weights, bends.responses
    for b in range(points.shape[0]):
        i, j, k = points[b, 0], points[b, 1], points[b, 2]
        g_i, g_j, g_k = weights[b, 0], weights[b, 1], weights[b, 2]
        d = (
            g_i * positions[i, 0] + g_j * positions[j, 0] + g_k * positions[k, 0],
            g_i * positions[i, 1] + g_j * positions[j, 1] + g_k * positions[k, 1],
            g_i * positions[i, 2] + g_j * positions[j, 2] + g_k * positions[k, 2],
        )
        add_scaled(positions, i, d, -responses[b, 0])
        add_scaled(positions, j, d, -responses[b, 1])
        add_scaled(positions, k, d, -responses[b, 2])


@kernel(is_entry=True)
def project_quads(bends, positions):
    """Move bending elements of four particles towards their curvature: x_a -= s_a (1 - L / |d|) d."""
    points, rest_lengths, responses = bends.points, bends.rest_lengths, bends.responses
    for b in range(points.shape[0]):
        i, j, k, m = points[b, 0], points[b, 1], points[b, 2], points[b, 3]
        d = bending_vector(positions, points, bends.weights, b)
        factor = -1.0
        if rest_lengths[b] > 0.0:
            length = norm(d)
            if length == 0.0:
                continue
            factor = rest_lengths[b] / length - 1.0
        add_scaled(positions, i, d, factor * responses[b, 0])
        add_scaled(positions, j, d, factor * responses[b, 1])
        add_scaled(positions, k, d, factor * responses[b, 2])
        add_scaled(positions, m, d, factor * responses[b, 3])


@kernel
def project_anchors(points, compliance, anchor_targets, inverse_masses, positions):
    """Move every anchored particle towards its anchor."""
    for a in range(points.shape[0]):
        i = points[a]
        w = inverse_masses[i]
        share = w / (w + compliance[a])
        for axis in range(3):
            positions[i, axis] += share * (anchor_targets[a, axis] - positions[i, axis])


class Xpbd(Integrator):
    """One pass over all constraints per substep."""

    name = "xpbd"
    projects = True

    def __init__(self, world: World) -> None:
        """Colour the constraints once."""
        self.world = world
        springs, bends, count = world.springs, world.bends, world.particles.count
        self._spring_order = colour_order(springs.ends, np.ones(springs.ends.shape), count)
        self._bend_order = colour_order(bends.points, bends.weights, count)
        self.inverse_masses = np.zeros(count)
        self._pushes = np.zeros((count, 3))
        self._step: float | None = None

    def prepare(self, step: float) -> None:
        """Order the active constraints by colour and compute their compliance for this step."""
        if step == self._step:
            return
        self._step = step
        springs, anchors = self.world.springs, self.world.anchors
        self._weigh(step)
        order = self._spring_order[springs.stiffness[self._spring_order] > 0.0]
        stiffness = springs.stiffness[order]
        self._springs = SpringConstraints(
            ends=np.ascontiguousarray(springs.ends[order]),
            rest_lengths=springs.rest_lengths[order],
            compliance=1.0 / (stiffness * step * step),
            damping=springs.damping[order] / (stiffness * step),
        )
        self._prepare_bends(step)
        self.anchor_compliance = 1.0 / (np.maximum(anchors.stiffness, 1e-300) * step * step)

    def _weigh(self, step: float) -> None:
        np.divide(1.0, self.world.inertia(step), out=self.inverse_masses)
        self.inverse_masses[self.world.particles.is_fixed] = 0.0

    def _prepare_bends(self, step: float) -> None:
        bends = self.world.bends
        order = self._bend_order[bends.stiffness[self._bend_order] > 0.0]
        weights = bends.weights[order]
        moved = self.inverse_masses[bends.points[order]] * weights
        give = (moved * weights).sum(axis=1) + 1.0 / (bends.stiffness[order] * step * step)
        responses = moved / give[:, None]
        is_triple = (weights[:, 3] == 0.0) & (bends.rest_lengths[order] == 0.0)
        triples, quads = order[is_triple], order[~is_triple]
        self._triples = BendConstraints(
            points=np.ascontiguousarray(bends.points[triples, :3]),
            weights=np.ascontiguousarray(bends.weights[triples, :3]),
            rest_lengths=bends.rest_lengths[triples],
            responses=np.ascontiguousarray(responses[is_triple, :3]),
        )
        self._quads = BendConstraints(
            points=np.ascontiguousarray(bends.points[quads]),
            weights=np.ascontiguousarray(bends.weights[quads]),
            rest_lengths=bends.rest_lengths[quads],
            responses=np.ascontiguousarray(responses[~is_triple]),
        )

    def parameters_changed(self) -> None:
        """Recompute compliance before the next substep."""
        self._step = None

    def lengths_changed(self) -> None:
        """Order the constraints anew before the next substep."""
        self._step = None

    def fixed_changed(self, points: NDArray[np.int64]) -> None:
        """Give fixed particles infinite mass before the next substep."""
        self._step = None

    def advance(self, step: float) -> int:
        """Project every constraint once, starting from the inertial targets."""
        particles, anchors = self.world.particles, self.world.anchors
        np.copyto(particles.positions, particles.targets)
        if self.world.gas_volumes.count:
            self._push_by_gas(step)
        project_anchors(
            anchors.points, self.anchor_compliance, anchors.targets, self.inverse_masses, particles.positions
        )
        project_springs(self._springs, particles.starts, self.inverse_masses, particles.positions)
        project_triples(self._triples, particles.positions)
        project_quads(self._quads, particles.positions)
        return 1

    def _push_by_gas(self, step: float) -> None:
        """Move particles by what gas does from outside the constraints."""
        gas, particles = self.world.gas_volumes, self.world.particles
        self._pushes[:] = 0.0
        add_gas_forces(particles.starts, gas.arrays, step * step, self._pushes)
        self._pushes *= self.inverse_masses[:, None]
        particles.positions += self._pushes

    def respond(self, step: float, pushes: NDArray[np.float64]) -> None:
        """Only inertia resists; the constraints have been met."""
        pushes *= self.inverse_masses[:, None]
