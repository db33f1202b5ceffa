"""Tear: cloth gives way where it is stretched too far, and the tear runs.

Theory: docs/theory/edits.md, eq. (T6). At an edge stretched beyond the limit the knife cuts a little way from one of
its ends, across the pull. The tip of a tear carries the load of what it has cut, so it is stretched next.
"""

from __future__ import annotations

from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.cut_path import walk
from supple.edit.mesh.triangle_mesh import fan_begin, has_room, is_at_border, open_marked, turn
from supple.edit.world.apply_edit import Workshop
from supple.edit.world.intersection_check import Tangled
from supple.edit.world.rebuild_bodies import Block, body_springs, unedited
from supple.edit.world.reshape_body import Workpiece
from supple.kernel import cross, difference, kernel, norm
from supple.model.bends import Bends
from supple.model.springs import Springs
from supple.model.world import BodyRange

MOST_TEARS = 12
"""Edges that give way in one frame; more wait for the next, so that no frame is late."""

TEAR_DISTANCE = 4.0
"""Least distance of two tears of one frame, as a share of the mean edge: the first one takes the load off the other."""

TEAR_REACH = 1.6
"""How far one tear runs in a frame, as a share of the mean edge."""


@kernel
def measure_strains(positions, ends, rest_lengths, kind, strains):
    """Write the elongation of every stretch spring [-], -1 for others."""
    for s in range(ends.shape[0]):
        strains[s] = -1.0
        if kind[s] == 0 and rest_lengths[s] > 0.0:
            strains[s] = norm(difference(positions, ends[s, 0], ends[s, 1])) / rest_lengths[s] - 1.0


@kernel
def fan_normal(sheet, point):
    """Return the sum of the normals of the triangles around a point, as long as twice their area."""
    x, y, z = 0.0, 0.0, 0.0
    t, entry = fan_begin(sheet.triangles, sheet.across, sheet.fan, point)
    first = t
    while t >= 0:
        a, b, c = sheet.triangles[t, 0], sheet.triangles[t, 1], sheet.triangles[t, 2]
        n = cross(difference(sheet.positions, b, a), difference(sheet.positions, c, a))
        x, y, z = x + n[0], y + n[1], z + n[2]
        t, entry = turn(sheet.triangles, sheet.across, t, point, entry)
        if t == first:
            break
    return (x, y, z)


@kernel
def is_disturbed(sheet, point):
    """Return whether a triangle around a point has been changed, or has an edge to be opened."""
    t, entry = fan_begin(sheet.triangles, sheet.across, sheet.fan, point)
    first = t
    while t >= 0:
        if sheet.changes[t] != 0 or sheet.is_marked[t, 0] or sheet.is_marked[t, 1] or sheet.is_marked[t, 2]:
            return True
        t, entry = turn(sheet.triangles, sheet.across, t, point, entry)
        if t == first:
            break
    return False


@kernel
def tear_edges(sheet, ends, order, is_fixed, mean_edge, tips):
    """Cut across the edges given, the most stretched first; return how many tears began or ran on.

    Args:
        sheet: changed in place: edges are marked
        ends: (spring_count, 2) vertices
        order: (count,) springs to tear, the most stretched first
        is_fixed: (vertex_count,) vertices that are held: tears begin beside them
        mean_edge: mean length of edges [m]
        tips: (most tears,) written: where the tears began
    """
    torn = 0
    for s in order:
        if torn == tips.shape[0]:
            break
        i, j = np.int64(ends[s, 0]), np.int64(ends[s, 1])
        is_close = False
        for n in range(torn):
            away = norm(difference(sheet.positions, i, tips[n]))
            is_close = is_close or away < TEAR_DISTANCE * mean_edge
        if is_close:
            continue
        if is_disturbed(sheet, i) or is_disturbed(sheet, j) or (is_fixed[i] and is_fixed[j]):
            continue
        # The tip of a tear, or a border, gives way before whole cloth does.
        at_border = is_at_border(sheet.triangles, sheet.across, sheet.fan, j)
        point = j if is_fixed[i] or (at_border and not is_fixed[j]) else i
        pull = difference(sheet.positions, i, j)
        way = cross(fan_normal(sheet, point), pull)
        length = norm(way)
        if not length > 0.0:
            continue
        x, y, z = sheet.positions[point, 0], sheet.positions[point, 1], sheet.positions[point, 2]
        for sign in (1.0, -1.0):
            f = sign * TEAR_REACH * mean_edge / length
            walk(sheet, point, (x + f * way[0], y + f * way[1], z + f * way[2]), True, mean_edge)
        tips[torn] = point
        torn += 1
    return torn


def tear_on(shop: Workshop, body: BodyRange, strain: float) -> None:
    """Let a body tear where it is stretched by more than `strain`, for one frame."""
    particles = shop.world.particles
    span = body.particles
    if len(body.triangles):
        springs = body_springs(shop.world, body)
        if len(overstretched(particles.positions[span], springs, strain)) == 0:
            return
        work = Workpiece(shop.world, body, shop.woven(body), 32 * MOST_TEARS, shop.bench)
        block = torn(work, strain, particles.is_fixed[span])
    else:
        whole = unedited(shop.world, body)
        gone = overstretched(particles.positions[span], whole.springs, strain)[:MOST_TEARS]
        block = snapped(whole, gone) if len(gone) else None
    if block is not None:
        edited = shop.with_pieces({body.name: block})
        with suppress(Tangled), shop.tried():  # a tear that cannot open waits for the next frame
            shop.rebuild(edited, shop.ongoing)


def torn(work: Workpiece, strain: float, is_fixed: NDArray[np.bool_]) -> Block | None:
    """Return a cloth after one frame of tearing, None if it holds."""
    order = overstretched(work.sheet.positions, work.springs, strain)
    if len(order) == 0 or not tear_edges(
        work.sheet, work.springs.ends, order, is_fixed, work.mean_edge, np.empty(MOST_TEARS, np.int64)
    ):
        return None
    return work.finished() if has_room(work.sheet) and open_marked(work.sheet) else None


def overstretched(positions: NDArray[np.float64], springs: Springs, strain: float) -> NDArray[np.int64]:
    """Return the stretch springs longer than 1 + `strain` times their rest length, the longest first."""
    strains = np.empty(springs.count)
    measure_strains(positions, springs.ends, springs.rest_lengths, springs.kind, strains)
    found = np.flatnonzero(strains > strain)
    return found[np.argsort(-strains[found], kind="stable")]


def snapped(block: Block, gone: NDArray[np.int64]) -> Block:
    """Return a body without surface (a chain, a network) after some of its springs have snapped."""
    springs, bends = block.springs, block.bends
    is_kept = np.ones(springs.count, np.bool_)
    is_kept[gone] = False
    count = len(block.vertices)
    low, high = springs.ends[gone].min(axis=1).astype(np.int64), springs.ends[gone].max(axis=1)
    broken = low * count + high
    bend_kept = np.ones(bends.count, np.bool_)
    for a, c in ((0, 1), (1, 2), (0, 2)):
        pairs = np.sort(bends.points[:, [a, c]].astype(np.int64), axis=1)
        bend_kept &= ~np.isin(pairs[:, 0] * count + pairs[:, 1], broken)
    touched = np.union1d(springs.ends[gone].ravel(), bends.points[~bend_kept].ravel()).astype(np.int64)
    return Block(
        **{
            **vars(block),
            "spring_table": Springs(**{name: array[is_kept] for name, array in vars(springs).items()}),
            "bend_table": Bends(**{name: array[bend_kept] for name, array in vars(bends).items()}),
            "touched": touched,
        }
    )
