"""Gusts and fans."""

import numpy as np
import pytest

import supple
from supple.forces.wind_field import WindField, jet_speed
from tests.forces.airborne import compiled_agrees

PLACE = np.array([[0.7, 1.1, -2.0]])


def blown(wind, seconds=60.0, seed=0, points=PLACE, rate=50.0):
    """Return the wind at some points every frame, (frame_count, point_count, 3) [m/s]."""
    field = WindField(seed)
    field.set(wind, ())
    exposures, winds, told = np.ones((1, len(points))), np.zeros((len(points), 3)), []
    for _ in range(round(seconds * rate)):
        field.sample(points, exposures, winds)
        told.append(winds.copy())
        field.advance(1.0 / rate)
    return np.array(told)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("speed", "gusts"), [(1.0, 0.5), (6.0, 0.3), (25.0, 0.2)])
def test_mean_and_variance_of_gusts_are_as_asked_within_ten_percent_over_a_minute(speed, gusts, seed):
    along = blown(supple.Wind(velocity=(0.0, 0.0, speed), gusts=gusts), seed=seed)[:, 0, 2]
    assert along.mean() == pytest.approx(speed, rel=0.1)
    assert along.var() == pytest.approx((gusts * speed) ** 2, rel=0.1)


def test_gusts_also_blow_across_the_wind_and_less_up_and_down():
    wind = supple.Wind(velocity=(6.0, 0.0, 0.0), gusts=0.3)
    deviations = blown(wind)[:, 0].std(axis=0) / (0.3 * 6.0)
    np.testing.assert_allclose(deviations, [1.0, 0.4, 0.7], rtol=0.1)


def test_the_same_seed_gives_the_same_gusts_to_the_bit_and_another_gives_others():
    wind = supple.Wind(velocity=(6.0, 0.0, 0.0), gusts=0.3)
    first, again, other = (blown(wind, 2.0, seed) for seed in (5, 5, 6))
    assert (first == again).all()
    assert np.abs(first - other).max() > 1.0


def test_gusts_are_smooth_in_time_and_space():
    wind = supple.Wind(velocity=(6.0, 0.0, 0.0), gusts=0.3)
    line = np.stack([np.linspace(0.0, 4.0, 401), np.zeros(401), np.zeros(401)], axis=1)
    told = blown(wind, 4.0, points=line)
    assert np.abs(np.diff(told, axis=0)).max() < 0.5 * 1.8  # within a frame
    assert np.abs(np.diff(told, axis=1)).max() < 0.05 * 1.8  # within a centimetre


def test_gusts_travel_with_the_wind():
    wind = supple.Wind(velocity=(6.0, 0.0, 0.0), gusts=0.3, gust_time=20.0)
    places = np.array([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0]])
    told = blown(wind, 20.0, points=places)[:, :, 0]
    here, there = told[:-25, 0], told[25:, 1]  # 3 m downwind, half a second later
    assert np.corrcoef(here, there)[0, 1] > 0.9
    assert np.corrcoef(told[:, 0], told[:, 1])[0, 1] < 0.5


def test_turning_and_changing_the_wind_does_not_make_gusts_jump():
    field = WindField(1)
    exposures, winds = np.ones((1, 1)), np.zeros((1, 3))
    field.set(supple.Wind(velocity=(6.0, 0.0, 0.0), gusts=0.3), ())
    for _ in range(3000):
        field.advance(0.02)
    field.sample(PLACE, exposures, winds)
    before = winds.copy()
    field.set(supple.Wind(velocity=(6.01, 0.0, 0.06), gusts=0.3), ())
    field.sample(PLACE, exposures, winds)
    assert np.abs(winds - before).max() < 0.2


def test_a_wind_straight_up_has_gusts_too():
    told = blown(supple.Wind(velocity=(0.0, 5.0, 0.0), gusts=0.3))
    assert told[:, 0, 1].std() == pytest.approx(1.5, rel=0.1)
    assert np.isfinite(told).all()


def fan(**more):
    return supple.Fan(at=(0.0, 1.0, 0.0), direction=(0.0, 0.0, 2.0), speed=8.0, radius=0.3, **more)


def jet(x, y, z):
    field = WindField(0)
    field.set(None, (fan(),))
    return compiled_agrees(jet_speed, field.fans, 0, x, y, z)


def test_a_fan_blows_at_its_speed_widens_and_slows_down():
    assert jet(0.0, 1.0, 0.0) == pytest.approx(8.0)
    assert jet(0.0, 1.0, -0.5) == 0.0
    assert jet(0.0, 1.0, 1.0) == pytest.approx(8.0 * 0.3 / 0.41)
    assert jet(0.6, 1.0, 0.0) < 0.02 * 8.0
    assert jet(0.6, 1.0, 3.0) > 0.1 * 8.0


def test_a_jet_keeps_its_momentum_on_its_way():
    across = (np.arange(4000) + 0.5) * 1e-3
    fluxes = [sum(jet(r, 1.0, z) ** 2 * r for r in across[::10]) for z in (0.5, 2.0, 5.0)]
    np.testing.assert_allclose(fluxes, fluxes[0], rtol=0.01)


def test_several_fans_and_a_wind_add_up():
    sheet = supple.Cloth.rectangle(width=0.1, height=0.1, columns=2, rows=2)
    other = supple.Fan(at=(-1.0, 1.0, 1.0), direction=(1.0, 0.0, 0.0), speed=5.0, radius=0.3)
    wind = supple.Wind(velocity=(0.0, -1.0, 0.0))
    place = (0.0, 1.0, 1.0)
    alone = [
        supple.Simulation(supple.Scene(sheet, item)).wind_at(place) for item in (fan(name="a"), other, wind)
    ]
    together = supple.Simulation(supple.Scene(sheet, fan(), other, wind)).wind_at(place)
    np.testing.assert_allclose(together, sum(alone), rtol=1e-12)
    assert np.linalg.norm(alone[1]) > 3.0
