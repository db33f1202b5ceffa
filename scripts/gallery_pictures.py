"""Draw the pictures of the gallery with the studio's page: supple/gallery/NAME.png.

    python scripts/gallery_pictures.py [NAME]...

A scene is seen at its end, but not later than two seconds; `MOMENTS` has those that look best at another time.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image

from supple.scene.reader import GALLERY, find_scene, gallery_names
from supple.studio.shot import shoot

SIZE = (480, 300)

MOMENTS = {
    "scarf": 1.2,
    "pole-catch": 0.5,
    "fold": 2.9,
    "curtain-rail": 2.4,
    "twist": 2.6,
    "knot": 0.5,
    "toroid-through": 0.42,
    "pillow": 2.4,
    "tear": 1.0,
    "banner-cut": 2.9,
    "tunic": 4.0,
    "skirt": 5.0,
}
"""When scenes are seen that are at their best sooner or later [s]."""


def main() -> int:
    """Draw the named scenes, or all."""
    for name in sys.argv[1:] or gallery_names():
        path = GALLERY / f"{name}.png"
        large = shoot(
            name,
            path,
            at=MOMENTS.get(name, min(2.0, find_scene(name).duration)),
            size=(2 * SIZE[0], 2 * SIZE[1]),
        )
        _shrink(large)
        print(f"wrote {path.name}, {path.stat().st_size / 1e3:.0f} kB", flush=True)
    return 0


def _shrink(path: Path) -> None:
    """Make a picture half as large, which smooths its edges, with few colours, which makes it light."""
    with Image.open(io.BytesIO(path.read_bytes())) as picture:
        small = picture.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)
    small.quantize(256, method=Image.Quantize.MAXCOVERAGE, kmeans=2).save(path, optimize=True)


if __name__ == "__main__":
    sys.exit(main())
