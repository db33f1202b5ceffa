"""Trunk, arms and legs are found on any figure that stands."""

from __future__ import annotations

import numpy as np
import pytest

from supple.errors import SuppleError
from supple.scene.dressing.figure import find_figure
from supple.scene.obstacles.furniture import desk
from supple.scene.obstacles.mannequin import mannequin


@pytest.mark.parametrize(
    ("height", "arms", "stance"),
    [(1.75, 24.0, 0.0), (1.6, 60.0, 5.0), (1.75, 90.0, 10.0), (1.9, (24.0, 70.0), 0.0)],
)
def test_regions_and_heights_of_the_mannequin_are_found_in_any_pose(height, arms, stance):
    figure = find_figure(*mannequin(height=height, arms_deg=arms, stance_deg=stance))
    size = height / 1.75
    assert np.allclose(figure.forward, (0.0, 0.0, 1.0))
    assert figure.crotch == pytest.approx(0.775 * size, abs=0.025)
    assert 1.2 * size < figure.armpit < 1.36 * size
    assert figure.neck == pytest.approx(1.475 * size, abs=0.02)
    assert figure.waist == pytest.approx(1.09 * size, abs=0.04)
    assert figure.head_girth == pytest.approx(0.55 * size, abs=0.02)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        hand, foot = figure.limbs[f"{side}-arm"].middles[-1], figure.limbs[f"{side}-leg"].middles[-1]
        assert sign * hand[0] > 0.35 * size and sign * foot[0] > 0.06 * size
        assert foot[1] < 0.1 and 0.6 < figure.limbs[f"{side}-leg"].arc[-1] / size < 0.8


def test_a_figure_that_is_turned_and_moved_faces_where_its_toes_point():
    vertices, triangles = mannequin()
    turned = vertices[:, [2, 1, 0]] * (1.0, 1.0, -1.0) + (3.0, 0.5, -2.0)  # what was ahead is now to +x
    figure = find_figure(turned, triangles)
    assert np.allclose(figure.forward, (1.0, 0.0, 0.0), atol=0.05)
    assert figure.crotch == pytest.approx(0.775 + 0.5, abs=0.025)
    hand = figure.limbs["left-arm"].middles[-1] - figure.centre
    assert hand @ figure.left > 0.35


def test_what_is_no_figure_is_told_with_the_limbs_that_were_found():
    with pytest.raises(SuppleError, match=r"the desk has \d legs and \d arms.*two of each"):
        find_figure(*desk(), "the desk")


def test_the_girth_of_the_trunk_is_that_of_its_cross_sections():
    figure = find_figure(*mannequin())
    waist, hips = figure.trunk_girth(np.array([figure.waist, 0.88]))
    assert waist == pytest.approx(0.69, abs=0.03) and hips == pytest.approx(0.95, abs=0.03)
