"""The signed distance to any solid, and the change from world axes to those of a solid and back."""

from __future__ import annotations

from supple.collide.distance_map.distance_map import distance_anywhere
from supple.collide.obstacles.shapes import MAP, shape_distance
from supple.kernel import kernel


@kernel(counts_references=False)
def into_axes(poses, o, x, y, z):
    """Return a world point in the axes of solid o; a pose (12 numbers) is its rotation by rows, then its position."""
    x, y, z = x - poses[o, 9], y - poses[o, 10], z - poses[o, 11]
    return (
        poses[o, 0] * x + poses[o, 3] * y + poses[o, 6] * z,
        poses[o, 1] * x + poses[o, 4] * y + poses[o, 7] * z,
        poses[o, 2] * x + poses[o, 5] * y + poses[o, 8] * z,
    )


@kernel(counts_references=False)
def out_of_axes(poses, o, x, y, z):
    """Return a vector from the axes of solid o in world axes."""
    return (
        poses[o, 0] * x + poses[o, 1] * y + poses[o, 2] * z,
        poses[o, 3] * x + poses[o, 4] * y + poses[o, 5] * z,
        poses[o, 6] * x + poses[o, 7] * y + poses[o, 8] * z,
    )


@kernel(counts_references=False)
def distance_to(solids, o, x, y, z):
    """Return the signed distance [m] of a point in the axes of solid o, and its gradient."""
    if solids.kinds[o] == MAP:
        return distance_anywhere(solids.maps, int(solids.parameters[o, 0]), x, y, z)
    return shape_distance(solids.kinds[o], solids.parameters[o], x, y, z)
