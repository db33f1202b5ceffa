"""Two towels fall across each other onto a rail, and neither passes through the other or itself.

`self_contact="exact"` guarantees it; `"points"` is cheaper and only holds points apart; "off" does not notice.
"""

import supple


def main() -> dict[str, int]:
    """Return how many edges pass through triangles at the end, with contact and without."""
    found = {}
    for mode in ("exact", "off"):
        towels = [
            supple.Cloth.rectangle(
                width=0.5, height=0.2, columns=26, rows=11, plane="xz", at=(x, height, 0.0),
                rotation_deg=(0.0, turn, 0.0), self_contact=mode, thickness=0.003, name=name,
            )
            for name, x, height, turn in (("lower", 0.0, 0.52, 20.0), ("upper", 0.03, 0.56, -35.0))
        ]  # fmt: skip
        rail = supple.Capsule(start=(0.0, 0.5, -0.4), end=(0.0, 0.5, 0.4), radius=0.015, friction=0.6)
        simulation = supple.Simulation(supple.Scene(*towels, rail, drag=1.0))
        touching = 0
        for report in simulation.run(1.0):
            touching = max(touching, report.self_contacts)
        found[mode] = simulation.intersections()
        print(f"{mode:5s}: {touching} pairs pressed on each other, {found[mode]} intersections at the end")
    return found


if __name__ == "__main__":
    main()
