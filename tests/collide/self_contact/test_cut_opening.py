"""The two sides of a cut open, each into its own triangles."""

import numpy as np
import pytest

from supple.collide.self_contact.cut_opening import FRACTIONS, open_cut

TRIANGLES = np.array([[0, 1, 2], [3, 5, 4]])
BANKS = np.array([0, 1, 3, 4])


def book(angle: float) -> np.ndarray:
    """Return two triangles that share the place of an edge along y, `angle` apart [rad]."""
    other = (np.cos(angle), 0.5, np.sin(angle))
    return np.array([(0, 0, 0), (0, 1, 0), (1, 0.5, 0), (0, 0, 0), (0, 1, 0), other], dtype=float)


@pytest.mark.parametrize("angle", [0.01, 0.5, 2.0, np.pi])
@pytest.mark.parametrize("barred", [0, 1, len(FRACTIONS), 2 * len(FRACTIONS)])
def test_banks_go_into_their_own_triangle_however_sharp_the_fold(angle, barred):
    positions, calls = book(angle), []

    def is_free():
        calls.append(1)
        return len(calls) > barred

    assert open_cut(positions, TRIANGLES, BANKS, 0.01, is_free)
    assert len(calls) == barred + 1
    moved = positions - book(angle)
    way = 0.01 * FRACTIONS[barred % len(FRACTIONS)]
    np.testing.assert_allclose(np.linalg.norm(moved[BANKS], axis=1), way, rtol=1e-9)
    np.testing.assert_array_equal(moved[[2, 5]], 0.0)
    for bank, tip in ((0, 2), (1, 2), (3, 5), (4, 5)):
        inward = book(angle)[tip] * (1.0, 0.0, 1.0)
        # Into its triangle; at right angles to the cut where borders that were there before do not count.
        assert moved[bank] @ inward > (0.999 if barred == 2 * len(FRACTIONS) else 0.4) * way
        assert abs(moved[bank] @ np.cross(inward, (0.0, 1.0, 0.0))) < 1e-12  # and not out of its plane


def test_banks_go_no_farther_than_their_triangles_are_wide():
    positions = book(np.pi)
    open_cut(positions, TRIANGLES, BANKS, 10.0, lambda: True)
    assert np.abs(positions[BANKS] - book(np.pi)[BANKS]).max() < 0.2


def test_banks_that_cannot_open_stay_where_they_are():
    positions = book(0.5)
    assert not open_cut(positions, TRIANGLES, BANKS, 0.01, lambda: False)
    np.testing.assert_array_equal(positions, book(0.5))


@pytest.mark.parametrize("angle", [1e-6, 0.01, 0.5, 2.0, np.pi])
def test_where_pages_lie_on_each_other_the_last_way_leads_off_both(angle):
    positions, calls = book(angle), []

    def is_free():
        calls.append(1)
        return len(calls) > 3 * len(FRACTIONS)

    assert open_cut(positions, TRIANGLES, BANKS, 0.01, is_free)
    moved = positions - book(angle)
    # At right angles to the plane between the pages, each to its own side.
    between = np.array([np.sin(angle / 2), 0.0, -np.cos(angle / 2)])
    for bank, side in ((0, 1.0), (1, 1.0), (3, -1.0), (4, -1.0)):
        np.testing.assert_allclose(moved[bank], 0.01 * side * between, atol=1e-9)
