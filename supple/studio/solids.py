"""Solids: rigid meshes beside the bodies, such as obstacles, each with a pose that may move.

A simulation offers them by a method `solids()`, which returns objects with the fields of `Solid`. One
that has none, or no such method, shows none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from supple.simulation import Simulation

Pose = tuple[float, float, float, float, float, float, float]
"""Position x, y, z [m] and quaternion x, y, z, w."""


class Solid(Protocol):
    """A rigid mesh, standing or moving."""

    name: str
    kind: str
    """sphere, box, plane, mesh, ..."""

    vertices: NDArray[np.float64]
    """(vertex_count, 3) [m], in its own axes."""

    triangles: NDArray[np.int64]
    """(triangle_count, 3) vertex indices, counter-clockwise seen from outside."""

    is_movable: bool
    """Whether a hand can take it."""

    colour: str
    """Such as "#8a8f98"."""

    floor: float | None
    """Height of it as ground [m], if it is one."""

    def pose(self) -> Pose:
        """Return where it is now."""

    def placed_vertices(self) -> NDArray[np.float64]:
        """Return the (vertex_count, 3) vertices where they are now [m]."""

    def move(self, position: tuple[float, float, float]) -> None:
        """Bring it to `position` [m] by the end of the next frame."""


def solids_of(simulation: Simulation) -> list[Solid]:
    """Return the solids of a simulation."""
    offered: Any = getattr(simulation, "solids", None)
    return list(offered()) if callable(offered) else []
