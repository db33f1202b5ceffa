"""Stitches name edges that belong together and say which of their points meet."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import supple
from supple.inspection import inspect_scene
from supple.scene.reader import parse_scene
from supple.scene.stitch import matched

SHARES = st.lists(st.floats(0.01, 1.0), min_size=1, max_size=30).map(
    lambda steps: np.concatenate([[0.0], np.cumsum(steps) / np.sum(steps)])
)


def sheet(name, columns=5, **options):
    return supple.Cloth.rectangle(name=name, width=1, height=1, columns=columns, rows=4, **options)


@settings(max_examples=200, deadline=None)
@given(one=SHARES, other=SHARES)
def test_every_point_of_both_chains_meets_another_in_order(one, other):
    pairs = matched(one, other)
    assert pairs[0].tolist() == [0, 0]
    assert pairs[-1].tolist() == [len(one) - 1, len(other) - 1]
    steps = np.diff(pairs, axis=0)
    assert ((steps >= 0) & (steps <= 1)).all()
    assert (steps.sum(axis=1) >= 1).all()
    # No pair is farther apart than the longest gap between points.
    apart = np.abs(one[pairs[:, 0]] - other[pairs[:, 1]])
    assert apart.max() <= max(np.diff(one).max(), np.diff(other).max()) + 1e-12


@given(count=st.integers(2, 40))
def test_chains_spaced_alike_meet_one_to_one(count):
    shares = np.linspace(0.0, 1.0, count)
    assert np.array_equal(matched(shares, shares), np.column_stack([np.arange(count)] * 2))


def test_edges_meet_in_opposite_directions_unless_told_otherwise():
    cloths = {"a": sheet("a"), "b": sheet("b", columns=9)}
    stitch = supple.Stitch(a=("a", "top"), b=("b", "bottom"))
    one, other = stitch.chains(cloths)
    assert one.tolist() == [0, 1, 2, 3, 4]
    assert other.tolist() == list(range(35, 26, -1))
    assert stitch.pairs(cloths)[[0, -1]].tolist() == [[0, 35], [4, 27]]
    along = stitch.changed(direction="same")
    assert along.pairs(cloths)[[0, -1]].tolist() == [[0, 27], [4, 35]]
    assert len(along.pairs(cloths)) == 9


def test_pairs_follow_the_length_at_rest_not_at_the_start():
    outline = [[-0.2, 0.0], [0.2, 0.0], [0.2, 0.3], [-0.2, 0.3]]
    flat = supple.Cloth.panel(outline=outline, size=0.05)
    bent = supple.Cloth.panel(outline=outline, size=0.03, wrap={"radius": 0.07})
    pairs = supple.Stitch(a=("f", "edge-0"), b=("b", "edge-2")).pairs({"f": flat, "b": bent})
    x = flat.local_points()[pairs[:, 0], 0] - bent.local_points()[pairs[:, 1], 0]
    assert np.abs(x).max() <= 0.026


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


def test_a_simulation_says_that_stitches_do_not_act_yet():
    scene = supple.Scene(sheet("a"), supple.Stitch(a=("a", "left"), b=("a", "right")))
    with pytest.warns(UserWarning, match=r"One stitch is declared \(stitch\), but nothing sews yet"):
        supple.Simulation(scene)
    assert "nothing sews yet" in inspect_scene(scene)["warnings"][0]
