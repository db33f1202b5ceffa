"""A sheet falls over a ball by formula, a lamp by its mesh, and a plate that turns; friction carries it round.

A mesh gets a map of distances when it is first seen; the map is kept on disk for the next time.
"""

import numpy as np

import supple


def main() -> tuple[float, float]:
    """Return how deep the deepest point was in any obstacle [m] and how far the plate has turned its cloth [rad]."""
    wide = supple.Cloth.rectangle(
        width=0.9, height=0.5, columns=37, rows=21, plane="xz", at=(0.1, 0.75, 0.0), name="wide"
    )
    mat = supple.Cloth.rectangle(
        width=0.2, height=0.2, columns=11, rows=11, plane="xz", at=(1.2, 0.27, 0.0), name="mat"
    )

    def turning(time: float) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """Return offset [m] and rotation [rad] of the plate."""
        return (0.0, 0.0, 0.0), (0.0, 1.5 * max(0.0, time - 0.5), 0.0)

    scene = supple.Scene(
        wide,
        mat,
        supple.Sphere(radius=0.2, at=(-0.2, 0.4, 0.0), friction=0.4),
        supple.Mesh(shape="lamp", at=(0.35, 0.0, 0.0), friction=0.3),
        supple.Cylinder(
            start=(0.0, 0.2, 0.0),
            end=(0.0, 0.25, 0.0),
            radius=0.25,
            at=(1.2, 0.0, 0.0),
            motion=turning,
            friction=0.8,
        ),
        supple.Plane(friction=0.5),
    )
    simulation = supple.Simulation(scene)
    deepest = 0.0
    for report in simulation.run(2.0):
        deepest = max(deepest, simulation.depth())
        if report.frame % 25 == 0:
            print(
                f"{report.time:.1f} s: {report.contacts} points touch, {report.milliseconds:.1f} ms a frame"
            )
    edge = simulation.positions("mat")[10] - simulation.positions("mat")[0]
    return deepest, float(np.arctan2(-edge[2], edge[0]))


if __name__ == "__main__":
    main()
