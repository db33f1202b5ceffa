"""Water in pictures: its surface, through which one sees what is below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from supple.record.pictures.stage import Figure, Stage, all_points
from supple.scene.water import Water

COLOUR = "#3d86a8"
"""sRGB of a surface of water."""

COVER = 0.5
"""Share of the light that comes from the surface, and not from what is below it [-]."""

FACES = np.array([[0, 4, 5, 1], [1, 5, 7, 3], [3, 7, 6, 2], [2, 6, 4, 0], [4, 6, 7, 5]])
"""The sides and the top of a box, each counter-clockwise seen from outside; corner 4 y + 2 z + x."""


def water_figures(waters: Sequence[Water], stage: Stage) -> list[Figure]:
    """Return the surface of each water; one without sides reaches a little beyond everything else."""
    points = all_points(stage.figures)
    low, high = points.min(axis=0) - 0.3 * stage.extent, points.max(axis=0) + 0.3 * stage.extent
    figures = []
    for water in waters:
        if water.box is None:
            box = np.array([[low[0], stage.floor, low[2]], [high[0], water.surface_height, high[2]]])
        else:
            box = np.array(water.box, dtype=np.float64)
        corners = np.array(
            [[box[x, 0], box[y, 1], box[z, 2]] for y in (0, 1) for z in (0, 1) for x in (0, 1)]
        )
        faces = FACES if water.box is not None else FACES[4:]
        # Corners of their own for every face: the edges of a box are sharp.
        places = corners[faces].reshape(-1, 3)
        first = 4 * np.arange(len(faces))[:, None]
        triangles = np.concatenate([first + np.array([0, 1, 2]), first + np.array([0, 2, 3])])
        figures.append(Figure(places, triangles, colour=COLOUR))
    return figures


def see_through(
    stage: Stage,
    waters: Sequence[Figure],
    size: tuple[int, int],
    thinnest: float,
    image: npt.NDArray[np.float64],
) -> None:
    """Lay surfaces of water over a picture, half transparent, wherever nothing stands before them.

    Args:
        stage: without water
        waters: surfaces
        size: width and height [pixels]
        thinnest: see `Stage.shaded` [pixels]
        image: (height, width, 3) in linear light, changed in place
    """
    first = 2 * len(stage.figures)
    wet = replace(stage, figures=[*stage.figures, *waters])
    paints = wet.view(size, thinnest).paints
    is_water = (paints >= first) & (paints < first + 2 * len(waters))
    if is_water.any():
        over = wet.shaded(size, thinnest=thinnest)
        image[is_water] += COVER * (over[is_water] - image[is_water])
