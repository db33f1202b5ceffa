"""Colouring: groups of elements that share no particle."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel

MOST_COLOURS = 64
"""Colours that are told apart; elements beyond share the last one."""


@kernel
def greedy_colours(points, weights, used, colours):
    """Give every element the first colour that none of its particles has yet.

    Args:
        points: (element_count, corner_count) particle indices
        weights: (element_count, corner_count), corners of weight zero do not count
        used: (particle_count,) uint64, zero at first: bit c is set once colour c is taken
        colours: (element_count,) overwritten
    """
    one = np.uint64(1)
    for e in range(points.shape[0]):
        taken = np.uint64(0)
        for a in range(points.shape[1]):
            if weights[e, a] != 0.0:
                taken |= used[points[e, a]]
        colour = 0
        while colour < MOST_COLOURS - 1 and (taken >> np.uint64(colour)) & one:
            colour += 1
        colours[e] = colour
        for a in range(points.shape[1]):
            if weights[e, a] != 0.0:
                used[points[e, a]] |= one << np.uint64(colour)


def colour_order(
    points: NDArray[np.uint32], weights: NDArray[np.float64], particle_count: int
) -> NDArray[np.int64]:
    """Return the order that sorts elements by colour and keeps their own order within."""
    colours = np.zeros(len(points), dtype=np.int64)
    greedy_colours(points, weights, np.zeros(particle_count, dtype=np.uint64), colours)
    return np.argsort(colours, kind="stable")
