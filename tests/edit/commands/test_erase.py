"""Triangles are rubbed out, and come back with an undo to where the cloth has gone."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple import SuppleError
from tests.edit.history.test_history import assert_same, topology
from tests.edit.judge import assert_proper, factor_error, moving, sheet, totals


def under(simulation, centre, radius, body="cloth"):
    """Return the triangles of a body whose middle lies within a ball."""
    middles = simulation.positions(body)[simulation.triangles(body)].mean(axis=1)
    return np.flatnonzero(np.linalg.norm(middles - centre, axis=1) < radius)


@pytest.mark.parametrize("centre", [(0.05, 0.02, 0.0), (0.5, 0.1, 0.0), (-0.5, -0.5, 0.0)], ids=str)
def test_a_hole_takes_its_own_mass_and_leaves_the_rest_moving_as_it_did(centre):
    simulation = moving(sheet())
    mass, momentum, _ = totals(simulation)
    velocities, masses = simulation.velocities("cloth").copy(), simulation.masses("cloth").copy()
    gone, count = under(simulation, centre, 0.2), len(simulation.triangles("cloth"))
    assert len(gone) > 5
    simulation.erase("cloth", gone)
    assert_proper(simulation)
    assert factor_error(simulation) < 1e-10
    assert sum(len(simulation.triangles(name)) for name in simulation.body_names) == count - len(gone)
    left = totals(simulation)
    assert left[0] == pytest.approx(mass * (1.0 - len(gone) / count), rel=1e-12), (
        "equal triangles, equal mass"
    )
    _, ancestors, weights = simulation.origin("cloth")
    assert (weights[:, 0] == 1.0).all(), "nothing was split"
    np.testing.assert_allclose(
        simulation.velocities("cloth"), velocities[ancestors[:, 0]], rtol=0.0, atol=1e-14
    )
    lost = np.zeros(len(masses))
    np.add.at(lost, ancestors[:, 0], simulation.masses("cloth"))
    lost = masses - lost
    np.testing.assert_allclose(left[1], momentum - lost @ velocities, rtol=0.0, atol=1e-12)
    for _ in range(3):
        simulation.step()


def test_undo_brings_erased_cloth_back_to_where_the_rest_is_and_redo_takes_it_away():
    simulation = moving(sheet())
    whole = topology(simulation)
    simulation.erase("cloth", under(simulation, (0.0, 0.0, 0.0), 0.25))
    holed = topology(simulation)
    simulation.engine.world.particles.positions += (0.0, 3.0, 0.0)
    simulation.engine.world.particles.velocities[:] = (0.0, 1.0, 0.0)
    assert simulation.undo() == "erase cloth"
    assert_same(topology(simulation), whole)
    assert abs(simulation.positions("cloth")[:, 1] - 3.0).max() < 0.6, "it came along"
    np.testing.assert_allclose(simulation.velocities("cloth"), [(0.0, 1.0, 0.0)] * 256, atol=1e-12)
    assert simulation.step().max_stretch < 1.2
    assert simulation.redo() == "erase cloth"
    assert_same(topology(simulation), holed)
    assert_proper(simulation)
    assert factor_error(simulation) < 1e-10
    with pytest.raises(SuppleError, match="nothing to redo"):
        simulation.redo()


def test_erasing_and_taking_back_at_once_changes_no_point():
    simulation = moving(sheet())
    places = simulation.positions("cloth").copy()
    simulation.erase("cloth", under(simulation, (0.4, 0.0, 0.0), 0.3))
    simulation.undo()
    np.testing.assert_allclose(simulation.positions("cloth"), places, rtol=0.0, atol=1e-15)


def test_a_stripe_rubbed_out_parts_the_cloth_and_a_piece_may_go_whole():
    simulation = moving(sheet())
    middles = simulation.positions("cloth")[simulation.triangles("cloth")].mean(axis=1)
    simulation.erase("cloth", np.flatnonzero(np.abs(middles[:, 0] - 0.2) < 0.1))
    assert simulation.body_names == ("cloth", "cloth-piece-1")
    assert_proper(simulation)
    parted = topology(simulation)
    simulation.erase("cloth-piece-1", np.arange(len(simulation.triangles("cloth-piece-1"))))
    assert simulation.body_names == ("cloth",)
    simulation.step()
    simulation.undo()
    assert_same(topology(simulation), parted)
    simulation.undo()
    assert simulation.body_names == ("cloth",)
    assert len(simulation.positions("cloth")) == 256
    simulation.step()


def test_pins_on_the_rim_hold_on_and_those_inside_go():
    simulation = supple.Simulation(supple.Scene(sheet(8).pinned("top")), integrator="filter")
    simulation.step()
    simulation.erase("cloth", under(simulation, (0.5, 0.5, 0.0), 0.2))
    held = simulation.positions("cloth")[simulation.pinned("cloth")]
    assert len(held) == 7 and held[:, 0].max() == pytest.approx(0.5 - 1 / 7)
    simulation.undo()
    assert len(simulation.pinned("cloth")) == 7, "a pin that went does not come back"
    simulation.step()


def test_a_seam_to_cloth_that_is_erased_lets_go():
    left, right = sheet(8), sheet(8, at=(1.3, 0.0, 0.0), name="other")
    simulation = moving(left, right)
    borders = [8 * row + 7 for row in range(8)], [8 * row for row in range(8)]
    simulation.seam(("cloth", borders[0]), ("other", borders[1]), 0.1)
    for _ in range(8):
        simulation.step()
    simulation.erase("other", under(simulation, (0.7, 0.5, 0.0), 0.35, "other"))
    assert_proper(simulation)
    assert factor_error(simulation) < 1e-10
    simulation.step()
    simulation.undo()
    assert factor_error(simulation) < 1e-10
    assert len(simulation.engine.editor.seams[0].pairs) == 8
    assert simulation.step().is_finite


def test_a_loaded_state_brings_erased_cloth_back_as_the_saved_one_does(tmp_path):
    simulation = moving(sheet(8))
    simulation.erase("cloth", under(simulation, (0.0, 0.0, 0.0), 0.25))
    for _ in range(3):
        simulation.step()
    simulation.save(tmp_path / "holed.npz")
    loaded = supple.Simulation.load(tmp_path / "holed.npz")
    for each in (simulation, loaded):
        each.undo()
        each.step()
    assert_same(topology(loaded), topology(simulation))
    np.testing.assert_array_equal(loaded.positions("cloth"), simulation.positions("cloth"))
    simulation.save(tmp_path / "whole.npz")
    loaded = supple.Simulation.load(tmp_path / "whole.npz")
    assert loaded.redo() == "erase cloth" and loaded.body_names == ("cloth",)
    assert len(loaded.triangles("cloth")) < 98


def test_half_of_an_erasing_is_never_left_in_the_history(monkeypatch):
    simulation = moving(sheet(8))
    monkeypatch.setattr("supple.edit.history.history.MOST_BYTES", 1)
    simulation.erase("cloth", [0, 1])
    assert simulation.undoable == ()
    with pytest.raises(SuppleError, match="nothing to undo"):
        simulation.undo()
    assert len(simulation.triangles("cloth")) == 96


@pytest.mark.parametrize(
    ("triangles", "message"),
    [
        ([], "one or more"), ([-1], "from 0 to 97"), ([98], "from 0 to 97"), ([0.5], "one or more"),
        ([[0, 1]], "one or more"), ("all", "one or more"), (range(98), "nothing would be left"),
    ],
)  # fmt: skip
def test_bad_erasing_is_refused_and_changes_nothing(triangles, message):
    simulation = supple.Simulation(supple.Scene(sheet(8)), integrator="filter")
    with pytest.raises(SuppleError, match=message):
        simulation.erase("cloth", triangles)
    assert simulation.revision == 0
    with pytest.raises(SuppleError, match="nothing to undo"):
        simulation.undo()


def test_chains_have_nothing_to_rub_out():
    simulation = supple.Simulation(supple.Scene(supple.Chain(length=1.0, points=5)), integrator="filter")
    with pytest.raises(SuppleError, match="no triangles"):
        simulation.erase("chain", [0])


def test_a_script_erases_and_cuts_along_edges_again(tmp_path):
    def fresh():
        return supple.Simulation(supple.Scene(sheet(10).pinned("top")), substeps=2, integrator="filter")

    simulation = fresh()
    for n in range(8):
        if n == 2:
            simulation.cut("cloth", edges=[10 * row + 4 for row in range(5, 10)])
        if n == 4:
            simulation.erase("cloth", under(simulation, (0.3, 0.0, 0.0), 0.15))
        if n in (5, 6):
            (simulation.undo if n == 5 else simulation.redo)()
        simulation.step()
    assert simulation.undoable == ("cut cloth", "erase cloth")
    simulation.script.save(tmp_path / "edits.toml")
    replayed = fresh()
    replayed.replay(supple.read_script(tmp_path / "edits.toml"))
    for _ in range(8):
        replayed.step()
    assert_same(topology(replayed), topology(simulation))
    np.testing.assert_array_equal(replayed.positions("cloth"), simulation.positions("cloth"))
