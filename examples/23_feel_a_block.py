"""A force feedback device presses a soft block: frames at 50 Hz, forces at 1 kHz, and no energy from nowhere.

The device is simulated, a tip of 100 g led by a hand that pushes it 3 cm down and lets it come up again. For a real one,
write `read` and `apply` for its driver, and see docs/guide/haptics.md.
"""

import math

import supple
from supple.haptics import ForceLoop, SimulatedDevice, TouchedPlace


def hand(time: float) -> tuple[float, float, float]:
    """Return where the hand wants the tip to be [m]."""
    return 0.0, 0.1 - 0.03 * math.sin(math.pi * min(time, 1.0)), 0.0


def main() -> tuple[float, float]:
    """Return the largest force on the device [N] and the work that it did on the hand [J]."""
    block = supple.SoftBody.box(size=(0.2, 0.1, 0.2), cell=0.05, material="liver", name="block")
    probe = supple.Sphere(radius=0.04, at=(0.0, 0.1, 0.0), name="probe")
    scene = supple.Scene(block.pinned("bottom"), probe, gravity=(0.0, 0.0, 0.0))
    simulation = supple.Simulation(scene)
    place, loop, device = (
        TouchedPlace.of_tool(simulation, "probe"),
        ForceLoop(),
        SimulatedDevice(hand(0.0), hand),
    )
    largest = 0.0
    for frame in range(60):
        simulation.move_obstacle("probe", at=device.place)
        simulation.step()
        loop.update(place.model())
        for _ in range(20):
            force = loop.tick(device.place, seconds=0.001)
            device.apply(force)
            device.move(0.001)
            largest = max(largest, force[1])
        if frame % 10 == 9:
            told = simulation.obstacle_force("probe")[1]
            print(
                f"{simulation.time:.1f} s: {force[1]:5.2f} N at the device, {told:5.2f} N in the frame before"
            )
    print(f"at most {largest:.2f} N; the loop did {1e3 * loop.tank.given:.2f} mJ of work on the hand")
    return largest, loop.tank.given


if __name__ == "__main__":
    main()
