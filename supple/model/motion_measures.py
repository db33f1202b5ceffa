"""Measure: momentum, energy and the fastest particle of a state."""

from __future__ import annotations

import math

from supple.kernel import cross, kernel


@kernel
def measure_motion(positions, velocities, masses, gravity, measured):
    """Sum up a state.

    Args:
        positions: (particle_count, 3) [m]
        velocities: (particle_count, 3) [m/s]
        masses: (particle_count,) [kg]
        gravity: (3,) [m/s²]
        measured: (10,) overwritten with linear momentum (3) [kg·m/s], angular momentum about the
            origin (3) [kg·m²/s], kinetic energy [J], gravity's energy [J], largest speed [m/s] and
            the particle that has it; NaN anywhere shows in all of them
    """
    for n in range(measured.shape[0]):
        measured[n] = 0.0
    fastest2 = -1.0
    for i in range(positions.shape[0]):
        x = (positions[i, 0], positions[i, 1], positions[i, 2])
        v = (velocities[i, 0], velocities[i, 1], velocities[i, 2])
        m = masses[i]
        turn = cross(x, v)
        speed2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
        for axis in range(3):
            measured[axis] += m * v[axis]
            measured[3 + axis] += m * turn[axis]
            measured[7] -= m * gravity[axis] * x[axis]
        measured[6] += 0.5 * m * speed2
        if speed2 > fastest2 or (speed2 != speed2 and fastest2 == fastest2):
            fastest2 = speed2
            measured[9] = i
    measured[8] = math.sqrt(fastest2) if fastest2 > 0.0 else fastest2
