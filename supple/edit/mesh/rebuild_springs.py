"""Rebuild springs: the springs of a body after its triangles have changed.

Theory: docs/theory/edits.md, eq. (T4). Every spring along an edge is the sum of what the triangles beside it
contribute, so it is rebuilt where one of them has changed. The second diagonal of a cell stays while its two triangles
are not split and still adjacent.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.adjacency import corner_of, edge_triangles, facing_triangles, opposite_corner
from supple.edit.mesh.mesh_change import MeshChange
from supple.edit.mesh.triangle_mesh import UNCHANGED, are_still_adjacent, read_triangle
from supple.edit.mesh.workspace import Workspace
from supple.edit.world.table_patch import TablePatch
from supple.kernel import kernel
from supple.model.springs import Springs
from supple.model.tables.row_updates import RowUpdate

Indices = NDArray[np.int64]


class EdgeSprings(NamedTuple):
    """Springs along edges of triangles, their material still to be applied; see `Springs`."""

    ends: NDArray[np.uint32]
    rest_lengths: NDArray[np.float64]
    shape: NDArray[np.float64]
    kind: NDArray[np.int8]
    region: NDArray[np.int32]


class SpringModuli(NamedTuple):
    """What springs are made of; see `Springs`."""

    kind: NDArray[np.int8]
    region: NDArray[np.int32]
    shape: NDArray[np.float64]
    stiffness: NDArray[np.float64]
    damping: NDArray[np.float64]
    stretch_limits: NDArray[np.float64]

    @classmethod
    def of(cls, springs: Springs) -> SpringModuli:
        """Return those of some springs."""
        return cls(*(getattr(springs, name) for name in cls._fields))


@kernel
def classify_springs(before, mesh, is_near, ends, gone, renumbered, new_ends):
    """List the springs that go, and those whose ends get other numbers.

    Args:
        before: `Adjacency` before the edit
        mesh: after the edit
        is_near: (vertex_count,) corners, before the edit, of triangles that it changed
        ends: (spring_count, 2) before the edit
        gone: (spring_count,) written, ascending
        renumbered: (spring_count,) written, ascending
        new_ends: (spring_count, 2) written: the ends of those renumbered

    Returns:
        how many go, and how many are renumbered
    """
    gone_count = renumbered_count = 0
    for s in range(ends.shape[0]):
        if not (is_near[ends[s, 0]] or is_near[ends[s, 1]]):
            continue
        i, j = np.int64(ends[s, 0]), np.int64(ends[s, 1])
        t, u = edge_triangles(before, i, j)
        if t >= 0:
            if mesh.changes[t] != UNCHANGED or (u >= 0 and mesh.changes[u] != UNCHANGED):
                gone[gone_count] = s
                gone_count += 1
            continue
        t, u = facing_triangles(before, i, j)
        if t >= 0:
            if are_still_adjacent(mesh, t, u):
                renumbered[renumbered_count] = s
                new_ends[renumbered_count, 0] = mesh.triangles[t, corner_of(before.triangles, t, i)]
                new_ends[renumbered_count, 1] = mesh.triangles[u, corner_of(before.triangles, u, j)]
                renumbered_count += 1
            else:
                gone[gone_count] = s
                gone_count += 1
    return gone_count, renumbered_count


@kernel
def list_edges(mesh, changed, first_spring, edges, spring_of):
    """List the edges of changed triangles, each once; return how many there are.

    Args:
        mesh: after the edit
        changed: (changed_count,) triangles that changed, ascending
        first_spring: number of the first of these springs
        edges: `EdgeSprings`, written
        spring_of: (triangle_capacity, 3) written for the edges listed
    """
    count = 0
    for t in changed:
        read_triangle(mesh, t)
        for c in range(3):
            u = mesh.neighbours[t, c]
            if u >= 0 and u < t and mesh.changes[u] != UNCHANGED:
                continue
            own = mesh.shapes[t, c]
            length, total = own * mesh.lengths[t, c], own
            if u >= 0:
                read_triangle(mesh, u)
                d = opposite_corner(mesh.neighbours, u, t)
                length += mesh.shapes[u, d] * mesh.lengths[u, d]
                total += mesh.shapes[u, d]
                spring_of[u, d] = first_spring + count
            edges.ends[count, 0] = mesh.triangles[t, (c + 1) % 3]
            edges.ends[count, 1] = mesh.triangles[t, (c + 2) % 3]
            edges.rest_lengths[count] = length / total if total > 0.0 else mesh.lengths[t, c]
            edges.shape[count], edges.kind[count] = total, mesh.kinds[t, c]
            edges.region[count] = mesh.regions[t, c]
            spring_of[t, c] = first_spring + count
            count += 1
    return count


@kernel
def renumber_edge_springs(mesh, changed, old_count, new, sources, moved, spring_of):
    """Replace the springs of edges by the rows they are in now.

    Args:
        mesh: after the edit
        changed: (changed_count,) triangles that changed; only they and their neighbours have new springs
        old_count: springs there were; those from here on are new
        new: (new_count,) rows of new springs
        sources: (moved_count,) rows of springs that have moved
        moved: (moved_count,) where they are now
        spring_of: (triangle_capacity, 3) renumbered, -1 stays
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
            u = mesh.neighbours[t, c]
            if u >= 0 and mesh.changes[u] == UNCHANGED:
                d = opposite_corner(mesh.neighbours, u, t)
                if spring_of[u, d] >= old_count:
                    spring_of[u, d] = new[spring_of[u, d] - old_count]


@kernel
def template_spring(kinds, regions, kind, region):
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


@kernel
def copy_moduli(old, templates, new):
    """Give new springs the stiffness, damping and limit of old ones of their kind and region.

    Args:
        old: `SpringModuli`
        templates: (new_count,) scratch: the old spring that each new one is made like
        new: `SpringModuli`; stiffness, damping and limits are written
    """
    for n in range(new.kind.shape[0]):
        m = n - 1
        while m >= 0 and not (new.kind[m] == new.kind[n] and new.region[m] == new.region[n]):
            m -= 1
        templates[n] = (
            templates[m] if m >= 0 else template_spring(old.kind, old.region, new.kind[n], new.region[n])
        )
        template = templates[n]
        shape = old.shape[template] if old.shape[template] > 0.0 else 1.0
        new.stiffness[n] = old.stiffness[template] / shape * new.shape[n]
        new.damping[n] = old.damping[template] / shape * new.shape[n]
        new.stretch_limits[n] = old.stretch_limits[template]


def rebuild_springs(
    change: MeshChange, springs: Springs, spring_of: Indices, workspace: Workspace
) -> TablePatch:
    """Return the springs after an edit; vertices of those that have changed are marked.

    Args:
        change: the triangles before and after the edit
        springs: of the body before, ends counted from its first vertex
        spring_of: (triangle_capacity, 3) begins with the springs of the triangles before; brought up to date
        workspace: memory to work in
    """
    count = springs.count
    gone, renumbered = (workspace.array(name, (count,), np.int64) for name in ("gone", "renumbered"))
    new_ends = workspace.array("ends", (count, 2), np.uint32)
    gone_count, renumbered_count = classify_springs(
        change.before, change.after, change.is_near, springs.ends, gone, renumbered, new_ends
    )
    gone, renumbered = gone[:gone_count].copy(), renumbered[:renumbered_count].copy()
    new_ends = new_ends[:renumbered_count].copy()
    added = _edge_springs(change, springs, spring_of)
    row_update = RowUpdate.of(gone, count, added.count)
    for ends in (springs.ends.take(gone, axis=0), springs.ends.take(renumbered, axis=0), new_ends):
        change.is_changed[ends] = True
    renumber_edge_springs(
        change.after, change.triangles, count, row_update.new, row_update.sources, row_update.moved, spring_of
    )
    return TablePatch(vars(springs), "ends", row_update, vars(added), renumbered, new_ends)


def _edge_springs(change: MeshChange, springs: Springs, spring_of: Indices) -> Springs:
    """Return the springs along the edges of changed triangles; `spring_of` counts them after those there were."""
    capacity = 3 * len(change.triangles)
    edges = EdgeSprings(
        ends=np.empty((capacity, 2), np.uint32),
        rest_lengths=np.empty(capacity),
        shape=np.empty(capacity),
        kind=np.empty(capacity, np.int8),
        region=np.empty(capacity, np.int32),
    )
    found = list_edges(change.after, change.triangles, springs.count, edges, spring_of)
    added = Springs(
        **{name: array[:found] for name, array in edges._asdict().items()},
        stiffness=np.empty(found),
        damping=np.empty(found),
        stretch_limits=np.empty(found),
    )
    copy_moduli(SpringModuli.of(springs), np.empty(found, np.int64), SpringModuli.of(added))
    return added
