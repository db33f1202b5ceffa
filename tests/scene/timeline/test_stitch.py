"""Stitches name edges that belong together and say in which direction they run."""

import pytest

import supple
from supple.scene.files.toml_reader import parse_scene


def sheet(name, columns=5, **options):
    return supple.Cloth.rectangle(name=name, width=1, height=1, columns=columns, rows=4, **options)


def test_edges_meet_in_opposite_directions_unless_told_otherwise():
    cloths = {"a": sheet("a"), "b": sheet("b", columns=9)}
    stitch = supple.Stitch(a=("a", "top"), b=("b", "bottom"))
    one, other = stitch.chains(cloths)
    assert one.tolist() == [0, 1, 2, 3, 4]
    assert other.tolist() == list(range(35, 26, -1))
    along = stitch.changed(direction="same")
    assert along.chains(cloths)[1].tolist() == list(range(27, 36))


def test_a_file_and_python_declare_equal_stitches():
    text = """
        [cloth.a]
        rectangle = { width = 1, height = 1, columns = 5, rows = 4 }
        [cloth.b]
        rectangle = { width = 1, height = 1, columns = 5, rows = 4 }
        [stitch.seam]
        a = ["a", "left"]
        b = ["b", "right"]
        direction = "same"
    """
    stitch = supple.Stitch(name="seam", a=("a", "left"), b=("b", "right"), direction="same")
    assert parse_scene(text) == supple.Scene(sheet("a"), sheet("b"), stitch)


def test_stitches_without_a_name_are_numbered():
    stitches = [supple.Stitch(a=("a", edge), b=("b", edge)) for edge in ("top", "left")]
    scene = supple.Scene(sheet("a"), sheet("b"), *stitches)
    assert [stitch.name for stitch in scene.stitches] == ["stitch", "stitch-2"]


def test_a_stitch_may_join_two_edges_of_one_cloth_but_not_an_edge_to_itself():
    scene = supple.Scene(sheet("a"), supple.Stitch(a=("a", "left"), b=("a", "right")))
    assert len(scene.stitches) == 1
    with pytest.raises(supple.SceneError, match="same edge as a"):
        supple.Stitch(a=("a", "left"), b=("a", "left"))


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"a": ("c", "top")}, '`stitch.s.a` names the cloth "c", which there is not. Cloths: a, b.'),
        ({"b": ("b", "lefft")}, 'does not have. Edges: top, bottom, left, right. Did you mean "left"?'),
        ({"b": ("b", "centre")}, '`stitch.s.b` names the edge "centre"'),
    ],
)
def test_a_scene_misses_cloths_and_edges(values, told):
    stitch = supple.Stitch(**{"name": "s", "a": ("a", "top"), "b": ("b", "top"), **values})
    with pytest.raises(supple.SceneError) as caught:
        supple.Scene(sheet("a"), sheet("b"), stitch)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ('a = ["a", "top"]', "`stitch.s.b` is missing"),
        ('a = "a"\nb = ["a", "top"]', "`stitch.s.a` is \"a\", but it must name a cloth and its edge"),
        ('a = ["a", "top"]\nb = ["a", "bottom"]\nc = 1', "`stitch.s.c` is not known here"),
        ('a = ["a", "top"]\nb = ["b", "top"]', '`stitch.s.b` names the cloth "b"'),
    ],
)  # fmt: skip
def test_mistakes_in_a_file_are_told_with_their_place(entry, told):
    body = "[cloth.a]\nrectangle = { width = 1, height = 1, columns = 5, rows = 4 }\n"
    with pytest.raises(supple.SceneError) as caught:
        parse_scene(f"{body}[stitch.s]\n{entry}")
    assert told in str(caught.value)


def test_a_stitch_has_a_time_and_a_strength():
    with pytest.raises(supple.SceneError, match="strength"):
        supple.Stitch(a=("a", "left"), b=("a", "right"), strength=-1.0)
    with pytest.raises(supple.SceneError, match="seconds"):
        supple.Stitch(a=("a", "left"), b=("a", "right"), seconds=-1.0)
