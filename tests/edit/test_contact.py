"""Edits of cloth that touches cloth: the referee sees nothing pass through anything."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple import SuppleError
from tests.collide.referee import Referee
from tests.edit.judge import assert_kept, assert_proper, factor_error, totals
from tests.edit.test_random_edits import random_edit, topology


def draped(self_contact: str, side: int = 9, **more) -> supple.Simulation:
    cloth = supple.Cloth.rectangle(
        width=1.0, height=1.0, columns=side, rows=side, plane="xz", name="cloth", at=(0.0, 0.3, 0.0),
        self_contact=self_contact,
    )  # fmt: skip
    ball = supple.Sphere(radius=0.25, at=(0.05, 0.0, 0.02))
    return supple.Simulation(
        supple.Scene(cloth, ball, supple.Plane(offset=-0.3), drag=0.3, **more), substeps=4
    )


def assert_clean(simulation: supple.Simulation, frames: int) -> None:
    for _ in range(frames):
        assert not Referee(simulation).sees_intersections()
        assert simulation.step().is_finite
    assert not Referee(simulation).sees_intersections()


def test_a_garment_is_cut_sewn_gathered_and_undone_without_passing_through_itself():
    simulation = draped("exact")
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


@pytest.mark.parametrize("self_contact", ["exact", "points"])
def test_random_edits_of_cloth_that_touches_itself(self_contact):
    random = np.random.default_rng(3)
    simulation = draped(self_contact, side=7)
    start = topology(simulation)
    made = contacts = 0
    for n in range(120):
        before = totals(simulation)
        try:
            random_edit(simulation, random)
            made += 1
        except SuppleError:
            pass
        if self_contact == "points":  # exact contact parts the lips of a cut, which turns the cloth a little
            assert_kept(before, totals(simulation))
        while simulation.particle_count > 150:
            simulation.undo()
        if n % 3 == 0:
            report = simulation.step()
            assert report.is_finite
            contacts = max(contacts, report.self_contacts)
        if n % 30 == 29:
            assert_proper(simulation)
    assert made > 60 and contacts > 0
    while simulation.undoable:
        simulation.undo()
    found = topology(simulation)
    assert list(found) == list(start)
    for name in start:
        for a, b in zip(found[name], start[name], strict=True):
            np.testing.assert_array_equal(a, b)
