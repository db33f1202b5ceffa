"""Springs and bending elements of a chain: points in a row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.model.bends import Bends, plain_bends
from supple.model.springs import STRETCH, Springs, plain_springs


def chain_springs(positions: NDArray[np.float64]) -> Springs:
    """Return the links of a chain. Their modulus is the tension per elongation EA [N]."""
    index = np.arange(len(positions), dtype=np.uint32)
    ends = np.stack([index[:-1], index[1:]], axis=1)
    lengths = np.linalg.norm(np.diff(positions, axis=0), axis=1)
    return plain_springs(ends, lengths, 1.0 / lengths, STRETCH)


def chain_bends(positions: NDArray[np.float64]) -> Bends:
    """Return second differences along a chain. Their modulus is the rod stiffness EI [N·m²].

    A link of length l bent to curvature κ has |a - 2 b + c| = κ l² and stores ½ EI κ² l.
    """
    index = np.arange(len(positions), dtype=np.uint32)
    points = np.stack([index[:-2], index[1:-1], index[2:], index[2:]], axis=1)
    links = np.linalg.norm(np.diff(positions, axis=0), axis=1)
    lengths = 0.5 * (links[:-1] + links[1:])
    weights = np.broadcast_to([1.0, -2.0, 1.0, 0.0], (len(points), 4))
    return plain_bends(points, weights, 1.0 / lengths**3, positions)


def chain_shares(positions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the length each point stands for: half of its links, (point_count,) [m]."""
    half = 0.5 * np.linalg.norm(np.diff(positions, axis=0), axis=1)
    shares: NDArray[np.float64] = np.pad(half, (1, 0)) + np.pad(half, (0, 1))
    return shares
