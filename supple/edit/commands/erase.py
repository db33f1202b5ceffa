"""Erase: triangles are cut out of a cloth and taken away.

What is erased first becomes a body of its own, by a cut along edges like any other; then that body leaves the world. So
the cut keeps mass and momentum, and what goes does not push what stays. Where what stays hung together by a single vertex
only, that vertex becomes two at the same place; with exact contact these are opened as the banks of a cut are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from supple.edit.history.erased_triangles import ErasedTriangles
from supple.edit.history.undo import step_history
from supple.edit.mesh.triangle_mesh import mark_edge, open_marked_edges
from supple.edit.world.apply_edit import EditableWorld
from supple.edit.world.connected_pieces import Pieces, separate
from supple.edit.world.intersection_check import EditRefused
from supple.edit.world.rebuild_bodies import EditedBody, select_vertices
from supple.edit.world.reshape_body import BodyEdit
from supple.errors import SuppleError
from supple.model.world import BodyRange

Indices = NDArray[np.int64]


def erase(editable: EditableWorld, body: BodyRange, triangles: Indices) -> None:
    """Take triangles of a body away; a piece that came off may go whole, a declared body may not."""
    cloth_record = editable.require_cloth_record(body)
    is_erased = np.zeros(len(cloth_record.triangles), np.bool_)
    is_erased[triangles] = True
    if is_erased.all() and body.name == body.origin:
        raise SuppleError(f"nothing would be left of {body.name!r}. Nothing was erased.")
    name = f"{body.name} (erased)"
    body_edit = BodyEdit(editable.world, body, cloth_record, rim_capacity(cloth_record.neighbours, is_erased))
    stays, goes = cut_out(body_edit, is_erased, name)
    label = f"erase {body.name}"
    if stays is not None:
        pieces = editable.split_into_pieces({body.name: stays})
        editable.push_undo_step(label, is_rebuilt=True)
        editable.update_bodies(
            {body.name: Pieces.of([*pieces[body.name].edited_bodies, goes])},
            editable.in_progress,
            is_undo_step=True,
            is_halfway=True,
        )
    else:
        editable.push_undo_step(label)
        name = body.name
    try:
        with editable.revert_if_refused():
            _take_away(editable, label, editable.world.bodies[name])
    except EditRefused:
        if stays is not None:
            step_history(editable, is_back=True, is_halfway=True)
        editable.history.undone.clear()
        raise


def _take_away(editable: EditableWorld, label: str, body: BodyRange) -> None:
    """Let a body that is connected to no other leave the world."""
    particles = editable.world.particles
    points = np.arange(body.particles.start, body.particles.stop)
    cut = editable.history.done[-1].change
    is_left = cut.nearest[points]
    rim = np.setdiff1d(np.flatnonzero(np.isin(cut.nearest, is_left)), points)
    stays = np.ones(particles.count, np.bool_)
    stays[points] = False
    is_pinched = bool((np.bincount(cut.nearest[stays]) > 1).any())
    erased = ErasedTriangles(
        points=points,
        positions=particles.positions[points].copy(),
        velocities=particles.velocities[points].copy(),
        rim=rim,
        rim_positions=particles.positions[rim].copy(),
    )
    editable.push_undo_step(label, is_rebuilt=True)
    editable.history.done[-1].erased = erased
    strains = {name: strain for name, strain in editable.in_progress.strains.items() if name != body.name}
    pairs = np.concatenate([np.zeros((0, 2), np.int64), *(seam.pairs for seam in editable.in_progress.seams)])
    is_torn = np.isin(pairs, points).any(axis=1)
    # Links to what goes are lost, so the couplings of their other ends change.
    editable.update_bodies(
        {body.name: Pieces.of([])},
        replace(editable.in_progress, strains=strains),
        np.unique(pairs[is_torn]),
        is_undo_step=True,
        is_halfway=not is_pinched,
    )
    editable.cloth_records.pop(body.name, None)


def cut_out(
    body_edit: BodyEdit, is_erased: NDArray[np.bool_], name: str
) -> tuple[EditedBody | None, EditedBody]:
    """Return what stays of a body, None if nothing does, and what is cut out of it, called `name`.

    Args:
        body_edit: the body, with capacity for a copy of every point around the triangles that go
        is_erased: (triangle_count,) which triangles go
        name: of the block that goes
    """
    mesh = body_edit.mesh
    if is_erased.all():
        whole = body_edit.result()
        return None, select_vertices(whole, np.ones(len(whole.vertices), np.bool_), name)
    for t in np.flatnonzero(is_erased).tolist():
        for c in range(3):
            u = int(mesh.neighbours[t, c])
            if u >= 0 and not is_erased[u]:
                mark_edge(mesh, mesh.triangles[t, (c + 1) % 3], mesh.triangles[t, (c + 2) % 3])
    open_marked_edges(mesh)
    edited_body = body_edit.result()
    goes = np.zeros(len(edited_body.vertices), np.int64)
    goes[edited_body.triangles[is_erased]] = 1
    stays, gone = separate(edited_body, goes, [edited_body.name, name])
    # Points of the rim belong to what stays, so that pins and seams there stay too.
    new_of = stays.new_of.copy()
    is_copy = new_of[stays.vertices] < 0
    new_of[stays.vertices[is_copy]] = np.flatnonzero(is_copy)
    return replace(stays, new_of=new_of), replace(gone, new_of=np.where(new_of >= 0, -1, gone.new_of))


def rim_capacity(neighbours: Indices, is_erased: NDArray[np.bool_]) -> int:
    """Return how many copies of points cutting these triangles out may need."""
    beyond = neighbours[is_erased]
    return 2 * int(np.count_nonzero((beyond >= 0) & ~is_erased[beyond])) + 8


def rows_of(name: str, rows: Sequence[int], count: int) -> Indices:
    """Return rows of an array with `count` of them, or say what is wrong with them."""
    try:
        found = np.asarray(rows)
    except ValueError:
        found = np.zeros(0)
    if found.ndim != 1 or len(found) == 0 or not np.issubdtype(found.dtype, np.integer):
        raise SuppleError(f"`{name}` is {rows!r}, but it must list one or more triangles of the body.")
    if found.min() < 0 or found.max() >= count:
        raise SuppleError(f"`{name}` must list triangles from 0 to {count - 1}.")
    return found.astype(np.int64)
