"""A tank of energy that a force loop may spend: it holds what the hand has put in, so the loop cannot drive the hand.

Theory: docs/theory/haptics.md, eq. (U4) to (U6).
"""

from __future__ import annotations

import math

from supple.errors import SuppleError
from supple.haptics.local_model import NOWHERE, Vector, dot, norm, scaled

RESERVE = 2.0e-3
"""What a tank holds at the start [J]: about what a key of a keyboard takes. All that can ever be given away for nothing."""

CAPACITY = 0.5
"""What a tank holds at most [J]: a hand that has pressed for an hour must not be paid back in one blow."""

ACCELERATION = 100.0
"""How fast the velocity of a device may change [m/s²]; hands that hold one stay below 30."""


class EnergyTank:
    """Bookkeeping of the work at the device, exact for a force that is held between two readings of the place."""

    def __init__(
        self, *, reserve: float = RESERVE, capacity: float = CAPACITY, acceleration: float = ACCELERATION
    ) -> None:
        """Start with the reserve.

        Args:
            reserve: energy at the start [J]
            capacity: most energy that is kept [J]
            acceleration: largest acceleration of the device that the bound holds for [m/s²]; inf turns it off
        """
        if not 0.0 < reserve <= capacity:
            raise SuppleError(
                f"`reserve` is {reserve:g} J and `capacity` {capacity:g} J, but a tank holds more than nothing at the "
                "start, and no more than it can hold. Give 0 < reserve <= capacity."
            )
        if not acceleration > 0.0:
            raise SuppleError(f"`acceleration` is {acceleration:g} m/s², but it must be greater than 0.")
        self.level = reserve
        """Energy that may be spent [J]."""

        self.given = 0.0
        """Work done on the hand since the start [J]; negative if the hand has done more on the device."""

        self._capacity = capacity
        self._acceleration = acceleration
        self._force: Vector = NOWHERE

    def account(self, displacement: Vector) -> None:
        """Book the work of the force that was held while the device moved by `displacement` [m]."""
        work = dot(self._force, displacement)
        self.given += work
        self.level = min(self.level - work, self._capacity)

    def release(self) -> None:
        """Take note that the device is left without a force."""
        self._force = NOWHERE

    def limited(self, force: Vector, displacement: Vector, seconds: float) -> Vector:
        """Return the force [N], or as much of it as the tank can pay for until the next reading.

        Args:
            force: what the local model asks for [N]
            displacement: how far the device moved in the last period [m]
            seconds: length of a period [s]
        """
        if math.isfinite(self._acceleration):
            slack = self._acceleration * seconds * seconds
            worst = dot(force, displacement) + norm(force) * slack
            payable = max(0.0, self.level)
            if worst > payable:
                force = scaled(payable / worst, force)
        self._force = force
        return force
