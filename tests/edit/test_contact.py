"""Edits of cloth that touches cloth: the referee sees nothing pass through anything."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

import supple
from supple import SuppleError
from supple.edit.commands.cut import direction_across
from supple.edit.world.intersection_check import EditRefused
from tests.collide.referee import Referee
from tests.edit.judge import assert_kept, assert_proper, factor_error, totals
from tests.edit.test_random_edits import random_edit, topology


def draped(self_contact: str, side: int = 9, integrator: str = "auto", **more) -> supple.Simulation:
    cloth = supple.Cloth.rectangle(
        width=1.0, height=1.0, columns=side, rows=side, plane="xz", name="cloth", at=(0.0, 0.3, 0.0),
        self_contact=self_contact,
    )  # fmt: skip
    ball = supple.Sphere(radius=0.25, at=(0.05, 0.0, 0.02))
    return supple.Simulation(
        supple.Scene(cloth, ball, supple.Plane(offset=-0.3), drag=0.3, **more),
        substeps=4,
        integrator=integrator,
    )


def assert_clean(simulation: supple.Simulation, frames: int) -> None:
    for _ in range(frames):
        assert not Referee(simulation).sees_intersections()
        assert simulation.step().is_finite
    assert not Referee(simulation).sees_intersections()


@pytest.mark.parametrize("integrator", ["auto", "filter"])
def test_a_garment_is_cut_sewn_gathered_and_undone_without_passing_through_itself(integrator):
    simulation = draped("exact", integrator=integrator)
    assert_clean(simulation, 4)
    simulation.cut("cloth", path=[(0.13, 0.3, -0.6), (0.12, 0.3, 0.1)])
    assert_clean(simulation, 6)
    assert simulation.particle_count > 83  # the slit has two sides
    simulation.shrink("cloth", range(30), 0.7, 0.2)
    assert_clean(simulation, 8)
    simulation.cut("cloth", plane=((-0.2, 0.0, 0.0), (1.0, 0.0, 0.1)))
    assert "cloth-piece-1" in simulation.body_names
    assert_clean(simulation, 8)
    simulation.seam(("cloth", [0, 9, 18]), ("cloth-piece-1", [0, 1, 2]), seconds=0.2)
    assert_clean(simulation, 8)
    while simulation.undoable:
        simulation.undo()
        assert_proper(simulation)
        assert_clean(simulation, 2)
    if integrator == "filter":
        assert factor_error(simulation) < 1e-10


def hanging_and_shelf() -> supple.Simulation:
    """Return a banner whose lower half has fallen past a shelf of cloth that was then pushed in between."""
    banner = supple.Cloth.rectangle(
        width=0.4, height=0.8, columns=5, rows=9, name="banner", self_contact="exact"
    )
    shelf = supple.Cloth.rectangle(
        width=0.6, height=0.6, columns=5, rows=5, plane="xz", name="shelf", at=(0.0, -0.3, 0.6),
        self_contact="exact",
    )  # fmt: skip
    scene = supple.Scene(banner.pinned("top"), shelf.pinned("left", "right"))
    return supple.Simulation(scene, substeps=4)


def push_the_shelf_in(simulation: supple.Simulation, frames: int, way: float) -> None:
    edge = [n for n in range(25) if n % 5 in (0, 4)]
    start = simulation.positions("shelf").copy()
    for n in range(1, frames + 1):
        for vertex in edge:
            simulation.move_pin("shelf", vertex, tuple(start[vertex] + (0.0, 0.0, -way * n / frames)))
        simulation.step()


def test_undo_goes_back_to_where_the_cut_was_made_if_cloth_is_in_between(tmp_path):
    simulation = hanging_and_shelf()
    for _ in range(5):
        simulation.step()
    before = {name: simulation.positions(name).copy() for name in simulation.body_names}
    simulation.cut("banner", plane=((0.0, 0.02, 0.0), (0.0, 1.0, 0.0)))
    for _ in range(30):
        simulation.step()
    push_the_shelf_in(simulation, 25, 0.6)
    assert not Referee(simulation).sees_intersections()
    assert simulation.positions("banner-piece-1")[:, 1].max() < simulation.positions("shelf")[:, 1].min()
    simulation.save(tmp_path / "state.npz")
    for one in (simulation, supple.Simulation.load(tmp_path / "state.npz")):
        one.undo()
        assert one.body_names == ("banner", "shelf")
        for name, places in before.items():
            assert np.abs(one.positions(name) - places).max() < 1e-6
        assert_clean(one, 5)
    np.testing.assert_array_equal(simulation.positions("banner"), one.positions("banner"))


def test_undo_leaves_cloth_where_it_is_if_nothing_is_in_between():
    simulation = hanging_and_shelf()
    simulation.cut("banner", plane=((0.0, 0.02, 0.0), (0.0, 1.0, 0.0)))
    for _ in range(5):
        simulation.step()
    there = simulation.positions("shelf").copy()
    simulation.undo()
    np.testing.assert_array_equal(simulation.positions("shelf"), there)


@contextmanager
def barred(simulation: supple.Simulation) -> Iterator[None]:
    """Let cloth be in the way of every edit meanwhile."""
    editor = simulation.engine.editor
    check = editor.intersection_check
    editor.intersection_check = replace(check, open_cut_faces=lambda change: "(1, 2, 3) m")
    yield
    editor.intersection_check = check


def everything(simulation: supple.Simulation) -> dict[str, np.ndarray]:
    """Return all that an edit may change."""
    world, contact = simulation.engine.world, simulation.engine.contact
    tables = {"particles": world.particles, "springs": world.springs, "bends": world.bends}
    arrays = {
        f"{table}.{name}": array.copy()
        for table, owner in tables.items()
        for name, array in vars(owner).items()
        if isinstance(array, np.ndarray)
    }
    arrays |= {f"contact.{name}": array.copy() for name, array in contact.state().items()}
    for name, record in simulation.engine.editor.cloth_records.items():
        arrays |= {f"{name}.{key}": array.copy() for key, array in record.arrays().items()}
    words = simulation.body_names, simulation.undoable, simulation.redoable, simulation.seams
    return {**arrays, "words": np.array(repr(words))}


def assert_same(found: dict[str, np.ndarray], expected: dict[str, np.ndarray]) -> None:
    assert found.keys() == expected.keys()
    for name, array in expected.items():
        np.testing.assert_array_equal(found[name], array, err_msg=name)


def edited_and_draped() -> supple.Simulation:
    """Return cloth in contact, cut twice and with a welded seam, one cut taken back."""
    simulation = draped("exact")
    simulation.cut("cloth", path=[(0.13, 0.3, -0.6), (0.12, 0.3, 0.1)])
    chain = [n for n, (x, _, z) in enumerate(simulation.positions("cloth")) if x == -0.5 and -0.3 < z < 0.3]
    simulation.seam(("cloth", chain[:2]), ("cloth", chain[-2:]), seconds=0.1)
    for _ in range(10):
        simulation.step()
    simulation.cut("cloth", path=[(-0.6, 0.3, 0.2), (-0.1, 0.3, 0.2)])
    simulation.step()
    simulation.undo()
    for _ in range(3):
        simulation.step()
    return simulation


EDITS = {
    "path": lambda one: one.cut("cloth", path=[(-0.6, 0.2, 0.3), (0.6, 0.2, 0.31)]),
    "plane": lambda one: one.cut("cloth", plane=((-0.2, 0.0, 0.0), (1.0, 0.0, 0.1))),
    "edges": lambda one: one.cut("cloth", edges=one.triangles("cloth")[50].tolist()),
    "undo": lambda one: one.undo(),
    "redo": lambda one: one.redo(),
}  # fmt: skip


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_that_cloth_is_in_the_way_of_leaves_no_trace(edit):
    simulation, untouched = edited_and_draped(), edited_and_draped()
    before = everything(simulation)
    with (
        barred(simulation),
        pytest.raises(SuppleError, match=r"near \(1, 2, 3\) m.*Nothing was changed\. Edit it elsewhere"),
    ):
        EDITS[edit](simulation)
    assert_same(everything(simulation), before)
    for one in (simulation, untouched):
        for _ in range(3):
            one.step()
        EDITS[edit](one)  # now it may
        one.step()
    assert_same(everything(simulation), everything(untouched))


def test_what_is_erased_needs_no_room_to_open_and_comes_back():
    simulation = edited_and_draped()
    before = {tuple(point) for point in simulation.positions("cloth").tolist()}
    with barred(simulation):
        simulation.erase("cloth", [20, 21])
    assert {tuple(point) for point in simulation.positions("cloth").tolist()} <= before
    assert_clean(simulation, 3)
    for go in (simulation.undo, simulation.redo, simulation.undo):
        go()
        assert_proper(simulation)
        assert_clean(simulation, 3)


@pytest.mark.parametrize(("refusals", "step"), [(1, 0.25), (2, -0.25)])
def test_a_plane_that_cannot_open_the_cloth_cuts_a_quarter_of_an_edge_beside(refusals, step):
    simulation, other = draped("exact"), draped("exact")
    editor, refused = simulation.engine.editor, []
    check = editor.intersection_check

    def open_cut_faces(change) -> str:
        refused.append(len(refused) < refusals)
        return "(1, 2, 3) m" if refused[-1] else check.open_cut_faces(change)

    editor.intersection_check = replace(check, open_cut_faces=open_cut_faces)
    simulation.cut("cloth", plane=((0.07, 0.0, 0.0), (1.0, 0.0, 0.0)))
    assert refused == [True] * refusals + [False]
    edge = float(editor.cloth_records["cloth"].mean_edge[0])
    other.cut("cloth", plane=((0.07 + step * edge, 0.0, 0.0), (1.0, 0.0, 0.0)))
    assert simulation.body_names == other.body_names == ("cloth", "cloth-piece-1")
    for name in simulation.body_names:
        np.testing.assert_allclose(simulation.positions(name), other.positions(name), atol=1e-12)
    simulation.undo()
    assert simulation.body_names == ("cloth",) and not simulation.undoable


@pytest.mark.parametrize(("refusals", "step"), [(1, 0.25), (2, -0.25)])
def test_a_path_that_cannot_open_the_cloth_is_cut_a_quarter_of_an_edge_beside(refusals, step):
    simulation = draped("exact")
    editor, refused = simulation.engine.editor, []
    check = editor.intersection_check

    def open_cut_faces(change) -> str:
        refused.append(len(refused) < refusals)
        return "(1, 2, 3) m" if refused[-1] else check.open_cut_faces(change)

    editor.intersection_check = replace(check, open_cut_faces=open_cut_faces)
    path = np.array([(0.07, 0.3, -0.6), (0.07, 0.3, 0.1)])
    simulation.cut("cloth", path=path)
    assert refused == [True] * refusals + [False]
    edge = float(editor.cloth_records["cloth"].mean_edge[0])
    places = simulation.positions("cloth")
    matches = []
    for side in (-1.0, 1.0):  # whichever way the cloth faces
        other = draped("exact")
        other.cut("cloth", path=path + np.array([side * step * edge, 0.0, 0.0]))
        again = other.positions("cloth")
        matches.append(again.shape == places.shape and np.abs(again - places).max() < 1e-12)
    assert sorted(matches) == [False, True]
    simulation.undo()
    assert simulation.body_names == ("cloth",) and not simulation.undoable


@pytest.mark.parametrize(("refusals", "step"), [(1, 0.25), (2, -0.25)])
def test_edges_that_cannot_open_the_cloth_are_cut_a_quarter_of_an_edge_beside(refusals, step):
    simulation, other = draped("exact"), draped("exact")
    editor, refused = simulation.engine.editor, []
    check = editor.intersection_check

    def open_cut_faces(change) -> str:
        refused.append(len(refused) < refusals)
        return "(1, 2, 3) m" if refused[-1] else check.open_cut_faces(change)

    triangles = simulation.triangles("cloth")
    chain = [len(simulation.positions("cloth")) // 2]
    for _ in range(4):  # along edges that follow each other, straight on in the order of the vertices
        around = np.unique(triangles[(triangles == chain[-1]).any(axis=1)])
        chain.append(chain[-1] + 1)
        assert chain[-1] in around
    editor.intersection_check = replace(check, open_cut_faces=open_cut_faces)
    simulation.cut("cloth", edges=chain)
    assert refused == [True] * refusals + [False]
    path = other.positions("cloth")[chain]
    edge = float(editor.cloth_records["cloth"].mean_edge[0])
    other.cut(
        "cloth",
        path=path
        + step * edge * direction_across(other.engine.world, other.engine.world.bodies["cloth"], path),
    )
    np.testing.assert_allclose(simulation.positions("cloth"), other.positions("cloth"), atol=1e-12)
    assert_proper(simulation)
    assert simulation.script.edits[-1].vertices == tuple(chain)
    simulation.undo()
    assert simulation.body_names == ("cloth",) and not simulation.undoable


def test_a_tear_waits_while_it_cannot_open():
    cloth = supple.Cloth.rectangle(
        width=0.4, height=0.4, columns=6, rows=6, name="cloth", self_contact="exact"
    ).pinned("top")
    simulation = supple.Simulation(supple.Scene(cloth), substeps=4)
    simulation.tear("cloth", 0.3)
    simulation.grab("cloth", 5, (0.2, -0.9, 0.0))
    with barred(simulation):
        for _ in range(20):
            assert simulation.step().is_finite
        assert simulation.particle_count == 36
    for _ in range(5):
        simulation.step()
    assert simulation.particle_count > 36
    assert_clean(simulation, 3)


def test_a_seam_is_welded_once_nothing_is_in_the_way():
    simulation = draped("exact")
    simulation.cut("cloth", path=[(0.13, 0.3, -0.6), (0.12, 0.3, 0.1)])
    points = simulation.positions("cloth")
    edges = [n for n in range(len(points)) if abs(points[n, 0] - 0.125) < 0.01 and points[n, 2] < 0.0]
    left, right = (
        sorted((n for n in edges if (points[n, 0] > 0.125) == is_right), key=lambda n: points[n, 2])
        for is_right in (False, True)
    )
    simulation.seam(("cloth", left), ("cloth", right), seconds=0.1)
    with barred(simulation):
        for _ in range(12):
            simulation.step()
        assert not simulation.engine.editor.seams[0].is_welded
    simulation.step()
    assert simulation.engine.editor.seams[0].is_welded
    assert_clean(simulation, 3)


def cut_later() -> supple.Scene:
    cloth = supple.Cloth.rectangle(
        width=0.4, height=0.4, columns=6, rows=6, name="cloth", self_contact="exact"
    )
    edit = supple.Cut(body="cloth", name="strip", time=0.1, path=[(-0.3, 0.02, 0.0), (0.3, 0.02, 0.0)])
    return supple.Scene(cloth.pinned("top"), edit, gravity=(0.0, 0.0, 0.0))


def script_of_cut() -> supple.Simulation:
    """Return a simulation that is to replay the same cut, from a script."""
    scene = cut_later()
    simulation = supple.Simulation(scene.changed(edits=()))
    simulation.replay(supple.Script(edits=[edit.changed(name=None) for edit in scene.edits]))
    return simulation


@pytest.mark.parametrize("begin", [lambda: supple.Simulation(cut_later()), script_of_cut])
def test_a_cut_that_is_due_waits_while_it_cannot_open_also_in_a_saved_state(begin, tmp_path):
    simulation = begin()
    with barred(simulation):
        for _ in range(15):
            simulation.step()
        assert simulation.body_names == ("cloth",)
        simulation.save(tmp_path / "state.npz")
    loaded = supple.Simulation.load(tmp_path / "state.npz")
    for one in (simulation, loaded):
        one.step()
        assert one.body_names == ("cloth", "cloth-piece-1")
        assert_clean(one, 2)
    np.testing.assert_array_equal(simulation.positions("cloth"), loaded.positions("cloth"))


@pytest.mark.parametrize("begin", [lambda: supple.Simulation(cut_later()), script_of_cut])
def test_a_cut_that_cannot_open_for_a_second_is_told_once_and_left_out(begin):
    simulation = begin()
    with barred(simulation), warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        while simulation.time < 1.09:
            simulation.step()
        assert not told
        for _ in range(4):
            simulation.step()
    (warning,) = told
    assert "cut" in str(warning.message) and "was left out: cloth with exact contact" in str(warning.message)
    simulation.step()
    assert simulation.body_names == ("cloth",)


def test_a_piece_that_a_plane_cannot_cut_yet_waits_alone_also_in_a_saved_state(tmp_path):
    """A first cut makes two pieces; the plane passes through both, but only one of them can open at once."""
    scene = cut_later()
    first = scene.edits[0].changed(time=0.0)
    plane = supple.Cut(
        body="cloth", name="plane", time=0.1, plane_point=(0.03, 0.0, 0.0), plane_normal=(1.0, 0.0, 0.0)
    )
    simulation = supple.Simulation(scene.changed(edits=(first, plane)))
    simulation.step()
    editor = simulation.engine.editor
    check = editor.intersection_check

    def open_cut_faces(change) -> str:
        return "(1, 2, 3) m" if editor.history.done[-1].label == "cut cloth" else check.open_cut_faces(change)

    editor.intersection_check = replace(check, open_cut_faces=open_cut_faces)
    for _ in range(15):
        simulation.step()
    names = ("cloth", "cloth-piece-1", "cloth-piece-2")
    assert simulation.body_names == names
    halves = [len(simulation.positions(name)) for name in names[1:]]
    simulation.save(tmp_path / "state.npz")
    editor.intersection_check = check
    loaded = supple.Simulation.load(tmp_path / "state.npz")
    for one in (simulation, loaded):
        one.step()
        assert one.body_names == (*names, "cloth-piece-3")
        assert [len(one.positions(name)) for name in names[1:]] == halves
        assert_clean(one, 2)
    np.testing.assert_array_equal(simulation.positions("cloth"), loaded.positions("cloth"))


def test_contact_does_not_become_exact_where_the_sides_of_a_cut_cannot_open():
    """Two sheets lie in one plane across each other: nothing passes through anything, but they are not apart."""
    sheets = [
        supple.Cloth.rectangle(width=0.4, height=0.4, columns=4, rows=4, name=name, at=(x, 0.0, 0.0))
        for name, x in (("one", 0.0), ("other", 0.1))
    ]
    simulation = supple.Simulation(supple.Scene(*sheets, gravity=(0.0, 0.0, 0.0)))
    simulation.set("one", self_contact="exact")
    places = simulation.positions("other").copy()
    with pytest.raises(SuppleError, match="'other' stays 'off'"):
        simulation.set("other", self_contact="exact")
    np.testing.assert_array_equal(simulation.positions("other"), places)


@pytest.mark.parametrize("self_contact", ["exact", "points"])
def test_random_edits_of_cloth_that_touches_itself(self_contact):
    random = np.random.default_rng(3)
    simulation = draped(self_contact, side=7)
    start = topology(simulation)
    made = contacts = 0

    def look() -> None:
        assert self_contact == "points" or not Referee(simulation).sees_intersections()

    for n in range(200):
        before = totals(simulation)
        all_before = everything(simulation)
        try:
            random_edit(simulation, random)
            made += 1
        except EditRefused:
            assert_same(everything(simulation), all_before)
        except SuppleError:
            pass
        look()
        if self_contact == "points":  # exact contact opens the faces of a cut, which turns the cloth a little
            assert_kept(before, totals(simulation))
        while simulation.particle_count > 150:
            simulation.undo()
            look()
        if n % 2 == 0:
            report = simulation.step()
            assert report.is_finite
            contacts = max(contacts, report.self_contacts)
            look()
        if n % 30 == 29:
            assert_proper(simulation)
    assert made > 100 and contacts > 0
    while simulation.undoable:
        simulation.undo()
        look()
    found = topology(simulation)
    assert list(found) == list(start)
    for name in start:
        for a, b in zip(found[name], start[name], strict=True):
            np.testing.assert_array_equal(a, b)


def pinched(simulation, vertex):
    """Return two triangles that have nothing but this vertex in common."""
    triangles = simulation.triangles("cloth")
    around = np.flatnonzero((triangles == vertex).any(axis=1)).tolist()
    return next(
        [one, other] for one in around for other in around
        if len({*triangles[one].tolist()} & {*triangles[other].tolist()}) == 1
    )  # fmt: skip


def test_cloth_that_an_eraser_pinches_at_a_vertex_moves_on():
    """The two copies of the vertex are at the same place, where contact would hold everything for ever."""
    cloth = supple.Cloth.rectangle(
        width=1.0, height=1.0, columns=9, rows=9, plane="xz", self_contact="exact", material="silk"
    )
    simulation = supple.Simulation(supple.Scene(cloth.pinned("top-left", "top-right")))
    for _ in range(3):
        simulation.step()
    count = simulation.particle_count
    simulation.erase("cloth", pinched(simulation, 40))
    assert simulation.particle_count == count + 1
    for go in (None, simulation.undo, simulation.redo):
        if go is not None:
            go()
        before = simulation.positions("cloth").copy()
        assert_clean(simulation, 5)
        assert np.abs(simulation.positions("cloth") - before).max() > 0.01
    positions = simulation.positions("cloth")
    assert len(np.unique(positions, axis=0)) == len(positions)


def test_a_pinch_that_cannot_open_is_not_made():
    simulation = edited_and_draped()
    before, undoable = simulation.positions("cloth").copy(), simulation.undoable
    with barred(simulation), pytest.raises(SuppleError, match="Nothing was changed"):
        simulation.erase("cloth", pinched(simulation, 40))
    np.testing.assert_allclose(simulation.positions("cloth"), before, atol=1e-12)
    assert simulation.undoable == undoable and simulation.redoable == ()
    assert simulation.body_names == ("cloth",)
    assert_proper(simulation)
    assert_clean(simulation, 3)
    simulation.erase("cloth", pinched(simulation, 40))  # now it may
    assert_clean(simulation, 3)
