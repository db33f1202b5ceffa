"""Reactions: what obstacles, surfaces and pins do adds up to the momentum that bodies gain, with every integrator."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import supple
from tests.physics.bodies import INTEGRATORS

GRAVITY = np.array([0.0, -9.81, 0.0])
STRIPS = {"width": 0.3, "height": 0.3, "columns": 9, "rows": 9}


def momentum(simulation: supple.Simulation) -> NDArray[np.float64]:
    """Return the momentum of all bodies, (3,) [kg·m/s]."""
    return sum(
        (simulation.masses(name) @ simulation.velocities(name) for name in simulation.body_names), np.zeros(3)
    )


def weight(simulation: supple.Simulation) -> float:
    """Return the weight of all bodies [N]."""
    return 9.81 * sum(float(simulation.masses(name).sum()) for name in simulation.body_names)


def reactions(simulation: supple.Simulation) -> NDArray[np.float64]:
    """Return the force of all obstacles, pins and hands on all bodies, (3,) [N]."""
    total = -sum((simulation.obstacle_force(name) for name in simulation.obstacle_names), np.zeros(3))
    return total + sum(
        (simulation.pin_forces(name).sum(axis=0) for name in simulation.body_names), np.zeros(3)
    )


def balances(simulation: supple.Simulation, frames: int) -> list[float]:
    """Return by how much reactions and weight miss the change of momentum, over the weight, for each of some frames."""
    misses = []
    for _ in range(frames):
        before = momentum(simulation)
        simulation.step()
        gained = (momentum(simulation) - before) / simulation.frame_seconds
        mass = weight(simulation) / 9.81
        misses.append(
            float(np.abs(gained - mass * GRAVITY - reactions(simulation)).max()) / weight(simulation)
        )
    return misses


def drawn_over_a_ball() -> supple.Scene:
    """A sheet held at two corners falls onto a ball with friction, and onto a sheet that lies on a box."""
    held = supple.Cloth.rectangle(
        **STRIPS, plane="xz", at=(0.0, 0.12, 0.0), self_contact="exact", name="held"
    )
    lying = supple.Cloth.rectangle(
        **STRIPS, plane="xz", at=(0.0, 0.02, 0.31), self_contact="exact", name="lying"
    )
    return supple.Scene(
        held.pinned("top-left", "top-right"),
        lying,
        supple.Sphere(radius=0.08, friction=0.5, at=(0.0, 0.0, 0.0)),
        supple.Box(size=(0.4, 0.02, 0.4), friction=0.3, at=(0.0, 0.0, 0.31)),
        drag=0.0,
    )


@pytest.mark.parametrize("integrator", [*INTEGRATORS, "descent"])
def test_all_reactions_balance_the_momentum_in_every_frame(integrator: str) -> None:
    simulation = supple.Simulation(drawn_over_a_ball(), integrator=integrator)
    misses = balances(simulation, 15)
    assert max(misses) < 1e-8
    simulation.grab("lying", vertex=40, target=(0.0, 0.3, 0.31))
    assert max(balances(simulation, 5)) < 1e-8
    # No sum of zeros: the ball and the pins both act.
    assert np.linalg.norm(simulation.contact_forces("held")) > 0.01 * weight(simulation)
    assert np.linalg.norm(simulation.pin_forces("held")) > 0.01 * weight(simulation)
    assert np.linalg.norm(simulation.pin_forces("lying")) > 0.01 * weight(simulation)


@pytest.mark.parametrize("integrator", [*INTEGRATORS, "descent"])
def test_before_the_balance_is_closed_contacts_know_the_weight_within_a_tenth(integrator: str) -> None:
    """What closes the balance must stay a correction: forces of the solve itself are nearly right."""
    sheet = supple.Cloth.rectangle(**STRIPS, plane="xz", at=(0.0, 0.12, 0.0), material="cotton")
    scene = supple.Scene(sheet, supple.Sphere(radius=0.1, friction=0.6))
    simulation = supple.Simulation(scene, integrator=integrator)
    raw = []
    for _ in simulation.run(2.5):
        found = simulation.engine.reactions.forces()
        raw.append((found.contacts - found.corrections).sum(axis=0)[1])
    assert np.mean(raw[-50:]) == pytest.approx(weight(simulation), rel=0.1)
    forces = simulation.contact_forces("cloth")
    assert not forces[~simulation.touching("cloth")].any(axis=1).sum() > 5
    np.testing.assert_allclose(
        -forces.sum(axis=0), simulation.obstacle_force("sphere"), atol=0.02 * weight(simulation)
    )


@pytest.mark.parametrize("integrator", ["filter", "descent", "implicit"])
def test_two_pins_share_the_weight_and_pull_outwards(integrator: str) -> None:
    sheet = supple.Cloth.rectangle(width=0.5, height=0.5, columns=11, rows=11, material="cotton")
    simulation = supple.Simulation(supple.Scene(sheet.pinned("top-left", "top-right")), integrator=integrator)
    forces = np.mean([simulation.pin_forces("cloth") for _ in simulation.run(4.0)][-50:], axis=0)
    left, right = forces[0] / weight(simulation), forces[10] / weight(simulation)
    assert left[1] == pytest.approx(0.5, abs=0.01) and right[1] == pytest.approx(0.5, abs=0.01)
    assert left[0] == pytest.approx(-right[0], abs=0.02) and left[0] < -0.05
    assert not np.delete(forces, [0, 10], axis=0).any()


@pytest.mark.parametrize(
    ("integrator", "thickness", "gap"),
    [("filter", 0.001, 0.001), ("descent", 0.001, 0.001), ("descent", 0.002, 0.0015)],
)
def test_two_fingers_with_friction_carry_the_weight_of_a_sheet(
    integrator: str, thickness: float, gap: float
) -> None:
    sheet = supple.Cloth.rectangle(
        width=0.2,
        height=0.2,
        columns=15,
        rows=15,
        material="cotton",
        at=(0.0, -0.1, 0.0),
        thickness=thickness,
    )
    ends = {"left": -1.0, "right": 1.0}
    fingers = [
        supple.Box(size=(0.03, 0.03, 0.02), at=(0.0, -0.01, 0.013 * side), friction=1.0, name=name)
        for name, side in ends.items()
    ]
    simulation = supple.Simulation(supple.Scene(sheet, *fingers), integrator=integrator)

    def lead(height: float, opening: float) -> None:
        for name, side in ends.items():
            simulation.move_obstacle(name, (0.0, height, side * (0.01 + 0.5 * opening)))
        simulation.step()

    simulation.set(gravity=(0.0, 0.0, 0.0))
    for n in range(25):
        lead(-0.01, 0.006 + (gap - 0.006) * (n + 1) / 25)
    simulation.set(gravity=(0.0, -9.81, 0.0))
    for n in range(50):
        lead(-0.01 + 0.004 * n, gap)
    loads = []
    for _ in range(50):
        lead(0.19, gap)
        loads.append(sum(simulation.obstacle_force(name) for name in ends))
    top = simulation.positions("cloth")[7]
    assert abs(top[1] - 0.2) < 0.002, "they hold it where they took it"
    carried = np.mean(loads[-25:], axis=0)
    assert carried[1] == pytest.approx(-weight(simulation), rel=0.02)
    squeeze = simulation.obstacle_force("right")[2] - simulation.obstacle_force("left")[2]
    assert squeeze > weight(simulation), "each finger feels the other through the cloth"
    assert simulation.touching("cloth", "left").any() or simulation.touching("cloth", "right").any()


@pytest.mark.parametrize("integrator", ["filter", "descent"])
def test_a_load_beside_the_middle_turns_its_table(integrator: str) -> None:
    sheet = supple.Cloth.rectangle(
        width=0.2, height=0.2, columns=9, rows=9, plane="xz", at=(0.3, 0.012, 0.1), material="denim"
    )
    table = supple.Box(size=(1.0, 0.02, 1.0), friction=0.5, name="table")
    simulation = supple.Simulation(supple.Scene(sheet, table), integrator=integrator)
    for _ in simulation.run(2.0):
        pass
    load = weight(simulation)
    np.testing.assert_allclose(simulation.obstacle_force("table"), [0.0, -load, 0.0], atol=0.02 * load)
    np.testing.assert_allclose(
        simulation.obstacle_torque("table"), [0.1 * load, 0.0, -0.3 * load], atol=0.02 * load
    )
    np.testing.assert_allclose(
        simulation.obstacle_torque("table", about=(0.3, 0.0, 0.1)), np.zeros(3), atol=0.01 * load
    )


def test_a_soft_body_on_a_table_is_weighed() -> None:
    scene = supple.Scene(
        supple.SoftBody.box(size=(0.2, 0.1, 0.2), cell=0.05, at=(0.0, 0.0515, 0.0), name="cake"),
        supple.Plane(),
        drag=0.0,
    )
    simulation = supple.Simulation(scene)
    assert max(balances(simulation, 10)) < 1e-8
    for _ in simulation.run(1.5):
        pass
    np.testing.assert_allclose(
        simulation.obstacle_force("plane"), [0.0, -weight(simulation), 0.0], atol=0.02 * weight(simulation)
    )


def test_a_push_and_wind_are_no_reactions() -> None:
    sheet = supple.Cloth.rectangle(**STRIPS)
    simulation = supple.Simulation(
        supple.Scene(sheet.pinned("top-left"), supple.Wind(velocity=(2.0, 0.0, 1.0)), drag=0.3)
    )
    for _ in simulation.run(1.0):
        pass
    simulation.push("cloth", vertex=40, force=(0.0, 0.0, 1.0))
    before = momentum(simulation)
    simulation.step()
    with_push = simulation.pin_forces("cloth").sum(axis=0)
    gained = (momentum(simulation) - before) / simulation.frame_seconds
    outside = gained - simulation.masses("cloth").sum() * GRAVITY - with_push
    # The wind of the last substep, and the push: the drag is a hundredth of the weight.
    np.testing.assert_allclose(
        outside,
        simulation.air_force("cloth") + np.array([0.0, 0.0, 1.0]),
        atol=0.05 * np.linalg.norm(outside),
    )


def test_forces_are_zero_before_the_first_frame_and_after_a_cut() -> None:
    sheet = supple.Cloth.rectangle(**STRIPS)
    simulation = supple.Simulation(
        supple.Scene(sheet.pinned("top-left", "top-right"), supple.Plane(offset=-1))
    )
    assert not simulation.pin_forces("cloth").any() and not simulation.contact_forces("cloth").any()
    simulation.step()
    assert simulation.pin_forces("cloth").any()
    simulation.cut("cloth", plane=((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)))
    for name in simulation.body_names:
        assert simulation.pin_forces(name).shape == simulation.positions(name).shape
        assert not simulation.pin_forces(name).any()
    simulation.step()
    assert sum(simulation.pin_forces(name)[:, 1].sum() for name in simulation.body_names) > 0.0


def test_asking_for_forces_changes_nothing() -> None:
    asked, left_alone = (supple.Simulation(drawn_over_a_ball()) for _ in range(2))
    soft = supple.Scene(
        supple.SoftBody.box(size=(0.1, 0.1, 0.1), cell=0.05, at=(0.0, 0.06, 0.0)), supple.Plane()
    )
    soft_asked, soft_left_alone = (supple.Simulation(soft) for _ in range(2))
    for _ in range(10):
        for simulation in (asked, left_alone, soft_asked, soft_left_alone):
            simulation.step()
        for simulation in (asked, soft_asked):
            reactions(simulation)
    np.testing.assert_array_equal(asked.positions("held"), left_alone.positions("held"))
    np.testing.assert_array_equal(soft_asked.positions("soft"), soft_left_alone.positions("soft"))


def test_who_asks_for_the_pins_of_a_puppet_is_told_that_it_has_none() -> None:
    corners = [[0, 0, 0], [1, 0, 0], [0, 0, 1]]
    puppet = supple.Puppet(moments=[0.0], samples=[corners], triangles=[[0, 2, 1]])
    sheet = supple.Cloth.rectangle(**STRIPS, plane="xz", at=(0.3, 0.05, 0.3))
    simulation = supple.Simulation(supple.Scene(sheet, puppet))
    for _ in simulation.run(0.5):
        pass
    assert simulation.contact_forces("cloth")[:, 1].max() > 0.0
    with pytest.raises(supple.SuppleError, match="is a puppet"):
        simulation.pin_forces("puppet")
    with pytest.raises(supple.SuppleError, match="no obstacle called 'finger'"):
        simulation.obstacle_torque("finger")
