"""A piece that comes off is renumbered where it is: all that is known of couplings and the factor stays."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.edit.history.history import SnapshotDelta
from supple.edit.world.split_body import SplitUndo
from supple.model.couplings.connected_components import label_components
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

ACROSS = [(-0.6, 0.03, 0.0), (0.6, -0.1, 0.0)]


def sewn_and_shrinking() -> supple.Simulation:
    """Return two cloths, the second one pinned, with threads across where it will be cut and a band that shrinks."""
    other = sheet(5, name="other", at=(3.0, 0.0, 0.0))
    simulation = moving(other, sheet(12, name="cloth").pinned("top"))
    simulation.seam(("cloth", [0, 1, 2]), ("cloth", [132, 133, 134]), seconds=5.0)
    simulation.shrink("cloth", range(40, 80), 0.9, 5.0)
    simulation.step()
    return simulation


def parted(simulation: supple.Simulation) -> bool:
    snapshot = simulation.engine.editor.history.done[-1].snapshot
    return isinstance(snapshot, SnapshotDelta) and any(
        isinstance(undo, SplitUndo) for undo in snapshot.undo_data
    )


@pytest.mark.parametrize("make", [sewn_and_shrinking, lambda: moving(sheet(12, name="cloth"))])
def test_a_piece_that_comes_off_leaves_couplings_and_the_factor_as_found_anew(make):
    simulation = make()
    before = totals(simulation)
    simulation.cut("cloth", path=ACROSS)
    assert parted(simulation) and "cloth-piece-1" in simulation.body_names
    if not simulation.engine.world.particles.is_fixed.any():
        assert_kept(before, totals(simulation))
    assert_proper(simulation)
    assert_same_as_fresh(simulation)
    world = simulation.engine.world
    is_live = world.couplings.pairs[:, 1] > 0
    labels = label_components(world.couplings.pairs[is_live], world.particles.count)
    np.testing.assert_array_equal(world.couplings.component_labels, labels)
    assert factor_error(simulation) < 1e-10
    simulation.step()
    assert_same_as_fresh(simulation)


def test_pins_links_and_ancestors_follow_a_piece():
    simulation = sewn_and_shrinking()
    pinned = simulation.engine.world.particles.positions[simulation.engine.world.particles.is_fixed].copy()
    seam = simulation.engine.editor.seams[0]
    ends = simulation.engine.world.particles.rest_positions[seam.pairs].copy()
    declared = simulation.engine.world.particles.rest_positions[
        simulation.engine.world.bodies["cloth"].particles
    ].copy()
    simulation.cut("cloth", path=ACROSS)
    world = simulation.engine.world
    np.testing.assert_array_equal(world.particles.positions[world.particles.is_fixed], pinned)
    found = simulation.engine.editor.seams[0]
    np.testing.assert_array_equal(world.particles.rest_positions[found.pairs], ends)
    for name in ("cloth", "cloth-piece-1"):
        _, points, weights = simulation.origin(name)
        place = np.einsum("vc,vcx->vx", weights, declared[points])
        own = world.particles.rest_positions[world.bodies[name].particles]
        np.testing.assert_allclose(place, own, atol=1e-12)


def test_undo_and_redo_of_pieces_restore_the_topology_and_a_saved_state_goes_on_bit_for_bit(tmp_path):
    simulation = sewn_and_shrinking()
    sides = [topology(simulation)]
    for path in (ACROSS, [(-0.2, -0.6, 0.0), (-0.22, 0.6, 0.0)]):
        simulation.cut(simulation.body_names[-1], path=path)
        assert parted(simulation)
        sides.append(topology(simulation))
        simulation.step()
    simulation.save(tmp_path / "state.npz")
    again = supple.Simulation.load(tmp_path / "state.npz")
    for one in (simulation, again):
        one.step()
    for name in simulation.body_names:
        np.testing.assert_array_equal(simulation.positions(name), again.positions(name))
    for one in (simulation, again):
        for side in reversed(sides[:-1]):
            assert_undone(one, side)
        one.redo()
        assert "cloth-piece-1" in one.body_names
        assert_proper(one)
    np.testing.assert_array_equal(simulation.positions("cloth"), again.positions("cloth"))
