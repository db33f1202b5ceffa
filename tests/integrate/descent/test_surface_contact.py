"""Contact between surfaces inside the solve of `descent`: stacks rest, folds close, momentum stays."""

from __future__ import annotations

import numpy as np
import pytest

import supple


def pile_of_sheets(count: int, points: int = 8, **options: object) -> supple.Simulation:
    """Return sheets of 2 mm that fall a little way onto the floor and onto each other."""
    sheets = [
        supple.Cloth.rectangle(
            width=0.2,
            height=0.2,
            columns=points,
            rows=points,
            plane="xz",
            name=f"sheet-{k}",
            at=(0.003 * k, 0.002 + 0.003 * k, 0.002 * k),
            thickness=0.002,
            self_contact="exact",
        )
        for k in range(count)
    ]
    return supple.Simulation(supple.Scene(*sheets, supple.Plane()), integrator="descent", **options)


def speed(simulation: supple.Simulation, count: int) -> float:
    """Return the root mean square speed of all sheets [m/s]."""
    velocities = np.concatenate([simulation.velocities(f"sheet-{k}") for k in range(count)])
    return float(np.sqrt((velocities**2).sum(axis=1).mean()))


def test_ten_sheets_rest_with_their_thickness_between_them():
    simulation = pile_of_sheets(10)
    for _ in range(40):
        report = simulation.step()
    assert report.is_finite
    assert speed(simulation, 10) < 0.002
    heights = [float(simulation.positions(f"sheet-{k}")[:, 1].mean()) for k in range(10)]
    assert np.diff(heights) == pytest.approx(0.002, rel=0.04)


def test_two_free_sheets_that_collide_keep_both_momenta():
    sheets = [
        supple.Cloth.rectangle(
            width=0.2, height=0.2, columns=9, rows=9, name=name, at=at, rotation_deg=turn, velocity=velocity,
            self_contact="exact", thickness=0.004, friction=0.0,
        )
        for name, at, turn, velocity in (
            ("left", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
            ("right", (0.05, 0.03, 0.07), (20.0, 10.0, 0.0), (0.0, 0.0, -1.0)),
        )
    ]  # fmt: skip
    simulation = supple.Simulation(supple.Scene(*sheets, gravity=(0.0, 0.0, 0.0)), integrator="descent")
    before = simulation.step()
    contacts = 0
    for _ in range(15):
        after = simulation.step()
        contacts = max(contacts, simulation.engine.contact.contact_count)
    assert contacts > 5
    assert after.linear_momentum == pytest.approx(before.linear_momentum, abs=1e-10)
    # The guard's passes act along lines between closest points as they were at the start of the substep: 1e-5 of it.
    size = float(np.linalg.norm(before.angular_momentum))
    assert after.angular_momentum == pytest.approx(before.angular_momentum, abs=3e-5 * size)
    assert np.linalg.norm(simulation.velocities("left").mean(axis=0)) > 0.1  # it was struck


def test_cloth_wrung_tightly_keeps_its_length():
    scene = supple.find_scene("twist")
    simulation = supple.Simulation(scene, integrator="descent")
    for _ in range(100):
        report = simulation.step()
    assert report.max_stretch < 1.3
    assert simulation.intersections() == 0


def test_a_saved_stack_goes_on_bit_for_bit(tmp_path):
    simulation = pile_of_sheets(3, points=5)
    for _ in range(10):
        simulation.step()
    simulation.save(tmp_path / "stack.npz")
    again = supple.Simulation.load(tmp_path / "stack.npz")
    for _ in range(5):
        simulation.step()
        again.step()
    for k in range(3):
        assert np.array_equal(simulation.positions(f"sheet-{k}"), again.positions(f"sheet-{k}"))
