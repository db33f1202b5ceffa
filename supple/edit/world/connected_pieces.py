"""Connected pieces: the connected components that an edit has split a body into."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from supple.edit.world.rebuild_bodies import (
    EditedBody,
    connected_pairs,
    select_vertices,
    springs_between,
)
from supple.model.couplings.connected_components import (
    are_connected,
    label_components,
    label_triangle_components,
)
from supple.model.tables.row_updates import union_of_rows

Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Pieces:
    """A body after an edit, and the pieces that came off; nothing at all if it was taken away."""

    names: list[str]
    """Of the body, and of the pieces."""

    whole: EditedBody | None
    """All of them as one edited body, None if they are only known one by one."""

    piece_of: Indices | None = None
    """(vertex_count,) to which of the names each vertex of the whole belongs; None if all belong to the body."""

    component_labels: Indices | None = None
    """(vertex_count,) the connected component of each vertex, if pieces have come off."""

    known: tuple[EditedBody, ...] = ()
    """The body and its pieces, where there is no whole."""

    @classmethod
    def of(cls, edited_bodies: list[EditedBody]) -> Pieces:
        """Return pieces that are given one by one."""
        return cls([edited_body.name for edited_body in edited_bodies], None, known=tuple(edited_bodies))

    @cached_property
    def edited_bodies(self) -> list[EditedBody]:
        """The body and its pieces, one by one."""
        if self.whole is None:
            return list(self.known)
        if self.piece_of is None:
            return [self.whole]
        return separate(self.whole, self.piece_of, self.names)


def separate(edited_body: EditedBody, piece_of: Indices, names: list[str]) -> list[EditedBody]:
    """Return the pieces of an edited body as bodies of their own, without the springs between them.

    Args:
        edited_body: all of them as one
        piece_of: (vertex_count,) to which of the names each vertex belongs
        names: of the pieces
    """
    changed = union_of_rows(
        len(piece_of), edited_body.changed_vertices, springs_between(edited_body, piece_of)
    )
    whole = replace(edited_body, changed_vertices=changed)
    return [select_vertices(whole, piece_of == piece, name) for piece, name in enumerate(names)]


def find_pieces(
    edited_body: EditedBody, count_before: int, labels_before: Callable[[], Indices], taken: set[str]
) -> Pieces:
    """Return an edited body and every piece that has come off it.

    What was one connected component and is several now has come apart; the one with the most vertices keeps the name.

    Args:
        edited_body: the body after the edit
        count_before: how many connected components there were
        labels_before: returns (old vertex_count,) the connected component of each vertex before
        taken: names that are in use; those of new pieces are added
    """
    count = len(edited_body.vertices)
    if len(edited_body.triangles) and not len(edited_body.corners):
        if _is_still_connected(edited_body):
            return Pieces([edited_body.name], edited_body)
        labels = label_triangle_components(edited_body.triangles, count)
    else:
        labels = label_components(connected_pairs(edited_body.springs, edited_body.corners), count)
    components = np.flatnonzero(labels == np.arange(count))
    if len(components) == count_before:
        return Pieces([edited_body.name], edited_body)
    component_of = np.zeros(count, np.int64)
    component_of[components] = np.arange(len(components))
    component_of = component_of.take(labels)
    # What was one component needs no search.
    old_component = np.zeros(len(components), np.int64)
    if count_before != 1:
        old_component = labels_before()[edited_body.vertices[components]]
    keeps_name = _largest_of_each(old_component, np.bincount(component_of))
    if keeps_name.all():
        return Pieces([edited_body.name], edited_body)
    names = [edited_body.name]
    piece_of = np.zeros(len(components), np.int64)
    for component in np.flatnonzero(~keeps_name):
        number = 1
        while f"{edited_body.origin}-piece-{number}" in taken:
            number += 1
        piece_of[component] = len(names)
        names.append(f"{edited_body.origin}-piece-{number}")
        taken.add(names[-1])
    piece_of = piece_of.take(component_of)
    if len(springs_between(edited_body, piece_of)):
        return Pieces.of(separate(edited_body, piece_of, names))
    return Pieces(names, edited_body, piece_of, labels)


def _largest_of_each(old_component: Indices, sizes: Indices) -> NDArray[np.bool_]:
    """Return which components are the largest of those that were one before, (component_count,)."""
    is_largest = np.zeros(len(sizes), np.bool_)
    for old in np.unique(old_component):
        members = np.flatnonzero(old_component == old)
        is_largest[members[np.argmax(sizes[members])]] = True
    return is_largest


def _is_still_connected(edited_body: EditedBody) -> bool:
    """Tell whether a look at what an edit has changed shows that nothing has come off.

    Any path that led through triangles which are gone enters and leaves the triangles around them, so if these are
    connected, there is a path still. Around a slit they are; where they are not, as on both sides of a cut right across,
    the rest of the body has to be looked at.
    """
    if edited_body.around is None or not edited_body.keeps_numbers:
        return False
    around = edited_body.triangles.take(edited_body.around, axis=0)
    return are_connected(around, len(edited_body.vertices))
