"""Serialise: an edited world and its undo history as plain arrays, for a saved state that goes on bit for bit.

`deserialise` reads it again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from supple.edit.commands.in_progress import EditsInProgress
from supple.edit.history.history import BodiesSnapshot, EditStep
from supple.edit.history.saved_names import (
    CHANGE_NAMES,
    ELEMENTS,
    ERASED_NAMES,
    LEVEL_MESHES,
    RECORD_NAMES,
    SEAM_NUMBERS,
    STRAIN_RATES,
    Arrays,
    renamed,
)
from supple.edit.world.apply_edit import EditableWorld

MOST_SAVED_BYTES = 32_000_000
"""Memory of the snapshots that a file holds, for undo and for redo; older edits can then be undone no more."""


def serialise(editable: EditableWorld) -> tuple[dict[str, Any], Arrays]:
    """Return what `deserialise` needs: a header of words and numbers, and arrays by name.

    Both are empty for worlds that were never edited.
    """
    if not editable.is_edited:
        return {}, {}
    header, arrays = _serialise_snapshot(editable.snapshot())
    for name, stack in (("done", editable.history.done), ("undone", editable.history.undone)):
        header[name] = []
        for n, step in enumerate(_latest(_expanded(stack, editable.snapshot()), is_done=name == "done")):
            entry, own = _serialise_step(step)
            header[name].append(entry)
            arrays |= {f"{name}.{n}.{key}": array for key, array in own.items()}
    header["same"] = _without_duplicates(arrays)
    return header, arrays


def _serialise_step(step: EditStep) -> tuple[dict[str, Any], Arrays]:
    """Return an edit of the history as a header and arrays."""
    assert isinstance(step.snapshot, BodiesSnapshot)
    entry, arrays = _serialise_snapshot(step.snapshot)
    if step.erased is not None:
        arrays |= renamed(vars(step.erased), ERASED_NAMES, "erased.")
    if step.contact_positions is not None:
        arrays |= {f"places.{key}": array for key, array in vars(step.contact_positions).items()}
    arrays |= renamed(vars(step.change), CHANGE_NAMES, "change.")
    settings = [[body, changes.fields()] for body, changes in step.settings]
    entry |= {"label": step.label, "old_count": step.change.old_count, "settings": settings}
    return entry, arrays


def _serialise_snapshot(snapshot: BodiesSnapshot) -> tuple[dict[str, Any], Arrays]:
    """Return bodies and the edits in progress as a header and arrays."""
    arrays: Arrays = {f"springs.{name}": array for name, array in vars(snapshot.springs).items()}
    arrays |= {f"bends.{name}": array for name, array in vars(snapshot.bends).items()}
    arrays |= {f"anchors.{name}": array for name, array in vars(snapshot.anchors).items()}
    arrays["rest_positions"], arrays["masses"] = snapshot.rest_positions, snapshot.masses
    arrays |= {f"tetrahedra.{name}": getattr(snapshot.tetrahedra, name) for name in ELEMENTS + STRAIN_RATES}
    for name, levels in snapshot.levels.items():
        arrays |= {f"levels.{name}.{key}": getattr(levels, key) for key in LEVEL_MESHES}
        arrays |= {f"levels.{name}.{key}": getattr(levels.elements, key) for key in ELEMENTS + STRAIN_RATES}
    bodies, own = _serialise_bodies(snapshot)
    header, others = _serialise_in_progress(snapshot.in_progress)
    return {"bodies": bodies, **header}, {**arrays, **own, **others}


def _serialise_bodies(snapshot: BodiesSnapshot) -> tuple[list[dict[str, Any]], Arrays]:
    """Return where each body lies, and what it and its cloth record are made of."""
    bodies: list[dict[str, Any]] = []
    arrays: Arrays = {}
    for n, body in enumerate(snapshot.bodies.values()):
        arrays |= {f"body.{n}.triangles": body.triangles, f"body.{n}.shares": body.shares}
        if body.soft_ancestors is not None:
            arrays[f"body.{n}.births"] = body.soft_ancestors
        cloth_record = snapshot.cloth_records.get(body.name)
        if cloth_record is not None:
            arrays |= renamed(vars(cloth_record), RECORD_NAMES, f"body.{n}.fabric.")
        bodies.append(
            {
                "name": body.name,
                "origin": body.origin,
                "particles": body.particles.stop,
                "springs": body.springs.stop,
                "bends": body.bends.stop,
                "tetrahedra": body.tetrahedra.stop,
                "is_edited_cloth": body.ancestry is not None,
            }
        )
    return bodies, arrays


def _serialise_in_progress(in_progress: EditsInProgress) -> tuple[dict[str, Any], Arrays]:
    """Return seams, shrinking and tearing."""
    arrays: Arrays = {"welded": in_progress.welded}
    seams, shrinkings = [], []
    for n, seam in enumerate(in_progress.seams):
        arrays |= {f"seam.{n}.pairs": seam.pairs, f"seam.{n}.gaps": seam.gaps}
        numbers = {name: float(getattr(seam, name)).hex() for name in SEAM_NUMBERS}
        seams.append({**numbers, "name": seam.name})
    for n, shrinking in enumerate(in_progress.shrinkings):
        arrays[f"shrinking.{n}"] = shrinking.members
        shrinkings.append([value.hex() for value in (shrinking.ratio, shrinking.seconds, shrinking.elapsed)])
    header = {
        "seams": seams,
        "shrinkings": shrinkings,
        "strains": {name: float(strain).hex() for name, strain in in_progress.strains.items()},
        "seam_count": in_progress.seam_count,
    }
    return header, arrays


def _expanded(stack: list[EditStep], current: BodiesSnapshot) -> list[EditStep]:
    """Return the steps of a stack with snapshots instead of deltas, as far down as a file may hold them."""
    result = [*stack]
    total, n = 0, len(stack)
    while n > 0 and total <= MOST_SAVED_BYTES:
        n -= 1
        current = stack[n].snapshot.expanded(current)
        result[n] = replace(stack[n], snapshot=current)
        total += current.size
    return result


def _latest(stack: list[EditStep], *, is_done: bool) -> list[EditStep]:
    """Return the last steps of a stack, as many as a file may hold."""
    total, first = 0, len(stack)
    while first > 0 and total + stack[first - 1].snapshot.size <= MOST_SAVED_BYTES:
        first -= 1
        total += stack[first].snapshot.size
    # The two halves of an erasing go together; what was undone lies the other way round.
    while first < len(stack) and (
        stack[first].erased is not None
        if is_done
        else first > 0 and stack[first - 1].erased is not None and stack[first].erased is None
    ):
        first += 1
    return stack[first:]


def _without_duplicates(arrays: Arrays) -> dict[str, str]:
    """Take arrays out that are the very same as others; return under which name each is found."""
    first: dict[int, str] = {}
    same = {key: name for key, array in arrays.items() if (name := first.setdefault(id(array), key)) != key}
    for key in same:
        del arrays[key]
    return same
