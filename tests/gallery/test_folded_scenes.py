"""`fold`, `curtain-rail`, `twist` (Kang 2000, section 4): cloth against itself, watched by IPC Toolkit in every frame."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from supple import Simulation, find_scene
from tests.collide.referee import Referee


def watched(
    name: str, seconds: float | None = None, each: Callable[[Simulation], None] | None = None
) -> Simulation:
    """Return a scene after it was played, without an intersection in any frame."""
    scene = find_scene(name)
    simulation = Simulation(scene)
    referee = Referee(simulation)
    for report in simulation.run(scene.duration if seconds is None else seconds):
        assert report.is_finite
        assert not referee.sees_intersections(), f"{name} at {simulation.time:.2f} s"
        if each is not None:
            each(simulation)
    return simulation


def rms_speed(simulation: Simulation, body: str) -> float:
    return float(np.sqrt((simulation.velocities(body) ** 2).sum(axis=1).mean()))


def layers_above(
    points: NDArray[np.float64], triangles: NDArray[np.int64], x: float, z: float
) -> list[float]:
    """Return the heights at which a vertical line passes through a surface, ascending [m]."""
    a, b, c = (points[triangles[:, corner]] for corner in range(3))
    u, v, p = b - a, c - a, np.array([x, 0.0, z]) - a
    area = u[:, 0] * v[:, 2] - v[:, 0] * u[:, 2]
    area = np.where(np.abs(area) < 1e-15, np.inf, area)
    s = (p[:, 0] * v[:, 2] - v[:, 0] * p[:, 2]) / area
    t = (u[:, 0] * p[:, 2] - p[:, 0] * u[:, 2]) / area
    is_inside = (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0) & np.isfinite(area)
    heights = a[:, 1] + s * u[:, 1] + t * v[:, 1]
    return sorted(heights[is_inside].tolist())


@pytest.mark.slow
def test_a_cloth_folded_in_four_lies_in_four_layers():
    simulation = watched("fold")
    places, triangles = simulation.positions("napkin"), simulation.triangles("napkin")
    spots = [(x, z) for x in (0.1, 0.15, 0.2) for z in (0.07, 0.113, 0.157)]
    counts = [len(layers_above(places, triangles, x, z)) for x, z in spots]
    assert counts.count(4) >= 7 and set(counts) <= {3, 4, 5}, counts
    assert np.ptp(places[:, 0]) < 0.36 and np.ptp(places[:, 2]) < 0.36  # a quarter of what lay there
    assert places[:, 1].max() < 0.08
    assert rms_speed(simulation, "napkin") < 1.5e-3
    assert not len(simulation.pinned("napkin"))


@pytest.mark.slow
def test_twelve_pleats_of_a_curtain_lie_against_each_other():
    widths, contacts = [], []

    def look(simulation: Simulation) -> None:
        top = simulation.positions("curtain")[:49]
        widths.append(float(np.ptp(top[:, 0])))
        contacts.append(simulation.engine.contact.contact_count)

    simulation = watched("curtain-rail", 3.2, look)
    assert widths[0] == pytest.approx(1.2, abs=1e-3) and widths[-1] < 0.16
    assert contacts[0] == 0 and max(contacts) > 10
    quarter = simulation.positions("curtain").reshape(25, 49, 3)[6]  # a row, a quarter of the way down
    slopes = np.sign(np.diff(quarter[1::4, 2]))
    assert (
        np.count_nonzero(np.diff(slopes)) >= 9
    )  # front, back, front: as many folds as pleats, but for the ends
    assert simulation.intersections() == 0


@pytest.mark.slow
def test_a_wrung_cloth_is_turned_five_times_and_becomes_a_rope():
    angles: dict[int, list[float]] = {0: [], 50: []}

    def look(simulation: Simulation) -> None:
        columns = simulation.positions("towel").reshape(11, 51, 3)
        for column, seen in angles.items():
            _, y, z = columns[0, column] - columns[-1, column]
            seen.append(float(np.arctan2(z, y)))

    simulation = watched("twist", 4.6, look)
    left, right = (np.unwrap(seen) for seen in angles.values())
    turns = ((left[-1] - left[0]) - (right[-1] - right[0])) / (2.0 * np.pi)
    assert abs(turns) == pytest.approx(5.0, abs=0.02)  # held points wait if they must, but arrive
    middle = simulation.positions("towel").reshape(11, 51, 3)[:, 20:31]
    spread = np.linalg.norm((middle - middle.mean(axis=0))[..., 1:], axis=2)
    assert np.sqrt((spread**2).mean()) < 0.02  # 0.063 where it is flat
    assert simulation.intersections() == 0
