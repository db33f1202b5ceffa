"""Pattern files become cloths and stitches, or errors that say where."""

import copy
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import supple
from supple.scene.cloth_shapes.panel_mesh import smallest_angles
from supple.scene.files.toml_reader import GALLERY, parse_scene
from supple.scene.obstacles.mannequin import figure
from supple.scene.placement import rotation_angles, rotation_matrix

SKIRT = {
    "pattern": {
        "panels": {
            "front": {
                "translation": [0, 80, 15],
                "rotation": [0, 0, 0],
                "vertices": [[-30, 0], [30, 0], [20, 60], [-20, 60]],
                "edges": [
                    {"endpoints": [0, 1], "curvature": [0.5, -0.1]},
                    {"endpoints": [1, 2], "label": "left"},
                    {"endpoints": [2, 3], "curvature": {"type": "quadratic", "params": [[0.5, 0.1]]}},
                    {"endpoints": [3, 0], "curvature": {"type": "cubic", "params": [[0.3, 0.05], [0.7, 0.05]]}},
                ],
            },
            "back": {
                "translation": [0, 80, -15],
                "rotation": [0, 180, 0],
                "vertices": [[-30, 0], [30, 0], [20, 60], [-20, 60]],
                "edges": [{"endpoints": [k, (k + 1) % 4]} for k in range(4)],
            },
        },
        "stitches": [
            [{"panel": "front", "edge": 1}, {"panel": "back", "edge": 3}],
            [{"panel": "front", "edge": 3}, {"panel": "back", "edge": 1}, "right_wrong"],
        ],
        "panel_order": ["front", "back"],
    },
    "parameters": {},
    "parameter_order": [],
    "properties": {"curvature_coords": "relative", "units_in_meter": 100, "normalized_edge_loops": True},
}  # fmt: skip


def written(folder, document):
    path = folder / "skirt.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return path


def edited(*path, value):
    """Return the skirt with one entry replaced, or left out if the value is None."""
    document = copy.deepcopy(SKIRT)
    node = document
    for key in path[:-1]:
        node = node[key]
    if value is None:
        del node[path[-1]]
    else:
        node[path[-1]] = value
    return document


def tunic(**options):
    return supple.Pattern(file=GALLERY / "tunic.json", **{"size": 0.03, **options})


# ---------------------------------------------------------------- what is read


def test_panels_become_cloths_in_metres_turned_and_placed(tmp_path):
    skirt = supple.Pattern(file=written(tmp_path, SKIRT), size=0.05, material="wool")
    assert [cloth.name for cloth in skirt.cloths] == ["skirt-front", "skirt-back"]
    assert [cloth.material for cloth in skirt.cloths] == ["wool", "wool"]
    front, back = skirt.cloths
    assert front.at == (0.0, 0.8, 0.15)
    corners = front.local_points()[[front.indices(f"corner-{k}")[0] for k in range(4)], :2]
    assert np.allclose(corners, [[-0.3, 0.0], [0.3, 0.0], [0.2, 0.6], [-0.2, 0.6]])
    assert np.allclose(back.start_points()[back.indices("corner-0")], [[0.3, 0.8, -0.15]])
    a, b, c = back.start_points()[back.surface_triangles()].transpose(1, 0, 2)
    assert (np.cross(b - a, c - a)[:, 2] < 0.0).all()


def test_curves_are_given_in_fractions_of_the_edge_to_its_left(tmp_path):
    front = supple.Pattern(file=written(tmp_path, SKIRT), size=0.02).cloths[0]
    hem = front.local_points()[front.edge_chain("edge-0")]
    assert hem[:, 1].min() == pytest.approx(0.5 * -0.1 * 0.6, rel=1e-3)  # a parabola goes half as far
    waist = front.local_points()[front.edge_chain("edge-2")]
    assert waist[:, 1].min() == pytest.approx(0.6 - 0.5 * 0.1 * 0.4, rel=1e-3)
    side = front.local_points()[front.edge_chain("edge-3"), :2]
    along = np.array([-0.1, -0.6])
    left = np.array([-along[1], along[0]])
    depth = ((side - side[0]) @ left / (left @ left)).max()
    assert depth == pytest.approx(0.75 * 0.05, rel=1e-3)  # a cubic with equal arms three quarters


@pytest.mark.parametrize(("is_long", "is_right", "lowest"), [(0, 1, -0.1), (1, True, -0.9), (False, 0, 0.1)])
def test_arcs_are_given_by_radius_and_two_flags(tmp_path, is_long, is_right, lowest):
    # Over 60 cm a circle of 50 cm stands out by 10 cm, or by 90 cm the longer way round.
    document = edited("pattern", "panels", "front", "edges", 0, "curvature",
                      value={"type": "circle", "params": [50, is_long, is_right]})  # fmt: skip
    front = supple.Pattern(file=written(tmp_path, document), size=0.03).cloths[0]
    chain = front.local_points()[front.edge_chain("edge-0"), :2]
    assert chain[np.argmin(np.abs(chain[:, 0])), 1] == pytest.approx(lowest, abs=2e-3)
    centre = np.array([0.0, lowest + (0.5 if is_right else -0.5)])
    assert np.allclose(np.linalg.norm(chain - centre, axis=1), 0.5)


def test_absolute_curves_are_read_too(tmp_path):
    document = edited("properties", "curvature_coords", value="absolute")
    edges = document["pattern"]["panels"]["front"]["edges"]
    edges[0]["curvature"] = [0, -6]
    edges[2]["curvature"]["params"] = [[0, 56]]
    del edges[3]["curvature"]
    front = supple.Pattern(file=written(tmp_path, document), size=0.02).cloths[0]
    assert front.local_points()[:, 1].min() == pytest.approx(-0.03, rel=1e-3)


def test_stitches_name_cloths_and_edges(tmp_path):
    skirt = supple.Pattern(file=written(tmp_path, SKIRT), size=0.05, name="kilt")
    first, second = skirt.stitches
    assert (first.a, first.b, first.direction) == (
        ("kilt-front", "left"),
        ("kilt-back", "edge-3"),
        "opposite",
    )
    assert (second.a, second.b, second.direction) == (
        ("kilt-front", "edge-3"),
        ("kilt-back", "edge-1"),
        "same",
    )


@pytest.mark.parametrize("units", [1, 100, 1000])
def test_units_per_metre_scale_everything(tmp_path, units):
    document = copy.deepcopy(SKIRT)
    document["properties"]["units_in_meter"] = units
    for panel in document["pattern"]["panels"].values():
        panel["vertices"] = [[units / 100 * x for x in vertex] for vertex in panel["vertices"]]
        panel["translation"] = [units / 100 * x for x in panel["translation"]]
    skirt = supple.Pattern(file=written(tmp_path, document), size=0.1)
    plain = supple.Pattern(file=written(tmp_path, SKIRT), size=0.1)
    for one, other in zip(skirt.cloths, plain.cloths, strict=True):
        assert np.allclose(one.start_points(), other.start_points())


def test_rotations_are_about_fixed_axes_in_degrees(tmp_path):
    document = edited("pattern", "panels", "front", "rotation", value=[20, -30, 40])
    front = supple.Pattern(file=written(tmp_path, document), size=0.1).cloths[0]
    turned = Rotation.from_euler("xyz", [20, -30, 40], degrees=True).apply(np.array(front.local_points()))
    assert np.allclose(front.start_points(), turned + np.array([0.0, 0.8, 0.15]))


def test_the_whole_pattern_can_be_placed(tmp_path):
    path = written(tmp_path, edited("pattern", "panels", "front", "rotation", value=[20, -30, 40]))
    plain = supple.Pattern(file=path, size=0.1)
    moved = supple.Pattern(file=path, size=0.1, at=(1.0, 0.0, 2.0), rotation_deg=(10, 90, -5))
    turn = Rotation.from_euler("xyz", [10, 90, -5], degrees=True)
    for one, other in zip(moved.cloths, plain.cloths, strict=True):
        assert np.allclose(one.start_points(), turn.apply(other.start_points()) + np.array([1.0, 0.0, 2.0]))


@given(
    st.tuples(*[st.floats(-7.0, 7.0)] * 3)
    | st.tuples(st.floats(-7, 7), st.just(math.pi / 2), st.floats(-7, 7))
)
def test_angles_give_the_matrix_back(angles):
    matrix = rotation_matrix(angles)
    assert np.allclose(rotation_matrix(rotation_angles(matrix)), matrix, atol=1e-7)


def test_loops_inside_the_outline_are_holes_and_edges_may_stand_in_any_order(tmp_path):
    document = copy.deepcopy(SKIRT)
    back = document["pattern"]["panels"]["back"]
    back["vertices"] += [[-5, 20], [5, 20], [0, 30]]
    back["edges"] = [back["edges"][k] for k in (0, 2, 1, 3)]
    back["edges"] += [{"endpoints": [4 + k, 4 + (k + 1) % 3]} for k in range(3)]
    cloth = supple.Pattern(file=written(tmp_path, document), size=0.04).cloths[1]
    assert set(cloth.edge_names) == {f"edge-{k}" for k in range(7)}
    chain = cloth.local_points()[cloth.edge_chain("edge-1")]
    assert np.allclose(chain[[0, -1], :2], [[0.2, 0.6], [-0.2, 0.6]])
    hole = cloth.local_points()[cloth.edge_chain("edge-4")]
    assert np.allclose(hole[[0, -1], :2], [[-0.05, 0.2], [0.05, 0.2]])


def test_unknown_fields_are_told_and_passed_over(tmp_path):
    document = copy.deepcopy(SKIRT)
    document["pattern"]["panels"]["front"]["colour"] = "red"
    document["pattern"]["panels"]["front"]["edges"][0]["lable"] = "hem"
    document["pattern"]["stitches"][0].append("zigzag")
    document["wash"] = 40
    del document["properties"]["units_in_meter"]
    with pytest.warns(UserWarning, match="skirt.json: ") as told:
        skirt = supple.Pattern(file=written(tmp_path, document), size=0.1)
    assert len(told) == len(skirt.notes) == 5
    text = "\n".join(skirt.notes)
    assert "`wash` is not known and was passed over." in text
    assert "`pattern.panels.front.colour` is not known" in text
    assert (
        '`pattern.panels.front.edges[0].lable` is not known and was passed over. Did you mean "label"?'
        in text
    )
    assert "`pattern.stitches[0][2]` is not known" in text
    assert "lengths were taken for centimetres" in text
    assert skirt.cloths[0].at == (0.0, 0.8, 0.15)


# ---------------------------------------------------------------- in a scene


def test_a_scene_takes_a_pattern_apart_and_a_file_says_the_same(tmp_path):
    written(tmp_path, SKIRT)
    text = """
        [pattern.kilt]
        file = "skirt.json"
        size = 0.05
        at = [0.0, 0.1, 0.0]
        rotation_deg = [0.0, 30.0, 0.0]
        material = "wool"
        [pattern.kilt.panel.front]
        wrap = { radius = 0.3 }
        size = 0.04
        pin = ["edge-2", { box = [[-1, 0, -1], [1, 1, 1]] }]
        region = [{ at = "left", stretch_stiffness = 5.0 }]
        [pattern.kilt.panel.back]
        material = "silk"
    """
    kilt = supple.Pattern(
        name="kilt",
        file=tmp_path / "skirt.json",
        size=0.05,
        at=(0.0, 0.1, 0.0),
        rotation_deg=(0.0, 30.0, 0.0),
        material="wool",
        panels={
            "front": {
                "wrap": supple.Wrap(radius=0.3),
                "size": 0.04,
                "pins": ["edge-2", {"box": [[-1, 0, -1], [1, 1, 1]]}],
                "regions": [supple.Region(where="left", stretch_stiffness=5.0)],
            },
            "back": {"material": "silk"},
        },
    )
    scene = supple.Scene(kilt)
    assert parse_scene(text, folder=tmp_path) == scene
    assert [body.name for body in scene.bodies] == ["kilt-front", "kilt-back"]
    assert [stitch.name for stitch in scene.stitches] == ["kilt-stitch-0", "kilt-stitch-1"]
    assert scene.body("kilt-back").material == "silk"


def test_two_garments_of_one_pattern_have_names_of_their_own(tmp_path):
    path = written(tmp_path, SKIRT)
    garments = [supple.Pattern(name=name, file=path, size=0.1) for name in ("one", "two")]
    assert len(supple.Scene(*garments).bodies) == 4
    with pytest.raises(supple.SceneError, match="Names must differ"):
        supple.Scene(garments[0], garments[0])


# ---------------------------------------------------------------- mistakes


def front(*path, value):
    return edited("pattern", "panels", "front", *path, value=value)


def stitched(*ends):
    return edited("pattern", "stitches", 0, value=[{"panel": panel, "edge": edge} for panel, edge in ends])


CIRCLE = {"type": "circle", "params": [1, 0, 0]}
ELLIPSE = {"type": "ellipse", "params": [1, 0, 0]}
SHORT_CUBIC = {"type": "cubic", "params": [[1, 0]]}
CROSSED = [[-30, 0], [30, 60], [20, 0], [-20, 60]]

MISTAKES = [
    ("{", "which is not valid JSON: expecting property name"),
    ("[1]", "`the file` is [1], but it must be a table"),
    ("[" * 100_000, "nested too deeply"),
    ({}, "`pattern` is missing"),
    ({"pattern": {"panels": {}}}, "`pattern.panels` holds no panel"),
    (edited("properties", "units_in_meter", value=0), "`properties.units_in_meter` is 0.0, but it must be"),
    (edited("properties", "curvature_coords", value="polar"), '`properties.curvature_coords` is "polar"'),
    (front("vertices", value=None), "`pattern.panels.front.vertices` is missing"),
    (front("vertices", 2, value=[1]), "`pattern.panels.front.vertices[2]` has 1 entries"),
    (front("vertices", 2, value=[1, "x"]), '`pattern.panels.front.vertices[2]` holds "x"'),
    (front("vertices", 2, value=[1, math.nan]), "`pattern.panels.front.vertices[2]` holds nan"),
    (front("translation", value=[0, 1]), "`pattern.panels.front.translation` has 2 entries"),
    (front("rotation", value="up"), '`pattern.panels.front.rotation` is "up"'),
    (front("edges", 1, value={"endpoints": [1, 9]}), "`pattern.panels.front.edges[1].endpoints` is [1, 9]"),
    (
        front("edges", 1, value={"endpoints": [2, 1]}),
        "front.edges[0]` ends at the vertex 1, where no edge starts",
    ),
    (
        front("edges", 3, value=None),
        "`pattern.panels.front.edges[2]` ends at the vertex 3, where no edge starts",
    ),
    (front("edges", 0, "curvature", value=CIRCLE), "has the radius 1, but the ends of the edge are 60 apart"),
    (
        front("edges", 0, "curvature", value=ELLIPSE),
        'has the type "ellipse", but it must be quadratic, cubic or',
    ),
    (
        front("edges", 0, "curvature", value={"type": "circle"}),
        "is None, but it must be a radius and two flags",
    ),
    (front("edges", 0, "curvature", value=SHORT_CUBIC), "a cubic edge has two control points"),
    (
        front("edges", 0, "curvature", value=[1, math.inf]),
        "`pattern.panels.front.edges[0].curvature` holds inf",
    ),
    (
        front("vertices", value=CROSSED),
        '`pattern.panels.front.edges[2]` starts the edge "edge-2", which meets',
    ),
    (edited("pattern", "panels", "fr/ont", value={}), 'is "fr/ont", but a name has 1 to 80 letters'),
    (
        stitched(("frnt", 1), ("back", 3)),
        'is "frnt", which is no panel. Panels: front, back. Did you mean "front"?',
    ),
    (
        stitched(("front", 4), ("back", 3)),
        '`pattern.stitches[0][0].edge` is 4, but edges of "front" run from 0 to 3',
    ),
    (stitched(("front", 1)), "but a stitch is a pair of panel and edge"),
    (stitched(("front", 1), ("front", 1)), "`pattern.stitches[0]` joins an edge to itself"),
    (edited("pattern", "stitches", value=3), "`pattern.stitches` is 3, but it must be a list"),
]


@pytest.mark.parametrize(("document", "told"), MISTAKES)
def test_mistakes_in_the_file_are_told_with_their_place(tmp_path, document, told):
    written(tmp_path, document)
    with pytest.raises(supple.SceneError) as caught:
        parse_scene('[pattern.skirt]\nfile = "skirt.json"\nsize = 0.1', folder=tmp_path)
    assert told in str(caught.value)
    assert all(mistake.place == "pattern.skirt.file" for mistake in caught.value.mistakes)
    assert "skirt.json" in str(caught.value)


PANEL = "file = 'skirt.json'\nsize = 0.1\n[pattern.skirt.panel"
BESIDE = [
    ("size = 0.1", "`pattern.skirt.file` is missing"),
    ("file = 'skrt.json'\nsize = 0.1", 'which does not exist. Did you mean "skirt.json"?'),
    ("file = '.'\nsize = 0.1", "which is a folder"),
    ("file = 'skirt.json'\nsize = 0", "`pattern.skirt.size` is 0"),
    ("file = 'skirt.json'\nsize = 0.1\ncolours = 1", "`pattern.skirt.colours` is not known here"),
    ("file = 'skirt.json'\nsize = 1e-4", "`pattern.skirt.size` is 0.0001, which makes"),
    ("file = 'skirt.json'\nsize = 0.1\nmaterial = 'slik'", 'Did you mean "silk"?'),
    (f"{PANEL}.frnt]", "`pattern.skirt.panel.frnt` is no panel of the pattern. Panels: front, back."),
    (f"{PANEL}.front]\nat = [0, 0, 0]", "`pattern.skirt.panel.front.at` is not known here"),
    (
        f"{PANEL}.front]\npin = ['lefft']",
        '`pattern.skirt.panel.front.pin[0]` names the edge or point "lefft"',
    ),
    (f"{PANEL}.front]\nwrap = {{ radius = 0.01 }}", "`pattern.skirt.panel.front.wrap.radius` is 0.01"),
]


@pytest.mark.parametrize(("text", "told"), BESIDE)
def test_mistakes_beside_the_file_are_told_with_their_place(tmp_path, text, told):
    written(tmp_path, SKIRT)
    with pytest.raises(supple.SceneError) as caught:
        parse_scene(f"[pattern.skirt]\n{text}", folder=tmp_path)
    assert told in str(caught.value)


def test_all_mistakes_are_told_at_once(tmp_path):
    document = front("translation", value=[0, 1])
    document["pattern"]["stitches"][1][1]["edge"] = -1
    with pytest.raises(supple.SceneError) as caught:
        supple.Pattern(file=written(tmp_path, document), size=0.1)
    assert len(caught.value.mistakes) == 2


PLAIN = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.builds(list)
    | st.builds(dict)
)


def places(node, path=()):
    """Yield the path of every part of a document."""
    entries = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in entries:
        yield (*path, key)
        yield from places(value, (*path, key))


PLACES = list(places(SKIRT))


@settings(max_examples=100, deadline=None)
@given(changes=st.lists(st.tuples(st.sampled_from(PLACES), PLAIN), min_size=1, max_size=3))
@pytest.mark.filterwarnings("ignore:skirt.json")
def test_a_mutated_pattern_is_a_scene_or_a_scene_error(tmp_path_factory, changes):
    document = copy.deepcopy(SKIRT)
    for path, value in changes:
        node = document
        try:
            for key in path[:-1]:
                node = node[key]
            node[path[-1]] = value
        except (KeyError, IndexError, TypeError):
            continue
    path = written(tmp_path_factory.getbasetemp(), document)
    try:
        skirt = supple.Pattern(file=path, size=0.15)
    except supple.SceneError as error:
        assert all(mistake.message for mistake in error.mistakes)
    else:
        assert len(supple.Scene(skirt).bodies) == len(skirt.cloths) >= 1


# ---------------------------------------------------------------- the tunic of the gallery

AROUND = {name: {"wrap": {"radius": 0.2}} for name in ("front", "back")}
SLEEVES = AROUND | {f"{side}_sleeve": {"wrap": {"radius": 0.09}} for side in ("left", "right")}


def test_the_tunic_is_clear_of_the_mannequin_and_faces_outwards():
    arms = (math.radians(24.0), math.radians(24.0))
    for cloth in tunic(panels=SLEEVES).cloths:
        points = cloth.start_points()
        assert figure(points, arms).min() > 0.01
        a, b, c = points[cloth.surface_triangles()].transpose(1, 0, 2)
        normals, outwards = np.cross(b - a, c - a), (a + b + c) / 3.0 - [0.0, 1.2, 0.0]
        assert np.sum(normals * outwards) > 0.0
        mesh = cloth.shape.mesh
        assert np.degrees(smallest_angles(mesh.points, mesh.triangles)).min() > 30.0


def test_edges_of_the_tunic_that_are_stitched_fit_and_start_near_each_other():
    pattern = tunic(panels=SLEEVES)
    cloths = {cloth.name: cloth for cloth in pattern.cloths}
    assert len(pattern.stitches) == 10
    for stitch in pattern.stitches:
        chains = stitch.chains(cloths)
        one, other = cloths[stitch.a[0]], cloths[stitch.b[0]]
        lengths = [
            np.linalg.norm(np.diff(cloth.local_points()[chain], axis=0), axis=1).sum()
            for cloth, chain in zip((one, other), chains, strict=True)
        ]
        assert lengths[0] == pytest.approx(lengths[1], rel=0.03)
        ends = one.start_points()[chains[0][[0, -1]]], other.start_points()[chains[1][[0, -1]]]
        assert np.linalg.norm(ends[0] - ends[1], axis=1).max() < 0.4


def test_every_seam_of_the_tunic_is_sewn_once():
    pattern = tunic()
    sewn = [edge for stitch in pattern.stitches for edge in (stitch.a, stitch.b)]
    assert len(set(sewn)) == len(sewn)
    every = {(cloth.name, edge) for cloth in pattern.cloths for edge in cloth.edge_names}
    assert sorted(edge for _, edge in every - set(sewn)) == ["cuff", "cuff", "hem", "hem", "neck", "neck"]


def test_the_pattern_file_ships_with_the_package():
    assert Path(GALLERY / "tunic.json").is_file()
