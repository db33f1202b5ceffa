"""Dress: a pattern is put on a standing figure, as cloths that start sewn together around it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from supple.errors import Mistake, SuppleError
from supple.scene.bodies.puppet import Puppet
from supple.scene.cloth_shapes.outline import signed_area
from supple.scene.cloth_shapes.panel import Panel
from supple.scene.dressing.arrangement import Arrangement, FlatPanel, SewnEdges, region_of
from supple.scene.dressing.feasibility import warn_of_trouble
from supple.scene.dressing.figure import Figure, find_figure
from supple.scene.dressing.presew import presew
from supple.scene.error_messages import dotted_path, listed, shown, suggestion
from supple.scene.obstacles.obstacle import Obstacle
from supple.scene.placement import placed
from supple.waiting import WAITING

if TYPE_CHECKING:
    from supple.scene.files.pattern import Pattern

MARGIN = 0.002
"""Distance from the figure's shell at which cloth starts [m]."""


SEAM_GAP = 1.2
"""Distance of sewn edges with exact contact, in thicknesses of the cloth [-]."""


def dressed(pattern: Pattern, items: Sequence[Any], found: list[Mistake]) -> list[Any]:
    """Return the cloths of a pattern as they are worn, and its stitches; what makes that impossible is a mistake.

    Args:
        pattern: says which figure it is put on
        items: everything in the scene, the figure among it
        found: mistakes are added to it
    """
    place = dotted_path("pattern", pattern.title)
    wearers = {item.name or item.kind: item for item in items if isinstance(item, Obstacle | Puppet)}
    if pattern.body not in wearers:
        known = f"Obstacles and puppets: {listed(wearers)}." if wearers else "There is none in the scene."
        message = (
            f"is {shown(pattern.body)}, which is no obstacle. {known}{suggestion(pattern.body, wearers)}"
        )
        found.append(Mistake(dotted_path(place, "body"), message))
        return [*pattern.cloths, *pattern.stitches]
    wearer = wearers[pattern.body]
    if find_spec("scipy") is None:
        needs = 'needs SciPy, which is not installed. Install it with\n  pip install "supple[garments]"'
        found.append(Mistake(dotted_path(place, "body"), needs))
        return [*pattern.cloths, *pattern.stitches]
    try:
        figure = _figure(wearer)
    except SuppleError as error:
        found.append(Mistake(dotted_path(place, "body"), f"names {shown(pattern.body)}, but {error}"))
        return [*pattern.cloths, *pattern.stitches]
    panels, seams = flat_panels(pattern), sewn_edges(pattern)
    arrangement = Arrangement(panels, seams, figure)
    warn_of_trouble(pattern, arrangement)
    is_exact = pattern.contact == "exact"
    gap = SEAM_GAP * max(cloth.contact_thickness() for cloth in pattern.cloths) if is_exact else 0.0
    title = f"sewing {pattern.title}"
    result = presew(
        arrangement.places(),
        [panel.points for panel in panels],
        [cloth.surface_triangles() for cloth in pattern.cloths],
        seams,
        figure,
        wearer.shell + MARGIN,
        gap,
        [{"left-leg": 1.0, "right-leg": -1.0}.get(region_of(panel), 0.0) for panel in panels],
        lambda share: WAITING.advanced(title, round(100.0 * share), 100),
    )
    WAITING.ended()
    cloths, first = [], 0
    for cloth in pattern.cloths:
        assert isinstance(cloth.shape, Panel)
        last = first + cloth.point_count
        shape = cloth.shape.changed(laid=result.places[first:last], wrap=None)
        cloths.append(cloth.changed(shape=shape, at=(0.0, 0.0, 0.0), rotation=(0.0, 0.0, 0.0)))
        first = last
    return [*cloths, *(stitch.changed(seconds=0.0, gap=gap) for stitch in pattern.stitches)]


def _figure(wearer: Obstacle | Puppet) -> Figure:
    """Return the regions of whoever wears it, where it stands at the start."""
    if isinstance(wearer, Puppet):
        points, triangles = wearer.start_points(), wearer.surface_triangles()
    else:
        points, triangles = wearer.surface()
        offset, turn = wearer.pose(0.0)
        points = placed(placed(points, (0.0, 0.0, 0.0), tuple(turn)), wearer.at, wearer.rotation) + offset
    return find_figure(np.asarray(points), np.asarray(triangles), shown(wearer.name or wearer.kind))


def flat_panels(pattern: Pattern) -> list[FlatPanel]:
    """Return the panels of a pattern, flat and as the file places them."""
    panels = []
    for name, cloth in zip(pattern.panel_names, pattern.cloths, strict=True):
        points = cloth.local_points()[:, :2]
        outline = points[cloth.named("outline")]
        panels.append(
            FlatPanel(
                name=name,
                points=points,
                edges={edge: cloth.edge_chain(edge) for edge in cloth.edge_names},
                is_counter_clockwise=signed_area(outline) > 0.0,
                placed=placed(cloth.local_points(), cloth.at, cloth.rotation),
                label=pattern.label(name),
                region=pattern.panels.get(name, {}).get("part"),
            )
        )
    return panels


def sewn_edges(pattern: Pattern) -> list[SewnEdges]:
    """Return which edges of a pattern are sewn together, by the numbers of its panels."""
    numbers = {cloth.name: number for number, cloth in enumerate(pattern.cloths)}
    cloths = {cloth.name or "": cloth for cloth in pattern.cloths}
    return [
        SewnEdges(stitch.name or "", (numbers[stitch.a[0]], numbers[stitch.b[0]]), stitch.chains(cloths))
        for stitch in pattern.stitches
    ]
