"""Furniture for an office: desk, chair, lamp and shelf as closed triangle meshes.

All stand on y = 0, Y up, their front towards +z, centred on x = z = 0. Each part is a closed
surface of its own; neighbours keep half a millimetre apart, so nothing overlaps. The same
call gives the same mesh, bit by bit.
"""

from __future__ import annotations

import math

import numpy as np

from supple.scene.obstacles.mesh_parts import (
    Mesh,
    joined,
    mirrored,
    moved,
    rod,
    rounded_box,
    rounded_profile,
    turned_part,
)

GAP = 0.0005
"""Distance that neighbouring parts keep [m]."""


def desk(width: float = 1.4, depth: float = 0.7, height: float = 0.74) -> Mesh:
    """Return a desk with a drawer unit on its right and a panel for a leg on its left.

    Args:
        width: along x [m]
        depth: along z [m]
        height: of the top's upper side [m]
    """
    thickness, unit_width = 0.028, 0.40
    under = height - thickness - GAP
    top = moved(rounded_box((width, thickness, depth), 0.006, 0.05), (0.0, height - 0.5 * thickness, 0.0))
    side = rounded_box((0.026, under, depth - 0.08), 0.004, 0.06, 2)
    left = moved(side, (-0.5 * width + 0.053, 0.5 * under, -0.01))
    body_depth = depth - 0.12
    unit_x = 0.5 * width - 0.04 - 0.5 * unit_width
    body = moved(
        rounded_box((unit_width, under - 0.03, body_depth), 0.004, 0.06, 2),
        (unit_x, 0.03 + 0.5 * (under - 0.03), -0.03),
    )
    plinth = moved(
        rounded_box((unit_width - 0.04, 0.03 - GAP, body_depth - 0.05), 0.004, 0.06, 2),
        (unit_x, 0.5 * (0.03 - GAP), -0.03),
    )
    front_z = -0.03 + 0.5 * body_depth + GAP
    drawers = []
    low = 0.04
    for share in (0.46, 0.27, 0.27):
        tall = share * (under - 0.05)
        front = rounded_box((unit_width - 0.008, tall - 0.006, 0.018), 0.004, 0.06, 2)
        drawers.append(moved(front, (unit_x, low + 0.5 * tall, front_z + 0.009)))
        y, z = low + tall - 0.05, front_z + 0.018 + GAP
        bar = rod((unit_x - 0.08, y, z + 0.026), (unit_x + 0.08, y, z + 0.026), (0.006, 0.006), 20)
        posts = [
            rod((unit_x + x, y, z), (unit_x + x, y, z + 0.0195), (0.005, 0.005), 16, 3) for x in (-0.06, 0.06)
        ]
        drawers.extend([bar, *posts])
        low += tall
    between = (unit_x - 0.5 * unit_width) - (-0.5 * width + 0.066) - 2.0 * GAP
    panel = moved(
        rounded_box((between, 0.36, 0.018), 0.004, 0.06, 2),
        (-0.5 * width + 0.066 + GAP + 0.5 * between, under - 0.18 - GAP, -0.5 * depth + 0.10),
    )
    return joined(top, left, body, plinth, panel, *drawers)


def chair() -> Mesh:
    """Return an office chair: cushions, arm rests, a column, and a foot of five rays on castors."""
    seat, back = _seat(), _chair_back()
    shell = moved(rounded_box((0.34, 0.022, 0.34), 0.008, 0.04), (0.0, 0.4125, -0.01))
    rear = np.abs(back[0] - (0.0, 0.78, 0.0))
    rest = back[0][(rear[:, 0] < 0.05) & (rear[:, 1] < 0.03), 2].min() - 0.0185
    knee = np.array([0.0, 0.388, -0.345])
    spine = joined(
        rod((0.0, 0.406, -0.1815), (0.0, 0.406, -0.3215), (0.014, 0.014), 20, 8),
        rod(knee, (0.0, 0.80, rest), (0.018, 0.014), 20, 16),
    )
    column = turned_part(
        rounded_profile(
            [
                (0.0, 0.135, 0), (0.030, 0.135, 0.004), (0.030, 0.27, 0.003), (0.016, 0.275, 0.002),
                (0.016, 0.385, 0.002), (0.060, 0.392, 0.004), (0.060, 0.4005, 0.003), (0.0, 0.4005, 0),
            ]
        ),
        40,
    )  # fmt: skip
    arm = _arm_rest()
    return joined(seat, shell, back, spine, column, *_chair_foot(), arm, mirrored(arm))


def _seat() -> Mesh:
    seat = rounded_box((0.50, 0.075, 0.48), 0.032, 0.03, 4)
    x, z = seat[0][:, 0], seat[0][:, 2]
    # A dish for sitting in, and a front edge that falls off.
    seat[0][:, 1] += 0.16 * x**2 + 0.10 * (z + 0.05) ** 2 - 0.7 * np.maximum(z - 0.10, 0.0) ** 2
    return moved(seat, (0.0, 0.465, 0.0))


def _chair_back() -> Mesh:
    back = rounded_box((0.46, 0.54, 0.06), 0.027, 0.03, 4)
    x, y = back[0][:, 0], back[0][:, 1]
    back[0][:, 2] += 0.7 * x**2 - 0.25 * (y + 0.06) ** 2 + 0.02 * np.cos(8.0 * y)
    back[0][:, 0] *= 1.0 - 0.35 * np.maximum(y, 0.0) ** 2 / 0.27
    return moved(back, (0.0, 0.855, -0.285), (0, -0.12))


def _chair_foot() -> list[Mesh]:
    """Return the hub, and five rays with two wheels each."""
    hub = turned_part(
        rounded_profile([(0.0, 0.085, 0), (0.042, 0.085, 0.006), (0.036, 0.1345, 0.008), (0.0, 0.1345, 0)]),
        40,
    )
    parts = [hub]
    for number in range(5):
        angle = 2.0 * math.pi * number / 5 + math.pi / 2
        out = np.array([math.cos(angle), 0.0, math.sin(angle)])
        across = np.array([-out[2], 0.0, out[0]])
        parts.append(
            rod(0.045 * out + (0.0, 0.108, 0.0), 0.30 * out + (0.0, 0.080, 0.0), (0.021, 0.015), 20, 10)
        )
        parts.append(
            rod(0.285 * out + (0.0, 0.063, 0.0), 0.285 * out + (0.0, 0.054, 0.0), (0.007, 0.007), 12, 2)
        )
        for sign in (-1.0, 1.0):
            middle = 0.285 * out + (0.0, 0.026, 0.0) + sign * 0.0125 * across
            parts.append(rod(middle - 0.0105 * across, middle + 0.0105 * across, (0.026, 0.026), 20, 3))
    return parts


def _arm_rest() -> Mesh:
    """Return the right one: a post, a bracket below the seat, and a pad."""
    post = rod((0.285, 0.4315, -0.03), (0.295, 0.665, -0.03), (0.016, 0.014), 20, 12)
    bracket = rod((0.1705, 0.416, -0.03), (0.300, 0.418, -0.03), (0.012, 0.012), 16, 6)
    pad = moved(rounded_box((0.075, 0.028, 0.26), 0.013, 0.02), (0.295, 0.680, 0.0))
    return joined(post, bracket, pad)


def lamp() -> Mesh:
    """Return a desk lamp: a heavy round foot, two arms with joints, a bell-shaped shade with a bulb."""
    foot = turned_part(
        rounded_profile(
            [
                (0.0, 0.0, 0), (0.09, 0.0, 0.004), (0.09, 0.016, 0.010), (0.022, 0.026, 0.012),
                (0.014, 0.05, 0.004), (0.0, 0.05, 0),
            ],
            6,
        ),
        72,
    )  # fmt: skip
    elbow, head = np.array([-0.13, 0.36, 0.0]), np.array([0.12, 0.50, 0.0])
    base = np.array([0.0, 0.062, 0.0])
    half_width = np.array([0.0, 0.0, 0.016])
    joints = [
        rod(place - half_width, place + half_width, (radius, radius), 32, 4)
        for place, radius in ((base, 0.0115), (elbow, 0.013), (head, 0.012))
    ]
    arms = []
    for start, end in ((base, elbow), (elbow, head)):
        along = (end - start) / np.linalg.norm(end - start)
        arms.append(rod(start + 0.0145 * along, end - 0.0145 * along, (0.006, 0.006), 24, 30))
    # Outside from the rim up, over the top, and back down along the inside.
    outside = [(0.078, 0.0), (0.074, 0.022), (0.064, 0.052), (0.048, 0.080), (0.028, 0.098), (0.018, 0.118)]
    inside = [
        (0.016, 0.1155),
        (0.0255, 0.0955),
        (0.0455, 0.0775),
        (0.0615, 0.0505),
        (0.0715, 0.0212),
        (0.0755, 0.0),
    ]
    shade = turned_part(_refined([*outside, *inside], 4), 72)
    bulb = turned_part(
        [(0.028 * math.sin(t), 0.038 - 0.028 * math.cos(t)) for t in np.linspace(0.0, math.pi, 25)], 40
    )
    socket = rod((0.0, 0.0675, 0.0), (0.0, 0.125, 0.0), (0.0135, 0.0135), 32, 8)
    tilt = (2, 0.45)
    lampshade = moved(joined(shade, bulb, socket), (0.0, 0.0, 0.0), tilt)
    axis = np.array([-math.sin(0.45), math.cos(0.45), 0.0])
    place = head - axis * (0.125 + 0.0125)
    return joined(foot, *joints, *arms, moved(lampshade, place))


def shelf(width: float = 0.9, height: float = 1.8, depth: float = 0.3, boards: int = 5) -> Mesh:
    """Return a shelf with some folders and books on its boards.

    Args:
        width: along x [m]
        height: [m]
        depth: along z [m]
        boards: boards between bottom and top, at least one
    """
    thickness = 0.022
    side = moved(
        rounded_box((thickness, height, depth), 0.003, 0.1, 2), (0.5 * (width - thickness), 0.5 * height, 0.0)
    )
    inner = width - 2.0 * (thickness + GAP)
    back = moved(
        rounded_box((inner, height - 0.06, 0.008), 0.002, 0.1, 2),
        (0.0, 0.5 * height + 0.02, -0.5 * depth + 0.006),
    )
    board = rounded_box((inner, thickness, depth - 0.014), 0.003, 0.08, 2)
    levels = np.linspace(0.05, height - 0.5 * thickness - 0.002, boards + 1)
    parts = [side, mirrored(side), back, *(moved(board, (0.0, level, 0.0065)) for level in levels)]
    gap = levels[1] - levels[0] - thickness
    for number, level in enumerate(levels[:-1]):
        parts.extend(_books(number, inner, level + 0.5 * thickness + GAP, gap, depth))
    return joined(*parts)


def _books(row: int, width: float, low: float, tallest: float, depth: float) -> list[Mesh]:
    """Return folders on one board, from the left; sizes come from the golden ratio, so no dice are needed."""
    books: list[Mesh] = []
    x = -0.5 * width + 0.004
    filled = width * (0.86, 0.45, 0.70, 0.30, 0.58)[row % 5]
    number = 17 * row
    while True:
        number += 1
        share = number * 0.6180339887 % 1.0
        other = number * 0.7548776662 % 1.0
        thick = 0.045 + 0.040 * share
        if x + thick > filled - 0.5 * width:
            return books
        tall = tallest * (0.62 + 0.28 * other)
        deep = depth * (0.58 + 0.18 * share)
        book = rounded_box((thick, tall, deep), 0.003, 0.2, 1)
        books.append(moved(book, (x + 0.5 * thick, low + 0.5 * tall, 0.5 * (depth - deep) - 0.03)))
        x += thick + 0.001


def _refined(line: list[tuple[float, float]], steps: int) -> list[tuple[float, float]]:
    """Return a closed line with every side cut into `steps`, without its last point."""
    points = np.array(line)
    ahead = np.roll(points, -1, axis=0)
    share = np.arange(steps)[:, None, None] / steps
    cut = points + share * (ahead - points)
    return [(float(r), float(y)) for r, y in cut.transpose(1, 0, 2).reshape(-1, 2)]
