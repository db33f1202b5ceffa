"""Beauty, as far as it can be measured: no stains, a ground that grounds, round silhouettes, ropes that are ropes."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

import supple
from supple.studio.film.shot import shoot
from supple.studio.play import Studio

SIZE = (300, 200)


@pytest.fixture(scope="module")
def picture(built_page, tmp_path_factory):
    """A flat sheet above the ground, lit from above, and a ball on the ground."""
    sheet = supple.Cloth.rectangle(
        width=1.2, height=0.8, columns=16, rows=12, material="cotton", plane="xz", at=(-0.8, 0.9, 0.0)
    )
    scene = supple.Scene(
        sheet.pinned("left", "right", "top", "bottom"),
        supple.Sphere(radius=0.3, at=(0.7, 0.3, 0.0), name="ball"),
        supple.Plane(),
    )
    path = tmp_path_factory.mktemp("pictures") / "stage.png"
    shoot(scene, path, at=0.0, size=SIZE, azimuth=0.0, elevation=0.6, theme="light", quality="high")
    return np.asarray(Image.open(path).convert("RGB")).astype(np.float64)


def _cloth(picture):
    """Pixels of the red sheet, without its border."""
    red, green = picture[..., 0], picture[..., 1]
    inside = red - green > 60.0
    for axis, step in ((0, 3), (0, -3), (1, 3), (1, -3)):
        inside = inside & np.roll(inside, step, axis)
    return inside


def test_a_flat_sheet_in_the_light_has_no_stains_and_no_stripes(picture):
    inside = _cloth(picture)
    assert inside.sum() > 1000
    light = picture.mean(axis=2)
    # Means over blocks, as an eye takes them in: threads vanish in them, stains and stripes of shadow maps do not.
    blocks = [
        light[y : y + 6, x : x + 6].mean()
        for y in range(0, SIZE[1] - 6, 6)
        for x in range(0, SIZE[0] - 6, 6)
        if inside[y : y + 6, x : x + 6].all()
    ]
    assert len(blocks) > 20
    assert np.ptp(blocks) < 0.12 * np.mean(blocks)


def test_the_ground_is_darker_where_something_stands_on_it(picture):
    light = picture.mean(axis=2)
    spread = picture.max(axis=2) - picture.min(axis=2)
    ground = light[SIZE[1] // 2 :][spread[SIZE[1] // 2 :] < 25.0]
    assert ground.min() < 0.8 * np.median(ground), "no shadow falls on the ground"
    assert 120.0 < np.median(ground) < 245.0, "neither black nor burnt out"


def test_cloth_is_drawn_finer_than_it_is_simulated_but_shown_as_it_is_in_wireframe(open_page, studio):
    page = open_page().ready()
    assert page.ask("studio.shapes.bodies[0].fabric") == "silk"
    simulated = 2 * 11 * 11
    page.pause(studio)
    page.wait(f"studio.clothTriangles === {4 * simulated}")
    page.tab.keyboard.press("w")
    page.wait(f"studio.clothTriangles === {simulated}")


def test_what_moves_by_less_than_a_pixel_is_drawn_sharply(open_page, studio):
    page = open_page().ready()
    page.wait("document.querySelector('#view canvas').width === 900")  # it has come to rest, and time goes on
    assert not page.ask("studio.state.is_paused")


def test_a_rope_is_one_tube_and_is_taken_where_it_is_touched(open_page, built_page):
    rope = supple.Chain(length=1.0, points=13, at=(0.0, 1.5, 0.0)).pinned("start")
    with Studio(supple.Scene(rope), port=0) as studio:
        page = open_page(on=studio).ready()
        page.pause(studio)
        x, y = page.screen(6, "chain")
        page.tab.mouse.move(x, y)
        page.tab.mouse.down()
        page.wait("document.getElementById('view').dataset.grabbed === 'chain'")
        page.tab.mouse.up()
