"""Cut soft bodies: elements are separated along the faces between them that a plane or a blade passes.

Theory: docs/theory/soft-cuts.md, eq. (Q1). No element is divided, so the elasticity of each, the volume and all momentum
stay as they are; the cut follows the faces that are nearest to it.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from supple.edit.knife import resampled
from supple.edit.rebuild import Block, unedited
from supple.errors import SuppleError
from supple.model.connected import part_leaders
from supple.model.tetrahedra import corner_volumes
from supple.model.world import BodyRange, World
from supple.scene.tetra_quality import FACES_OF_TETRAHEDRON, boundary_of

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def cut_soft_body(
    world: World, body: BodyRange, path: Floats | None, plane: tuple[Floats, float] | None
) -> Block:
    """Return a soft body cut by the plane n · x = offset, or through and through along a path on its surface.

    Args:
        world: where it is, unchanged
        body: the body
        path: (count, 3) points near its surface [m]
        plane: unit normal n and offset [m]
    """
    whole = unedited(world, body)
    corners, positions = whole.corners, world.particles.positions[body.particles]
    faces, beside = inner_faces(corners)
    centres = positions[corners].mean(axis=1)
    if plane is not None:
        side = centres @ plane[0] > plane[1]
        is_cut = side[beside[:, 0]] != side[beside[:, 1]]
    else:
        assert path is not None
        is_cut = _is_between(centres[beside[:, 0]], centres[beside[:, 1]], path, _down(body, path, positions))
    new_corners, vertices = opened(corners, faces[~is_cut], beside[~is_cut], len(positions))
    if len(vertices) == len(positions):
        where = "plane does not pass through" if path is None else "path is too short to open"
        raise SuppleError(f"the {where} {body.name!r}. Nothing was cut.")
    volumes = world.tetrahedra.volumes[body.tetrahedra]
    shares = corner_volumes(volumes, new_corners, len(vertices))
    is_split = np.bincount(vertices, minlength=len(positions)) > 1
    is_near = np.zeros(len(vertices), np.bool_)
    is_near[new_corners[is_split[corners].any(axis=1)]] = True
    new_of = np.empty(len(positions), np.int64)
    new_of[vertices[::-1]] = np.arange(len(vertices))[::-1]
    births = np.arange(len(positions)) if body.births is None else body.births
    return Block(
        name=body.name,
        origin=body.origin,
        masses=whole.masses[vertices] * shares / body.shares[vertices],
        shares=shares,
        springs=whole.springs,
        bends=whole.bends,
        triangles=boundary_of(new_corners),
        fabric=None,
        vertices=vertices,
        new_of=new_of,
        mixed=whole.mixed,
        touched=np.flatnonzero(is_near),
        elements=whole.elements,
        corners=new_corners,
        births=births[vertices],
    )


def inner_faces(corners: Indices) -> tuple[Indices, Indices]:
    """Return the faces that two elements share, (f, 3) vertices ascending, and these elements, (f, 2)."""
    faces = np.sort(corners[:, FACES_OF_TETRAHEDRON].reshape(-1, 3), axis=1)
    order = np.lexsort(faces.T[::-1])
    is_pair = (faces[order[1:]] == faces[order[:-1]]).all(axis=1)
    first = np.flatnonzero(is_pair)
    return faces[order[first]], np.stack([order[first], order[first + 1]], axis=1) // 4


def opened(
    corners: Indices, joined_faces: Indices, beside: Indices, point_count: int
) -> tuple[Indices, Indices]:
    """Give every vertex a copy for each group of its elements that only hang together elsewhere.

    Args:
        corners: (element_count, 4) vertices
        joined_faces: (f, 3) faces that stay joined
        beside: (f, 2) elements on both sides of them
        point_count: number of vertices

    Returns:
        The corners after it, and for each vertex the one before that it is or is a copy of. Old vertices come
        first; the copies follow, in the order of the vertices.
    """
    # Each corner of each element is a thing of its own; faces that stay make those of their vertices one.
    pairs = []
    for k in range(3):
        at = [
            4 * beside[:, s] + (corners[beside[:, s]] == joined_faces[:, k, None]).argmax(axis=1)
            for s in range(2)
        ]
        pairs.append(np.stack(at, axis=1))
    leaders = part_leaders(np.concatenate(pairs), corners.size).reshape(corners.shape)
    vertex_of = corners.ravel()
    groups, sizes = np.unique(leaders, return_counts=True)
    of_vertex = vertex_of[groups]
    order = np.lexsort((groups, -sizes, of_vertex))  # the largest group of a vertex goes on as the vertex
    is_first = np.r_[True, np.diff(of_vertex[order]) != 0]
    names = np.empty(len(groups), np.int64)
    names[order[is_first]] = of_vertex[order[is_first]]
    copies = order[~is_first]
    names[copies] = point_count + np.arange(len(copies))
    new_corners: Indices = names[np.searchsorted(groups, leaders)]
    return new_corners, np.concatenate([np.arange(point_count), of_vertex[copies]])


def _down(body: BodyRange, path: Floats, positions: Floats) -> Floats:
    """Return the direction in which a blade goes into a body from a path on its surface, (3,)."""
    triangles = positions[body.triangles]
    middles = triangles.mean(axis=1)
    edge = float(np.linalg.norm(triangles[:, 1] - triangles[:, 0], axis=1).mean())
    fine = resampled(path, 0.25 * edge)
    away, nearest = cKDTree(middles).query(fine)
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


def _is_between(starts: Floats, ends: Floats, path: Floats, down: Floats) -> Flags:
    """Return which ways from `starts` to `ends`, (n, 3) [m], pass through a blade that is led along a path.

    The blade is endless both ways along the unit vector `down` (3,).
    """
    is_cut = np.zeros(len(starts), np.bool_)
    way = ends - starts
    for a, b in itertools.pairwise(path):
        normal = np.cross(b - a, down)
        across = way @ normal
        ahead = np.cross(down, normal)  # b - a without what goes down
        with np.errstate(divide="ignore", invalid="ignore"):
            share = ((a - starts) @ normal) / across
            along = ((starts + share[:, None] * way - a) @ ahead) / (ahead @ ahead)
        is_cut |= (across != 0.0) & (share >= 0.0) & (share <= 1.0) & (along >= 0.0) & (along <= 1.0)
    return is_cut
