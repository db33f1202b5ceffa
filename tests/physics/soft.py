"""Soft bodies and static solutions that several tests share."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse.linalg import LinearOperator, cg

import supple
from supple.forces.elasticity import add_elastic_forces, add_rate_forces, elastic_energy
from supple.model.tetrahedra import ELASTIC
from supple.model.world import World, build_world


def soft(young: float = 1e4, poisson: float = 0.3, **values: Any) -> supple.SoftMaterial:
    """Return a soft material of the density of water."""
    return supple.SoftMaterial(**{"young": young, "poisson": poisson, "density": 1000.0, **values})


def block(cell: float = 0.25, elasticity: str = "corotated", **values: Any) -> supple.SoftBody:
    """Return a soft cube of half a metre."""
    return supple.SoftBody.box((0.5, 0.5, 0.5), cell, material=soft(**values), elasticity=elasticity)


def elastic_forces(world: World, positions: np.ndarray, rounds: int = 8) -> np.ndarray:
    """Return the elastic forces at `positions` with rotations found exactly, (particle_count, 3) [N]."""
    t = world.tetrahedra
    forces = np.zeros_like(positions)
    for _ in range(rounds):
        forces[:] = 0.0
        add_elastic_forces(positions, t.arrays, 1, 1.0, forces)
    return forces


def energy(world: World, positions: np.ndarray, rounds: int = 8) -> float:
    """Return the elastic energy at `positions` with rotations found exactly [J]."""
    t = world.tetrahedra
    return [elastic_energy(positions, t.arrays) for _ in range(rounds)][-1]


def sag(body: supple.SoftBody, gravity: tuple[float, float, float]) -> tuple[World, np.ndarray]:
    """Return the world of a pinned body and how it gives way to gravity, to first order (particle_count, 3) [m]."""
    world = build_world(supple.Scene(body))
    t, masses = world.tetrahedra, world.particles.masses
    is_free = np.ones(len(masses), dtype=bool)
    for pin in body.pins:
        is_free[body.indices(pin.where)] = False
    load = masses[:, None] * np.array(gravity) * is_free[:, None]

    def stiffness(vector: np.ndarray) -> np.ndarray:
        moved = vector.reshape(-1, 3).astype(np.float64) * is_free[:, None]  # SciPy probes with whole numbers
        product = np.zeros_like(moved)
        add_rate_forces(moved, t.arrays, ELASTIC, -1.0, product)
        return np.where(is_free[:, None], product, vector.reshape(-1, 3)).ravel()

    count = load.size
    moves, trouble = cg(LinearOperator((count, count), stiffness), load.ravel(), rtol=1e-8, maxiter=20000)
    assert trouble == 0
    return world, moves.reshape(-1, 3)
