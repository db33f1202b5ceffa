"""The centre of pressure of a plate, and what falling cards do because of it."""

import numpy as np
import pytest

import supple
from supple.errors import SuppleError
from supple.forces.centre_of_pressure import write_pressure_shares
from tests.forces.airborne import held_plate


def front_share(angle, lead):
    """Return how far ahead of the middle the air pushes a plate of 1 m along the stream, in halves of that [-]."""
    air = supple.Aerodynamics(lead=lead)
    simulation = held_plate(angle, points=21, aerodynamics=air)
    points, impulses = simulation.positions("cloth"), simulation.engine.air._impulses
    push = np.linalg.norm(impulses, axis=1)
    along = points @ np.array(
        [0.0, np.sin(angle), -np.cos(angle)]
    )  # towards the front, against the wind along z
    return float((push * along).sum() / push.sum() / 0.5)


def test_the_centre_of_pressure_moves_ahead_as_a_plate_turns_edge_on():
    places = [front_share(np.radians(angle), 0.3) for angle in (90.0, 60.0, 30.0, 5.0)]
    assert places[0] == pytest.approx(0.0, abs=1e-9)
    assert places == sorted(places)
    assert places[-1] == pytest.approx(0.3, rel=0.05)
    assert front_share(0.2, 0.0) == pytest.approx(0.0, abs=1e-9)


def fall(lead):
    """Return angle [rad] and sideways place [m] of a card let go aslant in still air, frame by frame."""
    material = supple.Material(
        area_density=0.25, stretch_stiffness=5e3, shear_stiffness=2e3, bending_stiffness=2e-2
    )
    card = supple.Cloth.rectangle(
        width=0.15, height=0.08, columns=13, rows=7, plane="xz", rotation=(0.3, 0.0, 0.0), material=material,
        aerodynamics=supple.Aerodynamics(lead=lead),
    )  # fmt: skip
    simulation = supple.Simulation(supple.Scene(card, supple.Wind(velocity=(0.0, 0.0, 0.0))), substeps=10)
    angles, places = [], []
    for _ in simulation.run(2.0):
        rows = simulation.positions("cloth").reshape(7, 13, 3)
        chord = rows[-1].mean(axis=0) - rows[0].mean(axis=0)
        angles.append(np.arctan2(chord[1], chord[2]))
        places.append(rows[..., 2].mean())
    return np.array(angles), np.array(places)


def test_a_falling_card_flutters_with_a_lead_and_glides_without():
    angles, places = fall(0.0)
    assert np.ptp(angles) < 0.01
    assert places[-1] > 3.0
    angles, places = fall(0.5)
    assert (angles[1:] * angles[:-1] < 0.0).sum() >= 4  # it tips over to the other side, again and again
    assert angles.max() > 0.1
    assert np.abs(places).max() < 1.0


def test_shares_are_the_same_compiled_and_in_python():
    simulation = held_plate(0.4, points=5, aerodynamics=supple.Aerodynamics(lead=0.5))
    air, particles = simulation.engine.air, simulation.engine.world.particles
    triangles, fluids = air.elements.triangles[0], air._fluids(0.01)
    moves = 0.01 * np.random.default_rng(0).standard_normal(particles.positions.shape)
    found = []
    for kernel in (write_pressure_shares, write_pressure_shares.py_func):
        kernel(particles.positions, moves, triangles, fluids, np.zeros(12))
        found.append(triangles.ahead.copy())
    np.testing.assert_allclose(found[0], found[1], rtol=1e-12)
    assert np.ptp(found[0]) > 0.1
    assert found[0].min() >= 0.0


def test_a_lead_is_a_share_of_a_plate():
    with pytest.raises(SuppleError, match="lead"):
        supple.Aerodynamics(lead=0.8)
    with pytest.raises(SuppleError, match='belongs to the law "plate"'):
        supple.Aerodynamics(law="kang", lead=0.3)
