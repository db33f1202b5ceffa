"""Anchors: soft point constraints."""

import numpy as np
import pytest

import supple
from supple.forces.anchors import add_anchor_forces
from supple.model.anchors import AnchorArrays
from tests.physics.bodies import INTEGRATORS


@pytest.mark.parametrize("add", [add_anchor_forces, add_anchor_forces.py_func], ids=["compiled", "python"])
def test_an_anchor_pulls_its_point_in_proportion_to_the_distance(add):
    forces = np.ones((2, 3))
    positions, target = np.array([[0.0, 0, 0], [1.0, 2.0, 3.0]]), np.array([[1.5, 2.0, 1.0]])
    add(positions, AnchorArrays(np.array([1]), np.array([4.0]), target), 0.5, forces)
    np.testing.assert_allclose(forces, [[1, 1, 1], [2.0, 1.0, -3.0]])


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_hanging_point_rests_below_its_anchor_by_weight_over_stiffness(integrator):
    point = supple.Network(points=[[0.0, 1.0], [0.5, 1.0]], springs=[], stiffness=0.0, mass=0.2)
    scene = supple.Scene(point.anchored(0, 1, stiffness=50.0), drag=15.0)
    simulation = supple.Simulation(scene, integrator=integrator)
    for _ in simulation.run(3.0):
        pass
    np.testing.assert_allclose(simulation.positions("network")[:, 1], 1.0 - 0.2 * 9.81 / 50.0, atol=1e-6)
