"""Local models made from a running simulation."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.haptics.touched_place import STIFFEST, TouchedPlace


@pytest.fixture
def simulation():
    block = supple.SoftBody.box(size=(0.2, 0.1, 0.2), cell=0.05, material="liver", name="block")
    probe = supple.Sphere(radius=0.02, at=(0.0, 0.08, 0.0), name="probe")
    return supple.Simulation(supple.Scene(block.pinned("bottom"), probe, gravity=(0.0, 0.0, 0.0)))


def pressed(simulation, depth, frames=30):
    """Lower the probe to a depth [m] in some frames; return the place after every frame."""
    place = TouchedPlace.of_tool(simulation, "probe")
    models = []
    for frame in range(1, frames + 1):
        height = 0.08 - (0.01 + depth) * frame / frames
        simulation.move_obstacle("probe", at=(0.0, height, 0.0))
        simulation.step()
        models.append(place.model())
    return place, models


def test_before_contact_the_plane_lies_where_the_surface_will_be_met(simulation):
    place, models = pressed(simulation, -0.002, frames=5)
    assert not place.force().any()
    for model in models:
        assert model.point == pytest.approx((0.0, 0.07, 0.0), abs=1e-6)
        assert model.normal == pytest.approx((0.0, 1.0, 0.0), abs=1e-6)


def test_in_contact_the_model_gives_the_force_and_the_stiffness_of_the_simulation(simulation):
    place, _ = pressed(simulation, 0.01)
    for _ in range(80):  # the hand rests
        simulation.step()
        model = place.model()
    here = tuple(simulation.obstacle_pose("probe")[0].tolist())
    assert model.stiffness < STIFFEST
    assert model.force(here) == pytest.approx(place.force().tolist(), rel=0.01, abs=1e-3)
    # A millimetre deeper, what the model has foretold is what the simulation says.
    deeper = (0.0, here[1] - 0.001, 0.0)
    foretold = model.force(deeper)[1]
    simulation.move_obstacle("probe", at=deeper)
    for _ in range(20):
        simulation.step()
    assert foretold - model.force(here)[1] == pytest.approx(
        simulation.obstacle_force("probe")[1] - model.force(here)[1], rel=0.35
    )


def test_what_is_held_pulls_back_with_the_force_of_its_pin():
    sheet = supple.Cloth.rectangle(width=0.5, height=0.5, columns=6, rows=6, name="sheet").pinned("top")
    simulation = supple.Simulation(supple.Scene(sheet, drag=2.0))
    place = TouchedPlace.of_hand(simulation, "sheet", [33])
    start = simulation.positions("sheet")[33].copy()
    for frame in range(40):
        simulation.grab("sheet", 33, start - [0.0, 0.0005 * min(frame, 20), 0.0])
        simulation.step()
        model = place.model()
    here = tuple(simulation.positions("sheet")[33].tolist())
    assert model.normal is None
    assert place.force()[1] > 0.01, "pulled down, it pulls up"
    assert np.dot(model.force(here), place.force()) > 0.0


def test_pressing_and_coming_back_the_felt_force_follows_that_of_the_simulation_smoothly(simulation):
    place = TouchedPlace.of_tool(simulation, "probe")
    told, felt = [], []
    for frame in range(100):
        here = (0.0, 0.075 - 0.015 * np.sin(np.pi * frame / 100.0), 0.0)
        simulation.move_obstacle("probe", at=here)
        simulation.step()
        felt.append(place.model().force(here)[1])
        told.append(place.force()[1])
    assert max(told) > 0.5
    assert np.abs(np.array(felt) - told)[30:].max() < 0.35 * max(told)
    assert np.abs(np.diff(felt)).max() < 0.15 * max(told), "it jumps from frame to frame"


def test_a_wrong_tool_or_point_is_told(simulation):
    with pytest.raises(supple.SuppleError, match="no obstacle called 'prob'"):
        TouchedPlace.of_tool(simulation, "prob")
    with pytest.raises(supple.SuppleError, match="vertices"):
        TouchedPlace.of_hand(simulation, "block", [10**6])
