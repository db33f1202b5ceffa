"""The smooth surface of soft bodies: round where the shape is, and carried by the tetrahedra."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

import supple
from supple.scene.placement import rotation_matrix
from supple.scene.soft_shapes.closed_surface import enclosed_volume, open_edge
from supple.scene.soft_shapes.soft_shapes import SoftTorus


def at_rest(body, **settings):
    return supple.Simulation(supple.Scene(body, gravity=(0.0, 0.0, 0.0)), **settings)


def ball(**options):
    return supple.SoftBody.ball(
        radius=0.1, cell=0.06, name="ball", at=(1.0, 2.0, 3.0), rotation_deg=(30.0, 20.0, 10.0), **options
    )


def test_a_ball_of_few_points_is_round():
    simulation = at_rest(ball())
    points, triangles = simulation.surface("ball")
    used = points[np.unique(triangles)]
    assert len(used) > 10 * len(np.unique(simulation.triangles("ball")))
    np.testing.assert_allclose(np.linalg.norm(used - (1.0, 2.0, 3.0), axis=1), 0.1, rtol=1e-6)
    assert open_edge(triangles) is None
    round_volume = 4.0 / 3.0 * np.pi * 0.1**3
    assert enclosed_volume(points, triangles) == pytest.approx(round_volume, rel=0.02)
    assert enclosed_volume(simulation.positions("ball"), simulation.triangles("ball")) < 0.9 * round_volume


def test_a_ring_with_cells_as_large_as_its_tube_is_round():
    simulation = at_rest(supple.SoftBody(shape=SoftTorus(radius=0.055, tube=0.025, cell=0.028), name="ring"))
    points, triangles = simulation.surface("ring")
    x, y, z = points[np.unique(triangles)].T
    away = np.hypot(np.hypot(x, z) - 0.055, y)
    np.testing.assert_allclose(away, 0.025, rtol=1e-6)


def test_the_vertices_of_the_body_come_first_and_it_can_be_switched_off():
    simulation = at_rest(ball())
    points, _ = simulation.surface("ball")
    count = len(simulation.positions("ball"))
    np.testing.assert_array_equal(points[:count], simulation.positions("ball"))
    plain = at_rest(ball(smooth=False))
    assert plain.skin("ball") is None
    points, triangles = plain.surface("ball")
    np.testing.assert_array_equal(points, plain.positions("ball"))
    np.testing.assert_array_equal(triangles, plain.triangles("ball"))


def test_a_uniform_deformation_is_followed_exactly():
    simulation = at_rest(ball())
    before, _ = simulation.surface("ball")
    matrix = rotation_matrix((0.4, -1.0, 2.0)) @ np.array([[1.3, 0.2, 0.0], [0.0, 0.8, 0.1], [0.0, 0.0, 1.1]])
    simulation.engine.world.particles.positions[:] = simulation.positions("ball") @ matrix.T + 0.7
    after, _ = simulation.surface("ball")
    np.testing.assert_allclose(after, before @ matrix.T + 0.7, atol=1e-12)


def test_a_bent_bar_is_smoother_than_its_tetrahedra():
    bar = supple.SoftBody.box(size=(1.0, 0.2, 0.2), cell=0.2, name="bar")
    simulation = at_rest(bar)
    rest = simulation.surface("bar")[0].copy()

    def bent(points):
        angle = points[:, 0] / 0.6
        away = 0.6 + points[:, 1]
        return np.stack([away * np.sin(angle), away * np.cos(angle), points[:, 2]], axis=1)

    particles = simulation.engine.world.particles
    particles.positions[:] = bent(particles.positions)
    smooth, _ = simulation.surface("bar")
    skin = simulation.skin("bar")
    flat = np.einsum("na,nax->nx", skin.weights, particles.positions[skin.corners])
    truth = bent(rest)[len(particles.positions) :]
    off = np.linalg.norm(smooth[len(particles.positions) :] - truth, axis=1)
    off_flat = np.linalg.norm(flat - truth, axis=1)
    assert np.sqrt((off**2).mean()) < 0.5 * np.sqrt((off_flat**2).mean())


def test_a_filled_mesh_shows_the_mesh():
    shape = trimesh.creation.icosphere(subdivisions=3, radius=0.1)
    body = supple.SoftBody.from_mesh(shape.vertices, shape.faces[:, ::-1], cell=0.06, name="ball")
    with pytest.warns(UserWarning, match="face inwards"):
        simulation = at_rest(body)
    points, triangles = simulation.surface("ball")
    count = len(simulation.positions("ball"))
    np.testing.assert_allclose(points[count:], shape.vertices, atol=1e-12)
    assert len(triangles) == len(shape.faces)
    assert enclosed_volume(points, triangles) > 0.0


def test_a_place_on_the_skin_is_carried_by_few_points_near_it():
    simulation = at_rest(ball())
    skin, count = simulation.skin("ball"), len(simulation.positions("ball"))
    points, _ = simulation.surface("ball")
    for vertex in (0, count, count + 77, len(points) - 1):
        vertices, weights = skin.grabbed_points([vertex], [1.0])
        assert 1 <= len(vertices) <= 4
        assert sum(weights) == pytest.approx(1.0)
        away = np.linalg.norm(simulation.positions("ball")[list(vertices)] - points[vertex], axis=1)
        assert away.max() < 0.1


def test_recordings_hold_the_skin(tmp_path):
    simulation = at_rest(ball())
    supple.record(simulation, tmp_path / "ball.npz", seconds=0.04)
    frames = supple.open(tmp_path / "ball.npz")
    frame = frames[len(frames) - 1]
    points, triangles = simulation.surface("ball")
    np.testing.assert_allclose(frame.positions("ball"), points, atol=1e-6)
    np.testing.assert_array_equal(frame.triangles("ball"), triangles)
