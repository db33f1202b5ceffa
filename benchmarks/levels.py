"""Levels of detail: the liver against its finest mesh everywhere, and a session of pokes within a budget."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from benchmarks.bars import Bar, Say, Section
from supple import Scene, Simulation, find_scene
from supple.scene.bodies.refinement import Refine

CELL, ABOVE = 0.007, 0.0005
"""Of the liver that is compared: finest cell [m], and error above which nodes are split [m]."""

PRESSED, RELEASED, FRAMES = 20, 102, 140
"""Frames at which the probe has met the organ, has left it, and the comparison ends."""

BUDGET_MS = 15.0
"""What a frame of the session may take [ms]."""

SESSION, POKE = 3000, 25
"""Frames of the session, 60 s, and of a poke."""


def levels(say: Say) -> Section:
    """Compare the adaptive liver with its finest mesh, then poke it at random."""
    finest, all_updates, _ = _played(_liver(CELL, Refine(floor=2)), "finest mesh", say)
    adaptive, updates, counts = _played(_liver(CELL, Refine(floor=1, above=ABOVE)), "adaptive", say)
    largest = float(np.linalg.norm(finest, axis=2).max())
    away = np.linalg.norm(adaptive - finest, axis=2).max(axis=1) / largest
    total = np.sqrt(np.sum((adaptive - finest) ** 2, axis=(1, 2)) / np.sum(finest**2, axis=(1, 2)).max())
    pressing, ringing = slice(PRESSED, RELEASED), slice(RELEASED, FRAMES)
    share = float(updates[pressing].mean() / all_updates[pressing].mean())
    wall, cpu, held_back = _session(say)
    rows = tuple(
        (name, 100.0 * float(away[span].max(initial=0.0)), 100.0 * float(total[span].max(initial=0.0)))
        for name, span in (("pressed", pressing), ("ringing", ringing))
    )
    return Section(
        title="Levels of detail, a liver under a probe",
        columns=("while", "largest error [% of the largest displacement]", "root mean square [%]"),
        rows=rows,
        bars=(
            Bar(name="largest error while pressed", measured=rows[0][1], rule="at most", limit=5.0, unit="%"),
            Bar(
                name="largest error while ringing", measured=rows[1][1], rule="at most", limit=10.0, unit="%"
            ),
            Bar(
                name="node updates while pressed",
                measured=100.0 * share,
                rule="at most",
                limit=20.0,
                unit="%",
            ),
            Bar(
                name=f"frames of the session within {BUDGET_MS:g} ms",
                measured=100.0 * float(np.mean(wall <= BUDGET_MS)),
                rule="at least",
                limit=99.0,
                unit="%",
            ),
        ),
        notes=(
            f"Compared: {counts} nodes of three levels, the middle one everywhere, against the finest everywhere.",
            f"Session: 60 s of random pokes. Milliseconds a frame: {np.median(wall):.1f} in the middle, "
            f"{np.percentile(wall, 99.0):.1f} at 99 %; CPU within the budget in {100.0 * np.mean(cpu <= BUDGET_MS):.1f} %. "
            f"Splitting was held back in {100.0 * held_back:.0f} % of the frames.",
        ),
    )


def _liver(cell: float, refine: Refine) -> Scene:
    scene = find_scene("liver")
    body = scene.bodies[0]
    shape = body.shape.changed(cell=cell)  # type: ignore[union-attr]
    settings = scene.settings.changed(budget_updates=None)
    return scene.changed(bodies=(body.changed(shape=shape, refine=refine),), settings=settings)


def _played(scene: Scene, label: str, say: Say) -> tuple[NDArray[np.float64], NDArray[np.int64], str]:
    """Return displacements (frames, points, 3) [m], node updates (frames,) and the nodes in use at the most."""
    simulation = Simulation(scene)
    start = simulation.positions("liver").copy()
    ways, updates = [], []
    most: tuple[int, ...] = (0,)
    for frame in range(FRAMES):
        if frame % 20 == 0:
            say(f"{label}, frame {frame}")
        report = simulation.step()
        ways.append(simulation.positions("liver") - start)
        updates.append(report.node_updates)
        most = max(most, report.level_nodes, key=sum)
    return np.array(ways), np.array(updates), " + ".join(f"{count:,}" for count in most)


def _session(say: Say) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Return the time and the CPU time of every frame [ms], and the share of frames in which splitting was held back."""
    scene = find_scene("liver")
    settings = scene.settings.changed(budget_updates=None, budget_ms=BUDGET_MS)
    probe = scene.obstacles[0].changed(motion=None)
    # The budget decides how fine it gets, so nothing but the coarsest level is kept for good.
    body = scene.bodies[0].changed(refine=Refine(above=ABOVE))
    simulation = Simulation(scene.changed(bodies=(body,), settings=settings, obstacles=(probe,)))
    random = np.random.default_rng(0)
    wall, cpu, held_back = [], [], 0
    for frame in range(SESSION):
        if frame % POKE == 0:
            say(f"session, frame {frame}")
            place = np.array((random.uniform(-0.08, 0.04), 0.13, random.uniform(-0.03, 0.03)))
            depth = random.uniform(0.03, 0.06)
        way = np.sin(np.pi * (frame % POKE) / POKE)
        simulation.move_obstacle("probe", tuple(place - (0.0, way * depth, 0.0)))
        begun = time.thread_time()
        report = simulation.step()
        if frame > 2:  # the first frames compile
            wall.append(report.milliseconds)
            cpu.append(1e3 * (time.thread_time() - begun))
            held_back += report.status == "held-back"
    return np.array(wall), np.array(cpu), held_back / max(len(wall), 1)
