"""Which elements and nodes of several levels make up a body now, and what they weigh.

Theory: docs/theory/levels.md, eq. (D1) to (D4). Meshes of all levels overlap everywhere. A sample, the middle of a
finest tetrahedron, is computed at one level: that of the nodes that are not split. Elements count as far as samples
inside them are of their level. Nodes of elements that reach into a coarser region are ghosts: they follow the coarser
field, and hand their forces and masses over to it.
"""

from __future__ import annotations

from supple.kernel import kernel

LEAST_SUPPORT = 0.5
"""Share of the elements around a node that must count for it to be left alone [-]."""

TIE = 0.05
"""Square of the frequency of a tie over that of the highest mode of its level [-]."""

UNUSED, ACTIVE, GHOST = 0, 1, 2
"""What a node is: not needed, a free node with a mass, or led by nodes of the coarser level."""


@kernel
def level_samples(sample_owners, is_split, sample_levels):
    """Write the level of every sample: go finer as long as the node that owns it is split.

    Args:
        sample_owners: (sample_count, level_count - 1) nearest node of each level but the finest
        is_split: (node_count,) whether a node is replaced by its children
        sample_levels: (sample_count,) overwritten
    """
    for s in range(sample_levels.shape[0]):
        level = 0
        while level < sample_owners.shape[1] and is_split[sample_owners[s, level]]:
            level += 1
        sample_levels[s] = level


@kernel
def weigh_elements(sample_levels, sample_elements, sample_volumes, element_volumes, has_coarser, weights):
    """Write by what share each element counts, and whether it holds a sample of a coarser level.

    Theory: docs/theory/levels.md, eq. (D1).

    Args:
        sample_levels: (sample_count,)
        sample_elements: (sample_count, level_count) element of each level that holds the sample
        sample_volumes: (sample_count,) [m³]
        element_volumes: (element_count,) volume of all samples in an element [m³]
        has_coarser: (element_count,) overwritten
        weights: (element_count,) overwritten, 0 to 1 [-]
    """
    has_coarser[:] = False
    weights[:] = 0.0
    for s in range(sample_levels.shape[0]):
        level = sample_levels[s]
        weights[sample_elements[s, level]] += sample_volumes[s]
        for finer in range(level + 1, sample_elements.shape[1]):
            has_coarser[sample_elements[s, finer]] = True
    for e in range(weights.shape[0]):
        if weights[e] > 0.0:
            weights[e] = min(1.0, weights[e] / element_volumes[e])


@kernel
def assign_roles(corners, weights, has_coarser, node_firsts, parents, parent_weights, reaches_over, roles):
    """Write which nodes are active, which are ghosts, and which are not needed.

    Nodes of elements that count are needed. One whose elements reach into a coarser region is a ghost, and needs the
    nodes it follows. Ghosts follow coarser nodes only, so there are no circles.

    Args:
        corners: (element_count, 4) nodes
        weights: (element_count,) [-]
        has_coarser: (element_count,)
        node_firsts: (level_count + 1,) first node of each level
        parents: (node_count, 4) nodes of the coarser level around each node
        parent_weights: (node_count, 4) [-]
        reaches_over: (node_count,) scratch
        roles: (node_count,) overwritten
    """
    reaches_over[:] = False
    roles[:] = UNUSED
    for e in range(corners.shape[0]):
        for a in range(4):
            if has_coarser[e]:
                reaches_over[corners[e, a]] = True
            if weights[e] > 0.0:
                roles[corners[e, a]] = ACTIVE
    last = node_firsts.shape[0] - 2
    for level in range(last, 0, -1):
        for i in range(node_firsts[level], node_firsts[level + 1]):
            if roles[i] == ACTIVE and reaches_over[i]:
                roles[i] = GHOST
            # Finest nodes that are not needed are still looked at: by contacts, hands and the eye.
            if roles[i] == GHOST or (level == last and roles[i] == UNUSED):
                for a in range(4):
                    p = parents[i, a]
                    if parent_weights[i, a] != 0.0 and roles[p] == UNUSED:
                        roles[p] = ACTIVE


@kernel
def share_masses(
    corners, weights, element_masses, total, element_firsts, node_firsts, parents, parent_weights, roles,
    finest, masses,
):  # fmt: skip
    """Write the mass of every active node and the finest level whose elements move it.

    Theory: docs/theory/levels.md, eq. (D3). A ghost's mass goes to those it follows as m |w| Σ|w|: that keeps masses
    positive, and the step limit that of the ghost's own mesh, also where it looks beyond the coarser one and sees its
    motion enlarged. In the end masses are scaled so that the body weighs what it weighs. An active node that got no
    mass becomes a ghost, or on the coarsest level is not needed.

    Args:
        corners: (element_count, 4) nodes
        weights: (element_count,) [-]
        element_masses: (element_count,) [kg]
        total: mass of the body [kg]
        element_firsts: (level_count + 1,) first element of each level
        node_firsts: (level_count + 1,) first node of each level
        parents: (node_count, 4)
        parent_weights: (node_count, 4) [-]
        roles: (node_count,) changed in place
        finest: (node_count,) overwritten; the finest level that moves a node
        masses: (node_count,) overwritten; 0 for all but active nodes [kg]
    """
    masses[:] = 0.0
    finest[:] = 0
    level_count = node_firsts.shape[0] - 1
    for level in range(level_count):
        for e in range(element_firsts[level], element_firsts[level + 1]):
            if weights[e] > 0.0:
                for a in range(4):
                    masses[corners[e, a]] += 0.25 * weights[e] * element_masses[e]
                    finest[corners[e, a]] = level
    for level in range(level_count - 1, 0, -1):
        for i in range(node_firsts[level], node_firsts[level + 1]):
            if roles[i] == ACTIVE and masses[i] == 0.0:
                roles[i] = GHOST
            if roles[i] != GHOST:
                continue
            size = 0.0
            for a in range(4):
                size += abs(parent_weights[i, a])
            for a in range(4):
                p = parents[i, a]
                if parent_weights[i, a] != 0.0:
                    masses[p] += masses[i] * abs(parent_weights[i, a]) * size
                    finest[p] = max(finest[p], finest[i])
            masses[i] = 0.0
    for i in range(node_firsts[1]):
        if masses[i] == 0.0:
            roles[i] = UNUSED
    gathered = 0.0
    for i in range(masses.shape[0]):
        gathered += masses[i]
    for i in range(masses.shape[0]):
        masses[i] *= total / gathered


@kernel
def lead_lost(
    corners, gradients, rest, first_of_finest, node_firsts, sample_levels, sample_elements, roles, nested_parents,
    nested_weights, is_sound, parents, parent_weights,
):  # fmt: skip
    """Let finest nodes that are only looked at follow an element that counts, where those they lie in lead nowhere.

    A node may lie in a coarser tetrahedron of which a corner has no mass and follows nobody who has: beyond the border
    of what is computed there. Then the element that stands for one of its own tetrahedra leads it.

    Args:
        corners: (element_count, 4) nodes
        gradients: (element_count, 3, 3) [1/m]
        rest: (node_count, 3) [m]
        first_of_finest: first element of the finest level
        node_firsts: (level_count + 1,)
        sample_levels: (sample_count,)
        sample_elements: (sample_count, level_count)
        roles: (node_count,)
        nested_parents: (node_count, 4) corners of the coarser tetrahedron around each node
        nested_weights: (node_count, 4) [-]
        is_sound: (node_count,) overwritten: whether a node is active or follows active ones
        parents: (node_count, 4) overwritten for the finest nodes
        parent_weights: (node_count, 4) likewise [-]
    """
    first = node_firsts[node_firsts.shape[0] - 2]
    for i in range(roles.shape[0]):
        is_sound[i] = roles[i] == ACTIVE
        if i < node_firsts[1] or is_sound[i] or (roles[i] == UNUSED and i < first):
            continue
        is_sound[i] = True
        for a in range(4):
            if nested_weights[i, a] != 0.0 and not is_sound[nested_parents[i, a]]:
                is_sound[i] = False
    for i in range(first, roles.shape[0]):
        for a in range(4):
            parents[i, a], parent_weights[i, a] = nested_parents[i, a], nested_weights[i, a]
    for s in range(sample_levels.shape[0]):
        for corner in range(4):
            i = corners[first_of_finest + s, corner]
            if is_sound[i]:
                continue
            is_sound[i] = True
            e = sample_elements[s, sample_levels[s]]
            origin = corners[e, 0]
            parent_weights[i, 0] = 1.0
            parents[i, 0] = origin
            for a in range(3):
                w = 0.0
                for axis in range(3):
                    w += gradients[e, a, axis] * (rest[i, axis] - rest[origin, axis])
                parents[i, a + 1], parent_weights[i, a + 1] = corners[e, a + 1], w
                parent_weights[i, 0] -= w


@kernel
def list_nodes(node_firsts, roles, actives, followers, counts):
    """Write the active nodes, and all others that have to follow coarser ones; both from coarse to fine.

    Args:
        node_firsts: (level_count + 1,)
        roles: (node_count,)
        actives: (node_count,) overwritten from the start
        followers: (node_count,) overwritten from the start: first ghosts, then finest nodes that are only looked at
        counts: (3,) overwritten: active nodes, ghosts, followers
    """
    active = ghosts = 0
    for i in range(roles.shape[0]):
        if roles[i] == ACTIVE:
            actives[active] = i
            active += 1
        elif roles[i] == GHOST:
            followers[ghosts] = i
            ghosts += 1
    count = ghosts
    for i in range(node_firsts[node_firsts.shape[0] - 2], roles.shape[0]):
        if roles[i] == UNUSED:
            followers[count] = i
            count += 1
    counts[0], counts[1], counts[2] = active, ghosts, count


@kernel
def tie_borders(
    node_firsts, corners, weights, element_masses, finer_nodes, finer_weights, roles, finest, masses, stiffest, support,
    tied, tie_stiffness, tie_nodes, tie_weights,
):  # fmt: skip
    """List the nodes at borders that little holds, with the springs that tie them to the finer field; return how many.

    Theory: docs/theory/levels.md, eq. (D4). A node inside a finer region that is only there for the ghosts of the
    border has hardly any element of its own. It should be where the finer field is; nothing else says so. The next finer
    mesh may not be in use there, where the body goes from coarse to very fine at once: then it is one that is.

    Args:
        node_firsts: (level_count + 1,)
        corners: (element_count, 4)
        weights: (element_count,) [-]
        element_masses: (element_count,) [kg]
        finer_nodes: (node_count, level_count, 4) nodes of every finer level around each node
        finer_weights: (node_count, level_count, 4) [-]
        roles: (node_count,)
        finest: (node_count,) the finest level that moves a node
        masses: (node_count,) [kg]
        stiffest: (level_count,) square of the highest frequency of each level [1/s²]
        support: (node_count, 2) scratch: mass of the elements around a node that count, and of all
        tied: (node_count,) overwritten from the start
        tie_stiffness: (node_count,) overwritten from the start [N/m]
        tie_nodes: (node_count, 4) overwritten from the start: finer nodes each one is tied to
        tie_weights: (node_count, 4) overwritten from the start [-]
    """
    support[:] = 0.0
    for e in range(corners.shape[0]):
        for a in range(4):
            support[corners[e, a], 0] += weights[e] * element_masses[e]
            support[corners[e, a], 1] += element_masses[e]
    count = 0
    for i in range(node_firsts[node_firsts.shape[0] - 2]):
        if roles[i] != ACTIVE or support[i, 0] > LEAST_SUPPORT * support[i, 1]:
            continue
        for level in range(finer_nodes.shape[1]):
            give = 1.0 / masses[i]
            is_usable = True
            for a in range(4):
                child = finer_nodes[i, level, a]
                if child < 0 or roles[child] == UNUSED:
                    is_usable = False
                elif roles[child] == ACTIVE:
                    give += finer_weights[i, level, a] ** 2 / masses[child]
            if is_usable:
                tied[count], tie_stiffness[count] = i, TIE * stiffest[finest[i]] / give
                for a in range(4):
                    tie_nodes[count, a] = finer_nodes[i, level, a]
                    tie_weights[count, a] = finer_weights[i, level, a]
                count += 1
                break
    return count


@kernel
def pack_elements(
    width, element_firsts, block_firsts, corners, table, softening, weights, volumes, turns,
    used, used_counts, block_counts, block_corners, blocks, block_volumes, rotations,
):  # fmt: skip
    """Write the elements that count into blocks, level by level, their moduli scaled by their weights.

    Args:
        width: elements of a block
        element_firsts: (level_count + 1,)
        block_firsts: (level_count + 1,) first place of each level, a multiple of `width`
        corners: (element_count, 4)
        table: (element_count, value_count) what `Tetrahedra` keeps per element
        softening: (level_count,) factor of the moduli [-]
        weights: (element_count,) [-]
        volumes: (element_count,) at rest [m³]
        turns: (element_count, 4) quaternions
        used: (place_count,) overwritten: the element at each place, -1 for fillers
        used_counts: (level_count,) overwritten: elements that count
        block_counts: (level_count,) overwritten: places in use, with fillers, a multiple of `width`
        block_corners: (place_count, 4) overwritten
        blocks: (place_count · value_count,) overwritten
        block_volumes: (place_count,) overwritten [m³]
        rotations: (place_count · 4,) overwritten
    """
    value_count = table.shape[1]
    for level in range(block_counts.shape[0]):
        place = block_firsts[level]
        for e in range(element_firsts[level], element_firsts[level + 1]):
            if weights[e] > 0.0:
                used[place] = e
                place += 1
        count = place - block_firsts[level]
        padded = (count + width - 1) // width * width
        for filler in range(count, padded):
            used[block_firsts[level] + filler] = -1
        used_counts[level], block_counts[level] = count, padded
        for place in range(block_firsts[level], block_firsts[level] + padded):
            e = used[place]
            base, lane = place // width * width, place % width
            for a in range(4):
                block_corners[place, a] = corners[e, a] if e >= 0 else 0
                rotations[base * 4 + a * width + lane] = turns[e, a] if e >= 0 else (1.0 if a == 0 else 0.0)
            block_volumes[place] = volumes[e] if e >= 0 else 0.0
            for v in range(value_count):
                value = table[e, v] if e >= 0 else 0.0
                # Gradients and the mark of corotation stay; moduli and damping count by the weight.
                if e >= 0 and 9 <= v < 13:
                    value *= softening[level] * weights[e]
                blocks[base * value_count + v * width + lane] = value


@kernel
def unpack_turns(width, block_firsts, block_counts, used, rotations, turns):
    """Write the rotations of elements in blocks back to where each element keeps its own."""
    for level in range(block_counts.shape[0]):
        for place in range(block_firsts[level], block_firsts[level] + block_counts[level]):
            e = used[place]
            if e >= 0:
                base, lane = place // width * width, place % width
                for a in range(4):
                    turns[e, a] = rotations[base * 4 + a * width + lane]
