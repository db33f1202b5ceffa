"""Fields of a scene by path: `cloth.sheet.material.stretch_stiffness`, `sheet.at.1`, `gravity.1`, `settings.substeps`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from supple.errors import SuppleError
from supple.scene.bodies.materials import Material, presets
from supple.scene.bodies.soft_materials import SoftMaterial, soft_presets
from supple.scene.declared import Declared
from supple.scene.error_messages import listed, suggestion
from supple.scene.scene import Scene

GROUPS = ("bodies", "obstacles", "fans", "waters", "cameras", "stitches")
"""Fields of a scene that hold entries with names."""


def changed(scene: Scene, values: Mapping[str, Any]) -> Scene:
    """Return a scene with other values in some of its fields.

    A path begins with the name of a body, an obstacle, a fan, a water or a camera, or with its kind and its name, or with a
    field of the scene; every further word is a field, or the number of an entry of a list. A material that is named by a
    preset becomes one of its own.

    Example:
        >>> from supple.scene.bodies.cloth import Cloth
        >>> scene = Scene(Cloth.rectangle(width=1.0, height=1.0, columns=3, rows=3, material="silk"))
        >>> changed(scene, {"cloth.material.area_density": 0.2}).bodies[0].material.area_density
        0.2
    """
    for path, value in values.items():
        steps = path.split(".")
        group, index, rest = _entry(scene, steps, path)
        if group is None:
            scene = _replaced(scene, rest, value, path, scene)
        else:
            entries = list(getattr(scene, group))
            if not rest:
                raise SuppleError(f"`{path}` names a whole entry. Add one of its fields.")
            entries[index] = _replaced(entries[index], rest, value, path, scene)
            scene = scene.changed(**{group: tuple(entries)})
    return scene


def field_of(scene: Scene, path: str) -> Any:
    """Return what stands in a field of a scene."""
    group, index, rest = _entry(scene, path.split("."), path)
    found: Any = scene if group is None else getattr(scene, group)[index]
    for step in rest:
        found = _part(_materialised(found, scene), step, path)
    return found


def _entry(scene: Scene, steps: list[str], path: str) -> tuple[str | None, int, list[str]]:
    """Return the group and the place in it of the entry that a path begins with, and the rest; None for the scene itself."""
    for group in GROUPS:
        for index, entry in enumerate(getattr(scene, group)):
            kinds = {entry.kind, *(("obstacle",) if group == "obstacles" else ())}
            if len(steps) > 1 and steps[0] in kinds and steps[1] == entry.name:
                return group, index, steps[2:]
    for group in GROUPS:
        for index, entry in enumerate(getattr(scene, group)):
            if steps[0] == entry.name:
                return group, index, steps[1:]
    known = set(Scene.model_fields) - {*GROUPS, "edits", "title", "description"}
    if steps[0] in known:
        return None, 0, steps
    names = [entry.name for group in GROUPS for entry in getattr(scene, group)]
    offered = (*names, *sorted(known))
    raise SuppleError(
        f"`{path}` begins with nothing that the scene has. It has: {listed(offered)}."
        f"{suggestion(steps[0], offered)}"
    )


def _replaced(holder: Any, steps: list[str], value: Any, path: str, scene: Scene) -> Any:
    """Return a holder with a value somewhere below it replaced."""
    step, rest = steps[0], steps[1:]
    old = _part(holder, step, path)
    new = _replaced(_materialised(old, scene), rest, value, path, scene) if rest else value
    if isinstance(holder, Declared):
        return holder.changed(**{step: new})
    if isinstance(holder, Mapping):
        return {**holder, step: new}
    return tuple(new if n == int(step) else each for n, each in enumerate(holder))


def _materialised(value: Any, scene: Scene) -> Any:
    """Return the material that a name stands for; anything else as it is."""
    if isinstance(value, str):
        known: dict[str, Material | SoftMaterial] = {**soft_presets(), **presets(), **scene.materials}
        return known.get(value, value)
    return value


def _part(holder: Any, step: str, path: str) -> Any:
    """Return a field or an entry of a holder."""
    if isinstance(holder, Declared):
        known = tuple(type(holder).model_fields)
        if step in known:
            return getattr(holder, step)
        what = f"{type(holder).__name__} has no field `{step}`. Fields: {listed(known)}.{suggestion(step, known)}"
        raise SuppleError(f"`{path}`: {what}")
    if isinstance(holder, Mapping) and step in holder:
        return holder[step]
    if isinstance(holder, tuple | list | np.ndarray) and step.isdecimal() and int(step) < len(holder):
        return holder[int(step)]
    raise SuppleError(f"`{path}`: there is no `{step}` in {holder!r}.")
