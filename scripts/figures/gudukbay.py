"""Figures 5 to 13 of Güdükbay 1997."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import supple
from scripts.figures.sheets import COLOURS, Numbers, axes, frame_cost, save_pixels, save_plot, sequence, slope

SEQUENCES: dict[str, tuple[str, tuple[float, ...]]] = {
    "gudukbay-5": ("gudukbay-corners", (0.3, 0.6, 2.0, 4.0)),
    "gudukbay-6": ("gudukbay-centre", (0.2, 0.4, 0.8, 1.6)),
    "gudukbay-9": ("ellipsoid", (0.1, 0.3, 0.6, 2.0)),
    "gudukbay-10": ("toroid", (0.1, 0.3, 0.6, 2.0)),
    "gudukbay-11": ("toroid-small-hole", (0.1, 0.3, 0.6, 2.0)),
    "gudukbay-12": ("toroid-through", (0.1, 0.3, 0.42, 0.6)),
}
"""For each picture the scene it shows and when [s]."""


def alone(scene: str, body: str) -> supple.Scene:
    """Return a scene with one of its bodies only."""
    declared = supple.find_scene(scene)
    return declared.changed(bodies=(declared.body(body),))


def drawn(name: str, path: Path) -> Numbers:
    """Show moments of one of `SEQUENCES`."""
    scene, moments = SEQUENCES[name]
    save_pixels(sequence(scene, moments), path)
    return {}


def figure_7(path: Path) -> Numbers:
    """Show the fall of a stretchy sheet held at its corners."""
    save_pixels(
        sequence(alone("gudukbay-corners", "sheet-b"), (0.0, 0.1, 0.2, 0.3, 0.4, 0.6, 1.0, 3.0)), path
    )
    return {}


def figure_8(path: Path) -> Numbers:
    """Show the fall of a stretchy sheet held at its centre."""
    save_pixels(
        sequence(alone("gudukbay-centre", "sheet-b"), (0.0, 0.08, 0.16, 0.24, 0.32, 0.4, 0.6, 1.0)), path
    )
    return {}


def patch(points: int) -> supple.Simulation:
    """Return a Bézier patch of `points` x `points` held at its corners by anchors, at ten explicit steps a frame."""
    ticks = np.linspace(-0.5, 0.5, 4)
    arch = (0.0, 0.1, 0.1, 0.0)
    control = [[(float(x), h, float(z)) for x, h in zip(ticks, arch, strict=True)] for z in ticks]
    material = supple.Material(
        area_density=0.2, stretch_stiffness=0.5, shear_stiffness=0.0, bending_stiffness=0.0
    )
    sheet = supple.Cloth.bezier(control_points=control, columns=points, rows=points, material=material)
    corners = (0, points - 1, points * (points - 1), points * points - 1)
    return supple.Simulation(
        supple.Scene(sheet.anchored(*corners, stiffness=1.0), drag=1.0), integrator="explicit", substeps=10
    )


def figure_13(path: Path) -> Numbers:
    """Draw the time of a frame against the number of points."""
    sides = (10, 16, 23, 32, 45, 64, 90, 128)
    costs = [frame_cost(patch(side), 10) for side in sides]
    counts = [side**2 for side in sides]
    plot, (left,) = axes(size=(5.0, 3.0))
    left.plot(counts, costs, "o-", color=COLOURS[0])
    left.set_xlabel("points of a Bézier surface")
    left.set_ylabel("processor time of a frame [ms]")
    save_plot(plot, path)
    thousand = counts.index(1024)
    return {
        "ms_1024": costs[thousand],
        "frames_per_second_1024": 1e3 / costs[thousand],
        "exponent": slope(counts[thousand:], costs[thousand:]),
    }


FIGURES = {
    **{name: lambda path, name=name: drawn(name, path) for name in SEQUENCES},
    "gudukbay-7": figure_7,
    "gudukbay-8": figure_8,
    "gudukbay-13": figure_13,
}
