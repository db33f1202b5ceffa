"""Bridges: sides and faces of coarse cloth over edges and corners of solids."""

import math

import numpy as np
import pytest

import supple
from supple.collide.edge_contact.closest_points import lowest_on_side, tangents_meet
from supple.collide.edge_contact.edge_contact import add_ways
from supple.collide.edge_contact.sharp_edges import has_sharp_edges, least_bend
from supple.collide.obstacles.signed_distance import distance_to
from supple.collide.obstacles.solid_arrays import Solids
from supple.scene.obstacles.tessellate import swept
from tests.collide.inside import deepest_place

GROUND = supple.Plane(friction=0.4)
BOX = supple.Box(size=(0.4, 0.3, 0.4), at=(0.0, 0.15, 0.0), friction=0.4)


def pyramid(height=0.3):
    """Return a spike on a square of 0.3 m, as a mesh."""
    base = 0.15 * np.array([(-1.0, 0.0, -1.0), (1.0, 0.0, -1.0), (1.0, 0.0, 1.0), (-1.0, 0.0, 1.0)])
    vertices = np.vstack([base, (0.0, height, 0.0)])
    return vertices, np.array([(0, 4, 1), (1, 4, 2), (2, 4, 3), (3, 4, 0), (0, 1, 2), (0, 2, 3)])


def draped(*obstacles, columns=17, material="cotton", self_contact="off", **settings):
    """Return a sheet of 1 m, with points 6 cm apart, that falls on obstacles."""
    cloth = supple.Cloth.rectangle(
        width=1.0, height=1.0, columns=columns, rows=columns, plane="xz", at=(0.05, 0.45, 0.03),
        rotation_deg=(0.0, 20.0, 0.0), material=material, name="sheet",
    ).changed(self_contact=self_contact)  # fmt: skip
    return supple.Simulation(supple.Scene(cloth, *obstacles, drag=0.5), **settings)


SOLIDS = {
    "box": BOX,
    "turned box": supple.Box(
        size=(0.3, 0.3, 0.3), at=(0.0, 0.2, 0.0), rotation_deg=(35.0, 0.0, 45.0), friction=0.4
    ),
    "cylinder": supple.Cylinder(start=(0.0, 0.0, 0.0), end=(0.0, 0.3, 0.0), radius=0.2, friction=0.4),
    "spike": supple.Mesh(pyramid(), friction=0.4),
}


@pytest.mark.parametrize("name", list(SOLIDS))
def test_nothing_pokes_through_coarse_cloth(name):
    simulation = draped(GROUND, SOLIDS[name])
    worst = -math.inf
    for report in simulation.run(2.0):
        assert report.is_finite
        worst = max(worst, deepest_place(simulation, "sheet"))
    assert worst < 5e-3  # for a moment, when it lands with 2 m/s
    assert deepest_place(simulation, "sheet") < 9e-4


def test_without_a_look_at_sides_and_faces_the_edges_of_a_box_poke_through():
    simulation = draped(GROUND, BOX, integrator="filter")
    simulation.engine.obstacles.edge_contact.is_active = False
    for _ in simulation.run(1.5):
        pass
    assert deepest_place(simulation, "sheet") > 0.01


@pytest.mark.parametrize(
    ("integrator", "self_contact", "material", "speed"),
    [
        ("descent", "off", "cotton", 0.02),
        ("descent", "off", "silk", 0.03),
        ("descent", "exact", "cotton", 0.02),
        ("xpbd", "off", "cotton", 0.05),
        ("jacobi", "off", "cotton", 0.05),
    ],
)
def test_cloth_that_hangs_over_the_edges_of_a_box_comes_to_rest(integrator, self_contact, material, speed):
    simulation = draped(GROUND, BOX, self_contact=self_contact, material=material, integrator=integrator)
    for _ in simulation.run(5.0):
        pass
    # Places that forgot what they carried trembled at 0.05 to 0.3 m/s.
    assert np.sqrt((simulation.velocities("sheet") ** 2).sum(axis=1).mean()) < speed
    assert deepest_place(simulation, "sheet") < 1.2e-3


def test_a_box_that_is_lifted_and_turned_takes_the_cloth_along():
    path = supple.Path(
        keyframes=(
            supple.Keyframe(time=0.0),
            supple.Keyframe(time=0.8),
            supple.Keyframe(time=1.6, offset=(0.0, 0.6, 0.0), rotation_deg=(0.0, 60.0, 0.0)),
        )
    )
    moving = supple.Box(size=(0.4, 0.3, 0.4), at=(0.0, 0.15, 0.0), friction=0.6, motion=path)
    simulation = draped(moving)
    for report in simulation.run(1.7):
        assert report.is_finite
        assert deepest_place(simulation, "sheet") < 2e-3
    assert simulation.positions("sheet")[:, 1].max() > 0.85


def test_a_table_feels_the_weight_that_its_edges_bear():
    table, ground = BOX.model_copy(update={"name": "table"}), GROUND.model_copy(update={"name": "ground"})
    jelly = supple.SoftBody.box(size=(0.1, 0.1, 0.1), cell=0.05, at=(2.0, 0.051, 0.0))
    cloth = supple.Cloth.rectangle(
        width=0.7, height=0.7, columns=11, rows=11, plane="xz", at=(0.0, 0.32, 0.0), name="sheet"
    )
    simulation = supple.Simulation(supple.Scene(cloth, jelly, table, ground, drag=2.0))
    forces = [simulation.tool_force("table")[1] for _ in simulation.run(4.0)]
    weight = 9.81 * simulation.masses("sheet").sum()
    assert simulation.engine.obstacles.edge_contact.places.count > 5
    np.testing.assert_allclose(-np.mean(forces[-50:]), weight, rtol=0.05)


def test_a_saved_state_goes_on_bit_for_bit(tmp_path):
    simulation = draped(GROUND, BOX, self_contact="exact")
    for _ in simulation.run(0.6):
        pass
    assert simulation.engine.obstacles.edge_contact.places.count > 5
    simulation.save(tmp_path / "draped.state")
    loaded = supple.Simulation.load(tmp_path / "draped.state")
    for _ in range(10):
        simulation.step()
        loaded.step()
    np.testing.assert_array_equal(simulation.positions("sheet"), loaded.positions("sheet"))


def test_a_pin_inside_of_a_box_leaves_the_cloth_finite():
    cloth = supple.Cloth.rectangle(
        width=0.6, height=0.6, columns=9, rows=9, plane="xz", at=(0.45, 0.2, 0.0), name="sheet"
    )
    simulation = supple.Simulation(supple.Scene(cloth.pinned("left"), BOX, GROUND, drag=1.0))
    for report in simulation.run(2.0):
        assert report.is_finite
    assert report.max_stretch < 1.2 and np.abs(simulation.velocities("sheet")).max() < 0.5


def test_a_cut_over_the_edge_of_a_box_goes_on():
    simulation = draped(GROUND, BOX)
    for _ in simulation.run(0.6):
        pass
    simulation.cut("sheet", plane=((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)))
    for report in simulation.run(0.6):
        assert report.is_finite
    assert all(deepest_place(simulation, name) < 2e-3 for name in simulation.body_names)


def test_sides_go_on_carrying_while_a_band_of_the_cloth_shrinks():
    """If what they carry were forgotten in every frame, the cloth would fall onto the edges anew each time."""
    simulation = draped(GROUND, BOX, integrator="xpbd")
    for _ in simulation.run(1.0):
        pass
    simulation.shrink("sheet", points=range(17), ratio=0.9, seconds=1.0)
    simulation.step()
    edges = simulation.engine.obstacles.edge_contact
    carried = edges.places.arrays.befores[: edges.places.count].copy()
    surface = edges.surface
    simulation.step()
    assert edges.surface is surface and np.count_nonzero(carried) > 3
    for report in simulation.run(1.0):
        assert report.is_finite
    assert deepest_place(simulation, "sheet") < 2e-3


# ---------------------------------------------------------------- the parts of it


def solid(obstacle):
    """Return an obstacle as kernels want it, in its own axes."""
    return Solids.of((obstacle,), None, 1.0)


def test_the_nearest_place_of_a_side_is_found_where_tangents_meet():
    shapes = solid(supple.Box(size=(0.4, 0.3, 0.4)))
    random = np.random.default_rng(3)
    found = 0
    while found < 40:
        p, q = (tuple(random.uniform(-0.35, 0.35, 3)) for _ in range(2))
        at_p, at_q = distance_to(shapes, 0, *p), distance_to(shapes, 0, *q)
        if min(at_p[0], at_q[0]) < 1e-3:
            continue
        t = np.linspace(0.0, 1.0, 4001)
        places = np.outer(1.0 - t, p) + np.outer(t, q)
        distances = np.array([distance_to(shapes, 0, *place)[0] for place in places])
        found += distances.min() < 0.0
        for kernel in (lowest_on_side, lowest_on_side.py_func):
            share, least, *away = kernel(shapes, 0, p, q, at_p, at_q, 1e-3)
            assert abs(np.dot(away, np.subtract(q, p))) < 1e-12  # across the side
            if distances.min() < 1e-3:  # others are not searched to the end
                assert abs(least - distances.min()) < 2e-4
                assert abs(np.interp(share, t, distances) - distances.min()) < 2e-4
            else:
                assert least > 1e-3


def test_tangents_at_three_corners_meet_above_the_corner_of_a_box():
    shapes = solid(supple.Box(size=(2.0, 2.0, 2.0)))
    a, b, c = (1.001, 0.7, 0.8), (0.75, 1.001, 0.7), (0.8, 0.85, 1.001)
    at = [distance_to(shapes, 0, *corner) for corner in (a, b, c)]
    for kernel in (tangents_meet, tangents_meet.py_func):
        wb, wc = kernel(a, b, c, *at)
        place = (1.0 - wb - wc) * np.array(a) + wb * np.array(b) + wc * np.array(c)
        # There the triangle is equally deep below all three faces, and nowhere deeper.
        np.testing.assert_allclose(place, place[0], atol=1e-12)
        assert min(wb, wc, 1.0 - wb - wc) > 0.0 and place[0] < 1.0
    flat = [distance_to(shapes, 0, x, 1.001, z) for x, z in ((0.0, 0.0), (0.1, 0.0), (0.0, 0.1))]
    corners = ((0.0, 1.001, 0.0), (0.1, 1.001, 0.0), (0.0, 1.001, 0.1))
    assert math.isnan(tangents_meet(*corners, *flat)[0])


def test_paths_are_never_shorter_than_the_way():
    random = np.random.default_rng(5)
    places = random.normal(size=(6, 3))
    for kernel in (add_ways, add_ways.py_func):
        last, paths, here = places.copy(), np.zeros(6), places.copy()
        for _ in range(5):
            here = here + random.normal(size=(6, 3))
            here[0] = places[0]
            kernel(here, last, paths)
            assert (paths >= np.linalg.norm(here - places, axis=1)).all()
        assert paths[0] == 0.0


def test_meshes_with_edges_are_told_from_smooth_ones():
    vertices, triangles = pyramid()
    assert has_sharp_edges(vertices, triangles)
    angles = np.linspace(-0.5 * math.pi, 0.5 * math.pi, 33)[1:-1]
    ball = swept(np.stack([np.cos(angles), np.sin(angles)], axis=1), 64)
    assert not has_sharp_edges(*ball)
    # A room has edges too, but they point away from what is inside of it.
    assert not has_sharp_edges(vertices, triangles[:, ::-1])


@pytest.mark.parametrize(
    ("obstacle", "radius"),
    [
        (GROUND, math.inf),
        (supple.Sphere(radius=0.2), 0.2),
        (supple.Ellipsoid(radii=(0.1, 0.2, 0.4)), 0.025),
        (BOX, 0.0),
        (supple.Box(size=(1.0, 1.0, 1.0), rounding=0.1), 0.1),
        (supple.Capsule(start=(0, 0, 0), end=(0, 1, 0), radius=0.3), 0.3),
        (SOLIDS["cylinder"], 0.0),
        (supple.Torus(radius=0.5, tube=0.1), 0.1),
        (SOLIDS["spike"], 0.0),
    ],
)
def test_solids_are_known_by_their_sharpest_bend(obstacle, radius):
    assert least_bend(solid(obstacle), 0, obstacle.surface()) == pytest.approx(radius)
