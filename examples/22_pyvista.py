"""Cloth in a window of PyVista (`pip install pyvista`), the mesh kept and its points replaced in every frame."""

import numpy as np
import pyvista

import supple


def main(frames: int | None = None) -> float:
    """Show cloth falling over a ball, for so many frames or until the window is closed; return the lowest point [m]."""
    sheet = supple.Cloth.rectangle(
        width=1.0, height=1.0, columns=40, rows=40, plane="xz", at=(0, 0.6, 0), name="sheet", material="silk"
    )
    ball = supple.Sphere(radius=0.25, at=(0.0, 0.25, 0.0), friction=0.3)
    simulation = supple.Simulation(supple.Scene(sheet, ball, supple.Plane(friction=0.5)))

    triangles = simulation.triangles("sheet")
    faces = np.column_stack([np.full(len(triangles), 3), triangles])
    mesh = pyvista.PolyData(simulation.positions("sheet").copy(), faces)
    plotter = pyvista.Plotter(off_screen=frames is not None)
    plotter.add_mesh(mesh, color="firebrick", smooth_shading=True)
    plotter.add_mesh(pyvista.Sphere(radius=0.25, center=(0.0, 0.25, 0.0)), color="lightgrey")
    plotter.view_xy()
    plotter.show(interactive_update=True, auto_close=False)

    count = 0
    while (frames is None and plotter.render_window is not None) or (frames is not None and count < frames):
        simulation.step()
        mesh.points = simulation.positions("sheet")
        mesh.compute_normals(inplace=True)
        plotter.update()
        count += 1
    plotter.close()
    return float(simulation.positions("sheet")[:, 1].min())


if __name__ == "__main__":
    main()
