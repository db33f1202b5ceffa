"""A sewing pattern from a file: one cloth for every panel, and the stitches between them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import PlainValidator
from pydantic_core import PydanticCustomError

from supple.errors import Mistake
from supple.scene.bodies.cloth import Cloth, as_material
from supple.scene.bodies.contact_settings import ClothContactField
from supple.scene.bodies.materials import Material
from supple.scene.cloth_shapes.panel import Panel, panel_sizes
from supple.scene.cloth_shapes.panel_sizes import Sizes
from supple.scene.colour import Colour
from supple.scene.declared import Declared
from supple.scene.dressing.regions import REGIONS
from supple.scene.error_messages import (
    Steps,
    dotted_path,
    field_error,
    listed,
    shown,
    suggestion,
    unknown_key,
)
from supple.scene.field_types import WIDEST, Name, Number, Rotation, Time, Vec3
from supple.scene.files.pattern_file import DrawnPanel, DrawnPattern, DrawnStitch, read_pattern
from supple.scene.placement import rotation_angles, rotation_matrix
from supple.scene.timeline.stitch import Stitch

PANEL_KEYS = ("size", "wrap", "part", "material", "velocity", "masses", "drag", "pins", "anchors", "regions")
"""What may differ from panel to panel."""


def as_pattern_file(value: Any) -> str:
    """Return the path of a pattern file, or say that one was wanted."""
    if not isinstance(value, str | os.PathLike) or not str(value) or "\0" in str(value):
        raise field_error(f"is {shown(value)}, but it must be the path of a pattern file.")
    return str(value)


def as_panel_tables(value: Any) -> dict[str, dict[str, Any]]:
    """Return what differs for some panels, by name, or say what it may be."""
    if not isinstance(value, Mapping):
        raise field_error(f"is {shown(value)}, but it must hold a table for each panel, by name.")
    for name, table in value.items():
        if not isinstance(name, str) or not isinstance(table, Mapping):
            raise field_error(f"is {shown(table)}, but it must be a table.", str(name))
        for key in table:
            if key not in PANEL_KEYS:
                raise field_error(unknown_key(str(key), PANEL_KEYS), name, str(key))
    return {name: dict(table) for name, table in value.items()}


def as_sewn(value: Any) -> tuple[DrawnStitch, ...]:
    """Return pairs of panel and edge that are sewn together, or say what they must be."""
    wanted = 'pairs of panel and edge: [["front", "edge-1"], ["back", "edge-3"]]'
    if not isinstance(value, list | tuple):
        raise field_error(f"is {shown(value)}, but it must hold {wanted}.")
    stitches: list[DrawnStitch] = []
    for number, entry in enumerate(value):
        pair = list(entry) if isinstance(entry, list | tuple) else []
        direction: Any = pair.pop() if len(pair) == 3 else "opposite"
        is_pair = len(pair) == 2 and all(
            isinstance(end, list | tuple) and len(end) == 2 and all(isinstance(word, str) for word in end)
            for end in pair
        )
        if not is_pair or direction not in ("opposite", "same"):
            raise field_error(f"is {shown(entry)}, but it must be one of {wanted}.", number)
        a, b = ((end[0], end[1]) for end in pair)
        stitches.append((a, b, direction))
    return tuple(stitches)


def _reader(path: Path) -> Callable[[Path], DrawnPattern]:
    """Return what reads a pattern file of that ending."""
    if path.suffix.lower() == ".svg":
        from supple.scene.files.pattern_svg import read_svg

        return read_svg
    if path.suffix.lower() == ".dxf":
        from supple.scene.files.pattern_dxf import read_dxf

        return read_dxf
    return read_pattern


class Pattern(Declared):
    """A garment in pieces, as a pattern file lays them out around the body.

    A scene takes it apart: each panel becomes a cloth named after the pattern and the panel, such as
    "tunic-front", and every stitch a `Stitch`. What the file holds beyond that is told as a warning.
    """

    kind: ClassVar[str] = "pattern"

    name: Name | None = None
    """What it is called; None takes the name of the file."""

    file: Annotated[str, PlainValidator(as_pattern_file)]
    """Pattern file: JSON in the form of GarmentCode, or a drawing as .dxf (AAMA, ASTM) or .svg, whose panels names place."""

    size: Annotated[float, PlainValidator(Number(above=0.0, at_most=WIDEST))] = 0.02
    """About the side of the triangles [m]."""

    body: Name | None = None
    """The standing figure it is put on, an obstacle or a puppet by name: panels are laid round its trunk, arms and legs, and
    sewn together before the motion starts. None lays them out as the file says, to be sewn while they move."""

    at: Vec3 = (0.0, 0.0, 0.0)
    """Where the origin of the file stands in the world [m]."""

    rotation: Rotation = (0.0, 0.0, 0.0)
    """Turn of the whole about that origin: fixed x, then y, then z axis [rad]; `rotation_deg` takes degrees."""

    material: Annotated[str | Material, PlainValidator(as_material)] = "cotton"
    """A preset, a material of the scene, or a Material."""

    colour: Colour | None = None
    """What all panels look like, "#rrggbb" or a name such as "blue"; None tells them apart."""

    self_contact: ClothContactField | None = None
    """How the panels meet each other, themselves and other cloth, see `Cloth`; None is "exact" on a body, else "off"."""

    seconds: Time = 0.8
    """How long its stitches take to close, from the start on [s]."""

    sizes: Sizes = {}  # noqa: RUF012
    """Sizes that the file leaves open, by name, such as a length [m]; None named are as it draws them."""

    sewn: Annotated[tuple[DrawnStitch, ...], PlainValidator(as_sewn)] = ()
    """Pairs of edges that are sewn together beside those of the file: ["front", "side-left"], ["back", "side-right"]."""

    panels: Annotated[dict[str, dict[str, Any]], PlainValidator(as_panel_tables)] = {}  # noqa: RUF012
    """What differs for some panels, by name: size, wrap, material, colour, pins and the like."""

    @property
    def title(self) -> str:
        """The name of the pattern, or else of its file."""
        return self.name or Path(self.file).stem

    @property
    def contact(self) -> str:
        """How its panels meet: "exact", "points" or "off"."""
        return self.self_contact or ("off" if self.body is None else "exact")

    @property
    def panel_names(self) -> tuple[str, ...]:
        """Names of its panels, in the order of the file."""
        return tuple(self._drawn.panels)

    def label(self, panel: str) -> str:
        """Return what the file says a panel is: "body", "arm", "leg", or nothing."""
        return self._drawn.panels[panel].label

    @property
    def cloths(self) -> tuple[Cloth, ...]:
        """A cloth for every panel, in the order of the file."""
        return self._built[0]

    @cached_property
    def stitches(self) -> tuple[Stitch, ...]:
        """The stitches of the file, numbered from 0."""
        return tuple(
            Stitch(
                name=f"{self.title}-stitch-{number}",
                a=(self._cloth_name(one[0]), one[1]),
                b=(self._cloth_name(other[0]), other[1]),
                direction=direction,
                seconds=self.seconds,
            )
            for number, (one, other, direction) in enumerate(self._drawn.stitches)
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """What the file leaves open, as it says it, at the values that are drawn here."""
        sizes = {name: size for cloth in self.cloths for name, size in panel_sizes(cloth).items()}
        written = {}
        for name, entry in self._drawn.parameters.items():
            if name in sizes:
                entry = {**entry, "value": sizes[name].value * (100.0 if sizes[name].unit else 1.0)}
                if sizes[name].unit:
                    entry["range"] = [100.0 * sizes[name].low, 100.0 * sizes[name].high]
            written[name] = entry
        return written

    @property
    def notes(self) -> tuple[str, ...]:
        """What the file holds that was passed over."""
        return self._drawn.notes

    @cached_property
    def _drawn(self) -> DrawnPattern:
        path = Path(self.file)
        drawn = _reader(path)(path)
        return replace(drawn, stitches=(*drawn.stitches, *self.sewn)) if self.sewn else drawn

    @cached_property
    def _built(self) -> tuple[tuple[Cloth, ...], list[tuple[Steps, str]]]:
        """The cloths, and what is wrong with those that could not be made."""
        mistakes: list[tuple[Steps, str]] = []
        built = [self._cloth(name, panel, mistakes) for name, panel in self._drawn.panels.items()]
        return tuple(cloth for cloth in built if cloth is not None), mistakes

    def _cloth_name(self, panel: str) -> str:
        return f"{self.title}-{panel}"

    def _cloth(self, name: str, panel: DrawnPanel, mistakes: list[tuple[Steps, str]]) -> Cloth | None:
        own = dict(self.panels.get(name, {}))
        shape = {"outline": panel.loops[0], "holes": panel.loops[1:], "size": own.pop("size", self.size)}
        shape["wrap"] = own.pop("wrap", None)
        own.pop("part", None)
        found: list[Mistake] = []
        places: list[Steps] = []

        def words(steps: Steps) -> Steps:
            # Called once for each mistake; its steps are kept, for they lead to a part of this entry.
            places.append(steps)
            return steps

        shape["sizes"] = panel.sizes
        flat = Panel.attempted(shape, "", found, words)
        if flat is not None:
            offered = flat.sizes
            # What is out of range is told by itself.
            wanted = {
                name: value
                for name, value in self.sizes.items()
                if name in offered and offered[name].low <= value <= offered[name].high
            }
            flat = flat.sized(wanted) if wanted else flat
        at = rotation_matrix(self.rotation) @ np.array(panel.at) + np.array(self.at)
        turned = rotation_angles(rotation_matrix(self.rotation) @ rotation_matrix(panel.rotation))
        values = {
            "material": self.material,
            "colour": self.colour,
            "self_contact": self.contact,
            "garment": self.title,
            **own,
            "name": self._cloth_name(name),
            "at": tuple(at.tolist()),
            "rotation": turned if any(self.rotation) else panel.rotation,
            "shape": flat or Panel,
        }
        cloth = Cloth.attempted(values, "", found, words, ignore=() if flat else ("shape",))
        for steps, mistake in zip(places, found, strict=True):
            mistakes.append(self._told(name, panel, steps, mistake.message))
        return cloth

    def _told(self, name: str, panel: DrawnPanel, steps: Steps, message: str) -> tuple[Steps, str]:
        """Return a mistake in a panel as one in the file, at the edge in question, or in what was given beside it."""
        if steps[:1] not in (("outline",), ("holes",)):
            is_own = bool(steps) and steps[0] in self.panels.get(name, {})
            if not is_own and steps[:1] == ("size",):
                return steps, message
            return (("panels", name, *steps) if is_own else ("panels", name), message)
        where: Steps = ("pattern", "panels", name)
        loop, corner = (0, steps[1:2]) if steps[0] == "outline" else (int(steps[1]) + 1, steps[2:3])
        if corner:
            where = (*where, "edges", panel.edges[loop][int(corner[0])])
        return ("file",), f"names {shown(Path(self.file).name)}, where `{dotted_path('', *where)}` {message}"

    def _size_mistakes(self, drawn: DrawnPattern) -> Iterator[tuple[Steps, str]]:
        offered = {name: size for panel in drawn.panels.values() for name, size in panel.sizes.items()}
        for name, value in self.sizes.items():
            if name not in offered:
                known = f"Sizes: {listed(offered)}." if offered else "The file leaves none open."
                yield ("sizes", name), f"is no size of the pattern. {known}{suggestion(name, offered)}"
            elif not offered[name]["low"] <= value <= offered[name]["high"]:
                low, high = offered[name]["low"], offered[name]["high"]
                yield ("sizes", name), f"is {value:g}, but it goes from {low:g} to {high:g}."

    def _mistakes(self) -> Iterator[tuple[Steps, str]]:
        try:
            drawn = self._drawn
        except PydanticCustomError as error:
            for _, message in error.context["mistakes"] if error.context else []:
                yield ("file",), message
            return
        yield from self._size_mistakes(drawn)
        for number, (a, b, _) in enumerate(self.sewn):
            for side, (panel, edge) in enumerate((a, b)):
                known = drawn.panels[panel].edge_names if panel in drawn.panels else tuple(drawn.panels)
                if panel not in drawn.panels:
                    what = f"names the panel {shown(panel)}, which there is not. Panels: {listed(known)}."
                    yield ("sewn", number, side), what + suggestion(panel, known)
                elif edge not in known:
                    what = f"names the edge {shown(edge)}, which {shown(panel)} does not have. Edges: {listed(known)}."
                    yield ("sewn", number, side), what + suggestion(edge, known)
        for name in self.panels:
            if name not in drawn.panels:
                names = f"Panels: {listed(drawn.panels)}.{suggestion(name, drawn.panels)}"
                yield ("panels", name), f"is no panel of the pattern. {names}"
            elif "part" in self.panels[name] and (part := self.panels[name]["part"]) not in REGIONS:
                message = (
                    f"is {shown(part)}, but it must be one of {listed(REGIONS)}.{suggestion(part, REGIONS)}"
                )
                yield ("panels", name, "part"), message
        yield from self._built[1]
        if not self._built[1]:
            for note in drawn.notes:
                warnings.warn(f"{Path(self.file).name}: {note}", stacklevel=2)


def without_patterns(items: Iterable[Any], found: list[Mistake]) -> list[Any]:
    """Return items of a scene with every pattern taken apart into its cloths and stitches, put on its body if it has one."""
    given, apart = list(items), []
    for item in given:
        if not isinstance(item, Pattern):
            apart.append(item)
        elif item.body is None:
            apart += [*item.cloths, *item.stitches]
        else:
            from supple.scene.dressing.dress import dressed

            apart += dressed(item, given, found)
    return apart
