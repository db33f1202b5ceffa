"""Shapes: exact signed distance, gradient and inside-outside function of simple solids.

Theory: docs/theory/obstacles.md, eq. (O1). All shapes are given in their own axes. The signed
distance is negative inside; its gradient is the unit vector towards the outside. The
inside-outside function (Güdükbay 1997) has the same sign but is the shape's own polynomial.
"""

from __future__ import annotations

import math

from supple.kernel import kernel

PLANE = 0
SPHERE = 1
ELLIPSOID = 2
BOX = 3
CAPSULE = 4
CYLINDER = 5
TORUS = 6
MAP = 7
"""A mesh, known through its distance map."""

PARAMETER_COUNT = 8
"""Numbers that describe a shape, in its own axes:

- PLANE: normal (3), offset
- SPHERE: radius
- ELLIPSOID: radii (3)
- BOX: half sizes (3), rounding
- CAPSULE, CYLINDER: start (3), end (3), radius
- TORUS: radius of the ring (about y), radius of the tube
"""

ROOT_STEPS = 40
"""Most steps to the closest point of an ellipsoid; about five are needed."""


@kernel(counts_references=False)
def away_from(x, y, z, radius):
    """Return the signed distance and gradient of a sphere about the origin."""
    length = math.sqrt(x * x + y * y + z * z)
    if length == 0.0:
        return -radius, 0.0, 1.0, 0.0
    return length - radius, x / length, y / length, z / length


@kernel(counts_references=False)
def closest_on_ellipsoid(a, b, c, x, y, z):
    """Return the point of the ellipsoid with radii a, b, c that is closest to (x, y, z) >= 0.

    The closest point p satisfies x_i = p_i (1 + t / a_i²) for one t above -min a_i², where
    s(t)² = Σ (a_i x_i / (a_i² + t))² is one. Newton's method on 1 / s, which is nearly a straight
    line, climbs to the root from below without ever passing it. In the plane of symmetry across
    the shortest radius the root may lie at the end of the interval, where that coordinate of p
    follows from the surface instead.
    """
    least = min(a, min(b, c))
    # Everything is told from the end of the interval, t = u - min a_i², or small u would be lost.
    da, db, dc = (a - least) * (a + least), (b - least) * (b + least), (c - least) * (c + least)
    ends = a * x - da, b * y - db, c * z - dc
    u = max(0.0, max(ends[0], max(ends[1], ends[2])))
    ra, rb, rc = da + u, db + u, dc + u
    for _ in range(ROOT_STEPS):
        fx = a * x / ra if ra > 0.0 else 0.0
        fy = b * y / rb if rb > 0.0 else 0.0
        fz = c * z / rc if rc > 0.0 else 0.0
        square = fx * fx + fy * fy + fz * fz
        excess = math.sqrt(square) - 1.0
        if not excess > 1e-15:
            break
        slope = (
            (fx * fx / ra if ra > 0.0 else 0.0)
            + (fy * fy / rb if rb > 0.0 else 0.0)
            + (fz * fz / rc if rc > 0.0 else 0.0)
        )
        before = u
        u += square * excess / slope
        if u == before:
            break
        ra, rb, rc = da + u, db + u, dc + u
    px = a * a * x / ra if ra > 0.0 else 0.0
    py = b * b * y / rb if rb > 0.0 else 0.0
    pz = c * c * z / rc if rc > 0.0 else 0.0
    rest = 1.0 - (px / a) ** 2 - (py / b) ** 2 - (pz / c) ** 2
    if rest > 1e-12:
        if a == least and x == 0.0:
            px = a * math.sqrt(rest)
        elif b == least and y == 0.0:
            py = b * math.sqrt(rest)
        elif c == least and z == 0.0:
            pz = c * math.sqrt(rest)
    return px, py, pz


@kernel(counts_references=False)
def ellipsoid_distance(a, b, c, x, y, z):
    """Return the signed distance and gradient of an ellipsoid with radii a, b, c."""
    ax, ay, az = abs(x), abs(y), abs(z)
    px, py, pz = closest_on_ellipsoid(a, b, c, ax, ay, az)
    inside = (x / a) ** 2 + (y / b) ** 2 + (z / c) ** 2 < 1.0
    gap = math.sqrt((ax - px) ** 2 + (ay - py) ** 2 + (az - pz) ** 2)
    nx, ny, nz = px / (a * a), py / (b * b), pz / (c * c)
    length = math.sqrt(nx * nx + ny * ny + nz * nz)
    nx = math.copysign(nx / length, x)
    ny = math.copysign(ny / length, y)
    nz = math.copysign(nz / length, z)
    return (-gap if inside else gap), nx, ny, nz


@kernel(counts_references=False)
def box_distance(hx, hy, hz, rounding, x, y, z):
    """Return the signed distance and gradient of a box of half sizes hx, hy, hz with rounded edges."""
    qx, qy, qz = abs(x) - hx + rounding, abs(y) - hy + rounding, abs(z) - hz + rounding
    sx, sy, sz = math.copysign(1.0, x), math.copysign(1.0, y), math.copysign(1.0, z)
    if qx <= 0.0 and qy <= 0.0 and qz <= 0.0:
        if qx >= qy and qx >= qz:
            return qx - rounding, sx, 0.0, 0.0
        if qy >= qz:
            return qy - rounding, 0.0, sy, 0.0
        return qz - rounding, 0.0, 0.0, sz
    ox, oy, oz = max(qx, 0.0), max(qy, 0.0), max(qz, 0.0)
    length = math.sqrt(ox * ox + oy * oy + oz * oz)
    return length - rounding, sx * ox / length, sy * oy / length, sz * oz / length


@kernel(counts_references=False)
def segment_share(parameters, x, y, z):
    """Return how far along the axis of a rod a point lies (0 start, 1 end), and the axis' length."""
    ex, ey, ez = parameters[3] - parameters[0], parameters[4] - parameters[1], parameters[5] - parameters[2]
    length2 = ex * ex + ey * ey + ez * ez
    along = (x - parameters[0]) * ex + (y - parameters[1]) * ey + (z - parameters[2]) * ez
    return along / length2, math.sqrt(length2)


@kernel(counts_references=False)
def capsule_distance(parameters, x, y, z):
    """Return the signed distance and gradient of a capsule."""
    share, _ = segment_share(parameters, x, y, z)
    share = min(1.0, max(0.0, share))
    return away_from(
        x - parameters[0] - share * (parameters[3] - parameters[0]),
        y - parameters[1] - share * (parameters[4] - parameters[1]),
        z - parameters[2] - share * (parameters[5] - parameters[2]),
        parameters[6],
    )


@kernel(counts_references=False)
def cylinder_distance(parameters, x, y, z):
    """Return the signed distance and gradient of a cylinder with flat ends."""
    share, length = segment_share(parameters, x, y, z)
    ux = (parameters[3] - parameters[0]) / length
    uy = (parameters[4] - parameters[1]) / length
    uz = (parameters[5] - parameters[2]) / length
    along = share * length
    rx = x - parameters[0] - along * ux
    ry = y - parameters[1] - along * uy
    rz = z - parameters[2] - along * uz
    radius = math.sqrt(rx * rx + ry * ry + rz * rz)
    if radius > 0.0:
        rx, ry, rz = rx / radius, ry / radius, rz / radius
    else:
        # On the axis every direction across it is as good: take one.
        rx, ry, rz = (0.0, -uz, uy) if abs(ux) < 0.9 else (-uz, 0.0, ux)
        scale = 1.0 / math.sqrt(rx * rx + ry * ry + rz * rz)
        rx, ry, rz = scale * rx, scale * ry, scale * rz
    side = radius - parameters[6]
    cap = max(-along, along - length)
    sign = 1.0 if along > 0.5 * length else -1.0
    if side <= 0.0 and cap <= 0.0:
        if side >= cap:
            return side, rx, ry, rz
        return cap, sign * ux, sign * uy, sign * uz
    out, over = max(side, 0.0), max(cap, 0.0)
    gap = math.sqrt(out * out + over * over)
    a, b = out / gap, sign * over / gap
    return gap, a * rx + b * ux, a * ry + b * uy, a * rz + b * uz


@kernel(counts_references=False)
def torus_distance(ring, tube, x, y, z):
    """Return the signed distance and gradient of a torus about the y axis."""
    across = math.sqrt(x * x + z * z)
    cx, cz = (x / across, z / across) if across > 0.0 else (1.0, 0.0)
    return away_from(x - ring * cx, y, z - ring * cz, tube)


@kernel(counts_references=False)
def shape_distance(kind, parameters, x, y, z):
    """Return the signed distance [m] and its gradient, a unit vector, at a point in the shape's axes."""
    if kind == PLANE:
        nx, ny, nz = parameters[0], parameters[1], parameters[2]
        return nx * x + ny * y + nz * z - parameters[3], nx, ny, nz
    if kind == SPHERE:
        return away_from(x, y, z, parameters[0])
    if kind == ELLIPSOID:
        return ellipsoid_distance(parameters[0], parameters[1], parameters[2], x, y, z)
    if kind == BOX:
        return box_distance(parameters[0], parameters[1], parameters[2], parameters[3], x, y, z)
    if kind == CAPSULE:
        return capsule_distance(parameters, x, y, z)
    if kind == CYLINDER:
        return cylinder_distance(parameters, x, y, z)
    return torus_distance(parameters[0], parameters[1], x, y, z)


@kernel(counts_references=False)
def inside_outside(kind, parameters, x, y, z):
    """Return the inside-outside function of a shape and its gradient: below zero inside, above outside.

    Sphere, ellipsoid and torus have their polynomials, which are without unit; shapes with
    corners use the signed distance [m].
    """
    if kind == SPHERE:
        r2 = parameters[0] * parameters[0]
        return (x * x + y * y + z * z) / r2 - 1.0, 2.0 * x / r2, 2.0 * y / r2, 2.0 * z / r2
    if kind == ELLIPSOID:
        a2 = parameters[0] * parameters[0]
        b2 = parameters[1] * parameters[1]
        c2 = parameters[2] * parameters[2]
        value = x * x / a2 + y * y / b2 + z * z / c2 - 1.0
        return value, 2.0 * x / a2, 2.0 * y / b2, 2.0 * z / c2
    if kind == TORUS:
        ring, tube2 = parameters[0], parameters[1] * parameters[1]
        across = math.sqrt(x * x + z * z)
        slope = 2.0 * (1.0 - ring / across) / tube2 if across > 0.0 else 0.0
        value = ((across - ring) ** 2 + y * y) / tube2 - 1.0
        return value, slope * x, 2.0 * y / tube2, slope * z
    return shape_distance(kind, parameters, x, y, z)
