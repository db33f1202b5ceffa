"""What the CCD guard stops is not torn by what moves on, and what moves together can still lose its strain."""

from __future__ import annotations

import numpy as np
import pytest

from supple.collide.broad_phase.pair_table import PairTable
from supple.collide.self_contact.find_contacts import Hits
from supple.collide.self_contact.strained_edges import (
    ZoneRelease,
    add_fractions,
    count_strained,
    equalise_fractions,
    limit_lengths,
    scale_fractions,
)

CHAIN = np.array([(0, 1), (1, 2), (2, 3)], dtype=np.uint32)


def chain(*places):
    return np.array([(x, 0.0, 0.0) for x in places])


@pytest.mark.parametrize("equalise", [equalise_fractions, equalise_fractions.py_func])
def test_strained_edges_give_the_smaller_fraction_to_both_ends(equalise):
    starts, lengths = chain(0.0, 1.0, 2.0, 3.0), np.ones(3)
    ends = chain(0.0, 2.0, 3.1, 4.2)  # the first edge would be torn
    fractions = np.array([0.1, 1.0, 0.8, 1.0])
    assert equalise(CHAIN, lengths, 1.5, starts, ends, fractions)
    np.testing.assert_array_equal(fractions, [0.1, 0.1, 0.8, 1.0])
    assert not equalise(CHAIN, lengths, 1.5, starts, ends, fractions)
    # An edge that is long but gets shorter is left alone: it loses its strain.
    fractions[:] = (0.1, 1.0, 1.0, 1.0)
    assert not equalise(CHAIN, lengths, 1.5, chain(0.0, 3.0, 4.0, 5.0), ends, fractions)


@pytest.mark.parametrize("count", [count_strained, count_strained.py_func])
def test_strained_edges_count_within_one_zone_only(count):
    starts, lengths = chain(0.0, 2.0, 4.0, 5.0), np.ones(3)
    assert count(CHAIN, lengths, 1.5, starts, np.array([0, 0, 0, 0], dtype=np.int32)) == 2
    assert count(CHAIN, lengths, 1.5, starts, np.array([0, 1, 1, 1], dtype=np.int32)) == 1
    assert count(CHAIN, lengths, 1.5, starts, np.array([0, 1, 2, 2], dtype=np.int32)) == 0


@pytest.mark.parametrize("is_compiled", [True, False])
def test_points_go_fractions_of_short_displacements(is_compiled):
    kernels = (add_fractions, scale_fractions, limit_lengths)
    add, scale, limit = kernels if is_compiled else (kernel.py_func for kernel in kernels)
    displacements = np.array([(3.0, 4.0, 0.0), (0.1, 0.0, 0.0), (0.0, 0.0, -0.5)])
    limit(0.5, displacements)
    np.testing.assert_allclose(displacements, [(0.3, 0.4, 0.0), (0.1, 0.0, 0.0), (0.0, 0.0, -0.5)])
    fractions, ends = np.ones(3), np.zeros((3, 3))
    pairs = PairTable(2)
    pairs.points[:] = [(0, 0, 0, 0), (0, 1, 1, 1)]
    scale(1, Hits(np.array([1], dtype=np.int32), np.zeros(1)), pairs.arrays, 0.5, fractions)
    np.testing.assert_allclose(fractions, [0.5, 0.125, 1.0])
    add(np.ones((3, 3)), displacements, fractions, ends)
    np.testing.assert_allclose(ends, 1.0 + fractions[:, None] * displacements)


def test_released_points_move_on_their_own_and_back_with_their_zone_to_the_bit():
    starts, wishes, together = (np.random.default_rng(n).uniform(-1.0, 1.0, (4, 3)) for n in range(3))
    release, ends = ZoneRelease(4), together.copy()
    release.begin(starts, wishes, 10.0, ends)
    np.testing.assert_allclose(ends, starts + wishes)
    release.begin(starts, wishes, 0.01, np.copyto(ends, together) or ends)
    np.testing.assert_allclose(np.linalg.norm(ends - together, axis=1), 0.01)
    pairs = PairTable(1)
    pairs.points[0] = (0, 1, 2, 2)
    release.shorten(1, Hits(np.zeros(1, np.int32), np.zeros(1)), pairs.arrays, 0.0, ends)
    np.testing.assert_array_equal(ends[:3], together[:3])
    assert np.linalg.norm(ends[3] - together[3]) == pytest.approx(0.01)
    release.give_up(ends)
    np.testing.assert_array_equal(ends, together)
