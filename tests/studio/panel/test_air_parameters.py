"""Wind, fans and water in the panel."""

import pytest

import supple
from supple.studio.connection.packing import Packer
from supple.studio.connection.water_surfaces import water_shapes
from supple.studio.panel.parameters import declare_parameters
from tests.studio.pages import sheet_scene


def breeze(*items):
    return supple.Simulation(supple.Scene(*sheet_scene().bodies, *items))


def test_speed_scales_the_velocity_and_velocity_sets_the_speed():
    simulation = breeze(supple.Wind(velocity=(3.0, 0.0, 4.0), gusts=0.2))
    parameters = declare_parameters(simulation)
    assert parameters["wind.speed"].value == pytest.approx(5.0)
    also = parameters["wind.speed"].change(simulation, 10.0)
    assert also["wind.velocity"] == pytest.approx((6.0, 0.0, 8.0))
    assert simulation.scene.wind.velocity == pytest.approx((6.0, 0.0, 8.0))
    assert simulation.scene.wind.gusts == 0.2
    assert parameters["wind.velocity"].change(simulation, (0.0, 0.0, 2.0)) == {"wind.speed": 2.0}


def test_a_wind_that_was_stilled_blows_again_where_it_came_from():
    simulation = breeze(supple.Wind(velocity=(0.0, 0.0, -4.0)))
    parameters = declare_parameters(simulation)
    parameters["wind.speed"].change(simulation, 0.0)
    assert simulation.scene.wind == supple.Wind()
    parameters["wind.speed"].change(simulation, 7.0)
    assert simulation.scene.wind.velocity == pytest.approx((0.0, 0.0, -7.0))


def test_a_scene_without_air_gets_some_when_the_wind_rises_and_loses_it_again():
    simulation = breeze()
    parameters = declare_parameters(simulation)
    assert parameters["wind.speed"].value == 0.0 and not parameters["wind.speed"].is_open
    parameters["wind.gusts"].change(simulation, 0.0)
    assert simulation.scene.wind is None
    parameters["wind.speed"].change(simulation, 5.0)
    assert simulation.scene.wind.velocity == (5.0, 0.0, 0.0)
    parameters["wind.velocity"].change(simulation, (0.0, 0.0, 5.0))
    simulation.step()
    assert abs(simulation.air_force("cloth")).max() > 0.0
    parameters["wind.speed"].change(simulation, 0.0)
    assert simulation.scene.wind is None


def test_gusts_shadow_fans_and_currents_change():
    simulation = breeze(
        supple.Wind(velocity=(1.0, 0.0, 0.0)),
        supple.Fan(at=(0, 0, 0), direction=(1, 0, 0), speed=2.0, name="left"),
        supple.Fan(at=(0, 0, 0), direction=(1, 0, 0), speed=3.0, name="right"),
        supple.Water(level=-5.0, name="sea"),
    )
    parameters = declare_parameters(simulation)
    for name, value in (
        ("wind.gusts", 0.5), ("wind.shadow", False), ("right.speed", 9.0), ("sea.current", (1.0, 0.0, 0.0)),
    ):  # fmt: skip
        parameters[name].change(simulation, parameters[name].checked(value))
    scene = simulation.scene
    assert (scene.wind.gusts, scene.wind.shadow) == (0.5, False)
    assert [fan.speed for fan in scene.fans] == [2.0, 9.0]
    assert scene.waters[0].current == (1.0, 0.0, 0.0)


def test_the_page_is_told_where_water_is():
    pool = supple.Water(box=((0, 0, 0), (1, 2, 3)), current=(0.5, 0.0, 0.0), name="pool")
    endless, told = water_shapes((supple.Water(level=0.4, name="sea"), pool), (1.0, 0.0, 2.0), 1.5)
    assert endless.high == (10.0, 0.4, 11.0) and endless.low[0] == -8.0
    assert (told.low, told.high, told.current) == ((0, 0, 0), (1, 2, 3), (0.5, 0.0, 0.0))
    assert b'"name":"pool"' in Packer(breeze(pool), 0).geometry()
