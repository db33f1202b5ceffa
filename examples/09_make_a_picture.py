"""Write pictures and meshes of what happens.

`record` steps the simulation itself and writes a file; the ending chooses the format. A PNG
needs no graphics card; an OBJ sequence opens in any modelling program.
"""

import tempfile
from pathlib import Path

import supple


def main(folder: Path) -> list[Path]:
    """Write a picture and some meshes into a folder and return the files."""
    net = supple.Network(
        points=[(x, 0.0, z) for z in (-0.5, 0.0, 0.5) for x in (-1.0, -0.5, 0.0, 0.5, 1.0)],
        springs=[(i, i + 1) for i in range(14) if i % 5 != 4] + [(i, i + 5) for i in range(10)],
        stiffness=200.0,  # N/m
        mass=0.05,  # kg, each point
        damping=0.2,  # N·s/m
        name="net",
    ).pinned(0, 4, 10, 14)
    rope = supple.Chain(length=1.0, points=30, at=(0.0, 0.6, 0.9), rotation_deg=(0.0, 0.0, 80.0), name="rope")
    simulation = supple.Simulation(supple.Scene(net, rope.pinned("start")))

    files = supple.record(simulation, folder / "net.png", seconds=1.0, pictures=4, size=(320, 240))
    files += supple.record(simulation, folder / "net.obj", seconds=0.1)
    for file in files:
        print(f"{file.name}  {file.stat().st_size} bytes")
    return files


if __name__ == "__main__":
    main(Path(tempfile.mkdtemp(prefix="supple-")))
