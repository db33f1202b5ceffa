"""Mass properties of a rigid body, and sample points of its surface."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.collide.obstacles.solid_arrays import parts_of
from supple.scene.obstacles.obstacle import Obstacle
from supple.scene.obstacles.solids import Box, Capsule, Sphere, Torus
from supple.scene.placement import rotation_matrix

SURFACE_POINTS = 400
"""Most points that stand for the surface of a body without a formula."""


@dataclass(frozen=True)
class MassProperties:
    """How a mass is spread: centre (3,) [m] and inertia about it (3, 3) [kg·m²], in the body's axes."""

    centre: NDArray[np.float64]
    inertia: NDArray[np.float64]


def mass_properties(obstacle: Obstacle) -> MassProperties:
    """Return centre and inertia of an obstacle of even density, from the triangles of its surface.

    Every triangle spans a tetrahedron with the origin, whose second moments are known. A surface
    that encloses next to nothing is taken as the block around it.
    """
    vertices, triangles = obstacle.surface()
    mass = obstacle.mass or 0.0
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    volumes = np.sum(a * np.cross(b, c), axis=1) / 6.0
    volume = float(volumes.sum())
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    if volume < 1e-3 * float(np.prod(high - low)) or volume <= 0.0:
        squares = (high - low) ** 2
        return MassProperties(0.5 * (low + high), mass / 12.0 * np.diag(squares.sum() - squares))
    total = a + b + c
    centre = (volumes[:, None] * total).sum(axis=0) / (4.0 * volume)
    second = sum(np.einsum("t,ti,tj->ij", volumes, x, x) for x in (a, b, c, total)) / (20.0 * volume)
    second = second - np.outer(centre, centre)
    return MassProperties(centre, mass * (np.trace(second) * np.eye(3) - second))


def surface_points_of(obstacle: Obstacle) -> NDArray[np.float64]:
    """Return points that stand for the surface of an obstacle, each with a radius, (k, 4) [m]."""
    samples = []
    for part in parts_of(obstacle):
        points = _part_points(part)
        if part is not obstacle:
            points[:, :3] = points[:, :3] @ rotation_matrix(part.rotation).T + part.at
        samples.append(points)
    return np.concatenate(samples)


def _part_points(part: Obstacle) -> NDArray[np.float64]:
    match part:
        case Sphere():
            return np.array([[0.0, 0.0, 0.0, part.radius]])
        case Capsule():
            start, end = np.array(part.start), np.array(part.end)
            count = min(16, 2 + int(np.linalg.norm(end - start) / part.radius))
            return np.column_stack([np.linspace(start, end, count), np.full(count, part.radius)])
        case Torus():
            angles = 2.0 * np.pi * np.arange(24) / 24
            zeros = np.zeros(24)
            ring = [part.radius * np.cos(angles), zeros, part.radius * np.sin(angles)]
            return np.column_stack([*ring, zeros + part.tube])
        case Box():
            steps = np.linspace(-0.5, 0.5, 5)
            cube = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
            cube = cube[np.abs(cube).max(axis=1) == 0.5]
            inner = np.array(part.size) - 2.0 * part.rounding
            return np.column_stack([cube * inner, np.full(len(cube), part.rounding)])
    vertices, _ = part.surface()
    stride = -(-len(vertices) // SURFACE_POINTS)
    return np.column_stack([vertices[::stride], np.zeros(len(vertices[::stride]))])
