"""Recordings on the page with a time line."""

from __future__ import annotations

import httpx
import pytest

import supple
from supple.studio.film.replay import replay
from tests.browser.pages import sheet_scene


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("replay")
    for name, seconds in (("long.npz", 0.8), ("short.usd", 0.4)):
        supple.record(supple.Simulation(sheet_scene()), folder / name, seconds=seconds)
    return [folder / "long.npz", folder / "short.usd"]


@pytest.fixture
def opened(browser, recordings):
    """Opens the page on some of the recordings; in the end it may not have complained."""
    running, complaints, contexts = [], [], []

    def opener(count):
        server = replay(recordings[:count], port=0, open_browser=False, blocking=False, say=lambda line: None)
        running.append(server)
        context = browser.new_context(viewport={"width": 900, "height": 600})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        address, _, secret = server.link.partition("#")
        page.goto(f"{address}?quality=low#{secret}")
        page.wait_for_function("() => window.replay && replay.shown.every((n) => n >= 0)", timeout=60_000)
        return page

    yield opener
    for context in contexts:
        context.close()
    for server in running:
        server.stop()
    assert complaints == []


def test_it_plays_scrubs_steps_and_stops_at_the_end_without_a_loop(opened):
    page = opened(1)
    page.wait_for_function("() => replay.moment > 0.1", timeout=60_000)
    page.keyboard.press(" ")
    assert page.evaluate("replay.isPlaying") is False
    page.evaluate("document.activeElement.blur()")
    page.locator("#scrub").fill("20")
    page.wait_for_function("() => replay.shown[0] === 20", timeout=60_000)
    assert page.evaluate("replay.moment") == pytest.approx(0.4)
    assert "0.40 s of 0.80 s" in page.locator("#clock").inner_text()
    page.locator("#forward").click()
    page.wait_for_function("() => replay.shown[0] === 21", timeout=60_000)
    page.locator("#loop").click()
    assert page.locator("#loop").get_attribute("aria-pressed") == "false"
    page.locator("#speed").select_option("4")
    page.locator("#play").click()
    page.wait_for_function("() => !replay.isPlaying && replay.shown[0] === 40", timeout=60_000)


def test_slow_motion_is_slow_and_a_loop_comes_round(opened):
    page = opened(1)
    page.locator("#speed").select_option("0.05")
    page.locator("#start").click()
    before = page.evaluate("[replay.moment, performance.now()]")
    page.wait_for_timeout(400)
    page.wait_for_function(f"() => replay.moment > {before[0]}", timeout=60_000)
    after = page.evaluate("[replay.moment, performance.now()]")
    passed = (after[1] - before[1]) / 1000.0
    # The picture before may have been a second old already.
    assert 0.0 < after[0] - before[0] <= 0.05 * (passed + 1.0)
    page.locator("#speed").select_option("1")
    page.evaluate("window.turns = 0; window.last = 0;")
    page.wait_for_function(
        "() => (turns += replay.moment < last ? 1 : 0, last = replay.moment, turns >= 2)", timeout=60_000
    )


def test_two_recordings_stand_side_by_side_and_are_seen_from_the_same_place(opened):
    page = opened(2)
    assert page.locator(".view").count() == 2
    assert [title.strip() for title in page.locator(".view h2").all_inner_texts()] == [
        "long.npz",
        "short.usd",
    ]
    assert page.evaluate("replay.end") == pytest.approx(0.8)
    page.keyboard.press(" ")
    page.locator("#scrub").fill("30")
    # The short one waits at its end.
    page.wait_for_function("() => replay.shown[0] === 30 && replay.shown[1] === 20", timeout=60_000)
    before = page.evaluate("replay.cameras[0][0]")
    page.mouse.move(200, 250)
    page.mouse.down()
    page.mouse.move(320, 270, steps=4)
    page.mouse.up()
    page.wait_for_function(
        f"""() => Math.abs(replay.cameras[0][0] - {before}) > 0.05
        && replay.cameras[0].every((number, n) => Math.abs(number - replay.cameras[1][n]) < 1e-6)""",
        timeout=60_000,
    )


def test_strangers_get_nothing(recordings, built_page):
    server = replay(recordings[:1], port=0, open_browser=False, blocking=False, say=lambda line: None)
    try:
        address, _, secret = server.link.partition("#token=")
        with httpx.Client(
            base_url=address, headers={"Authorization": f"Bearer {secret}"}, timeout=60.0
        ) as friend:
            assert friend.get("/about").json()[0]["name"] == "long.npz"
            assert friend.get("/frame/0/3").status_code == 200
            assert friend.get("/frame/0/99").status_code == 404
            assert friend.get("/frame/7/0").status_code == 404
            assert friend.get("/world/0/99").status_code == 404
            assert friend.post("/picture/0", content=b"x").status_code == 403
            assert friend.get("/about", headers={"Host": "elsewhere.example"}).status_code == 403
        with httpx.Client(base_url=address, timeout=60.0) as stranger:
            for place in ("/about", "/frame/0/0", "/world/0/0"):
                assert stranger.get(place).status_code == 401
            assert stranger.get("/..%2fserver.py").status_code == 404
    finally:
        server.stop()


def test_replay_wants_one_recording_or_two(recordings):
    with pytest.raises(supple.SuppleError, match="one, or two"):
        replay([recordings[0]] * 3)
