"""A saved state of an edited world goes on bit for bit."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest

import supple
from supple import SuppleError
from tests.edit.judge import sheet


def edited(integrator="filter", substeps=4):
    rope = supple.Chain(length=1.0, points=8, name="rope").pinned(0)
    ball = supple.Sphere(radius=0.2, at=(0.0, -0.5, 0.1))
    simulation = supple.Simulation(
        supple.Scene(sheet(14).pinned("top"), rope, ball), integrator=integrator, substeps=substeps
    )
    for _ in range(3):
        simulation.step()
    simulation.cut("cloth", path=[(-0.6, 0.1, 0.0), (0.6, -0.2, 0.0)])
    simulation.tear("cloth", 0.08)
    simulation.shrink("cloth", list(range(14, 56)), 0.8, 0.5)
    left, right = [14 * k for k in range(2, 5)], [14 * k + 13 for k in range(2, 6)]
    simulation.seam(("cloth", left), ("cloth", right), seconds=0.2)
    for _ in range(5):
        simulation.step()
    return simulation


@pytest.mark.parametrize("integrator", ["filter", "jacobi", "xpbd"])
def test_a_loaded_state_goes_on_bit_for_bit(integrator, tmp_path):
    simulation = edited(integrator)
    simulation.save(tmp_path / "edited.npz")
    loaded = supple.Simulation.load(tmp_path / "edited.npz")
    for _ in range(12):
        simulation.step()
        loaded.step()
    assert loaded.body_names == simulation.body_names and len(loaded.body_names) > 2
    for name in simulation.body_names:
        np.testing.assert_array_equal(loaded.positions(name), simulation.positions(name))
        np.testing.assert_array_equal(loaded.velocities(name), simulation.velocities(name))
        np.testing.assert_array_equal(loaded.triangles(name), simulation.triangles(name))
    middle = tuple(simulation.positions("cloth").mean(axis=0))
    for each in (loaded, simulation):
        each.cut("cloth", plane=(middle, (1.0, 0.0, 0.0)))
    np.testing.assert_array_equal(loaded.positions("cloth"), simulation.positions("cloth"))


def test_edits_can_be_taken_back_and_made_again_after_loading(tmp_path):
    simulation = edited()
    simulation.set("rope", stretch_stiffness=77.0)
    simulation.undo()
    simulation.save(tmp_path / "edited.npz")
    loaded = supple.Simulation.load(tmp_path / "edited.npz")
    assert loaded.undoable == simulation.undoable == ("cut cloth", "tear cloth", "shrink cloth")
    assert loaded.redoable == simulation.redoable == ("seam cloth",)
    for deed in ("redo", "undo", "undo", "undo", "undo", "redo"):
        assert getattr(loaded, deed)() == getattr(simulation, deed)()
        simulation.step()
        loaded.step()
        assert loaded.body_names == simulation.body_names
        for name in simulation.body_names:
            np.testing.assert_array_equal(loaded.positions(name), simulation.positions(name))
            np.testing.assert_array_equal(loaded.triangles(name), simulation.triangles(name))
            np.testing.assert_array_equal(loaded.rest_lengths(name), simulation.rest_lengths(name))


def test_a_file_holds_no_more_of_the_past_than_fits(tmp_path, monkeypatch):
    monkeypatch.setattr("supple.edit.history.serialise.MOST_SAVED_BYTES", 300_000)
    simulation = edited()
    simulation.save(tmp_path / "edited.npz")
    loaded = supple.Simulation.load(tmp_path / "edited.npz")
    assert 0 < len(loaded.undoable) < len(simulation.undoable)
    assert simulation.undoable[-len(loaded.undoable) :] == loaded.undoable
    for _ in loaded.undoable:
        assert loaded.undo() == simulation.undo()
    np.testing.assert_array_equal(loaded.positions("cloth"), simulation.positions("cloth"))


def tampered(path, change):
    with np.load(path) as file:
        arrays = dict(file)
    header = json.loads(arrays["header"].tobytes())
    change(header, arrays)
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    path.write_bytes(buffer.getvalue())


CLOTH = "edits.body.1."
"""It has gone behind the rope when it was cut."""

DAMAGE = {
    "springs point nowhere": lambda h, a: a["edits.springs.ends"].__setitem__((0, 0), 10**6),
    "triangles point nowhere": lambda h, a: a[CLOTH + "triangles"].__setitem__((0, 0), 10**6),
    "neighbours point nowhere": lambda h, a: a[CLOTH + "fabric.across"].__setitem__((0, 0), 10**6),
    "a fan elsewhere": lambda h, a: a[CLOTH + "fabric.fan"].__setitem__(0, 200),
    "no rest positions": lambda h, a: a.pop("edits.rest_positions"),
    "rest that is no number": lambda h, a: a["edits.rest_positions"].__setitem__((0, 0), np.nan),
    "counts that do not add up": lambda h, a: h["edits"]["bodies"][0].__setitem__("particles", 3),
    "an unknown origin": lambda h, a: h["edits"]["bodies"][0].__setitem__("origin", "curtain"),
    "bodies that are words": lambda h, a: h["edits"].__setitem__("bodies", "none"),
    "seams of nobody": lambda h, a: a["edits.seam.0.pairs"].__setitem__((0, 0), -5),
    "a past of other particles": lambda h, a: h["edits"]["done"][-1].__setitem__("old_count", 7),
    "a change from nowhere": lambda h, a: a["edits.done.0.change.nearest"].__setitem__(0, 10**6),
    "no past": lambda h, a: a.pop("edits.done.0.change.new_of"),
    "doubles of nothing": lambda h, a: h["edits"]["same"].__setitem__("rest_positions", "nobody"),
    "an order that is none": lambda h, a: a["order.order"].__setitem__(0, a["order.order"][1]),
    "a tree that is none": lambda h, a: a["order.parent"].__setitem__(0, -1),
    "steps that are none": lambda h, a: a.__setitem__("order.steps", np.array([-1.0])),
}


def test_damaged_states_are_refused(tmp_path):
    simulation = edited()
    for name, change in DAMAGE.items():
        path = tmp_path / "damaged.npz"
        simulation.save(path)
        tampered(path, change)
        with pytest.raises(SuppleError):
            supple.Simulation.load(path)
            pytest.fail(name)


@pytest.mark.parametrize("levels", [1, 2])
def test_an_undo_after_loading_brings_soft_bodies_back_as_they_were_set(levels, tmp_path):
    box = supple.SoftBody.box(
        size=(0.3, 0.2, 0.2), cell=0.1, material="jelly", at=(0.0, 0.2, 0.0), levels=levels
    )
    simulation = supple.Simulation(supple.Scene(box, supple.Plane()))
    simulation.set("soft", young=700.0)
    simulation.cut("soft", plane=((0.0, 0.2, 0.0), (1.0, 0.0, 0.0)))
    simulation.step()
    simulation.save(tmp_path / "cut.npz")
    loaded = supple.Simulation.load(tmp_path / "cut.npz")
    for each in (simulation, loaded):
        each.undo()
        for _ in range(8):
            each.step()
    assert simulation.body_names == ("soft",)
    np.testing.assert_array_equal(loaded.positions("soft"), simulation.positions("soft"))
