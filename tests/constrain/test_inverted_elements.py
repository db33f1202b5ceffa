import itertools

import numpy as np
import pytest

import supple
from supple.constrain.inverted_elements import (
    PATIENCE,
    add_quaternion,
    count_inverted_time,
    mark_inverted_regions,
    quaternion_at,
    take_neighbour_rotations,
)
from supple.model.tetrahedra import COROTATED, VALUES, WIDTH
from supple.model.world import build_world
from tests.physics.levelled import levelled_block
from tests.physics.soft import block

INTEGRATORS = ("explicit", "filter", "jacobi", "implicit")
TURN = np.array([np.cos(0.3), np.sin(0.3), 0.0, 0.0])


def tangled(integrator="explicit", seed=7):
    """Return a block on the ground whose points a hand has thrown together by five centimetres."""
    body = supple.SoftBody.box(
        (0.16, 0.1, 0.12),
        0.04,
        material=supple.SoftMaterial.like("jelly", damping=20.0),
        at=(0.0, 0.05, 0.0),
    )
    scene = supple.Scene(body, supple.Plane(friction=0.5), drag=4.0)
    simulation = supple.Simulation(scene, substeps="auto", integrator=integrator)
    positions = simulation.engine.world.particles.positions
    positions += np.random.default_rng(seed).normal(0.0, 0.05, positions.shape)
    positions[:, 1] = np.maximum(positions[:, 1], 0.0)
    return simulation


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_single_elements_return_to_their_shape_from_random_inverted_states(integrator):
    generator = np.random.default_rng(0)
    corners = 0.1 * np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    material = supple.SoftMaterial(young=1e4, poisson=0.3, density=1000.0, damping=20.0)
    bodies = [
        supple.SoftBody.from_tetrahedra(
            corners, [[0, 1, 2, 3]], material=material, at=(float(n), 0.0, 0.0), name=f"element-{n}"
        )
        for n in range(8)
    ]
    scene = supple.Scene(*bodies, gravity=(0.0, 0.0, 0.0), drag=5.0)
    simulation = supple.Simulation(scene, integrator=integrator)
    for body in bodies:
        deformation = generator.standard_normal((3, 3))
        deformation[0] *= -np.sign(np.linalg.det(deformation))
        span = simulation.engine.world.bodies[body.name].particles
        simulation.engine.world.particles.positions[span] = np.array(body.at) + corners @ deformation.T
    assert simulation.engine.soft_measures.smallest_volume() < -1.0
    for _ in simulation.run(1.0):
        pass
    assert simulation.engine.soft_measures.smallest_volume() > 0.98
    assert simulation.engine.soft_measures.largest_stretch() < 1.02


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_tangled_body_gets_sound_and_returns_to_its_shape(integrator):
    simulation = tangled(integrator)
    assert simulation.engine.soft_measures.smallest_volume() < -1.0
    for _ in simulation.run(2.5):
        pass
    assert simulation.engine.soft_measures.smallest_volume() > 0.0
    simulation.set(gravity=(0.0, 0.0, 0.0))
    for _ in simulation.run(0.5):
        pass
    assert simulation.engine.soft_measures.smallest_volume() > 0.95
    assert simulation.engine.soft_measures.largest_stretch() < 1.05
    assert simulation.engine.world.tetrahedra.inside_out.max() == 0.0


def test_elasticity_alone_leaves_the_same_body_inside_out(monkeypatch):
    simulation = tangled()
    monkeypatch.setattr(simulation.engine.inverted_elements, "begin_frame", lambda: None)
    *_, report = simulation.run(3.0)
    assert report.kinetic_energy < 1e-3
    assert simulation.engine.soft_measures.smallest_volume() < -0.1
    assert simulation.engine.world.tetrahedra.inside_out.max() > 1.0


def test_a_body_of_several_levels_gets_sound_as_well():
    scene = supple.Scene(levelled_block(0.05, damping=20.0, levels=2), gravity=(0.0, 0.0, 0.0), drag=1.0)
    simulation = supple.Simulation(scene, budget_updates=20_000)
    levels = simulation.engine.world.levels["b"]
    own = simulation.engine.world.bodies[levels.name].particles
    active = levels.active_nodes()
    levels.positions[active] += np.random.default_rng(0).normal(0.0, 0.5 * levels.cell, (len(active), 3))
    levels.write_particles(simulation.engine.world.particles.positions[own])
    for _ in simulation.run(1.0):
        pass
    for level in range(levels.count):
        begin, end = levels.block_range(level)
        assert (levels.blocks.compressions[begin:end] > 0.1).all()


def test_a_state_saved_while_elements_are_led_goes_on_bit_for_bit(tmp_path):
    simulation = tangled()
    for _ in simulation.run(0.3):
        pass
    assert simulation.engine.world.tetrahedra.inside_out.max() >= PATIENCE
    simulation.save(tmp_path / "state.npz")
    again = supple.Simulation.load(tmp_path / "state.npz")
    for _ in range(10):
        simulation.step()
        again.step()
    np.testing.assert_array_equal(again.positions("soft"), simulation.positions("soft"))


def test_only_what_has_been_inside_out_for_long_is_led_and_from_the_rim_inwards():
    world = build_world(supple.Scene(block(0.25)))
    elements = world.tetrahedra
    elements.set_turns(np.tile(TURN, (elements.count, 1)))
    elements.inside_out[3:] = PATIENCE  # only three elements know
    elements.inside_out[0] = 0.5 * PATIENCE  # and one of them has just turned inside out itself
    turns = elements.turns().copy()
    turns[3:] = (0.0, 0.0, 1.0, 0.0)
    turns[0] = (1.0, 0.0, 0.0, 0.0)
    turns[2] *= -1.0  # the same rotation
    elements.set_turns(turns)
    led = lead(world)
    np.testing.assert_allclose(np.abs(elements.turns()[3:] @ TURN), 1.0, atol=1e-12)
    np.testing.assert_array_equal(elements.turns()[0], (1.0, 0.0, 0.0, 0.0))
    np.testing.assert_array_equal(led, np.arange(elements.count) >= 3)


def test_without_a_sound_neighbour_an_element_is_left_to_itself():
    world = build_world(supple.Scene(block(0.25)))
    elements = world.tetrahedra
    elements.inside_out[:] = PATIENCE
    before = elements.turns().copy()
    assert not lead(world).any()
    np.testing.assert_array_equal(elements.turns(), before)


def lead(world, way="compiled"):
    elements = world.tetrahedra
    kernels = [
        kernel if way == "compiled" else kernel.py_func
        for kernel in (mark_inverted_regions, take_neighbour_rotations)
    ]
    marks = (np.arange(elements.count), elements.corners, elements.inside_out, elements.is_corotated)
    is_waiting = np.zeros(elements.count, dtype=bool)
    kernels[0](*marks, np.zeros(world.particles.count), is_waiting)
    sums = np.zeros((world.particles.count + 1, 4))
    kernels[1](*marks, is_waiting, sums, elements.blocks, elements.rotations)
    return elements.blocks.reshape(-1, VALUES, WIDTH)[:, COROTATED].ravel()[: elements.count] == 0.0


def test_the_longer_it_lasts_the_more_rings_are_led():
    led = []
    for patience in (0.9, 1.0, 2.0, 3.0, 4.0):
        world = build_world(supple.Scene(block(0.1)))
        world.tetrahedra.inside_out[0] = patience * PATIENCE
        led.append(lead(world))
    assert [int(which.sum()) for which in led[:2]] == [0, 1]
    for fewer, more in itertools.pairwise(led[1:]):
        touched = np.zeros(world.particles.count, dtype=bool)
        touched[world.tetrahedra.corners[fewer]] = True
        np.testing.assert_array_equal(more, touched[world.tetrahedra.corners].any(axis=1))


@pytest.mark.parametrize("way", ["compiled", "python"])
def test_time_inside_out_is_noted_until_an_element_is_sound(way):
    note = count_inverted_time if way == "compiled" else count_inverted_time.py_func
    positions = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, -0.5]])
    corners, volumes, inside_out = (
        np.array([[0, 1, 2, 3]], dtype=np.uint32),
        np.array([1.0 / 6.0]),
        np.zeros(1),
    )

    def after(height, times=1, compression=0.0):
        positions[3, 2] = height
        for _ in range(times):
            note(
                np.zeros(1, np.int64), positions, corners, volumes, np.array([compression]), 0.02, inside_out
            )
        return inside_out[0]

    assert after(-0.5, compression=0.9) == 0.0  # had plenty of volume when forces were computed
    assert after(-0.5) == 0.02
    assert after(0.17) == 0.0  # found back by itself
    assert after(0.15) == pytest.approx(0.2 * 0.02)  # rests on the compression limit: counts slowly
    assert after(0.17) == 0.0
    assert after(-0.5, times=11) > PATIENCE
    assert after(0.2) > PATIENCE  # is led until it has some volume
    assert after(0.4) == 0.0


def test_leading_gives_in_python_what_it_gives_compiled():
    worlds = [build_world(supple.Scene(block(0.25))) for _ in range(2)]
    for world, way in zip(worlds, ("compiled", "python"), strict=True):
        generator = np.random.default_rng(0)
        turns = generator.standard_normal((world.tetrahedra.count, 4))
        world.tetrahedra.set_turns(turns / np.linalg.norm(turns, axis=1, keepdims=True))
        world.tetrahedra.inside_out[:] = PATIENCE * generator.integers(0, 2, len(turns))
        lead(world, way)
    np.testing.assert_allclose(
        worlds[0].tetrahedra.rotations, worlds[1].tetrahedra.rotations, rtol=0.0, atol=1e-15
    )
    np.testing.assert_array_equal(worlds[0].tetrahedra.blocks, worlds[1].tetrahedra.blocks)
    sums = np.ones((1, 4))
    for kernel in (add_quaternion, add_quaternion.py_func):
        kernel((-1.0, 0.0, 0.0, 0.0), sums, 0)
    np.testing.assert_array_equal(sums, [[3.0, 1.0, 1.0, 1.0]])
    rotations = np.arange(8.0 * WIDTH)
    expected = (4.0 * WIDTH + 2, 5.0 * WIDTH + 2, 6.0 * WIDTH + 2, 7.0 * WIDTH + 2)
    assert quaternion_at(rotations, WIDTH + 2) == quaternion_at.py_func(rotations, WIDTH + 2) == expected
