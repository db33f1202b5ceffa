"""Water: which particles are in it, and what lifts them.

Theory: docs/theory/water.md, eq. (H1). A particle displaces a volume of some height. The share of it that is
under water is that at the end of the substep, which has a closed form: floating cloth neither
bounces on the surface nor needs small steps, however light it is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.scene.water import Water

ENDLESS = 1.0e9
"""What stands for no end of a water in kernels [m]."""


@kernel
def lift_particles(
    starts,
    is_fixed,
    masses,
    volumes,
    heights,
    gravity,
    growth,
    step,
    waters,
    wets,
    places,
    pushes,
    targets,
):
    """Move the targets of particles in water by the weight of what they displace.

    Theory: docs/theory/water.md, eq. (H1).

        s = (L + e/2 - y) / (e + h² b)  within 0 and 1,    y' = y + h² b s,    b = ρ V |g| / m

    Symbols: L level, e height of the particle, V its volume, s share that is under water.

    Args:
        starts: (particle_count, 3) [m]
        is_fixed: (particle_count,)
        masses: (particle_count,) [kg]
        volumes: (particle_count,) [m³]
        heights: (particle_count,) extent from top to bottom [m]
        gravity: (3,) [m/s²]
        growth: 1 + h γ [-]
        step: [s]
        waters: (water_count, 13) as `pack_waters` packs them
        wets: (particle_count,) share that is under water [-], written
        places: (particle_count,) water it is in, written
        pushes: (particle_count, 3) [m], how far targets were moved, added to
        targets: (particle_count, 3) [m], moved

    Returns:
        Whether any particle is wet.
    """
    is_any = False
    for i in range(starts.shape[0]):
        wets[i] = 0.0
        if not volumes[i] > 0.0:
            continue
        x, z = starts[i, 0], starts[i, 2]
        for o in range(waters.shape[0] - 1, -1, -1):
            top = waters[o, 4] + 0.5 * heights[i]
            y = targets[i, 1]
            if not (y < top and y >= waters[o, 1]):
                continue
            if not (waters[o, 0] <= x <= waters[o, 3] and waters[o, 2] <= z <= waters[o, 5]):
                continue
            rise = 0.0
            if not is_fixed[i]:
                rise = waters[o, 9] * volumes[i] * step * step / (growth * masses[i])
            lift = max(0.0, -rise * gravity[1])
            wet = min(1.0, (top - y) / (heights[i] + lift))
            wets[i] = wet
            places[i] = o
            for axis in range(3):
                move = -wet * rise * gravity[axis]
                pushes[i, axis] += move
                targets[i, axis] += move
            is_any = True
            break
    return is_any


def pack_waters(waters: tuple[Water, ...]) -> NDArray[np.float64]:
    """Return the waters of a scene as kernels take them, (water_count, 13).

    Low corner (3), high corner (3) [m], current (3) [m/s], density [kg/m³], drag [-], skin [-], added layer [m].
    """
    packed = np.zeros((len(waters), 13))
    for n, water in enumerate(waters):
        endless = (-ENDLESS, -ENDLESS, -ENDLESS), (ENDLESS, water.surface_height, ENDLESS)
        low, high = endless if water.box is None else water.box
        packed[n] = (*low, *high, *water.current, water.density, water.drag, water.skin, water.added_layer)
    return packed
