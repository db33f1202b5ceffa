"""Pictures compared with stored ones, by a measure that overlooks threads and edges and notices stains."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter

import supple
from supple.studio.film.shot import shoot

STORED = Path(__file__).parent / "pictures"
SIZE = (300, 200)

BLUR = 2.5
"""What an eye does not resolve at this size: threads, the steps of an edge [px]."""

ALIKE = 6.0
"""Largest difference in lightness or colour that two pictures of the same may have [of 255]. Stains have 20 and more."""


def seen(picture):
    """Return lightness and two colours as an eye takes them in, (3, height, width)."""
    smooth = picture.convert("RGB").filter(ImageFilter.GaussianBlur(BLUR))
    red, green, blue = np.moveaxis(np.asarray(smooth, dtype=np.float64), 2, 0)
    return np.stack(
        [0.3 * red + 0.59 * green + 0.11 * blue, 0.5 * (red - green), 0.25 * (red + green) - 0.5 * blue]
    )


def difference(one, other):
    """Return by how much two pictures differ where they do most, but for edges that moved by less than a pixel."""
    a, b = seen(one), seen(other)
    worst = np.full(a.shape[1:], np.inf)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            worst = np.minimum(worst, np.abs(a - np.roll(b, (dy, dx), (1, 2))).max(axis=0))
    return float(worst[2:-2, 2:-2].max())


def stage():
    """A flat sheet above the ground, and a ball on it."""
    sheet = supple.Cloth.rectangle(
        width=1.2,
        height=0.8,
        columns=16,
        rows=12,
        material="cotton",
        plane="xz",
        at=(-0.8, 0.9, 0.0),
        colour="red",
    )
    return supple.Scene(
        sheet.pinned("left", "right", "top", "bottom"),
        supple.Sphere(radius=0.3, at=(0.7, 0.3, 0.0), name="ball"),
        supple.Plane(),
    )


def kit():
    """What has a surface of its own: denim that is bent, a rope, and a box of rubber."""
    denim = supple.Cloth.bezier(
        [[[-0.5, 1.2, 0], [0, 1.2, 0.5], [0.5, 1.2, 0]], [[-0.5, 0.4, 0.2], [0, 0.4, 0.7], [0.5, 0.4, 0.2]]],
        columns=14, rows=12, material="denim", at=(-0.7, 0.1, 0.0), colour="blue",
    ).pinned("top")  # fmt: skip
    return supple.Scene(
        denim,
        supple.Chain(length=1.0, points=13, at=(0.2, 1.3, 0.0)).pinned("start"),
        supple.SoftBody.box(size=(0.4, 0.4, 0.4), cell=0.1, at=(0.8, 0.25, 0.0), material="rubber"),
        supple.Plane(),
    )


SCENES = {"stage": stage, "kit": kit}


def drawn(name, folder, quality="high", theme="light"):
    path = folder / f"{name}.png"
    shoot(SCENES[name](), path, at=0.0, size=SIZE, azimuth=0.0, elevation=0.6, theme=theme, quality=quality)
    return Image.open(path).convert("RGB")


@pytest.mark.parametrize("name", SCENES)
def test_a_picture_looks_as_it_did(built_page, tmp_path, name):
    assert difference(drawn(name, tmp_path), Image.open(STORED / f"{name}.png")) < ALIKE


def test_the_measure_notices_stains_stripes_and_a_shadow_that_is_missing():
    stored = Image.open(STORED / "stage.png").convert("RGB")
    red, green = np.asarray(stored, dtype=float)[..., 0], np.asarray(stored, dtype=float)[..., 1]
    y, x = (int(np.median(places)) for places in np.nonzero(red - green > 60.0))
    stained = stored.copy()
    shade = stored.getpixel((x, y))
    darker = tuple(round(0.8 * channel) for channel in shade)
    ImageDraw.Draw(stained).ellipse((x - 6, y - 4, x + 6, y + 4), fill=darker)
    assert difference(stained, stored) > 2.0 * ALIKE
    striped = stored.copy()
    for row in range(y - 20, y + 20, 8):
        ImageDraw.Draw(striped).rectangle((x - 30, row, x + 30, row + 3), fill=darker)
    assert difference(striped, stored) > ALIKE
    pixels = np.asarray(stored, dtype=float).copy()
    ground = pixels[SIZE[1] // 2 :]
    is_grey = np.ptp(ground, axis=2) < 25.0
    ground[is_grey & (ground.mean(axis=2) < 150.0)] = np.median(ground[is_grey], axis=0)
    assert difference(Image.fromarray(pixels.astype(np.uint8)), stored) > 2.0 * ALIKE


def test_the_measure_overlooks_a_pixel_and_noise():
    stored = Image.open(STORED / "stage.png").convert("RGB")
    moved = Image.fromarray(np.roll(np.asarray(stored), 1, axis=1))
    assert difference(moved, stored) < ALIKE
    noise = np.random.default_rng(1).normal(0.0, 6.0, (SIZE[1], SIZE[0], 3))
    noisy = Image.fromarray(np.clip(np.asarray(stored) + noise, 0, 255).astype(np.uint8))
    assert difference(noisy, stored) < ALIKE
