"""Cuts through soft bodies: elements come apart, and nothing else changes."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.edit.mesh.cut_tetrahedra import inner_faces, open_faces
from supple.edit.mesh.split_tetrahedra import split_by_plane
from supple.model.tetrahedra import WIDTH, plain_tetrahedra, quaternions_of
from supple.scene.placement import rotation_matrix
from supple.scene.soft_shapes.closed_surface import open_edge
from supple.scene.soft_shapes.tetra_quality import boundary_of, volumes_of


def ball(**options):
    return supple.SoftBody.ball(
        radius=0.1, cell=0.05, material="jelly", name="ball", **{"at": (0.0, 0.3, 0.0), **options}
    )


def moving(*items, gravity=(0.0, 0.0, 0.0), **settings):
    scene = supple.Scene(ball(), *items, gravity=gravity)
    simulation = supple.Simulation(scene, **{"substeps": "auto", **settings})
    particles = simulation.engine.world.particles
    particles.velocities[:] = np.cross([1.0, 2.0, 0.5], particles.positions) + 0.1 * np.sin(
        40.0 * particles.positions[:, [1, 2, 0]]
    )
    return simulation


def totals(simulation):
    simulation.engine.measure()
    return np.r_[simulation.engine.world.particles.masses.sum(), simulation.engine.motion[:7]]


def volume_left(simulation):
    return simulation.engine.world.tetrahedra.volumes.sum()


@pytest.mark.parametrize("integrator", ["explicit", "filter"])
def test_a_plane_parts_a_body_and_keeps_mass_momentum_and_energy(integrator):
    simulation = moving(integrator=integrator)
    next(simulation.run(0.02))
    before, volume, energy = (
        totals(simulation),
        volume_left(simulation),
        simulation.engine.soft_measures.energy(),
    )
    simulation.cut("ball", plane=((0.0, 0.3, 0.0), (1.0, 0.0, 0.0)))
    assert simulation.body_names == ("ball", "ball-piece-1")
    np.testing.assert_allclose(totals(simulation)[:7], before[:7], rtol=1e-11, atol=1e-13)
    assert totals(simulation)[7] == pytest.approx(before[7], rel=0.01)  # energy of motion
    assert volume_left(simulation) == pytest.approx(volume, rel=0.002)
    assert simulation.engine.soft_measures.energy() == pytest.approx(energy, rel=0.15)
    sides = [simulation.positions(name)[:, 0].mean() for name in simulation.body_names]
    assert sides[0] * sides[1] < 0.0
    for name in simulation.body_names:
        assert open_edge(simulation.triangles(name)) is None
        points, triangles = simulation.surface(name)
        assert open_edge(triangles) is None and np.isfinite(points).all()
        assert simulation.origin(name)[0] == "ball"
    assert all(report.is_finite for report in simulation.run(0.2))


def test_a_plane_leaves_flat_faces():
    simulation = supple.Simulation(
        supple.Scene(
            supple.SoftBody.box(size=(0.2, 0.2, 0.2), cell=0.05, name="cube"), gravity=(0.0, 0.0, 0.0)
        )
    )
    normal = np.array([1.0, 0.4, 0.3]) / np.linalg.norm([1.0, 0.4, 0.3])
    simulation.cut("cube", plane=((0.013, 0.0, 0.0), normal))
    away = []
    for name in simulation.body_names:
        points, triangles = simulation.positions(name), simulation.triangles(name)
        a, b, c = (points[triangles[:, n]] for n in range(3))
        across = np.cross(b - a, c - a)
        is_face = np.abs(across @ normal) > 0.95 * np.linalg.norm(across, axis=1)
        inner = np.unique(triangles[is_face])
        away.append(np.abs((points[inner] - (0.013, 0.0, 0.0)) @ normal))
    away = np.concatenate(away)
    assert np.mean(away < 1e-12) > 0.7
    assert away.max() < 0.5 * 0.05


def test_a_body_at_rest_stays_at_rest_when_it_is_cut():
    simulation = supple.Simulation(supple.Scene(ball(), gravity=(0.0, 0.0, 0.0)), substeps="auto")
    simulation.cut("ball", plane=((0.0, 0.3, 0.0), (0.3, 1.0, 0.2)))
    *_, report = simulation.run(0.2)
    assert report.kinetic_energy < 1e-20


def test_halves_fall_apart_and_come_to_rest():
    simulation = moving(supple.Plane(friction=0.3), gravity=(0.0, -9.81, 0.0))
    simulation.cut("ball", plane=((0.0, 0.3, 0.0), (1.0, 0.1, 0.0)))
    simulation.engine.world.particles.velocities[:] = 0.0
    for _ in simulation.run(1.0):
        pass
    assert simulation.engine.soft_measures.smallest_volume() > 0.3
    assert simulation.depth() < 1e-6


def test_a_blade_that_ends_inside_opens_a_slit_and_parts_nothing():
    bar = supple.SoftBody.box(size=(0.4, 0.1, 0.2), cell=0.05, name="bar")
    simulation = supple.Simulation(supple.Scene(bar, gravity=(0.0, 0.0, 0.0)), substeps="auto")
    count = len(simulation.positions("bar"))
    simulation.cut("bar", path=[(0.01, 0.05, -0.15), (0.01, 0.05, 0.01)])
    assert simulation.body_names == ("bar",)
    assert count < len(simulation.positions("bar")) < 1.5 * count
    assert open_edge(simulation.triangles("bar")) is None
    simulation.cut("bar", path=[(0.01, 0.05, -0.02), (0.01, 0.05, 0.15)])
    assert len(simulation.body_names) > 1


def test_a_cut_that_misses_says_so():
    simulation = moving()
    with pytest.raises(supple.SuppleError, match="plane does not pass through 'ball'"):
        simulation.cut("ball", plane=((9.0, 0.0, 0.0), (1.0, 0.0, 0.0)))
    with pytest.raises(supple.SuppleError, match="path does not touch 'ball'"):
        simulation.cut("ball", path=[(9.0, 0.0, 0.0), (9.0, 1.0, 0.0)])
    with pytest.raises(supple.SuppleError, match="too short to open"):
        simulation.cut("ball", path=[(0.0, 0.4, 0.0), (0.001, 0.4, 0.0)])
    with pytest.raises(supple.SuppleError, match="it can be cut, but only bodies of springs"):
        simulation.tear("ball", 0.1)
    assert simulation.body_names == ("ball",)
    assert simulation.revision == 0


def test_a_blade_that_turns_cuts_along_the_elements():
    bar = supple.SoftBody.box(size=(0.4, 0.1, 0.2), cell=0.05, name="bar")
    simulation = supple.Simulation(supple.Scene(bar, gravity=(0.0, 0.0, 0.0)), substeps="auto")
    elements = simulation.engine.world.tetrahedra.count
    simulation.cut("bar", path=[(0.05, 0.05, -0.15), (0.0, 0.05, 0.0), (0.05, 0.05, 0.15)])
    assert simulation.body_names == ("bar", "bar-piece-1")
    assert simulation.engine.world.tetrahedra.count == elements
    assert all(open_edge(simulation.triangles(name)) is None for name in simulation.body_names)


def test_undo_joins_the_halves_and_redo_parts_them():
    simulation = moving()
    count, before = len(simulation.positions("ball")), simulation.engine.world.tetrahedra.corners.copy()
    simulation.cut("ball", plane=((0.0, 0.3, 0.0), (1.0, 0.0, 0.0)))
    for _ in simulation.run(0.1):
        pass
    kept = totals(simulation)
    assert simulation.undo() == "cut ball"
    assert simulation.body_names == ("ball",)
    assert len(simulation.positions("ball")) == count
    np.testing.assert_array_equal(simulation.engine.world.tetrahedra.corners, before)
    np.testing.assert_allclose(totals(simulation)[:7], kept[:7], rtol=1e-9, atol=1e-12)
    assert all(report.is_finite for report in simulation.run(0.4))
    assert simulation.engine.soft_measures.smallest_volume() > 0.3
    simulation.redo()
    assert simulation.body_names == ("ball", "ball-piece-1")
    assert all(report.is_finite for report in simulation.run(0.1))


@pytest.mark.parametrize("integrator", ["explicit", "filter"])
def test_halves_metres_apart_are_laid_together_by_undo(integrator):
    simulation = moving(integrator=integrator)
    span = np.ptp(simulation.positions("ball"), axis=0)
    simulation.cut("ball", plane=((0.0, 0.3, 0.0), (1.0, 0.0, 0.0)))
    piece = simulation.engine.world.bodies["ball-piece-1"].particles
    simulation.engine.world.particles.positions[piece] += (5.0, 1.0, -3.0)
    kept = totals(simulation)
    simulation.undo()
    np.testing.assert_allclose(totals(simulation)[:4], kept[:4], rtol=1e-9, atol=1e-12)
    assert (
        simulation.engine.soft_measures.energy() < 0.05
    )  # vertices that the cut had moved a little; metres of strain are kilojoules
    assert np.ptp(simulation.positions("ball"), axis=0) == pytest.approx(span, abs=1e-3)
    assert all(report.is_finite for report in simulation.run(0.2))
    assert np.ptp(simulation.positions("ball"), axis=0) == pytest.approx(span, abs=1e-2)


def test_pieces_are_saved_and_go_on_bit_for_bit(tmp_path):
    simulation = moving(supple.Plane(), gravity=(0.0, -9.81, 0.0))
    simulation.cut("ball", plane=((0.0, 0.3, 0.0), (1.0, 0.0, 0.0)))
    for _ in simulation.run(0.1):
        pass
    simulation.set("ball-piece-1", young=8000.0)
    simulation.save(tmp_path / "cut.npz")
    twin = supple.Simulation.load(tmp_path / "cut.npz")
    assert twin.body_names == simulation.body_names
    for one, other in zip(simulation.run(0.1), twin.run(0.1), strict=True):
        assert one.kinetic_energy == other.kinetic_energy
    for name in simulation.body_names:
        np.testing.assert_array_equal(simulation.positions(name), twin.positions(name))
        np.testing.assert_array_equal(simulation.origin(name)[1], twin.origin(name)[1])


def test_random_planes_leave_every_element_and_proper_surfaces():
    rng = np.random.default_rng(5)
    simulation = supple.Simulation(supple.Scene(ball(), gravity=(0.0, 0.0, 0.0)), substeps="auto")
    elements, mass = simulation.engine.world.tetrahedra.count, totals(simulation)[0]
    volume = volume_left(simulation)
    for _ in range(25):
        name = simulation.body_names[rng.integers(len(simulation.body_names))]
        middle = simulation.positions(name).mean(axis=0)
        try:
            simulation.cut(name, plane=(middle, rng.standard_normal(3)))
        except supple.SuppleError:
            continue
    tetrahedra = simulation.engine.world.tetrahedra
    assert len(simulation.body_names) > 10
    np.testing.assert_array_equal(np.unique(tetrahedra.numbers), np.arange(elements))
    assert tetrahedra.volumes.min() > 0.0
    assert volume_left(simulation) == pytest.approx(volume, rel=0.02)
    assert totals(simulation)[0] == pytest.approx(mass, rel=1e-13)
    assert simulation.engine.world.particles.masses.min() > 0.0
    for name in simulation.body_names:
        assert open_edge(simulation.triangles(name)) is None
    *_, report = simulation.run(0.06)
    assert report.kinetic_energy < 1e-20


def test_cloth_beside_a_soft_body_is_edited_without_disturbing_it():
    sheet = supple.Cloth.rectangle(width=0.5, height=0.5, columns=6, rows=6, at=(2.0, 0.0, 0.0), name="sheet")
    simulation = moving(sheet, integrator="filter", substeps=10)
    next(simulation.run(0.02))
    alone = moving(integrator="filter", substeps=10)
    next(alone.run(0.02))
    simulation.cut("sheet", plane=((2.0, 0.0, 0.0), (1.0, 0.0, 0.0)))
    simulation.undo()
    next(simulation.run(0.02))
    next(alone.run(0.02))
    np.testing.assert_allclose(simulation.positions("ball"), alone.positions("ball"), atol=1e-9)


def test_elements_turn_to_what_fits_their_deformation():
    points = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    elements = plain_tetrahedra(points, np.array([[0, 1, 2, 3]]))
    for angles in ((0.3, 0.2, 0.1), (3.0, -1.0, 2.0), (np.pi, 0.0, 0.0)):
        turn = rotation_matrix(angles)
        elements.turn_to(points @ np.diag([1.2, 0.9, 1.1]) @ turn.T)
        found = elements.rotations.reshape(-1, 4, WIDTH)[0, :, 0]
        wanted = quaternions_of(turn[None])[0]
        assert abs(found @ wanted) == pytest.approx(1.0)


def test_faces_that_stay_joined_make_no_copies():
    corners = np.array([[0, 1, 2, 3], [1, 2, 3, 4]])
    faces, beside = inner_faces(corners)
    np.testing.assert_array_equal(faces, [[1, 2, 3]])
    same, vertices = open_faces(corners, faces, beside, 5)
    np.testing.assert_array_equal(same, corners)
    apart, vertices = open_faces(corners, faces[:0], beside[:0], 5)
    assert len(vertices) == 8 and len(np.unique(apart)) == 8


def test_a_split_fills_what_it_divides_and_neighbours_agree():
    rng = np.random.default_rng(11)
    points, corners = supple.SoftBody.box(size=(1.0, 1.0, 1.0), cell=0.34).shape.mesh
    for _ in range(20):
        normal = rng.standard_normal(3)
        normal /= np.linalg.norm(normal)
        split = split_by_plane(
            points, points, corners, boundary_of(corners), normal, float(rng.uniform(-0.4, 0.4))
        )
        places = np.concatenate([points, np.zeros((split.vertex_count - len(points), 3))])
        t = split.fractions[:, None]
        places[split.interpolated] = (1.0 - t) * points[split.ends[:, 0]] + t * points[split.ends[:, 1]]
        volumes = volumes_of(places, split.corners)
        assert volumes.min() > 0.0
        assert volumes.sum() == pytest.approx(1.0, rel=1e-9)
        assert open_edge(boundary_of(split.corners)) is None


def test_a_body_that_is_crumpled_inside_out_is_cut_into_sound_parts():
    simulation = supple.Simulation(supple.Scene(ball(), gravity=(0.0, 0.0, 0.0)), substeps="auto")
    particles = simulation.engine.world.particles
    particles.positions += np.random.default_rng(2).normal(0.0, 0.02, particles.positions.shape)
    assert simulation.engine.soft_measures.smallest_volume() < 0.0
    simulation.cut("ball", plane=((0.0, 0.3, 0.0), (1.0, 0.2, 0.0)))
    assert simulation.engine.world.tetrahedra.volumes.min() > 0.0
    assert simulation.engine.world.particles.masses.min() > 0.0
    for report in simulation.run(2.0):
        assert report.is_finite
    assert simulation.engine.soft_measures.smallest_volume() > 0.5
