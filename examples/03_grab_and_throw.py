"""Take a cloth by a corner, swing it and let go.

`grab` moves a vertex to its target within the next frame; call it again in every frame with
where the hand is now. `release` lets go, and the cloth keeps the speed the hand gave it.
"""

import math

import supple

REACH = 0.6  # m, how far the hand swings
SWING = 0.5  # s, how long


def main() -> float:
    """Return the speed of the cloth's centre just after the throw [m/s]."""
    cloth = supple.Cloth.rectangle(width=0.5, height=0.5, columns=16, rows=16, material="silk")
    simulation = supple.Simulation(supple.Scene(cloth))
    corner = 0  # vertices run row by row from the top left
    x, y, z = simulation.positions("cloth")[corner]

    for frame in range(1, round(SWING * simulation.frame_rate) + 1):
        share = frame / (SWING * simulation.frame_rate)
        lift = 1.0 - math.cos(0.5 * math.pi * share)
        simulation.grab("cloth", corner, (x + REACH * share, y + REACH * lift, z))
        simulation.step()
    simulation.release("cloth", corner)
    report = simulation.step()

    mass = float(simulation.masses("cloth").sum())
    speed = math.hypot(*report.linear_momentum) / mass
    print(f"thrown at {speed:.2f} m/s")
    *_, report = simulation.run(seconds=0.3)
    print(f"after 0.3 s of flight it falls at {-report.linear_momentum[1] / mass:.2f} m/s")
    return speed


if __name__ == "__main__":
    main()
