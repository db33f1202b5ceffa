"""The wind's arrow and the water, in Chromium."""

from __future__ import annotations

import math

import numpy as np
import pytest

import supple
from supple.studio.play import Studio
from tests.browser.conftest import HEADSET
from tests.browser.pages import sheet_scene


@pytest.fixture
def windy(built_page):
    scene = sheet_scene()
    scene = supple.Scene(
        *scene.bodies,
        supple.Wind(velocity=(4.0, 0.0, 0.0)),
        supple.Water(level=-0.8),
        settings=scene.settings,
        drag=4.0,
    )
    with Studio(scene, port=0) as studio:
        yield studio


def blown(studio):
    return np.array(studio.player.simulation.scene.wind.velocity)


def test_the_arrow_turns_the_wind_and_water_is_drawn(open_page, windy):
    page = open_page(on=windy, width=900, height=600).ready()
    assert page.ask("studio.waterMeshes") == 2
    tip = page.wait("studio.windTip")
    x, y = page.ask(f"studio.project({tip})")
    assert 0 < x < 620 and 0 < y < 600  # in view
    camera = page.ask("studio.camera()")
    page.tab.mouse.move(x, y)
    page.tab.mouse.down()
    page.tab.mouse.move(x - 30, y + 40, steps=4)
    page.tab.mouse.move(x - 60, y + 70, steps=4)
    page.tab.mouse.up()
    page.wait("studio.state.can_undo")
    # Both sliders follow the arrow.
    value = "studio.parameters.find((each) => each.name === 'wind.{}').value"
    velocity, speed = value.format("velocity"), value.format("speed")
    page.wait(f"{velocity}[2] > 0.5 && Math.abs({speed} - Math.hypot(...{velocity})) < 0.01")
    velocity = blown(windy)
    assert velocity[2] > 0.5 and velocity[1] == 0.0  # towards the viewer, and level
    assert page.ask("studio.camera()") == camera


def test_a_controller_points_where_the_wind_blows(open_page, windy):
    page = open_page(on=windy, width=480, height=320, scripts=[{"path": HEADSET}]).ready()
    page.wait("!document.getElementById('tool-headset').hidden")
    page.tab.locator("#tool-headset").click()
    page.wait("studio.isPresenting")
    page.more_frames(3)
    tip = np.array(page.ask("studio.windTip")) - page.ask("studio.rig()")
    scale = page.ask("studio.rigScale")
    x, y, z = tip / scale
    page.ask(f"headset.controllers.right.position.set({x}, {y}, {z})")
    page.more_frames(3)
    page.ask("headset.controllers.right.updateButtonValue('trigger', 1)")
    page.more_frames(3)
    # A quarter turn to the left about the vertical: forward becomes -x.
    half = math.sqrt(0.5)
    page.ask(f"headset.controllers.right.quaternion.set(0, {half}, 0, {half})")
    page.wait("studio.parameters.find((each) => each.name === 'wind.velocity').value[0] < -3.9")
    page.ask("headset.controllers.right.updateButtonValue('trigger', 0)")
    page.more_frames(3)
    np.testing.assert_allclose(blown(windy), [-4.0, 0.0, 0.0], atol=0.05)
