"""Which way is up and how long a unit is, in files for other programs. Inside it is always Y and metres.

The command line offers these words, so nothing heavy is imported until a matrix is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from supple.errors import SuppleError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

UNITS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "km": 1000.0, "in": 0.0254, "ft": 0.3048}
"""Metres in a unit of length."""

UP_AXES = ("y", "z")

_Y_TO_Z = ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0))
"""Turns Y up into Z up, a quarter about x: what faced the viewer (+z) then faces -y, as in Blender."""


@dataclass(frozen=True)
class Convention:
    """How numbers in a file are to be read.

    Example:
        >>> Convention.named("z", "cm").metres
        0.01
    """

    up: str = "y"
    """Axis that points up: "y" or "z"."""

    unit: str = "m"
    """Name of the unit of length, one of `UNITS`."""

    @classmethod
    def named(cls, up: str, unit: str) -> Convention:
        """Return the convention of these names, or say which there are."""
        if up.lower() not in UP_AXES:
            raise SuppleError(f'the axis that points up is "{up}", but it must be y or z.')
        if unit not in UNITS:
            raise SuppleError(f'the unit is "{unit}", but it must be one of {", ".join(UNITS)}.')
        return cls(up.lower(), unit)

    @classmethod
    def from_facts(cls, facts: dict[str, Any]) -> Convention:
        """Return the convention a file tells of in its head; Y up and metres where it is silent."""
        return cls.named(str(facts.get("up", "y")), str(facts.get("unit", "m")))

    @property
    def is_ours(self) -> bool:
        """Whether nothing needs to be converted."""
        return self == OURS

    @property
    def metres(self) -> float:
        """Metres in its unit."""
        return UNITS[self.unit]

    @property
    def matrix(self) -> npt.NDArray[np.float64]:
        """Return the (3, 3) matrix that takes our positions into it, turn and scale in one."""
        return self.turn / self.metres

    @property
    def turn(self) -> npt.NDArray[np.float64]:
        """Return the (3, 3) rotation that takes our directions into it."""
        import numpy as np

        return np.array(_Y_TO_Z) if self.up == "z" else np.eye(3)

    def __str__(self) -> str:
        """Return it in a few words, as comments in files have it."""
        return f"{self.up.upper()} up, unit {self.unit}"


OURS = Convention()
"""Y up, metres."""
