"""Respring: the springs of a body after its triangles have changed.

Theory: docs/theory/edits.md, eq. (T4). Every spring along an edge is the sum of what the triangles beside it
contribute, so it is rebuilt where one of them has changed. The second diagonal of a cell stays while its two triangles
are whole and still hang together.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.cloth_record import Bench
from supple.edit.mesh.triangle_mesh import (
    UNTOUCHED,
    Sheet,
    edge_triangles,
    fan_begin,
    hangs_together,
    read_triangle,
    slot_across,
    slot_of,
    turn,
)
from supple.edit.world.table_patch import Amended
from supple.kernel import kernel
from supple.model.springs import Springs
from supple.model.tables.row_numbers import Refilling

Indices = NDArray[np.int64]
Mesh = tuple[Indices, Indices, Indices]
"""Triangles, what lies across their edges, and the fans of vertices before an edit; see `Fabric`."""


@kernel
def sort_springs(triangles, across, fan, sheet, is_near, ends, gone, renamed, names):
    """List the springs that go, and those whose ends are called differently.

    Args:
        triangles: (triangle_count, 3) before the edit
        across: (triangle_count, 3) before the edit
        fan: (vertex_count,) before the edit
        sheet: after the edit
        is_near: (vertex_count,) corners, before the edit, of triangles that changed
        ends: (spring_count, 2) before the edit
        gone: (spring_count,) written, ascending
        renamed: (spring_count,) written, ascending
        names: (spring_count, 2) written: what the ends of those renamed are called now

    Returns:
        how many go, and how many are renamed
    """
    gone_count = renamed_count = 0
    for s in range(ends.shape[0]):
        if not (is_near[ends[s, 0]] or is_near[ends[s, 1]]):
            continue
        i, j = np.int64(ends[s, 0]), np.int64(ends[s, 1])
        t, u = edge_triangles(triangles, across, fan, i, j)
        if t >= 0:
            if sheet.changes[t] != UNTOUCHED or (u >= 0 and sheet.changes[u] != UNTOUCHED):
                gone[gone_count] = s
                gone_count += 1
            continue
        t, u = facing_triangles(triangles, across, fan, i, j)
        if t >= 0:
            if hangs_together(sheet, t, u):
                renamed[renamed_count] = s
                names[renamed_count, 0] = sheet.triangles[t, slot_of(triangles, t, i)]
                names[renamed_count, 1] = sheet.triangles[u, slot_of(triangles, u, j)]
                renamed_count += 1
            else:
                gone[gone_count] = s
                gone_count += 1
    return gone_count, renamed_count


@kernel
def facing_triangles(triangles, across, fan, i, j):
    """Return the two triangles that share an edge and have i and j as their other corners, -1 if there are none."""
    t, entry = fan_begin(triangles, across, fan, i)
    first = t
    while t >= 0:
        u = across[t, slot_of(triangles, t, i)]
        if u >= 0 and triangles[u, slot_across(across, u, t)] == j:
            return t, u
        t, entry = turn(triangles, across, t, i, entry)
        if t == first:
            break
    return np.int64(-1), np.int64(-1)


@kernel
def list_edges(sheet, changed, ends, rest_lengths, shape, kind, region, first_spring, spring_of):
    """List the edges of changed triangles, each once; return how many there are.

    Args:
        sheet: after the edit
        changed: (changed_count,) triangles that changed, ascending
        ends: (room, 2) written
        rest_lengths: (room,) written [m]
        shape: (room,) written
        kind: (room,) written
        region: (room,) written
        first_spring: number of the first of these springs
        spring_of: (triangle_room, 3) written for the edges listed
    """
    count = 0
    for t in changed:
        read_triangle(sheet, t)
        for c in range(3):
            u = sheet.across[t, c]
            if u >= 0 and u < t and sheet.changes[u] != UNTOUCHED:
                continue
            own = sheet.shapes[t, c]
            length, total = own * sheet.lengths[t, c], own
            if u >= 0:
                read_triangle(sheet, u)
                d = slot_across(sheet.across, u, t)
                length += sheet.shapes[u, d] * sheet.lengths[u, d]
                total += sheet.shapes[u, d]
                spring_of[u, d] = first_spring + count
            ends[count, 0], ends[count, 1] = sheet.triangles[t, (c + 1) % 3], sheet.triangles[t, (c + 2) % 3]
            rest_lengths[count] = length / total if total > 0.0 else sheet.lengths[t, c]
            shape[count], kind[count], region[count] = total, sheet.kinds[t, c], sheet.regions[t, c]
            spring_of[t, c] = first_spring + count
            count += 1
    return count


@kernel
def rename_springs(changed, changes, across, old_count, new, sources, moved, spring_of):
    """Replace springs (triangle_room, 3) by the rows they are in now.

    Args:
        changed: (changed_count,) triangles that changed; only they and their neighbours have new springs
        changes: (triangle_room,) what happened to each triangle
        across: (triangle_room, 3) neighbours
        old_count: springs there were; those from here on are new
        new: (new_count,) rows of new springs
        sources: (moved_count,) rows of springs that have moved
        moved: (moved_count,) where they are now
        spring_of: (triangle_room, 3) renamed, -1 stays
    """
    if sources.shape[0] > 0:
        for t in range(spring_of.shape[0]):
            for c in range(3):
                s = spring_of[t, c]
                if sources[0] <= s < old_count:
                    for n in range(sources.shape[0]):
                        if sources[n] == s:
                            spring_of[t, c] = moved[n]
    # Rows of new springs may be as high as the numbers they are to replace, so none is met twice.
    for t in changed:
        for c in range(3):
            if spring_of[t, c] >= old_count:
                spring_of[t, c] = new[spring_of[t, c] - old_count]
            u = across[t, c]
            if u >= 0 and changes[u] == UNTOUCHED:
                d = slot_across(across, u, t)
                if spring_of[u, d] >= old_count:
                    spring_of[u, d] = new[spring_of[u, d] - old_count]


def remodel_springs(
    mesh: Mesh,
    sheet: Sheet,
    changed: Indices,
    is_near: NDArray[np.bool_],
    springs: Springs,
    spring_of: Indices,
    is_touched: NDArray[np.bool_],
    bench: Bench,
) -> Amended:
    """Return the springs after an edit; vertices of those that have changed are marked touched.

    Args:
        mesh: before the edit
        sheet: after the edit
        changed: (changed_count,) triangles that changed, ascending
        is_near: (vertex_count,) their corners before the edit
        springs: of the body before, ends counted from its first vertex
        spring_of: (triangle_room, 3) begins with the springs of the triangles before; brought up to date
        is_touched: (new vertex_count,) marked
        bench: where to work
    """
    count, room = springs.count, 3 * len(changed)
    gone, renamed = (bench.lend(name, (count,), np.int64) for name in ("gone", "renamed"))
    names = bench.lend("ends", (count, 2), np.uint32)
    gone_count, renamed_count = sort_springs(*mesh, sheet, is_near, springs.ends, gone, renamed, names)
    gone, renamed, names = (
        gone[:gone_count].copy(),
        renamed[:renamed_count].copy(),
        names[:renamed_count].copy(),
    )
    added = Springs(
        ends=np.empty((room, 2), np.uint32),
        rest_lengths=np.empty(room),
        stiffness=np.empty(room),
        damping=np.empty(room),
        stretch_limits=np.empty(room),
        shape=np.empty(room),
        kind=np.empty(room, np.int8),
        region=np.empty(room, np.int32),
    )
    found = list_edges(
        sheet,
        changed,
        added.ends,
        added.rest_lengths,
        added.shape,
        added.kind,
        added.region,
        count,
        spring_of,
    )
    added = Springs(**{name: array[:found] for name, array in vars(added).items()})
    give_moduli(
        springs.kind, springs.region, springs.shape, springs.stiffness, springs.damping, springs.stretch_limits,
        np.empty(found, np.int64),
        added.kind, added.region, added.shape, added.stiffness, added.damping, added.stretch_limits,
    )  # fmt: skip
    refilled = Refilling.of(gone, count, found)
    for rows in (springs.ends.take(gone, axis=0), springs.ends.take(renamed, axis=0), names):
        is_touched[rows] = True
    rename_springs(
        changed, sheet.changes, sheet.across, count, refilled.new, refilled.sources, refilled.moved, spring_of
    )
    return Amended(vars(springs), "ends", refilled, vars(added), renamed, names)


@kernel
def give_moduli(
    kinds, regions, shapes, stiffness, damping, limits, likes,
    new_kinds, new_regions, new_shapes, new_stiffness, new_damping, new_limits,
):  # fmt: skip
    """Give new springs the stiffness, damping and limit of old ones of their kind and region.

    Args:
        kinds: (spring_count,) of old springs
        regions: (spring_count,)
        shapes: (spring_count,) [-]
        stiffness: (spring_count,) [N/m]
        damping: (spring_count,) [N·s/m]
        limits: (spring_count,) [-]
        likes: (new_count,) scratch
        new_kinds: (new_count,) of new springs
        new_regions: (new_count,)
        new_shapes: (new_count,) [-]
        new_stiffness: (new_count,) written [N/m]
        new_damping: (new_count,) written [N·s/m]
        new_limits: (new_count,) written [-]
    """
    for n in range(new_kinds.shape[0]):
        m = n - 1
        while m >= 0 and not (new_kinds[m] == new_kinds[n] and new_regions[m] == new_regions[n]):
            m -= 1
        likes[n] = likes[m] if m >= 0 else first_like(kinds, regions, new_kinds[n], new_regions[n])
        like = likes[n]
        shape = shapes[like] if shapes[like] > 0.0 else 1.0
        new_stiffness[n] = stiffness[like] / shape * new_shapes[n]
        new_damping[n] = damping[like] / shape * new_shapes[n]
        new_limits[n] = limits[like]


@kernel
def first_like(kinds, regions, kind, region):
    """Return the first spring of a kind and region, else of the kind without a region, else of the kind, else 0."""
    plain = same = -1
    for s in range(kinds.shape[0]):
        if kinds[s] != kind:
            continue
        if regions[s] == region:
            return s
        if plain < 0 and regions[s] == -1:
            plain = s
        if same < 0:
            same = s
    return plain if plain >= 0 else max(same, 0)
