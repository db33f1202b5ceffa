"""Force feedback devices: what a driver must offer, and one that exists as numbers only."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

from supple.haptics.local_model import NOWHERE, Vector, along, scaled


class Device(Protocol):
    """What the force loop needs of a device. Both calls must return at once."""

    def read(self) -> Vector:
        """Return where its tip is, in world axes [m]."""

    def apply(self, force: Vector) -> None:
        """Push the tip with this force [N] until told otherwise."""


class SimulatedDevice:
    """A tip with a mass and some friction, led by a hand that is a spring to a place in time.

    Stepped by `move`, or in real time by `read`, which first moves it on to now.

    Example:
        >>> device = SimulatedDevice((0.0, 0.0, 0.0), hand=lambda t: (0.01, 0.0, 0.0))
        >>> for _ in range(2000): device.move(0.001)
        >>> round(device.place[0], 4)
        0.01
    """

    def __init__(
        self,
        place: Vector,
        hand: Callable[[float], Vector],
        *,
        mass: float = 0.1,
        stiffness: float = 200.0,
        damping: float = 3.0,
    ) -> None:
        """Let it rest.

        Args:
            place: where the tip starts [m]
            hand: where the hand wants it to be at a time [s] since the start [m]
            mass: of the tip [kg]
            stiffness: of the hand [N/m]
            damping: of hand and device [N·s/m]
        """
        self.place, self.velocity, self.force = place, NOWHERE, NOWHERE
        self.time = 0.0
        """Time that has passed for the device [s]."""

        self._hand = hand
        self._mass, self._stiffness, self._damping = mass, stiffness, damping
        self._began: float | None = None
        self._lock = threading.Lock()

    def move(self, seconds: float) -> None:
        """Let time pass under the force that was applied last [s]; symplectic Euler in steps of a quarter millisecond."""
        steps = max(1, round(seconds / 2.5e-4))
        step = seconds / steps
        for _ in range(steps):
            self.time += step
            wanted = self._hand(self.time)
            pull = along(scaled(self._stiffness, wanted), -self._stiffness, self.place)
            total = along(along(pull, -self._damping, self.velocity), 1.0, self.force)
            self.velocity = along(self.velocity, step / self._mass, total)
            self.place = along(self.place, step, self.velocity)

    def read(self) -> Vector:
        """Return where the tip is by the clock of the machine [m]."""
        with self._lock:
            now = time.perf_counter()
            if self._began is None:
                self._began = now - self.time
            if (behind := now - self._began - self.time) > 0.0:
                self.move(behind)
            return self.place

    def apply(self, force: Vector) -> None:
        """Push the tip with this force [N]."""
        self.force = force
