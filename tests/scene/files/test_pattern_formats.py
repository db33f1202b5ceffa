"""Patterns are written and read back: JSON to the last bit that counts, SVG and DXF as drawings."""

from __future__ import annotations

import ezdxf
import numpy as np
import pytest

import supple
from supple.scene.cloth_shapes.outline import signed_area
from supple.scene.files.toml_reader import GALLERY

PATTERNS = ("shirt", "trousers", "dress", "jumpsuit")


def pattern(name, size=0.05, **options):
    return supple.Pattern(file=GALLERY / "patterns" / f"{name}.json", size=size, **options)


def outline(cloth):
    return cloth.local_points()[cloth.named("outline"), :2]


def length(cloth, edge):
    points = cloth.local_points()[cloth.edge_chain(edge)]
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


@pytest.mark.parametrize("name", PATTERNS)
def test_json_comes_back_with_its_panels_places_and_stitches(tmp_path, name):
    first = pattern(name)
    file = tmp_path / f"{name}.json"
    supple.write_pattern(first, file)
    again = supple.Pattern(file=file, size=0.05)
    assert again.panel_names == first.panel_names
    assert again.stitches == first.stitches
    for one, other in zip(first.cloths, again.cloths, strict=True):
        assert one.edge_names == other.edge_names
        np.testing.assert_allclose(other.start_points(), one.start_points(), atol=1e-9)
    assert [again.label(panel) for panel in again.panel_names] == [
        first.label(panel) for panel in first.panel_names
    ]


def test_arcs_holes_and_turned_stitches_come_back_in_json(tmp_path):
    text = """{"pattern": {"panels": {"a": {"vertices": [[0, 0], [40, 0], [40, 30], [0, 30], [15, 10], [25, 10], [20, 20]],
      "translation": [1, 2, 3], "rotation": [10, 20, 30], "edges": [
      {"endpoints": [0, 1], "curvature": {"type": "circle", "params": [25, 0, 1]}}, {"endpoints": [1, 2], "label": "side"},
      {"endpoints": [2, 3], "curvature": {"type": "circle", "params": [30, 0, 0]}}, {"endpoints": [3, 0]},
      {"endpoints": [4, 5]}, {"endpoints": [5, 6]}, {"endpoints": [6, 4]}]}},
      "stitches": [[{"panel": "a", "edge": 1}, {"panel": "a", "edge": 3}, "right_wrong"]]},
      "properties": {"units_in_meter": 100}}"""
    (tmp_path / "a.json").write_text(text, encoding="utf-8")
    first = supple.Pattern(file=tmp_path / "a.json", size=0.05)
    supple.write_pattern(first, tmp_path / "b.json")
    again = supple.Pattern(file=tmp_path / "b.json", size=0.05, name="a")
    assert again.stitches == first.stitches and again.stitches[0].direction == "same"
    np.testing.assert_allclose(again.cloths[0].start_points(), first.cloths[0].start_points(), atol=1e-9)


@pytest.mark.parametrize(("ending", "tolerance"), [("svg", 1e-5), ("dxf", 3e-4)])
@pytest.mark.parametrize("name", PATTERNS)
def test_drawings_come_back_with_the_shapes_of_their_panels(tmp_path, name, ending, tolerance):
    first = pattern(name, size=0.03)
    file = tmp_path / f"{name}.{ending}"
    supple.write_pattern(first, file)
    again = supple.Pattern(file=file, size=0.03)
    assert again.panel_names == first.panel_names
    for one, other in zip(first.cloths, again.cloths, strict=True):
        a, b = outline(one), outline(other)
        np.testing.assert_allclose(np.ptp(b, axis=0), np.ptp(a, axis=0), atol=tolerance)
        assert signed_area(b) == pytest.approx(signed_area(a), rel=3e-3)
    if ending == "svg":
        assert [cloth.edge_names for cloth in again.cloths] == [cloth.edge_names for cloth in first.cloths]
        for edge in first.cloths[0].edge_names:
            assert length(again.cloths[0], edge) == pytest.approx(length(first.cloths[0], edge), rel=1e-4)


def test_a_drawing_is_sewn_and_worn_as_its_names_say(tmp_path):
    first = pattern("shirt")
    supple.write_pattern(first, tmp_path / "shirt.svg")
    cloths = [cloth.name for cloth in first.cloths]
    panel = dict(zip(cloths, first.panel_names, strict=True))
    sewn = [((panel[s.a[0]], s.a[1]), (panel[s.b[0]], s.b[1])) for s in first.stitches]
    worn = supple.Pattern(file=tmp_path / "shirt.svg", size=0.05, sewn=sewn, body="wearer")
    scene = supple.Scene(worn, supple.Mesh(shape="mannequin", name="wearer", shell=0.004))
    simulation = supple.Simulation(scene)
    for report in simulation.run(0.4):
        pass
    assert report.status == "ok" and len(simulation.seam_gaps()) == 10
    for side, sign in (("left", 1.0), ("right", -1.0)):
        assert (sign * simulation.positions(f"shirt-{side}_sleeve")[:, 0]).mean() > 0.2


def test_pieces_of_clothing_programs_are_read_by_layers_units_and_turn_points(tmp_path):
    document = ezdxf.new("R12")
    block = document.blocks.new("FRONT")
    block.add_text("UNITS: ENGLISH", dxfattribs={"layer": "1"})
    block.add_polyline2d([(0, 0), (12, 0), (12, 20), (0, 20)], close=True, dxfattribs={"layer": "1"})
    inner = [(1, 1), (11, 1), (11, 19), (1, 19)]
    block.add_polyline2d(inner, close=True, dxfattribs={"layer": "14"})
    for corner in inner:
        block.add_point(corner, dxfattribs={"layer": "2"})
    document.blocks.new("NOTES").add_text("Style 7", dxfattribs={"layer": "1"})
    document.saveas(tmp_path / "front.dxf")
    with pytest.warns(UserWarning, match='block "NOTES" has no closed line on layer 1 or 14'):
        read = supple.Pattern(file=tmp_path / "front.dxf", size=0.05)
    assert read.panel_names == ("FRONT",)
    np.testing.assert_allclose(np.ptp(outline(read.cloths[0]), axis=0), [0.254, 18 * 0.0254], atol=1e-6)
    assert len(read.cloths[0].edge_names) == 4


@pytest.mark.parametrize(
    ("ending", "text", "message"),
    [
        ("svg", "<svg", "drawing.svg.*is not valid SVG"),
        ("svg", '<svg xmlns="http://www.w3.org/2000/svg"/>', "holds no closed shape"),
        (
            "svg",
            '<svg xmlns="http://www.w3.org/2000/svg">' + 2 * '<rect id="a" width="9" height="9"/>' + "</svg>",
            'two shapes have the id "a"',
        ),
        ("dxf", "no drawing at all", "drawing.dxf.*is not valid DXF"),
        ("dxf", "  0\nSECTION\n  2\nENTITIES\n  0\nENDSEC\n  0\nEOF\n", "holds no piece"),
    ],
)
def test_bad_drawings_are_told_with_the_reason(tmp_path, ending, text, message):
    file = tmp_path / f"drawing.{ending}"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(supple.SceneError, match=message):
        supple.Pattern(file=file)
    with pytest.raises(supple.SceneError, match="does not exist"):
        supple.Pattern(file=tmp_path / f"nothing.{ending}")


def test_stitches_that_name_nothing_are_told_with_what_there_is():
    with pytest.raises(supple.SceneError, match=r'sewn\.?\[?0.* names the edge "hemm".*Did you mean "hem"'):
        pattern("shirt", sewn=[(("front", "hemm"), ("back", "hem"))])
    with pytest.raises(supple.SceneError, match=r"must be one of pairs of panel and edge"):
        pattern("shirt", sewn=["front-back"])


def test_a_pattern_is_written_in_forms_that_there_are(tmp_path):
    with pytest.raises(supple.SuppleError, match=r"written as \.json, \.svg, \.dxf"):
        supple.write_pattern(pattern("shirt"), tmp_path / "shirt.pdf")
