import numpy as np
import pytest
from scipy.linalg import polar
from scipy.spatial.transform import Rotation

import supple
from supple.forces.elasticity import (
    add_elastic_forces,
    add_rate_forces,
    energy_block,
    fetch_edges,
    largest_stiffening,
    largest_strain,
    neo_hookean_energy,
    scatter_forces,
    strain_block,
    stress_block,
    turn_block,
)
from supple.model.tetrahedra import ELASTIC, VALUES, VISCOUS, WIDTH, lame, young_and_poisson
from supple.model.world import build_world
from tests.physics.soft import block, elastic_forces, energy, soft

TURN = Rotation.from_rotvec([0.4, -1.1, 0.7]).as_matrix()


def ball(elasticity="corotated", **values):
    body = supple.SoftBody.ball(0.3, 0.2, material=soft(**values), elasticity=elasticity)
    return build_world(supple.Scene(body))


def shaken(world, amount=0.01, seed=0):
    rest = world.particles.rest_positions
    return rest + amount * np.random.default_rng(seed).standard_normal(rest.shape)


def rotations_of(world):
    t = world.tetrahedra
    quaternions = t.rotations.reshape(-1, 4, WIDTH).transpose(0, 2, 1).reshape(-1, 4)[: t.count]
    return Rotation.from_quat(quaternions, scalar_first=True).as_matrix()


@pytest.mark.parametrize("elasticity", ["corotated", "linear", "neo-hookean"])
def test_forces_are_minus_the_slope_of_the_energy(elasticity):
    world = ball(elasticity)
    positions = shaken(world)
    forces = elastic_forces(world, positions)
    generator = np.random.default_rng(1)
    for _ in range(5):
        move = generator.standard_normal(positions.shape)
        slope = (energy(world, positions + 1e-6 * move) - energy(world, positions - 1e-6 * move)) / 2e-6
        assert -np.vdot(forces, move) == pytest.approx(slope, rel=1e-6)


def test_patch_test_a_uniform_strain_leaves_every_inner_point_in_balance():
    world = ball()
    rest = world.particles.rest_positions
    strain = np.array([[0.02, 0.01, 0.0], [0.01, -0.03, 0.005], [0.0, 0.005, 0.01]])
    surface = np.unique(supple.SoftBody.ball(0.3, 0.2).surface_triangles())
    is_inner = np.ones(len(rest), dtype=bool)
    is_inner[surface] = False
    assert is_inner.sum() > 10
    for turn in (np.eye(3), TURN):
        forces = elastic_forces(world, rest @ (np.eye(3) + strain).T @ turn.T, rounds=40)
        assert np.abs(forces[is_inner]).max() < 1e-10 * np.abs(forces).max()


@pytest.mark.parametrize("elasticity", ["corotated", "linear", "neo-hookean"])
def test_a_translation_costs_nothing(elasticity):
    world = ball(elasticity)
    forces = elastic_forces(world, world.particles.rest_positions + np.array([3.0, -2.0, 1.0]))
    assert np.abs(forces).max() < 1e-10


def test_a_rotation_costs_nothing_if_corotated_and_much_if_linear():
    for elasticity, most, least in (
        ("corotated", 1e-10, 0.0), ("neo-hookean", 1e-10, 0.0), ("linear", np.inf, 1.0),
    ):  # fmt: skip
        world = ball(elasticity)
        forces = elastic_forces(world, world.particles.rest_positions @ TURN.T, rounds=60)
        assert least <= np.abs(forces).max() < most


@pytest.mark.parametrize("elasticity", ["corotated", "linear", "neo-hookean"])
def test_inner_forces_neither_push_nor_turn_the_body(elasticity):
    world = ball(elasticity)
    positions = shaken(world)
    forces = elastic_forces(world, positions)
    scale = np.abs(forces).max()
    assert np.abs(forces.sum(axis=0)).max() < 1e-10 * scale
    torque = np.cross(positions if elasticity != "linear" else world.particles.rest_positions, forces).sum(
        axis=0
    )
    assert np.abs(torque).max() < 1e-10 * scale


def test_linear_forces_are_those_of_the_element_matrix():
    world = ball("linear", poisson=0.4)
    t, rest = world.tetrahedra, world.particles.rest_positions
    moves = shaken(world) - rest
    expected = np.zeros_like(rest)
    for corners, gradients, volume, mu, lam in zip(
        t.corners, t.all_gradients(), t.volumes, t.shear_moduli, t.lame_moduli, strict=True
    ):
        for i, a in zip(corners, gradients, strict=True):
            for j, b in zip(corners, gradients, strict=True):
                entry = lam * np.outer(a, b) + mu * np.outer(b, a) + mu * (a @ b) * np.eye(3)
                expected[i] -= volume * entry @ moves[j]
    np.testing.assert_allclose(
        elastic_forces(world, rest + moves), expected, atol=1e-9 * np.abs(expected).max()
    )


def test_the_rotation_of_an_element_is_that_of_the_polar_decomposition():
    world = ball()
    t = world.tetrahedra
    positions = shaken(world, 0.02) @ Rotation.from_rotvec([0.1, 0.2, -0.1]).as_matrix().T
    energy(world, positions, rounds=6)
    sides = (positions[t.corners[:, 1:]] - positions[t.corners[:, :1]]).transpose(0, 2, 1)
    expected = [polar(side @ gradient)[0] for side, gradient in zip(sides, t.gradients, strict=True)]
    np.testing.assert_allclose(rotations_of(world), expected, atol=1e-9)


def test_two_steps_find_a_rotation_of_a_fifth_of_a_radian():
    world = ball()
    t = world.tetrahedra
    turn = Rotation.from_rotvec([0.0, 0.2, 0.0]).as_matrix()
    energy(world, world.particles.rest_positions @ turn.T, rounds=2)
    np.testing.assert_allclose(rotations_of(world), np.broadcast_to(turn, (t.count, 3, 3)), atol=1e-6)


def test_damping_leaves_rigid_motion_alone_and_brakes_strain():
    world = ball(damping=5.0, volume_damping=3.0)
    t = world.tetrahedra
    positions = world.particles.rest_positions @ TURN.T
    elastic_forces(world, positions, rounds=60)

    def braked(velocities):
        forces = np.zeros_like(positions)
        add_rate_forces(velocities, t.arrays, VISCOUS, 1.0, forces)
        return forces

    rigid = np.cross([1.0, -2.0, 0.5], positions) + np.array([0.3, 0.1, -5.0])
    assert np.abs(braked(rigid)).max() < 1e-10
    strain = positions @ np.diag([1.0, 0.5, -0.2])
    assert np.vdot(braked(strain), strain) < -0.1


def test_moduli_of_lame_and_young_are_two_names_of_one_thing():
    assert lame(2.6e5, 0.3) == pytest.approx((1e5, 1.5e5))
    assert young_and_poisson(*lame(7e3, 0.41)) == pytest.approx((7e3, 0.41))


@pytest.mark.parametrize("way", ["compiled", "python"])
def test_kernels_of_a_block_agree_with_those_of_all_elements(way):
    """The inner kernels, called by hand on one block, compiled and interpreted."""
    version = (lambda function: function) if way == "compiled" else (lambda function: function.py_func)
    world = build_world(supple.Scene(block(0.5)))
    t = world.tetrahedra
    positions = shaken(world, 0.02)
    expected = elastic_forces(world, positions, rounds=1)
    expected_turns = t.rotations.copy()
    t.stop_turning()
    values, turns = t.blocks[: VALUES * WIDTH], t.rotations[: 4 * WIDTH]
    forces = np.zeros_like(positions)
    version(fetch_edges)(positions, t.block_corners, 0, t.work)
    version(turn_block)(t.work, values, turns)
    version(strain_block)(values, turns, 1.0, t.work)
    version(stress_block)(values, turns, ELASTIC, -1.0, t.work)
    version(scatter_forces)(t.work, t.block_corners, 0, forces)
    np.testing.assert_allclose(forces, expected, atol=1e-10 * np.abs(expected).max())
    np.testing.assert_allclose(t.rotations, expected_turns, atol=1e-12)
    version(fetch_edges)(positions, t.block_corners, 0, t.work)
    version(strain_block)(values, turns, 1.0, t.work)
    assert version(energy_block)(values, t.work) == pytest.approx(energy(world, positions, 1), rel=1e-3)


@pytest.mark.parametrize("way", ["compiled", "python"])
def test_the_largest_strain_is_that_of_the_element_that_is_strained_most(way):
    measure = largest_strain if way == "compiled" else largest_strain.py_func
    world = ball()
    t, rest = world.tetrahedra, world.particles.rest_positions
    assert measure(rest, t.arrays) < 1e-12
    assert measure(rest * [1.1, 1.0, 0.9], t.arrays) == pytest.approx(np.hypot(0.1, 0.1))
    moved = rest.copy()
    moved[0] += 0.05
    elastic_forces(world, moved)
    sides = moved[t.corners[:, 1:]] - moved[t.corners[:, :1]]
    sizes = np.linalg.svd(np.einsum("eax,eak->exk", sides, t.gradients), compute_uv=False)
    assert measure(moved, t.arrays) == pytest.approx(np.linalg.norm(sizes - 1.0, axis=1).max(), rel=1e-6)


@pytest.mark.parametrize("way", ["compiled", "python"])
@pytest.mark.parametrize("stretches", [(3.0, 0.5, 0.5), (5.0, 0.9, 0.3), (2.0, 2.0, 0.4)])
def test_the_stiffening_of_a_pulled_body_bounds_how_its_force_changes_with_a_turn(way, stretches):
    measure = largest_stiffening if way == "compiled" else largest_stiffening.py_func
    world = ball(poisson=0.45)
    t, rest = world.tetrahedra, world.particles.rest_positions
    assert measure(rest, t.arrays) == 0.0
    assert measure(0.5 * rest, t.arrays) == 0.0  # pressed elements are not stiffer
    assert measure(rest * (5.0, 3.0, -1.0), t.arrays) == 0.0  # nor those inside out
    pulled = rest * stretches
    mu, lam, volume = t.shear_moduli[0], t.lame_moduli[0], t.volumes.sum()
    found = measure(pulled, t.arrays) * (2.0 * mu + 3.0 * lam)
    # The slope of the energy along the turn of every two stretches into each other, by differences.
    steepest = 0.0
    for i, j in ((0, 1), (0, 2), (1, 2)):
        turn = np.zeros((3, 3))
        turn[i, j], turn[j, i] = -np.sqrt(0.5), np.sqrt(0.5)
        energies = [energy(world, pulled + rest @ (size * turn), 12) for size in (-1e-3, 0.0, 1e-3)]
        steepest = max(steepest, (energies[0] - 2.0 * energies[1] + energies[2]) / 1e-6 / volume)
        elastic_forces(world, pulled)
    assert steepest > 6.0 * mu  # 2 µ at rest
    if stretches[1] == stretches[2]:
        assert found == pytest.approx(steepest, rel=1e-4)
    else:
        assert steepest < found


def test_the_share_of_volume_left_is_reported_with_the_forces():
    world = build_world(supple.Scene(block(0.5)))
    t = world.tetrahedra
    forces = np.zeros((world.particles.count, 3))
    add_elastic_forces(world.particles.rest_positions * [0.5, 1.0, 1.0], t.arrays, 1, 1.0, forces)
    np.testing.assert_allclose(t.compressions[: t.count], 0.5, rtol=1e-10)


def test_neo_hookean_forces_are_those_of_corotated_ones_at_small_strains():
    forces = {}
    for elasticity in ("corotated", "neo-hookean"):
        world = ball(elasticity, poisson=0.4)
        forces[elasticity] = elastic_forces(world, shaken(world, 1e-7))
    scale = np.abs(forces["corotated"]).max()
    np.testing.assert_allclose(forces["neo-hookean"], forces["corotated"], atol=1e-4 * scale)


def test_a_neo_hookean_body_pulled_to_twice_its_length_has_the_stress_of_the_closed_form():
    world = ball("neo-hookean", young=1e4, poisson=0.3)
    mu, lam = lame(1e4, 0.3)
    stretch = np.diag([2.0, 0.8, 0.8])
    volume = np.linalg.det(stretch)
    expected = mu * stretch + ((lam + mu) * (volume - 1.0) - mu) * volume * np.linalg.inv(stretch)
    rest = world.particles.rest_positions
    # The virial of the inner forces is minus the stress times the volume at rest, whatever the mesh.
    virial = elastic_forces(world, rest @ stretch).T @ rest
    np.testing.assert_allclose(-virial / world.tetrahedra.volumes.sum(), expected, atol=1e-9 * mu)


@pytest.mark.parametrize("integrator", ["explicit", "descent"])
def test_a_neo_hookean_body_finds_back_from_flat_and_inside_out(integrator):
    material = soft(2e4, 0.4, damping=20.0)
    body = supple.SoftBody.box((0.2, 0.2, 0.2), 0.1, material=material, elasticity="neo-hookean").pinned(
        "left"
    )
    simulation = supple.Simulation(supple.Scene(body, gravity=(0.0, 0.0, 0.0)), integrator=integrator)
    particles = simulation.engine.world.particles
    particles.positions[~particles.is_fixed] *= [-0.5, 0.1, 0.1]
    for report in simulation.run(3.0):
        assert report.is_finite
    assert np.abs(simulation.positions("soft") - body.start_points()).max() < 1e-3


def test_who_cannot_move_a_neo_hookean_body_says_so():
    body = supple.SoftBody.box((0.2, 0.2, 0.2), 0.1, elasticity="neo-hookean")
    with pytest.raises(supple.SuppleError, match="does not move soft bodies with `elasticity` 'neo-hookean'"):
        supple.Simulation(supple.Scene(body), integrator="filter")
    with pytest.raises(supple.SuppleError, match="several levels of detail"):
        supple.SoftBody.box((0.4, 0.4, 0.4), 0.1, elasticity="neo-hookean", levels=2)


def test_the_neo_hookean_energy_of_a_block_is_the_same_compiled_and_in_python():
    world = ball("neo-hookean")
    t, edges = world.tetrahedra, np.zeros(9 * WIDTH)
    fetch_edges(shaken(world), t.arrays.corners, 0, edges)
    compiled = neo_hookean_energy(t.blocks[: VALUES * WIDTH], edges)
    assert compiled > 0.0
    assert neo_hookean_energy.py_func(t.blocks[: VALUES * WIDTH], edges) == pytest.approx(compiled, rel=1e-12)
