"""Bodies as air sees them after edits: corners weigh what they carry, and patches are those of the declared cloth."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.forces import air_elements
from supple.forces.air_elements import WindPatches


def banner(side: int = 24) -> supple.Simulation:
    cloth = supple.Cloth.rectangle(width=1.0, height=1.0, columns=side, rows=side, name="banner")
    other = supple.Cloth.rectangle(width=0.3, height=0.3, columns=8, rows=8, name="other", at=(2.0, 0.0, 0.0))
    wind = supple.Wind(velocity=(0.3, 0.0, 1.0), gusts=0.4)
    return supple.Simulation(supple.Scene(cloth.pinned("top"), other, wind), substeps=2)


def cut_three_times(simulation: supple.Simulation) -> None:
    simulation.cut("banner", path=[(-0.3, 0.2, 0.0), (0.1, 0.3, 0.0)])
    simulation.step()
    simulation.cut("banner", path=[(-0.6, -0.03, 0.0), (0.6, -0.1, 0.0)])
    simulation.step()
    simulation.cut("banner-piece-1", plane=((0.1, 0.0, 0.0), (1.0, 0.1, 0.0)))


def triangles_of(simulation: supple.Simulation) -> dict[str, air_elements.AirTriangles]:
    found = simulation.engine.air.elements.triangles
    return dict(zip(simulation.engine.world.bodies, found, strict=True))


def test_every_vertex_of_cut_cloth_feels_the_wind_on_the_area_that_it_stands_for():
    simulation = banner()
    cut_three_times(simulation)
    world = simulation.engine.world
    assert len(world.bodies) == 4
    for name, triangles in triangles_of(simulation).items():
        body = world.bodies[name]
        np.testing.assert_array_equal(triangles.corners, body.triangles + body.particles.start)
        np.testing.assert_allclose(triangles.weights.sum(axis=1), 1.0, rtol=1e-14)
        felt = np.zeros(world.particles.count)
        np.add.at(felt, triangles.corners, triangles.weights * triangles.areas[:, None])
        tolerance = 1e-12 if body.ancestry is not None else 0.02  # declared cloth finds its weights by turns
        np.testing.assert_allclose(felt[body.particles], body.shares, rtol=tolerance)
    areas = sum(float(triangles.areas.sum()) for triangles in triangles_of(simulation).values())
    assert areas == pytest.approx(1.0 + 0.09, rel=1e-12)


def test_no_two_pieces_share_a_patch_and_the_wind_is_asked_in_the_middle_of_each():
    simulation = banner()
    cut_three_times(simulation)
    world, air = simulation.engine.world, simulation.engine.air.elements
    middles, rest = air.middles, world.particles.rest_positions
    seen: set[int] = set()
    assert len(middles) == air.patch_count
    for name, triangles in triangles_of(simulation).items():
        own, body = set(triangles.patches.tolist()), world.bodies[name]
        assert not own & seen
        seen |= own
        for patch in own:
            middle = middles[patch]
            assert body.particles.start <= middle < body.particles.stop
            corners = rest[triangles.corners[triangles.patches == patch]].reshape(-1, 3)
            away = np.linalg.norm(rest[middle] - corners, axis=1).max()
            assert away <= 1.5 * np.ptp(corners, axis=0).max() + 0.05
    assert seen <= set(range(air.patch_count))


def test_cloth_that_is_as_declared_keeps_its_patches_while_another_is_cut():
    simulation = banner()
    before = triangles_of(simulation)["other"]
    patches, weights = before.patches - before.patches[0], before.weights.copy()
    cut_three_times(simulation)
    after = triangles_of(simulation)["other"]
    np.testing.assert_array_equal(after.patches - after.patches[0], patches)
    np.testing.assert_array_equal(after.weights, weights)
    for _ in range(3):
        simulation.undo()
    assert all(body.ancestry is None for body in simulation.engine.world.bodies.values())
    whole = triangles_of(banner())
    for name, triangles in triangles_of(simulation).items():
        np.testing.assert_array_equal(triangles.patches, whole[name].patches)
        np.testing.assert_array_equal(triangles.weights, whole[name].weights)


def test_a_saved_state_divides_cut_cloth_the_same_and_goes_on_bit_for_bit(tmp_path):
    simulation = banner(12)
    cut_three_times(simulation)
    simulation.step()
    simulation.save(tmp_path / "state.npz")
    again = supple.Simulation.load(tmp_path / "state.npz")
    for a, b in zip(triangles_of(simulation).values(), triangles_of(again).values(), strict=True):
        for name in ("corners", "weights", "areas", "patches"):
            np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
    for _ in range(3):
        simulation.step()
        again.step()
    np.testing.assert_array_equal(
        simulation.engine.world.particles.positions, again.engine.world.particles.positions
    )


def test_wind_that_rises_after_a_cut_finds_the_patches_of_the_declared_cloth():
    cloth = supple.Cloth.rectangle(width=1.0, height=1.0, columns=24, rows=24, name="banner")
    other = supple.Cloth.rectangle(width=0.3, height=0.3, columns=8, rows=8, name="other", at=(2.0, 0.0, 0.0))
    calm = supple.Simulation(supple.Scene(cloth.pinned("top"), other, gravity=(0.0, 0.0, 0.0)), substeps=2)
    windy = supple.Simulation(calm.scene, substeps=2)
    for simulation in (calm, windy):
        if simulation is windy:
            simulation.set(wind=supple.Wind(velocity=(0.0, 0.0, 1.0)))
        simulation.cut("banner", path=[(-0.6, -0.03, 0.0), (0.6, -0.1, 0.0)])
    calm.set(wind=supple.Wind(velocity=(0.0, 0.0, 1.0)))
    for a, b in zip(triangles_of(calm).values(), triangles_of(windy).values(), strict=True):
        np.testing.assert_array_equal(a.patches, b.patches)
        np.testing.assert_array_equal(a.weights, b.weights)


def test_what_is_left_of_a_surface_inherits_its_patches():
    grid = supple.Cloth.rectangle(width=1.0, height=1.0, columns=9, rows=9)
    triangles, points = grid.surface_triangles(), np.asarray(grid.local_points())
    halved = WindPatches(triangles, points, 16)
    patches = np.zeros(len(triangles), np.uint32)
    births = np.repeat(np.arange(81)[:, None], 3, axis=1)
    middles = halved.inherited(triangles, births, points, patches)
    np.testing.assert_array_equal(halved.patch_of_vertex[middles], np.arange(len(halved.middles)))
    assert np.linalg.norm(points[middles] - points[halved.middles], axis=1).max() < 0.126  # an edge
    np.testing.assert_array_equal(patches, halved.patch_of_vertex[triangles[:, 0]])
    lower = np.flatnonzero((triangles >= 45).all(axis=1))
    kept = np.arange(45, 81)
    few = halved.inherited(triangles[lower] - 45, births[kept], points[kept], patches[: len(lower)])
    assert 0 < len(few) < len(middles)
    assert set(patches[: len(lower)].tolist()) <= set(range(len(few)))
