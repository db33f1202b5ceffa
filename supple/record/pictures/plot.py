"""Plot: energy, momentum, stretch and cost of a run over time, as a figure ready for a paper or a talk."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

import numpy as np

from supple.errors import SuppleError
from supple.record.formats.table import Columns, read_table
from supple.record.readers.recording_reader import RecordingReader, open_reader
from supple.record.writer import remove

FIGURES = (".png", ".pdf", ".svg")
INK, FAINT = "#1d2633", "#c9d0d9"
COLOURS = ("#c8452f", "#2f7f86", "#d99a2b", "#4a5fa5", "#6f8f4e", "#8a4a78", "#7a6350", "#4d6a78")


def plot(
    recording: str | os.PathLike[str], out: str | os.PathLike[str] | None = None, *, replace: bool = False
) -> Path:
    """Draw what a recording tells about its run, and return the file written.

    Args:
        recording: a table of reports (.csv, .parquet) or a recording that holds them (.npz, .npy); of any other
            recording the motion is drawn
        out: figure to write (.png, .pdf or .svg); None puts a .png beside the recording
        replace: whether a figure that exists may be replaced
    """
    source = Path(recording)
    if not source.name:
        raise SuppleError("there is nothing to draw: name a recording, or a table of reports.")
    target = figure_path(
        Path(out) if out is not None else source.with_name(f"{source.stem}-plot.png"), replace
    )
    columns = columns_of(source)
    if len(columns["time"]) == 0:
        raise SuppleError(f"{source} holds no step, so there is nothing to draw.")
    return save_figure(draw(columns, source.name), target)


def figure_path(target: Path, replace: bool) -> Path:
    """Return where a figure is written, or say why it cannot be."""
    if importlib.util.find_spec("matplotlib") is None:
        raise SuppleError(
            'a figure needs matplotlib, which is not installed. Install it with\n  pip install "supple[plot]"'
        )
    if target.suffix.lower() not in FIGURES:
        raise SuppleError(f"cannot write {target}: a figure ends in one of {', '.join(FIGURES)}.")
    if target.exists() and not replace:
        raise SuppleError(
            f"cannot write {target}: it exists. Choose another name, or replace it with --force."
        )
    return target


def save_figure(figure: Any, target: Path) -> Path:
    """Write a figure whole or not at all."""
    part = target.with_name(f"{target.stem}.tmp{target.suffix}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(part, dpi=160)
        part.replace(target)
    except OSError as trouble:
        raise SuppleError(f"cannot write {target}: {trouble.strerror or trouble}.") from trouble
    finally:
        remove(part)
    return target


def columns_of(path: Path) -> Columns:
    """Return what there is to draw over time, by name: the reports if there are any, else the motion itself."""
    if path.suffix.lower() in (".csv", ".parquet"):
        columns = read_table(path)
        if "time" not in columns:
            raise SuppleError(f"{path} is no table of reports that supple wrote: it has no column `time`.")
        return columns
    with open_reader(path) as recording:
        return recording.reports or motion_of(recording)


def motion_of(recording: RecordingReader) -> Columns:
    """Return what positions alone tell: mean height and mean speed of the points of every body."""
    rows: dict[str, list[float]] = {}
    before: dict[str, Any] = {}
    for frame in recording:
        rows.setdefault("time", []).append(frame.time)
        for body in frame.body_names:
            points = np.asarray(frame.positions(body), dtype=np.float64)
            rows.setdefault(f"height of {body}", []).append(float(points[:, 1].mean()))
            speed = 0.0
            if body in before and before[body][1].shape == points.shape:
                moved = np.linalg.norm(points - before[body][1], axis=1).mean()
                speed = float(moved / max(frame.time - before[body][0], 1e-9))
            rows.setdefault(f"speed of {body}", []).append(speed)
            before[body] = frame.time, points
    return {name: np.array(values) for name, values in rows.items()}


def draw(columns: Columns, title: str) -> Any:
    """Return a figure of the columns, a panel for each kind."""
    from matplotlib.figure import Figure

    panels = [panel for panel in _panels(columns) if panel[1]]
    figure = Figure(figsize=(8.0, 1.0 + 1.9 * len(panels)), layout="constrained")
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    figure.suptitle(title, color=INK, fontsize=12, fontweight="bold")
    time = columns["time"]
    for axis, (label, curves) in zip(axes, panels, strict=True):
        for (name, values), colour in zip(curves.items(), _cycled(len(curves)), strict=True):
            axis.plot(time, values, color=colour, linewidth=1.4, label=name)
        if label.startswith("cost") and len(time) > 1:
            # The first frame may have compiled kernels, which says nothing about the others.
            axis.set_ylim(0.0, 1.1 * max(float(np.nanmax(values[1:])) for values in curves.values()))
        axis.set_ylabel(label, color=INK)
        axis.grid(color=FAINT, linewidth=0.5)
        axis.spines[["top", "right"]].set_visible(False)
        axis.tick_params(colors=INK)
        if len(curves) > 1:
            axis.legend(frameon=False, fontsize=8, ncols=min(len(curves), 4), loc="upper right")
    axes[-1].set_xlabel("time [s]", color=INK)
    return figure


def _cycled(count: int) -> list[str]:
    return [COLOURS[n % len(COLOURS)] for n in range(count)]


def _panels(columns: Columns) -> list[tuple[str, Columns]]:
    known = {
        "energy [J]": {"kinetic": "kinetic_energy", "potential": "potential_energy"},
        "momentum [kg·m/s]": {axis: f"linear_momentum_{axis}" for axis in "xyz"},
        "angular mom. [kg·m²/s]": {axis: f"angular_momentum_{axis}" for axis in "xyz"},
        "largest stretch [-]": {"stretch": "max_stretch"},
        "contacts": {"contacts": "contacts"},
        "cost [ms]": {
            "frame": "milliseconds",
            **{
                name.removeprefix("ms_").replace("_", " "): name for name in columns if name.startswith("ms_")
            },
        },
        "mean height [m]": {
            name.removeprefix("height of "): name for name in columns if name.startswith("height of ")
        },
        "mean speed [m/s]": {
            name.removeprefix("speed of "): name for name in columns if name.startswith("speed of ")
        },
    }
    return [
        (label, {name: columns[column] for name, column in curves.items() if column in columns})
        for label, curves in known.items()
    ]
