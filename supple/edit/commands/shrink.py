"""Shrink: rest lengths between some vertices change, at once or frame by frame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from supple.edit.commands.in_progress import Shrinking
from supple.edit.world.apply_edit import EditableWorld
from supple.errors import SuppleError
from supple.model.springs import Springs
from supple.model.world import BodyRange

Indices = NDArray[np.int64]


def shrink(editable: EditableWorld, body: BodyRange, points: Indices, ratio: float, seconds: float) -> None:
    """Let the springs between some vertices shrink or grow to `ratio` times their rest length."""
    members = np.zeros(editable.world.particles.count, np.bool_)
    members[points + body.particles.start] = True
    if not members[editable.world.springs.ends[body.springs]].all(axis=1).any():
        raise SuppleError(
            f"no spring of {body.name!r} joins two of these {len(points)} vertices, so nothing can shrink."
        )
    editable.push_undo_step(f"shrink {body.name}")
    shrinking = Shrinking(members, ratio, seconds)
    if seconds == 0.0:
        _scale(editable.world.springs, members, ratio)
        editable.rest_lengths_changed()
    else:
        editable.in_progress = replace(
            editable.in_progress, shrinkings=[*editable.in_progress.shrinkings, shrinking]
        )


def advance_shrinkings(editable: EditableWorld, seconds: float) -> None:
    """Shrink bands for some seconds more."""
    if not editable.in_progress.shrinkings:
        return
    going = []
    for shrinking in editable.in_progress.shrinkings:
        later = replace(shrinking, elapsed=shrinking.elapsed + seconds)
        _scale(
            editable.world.springs,
            shrinking.members,
            later.factor(later.elapsed) / later.factor(shrinking.elapsed),
        )
        if later.elapsed < later.seconds:
            going.append(later)
    editable.in_progress = replace(editable.in_progress, shrinkings=going)
    editable.rest_lengths_changed()


def _scale(springs: Springs, members: NDArray[np.bool_], factor: float) -> None:
    springs.rest_lengths[members[springs.ends].all(axis=1)] *= factor
