"""Cloth in the air: terminal speed, flutter, storms, hands, and going on from a file."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from tests.physics.bodies import INTEGRATORS


def flag(speed, points=5, size=0.5, substeps=4, **settings):
    """Return a small flag in a wind of that speed [m/s], a little off its plane."""
    cloth = supple.Cloth.rectangle(width=size, height=size, columns=points, rows=points).pinned("left")
    wind = supple.Wind(velocity=(speed, 0.0, 0.05 * speed), gusts=0.1)
    return supple.Simulation(supple.Scene(cloth, wind), substeps=substeps, **settings)


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("substeps", [1, 10])
def test_a_falling_sheet_ends_at_its_terminal_speed(integrator, substeps):
    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=8, rows=8, plane="xz")
    simulation = supple.Simulation(
        supple.Scene(sheet, supple.Wind()), integrator=integrator, substeps=substeps
    )
    for _ in simulation.run(2.0):
        pass
    expected = np.sqrt(2.0 * 0.15 * 9.81 / (1.2 * 1.2))
    assert -simulation.velocities("cloth")[:, 1].mean() == pytest.approx(expected, rel=0.05)


@pytest.mark.parametrize("speed", [5.0, 20.0, 40.0, 100.0])
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_flag_explodes_at_no_speed_within_a_minute(integrator, speed):
    # A small flag of 4 x 4 points and steps of 20 ms, so that twenty minutes of wind fit into a test.
    simulation = flag(speed, points=4, integrator=integrator, substeps=2, frame_rate=25.0)
    for report in simulation.run(60.0):
        assert report.is_finite and report.status in ("ok", "substepped")
        assert report.max_stretch < 2.0
    assert np.linalg.norm(simulation.velocities("cloth"), axis=1).max() < 3.0 * speed


def test_the_faster_the_wind_the_faster_a_flag_flutters():
    rates = []
    for speed in (3.0, 6.0, 12.0):
        simulation = flag(speed, points=8, substeps=5, frame_rate=100.0)
        swings = []
        for report in simulation.run(6.0):
            if report.time > 2.0:
                swings.append(simulation.positions("cloth")[8 * 4 + 7, 2])
        swings = np.array(swings) - np.mean(swings)
        power = np.abs(np.fft.rfft(swings * np.hanning(len(swings)))) ** 2
        rates.append(float((np.fft.rfftfreq(len(swings), 0.01) * power).sum() / power.sum()))
        assert swings.std() > 0.01
    assert rates[1] > 1.2 * rates[0] and rates[2] > 1.2 * rates[1]


def test_a_flag_of_silk_beats_ten_times_a_second_or_more_in_a_fresh_breeze():
    # 8 m/s over 0.6 m: waves run along it at about half the speed of the wind. `filter` let it beat at 4.9 Hz.
    columns, rows = 21, 15
    cloth = supple.Cloth.rectangle(width=0.6, height=0.4, columns=columns, rows=rows, material="silk")
    scene = supple.Scene(cloth.pinned("left"), supple.Wind(velocity=(8.0, 0.0, 0.4)))
    simulation = supple.Simulation(scene, frame_rate=100.0, substeps=5)
    swings = []
    for report in simulation.run(3.0):
        if report.time > 1.0:
            swings.append(simulation.positions("cloth")[columns * (rows // 2) + columns - 1, 2])
    swings = np.array(swings) - np.mean(swings)
    beats = np.count_nonzero(np.diff(np.sign(swings))) / 2.0 / 2.0
    assert 10.0 < beats < 25.0
    assert swings.std() > 0.01


@pytest.mark.parametrize("law", ["plate", "kang", "meyer"])
@pytest.mark.parametrize("substeps", [1, 10])
def test_a_wind_of_a_thousand_metres_a_second_leaves_everything_finite(law, substeps):
    cloth = supple.Cloth.rectangle(width=0.5, height=0.5, columns=8, rows=8, aerodynamics=law).pinned("left")
    loose = supple.Cloth.rectangle(width=0.5, height=0.5, columns=6, rows=6, aerodynamics=law, name="loose")
    rope = supple.Chain(length=1.0, points=10).pinned("start")
    scene = supple.Scene(cloth, loose, rope, supple.Wind(velocity=(800.0, 0.0, 600.0), gusts=0.5))
    simulation = supple.Simulation(scene, substeps=substeps)
    for report in simulation.run(1.0):
        assert report.is_finite and report.status == "ok"
    # Nothing that is free flies faster than the strongest gust.
    assert np.linalg.norm(simulation.velocities("loose").mean(axis=0)) < 3000.0


@pytest.mark.parametrize("law", ["plate", "kang", "meyer"])
def test_a_hand_may_wave_cloth_at_any_speed(law):
    cloth = supple.Cloth.rectangle(width=0.5, height=0.5, columns=8, rows=8, aerodynamics=law)
    simulation = supple.Simulation(supple.Scene(cloth, supple.Wind()))
    for n in range(40):
        simulation.grab("cloth", 0, (0.0, 0.0, 20.0 * (-1.0) ** n))  # 2,000 m/s, to and fro
        report = simulation.step()
        assert report.is_finite and report.status == "ok"


def test_dust_is_carried_along_with_the_wind():
    light = supple.Material.like("silk", area_density=1e-3)
    sheet = supple.Cloth.rectangle(width=0.1, height=0.1, columns=3, rows=3, material=light)
    scene = supple.Scene(sheet, supple.Wind(velocity=(0.0, 0.0, 4.0)), gravity=(0.0, 0.0, 0.0))
    simulation = supple.Simulation(scene)
    for _ in simulation.run(1.0):
        pass
    np.testing.assert_allclose(simulation.velocities("cloth").mean(axis=0), [0.0, 0.0, 4.0], atol=0.05)


def test_a_scene_without_air_is_as_it_was():
    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=6, rows=6).pinned("top-left")
    bare = supple.Simulation(supple.Scene(sheet))
    windy = supple.Simulation(supple.Scene(sheet, supple.Wind(velocity=(3.0, 0.0, 0.0))))
    windy.set(wind=None)
    for _ in range(10):
        bare.step()
        windy.step()
    assert (bare.positions("cloth") == windy.positions("cloth")).all()


def test_wind_fans_and_water_change_while_the_simulation_runs():
    sheet = supple.Cloth.rectangle(width=0.5, height=0.5, columns=6, rows=6).pinned("top")
    simulation = supple.Simulation(supple.Scene(sheet))
    simulation.step()
    assert np.abs(simulation.air_force("cloth")).max() == 0.0
    simulation.set(wind=supple.Wind(velocity=(0.0, 0.0, 8.0)))
    simulation.step()
    assert simulation.air_force("cloth")[2] > 0.5
    simulation.set(
        wind=None, fans=[supple.Fan(at=(0.0, 0.0, 0.5), direction=(0, 0, -1), speed=8.0, name="fan")]
    )
    simulation.step()
    assert simulation.air_force("cloth")[2] < -0.5
    simulation.set(fans=(), waters=[supple.Water(level=5.0, name="sea")])
    simulation.step()
    assert simulation.air_force("cloth")[1] > 0.2
    with pytest.raises(supple.SceneError, match="must be a Wind"):
        simulation.set(wind=3.0)


def test_a_saved_storm_goes_on_bit_for_bit(tmp_path):
    cloth = supple.Cloth.rectangle(width=0.5, height=0.5, columns=8, rows=8).pinned("left")
    rope = supple.Chain(length=0.6, points=8, at=(0.0, 0.0, 0.5)).pinned("start")
    scene = supple.Scene(
        cloth,
        rope,
        supple.Sphere(radius=0.1, at=(-0.5, 0.0, 0.0)),
        supple.Wind(velocity=(12.0, 0.0, 3.0), gusts=0.4),
        supple.Fan(at=(0.0, 0.0, -1.0), direction=(0.0, 0.0, 1.0), speed=5.0),
        supple.Water(level=-0.3, current=(0.2, 0.0, 0.0)),
    )
    simulation = supple.Simulation(scene, seed=7)
    for _ in range(10):
        simulation.step()
    simulation.set(wind=supple.Wind(velocity=(9.0, 1.0, -3.0), gusts=0.2))
    for _ in range(10):
        simulation.step()
    simulation.save(tmp_path / "storm.npz")
    again = supple.Simulation.load(tmp_path / "storm.npz")
    assert again.scene == simulation.scene
    for _ in range(10):
        simulation.step()
        again.step()
    for body in simulation.body_names:
        assert (simulation.positions(body) == again.positions(body)).all()
    assert (simulation.wind_at((0.1, 0.2, 0.3)) == again.wind_at((0.1, 0.2, 0.3))).all()


def test_a_state_that_lost_its_gusts_is_told(tmp_path):
    simulation = flag(5.0)
    simulation.save(tmp_path / "flag.npz")
    with np.load(tmp_path / "flag.npz") as file:
        arrays = {name: array for name, array in file.items() if name != "air.phases"}
    np.savez(tmp_path / "less.npz", **arrays)
    with pytest.raises(supple.StateError, match="how the wind blows"):
        supple.Simulation.load(tmp_path / "less.npz")
