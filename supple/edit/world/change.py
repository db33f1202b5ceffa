"""Change: which particles an edit added, copied or merged, and how their motion carries over.

Theory: docs/theory/edits.md, eq. (T5). After an edit a particle is a weighted mean of particles before it. On the
way back copies become one again, weighed by mass, and particles between others are given up.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from supple.model.tables.renumbering import Renumbering
from supple.model.tables.row_numbers import counted

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Change:
    """An edit as the particles of the world see it."""

    old_count: int
    """Particles before."""

    nearest: Indices
    """(new particle_count,) the particle before that each one continues, or is closest to."""

    new_of: Indices
    """(old_count,) the particle that continues each one, -1 if none does."""

    mixed: Indices
    """(mix_count,) particles that are a mean of several before, one entry for each of those, ascending."""

    mixed_from: Indices
    """(mix_count,) the particles before that they are a mean of."""

    mixed_weights: Floats
    """(mix_count,) their weights [-], which sum to 1 for every particle."""

    touched: Indices
    """(count,) particles whose mass or whose couplings have changed."""

    revived: Indices = field(default_factory=lambda: np.zeros(0, np.int64))
    """(count,) particles that none before continues in: they had been taken away, and are given back."""

    keeps_pairs: bool = False
    """Whether every pair of coupled particles that is left has its number still."""

    is_renumbered: bool = True
    """Whether particles that go on may be called differently."""

    @property
    def new_count(self) -> int:
        """Particles after the edit."""
        return len(self.nearest)

    @property
    def was(self) -> Indices:
        """(new particle_count,) the particle before that each one continues, -1 for those that are new."""
        goes_on = self.new_of.take(self.nearest) == counted(self.new_count)
        return np.where(goes_on, self.nearest, -1)

    def carried(self, values: Floats) -> Floats:
        """Return values of the particles before, (old_count, ...), as means for the particles after."""
        result: Floats = values.take(self.nearest, axis=0)
        if len(self.mixed):
            result[self.mixed] = 0.0
            weights = self.mixed_weights.reshape(-1, *([1] * (values.ndim - 1)))
            np.add.at(result, self.mixed, weights * values[self.mixed_from])
        return result

    def entries(self) -> tuple[Indices, Indices, Floats]:
        """Return the weights as a sparse matrix: particles after, particles before, weights."""
        is_plain = np.ones(self.new_count, np.bool_)
        is_plain[self.mixed] = False
        plain = np.flatnonzero(is_plain)
        return (
            np.concatenate([plain, self.mixed]),
            np.concatenate([self.nearest[plain], self.mixed_from]),
            np.concatenate([np.ones(len(plain)), self.mixed_weights]),
        )

    def renumbered(self, way: Renumbering) -> Change:
        """Return the same edit with the particles after it renumbered."""
        mixed = way.new_of[self.mixed]
        order = np.argsort(mixed, kind="stable")
        return replace(
            self,
            nearest=self.nearest.take(way.particles),
            new_of=np.where(self.new_of >= 0, way.new_of.take(self.new_of, mode="clip"), -1),
            mixed=mixed[order],
            mixed_from=self.mixed_from[order],
            mixed_weights=self.mixed_weights[order],
            touched=np.sort(way.new_of[self.touched]),
            revived=np.sort(way.new_of[self.revived]),
            is_renumbered=True,
        )

    def preceded_by(self, way: Renumbering) -> Change:
        """Return the same edit for those who know particles by what they were called before a renumbering."""
        return replace(
            self,
            nearest=way.particles.take(self.nearest),
            new_of=self.new_of.take(way.new_of),
            mixed_from=way.particles[self.mixed_from],
            is_renumbered=True,
        )

    def reversed(self, masses: Floats) -> Change:
        """Return the way back, given the masses (new particle_count,) [kg] of the particles after."""
        after, before, weights = self.entries()
        # A particle that was split off lies between others: they know better where they are.
        is_between = _marked(self.mixed, self.new_count)[after]
        has_own = np.bincount(before[~is_between], minlength=self.old_count) > 0
        is_used = ~is_between | ~has_own[before]
        after, before, weights = after[is_used], before[is_used], weights[is_used]
        touched = np.unique(before[_marked(self.touched, self.new_count)[after]])
        weights = weights * masses[after]
        totals = np.bincount(before, weights, minlength=self.old_count)
        weights = weights / totals[before]
        order = np.argsort(before, kind="stable")
        after, before, weights = after[order], before[order], weights[order]
        counts = np.bincount(before, minlength=self.old_count)
        is_mixed = (counts > 1)[before]
        nearest = np.zeros(self.old_count, np.int64)
        nearest[before[::-1]] = after[::-1]
        nearest[self.nearest[self.new_of[self.new_of >= 0]]] = self.new_of[self.new_of >= 0]
        new_of = np.full(self.new_count, -1, np.int64)
        has_heir = self.new_of >= 0
        new_of[self.new_of[has_heir][::-1]] = np.flatnonzero(has_heir)[::-1]
        return Change(
            old_count=self.new_count,
            nearest=nearest,
            new_of=new_of,
            mixed=before[is_mixed],
            mixed_from=after[is_mixed],
            mixed_weights=weights[is_mixed],
            touched=touched,
            revived=np.flatnonzero(counts == 0),
        )

    def followed_by(self, later: Change) -> Change:
        """Return both edits as one."""
        rows, columns, weights = self.entries()
        order = np.argsort(rows, kind="stable")
        rows, columns, weights = rows[order], columns[order], weights[order]
        starts = np.searchsorted(rows, np.arange(self.new_count + 1))
        after, between, outer = later.entries()
        counts = starts[between + 1] - starts[between]
        repeated = np.repeat(np.arange(len(after)), counts)
        inner = (
            np.arange(len(repeated))
            - np.repeat(np.cumsum(counts) - counts, counts)
            + starts[between][repeated]
        )
        key = after[repeated] * self.old_count + columns[inner]
        unique, where = np.unique(key, return_inverse=True)
        total: Floats = np.bincount(where, outer[repeated] * weights[inner]).astype(np.float64)
        rows, columns = unique // self.old_count, unique % self.old_count
        is_mixed = (np.bincount(rows, minlength=later.new_count) > 1)[rows]
        new_of = np.where(self.new_of >= 0, later.new_of[np.maximum(self.new_of, 0)], -1)
        carried_on = after[_marked(self.touched, self.new_count)[between]]
        return Change(
            old_count=self.old_count,
            nearest=self.nearest[later.nearest],
            new_of=new_of,
            mixed=rows[is_mixed],
            mixed_from=columns[is_mixed],
            mixed_weights=total[is_mixed],
            touched=np.union1d(carried_on, later.touched),
        )


def _marked(points: Indices, count: int) -> NDArray[np.bool_]:
    """Return which of `count` particles are among these."""
    is_marked = np.zeros(count, np.bool_)
    is_marked[points] = True
    return is_marked


def unchanged(count: int) -> Change:
    """Return the change of an edit that leaves all particles as they are."""
    everyone, nobody = counted(count), np.zeros(0, np.int64)
    return Change(count, everyone, everyone, nobody, nobody, np.zeros(0), nobody, is_renumbered=False)
