"""Thin solids: what points alone would let pass between them."""

import copy

import numpy as np
import pytest

import supple
from supple.collide.edge_contact import face_contact
from supple.collide.edge_contact.face_contact import (
    ThinSolids,
    collide_faces,
    inner_radius,
    nearest_on_triangle,
)
from supple.collide.obstacles.solid_arrays import Solids
from supple.model.world import build_world
from supple.scene.obstacles.mesh_parts import turned_part

POLE = supple.Capsule(start=(0.0, 0.0, -0.4), end=(0.0, 0.0, 0.4), radius=0.008, friction=0.6)


def scarf(**options):
    """Points are ten centimetres apart."""
    options = {"at": (0.03, 0.1, 0.02), "plane": "xz", "name": "scarf", **options}
    return supple.Cloth.rectangle(width=1.0, height=0.4, columns=11, rows=5, **options)


def least_distances(simulation, count=12):
    """Return the least distance of any place on the scarf to the axis of the pole."""
    weights = [(a / count, b / count) for a in range(count + 1) for b in range(count + 1 - a)]
    u, v = np.array(weights).T
    corners = simulation.positions("scarf")[simulation.triangles("scarf")]
    w = np.stack([1.0 - u - v, u, v])
    places = np.einsum("wn,twx->tnx", w, corners).reshape(-1, 3)
    along = np.clip(places[:, 2], -0.4, 0.4)
    return np.linalg.norm(places - np.stack([0 * along, 0 * along, along], axis=1), axis=1).min()


@pytest.mark.parametrize("speed", [0.0, 5.0, 20.0])
def test_a_coarse_scarf_is_caught_by_a_thin_pole_however_fast_it_comes(speed):
    simulation = supple.Simulation(
        supple.Scene(scarf(velocity=(0.0, -speed, 0.0)), POLE, drag=6.0), substeps=10
    )
    for _ in range(40):
        simulation.step()
        # Corners of one triangle may lead those of another a little into the shell, never to the axis.
        assert least_distances(simulation) > 0.004
    assert simulation.positions("scarf")[:, 1].max() > 0.0


def test_without_faces_it_falls_through(monkeypatch):
    simulation = supple.Simulation(supple.Scene(scarf(), POLE, drag=1.0), integrator="filter")
    monkeypatch.setattr(simulation.engine.obstacles.face_contact, "is_active", False)
    for _ in range(40):
        simulation.step()
    assert simulation.positions("scarf")[:, 1].max() < -0.1


def test_a_thin_pole_that_moves_takes_a_coarse_sheet_along():
    swing = supple.Path(
        keyframes=(supple.Keyframe(time=0.0), supple.Keyframe(time=0.2, offset=(0.0, 0.0, 0.8)))
    )
    pole = supple.Capsule(
        start=(-0.5, -0.03, 0.0), end=(0.5, -0.03, 0.0), radius=0.006, at=(0, 0, -0.3), motion=swing
    )
    hung = scarf(plane="xy", at=(0.0, 0.0, 0.0)).pinned("top-left", "top-right")
    simulation = supple.Simulation(supple.Scene(hung, pole, gravity=(0.0, 0.0, 0.0)))
    for _ in range(10):
        simulation.step()
    middle = simulation.positions("scarf").reshape(5, 11, 3)[:, 4:7]
    assert middle[:, :, 2].max() > 0.2


def test_thickness_of_a_solid_is_found_for_shapes_and_meshes():
    angles = np.linspace(0.0, np.pi, 13)
    vertices, triangles = turned_part(np.stack([0.2 * np.sin(angles), -0.2 * np.cos(angles)], axis=1), 24)
    ball = supple.Mesh(vertices=vertices, triangles=triangles)
    declared = (
        supple.Plane(), supple.Sphere(radius=0.3), supple.Ellipsoid(radii=(0.3, 0.1, 0.2)),
        supple.Box(size=(0.2, 0.4, 0.6)), POLE, supple.Torus(radius=0.3, tube=0.05), ball,
    )  # fmt: skip
    solids = Solids.of(declared)
    boxes = [np.array([v.min(axis=0), v.max(axis=0)]) for v, _ in (part.surface() for part in declared)]
    radii = [inner_radius(solids, n, box) for n, box in enumerate(boxes)]
    np.testing.assert_allclose(radii[:6], [np.inf, 0.3, 0.1, 0.1, 0.008, 0.05])
    assert 0.1 < radii[6] <= 0.2  # maps need not know the distance deep inside


def test_only_what_fits_between_points_counts_as_thin():
    world = build_world(supple.Scene(scarf()))
    found = ThinSolids(world, np.array([0.2, 0.01, 0.072, 0.0706]), np.array([True, True, True, True]))
    assert found.indices.tolist() == [1, 3]  # half of a diagonal of ten centimetres is 70.7 mm
    assert not ThinSolids(world, np.array([0.2]), np.array([True])).is_active
    assert not ThinSolids(world, np.array([0.01]), np.array([False])).is_active


@pytest.mark.parametrize(
    "solid",
    [
        supple.Sphere(radius=0.01),
        supple.Capsule(start=(-0.3, 0.0, 0.0), end=(0.3, 0.1, 0.0), radius=0.02),
        supple.Box(size=(0.02, 0.3, 0.1)),
    ],
    ids=lambda solid: solid.kind,
)
def test_the_nearest_place_of_a_triangle_is_found_with_and_without_the_compiler(solid):
    rng = np.random.default_rng(3)
    shapes = Solids.of((solid,))
    w = rng.dirichlet((1.0, 1.0, 1.0), 400)
    w = np.concatenate([w, np.eye(3), [(t, 1.0 - t, 0.0) for t in np.linspace(0.0, 1.0, 40)]])
    errors = []
    for n in range(40):
        triangle = 0.1 * rng.standard_normal((3, 3))
        corners = [tuple(corner) for corner in triangle.tolist()]
        wa, wb, wc, least = nearest_on_triangle(shapes, 0, *corners, 1.0)
        places = w @ triangle
        brute = min(face_contact.distance_at(shapes, 0, tuple(place)) for place in places.tolist())
        errors.append(least - brute)
        place = tuple(np.array([wa, wb, wc]) @ triangle)
        assert wa + wb + wc == pytest.approx(1.0) and min(wa, wb, wc) >= 0.0
        assert face_contact.distance_at(shapes, 0, place) == pytest.approx(least, abs=1e-12)
        if n < 5:
            by_hand = nearest_on_triangle.py_func(shapes, 0, *corners, 1.0)
            np.testing.assert_allclose(by_hand, (wa, wb, wc, least), atol=1e-9)
    assert max(errors) < 5e-4


def test_faces_are_moved_by_hand_as_by_the_compiler():
    scene = supple.Scene(scarf(at=(0.03, 0.012, 0.02), velocity=(0.0, -3.0, 0.0)), POLE)
    recorded = []

    def record(*arguments):
        recorded.append(copy.deepcopy(arguments))
        return collide_faces(*arguments)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("supple.collide.edge_contact.face_contact.collide_faces", record)
        supple.Simulation(scene, substeps=4).step()
    moved = 0
    for arguments in recorded[:4]:
        copies = [copy.deepcopy(arguments) for _ in range(2)]
        count = collide_faces(*copies[0])
        moved += count
        assert count == collide_faces.py_func(*copies[1])
        np.testing.assert_allclose(copies[0][4].positions, copies[1][4].positions, atol=1e-12)
    assert moved > 0


def test_a_bar_that_is_led_over_a_pinned_edge_does_not_fling_the_cloth_away():
    cloth = supple.Cloth.rectangle(
        width=0.6, height=0.4, columns=3, rows=2, plane="xz", at=(0.0, 0.5, 0.0), material="denim"
    ).pinned("top", "bottom-left")
    way = tuple(
        supple.Keyframe(time=t, offset=(0.0, y, 0.0)) for t, y in ((0.0, -0.3), (0.1, 0.3), (0.2, -0.3))
    )
    bar = supple.Box(
        size=(0.3, 0.02, 0.02), at=(0.0, 0.5, -0.2), motion=supple.Path(keyframes=way, repeat=True)
    )
    simulation = supple.Simulation(supple.Scene(cloth, bar))
    for _ in range(30):
        simulation.step()
        # The bar moves at 6 m/s; the free corners once swung round the pins at more than a thousand.
        assert np.abs(simulation.velocities("cloth")).max() < 60.0


def test_cloth_that_grows_until_a_pole_fits_between_its_points_is_caught_from_a_file_too(tmp_path):
    cloth = supple.Cloth.rectangle(width=0.3, height=0.3, columns=7, rows=7, plane="xz", at=(0.0, 0.5, 0.0))
    pole = supple.Capsule(start=(-0.5, 0.0, 0.0), end=(0.5, 0.0, 0.0), radius=0.05)
    simulation = supple.Simulation(supple.Scene(cloth, pole))
    assert not simulation.engine.obstacles.face_contact.is_active
    simulation.shrink("cloth", ratio=2.0, seconds=0.1)
    for _ in range(8):
        simulation.step()
    assert simulation.engine.obstacles.face_contact.is_active
    simulation.save(tmp_path / "grown.npz")
    loaded = supple.Simulation.load(tmp_path / "grown.npz")
    np.testing.assert_array_equal(
        loaded.engine.obstacles.face_contact.triangles, simulation.engine.obstacles.face_contact.triangles
    )
