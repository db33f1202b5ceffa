"""Draw the pictures of the gallery with the studio's page: supple/gallery/NAME.png.

    python scripts/gallery_pictures.py [NAME]...

A scene is seen at its end, but not later than two seconds; `MOMENTS` has those that look best at another time.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image

from supple.scene.files.toml_reader import GALLERY, find_scene, gallery_names
from supple.studio.film.shot import shoot

SIZE = (480, 300)

MOMENTS = {
    "silk": 5.0,
    "scarf": 1.2,
    "pole-catch": 0.5,
    "fold": 2.9,
    "curtain-rail": 2.4,
    "twist": 2.6,
    "knot": 1.4,
    "toroid-through": 0.42,
    "pillow": 2.4,
    "tear": 1.0,
    "banner-cut": 2.9,
    "walk": 2.3,
    "tunic": 4.0,
    "skirt": 5.0,
}
"""When scenes are seen that are at their best sooner or later [s]."""

CLOSE_UPS = {"ribbon": (0.43, 0.235, 0.28)}
"""What is shown of scenes that reach farther than what is worth seeing: left, top and size, as shares of the picture."""


def main() -> int:
    """Draw the named scenes, or all."""
    for name in sys.argv[1:] or gallery_names():
        path = GALLERY / f"{name}.png"
        left, top, share = CLOSE_UPS.get(name, (0.0, 0.0, 1.0))
        width, height = round(2 * SIZE[0] / share), round(2 * SIZE[1] / share)
        large = shoot(
            name,
            path,
            at=MOMENTS.get(name, min(2.0, find_scene(name).duration)),
            size=(width, height),
        )
        _shrink(large, (round(left * width), round(top * height)))
        print(f"wrote {path.name}, {path.stat().st_size / 1e3:.0f} kB", flush=True)
    return 0


def _shrink(path: Path, corner: tuple[int, int]) -> None:
    """Cut out what is shown and make it half as large, which smooths its edges, with few colours, which makes it light."""
    x, y = corner
    with Image.open(io.BytesIO(path.read_bytes())) as picture:
        shown = picture.convert("RGB").crop((x, y, x + 2 * SIZE[0], y + 2 * SIZE[1]))
        small = shown.resize(SIZE, Image.Resampling.LANCZOS)
    small.quantize(256, method=Image.Quantize.MAXCOVERAGE, kmeans=2).save(path, optimize=True)


if __name__ == "__main__":
    sys.exit(main())
