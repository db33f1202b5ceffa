"""The repulsive potential: its force is the negative gradient of its energy, and it stays finite."""

import numpy as np
import pytest

import supple
from supple.collide.obstacles.particle_contact import into_axes
from supple.collide.obstacles.poses import Poses
from supple.collide.obstacles.repulsion import repel_particles, repulsion, solved_displacement
from supple.collide.obstacles.solid_arrays import SolidProperties, Solids

SOLIDS = {
    "sphere": supple.Sphere(radius=0.3),
    "ellipsoid": supple.Ellipsoid(radii=(0.3, 0.2, 0.4)),
    "torus": supple.Torus(radius=0.3, tube=0.1),
    "box": supple.Box(size=(0.4, 0.3, 0.5), rounding=0.1),
    "plane": supple.Plane(),
}


@pytest.mark.parametrize("name", SOLIDS)
@pytest.mark.parametrize("is_compiled", [True, False])
def test_force_is_the_negative_gradient_of_the_energy(name, is_compiled):
    shapes = Solids.of((SOLIDS[name],))
    compute = repulsion if is_compiled else repulsion.py_func
    random = np.random.default_rng(3)
    for point in random.uniform(0.2, 0.5, (10, 3)):
        _, *force = compute(shapes, 0, 2.0, 0.3, *point)
        for axis in range(3):
            step = 1e-6 * np.eye(3)[axis]
            ahead, behind = (compute(shapes, 0, 2.0, 0.3, *(point + s))[0] for s in (step, -step))
            assert force[axis] == pytest.approx(-(ahead - behind) / 2e-6, rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("logarithm", [-39.0, -3.0, 0.0, 0.9, 1.1, 30.0, 1e5])
@pytest.mark.parametrize("compute", [solved_displacement, solved_displacement.py_func])
def test_displacement_solves_its_equation(logarithm, compute):
    u = compute(logarithm)
    assert u + np.log(u) == pytest.approx(logarithm, rel=1e-12, abs=1e-12)


def moved_by(mass, step, target, normal=None, compute=repel_particles):
    """Return how far the potential of a sphere moves one particle, along the normal of its surface if one is given."""
    pose = np.concatenate([np.eye(3).ravel(), np.zeros(3)])[None]
    targets, reactions = np.array([target]), np.zeros((1, 6))
    sphere = SOLIDS["sphere"].changed(response="repel", repulsion=1e-3, repulsion_range=0.1, friction=0.0)
    properties = SolidProperties.of((sphere,))
    normals = np.zeros((1, 3)) if normal is None else np.array([normal])
    compute(
        Solids.of((sphere,)), properties, Poses(pose, pose), normals, np.array([normal is not None]),
        np.array([target]), np.array([mass]), np.zeros(1, dtype=bool), step, reactions, targets,
    )  # fmt: skip
    np.testing.assert_allclose(reactions[0, :3], -mass * (targets[0] - target), atol=1e-18)
    assert into_axes(pose, 0, *target) == pytest.approx(target)
    return targets[0] - target


def test_a_short_step_moves_a_particle_by_the_force_alone():
    target = np.array([0.2, 0.3, 0.1])
    shapes = Solids.of((SOLIDS["sphere"],))
    _, *force = repulsion(shapes, 0, 1e-3, 0.1, *target)
    move = moved_by(1e-3, 1e-5, target)
    np.testing.assert_allclose(move, 1e-5**2 * np.array(force) / 1e-3, rtol=1e-4)


@pytest.mark.parametrize("compute", [repel_particles, repel_particles.py_func])
def test_as_printed_the_force_is_the_part_along_the_normal_of_the_cloth(compute):
    target, normal = np.array([0.2, 0.3, 0.1]), np.array([0.0, 0.6, 0.8])
    _, *force = repulsion(Solids.of((SOLIDS["sphere"],)), 0, 1e-3, 0.1, *target)
    move = moved_by(1e-3, 1e-5, target, normal, compute)
    np.testing.assert_allclose(move, 1e-5**2 / 1e-3 * np.dot(force, normal) * normal, rtol=1e-4, atol=1e-15)


@pytest.mark.parametrize("along", ["gradient", "normal"])
def test_a_sheet_that_meets_a_ball_edge_on_is_stopped_by_the_gradient_and_not_as_printed(along):
    ball = supple.Sphere(
        radius=0.2, response="repel", repulsion=1e-3, repulsion_range=0.1, repulsion_along=along, friction=0.0
    )
    sheet = supple.Cloth.rectangle(width=0.05, height=0.3, columns=3, rows=9, at=(0.0, 0.5, 0.0))
    simulation = supple.Simulation(supple.Scene(sheet, ball), integrator="filter")
    for _ in simulation.run(seconds=0.5):
        pass
    lowest = simulation.positions("cloth")[:, 1].min()
    assert lowest > 0.15 if along == "gradient" else lowest < 0.0


def test_a_particle_deep_inside_is_led_out_gently():
    move = moved_by(1e-6, 0.02, np.array([0.0, 0.05, 0.0]))
    assert (
        0.2 < move[1] < 1.0
    )  # to the surface and a little farther, although the force is 1e6 times its weight


@pytest.mark.parametrize("speed", [0.0, 3.0, 1000.0])
def test_cloth_thrown_at_a_repelling_solid_stays_finite(speed):
    sheet = supple.Cloth.rectangle(
        width=0.6, height=0.6, columns=15, rows=15, plane="xz", at=(0, 0.6, 0), velocity=(0, -speed, 0)
    )
    solid = supple.Ellipsoid(radii=(0.3, 0.2, 0.25), response="repel", repulsion=1e-2, repulsion_range=0.1)
    simulation = supple.Simulation(supple.Scene(sheet, solid, drag=1.0))
    for report in simulation.run(1.0):
        assert report.is_finite
        assert speed > 3.0 or simulation.depth() < 0.0


def test_only_the_obstacles_that_say_so_repel():
    sheet = supple.Cloth.rectangle(width=0.3, height=0.3, columns=8, rows=8, plane="xz", at=(0, 0.303, 0))
    near = supple.Sphere(radius=0.3)
    for response, lowest in (("project", 0.3005), ("repel", 0.31)):
        scene = supple.Scene(sheet, near.changed(response=response, repulsion=1e-3, repulsion_range=0.05))
        simulation = supple.Simulation(scene)
        for _ in simulation.run(0.3):
            pass
        height = np.linalg.norm(simulation.positions("cloth"), axis=1).min()
        assert (height > lowest) and (response == "repel" or height < 0.302)


@pytest.mark.parametrize("friction", [0.0, 0.5])
def test_friction_slows_what_slides_over_a_repelling_solid(friction):
    sheet = supple.Cloth.rectangle(
        width=0.2,
        height=0.2,
        columns=6,
        rows=6,
        plane="xz",
        at=(0, 0.03, 0),
        velocity=(2.0, 0, 0),
        material="denim",
    )
    ground = supple.Plane(response="repel", repulsion=1e-3, repulsion_range=0.01, friction=friction)
    simulation = supple.Simulation(supple.Scene(sheet, ground))
    for _ in simulation.run(0.3):
        pass
    slowed = 2.0 - np.average(simulation.velocities("cloth")[:, 0], weights=simulation.masses("cloth"))
    assert slowed == pytest.approx(friction * 9.81 * 0.3, rel=0.05, abs=1e-9)
