"""`chain` (Desbrun 1999): one dimension, momentum kept."""

from __future__ import annotations

import numpy as np

from supple import Simulation, find_scene


def test_chains_hardly_stretch(play):
    assert play("chain").largest_stretch < 1.02


def test_released_chain_swings_through_to_the_other_side():
    simulation = Simulation(find_scene("chain"))
    pin = simulation.positions("released")[0, 0]
    sides = []
    for _ in simulation.run(1.5):
        sides.append(simulation.positions("released")[-1, 0] - pin)
    assert sides[0] < -1.4 and max(sides) > 0.5


def test_slack_chain_settles_into_a_catenary(play):
    points = play("chain").simulation.positions("slack")
    span, length = points[-1, 0] - points[0, 0], 1.5
    # Solve 2 a sinh(span / 2a) = length for the parameter a of the catenary by bisection.
    low, high = 0.05, 10.0
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if 2 * middle * np.sinh(span / (2 * middle)) > length else (low, middle)
    depth = low * (np.cosh(span / (2 * low)) - 1.0)
    assert abs((points[0, 1] - points[:, 1].min()) / depth - 1.0) < 0.03


def test_chains_let_go_keep_their_momentum():
    scene = find_scene("chain").changed(gravity=(0.0, 0.0, 0.0), drag=0.0)
    simulation = Simulation(scene)
    simulation.set(gravity=(0.0, -9.81, 0.0))
    for _ in simulation.run(0.7):
        pass
    simulation.set(gravity=(0.0, 0.0, 0.0))
    for body in simulation.body_names:
        for vertex in simulation.pinned(body).tolist():
            simulation.unpin(body, vertex)
    first = simulation.step()
    *_, last = simulation.run(1.0)
    scale = np.linalg.norm(first.linear_momentum)
    assert scale > 0.5
    np.testing.assert_allclose(last.linear_momentum, first.linear_momentum, atol=1e-12 * scale)
    turn = np.linalg.norm(first.angular_momentum)
    np.testing.assert_allclose(last.angular_momentum, first.angular_momentum, atol=1e-10 * turn)
