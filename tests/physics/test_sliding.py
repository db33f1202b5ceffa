"""Cloth on rails and table edges against converged motion and theory, with `descent`.

Converged times are those of `explicit` at its default settings, which takes some hundred substeps a frame.
"""

import math

import numpy as np
import pytest

import supple
from tests.physics.sliding import level_strip, scarf_over_a_rail, slide_time, table

CAPSTAN = 0.7417
"""Leg that half a turn with a friction of 0.3 holds against one of 0.25 m on a rail of 5 cm, with the arc's weight [m]."""


@pytest.mark.parametrize("cell", [0.02, 0.01])
@pytest.mark.parametrize(("leg", "converged"), [(0.3, 0.510), (0.5, 0.305), (0.75, 0.253)])
def test_a_scarf_slides_over_a_smooth_rail_as_fast_as_in_converged_motion(cell, leg, converged):
    assert slide_time("descent", cell=cell, leg=leg, friction=0.0) == pytest.approx(converged, rel=0.1)


def test_edges_of_coarse_cloth_slide_over_a_thin_rail():
    # Cells of 2 cm on a rail of 2 cm: edges and faces carry, not points.
    assert slide_time("descent", cell=0.02, leg=0.5, friction=0.0, radius=0.02) == pytest.approx(
        0.274, rel=0.1
    )


@pytest.mark.parametrize("material", ["silk", "cotton", "denim"])
def test_friction_holds_a_scarf_up_to_the_limit_of_the_capstan(material):
    rail = {"cell": 0.01, "friction": 0.3, "material": material}
    assert slide_time("descent", leg=0.85 * CAPSTAN, **rail) == math.inf
    assert slide_time("descent", leg=1.15 * CAPSTAN, **rail) < 1.0


def test_contact_with_a_rail_carries_the_weight_of_a_scarf_at_rest():
    simulation, _ = scarf_over_a_rail("descent", cell=0.02, leg=0.25, friction=0.3)
    forces = []
    for report in simulation.run(2.0):
        if report.time > 1.5:
            forces.append(simulation.obstacle_force("cylinder"))
    weight = 9.81 * simulation.masses("cloth").sum()
    np.testing.assert_allclose(np.mean(forces, axis=0), (0.0, -weight, 0.0), atol=0.02 * weight)


def test_denim_with_most_of_it_over_a_table_edge_falls():
    simulation, _ = level_strip(
        "descent", table(0.0), length=0.5, width=0.1, cell=0.02, begin=-0.15, height=1e-3, material="denim"
    )
    for _ in simulation.run(0.5):
        pass
    assert -simulation.positions("cloth")[:, 1].mean() == pytest.approx(0.92, rel=0.05)  # converged: 0.920 m


def test_a_strip_lifts_behind_the_edge_it_hangs_over():
    simulation, columns = level_strip(
        "descent", table(0.6), length=0.5, width=0.05, cell=0.01, begin=-0.38, height=1e-3, material="denim", drag=1.0
    )  # fmt: skip
    for _ in simulation.run(2.0):
        pass
    middle = simulation.positions("cloth").reshape(-1, columns, 3)[:, columns // 2]
    lift = middle[middle[:, 0] < -0.003, 1].max() - 1e-3
    assert 2e-3 < lift < 6e-3  # an elastic strip must lift; converged: 3.5 to 4.3 mm


@pytest.mark.parametrize("radius", [0.01, 0.02, 0.075])
def test_a_towel_dropped_on_a_rail_hangs_there(radius):
    rail = supple.Cylinder(start=(0, 0, -0.4), end=(0, 0, 0.4), radius=radius, friction=0.3)
    simulation, _ = level_strip(
        "descent", rail, length=0.6, width=0.4, cell=0.02, begin=-0.3, height=radius + 0.01, material="cotton"
    )
    masses = simulation.masses("cloth")
    for report in simulation.run(1.5):
        heights = simulation.positions("cloth")[:, 1]
        elastic = report.potential_energy - 9.81 * masses @ heights
        assert elastic < 0.3 * masses.sum() * 9.81 * 0.1
        assert report.max_stretch < 1.03
    assert heights.max() < 1.5 * radius + 0.02
    assert heights.min() < -0.1


def test_upright_silk_falls_over():
    cloth = supple.Cloth.rectangle(width=0.2, height=0.2, columns=21, rows=21, material="silk")
    simulation = supple.Simulation(supple.Scene(cloth, supple.Plane(friction=0.5)), integrator="descent")
    heights, tilt = np.linspace(0.2, 0.0, 21), math.radians(1.0)
    x, y, z = math.sin(tilt) * heights, 1e-3 + math.cos(tilt) * heights, np.linspace(-0.1, 0.1, 21)
    places = np.stack(np.broadcast_arrays(x[:, None], y[:, None], z), axis=2)
    simulation.engine.world.particles.positions[:] = places.reshape(-1, 3)
    for report in simulation.run(0.5):
        if simulation.positions("cloth")[:, 1].max() < 0.1:
            break
    assert report.time == pytest.approx(0.22, abs=0.03)  # converged: 0.22 s


@pytest.mark.parametrize("solid", ["sphere", "box"])
def test_draped_cotton_comes_to_rest(solid):
    obstacle = {
        "sphere": supple.Sphere(radius=0.15, at=(0.0, -0.15, 0.0), friction=0.3),
        "box": supple.Box(size=(0.3, 0.3, 0.3), at=(0.0, -0.15, 0.0), friction=0.3),
    }[solid]
    simulation, _ = level_strip(
        "descent", obstacle, length=0.6, width=0.6, cell=0.025, begin=-0.3, height=0.01, material="cotton", drag=6.0
    )  # fmt: skip
    for _ in simulation.run(4.0):
        pass
    assert np.linalg.norm(simulation.velocities("cloth"), axis=1).max() < 5e-3
    assert simulation.depth() < 1e-4
