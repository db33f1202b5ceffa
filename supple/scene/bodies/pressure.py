"""Pressure: the gas inside a closed cloth."""

from __future__ import annotations

import numbers
from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal, get_args

import numpy as np
from pydantic import PlainValidator, model_validator

from supple.scene.declared import Declared
from supple.scene.error_messages import Steps
from supple.scene.field_types import Choice, Number

ATMOSPHERE = 101_325.0
"""Pressure of the air at sea level [Pa]."""

Gas = Literal["pumped", "sealed"]

Overpressure = Annotated[float, PlainValidator(Number(at_least=0.0, at_most=1.0e6))]


class Pressure(Declared):
    """Gas inside a closed cloth, and how it pushes.

    - `pumped`: a pump or an open valve keeps the overpressure as it is, whatever the volume.
    - `sealed`: an amount of gas that stays, p V = constant: squeezed, it pushes back.

    A plain number stands for a pumped overpressure. Cut open, the cloth loses its gas.

    Theory: docs/theory/pressure.md, eq. (G1).

    Example:
        >>> Pressure(overpressure=300.0).gas
        'pumped'
    """

    kind: ClassVar[str] = "pressure"

    overpressure: Overpressure
    """Pressure inside above that outside [Pa]; of a sealed gas, that which it has at `volume`."""

    gas: Annotated[Gas, PlainValidator(Choice(get_args(Gas)))] = "pumped"
    """Whether the overpressure is kept ("pumped") or the amount of gas ("sealed")."""

    volume: Annotated[float, PlainValidator(Number(above=0.0, at_most=1.0e9))] | None = None
    """Volume at which a sealed gas has its overpressure [m³]; None is the volume at the start."""

    seconds: Annotated[float, PlainValidator(Number(at_least=0.0, at_most=1.0e4))] = 0.5
    """Time over which the gas is let in, from the start of the scene [s]."""

    outside: Annotated[float, PlainValidator(Number(at_least=1.0, at_most=1.0e8))] = ATMOSPHERE
    """Pressure of the air outside, which a sealed gas stands against [Pa]."""

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, values: Any) -> Any:
        is_number = isinstance(values, numbers.Real) and not isinstance(values, bool | np.bool_)
        return {"overpressure": values} if is_number else values

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        if self.volume is not None and self.gas != "sealed":
            yield ("volume",), 'belongs to a "sealed" gas, but this one is "pumped". Leave it out.'
