"""Record a run in several formats at once, and read one of them back.

The ending chooses the format: `.usd` for Blender and Houdini, `.glb` for game engines, `.npz` for NumPy,
`.csv` for a spreadsheet. `supple.open` reads any of them, frame by frame.
"""

import tempfile
from pathlib import Path

import supple


def main(folder: Path) -> float:
    """Record a falling sheet and return how far it came down on the ball [m]."""
    sheet = supple.Cloth.rectangle(width=0.8, height=0.8, columns=17, rows=17, plane="xz", at=(0.0, 0.5, 0.0))
    ball = supple.Sphere(radius=0.25, friction=0.4)
    simulation = supple.Simulation(supple.Scene(sheet, ball))
    outputs = [folder / name for name in ("fall.npz", "fall.glb", "fall.csv")]
    for file in supple.record(simulation, *outputs, seconds=0.6):
        print(f"{file.name}  {file.stat().st_size} bytes")

    with supple.open(folder / "fall.npz") as recording:
        start, end = recording[0], recording[-1]
        print(
            f"{len(recording)} frames, {start.time:.2f} s to {end.time:.2f} s, obstacles: {end.obstacle_names}"
        )
        return float(start.positions("cloth")[:, 1].mean() - end.positions("cloth")[:, 1].mean())


if __name__ == "__main__":
    main(Path(tempfile.mkdtemp(prefix="supple-")))
