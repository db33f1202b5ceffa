"""Stitches of a scene are sewn when their time has come, in the direction they declare."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from tests.edit.judge import assert_kept, assert_proper, factor_error, totals


def pieces(direction="same", **options):
    """Return a scene of two sheets side by side, of unequal fineness, to be sewn along a side, and of an open tube."""
    a = supple.Cloth.rectangle(width=0.5, height=0.5, columns=9, rows=9, at=(-0.3, 0.0, 0.0), name="a")
    b = supple.Cloth.rectangle(width=0.5, height=0.5, columns=7, rows=6, at=(0.3, 0.0, 0.0), name="b")
    outline = [[-0.2, 0.0], [0.2, 0.0], [0.2, 0.2], [-0.2, 0.2]]
    c = supple.Cloth.panel(outline=outline, size=0.05, wrap={"radius": 0.08}, at=(0.0, 0.0, 0.5), name="c")
    side = supple.Stitch(a=("a", "right"), b=("b", "left"), direction=direction, **options)
    tube = supple.Stitch(a=("c", "edge-1"), b=("c", "edge-3"), seconds=0.2)
    return supple.Scene(a, b, c, side, tube, gravity=(0.0, 0.0, 0.0), drag=1.0)


def gap(simulation, number):
    seam = next(seam for seam in simulation.engine.editor.seams if seam.number == number)
    ends = simulation.engine.world.particles.positions[seam.pairs]
    return float(np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1).max())


def test_all_stitches_are_one_edit_that_can_be_taken_back():
    simulation = supple.Simulation(pieces())
    before, count = totals(simulation), simulation.particle_count
    simulation.step()
    assert simulation.seams == (0, 1) and simulation.undoable == ("sew",)
    assert simulation.particle_count > count  # points that lacked a partner got one
    assert_kept(before, totals(simulation))
    assert_proper(simulation)
    simulation.undo()
    assert simulation.seams == () and simulation.particle_count == count


def test_edges_of_two_cloths_are_held_and_those_of_one_are_welded():
    simulation = supple.Simulation(pieces(), integrator="filter")
    for _ in range(80):
        simulation.step()
    assert gap(simulation, 0) < 2e-3
    by_number = {seam.number: seam for seam in simulation.engine.editor.seams}
    assert by_number[1].is_welded and not by_number[0].is_welded
    assert_proper(simulation)
    assert factor_error(simulation) < 1e-10


def test_a_stitch_waits_for_its_time():
    simulation = supple.Simulation(pieces(time=0.1))
    for _ in range(5):
        simulation.step()
    assert simulation.seams == (0,)
    simulation.step()
    assert simulation.seams == (0, 1)


@pytest.mark.parametrize(("direction", "is_straight"), [("same", True), ("opposite", False)])
def test_the_direction_is_the_one_declared_not_the_nearer_one(direction, is_straight):
    simulation = supple.Simulation(pieces(direction))
    simulation.step()
    pairs = simulation.engine.editor.seams[0].pairs
    ends = simulation.engine.world.particles.positions[pairs]
    assert (np.abs(ends[:, 0, 1] - ends[:, 1, 1]).max() < 0.05) == is_straight


def test_a_seam_that_is_kept_open_is_not_welded():
    strip = supple.Cloth.rectangle(width=0.5, height=0.3, columns=11, rows=7)
    scene = supple.Scene(
        strip.pinned("left", "right"),
        supple.Stitch(a=("cloth", "left"), b=("cloth", "right"), direction="same"),
    )
    simulation = supple.Simulation(scene)
    for _ in range(60):
        assert simulation.step().is_finite
    assert simulation.particle_count == 77 and gap(simulation, 0) == pytest.approx(0.5)


def test_a_tube_can_be_sewn_on_where_a_weld_has_ended():
    """The length along an edge is that of its springs: at rest, welded points lie apart."""
    outline = [
        {"at": [-0.3, 0.0], "edge": "hem"},
        {"at": [0.3, 0.0], "edge": "right"},
        {"at": [0.3, 0.2], "edge": "right-band"},
        {"at": [0.3, 0.3], "edge": "waist"},
        {"at": [-0.3, 0.3], "edge": "left-band"},
        {"at": [-0.3, 0.2], "edge": "left"},
    ]
    tube = supple.Cloth.panel(outline=outline, size=0.04, wrap={"radius": 0.1})
    band = supple.Seam(body="cloth", points="left-band", other_points="right-band", seconds=0.1)
    slit = supple.Seam(body="cloth", time=0.4, points="left", other_points="right", seconds=0.1)
    simulation = supple.Simulation(
        supple.Scene(tube, band, slit, gravity=(0.0, 0.0, 0.0), drag=2.0), integrator="filter"
    )
    for _ in range(21):
        simulation.step()
    pairs = simulation.engine.editor.seams[1].pairs
    ends = simulation.engine.world.particles.positions[pairs]
    assert np.abs(ends[:, 0, 1] - ends[:, 1, 1]).max() < 0.01
    for _ in range(30):
        assert simulation.step().is_finite
    assert all(seam.is_welded for seam in simulation.engine.editor.seams)
    assert_proper(simulation)
    body = simulation.engine.world.bodies["cloth"]
    area = (body.ancestry.corner_fractions * body.shares[body.triangles]).sum(axis=1)
    assert area.sum() == pytest.approx(0.6 * 0.3, rel=1e-9) and area.min() > 0.0


def test_a_stitch_of_what_was_cut_away_is_left_out_with_a_warning():
    cut = supple.Cut(body="a", time=0.0, plane_point=(-0.3, 0.0, 0.0), plane_normal=(1.0, 0.0, 0.0))
    scene = pieces(time=0.1)
    simulation = supple.Simulation(scene.changed(edits=(cut,)))
    with pytest.warns(RuntimeWarning, match="less than two points are left"):
        for _ in range(8):
            simulation.step()
