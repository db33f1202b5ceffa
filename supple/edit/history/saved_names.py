"""Saved names: what arrays are called in saved states, where that differs from their names in the code.

Files that were written once stay readable, so the left-hand names may change and the right-hand ones may not.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]

CHANGE_NAMES = {
    "nearest": "nearest",
    "new_of": "new_of",
    "interpolated": "mixed",
    "interpolated_from": "mixed_from",
    "interpolation_weights": "mixed_weights",
    "changed_particles": "touched",
}
"""Arrays of a `ParticleChange`."""

RECORD_NAMES = {
    "triangles": "triangles",
    "neighbours": "across",
    "incident_triangle": "fan",
    "spring_of": "spring_of",
    "corner_fractions": "corner_shares",
    "ancestors": "birth_points",
    "ancestor_weights": "birth_weights",
    "mean_edge": "mean_edge",
}
"""Arrays of a `ClothRecord`."""

ERASED_NAMES = {
    "points": "points",
    "positions": "places",
    "velocities": "velocities",
    "rim": "rim",
    "rim_positions": "rim_places",
}
"""Arrays of `ErasedTriangles`."""

LEVEL_MESHES = ("node_firsts", "element_firsts", "rest", "sides")
"""Arrays of `Levels` that say, with its elements, what it is made of; all else follows from these."""

ELEMENTS = ("numbers", "corners", "shear_moduli", "lame_moduli", "shear_damping", "volume_damping")
"""Arrays of `Tetrahedra` that say what elements are made of: which declared ones they are, and what was set since."""

STRAIN_RATES = ("peak_strain", "last_step")
"""Arrays of `Tetrahedra` that say how fast elements were deformed, one value for each of their levels."""

SEAM_NUMBERS = (
    "number",
    "seconds",
    "stiffness",
    "strength",
    "least_gap",
    "is_weldable",
    "elapsed",
    "is_welded",
)
"""Numbers of a `Seam`."""


def renamed(arrays: Arrays, names: dict[str, str], prefix: str) -> Arrays:
    """Return arrays by the names that they have in a file."""
    return {prefix + saved: arrays[name] for name, saved in names.items()}


def with_prefix(arrays: Arrays, prefix: str) -> Arrays:
    """Return the arrays whose names begin so, without that beginning."""
    return {key.removeprefix(prefix): array for key, array in arrays.items() if key.startswith(prefix)}
