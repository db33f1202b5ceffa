"""Bodies coloured by how far they are stretched, or by how finely they are computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from supple.errors import SuppleError
from supple.record.frame import Frame
from supple.record.pictures.stage import Figure

ColourBy = Literal["body", "strain", "level"]
WAYS: tuple[ColourBy, ...] = ("body", "strain", "level")

FULL_STRAIN = 0.2
"""Strain that is shown in the hottest colour [-]."""

HEAT = ("#2c4f9e", "#2f7fb8", "#37a58f", "#7fb84e", "#d9c13c", "#ef9a35", "#e0602e", "#b3262b")
"""sRGB from the coldest to the hottest."""


def checked_way(way: str) -> ColourBy:
    """Return by what bodies are coloured, or say what there is."""
    for known in WAYS:
        if way == known:
            return known
    raise SuppleError(f"bodies cannot be coloured by {way!r}. There are: {', '.join(WAYS)}.")


def shares_of(frame: Frame, way: ColourBy) -> dict[str, npt.NDArray[np.uint8]]:
    """Return how hot every point is, by body, (point_count,) from 0 to 255; bodies without that measure are left out."""
    found = {}
    for name, values in frame.fields.items():
        if way == "strain" and "strain" in values:
            share = np.asarray(values["strain"]) / FULL_STRAIN
        elif way == "level" and "level" in values:
            share = np.asarray(values["level"])
        else:
            continue
        found[name] = np.rint(255.0 * np.clip(np.nan_to_num(share), 0.0, 1.0)).astype(np.uint8)
    return found


def coloured(
    figures: Sequence[Figure], names: Sequence[str], shares: Mapping[str, npt.NDArray[np.uint8]]
) -> list[Figure]:
    """Return figures with those of some bodies divided into bands of one colour each.

    Args:
        figures: bodies first, in the order of `names`
        names: of the bodies
        shares: see `shares_of`
    """
    found: list[Figure] = []
    for place, figure in enumerate(figures):
        share = shares.get(names[place]) if place < len(names) else None
        if share is None or not len(figure.triangles) or len(share) != len(figure.positions):
            found.append(figure)
            continue
        heat = share[figure.triangles].mean(axis=1) / 255.0
        bands = np.minimum((heat * len(HEAT)).astype(np.int64), len(HEAT) - 1)
        normals, pins = figure.corner_normals, figure.pins
        for band in np.unique(bands):
            own = bands == band
            found.append(
                replace(
                    figure,
                    triangles=figure.triangles[own],
                    normals=normals[own],
                    colour=HEAT[band],
                    pins=pins,
                )
            )
            pins = pins[:0]
    return found
