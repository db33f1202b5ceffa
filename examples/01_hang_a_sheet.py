"""Hang a sheet by two corners and see how far it falls.

A scene holds bodies; a simulation moves them. `step()` advances by one frame of 20 ms and
reports what happened. Nothing in the loop raises: look at the report.
"""

import supple


def main() -> float:
    """Return the height of the lowest point after half a second [m]."""
    sheet = supple.Cloth.rectangle(
        width=1.0,  # m
        height=1.0,
        columns=20,  # points, not cells
        rows=20,
        plane="xz",  # lying flat
        material="cotton",
    )
    simulation = supple.Simulation(supple.Scene(sheet.pinned("top-left", "top-right")))

    for report in simulation.run(seconds=0.5):
        if report.frame % 5 == 0:
            lowest = simulation.positions("cloth")[:, 1].min()
            print(f"{report.time:4.2f} s  lowest {lowest:6.3f} m  longest thread {report.max_stretch:5.3f}")
    return float(simulation.positions("cloth")[:, 1].min())


if __name__ == "__main__":
    main()
