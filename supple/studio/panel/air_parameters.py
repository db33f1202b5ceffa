"""What the panel offers for wind, fans and water.

Every scene has the wind: where there is no air, its speed is zero, and raising it lets air in. The page draws an
arrow for `wind.velocity` that can be turned by hand; it knows this one parameter by name.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from supple.scene.air import Wind
from supple.simulation import Simulation
from supple.studio.panel.parameter import Parameter

FASTEST = 60.0
"""Right end of the slider of the wind [m/s]."""

Velocity = tuple[float, float, float]


def air_parameters(simulation: Simulation) -> Iterator[Parameter]:
    """Declare the wind, the speeds of fans and the currents of waters."""
    yield from _wind_parameters(simulation)
    yield from _fan_parameters(simulation)
    yield from _water_parameters(simulation)


def _wind_parameters(simulation: Simulation) -> Iterator[Parameter]:
    declared = simulation.scene.wind
    wind = declared or Wind()
    heading = wind.velocity if wind.speed > 0.0 else (1.0, 0.0, 0.0)
    fastest = max(FASTEST, wind.speed, *map(abs, wind.velocity))

    def blow(target: Simulation, **changes: Any) -> Wind:
        blown = (target.scene.wind or Wind()).changed(**changes)
        # Without a wind of its own a scene has no air, so that a speed of zero is as it was.
        target.set(wind=None if declared is None and blown.speed == 0.0 else blown)
        return blown

    def set_velocity(target: Simulation, value: Any) -> dict[str, Any]:
        return {"wind.speed": min(blow(target, velocity=value).speed, fastest)}

    def set_speed(target: Simulation, value: Any) -> dict[str, Any]:
        now = (target.scene.wind or Wind()).velocity
        velocity = _scaled(now if math.hypot(*now) > 0.0 else heading, value)
        blow(target, velocity=velocity)
        return {"wind.velocity": velocity}

    def set_gusts(target: Simulation, value: Any) -> dict[str, Any]:
        blow(target, gusts=value)
        return {}

    def set_shadow(target: Simulation, value: Any) -> dict[str, Any]:
        blow(target, shadow=value)
        return {}

    is_open = declared is not None
    yield Parameter(
        name="wind.speed", group="Wind", label="Speed", kind="number", value=wind.speed, change=set_speed,
        unit="m/s", low=0.0, high=fastest, is_open=is_open, help="Mean speed of the air.",
    )  # fmt: skip
    yield Parameter(
        name="wind.velocity", group="Wind", label="Velocity", kind="vector", value=wind.velocity,
        change=set_velocity, unit="m/s", low=-fastest, high=fastest, is_open=is_open,
        help="Mean velocity of the air; the arrow in the scene turns it.",
    )  # fmt: skip
    yield Parameter(
        name="wind.gusts", group="Wind", label="Gusts", kind="number", value=wind.gusts, change=set_gusts,
        low=0.0, high=1.0, is_open=is_open, help="Standard deviation of the speed over the mean speed.",
    )  # fmt: skip
    yield Parameter(
        name="wind.shadow", group="Wind", label="Wind shadow", kind="switch", value=wind.shadow,
        change=set_shadow, is_open=is_open, help="Whether obstacles shelter what is behind them.",
    )  # fmt: skip


def _fan_parameters(simulation: Simulation) -> Iterator[Parameter]:
    for index, fan in enumerate(simulation.scene.fans):

        def change(target: Simulation, value: Any, index: int = index) -> dict[str, Any]:
            fans = list(target.scene.fans)
            fans[index] = fans[index].changed(speed=value)
            target.set(fans=fans)
            return {}

        yield Parameter(
            name=f"{fan.name}.speed", group=fan.name or fan.kind, label="Fan", kind="number", value=fan.speed,
            change=change, unit="m/s", low=0.0, high=max(20.0, fan.speed), help="Speed of the air at the fan.",
        )  # fmt: skip


def _water_parameters(simulation: Simulation) -> Iterator[Parameter]:
    for index, water in enumerate(simulation.scene.waters):

        def change(target: Simulation, value: Any, index: int = index) -> dict[str, Any]:
            waters = list(target.scene.waters)
            waters[index] = waters[index].changed(current=value)
            target.set(waters=waters)
            return {}

        largest = max(5.0, *map(abs, water.current))
        yield Parameter(
            name=f"{water.name}.current", group=water.name or water.kind, label="Current", kind="vector",
            value=water.current, change=change, unit="m/s", low=-largest, high=largest,
            help="Velocity of the water.",
        )  # fmt: skip


def _scaled(heading: Velocity, speed: float) -> Velocity:
    x, y, z = heading
    factor = speed / math.hypot(x, y, z)
    return factor * x, factor * y, factor * z
