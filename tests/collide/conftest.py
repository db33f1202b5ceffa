from __future__ import annotations

import numpy as np
import pytest

from supple.collide.distance_map.distance_map import DistanceMap
from supple.scene.obstacles.mannequin import mannequin
from supple.scene.obstacles.mesh_parts import polygonised, turned_part


def box():
    """Eight corners and twelve triangles."""
    corners = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.3, 0.3) for z in (-0.2, 0.2)])
    squares = np.array([(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
    return corners, np.concatenate([squares[:, [0, 1, 2]], squares[:, [0, 2, 3]]])


def blob():
    """A lumpy ball, about as smooth as a rabbit."""

    def field(points):
        radius = np.linalg.norm(points, axis=1)
        x, y, z = (points / np.maximum(radius, 1e-9)[:, None]).T
        return radius - 0.3 - 0.06 * np.sin(5.0 * x + 1.0) * np.cos(4.0 * y) - 0.05 * np.sin(6.0 * z + y)

    return polygonised(field, (-0.5, -0.5, -0.5), (0.5, 0.5, 0.5), 0.02)


def torus():
    angles = 2.0 * np.pi * np.arange(24) / 24
    return turned_part(np.stack([0.4 + 0.1 * np.cos(angles), 0.1 * np.sin(angles)], axis=1), 60)


def holed_ball():
    """A ball without its cap."""
    angles = np.linspace(0.0, np.pi, 25)
    vertices, triangles = turned_part(np.stack([0.4 * np.sin(angles), -0.4 * np.cos(angles)], axis=1), 40)
    return vertices, triangles[vertices[triangles][:, :, 1].mean(axis=1) < 0.36]


MESHES = {
    "box": box,
    "blob": blob,
    "torus": torus,
    "mannequin": lambda: mannequin(spacing=0.018),
    "holed ball": holed_ball,
}


@pytest.fixture(scope="session")
def maps():
    """Meshes and their maps of 64 voxels along the longest side (40 for the lumpy ones), by name."""
    made = {}
    for name, make in MESHES.items():
        vertices, triangles = make()
        along = 64 if name in ("box", "mannequin") else 40
        accuracy = np.ptp(vertices, axis=0).max() / along
        made[name] = (vertices, triangles, DistanceMap.build(vertices, triangles, accuracy))
    return made
