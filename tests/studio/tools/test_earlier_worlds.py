"""A stroke that waited while another edit was made is made where it was drawn."""

from __future__ import annotations

import numpy as np
import pytest

from supple.errors import SuppleError
from supple.studio.connection import protocol
from supple.studio.tools.cloth_strokes import ClothStrokes
from supple.studio.tools.earlier_worlds import EarlierWorlds
from tests.studio.tools.test_cloth_strokes import STEP, drawn, hanging, line


def two_worlds(simulation, stroke):
    """Remember world 1, make a cut, and remember world 2."""
    worlds = EarlierWorlds()
    worlds.remember(1, simulation)
    ClothStrokes(simulation, 1).cut(protocol.Cut(world=1, paths=(stroke,), along_edges=False))
    worlds.remember(2, simulation)
    return worlds


def places_of(simulation, path):
    positions = simulation.surface(path.body)[0]
    return np.einsum("nk,nkx->nx", np.array(path.weights), positions[np.array(path.corners)])


def test_a_second_cut_drawn_before_the_first_was_made_cuts_where_it_was_drawn():
    simulation = hanging()
    first = drawn(simulation, *line((-0.49, 0.1), (0.49, 0.03)), from_beside=True, to_beside=True)
    wanted = line((-0.49, -0.3), (0.49, -0.25))
    second = drawn(simulation, *wanted, from_beside=True, to_beside=True)
    worlds = two_worlds(simulation, first)
    message = worlds.carried_over(protocol.Cut(world=1, paths=(second,), along_edges=False), 2)
    (path,) = message.paths
    assert simulation.positions(path.body)[:, 1].max() < 0.1 + STEP, "it lies on the lower piece"
    assert places_of(simulation, path)[:, :2] == pytest.approx(np.array(wanted), abs=1e-6)
    ClothStrokes(simulation, 2).cut(message)
    assert len(simulation.body_names) == 3


def test_a_stroke_across_an_earlier_cut_becomes_one_on_either_side():
    simulation = hanging()
    first = drawn(simulation, *line((-0.49, 0.02), (0.49, 0.02)), from_beside=True, to_beside=True)
    across = drawn(simulation, *line((0.1, 0.4), (0.1, -0.4)))
    worlds = two_worlds(simulation, first)
    message = worlds.carried_over(protocol.Erase(world=1, paths=(across,), radius=0.05), 2)
    above, below = (simulation.positions(path.body)[:, 1] for path in message.paths)
    assert below.max() < 0.02 + STEP and above.min() > 0.02 - STEP
    assert message.paths[0].to_beside and message.paths[1].from_beside
    assert sum(len(path.corners) for path in message.paths) == len(across.corners)


def test_a_stroke_of_the_present_world_is_left_alone_and_one_of_a_forgotten_world_is_refused():
    simulation = hanging()
    path = drawn(simulation, *line((-0.2, 0.0), (0.2, 0.0)))
    worlds = EarlierWorlds()
    worlds.remember(3, simulation)
    message = protocol.Cut(world=3, paths=(path,), along_edges=False)
    assert worlds.carried_over(message, 3) is message
    old = protocol.Cut(world=1, paths=(path,), along_edges=False)
    with pytest.raises(SuppleError, match="Draw it again"):
        ClothStrokes(simulation, 3).cut(worlds.carried_over(old, 3))
    worlds.clear()
    assert worlds.carried_over(old, 3) is old


def test_a_seam_keeps_the_longest_part_of_each_edge():
    simulation = hanging()
    first = drawn(simulation, *line((-0.49, 0.1), (0.49, 0.1)), from_beside=True, to_beside=True)
    left = drawn(simulation, *line((-0.49, 0.4), (-0.49, 0.2)))
    right = drawn(simulation, *line((0.49, 0.4), (0.49, 0.0)))
    worlds = two_worlds(simulation, first)
    message = worlds.carried_over(protocol.Sew(world=1, first=left, second=right), 2)
    assert message.world == 2
    assert message.first.body == message.second.body
    assert simulation.positions(message.first.body)[:, 1].min() > 0.09, "most of both lies above the cut"
