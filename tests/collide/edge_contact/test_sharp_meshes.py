"""Cloth over meshes with sharp and thin features: its edges meet them, not its points alone."""

from __future__ import annotations

import math

import numpy as np
import pytest

import supple

HEIGHT, LENGTH = 0.3, 0.6


def wedge(half_angle: float) -> tuple[np.ndarray, list[list[int]], float]:
    """Return a wedge that stands with its sharp edge up: vertices [m], triangles and half of its width at the ground [m]."""
    width = HEIGHT * math.tan(half_angle)
    top = [(x, HEIGHT, 0.0) for x in (-LENGTH, LENGTH)]
    ground = [(x, 0.0, z) for z in (-width, width) for x in (-LENGTH, LENGTH)]
    triangles = [[0, 4, 1], [1, 4, 5], [0, 1, 3], [0, 3, 2], [2, 3, 5], [2, 5, 4], [0, 2, 4], [1, 5, 3]]
    return np.array(top + ground), triangles, width


@pytest.mark.parametrize("degrees", [3.0, 10.0])
def test_edges_of_coarse_cloth_stay_out_of_a_wedge_as_sharp_as_a_blade(degrees):
    angle = math.radians(degrees)
    vertices, triangles, width = wedge(angle)
    sheet = supple.Cloth.rectangle(
        width=0.8, height=0.8, columns=9, rows=9, plane="xz", at=(0.03, 0.4, 0.02), rotation=(0, 0.4, 0)
    )
    simulation = supple.Simulation(
        supple.Scene(sheet, supple.Mesh(vertices=vertices, triangles=triangles), supple.Plane())
    )
    ends, along = simulation.edges("cloth"), np.linspace(0.0, 1.0, 21)[:, None]
    has_met = False
    for _ in range(60):
        simulation.step()
        points = simulation.positions("cloth")
        places = points[ends[:, :1]] * (1.0 - along) + points[ends[:, 1:]] * along
        x, y, z = np.moveaxis(places, -1, 0)
        sides = math.cos(angle) * (width * (1.0 - y / HEIGHT) - np.abs(z))
        depth = np.minimum(np.minimum(sides, y), LENGTH - np.abs(x))
        assert depth.max() < 2e-3
        has_met |= bool(depth.max() > -2e-3)
    assert has_met
