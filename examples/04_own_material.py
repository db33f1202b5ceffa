"""Make a material of your own and see what each number does.

Stiffnesses belong to the sheet, not to its springs: the same material behaves alike on a
coarse grid and on a fine one. Here a strip sticks out from a wall; what holds it up is its
bending stiffness alone.
"""

import supple

LENGTH = 0.195  # m, of the free part; 5 mm more are clamped


def droop(material: supple.Material) -> float:
    """Return how far the tip of a strip hangs below the wall, as a share of its length [-]."""
    strip = supple.Cloth.rectangle(width=0.2, height=0.02, columns=41, rows=5, plane="xz", material=material)
    clamped = strip.pinned(box=((-0.1, -1.0, -1.0), (-0.094, 1.0, 1.0)))  # two columns: a clamp
    simulation = supple.Simulation(supple.Scene(clamped, drag=8.0), substeps=40)
    for _ in simulation.run(seconds=3.0):
        pass
    return -float(simulation.positions("cloth")[:, 1].min()) / LENGTH


def main() -> dict[float, float]:
    """Return the droop by bending stiffness [N·m]."""
    found = {}
    for bending in (1e-4, 1e-3, 1e-2):
        paper = supple.Material(
            area_density=0.1,  # kg/m²
            stretch_stiffness=2000.0,  # N/m
            shear_stiffness=500.0,  # N/m
            bending_stiffness=bending,  # N·m
            damping=0.01,  # N·s/m
        )
        found[bending] = droop(paper)
        print(f"bending {bending:6.0e} N·m: the tip droops by {100 * found[bending]:5.1f} % of the length")
    return found


if __name__ == "__main__":
    main()
