"""A gripper of two fingers takes a soft block, feels it, lifts it and puts it down elsewhere; no robot software needed."""

import numpy as np

import supple

RADIUS, HALF, HEIGHT = 0.02, 0.04, 0.04  # of a finger, half the block, where to take it [m]


def main() -> tuple[float, float, float]:
    """Return the force of a finger while it holds [N], how high the block was lifted and how far it was carried [m]."""
    block = supple.SoftBody.box(
        size=(2 * HALF, 2 * HALF, 2 * HALF), cell=0.04, at=(0.0, HALF, 0.0), name="block",
        material=supple.SoftMaterial(young=2.0e4, poisson=0.4, density=500.0, damping=20.0),
    )  # fmt: skip
    fingers = [
        supple.Capsule(
            start=(0, 0, -0.02), end=(0, 0, 0.02), radius=RADIUS, at=(x, HEIGHT, 0), friction=1, name=name
        )
        for x, name in ((-0.08, "left"), (0.08, "right"))
    ]
    simulation = supple.Simulation(supple.Scene(block, *fingers, supple.Plane(friction=0.6)), substeps="auto")

    def lead(seconds: float, opening: float, to: tuple[float, float], feel: list[float]) -> None:
        """Move the gripper to a place (x, y) and an opening [m], evenly, and note the force on the right finger."""
        start = np.array([simulation.obstacle_pose(name)[0][:2] for name in ("left", "right")])
        end = np.array([(to[0] - opening, to[1]), (to[0] + opening, to[1])])
        steps = round(50 * seconds)
        for step in range(1, steps + 1):
            for name, (x, y) in zip(("left", "right"), start + step / steps * (end - start), strict=True):
                simulation.move_obstacle(name, (x, y, 0.0))
            simulation.step()
            feel.append(float(np.linalg.norm(simulation.tool_force("right"))))

    forces: list[float] = []
    lead(0.4, HALF + RADIUS - 0.012, (0.0, HEIGHT), forces)  # close, 12 mm into each side
    lead(0.8, HALF + RADIUS - 0.012, (0.0, HEIGHT + 0.15), forces)  # lift
    lifted = float(simulation.positions("block")[:, 1].min())
    grip = float(np.median(forces[-20:]))
    lead(0.8, HALF + RADIUS - 0.012, (0.2, HEIGHT + 0.15), forces)  # carry
    lead(0.8, HALF + RADIUS - 0.012, (0.2, HEIGHT + 0.003), forces)  # lower
    lead(0.4, 0.09, (0.2, HEIGHT), forces)  # open
    for _ in simulation.run(seconds=0.5):
        pass
    carried = float(simulation.positions("block")[:, 0].mean())
    print(f"each finger presses with {grip:.1f} N; lifted by {lifted:.3f} m, carried {carried:.3f} m")
    return grip, lifted, carried


if __name__ == "__main__":
    main()
