"""History: the steps that undo goes back by, and redo forward.

Most edits replace arrays of the world, so a snapshot only keeps what would be thrown away. Those that write into the
arrays keep what they overwrite, a delta.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from supple.edit.history.erased_triangles import ErasedTriangles
from supple.edit.mesh.cloth_record import ClothRecord
from supple.edit.world.edit_in_place import InPlaceUndo
from supple.edit.world.intersection_check import SavedPositions
from supple.edit.world.move_to_end import MoveUndo
from supple.edit.world.particle_change import ParticleChange
from supple.edit.world.split_body import SplitUndo
from supple.edit.world.transfer_motion import transfer_motion
from supple.model.anchors import Anchors
from supple.model.bends import Bends
from supple.model.levels.levels import Levels
from supple.model.springs import Springs, copied_springs
from supple.model.tables.ancestry import Ancestry
from supple.model.tetrahedra import Tetrahedra
from supple.model.world import BodyRange, World

if TYPE_CHECKING:
    from supple.edit.commands.in_progress import EditsInProgress

MOST_BYTES = 256_000_000
"""Memory for snapshots; the oldest ones are dropped beyond. A cloth of 100 x 100 points takes 8 MB each, a delta 1 MB."""


UndoData = InPlaceUndo | MoveUndo | SplitUndo
"""What an edit in place has overwritten or renumbered."""


@dataclass(frozen=True)
class BodiesSnapshot:
    """All bodies of a world without their motion."""

    springs: Springs
    bends: Bends
    anchors: Anchors
    bodies: dict[str, BodyRange]
    tetrahedra: Tetrahedra
    masses: NDArray[np.float64]
    rest_positions: NDArray[np.float64]
    cloth_records: dict[str, ClothRecord]
    in_progress: EditsInProgress
    """Seams, tears and shrinking, as they were."""

    levels: dict[str, Levels]
    """Bodies of several levels of detail; those that are not in the world any more are left as they were."""

    @cached_property
    def size(self) -> int:
        """Memory of the arrays [bytes]."""
        arrays = [*vars(self.springs).values(), *vars(self.bends).values(), self.masses, self.rest_positions]
        arrays += [self.tetrahedra.gradients, self.tetrahedra.blocks]
        arrays += [array for levels in self.levels.values() for array in levels.arrays()]
        arrays += [
            array for cloth_record in self.cloth_records.values() for array in cloth_record.arrays().values()
        ]
        return sum(array.nbytes for array in arrays)

    @property
    def particle_count(self) -> int:
        """Number of particles."""
        return len(self.masses)

    def expanded(self, current: BodiesSnapshot) -> BodiesSnapshot:
        """Return itself: a snapshot is whole, whatever the world is on the other side of the edit."""
        return self

    def restore(self, world: World, change: ParticleChange) -> None:
        """Give the world these bodies again, with the motion that `change` carries over."""
        detail = world.detail()[change.nearest]
        world.particles = transfer_motion(world.particles, change, self.masses.copy(), self.rest_positions)
        world.springs = copied_springs(self.springs)
        world.bends = copied_bends(self.bends)
        world.anchors = self.anchors
        world.bodies = dict(self.bodies)
        if self.tetrahedra.count:
            world.tetrahedra = copied_tetrahedra(self.tetrahedra)
            world.tetrahedra.turn_to(world.particles.positions)
        present, world.levels = world.levels, dict(self.levels)
        for name, levels in self.levels.items():
            if present.get(name) is not levels:
                own = world.bodies[name].particles
                levels.restart(world.particles.positions[own], world.particles.velocities[own], detail[own])
        world.recouple()


def _without_tables(snapshot: BodiesSnapshot) -> BodiesSnapshot:
    """Return a snapshot without what a delta holds, so that it does not keep the memory of it."""
    return replace(
        snapshot,
        springs=Springs(**{name: array[:0].copy() for name, array in vars(snapshot.springs).items()}),
        bends=Bends(**{name: array[:0].copy() for name, array in vars(snapshot.bends).items()}),
        bodies={
            name: _without_record(body) if name in snapshot.cloth_records else body
            for name, body in snapshot.bodies.items()
        },
        cloth_records={},
    )


def _without_record(body: BodyRange) -> BodyRange:
    """Return a body without what its cloth record holds."""
    ancestry = body.ancestry
    if ancestry is not None:
        ancestry = Ancestry(ancestry.corner_fractions[:0].copy(), ancestry.ancestors[:0].copy())
    return replace(body, triangles=body.triangles[:0].copy(), ancestry=ancestry)


@dataclass(frozen=True)
class SnapshotDelta:
    """All bodies of a world, given by what differs from those on the other side of the edit."""

    start: BodiesSnapshot
    """The bodies without springs, bending elements and cloth records."""

    undo_data: tuple[UndoData, ...]
    """What edits in place have overwritten, the last one last."""

    @cached_property
    def size(self) -> int:
        """Memory of the arrays [bytes]."""
        return sum(undo.size for undo in self.undo_data) + self.start.masses.nbytes

    @property
    def particle_count(self) -> int:
        """Number of particles."""
        return self.start.particle_count

    def expanded(self, current: BodiesSnapshot) -> BodiesSnapshot:
        """Return the snapshot, given the world on the other side of the edit."""
        springs, bends = vars(current.springs), vars(current.bends)
        cloth_records, bodies = dict(current.cloth_records), dict(self.start.bodies)
        for undo in reversed(self.undo_data):
            springs, bends, cloth_records = undo.undone(springs, bends, cloth_records)
        for name in bodies.keys() & cloth_records.keys():
            # Later edits may have been written into the memory of these arrays.
            cloth_record, was_edited = cloth_records[name], bodies[name].ancestry is not None
            ancestry = cloth_record.ancestry if was_edited else None
            bodies[name] = replace(bodies[name], triangles=cloth_record.triangles, ancestry=ancestry)
        return replace(
            self.start,
            springs=Springs(**springs),
            bends=Bends(**bends),
            bodies=bodies,
            cloth_records=cloth_records,
        )


def copied_bends(bends: Bends) -> Bends:
    """Return bending elements that may be changed without changing these."""
    return Bends(**{name: array.copy() for name, array in vars(bends).items()})


def copied_tetrahedra(tetrahedra: Tetrahedra) -> Tetrahedra:
    """Return elements that may be changed without changing these, not turned."""
    if tetrahedra.count == 0:
        return tetrahedra
    return Tetrahedra(**{f.name: getattr(tetrahedra, f.name).copy() for f in fields(Tetrahedra) if f.init})


@dataclass
class EditStep:
    """One edit that can be undone or redone."""

    label: str
    """What was done, in a few words."""

    snapshot: BodiesSnapshot | SnapshotDelta
    """The bodies on the other side of it."""

    change: ParticleChange
    """From the older side of the edit to the newer one, with all that followed by itself."""

    settings: list[tuple[str, Any]] = field(default_factory=list)
    """Parameters of bodies that were set since: they outlast an undo."""

    erased: ErasedTriangles | None = None
    """What it took away. Such a step is the second half of an edit: the one before it is taken back with it."""

    contact_positions: SavedPositions | None = None
    """Where cloth with exact contact was on the other side, if there is any."""


class History:
    """The stacks of edits that can be undone and redone."""

    def __init__(self) -> None:
        """Start with nothing to take back."""
        self.done: list[EditStep] = []
        self.undone: list[EditStep] = []

    def add(self, step: EditStep) -> None:
        """Add an edit; what was undone cannot be redone after it."""
        self.done.append(step)
        self.undone.clear()
        total = 0
        for n in range(len(self.done) - 2, -1, -1):  # the last one stays at any rate
            total += self.done[n].snapshot.size
            if total > MOST_BYTES:
                del self.done[: n + 1]
                break
        while self.done[0].erased is not None:  # its first half is gone
            del self.done[0]

    def extend(self, change: ParticleChange) -> None:
        """Add what happened by itself to the last edit: a tear ran on, a seam was welded."""
        if self.done:
            self.done[-1].change = self.done[-1].change.followed_by(change)
        self.undone.clear()

    def add_undo_data(self, undo: UndoData, *, is_undo_step: bool) -> None:
        """Keep what the last edit has overwritten, or what happened by itself since.

        Args:
            undo: what was overwritten
            is_undo_step: whether that was the edit itself, added with a snapshot whose arrays have changed now
        """
        if not self.done:
            return
        step = self.done[-1]
        if isinstance(step.snapshot, SnapshotDelta):
            step.snapshot = replace(step.snapshot, undo_data=(*step.snapshot.undo_data, undo))
        elif is_undo_step:
            step.snapshot = SnapshotDelta(_without_tables(step.snapshot), (undo,))

    def expand_last(self, current: BodiesSnapshot) -> None:
        """Turn the delta of the last step into a snapshot, before arrays are replaced by something of the same edit."""
        if self.done:
            self.done[-1].snapshot = self.done[-1].snapshot.expanded(current)
