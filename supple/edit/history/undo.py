"""Undo and redo: edits are taken back and made again."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from supple.edit.history.history import BodiesSnapshot, EditStep
from supple.edit.history.rejoin_pieces import interpolate_moved_vertices, rejoin_pieces
from supple.edit.world.apply_edit import EditableWorld
from supple.edit.world.intersection_check import EditRefused
from supple.edit.world.particle_change import ParticleChange
from supple.errors import SuppleError
from supple.model.world import BodyRange


def undo(editable: EditableWorld) -> str:
    """Take the last edit back, and what followed from it; return what it was."""
    while editable.history.done and editable.history.done[-1].erased is not None:
        step_history(editable, is_back=True, is_halfway=True)
    return step_history(editable, is_back=True)


def redo(editable: EditableWorld) -> str:
    """Make the edit again that was taken back last; return what it was."""
    undone = editable.history.undone
    label = step_history(
        editable, is_back=False, is_halfway=len(undone) > 1 and undone[-2].erased is not None
    )
    while editable.history.undone and editable.history.undone[-1].erased is not None:
        step_history(editable, is_back=False)
    return label


def step_history(editable: EditableWorld, *, is_back: bool, is_halfway: bool = False) -> str:
    """Go one step back or forward in the history, and return what it was; halfway, cloth may intersect."""
    if not (editable.history.done if is_back else editable.history.undone):
        raise SuppleError(f"there is nothing to {'undo' if is_back else 'redo'}.")
    with editable.revert_if_refused():
        away, back = editable.history.done, editable.history.undone
        if not is_back:
            away, back = back, away
        step = away.pop()
        here, positions = editable.snapshot(), editable.contact_positions()
        change = _carry_over(editable, step, here, is_back=is_back)
        back.append(EditStep(step.label, here, step.change, step.settings, step.erased, positions))
        if not is_halfway:
            _open_cuts_or_restore(editable, step, change)
        editable.notify(change)
    return step.label


def _carry_over(
    editable: EditableWorld, step: EditStep, here: BodiesSnapshot, *, is_back: bool
) -> ParticleChange:
    """Give the world the bodies on the other side of a step, given those it has, and return the change."""
    change = step.change.reversed(editable.world.particles.masses) if is_back else step.change
    change = replace(change, keeps_pairs=False)  # couplings are found anew
    there = step.snapshot.expanded(here)
    if is_back:
        split_bodies = [name for name, own in here.levels.items() if there.levels.get(name) is not own]
        rejoin_pieces(editable.world, change, split_bodies or _split_soft_bodies(here, there))
        change = interpolate_moved_vertices(editable.world, change, split_bodies, there.rest_positions)
    there.restore(editable.world, change)
    if is_back and step.erased is not None:
        step.erased.restore(editable.world.particles)
    editable.cloth_records, editable.in_progress = dict(there.cloth_records), there.in_progress
    editable.unshared.clear()
    return change


def _split_soft_bodies(here: BodiesSnapshot, there: BodiesSnapshot) -> list[str]:
    """Return the soft bodies of one level that are not made of the same number of elements and points on the other side."""

    def size(body: BodyRange) -> tuple[int, int]:
        points, elements = body.particles, body.tetrahedra
        return points.stop - points.start, elements.stop - elements.start

    return [
        name
        for name, body in here.bodies.items()
        if body.is_soft and (name not in there.bodies or size(there.bodies[name]) != size(body))
    ]


def _open_cuts_or_restore(editable: EditableWorld, step: EditStep, change: ParticleChange) -> None:
    """Open cuts after a step; where cloth would intersect, all of it goes back to where it was on that side of the step."""
    # Soft bodies are laid down anew as a whole, and what was erased comes back among what has moved there since.
    is_local = step.erased is None and not any(body.is_soft for body in editable.world.bodies.values())
    with suppress(EditRefused):
        editable.open_cuts(change if is_local else None)
        return
    if step.contact_positions is not None:
        step.contact_positions.restore(editable.world.particles)
        editable.world.tetrahedra.turn_to(editable.world.particles.positions)
    editable.open_cuts()
