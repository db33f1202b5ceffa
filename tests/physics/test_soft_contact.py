"""Soft bodies that fall, stand, tip and are squeezed, at default settings: against converged motion and theory."""

import numpy as np
import pytest

import supple
from supple.forces.elasticity import elastic_energy

GRAVITY = 9.81


def ball_run(material, **settings):
    """Return heights of the centre of a ball let go 0.3 m above the ground, frame by frame, and its energies."""
    ball = supple.SoftBody.ball(0.05, 0.02, material=material, at=(0.0, 0.35, 0.0))
    simulation = supple.Simulation(supple.Scene(ball, supple.Plane()), **settings)
    masses, world = simulation.masses("soft"), simulation.engine.world
    heights, energies = [], []
    for report in simulation.run(0.8):
        heights.append(float(masses @ simulation.positions("soft")[:, 1] / masses.sum()))
        stored = elastic_energy(world.particles.positions, world.tetrahedra.arrays)
        energies.append(report.kinetic_energy + stored + GRAVITY * masses.sum() * heights[-1])
    return simulation, np.array(heights), np.array(energies)


def rebound(heights):
    """Return how high a ball comes back, over how deep it fell."""
    lowest = int(np.argmin(heights[:25]))
    return (heights[lowest:].max() - 0.05) / 0.3


@pytest.mark.parametrize(("material", "converged"), [("rubber", 0.447), ("foam", 0.330)])
def test_balls_come_back_as_high_as_in_converged_motion_and_gain_nothing(material, converged):
    # `converged` is `explicit`, which takes 1,100 to 1,600 substeps a frame and 4 to 6 s for these balls.
    simulation, heights, energies = ball_run(material)
    assert simulation.engine.integrator.name == "descent"
    assert rebound(heights) == pytest.approx(converged, rel=0.15)
    assert np.diff(energies).max() < 0.01 * energies[0]


def test_a_jelly_ball_comes_back_by_descent_as_it_does_by_explicit():
    _, expected, _ = ball_run("jelly", integrator="explicit")
    _, heights, _ = ball_run("jelly", integrator="descent")
    assert rebound(heights) == pytest.approx(rebound(expected), rel=0.15)


def test_five_rubber_boxes_stand_on_each_other_for_ten_seconds():
    boxes = [
        supple.SoftBody.box(
            (0.1, 0.1, 0.1), 0.05, material="rubber", at=(0.0, 0.051 + 0.1005 * n, 0.0), name=f"box-{n}",
            self_contact="exact",
        )
        for n in range(5)
    ]  # fmt: skip
    simulation = supple.Simulation(supple.Scene(*boxes, supple.Plane(friction=0.5, name="ground")))
    assert simulation.engine.integrator.name == "descent"
    for report in simulation.run(10.0):
        pass
    centres = np.array([simulation.positions(f"box-{n}").mean(axis=0) for n in range(5)])
    np.testing.assert_allclose(centres[:, 1], 0.051 + 0.101 * np.arange(5), atol=0.003)
    assert np.abs(centres[:, [0, 2]]).max() < 0.005
    assert np.sqrt(2.0 * report.kinetic_energy / simulation.engine.world.particles.masses.sum()) < 1e-3
    weight = GRAVITY * simulation.engine.world.particles.masses.sum()
    np.testing.assert_allclose(simulation.obstacle_force("ground"), [0.0, -weight, 0.0], atol=0.02 * weight)


@pytest.mark.parametrize(("overhang", "falls"), [(0.65, True), (0.4, False)])
def test_a_bar_falls_off_a_table_if_most_of_it_is_over_the_edge(overhang, falls):
    length = 0.4
    bar = supple.SoftBody.box(
        (length, 0.04, 0.04), 0.02, material="rubber", at=(length * (overhang - 0.5), 0.0212, 0.0)
    )
    table = supple.Box(size=(0.6, 0.2, 0.4), at=(-0.3, -0.1, 0.0), friction=0.3)
    simulation = supple.Simulation(supple.Scene(bar, table))
    for report in simulation.run(1.0 if falls else 3.0):
        pass
    middle = simulation.positions("soft").mean(axis=0)
    if falls:
        assert middle[1] < -1.0
    else:
        assert middle[1] == pytest.approx(0.02, abs=0.003)
        assert report.kinetic_energy < 1e-6


@pytest.mark.parametrize("poisson", [0.0, 0.3, 0.47, 0.49])
def test_plates_that_squeeze_a_block_feel_its_modulus_times_area_times_strain(poisson):
    material = supple.SoftMaterial(young=1e6, poisson=poisson, density=1000.0, damping=300.0)
    block = supple.SoftBody.box((0.1, 0.1, 0.1), 0.025, material=material, at=(0.0, 0.051, 0.0))
    press = supple.Box(size=(0.4, 0.1, 0.4), at=(0.0, 0.152, 0.0), friction=0.0, name="press")
    scene = supple.Scene(block, supple.Plane(friction=0.0, name="ground"), press)
    simulation = supple.Simulation(scene)
    assert simulation.engine.integrator.name == "descent"
    for frame in range(75):
        simulation.move_obstacle(
            "press", at=(0.0, 0.152 - 0.005 * min(1.0, frame / 25), 0.0), rotation=(0.0, 0.0, 0.0)
        )
        simulation.step()
    expected = 1e6 * 0.01 * 0.05
    weight = GRAVITY * simulation.masses("soft").sum()
    assert simulation.tool_force("press")[1] == pytest.approx(expected - 0.5 * weight, rel=0.05)
    assert simulation.obstacle_force("ground")[1] == pytest.approx(-expected - 0.5 * weight, rel=0.05)


def test_a_free_spinning_body_keeps_both_momenta_and_gains_no_energy():
    block = supple.SoftBody.box((0.2, 0.1, 0.1), 0.05, material="rubber")
    simulation = supple.Simulation(supple.Scene(block, gravity=(0.0, 0.0, 0.0)), integrator="descent")
    particles = simulation.engine.world.particles
    particles.velocities[:] = np.cross([3.0, 9.0, -4.0], particles.positions)
    particles.velocities += [0.3, 0.1, -0.2]
    first = simulation.step()
    energies = [first.kinetic_energy]
    for report in simulation.run(2.0):
        energies.append(report.kinetic_energy)
    size = np.linalg.norm(first.linear_momentum), np.linalg.norm(first.angular_momentum)
    np.testing.assert_allclose(report.linear_momentum, first.linear_momentum, atol=1e-10 * size[0])
    np.testing.assert_allclose(report.angular_momentum, first.angular_momentum, atol=1e-10 * size[1])
    assert max(energies) < 1.001 * energies[0] and energies[-1] > 0.98 * energies[0]


def test_a_ball_on_a_soft_box_does_not_gain_energy():
    box = supple.SoftBody.box(
        (0.2, 0.1, 0.2), 0.05, material="rubber", at=(0.0, 0.052, 0.0), self_contact="exact", name="box"
    )
    ball = supple.SoftBody.ball(
        0.04, 0.02, material="rubber", at=(0.0, 0.3, 0.0), self_contact="exact", name="ball"
    )
    simulation = supple.Simulation(supple.Scene(box, ball, supple.Plane(friction=0.5)))
    world = simulation.engine.world
    energies = []
    for report in simulation.run(0.6):
        stored = elastic_energy(world.particles.positions, world.tetrahedra.arrays)
        energies.append(report.kinetic_energy + report.potential_energy + stored)
    moving = energies[0] - energies[-1]
    assert np.diff(energies).max() < 0.02 * moving
    assert simulation.positions("ball")[:, 1].min() > 0.09


@pytest.mark.parametrize("integrator", ["auto", "descent"])
def test_a_bounce_goes_on_the_same_to_the_bit_after_saving_and_after_a_snapshot(tmp_path, integrator):
    def scene():
        ball = supple.SoftBody.ball(0.05, 0.025, material="rubber", at=(0.0, 0.1, 0.0))
        paddle = supple.Box(size=(0.3, 0.02, 0.3), at=(0.0, 0.0, 0.0), name="paddle")
        return supple.Scene(ball, paddle)

    simulation = supple.Simulation(scene(), integrator=integrator)
    for frame in range(8):  # in the middle of the impact
        simulation.move_obstacle("paddle", at=(0.0, 0.001 * frame, 0.0), rotation=(0.0, 0.0, 0.0))
        simulation.step()
    assert simulation.touching("soft").any() or simulation.velocities("soft")[:, 1].max() > 0.1
    simulation.save(tmp_path / "state.npz")
    snapshot = simulation.snapshot()
    loaded = supple.Simulation.load(tmp_path / "state.npz")
    for run in (simulation, loaded):
        for _ in run.run(0.3):
            pass
    np.testing.assert_array_equal(loaded.positions("soft"), simulation.positions("soft"))
    after = simulation.positions("soft").copy()
    simulation.restore(snapshot)
    for _ in simulation.run(0.3):
        pass
    np.testing.assert_array_equal(simulation.positions("soft"), after)


def test_cloth_chain_and_soft_body_move_in_one_system():
    cloth = supple.Cloth.rectangle(
        width=0.4,
        height=0.4,
        columns=13,
        rows=13,
        at=(0.0, 0.25, 0.0),
        rotation_deg=(90.0, 0.0, 0.0),
        self_contact="exact",
    )
    block = supple.SoftBody.box(
        (0.1, 0.1, 0.1), 0.05, material="rubber", at=(0.0, 0.052, 0.0), self_contact="exact"
    )
    chain = supple.Chain(length=0.5, points=11, at=(0.5, 0.6, 0.0)).pinned(0)
    simulation = supple.Simulation(supple.Scene(cloth, block, chain, supple.Plane(friction=0.5)))
    assert simulation.engine.integrator.name == "descent"
    for report in simulation.run(1.5):
        assert report.is_finite
    middle = simulation.positions("cloth")[84]
    assert middle[1] == pytest.approx(0.102, abs=0.01)
    assert simulation.positions("soft")[:, 1].max() == pytest.approx(0.101, abs=0.003)
    assert simulation.positions("chain")[:, 1].min() == pytest.approx(0.1, abs=0.1)


def test_cuts_sets_pins_and_grabs_are_followed():
    bar = supple.SoftBody.box((0.3, 0.1, 0.1), 0.05, material="jelly", at=(0.0, 0.5, 0.0)).pinned("left")
    simulation = supple.Simulation(supple.Scene(bar, supple.Plane(friction=0.5)), integrator="descent")
    for _ in simulation.run(0.2):
        pass
    simulation.set("soft", young=2e4, poisson=0.4, damping=10.0)
    simulation.cut("soft", plane=((0.0, 0.45, 0.0), (1.0, 0.0, 0.0)))
    for report in simulation.run(1.0):
        assert report.is_finite
    heights = simulation.engine.world.particles.positions[:, 1]
    assert heights.max() > 0.45 and heights.min() < 0.06  # one half hangs, the other one has fallen
    simulation.grab("soft", 0, tuple(simulation.positions("soft")[0] + [0.0, 0.05, 0.0]))
    for report in simulation.run(0.3):
        assert report.is_finite
