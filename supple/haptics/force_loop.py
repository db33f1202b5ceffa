"""The loop that a force feedback device asks a thousand times a second.

Theory: docs/theory/haptics.md, eq. (U1) to (U6).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from supple.errors import SuppleError
from supple.haptics.device import Device
from supple.haptics.energy_tank import EnergyTank
from supple.haptics.local_model import NOWHERE, LocalModel, Vector, along, difference, dot, norm, scaled

RATE = 1000.0
"""Answers per second [1/s]: what skin feels as hard needs some hundreds."""

BLEND = 0.02
"""Time over which a new model replaces the one before [s]: a frame."""

DAMPING = 1.0
"""Viscous damping while something is touched [N·s/m]; above k T / 2 it pays for what holding a force leaks."""


class ForceLoop:
    """Answers a device from the newest local model, passively.

    One thread calls `tick` (or `run`); `update` may be called from another at any time.

    Example:
        >>> from supple.haptics.local_model import LocalModel
        >>> loop = ForceLoop(largest_force=5.0)
        >>> loop.update(LocalModel((0.0, 0.0, 0.0), (0.0, 1.0, 0.0), stiffness=200.0))
        >>> [round(loop.tick((0.0, -0.001 * n / 30, 0.0), 0.001)[1], 3) for n in range(31)][-1]
        0.233
    """

    def __init__(
        self,
        *,
        largest_force: float = 8.0,
        damping: float = DAMPING,
        blend: float = BLEND,
        tank: EnergyTank | None = None,
    ) -> None:
        """Start with nothing touched.

        Args:
            largest_force: what the device can exert [N]
            damping: viscous damping while something is touched [N·s/m]
            blend: time over which a new model replaces the one before [s]
            tank: what may be spent; None is one with the usual reserve
        """
        if not largest_force > 0.0 or damping < 0.0 or blend < 0.0:
            raise SuppleError(
                f"`largest_force` is {largest_force:g} N, `damping` {damping:g} N·s/m and `blend` {blend:g} s, but the "
                "first must be greater than 0 and the others not less."
            )
        self._largest = largest_force
        self._damping = damping
        self._blend = blend
        self.tank = tank if tank is not None else EnergyTank()
        """What the loop may spend."""

        self._wanted: LocalModel | None = None
        self._seen: LocalModel | None = None
        self._model: LocalModel | None = None
        self._left = 0.0
        self._place: Vector | None = None
        self.is_touching = False
        """Whether the last answer pushed."""

    def update(self, model: LocalModel | None) -> None:
        """Take the model of the newest frame; None where nothing is near."""
        self._wanted = model  # one reference, so no lock is needed

    @property
    def place(self) -> Vector | None:
        """Where the device was when it last asked [m]; None before it has."""
        return self._place

    def tick(self, place: Vector, seconds: float) -> Vector:
        """Return the force on the device for the place it is at.

        Args:
            place: of the device, in the world [m]
            seconds: since the last call [s]
        """
        moved = NOWHERE if self._place is None else difference(place, self._place)
        self._place = place
        self.tank.account(moved)
        model = self._blended(seconds)
        force = NOWHERE if model is None else self._asked(model, place, moved, seconds)
        self.is_touching = force != NOWHERE
        return self.tank.limited(force, moved, seconds)

    def _blended(self, seconds: float) -> LocalModel | None:
        """Return what is felt now, on the way from the model before to the newest one."""
        wanted = self._wanted
        if wanted is not self._seen:
            self._left = self._blend
            if self._model is None and wanted is not None:
                self._model = wanted.faded()
            self._seen = wanted
        if self._model is None:
            return None
        share = 1.0 if self._left <= seconds else seconds / self._left
        self._left = max(0.0, self._left - seconds)
        self._model = self._model.towards(wanted if wanted is not None else self._model.faded(), share)
        if wanted is None and self._left == 0.0:
            self._model = None
        return self._model

    def _asked(self, model: LocalModel, place: Vector, moved: Vector, seconds: float) -> Vector:
        """Return the force of the model with its damping, within what the device can do [N]."""
        force = model.force(place)
        if force == NOWHERE:
            return force
        force = along(force, -self._damping / seconds, moved)
        if model.normal is not None and (pull := dot(force, model.normal)) < 0.0:
            force = along(force, -pull, model.normal)  # a surface does not hold on to what leaves it
        size = norm(force)
        return force if size <= self._largest else scaled(self._largest / size, force)

    def run(self, device: Device, until: Callable[[], bool], *, rate: float = RATE) -> list[float]:
        """Answer a device until told to stop, and leave it without a force.

        Args:
            device: what is read and driven
            until: asked once per answer; True ends the loop
            rate: answers per second [1/s]

        Returns:
            How long each answer took, from reading the place to setting the force [s].
        """
        took: list[float] = []
        period = 1.0 / rate
        last = time.perf_counter()
        due = last + period
        try:
            while not until():
                wait = due - time.perf_counter()
                if wait > 0.0:
                    time.sleep(wait)
                now = time.perf_counter()
                place = device.read()
                if not all(map(math.isfinite, place)):
                    raise SuppleError(f"the device tells the place {place}, which is no point in space.")
                device.apply(self.tick(place, now - last))
                took.append(time.perf_counter() - now)
                last, due = now, max(due + period, now)
        finally:
            device.apply(NOWHERE)
            self.tank.release()
            self._place = None
        return took
