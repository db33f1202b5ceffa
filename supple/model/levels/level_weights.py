"""Weights of the elements and roles of the nodes of several levels: which of them make up the body now.

Theory: docs/theory/levels.md, eq. (D1) to (D4). Meshes of all levels overlap everywhere. A sample, the centre of a
finest tetrahedron, is computed at one level: that of the nodes that are not split. Elements count as far as samples
inside them are of their level. Nodes of elements that reach into a coarser region are ghost nodes: they are interpolated
from the coarser mesh, and pass their forces and masses on to it.
"""

from __future__ import annotations

from supple.kernel import kernel

LEAST_SUPPORT = 0.5
"""Share of the elements around a node that must count for it to need no tie [-]."""

TIE = 0.05
"""Square of the frequency of a tie over that of the highest mode of its level [-]."""

UNUSED, ACTIVE, GHOST = 0, 1, 2
"""Roles of a node: not needed, moving with a mass of its own, or a ghost node interpolated from the coarser level."""


@kernel
def level_samples(is_split, samples):
    """Write the level of every sample: go finer as long as the node that owns it is split.

    Args:
        is_split: (node_count,) whether a node is replaced by its children
        samples: `Samples`, whose levels are overwritten
    """
    for s in range(samples.levels.shape[0]):
        level = 0
        while level < samples.owners.shape[1] and is_split[samples.owners[s, level]]:
            level += 1
        samples.levels[s] = level


@kernel
def weigh_elements(samples, elements):
    """Write by what share each element counts, and whether it holds a sample of a coarser level.

    Theory: docs/theory/levels.md, eq. (D1).

    Args:
        samples: `Samples`
        elements: `Elements`, whose weights and `has_coarser` are overwritten
    """
    weights, has_coarser = elements.weights, elements.has_coarser
    has_coarser[:] = False
    weights[:] = 0.0
    for s in range(samples.levels.shape[0]):
        level = samples.levels[s]
        weights[samples.elements[s, level]] += samples.volumes[s]
        for finer in range(level + 1, samples.elements.shape[1]):
            has_coarser[samples.elements[s, finer]] = True
    for e in range(weights.shape[0]):
        if weights[e] > 0.0:
            weights[e] = min(1.0, weights[e] / elements.sample_volumes[e])


@kernel
def assign_roles(ranges, elements, ghosts, reaches_over):
    """Write which nodes are active, which are ghost nodes, and which are not needed.

    Nodes of elements that count are needed. One whose elements reach into a coarser region is a ghost node, and needs its
    parents. Parents are always coarser, so there are no circles.

    Args:
        ranges: `LevelRanges`
        elements: `Elements`
        ghosts: `GhostWeights`, whose roles are overwritten
        reaches_over: (node_count,) scratch
    """
    corners, roles = elements.corners, ghosts.roles
    reaches_over[:] = False
    roles[:] = UNUSED
    for e in range(corners.shape[0]):
        for a in range(4):
            if elements.has_coarser[e]:
                reaches_over[corners[e, a]] = True
            if elements.weights[e] > 0.0:
                roles[corners[e, a]] = ACTIVE
    last = ranges.nodes.shape[0] - 2
    for level in range(last, 0, -1):
        for i in range(ranges.nodes[level], ranges.nodes[level + 1]):
            if roles[i] == ACTIVE and reaches_over[i]:
                roles[i] = GHOST
            # Finest nodes that are not needed are particles all the same: touched, grabbed and seen.
            if roles[i] == GHOST or (level == last and roles[i] == UNUSED):
                for a in range(4):
                    p = ghosts.parents[i, a]
                    if ghosts.weights[i, a] != 0.0 and roles[p] == UNUSED:
                        roles[p] = ACTIVE


@kernel
def lump_masses(total, ranges, elements, ghosts, finest, masses):
    """Write the mass of every active node and the finest level whose elements move it.

    Theory: docs/theory/levels.md, eq. (D3). A ghost node's mass goes to its parents as m |w| Σ|w|: that keeps masses
    positive, and the step limit that of the ghost node's own mesh, also where it lies outside of the coarser one and
    extrapolates. In the end masses are scaled so that the body weighs what it weighs. An active node that got no
    mass becomes a ghost node, or on the coarsest level is not needed.

    Args:
        total: mass of the body [kg]
        ranges: `LevelRanges`
        elements: `Elements`
        ghosts: `GhostWeights`, whose roles are changed in place
        finest: (node_count,) overwritten; the finest level that moves a node
        masses: (node_count,) overwritten; 0 for all but active nodes [kg]
    """
    corners, weights, roles = elements.corners, elements.weights, ghosts.roles
    masses[:] = 0.0
    finest[:] = 0
    level_count = ranges.nodes.shape[0] - 1
    for level in range(level_count):
        for e in range(ranges.elements[level], ranges.elements[level + 1]):
            if weights[e] > 0.0:
                for a in range(4):
                    masses[corners[e, a]] += 0.25 * weights[e] * elements.masses[e]
                    finest[corners[e, a]] = level
    for level in range(level_count - 1, 0, -1):
        for i in range(ranges.nodes[level], ranges.nodes[level + 1]):
            if roles[i] == ACTIVE and masses[i] == 0.0:
                roles[i] = GHOST
            if roles[i] == GHOST:
                pass_mass_on(i, ghosts, finest, masses)
    for i in range(ranges.nodes[1]):
        if masses[i] == 0.0:
            roles[i] = UNUSED
    gathered = 0.0
    for i in range(masses.shape[0]):
        gathered += masses[i]
    for i in range(masses.shape[0]):
        masses[i] *= total / gathered


@kernel
def pass_mass_on(i, ghosts, finest, masses):
    """Give the mass of a ghost node to its parents; see `lump_masses`."""
    size = 0.0
    for a in range(4):
        size += abs(ghosts.weights[i, a])
    for a in range(4):
        p = ghosts.parents[i, a]
        if ghosts.weights[i, a] != 0.0:
            masses[p] += masses[i] * abs(ghosts.weights[i, a]) * size
            finest[p] = max(finest[p], finest[i])
    masses[i] = 0.0


@kernel
def reattach_particles(ranges, rest, samples, elements, nested, is_sound, ghosts):
    """Interpolate finest nodes without elements from an element that counts, where the coarser tetrahedron cannot serve.

    A node may lie in a coarser tetrahedron of which a corner is neither active nor interpolated from active nodes: beyond
    the border of what is computed there. Then the element that stands for one of the node's own tetrahedra takes its place.

    Args:
        ranges: `LevelRanges`
        rest: (node_count, 3) [m]
        samples: `Samples`
        elements: `Elements`
        nested: `GhostWeights` of the coarser tetrahedron around each node
        is_sound: (node_count,) overwritten: whether a node is active or interpolated from active ones
        ghosts: `GhostWeights`, whose parents and weights are overwritten for the finest nodes
    """
    roles, corners = ghosts.roles, elements.corners
    first = ranges.nodes[ranges.nodes.shape[0] - 2]
    for i in range(roles.shape[0]):
        is_sound[i] = roles[i] == ACTIVE
        if i < ranges.nodes[1] or is_sound[i] or (roles[i] == UNUSED and i < first):
            continue
        is_sound[i] = True
        for a in range(4):
            if nested.weights[i, a] != 0.0 and not is_sound[nested.parents[i, a]]:
                is_sound[i] = False
    for i in range(first, roles.shape[0]):
        for a in range(4):
            ghosts.parents[i, a], ghosts.weights[i, a] = nested.parents[i, a], nested.weights[i, a]
    first_of_finest = ranges.elements[ranges.elements.shape[0] - 2]
    for s in range(samples.levels.shape[0]):
        for corner in range(4):
            i = corners[first_of_finest + s, corner]
            if not is_sound[i]:
                is_sound[i] = True
                attach_to_element(i, samples.elements[s, samples.levels[s]], rest, elements, ghosts)


@kernel
def attach_to_element(i, e, rest, elements, ghosts):
    """Make the corners of element `e` the parents of node `i`, with the barycentric weights of its place at rest."""
    origin = elements.corners[e, 0]
    ghosts.weights[i, 0] = 1.0
    ghosts.parents[i, 0] = origin
    for a in range(3):
        w = 0.0
        for axis in range(3):
            w += elements.gradients[e, a, axis] * (rest[i, axis] - rest[origin, axis])
        ghosts.parents[i, a + 1], ghosts.weights[i, a + 1] = elements.corners[e, a + 1], w
        ghosts.weights[i, 0] -= w


@kernel
def list_nodes(ranges, roles, lists):
    """Write the active nodes, and all others that are interpolated from coarser ones; both from coarse to fine.

    Args:
        ranges: `LevelRanges`
        roles: (node_count,)
        lists: `NodeLists`, overwritten
    """
    active = ghosts = 0
    for i in range(roles.shape[0]):
        if roles[i] == ACTIVE:
            lists.active[active] = i
            active += 1
        elif roles[i] == GHOST:
            lists.interpolated[ghosts] = i
            ghosts += 1
    count = ghosts
    for i in range(ranges.nodes[ranges.nodes.shape[0] - 2], roles.shape[0]):
        if roles[i] == UNUSED:
            lists.interpolated[count] = i
            count += 1
    lists.counts[0], lists.counts[1], lists.counts[2] = active, ghosts, count


@kernel
def tie_borders(ranges, elements, finer_nodes, finer_weights, roles, finest, masses, stiffest, support, ties):
    """List the nodes at borders with few elements that count, and their ties to the finer field; return how many.

    Theory: docs/theory/levels.md, eq. (D4). A node inside a finer region that only serves the ghost nodes of the
    border has hardly any element of its own. It should be where the finer field is; nothing else says so. The next finer
    mesh may not be in use there, where the body goes from coarse to very fine at once: then it is one that is.

    Args:
        ranges: `LevelRanges`
        elements: `Elements`
        finer_nodes: (node_count, level_count, 4) nodes of every finer level around each node
        finer_weights: (node_count, level_count, 4) [-]
        roles: (node_count,)
        finest: (node_count,) the finest level that moves a node
        masses: (node_count,) [kg]
        stiffest: (level_count,) square of the highest frequency of each level [1/s²]
        support: (node_count, 2) scratch: mass of the elements around a node that count, and of all
        ties: `Ties`, all but `firsts` overwritten from the start
    """
    corners = elements.corners
    support[:] = 0.0
    for e in range(corners.shape[0]):
        for a in range(4):
            support[corners[e, a], 0] += elements.weights[e] * elements.masses[e]
            support[corners[e, a], 1] += elements.masses[e]
    count = 0
    for i in range(ranges.nodes[ranges.nodes.shape[0] - 2]):
        if roles[i] != ACTIVE or support[i, 0] > LEAST_SUPPORT * support[i, 1]:
            continue
        for level in range(finer_nodes.shape[1]):
            compliance = tie_compliance(
                finer_nodes[i, level], finer_weights[i, level], roles, masses, 1.0 / masses[i]
            )
            if compliance > 0.0:
                ties.nodes[count], ties.stiffness[count] = i, TIE * stiffest[finest[i]] / compliance
                for a in range(4):
                    ties.finer_nodes[count, a] = finer_nodes[i, level, a]
                    ties.finer_weights[count, a] = finer_weights[i, level, a]
                count += 1
                break
    return count


@kernel
def tie_compliance(finer_nodes, finer_weights, roles, masses, own):
    """Return the inverse mass that a tie moves, `own` that of its node [1/kg]; -1 if a finer node is not in use.

    Args:
        finer_nodes: (4,) corners of the finer tetrahedron; -1 where there is none
        finer_weights: (4,) [-]
        roles: (node_count,)
        masses: (node_count,) [kg]
        own: inverse mass of the node that is tied [1/kg]
    """
    compliance = own
    for a in range(4):
        child = finer_nodes[a]
        if child < 0 or roles[child] == UNUSED:
            return -1.0
        if roles[child] == ACTIVE:
            compliance += finer_weights[a] ** 2 / masses[child]
    return compliance


@kernel
def pack_elements(width, ranges, elements, softening, turns, blocks):
    """Write the elements that count into blocks, level by level, their moduli scaled by their weights.

    Args:
        width: elements of a block
        ranges: `LevelRanges`
        elements: `Elements`
        softening: (level_count,) factor of the moduli [-]
        turns: (element_count, 4) quaternions
        blocks: `Blocks`, overwritten but for `firsts` and `compressions`
    """
    value_count = elements.table.shape[1]
    for level in range(blocks.counts.shape[0]):
        first = blocks.firsts[level]
        place = first
        for e in range(ranges.elements[level], ranges.elements[level + 1]):
            if elements.weights[e] > 0.0:
                blocks.used[place] = e
                place += 1
        count = place - first
        padded = (count + width - 1) // width * width
        for filler in range(count, padded):
            blocks.used[first + filler] = -1
        blocks.used_counts[level], blocks.counts[level] = count, padded
        for place in range(first, first + padded):
            e = blocks.used[place]
            base, lane = place // width * width, place % width
            for a in range(4):
                blocks.corners[place, a] = elements.corners[e, a] if e >= 0 else 0
                unturned = 1.0 if a == 0 else 0.0
                blocks.rotations[base * 4 + a * width + lane] = turns[e, a] if e >= 0 else unturned
            blocks.volumes[place] = elements.volumes[e] if e >= 0 else 0.0
            for v in range(value_count):
                value = elements.table[e, v] if e >= 0 else 0.0
                # Gradients and the mark of corotation stay; moduli and damping count by the weight.
                if e >= 0 and 9 <= v < 13:
                    value *= softening[level] * elements.weights[e]
                blocks.values[base * value_count + v * width + lane] = value


@kernel
def unpack_rotations(width, blocks, turns):
    """Write the rotations of elements in blocks back to where each element keeps its own, (element_count, 4)."""
    for level in range(blocks.counts.shape[0]):
        for place in range(blocks.firsts[level], blocks.firsts[level] + blocks.counts[level]):
            e = blocks.used[place]
            if e >= 0:
                base, lane = place // width * width, place % width
                for a in range(4):
                    turns[e, a] = blocks.rotations[base * 4 + a * width + lane]
