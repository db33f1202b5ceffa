"""Springs of a volumetric box lattice."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.model.springs import STRETCH, Springs, plain_springs

YOUNG_TO_SPRING = 0.4
"""Stiffness of a spring over (Young's modulus x cell edge) in an isotropic cubic lattice."""


def lattice_springs(positions: NDArray[np.float64], shape: tuple[int, int, int]) -> Springs:
    """Return cell edges and face diagonals, with the stiffness of an isotropic solid.

    Theory: docs/theory/springs.md, eq. (S6). On cubic cells of edge a, equal springs k along
    edges and face diagonals make an isotropic solid with Poisson ratio 1/4 and Young's
    modulus 2.5 k / a. Every cell brings its quarter of an edge and its half of a face
    diagonal, so the surface is right as well.

    Args:
        positions: (point_count, 3) [m], ordered x fastest, then y, then z
        shape: number of points along x, y and z
    """
    nx, ny, nz = shape
    index = np.arange(nx * ny * nz).reshape(nz, ny, nx)
    corner = {
        (x, y, z): index[z : nz - 1 + z, y : ny - 1 + y, x : nx - 1 + x].ravel()
        for x in (0, 1)
        for y in (0, 1)
        for z in (0, 1)
    }
    origin = positions[corner[0, 0, 0]]
    edges = [
        np.linalg.norm(positions[corner[far]] - origin, axis=1) for far in ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    ]
    volume = edges[0] * edges[1] * edges[2]
    ends, shares = [], []
    names = sorted(corner)
    for a, first in enumerate(names):
        for second in names[a + 1 :]:
            apart = sum(p != q for p, q in zip(first, second, strict=True))
            if apart == 3:
                continue
            pair = np.stack([corner[first], corner[second]], axis=1)
            length = np.linalg.norm(positions[pair[:, 0]] - positions[pair[:, 1]], axis=1)
            ends.append(pair)
            shares.append((0.25 if apart == 1 else 0.5) * volume * apart / length**2)
    every = np.sort(np.concatenate(ends), axis=1)
    unique, where = np.unique(every, axis=0, return_inverse=True)
    share = np.zeros(len(unique))
    np.add.at(share, where.ravel(), np.concatenate(shares))
    lengths = np.linalg.norm(positions[unique[:, 0]] - positions[unique[:, 1]], axis=1)
    return plain_springs(unique.astype(np.uint32), lengths, YOUNG_TO_SPRING * share, STRETCH)


def lattice_volumes(positions: NDArray[np.float64], shape: tuple[int, int, int]) -> NDArray[np.float64]:
    """Return the volume each point stands for: an eighth of its cells, (point_count,) [m³]."""
    grid = positions.reshape(shape[2], shape[1], shape[0], 3)
    edges = [np.linalg.norm(grid[far] - grid[0, 0, 0]) for far in ((0, 0, 1), (0, 1, 0), (1, 0, 0))]
    volumes = np.zeros(grid.shape[:3])
    cell = edges[0] * edges[1] * edges[2] / 8.0
    for z in (slice(None, -1), slice(1, None)):
        for y in (slice(None, -1), slice(1, None)):
            for x in (slice(None, -1), slice(1, None)):
                volumes[z, y, x] += cell
    return volumes.ravel()
