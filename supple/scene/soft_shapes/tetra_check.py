"""Find tetrahedra that no soft body can be made of."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from supple.scene.cloth_shapes.triangle_check import and_more, index_mistakes
from supple.scene.error_messages import Steps
from supple.scene.placement import BoolArray, FloatArray, IndexArray
from supple.scene.soft_shapes.tetra_quality import faces_of, volumes_of

FLATTEST = 1.0e-4
"""Smallest volume over that of a regular tetrahedron with the same longest edge [-]; flatter ones would need
steps too short for any machine."""


def turned_right_way(points: FloatArray, tetrahedra: IndexArray) -> IndexArray:
    """Return the tetrahedra with the corners of those that are inside out listed the other way round."""
    turned = tetrahedra.copy()
    is_inverted = volumes_of(points, tetrahedra) < 0.0
    turned[is_inverted, 2:] = turned[is_inverted, :1:-1]
    return turned


def tetrahedron_mistakes(points: FloatArray, tetrahedra: IndexArray) -> Iterator[tuple[Steps, str]]:
    """Yield everything wrong with a mesh: each kind of trouble once, its first place and a count.

    Args:
        points: (point_count, 3) [m]
        tetrahedra: (tetrahedron_count, 4) point indices
    """
    if len(tetrahedra) == 0:
        yield ("tetrahedra",), "is empty, but a soft body needs at least one tetrahedron."
        return
    wrong_indices = list(index_mistakes(tetrahedra, len(points), "tetrahedra"))
    yield from wrong_indices
    if wrong_indices:
        return
    in_order = np.sort(tetrahedra, axis=1)
    is_repeating = (in_order[:, 1:] == in_order[:, :-1]).any(axis=1)
    if is_repeating.any():
        row = int(np.flatnonzero(is_repeating)[0])
        yield (
            ("tetrahedra", row),
            f"is {tetrahedra[row].tolist()}: it names a point twice{and_more(is_repeating, 'tetrahedra')}.",
        )
        return
    corners = points[tetrahedra]
    sides = [corners[:, a] - corners[:, b] for a in range(4) for b in range(a)]
    longest = np.max(np.linalg.norm(sides, axis=2), axis=0)
    regular = longest**3 / (6.0 * np.sqrt(2.0))
    is_flat = np.abs(volumes_of(points, tetrahedra)) < FLATTEST * np.maximum(regular, 1e-300)
    if is_flat.any():
        row = int(np.flatnonzero(is_flat)[0])
        place = ", ".join(f"{x:.4g}" for x in corners[row].mean(axis=0))
        yield (
            ("tetrahedra", row),
            f"is {tetrahedra[row].tolist()}, near ({place}): it has hardly any volume"
            f"{and_more(is_flat, 'tetrahedra')}. Remove it, or mesh the body anew.",
        )
    is_again = np.ones(len(tetrahedra), dtype=np.bool_)
    is_again[np.unique(in_order, axis=0, return_index=True)[1]] = False
    if is_again.any():
        row = int(np.flatnonzero(is_again)[0])
        yield (
            ("tetrahedra", row),
            f"is {tetrahedra[row].tolist()}: the same tetrahedron stands in the list before"
            f"{and_more(is_again, 'tetrahedra')}. Remove it.",
        )
        return
    faces = np.sort(faces_of(tetrahedra), axis=1)
    _, which, counts = np.unique(faces, axis=0, return_inverse=True, return_counts=True)
    is_crowded: BoolArray = np.any((counts[which.ravel()] > 2).reshape(-1, 4), axis=1)
    if is_crowded.any():
        row = int(np.flatnonzero(is_crowded)[0])
        yield (
            ("tetrahedra", row),
            f"is {tetrahedra[row].tolist()}: three or more tetrahedra share one of its faces, so they overlap"
            f"{and_more(is_crowded, 'tetrahedra')}. Mesh the body anew.",
        )
    is_used = np.zeros(len(points), dtype=np.bool_)
    is_used[tetrahedra] = True
    if not is_used.all():
        first = int(np.flatnonzero(~is_used)[0])
        count = int(np.count_nonzero(~is_used))
        yield (
            ("vertices",),
            f"has {count:,} that no tetrahedron uses, the first at index {first}. They would fall off: remove them.",
        )
