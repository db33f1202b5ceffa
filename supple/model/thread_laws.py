"""Thread laws: what threads do beyond their moduli. They stiffen as they are pulled, and rub on each other.

Theory: docs/theory/membrane.md, eq. (M8) to (M10). Laws stand beside the elements and plates that they belong to, in
the same order; where no fabric has any, they have no rows. The slips are the memory of friction: an edit keeps them for
every triangle that it leaves as it was, and a saved state holds them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.scene.bodies.materials import Material, pair_of

Floats = NDArray[np.float64]

REACH = np.array([0.005, 0.005, 0.02])
"""Strain of warp, weft and shear over which friction builds up to its limit [-]."""

BENDING_REACH = 10.0
"""The same of curvatures [1/m]."""


class ThreadLaws(NamedTuple):
    """Laws of membrane elements as kernels take them."""

    knots: Floats
    """(element_count, 2) elongations at which the curve of stiffening bends; the first bend is at 0 [-]."""

    ramps: Floats
    """(element_count, 2, 3) area times what the stiffness of warp and weft grows by per elongation, more from every bend
    on [N·m]."""

    limits: Floats
    """(element_count, 3) area times the largest friction of warp, weft and shear [N·m]."""

    slips: Floats
    """(element_count, 3) strains at which friction pulls nothing [-]; changed in place."""

    starts: Floats
    """(element_count, 3) how far beyond them strains were at the start of the substep [-]; overwritten."""


class PlateFriction(NamedTuple):
    """Friction of plates as kernels take it."""

    limits: Floats
    """(plate_count, 3) area times the largest friction of κ₁₁, κ₂₂ and 2 κ₁₂ [N·m²]."""

    slips: Floats
    """(plate_count, 3) curvatures at which friction does nothing [1/m]; changed in place."""


@dataclass(frozen=True)
class FabricLaws:
    """What the threads of one fabric do beyond their moduli."""

    knots: Floats = field(default_factory=lambda: np.array([1.0, 2.0]))
    """(2,) as in `ThreadLaws`."""

    growth: Floats = field(default_factory=lambda: np.zeros((2, 3)))
    """(2, 3) by what the ramps of warp and weft are in stretch stiffnesses [-]."""

    limits: Floats = field(default_factory=lambda: np.zeros(3))
    """(3,) largest friction of warp, weft and shear [N/m]."""

    bending_limits: Floats = field(default_factory=lambda: np.zeros(2))
    """(2,) the same of bending along warp and weft [N]."""

    @property
    def is_plain(self) -> bool:
        """Whether membrane elements have nothing but moduli."""
        return not (self.growth.any() or self.limits.any())

    @property
    def bends_freely(self) -> bool:
        """Whether plates have no friction."""
        return not self.bending_limits.any()


def laws_of(material: Material) -> FabricLaws:
    """Return the thread laws of a material.

    Theory: docs/theory/membrane.md, eq. (M8). The slope of the curve is made of ramps that begin at 0 and at both points.
    """
    limits = np.array([*pair_of(material.stretch_friction), material.shear_friction])
    bending = np.array(pair_of(material.bending_friction))
    if not material.stiffening:
        return FabricLaws(limits=limits, bending_limits=bending)
    points = material.stiffening
    first, last = points[0], points[-1]
    knots = np.array([first[0], last[0] if len(points) > 1 else 2.0 * first[0]])
    growth = np.zeros((2, 3))
    for thread in range(2):
        low, high = (factors[thread] - 1.0 for factors in ((first[1:] * 2)[:2], (last[1:] * 2)[:2]))
        rise, further = low / knots[0], (high - low) / (knots[1] - knots[0])
        growth[thread] = rise, further - rise, -further
    return FabricLaws(knots, growth, limits, bending)


def no_thread_laws() -> ThreadLaws:
    """Return no laws."""
    return ThreadLaws(
        np.zeros((0, 2)), np.zeros((0, 2, 3)), np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3))
    )


def no_plate_friction() -> PlateFriction:
    """Return no friction."""
    return PlateFriction(np.zeros((0, 3)), np.zeros((0, 3)))


def element_laws(
    laws: Sequence[FabricLaws], counts: Sequence[int], areas: Floats, stretch: Floats
) -> ThreadLaws:
    """Return the laws of the elements of several cloths, without slips; none at all if all are plain.

    Args:
        laws: of every cloth
        counts: number of elements of every cloth
        areas: (element_count,) at rest [m²]
        stretch: (element_count, 2) stretch stiffness of warp and weft [N/m]
    """
    if all(each.is_plain for each in laws):
        return no_thread_laws()
    knots = np.repeat([each.knots for each in laws], counts, axis=0)
    growth = np.repeat([each.growth for each in laws], counts, axis=0)
    limits = np.repeat([each.limits for each in laws], counts, axis=0)
    return ThreadLaws(
        knots,
        growth * (areas[:, None] * stretch)[:, :, None],
        limits * areas[:, None],
        np.zeros((len(areas), 3)),
        np.zeros((len(areas), 3)),
    )


def plate_friction(laws: Sequence[FabricLaws], counts: Sequence[int], areas: Floats) -> PlateFriction:
    """Return the friction of the plates of several cloths, without slips; none at all if all bend freely.

    Args:
        laws: of every cloth
        counts: number of plates of every cloth
        areas: (plate_count,) of their triangles at rest [m²]
    """
    if all(each.bends_freely for each in laws):
        return no_plate_friction()
    warp, weft = np.repeat([each.bending_limits for each in laws], counts, axis=0).T
    limits = areas[:, None] * np.stack([warp, weft, 0.5 * np.sqrt(warp * weft)], axis=1)
    return PlateFriction(limits, np.zeros_like(limits))


def stiffest_growth(laws: ThreadLaws) -> Floats:
    """Return the most that laws add to the stiffness of warp, weft and shear, (element_count, 3) [N·m]."""
    low = laws.ramps[:, :, 0] * laws.knots[:, :1]
    high = low + (laws.ramps[:, :, 0] + laws.ramps[:, :, 1]) * (laws.knots[:, 1:] - laws.knots[:, :1])
    result: Floats = laws.limits / REACH
    result[:, :2] += np.maximum(0.0, np.maximum(low, high))
    return result


def carried_over(old: tuple[Floats, Floats], new: Floats, slips: Floats) -> None:
    """Give elements the slips that those of the same triangles had before; others keep theirs.

    Args:
        old: (old_count, 9) rest positions of the corners of elements before, and their slips (old_count, 3)
        new: (new_count, 9) the same of the elements of now
        slips: (new_count, 3) changed in place
    """
    places, values = old
    if places.shape == new.shape and np.array_equal(places, new):
        slips[:] = values
        return
    if not len(places) or not len(new):
        return
    _, numbers = np.unique(np.concatenate([places, new]), axis=0, return_inverse=True)
    numbers = numbers.ravel()
    found = np.full(int(numbers.max()) + 1, -1)
    found[numbers[: len(places)]] = np.arange(len(places))
    of_old = found[numbers[len(places) :]]
    slips[of_old >= 0] = values[of_old[of_old >= 0]]
