"""The laboratory: its numbers against theory, and measured fabrics."""

import numpy as np
import pytest
from typer.testing import CliRunner

import supple
from supple import lab
from supple.cli import app
from supple.errors import SuppleError
from supple.lab.disc import ring_mesh
from supple.lab.disc_drape import fold_count, shadow_area
from supple.lab.figure import draw
from supple.scene.bodies.materials import fabrics


@pytest.mark.parametrize("test", [lab.tensile, lab.shear])
@pytest.mark.parametrize("name", ["cotton", "black-denim"])
def test_strips_and_frames_show_what_the_material_says(test, name):
    for row in test(name).rows:
        assert row.measured == pytest.approx(row.expected, rel=0.01), row.quantity


def test_a_strip_over_an_edge_shows_the_bending_length_of_warp_and_weft():
    warp, weft = lab.cantilever("black-denim").rows
    assert warp.expected < weft.expected
    for row in (warp, weft):
        assert row.measured == pytest.approx(row.expected, rel=0.03)


def test_denim_drapes_as_denim_does():
    found = lab.drape("black-denim", points=700)
    assert found.is_at_rest
    assert 70.0 < found.coefficient < 90.0  # the trade's band
    assert 3 <= found.folds <= 8


def test_the_shadow_of_a_flat_ring_is_its_area():
    points, triangles, held = ring_mesh(0.075, 0.15, 0.09, 0.006)
    radii = np.hypot(points[:, 0], points[:, 2])
    expected = np.pi * (0.15**2 - radii.min() ** 2)
    assert shadow_area(points, triangles) == pytest.approx(expected, rel=0.01)
    assert np.isclose(radii[held].max(), 0.09)


def test_folds_are_counted():
    angles = np.linspace(0.0, 2.0 * np.pi, 150, endpoint=False)
    assert fold_count(0.12 + 0.01 * np.cos(6.0 * angles)) == 6
    assert fold_count(np.full(150, 0.15)) == 0


def test_every_fabric_says_where_its_numbers_come_from():
    known = fabrics()
    assert {"silk", "cotton", "wool", "denim", "rubber", "chain mail"} < set(known)
    measured = [fabric for fabric in known.values() if "Wang" in fabric.source]
    assert len(measured) == 10
    for fabric in known.values():
        assert fabric.description
        assert fabric.source
        assert fabric.material.area_density > 0.0


def test_what_cannot_be_tested_is_refused_in_words():
    with pytest.raises(SuppleError, match="neither a preset"):
        lab.drape("cottn")
    limp = supple.Material.like("cotton", bending_stiffness=0.0, shear_stiffness=0.0)
    with pytest.raises(SuppleError, match="hangs straight down"):
        lab.cantilever(limp)
    with pytest.raises(SuppleError, match="gives way"):
        lab.tensile(limp)
    with pytest.raises(SuppleError, match="frame closes"):
        lab.shear(limp)


@pytest.mark.parametrize(("name", "least", "most"), [("silk", 20, 40), ("cotton", 60, 75), ("wool", 40, 70)])
def test_presets_drape_as_the_trade_says_on_a_turned_mesh_too(name, least, most):
    found = [lab.drape(name, points=1500, turn_deg=turn) for turn in (0.0, 37.0)]
    for drape in found:
        assert drape.is_at_rest
        assert least < drape.coefficient < most
        assert 5 <= drape.folds <= 9
    assert abs(found[0].coefficient - found[1].coefficient) < 3.0
    assert abs(found[0].folds - found[1].folds) <= 1


def told_by(*words):
    return CliRunner().invoke(app, ["lab", *map(str, words)])


def test_a_test_draws_a_figure_and_keeps_its_film(tmp_path):
    figure, film = tmp_path / "shear.png", tmp_path / "strip.npz"
    assert told_by("shear", "cotton", "--out", figure).exit_code == 0
    assert figure.stat().st_size > 5000
    refused = told_by("shear", "cotton", "--out", figure)
    assert refused.exit_code != 0 and "exists" in str(refused.exception or refused.output)
    drawn = draw(lab.cantilever("black-denim", record=film), "black-denim")
    assert len(drawn.axes[0].lines) == 2
    with supple.open(film) as recording:
        frames = [frame.positions(frame.body_names[0])[:, 1].min() for frame in recording]
    assert len(frames) > 20
    assert frames[0] > -1e-6 > -0.02 > frames[-1]  # level at first, hanging in the end
    nothing = told_by("tensile", "cotton", "--record", tmp_path / "still.npz")
    assert nothing.exit_code != 0 and "nothing to film" in str(nothing.exception or nothing.output)


def test_the_figure_of_a_disc_shows_it_from_above():
    drape = lab.drape("black-denim", points=300)
    axis = draw(drape).axes[0]
    assert len(axis.collections[0].get_array()) == len(drape.triangles)
