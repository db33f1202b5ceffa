"""History: what undo goes back to, and redo forward.

Arrays of the world are replaced by edits, never changed, so a snapshot only keeps what would be thrown away.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from supple.edit.change import Change
from supple.edit.eraser import Erased
from supple.edit.fabric import Fabric
from supple.edit.motion import moved_on
from supple.model.anchors import Anchors
from supple.model.bends import Bends
from supple.model.springs import Springs, copied_springs
from supple.model.tetrahedra import Tetrahedra
from supple.model.world import BodyRange, World

if TYPE_CHECKING:
    from supple.edit.editor import Ongoing

MOST_BYTES = 256_000_000
"""Memory for snapshots; the oldest ones are dropped beyond. A sheet of 100 x 100 points takes 8 MB each."""


@dataclass(frozen=True)
class Snapshot:
    """Everything about the bodies but their motion."""

    springs: Springs
    bends: Bends
    anchors: Anchors
    bodies: dict[str, BodyRange]
    tetrahedra: Tetrahedra
    masses: NDArray[np.float64]
    rest_positions: NDArray[np.float64]
    fabrics: dict[str, Fabric]
    ongoing: Ongoing
    """Seams, tears and shrinking, as they were."""

    @property
    def size(self) -> int:
        """Memory of the arrays [bytes]."""
        arrays = [*vars(self.springs).values(), *vars(self.bends).values(), self.masses, self.rest_positions]
        arrays += [self.tetrahedra.gradients, self.tetrahedra.blocks]
        arrays += [array for fabric in self.fabrics.values() for array in fabric.arrays().values()]
        return sum(array.nbytes for array in arrays)

    def restore(self, world: World, change: Change) -> None:
        """Give the world these bodies again, with the motion that `change` carries over."""
        world.particles = moved_on(world.particles, change, self.masses.copy(), self.rest_positions)
        world.springs = copied_springs(self.springs)
        world.bends = copied_bends(self.bends)
        world.anchors = self.anchors
        world.bodies = dict(self.bodies)
        if self.tetrahedra.count:
            world.tetrahedra = copied_tetrahedra(self.tetrahedra)
            world.tetrahedra.turn_to(world.particles.positions)
        world.recouple()


def copied_bends(bends: Bends) -> Bends:
    """Return bending elements that may be changed without changing these."""
    return Bends(**{name: array.copy() for name, array in vars(bends).items()})


def copied_tetrahedra(tetrahedra: Tetrahedra) -> Tetrahedra:
    """Return elements that may be changed without changing these, not turned."""
    return Tetrahedra(**{f.name: getattr(tetrahedra, f.name).copy() for f in fields(Tetrahedra) if f.init})


@dataclass
class Step:
    """One edit that can be taken back or made again."""

    label: str
    """What was done, in a few words."""

    snapshot: Snapshot
    """The world on the other side of it."""

    change: Change
    """The way from the older side of the edit to the newer one, with all that followed by itself."""

    settings: list[tuple[str, Any]] = field(default_factory=list)
    """Parameters of bodies that were set since: they outlast an undo."""

    erased: Erased | None = None
    """What it took away. Such a step is the second half of an edit: the one before it is taken back with it."""


class History:
    """Two stacks of steps."""

    def __init__(self) -> None:
        """Start with nothing to take back."""
        self.done: list[Step] = []
        self.undone: list[Step] = []

    def add(self, step: Step) -> None:
        """Note an edit; what was taken back cannot be made again after it."""
        self.done.append(step)
        self.undone.clear()
        total = 0
        for n, kept in enumerate(reversed(self.done)):
            total += kept.snapshot.size
            if total > MOST_BYTES and n > 0:
                del self.done[: len(self.done) - n]
                break
        while self.done[0].erased is not None:  # its first half is gone
            del self.done[0]

    def extend(self, change: Change) -> None:
        """Note what happened by itself since the last edit: a tear ran on, a seam was welded."""
        if self.done:
            self.done[-1].change = self.done[-1].change.followed_by(change)
        self.undone.clear()
