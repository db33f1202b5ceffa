"""Moving air: what a cloth feels of it, the wind, and fans."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import PlainValidator, model_validator

from supple.scene.declared import Declared
from supple.scene.error_messages import Steps, field_error
from supple.scene.field_types import Choice, Density, Length, Name, Number, Switch, Vec3, Velocity
from supple.scene.obstacles.solids import Direction

Law = Literal["plate", "kang", "meyer"]

USUAL_DRAG: dict[Law, float] = {"plate": 1.2, "kang": 0.01, "meyer": 0.01}
"""What `drag` is if nothing is said, in the unit of each law."""

USUAL_LIFT = 0.01
"""What `lift` is under Kang's law if nothing is said [kg/m³]."""

Coefficient = Annotated[float, PlainValidator(Number(at_least=0.0, at_most=1.0e4))]


class Aerodynamics(Declared):
    """How the air pushes a cloth: one of three laws, with its coefficients.

    - `plate`: a flat plate in a stream, with real coefficients; nothing edge-on.
    - `kang`: drag and lift of Kang, Choi and Cho 2000, §3, per area instead of per mass point.
    - `meyer`: the wind of Meyer, Debunne, Desbrun and Barr 2000, Eq. 5, per area; it knows the speed of
      the wind only, not that of the cloth.

    Theory: docs/theory/air.md, eq. (A2), (A3), (A4).

    Example:
        >>> Aerodynamics(law="kang", lift=0.02).drag_value
        0.01
    """

    kind: ClassVar[str] = "aerodynamics"

    law: Annotated[Law, PlainValidator(Choice(get_args(Law)))] = "plate"
    """Which law: "plate", "kang" or "meyer"."""

    drag: Coefficient | None = None
    """Drag coefficient C_D of a plate face-on [-], K_D of Kang or K_drag of Meyer [kg/m³]; None is 1.2, or 0.01."""

    lift: Coefficient | None = None
    """K_L of Kang's law [kg/m³]; None is 0.01. The plate's lift follows from its drag."""

    skin: Coefficient = 0.0
    """Friction of the air along a plate, both sides together [-]; smooth cloth has about 0.01."""

    lead: Annotated[float, PlainValidator(Number(at_least=0.0, at_most=0.5))] = 0.0
    """How far ahead of its middle the centre of pressure of a plate lies when nearly edge-on, in halves of its width [-].
    A stiff card flutters with 0.5, which is that of a thin wing; 0 lets it glide. The whole body counts as one plate."""

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, values: Any) -> Any:
        return {"law": values} if isinstance(values, str) else values

    @property
    def drag_value(self) -> float:
        """The drag coefficient in use, [-] or [kg/m³]."""
        return USUAL_DRAG[self.law] if self.drag is None else self.drag

    @property
    def lift_value(self) -> float:
        """The lift coefficient in use [kg/m³]; 0 for laws that have none."""
        if self.law != "kang":
            return 0.0
        return USUAL_LIFT if self.lift is None else self.lift

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        if self.lift is not None and self.law != "kang":
            yield ("lift",), f'belongs to the law "kang", but the law is "{self.law}". Leave it out.'
        if self.skin and self.law != "plate":
            yield ("skin",), f'belongs to the law "plate", but the law is "{self.law}". Leave it out.'
        if self.lead and self.law != "plate":
            yield ("lead",), f'belongs to the law "plate", but the law is "{self.law}". Leave it out.'


def as_gusts(value: Any) -> float:
    """Return a fraction of the mean speed, or say that it is no speed."""
    number = Number(at_least=0.0)(value)
    if number > 1.0:
        raise field_error(
            f"is {number:g}, but it must lie between 0 and 1: it is a fraction of the mean speed, "
            "not a speed in m/s."
        )
    return number


class Wind(Declared):
    """Air that fills the scene, steady or in gusts.

    A scene with a wind has air: cloth, chains and soft bodies feel it by their velocity relative to it. A
    wind of no speed is still air, in which things fall as feathers do. A scene with neither a wind nor a
    fan has none.

    Example:
        >>> Wind(velocity=(3.0, 4.0, 0.0), gusts=0.2).speed
        5.0
    """

    kind: ClassVar[str] = "wind"

    velocity: Velocity = (0.0, 0.0, 0.0)
    """Mean velocity of the air, in world axes [m/s]."""

    gusts: Annotated[float, PlainValidator(as_gusts)] = 0.0
    """Standard deviation of the speed over the mean speed [-], 0 to 1; 0 is steady."""

    gust_length: Annotated[float, PlainValidator(Number(at_least=0.05, at_most=1.0e4))] = 4.0
    """Distance from one gust to the next [m]."""

    gust_time: Annotated[float, PlainValidator(Number(at_least=0.05, at_most=1.0e4))] = 2.0
    """Time in which a gust changes while it travels with the wind [s]."""

    density: Density = 1.2
    """Of the air [kg/m³]."""

    shadow: Switch = True
    """Whether obstacles shelter what is behind them."""

    @property
    def speed(self) -> float:
        """Mean speed of the air [m/s]."""
        return math.hypot(*self.velocity)


class Fan(Declared):
    """A round jet of air that widens and slows down on its way.

    Theory: docs/theory/air.md, eq. (A8).
    """

    kind: ClassVar[str] = "fan"

    name: Name | None = None
    """What it is called; None takes "fan", with a number if that is taken."""

    at: Vec3
    """Its centre [m]."""

    direction: Direction
    """Where it blows; any length."""

    speed: Annotated[float, PlainValidator(Number(at_least=0.0, at_most=1.0e4))]
    """Of the air on the axis, at the fan [m/s]."""

    radius: Length = 0.2
    """[m]"""
