"""Cut cloth along curves, and sew a garment from its pattern.

A circle skirt is a disc with a hole for the waist. Cut flat and held by the waist it falls into
folds all by itself: its hem is nearly four times as long as the waist.
"""

from pathlib import Path

import numpy as np

import supple


def circle(radius: float) -> list[supple.Corner]:
    """Return the corners of a circle: two edges, each half a circle that stands out to its right."""
    return [supple.Corner(at=(x, 0.0), arc=-radius) for x in (-radius, radius)]


def main() -> tuple[float, float]:
    """Return how far the skirt hangs down [m] and how far a side seam of the tunic is open [m]."""
    skirt = supple.Cloth.panel(
        outline=circle(0.45),
        holes=[circle(0.12)],
        size=0.03,
        rotation_deg=(-90.0, 0.0, 0.0),  # lies flat, front up
        material="wool",
    )
    simulation = supple.Simulation(supple.Scene(skirt.pinned("hole-0"), drag=2.0))
    for _ in simulation.run(seconds=2.5):
        pass
    drop = -float(simulation.positions("cloth")[:, 1].min())
    print(f"skirt of {skirt.point_count} points hangs {drop:.3f} m below the waist")

    tunic = supple.Pattern(file=Path(supple.__file__).parent / "gallery" / "tunic.json", size=0.03)
    for cloth in tunic.cloths:
        print(f"{cloth.name}: {cloth.point_count} points, edges {', '.join(cloth.edge_names)}")
    sewing = supple.Simulation(supple.Scene(tunic, gravity=(0.0, 0.0, 0.0), drag=2.0))
    front, back = (cloth.edge_chain("left-side") for cloth in tunic.cloths[:2])
    for _ in sewing.run(seconds=1.5):
        pass
    apart = sewing.positions("tunic-front")[front] - sewing.positions("tunic-back")[back[::-1]]
    gap = float(np.linalg.norm(apart, axis=1).max())
    print(f"{len(sewing.seams)} stitches are sewn; the side seam is open by {1e3 * gap:.2f} mm")
    return drop, gap


if __name__ == "__main__":
    main()
