"""`implicit`: its gradient, its Hessian and its minimum."""

import numpy as np
import pytest

import supple
from supple.integrate.implicit import (
    Hessian,
    Implicit,
    apply_hessian,
    invert_blocks,
    linearise,
    objective,
    precondition,
)
from supple.model.world import build_world
from tests.physics.bodies import chain, sheet

STEP = 0.02
BOTH = pytest.mark.parametrize("way", ["compiled", "python"])


def version(function, way):
    return function if way == "compiled" else function.py_func


class Problem:
    """One substep of a small shaken world, and everything the kernels want to know about it."""

    def __init__(self, body, seed=0):
        self.world = world = build_world(supple.Scene(body))
        generator = np.random.default_rng(seed)
        p = world.particles
        p.starts[:] = p.positions + 0.03 * generator.standard_normal(p.positions.shape)
        p.targets[:] = p.starts + 0.03 * generator.standard_normal(p.positions.shape)
        p.is_fixed[0] = True
        self.point = p.targets + 0.02 * generator.standard_normal(p.positions.shape)
        self.point[0] = p.targets[0]
        world.springs.damping[:] = 0.3
        n, m, k = p.count, world.springs.count, world.bends.count
        self.gradient = np.zeros((n, 3))
        self.hessian = Hessian(np.zeros((m, 3)), np.zeros(m), np.zeros((m, 3)), np.zeros((k, 3)), np.zeros(k))
        self.blocks = np.zeros((n, 3, 3))

    @property
    def substep(self):
        return Implicit(self.world).problem(STEP)

    def value(self, positions, way="compiled"):
        return version(objective, way)(self.substep, positions)

    def linearise(self, positions, way="compiled"):
        version(linearise, way)(self.substep, positions, self.hessian, self.gradient, self.blocks)

    def product(self, vectors, way="compiled"):
        out = np.zeros_like(vectors)
        version(apply_hessian, way)(self.substep, self.hessian, vectors, out)
        return out


@pytest.fixture(params=["sheet", "anchored chain"])
def problem(request):
    if request.param == "sheet":
        return Problem(sheet(200.0, points=3, bending_stiffness=0.1))
    return Problem(chain(200.0, points=5, bending_stiffness=0.1).anchored(2, stiffness=30.0))


@BOTH
def test_gradient_is_the_slope_of_the_objective(problem, way):
    problem.linearise(problem.point, way)
    for i in range(1, len(problem.point)):
        for axis in range(3):
            move = np.zeros_like(problem.point)
            move[i, axis] = 1e-6
            slope = (
                problem.value(problem.point + move, way) - problem.value(problem.point - move, way)
            ) / 2e-6
            assert problem.gradient[i, axis] == pytest.approx(slope, abs=1e-7)
    np.testing.assert_array_equal(problem.gradient[0], 0.0)


@BOTH
def test_hessian_is_symmetric_positive_and_its_diagonal_blocks_are_those_written(problem, way):
    problem.linearise(problem.point)
    size = problem.point.size
    columns = [problem.product(e.reshape(-1, 3), way).ravel() for e in np.eye(size)]
    matrix = np.array(columns)[3:, 3:]
    np.testing.assert_allclose(matrix, matrix.T, atol=1e-14)
    assert np.linalg.eigvalsh(matrix).min() > 0.0
    for i in range(1, len(problem.point)):
        block = matrix[3 * i - 3 : 3 * i, 3 * i - 3 : 3 * i]
        np.testing.assert_allclose(block, problem.blocks[i], rtol=1e-10, atol=1e-14)


def test_hessian_is_the_slope_of_the_gradient_where_no_spring_is_pressed(problem):
    stretched = 1.5 * problem.point
    problem.world.particles.is_fixed[0] = False
    problem.linearise(stretched)
    vectors = np.random.default_rng(3).standard_normal(stretched.shape)
    product = problem.product(vectors)
    ahead, behind = stretched + 1e-6 * vectors, stretched - 1e-6 * vectors
    problem.linearise(ahead)
    difference = problem.gradient.copy()
    problem.linearise(behind)
    difference = (difference - problem.gradient) / 2e-6
    assert np.abs(product - difference).max() < 0.05 * np.abs(difference).max()


@BOTH
def test_blocks_are_inverted_and_precondition(way):
    generator = np.random.default_rng(0)
    roots = generator.standard_normal((4, 3, 3))
    blocks = roots @ roots.transpose(0, 2, 1) + 0.1 * np.eye(3)
    inverse = blocks.copy()
    version(invert_blocks, way)(inverse)
    np.testing.assert_allclose(blocks @ inverse, np.broadcast_to(np.eye(3), (4, 3, 3)), atol=1e-10)
    residual, out = generator.standard_normal((4, 3)), np.zeros((4, 3))
    total = version(precondition, way)(inverse, residual, out)
    np.testing.assert_allclose(out, np.einsum("iab,ib->ia", inverse, residual), rtol=1e-10)
    assert total == pytest.approx(np.vdot(residual, out))


def test_a_substep_ends_in_the_minimum_of_the_objective(problem):
    integrator = Implicit(problem.world)
    integrator.prepare(STEP)
    integrator.advance(STEP)
    end = problem.world.particles.positions
    problem.linearise(end)
    scale = np.abs(problem.world.particles.masses).max() * 0.03
    assert np.abs(problem.gradient).max() < 1e-6 * scale
    generator = np.random.default_rng(5)
    for _ in range(20):
        move = 1e-3 * generator.standard_normal(end.shape)
        move[0] = 0.0
        assert problem.value(end + move) > problem.value(end)
    np.testing.assert_array_equal(end[0], problem.world.particles.targets[0])


def test_targets_that_are_no_numbers_do_not_stall_it(problem):
    problem.world.particles.targets[2] = np.inf
    Implicit(problem.world).advance(STEP)


def test_a_saved_state_of_cloth_that_shrinks_goes_on_bit_for_bit(tmp_path):
    cloth = supple.Cloth.rectangle(width=0.4, height=0.4, columns=6, rows=6).pinned("top-left", "top-right")
    simulation = supple.Simulation(supple.Scene(cloth), integrator="implicit")
    simulation.shrink("cloth", None, 0.3, 0.3)
    for _ in range(10):
        simulation.step()
    simulation.save(tmp_path / "half.npz")
    loaded = supple.Simulation.load(tmp_path / "half.npz")
    assert loaded.engine.integrator.move_tolerance == simulation.engine.integrator.move_tolerance
    for _ in range(5):
        simulation.step()
        loaded.step()
    np.testing.assert_array_equal(loaded.positions("cloth"), simulation.positions("cloth"))
