"""Patches: neighbouring elements of a surface that feel the same wind."""

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
def comes_before(centres, axis, a, b):
    """Return whether element a lies before b along an axis; those at the same place go by their number."""
    if centres[a, axis] != centres[b, axis]:
        return centres[a, axis] < centres[b, axis]
    return a < b


@kernel
def select_half(centres, axis, begin, middle, end, members):
    """Order members[begin:end] so that those before `middle` lie before all others along an axis.

    Quickselect with the median of three: linear on average. Which elements end up on which side depends on their
    places alone.
    """
    low, high = begin, end - 1
    while low < high:
        pivot, a, b = members[(low + high) // 2], members[low], members[high]
        if comes_before(centres, axis, a, b):
            if comes_before(centres, axis, pivot, a):
                pivot = a
            elif comes_before(centres, axis, b, pivot):
                pivot = b
        elif comes_before(centres, axis, pivot, b):
            pivot = b
        elif comes_before(centres, axis, a, pivot):
            pivot = a
        i, j = low, high
        while i <= j:
            while comes_before(centres, axis, members[i], pivot):
                i += 1
            while comes_before(centres, axis, pivot, members[j]):
                j -= 1
            if i <= j:
                members[i], members[j] = members[j], members[i]
                i += 1
                j -= 1
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            return


@kernel
def widest_axis(centres, begin, end, members):
    """Return the axis along which members[begin:end] extend most."""
    best, widest = 0, -1.0
    for axis in range(3):
        low = high = centres[members[begin], axis]
        for n in range(begin + 1, end):
            low, high = min(low, centres[members[n], axis]), max(high, centres[members[n], axis])
        if high - low > widest:
            best, widest = axis, high - low
    return best


@kernel
def middle_element(centres, begin, end, members):
    """Return the element of members[begin:end] that lies nearest to their centre."""
    count = end - begin
    x = y = z = 0.0
    for n in range(begin, end):
        x, y, z = x + centres[members[n], 0], y + centres[members[n], 1], z + centres[members[n], 2]
    x, y, z = x / count, y / count, z / count
    best, least = members[begin], -1.0
    for n in range(begin, end):
        dx, dy, dz = centres[members[n], 0] - x, centres[members[n], 1] - y, centres[members[n], 2] - z
        square = dx * dx + dy * dy + dz * dz
        if least < 0.0 or square < least or (square == least and members[n] < best):
            best, least = members[n], square
    return best


@kernel
def bisect_elements(centres, size, members, spans, patches, middles):
    """Halve the elements along their longest axis until no part has more than `size`; return how many parts there are.

    Args:
        centres: (element_count, 3) where each element is [m]
        size: most elements in a patch
        members: (element_count,) every element, reordered
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
            middles[count] = middle_element(centres, begin, end, members)
            count += 1
            continue
        middle = begin + (end - begin) // 2
        select_half(centres, widest_axis(centres, begin, end, members), begin, middle, end, members)
        spans[waiting, 0], spans[waiting, 1] = middle, end
        spans[waiting + 1, 0], spans[waiting + 1, 1] = begin, middle
        waiting += 2
    return count
