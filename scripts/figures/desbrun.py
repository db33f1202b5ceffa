"""Figures 3, 4 and 5 of Desbrun 1999, and its comparison with conjugate gradients."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import supple
from scripts.figures.sheets import COLOURS, Numbers, axes, save_pixels, save_plot, sequence
from supple.record.pictures.camera import Camera
from supple.record.pictures.picture import contact_sheet, figures_of, render
from supple.record.pictures.stage import all_points

Array = NDArray[np.float64]


def filter_row(points: int, ratio: float) -> Array:
    """Return the middle row of W = (I - dt²/m H)⁻¹ of a chain, with `ratio` = k dt² / m [-]; (points,)."""
    laplacian = np.diag(np.full(points - 1, 1.0), 1) + np.diag(np.full(points - 1, 1.0), -1)
    laplacian -= np.diag(laplacian.sum(axis=1))
    row: Array = np.linalg.inv(np.eye(points) - ratio * laplacian)[points // 2]
    return row


def figure_3(path: Path) -> Numbers:
    """Draw filters from Dirac to constant."""
    plot, (left,) = axes(size=(6.0, 3.0))
    numbers = {}
    for colour, ratio in zip(COLOURS, (0.01, 1.0, 30.0, 1e5), strict=False):
        row = filter_row(41, ratio)
        left.plot(np.arange(41) - 20, row, ".-", color=colour, label=f"k dt² / m = {ratio:g}")
        numbers[f"peak_{ratio:g}"] = float(row.max())
    numbers["constant"] = 1.0 / 41.0
    left.set_xlabel("mass point")
    left.set_ylabel("weight")
    left.legend()
    save_plot(plot, path)
    return numbers


def pulled(force: float, stiffness: float, limit: float) -> float:
    """Return by how much a spring of 1 m is stretched [-] that carries a force [N], with the limiter on top."""
    spring = supple.Network(
        points=[[0.0, 0.0, 0.0], [0.0, -1.0, 0.0]],
        springs=[[0, 1]],
        stiffness=stiffness,
        mass=1.0,
        stretch_limit=limit,
    )
    scene = supple.Scene(spring.pinned(0), gravity=(0.0, -force, 0.0), drag=6.0)
    simulation = supple.Simulation(scene, integrator="filter", substeps=1, limiter_iterations=50)
    for _ in simulation.run(4.0):
        pass
    return float(-1.0 - simulation.positions("network")[1, 1])


def force_curve(stiffness: float = 10.0, limit: float = 0.1) -> tuple[Array, Array]:
    """Return forces [N] and the stretch [-] they cause."""
    forces = np.linspace(0.0, 2.0 * stiffness * limit, 13)
    return forces, np.array([pulled(force, stiffness, limit) for force in forces])


def figure_4(path: Path) -> Numbers:
    """Draw force against displacement of a spring with the limiter."""
    forces, stretches = force_curve()
    plot, (left,) = axes(size=(5.0, 3.0))
    left.plot(100 * stretches, forces, "o-", color=COLOURS[0], label="with the limiter, d_max = 10 %")
    left.plot(100 * forces / 10.0, forces, "--", color=COLOURS[1], label="spring alone, 10 N/m")
    left.set_xlabel("displacement [%]")
    left.set_ylabel("force [N]")
    left.legend()
    save_plot(plot, path)
    return {
        "stretch_at_half_percent": 100 * float(np.interp(0.5, forces, stretches)),
        "stretch_at_double_percent": 100 * float(stretches[-1]),
    }


def grabbed(iterations: int) -> supple.Simulation:
    """Return a hanging cloth one printed step after a hand has pulled a point of it away by 20 cm."""
    material = supple.Material(
        area_density=0.15,
        stretch_stiffness=20.0,
        shear_stiffness=5.0,
        bending_stiffness=0.0,
        stretch_limit=0.1,
    )
    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=16, rows=16, material=material)
    simulation = supple.Simulation(
        supple.Scene(sheet.pinned("top-left", "top-right")),
        integrator="filter",
        predictor="current",
        substeps=1,
        limiter_iterations=iterations,
    )
    place = simulation.positions("cloth")[8 * 16 + 8] + (0.0, 0.0, 0.2)
    simulation.grab("cloth", vertex=8 * 16 + 8, target=place)
    simulation.step()
    return simulation


def figure_5(path: Path) -> Numbers:
    """Show a grabbed cloth after one step, without and with the post-correction."""
    size, pictures, numbers = (330, 290), [], {}
    for name, iterations in (("before", 0), ("after", 60)):
        simulation = grabbed(iterations)
        figures = figures_of(simulation)
        camera = Camera.framing(all_points(figures), size, azimuth=1.0, elevation=0.25)
        pictures.append(render(figures, size, camera=camera))
        ends, points = simulation.edges("cloth"), simulation.positions("cloth")
        rest = np.linalg.norm(np.diff(simulation.scene.bodies[0].start_points()[ends], axis=1)[:, 0], axis=1)
        length = np.linalg.norm(points[ends[:, 0]] - points[ends[:, 1]], axis=1)
        threads = rest < 0.07  # along the weave; the diagonals are longer
        numbers[f"stretch_{name}"] = float((length / rest)[threads].max())
    captions = [f"{name}: longest thread x {numbers[f'stretch_{name}']:.2f}" for name in ("before", "after")]
    save_pixels(contact_sheet(pictures, columns=2, gap=4, captions=captions), path)
    return numbers


def conjugate_gradients(path: Path) -> Numbers:
    """Draw how much longer one exact solve takes than the filter, at 121, 256 and 400 masses."""
    from benchmarks.against_implicit import OneSolve
    from benchmarks.cloth import OurCloth
    from benchmarks.race import race

    sides, numbers = (11, 16, 20), {}
    for side in sides:
        found = race(
            {"filter": OurCloth(side, "filter", substeps=1), "exact": OneSolve(side, "implicit", substeps=1)},
            repeats=3,
        )
        numbers[f"ratio_{side**2}"] = found["exact"].cpu_ms / found["filter"].cpu_ms
        numbers[f"filter_ms_{side**2}"] = found["filter"].cpu_ms
        numbers[f"exact_ms_{side**2}"] = found["exact"].cpu_ms
    plot, (left,) = axes(size=(5.0, 3.0))
    masses = [side**2 for side in sides]
    left.plot(masses, [numbers[f"ratio_{count}"] for count in masses], "o-", color=COLOURS[0], label="ours")
    left.axhline(10.0, color=COLOURS[1], linestyle="--", label="the paper: 10 on average")
    left.set_xlabel("masses")
    left.set_ylabel("exact solve / filter")
    left.set_ylim(bottom=0.0)
    left.legend()
    save_plot(plot, path)
    return numbers


def figure_8(path: Path) -> Numbers:
    """Show the scarf as it slides in between two obstacles."""
    save_pixels(sequence("desbrun-scarf", (0.1, 0.8, 1.6, 2.4)), path)
    return {}


FIGURES = {
    "desbrun-3": figure_3,
    "desbrun-4": figure_4,
    "desbrun-5": figure_5,
    "desbrun-8": figure_8,
    "desbrun-conjugate-gradients": conjugate_gradients,
}
