"""Patterns are put on figures: laid round them, sewn, and told of beforehand if that cannot be."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

import supple
from supple.scene.files.toml_reader import GALLERY, parse_scene
from tests.collide.referee import Referee

PATTERNS = ("shirt", "trousers", "dress", "jumpsuit")


def pattern(name, **options):
    values = {"file": GALLERY / "patterns" / f"{name}.json", "size": 0.035, "body": "wearer", **options}
    return supple.Pattern(**values)


def wearer(**figure):
    return supple.Mesh(shape="mannequin", figure=figure or None, name="wearer", friction=0.5, shell=0.004)


def changed(tmp_path, name, change):
    """Return the file of a pattern in which something was changed."""
    document = json.loads((GALLERY / "patterns" / f"{name}.json").read_text(encoding="utf-8"))
    change(document["pattern"]["panels"], document)
    path = tmp_path / f"{name}.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@pytest.mark.parametrize("height", [1.66, 1.75])
@pytest.mark.parametrize("name", PATTERNS)
def test_a_garment_is_dressed_by_defaults_with_closed_seams_and_without_intersections(name, height):
    # Without any drag a skirt swings for minutes, as in converged motion.
    scene = supple.Scene(pattern(name), wearer(height=height), drag=2.0)
    simulation = supple.Simulation(scene)
    seconds = 4.0
    for report in simulation.run(seconds):
        assert report.is_finite
        if simulation.frame == round(50 * (seconds - 0.5)):
            before = np.concatenate([simulation.positions(body) for body in simulation.body_names])
    assert report.status == "ok"
    assert max(gap.largest for gap in simulation.seam_gaps()) < 0.003
    assert len(simulation.seam_gaps()) == len(scene.stitches)
    assert report.max_stretch < 1.2
    assert not Referee(simulation).sees_intersections()
    assert simulation.depth() < 0.0
    # At rest: within half a second nothing has gone anywhere.
    after = np.concatenate([simulation.positions(body) for body in simulation.body_names])
    moved = np.linalg.norm(after - before, axis=1)
    sway = 0.02 if name == "dress" else 0.005  # its skirt still does
    assert np.quantile(moved, 0.99) < sway and moved.max() < 4.0 * sway and report.kinetic_energy < 1e-3
    # It has not slid off: tops stay on the shoulders, trousers on the hips.
    top = max(simulation.positions(body)[:, 1].max() for body in simulation.body_names)
    assert top > (0.52 if name == "trousers" else 0.82) * height


@pytest.mark.parametrize("name", PATTERNS)
def test_a_garment_is_walked_in_with_closed_seams_and_without_intersections(name):
    walker = supple.walking_mannequin(start=0.1, name="wearer", friction=0.5, shell=0.004)
    simulation = supple.Simulation(supple.Scene(pattern(name), walker, drag=0.5))
    garment, contacts = [body for body in simulation.body_names if body != "wearer"], 0
    for report in simulation.run(1.5):
        assert report.is_finite and report.max_stretch < 1.2
        assert max(gap.largest for gap in simulation.seam_gaps()) < 0.003
        contacts = max(contacts, report.contacts)
        if simulation.frame % 5 == 0:
            assert not Referee(simulation, garment).sees_intersections()
    assert report.status == "ok" and contacts > 50
    top = max(simulation.positions(body)[:, 1].max() for body in garment)
    assert top > (0.53 if name == "trousers" else 0.82) * 1.75


def test_sleeves_go_round_their_own_arms_and_legs_round_their_own_legs():
    scene = supple.Scene(pattern("jumpsuit"), wearer())
    for cloth in scene.bodies:
        points = cloth.start_points()
        if "left" in cloth.name:
            assert points[:, 0].min() > -0.01
        if "right" in cloth.name:
            assert points[:, 0].max() < 0.01
        if "front" in cloth.name:
            assert points[:, 2].mean() > 0.0
        if "back" in cloth.name:
            assert points[:, 2].mean() < 0.0


def test_a_scene_file_dresses_like_python_does():
    toml = """
    [pattern.shirt]
    file = "shirt.json"
    body = "wearer"
    size = 0.05
    self_contact = "off"
    [obstacle.wearer]
    mesh = { shape = "mannequin", figure = { height = 1.7, arms_deg = 30 } }
    """
    read = parse_scene(toml, folder=GALLERY / "patterns")
    figure = supple.Mannequin(height=1.7, arms_deg=30)
    built = supple.Scene(
        pattern("shirt", size=0.05, self_contact="off"),
        supple.Mesh(shape="mannequin", figure=figure, name="wearer"),
    )
    assert read == built
    assert all(stitch.gap == 0.0 for stitch in read.stitches)


def test_panels_may_be_sent_to_another_part_of_the_figure():
    swapped = pattern(
        "shirt",
        size=0.05,
        panels={"left_sleeve": {"part": "right-arm"}, "right_sleeve": {"part": "left-arm"}},
    )
    from supple.scene.dressing.arrangement import Arrangement
    from supple.scene.dressing.dress import flat_panels, sewn_edges
    from supple.scene.dressing.figure import find_figure
    from supple.scene.obstacles.mannequin import mannequin

    places = Arrangement(flat_panels(swapped), sewn_edges(swapped), find_figure(*mannequin())).places()
    left = swapped.panel_names.index("left_sleeve")
    assert places[left][:, 0].max() < 0.0


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"body": "nobody"}, 'pattern.shirt.body.* is "nobody", which is no obstacle. .*wearer, table'),
        ({"body": "table"}, r'pattern.shirt.body.* names "table", but "table" has \d legs'),
        (
            {"panels": {"front": {"part": "left-wing"}}},
            'panels.front.part.* is "left-wing", but it must be one of .*left-arm',
        ),
    ],
)
def test_mistakes_are_told_where_they_stand(table, message):
    with pytest.raises(supple.SceneError, match=message):
        supple.Scene(pattern("shirt", **table), wearer(), supple.Mesh(shape="desk", name="table"))


def test_seams_of_unequal_lengths_are_told_beforehand_with_their_edges(tmp_path):
    def shorten(panels, _):
        panels["left_sleeve"]["vertices"][0][0] *= (
            3.0  # one side of the cuff: the underarm seam grows crooked
        )
        panels["left_sleeve"]["vertices"][0][1] -= 12.0

    file = changed(tmp_path, "shirt", shorten)
    with pytest.warns(
        UserWarning, match="joins `left_sleeve.under-a` and `left_sleeve.under-b`.*the fabric gives 8 %"
    ):
        supple.Scene(pattern("shirt", file=file, size=0.05), wearer())


def test_a_neck_too_narrow_for_the_head_is_told_beforehand(tmp_path):
    def narrow(panels, _):
        for name in ("front", "back"):
            for edge in panels[name]["edges"]:
                if edge["label"] == "neck":
                    edge["curvature"]["params"] = [[0.1, 0.1], [0.9, 0.1]]

    file = changed(tmp_path, "shirt", narrow)
    with pytest.warns(
        UserWarning, match="the head does not fit through the opening of `front.neck` and `back.neck`"
    ):
        supple.Scene(pattern("shirt", file=file, size=0.05), wearer())


def test_a_garment_too_tight_for_the_body_is_told_beforehand_and_by_the_status():
    tight = r"cannot close round the body at 0\.\d+ m: skirt_back, skirt_front together measure"
    with pytest.warns(UserWarning, match=f"{tight}|the head does not fit") as told:
        scene = supple.Scene(pattern("dress", size=0.05), wearer(girth=1.3))
    assert any("together measure" in str(warning.message) for warning in told)
    simulation = supple.Simulation(scene)
    for report in simulation.run(0.2):
        pass
    assert report.status == "seams-open"
    assert max(gap.largest for gap in simulation.seam_gaps()) > 0.003


def test_patterns_that_fit_are_put_on_without_a_word():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        supple.Scene(pattern("dress", size=0.06), wearer())
