"""What the panel offers for a garment: one row for all its panels, where each would have its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from supple.scene.appearance import body_colours
from supple.scene.bodies.cloth import Cloth
from supple.scene.cloth_shapes.panel import panel_sizes
from supple.scene.colour import COLOURS
from supple.simulation import Simulation
from supple.studio.panel.contact_parameters import contact_parameters
from supple.studio.panel.parameter import Parameter

SEVERAL = "several"
"""What a choice shows where the panels differ, and what leaves them so."""

Change = Callable[[Simulation, Any], dict[str, Any]]


def parameters_of_garment(
    garment: str, panels: Mapping[int, Cloth], fabrics: Mapping[str, Parameter]
) -> Iterator[Parameter]:
    """Declare fabric, colour, thickness and friction of all panels at once.

    Args:
        garment: its name
        panels: of the garment, by their place among the bodies of the scene
        fabrics: the parameter of each panel's material, by its name
    """
    names = [panel.name or panel.kind for panel in panels.values()]
    first = fabrics[names[0]]
    same = {fabric.value for fabric in fabrics.values()}
    yield Parameter(
        name=f"garment.{garment}.material", group=garment, label="Fabric", kind="choice",
        value=first.value if len(same) == 1 else SEVERAL, change=_change_fabric(fabrics),
        choices=first.choices if len(same) == 1 else (SEVERAL, *first.choices),
        help="Take all values of a fabric at once, for all panels of the garment.",
    )  # fmt: skip
    colours = {panel.colour for panel in panels.values()}
    known = {colour: name for name, colour in COLOURS.items()}
    declared = known.get(next(iter(colours)) or "") if len(colours) == 1 else None
    yield Parameter(
        name=f"garment.{garment}.colour", group=garment, label="Colour", kind="choice",
        value=declared or SEVERAL, change=_change_colour(panels),
        choices=tuple(COLOURS) if declared else (SEVERAL, *COLOURS),
        help="Colour of all panels of the garment.",
    )  # fmt: skip
    yield from _sizes_of_garment(garment, panels)
    of_panels = [
        {each.label: each for each in contact_parameters(name, panel)}
        for name, panel in zip(names, panels.values(), strict=True)
    ]
    for label in ("Thickness", "Friction"):
        own = [found[label] for found in of_panels]
        field = own[0].name.rpartition(".")[2]
        high = min(each.high for each in own if each.high is not None)
        yield Parameter(
            name=f"garment.{garment}.{field}", group=garment, label=label, kind="number",
            value=min(float(own[0].value), high), change=_change_all(own), unit=own[0].unit, low=own[0].low,
            high=high, is_logarithmic=own[0].is_logarithmic, help=own[0].help,
        )  # fmt: skip


def _sizes_of_garment(garment: str, panels: Mapping[int, Cloth]) -> Iterator[Parameter]:
    """Declare the measures that its pattern leaves open."""
    offered = {name: size for panel in panels.values() for name, size in panel_sizes(panel).items()}
    now = {name: value for panel in panels.values() for name, value in panel.sizes.items()}
    for name, size in offered.items():

        def change(target: Simulation, value: Any, name: str = name) -> dict[str, Any]:
            target.resize(garment, **{name: value})
            return {}

        words = name.replace("_", " ").replace("-", " ")
        yield Parameter(
            name=f"garment.{garment}.size.{name}", group=garment, label=words[:1].upper() + words[1:], kind="number",
            value=now.get(name, size.value), change=change, unit=size.unit, low=size.low, high=size.high,
            help="A size that the pattern leaves open: the panels are drawn anew while they are worn.",
        )  # fmt: skip


def _change_fabric(fabrics: Mapping[str, Parameter]) -> Change:
    def change(target: Simulation, value: Any) -> dict[str, Any]:
        also: dict[str, Any] = {}
        for fabric in fabrics.values():
            wanted = fabric.value if value == SEVERAL else value
            also |= {fabric.name: wanted, **fabric.change(target, wanted)}
        return also

    return change


def _change_colour(panels: Mapping[int, Cloth]) -> Change:
    declared = {
        panel.name or panel.kind: body_colours(number, panel.kind, panel.colour)[0]
        for number, panel in panels.items()
    }

    def change(target: Simulation, value: Any) -> dict[str, Any]:
        for name, own in declared.items():
            target.set(name, colour=own if value == SEVERAL else value)
        return {}

    return change


def _change_all(parameters: Sequence[Parameter]) -> Change:
    def change(target: Simulation, value: Any) -> dict[str, Any]:
        also: dict[str, Any] = {}
        for parameter in parameters:
            also |= {parameter.name: value, **parameter.change(target, value)}
        return also

    return change
