"""What may change while a simulation runs, checked like the scene itself."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import PlainValidator

from supple.scene.bodies.contact_settings import ClothContactField
from supple.scene.bodies.pressure import Overpressure
from supple.scene.bodies.soft_materials import Poisson, Young
from supple.scene.cloth_shapes.panel_sizes import Sizes
from supple.scene.colour import Colour
from supple.scene.declared import Declared
from supple.scene.field_types import (
    Damping,
    Density,
    Number,
    PoissonRatio,
    Stiffness,
    StretchLimit,
    ThreadStiffness,
)

TOUCH = ("self_contact", "thickness", "friction")
"""What says how surfaces meet; it belongs to a declared body and all its pieces."""

OF_SCENE = (*TOUCH, "colour")
"""What stands in the scene, for a declared body and all its pieces."""


class BodyChanges(Declared):
    """New values for one body; None leaves a value as it is. Units as where the body was declared."""

    kind: ClassVar[str] = "change"

    stretch_stiffness: ThreadStiffness | None = None
    """[N/m] for cloth and networks, [N] for chains, [Pa] for lattices; of cloth also [warp, weft]."""

    shear_stiffness: Stiffness | None = None
    """[N/m]"""

    poisson_ratio: PoissonRatio | None = None
    """[-], of cloth made of elements."""

    bending_stiffness: ThreadStiffness | None = None
    """[N·m] for cloth, [N·m²] for chains; of cloth also [warp, weft]."""

    damping: Damping | None = None
    """[N·s/m] for cloth and networks, [N·s] for chains, [Pa·s] for lattices and soft bodies."""

    stretch_limit: StretchLimit | None = None
    """Largest elongation [-]."""

    density: Density | None = None
    """[kg/m²] for cloth, [kg/m] for chains, [kg/m³] for lattices and soft bodies, [kg] a point for networks."""

    young: Young | None = None
    """[Pa], of soft bodies."""

    poisson: Poisson | None = None
    """[-], of soft bodies."""

    volume_damping: Damping | None = None
    """[Pa·s], of soft bodies."""

    pressure: Overpressure | None = None
    """Overpressure [Pa] of the gas in a closed cloth."""

    self_contact: ClothContactField | None = None
    """How cloth meets cloth: "exact", "points" or "off"; of soft bodies "exact" or "off"."""

    sizes: Sizes | None = None
    """Sizes of a panel at rest, by name: it is drawn anew while it moves."""

    tempo: Annotated[float, PlainValidator(Number(at_least=0.0, at_most=100.0))] | None = None
    """How fast the animation of a puppet runs, over real time [-]; 0 lets it stand."""

    colour: Colour | None = None
    """"#rrggbb" or a name such as "blue"."""

    thickness: Annotated[float, PlainValidator(Number(at_least=1.0e-5, at_most=1.0))] | None = None
    """Distance that layers keep [m]."""

    friction: Annotated[float, PlainValidator(Number(at_least=0.0, at_most=100.0))] | None = None
    """Coulomb coefficient of cloth on cloth [-]."""
