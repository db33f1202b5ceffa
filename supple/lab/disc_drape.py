"""Drape: a disc of cloth over a smaller one, and the shadow it throws (Cusick's test, ISO 9073-9).

The disc of 30 cm is held between two discs of 18 cm; what hangs over folds. The drape coefficient is the part of the ring's
area that its shadow covers from above: 100 % is a board.

How many folds there are depends on how they begin: a disc that is dropped at once keeps some of the many short waves in
which it buckles first. So its weight comes slowly, as if a plate under it were lowered, and the push that begins the folds
is a sum of long waves round the disc, the same on every mesh.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from supple.arguments import as_number
from supple.lab.disc import ring_mesh
from supple.lab.filming import filmed
from supple.lab.outcome import Outcome, Row, material_of
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.materials import Material
from supple.scene.scene import Scene
from supple.simulation import Simulation

OUTER, HELD = 0.15, 0.09
"""Radii of the cloth and of the discs that hold it [m]."""

SECONDS = 6.0
"""Simulated time with the whole weight after which the test ends in any case [s]."""

CALM = 2e-3
"""Root mean square of the speed at which the cloth is at rest [m/s]."""

LOWERING = 1.5
"""Time in which the weight of the cloth grows from nothing to what it is [s]."""

PUSH = 0.02
"""Speed of each wave of the push with which it begins, at the border: a flat disc would not know where to fold [m/s]."""

WAVES = (2, 13)
"""Least and largest number of waves of that push round the disc."""

PIXEL = 5e-4
"""Size of a pixel of the shadow [m]."""

MOST_FOLDS = 20
"""Folds that are told apart."""


@dataclass(frozen=True)
class Drape(Outcome):
    """What the drape test has measured."""

    coefficient: float
    """Drape coefficient [%]."""

    folds: int
    """Number of folds along the border."""

    is_at_rest: bool
    """Whether the cloth has come to rest."""

    positions: NDArray[np.float64]
    """(point_count, 3) where the cloth hangs [m]."""

    triangles: NDArray[np.int64]
    """(triangle_count, 3)"""


def drape(
    fabric: str | Material,
    *,
    points: int = 1500,
    turn_deg: float = 0.0,
    seed: int = 0,
    record: str | os.PathLike[str] | None = None,
    replace: bool = False,
) -> Drape:
    """Drape a disc of a fabric and measure its shadow.

    Args:
        fabric: name of a material, or a Material
        points: about how many points the cloth has
        turn_deg: angle by which the mesh is turned against the threads [°]
        seed: of the small push at the start
        record: file that the motion is recorded to, of any format of `supple.record`
        replace: whether a file that exists may be replaced
    """
    points = int(as_number("points", points, at_least=100))
    spacing = float(np.sqrt(np.pi * (OUTER**2 - 0.075**2) / points * 2.0 / np.sqrt(3.0)))
    # A row of held points resists bending half a row further in: without this the overhang would be longer by half a row.
    clamp = HELD + 0.25 * np.sqrt(3.0) * spacing
    flat, triangles, held = ring_mesh(0.075, OUTER, clamp, spacing)
    angle = np.radians(turn_deg)
    turn = np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])
    flat = flat @ turn.T
    material = material_of(fabric).changed(stretch_limit=None)
    cloth = Cloth.from_mesh(flat, triangles, material=material, name="disc").pinned(held.tolist())
    simulation = Simulation(Scene(cloth, drag=4.0), integrator="descent", substeps=20)
    particles = simulation.engine.world.particles
    particles.velocities[:, 1] += np.where(particles.is_fixed, 0.0, first_push(flat, seed))
    mass, is_at_rest, gravity = float(particles.masses.sum()), False, simulation.scene.gravity
    with filmed(simulation, record, LOWERING + SECONDS, replace) as film:
        while simulation.time < LOWERING + SECONDS and not is_at_rest:
            share = min(1.0, (simulation.time + simulation.frame_seconds) / LOWERING)
            if simulation.time < LOWERING:
                simulation.set(gravity=tuple(share * g for g in gravity))
            report = simulation.step()
            film()
            is_at_rest = simulation.time > LOWERING + 1.0 and 2.0 * report.kinetic_energy < mass * CALM**2
    positions = simulation.positions("disc").copy()
    hole = float(np.hypot(flat[:, 0], flat[:, 2]).min())
    covered = shadow_area(positions, triangles) + np.pi * hole**2
    coefficient = 100.0 * (covered - np.pi * HELD**2) / (np.pi * (OUTER**2 - HELD**2))
    border = np.flatnonzero(np.hypot(flat[:, 0], flat[:, 2]) > OUTER * (1.0 - 1e-6))
    folds = fold_count(np.hypot(positions[border, 0], positions[border, 2]))
    rows = (Row("drape coefficient", coefficient, None, "%"), Row("folds", folds, None, ""))
    return Drape("drape", rows, coefficient, folds, is_at_rest, positions, triangles)


def first_push(flat: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """Return upward speeds (n,) at the points (n, 3) of a flat disc: waves that grow to the border and begin folds [m/s]."""
    angles, radii = np.arctan2(flat[:, 0], flat[:, 2]), np.hypot(flat[:, 0], flat[:, 2])
    numbers = np.arange(WAVES[0], WAVES[1] + 1)
    cosines, sines = np.random.default_rng(seed).standard_normal((2, len(numbers)))
    waves = cosines @ np.cos(np.outer(numbers, angles)) + sines @ np.sin(np.outer(numbers, angles))
    found: NDArray[np.float64] = PUSH * waves * np.clip((radii - HELD) / (OUTER - HELD), 0.0, 1.0)
    return found


def shadow_area(positions: NDArray[np.float64], triangles: NDArray[np.int64]) -> float:
    """Return the area that triangles cover seen from above, where they overlap once only [m²]."""
    flat = positions[:, [0, 2]]
    low = flat.min(axis=0)
    size = np.ceil((flat.max(axis=0) - low) / PIXEL).astype(int) + 1
    is_covered = np.zeros(size, np.bool_)
    for corners in (flat[triangles] - low) / PIXEL:
        first = np.floor(corners.min(axis=0)).astype(int)
        end = np.ceil(corners.max(axis=0)).astype(int) + 1
        x = np.arange(first[0], end[0])[:, None] + 0.5
        y = np.arange(first[1], end[1])[None, :] + 0.5
        sides = []
        for a, b in ((0, 1), (1, 2), (2, 0)):
            p, q = corners[a], corners[b]
            sides.append((q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]))
        inside = np.all([s >= 0.0 for s in sides], axis=0) | np.all([s <= 0.0 for s in sides], axis=0)
        part = is_covered[first[0] : end[0], first[1] : end[1]]
        part |= inside[: part.shape[0], : part.shape[1]]
    return float(is_covered.sum()) * PIXEL**2


def fold_count(radii: NDArray[np.float64]) -> int:
    """Return how many times the border of a draped disc comes out, given its radii all the way round (n,) [m]."""
    waves = np.fft.rfft(radii)
    waves[MOST_FOLDS:] = 0.0
    smooth = np.fft.irfft(waves, len(radii))
    is_peak = (smooth > np.roll(smooth, 1)) & (smooth >= np.roll(smooth, -1))
    high = smooth > smooth.mean() - 0.25 * np.ptp(smooth)
    return int((is_peak & high).sum()) if np.ptp(smooth) > 1e-3 else 0
