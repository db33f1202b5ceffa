"""What is known of contact outlasts an edit, and nothing near is missed."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.collide.broad_phase.neighbour_list import NeighbourList
from tests.collide.referee import Referee

SIDE = 24


def stacked(frames=12, **more):
    """Return two sheets, one lying on the other."""

    def lying(name, height, **options):
        return supple.Cloth.rectangle(
            width=0.6, height=0.6, columns=SIDE, rows=SIDE, plane="xz", name=name, at=(0.0, height, 0.0),
            self_contact="exact", **options,
        )  # fmt: skip

    low = lying("low", 0.0).pinned("top", "bottom")
    scene = supple.Scene(low, lying("high", 0.012, velocity=(0.05, -0.3, 0.0)), **more)
    simulation = supple.Simulation(scene, substeps=3, integrator="filter")
    for _ in range(frames):
        simulation.step()
    assert simulation.engine.contact.contact_count > 100
    return simulation


def cut_high(simulation):
    places = simulation.positions("high")
    start, end = places[SIDE * 10 + 9], places[SIDE * 11 + 13]
    simulation.cut("high", path=[tuple(start), tuple(end)])


def cut_low(simulation):
    places = simulation.positions("low")
    simulation.cut("low", path=[tuple(places[SIDE * 5 + 4]), tuple(places[SIDE * 9 + 5])])


def stroke(simulation):
    x, y, z = simulation.positions("high").mean(axis=0)
    simulation.cut("high", plane=((x, y, z), (1.0, 0.0, 0.3)))


def cut_twice(simulation):
    cut_high(simulation)
    cut_low(simulation)


def cut_and_undo(simulation):
    cut_high(simulation)
    for _ in range(3):
        simulation.step()
    simulation.undo()
    assert simulation.engine.contact.neighbours.is_valid


def undo_and_redo(simulation):
    cut_low(simulation)
    simulation.step()
    simulation.undo()
    simulation.step()
    simulation.redo()


EDITS = [cut_high, cut_low, stroke, cut_twice, cut_and_undo, undo_and_redo]


def listed(near):
    """Return the pairs of a list that are not struck out, each with its gap [m]."""
    pairs = near.pairs
    found = {}
    for n in range(pairs.count):
        if np.isfinite(pairs.gaps[n]):
            i, j, k, m = pairs.points[n].tolist()
            is_edges = bool(pairs.is_edges[n])
            sides = (
                (tuple(sorted((i, j))), tuple(sorted((k, m))))
                if is_edges
                else ((i,), tuple(sorted((j, k, m))))
            )
            key = (is_edges, tuple(sorted(sides)) if is_edges else sides)
            assert key not in found, "a pair is listed twice"
            found[key] = float(pairs.gaps[n])
    return found


@pytest.mark.parametrize("edit", EDITS)
def test_no_pair_that_is_near_is_missed_after_an_edit(edit):
    simulation = stacked()
    edit(simulation)
    contact = simulation.engine.contact
    positions, step = simulation.engine.world.particles.positions, 1e-3
    still = np.zeros_like(positions)
    fresh = NeighbourList(contact.bvh, contact.root_pairs, simulation.engine.world.particles.rest_positions)
    fresh.tune(contact.neighbours.touch, contact.neighbours.edge_touch)
    fresh.list_all(positions, positions, fresh.touch, fresh.edge_touch)
    contact.neighbours.follow(positions, positions.copy(), still, step, contact.contacts)
    found, needed = listed(contact.neighbours), listed(fresh)
    assert len(needed) > 1000
    assert needed.keys() <= found.keys()
    # What is proved of a pair is no more than is true.
    slack = 2.0 * min(contact.neighbours.largest_deviation, contact.neighbours.skin)
    assert all(found[key] <= gap + slack + 1e-9 for key, gap in needed.items())


@pytest.mark.parametrize("edit", [cut_high, cut_low])
def test_contacts_away_from_a_cut_keep_their_impulses(edit):
    simulation = stacked(drag=5.0)  # else the sheets leave their paths, cut or not
    before = simulation.engine.contact
    impulses = before.contacts.impulses[: before.contacts.count].copy()
    edit(simulation)
    contacts = simulation.engine.contact.contacts
    assert simulation.engine.contact is not before
    assert 0.8 * len(impulses) < contacts.count < len(impulses)
    assert set(contacts.impulses[: contacts.count].tolist()) <= set(impulses.tolist())
    assert simulation.engine.contact.neighbours.is_valid
    simulation.step()
    assert simulation.engine.contact.neighbours.rebuilds <= 1


def test_a_cut_of_cloth_at_rest_lists_only_what_it_has_touched():
    cloth = supple.Cloth.rectangle(width=1.0, height=1.0, columns=40, rows=40, self_contact="exact")
    simulation = supple.Simulation(supple.Scene(cloth.pinned("top")), substeps=2, integrator="filter")
    for _ in range(8):
        simulation.step()
    simulation.cut("cloth", path=[(0.0, 0.1, 0.0), (0.05, 0.12, 0.0)])
    simulation.step()
    near = simulation.engine.contact.neighbours
    assert near.rebuilds == 0 and near.redirections >= 1


@pytest.mark.parametrize("edit", EDITS)
def test_nothing_passes_through_anything_afterwards(edit):
    simulation = stacked()
    edit(simulation)
    for _ in range(12):
        assert simulation.step().is_finite
        assert not Referee(simulation).sees_intersections()
    while simulation.undoable:
        simulation.undo()
        simulation.step()
        assert not Referee(simulation).sees_intersections()


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("frames", [0, 2])
def test_a_state_saved_after_an_edit_goes_on_bit_for_bit(edit, frames, tmp_path):
    simulation = stacked()
    edit(simulation)
    for _ in range(frames):
        simulation.step()
    simulation.save(tmp_path / "state.npz")
    loaded = supple.Simulation.load(tmp_path / "state.npz")
    for _ in range(8):
        simulation.step()
        loaded.step()
        for name in simulation.body_names:
            np.testing.assert_array_equal(simulation.positions(name), loaded.positions(name))
            np.testing.assert_array_equal(simulation.velocities(name), loaded.velocities(name))


def test_a_seam_that_changes_no_triangle_leaves_contact_as_it_is():
    simulation = stacked()
    before = simulation.engine.contact
    chains = [SIDE * row + 3 for row in range(8, 12)], [SIDE * row + 5 for row in range(8, 12)]
    simulation.seam(("high", chains[0]), ("high", chains[1]), seconds=0.3, weld=False)
    assert simulation.engine.contact is before
    for _ in range(10):
        simulation.step()
        assert not Referee(simulation).sees_intersections()
