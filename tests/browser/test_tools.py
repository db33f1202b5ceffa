"""Tools of the palette, used in Chromium with mouse, keys and fingers."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.studio.play import Studio
from tests.browser.pages import StudioPage, wait_for

SIZE = 12


def hanging(size=SIZE):
    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=size, rows=size, material="cotton")
    return supple.Scene(
        sheet.pinned("top"), drag=2.0, settings=supple.Settings(substeps=2), title="To be cut"
    )


@pytest.fixture
def table(tmp_path, built_page):
    with Studio(hanging(), port=0, record_folder=tmp_path / "recordings", token="secret") as running:
        yield running


@pytest.fixture
def page(open_page, table) -> StudioPage:
    page = open_page(on=table).ready()
    page.more_frames(20)
    page.pause(table)
    return page


def draw(page, *places, steps=12):
    """Press at the first place on the page, go to the others, and let go."""
    page.tab.mouse.move(*places[0])
    page.tab.mouse.down()
    for place in places[1:]:
        page.tab.mouse.move(*place, steps=steps)
    page.tab.mouse.up()


def spot(page, x, y):
    """Return where on the page a place (x, y) of the flat sheet is seen."""
    return page.ask(f"studio.project([{x}, {y}, 0])")


def pieces(page):
    return page.ask("studio.shapes.bodies.map((body) => body.name)")


def topology(simulation):
    return {
        name: (simulation.triangles(name).tolist(), simulation.edges(name).tolist(), simulation.rest_lengths(name).tolist())
        for name in simulation.body_names
    }  # fmt: skip


@pytest.mark.parametrize(("width", "height"), [(900, 600), (1600, 1000)])
def test_the_palette_and_its_options_cover_nothing(open_page, table, width, height):
    page = open_page(on=table, width=width, height=height).ready()
    page.tab.keyboard.press("6")
    names = ("#palette", "#palette-options", "#panel", "#tools", "#hud", "#title")
    boxes = [page.tab.locator(name).bounding_box() for name in names]
    for n, a in enumerate(boxes):
        assert a["x"] >= 0 and a["y"] >= 0
        assert a["x"] + a["width"] <= width and a["y"] + a["height"] <= height
        for b in boxes[n + 1 :]:
            assert (
                a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
                or a["y"] + a["height"] <= b["y"] or b["y"] + b["height"] <= a["y"]
            ), "cards lie on top of each other"  # fmt: skip
    for vertex in range(0, SIZE**2, 13):
        x, y = page.screen(vertex)
        assert all(
            not (box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"])
            for box in boxes
        ), "a card hides the cloth"


def test_a_knife_cuts_a_hanging_sheet_in_two_and_undo_makes_it_whole(page, table):
    whole = topology(table.player.simulation)
    page.tab.locator("#palette-knife").click()
    assert page.ask("studio.tool") == "knife"
    camera = page.ask("studio.camera()")
    page.tab.mouse.move(*spot(page, -0.62, 0.12))
    page.tab.mouse.down()
    page.tab.mouse.move(*spot(page, 0.1, 0.05), steps=10)
    page.wait("document.getElementById('ink-line').getAttribute('d').length > 50")
    page.tab.mouse.move(*spot(page, 0.62, 0.0), steps=10)
    page.tab.mouse.up()
    page.wait("studio.shapes.bodies.length === 2")
    page.wait("document.getElementById('ink-line').getAttribute('d') === ''")
    assert page.ask("studio.camera()") == pytest.approx(camera), "the knife does not turn the camera"
    assert pieces(page) == ["cloth", "cloth-piece-1"]
    parted = topology(table.player.simulation)
    assert page.ask("studio.shapes.bodies.map((b) => b.points)") == [
        len(table.player.simulation.positions(name)) for name in parted
    ]
    page.wait("studio.state.undo_label === 'cut cloth'")
    page.tab.keyboard.press("Control+z")
    page.wait("studio.shapes.bodies.length === 1")
    assert topology(table.player.simulation) == whole
    page.tab.keyboard.press("Control+Shift+Z")
    page.wait("studio.shapes.bodies.length === 2")
    assert topology(table.player.simulation) == parted
    page.tab.keyboard.press("Space")
    page.more_frames(15)
    low, high = (
        page.ask(f"Math.min(...[...Array(40).keys()].map((n) => studio.vertex('{name}', n)[1]))")
        for name in parted
    )
    assert low < high - 0.15 and high > -0.1, "the larger half has come off and falls, the other hangs"


def test_scissors_cut_along_edges_and_split_no_triangle(page, table):
    count = len(table.player.simulation.triangles("cloth"))
    page.tab.keyboard.press("4")
    draw(page, spot(page, 0.2, 0.62), spot(page, 0.17, -0.62))
    page.wait("studio.shapes.bodies.length === 2")
    simulation = table.player.simulation
    assert sum(len(simulation.triangles(name)) for name in simulation.body_names) == count


def test_a_needle_sews_two_borders_together(page, table):
    page.tab.keyboard.press("5")
    draw(page, spot(page, -0.47, -0.25), spot(page, -0.47, -0.48))
    page.wait("document.getElementById('ink-thread').getAttribute('d').length > 20")
    page.wait("document.getElementById('toast').textContent.includes('sew it to')")
    assert table.player.simulation.seams == ()
    draw(page, spot(page, 0.47, -0.25), spot(page, 0.47, -0.48))
    page.wait("studio.state.undo_label === 'seam cloth'")
    assert table.player.simulation.seams == (0,)
    page.wait("document.getElementById('ink-thread').getAttribute('d') === ''")
    page.tab.keyboard.press("Space")
    wait_for(lambda: len(table.player.simulation.positions("cloth")) < SIZE**2)
    page.wait(f"studio.shapes.bodies[0].points < {SIZE**2}")


def test_the_brush_gathers_cloth_and_shift_lets_it_grow(page, table):
    simulation = table.player.simulation
    before = simulation.rest_lengths("cloth").copy()
    page.tab.locator("#palette-shrink").click()
    assert page.tab.locator("#palette-options").is_visible()
    page.tab.get_by_role("slider", name="Brush").fill("0.15")
    page.tab.get_by_role("slider", name="Shrink to").fill("0.5")
    page.tab.mouse.move(*spot(page, -0.3, -0.2))
    page.wait("Number(document.getElementById('ink-ring').getAttribute('r')) > 20")
    draw(page, spot(page, -0.35, -0.2), spot(page, 0.35, -0.2))
    page.wait("studio.state.undo_label === 'shrink cloth'")
    page.tab.keyboard.press("Space")
    page.more_frames(35)
    ratios = simulation.rest_lengths("cloth") / before
    assert ratios.min() == pytest.approx(0.5, abs=0.01) and (ratios < 0.51).sum() > 20
    shrunk = np.array([simulation.positions("cloth")[SIZE * row + 2 : SIZE * row + 10] for row in (7, 8)])
    width = np.linalg.norm(np.diff(shrunk, axis=1), axis=2).sum(axis=1)
    assert width.min() < 0.6 * 7 / 11, "the band has become shorter"
    page.tab.keyboard.down("Shift")
    draw(page, spot(page, -0.1, 0.3), spot(page, 0.1, 0.3))
    page.tab.keyboard.up("Shift")
    wait_for(lambda: (simulation.rest_lengths("cloth") / before).max() > 1.9)


def test_an_eraser_rubs_a_hole(page, table):
    simulation = table.player.simulation
    count, mass = len(simulation.triangles("cloth")), simulation.masses("cloth").sum()
    page.tab.keyboard.press("7")
    page.tab.get_by_role("slider", name="Brush").fill("0.1")
    draw(page, spot(page, -0.1, 0.0), spot(page, 0.15, 0.0))
    page.wait("studio.state.undo_label === 'erase cloth'")
    left = len(simulation.triangles("cloth"))
    assert count - 80 < left < count - 4
    assert simulation.masses("cloth").sum() == pytest.approx(mass * left / count, rel=1e-9)
    page.tab.locator("#tool-undo").click()
    page.wait(f"studio.shapes.bodies[0].triangles.count === {3 * count}")


def test_pins_parameters_and_cuts_share_one_history(page, table):
    simulation = table.player.simulation
    page.tab.keyboard.press("2")
    page.tab.mouse.click(*page.screen(100))
    page.wait("studio.state.pins.cloth.includes(100)")
    page.tab.keyboard.press("3")
    draw(page, spot(page, -0.62, 0.2), spot(page, 0.62, 0.2))
    page.wait("studio.shapes.bodies.length === 2")
    slider = page.tab.get_by_label("cloth: Damping in N·s/m", exact=True)
    slider.focus()
    page.tab.keyboard.press("PageUp")
    page.wait("studio.state.undo_label === 'Damping'")
    page.tab.locator("#view").focus()
    for label, bodies in (("cut cloth", 2), ("pin", 1), ("", 1)):
        page.tab.keyboard.press("Control+z")
        page.wait(f"studio.state.undo_label === '{label}' && studio.shapes.bodies.length === {bodies}")
    assert len(simulation.pinned("cloth")) == SIZE
    for label in ("pin", "cut cloth", "Damping"):
        page.tab.keyboard.press("Control+Shift+Z")
        page.wait(f"studio.state.undo_label === '{label}'")
    assert sum(len(simulation.pinned(name)) for name in simulation.body_names) == SIZE + 1
    assert page.ask("studio.state.can_redo") is False


def test_the_script_of_a_session_is_downloaded_and_replayed(page, table, open_page, tmp_path):
    page.tab.keyboard.press("3")
    draw(page, spot(page, -0.62, 0.15), spot(page, 0.62, 0.1))
    page.wait("studio.shapes.bodies.length === 2")
    page.tab.keyboard.press("Space")
    page.more_frames(10)
    page.tab.keyboard.press("4")
    page.pause(table)
    draw(page, spot(page, 0.1, 0.62), spot(page, 0.1, 0.3))
    page.wait("studio.state.undo_label.startsWith('cut')")
    wait_for(lambda: len(table.player.simulation.undoable) == 2)
    page.tab.keyboard.press("Control+z")
    wait_for(lambda: len(table.player.simulation.undoable) == 1)
    page.tab.keyboard.press("Control+Shift+Z")
    wait_for(lambda: len(table.player.simulation.undoable) == 2)
    with page.tab.expect_download(timeout=60_000) as waiting:
        page.tab.locator("#tool-script").click()
    name = waiting.value.suggested_filename
    assert "-edits-" in name and name.endswith(".toml")
    path = tmp_path / name
    waiting.value.save_as(path)
    script = supple.read_script(path)
    assert [edit.kind for edit in script.edits] == ["cut", "cut_edges", "undo", "redo"] and script.is_complete
    simulation = table.player.simulation
    again = supple.Simulation(hanging())
    again.replay(script)
    while again.frame < simulation.frame:
        again.step()
    again.step()
    assert topology(again) == topology(simulation)
    with Studio(hanging(), port=0, record_folder=tmp_path, edits=path) as replaying:
        other = open_page(on=replaying).ready()
        other.wait("studio.shapes.bodies.length === 2")
        wait_for(lambda: replaying.player.simulation.frame > simulation.frame + 1)
        assert len(replaying.player.simulation.undoable) == 2
        assert topology(replaying.player.simulation) == topology(simulation)


def test_tools_are_led_by_keys_alone(page, table):
    page.tab.keyboard.press("3")
    y = spot(page, 0.0, 0.1)[1]
    for _ in range(60):
        page.tab.keyboard.press("Shift+ArrowLeft")
        box = page.ask("document.getElementById('ink-cross').getAttribute('d')")
        if box and float(box[1:].split("h")[0].split()[0]) + 12 < spot(page, -0.62, 0.1)[0]:
            break
    middle = page.ask("innerHeight / 2")
    for _ in range(abs(round((y - middle) / 12))):
        page.tab.keyboard.press("Shift+ArrowUp" if y < middle else "Shift+ArrowDown")
    page.tab.keyboard.press("Enter")
    for _ in range(70):
        page.tab.keyboard.press("Shift+ArrowRight")
    page.tab.keyboard.press("Enter")
    page.wait("studio.shapes.bodies.length === 2")
    page.tab.keyboard.press("Escape")
    assert page.ask("studio.tool") == "knife"
    page.tab.keyboard.press("Escape")
    assert page.ask("studio.tool") == "grab"
    page.tab.locator("#palette-grab").focus()
    page.tab.keyboard.press("ArrowDown")
    assert page.ask("studio.tool") == "pin"
    assert page.ask("document.activeElement.id") == "palette-pin"


def test_one_finger_draws_and_a_second_one_puts_the_tool_down(open_page, table):
    page = open_page(on=table, touch=True).ready()
    page.more_frames(20)
    page.pause(table)
    page.tab.locator("#palette-knife").tap()
    session = page.tab.context.new_cdp_session(page.tab)

    def fingers(kind, *places):
        points = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(places)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def way(start, end, count=12):
        (ax, ay), (bx, by) = spot(page, *start), spot(page, *end)
        return [(ax + (bx - ax) * n / count, ay + (by - ay) * n / count) for n in range(count + 1)]

    first, *rest = way((-0.62, 0.1), (0.62, 0.1))
    fingers("touchStart", first)
    for place in rest[:5]:
        fingers("touchMove", place)
    page.wait("document.getElementById('ink-line').getAttribute('d').length > 10")
    fingers("touchStart", rest[5], (rest[5][0] + 80, rest[5][1] + 60))
    fingers("touchEnd")
    page.wait("document.getElementById('ink-line').getAttribute('d') === ''")
    assert page.ask("studio.shapes.bodies.length") == 1
    first, *rest = way((-0.62, 0.1), (0.62, 0.1))
    fingers("touchStart", first)
    for place in rest:
        fingers("touchMove", place)
    fingers("touchEnd")
    page.wait("studio.shapes.bodies.length === 2")


def test_what_is_half_drawn_stays_on_the_cloth_when_another_cuts_it(page, table, open_page):
    page.tab.keyboard.press("3")
    page.tab.mouse.move(*spot(page, -0.62, -0.2))
    page.tab.mouse.down()
    page.tab.mouse.move(*spot(page, 0.0, -0.2), steps=10)
    other = open_page(on=table).ready()
    other.tab.keyboard.press("3")
    draw(other, spot(other, -0.62, 0.3), spot(other, 0.62, 0.3))
    page.wait("studio.shapes.bodies.length === 2 && studio.frame >= 0")
    page.tab.mouse.move(*spot(page, 0.62, -0.2), steps=10)
    page.tab.mouse.up()
    page.wait("studio.shapes.bodies.length === 3")


def test_a_stroke_beside_the_cloth_does_nothing_and_a_bad_one_says_why(page, table):
    page.tab.keyboard.press("3")
    draw(page, spot(page, -0.9, 0.4), spot(page, -0.8, 0.2))
    draw(page, spot(page, 0.0, 0.0), spot(page, 0.004, 0.0), steps=1)
    page.wait("document.getElementById('toast').textContent.includes('too short')")
    assert table.player.simulation.undoable == ()
