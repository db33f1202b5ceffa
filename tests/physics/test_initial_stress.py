"""Cloth whose springs are shorter than its grid is stressed from the first step on (Güdükbay 1997, section 2.1)."""

from __future__ import annotations

import numpy as np
import pytest

import supple

COLUMNS, ROWS = 25, 17


def heights_of_a_struck_membrane(ratio: float) -> np.ndarray:
    """Return how high the middle of a membrane of 0.6 m x 0.4 m is in every millisecond after it was struck [m].

    Its springs are `ratio` times as long as its grid is wide; the blow has the shape of the lowest mode.
    """
    material = supple.Material(
        area_density=0.2, stretch_stiffness=100.0, shear_stiffness=0.0, bending_stiffness=0.0
    )
    sheet = supple.Cloth.rectangle(
        width=0.6, height=0.4, columns=COLUMNS, rows=ROWS, plane="xz", material=material
    )
    stress = [supple.Shrink(body="cloth", time=0.0, ratio=ratio, seconds=0.0)] if ratio != 1.0 else []
    scene = supple.Scene(sheet.pinned("left", "right", "top", "bottom"), *stress, gravity=(0.0, 0.0, 0.0))
    simulation = supple.Simulation(scene, integrator="explicit", frame_rate=1000.0, substeps=2)
    points = simulation.positions("cloth")
    blow = np.zeros_like(points)
    blow[:, 1] = 0.05 * np.cos(np.pi * points[:, 0] / 0.6) * np.cos(np.pi * points[:, 2] / 0.4)
    simulation.set("cloth", velocities=blow)
    middle = (ROWS // 2) * COLUMNS + COLUMNS // 2
    return np.array([simulation.positions("cloth")[middle, 1] for _ in simulation.run(0.3)])


def test_a_stressed_membrane_sounds_at_its_frequency():
    heights = heights_of_a_struck_membrane(0.9)
    crossings = np.flatnonzero(np.diff(np.sign(heights)))
    frequency = 500.0 / np.diff(crossings).mean()
    tension = 100.0 * 0.1  # every spring is pulled to ten ninths of its length
    expected = 0.5 * np.sqrt(tension / 0.2 * (1.0 / 0.6**2 + 1.0 / 0.4**2))
    assert frequency == pytest.approx(expected, rel=0.01)


def test_without_stress_nothing_but_its_own_stretch_brings_it_back():
    heights = heights_of_a_struck_membrane(1.0)
    assert heights.min() >= 0.0 and heights.max() > 10.0 * heights_of_a_struck_membrane(0.9).max()
