"""IPC Toolkit as an independent referee: does cloth pass through cloth?"""

import ipctk
import numpy as np

from supple.model.builders.mesh import triangle_edges


class Referee:
    """Looks at all bodies of a simulation that have a surface."""

    def __init__(self, simulation):
        self.simulation = simulation
        triangles, first = [], 0
        for body in simulation.body_names:
            triangles.append(simulation.triangles(body) + first)
            first += len(simulation.positions(body))
        self.triangles = np.concatenate(triangles)
        self.edges, _ = triangle_edges(self.triangles)
        self.mesh = ipctk.CollisionMesh(
            self.positions(), self.edges.astype(np.int32), self.triangles.astype(np.int32)
        )

    def positions(self):
        return np.concatenate([self.simulation.positions(body) for body in self.simulation.body_names])

    def sees_intersections(self):
        return bool(ipctk.has_intersections(self.mesh, self.positions()))
