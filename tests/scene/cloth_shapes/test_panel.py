"""Panels: declared in Python or in a file, flat at rest, placed and bent at the start."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import supple
from supple.model.world import build_world
from supple.scene.files.toml_reader import parse_scene

BIB = [
    {"at": [-0.2, 0.0], "edge": "hem"},
    [0.2, 0.0],
    {"at": [0.15, 0.5], "edge": "neck", "curve": [[0.08, 0.3], [-0.08, 0.3]]},
    [-0.15, 0.5],
]
"""A piece with a cubic neckline, drawn counter-clockwise."""


def message_of(**values):
    with pytest.raises(supple.SceneError) as caught:
        supple.Cloth.panel(**{"size": 0.05, "outline": BIB, **values})
    return str(caught.value)


def test_edges_corners_and_the_outline_have_names():
    bib = supple.Cloth.panel(outline=BIB, size=0.03)
    assert bib.names[:4] == ("hem", "edge-1", "neck", "edge-3")
    assert bib.names[4:] == ("outline", "corner-0", "corner-1", "corner-2", "corner-3")
    points = bib.local_points()
    hem = points[bib.edge_chain("hem")]
    assert np.allclose(hem[:, 1], 0.0)
    assert (np.diff(hem[:, 0]) > 0.0).all()
    assert np.allclose(points[bib.indices("corner-2")], [[0.15, 0.5, 0.0]])
    assert bib.edge_chain("neck")[[0, -1]].tolist() == [*bib.indices("corner-2"), *bib.indices("corner-3")]
    rim = set().union(*(bib.edge_chain(name).tolist() for name in bib.edge_names))
    assert sorted(rim) == bib.indices("outline").tolist()


def test_the_neckline_follows_the_curve():
    bib = supple.Cloth.panel(outline=BIB, size=0.02)
    neck = bib.local_points()[bib.edge_chain("neck")]
    t = np.linspace(0.0, 1.0, 2001)[:, None]
    controls = np.array([[0.15, 0.5], [0.08, 0.3], [-0.08, 0.3], [-0.15, 0.5]])
    weights = np.hstack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3])
    curve = weights @ controls
    nearest = np.linalg.norm(neck[:, None, :2] - curve, axis=2).min(axis=1)
    assert nearest.max() < 2e-4
    steps = np.linalg.norm(np.diff(neck, axis=0), axis=1)
    assert steps.max() < 1.02 * steps.min()


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("arc", [0.08, -0.08, -0.3])
def test_arcs_are_parts_of_circles_standing_out_to_the_left(arc, direction):
    ends = [[0.0, 0.0], [0.4, 0.0]]
    corners = [{"at": ends[0], "arc": arc, "edge": "arc"}, ends[1], [0.4, 1.0], [0.0, 1.0]]
    if direction == -1:  # the same piece drawn the other way: left is right
        corners = [[0.0, 1.0], [0.4, 1.0], {"at": ends[1], "arc": -arc, "edge": "arc"}, ends[0]]
    piece = supple.Cloth.panel(outline=corners, size=0.02)
    points = piece.local_points()[piece.edge_chain("arc"), :2]
    radius = 0.5 * abs(arc) + 0.2**2 / (2.0 * abs(arc))
    centre = np.array([0.2, arc - math.copysign(radius, arc)])
    assert np.allclose(np.linalg.norm(points - centre, axis=1), radius, rtol=1e-12)
    assert points[np.argmax(np.abs(points[:, 1])), 1] == pytest.approx(arc, rel=0.02)
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    assert steps.max() == pytest.approx(steps.min())
    length = radius * 4.0 * math.atan(abs(arc) / 0.2)
    assert steps.sum() == pytest.approx(length, rel=2e-3)


def test_two_half_circles_are_a_disc():
    disc = supple.Cloth.panel(
        outline=[{"at": [-0.3, 0], "arc": -0.3}, {"at": [0.3, 0], "arc": -0.3}], size=0.01
    )
    world = build_world(supple.Scene(disc))
    assert world.particles.masses.sum() == pytest.approx(0.15 * math.pi * 0.3**2, rel=1e-3)


@pytest.mark.parametrize("is_clockwise", [False, True])
def test_triangles_turn_like_the_outline(is_clockwise):
    outline = BIB if not is_clockwise else [[-0.2, 0.0], [-0.15, 0.5], [0.15, 0.5], [0.2, 0.0]]
    piece = supple.Cloth.panel(outline=outline, size=0.05)
    a, b, c = piece.local_points()[piece.surface_triangles()].transpose(1, 0, 2)
    normals = np.cross(b - a, c - a)[:, 2]
    assert ((normals < 0.0) if is_clockwise else (normals > 0.0)).all()
    chain = piece.local_points()[piece.edge_chain("edge-3")]
    assert np.allclose(chain[0, :2], outline[3] if is_clockwise else [-0.15, 0.5])


@pytest.mark.parametrize("direction", [1, -1])
def test_holes_may_be_drawn_in_either_direction(direction):
    hole = [[0.0, 0.1], [0.06, 0.1], [0.06, 0.16], [0.0, 0.16]][::direction]
    piece = supple.Cloth.panel(outline=BIB, size=0.03, holes=[hole])
    points = piece.local_points()[:, :2]
    for number in range(4):
        chain = points[piece.edge_chain(f"hole-0-edge-{number}")]
        assert np.allclose(chain[0], hole[number])
        assert np.allclose(chain[-1], hole[(number + 1) % 4])
    rim = points[piece.indices("hole-0")]
    assert np.allclose(rim.min(axis=0), [0.0, 0.1])
    assert np.allclose(rim.max(axis=0), [0.06, 0.16])
    inside = np.all((points > [0.001, 0.101]) & (points < [0.059, 0.159]), axis=1)
    assert not inside.any()


def test_a_file_and_python_build_equal_panels():
    scene = parse_scene("""
        [cloth.bib]
        at = [0.0, 1.0, 0.0]
        pin = ["neck"]
        [cloth.bib.panel]
        size = 0.04
        outline = [
            { at = [-0.2, 0.0], edge = "hem" },
            [0.2, 0.0],
            { at = [0.15, 0.5], edge = "neck", curve = [[0.08, 0.3], [-0.08, 0.3]] },
            [-0.15, 0.5],
        ]
        holes = [[[0.0, 0.1], [0.06, 0.1], [0.03, 0.16]]]
        wrap = { radius = 0.2, axis = "y" }
    """)
    bib = supple.Cloth.panel(
        name="bib",
        outline=BIB,
        size=0.04,
        holes=[[[0.0, 0.1], [0.06, 0.1], [0.03, 0.16]]],
        wrap=supple.Wrap(radius=0.2),
        at=(0.0, 1.0, 0.0),
    )
    assert scene == supple.Scene(bib.pinned("neck"))


def test_an_array_of_corners_is_an_outline():
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    assert supple.Panel(outline=corners, size=0.2) == supple.Panel(outline=corners.tolist(), size=0.2)


# ---------------------------------------------------------------- rest and start


def test_a_wrapped_panel_lies_on_a_cylinder_and_is_flat_at_rest():
    radius = 0.12
    square = [[-0.2, -0.2], [0.2, -0.2], [0.2, 0.2], [-0.2, 0.2]]
    flat = supple.Cloth.panel(outline=square, size=0.03)
    bent = supple.Cloth.panel(outline=square, size=0.03, wrap={"radius": radius}, at=(0.0, 1.0, 0.5))
    start = bent.start_points() - [0.0, 1.0, 0.5]
    assert np.allclose(np.hypot(start[:, 0], start[:, 2] + radius), radius, rtol=1e-12)
    assert np.allclose(start[:, 1], flat.local_points()[:, 1])
    angle = np.arctan2(start[:, 0], start[:, 2] + radius)
    assert np.allclose(angle * radius, flat.local_points()[:, 0], atol=1e-15)
    worlds = [build_world(supple.Scene(body)) for body in (flat, bent)]
    assert np.array_equal(worlds[0].springs.rest_lengths, worlds[1].springs.rest_lengths)
    assert np.array_equal(worlds[0].particles.masses, worlds[1].particles.masses)
    assert np.array_equal(worlds[0].bends.weights, worlds[1].bends.weights)
    assert (worlds[1].bends.rest_lengths == 0.0).all()
    assert np.allclose(worlds[1].particles.rest_positions, flat.translated((0.0, 1.0, 0.5)).start_points())


def test_wrapping_hardly_compresses_and_stores_the_energy_of_the_bend():
    radius, area = 0.1, 0.5 * 0.4
    material = supple.Material(
        area_density=0.2, stretch_stiffness=1000.0, shear_stiffness=1000.0, bending_stiffness=1e-3
    )
    sheet = [[-0.25, 0.0], [0.25, 0.0], [0.25, 0.4], [-0.25, 0.4]]
    for axis, centre in (("y", 0.0), ("x", 0.2)):
        wrap = {"radius": radius, "axis": axis, "centre": centre}
        bent = supple.Cloth.panel(outline=sheet, size=0.01, wrap=wrap, material=material)
        world = build_world(supple.Scene(bent))
        ends, rest = world.springs.ends, world.springs.rest_lengths
        lengths = np.linalg.norm(np.diff(world.particles.positions[ends], axis=1)[:, 0], axis=1)
        assert np.abs(lengths / rest - 1.0).max() < (0.015 / radius) ** 2 / 24
        vectors = np.einsum("ba,bax->bx", world.bends.weights, world.particles.positions[world.bends.points])
        energy = 0.5 * np.sum(world.bends.stiffness * np.sum(vectors**2, axis=1))
        # Half the stiffness times the curvature squared; the rim, which has no hinge, is missing.
        assert energy == pytest.approx(0.5 * 1e-3 / radius**2 * area, rel=0.1)


def test_mass_is_density_times_area():
    world = build_world(supple.Scene(supple.Cloth.panel(outline=[[0, 0], [1, 0], [0, 2]], size=0.07)))
    assert world.particles.masses.sum() == pytest.approx(0.15 * 1.0, rel=1e-12)


@pytest.mark.parametrize("angle_deg", [0.0, 37.0, 90.0])
def test_a_panel_stretches_as_its_modulus_says_in_every_direction(angle_deg):
    strain, modulus = 1e-4, 500.0
    material = supple.Material(
        area_density=0.2, stretch_stiffness=modulus, shear_stiffness=0.0, bending_stiffness=0.0
    )
    outline = [[0, 0], [0.6, 0.1], [0.5, 0.5], [0.1, 0.6]]
    world = build_world(supple.Scene(supple.Cloth.panel(outline=outline, size=0.02, material=material)))
    points = world.particles.positions[:, :2]
    pull = np.array([math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))])
    across = np.array([-pull[1], pull[0]])
    # Equilateral springs thin by a third of what they are pulled.
    moved = points + strain * np.outer(points @ pull, pull) - strain / 3.0 * np.outer(points @ across, across)
    ends, rest = world.springs.ends, world.springs.rest_lengths
    lengths = np.linalg.norm(np.diff(moved[ends], axis=1)[:, 0], axis=1)
    energy = 0.5 * np.sum(world.springs.stiffness * (lengths - rest) ** 2)
    area = world.particles.masses.sum() / 0.2
    assert energy == pytest.approx(0.5 * modulus * strain**2 * area, rel=0.02)


def test_a_wrapped_panel_let_go_in_space_opens():
    sheet = [[-0.1, 0.0], [0.1, 0.0], [0.1, 0.1], [-0.1, 0.1]]
    material = supple.Material(
        area_density=0.1, stretch_stiffness=500.0, shear_stiffness=100.0, bending_stiffness=2e-3
    )
    roll = supple.Cloth.panel(outline=sheet, size=0.02, wrap={"radius": 0.06}, material=material)
    simulation = supple.Simulation(supple.Scene(roll, gravity=(0.0, 0.0, 0.0), drag=5.0))
    before = np.ptp(simulation.positions("cloth")[:, 2])
    for report in simulation.run(1.0):
        assert report.is_finite
    assert np.ptp(simulation.positions("cloth")[:, 2]) < 0.2 * before
    assert np.ptp(simulation.positions("cloth")[:, 0]) == pytest.approx(0.2, rel=0.02)


def test_pins_by_edge_name_hold_the_edge():
    bib = supple.Cloth.panel(outline=BIB, size=0.04, rotation_deg=(90, 0, 0)).pinned("neck", "corner-0")
    simulation = supple.Simulation(supple.Scene(bib))
    start = bib.start_points()
    for _ in simulation.run(0.4):
        pass
    held = bib.indices(["neck", "corner-0"])
    assert np.array_equal(simulation.positions("cloth")[held], start[held])
    assert np.abs(simulation.positions("cloth") - start).max() > 0.05


def test_a_saved_panel_continues_bit_by_bit(tmp_path):
    scene = supple.Scene(supple.Cloth.panel(outline=BIB, size=0.06, wrap={"radius": 0.2}).pinned("neck"))
    simulation = supple.Simulation(scene)
    for _ in simulation.run(0.1):
        pass
    simulation.save(tmp_path / "bib.npz")
    again = supple.Simulation.load(tmp_path / "bib.npz")
    assert again.scene == scene
    simulation.step()
    again.step()
    assert np.array_equal(again.positions("cloth"), simulation.positions("cloth"))


# ---------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"outline": [[0, 0], [1, 1], [1, 0], [0, 1]]}, '`cloth.panel.outline[2]` starts the edge "edge-2", which meets'),
        ({"outline": [[0, 0], [1, 0]]}, "has 2 corners, but it needs at least three"),
        ({"outline": []}, "has 0 corners"),
        ({"outline": [[0, 0], [1, 0], [1, 0], [0, 1]]}, "`cloth.panel.outline[1]` starts an edge of 0 m"),
        ({"outline": [[0, 0], [1, 0], [2, 0]]}, "must not cross or touch itself"),
        ({"outline": [[0, 0], [2, 0], [1, 1], [1, 0], [0, 1]]}, "must not cross or touch itself"),
        ({"outline": [[0, 0], [1, 0], ["a", 1]]}, "`cloth.panel.outline[2].at` holds \"a\""),
        ({"outline": [[0, 0], [1, 0], [math.nan, 1]]}, "`cloth.panel.outline[2].at` holds nan"),
        ({"outline": [[0, 0], [1, 0], [1e9, 1]]}, "no coordinate may be farther out than 100 km"),
        ({"outline": [[0, 0], [1, 0], {"at": [0, 1], "curve": [[0, 0]] * 3}]}, "has 3 control points"),
        ({"outline": [[0, 0], [1, 0], {"at": [0, 1], "bend": 1}]}, "`cloth.panel.outline[2].bend` is not known"),
        ({"outline": [{"at": [0, 0], "edge": "a"}, {"at": [1, 0], "edge": "a"}, [0, 1]]}, '"a", which is the name of'),
        ({"outline": [{"at": [0, 0], "edge": "corner-1"}, [1, 0], [0, 1]]}, '"corner-1", which is the name of another'),
        ({"outline": [[0, 0], {"at": [1, 0], "curve": [[-2, 2], [3, 2]]}, [0, 1]]}, '"edge-1", which crosses itself'),
        ({"outline": [[0, 0], [1, 0], {"at": [0, 1], "curve": [[0, 0]], "arc": 1}]}, "outline[2].arc` stands beside"),
        ({"outline": [[0, 0], {"at": [1, 0], "arc": 0.5}, [1, 0]]}, "starts an edge of 0 m"),
        ({"outline": 7}, "`cloth.panel.outline` is 7, but it must be a list"),
        ({"size": 0.0}, "`cloth.panel.size` is 0.0, but it must be at least 1e-05"),
        ({"size": 1e-4}, "points, but a panel may have"),
        ({"holes": [[[2, 2], [3, 2], [2, 3]]]}, "`cloth.panel.holes[0]` lies outside of the outline"),
        ({"holes": [[[0, 0.1], [0.3, 0.1], [0, 0.2]]]}, "`cloth.panel.holes[0][0]` starts the edge"),
        ({"holes": [[[-0.1, 0.1], [0.1, 0.1], [0, 0.25]], [[-0.01, 0.12], [0.01, 0.12], [0, 0.14]]]}, "within the hole 0"),
        ({"wrap": {"radius": 0.05}}, "a piece 0.4 m wide goes round more than once. It needs at least 0.06366 m"),
        ({"wrap": {"radius": 0.0}}, "`cloth.panel.wrap.radius` is 0.0"),
        ({"wrap": {"radius": 1.0, "axis": "z"}}, "`cloth.panel.wrap.axis` is \"z\""),
        ({"pins": ["nek"]}, 'Did you mean "neck"?'),
    ],
)  # fmt: skip
def test_mistakes_say_what_and_where(values, told):
    assert told in message_of(**values)


def test_names_of_a_panel_with_a_mistake_are_not_judged():
    assert message_of(outline=[[0, 0], [1, 1], [1, 0], [0, 1]], pins=["neck"]).count("`") == 2


NUMBERS = st.floats(allow_nan=True) | st.integers(-3, 3) | st.floats(-1.0, 1.0)
CORNERS = st.lists(
    st.lists(NUMBERS, min_size=2, max_size=2)
    | st.fixed_dictionaries(
        {"at": st.lists(st.floats(-1.0, 1.0), min_size=2, max_size=2)},
        optional={"curve": st.lists(st.lists(NUMBERS, min_size=2, max_size=2), max_size=3), "edge": st.text(max_size=3)},
    ),
    max_size=7,
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(outline=CORNERS, size=st.floats(0.05, 1.0) | NUMBERS, holes=st.lists(CORNERS, max_size=2))
def test_any_outline_is_a_panel_or_a_scene_error(outline, size, holes):
    try:
        panel = supple.Panel(outline=outline, size=size, holes=holes)
    except supple.SceneError as error:
        assert error.mistakes
    else:
        areas = np.cross(*(panel.local_points()[panel.surface_triangles()][:, [[1], [2]]].transpose(2, 1, 0, 3)[0]
                           - panel.local_points()[panel.surface_triangles()[:, 0]]))[:, 2]  # fmt: skip
        assert (areas > 0.0).all() or (areas < 0.0).all()
