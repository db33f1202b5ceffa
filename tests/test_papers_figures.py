"""What the figures of docs/papers show holds, and is what stands on the pages."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import supple
from scripts.figures import debunne, desbrun, gudukbay, kang, meyer
from scripts.figures.draw import FIGURES

FOLDER = Path(__file__).parents[1] / "docs" / "papers"
MEASURED = json.loads((FOLDER / "measured.json").read_text(encoding="utf-8"))


def test_every_figure_has_a_picture_and_its_numbers():
    assert set(MEASURED) == set(FIGURES)
    pictures = {path.stem: path.stat().st_size for path in (FOLDER / "images").glob("*.png")}
    assert set(pictures) == set(FIGURES)
    assert max(pictures.values()) < 60_000


def test_filters_go_from_dirac_to_constant(tmp_path):
    numbers = desbrun.figure_3(tmp_path / "figure.png")
    assert numbers == pytest.approx(MEASURED["desbrun-3"], rel=1e-3)
    for ratio in (0.01, 1.0, 30.0, 1e5):
        assert desbrun.filter_row(41, ratio).sum() == pytest.approx(1.0)
    assert desbrun.filter_row(41, 1e-9)[20] == pytest.approx(1.0)
    assert np.ptp(desbrun.filter_row(41, 1e9)) < 1e-6


def test_a_spring_with_the_limiter_follows_its_law_and_then_stops():
    forces, stretches = desbrun.force_curve()
    below = forces < 0.99
    np.testing.assert_allclose(stretches[below], forces[below] / 10.0, atol=1e-4)
    np.testing.assert_allclose(stretches[forces > 1.01], 0.1, atol=2e-3)


def test_the_post_correction_shortens_what_a_hand_has_stretched(tmp_path):
    numbers = desbrun.figure_5(tmp_path / "figure.png")
    assert numbers["stretch_before"] > 1.5 and numbers["stretch_after"] < 1.12
    assert numbers == pytest.approx(MEASURED["desbrun-5"], rel=1e-3)


def test_a_threshold_keeps_triangles_out_of_a_ball():
    assert kang.deepest_triangle(kang.laid_over_a_ball(1e-4)) > 0.0
    assert kang.deepest_triangle(kang.laid_over_a_ball(0.012)) < 0.0


@pytest.mark.parametrize("at", [0.25, 0.5, 0.9])
def test_a_struck_edge_keeps_its_angular_momentum(at):
    stopped, turned = kang.struck_edge(at)
    places = np.array([0.0, 1.0]) - at
    assert not stopped.any()
    before, after = (-places).sum(), (places * turned[:, 1]).sum()
    assert after == pytest.approx(before)
    assert turned @ np.array([1.0, 0.0]) == pytest.approx(np.zeros(2))


def test_a_bezier_surface_on_anchors_is_computed_at_ten_explicit_steps():
    simulation = gudukbay.patch(10)
    report = simulation.step()
    assert report.substeps == 10 and report.is_finite
    assert simulation.settings.integrator == "explicit"


def test_every_example_of_meyer_has_a_scene():
    assert set(meyer.EXAMPLES) <= set(supple.gallery_names())


def test_the_curve_of_debunne_figure_4_is_the_one_that_is_printed_on_its_page():
    times, heights = debunne.corner_heights(seconds=1.0)
    for count, values in zip((27, 57, 135), heights.values(), strict=True):
        assert times[values.argmin()] == pytest.approx(MEASURED["debunne-4a"][f"first_low_s_{count}"])


def test_the_volume_of_a_pulled_bar_goes_with_poissons_ratio():
    for ratio in (0.0, 0.45):
        found = debunne.volume_when_stretched(ratio)
        assert found == pytest.approx(MEASURED["debunne-6a"][f"volume_{ratio:g}"], rel=1e-3)
    assert abs(debunne.volume_when_stretched(0.45) - 1.0) < 0.01
