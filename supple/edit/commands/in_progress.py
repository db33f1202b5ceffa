"""Edits in progress: seams that close, bands that shrink and bodies that may tear, from frame to frame."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from supple.edit.commands.seam import Seam
from supple.edit.world.particle_change import ParticleChange
from supple.model.tables.renumbering import Renumbering

Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Shrinking:
    """Rest lengths between some particles on their way to `ratio` times what they were."""

    members: NDArray[np.bool_]
    """(particle_count,) particles between which springs shrink."""

    ratio: float
    """Rest length in the end over rest length at the start [-]."""

    seconds: float
    """How long it takes [s]."""

    elapsed: float = 0.0
    """Since it began [s]."""

    def factor(self, elapsed: float) -> float:
        """Return rest length over rest length at the start, `elapsed` seconds after it [-]."""
        return 1.0 + (self.ratio - 1.0) * (min(1.0, elapsed / self.seconds) if self.seconds > 0.0 else 1.0)


@dataclass(frozen=True)
class EditsInProgress:
    """Edits that continue from frame to frame."""

    seams: list[Seam] = field(default_factory=list)
    shrinkings: list[Shrinking] = field(default_factory=list)
    strains: dict[str, float] = field(default_factory=dict)
    """Elongation at which each body tears [-]."""

    seam_count: int = 0
    """Seams begun so far; the next one gets this number."""

    welded: Indices = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    """(count, 2) vertices of declared bodies that were welded to others, and the particles they are now."""

    def after(
        self, change: ParticleChange, pieces: dict[str, list[str]], fresh: list[Seam]
    ) -> EditsInProgress:
        """Return the edits in progress after an edit.

        Args:
            change: the edit
            pieces: names of what bodies have become
            fresh: seams that begin with it
        """
        strains = dict(self.strains)
        for name, names in pieces.items():
            if name in strains:
                strains |= dict.fromkeys(names, strains[name])
        welded = self.welded
        if len(welded):
            welded = np.column_stack([welded[:, 0], change.new_of[welded[:, 1]]])
            welded = welded[welded[:, 1] >= 0]
        return EditsInProgress(
            seams=[*(seam.after(change) for seam in self.seams), *fresh],
            shrinkings=[replace(other, members=other.members[change.nearest]) for other in self.shrinkings],
            strains=strains,
            seam_count=self.seam_count + len(fresh),
            welded=welded,
        )

    def renumbered(self, renumbering: Renumbering) -> EditsInProgress:
        """Return the same after particles have been renumbered."""
        return replace(
            self,
            seams=[replace(seam, pairs=renumbering.new_of[seam.pairs]) for seam in self.seams],
            shrinkings=[
                replace(other, members=other.members[renumbering.particles]) for other in self.shrinkings
            ],
            welded=np.column_stack([self.welded[:, 0], renumbering.new_of[self.welded[:, 1]]]),
        )
