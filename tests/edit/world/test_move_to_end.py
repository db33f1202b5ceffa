"""A body that others follow goes to the end of the tables once it is edited, and all that is known of it follows."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.edit.history.history import SnapshotDelta
from supple.edit.world.move_to_end import MoveUndo
from tests.edit.judge import (
    assert_kept,
    assert_proper,
    assert_undone,
    factor_error,
    moving,
    sheet,
    topology,
    totals,
)
from tests.model.couplings.test_update_couplings import assert_same_as_fresh

SLIT = [(-0.3, 0.13, 0.0), (0.2, 0.05, 0.0)]
ACROSS = [(-0.6, 0.03, 0.0), (0.6, -0.1, 0.0)]


CUBE = np.array([(x, y, z) for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
FACES = [
    (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
    (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
]  # fmt: skip


def three_cloths() -> supple.Simulation:
    """Return cloths of which the last two are sewn together, and the first one is to be cut."""
    simulation = moving(
        sheet(12, name="first"),
        sheet(6, name="second", at=(2.0, 0.0, 0.0)).pinned("top"),
        sheet(5, name="third", at=(4.0, 0.0, 0.0)),
    )
    simulation.seam(("second", [5, 11, 17]), ("third", [0, 5, 10]), seconds=5.0)
    simulation.shrink("third", range(5, 20), 0.9, 5.0)
    simulation.step()
    return simulation


def has_moved(simulation: supple.Simulation) -> bool:
    snapshot = simulation.engine.editor.history.done[-1].snapshot
    assert isinstance(snapshot, SnapshotDelta)
    return any(isinstance(undo, MoveUndo) for undo in snapshot.undo_data)


@pytest.mark.parametrize("path", [SLIT, ACROSS])
def test_an_edit_of_a_body_that_others_follow_leaves_all_as_found_anew(path):
    simulation = three_cloths()
    before = {name: simulation.positions(name).copy() for name in ("second", "third")}
    pinned = simulation.engine.world.particles.positions[simulation.engine.world.particles.is_fixed].copy()
    ends = simulation.engine.world.particles.rest_positions[simulation.engine.editor.seams[0].pairs].copy()
    simulation.cut("first", path=path)
    assert has_moved(simulation)
    assert list(simulation.engine.world.bodies)[:3] == ["second", "third", "first"]
    assert simulation.body_names[:3] == ("first", "second", "third")
    world = simulation.engine.world
    for name, places in before.items():
        np.testing.assert_array_equal(simulation.positions(name), places)
    np.testing.assert_array_equal(world.particles.positions[world.particles.is_fixed], pinned)
    pairs = simulation.engine.editor.seams[0].pairs
    np.testing.assert_array_equal(world.particles.rest_positions[pairs], ends)
    assert_proper(simulation)
    assert_same_as_fresh(simulation)
    assert factor_error(simulation) < 1e-10
    simulation.step()
    simulation.cut("first", path=[(-0.3, 0.33, 0.0), (0.2, 0.35, 0.0)])
    assert has_moved(simulation) == (path is ACROSS)  # a piece has come off behind it since
    assert_proper(simulation)
    assert factor_error(simulation) < 1e-10


@pytest.mark.parametrize(
    "deeds", [("slit",), ("across",), ("shrink", "slit"), ("seam",), ("across", "seam"), ("slit", "across")]
)
def test_edits_in_place_move_on_like_those_that_build_the_tables_anew(deeds, monkeypatch):
    def transfer_motion() -> supple.Simulation:
        rope = supple.Chain(length=1.0, points=8, name="rope").pinned(0)
        simulation = supple.Simulation(
            supple.Scene(sheet(14).pinned("top"), rope), substeps=4, integrator="filter"
        )
        for _ in range(2):
            simulation.step()
        for deed in deeds:
            if deed == "shrink":
                simulation.shrink("cloth", range(14, 56), 0.8, 0.5)
            elif deed == "seam":
                left, right = [14 * k for k in range(2, 5)], [14 * k + 13 for k in range(2, 6)]
                simulation.seam(("cloth", left), ("cloth", right), seconds=0.2)
            else:
                simulation.cut("cloth", path=SLIT if deed == "slit" else ACROSS)
        for _ in range(3):
            simulation.step()
        return simulation

    in_place = transfer_motion()
    monkeypatch.setattr("supple.edit.world.apply_edit.can_edit_in_place", lambda body, edited_body: False)
    anew = transfer_motion()
    assert anew.body_names == in_place.body_names
    for name in anew.body_names:
        np.testing.assert_allclose(in_place.positions(name), anew.positions(name), rtol=0.0, atol=1e-12)


def test_mass_and_momentum_are_kept():
    simulation = moving(sheet(12, name="first"), sheet(6, name="second", at=(2.0, 0.0, 0.0)))
    before = totals(simulation)
    simulation.cut("first", path=SLIT)
    assert has_moved(simulation)
    assert_kept(before, totals(simulation))


def test_undo_and_redo_restore_the_topology_and_a_saved_state_goes_on_bit_for_bit(tmp_path):
    simulation = three_cloths()
    sides = [topology(simulation)]
    for name, path in (("first", SLIT), ("second", [(1.7, 0.1, 0.0), (2.2, 0.12, 0.0)]), ("first", ACROSS)):
        simulation.cut(name, path=path)
        assert has_moved(simulation)
        sides.append(topology(simulation))
        simulation.step()
    simulation.save(tmp_path / "state.npz")
    again = supple.Simulation.load(tmp_path / "state.npz")
    for one in (simulation, again):
        one.step()
    np.testing.assert_array_equal(
        simulation.engine.world.particles.positions, again.engine.world.particles.positions
    )
    for one in (simulation, again):
        for side in reversed(sides[:-1]):
            assert_undone(one, side)
        for _ in range(3):
            one.redo()
            assert_proper(one)
        one.step()
    np.testing.assert_array_equal(
        simulation.engine.world.particles.positions, again.engine.world.particles.positions
    )


def test_a_soft_body_and_a_puppet_behind_the_cloth_stay_what_they_are(tmp_path):
    banner = sheet(9, name="banner").pinned("top")
    jelly = supple.SoftBody.box(
        size=(0.2, 0.2, 0.2), cell=0.1, material="jelly", name="jelly", at=(2.0, 1.0, 0.0)
    )
    cube = supple.Puppet(
        moments=[0, 1],
        samples=[CUBE, 1.1 * CUBE],
        triangles=FACES,
        at=(9.0, 0.0, 0.0),
        name="cube",
    )
    scene = supple.Scene(banner, jelly.pinned("top"), cube, supple.Wind(velocity=(0.0, 0.0, 0.3)))
    whole, cut = (supple.Simulation(scene, integrator="filter") for _ in range(2))
    for simulation in (whole, cut):
        simulation.step()
    cut.cut("banner", path=SLIT)
    assert has_moved(cut)
    for _ in range(10):
        whole.step()
        assert cut.step().is_finite
    for name in ("jelly", "cube"):
        np.testing.assert_allclose(cut.positions(name), whole.positions(name), rtol=0.0, atol=1e-9)
    cut.save(tmp_path / "state.npz")
    again = supple.Simulation.load(tmp_path / "state.npz")
    for _ in range(3):
        cut.step()
        again.step()
    np.testing.assert_array_equal(
        cut.engine.world.particles.positions, again.engine.world.particles.positions
    )
