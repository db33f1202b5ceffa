"""Trial edit: an edit is made on copies of the world, so that it can be reverted without a trace.

Whoever works on the world is told of an edit only once it is made. Until then they hold the arrays that were set aside
here; if those come back, nothing has happened at all, to the last bit.
"""

from __future__ import annotations

from copy import copy, deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np

from supple.edit.history.history import History
from supple.model.tables.growable import growable_copy

if TYPE_CHECKING:
    from supple.edit.world.apply_edit import EditableWorld


class TrialEdit:
    """The world and what is known of its edits, as they are before an edit."""

    def __init__(self, editable: EditableWorld) -> None:
        """Set everything aside, and let the editor go on with copies."""
        self._editable, self._world = editable, vars(editable.world).copy()
        self._known = {
            name: getattr(editable, name)
            for name in (
                "history",
                "cloth_records",
                "in_progress",
                "is_edited",
                "_component_counts",
                "unshared",
            )
        }
        world = editable.world
        # Levels are told apart by identity, and no edit of exact cloth changes them. Edits in progress are never
        # overwritten, and scratch memory holds nothing.
        not_copied = (*world.levels.values(), editable.in_progress, world.scratch, world.row_mover)
        shared: dict[int, Any] = {id(thing): thing for thing in not_copied}
        for table in (
            world.particles,
            world.springs,
            world.bends,
            world.couplings,
            *editable.cloth_records.values(),
        ):
            for array in vars(table).values():
                if isinstance(array, np.ndarray) and id(array) not in shared:
                    shared[id(array)] = growable_copy(array)  # the edit lets most of them grow
        tables = self._world, editable.cloth_records, editable._component_counts, editable.unshared
        copies, editable.cloth_records, editable._component_counts, editable.unshared = deepcopy(
            tables, shared
        )
        vars(world).update(copies)
        editable.history = _copied(editable.history)

    def revert(self) -> None:
        """Put everything back."""
        vars(self._editable.world).update(self._world)
        vars(self._editable).update(self._known)


def _copied(history: History) -> History:
    """Return a history that may go on without changing this one: only the last step of it is ever changed."""
    other = History()
    other.done, other.undone = [*history.done], [*history.undone]
    if other.done:
        other.done[-1] = copy(other.done[-1])
    return other
