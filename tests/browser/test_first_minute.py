"""The first minute of a newcomer: what invites, what confirms, and the same on a phone and by keys."""

from __future__ import annotations

import time

import numpy as np
import pytest

from supple.scene.files.toml_reader import GALLERY
from supple.studio.connection import protocol
from supple.studio.play import Studio
from tests.browser.pages import hang_still, wait_for

CORNER, MIDDLE = 143, 78
CARDS = ("#title", "#hud", "#palette", "#tools")


def boxes(page, names):
    return {name: page.tab.locator(name).bounding_box() for name in names}


def are_apart(a, b):
    return (
        a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
        or a["y"] + a["height"] <= b["y"] or b["y"] + b["height"] <= a["y"]
    )  # fmt: skip


def test_a_ghost_hand_invites_until_the_first_grab_and_never_again(open_page, studio):
    page = open_page().ready()
    page.wait("!document.getElementById('ghost').hidden")
    hang_still(studio)
    page.more_frames(2)
    x, y = page.screen(MIDDLE)
    page.tab.mouse.move(x, y)
    page.wait("document.getElementById('view').dataset.hover === 'cloth'")  # what can be taken lights up
    page.tab.mouse.down()
    page.wait("document.getElementById('ghost').hidden")
    page.tab.mouse.up()
    page.tab.mouse.move(80, 300, steps=2)
    time.sleep(0.1)
    page.tab.mouse.move(84, 304)
    page.wait("document.getElementById('view').dataset.hover === ''")
    page.tab.reload()
    page.ready()
    page.wait("studio.frame > 80")
    page.more_frames(3)
    assert not page.tab.locator("#ghost").is_visible()


def test_a_click_shows_the_whole_description(open_page, built_page):
    with Studio("chain", port=0) as studio:
        page = open_page(on=studio).ready()
        text = page.tab.locator("#scene-description")
        low = text.bounding_box()["height"]
        text.click()
        assert text.get_attribute("aria-expanded") == "true"
        whole, seen = page.ask(
            "[['scrollHeight', 'clientHeight'].map((n) => document.getElementById('scene-description')[n])]"
        )[0]
        assert whole <= seen + 1
        assert text.bounding_box()["height"] >= low
        text.click()
        assert text.get_attribute("aria-expanded") == "false"
        page.wait("document.getElementById('palette-knife').classList.contains('idle')")
        page.tab.keyboard.press("3")
        page.wait("document.getElementById('toast').textContent.includes('needs cloth')")
        # What lasts of a scene: its file, and the command that opens it.
        page.tab.keyboard.press("l")
        page.tab.get_by_role("button", name="the command").click()
        page.wait("document.getElementById('toast').textContent === 'supple play chain'")
        page.tab.keyboard.press("l")
        with page.tab.expect_download(timeout=60_000) as waiting:
            page.tab.get_by_role("button", name="the scene as TOML").click()
        assert waiting.value.suggested_filename == "chain.toml"
        assert waiting.value.path().read_bytes() == (GALLERY / "chain.toml").read_bytes()


def test_edits_are_confirmed_in_a_word_and_strokes_beside_cloth_are_told(open_page, studio):
    page = open_page().ready()
    hang_still(studio)
    page.pause(studio)
    said = "document.getElementById('toast').textContent"
    page.tab.keyboard.press("2")
    page.tab.mouse.click(*page.screen(MIDDLE))
    page.wait(f"{said} === 'Pinned'")
    page.tab.keyboard.press("u")
    page.wait(f"{said} === 'Undone: pin'")
    page.tab.keyboard.press("3")
    (x, y), (right, below) = page.screen(MIDDLE), page.screen(CORNER)
    page.tab.mouse.move(x, y)
    page.tab.mouse.down()
    page.tab.mouse.move(right, below, steps=8)
    page.tab.mouse.up()
    page.wait(f"{said} === 'Cut'")
    page.tab.mouse.move(80, 150)
    page.tab.mouse.down()
    page.tab.mouse.move(100, 160, steps=3)
    page.tab.mouse.up()
    page.wait(f"{said}.includes('met no cloth')")


def test_keys_take_hold_lead_and_let_go(open_page, studio):
    page = open_page().ready()
    hang_still(studio)
    page.more_frames(2)
    simulation = studio.player.simulation
    page.tab.locator("#view").focus()
    page.tab.keyboard.press("Shift+ArrowDown")
    page.tab.keyboard.press("Enter")
    wait_for(lambda: len(simulation.pinned("cloth")) > 2)
    page.wait("document.getElementById('view').dataset.grabbed === 'cloth'")
    (held,) = sorted(set(simulation.pinned("cloth").tolist()) - {0, 11})[:1]
    start = simulation.positions("cloth")[held].copy()
    for _ in range(6):
        page.tab.keyboard.press("Shift+ArrowLeft")
    page.tab.keyboard.press("PageDown")
    wait_for(lambda: np.linalg.norm(simulation.positions("cloth")[held] - start) > 0.05)
    page.tab.keyboard.press("Enter")
    wait_for(lambda: len(simulation.pinned("cloth")) == 2)


def test_a_phone_has_one_line_of_figures_room_for_fingers_and_the_cloth_between(open_page, studio):
    page = open_page(width=390, height=844, touch=True).ready()
    page.wait("document.querySelector('[data-figure=ms]').textContent !== '–'")
    found = boxes(page, CARDS)
    for n, (name, box) in enumerate(found.items()):
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390 and box["y"] >= 0, name
        assert box["y"] + box["height"] <= 844, name
        assert all(are_apart(box, other) for other in list(found.values())[n + 1 :]), f"{name} covers another"
    assert found["#hud"]["height"] < 32
    small = page.ask(
        """[...document.querySelectorAll('#tools button:not([hidden]), #palette button, #open-gallery')].filter((each) => {
            const box = each.getBoundingClientRect();
            return box.width < 44 || box.height < 44;
        }).map((each) => each.id)"""
    )
    assert small == []
    assert not page.tab.locator("#panel").is_visible()

    def is_cloth_within(low, high):
        places = [page.screen(corner) for corner in (0, 11, CORNER - 11, CORNER)]
        return all(0 < x < 390 and low < y < high for x, y in places)

    top = found["#hud"]["y"] + found["#hud"]["height"]
    wait_for(lambda: is_cloth_within(top, found["#palette"]["y"]))
    page.tab.locator("#tool-panel").tap()
    sheet = page.tab.locator("#panel").bounding_box()
    assert sheet["y"] > 844 / 3 and sheet["y"] + sheet["height"] <= found["#tools"]["y"]
    wait_for(lambda: is_cloth_within(top, sheet["y"]))
    page.tab.locator("#tool-panel").tap()
    assert not page.tab.locator("#panel").is_visible()


def test_plots_never_cover_the_palette_and_the_strain_scale_tells_how_far_it_goes(open_page, studio):
    page = open_page().ready()
    hang_still(studio)
    page.tab.keyboard.press("o")
    page.wait("document.querySelectorAll('#plots canvas').length === 3")
    found = boxes(page, ("#plots", "#palette"))
    assert are_apart(*found.values())
    page.tab.keyboard.press("s")
    page.wait("document.getElementById('strain-most').textContent !== '10\\u202f% strain'")
    text, label = page.ask(
        "[document.getElementById('strain-most').textContent, document.getElementById('strain-key').ariaLabel]"
    )
    assert text.endswith("% strain") and float(text.split("\u202f")[0]) < 10.0 and text in label


def test_preparing_is_told_calmly_with_the_time_left(open_page, studio):
    page = open_page().ready()
    page.pause(studio)
    studio.hub.tell(protocol.Compiling(stage="kernels", done=35, total=100, name="", seconds=26))
    page.wait("document.getElementById('banner').innerText === 'Preparing, about 26 s, once'")
    assert page.ask("document.getElementById('banner-progress').value") == 35
    assert page.tab.locator("#banner").get_attribute("role") == "status"
    assert page.ask("document.getElementById('banner').classList.contains('calm')")
    studio.hub.tell(protocol.Compiling(stage="world", done=0, total=0, name=""))
    page.wait("document.getElementById('banner').hidden")


@pytest.mark.parametrize("key", ["w", "t"])
def test_a_hand_that_is_offered_stands_still_where_nothing_moves(open_page, studio, key):
    """Nothing that only invites may keep a picture from being sharp."""
    page = open_page().ready()
    page.pause(studio)
    page.tab.keyboard.press(key)
    page.wait("document.getElementById('ghost').hidden")
