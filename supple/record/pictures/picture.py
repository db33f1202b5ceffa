"""Pictures without a graphics card: a scene drawn into an array of pixels.

    image = render(simulation)                       # (600, 960, 3) uint8
    save_picture(image, "drape.png")

The camera stands so that everything fits. Cloth is drawn as a smooth surface with two sides,
chains and networks as rods, pins as dots. The same input always gives the same pixels.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from supple.errors import SuppleError
from supple.record.frame import Frame, Subject, surface_of
from supple.record.pictures.camera import Camera
from supple.record.pictures.stage import Figure, Stage
from supple.record.pictures.water import see_through, water_figures
from supple.scene.water import Water

Image = npt.NDArray[np.uint8]

SIZE = (960, 600)
"""Width and height of a picture unless said otherwise [pixels]."""

LARGEST_SIDE = 8192
"""Longest side a picture may have [pixels]."""

OVERSAMPLING = 2
"""Pixels drawn along each side of a pixel shown."""


OBSTACLE_COLOUR = "#9aa0a6"
"""sRGB of obstacles for which the scene chooses none."""


def figures_of(subject: Subject) -> list[Figure]:
    """Return a copy of every body and obstacle of a simulation as it is now.

    A plane is not drawn: a level one is the floor, see `floor_of`.
    """
    bodies = []
    for body in subject.body_names:
        points, triangles = surface_of(subject, body)
        bodies.append(
            Figure(
                np.array(points, dtype=np.float64),
                np.array(triangles),
                np.array(subject.edges(body)),
                np.array(subject.pinned(body)),
                colour=_body_colour(subject, body),
            )
        )
    obstacles = []
    for obstacle in subject.obstacle_names:
        if _kind(subject, obstacle) != "plane":
            vertices, triangles = _placed(subject, obstacle)
            obstacles.append(Figure(vertices, triangles, colour=_obstacle_colour(subject, obstacle)))
    return bodies + obstacles


def floor_of(subject: Subject) -> float | None:
    """Return the height of the ground if there is a level plane to be one [m]."""
    for obstacle in subject.obstacle_names:
        if _kind(subject, obstacle) == "plane":
            vertices, triangles = _placed(subject, obstacle)
            if len(triangles) == 0:
                continue
            a, b, c = vertices[triangles[0]]
            normal = np.cross(b - a, c - a)
            if normal[1] > 0.999 * np.linalg.norm(normal):
                return float(vertices[:, 1].mean())
    return None


def _kind(subject: Subject, obstacle: str) -> str:
    if isinstance(subject, Frame):
        return subject.shapes.solids[obstacle].kind
    return str(subject.scene.obstacle(obstacle).kind)  # type: ignore[attr-defined]


def _body_colour(subject: Subject, body: str) -> str | None:
    """Return the colour that a recording tells or a scene chooses; None is that of the body's place."""
    if isinstance(subject, Frame):
        return subject.shapes.bodies[body].colour
    origin = subject.origin(body)[0] if hasattr(subject, "origin") else body
    declared = getattr(getattr(subject, "scene", None), "bodies", ())
    return next((each.colour for each in declared if each.name == origin), None)


def _obstacle_colour(subject: Subject, obstacle: str) -> str:
    if isinstance(subject, Frame):
        return subject.shapes.solids[obstacle].colour
    return str(subject.scene.obstacle(obstacle).colour or OBSTACLE_COLOUR)  # type: ignore[attr-defined]


def _placed(subject: Subject, obstacle: str) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    vertices, triangles = subject.obstacle_surface(obstacle)
    place, turn = subject.obstacle_pose(obstacle)
    return np.asarray(vertices @ turn.T + place, dtype=np.float64), np.asarray(triangles, dtype=np.int64)


def render(
    subject: Subject | Sequence[Figure],
    size: tuple[int, int] = SIZE,
    *,
    camera: Camera | None = None,
    floor: float | None = None,
    waters: Sequence[Water] = (),
) -> Image:
    """Draw a simulation, or figures made by hand.

    Args:
        subject: what to draw
        size: width and height [pixels]
        camera: where to look from; None frames everything
        floor: height of the floor [m]; None puts it just under the lowest point
        waters: drawn as surfaces that one sees through; a simulation has its own

    Returns:
        (height, width, 3) sRGB, uint8.
    """
    check_size(size)
    if isinstance(subject, Sequence):
        figures = list(subject)
    else:
        figures = figures_of(subject)
        floor = floor_of(subject) if floor is None else floor
        waters = waters or getattr(getattr(subject, "scene", None), "waters", ())
    stage = Stage.around(figures, size, camera, floor)
    drawn = size[0] * OVERSAMPLING, size[1] * OVERSAMPLING
    image = stage.shaded(drawn, thinnest=0.7 * OVERSAMPLING)
    if waters:
        see_through(stage, water_figures(waters, stage), drawn, 0.7 * OVERSAMPLING, image)
    blocks = image.reshape(size[1], OVERSAMPLING, size[0], OVERSAMPLING, 3)
    return _encode(blocks.mean(axis=(1, 3)))


def check_size(size: tuple[int, int]) -> None:
    """Raise a `SuppleError` if no picture can have that width and height [pixels]."""
    if not all(isinstance(side, int) and 1 <= side <= LARGEST_SIDE for side in size):
        raise SuppleError(f"a picture of {size[0]} x {size[1]} pixels: sides go from 1 to {LARGEST_SIDE}.")


def contact_sheet(
    images: Sequence[Image], *, columns: int | None = None, gap: int = 8, captions: Sequence[str] = ()
) -> Image:
    """Put pictures of one size side by side, row after row.

    Args:
        images: each (height, width, 3) uint8
        columns: pictures in a row; None makes the sheet about as wide as a screen
        gap: white between pictures [pixels]
        captions: a few words for the lower left corner of each picture
    """
    if not images or any(image.shape != images[0].shape for image in images):
        raise SuppleError("a contact sheet needs at least one picture, and all of one size.")
    height, width, _ = images[0].shape
    columns = columns or min(len(images), max(1, round(math.sqrt(len(images) * 1.6 * height / width) + 0.1)))
    rows = math.ceil(len(images) / columns)
    shape = (rows * (height + gap) - gap, columns * (width + gap) - gap, 3)
    sheet = np.full(shape, 255, dtype=np.uint8)
    for place, image in enumerate(images):
        top, left = place // columns * (height + gap), place % columns * (width + gap)
        shown = _captioned(image, captions[place]) if place < len(captions) else image
        sheet[top : top + height, left : left + width] = shown
    return sheet


def save_picture(image: Image, path: str | os.PathLike[str]) -> Path:
    """Write an image as PNG and return where."""
    from PIL import Image as Pillow

    try:
        Pillow.fromarray(image).save(path, format="PNG")
    except OSError as trouble:
        raise SuppleError(f"cannot write {os.fspath(path)}: {trouble.strerror or trouble}.") from trouble
    return Path(path)


def _encode(linear: npt.NDArray[np.float64]) -> Image:
    """Return linear light as sRGB bytes."""
    bounded = np.clip(linear, 0.0, 1.0)
    curve = np.where(bounded <= 0.0031308, 12.92 * bounded, 1.055 * bounded ** (1 / 2.4) - 0.055)
    return (255.0 * curve + 0.5).astype(np.uint8)


def _captioned(image: Image, caption: str) -> Image:
    from PIL import Image as Pillow
    from PIL import ImageDraw, ImageFont

    picture = Pillow.fromarray(image)
    size = max(10, image.shape[0] // 22)
    place = (size, image.shape[0] - 2 * size)
    ImageDraw.Draw(picture).text(place, caption, fill=(70, 74, 80), font=ImageFont.load_default(size))
    return np.asarray(picture)
