"""Clusters: every particle is in one, couplings add up, and what is smooth is corrected at once."""

import numpy as np
import pytest

import supple
from supple.collide.filter_contact.clusters import (
    Clusters,
    correct_by_clusters,
    couple_clusters,
    gather_rest,
    join_neighbours,
    link_clusters,
    move_with_clusters,
    sweep_clusters,
)
from supple.collide.filter_contact.relay import CLUSTER_WEIGHTS, Relay

STEP = 0.002


@pytest.fixture
def relay():
    sheets = [
        supple.Cloth.rectangle(
            width=1.0, height=1.0, columns=n, rows=n, plane="xz", at=(0, n, 0), name=f"{n}"
        )
        for n in (12, 5)
    ]
    return Relay(supple.Simulation(supple.Scene(*sheets), integrator="filter").engine.world, STEP)


def dense(relay):
    """Return A as a full matrix [kg]."""
    count = len(relay._diagonal)
    shares = np.zeros((count, count))
    rows = np.repeat(np.arange(count), np.diff(relay.row_starts))
    shares[rows, relay.columns] = relay.shares
    return relay._diagonal[:, None] * (np.eye(count) - shares)


def test_every_particle_is_in_one_cluster_of_a_few_neighbours(relay):
    clusters = relay._clusters._clusters
    sizes = np.bincount(clusters)
    assert sizes.min() >= 1 and sizes.max() < 20
    assert len(sizes) < len(clusters) / 4
    assert not set(clusters[:144]) & set(clusters[144:])  # two sheets share no cluster


def test_particles_without_neighbours_are_alone():
    clusters = np.empty(3, dtype=np.int64)
    nothing = np.zeros(0, dtype=np.int64)
    assert join_neighbours(np.zeros(4, dtype=np.uint32), nothing, np.zeros(0), clusters) == 3
    np.testing.assert_array_equal(np.sort(clusters), [0, 1, 2])


def test_clusters_are_coupled_as_their_particles_that_follow_are(relay):
    found, matrix = relay._clusters, dense(relay)
    follows = np.random.default_rng(0).random(len(matrix)) < 0.7
    rows = relay.row_starts, relay.columns, relay.shares, relay._diagonal
    others = np.random.default_rng(1).random(len(matrix)) < 0.5
    for moving in (others, follows):  # the second time some couplings are known
        couple_clusters(
            *rows, moving, found._clusters, found._firsts, found._members, found._starts, found._places, found._follows,
            found._is_stale, found._weights, found._couplings,
        )  # fmt: skip
    count = len(found._weights)
    within = np.zeros((len(matrix), count))
    within[np.flatnonzero(follows), found._clusters[follows]] = 1.0
    whole = within.T @ matrix @ within
    is_any = whole.diagonal() > 0.0
    np.testing.assert_allclose(found._weights[is_any], 1.0 / whole.diagonal()[is_any], rtol=1e-12)
    np.testing.assert_array_equal(found._weights[~is_any], 0.0)
    between = np.zeros((count, count))
    between[np.repeat(np.arange(count), np.diff(found._starts)), found._others] = found._couplings
    np.testing.assert_allclose(
        between, found._weights[:, None] * (np.diag(whole.diagonal()) - whole), atol=1e-12
    )


def test_an_error_that_clusters_share_is_nearly_gone_after_one_correction(relay):
    found, count = relay._clusters, len(relay._diagonal)
    order = np.arange(count, dtype=np.uint32)
    moves = np.zeros((count, 4))
    moves[:144, 0] = 1.0  # a sheet that has moved as a whole, and should not have
    correct_by_clusters(
        relay.row_starts, relay.columns, relay.shares, relay._diagonal, np.ones(count, dtype=np.bool_), order, 0, count,
        *found.arrays, moves,
    )  # fmt: skip
    assert np.abs(moves[:144, 0].mean()) < 0.6  # a sweep over particles would leave 0.99
    np.testing.assert_array_equal(moves[144:], 0.0)


def test_plain_python_clusters_the_same(relay):
    rows = relay.row_starts, relay.columns, relay.shares
    count, entry_count = len(relay._diagonal), len(relay.columns)
    random = np.random.default_rng(1)
    follows, given_moves = random.random(count) < 0.6, random.normal(size=(count, 4))
    order = np.flatnonzero(follows).astype(np.uint32)
    results = []
    for is_plain in (False, True):
        join, link, couple, gather, sweep, move, correct = (
            kernel.py_func if is_plain else kernel
            for kernel in (
                join_neighbours, link_clusters, couple_clusters, gather_rest, sweep_clusters, move_with_clusters,
                correct_by_clusters,
            )
        )  # fmt: skip
        clusters = np.empty(count, dtype=np.int64)
        number = join(*rows, clusters)
        firsts, place_of, starts = (np.zeros(n, dtype=np.int64) for n in (number + 1, number, number + 1))
        members, others, places = (np.zeros(n, dtype=np.int64) for n in (count, entry_count, entry_count))
        link(*rows[:2], clusters, number, firsts, members, place_of, starts, others, places)
        weights, couplings = np.zeros(number), np.zeros(starts[number])
        known, is_stale = np.zeros(count, dtype=np.bool_), np.zeros(number, dtype=np.bool_)
        couple(
            *rows, relay._diagonal, follows, clusters, firsts, members, starts, places, known, is_stale, weights,
            couplings,
        )  # fmt: skip
        rests, given, steps, moves = (np.zeros((number, 4)) for _ in range(4))
        moves = given_moves.copy()
        gather(*rows, relay._diagonal, order, 0, len(order), clusters, moves, rests)
        gathered = rests.copy()
        sweep(starts, others, couplings, weights, np.array(CLUSTER_WEIGHTS), rests, given, steps)
        move(order, 0, len(order), clusters, steps, moves)
        again = Clusters(*rows, relay._diagonal, CLUSTER_WEIGHTS)
        corrected = given_moves.copy()
        correct(*rows, relay._diagonal, follows, order, 0, len(order), *again.arrays, corrected)
        np.testing.assert_allclose(corrected, moves, rtol=1e-12, atol=1e-14)
        results.append(
            (clusters, members, starts, others, places, weights, couplings, gathered, steps, moves)
        )
    for compiled, plain in zip(*results, strict=True):
        np.testing.assert_allclose(compiled, plain, rtol=1e-12, atol=1e-14)
