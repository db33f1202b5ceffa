"""Write supple/gallery/liver.obj: the closed surface of an organ in the shape of a liver.

    python scripts/liver_mesh.py

A ball of triangles, refined from an icosahedron, is pulled into shape by formulas: a large lobe on the left as one looks
at it, a flat thin one on the right, a hollow underside, and a notch where the ligament runs.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import trimesh
from numpy.typing import NDArray

TARGET = Path(__file__).parents[1] / "supple" / "gallery" / "liver.obj"

SUBDIVISIONS = 4
"""Times that each triangle of the icosahedron is divided into four."""

WIDTH, HEIGHT, DEPTH = 0.24, 0.125, 0.16
"""Extents along x, y and z, about [m]."""


def liver(directions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the surface points (n, 3) [m] in the (n, 3) directions from the middle."""
    x, y, z = directions.T
    # From the thick lobe (x = -1) to the thin one (x = 1) both height and depth fade.
    along = 0.5 * (1.0 + x)
    thickness = 1.0 - 0.62 * along**1.3
    points = np.stack(
        [0.5 * WIDTH * x, 0.5 * HEIGHT * thickness * y, 0.5 * DEPTH * (1.0 - 0.35 * along) * z], axis=1
    )
    points[:, 1] += 0.012 * along  # the thin lobe lies a little higher
    under = np.clip(-y, 0.0, 1.0)
    points[:, 1] += 0.024 * under * np.exp(-((x / 0.75) ** 2 + ((z - 0.1) / 0.75) ** 2))
    notch = np.exp(-(((x - 0.25) / 0.16) ** 2)) * np.clip(z, 0.0, 1.0) ** 2
    points[:, 2] -= 0.016 * notch
    return points


def main() -> int:
    """Write the file."""
    ball = trimesh.creation.icosphere(subdivisions=SUBDIVISIONS, radius=1.0)
    points = liver(np.asarray(ball.vertices))
    lines = ["# A liver-shaped organ, made by scripts/liver_mesh.py. Metres, Y up."]
    lines += [f"v {x:.4f} {y:.4f} {z:.4f}" for x, y, z in points]
    lines += [f"f {a} {b} {c}" for a, b, c in np.asarray(ball.faces) + 1]
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
