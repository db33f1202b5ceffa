"""Cutting: a body is cut along a path, by a plane, or along edges."""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray

from supple.edit.mesh.connected_pieces import Pieces
from supple.edit.mesh.cut_levels import cut_levels
from supple.edit.mesh.cut_path import BOXED, SPACING, cut_along, cut_by_plane, resampled
from supple.edit.mesh.cut_tetrahedra import cut_soft_body
from supple.edit.mesh.triangle_mesh import edge_triangles, has_room, mark_edge, open_marked
from supple.edit.world.apply_edit import Workshop
from supple.edit.world.intersection_check import Tangled
from supple.edit.world.reshape_body import Workpiece
from supple.errors import SuppleError
from supple.model.world import BodyRange

SIDESTEPS = (0.0, 0.25, -0.25)
"""How far beside a plane or path cloth with exact contact is cut, where it cannot open on it, over the mean edge [-]."""

Floats = NDArray[np.float64]


def cut(
    shop: Workshop, body: BodyRange, path: Floats | None, plane: tuple[Floats, float] | None, gap: float = 0.0
) -> None:
    """Cut a body along a path (count, 3) [m], or by the plane n · x = offset; soft ones open by `gap` [m]."""
    if body.name in shop.world.levels:
        _cut_levels(shop, body, path, plane, gap)
    elif body.is_soft:
        _cut_soft(shop, body, path, plane, gap)
    else:
        _cut_beside(shop, body, path, plane)


def _cut_levels(
    shop: Workshop, body: BodyRange, path: Floats | None, plane: tuple[Floats, float] | None, gap: float
) -> None:
    if gap > 0.0:
        raise SuppleError(
            f"{body.name!r} has exact contact and several levels of detail, and then it cannot be cut. "
            "Give it `levels = 1`."
        )
    blocks = cut_levels(shop.world, body, path, plane, set(shop.world.bodies))
    with shop.tried():
        shop.note(f"cut {body.name}", is_rebuilt=True)
        shop.rebuild({body.name: Pieces.of(blocks)}, shop.ongoing, is_noted=True)


def _cut_soft(
    shop: Workshop, body: BodyRange, path: Floats | None, plane: tuple[Floats, float] | None, gap: float
) -> None:
    if gap > 0.0 and path is not None and len(path) > 2:
        raise SuppleError(
            f"{body.name!r} has exact contact, which needs flat cuts. Cut it along straight lines, one by one."
        )
    block = cut_soft_body(shop.world, body, path, plane)
    shop.install(f"cut {body.name}", {body.name: block}, gap=gap)


def _cut_beside(
    shop: Workshop,
    body: BodyRange,
    path: Floats | None,
    plane: tuple[Floats, float] | None,
    refusal: Tangled | None = None,
) -> None:
    """Cut cloth along a path or by a plane, or a little beside where the cloth cannot open on it.

    Triangles that share a corner may pass through each other, which contact does not see. A cut through that corner would
    show it; another one that passes it by does not. If there was a refusal on it already, only that is tried.
    """
    mean_edge = float(shop.woven(body).mean_edge[0])
    for step in SIDESTEPS if refusal is None else SIDESTEPS[1:]:
        body = shop.world.bodies[body.name]
        try:
            if plane is not None:
                _cut_cloth(shop, body, None, (plane[0], plane[1] + step * mean_edge))
            elif path is not None:
                aside = step * mean_edge * _across(shop, body, path) if step else 0.0
                _cut_cloth(shop, body, path + aside, None)
            return
        except Tangled as error:
            refusal = refusal or error
        except SuppleError:
            if refusal is None:
                raise
    assert refusal is not None
    raise refusal


def _across(shop: Workshop, body: BodyRange, path: Floats) -> Floats:
    """Return the direction (3,) in the cloth that leads across a path at its middle; zeros where there is none."""
    points = shop.world.particles.positions[body.particles]
    middle = path[len(path) // 2]
    nearest = int(np.argmin(((points - middle) ** 2).sum(axis=1)))
    a, b, c = points[body.triangles[(body.triangles == nearest).any(axis=1)].T]
    across = np.cross(np.cross(b - a, c - a).sum(axis=0), path[-1] - path[0])
    length = float(np.linalg.norm(across))
    return across / length if length > 0.0 else np.zeros(3)


def _cut_cloth(
    shop: Workshop, body: BodyRange, path: Floats | None, plane: tuple[Floats, float] | None
) -> None:
    fabric = shop.woven(body)
    way = None if path is None else resampled(path, SPACING * float(fabric.mean_edge[0]))
    # Two crossings a step, and four copies for the ends of both sides of each; a plane crosses like a long path.
    room = 64 + 12 * (len(way) if way is not None else math.isqrt(len(fabric.triangles)))
    while True:
        work = Workpiece(shop.world, body, fabric, room, shop.bench)
        if way is not None:
            boxes = np.empty((len(fabric.fan) // BOXED, 6))
            found = int(cut_along(work.sheet, way, work.mean_edge, boxes))
            if found == 0:
                raise SuppleError(
                    f"the path does not touch {body.name!r}: no point of it lies within"
                    f" {work.mean_edge:.3g} m of the cloth. Nothing was cut."
                )
            is_done = found > 0
        else:
            assert plane is not None
            normal, offset = plane
            sides = np.zeros(len(work.sheet.positions))
            is_done = bool(cut_by_plane(work.sheet, tuple(normal.tolist()), offset, work.mean_edge, sides))
        if is_done and has_room(work.sheet):
            break
        room *= 4
    if not open_marked(work.sheet):
        where = "plane does not pass through" if path is None else "path is too short to open"
        raise SuppleError(f"the {where} {body.name!r}. Nothing was cut.")
    shop.install(f"cut {body.name}", {body.name: work.finished()})


def cut_edges(shop: Workshop, body: BodyRange, chain: list[int]) -> None:
    """Cut a body along edges, from vertex to vertex of a chain, or a little beside where it cannot open on them."""
    try:
        _cut_chain(shop, body, chain)
    except Tangled as refusal:
        body = shop.world.bodies[body.name]
        path = shop.world.particles.positions[body.particles][chain]
        _cut_beside(shop, body, path, None, refusal)


def _cut_chain(shop: Workshop, body: BodyRange, chain: list[int]) -> None:
    fabric = shop.woven(body)
    work = Workpiece(shop.world, body, fabric, 4 * len(chain) + 8, shop.bench)
    for a, b in itertools.pairwise(chain):
        if edge_triangles(fabric.triangles, fabric.across, fabric.fan, a, b)[0] < 0:
            raise SuppleError(f"no edge of {body.name!r} joins its vertices {a} and {b}. Nothing was cut.")
        mark_edge(work.sheet, a, b)
    if not open_marked(work.sheet):
        raise SuppleError(
            f"the chain is too short to open {body.name!r}: one edge inside the cloth, or edges of its border."
            " Nothing was cut."
        )
    shop.install(f"cut {body.name}", {body.name: work.finished()})
