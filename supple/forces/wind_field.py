"""Wind: the velocity of the air at a place and a moment, with gusts and fans.

Theory: docs/theory/air.md, eq. (A7) and (A8). Gusts are a sum of waves that travel with the wind and slowly change on
their way. It is smooth, the same for the same seed, has exactly the variance asked for, and may be
asked at any place without a grid. Each wave keeps its own phase, so that speed and direction of the
wind may change at any time without a jump.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.scene.air import Fan, Wind

WAVES = 12
"""Waves that gusts are made of."""

SIDEWAYS, UPWARDS = 0.7, 0.4
"""Standard deviation of gusts across the wind, level and upright, over that along it [-]."""

JET_SPREAD = 0.11
"""How fast the radius of a jet grows with the distance [-]."""


@kernel
def jet_speed(fans, f, x, y, z):
    """Return the speed of the air that fan f blows at a point [m/s].

    Theory: docs/theory/air.md, eq. (A8).
    """
    x, y, z = x - fans[f, 0], y - fans[f, 1], z - fans[f, 2]
    along = x * fans[f, 3] + y * fans[f, 4] + z * fans[f, 5]
    radius = fans[f, 7]
    if along <= -0.5 * radius:
        return 0.0
    across2 = max(0.0, x * x + y * y + z * z - along * along)
    width = radius + JET_SPREAD * max(along, 0.0)
    start = min(1.0, 1.0 + 2.0 * along / radius)
    return start * fans[f, 6] * radius / width * math.exp(-across2 / (width * width))


@kernel
def sample_wind(points, velocity, waves, sizes, fans, exposures, winds):
    """Write the velocity of the air at some points.

        u(x) = e_0 (V + Σ_w (a_w cos θ_w + b_w sin θ_w)) + Σ_f e_f u_f(x),    θ_w = k_w · x - phase_w

    Args:
        points: (point_count, 3) [m]
        velocity: (3,) mean wind V [m/s]
        waves: (wave_count, 4) k [1/m] and phase [rad]
        sizes: (wave_count, 6) a and b [m/s]
        fans: (fan_count, 8) place [m], direction, speed [m/s], radius [m]
        exposures: (1 + fan_count, point_count) share of the wind and of each fan that arrives [-]
        winds: (point_count, 3) [m/s], written
    """
    for n in range(points.shape[0]):
        x, y, z = points[n, 0], points[n, 1], points[n, 2]
        u0, u1, u2 = velocity[0], velocity[1], velocity[2]
        share = exposures[0, n]
        if share > 0.0:
            for w in range(waves.shape[0]):
                angle = waves[w, 0] * x + waves[w, 1] * y + waves[w, 2] * z - waves[w, 3]
                c, s = math.cos(angle), math.sin(angle)
                u0 += sizes[w, 0] * c + sizes[w, 3] * s
                u1 += sizes[w, 1] * c + sizes[w, 4] * s
                u2 += sizes[w, 2] * c + sizes[w, 5] * s
        u0, u1, u2 = share * u0, share * u1, share * u2
        for f in range(fans.shape[0]):
            if exposures[1 + f, n] > 0.0:
                speed = exposures[1 + f, n] * jet_speed(fans, f, x, y, z)
                u0 += speed * fans[f, 3]
                u1 += speed * fans[f, 4]
                u2 += speed * fans[f, 5]
        winds[n, 0] = u0
        winds[n, 1] = u1
        winds[n, 2] = u2


class WindField:
    """The wind and the fans of a scene, moving on with time."""

    def __init__(self, seed: int) -> None:
        """Draw the waves of the gusts; the same seed gives the same waves."""
        random = np.random.default_rng(seed)
        # One wave in each of equal intervals: no two of them ever beat slowly against each other.
        self._lengths = 0.3 + (np.arange(WAVES) + random.uniform(0.3, 0.7, WAVES)) / WAVES
        self._across = random.uniform(-1.0, 1.0, (WAVES, 2))
        turns = 2.0 * math.pi * (random.permutation(WAVES) + random.uniform()) / WAVES
        self._sides = np.stack([SIDEWAYS * np.cos(turns), UPWARDS * np.sin(turns)], axis=1) * math.sqrt(2.0)
        self.phases = random.uniform(0.0, 2.0 * math.pi, WAVES)
        """(WAVES,) [rad], what has passed by the origin since the start."""
        self.set(None, ())

    def set(self, wind: Wind | None, fans: tuple[Fan, ...]) -> None:
        """Take over a wind and fans; the gusts go on from where they are."""
        wind = wind or Wind()
        self.density = wind.density
        self.velocity = np.array(wind.velocity)
        speed = wind.speed
        along = self.velocity / speed if speed > 0.0 else np.array([1.0, 0.0, 0.0])
        self.directions = np.array([along, *(fan.direction for fan in fans)])
        """(1 + fan_count, 3) where the wind and each fan blow, unit vectors."""
        aside = np.cross(along, [0.0, 1.0, 0.0])
        size = float(np.linalg.norm(aside))
        aside = aside / size if size > 1e-6 else np.array([0.0, 0.0, 1.0])
        upright = np.cross(aside, along)
        number = 2.0 * math.pi / wind.gust_length
        self._rates = number * speed * self._lengths + 2.0 * math.pi / wind.gust_time * self._lengths
        is_gusty = wind.gusts > 0.0 and speed > 0.0
        count = WAVES if is_gusty else 0
        waves = number * (
            self._lengths[:, None] * along + self._across[:, :1] * aside + self._across[:, 1:] * upright
        )
        self._waves = np.zeros((count, 4))
        self._waves[:, :3] = waves[:count]
        size = wind.gusts * speed * math.sqrt(2.0 / WAVES)
        self._sizes = np.zeros((count, 6))
        self._sizes[:, :3] = size * along
        self._sizes[:, 3:] = size * (self._sides[:count, :1] * aside + self._sides[:count, 1:] * upright)
        self.fans = np.zeros((len(fans), 8))
        for n, fan in enumerate(fans):
            self.fans[n] = (*fan.at, *fan.direction, fan.speed, fan.radius)

    def sample(
        self,
        points: NDArray[np.float64],
        exposures: NDArray[np.float64],
        winds: NDArray[np.float64],
    ) -> None:
        """Write the velocity of the air at (point_count, 3) points [m] into `winds` [m/s]."""
        self._waves[:, 3] = self.phases[: len(self._waves)]
        sample_wind(points, self.velocity, self._waves, self._sizes, self.fans, exposures, winds)

    def advance(self, seconds: float) -> None:
        """Let time go on."""
        self.phases += seconds * self._rates
        self.phases %= 2.0 * math.pi
