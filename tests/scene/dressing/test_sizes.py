"""Sizes that a pattern leaves open: read from its file, drawn at once or while it moves, and written again."""

from __future__ import annotations

import json

import numpy as np
import pytest

import supple
from supple.scene.cloth_shapes.panel_sizes import PanelSize
from supple.scene.files.toml_reader import GALLERY, parse_scene

PATTERNS = ("shirt", "trousers", "dress", "jumpsuit", "tunic")
LONGER = PanelSize(value=0.6, low=0.4, high=0.9, unit="m", moves=((0, -1), (0, -1), (0, 0), (0, 0)))


def banner():
    """A panel that hangs by its upper corners and may become longer; one of its sides is curved."""
    cloth = supple.Cloth.panel(
        outline=[[0, 0], {"at": [0.4, 0], "curve": [[0.5, 0.3]]}, [0.4, 0.6], [0, 0.6]],
        size=0.05,
        name="banner",
    )
    return cloth.changed(shape=cloth.shape.changed(sizes={"length": LONGER})).pinned("corner-2", "corner-3")


def simulation():
    return supple.Simulation(supple.Scene(banner(), drag=4.0))


def file_of(name):
    return GALLERY / "patterns" / f"{name}.json"


@pytest.mark.parametrize("name", PATTERNS)
def test_sewn_edges_keep_equal_lengths_at_the_ends_of_all_sizes(name):
    drawn = supple.Pattern(file=file_of(name), size=0.06)
    sizes = {key: size for cloth in drawn.cloths for key, size in cloth.shape.sizes.items()}
    assert sizes
    for ends in (
        {key: size.low for key, size in sizes.items()},
        {key: size.high for key, size in sizes.items()},
    ):
        pattern = supple.Pattern(file=file_of(name), size=0.06, sizes=ends)
        cloths = {cloth.name: cloth for cloth in pattern.cloths}
        for stitch in pattern.stitches:
            lengths = []
            for cloth, edge in (stitch.a, stitch.b):
                chain = cloths[cloth].local_points()[cloths[cloth].edge_chain(edge)]
                lengths.append(np.linalg.norm(np.diff(chain, axis=0), axis=1).sum())
            assert abs(lengths[0] - lengths[1]) < 0.02 * max(lengths)


def test_a_size_moves_what_it_names_and_nothing_else():
    short, long = (
        {
            cloth.name: cloth
            for cloth in supple.Pattern(file=file_of("shirt"), size=0.06, sizes={"length": v}).cloths
        }
        for v in (0.60, 0.80)
    )
    height = [np.ptp(cloths["shirt-front"].local_points()[:, 1]) for cloths in (short, long)]
    assert height[1] - height[0] == pytest.approx(0.20, abs=1e-9)
    width = [np.ptp(cloths["shirt-front"].local_points()[:, 0]) for cloths in (short, long)]
    assert width[0] == pytest.approx(width[1], abs=1e-9)
    assert (short["shirt-left_sleeve"].local_points() == long["shirt-left_sleeve"].local_points()).all()


def test_a_pattern_keeps_its_sizes_when_it_is_written(tmp_path):
    pattern = supple.Pattern(file=file_of("shirt"), size=0.06, sizes={"length": 0.8, "width": 0.6})
    supple.write_pattern(pattern, tmp_path / "shirt.json")
    again = supple.Pattern(file=tmp_path / "shirt.json", size=0.06)
    for one, other in zip(pattern.cloths, again.cloths, strict=True):
        np.testing.assert_allclose(other.local_points(), one.local_points(), atol=1e-9)
        assert other.shape.sizes.keys() == one.shape.sizes.keys()
        for name, size in one.shape.sizes.items():
            assert other.shape.sizes[name].value == pytest.approx(size.value)
            np.testing.assert_allclose(other.shape.sizes[name].moves, size.moves, atol=1e-9)


def test_factors_of_garmentcode_scale_edges_from_the_value_of_the_file(tmp_path):
    square = {
        "vertices": [[0, 0], [30, 0], [30, 60], [0, 60]],
        "edges": [{"endpoints": [k, (k + 1) % 4]} for k in range(4)],
        "translation": [0, 0, 0],
        "rotation": [0, 0, 0],
    }
    edges = [{"id": 1, "direction": "start", "along": [0, 1]}, {"id": 3, "direction": "end", "along": [0, 1]}]
    parameters = {
        "long": {"type": "length", "value": 1.2, "range": [0.6, 1.8],
                 "influence": [{"panel": "sheet", "edge_list": edges}]},
        "odd": {"type": "curve", "value": 1.0, "range": [0.5, 1.5], "influence": []},
    }  # fmt: skip
    document = {
        "pattern": {"panels": {"sheet": square}, "stitches": []},
        "parameters": parameters,
        "properties": {"curvature_coords": "relative", "units_in_meter": 100},
    }
    path = tmp_path / "sheet.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.warns(UserWarning, match=r'"odd" has the type .curve., which is not known'):
        (cloth,) = supple.Pattern(file=path, size=0.05, sizes={"long": 0.6}).cloths
    # Half of 1.2: the sides are 30 cm instead of 60, and their upper ends stay.
    assert cloth.local_points()[:, 1].min() == pytest.approx(0.30)
    assert cloth.local_points()[:, 1].max() == pytest.approx(0.60)


def test_a_scene_file_gives_sizes_and_mistakes_are_told_where_they_stand():
    toml = '[pattern.shirt]\nfile = "patterns/shirt.json"\nsize = 0.06\nsizes = {{ {} }}\n'
    read = parse_scene(toml.format("length = 0.8"), folder=GALLERY)
    assert read.body("shirt-front").shape.sizes["length"].value == 0.8
    with pytest.raises(
        supple.SceneError, match=r"pattern.shirt.sizes.lenght.* is no size .*Did you mean \"length\""
    ):
        parse_scene(toml.format("lenght = 0.8"), folder=GALLERY)
    with pytest.raises(
        supple.SceneError, match=r"pattern.shirt.sizes.length.* is 3, but it goes from 0.54 to 0.94"
    ):
        parse_scene(toml.format("length = 3.0"), folder=GALLERY)


def test_points_follow_the_outline_they_are_drawn_by():
    panel = banner().shape
    points, drawn = panel.sized_points({"length": 0.9}), panel.sized({"length": 0.9})
    for edge in panel.edge_names:
        chain = points[panel.named(edge)][:, :2]
        exact = drawn.local_points()[drawn.named(edge)][:, :2]
        # The chain lies on the curve: each of its points is as far from the finer polygon as that is from the curve.
        apart = np.linalg.norm(chain[:, None] - exact[None], axis=2).min(axis=1)
        assert apart[[0, -1]].max() < 1e-12 and apart.max() < 0.06
    # Inside a piece that only becomes longer all is stretched alike, where its sides are straight.
    straight = supple.Cloth.panel(outline=[[0, 0], [0.4, 0], [0.4, 0.6], [0, 0.6]], size=0.05).shape
    grown = straight.changed(sizes={"length": LONGER}).sized_points({"length": 0.9})
    wanted = straight.local_points() * [1.0, 1.5, 1.0] - [0.0, 0.3, 0.0]
    np.testing.assert_allclose(grown, wanted, atol=1e-8)


def test_a_panel_becomes_longer_while_it_hangs_and_heavier():
    moving = simulation()
    for _ in range(5):
        moving.step()
    moving.set("banner", sizes={"length": 0.9})
    for _ in range(60):
        report = moving.step()
    assert report.status == "ok" and report.max_stretch < 1.06
    assert moving.positions("banner")[:, 1].min() == pytest.approx(-0.3, abs=0.015)
    declared = banner().changed(sizes={"length": 0.9})
    at_once = supple.Simulation(supple.Scene(declared, drag=4.0))
    np.testing.assert_allclose(moving.rest_lengths("banner"), at_once.rest_lengths("banner"), rtol=1e-12)
    masses = [s.engine.world.particles.masses for s in (moving, at_once)]
    np.testing.assert_allclose(*masses, rtol=1e-12)


def test_sizes_outlast_edits_undo_snapshots_and_scripts():
    moving = simulation()
    start = moving.rest_lengths("banner").copy()
    moving.step()
    moving.erase("banner", [3])
    moving.set("banner", sizes={"length": 0.9})
    moving.undo()  # the edit goes, the size stays
    np.testing.assert_allclose(
        moving.rest_lengths("banner"),
        supple.Simulation(supple.Scene(banner().changed(sizes={"length": 0.9}))).rest_lengths("banner"),
        rtol=1e-12,
    )
    snapshot = moving.snapshot()
    moving.set("banner", sizes={"length": 0.6})
    np.testing.assert_allclose(moving.rest_lengths("banner"), start, rtol=1e-12)
    moving.restore(snapshot)
    moving.set("banner", sizes={"length": 0.6})
    np.testing.assert_allclose(moving.rest_lengths("banner"), start, rtol=1e-12)
    one, other = simulation(), simulation()
    one.step()
    one.resize("banner", length=0.8)
    one.step()
    other.replay(one.script)
    other.step(), other.step()
    assert (one.positions("banner") == other.positions("banner")).all()


def test_sizes_that_are_not_offered_are_refused():
    moving = simulation()
    with pytest.raises(
        supple.SuppleError, match=r"names 'width', which 'banner' does not have. Sizes: length"
    ):
        moving.set("banner", sizes={"width": 0.9})
    with pytest.raises(supple.SuppleError, match=r"`sizes.length` is 2, but it goes from 0.4 to 0.9"):
        moving.resize("banner", length=2.0)


def worn_sheet():
    """A garment of one panel, sized and cut: a sheet with a slit and a hole that is longer than it was drawn."""
    sheet = supple.Cloth.panel(
        outline=[[0, 0], [0.4, 0], [0.4, 0.6], [0, 0.6]], size=0.05, name="apron-front", garment="apron"
    )
    return supple.Simulation(supple.Scene(sheet.changed(shape=sheet.shape.changed(sizes={"length": LONGER}))))


@pytest.mark.parametrize("form", ["json", "svg", "dxf"])
def test_panels_are_written_as_they_are_with_sizes_and_cuts(tmp_path, form):
    worn = worn_sheet()
    worn.resize("apron", length=0.8)
    assert worn.write_pattern("apron", tmp_path / f"whole.{form}") == ["front"]
    (whole,) = supple.Pattern(file=tmp_path / f"whole.{form}", size=0.05).cloths
    np.testing.assert_allclose(np.ptp(whole.local_points(), axis=0)[:2], [0.4, 0.8], atol=1e-5)
    # Cut across at y = 0.2 of 0.8, in the world at 0.3 of 0.6: two pieces, and nothing of the cloth is lost.
    worn.cut("apron-front", path=[[-0.1, 0.3, 0.0], [0.5, 0.3, 0.0]])
    names = worn.write_pattern("apron", tmp_path / f"cut.{form}")
    assert len(names) == 2
    pieces = supple.Pattern(file=tmp_path / f"cut.{form}", size=0.05).cloths
    heights = sorted(np.ptp(piece.local_points()[:, 1]) for piece in pieces)
    np.testing.assert_allclose(heights, [0.4, 0.4], atol=0.01)
    area = sum(_area(piece.local_points()[piece.surface_triangles()]) for piece in pieces)
    assert area == pytest.approx(0.4 * 0.8, rel=1e-3)


def _area(corners):
    return (
        0.5
        * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1).sum()
    )


def test_a_garment_that_is_not_there_is_not_written(tmp_path):
    with pytest.raises(
        supple.SuppleError, match=r"there is no garment 'aprn'. Garments: apron. Did you mean"
    ):
        worn_sheet().write_pattern("aprn", tmp_path / "a.svg")
