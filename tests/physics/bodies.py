"""Bodies and motions that several physics tests share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import Delaunay

import supple

INTEGRATORS = ("explicit", "jacobi", "filter", "implicit", "xpbd")

NO_GRAVITY = (0.0, 0.0, 0.0)

Array = NDArray[np.float64]


def fabric(stiffness: float, **values: Any) -> supple.Material:
    """Return a cloth of 0.15 kg/m² that resists stretch, and shear half as much."""
    moduli = {
        "area_density": 0.15,
        "stretch_stiffness": stiffness,
        "shear_stiffness": 0.5 * stiffness,
        "bending_stiffness": 1e-4,
    }
    return supple.Material(**{**moduli, **values})


def sheet(stiffness: float = 1000.0, points: int = 6, **values: Any) -> supple.Cloth:
    """Return a square metre of cloth, upright."""
    material = fabric(stiffness, **values)
    return supple.Cloth.rectangle(width=1.0, height=1.0, columns=points, rows=points, material=material)


def irregular_mesh(points: int = 6, seed: int = 3) -> tuple[Array, NDArray[np.int64]]:
    """Return vertices (n, 3) and triangles (t, 3) of a square metre, no two triangles alike."""
    generator = np.random.default_rng(seed)
    ticks = np.linspace(-0.5, 0.5, points)
    flat = np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2)
    is_inner = (np.abs(flat) < 0.499).all(axis=1)
    flat[is_inner] += generator.uniform(-0.3, 0.3, (is_inner.sum(), 2)) / points
    triangles = Delaunay(flat).simplices.astype(np.int64)
    corners = flat[triangles]
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    area = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    triangles = triangles[np.abs(area) > 1e-6]
    return np.concatenate([flat, np.zeros((len(flat), 1))], axis=1), triangles


def mesh(stiffness: float = 1000.0, **values: Any) -> supple.Cloth:
    """Return an irregular triangle mesh of a square metre."""
    vertices, triangles = irregular_mesh()
    return supple.Cloth.from_mesh(vertices, triangles, material=fabric(stiffness, **values))


def chain(stiffness: float = 1000.0, **values: Any) -> supple.Chain:
    """Return a metre of chain: points on a line."""
    return supple.Chain(**{"length": 1.0, "points": 8, "stretch_stiffness": stiffness, **values})


def lattice(stiffness: float = 1000.0, **values: Any) -> supple.Lattice:
    """Return a soft cube of 8 cells."""
    return supple.Lattice(**{"size": (0.5, 0.5, 0.5), "cells": (2, 2, 2), "stiffness": stiffness, **values})


BODIES = {"sheet": sheet, "mesh": mesh, "chain": chain, "lattice": lattice}


def spin(
    simulation: supple.Simulation, turn: tuple[float, float, float], shake: float, seed: int = 0
) -> None:
    """Turn everything about its centre with `turn` [rad/s] and shake it at random, `shake` [m/s]."""
    particles = simulation.engine.world.particles
    generator = np.random.default_rng(seed)
    centre = np.average(particles.positions, axis=0, weights=particles.masses)
    particles.velocities[:] = np.cross(np.array(turn), particles.positions - centre)
    particles.velocities += shake * generator.standard_normal(particles.positions.shape)


def momenta(simulation: supple.Simulation) -> tuple[Array, Array]:
    """Return the linear momentum and the angular momentum about the origin."""
    particles = simulation.engine.world.particles
    linear = particles.masses[:, None] * particles.velocities
    return linear.sum(axis=0), np.cross(particles.positions, linear).sum(axis=0)


def lowest(simulation: supple.Simulation, body: str = "cloth") -> float:
    """Return the height of the lowest point of a body [m]."""
    return float(simulation.positions(body)[:, 1].min())
