"""Open sheets as obstacles stop cloth from both sides."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

import supple
from supple.scene.obstacles.thin_surface import is_thin, plate


def sheet(count: int = 5, bulge: float = 0.0):
    x, z = np.meshgrid(np.linspace(-0.5, 0.5, count), np.linspace(-0.5, 0.5, count), indexing="ij")
    vertices = np.stack([x, bulge * (x**2 + z**2), z], axis=-1).reshape(-1, 3)
    corner = (np.arange(count - 1)[:, None] * count + np.arange(count - 1)).ravel()
    triangles = np.concatenate(
        [
            np.stack([corner, corner + 1, corner + count], axis=1),
            np.stack([corner + 1, corner + count + 1, corner + count], axis=1),
        ]
    )
    return vertices, triangles


def test_open_sheets_are_thin_and_solids_with_holes_are_not():
    ball = trimesh.creation.icosphere(subdivisions=2)
    half = ball.faces[ball.vertices[ball.faces][:, :, 1].mean(axis=1) < 0.0]
    assert is_thin(*sheet()) and is_thin(*sheet(bulge=0.5))
    assert not is_thin(np.array(ball.vertices), np.array(ball.faces))
    assert not is_thin(np.array(ball.vertices), np.array(ball.faces[3:]))
    assert not is_thin(np.array(ball.vertices), np.array(half))


def test_a_plate_is_closed_and_as_thick_as_wanted():
    vertices, triangles = sheet(bulge=0.3)
    solid = trimesh.Trimesh(*plate(vertices, triangles, 0.02), process=False)
    area = trimesh.Trimesh(vertices, triangles, process=False).area
    assert solid.is_watertight and solid.is_winding_consistent
    assert solid.volume == pytest.approx(0.02 * area, rel=0.02)


@pytest.mark.parametrize("is_below", [False, True])
def test_cloth_rests_on_a_flat_open_sheet_whichever_way_it_faces(is_below):
    vertices, triangles = sheet()
    triangles = triangles[:, ::-1] if is_below else triangles
    obstacle = supple.Mesh(vertices, triangles, friction=0.5, name="sheet")
    cloth = supple.Cloth.rectangle(width=0.3, height=0.3, columns=7, rows=7, plane="xz", at=(0.0, 0.15, 0.0))
    simulation = supple.Simulation(supple.Scene(cloth, obstacle))
    for _ in range(30):
        simulation.step()
    heights = simulation.positions("cloth")[:, 1]
    assert heights.min() > 0.0 and heights.max() < 0.05
    assert simulation.depth() < 1e-4
