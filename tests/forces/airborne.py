"""Scenes with air that several tests use."""

from __future__ import annotations

from typing import Any

import numpy as np

import supple

DENSITY = 1.2
"""Of the air [kg/m³]."""


def held_plate(
    angle: float, velocity: tuple[float, float, float] = (0.0, 0.0, 10.0), points: int = 4, **options: Any
) -> supple.Simulation:
    """Return a plate of 2 m², every point of it held, after one frame.

    At `angle` 0 it lies along the wind, which blows along z; a positive angle [rad] lifts its front, so that
    the wind pushes it upwards.
    """
    plate = supple.Cloth.rectangle(
        width=2.0, height=1.0, columns=points, rows=points, plane="xz", rotation=(angle, 0.0, 0.0), **options
    )
    everything = list(range(plate.point_count))
    scene = supple.Scene(plate.pinned(everything), supple.Wind(velocity=velocity))
    simulation = supple.Simulation(scene, substeps=1)
    simulation.step()
    return simulation


def compiled_agrees(kernel: Any, *arguments: Any) -> Any:
    """Return what a kernel gives, having checked that it gives the same in Python."""
    answer = kernel(*arguments)
    np.testing.assert_allclose(answer, kernel.py_func(*arguments), rtol=1e-12, atol=1e-15)
    return answer
