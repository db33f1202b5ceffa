"""Strain patches: the deformation of a soft body averaged around its points, of which linear elements do not lock.

Theory: docs/theory/soft-bodies.md, eq. (E16), (E17). A patch is a point and all tetrahedra that it is a corner of. Patches
are derived from the elements; whoever changes these makes them anew.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.model.tetrahedra import OWN_SHARE, Tetrahedra


class StrainPatches(NamedTuple):
    """Patches as kernels take them."""

    firsts: NDArray[np.int64]
    """(patch_count + 1,) where the points of each patch begin."""

    points: NDArray[np.int64]
    """(entry_count,) particles; of every patch first the one in its middle."""

    weights: NDArray[np.float64]
    """(entry_count, 3) Σ x wᵀ is the mean deformation of the patch [1/m]."""

    moduli: NDArray[np.float64]
    """(patch_count, 2) volume times the share of µ that elements have not kept, and times λ [J]."""

    pivots: NDArray[np.int64]
    """(patch_count,) an element of each, whose rotation is near that of the patch."""


def make_patches(elements: Tetrahedra) -> StrainPatches:
    """Return the patches of all elements whose strain is averaged."""
    chosen = np.flatnonzero(elements.is_averaged)
    if not len(chosen):
        nothing = np.zeros(0, np.int64)
        return StrainPatches(np.zeros(1, np.int64), nothing, np.zeros((0, 3)), np.zeros((0, 2)), nothing)
    corners = elements.corners[chosen].astype(np.int64)
    middles, own = np.unique(corners, return_inverse=True)
    own = own.reshape(corners.shape)
    shares = 0.25 * elements.volumes[chosen]
    volumes = np.bincount(own.ravel(), np.repeat(shares, 4))
    count = len(middles)
    rows, columns = np.repeat(own, 4, axis=1), np.tile(own, 4)  # every corner with every other
    weights = np.tile(elements.all_gradients()[chosen], (1, 4, 1)) * shares[:, None, None]
    keys, numbers = np.unique(rows * count + columns, return_inverse=True)
    summed = np.zeros((len(keys), 3))
    np.add.at(summed, numbers.ravel(), weights.reshape(-1, 3))
    row, column = keys // count, keys % count
    summed /= volumes[row, None]
    order = np.lexsort((column, column != row, row))
    kept = (1.0 - OWN_SHARE) * elements.shear_moduli[chosen], elements.lame_moduli[chosen]
    moduli = [np.bincount(own.ravel(), np.repeat(shares * modulus, 4)) for modulus in kept]
    pivots = np.zeros(count, np.int64)
    pivots[own.ravel()[::-1]] = np.repeat(chosen, 4)[::-1]
    return StrainPatches(
        np.searchsorted(row, np.arange(count + 1)),
        middles[column[order]],
        np.ascontiguousarray(summed[order]),
        np.stack(moduli, axis=1),
        pivots,
    )
