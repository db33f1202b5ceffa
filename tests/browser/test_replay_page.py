"""A recording and its player in one file: it opens from disk, with nothing else around."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

import supple
from tests.browser.pages import sheet_scene


@pytest.fixture(scope="module")
def file(tmp_path_factory, built_page):
    """A sheet that is cut in the middle of its recording, as a page, beside the same as arrays."""
    folder = tmp_path_factory.mktemp("one-file")
    simulation = supple.Simulation(sheet_scene())
    with supple.record.open_recording(
        [folder / "drape.html", folder / "drape.npz"], frame_count=21, frame_rate=50.0
    ) as recording:
        recording.add(simulation)
        for number in range(20):
            simulation.step()
            if number == 9:
                simulation.cut("cloth", plane=((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)))
            recording.add(simulation)
    return folder / "drape.html"


@pytest.fixture
def page(browser, file, tmp_path):
    """The file, moved to a folder of its own and opened from there."""
    alone = shutil.copy(file, tmp_path / "mine.html")
    context = browser.new_context(viewport={"width": 700, "height": 500})
    tab = context.new_page()
    complaints, asked = [], []
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(f"file://{alone}")
    tab.wait_for_function("() => window.replay && replay.shown.every((n) => n >= 0)", timeout=60_000)
    yield tab
    context.close()
    assert complaints == []
    assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []


def test_it_plays_from_disk_and_shows_what_was_recorded(page, file):
    page.wait_for_function("() => replay.moment > 0.05", timeout=60_000)
    page.keyboard.press(" ")
    with supple.open(file.with_suffix(".npz")) as recording:
        for number in (20, 3):  # after the cut, and before it
            page.locator("#scrub").fill(str(number))
            page.wait_for_function(f"() => replay.shown[0] === {number}", timeout=60_000)
            frame = recording[number]
            for body in frame.body_names:
                points = np.asarray(frame.positions(body))
                for vertex in (0, len(points) // 2, len(points) - 1):
                    seen = page.evaluate(f"replay.vertex(0, {body!r}, {vertex})")
                    assert seen == pytest.approx(points[vertex].tolist(), abs=3e-4)


def test_it_says_what_it_is(page):
    assert "drape" in page.title()
    assert "of 0.40 s" in page.locator("#clock").inner_text()
