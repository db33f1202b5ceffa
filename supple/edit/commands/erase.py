"""Eraser: triangles are cut out of a cloth and taken away.

What is rubbed out first becomes a body of its own, by a cut along edges like any other; then that body leaves the world. So
the cut keeps mass and momentum, and what goes does not push what stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from supple.edit.history.erased_triangles import Erased
from supple.edit.mesh.connected_pieces import Pieces
from supple.edit.mesh.triangle_mesh import mark_edge, open_marked
from supple.edit.world.apply_edit import Workshop
from supple.edit.world.rebuild_bodies import Block, selected
from supple.edit.world.reshape_body import Workpiece
from supple.errors import SuppleError
from supple.model.world import BodyRange

Indices = NDArray[np.int64]


def erase(shop: Workshop, body: BodyRange, triangles: Indices) -> None:
    """Take triangles of a body away; a piece that came off may go whole, a declared body may not."""
    fabric = shop.woven(body)
    is_erased = np.zeros(len(fabric.triangles), np.bool_)
    is_erased[triangles] = True
    if is_erased.all() and body.name == body.origin:
        raise SuppleError(f"nothing would be left of {body.name!r}. Nothing was erased.")
    name = f"{body.name} (erased)"
    work = Workpiece(shop.world, body, fabric, rim_room(fabric.across, is_erased))
    stays, goes = cut_out(work, is_erased, name)
    label = f"erase {body.name}"
    if stays is not None:
        pieces = shop.with_pieces({body.name: stays})
        shop.note(label, is_rebuilt=True)
        shop.rebuild(
            {body.name: Pieces.of([*pieces[body.name].blocks, goes])},
            shop.ongoing,
            is_noted=True,
            is_halfway=True,
        )
    else:
        shop.note(label)
        name = body.name
    _take_away(shop, label, shop.world.bodies[name])


def _take_away(shop: Workshop, label: str, body: BodyRange) -> None:
    """Let a body that hangs together with no other leave the world."""
    particles = shop.world.particles
    points = np.arange(body.particles.start, body.particles.stop)
    cut = shop.history.done[-1].change
    is_left = cut.nearest[points]
    rim = np.setdiff1d(np.flatnonzero(np.isin(cut.nearest, is_left)), points)
    erased = Erased(
        points=points,
        places=particles.positions[points].copy(),
        velocities=particles.velocities[points].copy(),
        rim=rim,
        rim_places=particles.positions[rim].copy(),
    )
    shop.note(label, is_rebuilt=True)
    shop.history.done[-1].erased = erased
    strains = {name: strain for name, strain in shop.ongoing.strains.items() if name != body.name}
    pairs = np.concatenate([np.zeros((0, 2), np.int64), *(seam.pairs for seam in shop.ongoing.seams)])
    is_torn = np.isin(pairs, points).any(axis=1)
    # Threads to what goes are lost, so their other ends hang on less than before.
    shop.rebuild(
        {body.name: Pieces.of([])},
        replace(shop.ongoing, strains=strains),
        np.unique(pairs[is_torn]),
        is_noted=True,
    )
    shop.fabrics.pop(body.name, None)


def cut_out(work: Workpiece, is_erased: NDArray[np.bool_], name: str) -> tuple[Block | None, Block]:
    """Return what stays of a body, None if nothing does, and what is cut out of it, called `name`.

    Args:
        work: the body, with room for a copy of every point around the triangles that go
        is_erased: (triangle_count,) which triangles go
        name: of the block that goes
    """
    sheet = work.sheet
    if is_erased.all():
        whole = work.finished()
        return None, selected(whole, np.ones(len(whole.vertices), np.bool_), name)
    for t in np.flatnonzero(is_erased).tolist():
        for c in range(3):
            u = int(sheet.across[t, c])
            if u >= 0 and not is_erased[u]:
                mark_edge(sheet, sheet.triangles[t, (c + 1) % 3], sheet.triangles[t, (c + 2) % 3])
    open_marked(sheet)
    block = work.finished()
    goes = np.zeros(len(block.vertices), np.bool_)
    goes[block.triangles[is_erased]] = True
    stays, gone = selected(block, ~goes, block.name), selected(block, goes, name)
    # Points of the rim go on with what stays, so that pins and seams there do.
    new_of = stays.new_of.copy()
    is_copy = new_of[stays.vertices] < 0
    new_of[stays.vertices[is_copy]] = np.flatnonzero(is_copy)
    return replace(stays, new_of=new_of), replace(gone, new_of=np.where(new_of >= 0, -1, gone.new_of))


def rim_room(across: Indices, is_erased: NDArray[np.bool_]) -> int:
    """Return how many copies of points cutting these triangles out may need."""
    beyond = across[is_erased]
    return 2 * int(np.count_nonzero((beyond >= 0) & ~is_erased[beyond])) + 8


def rows_of(name: str, rows: Sequence[int], count: int) -> Indices:
    """Return rows of an array with `count` of them, or say what is wrong with them."""
    try:
        found = np.asarray(rows)
    except ValueError:
        found = np.zeros(0)
    if found.ndim != 1 or len(found) == 0 or not np.issubdtype(found.dtype, np.integer):
        raise SuppleError(f"`{name}` is {rows!r}, but it must list one or more triangles of the body.")
    if found.min() < 0 or found.max() >= count:
        raise SuppleError(f"`{name}` must list triangles from 0 to {count - 1}.")
    return found.astype(np.int64)
