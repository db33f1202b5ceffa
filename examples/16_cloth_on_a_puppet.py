"""A cloth on a ball that breathes: an obstacle that deforms, given by samples in time.

`supple.read_character` reads the same from `.glb`, `.usd` and `.pc2` files: skins, morph targets, point caches.
"""

import numpy as np

import supple


def main() -> float:
    """Let a ball breathe twice under a cloth, and return how far it lifts the middle of the cloth [m]."""
    vertices, triangles = supple.Sphere(radius=0.2).surface()
    moments = np.linspace(0.0, 1.0, 26)
    sizes = 1.0 + 0.2 * np.sin(2.0 * np.pi * moments)
    ball = supple.Puppet(
        moments=moments, samples=sizes[:, None, None] * vertices, triangles=triangles, loop=True, friction=0.5
    )
    sheet = supple.Cloth.rectangle(
        width=0.7, height=0.7, columns=21, rows=21, plane="xz", at=(0.0, 0.21, 0.0)
    )
    simulation = supple.Simulation(supple.Scene(sheet, ball), integrator="xpbd")
    middle = 10 * 21 + 10
    heights = []
    for report in simulation.run(2.0):
        heights.append(float(simulation.positions("cloth")[middle, 1]))
        if report.frame % 25 == 0:
            print(
                f"{report.time:.1f} s: middle at {heights[-1]:.3f} m, {report.contacts} points touch the ball"
            )
    return max(heights[50:]) - min(heights[50:])


if __name__ == "__main__":
    main()
