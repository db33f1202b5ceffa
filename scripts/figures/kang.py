"""Figures 4, 5 and 6 of Kang 2000."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import supple
from scripts.figures.kang_figure_6 import agreement, draw, velocity_changes, waved_flag
from scripts.figures.sheets import COLOURS, Numbers, axes, save_pixels, save_plot, sequence
from supple.record.pictures.camera import Camera
from supple.record.pictures.picture import contact_sheet, figures_of, render
from supple.record.pictures.stage import all_points

Array = NDArray[np.float64]

RADIUS = 0.2
"""Of the ball that cloth is laid over [m]."""


def laid_over_a_ball(threshold: float) -> supple.Simulation:
    """Return a coarse cloth at rest on a ball that is noticed at a threshold distance [m]."""
    sheet = supple.Cloth.rectangle(
        width=0.8, height=0.8, columns=10, rows=10, plane="xz", at=(0.0, 0.25, 0.0), material="cotton"
    )
    ball = supple.Sphere(radius=RADIUS, friction=0.5, shell=threshold)
    simulation = supple.Simulation(supple.Scene(sheet, ball, drag=3.0))
    for _ in simulation.run(1.5):
        pass
    return simulation


def deepest_triangle(simulation: supple.Simulation) -> float:
    """Return how deep the middle of a triangle lies inside of the ball [m]; negative if none does."""
    middles = simulation.positions("cloth")[simulation.triangles("cloth")].mean(axis=1)
    return float((RADIUS - np.linalg.norm(middles, axis=1)).max())


def figure_4(path: Path) -> Numbers:
    """Show cloth on a ball without and with a threshold distance."""
    size, pictures, numbers = (330, 260), [], {}
    for name, threshold in (("without", 1e-4), ("with", 0.012)):
        simulation = laid_over_a_ball(threshold)
        figures = figures_of(simulation)
        camera = Camera.framing(all_points(figures), size, azimuth=0.5, elevation=0.55)
        pictures.append(render(figures, size, camera=camera))
        numbers[f"depth_mm_{name}"] = 1e3 * deepest_triangle(simulation)
    captions = ["threshold 0.1 mm", "threshold 12 mm"]
    save_pixels(contact_sheet(pictures, columns=2, gap=4, captions=captions), path)
    return numbers


def struck_edge(at: float, fall: float = 1.0) -> tuple[Array, Array]:
    """Return the velocities of an edge's two ends after it fell upon a thing that stands still [m/s], each (2, 2).

    The edge lies along x from 0 to 1 and is struck at `at`; k_f = k_d = 0. First by Eq. 7, which stops what
    moves along the normal, then with the rotation of Eq. 8.
    """
    arms = np.array([[at, 0.0], [at - 1.0, 0.0]])  # from each end to where it is struck
    velocities = np.array([[0.0, -fall], [0.0, -fall]])
    crossed = arms[:, 0] * velocities[:, 1] - arms[:, 1] * velocities[:, 0]
    omega = crossed.sum() / (arms**2).sum()
    turned = omega * np.stack([-arms[:, 1], arms[:, 0]], axis=1)
    return np.zeros((2, 2)), turned


def figure_5(path: Path) -> Numbers:
    """Draw velocities of a struck edge without and with rotation."""
    plot, both = axes(2, size=(6.5, 2.6))
    numbers = {}
    for axis, title, velocities in zip(
        both, ("Eq. 7: it stops", "Eq. 7 and 8: it turns"), struck_edge(0.25), strict=True
    ):
        axis.plot([0.0, 1.0], [0.0, 0.0], "o-", color=COLOURS[0], linewidth=3)
        axis.plot([0.25], [0.0], "^", color="black", markersize=10)
        axis.quiver(
            [0.0, 1.0], [0.0, 0.0], velocities[:, 0], velocities[:, 1], angles="xy", scale_units="xy", scale=2.0,
            color=COLOURS[1],
        )  # fmt: skip
        axis.set(title=title, xlim=(-0.2, 1.2), ylim=(-0.8, 0.5), xlabel="along the edge [m]")
        numbers["far_end" if "turns" in title else "stopped"] = float(velocities[1, 1])
    save_plot(plot, path)
    return numbers


def figure_6(path: Path) -> Numbers:
    """Show velocity changes of filter and jacobi."""
    draw(path)
    numbers = {}
    for stiffness, rate in ((200.0, 500.0), (200.0, 100.0), (200.0, 60.0), (10.0, 60.0)):
        changes = {name: velocity_changes(waved_flag(stiffness, rate), name) for name in ("filter", "jacobi")}
        cosine, ratio = agreement(changes["jacobi"], changes["filter"])
        numbers[f"cosine_{stiffness:g}_{rate:g}"] = cosine
        numbers[f"magnitude_{stiffness:g}_{rate:g}"] = ratio
    return numbers


def steps(path: Path) -> Numbers:
    """Draw how alike the two are from 0.5 ms to the frame step of 30 Hz."""
    rates = (2000.0, 1000.0, 500.0, 200.0, 100.0, 60.0, 30.0)
    plot, both = axes(2, size=(7.0, 2.8))
    for colour, stiffness in zip(COLOURS, (10.0, 50.0, 200.0), strict=False):
        found = [
            agreement(*(velocity_changes(waved_flag(stiffness, rate), name) for name in ("jacobi", "filter")))
            for rate in rates
        ]
        for axis, values in zip(both, np.array(found).T, strict=True):
            axis.semilogx(
                [1e3 / rate for rate in rates], values, "o-", color=colour, label=f"{stiffness:g} N/m"
            )
    for axis, label in zip(both, ("cosine", "magnitude, jacobi / filter"), strict=True):
        axis.set(xlabel="step [ms]", ylabel=label, ylim=(0.0, 1.05))
        axis.legend()
    save_plot(plot, path)
    return {"cosine_200_30": found[-1][0], "magnitude_200_30": found[-1][1]}


def figure_2(path: Path) -> Numbers:
    """Show the ribbons without and with air."""
    save_pixels(sequence("kang-ribbon", (0.5, 1.5, 2.5, 3.5), size=(230, 220)), path)
    return {}


def figure_3(path: Path) -> Numbers:
    """Show the flag."""
    save_pixels(sequence("kang-flag", (0.5, 1.0, 1.5, 2.0)), path)
    return {}


def self_collision(path: Path) -> Numbers:
    """Show a cloth that is folded over."""
    save_pixels(sequence("kang-self-collision", (0.1, 0.7, 1.2, 3.0)), path)
    return {}


FIGURES = {
    "kang-2": figure_2,
    "kang-3": figure_3,
    "kang-4": figure_4,
    "kang-5": figure_5,
    "kang-6": figure_6,
    "kang-6-steps": steps,
    "kang-self-collision": self_collision,
}
