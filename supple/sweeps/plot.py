"""Plot of a sweep: every measure against every parameter that varies."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from supple.errors import SuppleError
from supple.record.pictures.plot import COLOURS, FAINT, INK, figure_path, save_figure
from supple.sweeps.run_folder import ABOUT
from supple.sweeps.sweep import Sweep

WIDE = 30.0
"""Ratio of the largest to the smallest value of a parameter from which its axis is logarithmic [-]."""


def is_sweep(path: Path) -> bool:
    """Tell whether a path is the folder of a sweep."""
    return (path / ABOUT).is_file() and (path / "rows").is_dir()


def plot_sweep(
    folder: str | os.PathLike[str], out: str | os.PathLike[str] | None = None, *, replace: bool = False
) -> Path:
    """Draw what the runs of a sweep have measured, and return the file written.

    Args:
        folder: of the sweep
        out: figure to write (.png, .pdf or .svg); None puts `responses.png` into the folder
        replace: whether a figure that exists may be replaced
    """
    target = figure_path(Path(out) if out is not None else Path(folder) / "responses.png", replace)
    sweep = Sweep(folder)
    varied = _varied(sweep)
    if not varied:
        raise SuppleError(f"{folder}: all runs have the same parameters, so there is nothing to draw.")
    return save_figure(_drawn(sweep, varied), target)


def _varied(sweep: Sweep) -> dict[str, list[Any]]:
    """Return the parameters that differ between runs, by name."""
    names = dict.fromkeys(name for parameters in sweep.parameters for name in parameters)
    columns = {name: [parameters.get(name) for parameters in sweep.parameters] for name in names}
    return {name: values for name, values in columns.items() if any(value != values[0] for value in values)}


def _drawn(sweep: Sweep, varied: dict[str, list[Any]]) -> Any:
    from matplotlib.figure import Figure

    measures = sweep.measures
    size = 3.2 * len(varied) + 0.8, 2.4 * len(measures) + 0.7
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(len(measures), len(varied), squeeze=False, sharey="row")
    failed = f", {len(sweep.failures)} failed" if sweep.failures else ""
    figure.suptitle(
        f"{sweep.folder.name}: {len(sweep)} runs{failed}", color=INK, fontsize=12, fontweight="bold"
    )
    for row, (measure, values) in enumerate(measures.items()):
        for column, (parameter, choices) in enumerate(varied.items()):
            axis = grid[row, column]
            _draw_panel(axis, choices, values, COLOURS[row % len(COLOURS)])
            axis.grid(color=FAINT, linewidth=0.5)
            axis.spines[["top", "right"]].set_visible(False)
            axis.tick_params(colors=INK)
            if row == len(measures) - 1:
                axis.set_xlabel(parameter, color=INK)
            if column == 0:
                axis.set_ylabel(measure, color=INK)
    return figure


def _draw_panel(axis: Any, choices: list[Any], values: Any, colour: str) -> None:
    """Draw a dot for every run, and the mean over the runs with the same value of the parameter."""
    is_number = all(isinstance(value, int | float) for value in choices)
    names = sorted(set(map(str, choices)))
    places = np.array([float(v) if is_number else names.index(str(v)) for v in choices])
    axis.plot(places, values, ".", color=colour, alpha=0.5, markersize=5)
    known = np.isfinite(values)
    levels = np.unique(places[known])
    if 1 < len(levels) <= len(places) / 1.5 or len(levels) == len(places):
        axis.plot(
            levels,
            [values[known & (places == level)].mean() for level in levels],
            color=colour,
            linewidth=1.3,
        )
    if not is_number:
        axis.set_xticks(range(len(names)), names)
    elif places.min() > 0.0 and places.max() / places.min() >= WIDE:
        axis.set_xscale("log")
