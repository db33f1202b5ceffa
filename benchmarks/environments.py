"""Environments and images: steps a second of a vector of environments, beside the peer, and milliseconds of an image."""

from __future__ import annotations

import contextlib
import statistics
import time

import numpy as np

import supple
import supple.learn
from benchmarks.bars import Bar, Say, Section
from benchmarks.peer_pypbd import INSTALL_HINT, PeerCloth, is_available
from supple.learn.environment import FRAMES

SIDE = 20
"""Points along a side of the cloth."""

ENVIRONMENTS = 8
STEPS = 10
ROUNDS = 8
IMAGES = 50


def environments(say: Say) -> Section:
    """Measure steps a second and the time of an image."""
    say("environments")
    ours, peer = _steps_a_second()
    say("images")
    image = _image_ms()
    rows: list[tuple[str | float, ...]] = [(f"supple, {ENVIRONMENTS} environments on threads", ours)]
    bars = [Bar(name="image of 128 x 128", measured=image, rule="at most", limit=10.0, unit="ms")]
    notes = [
        f"A step is {FRAMES} frames of 20 ms: velocity control of a {SIDE} x {SIDE} cloth on a floor.",
        f"The best of {ROUNDS} rounds in turn, so that load from outside counts less.",
    ]
    if peer is not None:
        rows.append(("pypbd, the same cloth falling freely", peer))
        bars.append(Bar(name="steps over those of pypbd", measured=ours / peer, rule="at least", limit=5.0))
        notes.append(
            "The peer has no floor to meet, which is in its favour, and one thread, which is its best case."
        )
    else:
        notes.append(INSTALL_HINT)
    return Section(
        title="Environments for learning",
        columns=("engine", "steps a second"),
        rows=tuple(rows),
        bars=tuple(bars),
        notes=tuple(notes),
    )


def _steps_a_second() -> tuple[float, float | None]:
    """Return steps a second of the vector and of the peer; None if there is no peer."""
    vector = supple.learn.ThreadVectorEnvironment(
        ENVIRONMENTS, task="Fold", control="velocity", points=SIDE, max_episode_steps=10**6
    )
    vector.reset(seed=0)
    random = np.random.default_rng(0)
    ours, theirs = [], []
    with contextlib.ExitStack() as stack:
        peer = stack.enter_context(PeerCloth(SIDE)) if is_available() else None
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            for _ in range(STEPS):
                vector.step(random.uniform(-1.0, 1.0, (ENVIRONMENTS, 4)).astype(np.float32))
            ours.append(STEPS * ENVIRONMENTS / (time.perf_counter() - begun))
            if peer is not None:
                peer.reset()
                theirs.append(STEPS / (1e-3 * sum(peer.advance(STEPS * FRAMES).wall_ms)))
    vector.close()
    return max(ours), max(theirs, default=None)


def _image_ms() -> float:
    scene = supple.Scene(
        supple.Cloth.rectangle(width=1.0, height=1.0, columns=40, rows=40, plane="xz", at=(0.0, 0.7, 0.0)),
        supple.Sphere(radius=0.3, at=(0.0, 0.3, 0.0)),
        supple.Plane(),
    )
    simulation = supple.Simulation(scene)
    for _ in range(20):
        simulation.step()
    times = []
    for _ in range(IMAGES):
        begun = time.perf_counter()
        simulation.image(size=(128, 128))
        times.append(time.perf_counter() - begun)
    return 1e3 * statistics.median(times)
