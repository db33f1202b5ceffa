"""A parameter: something that can change while a simulation runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from supple.simulation import Simulation
from supple.studio.connection import protocol

Kind = Literal["number", "integer", "choice", "switch", "vector"]


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """Something that can change while a simulation runs."""

    name: str
    group: str
    label: str
    kind: Kind
    value: Any
    """What it is at the start."""

    change: Callable[[Simulation, Any], dict[str, Any]]
    """Makes the simulation have a value; returns other parameters that changed with it."""

    unit: str = ""
    help: str = ""
    low: float | None = None
    high: float | None = None
    is_logarithmic: bool = False
    choices: tuple[str, ...] = ()
    is_open: bool = True

    def checked(self, value: Any) -> Any:
        """Return a value as this parameter holds it.

        Raises:
            ValueError: if it is of the wrong kind or out of range, with a sentence that says so
        """
        if self.kind == "switch":
            if not isinstance(value, bool):
                raise ValueError(f"`{self.name}` is true or false, not {value!r}.")
            return value
        if self.kind == "choice":
            if value not in self.choices:
                raise ValueError(f"`{self.name}` is one of {', '.join(self.choices)}, not {value!r}.")
            return value
        if self.kind == "vector":
            if not isinstance(value, tuple | list) or len(value) != 3:
                raise ValueError(f"`{self.name}` is three numbers, not {value!r}.")
            return tuple(self._number(entry) for entry in value)
        number = self._number(value)
        if self.kind == "integer" and not number.is_integer():
            raise ValueError(f"`{self.name}` is a whole number, not {value!r}.")
        return int(number) if self.kind == "integer" else number

    def _number(self, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"`{self.name}` is a number, not {value!r}.")
        low = self.low if self.low is not None else -1e6
        high = self.high if self.high is not None else 1e6
        if not low <= value <= high:
            # Whole numbers of any length can be compared, but not written as a fraction.
            told = (
                f"{value:g}"
                if abs(value) < 1e300
                else f"{str(value)[:20]}…"
                if isinstance(value, int)
                else str(value)
            )
            raise ValueError(
                f"`{self.name}` is {told}, but it goes from {low:g} to {high:g} {self.unit}".rstrip() + "."
            )
        return float(value)

    def declared(self, value: Any) -> protocol.Parameter:
        """Return what the page is told, with the value it has now."""
        return protocol.Parameter(
            name=self.name,
            group=self.group,
            label=self.label,
            kind=self.kind,
            unit=self.unit,
            help=self.help,
            low=self.low,
            high=self.high,
            is_logarithmic=self.is_logarithmic,
            choices=self.choices,
            is_open=self.is_open,
            value=value,
        )
