"""What outlasts an edit in the contact table: the contacts of points that it has not touched.

Theory: docs/theory/contact.md, "After an edit". The pairs of the neighbour list follow in `pair_transfer`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.collide.broad_phase.pair_transfer import UntouchedPoints
from supple.collide.self_contact.contact_table import ContactTable


def transfer_contacts(
    before: ContactTable, after: ContactTable, untouched: UntouchedPoints
) -> NDArray[np.int32]:
    """Copy the contacts of untouched points; return the number of each one afterwards, (count,), -1 if it is gone."""
    points, is_kept = untouched.renumbered(before.points[: before.count])
    kept = np.flatnonzero(is_kept)
    numbers = np.full(before.count, -1, np.int32)
    numbers[kept] = np.arange(len(kept))
    if len(kept) > after.capacity:
        after.grow(3 * len(kept) // 2)
    after.count = len(kept)
    for name in ContactTable.SAVED:
        getattr(after, name)[: len(kept)] = getattr(before, name)[: before.count][kept]
    after.points[: len(kept)] = points[kept]
    return numbers
