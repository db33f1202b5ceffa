"""Recovery of inverted elements: one that stays inside out takes the rotation of its neighbours.

Theory: docs/theory/soft-bodies.md, eq. (E9). An inverted element does not know along which of its three directions it
should turn back. Where its neighbours hold it, the one it chooses may be one they never give way to, and it
rests inverted. With their rotation instead of its own it is a linear element, and those have one state of rest only.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from supple.constrain.compression_limit import ALERT, PATIENCE
from supple.kernel import cross, difference, dot, kernel
from supple.model.tetrahedra import COROTATED, VALUES, WIDTH, Tetrahedra
from supple.model.world import World

MOST_RINGS = 20
"""Most rings of neighbours that are treated alike. Each time PATIENCE passes again one more is: sound neighbours may be
what holds an element."""

SOUND = 0.3
"""Share of its volume with which an element that was inverted has its own rotation again [-]."""

FOLDED = 0.16
"""Share of its volume up to which an element rests on the compression limit [-]: where nothing presses, it does so only
because it is folded, and could stay so for ever."""

SLOWLY = 0.2
"""How fast the time of such an element counts, over that of an inverted one [-]: most are only pressed for a while."""


@kernel
def count_inverted_time(used, positions, corners, volumes, compressions, frame, inside_out):
    """Add a frame to the time for which each element has been inverted, or begin anew once it is sound.

    Args:
        used: (place_count,) element at each place
        positions: (particle_count, 3) [m]
        corners: (place_count, 4) particle indices
        volumes: (place_count,) at rest [m³]
        compressions: (place_count,) volume over volume at rest in the last substep [-]; who had plenty is not looked at
        frame: its duration [s]
        inside_out: (element_count,) changed in place [s]
    """
    for place in range(used.shape[0]):
        e = used[place]
        if compressions[place] > ALERT and inside_out[e] == 0.0:
            continue
        first = corners[place, 0]
        a = difference(positions, corners[place, 1], first)
        b = difference(positions, corners[place, 2], first)
        c = difference(positions, corners[place, 3], first)
        share = dot(a, cross(b, c)) / (6.0 * volumes[place])
        if share > (SOUND if inside_out[e] >= PATIENCE else FOLDED):
            inside_out[e] = 0.0
        else:
            inside_out[e] += frame if share <= 0.0 else SLOWLY * frame


@kernel
def add_quaternion(turn, sums, i):
    """Add a quaternion to row i of `sums`, with the sign that makes it longer: both signs are the same rotation."""
    along = turn[0] * sums[i, 0] + turn[1] * sums[i, 1] + turn[2] * sums[i, 2] + turn[3] * sums[i, 3]
    sign = -1.0 if along < 0.0 else 1.0
    for a in range(4):
        sums[i, a] += sign * turn[a]


@kernel
def quaternion_at(rotations, place):
    """Return the quaternion of an element in a block."""
    at = place // WIDTH * WIDTH * 4 + place % WIDTH
    return (rotations[at], rotations[at + WIDTH], rotations[at + 2 * WIDTH], rotations[at + 3 * WIDTH])


@kernel
def mark_inverted_regions(used, corners, inside_out, is_corotated, reaches, is_waiting):
    """Mark elements that take the rotation of others: those inverted for too long and, with time, more rings around them.

    Args:
        used: (place_count,) element at each place
        corners: (place_count, 4) particle indices
        inside_out: (element_count,) for how long [s]
        is_corotated: (element_count,)
        reaches: (particle_count,) scratch
        is_waiting: (place_count or more,) overwritten
    """
    reaches[:] = 0.0
    most = 0
    for place in range(used.shape[0]):
        rings = int(inside_out[used[place]] / PATIENCE)
        most = max(most, min(rings, MOST_RINGS))
        for a in range(4):
            i = corners[place, a]
            reaches[i] = max(reaches[i], min(rings, MOST_RINGS))
    for _ in range(1, most):
        for place in range(used.shape[0]):
            far = 0.0
            for a in range(4):
                far = max(far, reaches[corners[place, a]])
            for a in range(4):
                i = corners[place, a]
                reaches[i] = max(reaches[i], far - 1.0)
    for place in range(used.shape[0]):
        e = used[place]
        far = 0.0
        for a in range(4):
            far = max(far, reaches[corners[place, a]])
        is_waiting[place] = is_corotated[e] and (far >= 2.0 or inside_out[e] >= PATIENCE)


@kernel
def take_neighbour_rotations(used, corners, inside_out, is_corotated, is_waiting, sums, blocks, rotations):
    """Give marked elements the mean rotation of their neighbours, from the rim inwards.

    They turn no more by themselves; all others do. One that no sound element can be reached from keeps its own.

    Args:
        used: (place_count,) element at each place
        corners: (place_count, 4) particle indices
        inside_out: (element_count,) for how long [s]
        is_corotated: (element_count,)
        is_waiting: (place_count or more,) by `mark_inverted_regions`, used up
        sums: (particle_count + 1, 4) scratch; the last row is that of one element
        blocks: (place_count or more · VALUES,) whether elements turn is written there
        rotations: (place_count or more · 4,) changed in place
    """
    sums[:] = 0.0
    waiting = 0
    for place in range(used.shape[0]):
        e = used[place]
        blocks[place // WIDTH * WIDTH * VALUES + COROTATED * WIDTH + place % WIDTH] = is_corotated[e]
        if is_waiting[place]:
            waiting += 1
        elif inside_out[e] == 0.0:
            for a in range(4):
                add_quaternion(quaternion_at(rotations, place), sums, corners[place, a])
    own = sums.shape[0] - 1
    done = 1
    while waiting > 0 and done > 0:
        done = 0
        for place in range(used.shape[0]):
            if not is_waiting[place]:
                continue
            for a in range(4):
                sums[own, a] = 0.0
            for a in range(4):
                i = corners[place, a]
                add_quaternion((sums[i, 0], sums[i, 1], sums[i, 2], sums[i, 3]), sums, own)
            square = sums[own, 0] ** 2 + sums[own, 1] ** 2 + sums[own, 2] ** 2 + sums[own, 3] ** 2
            if square > 0.0:
                at = place // WIDTH * WIDTH * 4 + place % WIDTH
                for a in range(4):
                    rotations[at + a * WIDTH] = sums[own, a] / math.sqrt(square)
                blocks[place // WIDTH * WIDTH * VALUES + COROTATED * WIDTH + place % WIDTH] = 0.0
                is_waiting[place] = False
                for a in range(4):
                    add_quaternion(quaternion_at(rotations, place), sums, corners[place, a])
                done += 1
        waiting -= done


class InvertedElements:
    """Recovery of the inverted elements of all soft bodies."""

    def __init__(self, world: World) -> None:
        """Make room."""
        self.world = world
        elements = world.tetrahedra
        self._all = np.arange(elements.count)
        most_nodes = max([world.particles.count, *(len(levels.rest) for levels in world.levels.values())])
        most = max([elements.count, *(len(levels.blocks.used) for levels in world.levels.values())])
        self._sums = np.zeros((most_nodes + 1, 4))
        self._reaches = np.zeros(most_nodes)
        self._is_waiting = np.zeros(most, dtype=np.bool_)
        self._recovering: set[str] = set()

    def begin_frame(self) -> None:
        """Give what has been inverted for too long the rotation of its neighbours, and what is sound again its own."""
        elements = self.world.tetrahedra
        if self._is_needed("", elements.inside_out):
            self._recover(elements, self._all, elements.corners, elements.blocks, elements.rotations)
        for name, levels in self.world.levels.items():
            if not self._is_needed(name, levels.elements.inside_out):
                continue
            for level in range(levels.count):
                begin, end = levels.block_range(level)
                self._recover(
                    levels.elements, levels.blocks.used[begin:end], levels.blocks.corners[begin:end],
                    levels.blocks.values[begin * VALUES :], levels.blocks.rotations[begin * 4 :],
                )  # fmt: skip

    def _recover(
        self,
        elements: Tetrahedra,
        used: NDArray[np.int64],
        corners: NDArray[np.uint32],
        blocks: NDArray[np.float64],
        rotations: NDArray[np.float64],
    ) -> None:
        marks = (elements.inside_out, elements.is_corotated)
        mark_inverted_regions(used, corners, *marks, self._reaches, self._is_waiting)
        take_neighbour_rotations(used, corners, *marks, self._is_waiting, self._sums, blocks, rotations)

    def _is_needed(self, name: str, inside_out: NDArray[np.float64]) -> bool:
        """Tell whether elements of a mesh have to take the rotation of their neighbours, or have until now."""
        was_recovering = name in self._recovering
        if inside_out.max(initial=0.0) >= PATIENCE:
            self._recovering.add(name)
        else:
            self._recovering.discard(name)
        return was_recovering or name in self._recovering

    def end_frame(self, frame: float) -> None:
        """Count the time of inverted elements after a frame of `frame` seconds."""
        elements = self.world.tetrahedra
        if elements.count:
            count_inverted_time(
                self._all, self.world.particles.positions, elements.corners, elements.volumes, elements.compressions,
                frame, elements.inside_out,
            )  # fmt: skip
        for levels in self.world.levels.values():
            # The tool that presses holds them so; turned, they stretched what is around.
            if levels.is_touched.any():
                levels.elements.inside_out[:] = 0.0
                continue
            for level in range(levels.count):
                begin, end = levels.block_range(level)
                count_inverted_time(
                    levels.blocks.used[begin:end], levels.positions, levels.blocks.corners[begin:end],
                    levels.blocks.volumes[begin:end], levels.blocks.compressions[begin:end], frame,
                    levels.elements.inside_out,
                )  # fmt: skip
