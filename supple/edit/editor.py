"""Editor: every way to change the bodies of a running world, each one at work in a room of its own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.edit.commands.close_seams import sew_on, unseam
from supple.edit.commands.cut import cut, cut_edges
from supple.edit.commands.erase import erase
from supple.edit.commands.sew import Sewing, sew
from supple.edit.commands.shrink import shrink, shrink_on
from supple.edit.commands.tear import tear_on
from supple.edit.history import undo
from supple.edit.mesh.cloth_record import Fabric
from supple.edit.world.apply_edit import Workshop
from supple.errors import SuppleError
from supple.model.world import BodyRange

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]


class Editor(Workshop):
    """Changes the bodies of a world; whoever works on it is told of every change."""

    # ------------------------------------------------------------------ edits

    def cut(
        self, body: BodyRange, path: Floats | None, plane: tuple[Floats, float] | None, gap: float = 0.0
    ) -> None:
        """Cut a body along a path (count, 3) [m], or by the plane n · x = offset; soft ones open by `gap` [m]."""
        cut(self, body, path, plane, gap)

    def cut_edges(self, body: BodyRange, chain: list[int]) -> None:
        """Cut a body along edges, from vertex to vertex of a chain."""
        cut_edges(self, body, chain)

    def erase(self, body: BodyRange, triangles: Indices) -> None:
        """Take triangles of a body away; a piece that came off may go whole, a declared body may not."""
        erase(self, body, triangles)

    def tear(self, body: BodyRange, strain: float) -> None:
        """Let a body tear where it is stretched by more than `strain`; inf never."""
        if len(body.triangles):
            self.woven(body)
        self.note(f"tear {body.name}")
        self.ongoing = replace(self.ongoing, strains={**self.ongoing.strains, body.name: strain})

    def shrink(self, body: BodyRange, points: Indices, ratio: float, seconds: float) -> None:
        """Let the springs between some vertices shrink or grow to `ratio` times their rest length."""
        shrink(self, body, points, ratio, seconds)

    def sew(self, label: str, sewings: list[Sewing]) -> list[int]:
        """Sew pairs of chains together, all as one edit, and return the numbers of the seams."""
        return sew(self, label, sewings)

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
    def is_under_way(self) -> bool:
        """Whether seams are closing, or bodies may tear."""
        return bool(self.ongoing.seams) or any(map(math.isfinite, self.ongoing.strains.values()))

    def tearing(self) -> list[slice]:
        """Return the particles of every body that may tear."""
        strains = self.ongoing.strains.items()
        return [self.world.bodies[name].particles for name, strain in strains if math.isfinite(strain)]

    def advance(self, seconds: float) -> None:
        """Go on with what is under way: seams close, bands shrink, cloth tears."""
        ongoing = self.ongoing
        if not (ongoing.seams or ongoing.shrinkings or ongoing.strains):
            return
        shrink_on(self, seconds)
        sew_on(self, seconds)
        for name, strain in list(self.ongoing.strains.items()):
            if math.isfinite(strain):
                tear_on(self, self.world.bodies[name], strain)

    # ------------------------------------------------------------------ what is remembered

    def settings_since(self) -> list[tuple[str, Any]]:
        """Return what was set since the edit that an undo takes back."""
        return self.history.done[-1].settings if self.history.done else []

    def fabric(self, body: BodyRange) -> Fabric | None:
        """Return what is remembered of an edited body, None for one that is as it was declared."""
        return self.fabrics.get(body.name)

    def heirs(self, body: BodyRange, points: Sequence[int]) -> list[int]:
        """Return what vertices of a declared body have become in one of its pieces, in order; lost ones are left out."""
        count = body.particles.stop - body.particles.start
        fabric = self.fabrics.get(body.name)
        if fabric is None:
            return list(points)
        whole = np.flatnonzero(fabric.birth_weights[:, 0] == 1.0)[::-1]
        found = dict(zip(fabric.birth_points[whole, 0].tolist(), whole.tolist(), strict=True))
        for vertex, particle in self.ongoing.welded.tolist():
            if 0 <= particle - body.particles.start < count:
                found.setdefault(vertex, particle - body.particles.start)
        return list(dict.fromkeys(found[point] for point in points if point in found))


def chain_of(name: str, points: Sequence[int], count: int) -> list[int]:
    """Return a chain of vertices, or say what is wrong with it."""
    try:
        chain = [int(point) for point in points]
        is_whole = all(point == given for point, given in zip(chain, points, strict=True))
    except (TypeError, ValueError):
        raise SuppleError(f"`{name}` is {points!r}, but it must list vertices of the body.") from None
    if not is_whole or any(not 0 <= point < count for point in chain):
        raise SuppleError(f"`{name}` must list vertices from 0 to {count - 1}.")
    if len(chain) < 2:
        raise SuppleError(f"`{name}` has {len(chain)} points, but a chain needs two or more.")
    if len(set(chain)) < len(chain):
        raise SuppleError(f"`{name}` names a vertex twice.")
    return chain
