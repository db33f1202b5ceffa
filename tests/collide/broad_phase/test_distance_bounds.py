"""Many gaps at once: bounds that are never too high, and hardly too low."""

import ipctk
import numpy as np
import pytest

from supple.collide.broad_phase.distance_bounds import (
    LANES,
    ROWS,
    bound_edge_gaps,
    bound_triangle_gaps,
    place_pair,
)

KERNELS = {True: bound_edge_gaps, False: bound_triangle_gaps}
DISTANCES = {True: ipctk.edge_edge_distance, False: ipctk.point_triangle_distance}


def batch(x0, x1, is_edges):
    """Return the bounds of a batch of pairs; x0 and x1 (LANES, 4, 3) [m] at both ends of the motion."""
    vectors, gaps = np.zeros(ROWS * LANES, dtype=np.float32), np.zeros(LANES, dtype=np.float32)
    start, end = x0.reshape(-1, 3), x1.reshape(-1, 3)
    for lane in range(LANES):
        place_pair(start, end, is_edges, lane, *range(4 * lane, 4 * lane + 4), vectors)
    KERNELS[is_edges](vectors, gaps)
    return vectors, gaps


def least(x0, x1, is_edges):
    """Return the least distance of every pair at some moments of the motion [m]."""
    return np.array(
        [
            min(np.sqrt(DISTANCES[is_edges](*(a + t * (b - a)))) for t in np.linspace(0.0, 1.0, 9))
            for a, b in zip(x0, x1, strict=True)
        ]
    )


def sampled(x, is_edges):
    """Return the least distance between many places of the two shapes of every pair [m]: no less than it is."""
    s, t = (grid.ravel() for grid in np.meshgrid(*(np.linspace(0.0, 1.0, 41),) * 2))
    if is_edges:
        ones = x[:, None, 0] + s[:, None] * (x[:, None, 1] - x[:, None, 0])
        others = x[:, None, 2] + t[:, None] * (x[:, None, 3] - x[:, None, 2])
    else:
        inside = s + t <= 1.0
        s, t = s[inside, None], t[inside, None]
        ones = x[:, :1]
        others = x[:, None, 1] + s * (x[:, None, 2] - x[:, None, 1]) + t * (x[:, None, 3] - x[:, None, 1])
    return np.linalg.norm(ones - others, axis=2).min(axis=1)


@pytest.mark.parametrize("is_edges", [True, False], ids=["edges", "triangles"])
@pytest.mark.parametrize("far", [0.0, 1.0e3], ids=["here", "a kilometre away"])
def test_a_bound_is_never_above_the_distance(is_edges, far):
    rng = np.random.default_rng(7)
    for motion in (0.0, 0.002, 0.02):
        x0 = 0.01 * rng.standard_normal((LANES, 4, 3)) + far
        x1 = x0 + motion * rng.standard_normal((LANES, 4, 3)) + 0.05
        _, gaps = batch(x0, x1, is_edges)
        assert (gaps <= least(x0, x1, is_edges) + 1e-9).all()


@pytest.mark.parametrize("is_edges", [True, False], ids=["edges", "triangles"])
def test_at_rest_a_bound_is_the_distance_but_for_a_millionth(is_edges):
    rng = np.random.default_rng(8)
    x = 0.01 * rng.standard_normal((LANES, 4, 3))
    _, gaps = batch(x, x, is_edges)
    np.testing.assert_allclose(gaps, least(x, x, is_edges), rtol=0.0, atol=1e-6)


@pytest.mark.parametrize("is_edges", [True, False], ids=["edges", "triangles"])
def test_shapes_without_length_or_area_and_those_that_touch_are_never_told_too_far(is_edges):
    rng = np.random.default_rng(9)
    x = 0.01 * rng.standard_normal((LANES, 4, 3))
    x[:8, 1] = x[:8, 0]  # an edge without length, or a point on a corner
    x[8:16, 3] = x[8:16, 2]  # the other one, or a triangle that is a line
    x[16:24, 3] = x[16:24, 2] + x[16:24, 1] - x[16:24, 0]  # parallel edges
    x[24:32, 3] = x[24:32, 2] + (x[24:32, 1] - x[24:32, 0]) * (1.0 + 1e-9)  # nearly
    x[32:40, 2] = 0.5 * (x[32:40, 1] + x[32:40, 3])  # a needle
    x[40:48, 1:] = x[40:48, :1]  # all at one place
    x[48:56, :, 1] = 0.0  # all in a plane
    _, gaps = batch(x, x, is_edges)
    assert not (gaps > sampled(x, is_edges)).any()  # the toolkit takes edges without length for lines
    x[0, 0, 0] = np.nan
    _, gaps = batch(x, x, is_edges)
    assert np.isnan(gaps[0]) and np.isfinite(gaps[1:]).all()  # and what is NaN is no farther than anything


@pytest.mark.parametrize("is_edges", [True, False], ids=["edges", "triangles"])
def test_compiled_and_interpreted_bounds_agree(is_edges):
    rng = np.random.default_rng(10)
    x0 = 0.01 * rng.standard_normal((LANES, 4, 3))
    vectors, gaps = batch(x0, x0 + 0.001 * rng.standard_normal(x0.shape), is_edges)
    by_hand = np.zeros_like(gaps)
    KERNELS[is_edges].py_func(vectors, by_hand)
    np.testing.assert_allclose(gaps, by_hand, rtol=0.0, atol=1e-8)
    again = np.zeros_like(vectors)
    points = x0.reshape(-1, 3)
    place_pair.py_func(points, points, is_edges, 5, 0, 1, 2, 3, again)
    expected = np.zeros_like(vectors)
    place_pair(points, points, is_edges, 5, 0, 1, 2, 3, expected)
    np.testing.assert_array_equal(again, expected)
