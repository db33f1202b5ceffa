"""What the guard stops is not torn by what goes on, and what moves together can still find back."""

from __future__ import annotations

import numpy as np
import pytest

from supple.collide.self_contact.strained_edges import (
    Loosening,
    count_strained,
    edge_length,
    go_on,
    hold_back,
    shorten_long,
    spread_shares,
)

CHAIN = np.array([(0, 1), (1, 2), (2, 3)], dtype=np.uint32)


def chain(*places):
    return np.array([(x, 0.0, 0.0) for x in places])


@pytest.mark.parametrize("spread", [spread_shares, spread_shares.py_func])
def test_strained_edges_give_the_smaller_share_to_both_ends(spread):
    starts, lengths = chain(0.0, 1.0, 2.0, 3.0), np.ones(3)
    ends = chain(0.0, 2.0, 3.1, 4.2)  # the first edge would be torn
    shares = np.array([0.1, 1.0, 0.8, 1.0])
    assert spread(CHAIN, lengths, 1.5, starts, ends, shares)
    np.testing.assert_array_equal(shares, [0.1, 0.1, 0.8, 1.0])
    assert not spread(CHAIN, lengths, 1.5, starts, ends, shares)
    # An edge that is long but gets shorter is left alone: it finds back.
    shares[:] = (0.1, 1.0, 1.0, 1.0)
    assert not spread(CHAIN, lengths, 1.5, chain(0.0, 3.0, 4.0, 5.0), ends, shares)


@pytest.mark.parametrize("count", [count_strained, count_strained.py_func])
def test_strained_edges_count_within_one_zone_only(count):
    starts, lengths = chain(0.0, 2.0, 4.0, 5.0), np.ones(3)
    assert count(CHAIN, lengths, 1.5, starts, np.array([0, 0, 0, 0], dtype=np.int32)) == 2
    assert count(CHAIN, lengths, 1.5, starts, np.array([0, 1, 1, 1], dtype=np.int32)) == 1
    assert count(CHAIN, lengths, 1.5, starts, np.array([0, 1, 2, 2], dtype=np.int32)) == 0


@pytest.mark.parametrize("is_compiled", [True, False])
def test_points_go_shares_of_short_ways(is_compiled):
    kernels = (go_on, hold_back, shorten_long, edge_length)
    go, hold, shorten, length = kernels if is_compiled else (kernel.py_func for kernel in kernels)
    ways = np.array([(3.0, 4.0, 0.0), (0.1, 0.0, 0.0), (0.0, 0.0, -0.5)])
    shorten(0.5, ways)
    np.testing.assert_allclose(ways, [(0.3, 0.4, 0.0), (0.1, 0.0, 0.0), (0.0, 0.0, -0.5)])
    shares, ends = np.ones(3), np.zeros((3, 3))
    pairs = np.array([(0, 0, 0, 0), (0, 1, 1, 1)], dtype=np.int32)
    hold(1, np.array([1], dtype=np.int32), pairs, 0.5, shares)
    np.testing.assert_allclose(shares, [0.5, 0.125, 1.0])
    go(np.ones((3, 3)), ways, shares, ends)
    np.testing.assert_allclose(ends, 1.0 + shares[:, None] * ways)
    assert length(ends, 0, 1) == pytest.approx(np.linalg.norm(ends[0] - ends[1]))


def test_loosened_points_go_their_own_way_and_back_with_their_zone_to_the_bit():
    starts, wishes, together = (np.random.default_rng(n).uniform(-1.0, 1.0, (4, 3)) for n in range(3))
    loosening, ends = Loosening(4), together.copy()
    loosening.begin(starts, wishes, 10.0, ends)
    np.testing.assert_allclose(ends, starts + wishes)
    loosening.begin(starts, wishes, 0.01, np.copyto(ends, together) or ends)
    np.testing.assert_allclose(np.linalg.norm(ends - together, axis=1), 0.01)
    loosening.hold_back(1, np.zeros(1, np.int32), np.array([(0, 1, 2, 2)], dtype=np.int32), 0.0, ends)
    np.testing.assert_array_equal(ends[:3], together[:3])
    assert np.linalg.norm(ends[3] - together[3]) == pytest.approx(0.01)
    loosening.give_up(ends)
    np.testing.assert_array_equal(ends, together)
