"""Gas inside closed cloth: the force is the slope of the energy, moves nothing as a whole, and obeys p V = constant."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

import supple
from supple.forces.gas import Gas, add_gas_forces, volume_and_slopes

NOTHING = (0.0, 0.0, 0.0)


def cushion(pressure, **options):
    values = {"width": 0.4, "height": 0.4, "columns": 9, "rows": 9, "name": "cushion", **options}
    return supple.Cloth.cushion(pressure=pressure, **values)


def weightless(*items, **settings):
    scene = supple.Scene(*items, gravity=NOTHING, drag=settings.pop("drag", 1.0))
    return supple.Simulation(scene, **{"integrator": "filter", "substeps": 10, **settings})


def crumpled(simulation, seed=3):
    """Move the points of a simulation a little, each its own way."""
    particles = simulation.engine.world.particles
    particles.positions += 0.01 * np.random.default_rng(seed).standard_normal(particles.positions.shape)
    return particles.positions


@pytest.mark.parametrize("gas", ["pumped", "sealed"])
def test_the_force_of_gas_is_minus_the_slope_of_its_energy(gas):
    simulation = weightless(cushion(supple.Pressure(overpressure=200.0, gas=gas, seconds=0.0)))
    next(simulation.run(0.02))
    positions, world, inside = crumpled(simulation), simulation.engine.world, simulation.engine.gas
    volume = simulation.volume("cushion")
    world.gas_volumes.pressures[0] = inside.cloths[0].pressure_at(volume, 1.0)
    inside.time = 1.0
    forces = np.zeros_like(positions)
    add_gas_forces(positions, world.gas_volumes.arrays, 1.0, forces)
    for i, axis in ((0, 0), (5, 1), (40, 2), (100, 1), (120, 2)):
        around = []
        for away in (-1e-5, 1e-5):
            positions[i, axis] += away
            around.append(inside.energy())
            positions[i, axis] -= away
        assert forces[i, axis] == pytest.approx(-(around[1] - around[0]) / 2e-5, rel=1e-5, abs=1e-6)


def test_gas_neither_pushes_nor_turns_a_body_as_a_whole():
    simulation = weightless(cushion(100.0, at=(50.0, -20.0, 30.0)))
    positions, closed = crumpled(simulation), simulation.engine.world.gas_volumes.arrays
    slopes = np.zeros_like(positions)
    volume = volume_and_slopes(positions, closed.triangles, slopes)
    assert volume == pytest.approx(simulation.volume("cushion"), rel=1e-9)
    size = np.abs(slopes).sum()
    assert np.abs(slopes.sum(axis=0)).max() < 1e-14 * size
    away = positions - positions.mean(axis=0)
    assert np.abs(np.cross(away, slopes).sum(axis=0)).max() < 1e-14 * size


@pytest.mark.parametrize("gas", ["pumped", "sealed"])
def test_a_free_pillow_that_fills_keeps_its_momentum_and_its_spin(gas):
    simulation = weightless(cushion(supple.Pressure(overpressure=100.0, gas=gas, volume=None)), drag=0.0)
    particles = simulation.engine.world.particles
    spin = np.array([0.4, 1.0, -0.3])
    particles.velocities[:] = np.cross(spin, particles.positions) + np.array([0.3, 0.1, 0.0])
    simulation.engine.measure()
    before = simulation.engine.motion[:6].copy()
    *_, report = simulation.run(0.6)
    after = np.array([*report.linear_momentum, *report.angular_momentum])
    assert np.abs(after - before).max() < 1e-12


def ball(pressure, **settings):
    shape = trimesh.creation.icosphere(subdivisions=3, radius=0.1)
    material = supple.Material(
        area_density=0.3, stretch_stiffness=2000.0, shear_stiffness=0.0, bending_stiffness=0.0, damping=0.5
    )
    cloth = supple.Cloth.from_mesh(
        shape.vertices, shape.faces, material=material, name="ball", pressure=pressure
    )
    simulation = weightless(cloth, drag=5.0, **settings)
    radius = np.linalg.norm(simulation.positions("ball"), axis=1).mean()
    for _ in simulation.run(1.5):
        pass
    return simulation, np.linalg.norm(simulation.positions("ball"), axis=1).mean() / radius


def test_a_balloon_grows_as_laplaces_law_says_whatever_the_step():
    # p r / 2 = Y ε / (1 - 1/3), for triangles of springs: the tension of a membrane with Poisson's ratio 1/3.
    over = 1000.0
    _, growth = ball(over)
    strain = over * 0.1 / 2.0 * (2.0 / 3.0) / 2000.0
    strain /= 1.0 - strain  # the radius is that of the grown ball
    assert growth - 1.0 == pytest.approx(strain, rel=0.05)
    _, finer = ball(over, substeps=40)
    assert finer == pytest.approx(growth, abs=1e-5)


def test_sealed_gas_keeps_pressure_times_volume():
    simulation, growth = ball(supple.Pressure(overpressure=3000.0, gas="sealed"))
    atmosphere = 101_325.0
    full = (atmosphere + 3000.0) * simulation.volume("ball") / growth**3
    assert simulation.pressure("ball") < 0.7 * 3000.0  # it has grown
    assert (atmosphere + simulation.pressure("ball")) * simulation.volume("ball") == pytest.approx(
        full, rel=1e-3
    )


@pytest.mark.parametrize("integrator", ["filter", "jacobi", "implicit", "explicit", "xpbd"])
@pytest.mark.parametrize("gas", ["pumped", "sealed"])
def test_every_integrator_fills_a_pillow_alike(integrator, gas):
    volume = 0.19 * 0.4**3 if gas == "sealed" else None
    simulation = weightless(
        cushion(supple.Pressure(overpressure=100.0, gas=gas, volume=volume)),
        drag=3.0, integrator=integrator, substeps=60 if integrator == "xpbd" else 10,
    )  # fmt: skip
    *_, report = simulation.run(1.5)
    assert report.is_finite
    assert simulation.volume("cushion") / 0.4**3 == pytest.approx(
        0.19 if gas == "sealed" else 0.199, rel=0.03
    )


def test_a_mesh_that_is_inside_out_is_blown_up_all_the_same():
    shape = trimesh.creation.icosphere(subdivisions=1, radius=0.1)
    cloth = supple.Cloth.from_mesh(shape.vertices, shape.faces[:, ::-1], name="ball", pressure=50.0)
    simulation = weightless(cloth)
    before = abs(simulation.volume("ball"))
    for _ in simulation.run(1.0):
        pass
    assert abs(simulation.volume("ball")) > before


@pytest.mark.parametrize("integrator", ["filter", "jacobi", "implicit", "explicit", "xpbd"])
def test_no_pressure_is_too_high(integrator):
    flooded = supple.Pressure(overpressure=1.0e6, gas="sealed", volume=0.02, seconds=0.0)
    for pressure in (flooded, 1.0e6):
        simulation = weightless(cushion(pressure, columns=7, rows=7), integrator=integrator)
        if pressure is flooded:
            reports = list(simulation.run(0.3))
        else:
            with pytest.warns(RuntimeWarning, match="is held at .* Take more substeps"):
                reports = list(simulation.run(0.3))
        assert all(report.is_finite for report in reports)
        assert np.abs(simulation.positions("cushion")).max() < 3.0


def test_a_cut_lets_the_gas_out_and_undo_brings_it_back():
    simulation = weightless(cushion(supple.Pressure(overpressure=50.0, seconds=0.0)))
    for _ in simulation.run(0.5):
        pass
    assert simulation.pressure("cushion") == 50.0
    middle = simulation.positions("cushion")[:81].mean(axis=0)
    slit = [middle + np.array([x, 0.0, 0.0]) for x in (-0.06, 0.0, 0.06)]
    with pytest.warns(RuntimeWarning, match="'cushion' is no longer closed: its gas has leaked out"):
        simulation.cut("cushion", path=slit)
    assert simulation.pressure("cushion") == 0.0
    with pytest.raises(supple.SuppleError, match="not closed"):
        simulation.volume("cushion")
    for _ in simulation.run(0.1):
        pass
    simulation.undo()
    next(simulation.run(0.02))
    assert simulation.pressure("cushion") == 50.0


def test_the_pressure_can_be_set_while_it_runs_and_is_saved(tmp_path):
    simulation = weightless(cushion(supple.Pressure(overpressure=50.0, seconds=0.2)))
    for _ in simulation.run(0.1):
        pass
    simulation.set("cushion", pressure=120.0)
    next(simulation.run(0.02))
    simulation.save(tmp_path / "state.npz")
    twin = supple.Simulation.load(tmp_path / "state.npz")
    for one, other in zip(simulation.run(0.4), twin.run(0.4), strict=True):
        assert one.potential_energy == other.potential_energy
    assert twin.pressure("cushion") == 120.0
    np.testing.assert_array_equal(simulation.positions("cushion"), twin.positions("cushion"))


def test_cloth_without_gas_refuses_a_pressure():
    simulation = weightless(supple.Cloth.rectangle(width=1.0, height=1.0, columns=3, rows=3, name="sheet"))
    with pytest.raises(supple.SuppleError, match="it was declared without"):
        simulation.set("sheet", pressure=10.0)
    assert simulation.pressure("sheet") == 0.0
    assert isinstance(simulation.engine.gas, Gas)
