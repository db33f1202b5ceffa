"""Cuts through soft bodies of several levels of detail: every level comes apart, and nothing else changes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import supple
from supple.adapt.level_switch import momenta, switch
from supple.model.couplings.connected_components import label_components
from supple.model.levels.nesting import nearest_of_side, nest_meshes
from supple.scene.bodies.refinement import Refine
from supple.scene.soft_shapes.closed_surface import open_edge
from supple.scene.soft_shapes.tetra_quality import volumes_of
from tests.physics.levelled import levelled_ball, levelled_block, split_around

PLANE = ((0.0, 0.0, 0.0), (1.0, 0.2, 0.1))


def swaying(body, gravity=(0.0, 0.0, 0.0), **settings):
    """Return a simulation of a body that turns and sways, refined around one place."""
    simulation = supple.Simulation(supple.Scene(body, gravity=gravity), **settings)
    particles, levels = simulation.engine.world.particles, simulation.engine.world.levels["b"]
    switch(levels, split_around(levels, (0.0, 0.08, 0.0)))
    for places, velocities in (
        (particles.positions, particles.velocities),
        (levels.positions, levels.velocities),
    ):
        velocities[:] = np.cross([1.0, 2.0, 0.5], places) + 0.05 * np.sin(30.0 * places[:, [1, 2, 0]])
    simulation.engine.level_of_detail.begin_frame = lambda frame: None  # keep these levels
    simulation.step()
    return simulation


def totals(simulation):
    """Return the mass, then momentum and angular momentum of the active nodes of all levels."""
    simulation.engine.level_of_detail.begin_edit()
    sums = momenta(*simulation.engine.world.levels.values())
    return np.r_[sums[0], sums[1:4], sums[7:10]]


@pytest.mark.parametrize("body", [levelled_ball(), levelled_block()], ids=["ball", "block"])
def test_a_plane_parts_all_levels_and_keeps_mass_and_momentum(body):
    simulation = swaying(body)
    counts = simulation.engine.world.levels["b"].level_counts()
    assert min(counts) > 0, "all levels are in use"
    before, energy = totals(simulation), simulation.engine.level_of_detail.energy()
    masses = simulation.engine.world.particles.masses.sum()
    simulation.cut("b", plane=PLANE)
    assert simulation.body_names == simulation.levelled_bodies == ("b", "b-piece-1")
    assert simulation.engine.world.particles.masses.sum() == pytest.approx(masses, rel=1e-12)
    after = totals(simulation)
    assert after[0] == pytest.approx(before[0], rel=1e-12)
    np.testing.assert_allclose(after[1:4], before[1:4], atol=1e-12)
    np.testing.assert_allclose(after[4:], before[4:], atol=1e-10)
    assert simulation.engine.level_of_detail.energy() == pytest.approx(energy, rel=0.1)
    for name, levels in simulation.engine.world.levels.items():
        assert levels.masses.sum() == pytest.approx(levels.total_mass, rel=1e-12)
        assert (volumes_of(levels.rest, levels.elements.corners) > 0.0).all()
        assert open_edge(simulation.triangles(name)) is None
        np.testing.assert_allclose(levels.parent_weights[levels.node_firsts[1] :].sum(axis=1), 1.0)
        np.testing.assert_array_equal(levels.positions[levels.finest_nodes], simulation.positions(name))
    middles = [
        [(levels.rest[slice(*pair)] @ PLANE[1]).mean() for pair in itertools.pairwise(levels.node_firsts)]
        for levels in simulation.engine.world.levels.values()
    ]
    assert (np.array(middles[0]) * np.array(middles[1]) < 0.0).all(), (
        "on every level each piece has its own side"
    )


@pytest.mark.parametrize("floor", [0, 2], ids=["coarse", "fine"])
def test_what_is_not_held_falls_at_every_level(floor):
    refine = Refine(floor=floor, above=1.0, below=0.5)
    body = levelled_block(cell=0.05, levels=3, refine=refine, damping=1.0, pins=(supple.Pin(where="left"),))
    simulation = supple.Simulation(supple.Scene(body, gravity=(0.0, -10.0, 0.0)))
    simulation.step()
    simulation.cut("b", plane=((0.01, 0.0, 0.0), (1.0, 0.0, 0.0)))
    for levels in simulation.engine.world.levels.values():
        assert sum(levels.level_counts()[:floor]) == 0
        assert floor == 2 or sum(levels.level_counts()[1:]) == 0
    start = {name: simulation.positions(name)[:, 1].mean() for name in simulation.body_names}
    falling = simulation.velocities("b-piece-1")[:, 1].mean()
    for _ in range(10):
        report = simulation.step()
    seconds = 10 * simulation.frame_seconds
    fallen = {name: start[name] - simulation.positions(name)[:, 1].mean() for name in start}
    held = min(fallen, key=fallen.get)
    free = max(fallen, key=fallen.get)
    assert report.is_finite
    assert fallen[free] == pytest.approx(5.0 * seconds**2 - falling * seconds, rel=0.1)
    assert abs(fallen[held]) < 0.3 * fallen[free]


def test_a_slit_parts_nothing_and_its_lips_hang_on_their_own_sides():
    simulation = supple.Simulation(supple.Scene(levelled_block(), gravity=(0.0, 0.0, 0.0)))
    count = simulation.engine.world.particles.count
    simulation.cut("b", path=((0.0, 0.05, -0.2), (0.0, 0.05, 0.0)))
    assert simulation.body_names == ("b",)
    assert simulation.engine.world.particles.count > count
    levels = simulation.engine.world.levels["b"]
    assert sorted(set(levels.sides.tolist())) == [0, 1]
    corners = levels.elements.corners.astype(np.int64)
    for level in range(levels.count):
        nodes = slice(int(levels.node_firsts[level]), int(levels.node_firsts[level + 1]))
        own = corners[levels.element_firsts[level] : levels.element_firsts[level + 1]] - nodes.start
        component_labels = label_components(
            own[:, [[0, 1], [1, 2], [2, 3]]].reshape(-1, 2), nodes.stop - nodes.start
        )
        assert len(np.unique(component_labels)) == 1, "it hangs together at every level"
    around = np.zeros((len(levels.rest), 2), np.bool_)
    for corner in range(4):
        around[corners[:, corner], levels.sides] = True
    is_one_sided = around.sum(axis=1) == 1
    finer = np.arange(int(levels.node_firsts[1]), len(levels.rest))
    finer = finer[is_one_sided[finer]]
    side = around.argmax(axis=1)
    above = around[levels.parents[finer], side[finer][:, None]]
    assert above.all(), "elements that hold a node are on its side"
    assert all(report.is_finite for report in simulation.run(0.1))


def test_undo_joins_all_levels_and_redo_parts_them():
    simulation = swaying(levelled_block(damping=1.0))
    whole = simulation.engine.world.levels["b"]
    count, before = simulation.engine.world.particles.count, totals(simulation)
    places = simulation.positions("b").copy()
    simulation.cut("b", plane=PLANE)
    pieces = tuple(simulation.engine.world.levels.values())
    assert simulation.undo() == "cut b"
    assert simulation.body_names == ("b",) and simulation.engine.world.particles.count == count
    assert simulation.engine.world.levels["b"] is whole
    np.testing.assert_allclose(totals(simulation), before, atol=1e-10)
    np.testing.assert_allclose(simulation.positions("b"), places, atol=2e-4)
    assert all(report.is_finite for report in simulation.run(0.1))
    before = totals(simulation)
    simulation.redo()
    assert tuple(map(id, simulation.engine.world.levels.values())) == tuple(map(id, pieces))
    np.testing.assert_allclose(totals(simulation), before, atol=1e-10)
    assert all(report.is_finite for report in simulation.run(0.1))


@pytest.mark.parametrize("is_held", [False, True])
def test_pieces_far_apart_are_laid_together_by_undo_and_stay_calm(is_held):
    body = levelled_block(cell=0.05, damping=1.0, pins=(supple.Pin(where="left"),) if is_held else ())
    simulation = supple.Simulation(supple.Scene(body, gravity=(0.0, -10.0, 0.0)))
    simulation.cut("b", plane=((0.01, 0.0, 0.0), (1.0, 0.0, 0.0)))
    piece = simulation.engine.world.bodies["b-piece-1"].particles
    simulation.engine.world.particles.positions[piece] += (0.3, 0.0, 0.0)
    simulation.engine.world.particles.velocities[piece] = (0.5, 0.0, 0.0)
    simulation.engine.world.levels["b-piece-1"].positions += (0.3, 0.0, 0.0)
    simulation.engine.world.levels["b-piece-1"].velocities[:] = (0.5, 0.0, 0.0)
    before = totals(simulation)
    simulation.undo()
    if not is_held:
        np.testing.assert_allclose(totals(simulation)[:4], before[:4], atol=1e-12)
    assert simulation.engine.level_of_detail.energy() < 0.01
    assert np.ptp(simulation.positions("b"), axis=0) == pytest.approx([0.2, 0.1, 0.2], abs=0.01)
    for report in simulation.run(0.5):
        assert report.is_finite
    most = (
        4.0 if is_held else 0.01
    )  # what it hangs on takes no more than its weight over its height, m g · 0.1 m
    assert simulation.engine.level_of_detail.energy() < most


def test_pieces_are_saved_and_go_on_bit_for_bit(tmp_path):
    body = levelled_block(cell=0.05, damping=1.0, pins=(supple.Pin(where="left"),))
    simulation = supple.Simulation(supple.Scene(body, gravity=(0.0, -10.0, 0.0)))
    simulation.step()
    simulation.cut("b", plane=PLANE)
    simulation.step()
    simulation.save(tmp_path / "cut.state")
    loaded = supple.Simulation.load(tmp_path / "cut.state")
    assert loaded.body_names == simulation.body_names
    for action in ("step", "step", "undo", "step", "redo", "step"):
        for one in (simulation, loaded):
            getattr(one, action)()
        np.testing.assert_array_equal(
            loaded.engine.world.particles.positions, simulation.engine.world.particles.positions
        )
        for name, levels in simulation.engine.world.levels.items():
            np.testing.assert_array_equal(loaded.engine.world.levels[name].positions, levels.positions)


def test_a_budget_goes_on_with_the_pieces():
    body = levelled_block(damping=1.0, refine=Refine(above=1e-5, below=5e-6))
    simulation = supple.Simulation(supple.Scene(body, gravity=(0.0, -10.0, 0.0)), budget_updates=3000)
    simulation.cut("b", plane=PLANE)
    for report in simulation.run(0.4):
        assert report.is_finite
        assert (
            simulation.engine.level_of_detail.updates() <= 1.05 * 3000
            or sum(levels.is_split.any() for levels in simulation.engine.world.levels.values()) == 0
        )


def test_cuts_that_cannot_be_made_say_so_and_change_nothing():
    simulation = supple.Simulation(supple.Scene(levelled_block(cell=0.05)))
    before = simulation.engine.world.levels["b"]
    with pytest.raises(supple.SuppleError, match="does not pass through 'b'"):
        simulation.cut("b", plane=((5.0, 0.0, 0.0), (1.0, 0.0, 0.0)))
    with pytest.raises(supple.SuppleError, match="need flat cuts"):
        simulation.cut("b", path=((-0.1, 0.05, 0.0), (0.0, 0.05, 0.0), (0.1, 0.05, 0.1)))
    assert simulation.engine.world.levels["b"] is before and not simulation.undoable


def test_a_piece_too_small_for_the_coarse_mesh_takes_the_finer_one_there():
    simulation = supple.Simulation(supple.Scene(levelled_ball(), gravity=(0.0, 0.0, 0.0)))
    simulation.cut("b", plane=((0.0, 0.09, 0.0), (0.0, 1.0, 0.0)))
    levels = simulation.engine.world.levels["b-piece-1"]
    volumes = [
        levels.elements.volumes[slice(*pair)].sum() for pair in itertools.pairwise(levels.element_firsts)
    ]
    assert levels.count == 3 and min(volumes) > 0.5 * volumes[-1]
    assert all(report.is_finite for report in simulation.run(0.1))


def test_nodes_hang_on_elements_of_their_own_side():
    square = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    places = np.concatenate([square, -square])
    corners = np.arange(8).reshape(2, 4)
    fine = np.concatenate([0.3 * square + 0.01, -0.3 * square - 0.01])
    found = nest_meshes([places, fine], [corners, corners], [np.array([1, 0]), np.array([0, 1])])
    np.testing.assert_array_equal(found.parents[8:12], [[4, 5, 6, 7]] * 4)
    np.testing.assert_array_equal(found.parents[12:], [[0, 1, 2, 3]] * 4)
    assert (found.parent_weights[8:].min(axis=1) < 0.0).all(), "they look beyond a face, but not across"
    np.testing.assert_array_equal(nearest_of_side(fine[:1], np.array([0]), places, np.repeat([1, 0], 4)), [4])
    np.testing.assert_array_equal(nearest_of_side(fine[:1], np.array([7]), places, np.repeat([1, 0], 4)), [0])
