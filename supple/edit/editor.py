"""Editor: every command that changes the bodies of a running world, and what can be asked about its edits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.edit.commands.close_seams import advance_seams, close_joints, unseam
from supple.edit.commands.cut import cut, cut_edges
from supple.edit.commands.erase import erase
from supple.edit.commands.seam import Seam
from supple.edit.commands.sew import SeamRequest, sew
from supple.edit.commands.shrink import advance_shrinkings, shrink
from supple.edit.commands.tear import advance_tears
from supple.edit.history import undo
from supple.edit.mesh.cloth_record import ClothRecord
from supple.edit.world.apply_edit import EditableWorld
from supple.errors import SuppleError
from supple.model.world import BodyRange

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]


class Editor(EditableWorld):
    """Cuts, tears, sews, shrinks and erases the bodies of a world; whoever works on the world is notified."""

    # ------------------------------------------------------------------ edits

    def cut(
        self, body: BodyRange, path: Floats | None, plane: tuple[Floats, float] | None, gap: float = 0.0
    ) -> None:
        """Cut a body along a path (count, 3) [m], or by the plane n · x = offset; soft ones open by `gap` [m]."""
        with self._forgetting_records():
            cut(self, body, path, plane, gap)

    def cut_edges(self, body: BodyRange, chain: list[int]) -> None:
        """Cut a body along edges, from vertex to vertex of a chain."""
        with self._forgetting_records():
            cut_edges(self, body, chain)

    def erase(self, body: BodyRange, triangles: Indices) -> None:
        """Take triangles of a body away; a piece that came off may go whole, a declared body may not."""
        with self._forgetting_records():
            erase(self, body, triangles)

    def tear(self, body: BodyRange, strain: float) -> None:
        """Let a body tear where it is stretched by more than `strain`; inf never."""
        if len(body.triangles):
            self.require_cloth_record(body)
        self.push_undo_step(f"tear {body.name}")
        self.in_progress = replace(self.in_progress, strains={**self.in_progress.strains, body.name: strain})

    def shrink(self, body: BodyRange, points: Indices, ratio: float, seconds: float) -> None:
        """Let the springs between some vertices shrink or grow to `ratio` times their rest length."""
        shrink(self, body, points, ratio, seconds)

    def sew(self, label: str, requests: list[SeamRequest]) -> list[int]:
        """Sew pairs of chains together, all as one edit, and return the numbers of the seams."""
        with self._forgetting_records():
            return sew(self, label, requests)

    @contextmanager
    def _forgetting_records(self) -> Iterator[None]:
        """Forget the cloth records that a refused edit has made.

        A record holds the lengths of its moment. Of a body that was not edited no state is saved but what it was declared
        as, so its first edit must make the record anew, wherever the body was loaded from.
        """
        known = set(self.cloth_records)
        try:
            yield
        except SuppleError:
            for name in set(self.cloth_records) - known:
                del self.cloth_records[name]
                self.unshared.discard(name)
            raise

    def unseam(self, number: int) -> None:
        """Open a seam."""
        unseam(self, number)

    def undo(self) -> str:
        """Take the last edit back, and what followed from it; return what it was."""
        return undo.undo(self)

    def redo(self) -> str:
        """Make the edit again that was taken back last; return what it was."""
        return undo.redo(self)

    # ------------------------------------------------------------------ every frame

    @property
    def seams(self) -> tuple[Seam, ...]:
        """All seams, in the order they were begun; their particles are counted over all bodies."""
        return tuple(self.in_progress.seams)

    @property
    def is_under_way(self) -> bool:
        """Whether seams are closing, or bodies may tear."""
        return bool(self.in_progress.seams) or any(map(math.isfinite, self.in_progress.strains.values()))

    def tearing(self) -> list[slice]:
        """Return the particles of every body that may tear."""
        strains = self.in_progress.strains.items()
        return [self.world.bodies[name].particles for name, strain in strains if math.isfinite(strain)]

    def advance(self, seconds: float) -> None:
        """Advance the edits in progress: seams close, bands shrink, cloth tears."""
        in_progress = self.in_progress
        if not (in_progress.seams or in_progress.shrinkings or in_progress.strains):
            return
        advance_shrinkings(self, seconds)
        advance_seams(self, seconds)
        for name, strain in list(self.in_progress.strains.items()):
            if math.isfinite(strain):
                advance_tears(self, self.world.bodies[name], strain)

    def advance_within(self, left: float) -> None:
        """Advance what closes substep by substep, joints, to some time before the end of the frame [s]."""
        if self.in_progress.seams:
            close_joints(self, left)

    # ------------------------------------------------------------------ records

    def settings_since(self) -> list[tuple[str, Any]]:
        """Return what was set since the edit that an undo takes back."""
        return self.history.done[-1].settings if self.history.done else []

    def cloth_record(self, body: BodyRange) -> ClothRecord | None:
        """Return the record of an edited cloth, None for a body that is as it was declared."""
        return self.cloth_records.get(body.name)

    def heirs(self, body: BodyRange, points: Sequence[int]) -> list[int]:
        """Return what vertices of a declared body have become in one of its pieces, in order; lost ones are left out."""
        count = body.particles.stop - body.particles.start
        cloth_record = self.cloth_records.get(body.name)
        if cloth_record is None:
            return list(points)
        whole = np.flatnonzero(cloth_record.ancestor_weights[:, 0] == 1.0)[::-1]
        found = dict(zip(cloth_record.ancestors[whole, 0].tolist(), whole.tolist(), strict=True))
        for vertex, particle in self.in_progress.welded.tolist():
            if 0 <= particle - body.particles.start < count:
                found.setdefault(vertex, particle - body.particles.start)
        return list(dict.fromkeys(found[point] for point in points if point in found))


def chain_of(name: str, points: Sequence[int], count: int, *, at_least: int = 2) -> list[int]:
    """Return a chain of vertices of a body that has `count`, or say what is wrong with it."""
    try:
        chain = [int(point) for point in points]
        is_whole = all(point == given for point, given in zip(chain, points, strict=True))
    except (TypeError, ValueError):
        raise SuppleError(f"`{name}` is {points!r}, but it must list vertices of the body.") from None
    if not is_whole or any(not 0 <= point < count for point in chain):
        raise SuppleError(f"`{name}` must list vertices from 0 to {count - 1}.")
    if len(chain) < at_least:
        raise SuppleError(f"`{name}` has {len(chain)} points, but a chain needs two or more.")
    if len(set(chain)) < len(chain):
        raise SuppleError(f"`{name}` names a vertex twice.")
    return chain
