"""Continuous tests of primitives against tight inclusion (IPC Toolkit), an independent referee."""

import ipctk
import numpy as np
import pytest

from supple.collide.narrow_phase.ccd import NEVER, contact_time
from supple.collide.narrow_phase.primitive_distance import clamp01, edge_parameters, triangle_weights
from supple.kernel import kernel

RANDOM, DEGENERATE = 100_000, 1_000
SEPARATION = 1e-6


@kernel
def contact_times(x0, x1, is_edges, separation, times):
    """Test many pairs; rows 4 n to 4 n + 3 are the corners of pair n."""
    for n in range(times.shape[0]):
        times[n] = contact_time(x0, x1, is_edges, 4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3, separation)


def times_of(x0, x1, is_edges, separation=SEPARATION):
    times = np.zeros(len(x0))
    contact_times(x0.reshape(-1, 3), x1.reshape(-1, 3), is_edges, separation, times)
    return times


def referee_hits(x0, x1, is_edges):
    test = ipctk.tight_inclusion.edge_edge_ccd if is_edges else ipctk.tight_inclusion.point_triangle_ccd
    # Its search may run for hours on degenerate input; cut off, it says hit.
    return np.array(
        [test(*a, *b, tolerance=1e-6, max_iterations=10_000)[0] for a, b in zip(x0, x1, strict=True)]
    )


def nearest(x0, x1, is_edges):
    """Return the least distance during the motion, by looking at many moments ever more closely."""
    distance = ipctk.edge_edge_distance if is_edges else ipctk.point_triangle_distance
    low, high, best = 0.0, 1.0, np.inf
    for _ in range(6):
        moments = np.linspace(low, high, 101)
        squares = [distance(*(x0 + t * (x1 - x0))) for t in moments]
        k = int(np.argmin(squares))
        best = min(best, float(np.sqrt(squares[k])))
        low, high = moments[max(k - 1, 0)], moments[min(k + 1, 100)]
    return best


@pytest.mark.parametrize("is_edges", [False, True], ids=["point-triangle", "edge-edge"])
def test_random_motions_are_never_missed_and_seldom_stopped_for_nothing(is_edges):
    rng = np.random.default_rng(6 + is_edges)
    x0 = rng.uniform(-1.0, 1.0, (RANDOM, 4, 3))
    x1 = x0 + rng.uniform(-1.0, 1.0, (RANDOM, 4, 3)) * rng.choice([0.1, 1.0, 2.0], (RANDOM, 1, 1))
    ours = times_of(x0, x1, is_edges) < NEVER
    theirs = referee_hits(x0, x1, is_edges)
    assert theirs.sum() > 1_000
    for n in np.flatnonzero(theirs & ~ours):
        assert nearest(x0[n], x1[n], is_edges) > SEPARATION
    assert (ours & ~theirs).sum() <= 0.02 * (~theirs).sum()


def degenerate_motions(is_edges, rng):
    """Yield hand-made pairs: parallel, coplanar, needles, without motion, touching exactly, far from the origin."""
    for n in range(DEGENERATE):
        x0 = rng.uniform(-1.0, 1.0, (4, 3))
        x1 = x0 + rng.uniform(-1.0, 1.0, (4, 3))
        kind = n % 10
        if kind == 0:  # parallel edges that slide over each other, or a needle triangle
            x0[3] = x0[2] + (x0[1] - x0[0])
            x1[3] = x1[2] + (x1[1] - x1[0])
        elif kind == 1:  # everything stays in one plane
            x0[:, 2] = x1[:, 2] = 0.0
        elif kind == 2:  # a triangle, or an edge, without extent
            x0[3], x1[3] = x0[2], x1[2]
        elif kind == 3:  # no motion
            x1 = x0.copy()
        elif kind == 4:  # the ends touch exactly, corner to corner
            x1[0] = x1[2]
        elif kind == 5:  # exact touch at the end, in the middle of the other
            x1[0] = 0.5 * (x1[2] + x1[3])
        elif kind == 6:  # head-on through the middle, on a grid of exact numbers
            x0 = np.array([[0.25, 1.0, 0.25], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
            if is_edges:
                x0 = np.array([[-1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, -1.0], [0.0, 0.0, 1.0]])
            x1 = x0.copy()
            x1[: 2 if is_edges else 1, 1] = -1.0
        elif kind == 7:  # all move together
            x1 = x0 + rng.uniform(-1.0, 1.0, 3)
        elif kind == 8:  # a needle
            x0[3] = x0[2] + 1e-9 * rng.uniform(-1.0, 1.0, 3)
            x1[3] = x1[2] + 1e-9 * rng.uniform(-1.0, 1.0, 3)
        else:  # collinear
            x0[1:] = x0[0] + np.outer(rng.uniform(-1.0, 1.0, 3), x1[0] - x0[0])
        yield x0, x1


@pytest.mark.parametrize("is_edges", [False, True], ids=["point-triangle", "edge-edge"])
def test_degenerate_motions_are_never_missed(is_edges):
    x0, x1 = (
        np.array(ends) for ends in zip(*degenerate_motions(is_edges, np.random.default_rng(0)), strict=True)
    )
    ours = times_of(x0, x1, is_edges) < NEVER
    theirs = referee_hits(x0, x1, is_edges)
    assert theirs.sum() > 100
    for n in np.flatnonzero(theirs & ~ours):
        assert nearest(x0[n], x1[n], is_edges) > SEPARATION, f"pair {n}"


@pytest.mark.parametrize("is_edges", [False, True], ids=["point-triangle", "edge-edge"])
def test_until_the_time_returned_half_of_the_separation_is_kept(is_edges):
    rng = np.random.default_rng(3)
    x0 = rng.uniform(-1.0, 1.0, (2_000, 4, 3))
    x1 = x0 + rng.uniform(-2.0, 2.0, x0.shape)
    distance = ipctk.edge_edge_distance if is_edges else ipctk.point_triangle_distance
    separation = 1e-2
    times = times_of(x0, x1, is_edges, separation)
    hits = np.flatnonzero((times < NEVER) & (times > 0.0))
    assert len(hits) > 50
    for n in hits:
        for share in np.linspace(0.0, 1.0, 11):
            moment = x0[n] + share * times[n] * (x1[n] - x0[n])
            assert np.sqrt(distance(*moment)) > 0.5 * separation


def test_numbers_that_are_none_count_as_a_hit():
    x0 = np.zeros((4, 3))
    x0[0, 1] = np.nan
    assert contact_time(x0, np.ones((4, 3)), False, 0, 1, 2, 3, 1e-6) < NEVER


def test_closest_points_agree_with_the_referee_and_with_python():
    rng = np.random.default_rng(1)
    for _ in range(300):
        x = rng.uniform(-1.0, 1.0, (4, 3))
        p, b, c = tuple(x[0] - x[1]), tuple(x[2] - x[1]), tuple(x[3] - x[1])
        u, v = triangle_weights(p, b, c)
        gap = np.linalg.norm(np.array(p) - u * np.array(b) - v * np.array(c))
        assert gap == pytest.approx(np.sqrt(ipctk.point_triangle_distance(*x)), rel=1e-9)
        assert triangle_weights.py_func(p, b, c) == pytest.approx((u, v), rel=1e-12, abs=1e-15)
        r, e, f = tuple(x[0] - x[2]), tuple(x[1] - x[0]), tuple(x[3] - x[2])
        s, t = edge_parameters(r, e, f)
        gap = np.linalg.norm(np.array(r) + s * np.array(e) - t * np.array(f))
        assert gap == pytest.approx(np.sqrt(ipctk.edge_edge_distance(*x)), rel=1e-9)
        assert edge_parameters.py_func(r, e, f) == pytest.approx((s, t), rel=1e-12, abs=1e-15)
    assert clamp01(np.nan) == 0.0 == clamp01.py_func(np.nan)


@pytest.mark.parametrize("is_edges", [False, True], ids=["point-triangle", "edge-edge"])
def test_a_time_is_the_same_in_python(is_edges):
    rng = np.random.default_rng(2)
    for _ in range(30):
        x0, x1 = rng.uniform(-1.0, 1.0, (2, 4, 3))
        compiled = contact_time(x0, x1, is_edges, 0, 1, 2, 3, 1e-3)
        assert contact_time.py_func(x0, x1, is_edges, 0, 1, 2, 3, 1e-3) == pytest.approx(compiled, rel=1e-9)
