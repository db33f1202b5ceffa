"""Pieces: what a body has become, and what of it has come off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from supple.edit.world.rebuild_bodies import Block, hanging_pairs, selected
from supple.model.couplings.connected_components import hang_together, part_leaders, triangle_leaders

Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Pieces:
    """A body after an edit, and the pieces that came off; nothing at all if it was taken away."""

    names: list[str]
    """Of the body, and of the pieces."""

    whole: Block | None
    """All of them in one, None if they are only known as blocks of their own."""

    part_of: Indices | None = None
    """(vertex_count,) to which of the names each vertex of the whole belongs; None if all belong to the body."""

    leaders: Indices | None = None
    """(vertex_count,) the first vertex of the connected part of each one, if pieces have come off."""

    known: tuple[Block, ...] = ()
    """The blocks, where there is no whole."""

    @classmethod
    def of(cls, blocks: list[Block]) -> Pieces:
        """Return what is given as blocks."""
        return cls([block.name for block in blocks], None, known=tuple(blocks))

    @cached_property
    def blocks(self) -> list[Block]:
        """The body and its pieces, each as a block of its own."""
        if self.whole is None:
            return list(self.known)
        if self.part_of is None:
            return [self.whole]
        return [selected(self.whole, self.part_of == part, name) for part, name in enumerate(self.names)]


def pieces_of(
    block: Block, count_before: int, parts_before: Callable[[], Indices], taken: set[str]
) -> Pieces:
    """Return what stays of a block and every piece that has come off.

    What hung together before and does not any more has come apart; the part with the most vertices keeps the name.

    Args:
        block: the body after the edit
        count_before: how many connected parts there were
        parts_before: returns (old vertex_count,) a vertex that stands for the connected part of each one, before
        taken: names that are in use; those of new pieces are added
    """
    count = len(block.vertices)
    if len(block.triangles) and not len(block.corners):
        if _hangs_together_still(block):
            return Pieces([block.name], block)
        leaders = triangle_leaders(block.triangles, count)
    else:
        leaders = part_leaders(hanging_pairs(block.springs, block.corners), count)
    parts = np.flatnonzero(leaders == np.arange(count))
    if len(parts) == count_before:
        return Pieces([block.name], block)
    part_of = np.zeros(count, np.int64)
    part_of[parts] = np.arange(len(parts))
    part_of = part_of.take(leaders)
    sizes = np.bincount(part_of)
    # What was one part needs no search.
    old_part = np.zeros(len(parts), np.int64) if count_before == 1 else parts_before()[block.vertices[parts]]
    keeps = np.zeros(len(parts), np.bool_)
    for part in np.unique(old_part):
        members = np.flatnonzero(old_part == part)
        keeps[members[np.argmax(sizes[members])]] = True
    if keeps.all():
        return Pieces([block.name], block)
    names = [block.name]
    piece_of = np.zeros(len(parts), np.int64)
    for part in np.flatnonzero(~keeps):
        number = 1
        while f"{block.origin}-piece-{number}" in taken:
            number += 1
        piece_of[part] = len(names)
        names.append(f"{block.origin}-piece-{number}")
        taken.add(names[-1])
    return Pieces(names, block, piece_of.take(part_of), leaders)


def _hangs_together_still(block: Block) -> bool:
    """Tell whether a look at what an edit has changed shows that nothing has come off.

    Any way that led through triangles which are gone enters and leaves what is around them, so if that is in one piece,
    there is a way still. A slit is; where it is not, as on both sides of a stroke, the rest of the body has to be looked at.
    """
    if block.around is None or not block.keeps_numbers:
        return False
    return hang_together(block.triangles.take(block.around, axis=0), len(block.vertices))
