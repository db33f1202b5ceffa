"""Meshes that were put right are told of, with the place."""

from __future__ import annotations

import re

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


def dumbbell(neck):
    """Return a closed surface of two lumps that hang together by a neck of some radius [m]."""
    stations = np.linspace(-0.3, 0.3, 25)
    radii = neck + (0.1 - neck) * np.clip((np.abs(stations) - 0.1) / 0.05, 0.0, 1.0)
    profile = np.column_stack([np.r_[0.0, radii, 0.0], np.r_[-0.31, stations, 0.31]])
    lathe = trimesh.creation.revolve(profile, sections=16)
    return np.array(lathe.vertices), np.array(lathe.faces)


def test_a_body_that_falls_apart_is_told_of_with_a_cell_that_keeps_it_together():
    body = supple.SoftBody.from_mesh(*dumbbell(0.02), cell=0.09, name="bell")
    (line,) = soft_repairs(supple.Scene(body))
    assert re.search(
        r"`soft.bell`: it lies in 2 pieces, because its cells of 0.09 m .* A cell of \S+ m keeps", line
    )
    cell = float(line.split("A cell of ")[1].split()[0])
    assert (
        soft_repairs(supple.Scene(supple.SoftBody.from_mesh(*dumbbell(0.02), cell=cell, name="bell"))) == []
    )
    with pytest.warns(UserWarning, match="it lies in 2 pieces"):
        supple.Simulation(supple.Scene(body))
