"""In place: an edit that leaves every particle its number, written into the tables of the world."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.cloth_record import Fabric
from supple.edit.world.carry_motion import grow
from supple.edit.world.change import Change, unchanged
from supple.edit.world.move_to_end import own_bends
from supple.edit.world.rebuild_bodies import Block, still_linked
from supple.edit.world.table_patch import Amended, Columns, Overwritten, amend_fabric
from supple.model.bends import Bends
from supple.model.springs import Springs
from supple.model.tables.growable import fitted
from supple.model.tables.row_numbers import Refilling, counted, united
from supple.model.world import BodyRange, World

Links = Callable[[Change], tuple[Bends, NDArray[np.int64]]]


@dataclass(frozen=True)
class Layer:
    """What an edit in place has overwritten."""

    body: str | None
    """Whose rows; None for links between bodies."""

    springs: Overwritten
    bends: Overwritten
    fabric: tuple[Overwritten, ...]
    """Of its fabric; nothing if that has been left as it was."""

    @property
    def size(self) -> int:
        """Memory of the arrays [bytes]."""
        return sum(part.size for part in (self.springs, self.bends, *self.fabric))

    def undone(
        self, springs: Columns, bends: Columns, fabrics: dict[str, Fabric]
    ) -> tuple[Columns, Columns, dict[str, Fabric]]:
        """Return springs, bending elements and fabrics as they were, given those after it, which stay as they are."""
        if self.body is not None:
            columns = dict(vars(fabrics[self.body]))
            for part in self.fabric:
                columns |= part.undone({name: columns[name] for name in part.columns})
            fabrics = {**fabrics, self.body: Fabric(**columns)}
        return self.springs.undone(springs), self.bends.undone(bends), fabrics


def may_stay(body: BodyRange, block: Block) -> bool:
    """Tell whether what a body has become can take the place of the body, once that is the last one."""
    return (
        isinstance(block.spring_table, Amended)
        and isinstance(block.bend_table, Amended)
        and block.fabric is not None
        and len(block.vertices) >= len(block.new_of) == len(body.shares)
        and block.keeps_numbers
    )


def amend(
    world: World,
    body: BodyRange,
    block: Block,
    fabric: Fabric,
    links: Links,
    *,
    is_shrinking: bool,
    leaders: NDArray[np.int64] | None,
) -> tuple[Change, Fabric, Layer]:
    """Change a body of the world; return the change, its fabric after it, and what was overwritten.

    The fabric of a body that has come apart is that of the block: it is to be divided.

    Args:
        world: changed
        body: as it is in the world, the last one
        block: what it has become; see `may_stay`
        fabric: of the body as it is; its memory is used up if no piece has come off
        links: as for `rebuild`
        is_shrinking: whether rest lengths are changing at present
        leaders: (vertex_count,) the first vertex of the connected part of each one after the edit; None if no piece has
            come off
    """
    assert isinstance(block.spring_table, Amended) and isinstance(block.bend_table, Amended)
    assert block.fabric is not None
    first, count = body.particles.start, world.particles.count
    mixed, mixed_from, weights = block.mixed
    change = Change(
        old_count=count,
        nearest=np.concatenate([np.arange(first), block.vertices + first]) if first else block.vertices,
        new_of=counted(count),
        mixed=mixed + first,
        mixed_from=mixed_from + first,
        mixed_weights=weights,
        touched=block.touched + first,
        keeps_pairs=True,
        is_renumbered=False,
    )
    link_bends, linked = links(change)
    links_before = world.bends.points[body.bends.stop :].copy()
    no_springs = {name: array[:0] for name, array in vars(world.springs).items()}
    springs, spring_rows = block.spring_table.write(
        vars(world.springs), body.springs.start, first, no_springs, ("rest_lengths",) if is_shrinking else ()
    )
    bends, bend_rows = block.bend_table.write(vars(world.bends), body.bends.start, first, vars(link_bends))
    world.springs, world.bends = Springs(**springs), Bends(**bends)
    masses = np.concatenate([world.particles.masses[:first], block.masses]) if first else block.masses
    grow(world.particles, change, masses)
    fabric_rows: tuple[Overwritten, ...] = ()
    if leaders is None:
        # Springs that have moved to other rows are called differently everywhere.
        around = None if len(block.spring_table.refilled.moved) else block.around
        fabric, fabric_rows = amend_fabric(fabric, block.fabric, around)
    else:
        fabric = block.fabric
    spring_table, bend_table = (
        table.refilled.shifted(span.start, span.stop)
        for table, span in ((block.spring_table, body.springs), (block.bend_table, body.bends))
    )
    world.bodies = {
        **world.bodies,
        body.name: replace(
            body,
            particles=slice(first, change.new_count),
            springs=slice(body.springs.start, spring_table.count),
            bends=slice(body.bends.start, bend_table.count),
            triangles=fabric.triangles,
            shares=block.shares,
            descent=fabric.descent,
        ),
    }
    touched = united(change.new_count, change.touched, linked)
    # All links have been written anew, so all their pairs are looked up.
    sewn = united(change.new_count, touched, links_before, link_bends.points)
    # What hung together does so still if every edge is a spring, and no link has been opened. A way that the edit has cut
    # short leads through what is around it, so if nothing has come off, only edges there count.
    sprung = fabric.spring_of
    if leaders is None and block.around is not None:
        sprung = sprung.take(block.around, axis=0)
    is_known = still_linked(links_before, link_bends) and int(sprung.min(initial=0)) >= 0
    is_whole = is_known and leaders is None
    hung = world.couplings.grown_leaders(change.nearest[count:]) if is_whole else None
    others = world.couplings.leaders[:first]
    world.recouple_near(sewn, spring_table, bend_table, hung)
    if is_known and leaders is not None and len(links_before) == 0:
        # Most is known of what hangs together in pieces; a look at all pairs makes sure.
        world.couplings.take_leaders(np.concatenate([others, leaders + first]), world.couplings.pairs)
    layer = Layer(body.name, spring_rows, bend_rows, fabric_rows)
    return replace(change, touched=touched), fabric, layer


def relink(world: World, links: Links, *, is_shrinking: bool) -> tuple[Change, Layer]:
    """Let other links hold the seams, all bodies staying as they are; return the change and what was overwritten.

    Args:
        world: changed; no snapshot shares its bending elements
        links: as for `rebuild`
        is_shrinking: whether rest lengths are changing at present
    """
    change = unchanged(world.particles.count)
    link_bends, linked = links(change)
    own_count, total = own_bends(world), world.bends.count
    former = world.bends.points[own_count:].copy()
    layer = Layer(
        body=None,
        springs=Overwritten.of(
            vars(world.springs), np.zeros(0, np.int64), ("rest_lengths",) if is_shrinking else ()
        ),
        bends=Overwritten.of(vars(world.bends), np.arange(own_count, total)),
        fabric=(),
    )
    bends = {name: fitted(array, own_count + link_bends.count) for name, array in vars(world.bends).items()}
    for name, array in bends.items():
        array[own_count:] = getattr(link_bends, name)
    world.bends = Bends(**bends)
    world.particles.masses = world.particles.masses.copy()  # the snapshot has those there were
    # All links have been written anew, so all their pairs are looked up.
    sewn = united(change.new_count, linked, former, link_bends.points)
    leaders = world.couplings.leaders if still_linked(former, link_bends) else None
    own = world.springs.count
    world.recouple_near(sewn, Refilling(own, own), Refilling(own_count, own_count), leaders)
    return replace(change, touched=linked, keeps_pairs=True), layer
