"""A probe presses a soft block and tells its force; the block is computed finely where it is touched.

With three levels of detail a block of 3,014 nodes moves with some hundreds of them, within a budget of node updates.
"""

import numpy as np

import supple


def main() -> tuple[list[float], list[int]]:
    """Return the force on the probe [N] and the number of nodes that move, at every tenth frame."""
    block = supple.SoftBody.box(size=(0.4, 0.12, 0.4), cell=0.025, levels=3, material="liver", name="block")
    probe = supple.Sphere(radius=0.03, at=(0.1, 0.092, 0.0), name="probe", friction=0.3)
    scene = supple.Scene(block.pinned("bottom"), probe, gravity=(0.0, 0.0, 0.0))
    simulation = supple.Simulation(scene, budget_updates=20_000)
    forces, nodes = [], []
    for frame in range(61):
        depth = 0.03 * np.sin(np.pi * min(frame / 40.0, 1.0))
        simulation.move_obstacle("probe", at=(0.1, 0.092 - depth, 0.0))
        report = simulation.step()
        if frame % 10 == 0:
            forces.append(float(np.linalg.norm(simulation.tool_force("probe"))))
            nodes.append(sum(report.level_nodes))
            print(
                f"{report.time:.1f} s: {1000 * depth:4.1f} mm deep, {forces[-1]:5.2f} N, nodes {report.level_nodes}"
            )
    return forces, nodes


if __name__ == "__main__":
    main()
