"""The postures, the head and the real-time claims of Meyer 2000."""

from __future__ import annotations

from pathlib import Path

import supple
from scripts.figures.sheets import COLOURS, Numbers, axes, frame_cost, save_pixels, save_plot, sequence

EXAMPLES = {
    "scarf": "the naked scarf",
    "flag": "the flag pole",
    "meyer-head": "a mannequin's head",
    "office": "a set of furniture",
    "river": "a river",
    "cape": "a caped figure",
    "skirt": "a skirt",
}
"""Our scenes of the paper's examples, by name."""

FRAME_MS = 20.0
"""The time of a frame at the paper's 50 Hz [ms]."""


def figure_2(path: Path) -> Numbers:
    """Show the postures of one simulation."""
    save_pixels(sequence("meyer-postures", (0.0, 1.9, 2.3, 3.5, 4.4, 5.6, 6.6, 8.9)), path)
    return {}


def figure_5(path: Path) -> Numbers:
    """Show the scarf on the head."""
    save_pixels(sequence("meyer-head", (0.1, 0.3, 0.8, 3.0)), path)
    return {}


def timings(path: Path) -> Numbers:
    """Draw the processor time of a frame of each example beside the paper's 20 ms."""
    numbers = {
        name: frame_cost(supple.Simulation(supple.find_scene(name)), 25, repeats=2) for name in EXAMPLES
    }
    plot, (left,) = axes(size=(6.5, 3.0))
    left.barh([EXAMPLES[name] for name in numbers], list(numbers.values()), color=COLOURS[0])
    left.axvline(FRAME_MS, color=COLOURS[1], linestyle="--", label="50 Hz")
    left.set_xlabel("processor time of a frame [ms]")
    left.invert_yaxis()
    left.legend()
    save_plot(plot, path)
    return numbers


FIGURES = {"meyer-2": figure_2, "meyer-5": figure_5, "meyer-timings": timings}
