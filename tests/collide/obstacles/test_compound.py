"""Obstacles that stand still: a grid says which of them matter where, and changes no answer."""

import math

import numpy as np
import pytest

import supple
from supple.collide.obstacles import compound
from supple.collide.obstacles.compound import Compound, cell_at, measure_cells
from supple.collide.obstacles.obstacles import Obstacles
from supple.collide.obstacles.particle_contact import collide_particles

MOVING = 7
"""Index of the one that moves in `things`."""


def things():
    """Return a dozen solids, one of them moving, one without end and one that repels."""
    generator = np.random.default_rng(3)
    balls = [
        supple.Sphere(radius=0.05, at=tuple(generator.uniform((-0.4, -0.1, -0.4), (0.4, 0.1, 0.4))))
        for _ in range(MOVING)
    ]
    return (
        *balls,
        supple.Sphere(radius=0.05, at=(0.0, 0.2, 0.0), motion=lambda t: ((0.1 * t, 0, 0), (0, 0, 0))),
        supple.Plane(at=(0.0, -0.3, 0.0)),
        supple.Sphere(radius=0.05, at=(0.3, 0.2, 0.3), response="repel"),
        supple.Box(size=(0.2, 0.02, 0.1), at=(-0.3, 0.15, 0.2), rotation=(0.3, 0.4, 0.5)),
        supple.Torus(radius=0.1, tube=0.03, at=(0.3, 0.1, -0.3), rotation=(1.0, 0.0, 0.0)),
    )


def scene(*obstacles, points=24):
    cloth = supple.Cloth.rectangle(
        width=1.0, height=1.0, columns=points, rows=points, plane="xz", at=(0.0, 0.3, 0.0), material="cotton"
    )
    return supple.Scene(cloth, *obstacles, drag=0.5)


def listed(found, cell):
    return found.members[found.firsts[cell] : found.firsts[cell + 1]].tolist()


def test_what_a_cell_does_not_list_is_as_far_away_as_it_says():
    stage = supple.Simulation(scene(*things())).engine.obstacles
    found = stage.compound
    generator = np.random.default_rng(0)
    names = set()
    for x, y, z in generator.uniform(-1.2, 1.2, (3000, 3)) * (0.6, 0.4, 0.6):
        cell, clear = cell_at(found, x, y, z)
        inside = listed(found, cell)
        names.add(tuple(inside))
        for o in set(range(12)) - set(inside) - {9}:
            turn, place = stage.poses.t1[o, :9].reshape(3, 3), stage.poses.t1[o, 9:]
            local = turn.T @ (np.array([x, y, z]) - place)
            assert compound.distance_to(stage.solids, o, *local)[0] > clear - 1e-12
    assert len(names) > 10
    assert {MOVING, 8} <= set.intersection(*(set(name) for name in names))


def test_solids_that_repel_are_listed_nowhere_and_the_last_list_has_all_others():
    found = supple.Simulation(scene(*things())).engine.obstacles.compound
    assert 9 not in found.members
    assert listed(found, len(found.clears) - 1) == [o for o in range(12) if o != 9]
    assert all(np.all(np.diff(listed(found, cell)) > 0) for cell in range(len(found.clears)))


def test_far_away_only_what_moves_or_has_no_end_is_listed():
    found = supple.Simulation(scene(*things())).engine.obstacles.compound
    cell, clear = cell_at(found, 50.0, 0.0, 0.0)
    assert listed(found, cell) == [MOVING, 8]
    assert 49.0 < clear < 50.0


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_place_that_is_none_lies_outside(bad):
    found = supple.Simulation(scene(*things())).engine.obstacles.compound
    cell, _ = cell_at(found, bad, 0.0, 0.0)
    assert cell == len(found.clears) - 2


def test_cloth_falls_on_a_dozen_obstacles_as_it_does_without_the_grid(monkeypatch):
    solids = [each for each in things() if each.response == "project"]
    with_grid = supple.Simulation(scene(*solids))
    monkeypatch.setattr(compound, "FEW", 100)
    without = supple.Simulation(scene(*solids))
    assert with_grid.engine.obstacles.compound.counts.prod() > 1000
    assert without.engine.obstacles.compound is None
    most = 0
    for _ in range(20):
        a, b = with_grid.step(), without.step()
        assert with_grid.depth() < 1e-4
        assert a.contacts == b.contacts
        most = max(most, a.contacts)
    assert most > 10
    np.testing.assert_allclose(with_grid.positions("cloth"), without.positions("cloth"), atol=1e-7)


def test_a_shot_through_many_cells_hits_what_lies_on_its_way():
    rods = [
        supple.Cylinder(start=(x, -0.3, 0.0), end=(x, 0.3, 0.0), radius=0.002)
        for x in np.linspace(-0.5, 0.5, 8)
    ]
    plate = supple.Box(size=(0.001, 0.6, 0.6), at=(0.4, 0.0, 0.3))
    cloth = supple.Cloth.rectangle(
        width=0.1, height=0.1, columns=3, rows=3, at=(0.0, 0.0, 0.2), rotation=(0.0, 1.5, 0.0),
        velocity=(400.0, 0.0, 0.0),
    )  # fmt: skip
    simulation = supple.Simulation(supple.Scene(cloth, *rods, plate, gravity=(0.0, 0.0, 0.0)))
    for _ in simulation.run(0.2):
        assert simulation.positions("cloth")[:, 0].max() < 0.4
        assert simulation.depth() < 1e-4


def test_an_obstacle_taken_by_hand_leaves_the_grid_and_still_stops_cloth():
    simulation = supple.Simulation(scene(*(each for each in things() if each.response == "project")))
    assert 0 not in listed(
        simulation.engine.obstacles.compound, len(simulation.engine.obstacles.compound.clears) - 2
    )
    simulation.move_obstacle("sphere", (0.0, 0.25, 0.0))
    assert 0 in listed(
        simulation.engine.obstacles.compound, len(simulation.engine.obstacles.compound.clears) - 2
    )
    for _ in simulation.run(0.3):
        assert simulation.depth() < 1e-4
    assert simulation.positions("cloth")[:, 1].max() > 0.28


def test_plain_python_measures_and_finds_the_same_cells():
    stage = supple.Simulation(scene(*things(), points=3)).engine.obstacles
    grid, counts = stage.compound.grid, np.array([3, 2, 2])
    solids = np.array([0, 10, 11])
    compiled, plain = np.empty((12, 3)), np.empty((12, 3))
    arguments = stage.solids, stage.poses.t1, grid, counts, 0.1, solids
    measure_cells(*arguments, compiled)
    measure_cells.py_func(*arguments, plain)
    np.testing.assert_allclose(compiled, plain, rtol=1e-12)
    for place in np.random.default_rng(1).uniform(-1.0, 1.0, (50, 3)):
        arguments = stage.compound, *place
        assert cell_at(*arguments) == pytest.approx(cell_at.py_func(*arguments), rel=1e-12)


def test_few_obstacles_need_no_lists():
    for solids in ((), things()[:3]):
        assert supple.Simulation(scene(*solids)).engine.obstacles.compound is None
    assert isinstance(supple.Simulation(scene(*things())).engine.obstacles.compound, Compound)


def test_a_saved_state_goes_on_bit_for_bit_among_many_obstacles(tmp_path):
    path = tmp_path / "half-way.npz"
    resting = [solid for solid in things() if solid.motion is None]
    simulation = supple.Simulation(scene(*resting, points=12))
    for _ in range(30):
        simulation.step()
    simulation.save(path)
    loaded = supple.Simulation.load(path)
    for _ in range(60):
        simulation.step()
        loaded.step()
    assert simulation.engine.obstacles.contact_count > 0
    np.testing.assert_array_equal(loaded.positions("cloth"), simulation.positions("cloth"))


def test_a_state_that_lists_solids_beyond_the_last_is_refused():
    stage = supple.Simulation(scene(*things(), points=3)).engine.obstacles
    saved = stage.state() | {"lists": np.full((9, 2), 10**9)}
    with pytest.raises(ValueError, match="lists"):
        stage.restore(saved)


@pytest.mark.parametrize("solid", [10**9, -7, np.nan])
def test_a_state_whose_planes_belong_to_no_solid_is_refused(solid):
    stage = supple.Simulation(scene(*things(), points=3)).engine.obstacles
    with pytest.raises(ValueError, match="planes"):
        stage.restore(stage.state() | {"planes": np.full((9, 8), solid, dtype=np.float64)})


def test_contact_in_plain_python_is_the_same_among_many_obstacles(monkeypatch):
    compiled, plain = (supple.Simulation(scene(*things(), points=5), substeps=1) for _ in range(2))
    for _ in range(12):
        compiled.step()
    monkeypatch.setattr("supple.collide.obstacles.obstacles.collide_particles", collide_particles.py_func)
    assert isinstance(plain.engine.obstacles, Obstacles)
    for _ in range(12):
        plain.step()
    assert compiled.engine.obstacles.contact_count > 0
    np.testing.assert_allclose(plain.positions("cloth"), compiled.positions("cloth"), atol=1e-9)
