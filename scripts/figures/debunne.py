"""Figures 4a and 6a of Debunne 2000, and its time against active nodes."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import supple
from scripts.figures.sheets import COLOURS, Numbers, axes, save_pixels, save_plot, sequence

Array = NDArray[np.float64]


def corner_heights(scene: str = "debunne-cube", seconds: float = 6.0) -> tuple[Array, dict[str, Array]]:
    """Return times [s] and the displacement of a lower free corner of every cube [m]."""
    simulation = supple.Simulation(supple.find_scene(scene))
    corners, heights = {}, {}
    for body in simulation.body_names:
        start = simulation.positions(body)
        is_corner = (start[:, 0] > start[:, 0].max() - 1e-9) & (start[:, 1] < start[:, 1].min() + 1e-9)
        corners[body] = int(np.flatnonzero(is_corner)[0]), float(start[is_corner][0, 1])
        heights[body] = [0.0]
    times = [0.0]
    for report in simulation.run(seconds):
        times.append(report.time)
        for body, (corner, start) in corners.items():
            heights[body].append(float(simulation.positions(body)[corner, 1]) - start)
    return np.array(times), {body: np.array(values) for body, values in heights.items()}


def figure_4(path: Path) -> Numbers:
    """Draw the vertical displacement of a corner of the cube at three resolutions."""
    times, heights = corner_heights()
    plot, (left,) = axes(size=(6.0, 3.2))
    numbers = {}
    for colour, values, count in zip(COLOURS, heights.values(), (27, 57, 135), strict=False):
        left.plot(times, values, color=colour, label=f"{count} points")
        numbers[f"rest_{count}"] = float(values[-1])
        numbers[f"first_low_s_{count}"] = float(times[values.argmin()])
    left.set_xlabel("time [s]")
    left.set_ylabel("vertical displacement [m]")
    left.legend()
    save_plot(plot, path)
    return numbers


def volume_when_stretched(poisson: float, stretch: float = 0.2) -> float:
    """Return the volume of a bar over that at rest [-] when it is pulled longer by a share [-]."""
    material = supple.SoftMaterial(young=2.0e4, poisson=poisson, density=1000.0, damping=40.0)
    bar = supple.SoftBody.box((0.4, 0.1, 0.1), 0.05, material=material)
    path = supple.Path(keyframes=(
        supple.Keyframe(time=0.0), supple.Keyframe(time=0.5, offset=(0.4 * stretch, 0.0, 0.0)),
    ))  # fmt: skip
    ends = bar.pinned(box=((-0.3, -1.0, -1.0), (-0.199, 1.0, 1.0)))
    ends = ends.pinned(box=((0.199, -1.0, -1.0), (0.3, 1.0, 1.0)), path=path)
    simulation = supple.Simulation(supple.Scene(ends, gravity=(0.0, 0.0, 0.0), drag=2.0))
    tetrahedra = bar.tetrahedra()

    def volume() -> float:
        a, b, c, d = simulation.positions("soft")[tetrahedra].transpose(1, 0, 2)
        return float(np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a).sum() / 6.0)

    before = volume()
    for _ in simulation.run(1.5):
        pass
    return volume() / before


def figure_6(path: Path) -> Numbers:
    """Draw the volume of a stretched bar against Poisson's ratio."""
    ratios = (0.0, 0.1, 0.2, 0.3, 0.4, 0.45, 0.49)
    volumes = [volume_when_stretched(ratio) for ratio in ratios]
    plot, (left,) = axes(size=(5.0, 3.0))
    left.plot(ratios, volumes, "o-", color=COLOURS[0], label="bar pulled by 20 %")
    left.axhline(1.0, color=COLOURS[1], linestyle="--", label="volume kept")
    left.set_xlabel("Poisson's ratio")
    left.set_ylabel("volume / volume at rest")
    left.legend()
    save_plot(plot, path)
    return {f"volume_{ratio:g}": volume for ratio, volume in zip(ratios, volumes, strict=True)}


def liver(path: Path) -> Numbers:
    """Show the organ under its probe, coloured by the level of detail."""
    save_pixels(sequence("debunne-liver", (0.2, 0.5, 1.2, 2.4), colour_by="level"), path)
    return {}


def active_nodes(path: Path) -> Numbers:
    """Draw the processor time of frames against the node updates they made, at several budgets."""
    updates, costs = [], []
    for budget in (1_000, 3_000, 6_000, 12_000, 24_000):
        simulation = supple.Simulation(supple.find_scene("debunne-liver"), budget_updates=budget)
        for _ in simulation.run(0.8):
            pass
        made, taken = [], []
        for _ in range(20):
            begun = time.process_time()
            report = simulation.step()
            taken.append(1e3 * (time.process_time() - begun))
            made.append(report.node_updates)
        updates.append(float(np.median(made)))
        costs.append(float(np.min(taken)))
    price, base = np.polyfit(updates, costs, 1)
    plot, (left,) = axes(size=(5.0, 3.0))
    left.plot(updates, costs, "o", color=COLOURS[0])
    ends = np.array([0.0, max(updates)])
    left.plot(
        ends, base + price * ends, "--", color=COLOURS[1], label=f"{base:.1f} ms + {1e3 * price:.2f} µs each"
    )
    left.set_xlabel("node updates in a frame")
    left.set_ylabel("processor time of a frame [ms]")
    left.legend()
    save_plot(plot, path)
    return {
        "base_ms": float(base),
        "update_microseconds": 1e3 * float(price),
        "correlation": float(np.corrcoef(updates, costs)[0, 1]),
    }


FIGURES = {
    "debunne-4a": figure_4,
    "debunne-6a": figure_6,
    "debunne-6b": liver,
    "debunne-active-nodes": active_nodes,
}
