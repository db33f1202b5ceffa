"""`descent` as users see it: motion, sliding, friction, stability, saved states."""

import math

import numpy as np
import pytest

import supple
from tests.physics.sliding import scarf_over_a_rail


def hung(points=20, integrator="descent", **settings):
    material = supple.Material(
        area_density=0.15, stretch_stiffness=1000.0, shear_stiffness=300.0, bending_stiffness=1e-5
    )
    cloth = supple.Cloth.rectangle(
        width=1.0, height=1.0, columns=points, rows=points, plane="xz", material=material
    )
    scene = supple.Scene(cloth.pinned("top-left", "top-right"))
    return supple.Simulation(scene, integrator=integrator, limiter_iterations=0, **settings)


def lowest(simulation, seconds):
    for report in simulation.run(seconds):
        pass
    return float(simulation.positions("cloth")[:, 1].min()), report


def test_a_sheet_that_is_let_go_moves_as_in_converged_motion():
    depth, report = lowest(hung(), 0.5)
    expected, truth = lowest(hung(integrator="explicit"), 0.5)
    assert depth == pytest.approx(expected, rel=0.02)
    assert report.kinetic_energy == pytest.approx(truth.kinetic_energy, rel=0.1)


def test_cloth_that_lands_does_not_bounce_back():
    sheet = supple.Cloth.rectangle(width=0.4, height=0.4, columns=9, rows=9, plane="xz", at=(0.0, 0.1, 0.0))
    simulation = supple.Simulation(supple.Scene(sheet, supple.Plane(friction=0.5)), integrator="descent")
    for report in simulation.run(0.6):
        pass
    assert simulation.positions("cloth")[:, 1].max() < 0.02
    assert report.kinetic_energy < 1e-6


@pytest.mark.parametrize("stiffness", [0.0, 1.0, 1e3, 1e6])
@pytest.mark.parametrize("substeps", [1, 10])
def test_everything_stays_finite_and_in_one_piece(stiffness, substeps):
    material = supple.Material(
        area_density=0.15, stretch_stiffness=stiffness, shear_stiffness=stiffness, bending_stiffness=1e-5
    )
    cloth = supple.Cloth.rectangle(width=0.5, height=0.5, columns=9, rows=9, material=material)
    scene = supple.Scene(cloth.pinned("top-left"), supple.Sphere(radius=0.2, at=(0.1, -0.5, 0.0)))
    simulation = supple.Simulation(scene, integrator="descent", substeps=substeps)
    for frame in range(40):
        if frame % 10 == 5:
            simulation.grab("cloth", 80, (0.5 * math.sin(frame), 0.5, 1.0))
        if frame % 10 == 8:
            simulation.release("cloth", 80)
        report = simulation.step()
        assert report.is_finite
    if stiffness >= 1e3:
        for report in simulation.run(1.0):
            pass
        assert report.max_stretch < 1.5


def test_free_cloth_keeps_both_momenta():
    sheet = supple.Cloth.rectangle(width=0.5, height=0.5, columns=9, rows=9, velocity=(1.0, 0.0, 0.0))
    simulation = supple.Simulation(supple.Scene(sheet, gravity=(0.0, 0.0, 0.0)), integrator="descent")
    particles = simulation.engine.world.particles
    particles.velocities += np.cross((0.0, 3.0, 1.0), particles.positions)
    reports = list(simulation.run(0.5))
    for name in ("linear_momentum", "angular_momentum"):
        first, last = (np.array(getattr(report, name)) for report in (reports[2], reports[-1]))
        np.testing.assert_allclose(last, first, rtol=1e-10, atol=1e-12)


def test_damping_takes_energy_out():
    def left(damping):
        material = supple.Material(
            area_density=0.15,
            stretch_stiffness=100.0,
            shear_stiffness=30.0,
            bending_stiffness=1e-5,
            damping=damping,
        )
        cloth = supple.Cloth.rectangle(width=0.5, height=0.5, columns=9, rows=9, material=material)
        simulation = supple.Simulation(
            supple.Scene(cloth.pinned("top-left", "top-right")), integrator="descent"
        )
        return [report.kinetic_energy for report in simulation.run(1.0)][-1]

    assert left(0.2) < 0.2 * left(0.0)


def test_anchors_hold_as_their_stiffness_says():
    cloth = supple.Cloth.rectangle(width=0.2, height=0.2, columns=3, rows=3)
    scene = supple.Scene(cloth.anchored("top-left", "top-right", stiffness=50.0), drag=20.0)
    simulation = supple.Simulation(scene, integrator="descent")
    for _ in simulation.run(3.0):
        pass
    mass = simulation.masses("cloth").sum()
    sunk = 0.1 - simulation.positions("cloth")[[0, 2], 1].mean()
    assert sunk == pytest.approx(mass * 9.81 / 100.0, rel=0.03)


@pytest.mark.parametrize("saved_after", [0.1, 0.3])
def test_a_saved_run_goes_on_bit_for_bit(tmp_path, saved_after):
    simulation, _ = scarf_over_a_rail("descent", cell=0.01, leg=0.5, friction=0.3)
    for _ in simulation.run(saved_after):
        pass
    simulation.save(tmp_path / "state.npz")
    resumed = supple.Simulation.load(tmp_path / "state.npz")
    for one in (simulation, resumed):
        for _ in one.run(0.2):
            pass
    np.testing.assert_array_equal(simulation.positions("cloth"), resumed.positions("cloth"))


def test_a_snapshot_is_gone_back_to_bit_for_bit():
    simulation, _ = scarf_over_a_rail("descent", cell=0.02, leg=0.5, friction=0.3)
    for _ in simulation.run(0.2):
        pass
    snapshot = simulation.snapshot()
    ends = []
    for _ in range(2):
        for _ in simulation.run(0.2):
            pass
        ends.append(simulation.positions("cloth").copy())
        simulation.restore(snapshot)
    np.testing.assert_array_equal(*ends)


def test_a_velocity_that_is_set_is_the_velocity_it_moves_with():
    cloth = supple.Cloth.rectangle(width=0.2, height=0.2, columns=3, rows=3)
    simulation = supple.Simulation(supple.Scene(cloth, gravity=(0.0, 0.0, 0.0)), integrator="descent")
    for _ in simulation.run(0.1):
        pass
    simulation.set("cloth", velocities=np.tile((1.0, 0.0, 0.0), (9, 1)))
    begin = simulation.positions("cloth").mean(axis=0)
    for _ in simulation.run(0.2):
        pass
    assert simulation.positions("cloth").mean(axis=0) - begin == pytest.approx((0.2, 0.0, 0.0), abs=1e-9)


@pytest.mark.parametrize("before", [0.0, 1e-5])
def test_a_bending_stiffness_that_is_set_is_the_one_it_bends_with(before):
    def strip(bending):
        material = supple.Material(
            area_density=0.15, stretch_stiffness=1000.0, shear_stiffness=300.0, bending_stiffness=bending
        )
        cloth = supple.Cloth.rectangle(
            width=0.1, height=0.3, columns=4, rows=10, plane="xz", material=material
        )
        return supple.Simulation(supple.Scene(cloth.pinned("top")), integrator="descent")

    changed, declared = strip(before), strip(1e-3)
    changed.set("cloth", bending_stiffness=1e-3)
    for simulation in (changed, declared):
        for _ in simulation.run(0.2):
            pass
    np.testing.assert_allclose(changed.positions("cloth"), declared.positions("cloth"), atol=1e-6)


def test_cloth_that_shrinks_on_a_rail_goes_on():
    simulation, _ = scarf_over_a_rail("descent", cell=0.02, leg=0.3, friction=0.5)
    for _ in simulation.run(0.1):
        pass
    simulation.shrink("cloth", ratio=0.8, seconds=0.2)
    for report in simulation.run(0.5):
        assert report.is_finite
    assert report.max_stretch < 1.1


def test_edits_and_changes_of_parameters_go_on():
    simulation = hung(points=9)
    for _ in simulation.run(0.1):
        pass
    simulation.cut("cloth", plane=((0.02, 0.0, 0.0), (1.0, 0.0, 0.1)))
    simulation.set("cloth", stretch_stiffness=2000.0)
    simulation.pin("cloth", 40)
    for report in simulation.run(0.3):
        pass
    assert report.is_finite
    assert report.max_stretch < 1.3
