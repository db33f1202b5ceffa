"""What people do with the page, done in Chromium."""

from __future__ import annotations

import gzip
import io
import math
import threading
import time

import numpy as np
import pytest
from PIL import Image

import supple
from supple.scene.colour import COLOURS
from supple.scene.files.toml_reader import GALLERY
from supple.studio.connection.server import PAGE
from supple.studio.play import Studio
from tests.browser.pages import StudioPage, hang_still, sheet_scene, wait_for, watch_releases

CORNER = 143
"""Bottom right vertex of the sheet."""

MIDDLE = 78


def pixels(page):
    """Return what the page shows, as numbers."""
    return np.asarray(Image.open(io.BytesIO(page.tab.screenshot())).convert("RGB"), dtype=int)


def inside(page, index):
    """Return where on the screen to press to hit a vertex, a little inside the cloth."""
    x, y = page.screen(index)
    return round(x) - 4, round(y) - 6


def settled_pixels(page):
    """Return what the page shows once it changes no more, as numbers."""
    seen = [pixels(page)]

    def is_settled():
        time.sleep(0.5)  # longer than a still picture waits to be drawn with all its pixels
        seen.append(pixels(page))
        return np.array_equal(seen[-1], seen[-2])

    wait_for(is_settled)
    return seen[-1]


def red_count(seen):
    """Return how many pixels of a picture are as red as the cloth."""
    return ((seen[..., 0] > 90) & (seen[..., 0] > 1.6 * seen[..., 1])).sum()


# ---------------------------------------------------------------- seeing


@pytest.mark.parametrize(("width", "height"), [(900, 600), (1600, 1000)])
def test_page_shows_moving_cloth_with_everything_in_view(open_page, studio, width, height):
    page = open_page(width=width, height=height).ready()
    page.pause(studio)
    page.tab.keyboard.press("r")
    page.wait("studio.frame === 0")
    first = pixels(page)
    page.tab.keyboard.press("Space")
    page.wait("studio.frame >= 15")
    second = pixels(page)
    middle = (slice(100, height - 130), slice(20, width - 320))
    assert (np.abs(first[middle] - second[middle]).sum(axis=2) > 30).sum() > 200
    assert red_count(second[middle]) > 3000, "no red cloth to be seen"
    for name in ("#panel", "#tools", "#hud", "#title"):
        box = page.tab.locator(name).bounding_box()
        assert box["x"] >= 0 and box["y"] >= 0
        assert box["x"] + box["width"] <= width and box["y"] + box["height"] <= height
    boxes = [page.tab.locator(name).bounding_box() for name in ("#panel", "#tools", "#hud", "#title")]
    for n, a in enumerate(boxes):
        for b in boxes[n + 1 :]:
            apart = (
                a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
                or a["y"] + a["height"] <= b["y"] or b["y"] + b["height"] <= a["y"]
            )  # fmt: skip
            assert apart, "panels lie on top of each other"
    for corner in (0, 11, CORNER):
        x, y = page.screen(corner)
        assert 0 < x < width - 280 and 0 < y < height


def test_a_window_of_another_size_still_shows_the_whole_scene_unless_somebody_looked_elsewhere(open_page):
    page = open_page(width=1500, height=500).ready()
    page.tab.set_viewport_size({"width": 760, "height": 900})
    page.wait("document.querySelector('#view canvas').clientWidth === 760")
    page.more_frames(2)
    for corner in (0, 11, CORNER, CORNER - 11):
        x, y = page.screen(corner)
        assert 0 < x < 760 - 280 and 0 < y < 900
    page.tab.keyboard.press("ArrowLeft")
    camera = page.ask("studio.camera()")
    page.tab.set_viewport_size({"width": 1200, "height": 700})
    page.wait("document.querySelector('#view canvas').clientWidth === 1200")
    page.more_frames(2)
    assert page.ask("studio.camera()") == pytest.approx(camera)


def test_the_page_is_light(built_page):
    script = (PAGE / "page.js").read_bytes()
    assert len(gzip.compress(script)) < 300_000
    assert b"http://" not in script.replace(b"http://www.w3.org/", b"")


def test_figures_and_plots_tell_what_the_simulation_does(open_page):
    page = open_page().ready()
    page.wait("document.querySelector('[data-figure=points]').textContent === '144'")
    page.wait("Number(document.querySelector('[data-figure=ms]').textContent) > 0")
    assert page.tab.locator("#plots canvas").count() == 0
    page.tab.keyboard.press("o")
    page.wait("document.querySelectorAll('#plots canvas').length === 3")
    assert page.tab.locator("#plots").inner_text().count("kinetic") == 1
    page.tab.keyboard.press("o")
    page.wait("document.querySelectorAll('#plots canvas').length === 0")


def test_wireframe_strain_theme_and_hiding_change_what_is_seen(open_page, studio):
    page = open_page().ready()
    page.tab.emulate_media(reduced_motion="reduce")
    page.more_frames(60)
    page.pause(studio)
    for key in ("s", "w", "t", "h"):
        before = settled_pixels(page)
        page.tab.keyboard.press(key)
        wait_for(lambda before=before: np.abs(pixels(page) - before).sum() > 20_000)
    assert not page.tab.locator("#panel").is_visible()
    page.tab.keyboard.press("h")
    assert page.tab.locator("#panel").is_visible()


def test_normals_are_those_of_the_surface(open_page, studio):
    page = open_page().ready()
    page.more_frames(30)
    page.pause(studio)
    points = studio.player.simulation.positions("cloth")
    normals = np.zeros_like(points)
    for a, b, c in studio.player.simulation.triangles("cloth"):
        normals[[a, b, c]] += np.cross(points[b] - points[a], points[c] - points[a])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    seen = page.ask(f"[...Array({len(points)}).keys()].map((n) => studio.normal('cloth', n))")
    assert np.array(seen) == pytest.approx(normals, abs=2e-3), "packed points are exact to a part in 30,000"


def test_slow_drawing_spares_pixels_and_triangles_until_things_stand_still(open_page, built_page):
    slow = """
        const fast = requestAnimationFrame.bind(window);
        window.requestAnimationFrame = (draw) => fast(() => setTimeout(() => draw(performance.now()), 50));"""
    with Studio(sheet_scene(columns=92), port=0) as studio:
        page = open_page(on=studio, scripts=[{"script": slow}]).ready()
        everything = 2 * 91 * 91
        page.wait("document.querySelector('#view canvas').width === 636")  # half of all pixels
        page.wait(f"studio.triangles < {0.9 * everything}")  # coarse, even with its shadow
        page.pause(studio)
        page.wait("document.querySelector('#view canvas').width === 900")
        page.wait(f"studio.triangles > {2 * everything}")  # all of the cloth, and its shadow


# ---------------------------------------------------------------- touching


def test_a_drag_brings_the_cloth_to_the_hand_while_the_camera_stays(open_page, studio):
    page = open_page().ready()
    hang_still(studio)
    page.more_frames(2)
    camera = page.ask("studio.camera()")
    x, y = inside(page, CORNER)
    page.tab.mouse.move(x, y)
    page.tab.mouse.down()
    for n in range(1, 9):
        page.tab.mouse.move(x - 18 * n, y - 10 * n)
    page.wait("document.getElementById('view').dataset.grabbed === 'cloth'")

    def is_at_the_hand():
        hand = np.array(page.ask("studio.hand"))
        places = np.array([page.vertex(vertex) for vertex in (CORNER, CORNER - 1, CORNER - 12, CORNER - 13)])
        # The hand holds a point of the triangle it hit: between its vertices, not beyond them.
        low, high = places.min(axis=0) - 0.01, places.max(axis=0) + 0.01
        is_between = (hand >= low).all() and (hand <= high).all()
        return is_between and math.dist(page.screen(CORNER), (x - 144 + 4, y - 80 + 6)) < 40

    wait_for(is_at_the_hand)
    assert page.ask("studio.camera()") == pytest.approx(camera)
    page.tab.mouse.up()
    page.wait("document.getElementById('view').dataset.grabbed === ''")


def test_a_vertex_under_the_hand_is_within_a_centimetre_of_it(open_page, studio):
    page = open_page().ready()
    page.more_frames(40)
    page.pause(studio)  # so that the vertex does not move between aiming and pressing
    x, y = page.screen(MIDDLE)
    page.tab.mouse.move(x, y)
    page.tab.mouse.down()
    page.tab.keyboard.press("Space")
    page.tab.mouse.move(x + 60, y - 40, steps=4)
    page.wait("!studio.state.is_paused")
    wait_for(lambda: math.dist(page.vertex(MIDDLE), page.ask("studio.hand")) < 0.01)
    held = studio.player.simulation.positions("cloth")[MIDDLE]
    assert math.dist(held, page.ask("studio.hand")) < 0.01
    page.tab.mouse.up()


def test_letting_go_in_motion_throws(open_page, studio):
    page = open_page().ready()
    hang_still(studio)
    page.more_frames(2)
    x, y = inside(page, CORNER)
    page.tab.mouse.move(x, y)
    page.tab.mouse.down()
    page.wait("document.getElementById('view').dataset.grabbed === 'cloth'")
    wait_for(lambda: len(studio.player.simulation.pinned("cloth")) > 2)
    page.more_frames(3)
    released = watch_releases(studio)
    # Where the hand was and when, by the page's own clock.
    page.ask(
        """window.trail = [];
        const note = (event) => trail.push([event.timeStamp / 1000, ...studio.hand]);
        const view = document.getElementById("view");
        for (const name of ["pointerrawupdate", "pointermove"]) view.addEventListener(name, note)"""
    )
    for n in range(1, 13):
        page.tab.mouse.move(x - 14 * n, y - 9 * n)
        time.sleep(0.012)
    page.tab.mouse.up()
    wait_for(lambda: len(studio.player.simulation.pinned("cloth")) == 2)
    trail = np.array(page.ask("trail"))
    gaps = trail[-1, 0] - trail[:, 0]
    speeds = [
        np.linalg.norm(trail[-1, 1:] - seen[1:]) / gap
        for seen, gap in zip(trail, gaps, strict=True)
        if gap > 0.02
    ]
    assert released, "nothing was let go"
    for velocity in released.values():
        # The page may have been slow, and the hand uneven; as fast as it was over some while, it must be.
        assert 0.9 * min(speeds) < np.linalg.norm(velocity) < 1.1 * max(speeds), "the throw did not arrive"
        direction = trail[-1, 1:] - trail[0, 1:]
        along = velocity @ direction / (np.linalg.norm(velocity) * np.linalg.norm(direction))
        assert along > 0.98, "it was thrown elsewhere"


def test_dragging_beside_the_cloth_or_with_alt_looks_around(open_page, studio):
    page = open_page().ready()
    hang_still(studio)
    page.more_frames(2)
    camera = page.ask("studio.camera()")
    page.tab.mouse.move(60, 300)
    page.tab.mouse.down()
    page.tab.mouse.move(120, 330, steps=4)
    page.tab.mouse.up()
    wait_for(lambda: math.dist(page.ask("studio.camera()"), camera) > 0.05)
    turned = page.ask("studio.camera()")
    x, y = inside(page, MIDDLE)
    page.tab.keyboard.down("Alt")
    page.tab.mouse.move(x, y)
    page.tab.mouse.down()
    page.tab.mouse.move(x + 50, y, steps=4)
    assert page.ask("document.getElementById('view').dataset.grabbed ?? ''") == ""
    page.tab.mouse.up()
    page.tab.keyboard.up("Alt")
    wait_for(lambda: math.dist(page.ask("studio.camera()"), turned) > 0.05)
    page.tab.keyboard.press("f")
    wait_for(lambda: page.ask("studio.camera()") == pytest.approx(camera, abs=1e-6))


def test_double_click_pins_and_unpins(open_page, studio):
    page = open_page().ready()
    page.more_frames(80)
    page.pause(studio)
    x, y = page.screen(MIDDLE)
    page.tab.mouse.dblclick(x, y)
    page.wait(f"studio.state.pins.cloth.includes({MIDDLE})")
    page.tab.mouse.dblclick(x, y)
    page.wait(f"!studio.state.pins.cloth.includes({MIDDLE})")


def test_one_finger_grabs_and_two_look(open_page, studio):
    page = open_page(touch=True).ready()
    hang_still(studio)
    page.more_frames(2)
    camera = page.ask("studio.camera()")
    x, y = inside(page, MIDDLE)
    session = page.tab.context.new_cdp_session(page.tab)

    def fingers(kind, *places):
        points = [{"x": px, "y": py, "id": n} for n, (px, py) in enumerate(places)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", (x, y))
    page.wait("document.getElementById('view').dataset.grabbed === 'cloth'")
    fingers("touchMove", (x - 40, y - 20))
    page.more_frames(4)
    assert page.ask("studio.camera()") == pytest.approx(camera)
    fingers("touchStart", (x - 40, y - 20), (x + 60, y - 20))
    page.wait("document.getElementById('view').dataset.grabbed === ''")
    for n in range(1, 5):
        fingers("touchMove", (x - 40 - 15 * n, y - 20), (x + 60 + 15 * n, y - 20))
    fingers("touchEnd")
    wait_for(lambda: math.dist(page.ask("studio.camera()"), camera) > 0.02)


def test_obstacles_can_be_dragged(open_page, tmp_path, built_page):
    ball = supple.Sphere(radius=0.25, at=(0.0, 0.0, 0.6))
    scene = supple.Scene(*sheet_scene().bodies, ball, settings=supple.Settings(substeps=2))
    with Studio(scene, port=0) as studio:
        page = open_page(on=studio).ready()
        page.more_frames(10)
        x, y = page.ask("studio.project([0, 0, 0.85])")
        page.tab.mouse.move(x, y)
        page.tab.mouse.down()
        page.wait("document.getElementById('view').dataset.grabbed === 'sphere'")
        page.tab.mouse.move(x + 60, y - 30, steps=4)
        ball_place = (0.0, 0.0, 0.6)
        wait_for(lambda: math.dist(studio.player.simulation.obstacle_pose("sphere")[0], ball_place) > 0.05)
        released = []
        studio.player.simulation.release_obstacle = released.append
        page.tab.mouse.up()
        page.wait("document.getElementById('view').dataset.grabbed === ''")
        wait_for(lambda: released == ["sphere"])


# ---------------------------------------------------------------- changing


def test_pause_step_and_reset_by_key(open_page, studio):
    page = open_page().ready()
    page.more_frames(10)
    page.pause(studio)
    frame = page.ask("studio.frame")
    page.tab.keyboard.press(".")
    page.wait(f"studio.frame === {frame + 1}")
    page.tab.keyboard.press("r")
    page.wait("studio.frame === 0")
    start = sheet_scene().bodies[0].start_points()[CORNER]
    assert page.vertex(CORNER) == pytest.approx(start, abs=1e-3)
    page.tab.keyboard.press("Space")
    page.more_frames(3)


def test_a_slider_acts_at_once_and_can_be_undone(open_page, studio):
    page = open_page().ready()
    slider = page.tab.get_by_label("cloth: Damping in N·s/m", exact=True)
    slider.focus()
    before = float(page.tab.get_by_label("cloth: Damping in N·s/m, as a number").input_value())
    page.tab.keyboard.press("PageUp")
    page.wait("studio.state.can_undo")
    page.wait("studio.state.share.includes('cloth.damping')")
    value = float(page.tab.get_by_label("cloth: Damping in N·s/m, as a number").input_value())
    assert value > before
    page.tab.locator("#tool-undo").click()
    page.wait("!studio.state.can_undo")
    shown = float(page.tab.get_by_label("cloth: Damping in N·s/m, as a number").input_value())
    assert shown == pytest.approx(before)
    page.tab.get_by_label("Solver: Integrator").select_option("xpbd")
    page.wait("studio.state.share.includes('integrator')")
    assert studio.player.simulation.settings.integrator == "xpbd"


def test_gallery_switches_the_scene(open_page):
    page = open_page().ready()
    page.tab.keyboard.press("g")
    page.tab.locator("[data-scene=chain]").click()
    # The name is told first; frames and shapes of the scene before may still be on their way.
    page.wait(
        "studio.state.scene === 'chain' && studio.shapes.bodies.every((body) => body.kind === 'chain')", 300.0
    )
    page.more_frames(3)
    page.tab.locator("#open-gallery").click()
    page.tab.locator("[data-scene='my scene']").click()
    page.wait("studio.state.scene === 'my scene'")


def test_every_scene_is_looked_at_from_where_it_says_and_edits_leave_the_camera_alone(open_page):
    page = open_page().ready()
    for scene in ("chain", "toroid-through", "bezier", "my scene", "chain"):
        page.tab.keyboard.press("g")
        page.tab.locator(f"[data-scene='{scene}']").click()
        page.wait(f"studio.shapes.scene === '{scene}' && studio.frame >= 1", 300.0)
        outlook, centre, radius = page.ask(
            "[studio.shapes.outlook, studio.shapes.centre, studio.shapes.radius]"
        )
        camera = np.array(page.ask("studio.camera()"))
        offset = camera[:3] - camera[3:]
        assert np.arctan2(offset[0], offset[2]) == pytest.approx(outlook["azimuth"], abs=0.01), scene
        assert np.arcsin(offset[1] / np.linalg.norm(offset)) == pytest.approx(outlook["elevation"], abs=0.01)
        assert np.linalg.norm(camera[3:] - centre) < 0.5 * radius, f"{scene} is not in the middle"
        if outlook["distance"]:
            assert np.linalg.norm(offset) >= 0.99 * outlook["distance"]
    page.tab.keyboard.press("ArrowLeft")
    page.wait("Math.abs(studio.camera()[0]) > 0")
    turned = page.ask("studio.camera()")
    page.tab.keyboard.press("r")
    page.wait("studio.frame >= 1 && studio.frame < 20")
    assert page.ask("studio.camera()") == pytest.approx(turned)


def test_a_few_letters_find_a_scene(open_page):
    page = open_page().ready()
    page.tab.keyboard.press("g")
    page.tab.locator("#gallery-search").fill("jelly")
    assert page.tab.locator(".scene:visible").count() == 1
    page.tab.locator("#gallery-search").fill("soft bod")
    assert page.tab.locator("#gallery-list h3:visible").all_inner_texts() == ["Soft bodies"]
    page.tab.locator("#gallery-search").fill("nothing like it")
    assert page.tab.locator("#gallery-none").is_visible()


def test_a_shared_link_brings_scene_and_settings_back(open_page, studio):
    page = open_page().ready()
    page.tab.get_by_label("World: Air damping in 1/s, as a number").fill("3.5")
    page.tab.keyboard.press("Enter")
    page.wait("studio.state.share.includes('p.drag=3.5')")
    page.tab.locator("#view").focus()
    page.tab.keyboard.press("l")
    page.wait("location.hash.includes('p.drag=3.5')")
    link = page.ask("location.hash").lstrip("#")
    page.tab.keyboard.press("u")
    page.wait("!studio.state.share.includes('drag')")
    other = open_page(fragment=f"token=secret&{link}").ready()
    other.wait("studio.state.share.includes('p.drag=3.5')")
    assert studio.player.simulation.scene.drag == 3.5
    assert "token" not in link and "secret" not in link, "who is passed it must not get in with it for ever"


def test_a_link_that_is_passed_on_lets_one_other_browser_in(open_page, studio, browser):
    page = open_page().ready()
    assert "secret" not in page.ask("location.href"), "the token has left the address"
    page.tab.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.tab.keyboard.press("l")
    page.wait("location.hash.includes('code=')")
    fragment = page.ask("location.hash").lstrip("#")
    for is_first in (True, False):
        elsewhere = browser.new_context()
        other = StudioPage(elsewhere, studio, fragment=fragment)
        if is_first:
            other.ready()
            assert "code" not in other.ask("location.hash")
        else:
            other.wait("document.querySelector('#banner').innerText.includes('link is wrong')")
        elsewhere.close()


def test_picture_and_recording_are_downloaded(open_page, studio, tmp_path):
    page = open_page().ready()
    with page.tab.expect_download(timeout=60_000) as waiting:
        page.tab.keyboard.press("p")
    picture = Image.open(waiting.value.path())
    assert picture.size == (900, 600), "all pixels, even where quality is low"
    assert len(np.unique(np.asarray(picture.convert("RGB")).reshape(-1, 3), axis=0)) > 200
    page.tab.locator("#tool-record").click()
    page.wait("studio.state.is_recording")
    simulation = studio.player.simulation
    first = simulation.frame
    wait_for(lambda: simulation.frame >= first + 12)
    with page.tab.expect_download(timeout=60_000) as waiting:
        page.tab.locator("#tool-record").click()
    assert waiting.value.suggested_filename.endswith(".npz")
    with np.load(waiting.value.path()) as kept:
        assert kept["cloth/positions"].shape[0] >= 10
        assert kept["cloth/positions"].shape[1:] == (144, 3)
    assert len(list((tmp_path / "recordings").glob("*.npz"))) == 1
    with page.tab.expect_download(timeout=60_000) as waiting:
        page.tab.get_by_role("button", name="also as .glb").click()
    assert waiting.value.suggested_filename.endswith(".glb")
    assert waiting.value.path().read_bytes()[:4] == b"glTF"


def test_everything_can_be_reached_by_keyboard(open_page):
    page = open_page().ready()
    names = set()
    for _ in range(80):
        page.tab.keyboard.press("Tab")
        names.add(
            page.ask("document.activeElement.ariaLabel ?? document.activeElement.textContent.slice(0, 30)")
        )
    for name in (
        "Choose another scene (G)",
        "cloth: Material",
        "World: Gravity in m/s², y",
        "Pause (Space)",
        "Record (C)",
    ):
        assert name in names
    page.tab.locator("#view").focus()
    camera = page.ask("studio.camera()")
    page.tab.keyboard.press("ArrowLeft")
    page.tab.keyboard.press("+")
    wait_for(lambda: math.dist(page.ask("studio.camera()"), camera) > 0.05)
    page.tab.keyboard.press("?")
    assert page.tab.locator("#help").is_visible()
    page.tab.keyboard.press("Escape")
    assert not page.tab.locator("#help").is_visible()


def test_every_control_has_a_label(open_page):
    page = open_page().ready()
    nameless = page.ask(
        """[...document.querySelectorAll('button, input, select, progress, dialog, [role]')].filter((each) => {
            const labelled = each.ariaLabel || each.labels?.length || each.textContent.trim();
            const excused = ['banner', 'toast', 'banner-text'].includes(each.id);
            return !labelled && !excused;
        }).map((each) => each.outerHTML.slice(0, 120))"""
    )
    assert nameless == []
    assert page.ask("new Set([...document.querySelectorAll('[id]')].map((e) => e.id)).size") == page.ask(
        "document.querySelectorAll('[id]').length"
    )


# ---------------------------------------------------------------- together, and when things go wrong


def test_two_pages_see_the_same_world_and_a_vanished_one_lets_go(open_page, studio):
    one, two = open_page().ready(), open_page().ready()
    one.wait("studio.state.clients === 2")
    one.tab.keyboard.press("Space")
    two.wait("studio.state.is_paused")
    two.tab.keyboard.press("Space")
    one.wait("!studio.state.is_paused")
    hang_still(studio)
    one.more_frames(2)
    x, y = inside(one, CORNER)
    one.tab.mouse.move(x, y)
    one.tab.mouse.down()
    one.tab.mouse.move(x - 60, y - 60, steps=3)
    one.wait("document.getElementById('view').dataset.grabbed === 'cloth'")
    wait_for(lambda: len(studio.player.simulation.pinned("cloth")) > 2)
    one.close()
    two.wait("studio.state.clients === 1")
    wait_for(lambda: len(studio.player.simulation.pinned("cloth")) == 2)


def test_the_page_says_that_the_server_stopped_and_comes_back_with_it(open_page, built_page):
    first = Studio(sheet_scene(), port=0, token="again").start()
    page = open_page(on=first, may_complain=True).ready()
    first.stop()
    page.wait("!document.getElementById('banner').hidden")
    assert "stopped" in page.tab.locator("#banner").inner_text()
    with Studio(sheet_scene(), port=first.port, token="again") as second:
        assert second.port == first.port
        page.wait("studio.isConnected")
        page.wait("document.getElementById('banner').hidden")
        page.more_frames(3)
    unexpected = [each for each in page.complaints if "WebSocket connection" not in each]
    assert unexpected == []


@pytest.mark.parametrize("fragment", ["token=wrong", "nothing=here"])
def test_a_wrong_link_is_called_wrong(open_page, fragment):
    page = open_page(fragment=fragment, may_complain=True)
    page.wait("!document.getElementById('banner').hidden")
    assert "link is wrong" in page.tab.locator("#banner").inner_text()


def test_missing_webgl_is_said_and_the_panel_still_works(open_page):
    script = """
        const original = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
            return String(kind).startsWith("webgl") ? null : original.call(this, kind, ...rest);
        };"""
    page = open_page(scripts=[{"script": script}], may_complain=True)
    page.wait("Boolean(window.studio && studio.state)")
    page.wait("document.getElementById('banner').innerText.includes('no WebGL')")
    page.tab.get_by_label("Solver: Keep momentum").click()
    page.wait("studio.state.can_undo")
    assert not [each for each in page.complaints if each.startswith("uncaught")]


def test_compiling_is_told_with_its_progress(open_page, studio):
    from supple.studio.connection import protocol

    page = open_page().ready()
    page.pause(studio)
    studio.hub.tell(protocol.Compiling(stage="kernels", done=3, total=10, name="add_spring_forces"))
    page.wait("!document.getElementById('banner').hidden")
    assert "add_spring_forces" in page.tab.locator("#banner").inner_text()
    assert page.ask("document.getElementById('banner-progress').value") == 3
    studio.hub.tell(protocol.Compiling(stage="maps", done=40, total=100, name="torso"))
    page.wait("document.getElementById('banner').innerText.includes('torso')")
    assert page.ask("document.getElementById('banner-progress').value") == 40
    studio.hub.tell(protocol.Compiling(stage="untangling", done=7, total=31, name=""))
    page.wait("document.getElementById('banner').innerText.includes('7 of 31 edges are free')")
    studio.hub.tell(protocol.Compiling(stage="world", done=0, total=0, name=""))
    page.wait("document.getElementById('banner').hidden")


def test_bodies_hang_in_their_places_while_the_world_gets_ready(open_page, built_page, monkeypatch):
    is_built = threading.Event()
    build = supple.Simulation.__init__

    def slowly(self, *arguments, **options):
        is_built.wait(120.0)
        build(self, *arguments, **options)

    monkeypatch.setattr(supple.Simulation, "__init__", slowly)
    with Studio(sheet_scene(), port=0) as studio:
        page = open_page(on=studio)
        page.wait("Boolean(window.studio && studio.frame === 0 && studio.drawnFrames > 1)")
        assert "Building the world" in page.tab.locator("#banner").inner_text()
        assert page.tab.locator("#scene-title").inner_text() == "A sheet"
        start = sheet_scene().bodies[0].start_points()
        assert page.vertex(CORNER) == pytest.approx(start[CORNER], abs=1e-3)
        wait_for(lambda: red_count(pixels(page)[100:470, 20:580]) > 2000)
        is_built.set()
        page.ready()
        page.wait("document.getElementById('banner').hidden")


def test_refusals_are_shown_in_passing(open_page, studio):
    page = open_page().ready()
    page.tab.keyboard.press("u")
    page.wait("document.getElementById('toast').textContent.includes('nothing to take back')")


def test_a_garment_is_one_thing_in_the_panel(open_page, tmp_path, built_page):
    shirt = supple.Pattern(file=GALLERY / "patterns" / "shirt.json", size=0.1)
    with Studio(supple.Scene(shirt), port=0, record_folder=tmp_path, token="secret") as own:
        page = open_page(on=own).ready()
        groups = page.ask(
            "[...document.querySelectorAll('details')].map((d) => [d.firstChild.textContent, d.open])"
        )
        assert groups[0] == ["shirt", True]
        assert ["shirt front", False] in groups and ["shirt left sleeve", False] in groups
        page.tab.select_option("#p-garment-shirt-colour", "purple")
        page.tab.select_option("#p-garment-shirt-material", "denim")
        cloths = ["shirt-front", "shirt-back", "shirt-left_sleeve", "shirt-right_sleeve"]
        wait_for(
            lambda: all(own.player.simulation.scene.body(name).colour == COLOURS["purple"] for name in cloths)
        )
        page.wait("document.getElementById('p-shirt-back-material').value === 'denim'")
        density = own.player.simulation.masses("shirt-front").sum()
        page.tab.keyboard.press("Control+z")
        wait_for(lambda: own.player.simulation.masses("shirt-front").sum() < 0.9 * density)
