"""Outcome: what a test of the laboratory has measured, and what was expected."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.errors import SuppleError
from supple.scene.bodies.materials import Material, presets, unknown_material


class Row(NamedTuple):
    """One number of a test."""

    quantity: str
    """What it is, such as "bending length, warp"."""

    measured: float
    expected: float | None
    """What theory says; None where only measurements of real cloth could."""

    unit: str


class Curve(NamedTuple):
    """Points of a figure."""

    name: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    is_theory: bool = False


@dataclass(frozen=True)
class Outcome:
    """The numbers of one test, and what its figure shows."""

    test: str
    rows: tuple[Row, ...]
    curves: tuple[Curve, ...] = field(default=(), kw_only=True)
    labels: tuple[str, str] = field(default=("", ""), kw_only=True)
    """What stands at the axes of the figure."""

    is_shape: bool = field(default=False, kw_only=True)
    """Whether curves are outlines of cloth, both axes lengths."""

    def told(self) -> str:
        """Return the numbers as lines of text."""
        lines = []
        for row in self.rows:
            expected = "" if row.expected is None else f"   expected {row.expected:.4g}"
            lines.append(f"{row.quantity:<28} {row.measured:10.4g} {row.unit}{expected}")
        return "\n".join(lines)


def material_of(fabric: str | Material) -> Material:
    """Return a material, or that of a name."""
    if isinstance(fabric, Material):
        return fabric
    known = presets()
    if fabric not in known:
        raise SuppleError(f"the laboratory {unknown_material(fabric, known)}")
    return known[fabric]


def pair(stiffness: float | tuple[float, float]) -> tuple[float, float]:
    """Return the stiffness of warp and weft."""
    return stiffness if isinstance(stiffness, tuple) else (stiffness, stiffness)
