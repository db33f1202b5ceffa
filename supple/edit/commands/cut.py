"""Cut: a body is cut along a path, by a plane, or along edges."""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.adjacency import edge_triangles
from supple.edit.mesh.cut_levels import cut_levels
from supple.edit.mesh.cut_path import SPACING, VERTICES_PER_BOX, cut_along, cut_by_plane, resampled
from supple.edit.mesh.cut_tetrahedra import cut_soft_body
from supple.edit.mesh.triangle_mesh import has_capacity, mark_edge, open_marked_edges
from supple.edit.world.apply_edit import EditableWorld
from supple.edit.world.connected_pieces import Pieces
from supple.edit.world.intersection_check import EditRefused
from supple.edit.world.reshape_body import BodyEdit
from supple.errors import SuppleError
from supple.model.world import BodyRange, World

SIDESTEPS = (0.0, 0.25, -0.25)
"""How far beside a plane or path cloth with exact contact is cut, where it cannot open on it, over the mean edge [-]."""

Floats = NDArray[np.float64]


def cut(
    editable: EditableWorld,
    body: BodyRange,
    path: Floats | None,
    plane: tuple[Floats, float] | None,
    gap: float = 0.0,
) -> None:
    """Cut a body along a path (count, 3) [m], or by the plane n · x = offset; soft ones open by `gap` [m]."""
    if body.name in editable.world.levels:
        _cut_levels(editable, body, path, plane, gap)
    elif body.is_soft:
        _cut_soft(editable, body, path, plane, gap)
    else:
        _cut_beside(editable, body, path, plane)


def _cut_levels(
    editable: EditableWorld,
    body: BodyRange,
    path: Floats | None,
    plane: tuple[Floats, float] | None,
    gap: float,
) -> None:
    if gap > 0.0:
        raise SuppleError(
            f"{body.name!r} has exact contact and several levels of detail, and then it cannot be cut. "
            "Give it `levels = 1`."
        )
    edited_bodies = cut_levels(editable.world, body, path, plane, set(editable.world.bodies))
    with editable.revert_if_refused():
        editable.push_undo_step(f"cut {body.name}", is_rebuilt=True)
        editable.update_bodies({body.name: Pieces.of(edited_bodies)}, editable.in_progress, is_undo_step=True)


def _cut_soft(
    editable: EditableWorld,
    body: BodyRange,
    path: Floats | None,
    plane: tuple[Floats, float] | None,
    gap: float,
) -> None:
    if gap > 0.0 and path is not None and len(path) > 2:
        raise SuppleError(
            f"{body.name!r} has exact contact, which needs flat cuts. Cut it along straight lines, one by one."
        )
    edited_body = cut_soft_body(editable.world, body, path, plane)
    editable.apply_edit(f"cut {body.name}", {body.name: edited_body}, gap=gap)


def _cut_beside(
    editable: EditableWorld,
    body: BodyRange,
    path: Floats | None,
    plane: tuple[Floats, float] | None,
    refusal: EditRefused | None = None,
) -> None:
    """Cut cloth along a path or by a plane, or a little beside where the cloth cannot open on it.

    Triangles that share a corner may pass through each other, which contact does not see. A cut through that corner would
    show it; another one that passes it by does not. If there was a refusal on it already, only that is tried.
    """
    mean_edge = float(editable.require_cloth_record(body).mean_edge[0])
    for step in SIDESTEPS if refusal is None else SIDESTEPS[1:]:
        body = editable.world.bodies[body.name]
        try:
            if plane is not None:
                _cut_cloth(editable, body, None, (plane[0], plane[1] + step * mean_edge))
            elif path is not None:
                aside = step * mean_edge * direction_across(editable.world, body, path) if step else 0.0
                _cut_cloth(editable, body, path + aside, None)
            return
        except EditRefused as error:
            refusal = refusal or error
        except SuppleError:
            if refusal is None:
                raise
    assert refusal is not None
    raise refusal


def direction_across(world: World, body: BodyRange, path: Floats) -> Floats:
    """Return the direction (3,) in the cloth that leads across a path at its middle; zeros where there is none."""
    points = world.particles.positions[body.particles]
    middle = path[len(path) // 2]
    nearest = int(np.argmin(((points - middle) ** 2).sum(axis=1)))
    a, b, c = points[body.triangles[(body.triangles == nearest).any(axis=1)].T]
    across = np.cross(np.cross(b - a, c - a).sum(axis=0), path[-1] - path[0])
    length = float(np.linalg.norm(across))
    return across / length if length > 0.0 else np.zeros(3)


def _cut_cloth(
    editable: EditableWorld, body: BodyRange, path: Floats | None, plane: tuple[Floats, float] | None
) -> None:
    cloth_record = editable.require_cloth_record(body)
    targets = None if path is None else resampled(path, SPACING * float(cloth_record.mean_edge[0]))
    # Two crossings a target, and four copies for the ends of both edges of each; a plane crosses like a long path.
    capacity = 64 + 12 * (len(targets) if targets is not None else math.isqrt(len(cloth_record.triangles)))
    while True:
        body_edit = BodyEdit(editable.world, body, cloth_record, capacity, editable.workspace)
        if targets is not None:
            boxes = np.empty((len(cloth_record.incident_triangle) // VERTICES_PER_BOX, 6))
            found = int(cut_along(body_edit.mesh, targets, body_edit.mean_edge, boxes))
            if found == 0:
                raise SuppleError(
                    f"the path does not touch {body.name!r}: no point of it lies within"
                    f" {body_edit.mean_edge:.3g} m of the cloth. Nothing was cut."
                )
            is_done = found > 0
        else:
            assert plane is not None
            normal, offset = plane
            distances = np.zeros(len(body_edit.mesh.positions))
            is_done = bool(
                cut_by_plane(body_edit.mesh, tuple(normal.tolist()), offset, body_edit.mean_edge, distances)
            )
        if is_done and has_capacity(body_edit.mesh):
            break
        capacity *= 4
    if not open_marked_edges(body_edit.mesh):
        where = "plane does not pass through" if path is None else "path is too short to open"
        raise SuppleError(f"the {where} {body.name!r}. Nothing was cut.")
    editable.apply_edit(f"cut {body.name}", {body.name: body_edit.result()})


def cut_edges(editable: EditableWorld, body: BodyRange, chain: list[int]) -> None:
    """Cut a body along edges, from vertex to vertex of a chain, or a little beside where it cannot open on them."""
    try:
        _cut_chain(editable, body, chain)
    except EditRefused as refusal:
        body = editable.world.bodies[body.name]
        path = editable.world.particles.positions[body.particles][chain]
        _cut_beside(editable, body, path, None, refusal)


def _cut_chain(editable: EditableWorld, body: BodyRange, chain: list[int]) -> None:
    cloth_record = editable.require_cloth_record(body)
    body_edit = BodyEdit(editable.world, body, cloth_record, 4 * len(chain) + 8, editable.workspace)
    for a, b in itertools.pairwise(chain):
        if edge_triangles(cloth_record.adjacency, a, b)[0] < 0:
            raise SuppleError(f"no edge of {body.name!r} joins its vertices {a} and {b}. Nothing was cut.")
        mark_edge(body_edit.mesh, a, b)
    if not open_marked_edges(body_edit.mesh):
        raise SuppleError(
            f"the chain is too short to open {body.name!r}: one edge inside the cloth, or edges of its border."
            " Nothing was cut."
        )
    editable.apply_edit(f"cut {body.name}", {body.name: body_edit.result()})
