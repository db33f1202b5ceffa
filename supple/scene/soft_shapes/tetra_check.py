"""Checks of tetrahedral meshes before a soft body is made of them."""

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
    is_repeating: BoolArray = np.any(in_order[:, 1:] == in_order[:, :-1], axis=1)
    if is_repeating.any():
        yield _first_mistake(tetrahedra, is_repeating, "it names a point twice", ".")
        return
    is_flat = _is_flat(points, tetrahedra)
    if is_flat.any():
        place = ", ".join(f"{x:.4g}" for x in points[tetrahedra[is_flat.argmax()]].mean(axis=0))
        trouble, way_out = "it has hardly any volume", ". Remove it, or mesh the body anew."
        yield _first_mistake(tetrahedra, is_flat, trouble, way_out, place=f", near ({place})")
    is_again = np.ones(len(tetrahedra), dtype=np.bool_)
    is_again[np.unique(in_order, axis=0, return_index=True)[1]] = False
    if is_again.any():
        trouble = "the same tetrahedron stands in the list before"
        yield _first_mistake(tetrahedra, is_again, trouble, ". Remove it.")
        return
    is_crowded = _is_crowded(tetrahedra)
    if is_crowded.any():
        trouble = "three or more tetrahedra share one of its faces, so they overlap"
        yield _first_mistake(tetrahedra, is_crowded, trouble, ". Mesh the body anew.")
    yield from _unused_point_mistakes(len(points), tetrahedra)


def _first_mistake(
    tetrahedra: IndexArray, is_wrong: BoolArray, trouble: str, way_out: str, *, place: str = ""
) -> tuple[Steps, str]:
    """Return the mistake about the first wrong tetrahedron, with the number of others like it."""
    row = int(np.flatnonzero(is_wrong)[0])
    more = and_more(is_wrong, "tetrahedra")
    return ("tetrahedra", row), f"is {tetrahedra[row].tolist()}{place}: {trouble}{more}{way_out}"


def _is_flat(points: FloatArray, tetrahedra: IndexArray) -> BoolArray:
    """Tell which tetrahedra have hardly any volume, measured by a regular one with the longest edge."""
    corners = points[tetrahedra]
    edges = [corners[:, a] - corners[:, b] for a in range(4) for b in range(a)]
    longest = np.max(np.linalg.norm(edges, axis=2), axis=0)
    regular = longest**3 / (6.0 * np.sqrt(2.0))
    is_flat: BoolArray = np.abs(volumes_of(points, tetrahedra)) < FLATTEST * np.maximum(regular, 1e-300)
    return is_flat


def _is_crowded(tetrahedra: IndexArray) -> BoolArray:
    """Tell which tetrahedra have a face that belongs to three or more."""
    faces = np.sort(faces_of(tetrahedra), axis=1)
    _, which, counts = np.unique(faces, axis=0, return_inverse=True, return_counts=True)
    is_crowded: BoolArray = np.any((counts[which.ravel()] > 2).reshape(-1, 4), axis=1)
    return is_crowded


def _unused_point_mistakes(point_count: int, tetrahedra: IndexArray) -> Iterator[tuple[Steps, str]]:
    is_used = np.zeros(point_count, dtype=np.bool_)
    is_used[tetrahedra] = True
    if not is_used.all():
        first = int(np.flatnonzero(~is_used)[0])
        count = int(np.count_nonzero(~is_used))
        yield (
            ("vertices",),
            f"has {count:,} that no tetrahedron uses, the first at index {first}. They would fall off: remove them.",
        )
