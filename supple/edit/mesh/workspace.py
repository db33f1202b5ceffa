"""Workspace: memory that a mesh is edited in, used again from edit to edit, because fresh pages take longer than a cut."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.adjacency import Adjacency
from supple.edit.mesh.cloth_record import ClothRecord
from supple.edit.mesh.triangle_mesh import MeshBeforeEdit, TriangleMesh
from supple.model.springs import Springs
from supple.model.tables.growable import spare_capacity


class Workspace:
    """Named arrays that are lent for one edit at a time.

    What is lent under a name is what was lent under it before. If the arrays of a cloth record are here already, as the
    last edit has left them, the next edit of that cloth need not copy them.
    """

    def __init__(self) -> None:
        """Start with no memory."""
        self._buffers: dict[str, NDArray[Any]] = {}
        self._mirrored: ClothRecord | None = None
        """The record whose arrays are here to the last number, if there is one."""

        self._opened: ClothRecord | None = None
        """The same, while it is edited."""

        self._reserved: dict[str, NDArray[Any]] = {}
        """Memory for the records of the pieces of a cloth, which they keep."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was edited here yet."""
        return not self._buffers

    # ------------------------------------------------------------------ scratch

    def array(self, name: str, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
        """Return an array that holds anything."""
        buffer = self._buffers.get(name)
        if buffer is None or len(buffer) < shape[0]:
            buffer = self._buffers[name] = np.empty((spare_capacity(shape[0]), *shape[1:]), dtype)
        return buffer[: shape[0]]

    def filled(self, name: str, shape: tuple[int, ...], dtype: Any, value: int) -> NDArray[Any]:
        """Return an array of one value."""
        array = self.array(name, shape, dtype)
        array[...] = value
        return array

    def copy(self, name: str, array: NDArray[Any], capacity: int) -> NDArray[Any]:
        """Return an array of `capacity` rows that begins with a copy of another."""
        larger = self.array(name, (capacity, *array.shape[1:]), array.dtype)
        larger[: len(array)] = array
        return larger

    # ------------------------------------------------------------------ the cloth that is edited

    def begin_edit(self, cloth_record: ClothRecord) -> None:
        """Begin to edit the cloth of a record."""
        self._opened = cloth_record if cloth_record is self._mirrored else None
        self._mirrored = None

    def copy_of(self, cloth_record: ClothRecord, name: str, capacity: int) -> NDArray[Any]:
        """Return an array of `capacity` rows that begins with one of the record whose edit has begun."""
        array: NDArray[Any] = getattr(cloth_record, name)
        if self._opened is cloth_record and len(self._buffers[name]) >= capacity:
            return self._buffers[name][:capacity]
        return self.copy(name, array, capacity)

    def end_edit(self, made: ClothRecord, kept: ClothRecord) -> None:
        """Be told that the record `made` here is kept in other memory: the next edit need not copy it again."""
        if made.triangles.base is self._buffers.get("triangles"):
            self._mirrored = kept

    def preload(
        self, cloth_record: ClothRecord, springs: Springs, points: NDArray[np.float64], capacity: int
    ) -> None:
        """Copy a record here as if an edit of it had ended; see `open_mesh`."""
        nothing = np.zeros(len(points))
        open_mesh(cloth_record, springs, points, nothing, nothing, capacity, self)
        for name in ("ancestors", "ancestor_weights", "spring_of", "corner_fractions"):
            array: NDArray[Any] = getattr(cloth_record, name)
            self.copy(name, array, len(array) + 3 * capacity)
        self._mirrored = cloth_record

    # ------------------------------------------------------------------ memory for pieces

    def reserve_for_pieces(self, cloth_record: ClothRecord) -> None:
        """Reserve memory for the records of the pieces that a cloth may come apart into."""
        for name, array in vars(cloth_record).items():
            if name not in self._reserved or len(self._reserved[name]) < len(array):
                self._reserved[name] = np.empty((spare_capacity(len(array)), *array.shape[1:]), array.dtype)
                self._reserved[name].fill(0)  # touches the pages now

    def take_reserved(self, name: str, like: NDArray[Any]) -> NDArray[Any]:
        """Return memory for an array like another one, to keep."""
        reserved = self._reserved.pop(name, None)
        return np.empty_like(like) if reserved is None or len(reserved) < len(like) else reserved[: len(like)]


def open_mesh(
    cloth_record: ClothRecord,
    springs: Springs,
    points: NDArray[np.float64],
    masses: NDArray[np.float64],
    shares: NDArray[np.float64],
    capacity: int,
    workspace: Workspace | None = None,
) -> TriangleMesh:
    """Return a mesh to edit, with capacity for so many more vertices and three times as many triangles.

    Args:
        cloth_record: of the cloth
        springs: of the cloth, ends counted from its first vertex
        points: (vertex_count, 3) where its vertices are [m]
        masses: (vertex_count,) [kg]
        shares: (vertex_count,) as in `BodyRange`
        capacity: number of vertices that may be added
        workspace: whose memory is used, its own if None
    """
    count, vertex_count = len(cloth_record.triangles), len(points)
    triangle_capacity, vertex_capacity = count + 3 * capacity, vertex_count + capacity
    workspace = Workspace() if workspace is None else workspace
    workspace.begin_edit(cloth_record)
    adjacency = Adjacency(
        triangles=workspace.copy_of(cloth_record, "triangles", triangle_capacity),
        neighbours=workspace.copy_of(cloth_record, "neighbours", triangle_capacity),
        incident_triangle=workspace.copy_of(cloth_record, "incident_triangle", vertex_capacity),
    )
    return TriangleMesh(
        counts=np.array([vertex_count, count]),
        triangles=adjacency.triangles,
        neighbours=adjacency.neighbours,
        incident_triangle=adjacency.incident_triangle,
        adjacency=adjacency,
        positions=workspace.copy("positions", points, vertex_capacity),
        lengths=workspace.array("lengths", (triangle_capacity, 3), np.float64),
        shapes=workspace.array("shapes", (triangle_capacity, 3), np.float64),
        kinds=workspace.array("kinds", (triangle_capacity, 3), np.int8),
        regions=workspace.array("regions", (triangle_capacity, 3), np.int32),
        lumped=workspace.array("lumped", (triangle_capacity, 3, 2), np.float64),
        is_read=workspace.filled("is_read", (triangle_capacity,), np.bool_, 0),
        areas=workspace.filled("areas", (triangle_capacity,), np.float64, -1),
        is_marked=workspace.filled("is_marked", (triangle_capacity, 3), np.bool_, 0),
        changes=workspace.filled("changes", (triangle_capacity,), np.uint8, 0),
        is_separated=workspace.filled("is_separated", (vertex_capacity,), np.bool_, 0),
        parents=workspace.array("parents", (vertex_capacity, 2), np.int64),  # of vertices that are new
        parent_fractions=workspace.filled("parent_fractions", (vertex_capacity,), np.float64, 0),
        source=MeshBeforeEdit(
            triangles=cloth_record.triangles,
            neighbours=cloth_record.neighbours,
            spring_of=cloth_record.spring_of,
            rest_lengths=springs.rest_lengths,
            shape=springs.shape,
            kind=springs.kind,
            region=springs.region,
            corner_fractions=cloth_record.corner_fractions,
            masses=masses,
            shares=shares,
        ),
    )
