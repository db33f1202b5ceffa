"""Hands and obstacles: what a hand holds is not led into anything solid.

Theory: docs/theory/obstacles.md, eq. (O19). Held particles go where they are told, whatever is in the way. A hand means well
but knows nothing of what it points at: a point that it led below the ground would drag the rest of its body
through itself. So the way of a hand ends at the surface and goes on along it, like that of a free particle.
"""

from __future__ import annotations

from supple.collide.obstacles.particle_contact import kept_outside
from supple.collide.obstacles.signed_distance import distance_to, into_axes, out_of_axes
from supple.kernel import kernel

ROUNDS = 3
"""Most rounds over all solids: being kept out of one may lead a hand into another."""


@kernel(counts_references=False)
def keep_hands_outside(
    kinds, parameters, integers, floats, doubles, is_solid, shells, poses_t0, poses_t1, points, starts, targets
):  # fmt: skip
    """End the ways of hands a shell away from every solid that a hand cannot enter.

    One that starts inside, such as a pin that was placed there, goes where it is told.

    Args:
        kinds: (solid_count,) which shape
        parameters: (solid_count, 8) of the shape
        integers: of the distance maps
        floats: of the distance maps
        doubles: of the distance maps
        is_solid: (solid_count,) whether the solid is in the way of hands
        shells: (solid_count,) [m], distance to keep
        poses_t0: (solid_count, 12) at the start of the substep
        poses_t1: (solid_count, 12) at its end
        points: (hand_count,) particles
        starts: (particle_count, 3) [m], where the substep starts
        targets: (particle_count, 3) [m], where hands lead, changed in place
    """
    for n in range(points.shape[0]):
        i = points[n]
        for _ in range(ROUNDS):
            has_moved = False
            for o in range(kinds.shape[0]):
                if not is_solid[o]:
                    continue
                ax, ay, az = into_axes(poses_t0, o, starts[i, 0], starts[i, 1], starts[i, 2])
                if distance_to(kinds, parameters, integers, floats, doubles, o, ax, ay, az)[0] < 0.0:
                    continue
                cx, cy, cz = into_axes(poses_t1, o, targets[i, 0], targets[i, 1], targets[i, 2])
                bx, by, bz, _, _, _, _ = kept_outside(
                    kinds, parameters, integers, floats, doubles, o, ax, ay, az, cx, cy, cz, shells[o], 0.0
                )
                if bx != cx or by != cy or bz != cz:
                    has_moved = True
                    px, py, pz = out_of_axes(poses_t1, o, bx - cx, by - cy, bz - cz)
                    targets[i, 0] += px
                    targets[i, 1] += py
                    targets[i, 2] += pz
            if not has_moved:
                break
