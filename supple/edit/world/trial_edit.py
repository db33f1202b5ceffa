"""Trial: an edit is tried on copies of the world, so that it can be given up without a trace.

Whoever works on the world is told of an edit only once it is made. Until then they hold the arrays that were set aside
here; if those come back, nothing has happened at all, to the last bit.
"""

from __future__ import annotations

from copy import copy, deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np

from supple.edit.history.history import History
from supple.model.tables.growable import roomy

if TYPE_CHECKING:
    from supple.edit.world.apply_edit import Workshop


class Trial:
    """The world and what is known of its edits, as they are before an edit."""

    def __init__(self, shop: Workshop) -> None:
        """Set everything aside, and let the workshop go on with copies."""
        self._shop, self._world = shop, vars(shop.world).copy()
        self._known = {
            name: getattr(shop, name)
            for name in ("history", "fabrics", "ongoing", "is_edited", "_part_counts", "owned")
        }
        world = shop.world
        # Levels are told apart by identity, and no edit of exact cloth changes them; what goes on is never overwritten.
        # What is lent to whoever needs it for a moment holds nothing.
        kept = (*world.levels.values(), shop.ongoing, world.scratch, world.shelf)
        shared: dict[int, Any] = {id(thing): thing for thing in kept}
        for table in (world.particles, world.springs, world.bends, world.couplings, *shop.fabrics.values()):
            for array in vars(table).values():
                if isinstance(array, np.ndarray) and id(array) not in shared:
                    shared[id(array)] = roomy(array)  # the edit lets most of them grow
        tables = self._world, shop.fabrics, shop._part_counts, shop.owned
        copies, shop.fabrics, shop._part_counts, shop.owned = deepcopy(tables, shared)
        vars(world).update(copies)
        shop.history = _copied(shop.history)

    def give_up(self) -> None:
        """Put everything back."""
        vars(self._shop.world).update(self._world)
        vars(self._shop).update(self._known)


def _copied(history: History) -> History:
    """Return a history that may go on without changing this one: only the last step of it is ever changed."""
    other = History()
    other.done, other.undone = [*history.done], [*history.undone]
    if other.done:
        other.done[-1] = copy(other.done[-1])
    return other
