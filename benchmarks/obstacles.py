"""Obstacles: what a query costs, whatever the mesh; the share of a frame; building and loading maps."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import supple
from benchmarks.bars import Bar, Say, Section
from supple.collide.distance_map.disk_cache import load_map, save_map
from supple.collide.distance_map.distance_map import DistanceMap, map_distances, pack_maps
from supple.forces.springs import add_spring_forces
from supple.scene.obstacles.mesh_obstacle import generated
from supple.scene.obstacles.tessellate import swept

SIDE = 64
"""Points along a side of the cloth."""

CROWDS = (1, 4, 16, 64)
"""Obstacles at rest, of which the cloth touches one."""

VOXELS = 64
"""Voxels along the longest side of the map whose building is timed."""


def obstacles(say: Say) -> Section:
    """Time queries, the collision stage and the making of maps."""
    figures = _measured(say)
    return Section(
        title="Obstacles",
        columns=("what", "ms"),
        rows=_rows(figures),
        bars=_bars(figures),
        notes=(
            "Points around lie anywhere in a box about the mesh, those at the surface within 2 cm of it.",
            "A contact pass asks again only where cloth has left the tangent plane of its last contact.",
        ),
    )


@dataclass(frozen=True, kw_only=True)
class _Figures:
    """What was measured; times in seconds, by the size of the mesh where that matters."""

    springs: float
    """One pass of spring forces over the cloth."""

    passes: dict[str, float]
    """One contact pass of draped cloth."""

    crowds: dict[int, float]
    """The same among so many obstacles at rest."""

    around: dict[str, float]
    """4,096 queries anywhere around the mesh."""

    queries: dict[str, float]
    """4,096 queries at its surface."""

    builds: dict[str, float]
    """Building a map of 64 voxels."""

    load: float
    """Loading one."""

    share: float
    """Part of a frame that is spent on obstacles [-]."""

    frame: float
    """A frame on three obstacles."""

    fine_map: float
    """Size of the map of the mannequin [MB]."""


def _measured(say: Say) -> _Figures:
    cloth = supple.Cloth.rectangle(
        width=1.0, height=1.0, columns=SIDE, rows=SIDE, plane="xz", at=(0, 0.36, 0), material="cotton"
    )
    say("spring forces")
    springs = _spring_pass(cloth)
    maps: dict[str, DistanceMap] = {}
    builds, passes = {}, {}
    DistanceMap.build(*bumpy_ball(12), 0.05)  # compiles what building needs
    for label, meridians in (("10 k", 71), ("200 k", 316)):
        vertices, triangles = bumpy_ball(meridians)
        say(f"map of {label} triangles")
        start = time.perf_counter()
        maps[label] = DistanceMap.build(vertices, triangles, float(np.ptp(vertices, axis=0).max()) / VOXELS)
        builds[label] = time.perf_counter() - start
        passes[label] = _contact_pass(cloth, supple.Mesh((vertices, triangles), friction=0.4))
        if label == "10 k":
            say("many obstacles")
            mesh = supple.Mesh((vertices, triangles), friction=0.4)
            crowds = {count: _contact_pass(cloth, mesh, count - 1) for count in CROWDS}
    say("queries")
    queries = _query_passes(maps, _points_near())
    around = _query_passes(maps, np.random.default_rng(1).uniform(-0.4, 0.4, (SIDE * SIDE, 3)))
    say("loading")
    load = _loading(maps["10 k"])
    say("a frame with three obstacles")
    share, frame = _collision_share(cloth)
    say("a fine map of the mannequin")
    fine = DistanceMap.build(*generated("mannequin"), 1.75 / 256)
    return _Figures(
        springs=springs,
        passes=passes,
        crowds=crowds,
        around=around,
        queries=queries,
        builds=builds,
        load=load,
        share=share,
        frame=frame,
        fine_map=fine.byte_count / 1e6,
    )


def _rows(figures: _Figures) -> tuple[tuple[str, float], ...]:
    by_mesh = (
        ("contact pass of draped cloth, {} triangles", figures.passes),
        ("contact pass among {} obstacles at rest", figures.crowds),
        ("4,096 queries around, {} triangles", figures.around),
        ("4,096 queries at the surface, {} triangles", figures.queries),
        ("map of 64 voxels, {} triangles, built", figures.builds),
    )
    return (
        ("spring forces, 64 x 64", 1e3 * figures.springs),
        *((text.format(label), 1e3 * seconds) for text, times in by_mesh for label, seconds in times.items()),
        ("map of 10 k triangles loaded", 1e3 * figures.load),
        ("frame of 64 x 64 on three obstacles", 1e3 * figures.frame),
    )


def _bars(figures: _Figures) -> tuple[Bar, ...]:
    small, large = "10 k", "200 k"
    passes, around, queries = figures.passes, figures.around, figures.queries
    asked: tuple[tuple[str, float, float, str], ...] = (
        ("raw queries around over spring forces", around[small] / figures.springs, 1.0, ""),
        ("contact pass over spring forces", passes[small] / figures.springs, 1.0, ""),
        ("contact pass, 64 obstacles at rest over 4", figures.crowds[64] / figures.crowds[4], 1.5, ""),
        ("contact pass, 200 k over 10 k", passes[large] / passes[small], 1.1, ""),
        ("queries around, 200 k over 10 k", around[large] / around[small], 1.1, ""),
        ("queries at the surface, 200 k over 10 k", queries[large] / queries[small], 1.1, ""),
        ("collision stage of a frame", 100.0 * figures.share, 25.0, "%"),
        ("map of 10 k triangles built", figures.builds[small], 3.0, "s"),
        ("map loaded", 1e3 * figures.load, 50.0, "ms"),
        ("mannequin, 256 voxels", figures.fine_map, 100.0, "MB"),
    )
    return tuple(
        Bar(name=name, measured=measured, rule="at most", limit=limit, unit=unit)
        for name, measured, limit, unit in asked
    )


def bumpy_ball(around: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return a ball with shallow bumps, of about 2 around² triangles, vertices [m] and triangles."""
    angles = np.linspace(-0.5 * np.pi, 0.5 * np.pi, around + 1)[1:-1]
    vertices, triangles = swept(0.3 * np.column_stack([np.cos(angles), np.sin(angles)]), around)
    poles = np.array([[0.0, -0.3, 0.0], [0.0, 0.3, 0.0]])
    low = np.arange(around)
    high = low + len(vertices) - around
    south, north = len(vertices), len(vertices) + 1
    caps = np.concatenate(
        [
            np.column_stack([np.full(around, south), np.roll(low, -1), low]),
            np.column_stack([np.full(around, north), high, np.roll(high, -1)]),
        ]
    )
    points = np.concatenate([vertices, poles])
    bumps = 1.0 + 0.01 * np.sin(40.0 * points[:, :1]) * np.sin(40.0 * points[:, 1:2])
    return points * bumps, np.concatenate([triangles, caps])


def _best(act: Callable[[], Any], repeats: int = 200) -> float:
    """Return the shortest time of one call [s]."""
    act()
    best = np.inf
    for _ in range(repeats):
        start = time.perf_counter()
        act()
        best = min(best, time.perf_counter() - start)
    return float(best)


def _spring_pass(cloth: supple.Cloth) -> float:
    world = supple.Simulation(supple.Scene(cloth)).engine.world
    particles, springs = world.particles, world.springs.arrays
    forces = np.zeros_like(particles.positions)
    return _best(lambda: add_spring_forces(particles.positions, particles.velocities, springs, forces))


def _points_near() -> np.ndarray[Any, Any]:
    """Return points within 2 cm of the ball, neighbours beside each other as in cloth."""
    random = np.random.default_rng(0)
    directions = random.normal(size=(SIDE * SIDE, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    directions = directions[np.lexsort(np.round(8 * directions).T)]
    return directions * (0.3 + random.uniform(-0.005, 0.02, (SIDE * SIDE, 1)))


def _query_passes(maps: dict[str, DistanceMap], points: np.ndarray[Any, Any]) -> dict[str, float]:
    """Return the time of one pass of queries for each map [s]; they take turns, so all see the same machine."""
    packed = {label: pack_maps([each]) for label, each in maps.items()}
    distances, normals = np.empty(len(points)), np.empty_like(points)
    best = dict.fromkeys(maps, np.inf)
    for _ in range(10):
        for label, arrays in packed.items():
            act = partial(map_distances, arrays, 0, points, distances, normals)
            seconds = _best(act, repeats=20)
            best[label] = min(best[label], seconds)
    return best


def _bystanders(count: int) -> list[supple.Sphere]:
    """Return small balls at rest in a ring around draped cloth, near it but out of its reach."""
    angles = 2.0 * np.pi * np.arange(count) / max(1, count)
    return [
        supple.Sphere(radius=0.05, at=(0.85 * np.cos(angle), -0.2, 0.85 * np.sin(angle)), friction=0.4)
        for angle in angles
    ]


def _contact_pass(cloth: supple.Cloth, mesh: supple.Mesh, others: int = 0) -> float:
    """Return the time of one contact pass over cloth that drapes over a mesh, with others around [s]."""
    simulation = supple.Simulation(supple.Scene(cloth, mesh, *_bystanders(others), drag=0.7))
    for _ in simulation.run(0.5):
        pass
    stage, particles = simulation.engine.obstacles, simulation.engine.world.particles
    ends = particles.positions.copy()
    starts = ends - 0.002 * particles.velocities
    fall = np.array([0.0, 9.81 * 0.002**2, 0.0])
    best = np.inf
    for _ in range(100):
        stage.begin_substep(1.0, 0.0, 0.002)
        particles.starts[:], particles.positions[:] = starts, ends - fall
        begin = time.perf_counter()
        stage.collide()
        best = min(best, time.perf_counter() - begin)
    return float(best)


def _loading(built: DistanceMap) -> float:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ball.map"
        save_map(built, path)
        return _best(lambda: load_map(path), repeats=10)


def _collision_share(cloth: supple.Cloth) -> tuple[float, float]:
    """Return the part of a frame's time spent on obstacles, and the time of a frame [s], while cloth drapes."""
    mesh = supple.Mesh(bumpy_ball(71), at=(0.25, 0.0, 0.0), friction=0.4)
    ball = supple.Sphere(radius=0.25, at=(-0.3, 0.05, 0.0), friction=0.4)
    ground = supple.Plane(at=(0.0, -0.3, 0.0), friction=0.4)
    simulation = supple.Simulation(supple.Scene(cloth, mesh, ball, ground, drag=0.7))
    stage = simulation.engine.obstacles
    spent = [0.0]
    for name in ("begin_substep", "repel", "collide", "pass_on", "bounce", "apply_reactions", "calm"):
        setattr(stage, name, _clocked(getattr(stage, name), spent))
    for _ in simulation.run(0.2):
        pass
    spent[0], start = 0.0, time.perf_counter()
    frames = sum(1 for _ in simulation.run(3.0))
    total = time.perf_counter() - start
    return spent[0] / total, total / frames


def _clocked(act: Callable[..., Any], spent: list[float]) -> Callable[..., Any]:
    """Return `act` such that its time is added to `spent`; what one act spends in another counts once."""

    def clocked(*values: Any) -> Any:
        before, start = spent[0], time.perf_counter()
        try:
            return act(*values)
        finally:
            spent[0] = before + time.perf_counter() - start

    return clocked
