"""Plates: the bending of a triangle mesh, a triangle and its three neighbours at a time.

Theory: docs/theory/bending.md, eq. (B4) to (B6). Six points fix a quadratic function, so the curvature of a triangle follows
from its own corners and those across its edges, exactly on any mesh wherever the curvature is constant. A border triangle
borrows points from farther inside. Like membrane elements, plates are derived from triangles, rest lengths and hinges.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.model.bends import Bends

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]

POINTS = 6
"""Points of a plate: three corners and up to three others."""

SOUND = 0.02
"""Smallest singular value with which a borrowed point may fix a curvature [-]; else it stays as small as it can."""

FLAT = 1e-6
"""Rest curvature times the size of a triangle that is rounding [-]."""


class PlateArrays(NamedTuple):
    """Plates as kernels take them, valid until the next edit."""

    points: Indices
    """(plate_count, 6) particles: three corners, then those around; corner 0 again where there are fewer."""

    weights: Floats
    """(plate_count, 3, 6) what makes κ₁₁, κ₂₂ and 2 κ₁₂ of the points, along warp and weft [1/m²]."""

    stiffness: Floats
    """(plate_count, 3) area times B₁, B₂ and ½ √(B₁ B₂) [N·m³]"""

    rest: Floats
    """(plate_count, 3) these curvatures at rest [1/m]"""


class Sheet(NamedTuple):
    """One cloth at rest, as far as its plates need it."""

    corners: Indices
    """(triangle_count, 3) particles."""

    sides: Floats
    """(triangle_count, 2, 2) sides from corner 0 along warp and weft [m], one a column."""

    lengths: Floats
    """(triangle_count, 3) rest length of the edge opposite each corner [m]."""

    moduli: Floats
    """(triangle_count, 2) bending stiffness along warp and weft [N·m]."""

    rest_positions: Floats
    """(particle_count, 3) [m]"""


def no_plates() -> PlateArrays:
    """Return no plates."""
    return PlateArrays(
        np.zeros((0, POINTS), np.int64), np.zeros((0, 3, POINTS)), np.zeros((0, 3)), np.zeros((0, 3))
    )


def make_plates(sheet: Sheet, hinges: Bends) -> PlateArrays:
    """Return the plates of a cloth; triangles without a hinge between them fold freely."""
    neighbours, folds = _neighbours(sheet.corners, hinges)
    count = len(sheet.corners)
    layout = np.zeros((count, POINTS, 2))  # unfolded into the plane of the triangle, along warp and weft
    layout[:, 1:3] = sheet.sides.transpose(0, 2, 1)
    points = np.repeat(sheet.corners[:, :1], POINTS, axis=1)
    points[:, :3] = sheet.corners
    for c in range(3):
        has = np.flatnonzero(neighbours[:, c, 0] >= 0)
        u, d = neighbours[has, c].T
        points[has, 3 + c] = sheet.corners[u, d]
        layout[has, 3 + c] = _unfolded(
            layout[has, (c + 1) % 3], layout[has, (c + 2) % 3], *_side_lengths(sheet, u, d, has, c)
        )
    is_whole = (neighbours[:, :, 0] >= 0).all(axis=1)
    weights = np.zeros((count, 3, POINTS))
    weights[is_whole] = _curvature_weights(layout[is_whole])
    for t in np.flatnonzero(~is_whole).tolist():
        _fill_border_plate(sheet, neighbours, t, layout, points, weights)
    areas = 0.5 * np.abs(np.linalg.det(sheet.sides)) if count else np.zeros(0)
    warp, weft = sheet.moduli.T
    stiffness = areas[:, None] * np.stack([warp, weft, 0.5 * np.sqrt(warp * weft)], axis=1)
    rest = np.zeros((count, 3))
    curved = np.flatnonzero(folds.any(axis=1))
    if len(curved):
        places = sheet.rest_positions[points[curved]]
        normals = np.cross(places[:, 1] - places[:, 0], places[:, 2] - places[:, 0])
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        rest[curved] = np.einsum("nkp,npx,nx->nk", weights[curved], places, normals)
        rest[np.abs(rest) * np.sqrt(areas)[:, None] < FLAT] = 0.0
    return PlateArrays(points, weights, stiffness, rest)


def _neighbours(corners: Indices, hinges: Bends) -> tuple[Indices, NDArray[np.bool_]]:
    """Return for every corner the triangle across the opposite edge and its far corner, (n, 3, 2), -1 if there is none.

    Also whether the cloth is folded there at rest, (n, 3).
    """
    count = len(corners)
    found = np.full((count, 3, 2), -1, dtype=np.int64)
    folds = np.zeros((count, 3), np.bool_)
    if not count or not hinges.count:
        return found, folds
    base = np.int64(max(int(corners.max()), int(hinges.points.max()))) + 1
    edges = np.sort(corners[:, [[1, 2], [2, 0], [0, 1]]], axis=2).reshape(-1, 2)
    keys = edges[:, 0] * base + edges[:, 1]
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    is_pair = np.flatnonzero(ordered[1:] == ordered[:-1])
    first, second = order[is_pair], order[is_pair + 1]
    ends = np.sort(hinges.points[:, :2].astype(np.int64), axis=1)
    hinge_keys = ends[:, 0] * base + ends[:, 1]
    by_key = np.argsort(hinge_keys, kind="stable")
    place = np.minimum(np.searchsorted(hinge_keys[by_key], keys[first]), len(by_key) - 1)
    hinge = by_key[place]
    is_hinged = hinge_keys[hinge] == keys[first]
    first, second, hinge = first[is_hinged], second[is_hinged], hinge[is_hinged]
    for a, b in ((first, second), (second, first)):
        found[a // 3, a % 3, 0], found[a // 3, a % 3, 1] = b // 3, b % 3
        folds[a // 3, a % 3] = hinges.rest_lengths[hinge] > 0.0
    return found, folds


def _side_lengths(sheet: Sheet, u: Indices, d: Indices, t: Indices, c: int) -> tuple[Floats, Floats]:
    """Return how far the far corner d of triangle u lies from the two ends of its edge with triangle t, in t's order."""
    start = sheet.corners[t, (c + 1) % 3]
    is_next = sheet.corners[u, (d + 1) % 3] == start
    # The edge opposite corner d + 1 joins d with d + 2.
    to_next, to_last = sheet.lengths[u, (d + 2) % 3], sheet.lengths[u, (d + 1) % 3]
    return np.where(is_next, to_next, to_last), np.where(is_next, to_last, to_next)


def _unfolded(start: Floats, end: Floats, to_start: Floats, to_end: Floats) -> Floats:
    """Return points (n, 2) beyond edges from start to end, at these distances from both.

    Corners run counter-clockwise seen from the normal's side; from warp to weft it is a quarter turn the other way.
    """
    along = end - start
    length = np.linalg.norm(along, axis=-1)
    foot = (length**2 + to_start**2 - to_end**2) / (2.0 * length)
    height = np.sqrt(np.maximum(to_start**2 - foot**2, 1e-6 * length**2))
    unit = along / length[..., None]
    outward = np.stack([-unit[..., 1], unit[..., 0]], axis=-1)
    found: Floats = start + foot[..., None] * unit + height[..., None] * outward
    return found


def _quadratics(layout: Floats) -> tuple[Floats, Floats]:
    """Return what the outer points see of the three curvatures, (n, m, 3), and of the values at all points, (n, m, 3 + m).

    The plane through the three corners is taken off both.
    """
    x, y = layout[..., 0], layout[..., 1]
    quadratic = np.stack([0.5 * x * x, 0.5 * y * y, 0.5 * x * y], axis=-1)
    linear = np.stack([np.ones_like(x), x, y], axis=-1)
    share = linear[:, 3:] @ np.linalg.inv(linear[:, :3])  # barycentric weights of the outer points
    outer = layout.shape[1] - 3
    values = np.concatenate([-share, np.broadcast_to(np.eye(outer), (len(layout), outer, outer))], axis=2)
    return quadratic[:, 3:] - share @ quadratic[:, :3], values


def _curvature_weights(layout: Floats) -> Floats:
    """Return the weights of κ₁₁, κ₂₂ and 2 κ₁₂, (n, 3, points); where points are few, of the smallest curvature."""
    seen, values = _quadratics(layout)
    scale = np.array([1.0, 1.0, np.sqrt(0.5)])  # of the norm κ₁₁² + κ₂₂² + 2 κ₁₂²
    size = np.linalg.norm(seen, axis=2, keepdims=True)
    size = np.where(size > 0.0, size, 1.0)
    weights: Floats = np.linalg.pinv(seen / scale / size, rcond=SOUND) @ (values / size) / scale[:, None]
    return weights


def _fill_border_plate(
    sheet: Sheet, neighbours: Indices, t: int, layout: Floats, points: Indices, weights: Floats
) -> None:
    """Give a triangle with a free edge the points that fix its curvature best, among those two triangles away."""
    own = [3 + c for c in range(3) if neighbours[t, c, 0] >= 0]
    chosen = [*range(3), *own]
    places, names = layout[t, chosen], points[t, chosen].tolist()
    candidates = _borrowed(sheet, neighbours, t, layout[t, :3])
    while len(names) < POINTS:
        best, which = SOUND, -1
        for name, place in candidates.items():
            if name in names:
                continue
            seen, _ = _quadratics(np.concatenate([places, place[None]])[None])
            rows = seen[0] / np.maximum(np.linalg.norm(seen[0], axis=1, keepdims=True), 1e-300)
            least = np.linalg.svd(rows, compute_uv=False)[-1]
            if least > best:
                best, which = least, name
        if which < 0:
            break
        places, names = np.concatenate([places, candidates[which][None]]), [*names, which]
    points[t] = points[t, 0]
    points[t, : len(names)] = names
    layout[t, : len(names)] = places
    weights[t] = 0.0
    if len(names) > 3:
        weights[t, :, : len(names)] = _curvature_weights(places[None])[0]


def _borrowed(sheet: Sheet, neighbours: Indices, t: int, triangle: Floats) -> dict[int, Floats]:
    """Return the points of triangles up to three edges away and where they lie, unfolded into the plane of triangle t."""
    found: dict[int, Floats] = {}
    waiting, seen = [(t, triangle)], {t}
    for _ in range(3):
        reached = []
        for u, places in waiting:
            for c in range(3):
                v, d = int(neighbours[u, c, 0]), int(neighbours[u, c, 1])
                if v < 0 or v in seen:
                    continue
                seen.add(v)
                start, end = places[(c + 1) % 3], places[(c + 2) % 3]
                to_start, to_end = _side_lengths(sheet, np.array([v]), np.array([d]), np.array([u]), c)
                far = _unfolded(start[None], end[None], to_start, to_end)[0]
                laid = np.zeros((3, 2))
                laid[d] = far
                for corner in ((d + 1) % 3, (d + 2) % 3):
                    is_start = sheet.corners[v, corner] == sheet.corners[u, (c + 1) % 3]
                    laid[corner] = start if is_start else end
                found.setdefault(int(sheet.corners[v, d]), far)
                reached.append((v, laid))
        waiting = reached
    return found
