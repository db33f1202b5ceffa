"""Reshape: one body taken out of the world, its triangles changed, and what it becomes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.cloth_record import Bench, Fabric, open_sheet
from supple.edit.mesh.interpolation import Mixing
from supple.edit.mesh.rebuild_elements import remodel
from supple.edit.mesh.triangle_mesh import Sheet, read_triangle
from supple.edit.world.rebuild_bodies import Block, body_bends, body_springs, selected
from supple.kernel import kernel
from supple.model.tables.row_numbers import counted
from supple.model.world import BodyRange, World

Entries = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]
"""Vertices after the edit that are means of several before it, those, and their weights, one entry for each."""


@kernel
def list_around(triangles, is_changed, around):
    """List the triangles (triangle_count, 3) that have a vertex marked in `is_changed`, ascending; return how many."""
    count = 0
    for t in range(triangles.shape[0]):
        if is_changed[triangles[t, 0]] or is_changed[triangles[t, 1]] or is_changed[triangles[t, 2]]:
            around[count] = t
            count += 1
    return count


@kernel
def share_loads(sheet, around, changed, is_changed, masses, shares, corner_shares):
    """Sum up what the corners at changed vertices carry, and write which part of its vertex' mass each one does.

    Args:
        sheet: after the edit
        around: (around_count,) all triangles that have a changed vertex, ascending
        changed: (changed_count,) vertices whose triangles have changed
        is_changed: (vertex_count,) the same
        masses: (vertex_count,) written for changed vertices [kg]
        shares: (vertex_count,) written for changed vertices
        corner_shares: (triangle_count, 3) written for their corners
    """
    for i in changed:
        masses[i] = shares[i] = 0.0
    for t in around:
        read_triangle(sheet, t)
        for c in range(3):
            i = sheet.triangles[t, c]
            if is_changed[i]:
                masses[i] += sheet.loads[t, c, 0]
                shares[i] += sheet.loads[t, c, 1]
    for t in around:
        for c in range(3):
            i = sheet.triangles[t, c]
            if is_changed[i]:
                corner_shares[t, c] = sheet.loads[t, c, 0] / masses[i]


class Workpiece:
    """A body on the cutting table: its sheet may be changed, and `finished` says what it has become."""

    def __init__(
        self, world: World, body: BodyRange, fabric: Fabric, room: int, bench: Bench | None = None
    ) -> None:
        """Open the sheet of a body with room for so many more points, on a bench that nobody else works on."""
        self.world, self.body, self.fabric = world, body, fabric
        self._bench = Bench() if bench is None else bench
        particles = world.particles
        self.springs, self.bends = body_springs(world, body), body_bends(world, body)
        points = particles.positions[body.particles]
        self.masses = particles.masses[body.particles]
        self.sheet: Sheet = open_sheet(
            fabric, self.springs, points, self.masses, body.shares, room, self._bench
        )
        self.mean_edge = float(fabric.mean_edge[0])
        """Mean length of edges at rest, as declared [m]."""

        self.merged: NDArray[np.int64] | None = None
        """(vertex_count,) the vertex that each one was welded into, itself for most; None if none was."""

        self.is_joined: NDArray[np.bool_] | None = None
        """(triangle_room, 3) edges that two triangles have come to share, if any."""

    def finished(self) -> Block:
        """Return the body after the edit."""
        sheet, fabric, body = self.sheet, self.fabric, self.body
        old_count = len(fabric.fan)
        point_count, triangle_count = int(sheet.counts[0]), int(sheet.counts[1])
        mixing = Mixing(old_count, point_count - old_count, sheet.parents, sheet.parent_shares)
        rest = self.world.particles.rest_positions[body.particles]
        nearest, bench = np.arange(point_count), self._bench
        rest_positions = bench.copy("rest_positions", rest, point_count)
        birth_points = bench.copy_of(fabric, "birth_points", point_count)
        birth_weights = bench.copy_of(fabric, "birth_weights", point_count)
        mixing.nearest(nearest)
        mixing.place(rest, rest_positions)
        mixing.births(birth_points, birth_weights)
        mixed = mixing.entries()
        if self.merged is not None:
            welded = self._welded_entries()
            mixed = tuple(np.concatenate(parts) for parts in zip(welded, mixed, strict=True))  # type: ignore[assignment]
        flat_or_rest = (
            rest_positions if self.merged is None else None
        )  # what lies apart at rest is joined flat
        spring_of = bench.copy_of(fabric, "spring_of", len(sheet.triangles))
        made = remodel(
            fabric, sheet, spring_of, self.springs, self.bends, flat_or_rest, self.is_joined, bench
        )

        triangles = sheet.triangles[:triangle_count]
        is_changed = np.zeros(point_count, np.bool_)
        is_changed[triangles.take(made.changed, axis=0)] = True
        changed = np.flatnonzero(is_changed)
        around = bench.lend("around", (triangle_count,), np.int64)
        around = around[: list_around(triangles, is_changed, around)]
        masses, shares = np.empty(point_count), np.empty(point_count)
        masses[:old_count], shares[:old_count] = self.masses, body.shares
        corner_shares = bench.copy_of(fabric, "corner_shares", triangle_count)
        share_loads(sheet, around, changed, is_changed, masses, shares, corner_shares)
        block = Block(
            name=body.name,
            origin=body.origin,
            masses=masses,
            shares=shares,
            spring_table=made.springs,
            bend_table=made.bends,
            triangles=triangles,
            fabric=Fabric(
                triangles=triangles,
                across=sheet.across[:triangle_count],
                fan=sheet.fan[:point_count],
                spring_of=made.spring_of,
                corner_shares=corner_shares,
                birth_points=birth_points,
                birth_weights=birth_weights,
                mean_edge=fabric.mean_edge,
            ),
            vertices=nearest,
            new_of=counted(old_count) if self.merged is None else self.merged,
            mixed=mixed,
            touched=made.touched,
            around=around,
        )
        return block if self.merged is None else _without_merged(block, self.merged)

    def _welded_entries(self) -> Entries:
        """Return vertices that others were welded into, all that have become each of them, and their shares of the mass."""
        assert self.merged is not None
        is_one = np.bincount(self.merged, minlength=len(self.merged)) > 1
        members = np.flatnonzero(is_one[self.merged])
        members = members[np.argsort(self.merged[members], kind="stable")]
        into = self.merged[members]
        masses = np.bincount(into, self.masses[members], minlength=len(self.merged))
        return into, members, self.masses[members] / masses[into]


def _without_merged(block: Block, merged: NDArray[np.int64]) -> Block:
    """Return a block without the vertices that were welded into others."""
    is_in = np.ones(len(block.vertices), np.bool_)
    is_in[: len(merged)] = merged == np.arange(len(merged))
    return selected(block, is_in, block.name)
