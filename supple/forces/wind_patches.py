"""Wind patches: neighbouring elements of a surface that feel the same wind."""

from __future__ import annotations

from supple.kernel import kernel


@kernel
def centre_elements(points, elements, centres):
    """Write the mean place of the corners of every element, (element_count, 3) [m].

    Args:
        points: (particle_count, 3) [m]
        elements: (element_count, corner_count) particle indices
        centres: (element_count, 3) written
    """
    corner_count = elements.shape[1]
    for e in range(elements.shape[0]):
        for axis in range(3):
            total = 0.0
            for c in range(corner_count):
                total += points[elements[e, c], axis]
            centres[e, axis] = total / corner_count


@kernel
def comes_before(places, members, axis, a, b):
    """Return whether the element in row a lies before that in row b along an axis; at the same place numbers decide."""
    if places[a, axis] != places[b, axis]:
        return places[a, axis] < places[b, axis]
    return members[a] < members[b]


@kernel
def swap_rows(a, b, places, members):
    """Let two elements change places in the lists."""
    members[a], members[b] = members[b], members[a]
    for axis in range(3):
        places[a, axis], places[b, axis] = places[b, axis], places[a, axis]


@kernel
def median_row(places, members, axis, low, high):
    """Return which of the first, the middle and the last row lies between the others along an axis."""
    middle = (low + high) // 2
    if comes_before(places, members, axis, low, high):
        if comes_before(places, members, axis, middle, low):
            return low
        return high if comes_before(places, members, axis, high, middle) else middle
    if comes_before(places, members, axis, middle, high):
        return high
    return low if comes_before(places, members, axis, low, middle) else middle


@kernel
def select_half(axis, begin, middle, end, places, members):
    """Order rows `begin` to `end` so that those before `middle` lie before all others along an axis.

    Quickselect with the median of three: linear on average. Which elements end up on which side depends on their
    places alone.
    """
    low, high = begin, end - 1
    while low < high:
        row = median_row(places, members, axis, low, high)
        place, number = places[row, axis], members[row]
        i, j = low, high
        while i <= j:
            while places[i, axis] < place or (places[i, axis] == place and members[i] < number):
                i += 1
            while places[j, axis] > place or (places[j, axis] == place and members[j] > number):
                j -= 1
            if i <= j:
                swap_rows(i, j, places, members)
                i += 1
                j -= 1
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            return


@kernel
def widest_axis(places, begin, end):
    """Return the axis along which rows `begin` to `end` extend most."""
    x = high_x = places[begin, 0]
    y = high_y = places[begin, 1]
    z = high_z = places[begin, 2]
    for n in range(begin + 1, end):
        x, high_x = min(x, places[n, 0]), max(high_x, places[n, 0])
        y, high_y = min(y, places[n, 1]), max(high_y, places[n, 1])
        z, high_z = min(z, places[n, 2]), max(high_z, places[n, 2])
    if high_x - x >= high_y - y:
        return 0 if high_x - x >= high_z - z else 2
    return 1 if high_y - y >= high_z - z else 2


@kernel
def middle_element(places, begin, end, members):
    """Return the element of rows `begin` to `end` that lies nearest to their centre."""
    count = end - begin
    x = y = z = 0.0
    for n in range(begin, end):
        x, y, z = x + places[n, 0], y + places[n, 1], z + places[n, 2]
    x, y, z = x / count, y / count, z / count
    best, least = members[begin], -1.0
    for n in range(begin, end):
        dx, dy, dz = places[n, 0] - x, places[n, 1] - y, places[n, 2] - z
        square = dx * dx + dy * dy + dz * dz
        if least < 0.0 or square < least or (square == least and members[n] < best):
            best, least = members[n], square
    return best


@kernel
def bisect_elements(size, places, members, spans, patches, middles):
    """Halve the elements along their longest axis until no part has more than `size`; return how many parts there are.

    Args:
        size: most elements in a patch
        places: (element_count, 3) where each element is [m], reordered
        members: (element_count,) every element, reordered likewise
        spans: (depth, 2) scratch: parts that wait
        patches: (element_count,) written: patch of each element
        middles: (element_count,) written: the element in the middle of each patch
    """
    count = 0
    if members.shape[0] == 0:
        return count
    waiting = 1
    spans[0, 0], spans[0, 1] = 0, members.shape[0]
    while waiting > 0:
        waiting -= 1
        begin, end = spans[waiting, 0], spans[waiting, 1]
        if end - begin <= size:
            for n in range(begin, end):
                patches[members[n]] = count
            middles[count] = middle_element(places, begin, end, members)
            count += 1
            continue
        middle = begin + (end - begin) // 2
        select_half(widest_axis(places, begin, end), begin, middle, end, places, members)
        spans[waiting, 0], spans[waiting, 1] = middle, end
        spans[waiting + 1, 0], spans[waiting + 1, 1] = begin, middle
        waiting += 2
    return count


@kernel
def settle_vertices(triangles, patches, patch_of_vertex):
    """Give every vertex (vertex_count,) the patch of the first of its triangles (triangle_count, 3)."""
    for t in range(triangles.shape[0] - 1, -1, -1):
        for c in range(3):
            patch_of_vertex[triangles[t, c]] = patches[t]


@kernel
def number_patches(births, patch_of_vertex, places, points, nearest, numbers, middles):
    """Number the patches that vertices of an edited cloth are in, and find the vertex nearest to the middle of each.

    Args:
        births: (vertex_count, 3) declared vertices that each one comes from, the nearest first
        patch_of_vertex: (declared vertex_count,) their patches
        places: (patch_count, 3) where the middles of these are at rest [m]
        points: (vertex_count, 3) at rest [m]
        nearest: (patch_count,) scratch
        numbers: (patch_count,) written: what each declared patch is called here, -1 if no vertex is in it
        middles: (patch_count,) written for those that there are

    Returns:
        how many there are
    """
    for p in range(nearest.shape[0]):
        nearest[p], numbers[p] = -1.0, -1
    for v in range(births.shape[0]):
        p = patch_of_vertex[births[v, 0]]
        square = 0.0
        for axis in range(3):
            square += (points[v, axis] - places[p, axis]) ** 2
        if nearest[p] < 0.0 or square < nearest[p]:
            nearest[p], numbers[p] = square, v
    count = 0
    for p in range(nearest.shape[0]):
        if numbers[p] >= 0:
            middles[count], numbers[p] = numbers[p], count
            count += 1
    return count


@kernel
def fetch_patches(triangles, births, patch_of_vertex, numbers, patches):
    """Write the patch of every triangle (triangle_count, 3): that of its first corner; see `number_patches`."""
    for t in range(triangles.shape[0]):
        patches[t] = numbers[patch_of_vertex[births[triangles[t, 0], 0]]]
