"""Tetrahedra in the Newton system of `descent`: gradient and blocks against differences, and what makes them safe."""

import numpy as np
import pytest

import supple
from supple.integrate.descent.newton_solve import linearise
from tests.integrate.descent.test_newton_system import dense
from tests.interpreted import interpreted
from tests.physics.soft import elastic_forces, soft


class Laid:
    """A small soft body whose Newton system can be asked for at any positions."""

    def __init__(self, elasticity="corotated", **material):
        body = supple.SoftBody.box((0.2, 0.2, 0.2), 0.1, material=soft(**material), elasticity=elasticity)
        self.simulation = supple.Simulation(supple.Scene(body.pinned(0)), integrator="descent")
        self.simulation.step()
        self.integrator = self.simulation.engine.integrator
        self.rest = body.start_points()

    def gradient(self, positions):
        """Return the gradient of the elements at `positions`, rotations found exactly."""
        points, slots = self.integrator.points, self.integrator.order.slots
        points.guess.reshape(-1, 4)[slots, :3] = positions
        for _ in range(4):
            points.outer[:] = 0.0
            self.integrator.elements.add(points)
            self.integrator.soft.add(points, self.integrator.elements.rows, True)
        return points.outer.reshape(-1, 4)[slots, :3].copy()

    def matrix(self, positions):
        """Return the matrix of all free coordinates at `positions`, and the particles that these are."""
        integrator = self.integrator
        self.gradient(positions)
        integrator.points.inertia[:] = 0.0
        integrator.points.outer_blocks[:] = 0.0
        linearise(integrator.newton)
        found, free = dense(integrator)
        return found, integrator.order.points[free]


def bent(rest, stretch=1.1, crumple=0.003):
    """Return positions that are turned by 0.5 rad, stretched and crumpled a little."""
    c, s = np.cos(0.5), np.sin(0.5)
    turned = rest @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    return stretch * turned + crumple * np.random.default_rng(1).standard_normal(rest.shape)


CASES = pytest.mark.parametrize(
    ("elasticity", "poisson"),
    [("corotated", 0.3), ("corotated", 0.49), ("linear", 0.3), ("neo-hookean", 0.3), ("neo-hookean", 0.49)],
)


@CASES
def test_the_gradient_is_that_of_the_elastic_forces(elasticity, poisson):
    laid = Laid(elasticity, poisson=poisson)
    positions = bent(laid.rest)
    expected = elastic_forces(laid.simulation.engine.world, positions)
    np.testing.assert_allclose(laid.gradient(positions), -expected, atol=1e-11 * np.abs(expected).max())


@CASES
def test_blocks_are_the_slope_of_the_gradient_where_nothing_is_compressed(elasticity, poisson):
    laid = Laid(elasticity, poisson=poisson)
    # A neo-Hookean element that has grown by a few per cent resists turns less than its Hessian may show.
    positions = bent(laid.rest, 1.005, 1e-4) if elasticity == "neo-hookean" else bent(laid.rest)
    matrix, particles = laid.matrix(positions)
    slope = np.zeros_like(matrix)
    for column in range(3 * len(particles)):
        moved = np.zeros_like(positions)
        moved[particles[column // 3], column % 3] = 1e-6
        difference = laid.gradient(positions + moved) - laid.gradient(positions - moved)
        slope[:, column] = difference[particles].ravel() / 2e-6
    np.testing.assert_allclose(matrix, slope, atol=1e-6 * np.abs(slope).max())


@pytest.mark.parametrize("elasticity", ["corotated", "neo-hookean"])
@pytest.mark.parametrize("stretch", [0.5, 0.8, 1.0, 2.0, -1.0])
def test_the_matrix_is_positive_semi_definite_however_the_body_is_deformed(elasticity, stretch):
    laid = Laid(elasticity, poisson=0.45)
    matrix, _ = laid.matrix(bent(laid.rest, stretch))
    values = np.linalg.eigvalsh(0.5 * (matrix + matrix.T))
    assert np.isfinite(values).all()
    assert values[0] > -1e-5 * values[-1]


def test_damping_resists_strain_and_not_turning():
    laid = Laid(poisson=0.3, damping=50.0)
    integrator = laid.integrator
    count = len(laid.rest)
    c, s = np.cos(0.02), np.sin(0.02)
    turn = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    before = laid.rest @ turn.T
    pulls = []
    for bases in ((4.0 * laid.rest - before) / 3.0, laid.rest / 1.02):
        # Turning goes on: at the end of the substep the body is where its rotation leads, and free of strain.
        ends = laid.rest @ turn if not pulls else laid.rest
        integrator.soft.begin(bases, np.full(count, 1.5 / 0.002))
        pulls.append(np.abs(laid.gradient(ends)).max())
    assert pulls[0] < 1e-3 * pulls[1]


@pytest.mark.parametrize("elasticity", ["corotated", "neo-hookean"])
def test_compiled_and_interpreted_kernels_agree(elasticity):
    laid = Laid(elasticity, poisson=0.4, damping=5.0)
    positions = bent(laid.rest)
    compiled, _ = laid.matrix(positions)
    gradient = laid.gradient(positions)
    with interpreted():
        np.testing.assert_allclose(laid.gradient(positions), gradient, atol=1e-12 * np.abs(gradient).max())
    matrix, _ = laid.matrix(positions)
    np.testing.assert_allclose(matrix, compiled, atol=1e-6 * np.abs(matrix).max())
