"""Undo and redo bring topology back exactly, and keep what moves moving."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple import SuppleError
from supple.edit.history.history import SnapshotDelta
from tests.edit.judge import assert_kept, assert_proper, factor_error, moving, sheet, totals
from tests.together import assert_go_on_alike

ACROSS = [(-0.6, 0.13, 0.0), (0.6, -0.21, 0.0)]


def topology(simulation):
    return {
        name: (
            simulation.triangles(name).copy(),
            simulation.edges(name).copy(),
            simulation.rest_lengths(name).copy(),
            simulation.masses(name).copy(),
        )
        for name in simulation.body_names
    }


def assert_same(first, second):
    assert list(first) == list(second)
    for name in first:
        for a, b in zip(first[name], second[name], strict=True):
            np.testing.assert_array_equal(a, b)


def test_undo_restores_the_cloth_and_redo_the_cut():
    simulation = moving(sheet())
    whole = topology(simulation)
    simulation.cut("cloth", path=ACROSS)
    parted = topology(simulation)
    for _ in range(5):
        simulation.step()
    before = totals(simulation)
    assert simulation.undo() == "cut cloth"
    assert_same(topology(simulation), whole)
    assert_kept(before, totals(simulation))
    assert factor_error(simulation) < 1e-10
    simulation.step()
    before = totals(simulation)
    assert simulation.redo() == "cut cloth"
    assert_same(topology(simulation), parted)
    assert_kept(before, totals(simulation))
    assert factor_error(simulation) < 1e-10
    assert_proper(simulation)


def test_an_edit_taken_back_at_once_leaves_every_point_where_it_was():
    simulation = moving(sheet())
    before = simulation.positions("cloth").copy(), simulation.velocities("cloth").copy()
    simulation.cut("cloth", path=ACROSS)
    simulation.undo()
    np.testing.assert_allclose(simulation.positions("cloth"), before[0], rtol=0.0, atol=1e-15)
    np.testing.assert_allclose(simulation.velocities("cloth"), before[1], rtol=0.0, atol=0.01)


def test_undo_takes_back_what_tore_since():
    simulation = moving(sheet(12), frames=1)
    simulation.engine.world.particles.positions[:] *= 1.1
    whole = topology(simulation)
    simulation.tear("cloth", 0.05)
    for _ in range(4):
        simulation.step()
    assert simulation.particle_count > 144
    simulation.undo()
    assert_same(topology(simulation), whole)
    simulation.step()
    assert simulation.particle_count == 144


def test_a_new_edit_ends_what_could_be_made_again():
    simulation = moving(sheet(10))
    simulation.cut("cloth", path=ACROSS)
    simulation.undo()
    simulation.cut("cloth", plane=((0.0, 0.0, 0.0), (1.0, 0.1, 0.0)))
    with pytest.raises(SuppleError, match="nothing to redo"):
        simulation.redo()


def test_parameters_that_were_set_outlast_an_undo():
    simulation = moving(sheet(10))
    simulation.cut("cloth", path=ACROSS)
    simulation.set("cloth", stretch_stiffness=321.0)
    simulation.undo()
    springs = simulation.engine.world.springs
    stretch = springs.kind == 0
    np.testing.assert_allclose(springs.stiffness[stretch], 321.0 * springs.shape[stretch])


def test_the_body_next_to_it_is_left_alone():
    other = supple.Cloth.rectangle(width=1.0, height=1.0, columns=6, rows=6, at=(0.0, 0.0, 2.0), name="other")
    simulation = moving(sheet(10), other)
    before = {
        name: getattr(simulation, name)("other").copy() for name in ("positions", "velocities", "edges")
    }
    simulation.cut("cloth", path=ACROSS)
    for name, array in before.items():
        np.testing.assert_array_equal(getattr(simulation, name)("other"), array)


def test_nothing_to_undo_is_said():
    simulation = supple.Simulation(supple.Scene(sheet(4)), integrator="filter")
    with pytest.raises(SuppleError, match="nothing to undo"):
        simulation.undo()
    with pytest.raises(SuppleError, match="nothing to redo"):
        simulation.redo()


def test_edits_in_place_are_undone_one_by_one_also_after_a_save(tmp_path):
    """Short cuts keep only what they overwrite; bands that shrink meanwhile, and seams that share memory, come back too."""
    simulation = moving(sheet(12))
    simulation.step()
    edits = (
        lambda s: s.cut("cloth", path=[(-0.3, 0.3, 0.0), (-0.1, 0.25, 0.0)]),
        lambda s: s.seam(("cloth", [0, 1, 2]), ("cloth", [9, 10, 11]), seconds=0.2),
        lambda s: s.cut("cloth", path=[(0.3, 0.3, 0.0), (0.1, 0.35, 0.0)]),
        lambda s: s.shrink("cloth", range(40), 0.8, 0.5),
        lambda s: s.cut("cloth", path=[(-0.3, -0.3, 0.0), (-0.1, -0.25, 0.0)]),
        lambda s: s.cut("cloth", path=[(-0.2, -0.3, 0.0), (-0.2, -0.1, 0.0)]),
        lambda s: s.unseam(0),
        lambda s: s.cut("cloth", path=[(0.3, -0.3, 0.0), (0.1, -0.35, 0.0)]),
    )
    sides = []
    for edit in edits:
        simulation.step()
        sides.append(topology(simulation))
        edit(simulation)
        assert_proper(simulation)
    deltas = [isinstance(step.snapshot, SnapshotDelta) for step in simulation.engine.editor.history.done]
    assert deltas == [True, True, True, False, True, True, True, True]
    simulation.step()
    sides.append(topology(simulation))
    simulation.save(tmp_path / "state.npz")
    for one in (simulation, supple.Simulation.load(tmp_path / "state.npz")):
        for side in reversed(sides[:-1]):
            one.undo()
            assert_same(topology(one), side)
            assert_proper(one)
            assert factor_error(one) < 1e-10
            one.step()
        one.redo()
        one.redo()
        assert_proper(one)
        assert factor_error(one) < 1e-10
    np.testing.assert_array_equal(
        simulation.positions("cloth"), one.positions("cloth")
    )  # undoing deltas and undoing the snapshots in a file is the same to the bit


def test_what_was_set_outlasts_two_undos_and_a_redo_and_the_solver_knows(tmp_path):
    cloth = supple.Cloth.rectangle(width=0.4, height=0.4, columns=6, rows=6).pinned("top-left", "top-right")
    net = supple.Chain(length=0.5, points=6, at=(1.0, 0.5, 0.0), stretch_stiffness=1.0e3)
    simulation = supple.Simulation(supple.Scene(cloth, net), integrator="filter")
    simulation.cut("cloth", plane=((0.0, 0.0, 0.0), (1.0, 0.1, 0.0)))
    simulation.step()
    simulation.tear("cloth", 5.0)
    simulation.step()
    simulation.set("chain", stretch_stiffness=50.0)
    simulation.undo()
    simulation.undo()
    for _ in range(2):
        simulation.step()
        springs = simulation.engine.world.bodies["chain"].springs
        np.testing.assert_allclose(simulation.engine.world.springs.stiffness[springs], 50.0 / 0.1)
        simulation.save(tmp_path / "undone.npz")
        loaded = supple.Simulation.load(tmp_path / "undone.npz")
        assert_go_on_alike(simulation, loaded, 3)
        if simulation.redoable:
            simulation.redo()
