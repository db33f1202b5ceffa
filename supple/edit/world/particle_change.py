"""Particle change: which particles an edit added, copied or merged, and how values are interpolated for them.

Theory: docs/theory/edits.md, eq. (T5). After an edit a particle is a weighted mean of particles before it. In an undo
copies become one again, weighted by mass, and particles between others are dropped.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from supple.model.tables.renumbering import Renumbering
from supple.model.tables.row_updates import shared_arange

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ParticleChange:
    """How the particles after an edit come from those before it."""

    old_count: int
    """Particles before."""

    nearest: Indices
    """(new particle_count,) the particle before that each one continues, or is closest to."""

    new_of: Indices
    """(old_count,) the particle that continues each one, -1 if none does."""

    interpolated: Indices
    """(entry_count,) particles that are a mean of several before, one entry for each of those, ascending."""

    interpolated_from: Indices
    """(entry_count,) the particles before that they are a mean of."""

    interpolation_weights: Floats
    """(entry_count,) their weights [-], which sum to 1 for every particle."""

    changed_particles: Indices
    """(count,) particles whose mass or whose couplings have changed."""

    restored: Indices = field(default_factory=lambda: np.zeros(0, np.int64))
    """(count,) particles that come from none before: an undo restores what had been erased."""

    keeps_pairs: bool = False
    """Whether every pair of coupled particles that is left has its number still."""

    is_renumbered: bool = True
    """Whether particles that stay may have other numbers."""

    @property
    def new_count(self) -> int:
        """Particles after the edit."""
        return len(self.nearest)

    @property
    def old_of(self) -> Indices:
        """(new particle_count,) the particle before that each one continues, -1 for those that are new."""
        goes_on = self.new_of.take(self.nearest) == shared_arange(self.new_count)
        return np.where(goes_on, self.nearest, -1)

    def interpolate(self, values: Floats) -> Floats:
        """Return values of the particles before, (old_count, ...), interpolated for the particles after."""
        result: Floats = values.take(self.nearest, axis=0)
        if len(self.interpolated):
            result[self.interpolated] = 0.0
            weights = self.interpolation_weights.reshape(-1, *([1] * (values.ndim - 1)))
            np.add.at(result, self.interpolated, weights * values[self.interpolated_from])
        return result

    def entries(self) -> tuple[Indices, Indices, Floats]:
        """Return the weights as a sparse matrix: particles after, particles before, weights."""
        is_plain = np.ones(self.new_count, np.bool_)
        is_plain[self.interpolated] = False
        plain = np.flatnonzero(is_plain)
        return (
            np.concatenate([plain, self.interpolated]),
            np.concatenate([self.nearest[plain], self.interpolated_from]),
            np.concatenate([np.ones(len(plain)), self.interpolation_weights]),
        )

    def renumbered(self, renumbering: Renumbering) -> ParticleChange:
        """Return the same edit with the particles after it renumbered."""
        interpolated = renumbering.new_of[self.interpolated]
        order = np.argsort(interpolated, kind="stable")
        return replace(
            self,
            nearest=self.nearest.take(renumbering.particles),
            new_of=np.where(self.new_of >= 0, renumbering.new_of.take(self.new_of, mode="clip"), -1),
            interpolated=interpolated[order],
            interpolated_from=self.interpolated_from[order],
            interpolation_weights=self.interpolation_weights[order],
            changed_particles=np.sort(renumbering.new_of[self.changed_particles]),
            restored=np.sort(renumbering.new_of[self.restored]),
            is_renumbered=True,
        )

    def preceded_by(self, renumbering: Renumbering) -> ParticleChange:
        """Return a renumbering and this change after it as one."""
        return replace(
            self,
            nearest=renumbering.particles.take(self.nearest),
            new_of=self.new_of.take(renumbering.new_of),
            interpolated_from=renumbering.particles[self.interpolated_from],
            is_renumbered=True,
        )

    def reversed(self, masses: Floats) -> ParticleChange:
        """Return the change that undoes this one, given the masses (new particle_count,) [kg] of the particles after."""
        after, before, weights = self.entries()
        # A particle that splits an edge lies between others, which are better known.
        is_between = _marked(self.interpolated, self.new_count)[after]
        has_own = np.bincount(before[~is_between], minlength=self.old_count) > 0
        is_used = ~is_between | ~has_own[before]
        after, before, weights = after[is_used], before[is_used], weights[is_used]
        changed_particles = np.unique(before[_marked(self.changed_particles, self.new_count)[after]])
        weights = weights * masses[after]
        totals = np.bincount(before, weights, minlength=self.old_count)
        weights = weights / totals[before]
        order = np.argsort(before, kind="stable")
        after, before, weights = after[order], before[order], weights[order]
        counts = np.bincount(before, minlength=self.old_count)
        is_interpolated = (counts > 1)[before]
        nearest = np.zeros(self.old_count, np.int64)
        nearest[before[::-1]] = after[::-1]
        nearest[self.nearest[self.new_of[self.new_of >= 0]]] = self.new_of[self.new_of >= 0]
        new_of = np.full(self.new_count, -1, np.int64)
        has_heir = self.new_of >= 0
        new_of[self.new_of[has_heir][::-1]] = np.flatnonzero(has_heir)[::-1]
        return ParticleChange(
            old_count=self.new_count,
            nearest=nearest,
            new_of=new_of,
            interpolated=before[is_interpolated],
            interpolated_from=after[is_interpolated],
            interpolation_weights=weights[is_interpolated],
            changed_particles=changed_particles,
            restored=np.flatnonzero(counts == 0),
        )

    def followed_by(self, later: ParticleChange) -> ParticleChange:
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
        is_interpolated = (np.bincount(rows, minlength=later.new_count) > 1)[rows]
        new_of = np.where(self.new_of >= 0, later.new_of[np.maximum(self.new_of, 0)], -1)
        carried_on = after[_marked(self.changed_particles, self.new_count)[between]]
        return ParticleChange(
            old_count=self.old_count,
            nearest=self.nearest[later.nearest],
            new_of=new_of,
            interpolated=rows[is_interpolated],
            interpolated_from=columns[is_interpolated],
            interpolation_weights=total[is_interpolated],
            changed_particles=np.union1d(carried_on, later.changed_particles),
        )


def _marked(points: Indices, count: int) -> NDArray[np.bool_]:
    """Return which of `count` particles are among these."""
    is_marked = np.zeros(count, np.bool_)
    is_marked[points] = True
    return is_marked


def unchanged_particles(count: int) -> ParticleChange:
    """Return the change of an edit that leaves all particles as they are."""
    everyone, nobody = shared_arange(count), np.zeros(0, np.int64)
    return ParticleChange(count, everyone, everyone, nobody, nobody, np.zeros(0), nobody, is_renumbered=False)
