"""Furniture and mannequin: real meshes, closed, of believable size."""

from __future__ import annotations

import numpy as np
import pytest

from supple.errors import SuppleError
from supple.scene.obstacles.furniture import chair, desk, lamp, shelf
from supple.scene.obstacles.mannequin import mannequin
from supple.scene.obstacles.mesh_parts import is_closed, mirrored, rod, rounded_box, turned_part

FIGURES = [desk, chair, lamp, shelf, mannequin]


def volume(vertices, triangles):
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    return float(np.sum(a * np.cross(b, c)) / 6.0)


@pytest.mark.parametrize("make", FIGURES)
def test_a_figure_is_a_closed_mesh_of_ten_thousand_triangles_on_the_floor(make):
    vertices, triangles = make()
    assert len(triangles) >= 10_000
    assert is_closed(triangles)
    assert np.array_equal(np.unique(triangles), np.arange(len(vertices)))
    assert volume(vertices, triangles) > 0.0
    assert vertices[:, 1].min() == pytest.approx(0.0, abs=1e-9)
    sides = vertices[triangles] - np.roll(vertices[triangles], 1, axis=1)
    assert np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1).min() > 0.0


@pytest.mark.parametrize("make", FIGURES)
def test_the_same_call_gives_the_same_mesh(make):
    (a, b), (c, d) = make(), make()
    assert np.array_equal(a, c)
    assert np.array_equal(b, d)


@pytest.mark.parametrize(
    ("make", "size"),
    [
        (desk, (1.4, 0.74, 0.7)),
        (chair, (0.67, 1.12, 0.69)),
        (lamp, (0.39, 0.51, 0.18)),
        (shelf, (0.9, 1.8, 0.3)),
        (mannequin, (0.96, 1.75, 0.31)),
    ],
)
def test_a_figure_has_the_size_of_the_real_thing(make, size):
    vertices, _ = make()
    np.testing.assert_allclose(np.ptp(vertices, axis=0), size, atol=0.02)


def test_the_mannequin_is_symmetric_and_as_heavy_as_a_person():
    vertices, triangles = mannequin()
    assert vertices[:, 0].max() == pytest.approx(-vertices[:, 0].min(), abs=1e-3)
    assert 0.05 < volume(vertices, triangles) < 0.08


@pytest.mark.parametrize("arms_deg", [15.0, 50.0, 100.0, (90.0, 20.0)])
def test_the_arms_of_the_mannequin_move_and_it_stays_closed(arms_deg):
    vertices, triangles = mannequin(arms_deg=arms_deg, spacing=0.016)
    assert is_closed(triangles)
    assert vertices[:, 1].max() == pytest.approx(1.75, abs=0.01)
    if isinstance(arms_deg, tuple):
        assert vertices[:, 0].max() > 0.85
        assert vertices[:, 0].min() > -0.5


def test_a_smaller_mannequin_is_the_same_figure():
    vertices, _ = mannequin(height=1.4)
    assert vertices[:, 1].max() == pytest.approx(1.4)


@pytest.mark.parametrize(
    "wrong", [{"arms_deg": 5.0}, {"arms_deg": (20.0, 170.0)}, {"height": 0.0}, {"spacing": 0.5}]
)
def test_a_mannequin_that_cannot_stand_is_refused(wrong):
    with pytest.raises(SuppleError, match="mannequin"):
        mannequin(**wrong)


def test_a_taller_desk_and_a_wider_shelf_stay_closed():
    assert is_closed(desk(1.8, 0.8, 0.9)[1])
    assert is_closed(shelf(1.2, 2.2, 0.35, 6)[1])


def test_parts_have_the_volume_of_their_formulas():
    assert volume(*rounded_box((1.0, 2.0, 3.0), 1e-6)) == pytest.approx(6.0, rel=1e-4)
    assert volume(*mirrored(rounded_box((1.0, 2.0, 3.0), 0.1))) < 6.0
    assert volume(*rod((0, 0, 0), (0, 0, 2), (0.1, 0.1), 96)) == pytest.approx(2 * np.pi * 0.01, rel=0.02)
    ring = turned_part([(1.0, 0.0), (1.2, 0.0), (1.2, 0.1), (1.0, 0.1)], 96)
    assert volume(*ring) == pytest.approx(np.pi * 0.044, rel=0.01)
