"""A better order of elimination is found beside the frames, and when it is taken depends on the frames alone."""

from __future__ import annotations

import contextlib
import threading
import time

import numpy as np
import pytest

import supple
from supple.errors import StateError
from supple.integrate import filter as filter_module
from supple.integrate.reordering import FRAMES, Reordering, System
from supple.solve.tree_factor import TreeFactor
from tests.edit.judge import factor_error, sheet

SIZE = 20

MOST_FILL = 1.05
"""Small sheets do not fill up by much."""


@pytest.fixture(autouse=True)
def _small_sheets_fill_up_sooner(monkeypatch):
    monkeypatch.setattr(filter_module, "MOST_FILL", MOST_FILL)


def hanging(**settings):
    return supple.Simulation(
        supple.Scene(sheet(SIZE).pinned("top")),
        **{"integrator": "filter", "substeps": 2, "solver": "factor", **settings},
    )


def sew(simulation, first, span=12):
    """Sew four rows of points across the sheet, which lets the factor fill up."""
    rows = range(first, first + 4)
    left, right = [SIZE * row + 3 for row in rows], [SIZE * row + 3 + span for row in rows]
    simulation.seam(("cloth", left), ("cloth", right), seconds=0.5, weld=False)


def sew_across(simulation):
    for first, span in ((2, 12), (6, 14), (10, 10), (14, 15)):
        sew(simulation, first, span)


def filled(**settings):
    """Return a sheet whose factor has filled up: the next frame begins to order it anew."""
    simulation = hanging(**settings)
    simulation.step()
    sew_across(simulation)
    simulation.step()
    assert pending(simulation) is not None
    return simulation


def pending(simulation):
    return simulation.engine.integrator.reordering


def fill(simulation):
    (*_, factor) = simulation.engine.integrator.solvers.values()
    return factor.fill


def assert_same(one, other):
    np.testing.assert_array_equal(one.positions("cloth"), other.positions("cloth"))
    np.testing.assert_array_equal(one.velocities("cloth"), other.velocities("cloth"))


def test_a_factor_that_has_filled_up_gets_a_better_order_after_a_fixed_number_of_frames():
    simulation = filled()
    before = fill(simulation)
    for _ in range(FRAMES - 1):
        simulation.step()
        assert fill(simulation) == before
    simulation.step()
    assert pending(simulation) is None
    assert fill(simulation) == pytest.approx(1.0)
    assert factor_error(simulation) < 1e-10


def test_it_does_not_matter_how_long_the_thread_takes(monkeypatch):
    quick, original = filled(), System.factored
    monkeypatch.setattr(System, "factored", lambda self: time.sleep(0.2) or original(self))
    slow = filled()
    for frame in range(3 * FRAMES):
        if frame == 5:
            sew(quick, 2, 15)
            sew(slow, 2, 15)
        quick.step()
        slow.step()
        assert_same(quick, slow)
    assert fill(quick) == fill(slow) < MOST_FILL


def do_nothing(simulation):
    """Let it be."""


def do_cut(simulation):
    simulation.cut("cloth", path=[(-0.3, 0.1, 0.0), (0.2, 0.15, 0.0)])


def do_stroke(simulation):
    simulation.cut("cloth", plane=((0.0, -0.21, 0.0), (0.1, 1.0, 0.0)))


def do_many(simulation):
    do_cut(simulation)
    simulation.step()
    sew(simulation, 11, 14)
    simulation.step()
    simulation.undo()
    simulation.grab("cloth", 200, (0.1, 0.2, 0.3))


def do_weld(simulation):
    rows = range(5, 9)
    left, right = [SIZE * row + 8 for row in rows], [SIZE * row + 9 for row in rows]
    simulation.cut("cloth", path=[(-0.02, 0.3, 0.0), (-0.02, 0.0, 0.0)])
    simulation.seam(("cloth", left), ("cloth", right), seconds=0.02)


def do_undo(simulation):
    simulation.undo()


def do_pin(simulation):
    simulation.pin("cloth", 210)


def do_soften(simulation):
    simulation.set("cloth", stretch_stiffness=300.0)


DEEDS = [do_nothing, do_cut, do_stroke, do_many, do_weld, do_undo, do_pin, do_soften]


@pytest.mark.parametrize("deed", DEEDS)
def test_what_happens_meanwhile_is_followed(deed):
    simulation = filled()
    for _ in range(3):
        simulation.step()
    deed(simulation)
    for _ in range(3 * FRAMES):
        assert simulation.step().is_finite
        assert factor_error(simulation) < 1e-10
    assert fill(simulation) < MOST_FILL


@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("saved_at", ["before the deed", "after the deed"])
def test_a_state_that_is_saved_meanwhile_goes_on_bit_for_bit(deed, saved_at, tmp_path):
    simulation = filled()
    simulation.step()
    if saved_at == "after the deed":
        deed(simulation)
    simulation.save(tmp_path / "state.npz")
    loaded = supple.Simulation.load(tmp_path / "state.npz")
    for one in (simulation, loaded):
        if saved_at == "before the deed":
            deed(one)
        else:
            sew(one, 1, 14)
    for _ in range(3 * FRAMES):
        simulation.step()
        loaded.step()
        assert_same(simulation, loaded)
    assert fill(simulation) == fill(loaded)


def test_a_state_saved_just_before_the_beginning_goes_on_bit_for_bit(tmp_path):
    simulation = hanging()
    simulation.step()
    sew_across(simulation)
    simulation.cut("cloth", path=[(-0.3, 0.1, 0.0), (0.2, 0.15, 0.0)])
    simulation.save(tmp_path / "state.npz")
    loaded = supple.Simulation.load(tmp_path / "state.npz")
    for _ in range(3 * FRAMES):
        simulation.step()
        loaded.step()
        assert_same(simulation, loaded)
    assert fill(simulation) == fill(loaded) < MOST_FILL


def test_saving_changes_nothing(tmp_path):
    simulation, twin = filled(), filled()
    for n in range(FRAMES + 3):
        simulation.step()
        simulation.save(tmp_path / f"state{n}.npz")
        twin.step()
        assert_same(simulation, twin)


def test_all_step_sizes_that_are_remembered_get_the_new_order():
    simulation = hanging()
    for substeps in (1, 2, 3):
        simulation.engine.integrator.prepare(simulation.frame_seconds / substeps)
    sew_across(simulation)
    for _ in range(FRAMES + 1):
        simulation.step()
    factors = list(simulation.engine.integrator.solvers.values())
    assert len(factors) == 3
    assert [factor.fill for factor in factors] == pytest.approx([1.0] * 3)
    assert factor_error(simulation) < 1e-10


def test_a_step_size_that_is_new_meanwhile_is_factored_in_the_new_order():
    simulation = filled()
    simulation.engine.integrator.prepare(simulation.frame_seconds / 5)
    for _ in range(FRAMES):
        simulation.step()
    assert pending(simulation) is None and len(simulation.engine.integrator.solvers) == 1
    simulation.engine.integrator.prepare(simulation.frame_seconds / 5)
    assert len(simulation.engine.integrator.solvers) == 2
    assert fill(simulation) == pytest.approx(1.0)


def test_no_edit_of_a_long_session_factors_everything(monkeypatch):
    """Edits and frames only follow; what is factored as a whole is so in a thread of its own."""
    simulation = hanging()
    simulation.step()
    whole, original = [], TreeFactor.factor

    def noting(self, *matrix):
        whole.append(threading.current_thread() is threading.main_thread())
        original(self, *matrix)

    monkeypatch.setattr(TreeFactor, "factor", noting)
    random = np.random.default_rng(5)
    for n in range(120):
        kind, start = n % 4, random.uniform(-0.4, 0.4, 2)
        with contextlib.suppress(supple.SuppleError):  # not every path and chain can be cut or sewn
            if kind == 0:
                sew(simulation, int(random.integers(1, SIZE - 5)), int(random.integers(9, 16)))
            elif kind == 1:
                simulation.cut("cloth", path=[(*start, 0.0), (*start + random.uniform(0.08, 0.15, 2), 0.0)])
            elif kind == 2 and n > 60:
                simulation.undo()
        simulation.step()
    assert len(whole) >= 2 and not any(whole)
    assert factor_error(simulation) < 1e-10


BROKEN = {
    "points that are gone twice": lambda a: a["new_of"].__setitem__(0, a["new_of"][1]),
    "points beyond all": lambda a: a["new_of"].__setitem__(0, 9999),
    "pairs beyond all": lambda a: a["pairs"].__setitem__((0, 0), 9999),
    "touched beyond all": lambda a: a.__setitem__("touched", np.array([-1])),
    "no steps": lambda a: a.__setitem__("steps", np.zeros(0)),
    "values that are none": lambda a: a["values"].__setitem__((0, 0), np.nan),
    "nothing": lambda a: a.clear(),
}


@pytest.mark.parametrize("damage", BROKEN.values(), ids=BROKEN)
def test_what_makes_no_sense_is_refused(damage):
    arrays = {name: array.copy() for name, array in pending(filled()).arrays().items()}
    Reordering.of_arrays(arrays, SIZE * SIZE)
    damage(arrays)
    with pytest.raises(StateError, match="in which order to solve next"):
        Reordering.of_arrays(arrays, SIZE * SIZE)
