"""Views: the axes of a camera, and a camera that shows everything."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from supple.scene.camera import Camera

Floats = NDArray[np.float64]

TOWARDS_EYE = np.array([0.43, 0.3, 0.85])
"""From where a scene is looked at that has no camera: from the front, a little from the right and from above."""


@dataclass(frozen=True)
class View:
    """How a camera sees the world."""

    eye: Floats
    """(3,) [m]"""

    axes: Floats
    """(3, 3) right, up and forwards as rows."""

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, camera: Camera) -> View:
        """Return the view of a camera; do not change its arrays."""
        eye = np.array(camera.at)
        forwards = np.array(camera.look_at) - eye
        forwards /= np.linalg.norm(forwards)
        right = np.cross(forwards, (0.0, 1.0, 0.0))
        if np.linalg.norm(right) < 1e-9:
            right = np.array((1.0, 0.0, 0.0))
        right /= np.linalg.norm(right)
        return cls(eye, np.stack([right, np.cross(right, forwards), forwards]))

    def into(self, points: Floats) -> Floats:
        """Return points (..., 3) [m] in the axes of the camera."""
        local: Floats = (points - self.eye) @ self.axes.T
        return local


def camera_for(points: Floats) -> Camera:
    """Return a camera that has all points (n, 3) [m] in its view, whatever the shape of the image."""
    seen = points[np.isfinite(points).all(axis=1)] if len(points) else np.zeros((1, 3))
    low, high = seen.min(axis=0, initial=math.inf), seen.max(axis=0, initial=-math.inf)
    middle = 0.5 * (low + high) if len(seen) else np.zeros(3)
    radius = max(0.5 * float(np.linalg.norm(high - low)), 0.05) if len(seen) else 0.05
    camera = Camera(at=(0.0, 0.0, 1.0))
    away = 1.05 * radius / math.sin(math.radians(camera.fov_deg) / 2.0)
    at = middle + away * TOWARDS_EYE / np.linalg.norm(TOWARDS_EYE)
    return camera.changed(at=tuple(at.tolist()), look_at=tuple(middle.tolist()))
