"""Water: floating, sinking, drifting."""

import numpy as np
import pytest

import supple
from supple.forces.water import pack_waters


def floated(material, substeps=10, seconds=3.0, height=0.02, **water):
    sheet = supple.Cloth.rectangle(
        width=0.5, height=0.5, columns=6, rows=6, plane="xz", at=(0.0, height, 0.0), material=material
    )
    scene = supple.Scene(sheet, supple.Water(level=0.0, **water))
    simulation = supple.Simulation(scene, substeps=substeps)
    for report in simulation.run(seconds):
        assert report.is_finite
    return simulation


@pytest.mark.parametrize("substeps", [1, 10])
@pytest.mark.parametrize("material", ["silk", "cotton", "wool", "rubber"])
def test_light_cloth_floats_at_the_level_that_buoyancy_predicts(material, substeps):
    simulation = floated(material, substeps, seconds=20.0 if material == "rubber" else 5.0, height=0.001)
    fabric = simulation.scene.material_of(simulation.scene.bodies[0])
    expected = 0.5 * fabric.thickness - fabric.area_density / 1000.0  # of its middle
    heights = simulation.positions("cloth")[:, 1]
    np.testing.assert_allclose(heights, expected, atol=0.1 * fabric.thickness)
    assert heights.mean() == pytest.approx(expected, abs=0.02 * fabric.thickness)
    weight = fabric.area_density * 0.25 * 9.81
    assert simulation.air_force("cloth")[1] == pytest.approx(weight, rel=0.02)


def test_heavy_cloth_sinks_and_the_same_cloth_floats_on_brine():
    heavy = supple.Material.like("rubber", area_density=0.525)  # 1050 kg/m³
    assert floated(heavy).positions("cloth")[:, 1].max() < -0.05
    assert np.abs(floated(heavy, density=1200.0).positions("cloth")[:, 1]).max() < 1e-3


def test_a_sinking_sheet_starts_as_its_mass_and_the_water_it_moves_say():
    mail = supple.Material.like(
        "chain mail", bending_stiffness=10.0, stretch_stiffness=1e4, shear_stiffness=1e4
    )
    sheet = supple.Cloth.from_mesh(
        *_square(points=9), material=mail, rotation_deg=(-90, 0, 0), at=(0.0, -3.0, 0.0)
    )
    simulation = supple.Simulation(supple.Scene(sheet, supple.Water(added_layer=0.02)), frame_rate=1000.0)
    simulation.step()
    fall = -simulation.velocities("cloth")[:, 1].mean() / 1e-3
    assert fall == pytest.approx(9.81 * (5.0 - 0.64) / (5.0 + 20.0), rel=0.02)


def test_a_sinking_sheet_ends_at_its_terminal_speed():
    plate = supple.Material.like("rubber", area_density=1.0, bending_stiffness=10.0)
    sheet = supple.Cloth.rectangle(
        width=0.5, height=0.5, columns=6, rows=6, plane="xz", at=(0.0, -1.0, 0.0), material=plate
    )
    simulation = supple.Simulation(supple.Scene(sheet, supple.Water()))
    for _ in simulation.run(0.6):
        pass
    expected = np.sqrt(2.0 * (1.0 - 0.5) * 9.81 / (1000.0 * 1.2))
    assert -simulation.velocities("cloth")[:, 1].mean() == pytest.approx(expected, rel=0.05)


def test_a_scarf_in_the_river_reaches_nine_tenths_of_its_speed_and_no_more():
    scarf = supple.Cloth.rectangle(
        width=1.2, height=0.3, columns=25, rows=7, plane="xz", at=(0.0, 0.1, 0.0), material="silk"
    )
    simulation = supple.Simulation(supple.Scene(scarf, supple.Water(current=(0.8, 0.0, 0.0))))
    for _ in simulation.run(2.0):
        pass
    drift = simulation.velocities("cloth").mean(axis=0)
    assert 0.9 * 0.8 < drift[0] < 1.01 * 0.8
    assert abs(drift[2]) < 0.01


def test_water_in_a_box_ends_where_the_box_ends():
    pool = supple.Water(box=((-1.0, -1.0, -1.0), (1.0, 0.0, 1.0)))
    sheets = [
        supple.Cloth.rectangle(
            width=0.3, height=0.3, columns=4, rows=4, plane="xz", at=(x, 0.01, 0.0), name=name
        )
        for name, x in (("inside", 0.0), ("outside", 3.0))
    ]
    simulation = supple.Simulation(supple.Scene(*sheets, pool))
    for _ in simulation.run(1.0):
        pass
    assert np.abs(simulation.positions("inside")[:, 1]).max() < 1e-3
    assert simulation.positions("outside")[:, 1].max() < -4.5


def test_chains_and_lattices_float_or_sink_by_their_density():
    light = supple.Chain(
        length=0.5, points=6, linear_density=0.05, name="light", rotation_deg=(0.0, 0.0, 80.0)
    )  # 640 kg/m³
    heavy = supple.Chain(length=0.5, points=6, linear_density=0.2, name="heavy", at=(1.0, 0.0, 0.0))
    cork = supple.Lattice(
        size=(0.2, 0.2, 0.2), cells=(2, 2, 2), density=250.0, name="cork", at=(2.0, 0.3, 0.0)
    )
    simulation = supple.Simulation(supple.Scene(light, heavy, cork, supple.Water()))
    for report in simulation.run(4.0):
        assert report.is_finite
    assert simulation.positions("light")[:, 1].min() > -0.05
    assert simulation.positions("heavy")[:, 1].max() < -0.5
    assert simulation.positions("cork")[:, 1].mean() == pytest.approx(0.05, abs=0.04)  # a quarter under water


@pytest.mark.parametrize("speed", [1.0, 30.0, 1000.0])
def test_a_hand_may_pull_cloth_through_water_at_any_speed(speed):
    simulation = floated("silk", seconds=0.5)
    for n in range(1, 11):
        simulation.grab("cloth", 0, (0.0, -0.2, 0.02 * speed * n))
        report = simulation.step()
        assert report.is_finite and report.status == "ok"


def test_a_level_has_no_sides_and_no_bottom():
    packed = pack_waters((supple.Water(level=0.5, current=(1.0, 0.0, 0.0)),))
    assert packed.high_corners[0, 1] == 0.5
    assert (packed.low_corners[0] < -1e6).all() and (packed.high_corners[0, [0, 2]] > 1e6).all()


def _square(points):
    side = np.linspace(-0.25, 0.25, points)
    x, y = np.meshgrid(side, side)
    vertices = np.stack([x.ravel(), y.ravel(), np.zeros(points**2)], axis=1)
    first = np.arange(points * (points - 1)).reshape(points - 1, points)[:, :-1].ravel()
    triangles = np.concatenate(
        [
            np.stack([first, first + 1, first + points + 1], axis=1),
            np.stack([first, first + points + 1, first + points], axis=1),
        ]
    )
    return vertices, triangles
