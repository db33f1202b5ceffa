"""A soft box: points on a cubic lattice, joined by springs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import PlainValidator

from supple.scene.bodies.body import Body
from supple.scene.cloth_shapes.grid import grid_triangles
from supple.scene.cloth_shapes.rectangle import SHORTEST_EDGE, size_mistakes
from supple.scene.error_messages import Steps, field_error, shown
from supple.scene.field_types import WIDEST, Damping, Density, Stiffness, Vector, Whole
from supple.scene.placement import FloatArray, IndexArray


def as_size(value: Any) -> tuple[float, float, float]:
    """Return three extents of more than nothing [m], or say what is wrong with them."""
    size = Vector(at_most=WIDEST)(value)
    for axis, extent in zip("xyz", size, strict=True):
        if extent <= 0.0:
            raise field_error(f"has {axis} = {extent:g}, but each extent must be greater than 0.")
    return size


def as_cells(value: Any) -> tuple[int, int, int]:
    """Return three numbers of cells, or say what is wrong with them."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, list | tuple) or len(value) != 3:
        raise field_error(f"is {shown(value)}, but it must be three whole numbers [x, y, z].")
    x, y, z = (int(Whole(at_least=1, at_most=1_000_000)(count)) for count in value)
    return x, y, z


class Lattice(Body):
    """A box of springs along the edges and across the faces of its cells, centred on `at`.

    Points run along x first, then y (upwards), then z. Faces are named as seen from +z: left and right
    (x), bottom and top (y), back and front (z).
    """

    kind: ClassVar[str] = "lattice"
    point_names: ClassVar[tuple[str, ...]] = ("left", "right", "top", "bottom", "front", "back")

    size: Annotated[tuple[float, float, float], PlainValidator(as_size)]
    """Extents along x, y and z at rest [m]."""

    cells: Annotated[tuple[int, int, int], PlainValidator(as_cells)]
    """Number of cells along x, y and z; points are one more."""

    density: Density = 100.0
    """Mass per volume [kg/m³]."""

    stiffness: Stiffness = 1.0e4
    """Stress per strain [Pa]."""

    damping: Damping = 0.0
    """Stress per rate of strain [Pa·s]."""

    @property
    def counts(self) -> tuple[int, int, int]:
        """Number of points along x, y and z."""
        x, y, z = self.cells
        return x + 1, y + 1, z + 1

    @property
    def point_count(self) -> int:
        """Number of points."""
        x, y, z = self.counts
        return x * y * z

    def local_points(self) -> FloatArray:
        """Return the (point_count, 3) points in the box's own axes [m]."""
        x, y, z = (
            np.linspace(-0.5 * extent, 0.5 * extent, count)
            for extent, count in zip(self.size, self.counts, strict=True)
        )
        zs, ys, xs = np.meshgrid(z, y, x, indexing="ij")
        return np.stack([xs, ys, zs], axis=-1).reshape(-1, 3)

    def surface_triangles(self) -> IndexArray:
        """Return the (triangle_count, 3) triangles of the six faces, counter-clockwise seen from outside."""
        index = self._index()
        # Each face as a grid seen from outside: rows from its top, columns from its left.
        faces = (
            index[-1, ::-1, :],  # front, from +z
            index[0, ::-1, ::-1],  # back, from -z
            index[::-1, ::-1, -1].T,  # right, from +x
            index[:, ::-1, 0].T,  # left, from -x
            index[:, -1, :],  # top, from +y with -z away
            index[::-1, 0, :],  # bottom, from -y with +z away
        )
        return np.concatenate([face.reshape(-1)[grid_triangles(*face.shape[::-1])] for face in faces])

    def named(self, name: str) -> IndexArray:
        """Return the indices of the points on a face, ascending."""
        index = self._index()
        faces = {
            "left": index[:, :, 0],
            "right": index[:, :, -1],
            "bottom": index[:, 0, :],
            "top": index[:, -1, :],
            "back": index[0],
            "front": index[-1],
        }
        return np.sort(faces[name].reshape(-1))

    def _index(self) -> IndexArray:
        x, y, z = self.counts
        return np.arange(x * y * z, dtype=np.int64).reshape(z, y, x)

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        too_many = list(size_mistakes(self.point_count, ("cells",)))
        yield from too_many
        for axis, extent, count in zip("xyz", self.size, self.cells, strict=True):
            if extent / count < SHORTEST_EDGE:
                yield (
                    ("size",),
                    f"makes cells {extent / count:.2g} m long along {axis}, but they must be at least "
                    f"{SHORTEST_EDGE:g} m long. Lengths are in metres.",
                )
        if not too_many:
            yield from super()._mistakes()
