"""Close seams: seams draw together frame by frame, are welded or break, and are opened again."""

from __future__ import annotations

import itertools
import math
from contextlib import suppress
from dataclasses import replace

import numpy as np

from supple.edit.commands.in_progress import EditsInProgress
from supple.edit.commands.seam import Seam, seam_links
from supple.edit.commands.weld import weld
from supple.edit.mesh.cloth_record import ClothRecord
from supple.edit.mesh.triangle_mesh import mark_edge, open_marked_edges
from supple.edit.world.apply_edit import EditableWorld
from supple.edit.world.connected_pieces import Pieces
from supple.edit.world.intersection_check import EditRefused
from supple.edit.world.reshape_body import BodyEdit
from supple.errors import SuppleError
from supple.model.world import BodyRange

WELD_GAP = 0.3
"""Largest gap that a weld closes, as a fraction of the mean edge."""


def advance_seams(editable: EditableWorld, seconds: float) -> None:
    """Close seams for some seconds more; weld those that are closed, and break links that pull too hard."""
    if not any(not seam.is_welded for seam in editable.in_progress.seams):
        return
    # A joint was still closing within the frame before, when integrators last looked at its length.
    was_closing = any(
        seam.elapsed - (seconds if seam.is_joint else 0.0) < seam.seconds
        for seam in editable.in_progress.seams
    )
    later = [replace(seam, elapsed=seam.elapsed + seconds) for seam in editable.in_progress.seams]
    editable.in_progress = replace(editable.in_progress, seams=later)
    if was_closing:
        bends = editable.world.bends
        links = seam_links(later)
        bends.rest_lengths[bends.count - links.count :] = links.rest_lengths
        close_joints(editable, seconds)
        editable.rest_lengths_changed()
    for number in [seam.number for seam in later if seam.is_closed and not seam.is_welded]:
        # Each of these may renumber particles: look the seam up anew.
        seam = next((seam for seam in editable.in_progress.seams if seam.number == number), None)
        if seam is None or len(seam.pairs) == 0:
            continue
        if math.isfinite(seam.strength):
            _break_overloaded_links(editable, seam)
        elif seam.is_weldable:
            _weld(editable, seam)


def close_joints(editable: EditableWorld, before: float) -> None:
    """Let the links of joints that close have the length of some time before the end of the frame [s].

    Seams close frame by frame. A joint is too stiff for that: the jump of a frame would be made within a substep, at ten
    times the speed, and an integrator that keeps energy would keep that.
    """
    held = [seam for seam in editable.in_progress.seams if not seam.is_welded]
    bends = editable.world.bends
    place = bends.count - sum(len(seam.pairs) for seam in held)
    for seam in held:
        if seam.is_joint and seam.elapsed - before < seam.seconds:
            bends.rest_lengths[place : place + len(seam.pairs)] = seam.lengths_at(seam.elapsed - before)
        place += len(seam.pairs)


def _break_overloaded_links(editable: EditableWorld, seam: Seam) -> None:
    """Drop the links of a seam that pull harder than it can hold."""
    points = editable.world.particles.positions[seam.pairs]
    pulls = seam.stiffness * (np.linalg.norm(points[:, 0] - points[:, 1], axis=1) - seam.least_gap)
    is_held = pulls <= seam.strength
    if not is_held.all():
        weaker = replace(seam, pairs=seam.pairs[is_held], gaps=seam.gaps[is_held])
        seams = [weaker if other.number == seam.number else other for other in editable.in_progress.seams]
        lost = np.unique(seam.pairs[~is_held])
        editable.update_bodies(
            {}, replace(editable.in_progress, seams=[s for s in seams if len(s.pairs)]), lost
        )


def _weld(editable: EditableWorld, seam: Seam) -> None:
    """Weld a closed seam, if a proper surface comes of it; otherwise its links still hold it.

    A seam that something keeps open waits: to weld it would take points through what is in the way.
    """
    body = editable.owner(int(seam.pairs[0, 0]))
    cloth_record = _surface(editable, body)
    if cloth_record is None:
        editable.in_progress = _settled(editable, seam, is_welded=False)
        return
    points = editable.world.particles.positions[seam.pairs]
    gap = float(np.linalg.norm(points[:, 0] - points[:, 1], axis=1).max())
    if gap > WELD_GAP * float(cloth_record.mean_edge[0]):
        return
    local = seam.pairs - body.particles.start
    is_inside = ((local >= 0) & (local < body.particles.stop - body.particles.start)).all()
    body_edit = BodyEdit(editable.world, body, cloth_record, 0) if is_inside else None
    is_done = body_edit is not None and weld(body_edit, local)
    if is_done:
        in_progress = _settled(editable, seam, is_welded=True)
        assert body_edit is not None and body_edit.merged is not None
        gone = np.flatnonzero(body_edit.merged != np.arange(len(body_edit.merged)))
        gone = gone[body_edit.cloth_record.ancestor_weights[gone, 0] == 1.0]
        rows = np.column_stack([body_edit.cloth_record.ancestors[gone, 0], gone + body.particles.start])
        in_progress = replace(in_progress, welded=np.concatenate([in_progress.welded, rows]))
        with suppress(EditRefused), editable.revert_if_refused():  # else it waits for the next frame
            editable.update_bodies(
                {body.name: Pieces.of([body_edit.result()])}, in_progress, seam.pairs.ravel()
            )
    else:
        editable.in_progress = _settled(editable, seam, is_welded=False)


def _surface(editable: EditableWorld, body: BodyRange) -> ClothRecord | None:
    """Return the record of a body, None if it is no surface on which two chains could become one: a rope, a lattice."""
    try:
        return editable.require_cloth_record(body)
    except SuppleError:
        return None


def _settled(editable: EditableWorld, seam: Seam, *, is_welded: bool) -> EditsInProgress:
    """Return the edits in progress once it is clear whether a seam is welded or held by its links for good."""
    settled = replace(seam, is_welded=is_welded, is_weldable=False)
    seams = [settled if other.number == seam.number else other for other in editable.in_progress.seams]
    return replace(editable.in_progress, seams=seams)


def unseam(editable: EditableWorld, number: int) -> None:
    """Open a seam."""
    found = [seam for seam in editable.in_progress.seams if seam.number == number]
    if not found:
        known = ", ".join(str(seam.number) for seam in editable.in_progress.seams) or "none"
        raise SuppleError(f"there is no seam {number}. Seams: {known}.")
    _open(editable, found[0])


def _open(editable: EditableWorld, seam: Seam) -> None:
    seams = [other for other in editable.in_progress.seams if other.number != seam.number]
    in_progress = replace(editable.in_progress, seams=seams)
    if not seam.is_welded:
        editable.push_undo_step("unseam", is_rebuilt=True)
        editable.update_bodies({}, in_progress, np.unique(seam.pairs), is_undo_step=True)
        return
    body = editable.owner(int(seam.pairs[0, 0]))
    cloth_record = editable.require_cloth_record(body)
    body_edit = BodyEdit(editable.world, body, cloth_record, 4 * len(seam.pairs) + 8)
    points = (seam.pairs[:, 0] - body.particles.start).tolist()
    for a, b in itertools.pairwise(points):
        if 0 <= min(a, b) and max(a, b) < len(cloth_record.incident_triangle):
            mark_edge(body_edit.mesh, a, b)
    if not open_marked_edges(body_edit.mesh):
        raise SuppleError("the seam was welded, and what is left of it is too short to open.")
    edited = editable.split_into_pieces({body.name: body_edit.result()})
    with editable.revert_if_refused():
        editable.push_undo_step("unseam")
        editable.in_progress = in_progress
        editable.update_bodies(edited, in_progress, is_undo_step=True)
