"""Cut tetrahedra: elements of a soft body are split along a plane and separated there.

Theory: docs/theory/soft-cuts.md, eq. (Q1). A cut along a straight line follows its plane, as far as the line goes. One
along a path that turns follows the faces between elements that are nearest to it.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.cut_path import resampled
from supple.edit.mesh.split_tetrahedra import Split, split_by_plane
from supple.edit.world.rebuild_bodies import EditedBody, unedited_body
from supple.errors import SuppleError
from supple.model.couplings.connected_components import label_components
from supple.model.levels.embedding import nearest_points
from supple.model.tetrahedra import corner_volumes
from supple.model.world import BodyRange, World
from supple.scene.soft_shapes.tetra_quality import FACES_OF_TETRAHEDRON, boundary_of, volumes_of

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def cut_soft_body(
    world: World, body: BodyRange, path: Floats | None, plane: tuple[Floats, float] | None
) -> EditedBody:
    """Return a soft body cut by the plane n · x = offset, or through and through along a path on its surface.

    Args:
        world: where it is, unchanged
        body: the body
        path: (count, 3) points near its surface [m]
        plane: unit normal n and offset [m]
    """
    whole = unedited_body(world, body)
    positions = world.particles.positions[body.particles]
    if plane is None:
        assert path is not None
        down = cut_direction(body, path, positions)
        if len(path) == 2:
            plane = plane_of(path, down)
    if plane is not None:
        rest = world.particles.rest_positions[body.particles]
        split = split_by_plane(positions, rest, whole.corners, body.triangles, *plane)
    else:
        split = unsplit(whole.corners, len(positions))
    corners = split.corners
    positions = interpolated_values(positions, split)
    faces, beside = inner_faces(corners)
    if plane is not None:
        is_cut = split.is_above[beside[:, 0]] != split.is_above[beside[:, 1]]
    else:
        assert path is not None
        centres = positions[corners].mean(axis=1)
        is_cut = _is_between(centres[beside[:, 0]], centres[beside[:, 1]], path, down)
    if path is not None and plane is not None:
        is_cut &= is_under_path(positions[faces].mean(axis=1), path, down)
    corners, sources = open_faces(corners, faces[~is_cut], beside[~is_cut], split.vertex_count)
    if len(sources) == split.vertex_count:
        raise nothing_cut(body, path)
    return cut_block(world, body, whole, split, corners, sources)


def nothing_cut(body: BodyRange, path: Floats | None) -> SuppleError:
    """Return the error of a cut that opens nothing."""
    where = "plane does not pass through" if path is None else "path is too short to open"
    return SuppleError(f"the {where} {body.name!r}. Nothing was cut.")


def cut_block(
    world: World, body: BodyRange, whole: EditedBody, split: Split, corners: Indices, sources: Indices
) -> EditedBody:
    """Return a soft body after a cut.

    Args:
        world: where it is, unchanged
        body: the body
        whole: it before the cut
        split: its elements, split
        corners: (element_count, 4) vertices of these after they were opened
        sources: (vertex_count,) the vertex of the split mesh that each one is or is a copy of
    """
    old = np.arange(split.vertex_count)
    old[split.interpolated] = split.ends[
        np.arange(len(split.interpolated)), (split.fractions > 0.5).astype(np.int64)
    ]
    rest = interpolated_values(world.particles.rest_positions[body.particles], split)[sources]
    volumes = volumes_of(rest, corners)
    shares = corner_volumes(volumes, corners, len(sources))
    is_changed = np.bincount(sources, minlength=split.vertex_count)[sources] > 1
    is_changed |= np.isin(sources, split.interpolated)
    is_near = np.zeros(len(sources), np.bool_)
    is_near[corners[is_changed[corners].any(axis=1)]] = True
    vertices = old[sources]
    count = len(whole.vertices)
    soft_ancestors = np.arange(count) if body.soft_ancestors is None else body.soft_ancestors
    return EditedBody(
        name=body.name,
        origin=body.origin,
        masses=_masses(whole, body, split, corners, volumes, is_near),
        shares=shares,
        spring_table=whole.springs,
        bend_table=whole.bends,
        triangles=boundary_of(corners),
        cloth_record=None,
        vertices=vertices,
        new_of=np.arange(count),
        interpolated=_interpolations(split, sources),
        changed_vertices=np.flatnonzero(is_near),
        elements=whole.elements[split.parents],
        corners=corners,
        soft_ancestors=soft_ancestors[vertices],
    )


def unsplit(corners: Indices, vertex_count: int) -> Split:
    """Return elements of which none is split."""
    nobody = np.zeros(0, np.int64)
    return Split(
        corners, np.arange(len(corners)), np.ones(len(corners), np.bool_), nobody, np.zeros((0, 2), np.int64),
        np.zeros(0), vertex_count,
    )  # fmt: skip


def interpolated_values(values: Floats, split: Split) -> Floats:
    """Return values of the vertices before, (n, 3), for all vertices of a split mesh."""
    result = np.concatenate([values, np.zeros((split.vertex_count - len(values), 3))])
    fractions = split.fractions[:, None]
    result[split.interpolated] = (1.0 - fractions) * values[split.ends[:, 0]] + fractions * values[
        split.ends[:, 1]
    ]
    return result


def _interpolations(split: Split, sources: Indices) -> tuple[Indices, Indices, Floats]:
    """Return what each vertex is interpolated from, as in `EditedBody`; `sources` say what is a copy of what."""
    row_of = np.full(split.vertex_count, -1, np.int64)
    row_of[split.interpolated] = np.arange(len(split.interpolated))
    rows = row_of[sources]
    interpolated = np.repeat(np.flatnonzero(rows >= 0), 2)
    chosen = rows[rows >= 0]
    weights = np.stack([1.0 - split.fractions[chosen], split.fractions[chosen]], axis=1)
    return interpolated, split.ends[chosen].ravel(), weights.ravel()


def _masses(
    whole: EditedBody, body: BodyRange, split: Split, corners: Indices, volumes: Floats, is_near: Flags
) -> Floats:
    """Return the masses of all vertices [kg]: a quarter of each element's, as dense as its parent.

    Vertices away from the cut keep theirs exactly, and so does the sum.
    """
    densities = (whole.masses / body.shares)[whole.corners].mean(axis=1)[split.parents]
    masses = corner_volumes(densities * volumes, corners, len(is_near))
    far = np.flatnonzero(~is_near)
    masses[far] = whole.masses[far]
    masses[is_near] *= (whole.masses.sum() - masses[far].sum()) / masses[is_near].sum()
    return masses


def separate_cut_faces(world: World, nearest: Indices, gap: float) -> None:
    """Draw the two faces of a cut back by `gap` [m] each, so that contact finds a distance between them.

    Args:
        world: after the cut
        nearest: (particle_count,) the particle before it that each one is or is a copy of
        gap: [m]
    """
    positions, corners = world.particles.positions, world.tetrahedra.corners
    is_copied = np.bincount(nearest)[nearest] > 1
    away = np.zeros_like(positions)
    centres = positions[corners].mean(axis=1)
    for corner in range(4):
        np.add.at(away, corners[:, corner], centres - positions[corners[:, corner]])
    lengths = np.linalg.norm(away[is_copied], axis=1, keepdims=True)
    positions[is_copied] += gap * away[is_copied] / np.maximum(lengths, 1e-300)


def inner_faces(corners: Indices) -> tuple[Indices, Indices]:
    """Return the faces that two elements share, (f, 3) vertices ascending, and these elements, (f, 2)."""
    faces = np.sort(corners[:, FACES_OF_TETRAHEDRON].reshape(-1, 3), axis=1)
    order = np.lexsort(faces.T[::-1])
    is_pair = (faces[order[1:]] == faces[order[:-1]]).all(axis=1)
    first = np.flatnonzero(is_pair)
    return faces[order[first]], np.stack([order[first], order[first + 1]], axis=1) // 4


def open_faces(
    corners: Indices, joined_faces: Indices, beside: Indices, point_count: int
) -> tuple[Indices, Indices]:
    """Give every vertex a copy for each group of its elements that are connected only elsewhere.

    Args:
        corners: (element_count, 4) vertices
        joined_faces: (f, 3) faces that stay joined
        beside: (f, 2) the two elements at each of them
        point_count: number of vertices

    Returns:
        The corners after it, and for each vertex the one before that it is or is a copy of. Old vertices come
        first; the copies follow, in the order of the vertices.
    """
    # Each corner of each element is a node of its own; faces that stay connect those of their vertices.
    pairs = []
    for k in range(3):
        at = [
            4 * beside[:, s] + (corners[beside[:, s]] == joined_faces[:, k, None]).argmax(axis=1)
            for s in range(2)
        ]
        pairs.append(np.stack(at, axis=1))
    component_labels = label_components(np.concatenate(pairs), corners.size).reshape(corners.shape)
    vertex_of = corners.ravel()
    groups, sizes = np.unique(component_labels, return_counts=True)
    of_vertex = vertex_of[groups]
    order = np.lexsort((groups, -sizes, of_vertex))  # the largest group of a vertex keeps the vertex
    is_first = np.r_[True, np.diff(of_vertex[order]) != 0]
    names = np.empty(len(groups), np.int64)
    names[order[is_first]] = of_vertex[order[is_first]]
    copies = order[~is_first]
    names[copies] = point_count + np.arange(len(copies))
    new_corners: Indices = names[np.searchsorted(groups, component_labels)]
    return new_corners, np.concatenate([np.arange(point_count), of_vertex[copies]])


def cut_direction(body: BodyRange, path: Floats, positions: Floats) -> Floats:
    """Return the direction in which a cut goes into a body from a path on its surface, (3,)."""
    triangles = positions[body.triangles]
    middles = triangles.mean(axis=1)
    edge = float(np.linalg.norm(triangles[:, 1] - triangles[:, 0], axis=1).mean())
    fine = resampled(path, 0.25 * edge)
    nearest = nearest_points(fine, middles)
    away = np.linalg.norm(fine - middles[nearest], axis=1)
    if away.min() > 1.5 * edge:
        raise SuppleError(
            f"the path does not touch {body.name!r}: no point of it lies within {1.5 * edge:.3g} m of its"
            " surface. Nothing was cut."
        )
    near = triangles[nearest[away <= max(edge, float(away.min()))]]
    normals = np.cross(near[:, 1] - near[:, 0], near[:, 2] - near[:, 0])
    inward = -(normals / np.linalg.norm(normals, axis=1, keepdims=True)).sum(axis=0)
    length = float(np.linalg.norm(inward))
    if length == 0.0:
        raise SuppleError(f"the path runs round {body.name!r}, so a blade has no way in. Cut along one side.")
    direction: Floats = inward / length
    return direction


def plane_of(path: Floats, down: Floats) -> tuple[Floats, float]:
    """Return the plane of a cut along a straight line: it contains the line and the direction `down`."""
    normal = np.cross(path[1] - path[0], down)
    length = float(np.linalg.norm(normal))
    if length < 1e-9 * float(np.linalg.norm(path[1] - path[0])) or length == 0.0:
        raise SuppleError(
            "the path goes straight into the body, so a blade that is led along it cuts nothing."
        )
    return normal / length, float(path[0] @ normal) / length


def is_under_path(points: Floats, path: Floats, down: Floats) -> Flags:
    """Return which points, (n, 3) [m], lie between the ends of a straight path, seen along `down`."""
    ahead = path[1] - path[0]
    ahead = ahead - (ahead @ down) * down
    along = (points - path[0]) @ ahead / (ahead @ ahead)
    within: Flags = (along >= 0.0) & (along <= 1.0)
    return within


def _is_between(starts: Floats, ends: Floats, path: Floats, down: Floats) -> Flags:
    """Return which segments from `starts` to `ends`, (n, 3) [m], cross the surface of a cut along a path.

    That surface is unbounded both ways along the unit vector `down` (3,).
    """
    is_cut = np.zeros(len(starts), np.bool_)
    way = ends - starts
    for a, b in itertools.pairwise(path):
        normal = np.cross(b - a, down)
        across = way @ normal
        ahead = np.cross(down, normal)  # b - a without what goes down
        with np.errstate(divide="ignore", invalid="ignore"):
            fraction = ((a - starts) @ normal) / across
            along = ((starts + fraction[:, None] * way - a) @ ahead) / (ahead @ ahead)
        is_cut |= (across != 0.0) & (fraction >= 0.0) & (fraction <= 1.0) & (along >= 0.0) & (along <= 1.0)
    return is_cut
