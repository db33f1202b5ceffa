"""What was done to a simulation can be written down and done again, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple import SuppleError
from tests.edit.judge import sheet
from tests.edit.test_random_edits import random_edit


def scene():
    ball = supple.Sphere(radius=0.25, at=(0.0, -0.5, 0.3))
    declared = supple.Cut(body="cloth", time=0.04, path=[(-0.6, 0.3, 0.0), (0.1, 0.25, 0.0)])
    return supple.Scene(sheet(9).pinned("top-left", "top-right"), ball, declared)


def handled(simulation):
    """Do a little of everything to a simulation."""
    random = np.random.default_rng(3)
    for n in range(40):
        if n == 3:
            simulation.grab("cloth", 60, (0.3, 0.1, 0.4))
        if n == 8:
            simulation.grab("cloth", 60, (0.2, 0.3, 0.4))
            simulation.set(wind=supple.Wind(velocity=(0.0, 0.1, 2.0), gusts=0.3), gravity=(0.0, -5.0, 0.1))
        if n == 10:
            simulation.release_all()
            simulation.pin("cloth", 40)
            simulation.set("cloth", stretch_stiffness=300.0, damping=0.03)
        if n == 14:
            simulation.move_pin("cloth", 40, (0.0, 0.4, 0.1))
        if n == 20:
            simulation.unpin("cloth", 40)
        if n >= 10 and n % 2 == 0:  # after the cut of the scene
            try:
                random_edit(simulation, random)
            except SuppleError:
                continue
        simulation.step()


def assert_same_motion(first, second):
    assert first.body_names == second.body_names and first.frame == second.frame
    for name in first.body_names:
        np.testing.assert_array_equal(first.positions(name), second.positions(name))
        np.testing.assert_array_equal(first.velocities(name), second.velocities(name))
        np.testing.assert_array_equal(first.triangles(name), second.triangles(name))
        np.testing.assert_array_equal(first.rest_lengths(name), second.rest_lengths(name))


@pytest.mark.parametrize("ending", ["toml", "json"])
def test_a_saved_script_is_replayed_bit_for_bit(ending, tmp_path):
    simulation = supple.Simulation(scene(), substeps=3)
    handled(simulation)
    script = simulation.script
    kinds = {edit.kind for edit in script.edits}
    assert {"cut", "undo", "shrink", "grab", "release", "hold", "free", "change"} <= kinds
    script.save(tmp_path / f"edits.{ending}")
    again = supple.read_script(tmp_path / f"edits.{ending}")
    assert again == script and again.is_complete
    replayed = supple.Simulation(scene(), substeps=3)
    replayed.replay(again)
    while replayed.frame < simulation.frame:
        replayed.step()
    assert_same_motion(simulation, replayed)
    assert replayed.script == script  # replaying writes the same down again
    assert len(simulation.body_names) > 1


def test_a_state_saved_in_the_middle_of_a_replay_goes_on_with_it(tmp_path):
    simulation = supple.Simulation(scene(), substeps=3)
    simulation.step()
    simulation.cut("cloth", plane=((0.1, 0.0, 0.0), (1.0, 0.2, 0.0)))
    for _ in range(9):
        simulation.step()
    simulation.shrink("cloth", None, 0.8, 0.1)
    for _ in range(10):
        simulation.step()
    replayed = supple.Simulation(scene(), substeps=3)
    replayed.replay(simulation.script)
    for _ in range(5):
        replayed.step()
    assert [edit.kind for edit in replayed.script.edits] == ["cut"]
    replayed.save(tmp_path / "half.npz")
    loaded = supple.Simulation.load(tmp_path / "half.npz")
    while loaded.frame < simulation.frame:
        loaded.step()
    assert_same_motion(simulation, loaded)
    assert loaded.script == simulation.script


def test_edits_of_the_scene_are_not_written_down_twice():
    simulation = supple.Simulation(scene())
    for _ in range(8):
        simulation.step()
    assert simulation.particle_count > 81
    assert simulation.script.edits == ()


def test_refused_edits_are_not_written_down():
    simulation = supple.Simulation(scene())
    with pytest.raises(SuppleError):
        simulation.cut("cloth", path=[(5.0, 5.0, 5.0), (6.0, 5.0, 5.0)])
    with pytest.raises(SuppleError):
        simulation.undo()
    assert simulation.script.edits == ()


def test_what_cannot_be_done_again_is_told():
    simulation = supple.Simulation(scene())
    simulation.replay(supple.Script(edits=[supple.Undo(), supple.Unseam(seam=3, name="mine")]))
    with (
        pytest.warns(RuntimeWarning, match="`undo` at 0 s was left out: there is nothing to undo"),
        pytest.warns(RuntimeWarning, match=r"`unseam.mine` was left out: there is no seam 3"),
    ):
        simulation.step()


def test_a_script_from_the_past_is_refused():
    simulation = supple.Simulation(scene())
    simulation.step()
    with pytest.raises(SuppleError, match=r"undo at 0 s, but it is 0\.02 s already"):
        simulation.replay(supple.Script(edits=[supple.Undo()]))


def test_what_a_script_cannot_hold_makes_it_incomplete():
    simulation = supple.Simulation(scene())
    simulation.set(substeps=5)
    assert not simulation.script.is_complete
    with pytest.warns(UserWarning, match="not complete"):
        supple.Simulation(scene()).replay(simulation.script)


def test_undo_and_redo_say_what_they_would_do():
    simulation = supple.Simulation(scene())
    simulation.tear("cloth", 0.5)
    simulation.cut("cloth", plane=((0.1, 0.0, 0.0), (1.0, 0.2, 0.0)))
    assert simulation.undoable == ("tear cloth", "cut cloth") and simulation.redoable == ()
    simulation.undo()
    assert simulation.undoable == ("tear cloth",) and simulation.redoable == ("cut cloth",)
