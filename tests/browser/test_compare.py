"""The same scene twice, side by side, in a real browser."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

from tests.browser.pages import wait_for


class ComparePage:
    """A tab on the page that compares. Console errors are kept in `complaints`."""

    def __init__(self, context, studio):
        self.tab = context.new_page()
        self.complaints = []
        self.tab.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))
        self.tab.on(
            "console", lambda said: self.complaints.append(said.text) if said.type == "error" else None
        )
        base, _, secret = studio.link.partition("#")
        self.tab.goto(f"{base}compare.html?quality=low#{secret}")

    def wait(self, expression, seconds=120.0):
        return wait_for(lambda: self.tab.evaluate(expression), seconds)


@pytest.fixture
def page(browser, studio):
    context = browser.new_context(viewport={"width": 900, "height": 600}, accept_downloads=True)
    page = ComparePage(context, studio)
    page.wait("Boolean(window.compare && compare.hasBegun && Math.min(...compare.times) > 0.1)")
    yield page
    context.close()
    assert page.complaints == []


def test_both_sides_go_together_and_are_the_same_until_something_differs(page, studio):
    other = studio.comparison.player
    assert other is not None and other.simulation is not studio.player.simulation
    page.tab.keyboard.press("Space")
    page.wait("compare.isPaused")
    wait_for(lambda: other.simulation.frame == studio.player.simulation.frame)
    first, second = studio.player.simulation.positions("cloth"), other.simulation.positions("cloth")
    assert np.array_equal(first, second)
    page.wait(f"Math.abs(compare.times[1] - {other.simulation.time}) < 1e-9")
    page.wait(f"Math.abs(compare.times[0] - {other.simulation.time}) < 1e-9")
    assert page.tab.evaluate("compare.vertex(0, 'cloth', 143)") == pytest.approx(
        page.tab.evaluate("compare.vertex(1, 'cloth', 143)"), abs=1e-6
    )


def test_one_camera_looks_at_both(page):
    page.tab.evaluate("compare.turn()")
    left, right = page.tab.evaluate("compare.cameras")
    assert left == pytest.approx(right, abs=1e-6)


def test_explicit_with_fixed_substeps_diverges_on_its_side_and_a_badge_says_so(page, studio):
    page.tab.locator("[id='right-integrator']").select_option("explicit")
    page.wait("compare.values('integrator')[1] === 'explicit'")
    assert page.tab.evaluate("compare.values('integrator')[0]") == "auto"
    page.tab.locator("[id='right-substeps']").fill("1")
    page.tab.locator("[id='right-substeps']").dispatch_event("change")
    page.tab.locator("[id='right-fixed_substeps']").check()
    page.wait("compare.diverged[1]")
    assert not page.tab.evaluate("compare.diverged[0]")
    assert "diverged at" in page.tab.locator(".badge:not([hidden])").inner_text()
    assert page.tab.locator(".badge:not([hidden])").count() == 1
    assert np.abs(studio.player.simulation.positions("cloth")).max() < 3.0
    page.tab.locator("[id='right-fixed_substeps']").uncheck()
    page.wait("compare.values('fixed_substeps')[1] === false")
    page.tab.locator("#again").click()
    page.wait("!compare.diverged[1] && Math.min(...compare.times) > 0.1")


def test_curves_of_both_have_an_axis_of_time_a_total_and_a_table(page):
    page.wait("Math.min(...compare.points) > 5")
    with page.tab.expect_download() as download:
        page.tab.locator("#plots .csv").click()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text())))
    assert {row["side"] for row in rows} == {"left", "right"}
    for row in rows:
        total = float(row["kinetic_J"]) + float(row["potential_J"])
        assert float(row["total_J"]) == pytest.approx(total, rel=1e-9, abs=1e-12)
    times = [float(row["time_s"]) for row in rows if row["side"] == "left"]
    assert times == sorted(times) and times[-1] > 0.1


def test_slow_motion_and_another_scene_reach_both(page, studio):
    page.tab.locator("#speed").select_option("0.1")
    page.wait("compare.speeds.every((speed) => speed === 0.1)")
    page.tab.locator("#speed").select_option("1")
    page.wait("compare.speeds.every((speed) => speed === 1)")
    page.tab.locator("#scene").select_option("hanging-sheet")
    page.wait(
        "compare.scenes.every((scene) => scene === 'hanging-sheet') && Math.min(...compare.times) > 0.05"
    )


def test_when_the_page_closes_the_second_simulation_ends_and_the_first_goes_on(browser, studio):
    context = browser.new_context(viewport={"width": 600, "height": 400})
    page = ComparePage(context, studio)
    page.wait("Boolean(window.compare && compare.hasBegun && Math.min(...compare.times) > 0.05)")
    context.close()
    wait_for(lambda: studio.comparison.player is None)
    frame = studio.player.simulation.frame
    wait_for(lambda: studio.player.simulation.frame > frame + 5)
