"""What a cloth is made of, in real units, and the presets."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

from supple.errors import Mistake, SceneError
from supple.scene.declared import Declared
from supple.scene.error_messages import listed, shown, suggestion
from supple.scene.field_types import (
    Damping,
    Density,
    InternalFriction,
    Length,
    PoissonRatio,
    Stiffening,
    Stiffness,
    StretchLimit,
    ThreadFriction,
    ThreadStiffness,
)


class Material(Declared):
    """How a cloth weighs, resists and settles.

    Stiffnesses belong to the sheet, not to its springs, so a finer grid of the same material behaves
    alike. Any of them may be 0: chain mail resists nothing until its stretch limit.

    Example:
        >>> Material.like("cotton", area_density=0.2).stretch_stiffness
        1000.0
    """

    kind: ClassVar[str] = "material"

    area_density: Density
    """Mass per area [kg/m²]."""

    stretch_stiffness: ThreadStiffness
    """Pull per width at full elongation along the threads [N/m]: one number, or [warp, weft]. Springs take the mean."""

    shear_stiffness: Stiffness
    """Resistance to skewing a square into a rhomb [N/m]."""

    bending_stiffness: ThreadStiffness = 1.2e-5
    """Moment per width and curvature [N·m]: one number, or [warp, weft]; that of a firm cotton if you do not know it."""

    poisson_ratio: PoissonRatio = 0.0
    """How much narrower pulled cloth gets, over how much longer [-]; the geometric mean of warp and weft. Elements only."""

    damping: Damping = 0.0
    """Viscous damping of stretch and shear [N·s/m]."""

    stretch_limit: StretchLimit | None = None
    """Largest elongation the over-stretch limiter allows [-]: 0.1 is 10 %; None is no limit."""

    stiffening: Stiffening = ()
    """How stretched threads stiffen: one or two points [elongation, factor] or [elongation, warp, weft], where they resist
    further stretch so many times as at the start [-]. Elements only."""

    stretch_friction: ThreadFriction = 0.0
    """Friction inside the cloth when it is stretched, what its pull differs by at most [N/m]: one number, or [warp, weft];
    half the width of the measured loop. Elements only."""

    shear_friction: InternalFriction = 0.0
    """The same when it is skewed [N/m]: half of what KES-F calls 2HG. Elements only."""

    bending_friction: ThreadFriction = 0.0
    """The same when it is bent [N], a moment per width: one number, or [warp, weft]; half of what KES-F calls 2HB.
    Meshes and panels only."""

    thickness: Length = 4.0e-4
    """Volume per area [m], what the fabric displaces in water."""

    @property
    def has_thread_laws(self) -> bool:
        """Whether it stiffens or rubs, which springs do not know."""
        return bool(self.stiffening) or any(
            (*pair_of(self.stretch_friction), self.shear_friction, *pair_of(self.bending_friction))
        )

    @classmethod
    def like(cls, name: str, **values: Any) -> Self:
        """Return the preset of that name with some values replaced."""
        if name not in presets():
            raise SceneError([Mistake(cls.kind, unknown_material(name, presets()))])
        return cls(**{**presets()[name].fields(), **values})


def pair_of(value: float | tuple[float, float]) -> tuple[float, float]:
    """Return the values of warp and weft."""
    return value if isinstance(value, tuple) else (value, value)


class Fabric(NamedTuple):
    """A ready material and what is known of it."""

    material: Material
    description: str
    """What it is made of and for."""

    source: str
    """Who measured it, or that its numbers were chosen."""


CHOSEN = "chosen within the range of measured cloth"
MEASURED = "Wang, O'Brien and Ramamoorthi 2011"


@functools.cache
def fabrics() -> Mapping[str, Fabric]:
    """Return the ready materials by name: the presets, then measured fabrics."""
    found = {}
    for file, source in (("presets.toml", CHOSEN), ("fabrics.toml", MEASURED)):
        text = Path(__file__).with_name(file).read_text(encoding="utf-8")
        for name, values in tomllib.loads(text).items():
            description = values.pop("description")
            found[name] = Fabric(Material(**values), description, source)
    return found


@functools.cache
def presets() -> Mapping[str, Material]:
    """Return the ready materials by name."""
    return {name: fabric.material for name, fabric in fabrics().items()}


def unknown_material(name: object, known: Mapping[str, Material]) -> str:
    """Return what to say about a material that nobody defined."""
    return (
        f"names the material {shown(name)}, which is neither a preset nor defined in this scene. "
        f"Materials: {listed(known)}.{suggestion(name, list(known))}"
    )
