"""Obstacles in a saved state: where they are, who leads them, how they fly, to the bit."""

import numpy as np
import pytest

import supple


def crowded():
    sheet = supple.Cloth.rectangle(width=0.6, height=0.6, columns=15, rows=15, plane="xz", at=(0, 0.5, 0))
    swing = supple.Path(
        keyframes=(supple.Keyframe(time=0.0), supple.Keyframe(time=1.0, offset=(0.2, 0.0, 0.0)))
    )
    return supple.Simulation(
        supple.Scene(
            sheet,
            supple.Sphere(radius=0.2, at=(0.1, 0.1, 0.0)),
            supple.Capsule(start=(0, 0, -0.3), end=(0, 0, 0.3), radius=0.05, at=(-0.3, 0, 0), motion=swing),
            supple.Box(size=(0.1, 0.1, 0.1), at=(0.0, 0.8, 0.0), rotation=(0.3, 0.2, 0.1), mass=0.05),
            supple.Ellipsoid(radii=(0.1, 0.1, 0.2), at=(0.3, 0.1, 0.3), response="repel"),
            supple.Mesh(supple.Box(size=(0.2, 0.1, 0.2)).surface(), at=(-0.2, 0.0, 0.3), name="brick"),
            supple.Plane(at=(0, -0.3, 0), friction=0.5),
        )
    )


def test_a_loaded_state_goes_on_bit_for_bit(tmp_path):
    simulation = crowded()
    for n in range(20):
        simulation.move_obstacle("sphere", at=(0.1, 0.1 + 0.005 * n, 0.0), rotation=(0.0, 0.01 * n, 0.0))
        simulation.step()
    simulation.save(tmp_path / "now.state")
    loaded = supple.Simulation.load(tmp_path / "now.state")
    for _ in range(25):
        simulation.step()
        loaded.step()
    assert np.array_equal(simulation.positions("cloth"), loaded.positions("cloth"))
    for name in simulation.obstacle_names:
        for one, other in zip(simulation.obstacle_pose(name), loaded.obstacle_pose(name), strict=True):
            assert np.array_equal(one, other)


def test_a_motion_by_a_function_cannot_be_saved(tmp_path):
    sheet = supple.Cloth.rectangle(width=0.6, height=0.6, columns=5, rows=5)
    ball = supple.Sphere(radius=0.1, motion=lambda t: ((0, 0, 0), (0, 0, 0)))
    simulation = supple.Simulation(supple.Scene(sheet, ball))
    with pytest.raises(supple.SuppleError, match="function"):
        simulation.save(tmp_path / "now.state")
