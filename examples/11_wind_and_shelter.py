"""Two flags in the same gusty wind, one of them behind a wall.

`wind_at` tells the velocity of the air anywhere, `air_force` what it does to a body. Halfway through the
wind turns, and with it the shadow of the wall.
"""

import numpy as np

import supple


def main() -> dict[str, list[float]]:
    """Return how strongly each flag is blown, before and after the wind turns [N]."""
    flags = [
        supple.Cloth.rectangle(width=0.5, height=0.4, columns=11, rows=9, name=name, at=at).pinned("left")
        for name, at in (("free", (0.0, 1.0, 3.0)), ("sheltered", (0.0, 1.0, 0.0)))
    ]
    wall = supple.Box(size=(0.1, 1.5, 1.5), at=(-0.8, 1.0, 0.0))
    scene = supple.Scene(*flags, wall, supple.Wind(velocity=(8.0, 0.0, 1.0), gusts=0.3))
    simulation = supple.Simulation(scene)

    strengths: dict[str, list[float]] = {"free": [], "sheltered": []}
    for velocity in ((8.0, 0.0, 1.0), (-8.0, 0.0, 1.0)):
        simulation.set(wind=supple.Wind(velocity=velocity, gusts=0.3))
        forces: dict[str, list[float]] = {name: [] for name in strengths}
        for _ in simulation.run(1.5):
            for name, values in forces.items():
                values.append(float(np.linalg.norm(simulation.air_force(name))))
        for name, values in forces.items():
            strengths[name].append(float(np.mean(values)))
            here = simulation.wind_at(simulation.positions(name).mean(axis=0))
            print(f"wind {velocity}: {name:9s} {np.linalg.norm(here):4.1f} m/s, {strengths[name][-1]:5.2f} N")
    return strengths


if __name__ == "__main__":
    main()
