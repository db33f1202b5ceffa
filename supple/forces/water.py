"""Water: which particles are in it, and what lifts them.

Theory: docs/theory/water.md, eq. (H1). A particle displaces a volume of some height. The share of it that is
under water is that at the end of the substep, which has a closed form: floating cloth neither
bounces on the surface nor needs small steps, however light it is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.scene.water import Water

ENDLESS = 1.0e9
"""What stands for no end of a water in kernels [m]."""


class WaterArrays(NamedTuple):
    """The waters of a scene as kernels take them."""

    low_corners: NDArray[np.float64]
    """(water_count, 3) [m]"""

    high_corners: NDArray[np.float64]
    """(water_count, 3) [m]; their height is the level."""

    currents: NDArray[np.float64]
    """(water_count, 3) [m/s]"""

    densities: NDArray[np.float64]
    """(water_count,) [kg/m³]"""

    drags: NDArray[np.float64]
    """(water_count,) coefficient of a plate face-on [-]."""

    skins: NDArray[np.float64]
    """(water_count,) coefficient of friction along a plate [-]."""

    added_layers: NDArray[np.float64]
    """(water_count,) thickness of the water that moves along with a plate [m]."""


@kernel
def is_in_water(waters, o, x, y, z, top):
    """Tell whether a particle at (x, y, z) [m] is in water o, whose surface it begins to touch at the height `top` [m]."""
    low, high = waters.low_corners, waters.high_corners
    if not (y < top and y >= low[o, 1]):
        return False
    return low[o, 0] <= x <= high[o, 0] and low[o, 2] <= z <= high[o, 2]


@kernel(is_entry=True)
def lift_particles(particles, volumes, heights, fluids):
    """Move the targets of particles in water by the weight of what they displace.

    Theory: docs/theory/water.md, eq. (H1).

        s = (L + e/2 - y) / (e + h² b)  within 0 and 1,    y' = y + h² b s,    b = ρ V |g| / m

    Symbols: L level, e height of the particle, V its volume, s share that is under water.

    Args:
        particles: `ParticleArrays`; targets are moved, and pushes grow by the same
        volumes: (particle_count,) [m³]
        heights: (particle_count,) extent from top to bottom [m]
        fluids: `Fluids`; the shares under water, and the waters that particles are in, are written

    Returns:
        Whether any particle is wet.
    """
    starts, targets, waters, gravity = particles.starts, particles.targets, fluids.waters, fluids.gravity
    is_any = False
    for i in range(starts.shape[0]):
        fluids.wet_shares[i] = 0.0
        if not volumes[i] > 0.0:
            continue
        for o in range(waters.densities.shape[0] - 1, -1, -1):
            top = waters.high_corners[o, 1] + 0.5 * heights[i]
            y = targets[i, 1]
            if not is_in_water(waters, o, starts[i, 0], y, starts[i, 2], top):
                continue
            rise = 0.0
            if not particles.is_fixed[i]:
                inertia = fluids.inertia_factor * particles.masses[i]
                rise = waters.densities[o] * volumes[i] * fluids.step * fluids.step / inertia
            lift = max(0.0, -rise * gravity[1])
            wet = min(1.0, (top - y) / (heights[i] + lift))
            fluids.wet_shares[i] = wet
            fluids.water_of[i] = o
            for axis in range(3):
                move = -wet * rise * gravity[axis]
                particles.pushes[i, axis] += move
                targets[i, axis] += move
            is_any = True
            break
    return is_any


def pack_waters(waters: tuple[Water, ...]) -> WaterArrays:
    """Return the waters of a scene as kernels take them."""
    boxes = np.zeros((len(waters), 2, 3))
    for n, water in enumerate(waters):
        endless = (-ENDLESS, -ENDLESS, -ENDLESS), (ENDLESS, water.surface_height, ENDLESS)
        boxes[n] = endless if water.box is None else water.box
    return WaterArrays(
        low_corners=boxes[:, 0].copy(),
        high_corners=boxes[:, 1].copy(),
        currents=np.array([water.current for water in waters], dtype=np.float64).reshape(-1, 3),
        densities=np.array([water.density for water in waters], dtype=np.float64),
        drags=np.array([water.drag for water in waters], dtype=np.float64),
        skins=np.array([water.skin for water in waters], dtype=np.float64),
        added_layers=np.array([water.added_layer for water in waters], dtype=np.float64),
    )
