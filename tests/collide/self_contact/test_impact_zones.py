"""Rigid zones: what hangs together by hits moves together."""

import numpy as np
import pytest

from supple.collide.broad_phase.pair_table import PairTable
from supple.collide.self_contact.find_contacts import Hits
from supple.collide.self_contact.impact_zones import (
    join_zones,
    move_zones,
    turn_of,
    turned,
    zone_arm,
    zone_of,
)


def hitting(pairs):
    """Return pairs that all hit, as kernels take them: how many, the hits and the pairs."""
    table = PairTable(len(pairs))
    table.points[:] = pairs
    return len(pairs), Hits(np.arange(len(pairs), dtype=np.int32), np.zeros(len(pairs))), table.arrays


def zones_of(pairs, count):
    zones = np.arange(count, dtype=np.int32)
    join_zones(*hitting(pairs), zones, np.zeros(count, dtype=np.bool_))
    return zones


def moved(zones, masses, is_fixed, starts, ways, is_steady=None):
    ends = starts + ways
    is_steady = np.zeros(len(zones), dtype=np.bool_) if is_steady is None else is_steady
    move_zones(zones, is_steady, masses, is_fixed, starts, ways, np.zeros((len(zones), 17)), ends)
    return ends


@pytest.fixture
def cloud():
    rng = np.random.default_rng(3)
    zones = zones_of([(0, 4, 2, 9), (9, 5, 7, 1), (11, 12, 13, 14)], 16)
    return (
        zones,
        rng.uniform(0.5, 2.0, 16),
        rng.uniform(-1.0, 1.0, (16, 3)),
        rng.uniform(-0.02, 0.02, (16, 3)),
    )


def test_pairs_that_share_a_point_are_one_zone():
    zones = zones_of([(0, 4, 2, 9), (11, 12, 13, 14), (9, 5, 7, 1)], 16)
    found = [zone_of(zones, i) for i in range(16)]
    assert [i for i in range(16) if found[i] == 0] == [0, 1, 2, 4, 5, 7, 9]
    assert [i for i in range(16) if found[i] == 11] == [11, 12, 13, 14]
    assert found[3] == 3 and found[15] == 15


def test_a_zone_keeps_its_distances_and_its_momenta(cloud):
    zones, masses, starts, ways = cloud
    ends = moved(zones, masses, np.zeros(16, dtype=np.bool_), starts, ways)
    for zone in (0, 11):
        members = np.array([i for i in range(16) if zone_of(zones, i) == zone])
        before, after, m = starts[members], ends[members], masses[members, None]
        apart = [np.linalg.norm(x[:, None] - x[None], axis=2) for x in (before, after)]
        np.testing.assert_allclose(*apart, atol=1e-14)
        np.testing.assert_allclose(
            (m * (after - before)).sum(axis=0), (m * ways[members]).sum(axis=0), atol=1e-14
        )
        centre = (m * before).sum(axis=0) / m.sum()
        spins = [(m * np.cross(before - centre, w)).sum(axis=0) for w in (after - before, ways[members])]
        np.testing.assert_allclose(*spins, atol=5e-3 * np.linalg.norm(spins[1]))
    np.testing.assert_array_equal(ends[[3, 6, 8, 10, 15]], (starts + ways)[[3, 6, 8, 10, 15]])


def test_a_held_point_leads_its_zone(cloud):
    zones, masses, starts, ways = cloud
    is_fixed = np.zeros(16, dtype=np.bool_)
    is_fixed[[4, 5, 9]] = True
    ways[[4, 5, 9]] = (0.05, 0.0, 0.0)
    ends = moved(zones, masses, is_fixed, starts, ways)
    np.testing.assert_allclose((ends - starts)[[0, 1, 2, 7]], np.tile((0.05, 0.0, 0.0), (4, 1)), atol=5e-4)


def test_a_zone_that_hits_itself_no_longer_turns_nor_do_those_it_joins(cloud):
    zones, masses, starts, ways = cloud
    is_steady = np.zeros(16, dtype=np.bool_)
    join_zones(*hitting([(12, 14, 11, 13)]), zones, is_steady)
    assert np.flatnonzero(is_steady).tolist() == [11]
    ends = moved(zones, masses, np.zeros(16, dtype=np.bool_), starts, ways, is_steady)
    own = np.arange(11, 15)
    mean = (masses[own, None] * ways[own]).sum(axis=0) / masses[own].sum()
    np.testing.assert_allclose(ends[own] - starts[own], np.tile(mean, (4, 1)), atol=1e-15)
    assert np.ptp((ends - starts)[[0, 1, 2]], axis=0).max() > 1e-3  # the other zone turns as before
    join_zones(*hitting([(11, 0, 3, 6)]), zones, is_steady)
    assert is_steady[zone_of(zones, 14)] and zone_of(zones, 14) == 0


def test_points_on_a_line_and_wild_turns_stay_finite():
    zones = zones_of([(0, 1, 2, 3)], 4)
    starts = np.outer(np.arange(4.0), (1.0, 2.0, -1.0))
    ways = np.array([[0.0, 3.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, -3.0, 0.0]])
    ends = moved(zones, np.ones(4), np.zeros(4, dtype=np.bool_), starts, ways)
    np.testing.assert_allclose(np.linalg.norm(np.diff(ends, axis=0), axis=1), np.sqrt(6.0))
    assert np.linalg.norm(ends[3] - ends[0]) == pytest.approx(3.0 * np.sqrt(6.0))


def test_kernels_give_in_python_what_they_give_compiled(cloud):
    zones, masses, starts, ways = cloud
    is_fixed = np.arange(16) == 5
    results = []
    for move in (move_zones, move_zones.py_func):
        ends, own = starts + ways, zones.copy()
        move(own, np.zeros(16, dtype=np.bool_), masses, is_fixed, starts, ways, np.zeros((16, 17)), ends)
        results.append((ends, own))
    np.testing.assert_allclose(results[0][0], results[1][0], atol=1e-15)
    np.testing.assert_array_equal(results[0][1], results[1][1])
    by_hand = np.arange(16, dtype=np.int32)
    pairs = hitting([(0, 4, 2, 9), (9, 5, 7, 1), (11, 12, 13, 14)])
    join_zones.py_func(*pairs, by_hand, np.zeros(16, dtype=np.bool_))
    assert [zone_of.py_func(by_hand, i) for i in range(16)] == [zone_of(zones, i) for i in range(16)]
    inertia, momentum = np.array([2.0, 3.0, 4.0, 0.1, 0.2, 0.3]), (0.3, 0.2, 0.1)
    np.testing.assert_allclose(turn_of(inertia, momentum), turn_of.py_func(inertia, momentum))
    np.testing.assert_allclose(turned(momentum, (0.1, 0.2, 0.3)), turned.py_func(momentum, (0.1, 0.2, 0.3)))
    sums = np.ones((16, 17))
    np.testing.assert_allclose(zone_arm(sums, 0, starts, 3), zone_arm.py_func(sums, 0, starts, 3))
