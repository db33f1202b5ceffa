"""Air: what wind, gusts and shadows add to a frame."""

from __future__ import annotations

import time

import numpy as np

import supple
from benchmarks.bars import Bar, Say, Section

SIDE = 64
"""Points along a side of the cloth."""

FRAMES = 50
"""Frames that are timed, after as many that are not."""


def air(say: Say) -> Section:
    """Time the air stage of a cloth in a gusty wind behind three obstacles, and each part of it."""
    scene = windy_scene()
    simulation = supple.Simulation(scene)
    say("warming up")
    for _ in range(FRAMES):
        simulation.step()
    say("frames")
    stages: dict[str, list[float]] = {}
    for _ in range(FRAMES):
        report = simulation.step()
        for stage, milliseconds in report.stage_milliseconds.items():
            stages.setdefault(stage, []).append(milliseconds)
    # Medians of each stage: what another process takes now and then belongs to none of them.
    typical = {stage: float(np.median(values)) for stage, values in stages.items()}
    frame = sum(typical.values())
    say("parts")
    flow = simulation._air
    step = simulation.frame_seconds / report.substeps
    rows = (
        *((f"stage {stage}", milliseconds) for stage, milliseconds in typical.items()),
        ("frame", frame),
        ("panels, one substep", 1e3 * _cpu_seconds(lambda: flow.push(step))),
        ("wind and shadows, once a frame", 1e3 * _cpu_seconds(flow.begin_frame)),
    )
    return Section(
        title="Air: 64 x 64 points in a gusty wind, three obstacles",
        columns=("what", "ms"),
        rows=rows,
        bars=(
            Bar(
                name="air stage of a frame, shadows included",
                measured=100.0 * typical["air"] / frame,
                rule="at most",
                limit=25.0,
                unit="%",
            ),
        ),
        notes=("Stages by the clock, medians of 50 frames; parts in CPU time, the best of 20.",),
    )


def windy_scene() -> supple.Scene:
    """Return a cloth that hangs by its top edge in the wind behind a moving sphere, a box and a pole."""
    cloth = supple.Cloth.rectangle(width=1.0, height=1.0, columns=SIDE, rows=SIDE, material="cotton")
    swing = supple.Path(
        keyframes=(
            supple.Keyframe(time=0.0),
            supple.Keyframe(time=1.0, offset=(0.6, 0.0, 0.0), rotation=(0.0, 1.5, 0.0)),
            supple.Keyframe(time=2.0),
        ),
        repeat=True,
    )
    return supple.Scene(
        cloth.pinned("top"),
        supple.Ellipsoid(radii=(0.2, 0.3, 0.15), at=(-0.3, 0.0, -0.8), motion=swing),
        supple.Box(size=(0.3, 0.3, 0.1), at=(0.3, -0.2, -0.6)),
        supple.Capsule(start=(0.0, -0.6, -0.5), end=(0.0, 0.6, -0.5), radius=0.03),
        supple.Wind(velocity=(1.0, 0.0, 4.0), gusts=0.3),
    )


def _cpu_seconds(action: object, repeats: int = 20) -> float:
    assert callable(action)
    best = np.inf
    for _ in range(repeats):
        start = time.thread_time()
        action()
        best = min(best, time.thread_time() - start)
    return float(best)
