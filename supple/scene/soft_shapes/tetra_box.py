"""Tetrahedra that fill a box exactly: a body-centred lattice whose outermost cells end on flat faces."""

from __future__ import annotations

import numpy as np

from supple.scene.placement import FloatArray, IndexArray


def box_tetrahedra(
    size: tuple[float, float, float], cells: tuple[int, int, int]
) -> tuple[FloatArray, IndexArray]:
    """Return the points (n, 3) [m] and tetrahedra (t, 4) of a box about the origin.

    Points stand at the corners and in the middle of every cell. Two cells that share a face share
    four tetrahedra, each on both middles and one edge of the face; a face on the outside makes two with the
    middle of its cell, its diagonal turned from cell to cell so that no direction is preferred. The
    dihedral angles of cubic cells are 45, 60 and 90 degrees.

    Args:
        size: extent along x, y and z [m]
        cells: number of cells along x, y and z
    """
    counts = np.array(cells) + 1
    corner_index = np.arange(np.prod(counts)).reshape(counts[::-1]).transpose(2, 1, 0)  # [x, y, z]
    middle_index = len(corner_index.ravel()) + np.arange(np.prod(cells)).reshape(cells[::-1]).transpose(
        2, 1, 0
    )
    points = np.concatenate([_grid(size, counts, 0.0), _grid(size, counts - 1, 0.5)])
    parts = []
    for axis in range(3):
        # Look along the axis: u is the axis itself, v and w the other two in cyclic order.
        order = (axis, (axis + 1) % 3, (axis + 2) % 3)
        corners = corner_index.transpose(order)
        middles = middle_index.transpose(order)
        face = [  # round every face of cells, counter-clockwise seen from +u
            corners[:, :-1, :-1],
            corners[:, 1:, :-1],
            corners[:, 1:, 1:],
            corners[:, :-1, 1:],
        ]
        for n in range(4):
            a, b = face[n][1:-1], face[(n + 1) % 4][1:-1]
            parts.append(np.stack([middles[:-1], a, b, middles[1:]], axis=-1).reshape(-1, 4))
        v, w = np.meshgrid(*(np.arange(n) for n in middles.shape[1:]), indexing="ij")
        for layer, inner, is_high in ((0, 0, False), (-1, -1, True)):
            a, b, c, d = (corner[layer] for corner in face)
            is_even = ((v + w + (middles.shape[0] if is_high else 0)) % 2 == 0)[..., None]
            middle = middles[inner]
            for even, odd in (((a, b, c), (b, c, d)), ((a, c, d), (b, d, a))):
                triangle = np.where(is_even, np.stack(even, axis=-1), np.stack(odd, axis=-1)).reshape(-1, 3)
                if not is_high:
                    triangle = triangle[:, ::-1]
                parts.append(np.concatenate([middle.reshape(-1, 1), triangle], axis=1))
    return points, np.concatenate(parts).astype(np.int64)


def _grid(size: tuple[float, float, float], counts: IndexArray, shift: float) -> FloatArray:
    """Return points in the box, x fastest; `shift` is 0 for corners of cells and 0.5 for their middles."""
    cells = counts - 1 if shift == 0.0 else counts
    x, y, z = (
        extent * ((np.arange(count) + shift) / cell - 0.5)
        for extent, count, cell in zip(size, counts, cells, strict=True)
    )
    zs, ys, xs = np.meshgrid(z, y, x, indexing="ij")
    return np.stack([xs, ys, zs], axis=-1).reshape(-1, 3)
