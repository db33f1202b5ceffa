"""Every mistake in a file is told with its place, the rule and, where one is near, a suggestion."""

import pytest

import supple
from supple.scene.files.toml_reader import parse_scene

SHEET = "[cloth.flag]\nrectangle = { width = 1, height = 1, columns = 4, rows = 3 }\n"
CHAIN = "[chain.rope]\nlength = 1\npoints = 4\n"
BOX = "[lattice.box]\nsize = [1, 1, 1]\ncells = [1, 1, 1]\n"
WEB = (
    "[network.web]\npoints = [[0, 0], [1, 0], [0, 1]]\nsprings = [[0, 1], [1, 2]]\n"
    "stiffness = 10\nmass = 0.1\n"
)
PATCH = "[cloth.a]\nbezier = { control_points = %s, columns = 3, rows = 3 }"
MOVED = SHEET + "pin = [{ at = 0, path = [%s] }]"
PAPER = (
    "[material.paper]\narea_density = 0.08\nstretch_stiffness = 5e3\nshear_stiffness = 5e3\n"
    "bending_stiffness = 1e-4\n"
)

# text of the file, place of the mistake, part of the message
CASES = [
    # the file itself
    ("", "scene", "has no bodies"),
    ("title = ", "line 1", "is not valid TOML"),
    ("a = 1\nb = [1, 2\nc = 3\n", "line 3, column 1", "is not valid TOML"),
    ("a = 1\na = 2", "line 2", "is not valid TOML"),
    ("a = " + "9" * 5000, "line 1", "too many digits"),
    ("a = " + "[" * 3000, "scene", "nested too deeply"),
    ("graviti = [0, 0, 0]\n" + SHEET, "graviti", 'Did you mean "gravity"?'),
    ("[cloht.flag]\n", "cloht", 'Did you mean "cloth"?'),
    ("gravity = [0, -9.81]\n" + SHEET, "gravity", "has 2 entries, but it must be three numbers"),
    ("gravity = [0, inf, 0]\n" + SHEET, "gravity", "holds inf at place 1"),
    ("drag = -1\n" + SHEET, "drag", "is -1.0, but it must be at least 0"),
    ("duration = 0\n" + SHEET, "duration", "must be greater than 0"),
    ("title = 3\n" + SHEET, "title", "must be a text"),
    # simulation
    ("simulation = 3\n" + SHEET, "simulation", "must be a table"),
    ("[simulation]\nintegrator = 'filtr'\n" + SHEET, "simulation.integrator", 'Did you mean "filter"?'),
    ("[simulation]\nsubsteps = 0\n" + SHEET, "simulation.substeps", "must lie between 1 and 10000"),
    ("[simulation]\nsubsteps = 'autto'\n" + SHEET, "simulation.substeps", 'be "auto"'),
    ("[simulation]\nframe_rate = 0\n" + SHEET, "simulation.frame_rate", "must be at least 0.1"),
    ("[simulation]\nframe_rate = 1e9\n" + SHEET, "simulation.frame_rate", "at most 100000"),
    ("[simulation]\nframerate = 50\n" + SHEET, "simulation.framerate", 'Did you mean "frame_rate"?'),
    ("[simulation]\nmomentum_correction = 1\n" + SHEET, "simulation.momentum_correction", "true or false"),
    # materials
    (SHEET + "material = 'cotten'", "cloth.flag.material", 'Did you mean "cotton"?'),
    (SHEET + "material = 3", "cloth.flag.material", "must be the name of a material"),
    (SHEET + PAPER.replace("0.08", "0"), "material.paper.area_density", "must be greater than 0"),
    (SHEET + PAPER.replace("0.08", "nan"), "material.paper.area_density", "must be a finite number"),
    (SHEET + PAPER + "weight = 3\n", "material.paper.weight", "is not known here"),
    (SHEET + PAPER.replace("shear_stiffness = 5e3", ""), "material.paper.shear_stiffness", "is missing"),
    (SHEET + PAPER + "like = 'wol'", "material.paper.like", 'Did you mean "wool"?'),
    (SHEET + "[material.'a/b']\nlike = 'wool'\n", 'material."a/b"', "a name has"),
    ("material = 3\n" + SHEET, "material", "[material.NAME]"),
    # bodies
    ("[cloth.flag]\nwidth = 1\n", "cloth.flag.width", "belongs into the shape: write rectangle = { width = ... }."),
    ("[cloth.flag]\ncushion = {}\nwidth = 1\n", "cloth.flag.width", "write cushion = { width = ... }."),
    ("[soft.ball]\nradius = 1\n", "soft.ball.radius", "write ball = { radius = ... }."),
    (SHEET + "[obstacle.ball]\nradius = 1\n", "obstacle.ball.radius", "write sphere = { radius = ... }."),
    (SHEET + "[sphere.ball]\nradius = 1\n", "sphere", "write sphere = { ... } below [obstacle.NAME]."),
    (SHEET + "[box.ball]\nradius = 1\n", "box", "below [obstacle.NAME] or [soft.NAME]."),
    ("[cloth]\ncolumns = 3\n", "cloth.columns", "Write [cloth.NAME] above it"),
    ("[[cloth]]\ncolumns = 3\n", "cloth", "is a list"),
    ("[cloth]\nrectangle = { width = 1 }\n", "cloth.rectangle", "Write [cloth.NAME]"),
    ("[cloth.'a/b']\n" + SHEET.split("\n")[1], 'cloth."a/b"', "a name has 1 to 80 letters"),
    (SHEET + CHAIN.replace("rope", "flag"), "chain.flag", 'is called "flag" like `cloth.flag`'),
    ("[cloth.flag]\nmaterial = 'silk'\n", "cloth.flag", "has no shape"),
    (SHEET + "mesh = 'a.obj'", "cloth.flag", "has 2 shapes: rectangle and mesh"),
    (SHEET + "pins = ['left']", "cloth.flag.pins", 'Did you mean "pin"?'),
    (SHEET.replace("width = 1", "width = -1"), "cloth.flag.rectangle.width", "must be greater than 0"),
    (SHEET.replace("width = 1", "width = '1'"), "cloth.flag.rectangle.width", 'is "1", but it must be'),
    (SHEET.replace("width = 1", "width = 2e4"), "cloth.flag.rectangle.width", "at most 10000"),
    (SHEET.replace("width = 1", "width = 1e-7"), "cloth.flag.rectangle.width", "at least 1e-06 m apart"),
    (SHEET.replace("columns = 4", "columns = 4.0"), "cloth.flag.rectangle.columns", "must be a whole number"),
    (SHEET.replace("columns = 4", "columns = 1"), "cloth.flag.rectangle.columns", "use a chain"),
    (SHEET.replace("columns = 4", "columns = true"), "cloth.flag.rectangle.columns", "whole number"),
    (SHEET.replace("columns = 4", "columns = 900000"), "cloth.flag.rectangle", "at most 2,000,000"),
    (SHEET.replace("columns = 4", "colums = 4"), "cloth.flag.rectangle.colums", 'Did you mean "columns"?'),
    (SHEET.replace("columns = 4", "colums = 4"), "cloth.flag.rectangle.columns", "is missing"),
    (SHEET.replace(" rows = 3", " rows = 3, plane = 'xv'"), "cloth.flag.rectangle.plane", "one of xy, xz"),
    ("[cloth.a]\nrectangle = 3", "cloth.a.rectangle", "must be a table"),
    (SHEET + "at = 'here'", "cloth.flag.at", "must be three numbers"),
    (SHEET + "at = [0, 1e9, 0]", "cloth.flag.at", "has y = 1e+09"),
    (SHEET + "rotation_deg = [1, 2]", "cloth.flag.rotation_deg", "three numbers"),
    (SHEET + "rotation_deg = [1, 2, 3]\nrotation = [1, 2, 3]", "cloth.flag.rotation_deg", "given twice"),
    (SHEET + "velocity = [0, true, 0]", "cloth.flag.velocity", "holds True at place 1"),
    (SHEET + "masses = [1, 2, 3]", "cloth.flag.masses", "holds 3 numbers, but the body has 12 points"),
    (CHAIN + "masses = [1, 2, 3, -4]", "chain.rope.masses", "holds -4 at place 3"),
    (CHAIN + "masses = [1, 2, 3, nan]", "chain.rope.masses", "holds nan at place 3"),
    (CHAIN.replace("points = 4", ""), "chain.rope.points", "is missing"),
    (CHAIN + "stiffness = 1", "chain.rope.stiffness", 'Did you mean "stretch_stiffness"?'),
    (CHAIN + "linear_density = 0", "chain.rope.linear_density", "must be greater than 0"),
    (BOX.replace("[1, 1, 1]\nc", "[1, 0, 1]\nc"), "lattice.box.size", "has y = 0"),
    (BOX.replace("cells = [1, 1, 1]", "cells = [1, 1]"), "lattice.box.cells", "three whole numbers"),
    (BOX.replace("cells = [1, 1, 1]", "cells = [999, 999, 999]"), "lattice.box.cells", "at most 2,000,000"),
    (BOX + "pin = ['fron']", "lattice.box.pin[0]", 'Did you mean "front"?'),
    # pins, anchors, regions
    (SHEET + "pin = ['lefft']", "cloth.flag.pin[0]", 'Did you mean "left"?'),
    (SHEET + "pin = 'left'", "cloth.flag.pin", "must be a list"),
    (SHEET + "pin = ['left', 12]", "cloth.flag.pin[1]", "points run from 0 to 11"),
    (SHEET + "pin = [-1]", "cloth.flag.pin[0]", "points run from 0 to 11"),
    (SHEET + "pin = [1.5]", "cloth.flag.pin[0]", "chosen by a name, an index"),
    (SHEET + "pin = [[]]", "cloth.flag.pin[0]", "is an empty list"),
    (SHEET + "pin = [{ box = [[5, 5, 5], [6, 6, 6]] }]", "cloth.flag.pin[0]", "catches no point"),
    (SHEET + "pin = [{ box = [[5, 5, 5], [4, 6, 6]] }]", "cloth.flag.pin[0].box", "low corner first"),
    (SHEET + "pin = [{ box = [[5, 5], [4, 6, 6]] }]", "cloth.flag.pin[0].box", "three numbers"),
    (SHEET + "pin = [{ at = 'left', box = [[0, 0, 0], [1, 1, 1]] }]", "cloth.flag.pin[0]", "both at and box"),
    (SHEET + "pin = [{}]", "cloth.flag.pin[0].at", "is missing"),
    (SHEET + "pin = [{ at = 'left', smooth = true }]", "cloth.flag.pin[0].smooth", "belongs to a path"),
    (SHEET + "pin = [{ at = 'left', path = [] }]", "cloth.flag.pin[0].path", "at least one keyframe"),
    (SHEET + "pin = [{ at = 'left', path = 3 }]", "cloth.flag.pin[0].path", "must be a list"),
    (SHEET + "pin = [{ at = 'left', path = [3] }]", "cloth.flag.pin[0].path[0]", "must be a table"),
    (SHEET + "pin = [{ at = 'left', path = [{ tim = 0 }] }]", "cloth.flag.pin[0].path[0].tim", '"time"?'),
    (MOVED % "{ time = 1 }, { time = 0 }", "cloth.flag.pin[0].path[1].time", "later"),
    (MOVED % "{ time = -1 }", "cloth.flag.pin[0].path[0].time", "at least 0"),
    (SHEET + "pin = [0, { at = 'top', path = [{ time = 0 }] }]", "cloth.flag.pin[1]", "moves the point 0"),
    (SHEET + "anchor = ['left']", "cloth.flag.anchor[0]", "must be a table"),
    (SHEET + "anchor = [{ at = 'left' }]", "cloth.flag.anchor[0].stiffness", "is missing"),
    (SHEET + "anchor = [{ at = 'left', stiffness = 0 }]", "cloth.flag.anchor[0].stiffness", "greater than 0"),
    (SHEET + "anchor = [{ where = 'left', stiffness = 1 }]", "cloth.flag.anchor[0].where", "not known"),
    (SHEET + "region = [{ at = 'left' }]", "cloth.flag.region[0]", "changes nothing"),
    (SHEET + "region = [{ at = 'left', dampng = 1 }]", "cloth.flag.region[0].dampng", '"damping"?'),
    # meshes, patches, networks
    ("[cloth.a]\nmesh = 'nothere.obj'", "cloth.a.mesh", "does not exist"),
    ("[cloth.a]\nmesh = 'shirt.fbx'", "cloth.a.mesh", "we read only .obj"),
    ("[cloth.a]\nmesh = ''", "cloth.a.mesh", "path of a mesh file"),
    (PATCH % "[[[0, 0, 0]]]", "cloth.a.bezier.control_points", "2 to 32"),
    (PATCH % "[[0, 0]]", "cloth.a.bezier.control_points", "rows of points"),
    (PATCH % "[[[0, 0, 0], [1]]]", "cloth.a.bezier.control_points", "equal rows"),
    (WEB + "rest_lengths = [1, 0]", "network.web.rest_lengths", "holds 0 at place 1"),
    (WEB + "rest_lengths = [1]", "network.web.rest_lengths", "has 2 springs"),
    (WEB.replace("[1, 2]]", "[1, 3]]"), "network.web.springs[1]", "points run from 0 to 2"),
    (WEB.replace("[1, 2]]", "[1, 1]]"), "network.web.springs[1]", "joins a point to itself"),
    (WEB.replace("[1, 2]]", "[1, 0]]"), "network.web.springs[1]", "joined before"),
    (WEB.replace("[0, 1]]\ns", "[1, 0]]\ns"), "network.web.springs[1]", "has no direction"),
    (WEB.replace("[1, 2]]", "[1, 2, 0]]"), "network.web.springs", "rows with 2 point indices"),
    (WEB.replace("[1, 2]]", "[1, 2.5]]"), "network.web.springs", "rows with 2 point indices"),
    (WEB.replace("[0, 1]]\ns", "[nan, 1]]\ns"), "network.web.points", "must be finite"),
    (WEB.replace("[0, 1]]\ns", "[0, 2e4]]\ns"), "network.web.points", "spans 20 km"),
    (WEB.replace("stiffness = 10", "stiffness = [1, -1]"), "network.web.stiffness", "holds -1 at place 1"),
    (WEB.replace("mass = 0.1", "mass = 0"), "network.web.mass", "greater than 0"),
    (WEB.replace("mass = 0.1", "mass = [1, 2]"), "network.web.mass", "has 3 points"),
    (WEB + "triangles = [[0, 1, 1]]", "network.web.triangles[0]", "names a vertex twice"),
    (WEB + "pin = ['left']", "network.web.pin[0]", "has no named points"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "place", "part"), CASES, ids=[f"{n}-{case[1][:40]}" for n, case in enumerate(CASES)]
)
def test_a_mistake_is_told_with_its_place_and_the_rule(text, place, part):
    with pytest.raises(supple.SceneError) as caught:
        parse_scene(text)
    told = {mistake.place: mistake.message for mistake in caught.value.mistakes}
    assert place in told
    assert any(part in m.message for m in caught.value.mistakes if m.place == place)


@pytest.mark.parametrize(
    "text", [SHEET, CHAIN, BOX, WEB, SHEET + PAPER + "[cloth.b]\n" + SHEET.split("\n")[1]]
)
def test_the_texts_the_cases_are_made_of_have_no_mistake(text):
    assert parse_scene(text).bodies


def test_all_mistakes_of_a_file_are_told_at_once():
    text = """
        gravity = [0, 1]
        [simulation]
        substeps = 0
        [material.paper]
        area_density = -1
        [cloth.flag]
        rectangle = { width = -1, height = 1, columns = 4, rows = 3 }
        material = "cotten"
        pin = ["lefft"]
        at = [0, 0]
        [cloth.sail]
        rectangle = { width = 1, height = 1, columns = 4, rows = 3 }
        material = "paper"
        pin = ["rigth"]
        [chain.sail]
        length = 1
        points = 2
    """
    with pytest.raises(supple.SceneError) as caught:
        parse_scene(text)
    assert {mistake.place for mistake in caught.value.mistakes} >= {
        "gravity",
        "simulation.substeps",
        "material.paper.area_density",
        "material.paper.shear_stiffness",
        "cloth.flag.rectangle.width",
        "cloth.flag.pin[0]",
        "cloth.flag.at",
        "cloth.sail.pin[0]",
    }
    assert "cloth.sail.material" not in {mistake.place for mistake in caught.value.mistakes}


def test_a_message_shows_what_the_entry_means():
    with pytest.raises(supple.SceneError, match=r"Meaning: Mass per length \[kg/m\]"):
        parse_scene(CHAIN + "linear_density = 0")


def test_files_that_cannot_be_read_are_told(tmp_path):
    (tmp_path / "latin.toml").write_bytes('title = "caf\xe9"\n'.encode("latin-1"))
    (tmp_path / "flag.toml").write_text(SHEET)
    cases = {
        tmp_path: "is a folder",
        tmp_path / "latin.toml": "is not UTF-8",
        tmp_path / "flg.toml": 'Did you mean "flag.toml"?',
        tmp_path / "none" / "flag.toml": "does not exist",
        "flag\0.toml": "does not exist|cannot be read",
    }
    for path, part in cases.items():
        with pytest.raises(supple.SceneError, match=part.replace("?", r"\?")):
            supple.read_scene(path)


def test_an_unknown_scene_name_suggests_the_gallery(monkeypatch, tmp_path):
    (tmp_path / "chain.toml").write_text(CHAIN)
    monkeypatch.setattr("supple.scene.files.toml_reader.GALLERY", tmp_path)
    assert supple.gallery_names() == ("chain",)
    assert supple.find_scene("chain").bodies[0].name == "rope"
    with pytest.raises(supple.SceneError, match=r'Did you mean "chain"\?'):
        supple.find_scene("chian")


def test_a_file_may_start_with_a_byte_order_mark_and_use_any_line_ends(tmp_path):
    (tmp_path / "flag.toml").write_bytes(b"\xef\xbb\xbf" + SHEET.replace("\n", "\r\n").encode())
    assert supple.read_scene(tmp_path / "flag.toml").bodies[0].name == "flag"


def test_mistakes_name_the_file(tmp_path):
    (tmp_path / "flag.toml").write_text(SHEET + "pin = ['lefft']")
    with pytest.raises(supple.SceneError, match=r"flag\.toml: `cloth"):
        supple.read_scene(tmp_path / "flag.toml")
