"""Cut levels: soft bodies of several levels of detail are cut by splitting the mesh of every level along one plane.

Theory: docs/theory/soft-cuts.md, eq. (Q3). The finest mesh decides what has come apart. Coarser elements belong to the
piece of the finest ones next to them on their side of the plane, and are never shared between pieces.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.cut_tetrahedra import (
    cut_block,
    cut_direction,
    inner_faces,
    interpolated_values,
    is_under_path,
    nothing_cut,
    open_faces,
    plane_of,
)
from supple.edit.mesh.split_tetrahedra import Split, split_by_plane
from supple.edit.world.connected_pieces import find_pieces
from supple.edit.world.rebuild_bodies import EditedBody, connected_pairs, unedited_body
from supple.errors import SuppleError
from supple.model.couplings.connected_components import label_components
from supple.model.levels.levels import Levels, level_slices
from supple.model.levels.nesting import nearest_of_side
from supple.model.world import BodyRange, World
from supple.scene.soft_shapes.soft_shapes import LEAST_FILLED
from supple.scene.soft_shapes.tetra_quality import boundary_of, volumes_of

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class _LevelMesh:
    """The mesh of one level, or what a piece has of it."""

    corners: Indices
    """(element_count, 4) nodes, counted from the first of the level."""

    numbers: Indices
    """(element_count,) the elements before the cut that they are parts of, as `Levels` counts them."""

    sides: Indices
    """(element_count,) on which side of all cuts so far each element is, as one number."""

    rest: Floats
    """(node_count, 3) [m]"""

    positions: Floats
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

    def part(self, elements: Indices) -> _LevelMesh:
        """Return some of its elements with the nodes they need."""
        nodes, corners = np.unique(self.corners[elements], return_inverse=True)
        return _LevelMesh(
            corners.reshape(-1, 4),
            self.numbers[elements],
            self.sides[elements],
            self.rest[nodes],
            self.positions[nodes],
            self.velocities[nodes],
        )


@dataclass(frozen=True)
class _CutPlane:
    """The plane of a cut, and the path between whose ends it cuts."""

    normal: Floats
    offset: float
    path: Floats | None
    down: Floats | None

    def split(self, mesh: _LevelMesh, boundary: Indices) -> tuple[_LevelMesh, Split]:
        """Return a mesh split along the plane, not opened."""
        split = split_by_plane(mesh.positions, mesh.rest, mesh.corners, boundary, self.normal, self.offset)
        rest, positions, velocities = (
            interpolated_values(v, split) for v in (mesh.rest, mesh.positions, mesh.velocities)
        )
        sides = 2 * mesh.sides[split.parents] + split.is_above
        return _LevelMesh(
            split.corners, mesh.numbers[split.parents], sides, rest, positions, velocities
        ), split

    def open(self, mesh: _LevelMesh, pieces: Indices) -> tuple[_LevelMesh, Indices]:
        """Open a split mesh along the plane, and between elements of different pieces.

        Args:
            mesh: split
            pieces: (element_count,) to which piece each element belongs

        Returns:
            It with copies of nodes, and the node that each one is or is a copy of.
        """
        faces, beside = inner_faces(mesh.corners)
        is_cut = (mesh.sides[beside] % 2 == 1).sum(axis=1) == 1
        if self.path is not None:
            assert self.down is not None
            is_cut &= is_under_path(mesh.positions[faces].mean(axis=1), self.path, self.down)
        is_cut |= pieces[beside[:, 0]] != pieces[beside[:, 1]]
        corners, sources = open_faces(mesh.corners, faces[~is_cut], beside[~is_cut], len(mesh.rest))
        rest, positions, velocities = (
            values[sources] for values in (mesh.rest, mesh.positions, mesh.velocities)
        )
        return _LevelMesh(corners, mesh.numbers, mesh.sides, rest, positions, velocities), sources


def cut_levels(
    world: World, body: BodyRange, path: Floats | None, plane: tuple[Floats, float] | None, taken: set[str]
) -> list[EditedBody]:
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
    cut_plane = _cut_plane(world, body, path, plane)
    meshes = [_level_mesh(levels, level) for level in range(levels.count)]
    before = meshes[-1].corners
    finest, split = cut_plane.split(meshes[-1], body.triangles)
    finest, sources = cut_plane.open(finest, np.zeros(len(finest.corners), np.int64))
    if len(sources) == split.vertex_count:
        raise nothing_cut(body, path)
    whole = replace(unedited_body(world, body), corners=before, elements=np.arange(len(before)))
    edited_body = cut_block(world, body, whole, split, finest.corners, sources)
    # Rows of the finest mesh instead of elements of the world: so each piece knows which are its own.
    edited_body = replace(edited_body, elements=np.arange(len(finest.corners)))
    component_labels = label_components(connected_pairs(whole.springs, before), len(whole.vertices))
    edited_bodies = find_pieces(
        edited_body, len(np.unique(component_labels)), lambda: component_labels, taken
    ).edited_bodies
    piece_of = np.zeros(len(finest.corners), np.int64)
    for number, piece in enumerate(edited_bodies):
        piece_of[piece.elements] = number
    coarser = []
    for mesh in meshes[:-1]:
        divided, _ = cut_plane.split(mesh, boundary_of(mesh.corners))
        near = nearest_of_side(divided.middles(), divided.sides, finest.middles(), finest.sides)
        coarser.append((cut_plane.open(divided, piece_of[near])[0], piece_of[near]))
    detail = levels.node_levels()
    result = []
    for number, piece in enumerate(edited_bodies):
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


def _cut_plane(
    world: World, body: BodyRange, path: Floats | None, plane: tuple[Floats, float] | None
) -> _CutPlane:
    if plane is not None:
        return _CutPlane(*plane, None, None)
    assert path is not None
    if len(path) > 2:
        raise SuppleError(
            f"{body.name!r} has several levels of detail, which need flat cuts. Cut it along straight lines, one by one."
        )
    down = cut_direction(body, path, world.particles.positions[body.particles])
    return _CutPlane(*plane_of(path, down), path, down)


def _level_mesh(levels: Levels, level: int) -> _LevelMesh:
    nodes, span = level_slices(levels, level)
    return _LevelMesh(
        corners=levels.elements.corners[span].astype(np.int64) - nodes.start,
        numbers=np.arange(span.start, span.stop),
        sides=levels.sides[span],
        rest=levels.rest[nodes],
        positions=levels.positions[nodes],
        velocities=levels.velocities[nodes],
    )


def _joined(levels: Levels, name: str, meshes: list[_LevelMesh], mass: float) -> Levels:
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
    made.positions[:] = np.concatenate([mesh.positions for mesh in meshes])
    made.velocities[:] = np.concatenate([mesh.velocities for mesh in meshes])
    return made
