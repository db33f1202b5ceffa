"""Vertex strain: how far the springs at each vertex are stretched, to colour a body by."""

from __future__ import annotations

import math

from supple.kernel import kernel


@kernel
def vertex_strains(positions, edges, rest_lengths, strains):
    """Write the largest elongation among the springs at each vertex [-], 0 if all are shorter than at rest.

    Args:
        positions: (vertex_count, 3) [m]
        edges: (spring_count, 2) vertex indices
        rest_lengths: (spring_count,) [m]
        strains: (vertex_count,) [-], written
    """
    for n in range(strains.shape[0]):
        strains[n] = 0.0
    for s in range(edges.shape[0]):
        i, j = edges[s, 0], edges[s, 1]
        squared = 0.0
        for axis in range(3):
            d = positions[i, axis] - positions[j, axis]
            squared += d * d
        strain = math.sqrt(squared) / rest_lengths[s] - 1.0
        strains[i] = max(strains[i], strain)
        strains[j] = max(strains[j], strain)
