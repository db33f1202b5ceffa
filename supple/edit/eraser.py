"""Eraser: triangles are cut out of a cloth and taken away; what comes back with an undo finds its place.

Theory: docs/theory/edits.md, eq. (T8). What is rubbed out first becomes a body of its own, by a cut along edges
like any other; then that body leaves the world. So the cut keeps mass and momentum, and what goes does not push what stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from supple.edit.rebuild import Block, selected
from supple.edit.reshape import Workpiece
from supple.edit.sheet import mark_edge, open_marked
from supple.errors import SuppleError
from supple.model.particles import Particles

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Erased:
    """Particles that were taken away, as they were, and the rim of the hole they left."""

    points: Indices
    """(count,) particles, counted as before they went."""

    places: Floats
    """(count, 3) where they were [m]."""

    velocities: Floats
    """(count, 3) [m/s]"""

    rim: Indices
    """(rim_count,) particles that lay in the same place as one of them and stayed, counted likewise."""

    rim_places: Floats
    """(rim_count, 3) where the rim was [m]."""

    def revive(self, particles: Particles) -> None:
        """Put the particles back where the cloth around them has gone since, eq. (T8)."""
        particles.positions[self.points] = self.places
        particles.velocities[self.points] = self.velocities
        if len(self.rim) == 0:
            return
        away = np.linalg.norm(self.places[:, None] - self.rim_places[None], axis=2)
        weights = 1.0 / np.maximum(away, 1e-9) ** 2
        weights /= weights.sum(axis=1, keepdims=True)
        moved = particles.positions[self.rim] - self.rim_places
        particles.positions[self.points] += weights @ moved
        particles.velocities[self.points] = weights @ particles.velocities[self.rim]


def cut_out(work: Workpiece, is_erased: NDArray[np.bool_], name: str) -> tuple[Block | None, Block]:
    """Return what stays of a body, None if nothing does, and what is cut out of it, called `name`.

    Args:
        work: the body, with room for a copy of every point around the triangles that go
        is_erased: (triangle_count,) which triangles go
        name: of the block that goes
    """
    sheet = work.sheet
    if is_erased.all():
        whole = work.finished()
        return None, selected(whole, np.ones(len(whole.vertices), np.bool_), name)
    for t in np.flatnonzero(is_erased).tolist():
        for c in range(3):
            u = int(sheet.across[t, c])
            if u >= 0 and not is_erased[u]:
                mark_edge(sheet, sheet.triangles[t, (c + 1) % 3], sheet.triangles[t, (c + 2) % 3])
    open_marked(sheet)
    block = work.finished()
    goes = np.zeros(len(block.vertices), np.bool_)
    goes[block.triangles[is_erased]] = True
    stays, gone = selected(block, ~goes, block.name), selected(block, goes, name)
    # Points of the rim go on with what stays, so that pins and seams there do.
    new_of = stays.new_of.copy()
    is_copy = new_of[stays.vertices] < 0
    new_of[stays.vertices[is_copy]] = np.flatnonzero(is_copy)
    return replace(stays, new_of=new_of), replace(gone, new_of=np.where(new_of >= 0, -1, gone.new_of))


def rim_room(across: Indices, is_erased: NDArray[np.bool_]) -> int:
    """Return how many copies of points cutting these triangles out may need."""
    beyond = across[is_erased]
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
