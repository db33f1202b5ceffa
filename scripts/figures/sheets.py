"""What the figures of the papers share: axes, pictures of a scene at set moments, and files that stay small."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure as Plot
from PIL import Image

import supple
from supple.record.frame import frame_of, shapes_of
from supple.record.pictures.camera import Camera
from supple.record.pictures.colour_by import ColourBy, coloured, shares_of
from supple.record.pictures.picture import contact_sheet, figures_of, floor_of, render
from supple.record.pictures.plot import COLOURS
from supple.record.pictures.stage import all_points, default_floor

mpl.use("Agg")

Numbers = dict[str, float]
"""What a figure measures, by name."""

__all__ = ["COLOURS", "Numbers", "axes", "frame_cost", "save_pixels", "save_plot", "sequence"]


def axes(count: int = 1, size: tuple[float, float] = (7.0, 3.2)) -> tuple[Plot, list[Any]]:
    """Return a plot with axes side by side; size in inches."""
    plot = Plot(figsize=size, layout="constrained")
    found = [plot.add_subplot(1, count, n + 1) for n in range(count)]
    for each in found:
        each.grid(alpha=0.25)
    return plot, found


def save_plot(plot: Plot, path: Path) -> None:
    """Write a plot with few colours."""
    plot.savefig(path, dpi=110, metadata={"Software": None})
    with Image.open(path) as image:
        pixels = image.convert("RGB")
    pixels.quantize(64, dither=Image.Dither.NONE).save(path, optimize=True)


def save_pixels(pixels: np.ndarray, path: Path) -> None:
    """Write a picture with few colours."""
    Image.fromarray(pixels).quantize(160, method=Image.Quantize.MAXCOVERAGE, kmeans=2).save(
        path, optimize=True
    )


def sequence(
    scene: str | supple.Scene,
    moments: Sequence[float],
    *,
    size: tuple[int, int] = (230, 170),
    columns: int = 4,
    colour_by: ColourBy = "body",
) -> np.ndarray:
    """Return moments [s] of a scene side by side, all seen by one camera, first moments first."""
    declared = supple.find_scene(scene) if isinstance(scene, str) else scene
    simulation = supple.Simulation(declared)
    frames = []
    for moment in moments:
        while simulation.time < moment - 1e-9:
            simulation.step()
        shown = frame_of(simulation, 0, shapes_of(simulation), with_fields=colour_by != "body")
        frames.append(coloured(figures_of(simulation), shown.body_names, shares_of(shown, colour_by)))
    points = np.concatenate([all_points(figures) for figures in frames])
    ground = floor_of(simulation)
    floor = default_floor(points) if ground is None else ground
    camera = Camera.framing(points, size, azimuth=0.5, elevation=0.22)
    pictures = [render(figures, size, camera=camera, floor=floor) for figures in frames]
    return contact_sheet(pictures, columns=columns, gap=4, captions=[f"{moment:g} s" for moment in moments])


def frame_cost(simulation: supple.Simulation, frames: int, repeats: int = 3) -> float:
    """Return the processor time of a frame [ms]: the mean over `frames`, the least of several goes from one start."""
    simulation.step()  # what happens once, such as factoring, is not part of a frame
    start = simulation.snapshot()
    costs: list[float] = []
    for _ in range(repeats):
        simulation.restore(start)
        begun = time.process_time()
        for _ in range(frames):
            simulation.step()
        costs.append(1e3 * (time.process_time() - begun) / frames)
    return min(costs)


def slope(sizes: Iterable[float], costs: Iterable[float]) -> float:
    """Return the exponent with which costs grow with sizes [-]."""
    return float(np.polyfit(np.log(list(sizes)), np.log(list(costs)), 1)[0])
