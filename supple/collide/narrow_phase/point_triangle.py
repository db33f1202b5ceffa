"""The point of a triangle closest to a given point, and which part of the triangle it lies on."""

from __future__ import annotations

from supple.kernel import kernel


@kernel(counts_references=False)
def closest_from(coordinates, first, x, y, z):
    """Return the point of a triangle closest to (x, y, z), and the part it lies on.

    The plane is cut into seven regions by the lines across the sides at the corners; the
    signs of a few scalar products tell the region. A triangle without area works as well: it
    has no inside, and the closest point of its sides is found.

    Args:
        coordinates: nine numbers from `first` on are the corners a, b, c [m]
        first: where the triangle starts
        x: the point [m]
        y: its second coordinate
        z: its third coordinate

    Returns:
        The closest point (three numbers) [m] and the part: 0 the inside, 1 to 3 the edges ab, bc, ca, 4 to 6 the corners.
    """
    ax, ay, az = coordinates[first], coordinates[first + 1], coordinates[first + 2]
    bx, by, bz = coordinates[first + 3] - ax, coordinates[first + 4] - ay, coordinates[first + 5] - az
    cx, cy, cz = coordinates[first + 6] - ax, coordinates[first + 7] - ay, coordinates[first + 8] - az
    px, py, pz = x - ax, y - ay, z - az
    d1 = bx * px + by * py + bz * pz
    d2 = cx * px + cy * py + cz * pz
    if d1 <= 0.0 and d2 <= 0.0:
        return ax, ay, az, 4
    bb = bx * bx + by * by + bz * bz
    bc = bx * cx + by * cy + bz * cz
    cc = cx * cx + cy * cy + cz * cz
    # Scalar products of the two sides at a with the vectors from b and from c to the point.
    d3, d4 = d1 - bb, d2 - bc
    if d3 >= 0.0 and d4 <= d3:
        return ax + bx, ay + by, az + bz, 5
    d5, d6 = d1 - bc, d2 - cc
    if d6 >= 0.0 and d5 <= d6:
        return ax + cx, ay + cy, az + cz, 6
    wc = d1 * d4 - d3 * d2
    if wc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        s = d1 / bb
        return ax + s * bx, ay + s * by, az + s * bz, 1
    wb = d5 * d2 - d1 * d6
    if wb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        s = d2 / cc
        return ax + s * cx, ay + s * cy, az + s * cz, 3
    wa = d3 * d6 - d5 * d4
    if wa <= 0.0 and d4 >= d3 and d5 >= d6:
        s = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        return ax + bx + s * (cx - bx), ay + by + s * (cy - by), az + bz + s * (cz - bz), 2
    scale = 1.0 / (wa + wb + wc)
    s, u = wb * scale, wc * scale
    return ax + s * bx + u * cx, ay + s * by + u * cy, az + s * bz + u * cz, 0


@kernel(counts_references=False)
def triangle_distance2(coordinates, first, x, y, z):
    """Return the squared distance of a point to the triangle whose corners start at `first` [m²]."""
    px, py, pz, _ = closest_from(coordinates, first, x, y, z)
    return (x - px) * (x - px) + (y - py) * (y - py) + (z - pz) * (z - pz)
