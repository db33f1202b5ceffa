"""Elasticity: turn a material's moduli into the stiffness of springs and bending elements."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.model.bends import Bends
from supple.model.springs import SHEAR, STRETCH, Springs


@dataclass(frozen=True)
class Elasticity:
    """Values to apply; None leaves what is there. Units depend on the kind of body."""

    stretch_stiffness: float | tuple[float, float] | None = None
    """[N/m] for cloth and networks, [N] for chains, [Pa] for lattices; of cloth also of warp and weft, of which springs
    take the mean."""

    shear_stiffness: float | None = None
    """[N/m]"""

    poisson_ratio: float | None = None
    """[-] of cloth made of elements"""

    bending_stiffness: float | tuple[float, float] | None = None
    """[N·m] for cloth, [N·m²] for chains; of cloth also of warp and weft, of which springs take the mean."""

    damping: float | None = None
    """[N·s/m] for cloth and networks, [N·s] for chains, [Pa·s] for lattices."""

    stretch_limit: float | None = None
    """[-]; inf takes the limit away."""


def mean_of(stiffness: float | tuple[float, float]) -> float:
    """Return a stiffness, or the mean of warp and weft."""
    return 0.5 * (stiffness[0] + stiffness[1]) if isinstance(stiffness, tuple) else stiffness


def apply_elasticity(
    values: Elasticity,
    springs: Springs,
    bends: Bends,
    spring_mask: NDArray[np.bool_],
    bend_mask: NDArray[np.bool_],
) -> None:
    """Set the stiffness, damping and limits of the masked springs and bending elements."""
    for modulus, kind in ((values.stretch_stiffness, STRETCH), (values.shear_stiffness, SHEAR)):
        if modulus is not None:
            mask = spring_mask & (springs.kind == kind)
            springs.stiffness[mask] = mean_of(modulus) * springs.shape[mask]
    if values.damping is not None:
        springs.damping[spring_mask] = values.damping * springs.shape[spring_mask]
    if values.bending_stiffness is not None:
        bends.stiffness[bend_mask] = mean_of(values.bending_stiffness) * bends.shape[bend_mask]
    if values.stretch_limit is not None:
        springs.stretch_limits[spring_mask & (springs.kind == STRETCH)] = values.stretch_limit
