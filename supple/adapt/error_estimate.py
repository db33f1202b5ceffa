"""A posteriori error estimate of the displacement around each node, from the strain of its elements.

Theory: docs/theory/levels.md, eq. (D7) and (D8).
"""

from __future__ import annotations

import math

from supple.kernel import kernel

STRAIN, LAPLACIAN = 0, 1
"""Measures of the error, in the order of `supple.scene.bodies.refinement.Measure`."""


@kernel
def gather_gradients(blocks, elements, positions, gathered):
    """Sum up, for every node, the deformation gradients F of its elements.

    Args:
        blocks: `Blocks`
        elements: `Elements`
        positions: (node_count, 3) [m]
        gathered: (node_count, 14) overwritten: Σ V, Σ V F (9), Σ V |F|², Σ V (F - 1) α (3)
    """
    corners, gradients = elements.corners, elements.gradients
    gathered[:] = 0.0
    for level in range(blocks.used_counts.shape[0]):
        for place in range(blocks.firsts[level], blocks.firsts[level] + blocks.used_counts[level]):
            e = blocks.used[place]
            v = elements.weights[e] * elements.volumes[e]
            i, j, k, n = corners[e, 0], corners[e, 1], corners[e, 2], corners[e, 3]
            square = 0.0
            for row in range(3):
                x = positions[i, row]
                a, b, c = positions[j, row] - x, positions[k, row] - x, positions[n, row] - x
                f0 = a * gradients[e, 0, 0] + b * gradients[e, 1, 0] + c * gradients[e, 2, 0]
                f1 = a * gradients[e, 0, 1] + b * gradients[e, 1, 1] + c * gradients[e, 2, 1]
                f2 = a * gradients[e, 0, 2] + b * gradients[e, 1, 2] + c * gradients[e, 2, 2]
                square += f0 * f0 + f1 * f1 + f2 * f2
                d0 = f0 - (1.0 if row == 0 else 0.0)
                d1 = f1 - (1.0 if row == 1 else 0.0)
                d2 = f2 - (1.0 if row == 2 else 0.0)
                pull = 0.0
                for a_corner in range(4):
                    node = corners[e, a_corner]
                    gathered[node, 1 + 3 * row] += v * f0
                    gathered[node, 2 + 3 * row] += v * f1
                    gathered[node, 3 + 3 * row] += v * f2
                    if a_corner > 0:
                        own = (
                            d0 * gradients[e, a_corner - 1, 0]
                            + d1 * gradients[e, a_corner - 1, 1]
                            + d2 * gradients[e, a_corner - 1, 2]
                        )
                        gathered[node, 11 + row] += v * own
                        pull += own
                gathered[i, 11 + row] -= v * pull
            for a_corner in range(4):
                gathered[corners[e, a_corner], 0] += v
                gathered[corners[e, a_corner], 10] += v * square


@kernel
def estimate_errors(measure, gathered, spacings, keeping, errors, peaks):
    """Write the error at every node and remember the largest of late.

    Theory: docs/theory/levels.md, eq. (D7) for STRAIN, (D8) for LAPLACIAN, Debunne's own.

    Args:
        measure: STRAIN or LAPLACIAN
        gathered: (node_count, 14) by `gather_gradients`
        spacings: (node_count,) h [m]
        keeping: share of a peak that is left after a frame [-]
        errors: (node_count,) overwritten [m]; 0 for nodes without elements
        peaks: (node_count,) changed in place [m]
    """
    for i in range(errors.shape[0]):
        volume = gathered[i, 0]
        error = 0.0
        if volume > 0.0:
            if measure == STRAIN:
                mean2 = 0.0
                for n in range(1, 10):
                    mean2 += (gathered[i, n] / volume) ** 2
                error = spacings[i] * math.sqrt(max(gathered[i, 10] / volume - mean2, 0.0))
            else:
                square = gathered[i, 11] ** 2 + gathered[i, 12] ** 2 + gathered[i, 13] ** 2
                error = spacings[i] ** 2 * math.sqrt(square) / (0.25 * volume)
        errors[i] = error
        peaks[i] = max(error, keeping * peaks[i])


@kernel
def gather_child_errors(
    first_of_level_1, owners, children, is_split, peaks, gathered, worst, has_split_child
):
    """Write the largest error among the children of every node, and whether one of them is split itself.

    Args:
        first_of_level_1: first node that has an owner
        owners: (node_count,) the coarser node in whose Voronoi cell each lies
        children: (node_count, 4) finer nodes around each, which count too: a Voronoi cell may hold none
        is_split: (node_count,)
        peaks: (node_count,) [m]
        gathered: (node_count, 14); nodes without elements do not count
        worst: (node_count,) overwritten [m]
        has_split_child: (node_count,) overwritten: whether a child is split
    """
    worst[:] = -1.0
    has_split_child[:] = False
    for i in range(first_of_level_1, owners.shape[0]):
        if is_split[i]:
            has_split_child[owners[i]] = True
        if gathered[i, 0] > 0.0:
            worst[owners[i]] = max(worst[owners[i]], peaks[i])
    for i in range(owners.shape[0]):
        # None of its own children has elements: the finer nodes around it stand for them.
        is_alone = worst[i] < 0.0
        worst[i] = max(worst[i], 0.0)
        for a in range(4):
            child = children[i, a]
            if child < 0:
                continue
            if is_alone and is_split[child]:
                has_split_child[i] = True
            if gathered[child, 0] > 0.0:
                worst[i] = max(worst[i], peaks[child])


@kernel
def mark_rings(rings, begin, end, corners, marks):
    """Mark the nodes within some rings of elements around those that are marked: their one-ring, two-ring and so on.

    Args:
        rings: how many
        begin: first element of the level
        end: the one after its last
        corners: (element_count, 4)
        marks: (node_count,) 1 for what is marked, 0 for all others; ring n is given 1 + n
    """
    for ring in range(1, rings + 1):
        for e in range(begin, end):
            is_near = False
            for a in range(4):
                is_near |= marks[corners[e, a]] == ring
            if is_near:
                for a in range(4):
                    if marks[corners[e, a]] == 0:
                        marks[corners[e, a]] = ring + 1
