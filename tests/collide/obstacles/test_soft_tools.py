"""Tools of every shape push, pinch and lift soft bodies, and feel it."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

import supple
from tests.physics.soft import soft

WEIGHTLESS = (0.0, 0.0, 0.0)
SIZE, RADIUS = 0.1, 0.025


def tool(kind, **values):
    """Return a tool of 2.5 cm that touches a plane across x in the same way, whatever it is made of."""
    if kind == "sphere":
        return supple.Sphere(radius=RADIUS, **values)
    if kind == "capsule":
        return supple.Capsule(start=(0.0, -0.02, 0.0), end=(0.0, 0.02, 0.0), radius=RADIUS, **values)
    ball = trimesh.creation.icosphere(subdivisions=3, radius=RADIUS)
    return supple.Mesh((np.asarray(ball.vertices), np.asarray(ball.faces)), accuracy=0.002, **values)


def jelly(levels):
    """Return a cube of 10 cm, of one mesh or of three."""
    material = soft(young=5e3, poisson=0.4, damping=2.0)
    detail = {"levels": levels, "refine": {"floor": 1, "above": 1e-4}} if levels > 1 else {}
    return supple.SoftBody.box(
        (SIZE, SIZE, SIZE), 0.025, material=material, pins=["bottom"], name="jelly", **detail
    )


def pinched(kind, levels):
    """Return a simulation of a jelly between two tools that have come 1 cm into it from the left and the right."""
    away = 0.5 * SIZE + RADIUS
    scene = supple.Scene(
        jelly(levels),
        tool(kind, at=(-away, 0.01, 0.0), name="left"),
        tool(kind, at=(away, 0.01, 0.0), name="right"),
        gravity=WEIGHTLESS,
        drag=3.0,
    )
    simulation = supple.Simulation(scene, substeps="auto")
    for depth in np.linspace(0.001, 0.01, 10):
        simulation.move_obstacle("left", (depth - away, 0.01, 0.0))
        simulation.move_obstacle("right", (away - depth, 0.01, 0.0))
        assert simulation.step().is_finite
    for _ in simulation.run(0.5):
        pass
    return simulation


@pytest.mark.parametrize("levels", [1, 3])
def test_tools_of_every_shape_pinch_and_feel_equal_and_opposite_forces(levels):
    felt = {}
    for kind in ("sphere", "capsule", "mesh"):
        simulation = pinched(kind, levels)
        left, right = simulation.tool_force("left"), simulation.tool_force("right")
        assert left[0] < -0.1 and simulation.depth() < 2e-4
        np.testing.assert_allclose(left * (-1.0, 1.0, 1.0), right, atol=0.05 * right[0])
        felt[kind] = right[0]
    assert felt["mesh"] == pytest.approx(felt["sphere"], rel=0.06)
    assert felt["capsule"] > 1.2 * felt["sphere"]  # it is longer
    for name, away in (("left", -1.0), ("right", 1.0)):
        simulation.move_obstacle(name, (away, 0.01, 0.0))
    for _ in simulation.run(1.6):
        pass
    rest = jelly(levels).start_points()
    assert np.abs(simulation.positions("jelly") - rest).max() < 1e-3
    np.testing.assert_array_equal(simulation.tool_force("left"), 0.0)
