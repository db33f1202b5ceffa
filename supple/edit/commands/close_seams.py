"""Closing: seams draw together frame by frame, are welded or give way, and are opened again."""

from __future__ import annotations

import itertools
import math
from contextlib import suppress
from dataclasses import replace

import numpy as np

from supple.edit.commands.seam import Seam, links_of, weld
from supple.edit.mesh.connected_pieces import Pieces
from supple.edit.mesh.triangle_mesh import mark_edge, open_marked
from supple.edit.world.apply_edit import Workshop
from supple.edit.world.intersection_check import Tangled
from supple.edit.world.reshape_body import Workpiece
from supple.errors import SuppleError

WELD_GAP = 0.3
"""Largest gap that a weld closes, as a share of the mean edge."""


def sew_on(shop: Workshop, seconds: float) -> None:
    """Let seams that are closing go on with it for some seconds."""
    if not any(not seam.is_welded for seam in shop.ongoing.seams):
        return
    was_closing = any(not seam.is_closed for seam in shop.ongoing.seams)
    later = [replace(seam, elapsed=seam.elapsed + seconds) for seam in shop.ongoing.seams]
    shop.ongoing = replace(shop.ongoing, seams=later)
    if was_closing:
        bends = shop.world.bends
        links = links_of(later)
        bends.rest_lengths[bends.count - links.count :] = links.rest_lengths
        shop.relength()
    for number in [seam.number for seam in later if seam.is_closed and not seam.is_welded]:
        # Each of these may change what particles are called: look the seam up anew.
        seam = next((seam for seam in shop.ongoing.seams if seam.number == number), None)
        if seam is None or len(seam.pairs) == 0:
            continue
        if math.isfinite(seam.strength):
            _give_way(shop, seam)
        elif seam.is_weldable:
            _weld(shop, seam)


def _give_way(shop: Workshop, seam: Seam) -> None:
    """Drop the links of a seam that pull harder than it can hold."""
    points = shop.world.particles.positions[seam.pairs]
    pulls = seam.stiffness * np.linalg.norm(points[:, 0] - points[:, 1], axis=1)
    is_held = pulls <= seam.strength
    if not is_held.all():
        weaker = replace(seam, pairs=seam.pairs[is_held], gaps=seam.gaps[is_held])
        seams = [weaker if other.number == seam.number else other for other in shop.ongoing.seams]
        lost = np.unique(seam.pairs[~is_held])
        shop.rebuild({}, replace(shop.ongoing, seams=[s for s in seams if len(s.pairs)]), lost)


def _weld(shop: Workshop, seam: Seam) -> None:
    """Weld a closed seam, if a proper surface comes of it; otherwise its links go on holding it.

    A seam that something keeps open waits: to weld it would take points through what is in the way.
    """
    body = shop.owner(int(seam.pairs[0, 0]))
    points = shop.world.particles.positions[seam.pairs]
    gap = float(np.linalg.norm(points[:, 0] - points[:, 1], axis=1).max())
    if gap > WELD_GAP * float(shop.woven(body).mean_edge[0]):
        return
    local = seam.pairs - body.particles.start
    is_inside = ((local >= 0) & (local < body.particles.stop - body.particles.start)).all()
    work = Workpiece(shop.world, body, shop.woven(body), 0) if is_inside else None
    is_done = work is not None and weld(work, local)
    settled = replace(seam, is_welded=is_done, is_weldable=False)
    seams = [settled if other.number == seam.number else other for other in shop.ongoing.seams]
    ongoing = replace(shop.ongoing, seams=seams)
    if is_done:
        assert work is not None and work.merged is not None
        gone = np.flatnonzero(work.merged != np.arange(len(work.merged)))
        gone = gone[work.fabric.birth_weights[gone, 0] == 1.0]
        rows = np.column_stack([work.fabric.birth_points[gone, 0], gone + body.particles.start])
        ongoing = replace(ongoing, welded=np.concatenate([ongoing.welded, rows]))
        with suppress(Tangled), shop.tried():  # else it waits for the next frame
            shop.rebuild({body.name: Pieces.of([work.finished()])}, ongoing, seam.pairs.ravel())
    else:
        shop.ongoing = ongoing


def unseam(shop: Workshop, number: int) -> None:
    """Open a seam."""
    found = [seam for seam in shop.ongoing.seams if seam.number == number]
    if not found:
        known = ", ".join(str(seam.number) for seam in shop.ongoing.seams) or "none"
        raise SuppleError(f"there is no seam {number}. Seams: {known}.")
    _open(shop, found[0])


def _open(shop: Workshop, seam: Seam) -> None:
    seams = [other for other in shop.ongoing.seams if other.number != seam.number]
    ongoing = replace(shop.ongoing, seams=seams)
    if not seam.is_welded:
        shop.note("unseam", is_rebuilt=True)
        shop.rebuild({}, ongoing, np.unique(seam.pairs), is_noted=True)
        return
    body = shop.owner(int(seam.pairs[0, 0]))
    fabric = shop.woven(body)
    work = Workpiece(shop.world, body, fabric, 4 * len(seam.pairs) + 8)
    points = (seam.pairs[:, 0] - body.particles.start).tolist()
    for a, b in itertools.pairwise(points):
        if 0 <= min(a, b) and max(a, b) < len(fabric.fan):
            mark_edge(work.sheet, a, b)
    if not open_marked(work.sheet):
        raise SuppleError("the seam was welded, and what is left of it is too short to open.")
    edited = shop.with_pieces({body.name: work.finished()})
    with shop.tried():
        shop.note("unseam")
        shop.ongoing = ongoing
        shop.rebuild(edited, ongoing, is_noted=True)
