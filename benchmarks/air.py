"""Air: what wind, gusts and shadows add to a frame."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import supple
from benchmarks.bars import Bar, Say, Section

SIDE = 64
"""Points along a side of the cloth."""

FRAMES = 50
"""Frames that are timed, after as many that are not."""


class Meter:
    """Adds up the CPU time of calls."""

    def __init__(self) -> None:
        """Start at zero."""
        self.seconds = 0.0

    def of(self, action: Callable[..., Any]) -> Callable[..., Any]:
        """Return the action, metered."""

        def metered(*arguments: Any) -> Any:
            start = time.thread_time()
            answer = action(*arguments)
            self.seconds += time.thread_time() - start
            return answer

        return metered


def air(say: Say) -> Section:
    """Time the air stage of a cloth in a gusty wind behind three obstacles."""
    simulation = supple.Simulation(windy_scene())
    say("warming up")
    for _ in range(FRAMES):
        simulation.step()
    flow = simulation.engine.air
    triangles, wind = Meter(), Meter()
    flow.push = triangles.of(flow.push)  # type: ignore[method-assign]
    flow.begin_frame = wind.of(flow.begin_frame)  # type: ignore[method-assign]
    frames, parts = [], []
    for frame in range(FRAMES):
        say(f"frame {frame + 1} of {FRAMES}")
        triangles.seconds = wind.seconds = 0.0
        start = time.thread_time()
        simulation.step()
        frames.append(time.thread_time() - start)
        parts.append((triangles.seconds, wind.seconds))
    whole = 1e3 * np.array(frames)
    push, blow = 1e3 * np.array(parts).T
    return Section(
        title=f"Air: {SIDE} x {SIDE} points in a gusty wind behind three obstacles, one of them moving",
        columns=("what", "ms"),
        rows=(
            ("frame", float(np.median(whole))),
            ("triangles, all substeps", float(np.median(push))),
            ("gusts and shadows, once a frame", float(np.median(blow))),
        ),
        bars=(
            Bar(
                name="air stage of a frame, shadows included",
                measured=100.0 * float(np.median((push + blow) / whole)),
                rule="at most",
                limit=25.0,
                unit="%",
            ),
        ),
        notes=(f"CPU time of {FRAMES} frames, medians; 10 substeps a frame.",),
    )


def windy_scene() -> supple.Scene:
    """Return a cloth that hangs by its top edge in the wind behind a moving ellipsoid, a box and a pole."""
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
