"""Cuts split triangles along a path, keep what must be kept, and leave a proper surface."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple import SuppleError
from tests.edit.judge import area, assert_kept, assert_proper, factor_error, moving, sheet, totals
from tests.physics.bodies import irregular_mesh

PATHS = {
    "across": [(-0.6, 0.13, 0.0), (0.6, -0.21, 0.0)],
    "into it": [(-0.6, 0.1, 0.0), (0.1, 0.05, 0.0)],
    "inside": [(-0.2, 0.1, 0.0), (0.2, 0.15, 0.0)],
    "bent": [(-0.3, 0.3, 0.0), (0.0, -0.2, 0.0), (0.3, 0.3, 0.0)],
    "crossing itself": [(-0.3, 0.0, 0.0), (0.3, 0.1, 0.0), (0.1, 0.35, 0.0), (0.0, -0.3, 0.0)],
    "out and in again": [(-0.4, 0.4, 0.0), (-0.7, 0.1, 0.0), (0.2, 0.0, 0.0)],
    "along a row": [(-0.5, 1.0 / 30.0, 0.0), (0.5, 1.0 / 30.0, 0.0)],
}


@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)
def test_a_cut_keeps_mass_momentum_and_area_and_leaves_a_proper_surface(path):
    simulation = moving(sheet())
    before, whole, count = totals(simulation), area(simulation), simulation.particle_count
    simulation.cut("cloth", path=path)
    assert simulation.particle_count > count
    assert_kept(before, totals(simulation))
    assert area(simulation) == pytest.approx(whole, rel=1e-11)
    assert_proper(simulation)
    assert factor_error(simulation) < 1e-10
    assert all(simulation.step().is_finite for _ in range(10))


def test_a_plane_parts_a_cloth_in_two_bodies_as_large_as_its_sides():
    simulation = moving(sheet(24))
    before = totals(simulation)
    simulation.cut("cloth", plane=((0.1, 0.0, 0.0), (1.0, 0.2, 0.0)))
    assert simulation.body_names == ("cloth", "cloth-piece-1")
    assert_kept(before, totals(simulation))
    assert_proper(simulation)
    masses = [simulation.masses(name).sum() for name in simulation.body_names]
    # The plane passes 0.1 m right of the centre: 60 % of the cloth lie left of it.
    assert masses[0] / sum(masses) == pytest.approx(0.6, abs=0.02)
    assert factor_error(simulation) < 1e-10


def test_a_piece_that_came_off_flies_by_itself():
    simulation = supple.Simulation(supple.Scene(sheet().pinned("top")), integrator="filter")
    simulation.step()
    simulation.cut("cloth", path=PATHS["across"])
    for _ in range(25):
        report = simulation.step()
    assert report.is_finite
    fallen = simulation.positions("cloth-piece-1")[:, 1]
    hanging = simulation.positions("cloth")[:, 1]
    assert fallen.max() < hanging.min() - 0.2
    assert simulation.origin("cloth-piece-1")[0] == "cloth"


def test_a_cut_is_as_straight_as_the_path():
    """No staircase: the new border leaves the line by less than half an edge."""
    simulation = supple.Simulation(supple.Scene(sheet(30)), integrator="filter")
    start, end = np.array([-0.6, 0.13, 0.0]), np.array([0.6, -0.21, 0.0])
    simulation.cut("cloth", path=[start, end])
    sides = np.sort(
        np.concatenate([simulation.triangles("cloth")[:, pair] for pair in ([0, 1], [1, 2], [2, 0])]), axis=1
    )
    unique, counts = np.unique(sides, axis=0, return_counts=True)
    border = simulation.positions("cloth")[np.unique(unique[counts == 1])]
    is_inner = np.abs(border[:, :2]).max(axis=1) < 0.499
    along = (end - start) / np.linalg.norm(end - start)
    away = border[is_inner] - start
    distance = np.linalg.norm(away - (away @ along)[:, None] * along, axis=1)
    assert len(distance) > 25
    assert distance.max() < 0.45 / 29.0


def test_no_sliver_is_left_after_many_cuts():
    simulation = supple.Simulation(supple.Scene(sheet(20)), integrator="filter")
    random = np.random.default_rng(3)
    for _ in range(12):
        ends = np.c_[random.uniform(-0.5, 0.5, (2, 2)), [0.0, 0.0]]
        simulation.cut("cloth", path=ends)
    assert_proper(simulation)
    worst = 1.0
    for name in simulation.body_names:
        a, b, c = (simulation.positions(name)[simulation.triangles(name)[:, n]] for n in range(3))
        doubled = np.linalg.norm(np.cross(b - a, c - a), axis=1)
        squares = sum(((p - q) ** 2).sum(axis=1) for p, q in ((a, b), (b, c), (c, a)))
        worst = min(worst, float((2.0 * np.sqrt(3.0) * doubled / squares).min()))
    assert worst > 0.1


def test_a_cloth_of_any_mesh_can_be_cut():
    vertices, triangles = irregular_mesh(points=9)
    cloth = supple.Cloth.from_mesh(vertices, triangles)
    simulation = moving(cloth)
    before = totals(simulation)
    middle = simulation.positions("cloth").mean(axis=0)
    simulation.cut("cloth", plane=(middle, (1.0, 0.3, 0.1)))
    assert_kept(before, totals(simulation))
    assert_proper(simulation)
    assert len(simulation.body_names) == 2


def test_stiffness_of_a_cloth_that_was_cut_along_its_load_hardly_changes():
    """A strip pulled along its length hangs as far after a cut along the pull as before."""

    def length(is_cut):
        cloth = supple.Cloth.rectangle(
            width=0.5, height=1.0, columns=11, rows=21, material=supple.Material(
                area_density=0.2, stretch_stiffness=20.0, shear_stiffness=5.0, bending_stiffness=1e-6, damping=0.1
            )
        )  # fmt: skip
        simulation = supple.Simulation(supple.Scene(cloth.pinned("top"), drag=3.0), integrator="filter")
        if is_cut:
            simulation.cut("cloth", path=[(0.013, -0.6, 0.0), (0.013, 0.31, 0.0)])
        for _ in range(200):
            simulation.step()
        return 0.5 - simulation.positions("cloth")[:, 1].min()

    assert length(True) == pytest.approx(length(False), rel=0.02)


def test_wind_blows_on_every_piece():
    """Pieces drift with the wind, also if it rises only after the cut."""
    for is_early in (True, False):
        wind = supple.Wind(velocity=(0.0, 0.0, 5.0))
        scene = supple.Scene(sheet(8), *([wind] if is_early else []), gravity=(0.0, 0.0, 0.0))
        simulation = supple.Simulation(scene, integrator="filter")
        simulation.cut("cloth", plane=((0.0, 0.0, 0.0), (1.0, 0.1, 0.0)))
        if not is_early:
            simulation.set(wind=wind)
        for _ in range(10):
            simulation.step()
        for name in simulation.body_names:
            assert simulation.positions(name)[:, 2].mean() > 0.01


def test_pins_hold_both_copies_of_a_point_that_is_cut_through():
    simulation = supple.Simulation(supple.Scene(sheet(15).pinned("top")), integrator="filter")
    simulation.step()
    held = len(simulation.pinned("cloth"))
    simulation.cut("cloth", path=[(0.0, 0.6, 0.0), (0.0, 0.0, 0.0)])
    assert len(simulation.pinned("cloth")) == held + 1
    simulation.step()
    top = simulation.positions("cloth")[simulation.pinned("cloth")]
    np.testing.assert_allclose(top[:, 1], 0.5, atol=1e-12)


BAD = {
    "nothing": ({}, "needs one of `path`, `plane` and `edges`"),
    "both": ({"path": PATHS["across"], "plane": ((0, 0, 0), (1, 0, 0))}, "needs one of"),
    "one point": ({"path": [(0.0, 0.0, 0.0)]}, "two or more points"),
    "numbers": ({"path": [1.0, 2.0]}, "two or more points"),
    "not finite": ({"path": [(0.0, 0.0, 0.0), (np.nan, 0.0, 0.0)]}, "finite"),
    "standing still": ({"path": [(0.1, 0.0, 0.0), (0.1, 0.0, 0.0)]}, "stays at one point"),
    "off the cloth": ({"path": [(3.0, 0.0, 0.0), (4.0, 0.0, 0.0)]}, "does not touch"),
    "a scratch": ({"path": [(0.0, 0.0, 0.0), (0.001, 0.0, 0.0)]}, "too short"),
    "plane beside": ({"plane": ((3.0, 0.0, 0.0), (1.0, 0.0, 0.0))}, "does not pass"),
    "no normal": ({"plane": ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))}, "no direction"),
    "no plane": ({"plane": 3.0}, "a point and a normal"),
    "no edge": ({"edges": [0, 63]}, "no edge of 'cloth' joins"),
    "edges of the border": ({"edges": [0, 1, 2]}, "too short"),
    "no such vertex": ({"edges": [0, 64]}, "from 0 to 63"),
}


@pytest.mark.parametrize("case", BAD.values(), ids=BAD)
def test_bad_cuts_are_refused_and_change_nothing(case):
    arguments, message = case
    simulation = supple.Simulation(supple.Scene(sheet(8)), integrator="filter")
    simulation.step()
    before = simulation.positions("cloth").copy(), simulation.triangles("cloth").copy(), simulation.revision
    with pytest.raises(SuppleError, match=message):
        simulation.cut("cloth", **arguments)
    np.testing.assert_array_equal(simulation.positions("cloth"), before[0])
    np.testing.assert_array_equal(simulation.triangles("cloth"), before[1])
    assert simulation.revision == before[2]
    with pytest.raises(SuppleError, match="nothing to undo"):
        simulation.undo()


def test_scissors_open_the_edges_they_follow_and_split_none():
    simulation = moving(sheet(8))
    before, count = totals(simulation), len(simulation.triangles("cloth"))
    column = [8 * row + 3 for row in range(8)]
    simulation.cut("cloth", edges=column)
    assert simulation.body_names == ("cloth", "cloth-piece-1")
    assert_kept(before, totals(simulation))
    assert_proper(simulation)
    assert sum(len(simulation.triangles(name)) for name in simulation.body_names) == count
    assert sorted(len(simulation.positions(name)) for name in simulation.body_names) == [32, 40]


def test_bodies_without_a_surface_cannot_be_cut():
    simulation = supple.Simulation(supple.Scene(supple.Chain(length=1.0, points=5)), integrator="filter")
    with pytest.raises(SuppleError, match="no surface"):
        simulation.cut("chain", plane=((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)))


def test_a_surface_that_branches_cannot_be_cut():
    vertices = np.array([[0, 0, 0], [1, 0, 0], [0.5, 1, 0], [0.5, -1, 0], [0.5, 0, 1]], dtype=float)
    triangles = np.array([[0, 1, 2], [0, 1, 3], [0, 1, 4]])
    simulation = supple.Simulation(
        supple.Scene(supple.Cloth.from_mesh(vertices, triangles)), integrator="filter"
    )
    with pytest.raises(SuppleError, match="branches"):
        simulation.cut("cloth", plane=((0.5, 0.0, 0.0), (1.0, 0.0, 0.0)))
    assert simulation.body_names == ("cloth",) and not simulation.undoable
