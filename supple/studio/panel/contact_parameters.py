"""What the panel offers for cloth that meets cloth: whether it notices, and what thickness and friction it has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, get_args

from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.contact_settings import THICKEST, ClothContact, SoftContact, least_height
from supple.scene.bodies.soft_body import SoftBody
from supple.simulation import Simulation
from supple.studio.panel.parameter import Parameter

THINNEST = 1.0e-5
"""Left end of the slider of the thickness [m]."""

ROUGHEST = 2.0
"""Right end of the slider of the friction [-]."""

ROUND = 1.0 - 1.0e-6
"""What rounding may take from the right end of a slider must not lie beyond what the engine allows [-]."""


def contact_parameters(name: str, body: Cloth | SoftBody) -> Iterator[Parameter]:
    """Declare how a body meets itself and others; a change holds for every piece of it."""

    def setter(field: str) -> Callable[[Simulation, Any], dict[str, Any]]:
        def change(target: Simulation, value: Any) -> dict[str, Any]:
            target.set(name, **{field: value})
            return {}

        return change

    modes = ClothContact if isinstance(body, Cloth) else SoftContact
    yield Parameter(
        name=f"{name}.self_contact", group=name, label="Self-contact", kind="choice", value=body.self_contact,
        change=setter("self_contact"), choices=get_args(modes)[::-1],
        help="Whether it notices itself and others of the same kind: exact never passes through, points is cheap.",
    )  # fmt: skip
    thickness = body.contact_thickness()
    thickest = ROUND * THICKEST * least_height(body.local_points(), body.surface_triangles())
    yield Parameter(
        name=f"{name}.thickness", group=name, label="Thickness", kind="number", value=thickness,
        change=setter("thickness"), unit="m", low=min(THINNEST, thickness), high=max(thickest, thickness),
        is_logarithmic=True, help="Distance that layers keep, where they notice each other.",
    )  # fmt: skip
    yield Parameter(
        name=f"{name}.friction", group=name, label="Friction", kind="number", value=body.friction,
        change=setter("friction"), low=0.0, high=max(ROUGHEST, body.friction),
        help="Coulomb coefficient of layer on layer, where they notice each other.",
    )  # fmt: skip
