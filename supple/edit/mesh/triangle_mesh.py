"""Sheet: the triangles of a cloth as the edits see them, and the two steps that all of them are made of.

Theory: docs/theory/edits.md, eq. (T1) and (T2). An edge is *split* at a point between its ends, or edges that
were marked are *opened*: every sector of triangles around a point that marked edges separate gets a copy of
the point. Mass lives on the corners of triangles, and rest lengths on their edges, so both steps move them
along without knowing how the cloth was made.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.kernel import difference, kernel, norm

UNTOUCHED, TURNED, SPLIT = 0, 1, 2
"""What an edit did to a triangle: nothing; other corners or neighbours; another shape."""

STRETCH_KIND, SHEAR_KIND = 0, 1
"""As in `supple.model.springs`."""

LEAST_AREA = 1.0e-30
"""What a triangle has if its sides do not close [m²]."""

PARALLEL, ACROSS = 0.94, 0.34
"""Cosines of 20° and 70°: an edge this close to a thread, or to its normal, counts as a thread."""


class Source(NamedTuple):
    """A cloth before an edit; see `Fabric` and `Springs`."""

    triangles: NDArray[np.int64]
    """(triangle_count, 3) vertices."""

    across: NDArray[np.int64]
    """(triangle_count, 3) neighbours."""

    spring_of: NDArray[np.int64]
    """(triangle_count, 3) spring along the edge opposite each corner, -1 if there is none."""

    rest_lengths: NDArray[np.float64]
    """(spring_count,) [m]"""

    shape: NDArray[np.float64]
    """(spring_count,) stiffness per unit of the material's modulus."""

    kind: NDArray[np.int8]
    """(spring_count,)"""

    region: NDArray[np.int32]
    """(spring_count,)"""

    corner_shares: NDArray[np.float64]
    """(triangle_count, 3) part of its vertex' mass that each corner carries [-]."""

    masses: NDArray[np.float64]
    """(vertex_count,) [kg]"""

    shares: NDArray[np.float64]
    """(vertex_count,) as in `BodyRange`."""


class Sheet(NamedTuple):
    """A triangle mesh with room to grow; only the rows below `counts` are in use.

    Lengths, shapes, kinds, regions and loads of a triangle are there once it has been read: see `read_triangle`.
    """

    counts: NDArray[np.int64]
    """(2,) points and triangles in use."""

    triangles: NDArray[np.int64]
    """(triangle_room, 3) points."""

    across: NDArray[np.int64]
    """(triangle_room, 3) triangle on the other side of the edge opposite each corner, -1 at a border."""

    fan: NDArray[np.int64]
    """(point_room,) one of the triangles around each point."""

    positions: NDArray[np.float64]
    """(point_room, 3) [m], now."""

    lengths: NDArray[np.float64]
    """(triangle_room, 3) rest length of the edge opposite each corner [m]."""

    shapes: NDArray[np.float64]
    """(triangle_room, 3) what the triangle adds to `Springs.shape` of that edge."""

    kinds: NDArray[np.int8]
    """(triangle_room, 3) kind of the spring along that edge."""

    regions: NDArray[np.int32]
    """(triangle_room, 3) region of the spring along that edge."""

    loads: NDArray[np.float64]
    """(triangle_room, 3, 2) mass [kg] and share of the body that each corner carries."""

    is_read: NDArray[np.bool_]
    """(triangle_room,) triangles that have been read."""

    areas: NDArray[np.float64]
    """(triangle_room,) at rest before the edit [m²], below zero where nobody has asked for it: see `source_area`."""

    is_marked: NDArray[np.bool_]
    """(triangle_room, 3) edges to open."""

    changes: NDArray[np.uint8]
    """(triangle_room,) UNTOUCHED, TURNED or SPLIT."""

    is_parted: NDArray[np.bool_]
    """(point_room,) scratch: points whose sectors have been told apart."""

    parents: NDArray[np.int64]
    """(point_room, 2) for points that are new: the two they lie between; twice the same for a copy."""

    parent_shares: NDArray[np.float64]
    """(point_room,) how far from the first parent to the second [-]."""

    source: Source
    """What the sheet was before the edit."""


# ---------------------------------------------------------------- looking around


LEAST_INNER = 0.02
"""Shortest length that splits a triangle, as a share of the sides beside it."""


@kernel
def slot_of(triangles, t, point):
    """Return which corner of triangle t the point is, -1 if none."""
    for c in range(3):
        if triangles[t, c] == point:
            return c
    return -1


@kernel
def slot_across(across, u, t):
    """Return the corner of u that is opposite the edge shared with t, -1 if none."""
    for c in range(3):
        if across[u, c] == t:
            return c
    return -1


@kernel
def turn(triangles, across, t, point, entry):
    """Turn around a point by one triangle: leave t over the edge at the point that it was not entered over.

    Edges are known by the corner opposite, never by the points at their ends: while marked edges are opened, the
    two sides of an edge may already call its ends differently.

    Args:
        triangles: (triangle_room, 3) points
        across: (triangle_room, 3) neighbours
        t: triangle
        point: one of its corners
        entry: the corner opposite the edge over which t was entered

    Returns:
        the next triangle, -1 behind a border, and the corner opposite the edge it is entered over
    """
    u = across[t, 3 - slot_of(triangles, t, point) - entry]
    return (u, slot_across(across, u, t)) if u >= 0 else (u, 0)


@kernel
def fan_begin(triangles, across, fan, point):
    """Return the triangle to start from, and the corner opposite its entry, so that turning meets the whole fan.

    At a border the entry is the border; elsewhere any triangle will do.
    """
    first = t = fan[point]
    entry = (slot_of(triangles, t, point) + 1) % 3
    while True:
        u = across[t, entry]
        if u < 0 or u == first:
            return t, entry
        entry = 3 - slot_of(triangles, u, point) - slot_across(across, u, t)
        t = u


@kernel
def edge_triangles(triangles, across, fan, a, b):
    """Return the one or two triangles at the edge between two points, -1 for each that is missing."""
    t, entry = fan_begin(triangles, across, fan, a)
    first = t
    while t >= 0:
        c = slot_of(triangles, t, b)
        if c >= 0:
            return t, across[t, 3 - c - slot_of(triangles, t, a)]
        t, entry = turn(triangles, across, t, a, entry)
        if t == first:
            break
    return -1, -1


@kernel
def is_at_border(triangles, across, fan, point):
    """Return whether a border passes through the point."""
    t, entry = fan_begin(triangles, across, fan, point)
    return across[t, entry] < 0


@kernel
def hangs_together(sheet, t, u):
    """Return whether two triangles are whole and still neighbours."""
    if sheet.changes[t] == SPLIT or sheet.changes[u] == SPLIT:
        return False
    return slot_across(sheet.across, t, u) >= 0


@kernel
def area_of(a, b, c):
    """Return the area of a triangle with these sides (Heron) [m²].

    Where cloth was shrunk there may be no triangle with these sides: then next to nothing, but never nothing, for
    masses and stiffnesses are shared out in proportion to areas.
    """
    s = 0.5 * (a + b + c)
    square = s * (s - a) * (s - b) * (s - c)
    return max(LEAST_AREA, math.sqrt(square)) if square > 0.0 else LEAST_AREA


@kernel
def rest_length(triangles, spring_of, rest_lengths, positions, t, c):
    """Return the length at rest of the edge opposite corner c of triangle t: as long as it is now without a spring [m]."""
    s = spring_of[t, c]
    if s >= 0:
        return rest_lengths[s]
    return norm(difference(positions, triangles[t, (c + 1) % 3], triangles[t, (c + 2) % 3]))


@kernel
def source_length(sheet, t, c):
    """Return the length at rest of an edge before the edit [m]."""
    source = sheet.source
    return rest_length(source.triangles, source.spring_of, source.rest_lengths, sheet.positions, t, c)


@kernel
def source_area(sheet, t):
    """Return the area at rest of a triangle before the edit [m²]; it is found once."""
    if sheet.areas[t] < 0.0:
        a, b, c = source_length(sheet, t, 0), source_length(sheet, t, 1), source_length(sheet, t, 2)
        sheet.areas[t] = area_of(a, b, c)
    return sheet.areas[t]


@kernel
def read_triangle(sheet, t):
    """Write what a triangle has that no edit has changed yet, unless that has been done.

    The two triangles of an edge share its stiffness in proportion to their areas. An edge without a spring has none.
    """
    if sheet.is_read[t]:
        return
    sheet.is_read[t] = True
    source = sheet.source
    own = source_area(sheet, t)
    for c in range(3):
        s, u, i = source.spring_of[t, c], source.across[t, c], source.triangles[t, c]
        sheet.lengths[t, c] = source_length(sheet, t, c)
        sheet.kinds[t, c] = source.kind[s] if s >= 0 else SHEAR_KIND
        sheet.regions[t, c] = source.region[s] if s >= 0 else -1
        other = source_area(sheet, u) if u >= 0 else 0.0
        part = own / (own + other) if own + other > 0.0 else (0.5 if u >= 0 else 1.0)
        sheet.shapes[t, c] = part * source.shape[s] if s >= 0 else 0.0
        sheet.loads[t, c, 0] = source.corner_shares[t, c] * source.masses[i]
        sheet.loads[t, c, 1] = source.corner_shares[t, c] * source.shares[i]


@kernel
def flatness(a, b, c):
    """Return 1 for an equilateral triangle, 0 for one without area."""
    return 4.0 * math.sqrt(3.0) * area_of(a, b, c) / (a * a + b * b + c * c)


@kernel
def divided_length(first, second, whole, share):
    """Return the length from a corner to a point on the opposite side, `share` of it from the first end.

    Stewart's theorem; `first` and `second` are the sides from the corner to the ends, `whole` the opposite one.
    Where cloth was shrunk there may be no triangle with these sides: then a small length stands in, never none.
    """
    square = (1.0 - share) * first**2 + share * second**2 - share * (1.0 - share) * whole**2
    least = LEAST_INNER * ((1.0 - share) * first + share * second)
    return math.sqrt(square) if square > least**2 else least


# ---------------------------------------------------------------- splitting an edge


@kernel
def inner_kind(sheet, t, c, share):
    """Return the kind of the spring from corner c of a triangle to a point on the opposite edge.

    Cloth of threads has springs of two kinds. One along or across a thread is a thread; any other only
    resists shear, as a bias cut does. Cloth without shear springs has one kind.
    """
    first, second = (c + 1) % 3, (c + 2) % 3
    whole = sheet.lengths[t, c]
    left, right = sheet.lengths[t, second], sheet.lengths[t, first]
    x = (left**2 - right**2 + whole**2) / (2.0 * whole)
    y = 2.0 * area_of(left, right, whole) / whole
    dx, dy = share * whole - x, -y
    length = math.sqrt(dx * dx + dy * dy)
    has_shear = False
    for side in range(3):
        if sheet.kinds[t, side] == SHEAR_KIND:
            has_shear = True
            continue
        ex, ey = whole, 0.0
        if side == second:
            ex, ey = x, y
        elif side == first:
            ex, ey = x - whole, y
        cosine = abs(dx * ex + dy * ey) / (length * math.sqrt(ex * ex + ey * ey) + 1e-300)
        if cosine > PARALLEL or cosine < ACROSS:
            return STRETCH_KIND
    return SHEAR_KIND if has_shear else STRETCH_KIND


@kernel
def set_shapes(sheet, t):
    """Give the edges of a split triangle the stiffness of the strip they stand for: A / l², twice that in shear."""
    area = area_of(sheet.lengths[t, 0], sheet.lengths[t, 1], sheet.lengths[t, 2])
    for c in range(3):
        factor = 2.0 if sheet.kinds[t, c] == SHEAR_KIND else 1.0
        sheet.shapes[t, c] = factor * area / sheet.lengths[t, c] ** 2


@kernel
def halve(sheet, t, c, middle, share):
    """Halve triangle t from corner c to the point `middle` on the opposite edge; return the new half.

    Triangle t keeps the first end of the edge. The corners' loads change so that every quantity that is
    linear over the triangle keeps its sum: mass, centre of mass and momentum (docs/theory/edits.md, eq. (T1)).
    """
    read_triangle(sheet, t)
    first, second = (c + 1) % 3, (c + 2) % 3
    n = sheet.counts[1]
    sheet.counts[1] += 1
    sheet.is_read[n] = True
    tip, end = sheet.triangles[t, c], sheet.triangles[t, second]
    whole, left, right = sheet.lengths[t, c], sheet.lengths[t, second], sheet.lengths[t, first]
    inner = divided_length(left, right, whole, share)
    kind = inner_kind(sheet, t, c, share)
    region = sheet.regions[t, c]
    if sheet.regions[t, first] != region or sheet.regions[t, second] != region:
        region = -1

    sheet.triangles[n, c], sheet.triangles[n, first], sheet.triangles[n, second] = tip, middle, end
    sheet.triangles[t, second] = middle
    beyond = sheet.across[t, first]
    sheet.across[n, c], sheet.across[n, first], sheet.across[n, second] = -1, beyond, t
    sheet.across[t, first] = n
    if beyond >= 0:
        sheet.across[beyond, slot_across(sheet.across, beyond, t)] = n
    sheet.lengths[n, c], sheet.lengths[n, first] = (1.0 - share) * whole, right
    sheet.lengths[n, second] = sheet.lengths[t, first] = inner
    sheet.lengths[t, c] = share * whole
    sheet.kinds[n, c], sheet.kinds[n, first] = sheet.kinds[t, c], sheet.kinds[t, first]
    sheet.kinds[n, second] = sheet.kinds[t, first] = kind
    sheet.regions[n, c], sheet.regions[n, first] = sheet.regions[t, c], sheet.regions[t, first]
    sheet.regions[n, second] = sheet.regions[t, first] = region
    sheet.is_marked[n, c], sheet.is_marked[n, first] = sheet.is_marked[t, c], sheet.is_marked[t, first]
    sheet.is_marked[n, second] = sheet.is_marked[t, first] = False
    for q in range(2):
        tip_load, first_load, end_load = (
            sheet.loads[t, c, q], sheet.loads[t, first, q], sheet.loads[t, second, q],
        )  # fmt: skip
        given = min(first_load, end_load)
        sheet.loads[t, c, q], sheet.loads[n, c, q] = share * tip_load, (1.0 - share) * tip_load
        sheet.loads[t, second, q], sheet.loads[n, first, q] = share * given, (1.0 - share) * given
        sheet.loads[t, first, q] = first_load - (1.0 - share) * given
        sheet.loads[n, second, q] = end_load - share * given
    sheet.changes[t] = sheet.changes[n] = SPLIT
    set_shapes(sheet, t)
    set_shapes(sheet, n)
    if sheet.fan[end] == t:
        sheet.fan[end] = n
    return n


@kernel
def split_edge(sheet, t, c, share):
    """Put a point on the edge opposite corner c of triangle t and return it; both triangles there are halved.

    Args:
        sheet: changed in place; two more triangles and one more point must fit
        t: triangle
        c: its corner opposite the edge
        share: where on the edge, counted from corner c + 1 [-]
    """
    first, last = sheet.triangles[t, (c + 1) % 3], sheet.triangles[t, (c + 2) % 3]
    middle = sheet.counts[0]
    sheet.counts[0] += 1
    for axis in range(3):
        x = sheet.positions[first, axis]
        sheet.positions[middle, axis] = x + share * (sheet.positions[last, axis] - x)
    sheet.parents[middle, 0], sheet.parents[middle, 1] = first, last
    sheet.parent_shares[middle] = share
    sheet.fan[middle] = t
    u = sheet.across[t, c]
    n = halve(sheet, t, c, middle, share)
    if u >= 0:
        d = slot_across(sheet.across, u, t)
        is_same_way = sheet.triangles[u, (d + 1) % 3] == first
        m = halve(sheet, u, d, middle, share if is_same_way else 1.0 - share)
        at_first, at_last = (u, m) if is_same_way else (m, u)
        sheet.across[t, c], sheet.across[at_first, d] = at_first, t
        sheet.across[n, c], sheet.across[at_last, d] = at_last, n
    return middle


@kernel
def mark_edge(sheet, a, b):
    """Mark the edge between two points to be opened; return whether there is one that can be."""
    triangles = sheet.triangles
    t, u = edge_triangles(triangles, sheet.across, sheet.fan, a, b)
    if t < 0 or u < 0:
        return False
    sheet.is_marked[t, 3 - slot_of(triangles, t, a) - slot_of(triangles, t, b)] = True
    sheet.is_marked[u, 3 - slot_of(triangles, u, a) - slot_of(triangles, u, b)] = True
    return True


# ---------------------------------------------------------------- opening marked edges


@kernel
def copy_point(sheet, point):
    """Append a copy of a point and return it."""
    copy = sheet.counts[0]
    sheet.counts[0] += 1
    for axis in range(3):
        sheet.positions[copy, axis] = sheet.positions[point, axis]
    sheet.parents[copy, 0] = sheet.parents[copy, 1] = point
    sheet.parent_shares[copy] = 0.0
    return copy


@kernel
def part_sectors(sheet, point):
    """Give every sector of triangles around a point, but the first, a copy of it."""
    triangles, across, marked = sheet.triangles, sheet.across, sheet.is_marked
    t, entry = fan_begin(triangles, across, sheet.fan, point)
    first = t
    if across[t, entry] >= 0:
        # Away from borders: start behind a marked edge, if there is one.
        while not marked[t, entry]:
            t, entry = turn(triangles, across, t, point, entry)
            if t == first:
                return
    first = t
    sheet.fan[point] = t
    label = point
    while True:
        u, next_entry = turn(triangles, across, t, point, entry)
        corner = slot_of(triangles, t, point)
        is_barrier = marked[t, 3 - corner - entry]
        if label != point:
            triangles[t, corner] = label
            sheet.changes[t] = max(sheet.changes[t], TURNED)
        if u < 0 or u == first:
            return
        if is_barrier:
            label = copy_point(sheet, point)
            sheet.fan[label] = u
        t, entry = u, next_entry


@kernel
def open_sides(sheet, sides):
    """Open marked edges and return how many; one whose ends both stay whole is left as it was.

    Args:
        sheet: changed in place
        sides: (side_count,) all that are marked, ascending: three times the triangle, and the corner opposite
    """
    point_count = sheet.counts[0]
    sheet.is_parted[:point_count] = False
    for side in sides:
        t, c = side // 3, side % 3
        for end in ((c + 1) % 3, (c + 2) % 3):
            point = sheet.triangles[t, end]
            if point < point_count and not sheet.is_parted[point]:
                sheet.is_parted[point] = True
                part_sectors(sheet, point)
    opened = 0
    for side in sides:
        t, c = side // 3, side % 3
        if not sheet.is_marked[t, c]:
            continue
        sheet.is_marked[t, c] = False
        u = sheet.across[t, c]
        if u < 0:
            continue
        a, b = sheet.triangles[t, (c + 1) % 3], sheet.triangles[t, (c + 2) % 3]
        d = slot_across(sheet.across, u, t)
        sheet.is_marked[u, d] = False
        if slot_of(sheet.triangles, u, a) >= 0 and slot_of(sheet.triangles, u, b) >= 0:
            continue
        sheet.across[t, c] = sheet.across[u, d] = -1
        sheet.changes[t] = max(sheet.changes[t], TURNED)
        sheet.changes[u] = max(sheet.changes[u], TURNED)
        opened += 1
    return opened


def open_marked(sheet: Sheet) -> int:
    """Open the marked edges and return how many."""
    return int(open_sides(sheet, np.flatnonzero(sheet.is_marked[: sheet.counts[1]])))


def has_room(sheet: Sheet) -> bool:
    """Tell whether the copies that opening all marked edges may need fit in: one for either end of each side."""
    marks = int(np.count_nonzero(sheet.is_marked[: sheet.counts[1]]))
    return int(sheet.counts[0]) + 2 * marks <= len(sheet.positions)
