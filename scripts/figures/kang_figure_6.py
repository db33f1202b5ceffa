"""Draw docs/images/kang-figure-6.png: velocity changes of `filter` and `jacobi` on a waved flag.

After Kang 2000, Fig. 6: in one substep every point of a flag in mid-wave changes its velocity; each
change is drawn as a line from its point. Run it from the checkout:

    python -m scripts.figures.kang_figure_6
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

import supple

Array = NDArray[np.float64]

PICTURE = Path(__file__).parents[2] / "docs" / "images" / "kang-figure-6.png"

SIZE = (1200, 760)
MARGIN = 40
SCALE = 470.0
"""Pixels per metre, and per metre a second of velocity change once normalised."""

PAPER, THREAD, FILTER, JACOBI, INK = "#ffffff", "#d4d8de", "#1f5fa8", "#c2571a", "#20242a"


def waved_flag(stiffness: float = 200.0, frame_rate: float = 500.0, points: int = 14) -> supple.Simulation:
    """Return a square metre of flag that a hand has waved for half a second in a draught, about to take one substep.

    Args:
        stiffness: of the threads [N/m]; shear has half of it
        frame_rate: one substep a frame, so the reciprocal of the substep [1/s]
        points: in a row and in a column
    """
    material = supple.Material(
        area_density=0.15,
        stretch_stiffness=stiffness,
        shear_stiffness=0.5 * stiffness,
        bending_stiffness=1e-5,
    )
    flag = supple.Cloth.rectangle(width=1.0, height=1.0, columns=points, rows=points, material=material)
    keys = [
        supple.Keyframe(time=0.125 * n, offset=(0.0, 0.0, z))
        for n, z in enumerate((0.0, 0.12, -0.12, 0.12, -0.12))
    ]
    waving = supple.Path(keyframes=tuple(keys), smooth=True)
    simulation = supple.Simulation(
        supple.Scene(flag.pinned("left", path=waving), gravity=(8.0, -3.0, 0.0)),
        frame_rate=100.0,
        substeps=5,
        integrator="filter",
    )
    for _ in simulation.run(0.5):
        pass
    simulation.set(substeps=1, frame_rate=frame_rate)
    return simulation


def velocity_changes(simulation: supple.Simulation, integrator: str, sweeps: int = 2) -> Array:
    """Take one substep and return how each point's velocity changed (vertex_count, 3) [m/s].

    Both integrators take the directions of springs from the current positions, as printed.
    """
    simulation.set(integrator=integrator, sweeps=sweeps, predictor="current")
    before = simulation.velocities("cloth").copy()
    simulation.step()
    change: Array = simulation.velocities("cloth") - before
    return change


def agreement(a: Array, b: Array) -> tuple[float, float]:
    """Return the cosine between two fields of vectors and the ratio of their magnitudes [-]."""
    lengths = np.linalg.norm(a), np.linalg.norm(b)
    return float(np.vdot(a, b) / lengths[0] / lengths[1]), float(lengths[0] / lengths[1])


def draw(path: Path) -> None:
    """Write the picture."""
    image = Image.new("RGB", SIZE, PAPER)
    canvas = ImageDraw.Draw(image)
    changes = {name: velocity_changes(waved_flag(), name) for name in ("filter", "jacobi")}
    longest = max(float(np.linalg.norm(change, axis=1).max()) for change in changes.values())
    for n, (name, colour) in enumerate({"filter": FILTER, "jacobi": JACOBI}.items()):
        flag = waved_flag()
        origin = np.array([300.0 + n * 570.0, 380.0])
        start = flag.positions("cloth")
        flat = _projected(start) * SCALE + origin
        for i, j in flag.edges("cloth"):
            if abs(int(i) - int(j)) in (1, 14):  # threads, not diagonals
                canvas.line([*flat[i], *flat[j]], fill=THREAD, width=1)
        tips = _projected(start + 0.25 / longest * changes[name]) * SCALE + origin
        for tail, tip in zip(flat, tips, strict=True):
            canvas.line([*tail, *tip], fill=colour, width=2)
        canvas.text((MARGIN + n * 570.0, 24), f"{name}", fill=colour, font=ImageFont.load_default(28))
    cosine, ratio = agreement(changes["jacobi"], changes["filter"])
    note = (
        f"velocity changes of one substep of 2 ms, 14 x 14 points, 200 N/m; "
        f"jacobi (2 sweeps) against filter: cosine {cosine:.2f}, magnitude {ratio:.2f}"
    )
    canvas.text((MARGIN, SIZE[1] - 44), note, fill=INK, font=ImageFont.load_default(20))
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path, optimize=True)


def _projected(points: Array) -> Array:
    """Return points seen from the right and above, y down, (n, 2)."""
    x, y, z = points.T
    return np.stack([0.85 * x + 0.45 * z, -(0.95 * y + 0.12 * x - 0.25 * z)], axis=1)


if __name__ == "__main__":
    draw(PICTURE)
    print(PICTURE)
