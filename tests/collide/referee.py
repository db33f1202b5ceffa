"""IPC Toolkit as an independent referee: does cloth pass through cloth?"""

import ipctk
import numpy as np

from supple.model.builders.mesh import triangle_edges


class Referee:
    """Looks at all bodies of a simulation that have a surface, or at some of them."""

    def __init__(self, simulation, bodies=None):
        self.simulation = simulation
        self.bodies = simulation.body_names if bodies is None else bodies
        triangles, first = [], 0
        for body in self.bodies:
            triangles.append(simulation.triangles(body) + first)
            first += len(simulation.positions(body))
        self.triangles = np.concatenate(triangles)
        self.edges, _ = triangle_edges(self.triangles)
        self.mesh = ipctk.CollisionMesh(
            self.positions(), self.edges.astype(np.int32), self.triangles.astype(np.int32)
        )

    def positions(self):
        return np.concatenate([self.simulation.positions(body) for body in self.bodies])

    def sees_intersections(self):
        return bool(ipctk.has_intersections(self.mesh, self.positions()))
