"""What is prepared for the first cut saves time, and changes nothing else."""

from __future__ import annotations

import time

import numpy as np
import pytest

import supple
from supple.edit.commands import prepare_cut
from supple.edit.editor import Editor
from supple.edit.mesh.cloth_record import build_cloth_record
from supple.edit.world.rebuild_bodies import body_springs
from tests.edit.judge import assert_proper, sheet

PATH = [(-0.3, 0.1, 0.0), (0.2, 0.15, 0.0)]


def hanging(*bodies):
    simulation = supple.Simulation(supple.Scene(*(bodies or (sheet(14).pinned("top"),))), substeps=2)
    for _ in range(3):
        simulation.step()
    return simulation


def record_made_now(simulation, name="cloth"):
    body = simulation.engine.world.bodies[name]
    points = simulation.engine.world.particles.positions[body.particles]
    return build_cloth_record(
        name, body.triangles, len(points), body_springs(simulation.engine.world, body), points
    )


def test_a_prepared_record_is_the_one_that_would_be_made_now():
    rope = supple.Chain(length=1.0, points=8, name="rope")
    simulation = hanging(rope, sheet(9, name="small"), sheet(14).pinned("top"))
    for name in ("cloth", "small"):
        expected = record_made_now(simulation, name)
        body = simulation.engine.world.bodies[name]
        springs = body_springs(simulation.engine.world, body)
        found = simulation.engine.editor.cut_preparation.cloth_record(name, body.triangles, springs)
        for key, array in vars(expected).items():
            np.testing.assert_array_equal(getattr(found, key), array, key)


@pytest.mark.parametrize("delay", [None, 0.2])
def test_cloth_moves_the_same_with_and_without(delay, monkeypatch):
    with monkeypatch.context() as without:
        without.setattr(Editor, "prepare", lambda self: None)
        plain = hanging()
    original = prepare_cut._prepare
    if delay:
        monkeypatch.setattr(prepare_cut, "_prepare", lambda cloths: time.sleep(delay) or original(cloths))
    prepared = hanging()
    for path in (PATH, [(-0.6, -0.2, 0.0), (0.6, -0.15, 0.0)]):
        for simulation in (plain, prepared):
            simulation.cut("cloth", path=path)
            for _ in range(3):
                simulation.step()
        assert plain.body_names == prepared.body_names
        for name in plain.body_names:
            np.testing.assert_array_equal(plain.positions(name), prepared.positions(name))
            np.testing.assert_array_equal(plain.triangles(name), prepared.triangles(name))
    assert_proper(prepared)


def test_the_record_of_cloth_that_has_shrunk_meanwhile_is_made_anew():
    simulation = hanging()
    simulation.shrink("cloth", list(range(40, 90)), ratio=0.7, seconds=0.05)
    for _ in range(5):
        simulation.step()
    expected = record_made_now(simulation)
    found = simulation.engine.editor.require_cloth_record(simulation.engine.world.bodies["cloth"])
    np.testing.assert_array_equal(found.corner_fractions, expected.corner_fractions)
    simulation.cut("cloth", path=PATH)
    assert_proper(simulation)


def test_large_cloth_is_not_prepared(monkeypatch):
    monkeypatch.setattr(prepare_cut, "MOST_TRIANGLES", 100)
    simulation = hanging()
    assert not simulation.engine.editor.cut_preparation.prepared_bodies
    simulation.cut("cloth", path=PATH)
    assert_proper(simulation)


def test_cloth_that_cannot_be_cut_says_so_when_it_is_cut():
    """Three triangles at one edge."""
    points = np.array([[0, 0, 0], [1, 0, 0], [0.5, 1, 0], [0.5, -1, 0], [0.5, 0, 1]], dtype=float)
    simulation = hanging(supple.Cloth.from_mesh(points, np.array([[0, 1, 2], [0, 1, 3], [0, 1, 4]])))
    for _ in range(2):
        with pytest.raises(supple.SuppleError, match="branches"):
            simulation.cut("cloth", plane=((0.5, 0.0, 0.0), (1.0, 0.0, 0.0)))
