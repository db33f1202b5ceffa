"""Kinds of numbers and words that fields hold, each with its range and the sentence for a wrong one."""

from __future__ import annotations

import math
import numbers
import re
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any

import numpy as np
from pydantic import PlainValidator

from supple.scene.error_messages import Degrees, field_error, listed, shown, suggestion

FARTHEST = 1.0e5
"""Largest coordinate a scene may hold [m]; beyond it positions lose the digits that contact needs."""

WIDEST = 1.0e4
"""Largest extent of a body [m]."""

FASTEST = 1.0e5
"""Largest speed a scene may start with [m/s]."""

STIFFEST = 1.0e12
"""Largest stiffness of any kind [SI]."""

ROUGHEST = 1.0e5
"""Largest internal friction of any kind, a thousand times that of cloth [SI]."""


def list_of(
    value: Any, kind: type[Any] | UnionType | tuple[type[Any], ...], plural: str, one: str
) -> tuple[Any, ...]:
    """Return a list of entries of some kind as a tuple, or say which of them is of another.

    Args:
        value: what was given
        kind: what every entry must be
        plural: what the list holds, for the message
        one: what an entry must be, for the message
    """
    if not isinstance(value, list | tuple):
        raise field_error(f"is {shown(value)}, but it must be a list of {plural}.")
    for index, entry in enumerate(value):
        if not isinstance(entry, kind):
            raise field_error(f"is {shown(entry)}, but it must be {one}.", index)
    return tuple(value)


def as_number(value: Any) -> float:
    """Return a finite number as a float, or say what is wrong with it. Words and booleans are no numbers."""
    if isinstance(value, np.ndarray) and value.shape == ():
        value = value.item()
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
        raise field_error(f"is {shown(value)}, but it must be a number.")
    try:
        number = float(value)
    except (OverflowError, ValueError):
        raise field_error("is a number too large to hold.") from None
    if not math.isfinite(number):
        raise field_error(f"is {number}, but it must be a finite number.")
    return number


@dataclass(frozen=True)
class Number:
    """A finite number within a range."""

    above: float | None = None
    """The number must be greater than this."""

    at_least: float | None = None
    """The number must not be smaller than this."""

    at_most: float | None = None
    """The number must not be greater than this."""

    def __call__(self, value: Any) -> float:
        """Return the number as a float, or say what is wrong with it."""
        number = as_number(value)
        self.check(number)
        return number

    def check(self, number: float) -> None:
        """Say so if the number lies outside the range."""
        is_low = (self.above is not None and number <= self.above) or (
            self.at_least is not None and number < self.at_least
        )
        if is_low or (self.at_most is not None and number > self.at_most):
            raise field_error(f"is {shown(number)}, but it must {self.rule}.")

    @property
    def rule(self) -> str:
        """The range in words."""
        low = f"be greater than {self.above:g}" if self.above is not None else ""
        low = f"be at least {self.at_least:g}" if self.at_least is not None else low
        high = f"at most {self.at_most:g}" if self.at_most is not None else ""
        if low and high:
            return f"{low} and {high}"
        return low or f"be {high}"


@dataclass(frozen=True)
class Whole:
    """A whole number within a range."""

    at_least: int
    """Smallest value."""

    at_most: int
    """Largest value."""

    word: str | None = None
    """A word that may stand instead of the number."""

    def __call__(self, value: Any) -> int | str:
        """Return the number as an int, or say what is wrong with it."""
        if self.word is not None and value == self.word and isinstance(value, str):
            return self.word
        instead = f', or be "{self.word}"' if self.word else ""
        if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Integral):
            raise field_error(f"is {shown(value)}, but it must be a whole number{instead}.")
        if not self.at_least <= int(value) <= self.at_most:
            bounds = f"{self.at_least} and {self.at_most}"
            raise field_error(f"is {shown(value)}, but it must lie between {bounds}{instead}.")
        return int(value)


@dataclass(frozen=True)
class Choice:
    """One of a few words."""

    words: tuple[str, ...]
    """What may be written."""

    def __call__(self, value: Any) -> str:
        """Return the word, or say which words there are."""
        if isinstance(value, str) and value in self.words:
            return value
        near = suggestion(value, self.words)
        raise field_error(f"is {shown(value)}, but it must be one of {listed(self.words)}.{near}")


@dataclass(frozen=True)
class Vector:
    """Three finite numbers, none of them larger than a bound."""

    at_most: float
    """Largest magnitude of each number."""

    def __call__(self, value: Any) -> tuple[float, float, float]:
        """Return the vector as a tuple of floats, or say what is wrong with it."""
        x, y, z = numbers_of(value, "three numbers [x, y, z]", 3)
        for axis, number in zip("xyz", (x, y, z), strict=True):
            if abs(number) > self.at_most:
                raise field_error(
                    f"has {axis} = {number:g}, but no number may be larger than {self.at_most:g}."
                )
        return x, y, z


def numbers_of(value: Any, wanted: str, count: int) -> list[float]:
    """Return `count` finite numbers from a list, tuple or array, or say that `wanted` was wanted."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, list | tuple):
        raise field_error(f"is {shown(value)}, but it must be {wanted}.")
    if len(value) != count:
        raise field_error(f"has {len(value)} entries, but it must be {wanted}.")
    found = []
    for position, entry in enumerate(value):
        if isinstance(entry, bool | np.bool_) or not isinstance(entry, numbers.Real):
            raise field_error(f"holds {shown(entry)} at place {position}, but it must be {wanted}.")
        try:
            number = float(entry)
        except (OverflowError, ValueError):
            number = math.inf
        if not math.isfinite(number):
            raise field_error(f"holds {number} at place {position}, but every number in it must be finite.")
        found.append(number)
    return found


def as_rotation(value: Any) -> tuple[float, float, float]:
    """Return three angles [rad]; `rotation_deg` is converted here, once."""
    if not isinstance(value, Degrees):
        x, y, z = Vector(at_most=1.0e6)(value)
        return x, y, z
    if value.is_double:
        raise field_error("is given twice, in radians and as rotation_deg. Keep one of them.")
    x, y, z = Vector(at_most=1.0e7)(value.value)
    return math.radians(x), math.radians(y), math.radians(z)


def as_switch(value: Any) -> bool:
    """Return true or false, or say that one of them was wanted."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise field_error(f"is {shown(value)}, but it must be true or false.")


_NAME = re.compile(r"\w[\w .-]*")


def as_name(value: Any) -> str:
    """Return the name of a body or material, or say what it may consist of."""
    if not isinstance(value, str):
        raise field_error(f"is {shown(value)}, but it must be a word.")
    if len(value) > 80 or not _NAME.fullmatch(value) or value != value.strip():
        raise field_error(
            f"is {shown(value)}, but a name has 1 to 80 letters, digits, spaces, dots, dashes or underscores "
            "and starts with a letter or digit."
        )
    return value


def as_text(value: Any) -> str:
    """Return a text, or say that one was wanted."""
    if not isinstance(value, str):
        raise field_error(f"is {shown(value)}, but it must be a text in quotes.")
    return value


Vec3 = Annotated[tuple[float, float, float], PlainValidator(Vector(at_most=FARTHEST))]
"""Position or offset in world axes [m]."""

Velocity = Annotated[tuple[float, float, float], PlainValidator(Vector(at_most=FASTEST))]
"""Velocity in world axes [m/s]."""

Rotation = Annotated[tuple[float, float, float], PlainValidator(as_rotation)]
"""Angles about the fixed x, then y, then z axis [rad]."""

Name = Annotated[str, PlainValidator(as_name)]
"""What a body is called."""

Switch = Annotated[bool, PlainValidator(as_switch)]
"""True or false."""

Text = Annotated[str, PlainValidator(as_text)]
"""Free text."""

Length = Annotated[float, PlainValidator(Number(above=0.0, at_most=WIDEST))]
"""Extent of a body [m], up to 10 km."""

Stiffness = Annotated[float, PlainValidator(Number(at_least=0.0, at_most=STIFFEST))]
"""Stiffness of any kind, 0 or more; the field says the unit."""


def as_thread_stiffness(value: Any, most: float = STIFFEST) -> float | tuple[float, float]:
    """Return one stiffness, or those of warp and weft, none above `most`."""
    rule = Number(at_least=0.0, at_most=most)
    if not isinstance(value, list | tuple | np.ndarray) or (
        isinstance(value, np.ndarray) and not value.shape
    ):
        return rule(value)
    if len(value) != 2:
        raise field_error(f"has {len(value)} numbers, but it must be one number or two: [warp, weft].")
    return rule(value[0]), rule(value[1])


ThreadStiffness = Annotated[float | tuple[float, float], PlainValidator(as_thread_stiffness)]
"""Stiffness along the threads, 0 or more: one number, or two for warp and weft."""


def as_stiffening(value: Any) -> tuple[tuple[float, ...], ...]:
    """Return one or two points of a curve of stiffening, each an elongation and one or two factors."""
    points = list_of(value, (list, tuple, np.ndarray), "points [elongation, factor]", "[elongation, factor]")
    if len(points) > 2:
        raise field_error(
            f"has {len(points)} points, but a curve of stiffening has one or two beside its start."
        )
    found: list[tuple[float, ...]] = []
    for index, point in enumerate(points):
        if len(point) not in (2, 3):
            raise field_error(
                f"has {len(point)} numbers, but it must be [elongation, factor] or [elongation, warp, weft].",
                index,
            )
        strain, *factors = (as_number(number) for number in point)
        least = found[-1][0] if found else 0.0
        if not least + 1e-4 <= strain <= 10.0:
            raise field_error(
                f"is at an elongation of {strain:g}, but it must be above {least:g} and at most 10.", index
            )
        if not all(0.5 <= factor <= 1e4 for factor in factors):
            words = " and ".join(f"{factor:g}" for factor in factors)
            raise field_error(f"has the factor {words}, but it must be at least 0.5 and at most 1e4.", index)
        found.append((strain, *factors))
    return tuple(found)


Stiffening = Annotated[tuple[tuple[float, ...], ...], PlainValidator(as_stiffening)]
"""Points of a curve: elongation, and how many times stiffer threads are there."""

ThreadFriction = Annotated[
    float | tuple[float, float], PlainValidator(lambda value: as_thread_stiffness(value, ROUGHEST))
]
"""Internal friction along the threads, 0 or more: one number, or two for warp and weft; the field says the unit."""

InternalFriction = Annotated[float, PlainValidator(Number(at_least=0.0, at_most=ROUGHEST))]
"""Internal friction of any kind, 0 or more; the field says the unit."""

PoissonRatio = Annotated[float, PlainValidator(Number(at_least=-0.99, at_most=0.99))]
"""Contraction over elongation of a sheet [-]; beyond 1 it would not be stable."""

Damping = Annotated[float, PlainValidator(Number(at_least=0.0, at_most=STIFFEST))]
"""Damping of any kind, 0 or more; the field says the unit."""

Density = Annotated[float, PlainValidator(Number(above=0.0, at_most=1.0e6))]
"""Density of any kind, more than 0; the field says the unit."""

StretchLimit = Annotated[float, PlainValidator(Number(at_least=0.0, at_most=1.0e3))]
"""Largest elongation allowed [-]: 0.1 is 10 %."""

Time = Annotated[float, PlainValidator(Number(at_least=0.0, at_most=1.0e6))]
"""Moment since the start of the scene [s]."""

GridCount = Annotated[int, PlainValidator(Whole(at_least=2, at_most=2_000_000))]
"""Points along one side of a grid."""
