"""Figure: what a test of the laboratory has measured beside what theory says, ready for a report."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from supple.lab.disc_drape import HELD, OUTER, Drape
from supple.lab.outcome import Outcome
from supple.record.pictures.plot import COLOURS, FAINT, INK, figure_path, save_figure


def save(outcome: Outcome, out: str | os.PathLike[str], *, title: str = "", replace: bool = False) -> Path:
    """Draw what a test has measured, and return the file written. Needs the extra `plot`.

    Args:
        outcome: of a test
        out: figure to write (.png, .pdf or .svg)
        title: above the figure, the name of the fabric for instance
        replace: whether a figure that exists may be replaced
    """
    return save_figure(draw(outcome, title), figure_path(Path(out), replace))


def draw(outcome: Outcome, title: str = "") -> Any:
    """Return a figure of a test: its curves, or the disc from above, and its numbers below."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 5.6), layout="constrained")
    axis = figure.subplots()
    figure.suptitle(f"{outcome.test} {title}".strip(), color=INK, fontsize=12, fontweight="bold")
    if isinstance(outcome, Drape):
        _draw_disc(axis, outcome)
    else:
        _draw_curves(axis, outcome)
    axis.spines[["top", "right"]].set_visible(False)
    axis.tick_params(colors=INK)
    figure.supxlabel(outcome.told(), color=INK, fontsize=8, family="monospace", x=0.02, ha="left")
    return figure


def _draw_curves(axis: Any, outcome: Outcome) -> None:
    """Draw measured curves with dots and theory as lines of the same colour, both in the order they are given."""
    measured = theory = 0
    for curve in outcome.curves:
        if curve.is_theory:
            axis.plot(curve.x, curve.y, color=COLOURS[theory % len(COLOURS)], linewidth=1.2, label=curve.name)
            theory += 1
        else:
            style = ".-" if outcome.is_shape else "o"
            axis.plot(curve.x, curve.y, style, color=COLOURS[measured % len(COLOURS)], label=curve.name)
            measured += 1
    if outcome.is_shape:
        axis.set_aspect("equal")
    axis.set_xlabel(outcome.labels[0], color=INK)
    axis.set_ylabel(outcome.labels[1], color=INK)
    axis.grid(color=FAINT, linewidth=0.5)
    axis.legend(frameon=False, fontsize=8)


def _draw_disc(axis: Any, drape: Drape) -> None:
    """Draw a draped disc from above, the lower the darker, with the disc that holds it and its own border at rest."""
    across, along = 100.0 * drape.positions[:, 0], 100.0 * drape.positions[:, 2]
    heights = 100.0 * drape.positions[drape.triangles, 1].mean(axis=1)
    order = np.argsort(heights)  # what lies above is drawn last
    axis.tripcolor(
        across, along, drape.triangles[order], facecolors=heights[order], cmap="Greys_r", shading="flat"
    )
    angles = np.linspace(0.0, 2.0 * np.pi, 200)
    for radius, style in ((HELD, "-"), (OUTER, "--")):
        axis.plot(
            100.0 * radius * np.cos(angles),
            100.0 * radius * np.sin(angles),
            style,
            color=COLOURS[0],
            linewidth=1.0,
        )
    axis.set_aspect("equal")
    axis.set_xlabel("cm, from above", color=INK)
    axis.set_ylabel("cm", color=INK)
