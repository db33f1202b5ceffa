"""Environments and images: steps a second of a vector of environments, beside two peers, and milliseconds of an image."""

from __future__ import annotations

import contextlib
import statistics
import time

import numpy as np

import supple
import supple.learn
from benchmarks import peer_flex, peer_pypbd
from benchmarks.bars import Bar, Say, Section
from benchmarks.peer_flex import PeerFlex
from benchmarks.peer_pypbd import PeerCloth
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
    ours, peers = _steps_a_second()
    say("images")
    image = _image_ms()
    rows: list[tuple[str | float, ...]] = [(f"supple, {ENVIRONMENTS} environments on threads", ours)]
    bars = [Bar(name="image of 128 x 128", measured=image, rule="at most", limit=10.0, unit="ms")]
    notes = [
        f"A step is {FRAMES} frames of 20 ms: velocity control of a {SIDE} x {SIDE} cloth on a floor.",
        f"The best of {ROUNDS} rounds in turn, so that load from outside counts less.",
    ]
    for name, steps in peers.items():
        rows.append((f"{name}, the same cloth falling freely", steps))
        bars.append(
            Bar(name=f"steps over those of {name}", measured=ours / steps, rule="at least", limit=5.0)
        )
    if peers:
        notes.append("Peers have no floor to meet, which is in their favour, and one thread for one cloth.")
    notes += [
        peer.INSTALL_HINT
        for name, peer in (("pypbd", peer_pypbd), ("MuJoCo", peer_flex))
        if name not in peers
    ]
    return Section(
        title="Environments for learning",
        columns=("engine", "steps a second"),
        rows=tuple(rows),
        bars=tuple(bars),
        notes=tuple(notes),
    )


def _steps_a_second() -> tuple[float, dict[str, float]]:
    """Return steps a second of the vector, and of the peers that are installed, by name."""
    vector = supple.learn.ThreadVectorEnvironment(
        ENVIRONMENTS, task="Fold", control="velocity", points=SIDE, max_episode_steps=10**6
    )
    vector.reset(seed=0)
    random = np.random.default_rng(0)
    ours: list[float] = []
    theirs: dict[str, list[float]] = {}
    with contextlib.ExitStack() as stack:
        cloth = stack.enter_context(PeerCloth(SIDE)) if peer_pypbd.is_available() else None
        flex = stack.enter_context(PeerFlex(SIDE)) if peer_flex.is_available() else None
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            for _ in range(STEPS):
                vector.step(random.uniform(-1.0, 1.0, (ENVIRONMENTS, 4)).astype(np.float32))
            ours.append(STEPS * ENVIRONMENTS / (time.perf_counter() - begun))
            if cloth is not None:
                cloth.reset()
                taken = sum(cloth.advance(STEPS * FRAMES).wall_ms)
                theirs.setdefault("pypbd", []).append(STEPS / (1e-3 * taken))
            if flex is not None:
                taken = sum(flex.advance(STEPS * FRAMES))
                theirs.setdefault("MuJoCo", []).append(STEPS / (1e-3 * taken))
    vector.close()
    return max(ours), {name: max(rates) for name, rates in theirs.items()}


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
