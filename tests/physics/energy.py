"""Energy and forces of a world at any positions, for comparison with what the engine does."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.forces.anchors import add_anchor_forces
from supple.forces.bending import add_bending_forces, bending_energy
from supple.forces.springs import add_spring_forces, spring_energy
from supple.model.world import World

Array = NDArray[np.float64]


def elastic_energy(world: World, positions: Array) -> float:
    """Return the energy of springs, bending elements and anchors [J]."""
    springs, bends, anchors = world.springs, world.bends, world.anchors
    energy = spring_energy(positions, springs.arrays)
    energy += bending_energy(positions, bends.arrays)
    away = anchors.targets - positions[anchors.points]
    return float(energy + 0.5 * np.sum(anchors.stiffness[:, None] * away**2))


def elastic_forces(world: World, positions: Array, velocities: Array | None = None) -> Array:
    """Return the forces of springs, their damping, bending elements and anchors (n, 3) [N]."""
    springs, bends, anchors = world.springs, world.bends, world.anchors
    forces = np.zeros_like(positions)
    still = np.zeros_like(positions) if velocities is None else velocities
    add_spring_forces(positions, still, springs.arrays, forces)
    add_bending_forces(positions, bends.arrays, forces)
    add_anchor_forces(positions, anchors.arrays, 1.0, forces)
    return forces


def slope(world: World, positions: Array, step: float = 1e-6) -> Array:
    """Return minus the slope of the energy by central differences (n, 3) [N]."""
    found = np.zeros_like(positions)
    for i in range(positions.shape[0]):
        for axis in range(3):
            ahead, behind = positions.copy(), positions.copy()
            ahead[i, axis] += step
            behind[i, axis] -= step
            found[i, axis] = (elastic_energy(world, behind) - elastic_energy(world, ahead)) / (2.0 * step)
    return found


def stiffness_matrix(world: World, positions: Array, step: float = 1e-6) -> Array:
    """Return the Hessian of the energy by central differences of the forces (3n, 3n) [N/m]."""
    size = positions.size
    found = np.zeros((size, size))
    for n in range(size):
        move = np.zeros(size)
        move[n] = step
        ahead = elastic_forces(world, positions + move.reshape(-1, 3))
        behind = elastic_forces(world, positions - move.reshape(-1, 3))
        found[n] = (behind - ahead).ravel() / (2.0 * step)
    return 0.5 * (found + found.T)


def dense_step_matrix(world: World, step: float) -> Array:
    """Return A of a substep as a full matrix (n, n) [kg]."""
    diagonal, values = world.step_matrix(step)
    matrix = np.diag(diagonal)
    first, second = world.couplings.pairs.T
    matrix[first, second] = values
    matrix[second, first] = values
    return matrix
