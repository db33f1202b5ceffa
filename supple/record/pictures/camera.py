"""Where the eye stands, and how points of the world come to lie on the picture."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """A perspective view without roll: the world's Y points up in the picture."""

    eye: tuple[float, float, float]
    """Position of the eye [m]."""

    azimuth: float = 0.45
    """Direction the eye looks from, about Y: 0 is from +z, growing towards +x [rad]."""

    elevation: float = 0.2
    """How far the eye looks down [rad]."""

    angle: float = 0.5
    """Opening angle from the lower to the upper border [rad]."""

    @classmethod
    def framing(
        cls,
        points: Floats,
        size: tuple[int, int],
        *,
        azimuth: float = 0.45,
        elevation: float = 0.2,
        angle: float = 0.5,
        margin: float = 0.12,
    ) -> Camera:
        """Return the nearest camera that sees every point.

        In the axes of the camera a point (x, y, z) is inside the picture when |x - ex| and
        |y - ey| are at most (ez - z) times the tangent of the half angle. The largest and the
        smallest of x ± z tan over all points give the tightest eye directly.

        Args:
            points: (n, 3) [m]; those that are not finite are left out
            size: width and height of the picture [pixels]
            azimuth: see `Camera` [rad]
            elevation: see `Camera` [rad]
            angle: see `Camera` [rad]
            margin: border to keep free, as a fraction of half the picture [-]
        """
        seen = points[np.isfinite(points).all(axis=1)]
        if len(seen) == 0:
            seen = np.zeros((1, 3))
        axes = _axes(azimuth, elevation)
        across, up, towards = (seen @ axes.T).T
        tangent_y = math.tan(angle / 2) * (1 - margin)
        tangent_x = tangent_y * size[0] / size[1]
        eye = np.empty(3)
        distances = []
        for axis, (coordinate, tangent) in enumerate(((across, tangent_x), (up, tangent_y))):
            highest = (coordinate + tangent * towards).max()
            lowest = (coordinate - tangent * towards).min()
            eye[axis] = (highest + lowest) / 2
            distances.append((highest - lowest) / (2 * tangent))
        # A single point has no size; stand back from it by the smallest thing worth looking at.
        eye[2] = max(*distances, towards.max() + 0.05)
        x, y, z = eye @ axes
        return cls((float(x), float(y), float(z)), azimuth, elevation, angle)

    @property
    def axes(self) -> Floats:
        """Right, up and towards the eye, as the rows of a (3, 3) matrix."""
        return _axes(self.azimuth, self.elevation)

    def focal(self, height: int) -> float:
        """Return pixels per unit of slope for a picture of that many rows."""
        return height / 2 / math.tan(self.angle / 2)

    def project(self, points: Floats, size: tuple[int, int]) -> tuple[Floats, Floats]:
        """Return where points fall on the picture, and how near they are.

        Args:
            points: (n, 3) [m]
            size: width and height of the picture [pixels]

        Returns:
            Screen positions (n, 2) [pixels], y down, and nearness (n,) [1/m]; NaN for points
            that are not in front of the eye.
        """
        local = (points - np.array(self.eye)) @ self.axes.T
        distance = np.where(local[:, 2] < -1e-6, -local[:, 2], np.nan)
        nearness = 1.0 / distance
        scale = self.focal(size[1]) * nearness
        screen = np.stack([size[0] / 2 + scale * local[:, 0], size[1] / 2 - scale * local[:, 1]], axis=1)
        return screen, nearness


def _axes(azimuth: float, elevation: float) -> Floats:
    sine, cosine = math.sin(azimuth), math.cos(azimuth)
    rise, run = math.sin(elevation), math.cos(elevation)
    right = (cosine, 0.0, -sine)
    towards = (run * sine, rise, run * cosine)
    up = (-rise * sine, run, -rise * cosine)
    return np.array([right, up, towards])
