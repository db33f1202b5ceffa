"""Targets of hands and obstacles: a particle that a hand holds is not moved into a solid.

Theory: docs/theory/obstacles.md, eq. (O19). Held particles are kinematic: they go to their targets, whatever is in the way.
A hand knows nothing of what it points at, and a point that it moved below the ground would drag the rest of its body
through itself. So the path of a hand ends at the surface and slides along it, like that of a free particle.
"""

from __future__ import annotations

from supple.collide.obstacles.particle_contact import end_outside
from supple.collide.obstacles.signed_distance import distance_to, into_axes, out_of_axes
from supple.kernel import kernel

ROUNDS = 3
"""Most rounds over all solids: being kept out of one may move a target into another."""


@kernel(counts_references=False)
def keep_targets_outside(solids, properties, poses, points, starts, targets):
    """End the paths of hands a shell away from every kinematic solid; solids with a mass give way to a hand.

    One that starts inside, such as a pin that was placed there, goes to its target.

    Args:
        solids: shapes of all solids, see `Solids`
        properties: see `SolidProperties`
        poses: see `Poses`
        points: (hand_count,) particles
        starts: (particle_count, 3) [m], where the substep starts
        targets: (particle_count, 3) [m], changed in place
    """
    for n in range(points.shape[0]):
        i = points[n]
        for _ in range(ROUNDS):
            has_moved = False
            for o in range(solids.kinds.shape[0]):
                if not properties.is_kinematic[o]:
                    continue
                ax, ay, az = into_axes(poses.t0, o, starts[i, 0], starts[i, 1], starts[i, 2])
                if distance_to(solids, o, ax, ay, az)[0] < 0.0:
                    continue
                cx, cy, cz = into_axes(poses.t1, o, targets[i, 0], targets[i, 1], targets[i, 2])
                bx, by, bz, _, _, _, _ = end_outside(
                    solids, o, ax, ay, az, cx, cy, cz, properties.shells[o], 0.0
                )
                if bx != cx or by != cy or bz != cz:
                    has_moved = True
                    px, py, pz = out_of_axes(poses.t1, o, bx - cx, by - cy, bz - cz)
                    targets[i, 0] += px
                    targets[i, 1] += py
                    targets[i, 2] += pz
            if not has_moved:
                break
