"""What the three laws of aerodynamics and water do to triangles."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import supple
from supple.forces.triangle_drag import (
    Plate,
    kang_impulse,
    meyer_impulse,
    plate_impulse,
    share_masses,
    water_impulse,
)
from tests.forces.airborne import DENSITY, compiled_agrees, held_plate

ANGLES = np.radians([3.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0])
LAWS = ("plate", "kang", "meyer")


@pytest.mark.parametrize("angle", ANGLES)
def test_drag_and_lift_of_a_tilted_plate_are_those_of_the_closed_form(angle):
    _, lift, drag = held_plate(angle).air_force("cloth")
    full = 0.5 * DENSITY * 1.2 * 2.0 * 10.0**2
    assert drag == pytest.approx(full * math.sin(angle) ** 2, rel=1e-9)
    assert lift == pytest.approx(full * math.sin(angle) * math.cos(angle), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("angle", ANGLES)
def test_drag_and_lift_of_kang_are_as_printed(angle):
    air = supple.Aerodynamics(law="kang", drag=0.02, lift=0.03)
    _, lift, drag = held_plate(angle, aerodynamics=air).air_force("cloth")
    assert drag == pytest.approx(0.02 * 2.0 * 100.0 * math.sin(angle), rel=1e-9)
    assert lift == pytest.approx(0.03 * 2.0 * 100.0 * math.cos(angle), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("angle", ANGLES)
def test_the_push_of_meyer_is_as_printed(angle):
    force = held_plate(angle, aerodynamics=supple.Aerodynamics(law="meyer", drag=0.02)).air_force("cloth")
    push = 0.02 * 2.0 * 100.0 * math.sin(angle)
    np.testing.assert_allclose(force, [0.0, push * math.cos(angle), push * math.sin(angle)], atol=1e-9)


@pytest.mark.parametrize("law", LAWS)
def test_no_force_edge_on(law):
    np.testing.assert_allclose(held_plate(0.0, aerodynamics=law).air_force("cloth"), 0.0, atol=1e-12)


@pytest.mark.parametrize("law", LAWS)
def test_no_force_at_rest_in_still_air(law):
    plate = held_plate(0.4, velocity=(0.0, 0.0, 0.0), aerodynamics=law)
    assert np.abs(plate.air_force("cloth")).max() < 1e-25


@pytest.mark.parametrize("law", LAWS)
def test_wind_on_the_other_face_pushes_the_other_way(law):
    front = held_plate(0.7, velocity=(0.0, 3.0, 10.0), aerodynamics=law).air_force("cloth")
    back = held_plate(0.7, velocity=(0.0, -3.0, -10.0), aerodynamics=law).air_force("cloth")
    turned = held_plate(0.7 + math.pi, velocity=(0.0, 3.0, 10.0), aerodynamics=law).air_force("cloth")
    np.testing.assert_allclose(back, -front, atol=1e-9)
    np.testing.assert_allclose(turned, front, atol=1e-9)


def test_skin_rubs_along_the_plate():
    air = supple.Aerodynamics(skin=0.01)
    force = held_plate(0.0, aerodynamics=air).air_force("cloth")
    np.testing.assert_allclose(force, [0.0, 0.0, 0.5 * DENSITY * 0.01 * 2.0 * 100.0], atol=1e-12)


@pytest.mark.parametrize("law", LAWS)
def test_force_on_a_curved_sheet_does_not_depend_on_the_resolution(law):
    bow = [[[x, y, z] for x, z in ((-0.5, 0.0), (-0.3, 0.5), (0.3, 0.5), (0.5, 0.0))] for y in (1.0, 0.0)]
    forces = []
    for points in (10, 80):
        sheet = supple.Cloth.bezier(bow, columns=points, rows=points, aerodynamics=law)
        sheet = sheet.pinned(list(range(sheet.point_count)))
        simulation = supple.Simulation(supple.Scene(sheet, supple.Wind(velocity=(2.0, 1.0, 8.0))), substeps=1)
        simulation.step()
        forces.append(simulation.air_force("cloth"))
    assert np.linalg.norm(forces[1] - forces[0]) < 0.03 * np.linalg.norm(forces[1])


def crumpled(law, seed, held=0):
    """Return a simulation of a crumpled sheet with points of very different masses."""
    random = np.random.default_rng(seed)
    sheet = supple.Cloth.rectangle(
        width=0.5, height=0.5, columns=5, rows=5, masses=10.0 ** random.uniform(-4, 0, 25), aerodynamics=law
    )
    if held:
        sheet = sheet.pinned(sorted(random.permutation(25)[:held].tolist()))
    simulation = supple.Simulation(supple.Scene(sheet, supple.Wind(), gravity=(0, 0, 0)))
    particles = simulation.engine.world.particles
    particles.starts[:] += 0.1 * random.standard_normal((25, 3))
    return simulation, random


@pytest.mark.parametrize("law", LAWS)
@given(
    seed=st.integers(0, 10_000),
    speed=st.floats(1e-3, 1e4),
    step=st.floats(1e-4, 1.0),
    held=st.integers(0, 20),
)
@settings(max_examples=60, deadline=None)
def test_the_work_of_still_air_is_never_positive(law, seed, speed, step, held):
    simulation, random = crumpled(law, seed, held)
    particles = simulation.engine.world.particles
    velocities = speed * random.standard_normal((25, 3))
    velocities[particles.is_fixed] = 0.0
    particles.velocities[:] = velocities
    particles.targets[:] = particles.starts + step * velocities
    simulation.engine.air.begin_frame()
    simulation.engine.air.push(step)
    after = (particles.targets - particles.starts) / step
    energy = float((particles.masses[:, None] * velocities**2).sum())
    assert (particles.masses[:, None] * after**2).sum() <= energy * (1.0 + 1e-9)


@pytest.mark.parametrize("law", LAWS)
@given(seed=st.integers(0, 10_000), speed=st.floats(1e-2, 1e3), step=st.floats(1e-4, 0.1))
@settings(max_examples=60, deadline=None)
def test_one_substep_never_reverses_the_relative_normal_velocity(law, seed, speed, step):
    random = np.random.default_rng(seed)
    corners = random.standard_normal((3, 3))
    sheet = supple.Cloth.from_mesh(
        corners, [[0, 1, 2]], masses=10.0 ** random.uniform(-4, 0) * np.ones(3), aerodynamics=law
    )
    wind = speed * random.standard_normal(3)
    scene = supple.Scene(sheet, supple.Wind(velocity=wind, density=20.0), gravity=(0, 0, 0))
    particles = (simulation := supple.Simulation(scene)).engine.world.particles
    simulation.engine.air.begin_frame()
    simulation.engine.air.push(step)
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    normal /= np.linalg.norm(normal)
    before = float(wind @ normal)
    after = float((wind - ((particles.targets - particles.starts) / step).mean(axis=0)) @ normal)
    assert before * after >= -1e-9 * speed**2
    assert abs(after) <= abs(before) + 1e-9 * speed


def test_only_the_windward_faces_of_a_solid_are_pushed():
    block = supple.Lattice(size=(1.0, 1.0, 1.0), cells=(2, 2, 2))
    scene = supple.Scene(block.pinned(list(range(block.point_count))), supple.Wind(velocity=(0.0, 0.0, 10.0)))
    simulation = supple.Simulation(scene, substeps=1)
    simulation.step()
    np.testing.assert_allclose(simulation.air_force("lattice"), [0, 0, 0.5 * DENSITY * 100.0], atol=1e-9)


def test_dry_plates_feel_the_same_whether_there_is_water_elsewhere_or_not():
    pushes = []
    for more in ((), (supple.Chain(length=0.1, points=2, at=(0.0, -9.0, 0.0)), supple.Water(level=-9.05))):
        sheet = supple.Cloth.rectangle(width=1.0, height=0.7, columns=7, rows=6, velocity=(0.3, 1.0, -2.0))
        scene = supple.Scene(
            sheet.pinned("left"), *more, supple.Wind(velocity=(2.0, 1.0, 5.0), gusts=0.3), drag=0.5
        )
        simulation = supple.Simulation(scene, integrator="filter")
        simulation.step()
        pushes.append(simulation.engine.world.particles.pushes[:42].copy())
    assert np.abs(pushes[0]).max() > 0.0
    np.testing.assert_allclose(pushes[0], pushes[1], rtol=1e-9, atol=1e-15)


def test_masses_of_the_triangles_at_a_point_make_up_at_most_its_own():
    triangles = np.array([[0, 1, 2], [0, 2, 3], [0, 3, 4]], dtype=np.uint32)
    weights = np.array([[0.2, 0.3, 0.5], [0.1, 0.8, 0.1], [1.0, 0.0, 0.0]])
    masses, totals, found = np.array([1.0, 0.2, 5.0, 0.01, 2.0]), np.zeros(5), np.zeros(3)
    share_masses(triangles, weights, np.array([1.0, 2.0, 0.5]), masses, totals, found)
    shared = np.zeros(5)
    for triangle, weight, mass in zip(triangles, weights, found, strict=True):
        shared[triangle] += weight * mass
    assert (shared <= masses * (1.0 + 1e-12)).all()
    assert (found > 0.0).all()


def test_a_uniform_sheet_gives_its_triangles_what_they_weigh():
    triangles = np.array([[0, 1, 2], [0, 2, 3]], dtype=np.uint32)
    weights, found = np.full((2, 3), 1.0 / 3.0), np.zeros(2)
    share_masses(triangles, weights, np.array([3.0, 6.0]), np.array([3.0, 1.0, 3.0, 2.0]), np.zeros(4), found)
    np.testing.assert_allclose(found, [3.0, 6.0])


def test_every_point_of_a_grid_feels_the_wind_on_the_area_that_it_weighs():
    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=9, rows=7)
    simulation = supple.Simulation(
        supple.Scene(sheet, supple.Wind(velocity=(0.0, 0.0, 5.0)), gravity=(0, 0, 0))
    )
    simulation.engine.air.begin_frame()
    simulation.engine.air.push(1e-4)
    pushes = simulation.engine.world.particles.pushes[:, 2]
    np.testing.assert_allclose(pushes, pushes.mean(), rtol=0.01)


def test_laws_give_in_python_what_they_give_compiled():
    w, u = (3.0, -1.0, 2.0), (4.0, 0.0, 1.0)
    plate = Plate((0.06, 0.0, 0.08), square=0.01, mass=0.1, free_share=0.5, step=0.01)
    for skin in (0.0, 0.02):
        compiled_agrees(plate_impulse, plate, w, (2.0, 2.0, -2.0), 1.2, 1.1, skin)
    for share in (0.0, 1.0):
        held = plate._replace(free_share=share)
        compiled_agrees(kang_impulse, held, w, (3.0, 1.0, 1.5), 0.02, 0.03)
        compiled_agrees(meyer_impulse, held, u, w, 0.02)
    free, edge_on = plate._replace(free_share=1.0), plate._replace(normal=(0.0, 0.0, 0.1), free_share=1.0)
    assert compiled_agrees(kang_impulse, edge_on, (0.8, 0.3, 0.0), (0.8, 0.3, 0.0), 1.0, 1.0) == (
        0.0,
        0.0,
        0.0,
    )
    compiled_agrees(water_impulse, free, w, (2.0, 2.0, -2.0), (0.1, 0.0, 0.3), (1000.0, 1.2, 0.02, 0.005))
