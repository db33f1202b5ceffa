"""Soft bodies whose strain is averaged around points: coarse bars bend and twist as theory says, and all else holds."""

import numpy as np
import pytest
from scipy.sparse.linalg import LinearOperator, cg

import supple
from supple.errors import SuppleError
from supple.forces.averaged_strain import add_averaged_forces, averaged_energy
from supple.forces.elasticity import add_elastic_forces, add_rate_forces, elastic_energy
from supple.model.strain_patches import make_patches
from supple.model.tetrahedra import ELASTIC
from supple.model.world import build_world
from tests.physics.bodies import NO_GRAVITY, momenta, spin
from tests.physics.soft import block, soft

YOUNG, SIDE, GRAVITY = 1e6, 0.2, 9.81
BOTH = pytest.mark.parametrize("integrator", ["explicit", "descent"])


def all_forces(world, positions):
    """Return the elastic forces of elements and patches, with rotations found exactly, (particle_count, 3) [N]."""
    elements = world.tetrahedra
    for _ in range(6):
        forces = np.zeros_like(positions)
        add_elastic_forces(positions, elements.arrays, 1, 1.0, forces)
    add_averaged_forces(positions, make_patches(elements), elements.rotations, 1.0, forces)
    return forces


def all_energy(world, positions):
    elements = world.tetrahedra
    own = [elastic_energy(positions, elements.arrays) for _ in range(6)][-1]
    return own + averaged_energy(positions, make_patches(elements), elements.rotations)


def solved(world, moved, is_given, load):
    """Return the displacements (n, 3) of a body under a load, given those of some coordinates, and its forces."""
    rest, elements, patches = world.particles.rest_positions, world.tetrahedra, make_patches(world.tetrahedra)

    def resisted(vector):
        moves = np.ascontiguousarray(vector.reshape(-1, 3), dtype=np.float64)
        product, forces = np.zeros_like(moves), np.zeros_like(moves)
        add_rate_forces(moves, elements.arrays, ELASTIC, -1.0, product)
        size = 1e-6 / max(
            np.abs(moves).max(), 1e-30
        )  # so small that the forces are linear, which are nought at rest
        add_averaged_forces(rest + size * moves, patches, elements.rotations, 1.0, forces)
        return product - forces / size

    def free(vector):
        moves = vector.reshape(-1, 3)
        return np.where(is_given, moves, resisted(np.where(is_given, 0.0, moves))).ravel()

    right = np.where(is_given, 0.0, load - resisted(moved)).ravel()
    found, trouble = cg(LinearOperator((right.size,) * 2, free, dtype=float), right, rtol=1e-4, maxiter=3000)
    assert trouble == 0
    moves = found.reshape(-1, 3) + moved
    return moves, resisted(moves)


def bar(length, cells, poisson, elasticity="averaged"):
    material = soft(YOUNG, poisson)
    return supple.SoftBody.box((length, SIDE, SIDE), SIDE / cells, material=material, elasticity=elasticity)


@pytest.mark.parametrize("poisson", [0.3, 0.45, 0.49])
def test_a_bar_of_two_cells_across_twists_as_saint_venant_says(poisson):
    body = bar(1.0, 2, poisson)
    world = build_world(supple.Scene(body))
    rest = world.particles.rest_positions
    left, right = body.indices("left"), body.indices("right")
    given, moved = np.zeros_like(rest, dtype=bool), np.zeros_like(rest)
    given[left, 1:] = given[right, 1:] = given[left[0], 0] = True  # ends turn as a whole, and may warp
    turn = 1e-3
    moved[right, 1], moved[right, 2] = -turn * rest[right, 2], turn * rest[right, 1]
    _, pulls = solved(world, moved, given, np.zeros_like(rest))
    torque = (rest[right, 1] * pulls[right, 2] - rest[right, 2] * pulls[right, 1]).sum()
    expected = YOUNG / (2.0 * (1.0 + poisson)) * 0.1406 * SIDE**4 * turn / 1.0
    assert torque == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize("poisson", [0.3, 0.45, 0.49])
def test_a_cantilever_of_600_points_sags_as_timoshenko_says(poisson):
    length = 1.5
    body = bar(length, 3, poisson)
    assert 500 < body.point_count < 620
    world = build_world(supple.Scene(body))
    given = np.zeros_like(world.particles.positions, dtype=bool)
    given[body.indices("left")] = True
    load = world.particles.masses[:, None] * [0.0, -GRAVITY, 0.0]
    moves, _ = solved(world, np.zeros_like(load), given, load)
    tip, weight = -moves[body.indices("right"), 1].mean(), 1000.0 * GRAVITY * SIDE**2
    bending = weight * length**4 / (8.0 * YOUNG * SIDE**4 / 12.0)
    share = 10.0 * (1.0 + poisson) / (12.0 + 11.0 * poisson)
    shear = weight * length**2 / (2.0 * share * YOUNG / (2.0 * (1.0 + poisson)) * SIDE**2)
    assert tip == pytest.approx(bending + shear, rel=0.1)


def test_uniform_strain_is_exact_and_inner_points_are_in_balance():
    body = block(0.125, "averaged", young=1e4, poisson=0.4)
    world = build_world(supple.Scene(body))
    rest = world.particles.rest_positions
    generator = np.random.default_rng(2)
    turn = np.linalg.qr(generator.standard_normal((3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    world.tetrahedra.turn_to(rest @ turn.T)
    stretch = np.eye(3) + 0.05 * (lambda m: m + m.T)(generator.standard_normal((3, 3)))
    positions = rest @ (turn @ stretch).T
    forces = all_forces(world, positions)
    is_inner = (np.abs(rest) < 0.24).all(axis=1)
    assert is_inner.sum() > 20
    np.testing.assert_allclose(forces[is_inner], 0.0, atol=1e-9 * np.abs(forces).max())
    mu, lam = 1e4 / 2.8, 1e4 * 0.4 / (1.4 * 0.2)
    strain = stretch - np.eye(3)
    density = mu * (strain**2).sum() + 0.5 * lam * np.trace(strain) ** 2
    assert all_energy(world, positions) == pytest.approx(density * 0.5**3, rel=1e-9)
    # A body that is only turned and moved pulls nothing.
    np.testing.assert_allclose(all_forces(world, rest @ turn.T + 0.3), 0.0, atol=1e-9)


def test_the_force_is_minus_the_slope_of_the_energy_however_far_it_is_bent():
    world = build_world(supple.Scene(block(0.25, "averaged", poisson=0.45)))
    rest = world.particles.rest_positions
    positions = rest + 0.02 * np.random.default_rng(5).standard_normal(rest.shape)
    positions[:, 1] += 0.8 * rest[:, 0] ** 2
    forces = all_forces(world, positions)
    scale = np.abs(forces).max()
    for i in (0, 7, 20):
        for axis in range(3):
            around = []
            for way in (-1e-6, 1e-6):
                moved = positions.copy()
                moved[i, axis] += way
                around.append(all_energy(world, moved))
            assert forces[i, axis] == pytest.approx((around[0] - around[1]) / 2e-6, abs=1e-5 * scale)
    np.testing.assert_allclose(forces.sum(axis=0), 0.0, atol=1e-12 * scale)
    np.testing.assert_allclose(np.cross(positions, forces).sum(axis=0), 0.0, atol=1e-9 * scale)


@BOTH
def test_a_free_body_keeps_momentum_and_energy(integrator):
    scene = supple.Scene(block(0.25, "averaged", young=2e4), gravity=NO_GRAVITY)
    simulation = supple.Simulation(scene, integrator=integrator, substeps=8)
    spin(simulation, (1.0, 2.0, -3.0), 0.05)
    linear, angular = momenta(simulation)
    energies = [report.kinetic_energy + report.potential_energy for report in simulation.run(2.0)]
    now_linear, now_angular = momenta(simulation)
    np.testing.assert_allclose(now_linear, linear, atol=1e-12 * np.abs(angular).max())
    np.testing.assert_allclose(now_angular, angular, rtol=1e-10)
    assert max(energies) < 1.005 * energies[0]
    assert energies[-1] > 0.98 * energies[0]


def test_both_integrators_come_to_rest_at_the_same_place_lower_than_locked_elements():
    lows = {}
    for integrator, elasticity in (
        ("explicit", "averaged"),
        ("descent", "averaged"),
        ("descent", "corotated"),
    ):
        body = supple.SoftBody.box(
            (1.0, 0.2, 0.2), 0.1, material=soft(2e6, 0.49, damping=300.0), elasticity=elasticity
        )
        scene = supple.Scene(body.pinned("left"), drag=6.0)
        simulation = supple.Simulation(scene, integrator=integrator, substeps=10)
        for _ in simulation.run(2.0):
            pass
        lows[integrator, elasticity] = simulation.positions("soft")[body.indices("right"), 1].mean()
    assert lows["explicit", "averaged"] == pytest.approx(lows["descent", "averaged"], rel=0.01)
    assert lows["descent", "corotated"] > 0.7 * lows["descent", "averaged"]


@pytest.mark.parametrize("young", [1e3, 1e10])
@pytest.mark.parametrize("poisson", [0.0, 0.49])
def test_no_stiffness_is_too_much(young, poisson):
    scene = supple.Scene(block(0.25, "averaged", young=young, poisson=poisson).pinned("left"))
    simulation = supple.Simulation(scene, integrator="descent", substeps=2)
    for report in simulation.run(2.0):
        assert report.is_finite
    assert np.abs(simulation.positions("soft")).max() < (8.0 if young < 1e4 else 0.6)


def test_pokes_and_pinches_leave_nothing_inside_out_and_the_body_returns_to_rest():
    body = block(0.25, "averaged", young=5e3, damping=20.0).pinned("bottom")
    simulation = supple.Simulation(supple.Scene(body, gravity=NO_GRAVITY, drag=1.0), substeps=5)
    rest = simulation.positions("soft").copy()
    generator = np.random.default_rng(4)
    top = body.indices("top")
    for _ in range(6):
        held = generator.choice(top, 3, replace=False).tolist()
        for frame in range(8):
            for vertex in held:
                simulation.grab(
                    "soft", vertex, rest[vertex] + generator.uniform(-0.4, 0.3, 3) * (frame + 1) / 8
                )
            assert simulation.step().is_finite
        for vertex in held:
            simulation.release("soft", vertex)
    for _ in simulation.run(8.0):
        pass
    assert simulation.engine.soft_measures.smallest_volume() > 0.95
    np.testing.assert_allclose(simulation.positions("soft"), rest, atol=1e-2)


@BOTH
def test_a_box_on_a_table_weighs_what_it_weighs_and_goes_on_bit_for_bit(integrator, tmp_path):
    body = supple.SoftBody.box(
        (0.2, 0.1, 0.2), 0.05, material="jelly", at=(0.0, 0.052, 0.0), elasticity="averaged"
    )
    scene = supple.Scene(body, supple.Plane(friction=0.5, name="table"), drag=2.0)
    simulation = supple.Simulation(scene, integrator=integrator, substeps=10)
    for _ in simulation.run(2.0):
        pass
    weight = GRAVITY * simulation.masses("soft").sum()
    np.testing.assert_allclose(simulation.tool_force("table"), [0.0, -weight, 0.0], atol=0.02 * weight)
    simulation.cut("soft", plane=((-0.02, 0.05, 0.0), (1.0, 0.0, 0.0)))
    simulation.set("soft", young=2e4)
    simulation.step()
    simulation.save(tmp_path / "state.npz")
    again = supple.Simulation.load(tmp_path / "state.npz")
    for _ in range(5):
        assert simulation.step().is_finite
        again.step()
    for name in simulation.body_names:
        np.testing.assert_array_equal(simulation.positions(name), again.positions(name))


@pytest.mark.parametrize("integrator", ["filter", "jacobi", "implicit", "xpbd"])
def test_integrators_of_one_matrix_refuse_it_by_name(integrator):
    with pytest.raises(SuppleError, match="averaged"):
        supple.Simulation(supple.Scene(block(0.25, "averaged")), integrator=integrator)


def test_bodies_of_several_levels_refuse_it():
    with pytest.raises(SuppleError, match=r"averaged.*several levels"):
        block(0.25, "averaged", poisson=0.3).changed(levels=2)
