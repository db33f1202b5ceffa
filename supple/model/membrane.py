"""Membrane: triangles of woven cloth as finite elements, and the fabric that each cloth is made of.

Theory: docs/theory/membrane.md, eq. (M1), (M4). An element knows how its three corners make up the two vectors that a unit
of warp and a unit of weft thread has become. Elements are derived from what edits keep anyway: the triangles of a cloth, the
rest lengths along their edges and the rest positions of their corners. Whoever changes one of these lets them be woven anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.model.bends import Bends
from supple.model.plates import PlateArrays, Sheet, make_plates, no_plates
from supple.model.springs import SHEAR, STRETCH, Springs
from supple.model.thread_laws import (
    FabricLaws,
    PlateFriction,
    ThreadLaws,
    carried_over,
    element_laws,
    laws_of,
    no_plate_friction,
    no_thread_laws,
    plate_friction,
)
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.materials import Material
from supple.scene.cloth_shapes.bezier import Bezier
from supple.scene.cloth_shapes.rectangle import Rectangle
from supple.scene.placement import rotation_matrix

if TYPE_CHECKING:
    from supple.model.elasticity import Elasticity
    from supple.model.world import BodyRange

WARP, WEFT, SHEARING, POISSON, DAMPING, BEND_WARP, BEND_WEFT = range(7)
"""Columns of `Fabric.moduli`."""

STEEP = 0.1
"""Length of a reference direction projected onto a triangle below which another one is taken [-]."""

LEVEL = 0.7
"""Mean share of the normals along the cloth's own y axis from which a cloth counts as lying [-]."""

SKEWED = 3.0
"""Ratio of rest lengths to rest positions from which the latter say nothing of a triangle's shape [-]: it was welded."""


class MembraneArrays(NamedTuple):
    """Elements as kernels take them, valid until the next edit."""

    corners: NDArray[np.int64]
    """(element_count, 3) particle indices."""

    warp: NDArray[np.float64]
    """(element_count, 3) α: Σ α x is what a unit of warp thread has become [1/m]."""

    weft: NDArray[np.float64]
    """(element_count, 3) β: the same of the weft [1/m]."""

    moduli: NDArray[np.float64]
    """(element_count, 5) area times C₁₁, C₂₂, C₁₂, G [N·m] and damping [N·s·m]."""

    areas: NDArray[np.float64]
    """(element_count,) at rest [m²]"""


class Membrane(NamedTuple):
    """All elements of a world, and the springs in whose place they act."""

    arrays: MembraneArrays

    plates: PlateArrays

    is_replaced: NDArray[np.bool_]
    """(spring_count,) springs that only hold rest lengths and limits: elements act instead."""

    laws: ThreadLaws
    """Of all elements, or of none."""

    friction: PlateFriction
    """Of all plates, or of none."""

    places: NDArray[np.float64]
    """(law_count, 9) rest positions of the corners of elements with laws, by which an edit knows them again [m]."""

    plate_places: NDArray[np.float64]
    """(friction_count, 9) the same of plates with friction [m]."""

    @property
    def element_count(self) -> int:
        """Number of elements."""
        return len(self.arrays.corners)


@dataclass
class Fabric:
    """What a declared cloth is made of, as long as it runs."""

    moduli: NDArray[np.float64]
    """(1 + region_count, 7) warp, weft and shear stiffness [N/m], Poisson's ratio [-], damping [N·s/m], and bending
    stiffness along warp and weft [N·m]: of the material, then of every region."""

    axes: NDArray[np.float64]
    """(3, 3) the cloth's own axes in the world at rest, one a row."""

    grain: float
    """Angle from the cloth's own "up" to its warp, counter-clockwise seen from the normal's side [rad]."""

    is_grid: bool
    """Whether it was declared as rows and columns, whose bending elements know warp and weft by themselves."""

    laws: FabricLaws
    """What its threads do beyond their moduli."""

    has_elements: bool = False
    """Whether elements act, or springs."""

    @property
    def has_plates(self) -> bool:
        """Whether plates resist bending, or hinges and rows of points."""
        return self.has_elements and not self.is_grid

    def change(self, row: int, values: Elasticity) -> None:
        """Take over changed values; None leaves what is there."""
        if values.stretch_stiffness is not None:
            self.moduli[row, [WARP, WEFT]] = values.stretch_stiffness
        if values.bending_stiffness is not None:
            self.moduli[row, [BEND_WARP, BEND_WEFT]] = values.bending_stiffness
        for column, value in (
            (SHEARING, values.shear_stiffness),
            (POISSON, values.poisson_ratio),
            (DAMPING, values.damping),
        ):
            if value is not None:
                self.moduli[row, column] = value


def fabric_of(body: Cloth, material: Material) -> Fabric:
    """Return the fabric of a declared cloth."""
    moduli = np.zeros((1 + len(body.regions), 7))
    moduli[:, [WARP, WEFT]] = material.stretch_stiffness
    moduli[:, [BEND_WARP, BEND_WEFT]] = material.bending_stiffness
    moduli[:, SHEARING], moduli[:, DAMPING] = material.shear_stiffness, material.damping
    moduli[:, POISSON] = material.poisson_ratio
    for row, region in enumerate(body.regions, start=1):
        if region.stretch_stiffness is not None:
            moduli[row, [WARP, WEFT]] = region.stretch_stiffness
        if region.bending_stiffness is not None:
            moduli[row, [BEND_WARP, BEND_WEFT]] = region.bending_stiffness
        for column, value in ((SHEARING, region.shear_stiffness), (DAMPING, region.damping)):
            if value is not None:
                moduli[row, column] = value
    is_grid = isinstance(body.shape, Rectangle | Bezier)
    axes, grain = rotation_matrix(body.rotation).T.copy(), float(np.radians(body.grain_deg))
    return Fabric(moduli, axes, grain, is_grid, laws_of(material))


def set_springs(springs: Springs, bends: Bends, body: BodyRange, fabric: Fabric) -> None:
    """Let the springs and hinges of a body act, or none of them where elements and plates do."""
    own = body.bends
    bending = 0.5 * (fabric.moduli[:, BEND_WARP] + fabric.moduli[:, BEND_WEFT])[1 + bends.region[own]]
    bends.stiffness[own] = 0.0 if fabric.has_plates else bending * bends.shape[own]
    own = body.springs
    rows = 1 + springs.region[own]
    for kind, modulus in (
        (STRETCH, 0.5 * (fabric.moduli[:, WARP] + fabric.moduli[:, WEFT])),
        (SHEAR, fabric.moduli[:, SHEARING]),
    ):
        chosen = springs.kind[own] == kind
        wanted = 0.0 if fabric.has_elements else (modulus[rows] * springs.shape[own])[chosen]
        springs.stiffness[own][chosen] = wanted
    damped = fabric.moduli[rows, DAMPING] * springs.shape[own]
    springs.damping[own] = 0.0 if fabric.has_elements else damped


def bend_along_threads(
    bends: Bends, body: BodyRange, fabric: Fabric, rest_positions: NDArray[np.float64]
) -> None:
    """Give the bending elements of a body the stiffness of the direction they bend along, if warp and weft differ.

    Theory: docs/theory/bending.md, eq. (B7). Without elements in its membrane a cloth has no threads, and bends as the mean.
    """
    warp, weft = fabric.moduli[:, BEND_WARP], fabric.moduli[:, BEND_WEFT]
    own = body.bends
    if (warp == weft).all() or own.stop == own.start or fabric.has_plates or not fabric.has_elements:
        return
    row = 1 + bends.region[own]
    share = warp_shares(rest_positions[bends.points[own]], bends.weights[own], fabric)
    along = (share * np.sqrt(warp)[row] + (1.0 - share) * np.sqrt(weft)[row]) ** 2
    twist = np.abs(np.abs(bends.weights[own]) - 1.0).max(axis=1) < 1e-12
    bends.stiffness[own] = np.where(twist, np.sqrt(warp * weft)[row], along) * bends.shape[own]


def warp_shares(
    points: NDArray[np.float64], weights: NDArray[np.float64], fabric: Fabric
) -> NDArray[np.float64]:
    """Return cos² of the angle between the warp and the direction along which bending elements bend, (n,).

    Args:
        points: (n, 4, 3) rest positions of their points [m]
        weights: (n, 4); three points in a row have a last weight of zero
        fabric: says where the grain runs
    """
    is_row = weights[:, 3] == 0.0
    edges = points[:, 1] - points[:, 0]
    normals = np.cross(edges, points[:, 2] - points[:, 3])
    # Points in a row have no plane: that of the cloth as a whole, or what its own axes say.
    total = normals[~is_row].sum(axis=0) if (~is_row).any() else fabric.axes[2]
    normals[is_row] = total if np.linalg.norm(total) > 0.0 else fabric.axes[2]
    directions = np.where(is_row[:, None], points[:, 2] - points[:, 0], np.cross(edges, normals))
    warp = thread_directions(normals, fabric)[:, 0]
    squares = np.einsum("nx,nx->n", directions, directions)
    along = np.einsum("nx,nx->n", directions, warp) ** 2
    shares: NDArray[np.float64] = np.where(squares > 0.0, along / np.where(squares > 0.0, squares, 1.0), 0.5)
    return shares


def no_membrane(spring_count: int) -> Membrane:
    """Return a membrane without elements."""
    corners, rows = np.zeros((0, 3), np.int64), np.zeros((0, 3))
    arrays = MembraneArrays(corners, rows, rows, np.zeros((0, 5)), np.zeros(0))
    is_replaced = np.zeros(spring_count, np.bool_)
    nowhere = np.zeros((0, 9))
    return Membrane(arrays, no_plates(), is_replaced, no_thread_laws(), no_plate_friction(), nowhere, nowhere)


def woven(
    bodies: Iterable[BodyRange],
    fabrics: dict[str, Fabric],
    springs: Springs,
    bends: Bends,
    rest_positions: NDArray[np.float64],
) -> Membrane:
    """Return the elements of all cloth that has them.

    Args:
        bodies: as they are now, with their triangles
        fabrics: of the declared bodies, by name
        springs: whose rest lengths count
        bends: whose hinges say where cloth resists folding, and how it is folded at rest
        rest_positions: (particle_count, 3) [m], which say where the threads run
    """
    made: list[MembraneArrays] = []
    laws: list[FabricLaws] = []
    bending_laws, plate_areas = [FabricLaws()], [np.zeros(0)]
    plates = [no_plates()]
    is_replaced = np.zeros(springs.count, np.bool_)
    for body in bodies:
        fabric = fabrics.get(body.origin)
        if fabric is None or not fabric.has_elements:
            continue
        is_replaced[body.springs] = True
        if len(body.triangles):
            elements, sheet = _elements(body, fabric, springs, rest_positions)
            made.append(elements)
            laws.append(fabric.laws)
            if not fabric.is_grid:
                bending_laws.append(fabric.laws)
                plate_areas.append(elements.areas)
                plates.append(make_plates(sheet, bends.rows(body.bends)))
    if not made:
        return no_membrane(springs.count)._replace(is_replaced=is_replaced)
    joined = MembraneArrays(*(np.concatenate(columns) for columns in zip(*made, strict=True)))
    all_plates = PlateArrays(*(np.concatenate(columns) for columns in zip(*plates, strict=True)))
    counts = [len(elements.corners) for elements in made]
    of_elements = element_laws(laws, counts, joined.areas, _stretch_stiffness(joined))
    areas = np.concatenate(plate_areas)
    of_plates = plate_friction(bending_laws, [len(each) for each in plate_areas], areas)
    return Membrane(
        joined,
        all_plates,
        is_replaced,
        of_elements,
        of_plates,
        rest_positions[joined.corners[: len(of_elements.slips)]].reshape(-1, 9),
        rest_positions[all_plates.points[: len(of_plates.slips), :3]].reshape(-1, 9),
    )


def _stretch_stiffness(elements: MembraneArrays) -> NDArray[np.float64]:
    """Return the stretch stiffness of warp and weft (element_count, 2) [N/m]: (M3) the other way round."""
    c11, c22, c12 = elements.moduli[:, :3].T
    taken = c12 * c12
    warp = c11 - np.divide(taken, c22, out=np.zeros_like(c22), where=c22 > 0.0)
    weft = c22 - np.divide(taken, c11, out=np.zeros_like(c11), where=c11 > 0.0)
    stretch: NDArray[np.float64] = np.stack([warp, weft], axis=1) / elements.areas[:, None]
    return stretch


def keep_slips(before: Membrane, now: Membrane, positions: NDArray[np.float64]) -> None:
    """Let friction go on after elements were made anew.

    Triangles that are as they were keep their slips; friction does nothing yet where they are new.

    Args:
        before: as they were woven last
        now: slips are changed in place
        positions: (particle_count, 3) of now [m]
    """
    if len(now.laws.slips):
        elements = now.arrays
        a, b = (
            np.einsum("ec,ecx->ex", w, positions[elements.corners]) for w in (elements.warp, elements.weft)
        )
        now.laws.slips[:, 0] = np.linalg.norm(a, axis=1) - 1.0
        now.laws.slips[:, 1] = np.linalg.norm(b, axis=1) - 1.0
        now.laws.slips[:, 2] = np.einsum("ex,ex->e", a, b)
        carried_over((before.places, before.laws.slips), now.places, now.laws.slips)
    if len(now.friction.slips):
        points = positions[now.plates.points]
        normals = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
        now.friction.slips[:] = np.einsum("nkp,npx,nx->nk", now.plates.weights, points, normals)
        carried_over((before.plate_places, before.friction.slips), now.plate_places, now.friction.slips)


def _elements(
    body: BodyRange, fabric: Fabric, springs: Springs, rest_positions: NDArray[np.float64]
) -> tuple[MembraneArrays, Sheet]:
    corners = body.triangles + body.particles.start
    points = rest_positions[corners]
    spring_of = _edge_springs(corners, springs, body.springs)
    measured = np.linalg.norm(points[:, [1, 2, 0]] - points[:, [2, 0, 1]], axis=2)
    lengths = np.where(spring_of >= 0, springs.rest_lengths[spring_of], measured)
    sides = rest_sides(points, lengths, fabric)
    determinants = sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0]
    inverses = np.linalg.inv(sides)  # rows: corner 1 and 2; columns: warp and weft
    shapes = np.concatenate([-inverses.sum(axis=1, keepdims=True), inverses], axis=1)
    regions = np.where(spring_of >= 0, springs.region[spring_of], -1)
    is_one = (regions[:, 0] == regions[:, 1]) & (regions[:, 0] == regions[:, 2])
    row = np.where(is_one, regions[:, 0] + 1, 0)
    areas = 0.5 * np.abs(determinants)
    elements = MembraneArrays(
        corners,
        np.ascontiguousarray(shapes[:, :, 0]),
        np.ascontiguousarray(shapes[:, :, 1]),
        plane_moduli(fabric.moduli[row]) * areas[:, None],
        areas,
    )
    bending = fabric.moduli[row][:, [BEND_WARP, BEND_WEFT]]
    return elements, Sheet(corners, sides, lengths, bending, rest_positions)


def plane_moduli(moduli: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return C₁₁, C₂₂, C₁₂, G and damping (n, 5) of rows of `Fabric.moduli`.

    Theory: docs/theory/membrane.md, eq. (M3). Poisson's ratio is the geometric mean of those along warp and weft, so that
    any value between -1 and 1 is stable.
    """
    warp, weft, shear, poisson, damping = moduli.T[:5]
    share = 1.0 / (1.0 - poisson**2)
    return np.stack([share * warp, share * weft, share * poisson * np.sqrt(warp * weft), shear, damping], 1)


def _edge_springs(corners: NDArray[np.int64], springs: Springs, own: slice) -> NDArray[np.int64]:
    """Return the spring along the edge opposite each corner of every triangle, -1 if there is none."""
    count = np.int64(corners.max(initial=0)) + 1
    ends = np.sort(springs.ends[own].astype(np.int64), axis=1)
    count = max(count, np.int64(ends.max(initial=0)) + 1)
    keys = ends[:, 0] * count + ends[:, 1]
    if not len(keys):
        return np.full(corners.shape, -1, dtype=np.int64)
    order = np.argsort(keys, kind="stable")
    edges = np.sort(corners[:, [[1, 2], [2, 0], [0, 1]]], axis=2)
    wanted = edges[:, :, 0] * count + edges[:, :, 1]
    found = order[np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)]
    return np.where(keys[found] == wanted, found + own.start, -1)


def rest_sides(
    points: NDArray[np.float64], lengths: NDArray[np.float64], fabric: Fabric
) -> NDArray[np.float64]:
    """Return the sides from corner 0 of every triangle at rest along warp and weft, (n, 2, 2) [m]; one a column.

    Theory: docs/theory/membrane.md, eq. (M4). The rest positions say how the threads run; where rest lengths differ from
    them, after shrinking, the triangle is stretched without turning.

    Args:
        points: (n, 3, 3) rest positions of the corners [m]
        lengths: (n, 3) rest length of the edge opposite each corner [m]
        fabric: says where the grain runs
    """
    normals = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    threads = thread_directions(normals, fabric)
    sides = np.einsum("ncx,ntx->ntc", points[:, 1:] - points[:, :1], threads)
    squares = lengths**2
    metric = np.empty((len(points), 2, 2))
    metric[:, 0, 0], metric[:, 1, 1] = squares[:, 2], squares[:, 1]
    metric[:, 0, 1] = metric[:, 1, 0] = 0.5 * (squares[:, 2] + squares[:, 1] - squares[:, 0])
    # Lengths that do not close make no triangle: the middle of the range that does.
    product = squares[:, 2] * squares[:, 1]
    is_open = metric[:, 0, 1] ** 2 > (1.0 - 1e-6) * product
    metric[is_open, 0, 1] = metric[is_open, 1, 0] = 0.0
    with np.errstate(all="ignore"):
        inverses = np.linalg.inv(sides + 0.0) if len(sides) else sides
        stretch2 = np.einsum("nca,ncd,ndb->nab", inverses, metric, inverses)
        root = np.sqrt(np.maximum(np.linalg.det(stretch2), 0.0)) if len(sides) else np.zeros(0)
        trace = stretch2[:, 0, 0] + stretch2[:, 1, 1]
        stretch = stretch2.copy()
        stretch[:, 0, 0] += root
        stretch[:, 1, 1] += root
        stretch /= np.sqrt(trace + 2.0 * root)[:, None, None]
        is_sound = (root > SKEWED**-2) & (trace < 2.0 * SKEWED**2)
    result = np.where(is_sound[:, None, None], stretch @ sides, 0.0)
    if not is_sound.all():
        welded = np.flatnonzero(~is_sound)
        total = normals[is_sound].sum(axis=0) if is_sound.any() else normals.sum(axis=0)
        flat = thread_directions(np.broadcast_to(total, (len(welded), 3)), fabric)
        result[welded] = _placed_sides(points[welded], lengths[welded], flat)
    return result


def _placed_sides(
    points: NDArray[np.float64], lengths: NDArray[np.float64], threads: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the same for triangles of which only one edge is where it was: the one whose length fits best."""
    edges = points[:, [2, 0, 1]] - points[:, [1, 2, 0]]  # from the corner after each to the one after that
    fits = np.abs(np.linalg.norm(edges, axis=2) / lengths - 1.0)
    best, n = np.argmin(fits, axis=1), np.arange(len(points))
    along = np.einsum("nx,ntx->nt", edges[n, best], threads)
    size = np.linalg.norm(along, axis=1, keepdims=True)
    along = np.where(size > 0.0, along / np.where(size > 0.0, size, 1.0), [1.0, 0.0])
    across = np.stack([along[:, 1], -along[:, 0]], 1)  # warp, weft: a quarter turn against the clock
    base, left, right = (lengths[n, (best + shift) % 3] for shift in (0, 2, 1))
    foot = (base**2 + left**2 - right**2) / (2.0 * base)
    height = np.sqrt(np.maximum(left**2 - foot**2, 1e-6 * base**2))
    places = np.zeros((len(points), 3, 2))
    places[n, (best + 2) % 3] = base[:, None] * along
    places[n, best] = foot[:, None] * along + height[:, None] * across
    placed: NDArray[np.float64] = (places[:, 1:] - places[:, :1]).transpose(0, 2, 1)
    return placed


def thread_directions(normals: NDArray[np.float64], fabric: Fabric) -> NDArray[np.float64]:
    """Return the unit vectors along warp and weft in triangles with these normals, (n, 2, 3).

    The warp runs along the cloth's own "up" projected onto the triangle: its y axis, or -z if it lies; turned by the grain.
    """
    sizes = np.linalg.norm(normals, axis=1)
    units = normals / np.where(sizes > 0.0, sizes, 1.0)[:, None]
    total = sizes.sum()
    is_lying = total > 0.0 and np.abs(normals @ fabric.axes[1]).sum() > LEVEL * total
    references = (-fabric.axes[2], fabric.axes[1]) if is_lying else (fabric.axes[1], -fabric.axes[2])
    up = _projected(references[0], units)
    is_steep = np.linalg.norm(up, axis=1) < STEEP
    up[is_steep] = _projected(references[1], units[is_steep])
    length = np.linalg.norm(up, axis=1, keepdims=True)
    up = np.where(length > 0.0, up / np.where(length > 0.0, length, 1.0), references[0])
    level = np.cross(up, units)
    cosine, sine = np.cos(fabric.grain), np.sin(fabric.grain)
    return np.stack([cosine * up - sine * level, cosine * level + sine * up], axis=1)


def _projected(direction: NDArray[np.float64], units: NDArray[np.float64]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = direction - (units @ direction)[:, None] * units
    return result
