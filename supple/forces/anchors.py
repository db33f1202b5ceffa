"""Anchors: soft point constraints that pull particles to points in space."""

from __future__ import annotations

from supple.kernel import kernel


@kernel(is_entry=True)
def add_anchor_forces(positions, anchors, factor, forces):
    """Add f = k (p0 - x) for every anchor.

    Theory: docs/theory/springs.md, eq. (S7), after Güdükbay 1997, Eq. 8.

    Args:
        positions: (particle_count, 3) [m]
        anchors: `AnchorArrays`
        factor: scale of what is added; 1 for forces
        forces: (particle_count, 3) [N], added to in place
    """
    for a in range(anchors.points.shape[0]):
        i = anchors.points[a]
        for axis in range(3):
            forces[i, axis] += factor * anchors.stiffness[a] * (anchors.targets[a, axis] - positions[i, axis])
