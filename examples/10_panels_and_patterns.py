"""Cut cloth along curves, and read a sewing pattern.

A circle skirt is a disc with a hole for the waist. Cut flat and held by the waist it falls into
folds all by itself: its hem is nearly four times as long as the waist.
"""

from pathlib import Path

import supple


def circle(radius: float) -> list[supple.Corner]:
    """Return the corners of a circle: two edges, each half a circle that stands out to its right."""
    return [supple.Corner(at=(x, 0.0), arc=-radius) for x in (-radius, radius)]


def main() -> tuple[float, int]:
    """Return how far the skirt hangs down [m] and how many pairs of points the stitches of the tunic join."""
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
    cloths = {cloth.name: cloth for cloth in tunic.cloths}
    for name, cloth in cloths.items():
        print(f"{name}: {cloth.point_count} points, edges {', '.join(cloth.edge_names)}")
    joined = sum(len(stitch.pairs(cloths)) for stitch in tunic.stitches)
    print(f"{len(tunic.stitches)} stitches join {joined} pairs of points")
    return drop, joined


if __name__ == "__main__":
    main()
