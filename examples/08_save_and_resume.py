"""Save a running simulation, load it, and go on bit for bit.

The file holds the scene, the settings, every point and every pin. The run that goes on from
it and the run that never stopped end in exactly the same place.
"""

import tempfile
from pathlib import Path

import numpy as np

import supple


def main() -> float:
    """Return the largest difference between the two runs [m]."""
    cloth = supple.Cloth.rectangle(width=1.0, height=1.0, columns=20, rows=20, plane="xz", material="silk")
    simulation = supple.Simulation(supple.Scene(cloth.pinned("top-left", "top-right")))
    for _ in simulation.run(seconds=0.5):
        pass

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "half-way.npz"
        simulation.save(path)
        print(f"saved at {simulation.time:.2f} s, {path.stat().st_size // 1024} kB")
        resumed = supple.Simulation.load(path)

    for run in (simulation, resumed):
        for _ in run.run(seconds=0.5):
            pass
    difference = float(np.abs(simulation.positions("cloth") - resumed.positions("cloth")).max())
    print(f"at {resumed.time:.2f} s the two runs differ by {difference} m")
    return difference


if __name__ == "__main__":
    main()
