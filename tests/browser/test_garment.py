"""Work on a garment in Chromium: its flat pattern, sizes, pressure on the wearer, the tape and the needle's border."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.scene.cloth_shapes.panel_sizes import PanelSize
from supple.studio.play import Studio
from tests.browser.pages import wait_for

LONGER = PanelSize(value=0.6, low=0.4, high=0.9, unit="m", moves=((0, -1), (0, -1), (0, 0), (0, 0)))


def panel(name, x):
    cloth = supple.Cloth.panel(
        outline=[[0, 0], [0.5, 0], [0.5, 0.6], [0, 0.6]], size=0.06, name=f"apron-{name}", garment="apron",
        at=(x, 0.6, 0.0),
    )  # fmt: skip
    return cloth.changed(shape=cloth.shape.changed(sizes={"length": LONGER})).pinned("edge-2")


def apron():
    pad = supple.Cloth.rectangle(
        width=0.3, height=0.3, columns=9, rows=9, plane="xz", at=(0.0, 0.32, 0.5), name="apron-pad",
        garment="apron",
    )  # fmt: skip
    ball = supple.Sphere(radius=0.3, at=(0.0, 0.0, 0.5), name="anna", friction=0.8)
    return supple.Scene(
        panel("left", -0.6), panel("right", 0.1), pad, ball, drag=4.0, settings=supple.Settings(substeps=2)
    )


@pytest.fixture
def table(tmp_path, built_page):
    with Studio(apron(), port=0, record_folder=tmp_path / "recordings", token="secret") as running:
        yield running


@pytest.fixture
def page(open_page, table):
    page = open_page(on=table, width=1200, height=800).ready()
    page.more_frames(20)
    return page


def drag(page, start, end):
    page.tab.mouse.move(*start)
    page.tab.mouse.down()
    page.tab.mouse.move(*end, steps=12)


def nearest(simulation, body, place):
    return int(np.argmin(np.linalg.norm(simulation.positions(body) - place, axis=1)))


def test_the_flat_pattern_lies_beside_the_scene_and_its_selection_is_linked(page, table, tmp_path):
    page.tab.keyboard.press("d")
    page.wait("studio.panels === 3")
    box = page.tab.locator("#pattern").bounding_box()
    for other in ("#palette", "#panel", "#title"):
        beside = page.tab.locator(other).bounding_box()
        assert (
            box["x"] + box["width"] <= beside["x"] or beside["x"] + beside["width"] <= box["x"]
            or box["y"] + box["height"] <= beside["y"] or beside["y"] + beside["height"] <= box["y"]
        )  # fmt: skip
    # What is pointed at on the sheet is marked in the scene, with its size told.
    page.tab.locator('#pattern-sheet path[data-body="apron-left"]').hover()
    page.wait("studio.marks === 1")
    page.wait("document.getElementById('pattern-size').textContent === 'left: 50.0 × 60.0 cm'")
    # What is pointed at in the scene is marked on the sheet.
    simulation = table.player.simulation
    page.tab.mouse.move(*page.screen(nearest(simulation, "apron-right", (0.3, 0.9, 0.0)), "apron-right"))
    page.wait("document.querySelector('#pattern-sheet path.lit')?.dataset.body === 'apron-right'")
    # A click unfolds what can be changed about that panel.
    page.tab.locator('#pattern-sheet path[data-body="apron-left"]').click()
    page.wait(
        "[...document.querySelectorAll('#panel details[open] summary')].some((s) => s.textContent === 'apron left')"
    )
    with page.tab.expect_download() as download:
        page.tab.locator("#pattern-save button", has_text="SVG").click()
    # The rectangle is no panel: two pieces come back as they were.
    path = tmp_path / "apron.svg"
    download.value.save_as(path)
    again = supple.Pattern(file=path, size=0.06)
    assert again.panel_names == ("left", "right")
    assert np.ptp(again.cloths[0].local_points()[:, 1]) == pytest.approx(0.6, abs=1e-5)


def test_a_slider_draws_the_panels_anew_and_undo_takes_it_back(page, table):
    page.tab.keyboard.press("d")
    page.wait("studio.panels === 3")
    simulation = table.player.simulation
    start = simulation.rest_lengths("apron-left").copy()
    page.tab.locator("#p-garment-apron-size-length").fill("1000")
    page.wait("studio.state.undo_label === 'Length'")
    wait_for(lambda: simulation.positions("apron-left")[:, 1].min() < 0.35)
    page.tab.locator('#pattern-sheet path[data-body="apron-left"]').hover()
    page.wait("document.getElementById('pattern-size').textContent === 'left: 50.0 × 90.0 cm'")
    page.tab.keyboard.press("u")
    wait_for(lambda: np.allclose(simulation.rest_lengths("apron-left"), start, rtol=1e-12))


def test_a_tape_tells_the_length_along_the_cloth(page, table):
    page.pause(table)
    page.tab.keyboard.press("8")
    simulation = table.player.simulation
    a, b = (nearest(simulation, "apron-left", (-0.5, y, 0.0)) for y in (0.75, 1.1))
    drag(page, page.screen(a, "apron-left"), page.screen(b, "apron-left"))
    page.tab.mouse.up()
    wanted = simulation.tape_measure("apron-left", [a, b]).length
    page.wait(f"Math.abs(studio.tape - {wanted}) < 1e-3")
    assert page.ask("document.getElementById('tape').textContent") == f"{100 * wanted:.1f} cm"
    page.tab.keyboard.press("Escape")
    page.wait("studio.tape === 0 && document.getElementById('tape').hidden")


def test_the_needle_lights_up_the_border_it_takes_and_says_where_there_is_none(page, table):
    page.pause(table)
    page.tab.keyboard.press("5")
    simulation = table.player.simulation
    side = [nearest(simulation, "apron-left", (-0.1, y, 0.0)) for y in (0.7, 1.1)]
    places = [np.array(page.screen(vertex, "apron-left")) - [6.0, 0.0] for vertex in side]
    drag(page, *places)
    # While it is drawn already.
    page.wait("studio.needle.now !== null && studio.needle.now.vertices.length > 3")
    page.tab.mouse.up()
    page.wait("studio.needle.first !== null")
    taken = page.ask("studio.needle.first.vertices")
    flat = simulation.scene.body("apron-left").local_points()
    assert np.ptp(flat[taken][:, 0]) < 1e-9 and flat[taken][:, 0].max() == pytest.approx(0.5)
    assert page.tab.locator("#ink-seam").get_attribute("d").startswith("M")
    page.tab.keyboard.press("Escape")
    middle = [
        page.screen(nearest(simulation, "apron-left", (-0.35, y, 0.0)), "apron-left") for y in (0.8, 1.0)
    ]
    drag(page, *middle)
    page.tab.mouse.up()
    page.wait("document.getElementById('toast').textContent.startsWith('No border is near')")


def test_pressure_on_whoever_wears_it_is_shown_and_taken_away(page):
    page.tab.keyboard.press("b")
    page.wait("document.getElementById('pressure-most').textContent.endsWith('Pa on anna')")
    assert page.ask("!document.getElementById('pressure-key').hidden")
    page.tab.keyboard.press("b")
    page.wait("document.getElementById('pressure-key').hidden")
