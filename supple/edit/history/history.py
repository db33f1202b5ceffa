"""History: what undo goes back to, and redo forward.

Most edits replace arrays of the world, so a snapshot only keeps what would be thrown away. Those that write into the
arrays keep what they overwrite, a patch.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from supple.edit.history.erased_triangles import Erased
from supple.edit.mesh.cloth_record import Fabric
from supple.edit.world.carry_motion import moved_on
from supple.edit.world.change import Change
from supple.edit.world.edit_in_place import Layer
from supple.edit.world.intersection_check import Places
from supple.edit.world.move_to_end import Moved
from supple.edit.world.split_body import Parted
from supple.model.anchors import Anchors
from supple.model.bends import Bends
from supple.model.levels.levels import Levels
from supple.model.springs import Springs, copied_springs
from supple.model.tables.ancestry import Descent
from supple.model.tetrahedra import Tetrahedra
from supple.model.world import BodyRange, World

if TYPE_CHECKING:
    from supple.edit.commands.in_progress import Ongoing

MOST_BYTES = 256_000_000
"""Memory for snapshots; the oldest ones are dropped beyond. A sheet of 100 x 100 points takes 8 MB each, a patch 1 MB."""


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

    levels: dict[str, Levels]
    """Bodies of several levels of detail; those that are not in the world any more are left as they were."""

    @cached_property
    def size(self) -> int:
        """Memory of the arrays [bytes]."""
        arrays = [*vars(self.springs).values(), *vars(self.bends).values(), self.masses, self.rest_positions]
        arrays += [self.tetrahedra.gradients, self.tetrahedra.blocks]
        arrays += [array for levels in self.levels.values() for array in levels.arrays()]
        arrays += [array for fabric in self.fabrics.values() for array in fabric.arrays().values()]
        return sum(array.nbytes for array in arrays)

    @property
    def particle_count(self) -> int:
        """Number of particles."""
        return len(self.masses)

    def whole(self, current: Snapshot) -> Snapshot:
        """Return itself: it does not matter what the world looks like on the other side of the edit."""
        return self

    def restore(self, world: World, change: Change) -> None:
        """Give the world these bodies again, with the motion that `change` carries over."""
        detail = world.detail()[change.nearest]
        world.particles = moved_on(world.particles, change, self.masses.copy(), self.rest_positions)
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


def _without_tables(snapshot: Snapshot) -> Snapshot:
    """Return a snapshot without what a patch tells, so that it does not keep the memory of it."""
    return replace(
        snapshot,
        springs=Springs(**{name: array[:0].copy() for name, array in vars(snapshot.springs).items()}),
        bends=Bends(**{name: array[:0].copy() for name, array in vars(snapshot.bends).items()}),
        bodies={
            name: _without_fabric(body) if name in snapshot.fabrics else body
            for name, body in snapshot.bodies.items()
        },
        fabrics={},
    )


def _without_fabric(body: BodyRange) -> BodyRange:
    """Return a body without what its fabric tells."""
    descent = body.descent
    if descent is not None:
        descent = Descent(descent.corner_shares[:0].copy(), descent.birth_points[:0].copy())
    return replace(body, triangles=body.triangles[:0].copy(), descent=descent)


@dataclass(frozen=True)
class Patch:
    """The same, told by what differs from the world on the other side of the edit."""

    start: Snapshot
    """The world as it was, but for springs, bending elements and fabrics."""

    layers: tuple[Layer | Moved | Parted, ...]
    """What edits in place have overwritten, the last one last."""

    @cached_property
    def size(self) -> int:
        """Memory of the arrays [bytes]."""
        return sum(layer.size for layer in self.layers) + self.start.masses.nbytes

    @property
    def particle_count(self) -> int:
        """Number of particles."""
        return self.start.particle_count

    def whole(self, current: Snapshot) -> Snapshot:
        """Return the snapshot, given the world on the other side of the edit."""
        springs, bends = vars(current.springs), vars(current.bends)
        fabrics, bodies = dict(current.fabrics), dict(self.start.bodies)
        for layer in reversed(self.layers):
            springs, bends, fabrics = layer.undone(springs, bends, fabrics)
        for name in bodies.keys() & fabrics.keys():
            # Edits since may have been written into the memory of those there were.
            fabric, was_edited = fabrics[name], bodies[name].descent is not None
            descent = fabric.descent if was_edited else None
            bodies[name] = replace(bodies[name], triangles=fabric.triangles, descent=descent)
        return replace(
            self.start, springs=Springs(**springs), bends=Bends(**bends), bodies=bodies, fabrics=fabrics
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
class Step:
    """One edit that can be taken back or made again."""

    label: str
    """What was done, in a few words."""

    snapshot: Snapshot | Patch
    """The world on the other side of it."""

    change: Change
    """The way from the older side of the edit to the newer one, with all that followed by itself."""

    settings: list[tuple[str, Any]] = field(default_factory=list)
    """Parameters of bodies that were set since: they outlast an undo."""

    erased: Erased | None = None
    """What it took away. Such a step is the second half of an edit: the one before it is taken back with it."""

    places: Places | None = None
    """Where cloth that must not pass through cloth was on the other side, if there is any."""


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
        for n in range(len(self.done) - 2, -1, -1):  # the last one stays at any rate
            total += self.done[n].snapshot.size
            if total > MOST_BYTES:
                del self.done[: n + 1]
                break
        while self.done[0].erased is not None:  # its first half is gone
            del self.done[0]

    def extend(self, change: Change) -> None:
        """Note what happened by itself since the last edit: a tear ran on, a seam was welded."""
        if self.done:
            self.done[-1].change = self.done[-1].change.followed_by(change)
        self.undone.clear()

    def overwrite(self, layer: Layer | Moved | Parted, *, is_noted: bool) -> None:
        """Keep what the last edit has overwritten, or what happened by itself since.

        Args:
            layer: what was overwritten
            is_noted: whether that was the edit itself, noted with a snapshot whose arrays have changed now
        """
        if not self.done:
            return
        step = self.done[-1]
        if isinstance(step.snapshot, Patch):
            step.snapshot = replace(step.snapshot, layers=(*step.snapshot.layers, layer))
        elif is_noted:
            step.snapshot = Patch(_without_tables(step.snapshot), (layer,))

    def settle(self, current: Snapshot) -> None:
        """Make a patch a snapshot before arrays are replaced by something that belongs to the same edit."""
        if self.done:
            self.done[-1].snapshot = self.done[-1].snapshot.whole(current)
