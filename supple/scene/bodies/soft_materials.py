"""What a soft body is made of, in real units, and the presets."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

from pydantic import PlainValidator

from supple.errors import Mistake, SceneError
from supple.scene.declared import Declared
from supple.scene.error_messages import field_error, listed, shown, suggestion
from supple.scene.field_types import STIFFEST, Damping, Density, Number

LEAST_COMPRESSIBLE = 0.495
"""Largest Poisson's ratio; nearer to 0.5 linear tetrahedra lock."""

Young = Annotated[float, PlainValidator(Number(above=0.0, at_most=STIFFEST))]
"""Young's modulus [Pa]."""

Poisson = Annotated[float, PlainValidator(Number(at_least=0.0, at_most=LEAST_COMPRESSIBLE))]
"""Poisson's ratio [-]."""


class SoftMaterial(Declared):
    """How a soft body weighs, resists and settles.

    Example:
        >>> SoftMaterial.like("jelly", young=2.0e4).density
        1050.0
    """

    kind: ClassVar[str] = "material"

    young: Young
    """Stress per strain when pulled [Pa]: jelly some thousands, rubber a million."""

    poisson: Poisson = 0.3
    """How much it narrows when pulled, over how much it lengthens [-]: cork 0, rubber nearly 0.5."""

    density: Density = 1000.0
    """Mass per volume [kg/m³]."""

    damping: Damping = 0.0
    """Stress per rate of strain, φ of Debunne 2000, Eq. 7 [Pa·s]. Motion without strain is never braked."""

    volume_damping: Damping = 0.0
    """Pressure per rate of volume, ψ of the same equation [Pa·s]."""

    @classmethod
    def like(cls, name: str, **values: Any) -> Self:
        """Return the preset of that name with some values replaced."""
        if name not in soft_presets():
            raise SceneError([Mistake(cls.kind, unknown_soft_material(name))])
        return cls(**{**soft_presets()[name].fields(), **values})


@functools.cache
def soft_presets() -> Mapping[str, SoftMaterial]:
    """Return the ready materials by name."""
    text = Path(__file__).with_name("soft_presets.toml").read_text(encoding="utf-8")
    return {name: SoftMaterial(**values) for name, values in tomllib.loads(text).items()}


def unknown_soft_material(name: object) -> str:
    """Return what to say about a material that nobody defined."""
    known = list(soft_presets())
    return (
        f"names the material {shown(name)}, but soft bodies know only {listed(known)}.{suggestion(name, known)} "
        "Or give a SoftMaterial of your own."
    )


def as_soft_material(value: Any) -> str | SoftMaterial:
    """Return a material or the name of a preset, or say what was wanted."""
    if isinstance(value, SoftMaterial):
        return value
    if not isinstance(value, str):
        raise field_error(f"is {shown(value)}, but it must be the name of a soft material or a SoftMaterial.")
    if value not in soft_presets():
        raise field_error(unknown_soft_material(value))
    return value
