"""The table of contacts: which points touch, how, and the impulses that keep them apart.

An impulse is here a mass times a displacement [kg·m], as positions are what contact changes: a force times the square of the
substep.
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.collide.broad_phase.pair_table import GrowableTable


class Contacts(NamedTuple):
    """The arrays of a `ContactTable`, as kernels take them."""

    points: NDArray[np.int32]
    """(capacity, 4) a point and the corners of a triangle, or the ends of one edge and of the other."""

    is_edges: NDArray[np.bool_]
    """(capacity,) whether a contact is one of two edges."""

    weights: NDArray[np.float64]
    """(capacity, 4) barycentric weights of the points, positive for the first side and negative for the second; their sum is
    zero [-]."""

    normals: NDArray[np.float64]
    """(capacity, 3) from the second side to the first [-]."""

    gaps: NDArray[np.float64]
    """(capacity,) distance at the start of the substep [m]."""

    lines: NDArray[np.float64]
    """(capacity, 3) from the closest point of the second side to that of the first, at the start of the substep [m]."""

    thicknesses: NDArray[np.float64]
    """(capacity,) distance to be kept [m]."""

    frictions: NDArray[np.float64]
    """(capacity,) friction coefficient μ [-]."""

    impulses: NDArray[np.float64]
    """(capacity,) contact impulse λ, along the normal [kg·m]."""

    impulses_before: NDArray[np.float64]
    """(capacity,) contact impulse of the substep before the last [kg·m]."""

    friction_impulses: NDArray[np.float64]
    """(capacity, 3) friction impulse, across the normal [kg·m]."""

    due_travels: NDArray[np.float64]
    """(capacity,) travel of its four points together from which on a contact is visited again [m]."""


class WarmStart(NamedTuple):
    """The impulses of the contacts of the last substep, from which the search for new ones begins."""

    impulses: NDArray[np.float64]
    """(count,) [kg·m]."""

    impulses_before: NDArray[np.float64]
    """(count,) [kg·m]."""

    friction_impulses: NDArray[np.float64]
    """(count, 3) [kg·m]."""


class ContactPoints(NamedTuple):
    """What contact has to know of every point."""

    radii: NDArray[np.float64]
    """(point_count,) half of the thickness around it [m]."""

    frictions: NDArray[np.float64]
    """(point_count,) [-]."""

    inverse_masses: NDArray[np.float64]
    """(point_count,) [1/kg], zero for kinematic points."""

    free_inverse_masses: NDArray[np.float64]
    """(point_count,) [1/kg], zero for those that obstacles have stopped as well."""


class ContactTable(GrowableTable):
    """The contacts of a substep."""

    SAVED: ClassVar[dict[str, str]] = {
        "points": "points",
        "is_edges": "is_edges",
        "weights": "weights",
        "normals": "normals",
        "gaps": "gaps",
        "thicknesses": "thicknesses",
        "frictions": "grips",
        "impulses": "pushes",
        "impulses_before": "pushes_before",
        "friction_impulses": "rubs",
    }

    SCRATCH = ("lines", "due_travels", "next_contacts", "sources")

    def __init__(self, capacity: int) -> None:
        """Make room for some contacts."""
        self.points = np.zeros((capacity, 4), dtype=np.int32)
        self.is_edges = np.zeros(capacity, dtype=np.bool_)
        self.weights = np.zeros((capacity, 4))
        self.normals = np.zeros((capacity, 3))
        self.gaps = np.zeros(capacity)
        self.lines = np.zeros((capacity, 3))
        self.thicknesses = np.zeros(capacity)
        self.frictions = np.zeros(capacity)
        self.impulses = np.zeros(capacity)
        self.impulses_before = np.zeros(capacity)
        self.friction_impulses = np.zeros((capacity, 3))
        self.due_travels = np.zeros(capacity)
        self.next_contacts: NDArray[np.int32] = np.zeros(capacity, dtype=np.int32)
        """(capacity,) scratch of `find_contacts`."""
        self.sources: NDArray[np.int32] = np.zeros(capacity, dtype=np.int32)
        """(capacity,) scratch of `find_contacts`."""
        self._bundle()

    def _bundle(self) -> None:
        self.arrays = Contacts(
            self.points,
            self.is_edges,
            self.weights,
            self.normals,
            self.gaps,
            self.lines,
            self.thicknesses,
            self.frictions,
            self.impulses,
            self.impulses_before,
            self.friction_impulses,
            self.due_travels,
        )
        """All arrays, as kernels take them; ask for it at every call, since it is replaced when the table grows."""

    @property
    def warm_start(self) -> WarmStart:
        """The impulses of the contacts in use."""
        count = self.count
        return WarmStart(self.impulses[:count], self.impulses_before[:count], self.friction_impulses[:count])
