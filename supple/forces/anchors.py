"""Anchors: soft point constraints that pull particles to points in space."""

from __future__ import annotations

from supple.kernel import kernel


@kernel
def add_anchor_forces(positions, points, stiffness, anchor_targets, factor, forces):
    """Add f = k (p0 - x) for every anchor.

    Theory: docs/theory/springs.md, eq. (S7), after Güdükbay 1997, Eq. 8.

    Args:
        positions: (particle_count, 3) [m]
        points: (anchor_count,) particle indices
        stiffness: (anchor_count,) [N/m]
        anchor_targets: (anchor_count, 3) [m]
        factor: scale of what is added; 1 for forces
        forces: (particle_count, 3) [N], added to in place
    """
    for a in range(points.shape[0]):
        i = points[a]
        for axis in range(3):
            forces[i, axis] += factor * stiffness[a] * (anchor_targets[a, axis] - positions[i, axis])
