"""Environments and images: steps a second of a vector of environments, beside the peer, and milliseconds of an image."""

from __future__ import annotations

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
STEPS = 40
IMAGES = 50


def environments(say: Say) -> Section:
    """Measure steps a second and the time of an image."""
    say("environments")
    ours = _steps_a_second()
    say("images")
    image = _image_ms()
    rows: list[tuple[str | float, ...]] = [(f"supple, {ENVIRONMENTS} environments on threads", ours)]
    bars = [Bar(name="image of 128 x 128", measured=image, rule="at most", limit=10.0, unit="ms")]
    notes = [f"A step is {FRAMES} frames of 20 ms: velocity control of a {SIDE} x {SIDE} cloth on a floor."]
    if is_available():
        say("peer")
        peer = _peer_steps_a_second()
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


def _steps_a_second() -> float:
    vector = supple.learn.ThreadVectorEnvironment(
        ENVIRONMENTS, task="Fold", control="velocity", points=SIDE, max_episode_steps=10**6
    )
    vector.reset(seed=0)
    random = np.random.default_rng(0)
    actions = random.uniform(-1.0, 1.0, (STEPS + 5, ENVIRONMENTS, 4)).astype(np.float32)
    for action in actions[:5]:
        vector.step(action)
    begun = time.perf_counter()
    for action in actions[5:]:
        vector.step(action)
    seconds = time.perf_counter() - begun
    vector.close()
    return STEPS * ENVIRONMENTS / seconds


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


def _peer_steps_a_second() -> float:
    with PeerCloth(SIDE) as peer:
        peer.advance(10)
        log = peer.advance(STEPS * FRAMES)
    return STEPS / (1e-3 * sum(log.wall_ms))
