"""A hanging sheet is cut across, its lower part is sewn on again, and both edits are undone.

Every edit keeps mass and momentum, and the next frame takes it into account.
"""

import numpy as np

import supple


def main() -> dict[str, float]:
    """Return the mass and the lowest height after each edit [kg, m], and the gap that the seam leaves [m]."""
    sheet = supple.Cloth.rectangle(width=0.6, height=0.6, columns=25, rows=25, at=(0.0, 1.0, 0.0))
    simulation = supple.Simulation(supple.Scene(sheet.pinned("top"), drag=2.0))
    before = simulation.masses("cloth").sum()
    simulation.cut("cloth", plane=((0.0, 0.93, 0.0), (0.0, 1.0, 0.0)))
    piece = simulation.body_names[1]
    together = before - sum(simulation.masses(name).sum() for name in simulation.body_names)
    print(f"cut: {simulation.body_names}, {abs(together):.1e} kg of mass lost")
    for _ in simulation.run(0.1):
        pass

    def border(body: str, *, upper: bool) -> list[int]:
        """Return the vertices along the upper or lower border of a piece, from left to right."""
        points = simulation.positions(body)
        height = points[:, 1].max() if upper else points[:, 1].min()
        along = np.flatnonzero(np.abs(points[:, 1] - height) < 0.004)
        return [int(vertex) for vertex in along[np.argsort(points[along, 0])]]

    lower_side, upper_side = border("cloth", upper=False), border(piece, upper=True)
    simulation.seam(("cloth", lower_side), (piece, upper_side), seconds=0.3)
    for _ in simulation.run(2.0):
        pass
    ends = simulation.positions("cloth")[lower_side[0]], simulation.positions(piece)[upper_side[0]]
    gap = float(np.linalg.norm(ends[0] - ends[1]))
    lowest = float(simulation.positions(piece)[:, 1].min())
    print(f"sewn: the piece hangs, its hem at {lowest:.3f} m; {1000 * gap:.2f} mm between the sides")
    while simulation.undoable:
        simulation.undo()
    print(f"undone: {simulation.body_names}")
    return {"lost": float(abs(together)), "gap": gap, "lowest": lowest, "bodies": len(simulation.body_names)}


if __name__ == "__main__":
    main()
