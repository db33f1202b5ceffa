"""A mannequin that walks: the standing figure with bones, led through the angles of an even gait.

The surface is that of `mannequin`; thirteen bones carry it, with weights that fade over each joint. Hips, knees and
ankles follow curves over the cycle as gait laboratories print them for adults on level ground, arms swing against the
legs, shoulders turn against the hips. It walks on the spot, as on a treadmill, and starts from standing still.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from supple.errors import SuppleError
from supple.scene.bodies.puppet import Puppet
from supple.scene.obstacles.character_skin import skinned
from supple.scene.obstacles.mannequin import HEIGHT, HIP, SHOULDER, mannequin
from supple.scene.obstacles.mannequin_figure import Mannequin
from supple.scene.placement import FloatArray, IndexArray

RATE = 50.0
"""Samples a second [1/s]."""

CYCLE = 1.1
"""Duration of two steps at 1.75 m [s]; it grows with the square root of the height, as for pendulums."""

RAMP = 0.9
"""How long the first steps take to reach their full length, in cycles [-]."""

SPACING = 0.02
"""About the side of its triangles at 1.75 m height [m]."""

KNEE, ANKLE, ELBOW = 0.48, 0.085, 0.295
"""Heights of knee and ankle, and how far down the arm the elbow is, at 1.75 m height [m]."""

FADE = {"trunk": 60, "limb": 14}
"""Rounds of smoothing of the weights: over some 10 cm at hips and shoulders, 5 cm at knees and elbows."""

HIP_FLEXION = np.array([(0, 26), (15, 19), (30, 4), (50, -13), (60, -6), (70, 10), (85, 27), (95, 28)], float)
KNEE_FLEXION = np.array(
    [(0, 5), (13, 17), (25, 11), (40, 5), (50, 12), (60, 34), (72, 58), (85, 30), (95, 5)], float
)
ANKLE_FLEXION = np.array([(0, 0), (7, -6), (20, 2), (45, 10), (55, 0), (62, -17), (75, -2), (85, 2)], float)
"""Rows of hundredths of the cycle from one heel strike to the next, and the angle there [degrees]."""

SWING_DEG, ELBOW_DEG, PELVIS_DEG, CHEST_DEG = 17.0, 16.0, 5.0, 4.0
"""How far arms swing, elbows bend, and pelvis and chest turn about the vertical, to either side [degrees]."""

PELVIS, CHEST, HEAD = 0, 1, 2
"""Bones of the trunk; then for the left (0) and the right (1) side thigh, shin, foot, upper arm and forearm."""

BONE_COUNT = 13


def walking_mannequin(
    figure: Mannequin | None = None,
    *,
    start: float = 0.5,
    speed: float = 1.0,
    name: str | None = None,
    **puppet: Any,
) -> Puppet:
    """Return a mannequin that stands still, sets out and walks on the spot for ever.

    Args:
        figure: its size and how it holds its arms; None is 1.75 m tall
        start: moment at which it sets out [s]
        speed: 2 walks twice as fast
        name: what it is called
        puppet: keywords of `Puppet`: `friction`, `shell`, `at`, `rotation`, `colour`

    Example:
        >>> walking_mannequin(Mannequin(height=1.66), start=1.0).loop_from
        2.0
    """
    figure = figure or Mannequin()
    if not (speed > 0.0 and math.isfinite(speed)):
        raise SuppleError(
            f"the mannequin walks at {speed:g} times the usual speed, but that must be above 0."
        )
    if not 0.0 <= start <= 60.0:
        raise SuppleError(f"the mannequin sets out at {start:g} s, but that must be from 0 to 60 s.")
    vertices, triangles = mannequin(
        height=figure.height, girth=figure.girth, arms_deg=figure.arms_deg, stance_deg=figure.stance_deg,
        spacing=SPACING,
    )  # fmt: skip
    size = figure.height / HEIGHT
    scale = size * np.array([figure.girth, 1.0, figure.girth])
    joints = _joints(figure) * scale
    weights = _weights(vertices / scale, triangles, figure)
    cycle = CYCLE * math.sqrt(size) / speed
    steps = max(8, round(cycle * RATE))
    ramp = math.ceil(RAMP)
    phases = np.arange((ramp + 1) * steps + 1) / steps
    amounts = np.clip(phases / RAMP, 0.0, 1.0)
    amounts = amounts * amounts * (3.0 - 2.0 * amounts)
    # The right foot sets out while the left one carries.
    samples = skinned(vertices, weights, _matrices(joints, phases + 0.3, amounts))
    samples[:, :, 1] -= _smoothed(samples[:, :, 1].min(axis=1), steps, ramp)[:, None]
    moments = start + phases * cycle
    if start > 0.0:
        moments, samples = np.concatenate([[0.0], moments]), np.concatenate([samples[:1], samples])
    return Puppet(
        moments=moments, samples=samples, triangles=triangles, loop=True,
        loop_from=round(start + ramp * cycle, 12), name=name, **puppet,
    )  # fmt: skip


def _joints(figure: Mannequin) -> FloatArray:
    """Return where each bone begins, at 1.75 m height and usual girth, (BONE_COUNT, 3) [m]."""
    rows = [(0.0, 0.93, -0.010), (0.0, 1.10, 0.0), (0.0, 1.46, -0.018)]
    for sign, arm in zip((1.0, -1.0), figure.arms_deg, strict=True):
        angle, out = math.radians(arm), math.tan(math.radians(figure.stance_deg))
        for y in (HIP[1], KNEE, ANKLE):
            rows.append((sign * (HIP[0] + (HIP[1] - y) * out), y, -0.004))
        for s in (0.0, ELBOW):
            rows.append(
                (sign * (SHOULDER[0] + s * math.sin(angle)), SHOULDER[1] - s * math.cos(angle), -0.016)
            )
    return np.array(rows)


def _weights(points: FloatArray, triangles: IndexArray, figure: Mannequin) -> FloatArray:
    """Return how much each bone carries of each point, (point_count, BONE_COUNT), from the figure at its usual size."""
    x, y = points[:, 0], points[:, 1]
    labels = np.where(y > 1.50, HEAD, np.where(y > 1.08, CHEST, PELVIS))
    for side, (sign, arm) in enumerate(zip((1.0, -1.0), figure.arms_deg, strict=True)):
        first = 3 + 5 * side
        out = sign * x
        # A leg ends at the groin, which runs up from the crotch to the side of the hip.
        is_leg = (out > 0.0) & (y < 0.80 + 0.6 * np.maximum(out - 0.02, 0.0)) & (y < 0.90)
        angle = math.radians(arm)
        along = (out - SHOULDER[0]) * math.sin(angle) - (y - SHOULDER[1]) * math.cos(angle)
        across = (out - SHOULDER[0]) * math.cos(angle) + (y - SHOULDER[1]) * math.sin(angle)
        is_arm = (along > 0.0) & (across > -0.055) & (out > 0.14)
        labels[is_leg & ~is_arm] = first
        labels[is_leg & ~is_arm & (y < KNEE)] = first + 1
        labels[is_leg & ~is_arm & (y < ANKLE)] = first + 2
        labels[is_arm] = first + 3
        labels[is_arm & (along > ELBOW)] = first + 4
    weights = np.zeros((len(points), BONE_COUNT))
    weights[np.arange(len(points)), labels] = 1.0
    edges = np.unique(np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0)
    both = np.concatenate([edges, edges[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    degree = np.bincount(both[:, 0], minlength=len(points))
    firsts = np.concatenate([[0], np.cumsum(degree)[:-1]])
    # Knees and elbows bend sharply, hips and shoulders over a hand's breadth.
    is_limb = (y < 0.70) | (labels >= 3) & (y > 0.9) & (np.abs(x) > 0.30)
    share = np.where(is_limb, FADE["limb"] / FADE["trunk"], 1.0)[:, None] * 0.5
    for _ in range(FADE["trunk"]):
        around = np.add.reduceat(weights[both[:, 1]], firsts, axis=0)
        weights += share * (around / degree[:, None] - weights)
    return weights


def _matrices(joints: FloatArray, phases: FloatArray, amounts: FloatArray) -> FloatArray:
    """Return the motion of all bones at every sample, (k, BONE_COUNT, 4, 4), from the standing figure into the world."""
    wave = np.cos(2.0 * np.pi * phases) * amounts
    turns = np.tile(np.eye(4), (len(phases), BONE_COUNT, 1, 1))
    parents = [-1, PELVIS, CHEST]
    turns[:, PELVIS, :3, :3] = _about_y(-PELVIS_DEG * wave)
    turns[:, CHEST, :3, :3] = _about_y((PELVIS_DEG + CHEST_DEG) * wave) @ _about_x(2.0 * amounts)
    turns[:, HEAD, :3, :3] = _about_x(-2.0 * amounts) @ _about_y(-CHEST_DEG * wave)
    for side in (0, 1):
        first = 3 + 5 * side
        own = phases + 0.5 * side
        parents += [PELVIS, first, first + 1, CHEST, first + 3]
        turns[:, first, :3, :3] = _about_x(-_curve(HIP_FLEXION, own) * amounts)
        turns[:, first + 1, :3, :3] = _about_x(_curve(KNEE_FLEXION, own) * amounts)
        turns[:, first + 2, :3, :3] = _about_x(-_curve(ANKLE_FLEXION, own) * amounts)
        swing = -np.cos(2.0 * np.pi * own)
        turns[:, first + 3, :3, :3] = _about_x(-SWING_DEG * swing * amounts)
        turns[:, first + 4, :3, :3] = _about_x(-ELBOW_DEG * (1.0 + 0.5 * swing) * amounts)
    result = np.empty_like(turns)
    for bone, parent in enumerate(parents):
        # About its own joint, then as its parent moves.
        turns[:, bone, :3, 3] = joints[bone] - turns[:, bone, :3, :3] @ joints[bone]
        result[:, bone] = turns[:, bone] if parent < 0 else result[:, parent] @ turns[:, bone]
    return result


def _curve(table: FloatArray, phases: FloatArray) -> FloatArray:
    """Return an angle over the cycle, (k,) [degrees]: the five lowest harmonics of its table."""
    even = np.arange(200) / 2.0
    spectrum = np.fft.rfft(np.interp(even, table[:, 0], table[:, 1], period=100.0))
    spectrum[6:] = 0.0
    smooth = np.fft.irfft(spectrum, 200)
    angles: FloatArray = np.interp(100.0 * (phases % 1.0), even, smooth, period=100.0)
    return angles


def _smoothed(lowest: FloatArray, steps: int, ramp: int) -> FloatArray:
    """Return the height of the lowest point, (k,) [m], without the jerk when the weight goes from foot to foot.

    The last cycle goes on into itself, so that the walk has no end.
    """
    cycle = lowest[ramp * steps : (ramp + 1) * steps]
    padded = np.concatenate([np.full(steps, lowest[0]), lowest[: ramp * steps], cycle, cycle])
    window = np.hanning(2 * max(2, steps // 10) + 1)
    smooth = np.convolve(padded, window / window.sum(), mode="same")
    whole: FloatArray = smooth[steps : steps + len(lowest)]
    whole[-1] = whole[ramp * steps]
    return whole


def _about_x(degrees: FloatArray) -> FloatArray:
    """Return rotations about x, (k, 3, 3): what is ahead goes down."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    turns = np.zeros((len(degrees), 3, 3))
    turns[:, 0, 0] = 1.0
    turns[:, 1, 1], turns[:, 1, 2], turns[:, 2, 1], turns[:, 2, 2] = c, -s, s, c
    return turns


def _about_y(degrees: FloatArray) -> FloatArray:
    """Return rotations about y, (k, 3, 3): what is ahead goes to the figure's left."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    turns = np.zeros((len(degrees), 3, 3))
    turns[:, 1, 1] = 1.0
    turns[:, 0, 0], turns[:, 0, 2], turns[:, 2, 0], turns[:, 2, 2] = c, s, -s, c
    return turns
