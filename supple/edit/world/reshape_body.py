"""Reshape body: one cloth taken out of the world, its triangles changed, and the body that comes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.cloth_record import ClothRecord
from supple.edit.mesh.interpolation import VertexInterpolation
from supple.edit.mesh.mesh_change import MeshChange
from supple.edit.mesh.rebuild_elements import rebuild_elements
from supple.edit.mesh.triangle_mesh import TriangleMesh, read_triangle
from supple.edit.mesh.workspace import Workspace, open_mesh
from supple.edit.world.rebuild_bodies import (
    EditedBody,
    body_bends,
    body_springs,
    select_vertices,
    with_own_memory,
)
from supple.kernel import kernel
from supple.model.tables.row_updates import shared_arange
from supple.model.world import BodyRange, World

Entries = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]
"""Vertices after the edit that lie between several before it, those, and their weights, one entry for each."""


@kernel
def list_triangles_around(triangles, is_changed, around):
    """List the triangles (triangle_count, 3) that have a vertex marked in `is_changed`, ascending; return how many."""
    count = 0
    for t in range(triangles.shape[0]):
        if is_changed[triangles[t, 0]] or is_changed[triangles[t, 1]] or is_changed[triangles[t, 2]]:
            around[count] = t
            count += 1
    return count


@kernel
def sum_lumped_masses(mesh, around, changed, is_changed, masses, shares, corner_fractions):
    """Sum the masses that are lumped at the corners of changed vertices, and write the fraction of each corner.

    Args:
        mesh: after the edit
        around: (around_count,) all triangles that have a changed vertex, ascending
        changed: (changed_count,) vertices whose triangles have changed
        is_changed: (vertex_count,) the same
        masses: (vertex_count,) written for changed vertices [kg]
        shares: (vertex_count,) written for changed vertices
        corner_fractions: (triangle_count, 3) written for their corners
    """
    for i in changed:
        masses[i] = shares[i] = 0.0
    for t in around:
        read_triangle(mesh, t)
        for c in range(3):
            i = mesh.triangles[t, c]
            if is_changed[i]:
                masses[i] += mesh.lumped[t, c, 0]
                shares[i] += mesh.lumped[t, c, 1]
    for t in around:
        for c in range(3):
            i = mesh.triangles[t, c]
            if is_changed[i]:
                corner_fractions[t, c] = mesh.lumped[t, c, 0] / masses[i]


class VertexOrigins(NamedTuple):
    """Where the vertices after an edit come from."""

    nearest: NDArray[np.int64]
    """(vertex_count,) the vertex before the edit that each one is nearest to."""

    rest_positions: NDArray[np.float64]
    """(vertex_count, 3) [m]"""

    ancestors: NDArray[np.int64]
    """(vertex_count, 3) as in `ClothRecord`."""

    ancestor_weights: NDArray[np.float64]
    """(vertex_count, 3)"""

    interpolated: Entries


class LumpedMasses(NamedTuple):
    """What the triangles after an edit add up to."""

    masses: NDArray[np.float64]
    """(vertex_count,) [kg]"""

    shares: NDArray[np.float64]
    """(vertex_count,) as in `BodyRange`."""

    corner_fractions: NDArray[np.float64]
    """(triangle_count, 3) as in `ClothRecord`."""

    around: NDArray[np.int64]
    """(count,) triangles around all that has changed."""


class BodyEdit:
    """A cloth whose triangle mesh is being edited; `result` returns the body that it becomes."""

    def __init__(
        self,
        world: World,
        body: BodyRange,
        cloth_record: ClothRecord,
        capacity: int,
        workspace: Workspace | None = None,
    ) -> None:
        """Open the mesh of a body with capacity for so many more vertices, in a workspace that nobody else uses now."""
        self.world, self.body, self.cloth_record = world, body, cloth_record
        self._workspace = Workspace() if workspace is None else workspace
        particles = world.particles
        self.springs, self.bends = body_springs(world, body), body_bends(world, body)
        points = particles.positions[body.particles]
        self.masses = particles.masses[body.particles]
        self.mesh: TriangleMesh = open_mesh(
            cloth_record, self.springs, points, self.masses, body.shares, capacity, self._workspace
        )
        self.mean_edge = float(cloth_record.mean_edge[0])
        """Mean rest length of edges, as declared [m]."""

        self.merged: NDArray[np.int64] | None = None
        """(vertex_count,) the vertex that each one was welded into, itself for most; None if none was."""

        self.is_joined: NDArray[np.bool_] | None = None
        """(triangle_capacity, 3) edges that two triangles have come to share, if any."""

    def result(self) -> EditedBody:
        """Return the body after the edit."""
        mesh, cloth_record, body = self.mesh, self.cloth_record, self.body
        vertex_count, triangle_count = int(mesh.counts[0]), int(mesh.counts[1])
        origins = self._vertex_origins()
        change = MeshChange.of(cloth_record, mesh, self.is_joined)
        lumped_at = change.is_changed.copy()  # before elements are rebuilt: only corners of changed triangles
        spring_of = self._workspace.copy_of(cloth_record, "spring_of", len(mesh.triangles))
        # What lies apart at rest is joined flat.
        rest_positions = origins.rest_positions if self.merged is None else None
        made = rebuild_elements(change, self.springs, self.bends, spring_of, rest_positions, self._workspace)
        lumped = self._lumped_masses(lumped_at)
        edited_body = EditedBody(
            name=body.name,
            origin=body.origin,
            masses=lumped.masses,
            shares=lumped.shares,
            spring_table=made.springs,
            bend_table=made.bends,
            triangles=mesh.triangles[:triangle_count],
            cloth_record=ClothRecord(
                triangles=mesh.triangles[:triangle_count],
                neighbours=mesh.neighbours[:triangle_count],
                incident_triangle=mesh.incident_triangle[:vertex_count],
                spring_of=made.spring_of,
                corner_fractions=lumped.corner_fractions,
                ancestors=origins.ancestors,
                ancestor_weights=origins.ancestor_weights,
                mean_edge=cloth_record.mean_edge,
            ),
            vertices=origins.nearest,
            new_of=shared_arange(len(cloth_record.incident_triangle)) if self.merged is None else self.merged,
            interpolated=origins.interpolated,
            changed_vertices=made.changed_vertices,
            around=lumped.around,
        )
        return edited_body if self.merged is None else _without_merged(edited_body, self.merged)

    def _vertex_origins(self) -> VertexOrigins:
        """Return where all vertices come from, those that are new interpolated between others."""
        mesh, cloth_record, workspace = self.mesh, self.cloth_record, self._workspace
        old_count, count = len(cloth_record.incident_triangle), int(mesh.counts[0])
        interpolation = VertexInterpolation(old_count, count - old_count, mesh.parents, mesh.parent_fractions)
        rest = self.world.particles.rest_positions[self.body.particles]
        nearest = np.arange(count)
        rest_positions = workspace.copy("rest_positions", rest, count)
        ancestors = workspace.copy_of(cloth_record, "ancestors", count)
        ancestor_weights = workspace.copy_of(cloth_record, "ancestor_weights", count)
        interpolation.nearest(nearest)
        interpolation.interpolate(rest, rest_positions)
        interpolation.find_ancestors(ancestors, ancestor_weights)
        interpolated = interpolation.entries()
        if self.merged is not None:
            into, members, fractions = self._welded_entries()
            interpolated = (
                np.concatenate([into, interpolated[0]]),
                np.concatenate([members, interpolated[1]]),
                np.concatenate([fractions, interpolated[2]]),
            )
        return VertexOrigins(nearest, rest_positions, ancestors, ancestor_weights, interpolated)

    def _lumped_masses(self, is_changed: NDArray[np.bool_]) -> LumpedMasses:
        """Return the masses of all vertices, summed anew for those marked in `is_changed` (vertex_count,)."""
        mesh, workspace = self.mesh, self._workspace
        triangles = mesh.triangles[: mesh.counts[1]]
        around = workspace.array("around", (len(triangles),), np.int64)
        around = around[: list_triangles_around(triangles, is_changed, around)]
        masses, shares = np.empty(len(is_changed)), np.empty(len(is_changed))
        masses[: len(self.masses)], shares[: len(self.masses)] = self.masses, self.body.shares
        corner_fractions = workspace.copy_of(self.cloth_record, "corner_fractions", len(triangles))
        changed = np.flatnonzero(is_changed)
        sum_lumped_masses(mesh, around, changed, is_changed, masses, shares, corner_fractions)
        return LumpedMasses(masses, shares, corner_fractions, around)

    def _welded_entries(self) -> Entries:
        """Return vertices that others were welded into, all that each is made of, and their fractions of the mass."""
        assert self.merged is not None
        is_one = np.bincount(self.merged, minlength=len(self.merged)) > 1
        members = np.flatnonzero(is_one[self.merged])
        members = members[np.argsort(self.merged[members], kind="stable")]
        into = self.merged[members]
        masses = np.bincount(into, self.masses[members], minlength=len(self.merged))
        return into, members, self.masses[members] / masses[into]


def _without_merged(edited_body: EditedBody, merged: NDArray[np.int64]) -> EditedBody:
    """Return a body without the vertices that were welded into others."""
    count = len(edited_body.vertices)
    is_in = np.ones(count, np.bool_)
    is_in[: len(merged)] = merged == np.arange(len(merged))
    welded_into = np.arange(count)
    welded_into[: len(merged)] = merged
    return select_vertices(_with_inner_springs_moved(edited_body, welded_into), is_in, edited_body.name)


def _with_inner_springs_moved(edited_body: EditedBody, welded_into: NDArray[np.int64]) -> EditedBody:
    """Return a body whose springs through the inside have followed their ends into those they were welded into.

    Springs along the surface have done so with their triangles. One that would join what is joined already keeps its
    ends, and goes with them.
    """
    springs = edited_body.springs
    ends = springs.ends.astype(np.int64)
    after = welded_into[ends]
    moved = np.flatnonzero((after != ends).any(axis=1))
    if len(moved) == 0:
        return edited_body
    taken = {tuple(sorted(pair)) for pair in ends[(after == ends).all(axis=1)].tolist()}
    new_ends = springs.ends.copy()
    for s in moved.tolist():
        pair = tuple(sorted(after[s].tolist()))
        if pair[0] != pair[1] and pair not in taken:
            taken.add(pair)
            new_ends[s] = after[s]
    edited_body = with_own_memory(edited_body)
    changed = np.union1d(edited_body.changed_vertices, after[moved])
    return replace(edited_body, spring_table=replace(springs, ends=new_ends), changed_vertices=changed)
