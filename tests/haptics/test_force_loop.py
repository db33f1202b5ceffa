"""The force loop is passive: whatever the hand does and whatever the simulation says, it gives away no energy."""

from __future__ import annotations

import math

import numpy as np
import pytest

import supple
from supple.haptics.device import SimulatedDevice
from supple.haptics.energy_tank import RESERVE, EnergyTank
from supple.haptics.force_loop import ForceLoop
from supple.haptics.local_model import LocalModel

STEP = 1.0e-3
FLOOR = LocalModel((0.0, 0.0, 0.0), (0.0, 1.0, 0.0), 1000.0)


def random_path(rng, ticks, acceleration):
    """Return places of a hand that shakes as hard as it is allowed to, within a few centimetres."""
    place, velocity, path = np.zeros(3), np.zeros(3), []
    for _ in range(ticks):
        push = rng.normal(size=3) - 40.0 * place - 2.0 * velocity
        push *= acceleration * rng.random() / max(np.linalg.norm(push), 1e-9)
        velocity = velocity + STEP * push
        place = place + STEP * velocity
        path.append(tuple(place.tolist()))
    return path


def random_model(rng):
    """Return a place as no honest simulation would tell it: anywhere, as stiff as allowed, or gone."""
    if rng.random() < 0.15:
        return None
    normal = rng.normal(size=3)
    normal /= np.linalg.norm(normal)
    point = tuple((0.02 * rng.normal(size=3)).tolist())
    is_held = rng.random() < 0.3
    return LocalModel(point, None if is_held else tuple(normal.tolist()), 1500.0 * rng.random())


def most_given(seed, tank):
    """Return the most work that the loop has done on the hand at any moment of three seconds [J]."""
    rng = np.random.default_rng(seed)
    loop = ForceLoop(tank=tank)
    force, before, given, most = (0.0, 0.0, 0.0), None, 0.0, 0.0
    for tick, place in enumerate(random_path(rng, 3000, 90.0)):
        if tick % 20 == 0:
            loop.update(random_model(rng))
        if before is not None:
            given += float(np.dot(force, np.subtract(place, before)))  # counted here, not by the tank
        force, before = loop.tick(place, STEP), place
        most = max(most, given)
    return most


@pytest.mark.parametrize("seed", range(6))
def test_over_random_motions_on_random_places_no_energy_comes_from_the_loop(seed):
    assert most_given(seed, EnergyTank()) <= RESERVE * (1.0 + 1e-9)


def test_without_its_tank_the_loop_would_give_energy_away():
    assert max(most_given(seed, EnergyTank(acceleration=math.inf)) for seed in range(6)) > 5.0 * RESERVE


def test_a_tip_that_hits_a_hard_surface_does_not_come_back_faster_than_it_came():
    device = SimulatedDevice(
        (0.0, 0.02, 0.0), lambda time: (0.0, 0.0, 0.0), mass=0.1, stiffness=0.0, damping=0.0
    )
    device.velocity = (0.0, -0.2, 0.0)
    loop = ForceLoop()
    loop.update(FLOOR)
    for _ in range(400):
        device.apply(loop.tick(device.place, STEP))
        device.move(STEP)
    assert device.place[1] > 0.0, "it never came back"
    assert 0.05 < device.velocity[1] <= 0.2


def test_a_hand_that_leans_on_a_surface_feels_it_in_full_and_without_a_tremble():
    device = SimulatedDevice((0.0, 0.01, 0.0), lambda time: (0.0, -0.01, 0.0), stiffness=200.0)
    loop = ForceLoop()
    loop.update(FLOOR)
    heights = []
    for tick in range(3000):
        device.apply(loop.tick(device.place, STEP))
        device.move(STEP)
        if tick > 2500:
            heights.append(device.place[1])
    # Springs in series: 200 N/m of the hand from -10 mm, 1000 N/m of the surface from 0.
    assert np.mean(heights) == pytest.approx(-0.01 * 200.0 / 1200.0, rel=1e-3)
    assert np.ptp(heights) < 1e-6


def test_a_new_place_comes_in_over_a_frame_not_as_a_blow():
    loop = ForceLoop(largest_force=100.0, damping=0.0, tank=EnergyTank(reserve=0.5))
    place = (0.0, -0.01, 0.0)
    forces = []
    for tick in range(60):
        if tick in (0, 30):
            loop.update(FLOOR if tick == 0 else FLOOR._replace(point=(0.0, 0.01, 0.0)))
        forces.append(loop.tick(place, STEP)[1])
    assert np.abs(np.diff([0.0, *forces])).max() == pytest.approx(0.5, rel=1e-6)
    assert forces[29] == pytest.approx(10.0) and forces[-1] == pytest.approx(20.0)


def test_a_surface_never_pulls_and_a_device_is_never_asked_for_more_than_it_can():
    loop = ForceLoop(largest_force=3.0, damping=50.0)
    loop.update(FLOOR)
    for tick in range(200):
        x, y, z = loop.tick((0.0, -0.005 * math.sin(0.05 * tick), 0.0), STEP)
        assert y >= 0.0 and math.hypot(x, y, z) <= 3.0 + 1e-12


def test_what_is_gone_fades_out():
    loop = ForceLoop()
    loop.update(FLOOR)
    for tick in range(40):
        pressed = loop.tick((0.0, -0.0001 * tick, 0.0), STEP)
    loop.update(None)
    faded = [loop.tick((0.0, -0.004, 0.0), STEP)[1] for _ in range(21)]
    assert pressed[1] > 1.0 and faded[-1] == 0.0
    assert not loop.is_touching


def test_mistakes_are_told():
    with pytest.raises(supple.SuppleError, match=r"`reserve` is 0 J"):
        EnergyTank(reserve=0.0)
    with pytest.raises(supple.SuppleError, match=r"`acceleration` is 0 m/s²"):
        EnergyTank(acceleration=0.0)
    with pytest.raises(supple.SuppleError, match=r"`largest_force` is 0 N"):
        ForceLoop(largest_force=0.0)


def test_a_device_that_loses_its_place_ends_the_loop_without_a_force():
    class Broken:
        applied = (1.0, 0.0, 0.0)

        def read(self):
            return (math.nan, 0.0, 0.0)

        def apply(self, force):
            self.applied = force

    device = Broken()
    with pytest.raises(supple.SuppleError, match="no point in space"):
        ForceLoop().run(device, lambda: False)
    assert device.applied == (0.0, 0.0, 0.0)
