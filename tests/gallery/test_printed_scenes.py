"""Scenes that repeat the papers as printed: each does what its figure shows, as well as the printed method can."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

import supple
from supple.scene.files.toml_reader import GALLERY

PRINTED = tuple(name for name in supple.gallery_names() if supple.find_scene(name).paper)


@dataclass(frozen=True)
class Film:
    """A scene that was played to its end."""

    simulation: supple.Simulation
    reports: list[supple.StepReport]
    positions: dict[str, NDArray[np.float64]]
    """(frame_count + 1, point_count, 3) positions of every body, the start first [m]."""

    def sag(self, body: str, frame: int = -1) -> float:
        """Return how far the lowest point of a body is below its lowest start [m]."""
        moments = self.positions[body]
        return float(moments[0, :, 1].min() - moments[frame, :, 1].min())


@functools.cache
def film(name: str) -> Film:
    scene = supple.find_scene(name)
    simulation = supple.Simulation(scene)
    reports = []
    moments = {body: [simulation.positions(body).copy()] for body in simulation.body_names}
    for report in simulation.run(scene.duration):
        reports.append(report)
        for body, frames in moments.items():
            frames.append(simulation.positions(body).copy())
    return Film(simulation, reports, {body: np.array(frames) for body, frames in moments.items()})


@pytest.mark.parametrize("name", PRINTED)
def test_scene_says_which_paper_it_repeats_and_stays_finite(name):
    scene = supple.find_scene(name)
    assert name.split("-")[0] == scene.paper.split("-")[0]
    assert scene.title.startswith(("Desbrun", "Kang", "Meyer", "Güdükbay", "Debunne"))
    assert 10 <= len(scene.title) <= 60 and not scene.title.endswith(".")
    assert len(scene.description.split()) >= 20
    assert "SI units" in (GALLERY / f"{name}.toml").read_text(encoding="utf-8").splitlines()[0]
    assert all(report.is_finite and report.status == "ok" for report in film(name).reports)


def test_every_paper_has_scenes_of_its_own():
    papers = {supple.find_scene(name).paper for name in PRINTED}
    assert papers == {"desbrun-1999", "kang-2000", "gudukbay-1997", "meyer-2000", "debunne-2000"}


@pytest.mark.parametrize("name", [name for name in PRINTED if name.startswith(("desbrun", "kang", "meyer"))])
def test_springs_take_one_printed_step_a_frame(name):
    settings = supple.find_scene(name).settings
    assert settings.substeps == 1 and settings.predictor == "current"
    assert 50.0 <= settings.frame_rate <= 60.0
    if name.startswith("kang"):
        assert (settings.integrator, settings.sweeps) == ("jacobi", 2)
    else:
        assert settings.integrator == "filter"
    bodies = film(name).positions.values()
    assert all(100 <= moments.shape[1] <= 400 for moments in bodies), "as many masses as in the papers"


def test_desbrun_s_scarf_lies_on_two_obstacles_and_slides_in_between():
    played = film("desbrun-scarf")
    between = [
        moment[np.abs(moment[:, 0]) < 0.1, 1].min() for moment in played.positions["scarf"][[0, 40, 80, 180]]
    ]
    assert between == sorted(between, reverse=True)
    assert between[1] > 0.3, "it sags between the obstacles that carry it"
    assert between[3] < 0.01, "and has come down between them"
    assert played.simulation.depth() < 0.0
    assert max(report.max_stretch for report in played.reports) < 1.25


def test_one_step_of_20_ms_holds_a_million_newtons_per_metre_and_none_at_all():
    played = film("desbrun-stiffness")
    sags = [played.sag(body) for body in ("mail", "soft", "firm", "stiff")]
    assert sags == sorted(sags, reverse=True)
    assert sags[0] > 0.3, "without forces inside, the mail swings down"
    assert sags[3] < 1e-3, (
        "the printed predictor resists turning so much that the stiffest hardly moves in 5 s"
    )


def test_air_calms_kang_s_ribbon():
    played = film("kang-ribbon")
    speed = {
        body: np.sqrt((np.diff(moments[60:], axis=0) ** 2).sum(axis=2).mean()) * 60.0
        for body, moments in played.positions.items()
    }
    assert speed["air"] < 0.65 * speed["vacuum"]


def test_kang_s_flag_flies_downwind_and_flutters_at_40_metres_a_second():
    moments = film("kang-flag").positions["flag"][60:]
    free_edge = moments[:, 12::13]
    assert free_edge[:, :, 0].mean() > 0.4
    assert 0.05 < free_edge[:, :, 2].std() < 0.3
    assert max(report.max_stretch for report in film("kang-flag").reports) < 1.25


def test_kang_s_cloth_lies_on_itself_and_never_passes_through():
    played = film("kang-self-collision")
    edge = played.positions["sheet"][-1, ::16]
    assert edge[:, 1].min() > 0.004, "the edge lies on the other half, a thickness above it"
    assert edge[:, 0].mean() > 0.1
    assert played.simulation.intersections() == 0
    assert np.abs(played.simulation.velocities("sheet")).max() < 0.15  # contact after the solve never rests


def test_meyer_s_postures_come_out_of_one_simulation():
    moments = film("meyer-postures").positions["fabric"]
    calm = [95, 175, 440]
    assert all(np.abs(moments[n] - moments[n - 1]).max() * 50.0 < 0.15 for n in calm)
    by_two, shaken, by_one = (moments[n] for n in calm)
    assert np.ptp(by_two[:, 1]) == pytest.approx(0.62, abs=0.04), (
        "held at two corners it is as long as it is wide"
    )
    assert np.abs(shaken - by_two).max() > 0.05
    assert np.ptp(by_one[:, 1]) == pytest.approx(0.6 * np.sqrt(2.0), rel=0.1), (
        "by one it hangs along its diagonal"
    )


def test_meyer_s_scarf_stays_on_the_head_and_hangs_down_around_it():
    played = film("meyer-head")
    end = played.positions["scarf"][-1]
    assert end[:, 1].max() > 1.7 and end[:, 1].min() < 1.4
    assert np.abs(end.mean(axis=0)[[0, 2]]).max() < 0.05
    assert played.simulation.depth() < 0.0


def test_the_stiffer_gudukbay_s_sheets_the_less_they_sag_and_anchors_hold_by_equation_8():
    played = film("gudukbay-corners")
    names = [f"sheet-{letter}" for letter in "abcde"]
    sags = [played.sag(name) for name in names]
    assert sags == sorted(sags, reverse=True)
    assert sags[0] > 2.0 * sags[-1]
    for name in names:
        moments = played.positions[name]
        corners = [0, 10, 110, 120]
        gap = np.linalg.norm(moments[-1, corners] - moments[0, corners], axis=1)
        # The anchors carry the sheet: k |gap| is at least a quarter of its weight each, and more as they pull inwards.
        weight = 0.2 * 0.8**2 * 9.81
        assert np.all(2.0e4 * gap > 0.2 * weight)
        assert np.all(gap < 1e-4)


def test_gudukbay_s_sheets_fall_about_the_point_that_is_held():
    played = film("gudukbay-centre")
    sags = [played.sag(f"sheet-{letter}") for letter in "abcde"]
    assert sags[0] == max(sags) and all(sag > 0.45 for sag in sags)
    for moments in played.positions.values():
        assert np.linalg.norm(moments[-1, 60] - moments[0, 60]) < 3e-4


def test_debunne_s_cubes_sag_and_swing_alike_at_three_resolutions():
    played = film("debunne-cube")
    rest, first_low = {}, {}
    for body, moments in played.positions.items():
        start = moments[0]
        corner = np.flatnonzero(
            (start[:, 0] > start[:, 0].max() - 1e-9) & (start[:, 1] < start[:, 1].min() + 1e-9)
        )[0]
        height = moments[:, corner, 1] - start[corner, 1]
        rest[body], first_low[body] = height[-1], int(height.argmin())
    assert [len(moments[0]) for moments in played.positions.values()] == [27, 57, 135]
    assert rest["fine"] < rest["middle"] < rest["coarse"] < 0.0
    assert rest["coarse"] / rest["fine"] > 0.8, (
        "linear elements are too stiff when they are few, but not by much"
    )
    assert max(first_low.values()) - min(first_low.values()) <= 1, (
        "they reach their lowest point in the same frame"
    )


def test_debunne_s_liver_is_split_by_the_printed_measure_where_it_is_pressed_and_merged_again():
    played = film("debunne-liver")
    finest = [report.level_nodes[-1] for report in played.reports]
    assert finest[10] == 0 and max(finest) > 50 and finest[-1] < 0.2 * max(finest)
    assert max(report.node_updates for report in played.reports) <= 24000
