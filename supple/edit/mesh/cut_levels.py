"""Cut soft bodies of several levels of detail: the mesh of every level is divided and opened along the same plane.

Theory: docs/theory/soft-cuts.md, eq. (Q3). The finest mesh says what has come apart. Coarser elements belong to the
piece of the finest ones next to them on their side of the plane, and are never shared between pieces.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.connected_pieces import pieces_of
from supple.edit.mesh.cut_tetrahedra import (
    cut_block,
    inner_faces,
    is_below,
    mixed_values,
    nothing_cut,
    opened,
    plane_of,
    way_in,
)
from supple.edit.mesh.split_tetrahedra import Split, split_by_plane
from supple.edit.world.rebuild_bodies import Block, hanging_pairs, unedited
from supple.errors import SuppleError
from supple.model.couplings.connected_components import part_leaders
from supple.model.levels.levels import Levels, level_slices
from supple.model.levels.nesting import nearest_of_side
from supple.model.world import BodyRange, World
from supple.scene.soft_shapes.soft_shapes import LEAST_FILLED
from supple.scene.soft_shapes.tetra_quality import boundary_of, volumes_of

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class _Mesh:
    """The mesh of one level, or what a piece has of it."""

    corners: Indices
    """(element_count, 4) nodes, counted from the first of the level."""

    numbers: Indices
    """(element_count,) the elements before the cut that they are parts of, as `Levels` counts them."""

    sides: Indices
    """(element_count,) of all cuts, each number another side."""

    rest: Floats
    """(node_count, 3) [m]"""

    places: Floats
    """(node_count, 3) now [m]."""

    velocities: Floats
    """(node_count, 3) [m/s]"""

    def middles(self) -> Floats:
        """Return the middles of the elements at rest, (element_count, 3) [m]."""
        middles: Floats = self.rest[self.corners].mean(axis=1)
        return middles

    def volume(self) -> float:
        """Return the volume of all elements at rest [m³]."""
        return float(volumes_of(self.rest, self.corners).sum())

    def part(self, elements: Indices) -> _Mesh:
        """Return some of its elements with the nodes they need."""
        nodes, corners = np.unique(self.corners[elements], return_inverse=True)
        return _Mesh(
            corners.reshape(-1, 4),
            self.numbers[elements],
            self.sides[elements],
            self.rest[nodes],
            self.places[nodes],
            self.velocities[nodes],
        )


@dataclass(frozen=True)
class _Blade:
    """A plane, and between the ends of which path it cuts."""

    normal: Floats
    offset: float
    path: Floats | None
    down: Floats | None

    def divided(self, mesh: _Mesh, boundary: Indices) -> tuple[_Mesh, Split]:
        """Return a mesh divided along the plane, not opened."""
        split = split_by_plane(mesh.places, mesh.rest, mesh.corners, boundary, self.normal, self.offset)
        rest, places, velocities = (mixed_values(v, split) for v in (mesh.rest, mesh.places, mesh.velocities))
        sides = 2 * mesh.sides[split.parents] + split.is_above
        return _Mesh(split.corners, mesh.numbers[split.parents], sides, rest, places, velocities), split

    def open(self, mesh: _Mesh, pieces: Indices) -> tuple[_Mesh, Indices]:
        """Open a divided mesh along the plane, and between elements of different pieces.

        Args:
            mesh: divided
            pieces: (element_count,) to which piece each element belongs

        Returns:
            It with copies of nodes, and the node that each one is or is a copy of.
        """
        faces, beside = inner_faces(mesh.corners)
        is_cut = (mesh.sides[beside] % 2 == 1).sum(axis=1) == 1
        if self.path is not None:
            assert self.down is not None
            is_cut &= is_below(mesh.places[faces].mean(axis=1), self.path, self.down)
        is_cut |= pieces[beside[:, 0]] != pieces[beside[:, 1]]
        corners, sources = opened(mesh.corners, faces[~is_cut], beside[~is_cut], len(mesh.rest))
        rest, places, velocities = (values[sources] for values in (mesh.rest, mesh.places, mesh.velocities))
        return _Mesh(corners, mesh.numbers, mesh.sides, rest, places, velocities), sources


def cut_levels(
    world: World, body: BodyRange, path: Floats | None, plane: tuple[Floats, float] | None, taken: set[str]
) -> list[Block]:
    """Return what stays of a body of several levels, cut by a plane or along a straight path, and then all pieces.

    All nodes must be where the body is, those that are not in use too.

    Args:
        world: where it is, unchanged
        body: the body
        path: (2, 3) points near its surface [m]
        plane: unit normal n and offset [m] of the plane n · x = offset
        taken: names that are in use; those of new pieces are added
    """
    levels = world.levels[body.name]
    blade = _blade(world, body, path, plane)
    meshes = [_mesh(levels, level) for level in range(levels.count)]
    before = meshes[-1].corners
    finest, split = blade.divided(meshes[-1], body.triangles)
    finest, sources = blade.open(finest, np.zeros(len(finest.corners), np.int64))
    if len(sources) == split.vertex_count:
        raise nothing_cut(body, path)
    whole = replace(unedited(world, body), corners=before, elements=np.arange(len(before)))
    block = cut_block(world, body, whole, split, finest.corners, sources)
    # Rows of the finest mesh instead of elements of the world: so each piece knows which are its own.
    block = replace(block, elements=np.arange(len(finest.corners)))
    leaders = part_leaders(hanging_pairs(whole.springs, before), len(whole.vertices))
    blocks = pieces_of(block, len(np.unique(leaders)), lambda: leaders, taken).blocks
    piece_of = np.zeros(len(finest.corners), np.int64)
    for number, piece in enumerate(blocks):
        piece_of[piece.elements] = number
    coarser = []
    for mesh in meshes[:-1]:
        divided, _ = blade.divided(mesh, boundary_of(mesh.corners))
        near = nearest_of_side(divided.middles(), divided.sides, finest.middles(), finest.sides)
        coarser.append((blade.open(divided, piece_of[near])[0], piece_of[near]))
    detail = levels.node_levels()
    result = []
    for number, piece in enumerate(blocks):
        own = [finest.part(piece.elements)]
        for mesh, pieces in reversed(coarser):
            part = mesh.part(np.flatnonzero(pieces == number))
            # Where a mesh is too coarse to have anything of a piece, the finer one takes its place.
            own.insert(0, part if part.volume() > LEAST_FILLED * own[-1].volume() else own[0])
        made = _joined(levels, piece.name, own, float(piece.masses.sum()))
        made.split_down_to(detail[piece.vertices])
        nothing = np.zeros(0, np.int64)
        result.append(replace(piece, elements=nothing, corners=nothing.reshape(0, 4), levels=made))
    return result


def _blade(world: World, body: BodyRange, path: Floats | None, plane: tuple[Floats, float] | None) -> _Blade:
    if plane is not None:
        return _Blade(*plane, None, None)
    assert path is not None
    if len(path) > 2:
        raise SuppleError(
            f"{body.name!r} has several levels of detail, which need flat cuts. Cut it along straight lines, one by one."
        )
    down = way_in(body, path, world.particles.positions[body.particles])
    return _Blade(*plane_of(path, down), path, down)


def _mesh(levels: Levels, level: int) -> _Mesh:
    nodes, span = level_slices(levels, level)
    return _Mesh(
        corners=levels.elements.corners[span].astype(np.int64) - nodes.start,
        numbers=np.arange(span.start, span.stop),
        sides=levels.sides[span],
        rest=levels.rest[nodes],
        places=levels.positions[nodes],
        velocities=levels.velocities[nodes],
    )


def _joined(levels: Levels, name: str, meshes: list[_Mesh], mass: float) -> Levels:
    """Return the levels of a piece of mass `mass` [kg], moving as its meshes do, the coarsest first."""
    node_firsts = np.cumsum([0, *(len(mesh.rest) for mesh in meshes)])
    element_firsts = np.cumsum([0, *(len(mesh.corners) for mesh in meshes)])
    rest = np.concatenate([mesh.rest for mesh in meshes])
    corners = [mesh.corners + first for mesh, first in zip(meshes, node_firsts[:-1], strict=True)]
    numbers = np.concatenate([mesh.numbers for mesh in meshes])
    _, sides = np.unique(np.concatenate([mesh.sides for mesh in meshes]), return_inverse=True)
    made = Levels(
        name=name,
        refine=levels.refine,
        cell=levels.cell,
        density=mass / meshes[-1].volume(),
        node_firsts=node_firsts,
        element_firsts=element_firsts,
        rest=rest,
        elements=levels.elements.reordered(numbers, np.concatenate(corners), rest),
        sides=sides.ravel(),
    )
    made.positions[:] = np.concatenate([mesh.places for mesh in meshes])
    made.velocities[:] = np.concatenate([mesh.velocities for mesh in meshes])
    return made
