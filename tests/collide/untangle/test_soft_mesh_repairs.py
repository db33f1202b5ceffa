"""Meshes that were put right are told of, with the place."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

import supple
from supple.collide.untangle.soft_mesh_repairs import soft_repairs
from supple.inspection import inspect_scene


def two_balls(apart):
    ball = trimesh.creation.icosphere(subdivisions=2, radius=0.1)
    vertices = np.concatenate([ball.vertices, ball.vertices + np.array([apart, 0.0, 0.0])])
    return vertices, np.concatenate([ball.faces, ball.faces + len(ball.vertices)])


def test_a_surface_that_passes_through_itself_is_filled_with_a_warning_that_names_the_place():
    body = supple.SoftBody.from_mesh(*two_balls(0.12), cell=0.06, name="pair")
    with pytest.warns(UserWarning, match=r"`soft.pair`: its surface passes through itself: .* near \(0.0"):
        simulation = supple.Simulation(supple.Scene(body))
    assert len(simulation.positions("pair")) > 50


def test_balls_apart_are_no_trouble():
    body = supple.SoftBody.from_mesh(*two_balls(0.3), cell=0.06, name="pair")
    assert soft_repairs(supple.Scene(body)) == []


def test_some_tetrahedra_inside_out_are_turned_with_a_warning():
    points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]
    body = supple.SoftBody.from_tetrahedra(points, [[0, 1, 2, 3], [2, 1, 3, 4]], name="lump")
    (line,) = inspect_scene(supple.Scene(body))["warnings"]
    assert line.startswith("`soft.lump`: 1 of 2 tetrahedra were listed inside out, the first at index")


def test_a_tiny_mesh_is_refused_with_its_unit():
    vertices, triangles = two_balls(0.3)
    with pytest.raises(supple.SceneError, match="Lengths are in metres"):
        supple.SoftBody.from_mesh(1e-6 * vertices, triangles, cell=1e-7, name="speck")
