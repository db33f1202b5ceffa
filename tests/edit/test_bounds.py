"""No edit of any kind of body reads or writes outside of an array."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import supple
from supple import Simulation, SuppleError
from tests.edit.judge import totals
from tests.interpreted import interpreted
from tests.physics.bodies import irregular_mesh

EDITS = 14
MOST_POINTS = 120

Random = np.random.Generator


def truss(random: Random) -> supple.Network:
    """Return two triangles on each other, a patch apart, and springs through the air between them."""
    points = [
        [0, 0, 0],
        [2, 0, 0],
        [0, 2, 0],
        [2, 2, 0],
        [4, 0, 1],
        [4, 2, 0],
        [0, 0, 3],
        [2, 0, 3],
        [0, 2, 3],
    ]
    edges = [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3], [1, 4], [3, 4], [3, 5], [4, 5], [6, 7], [7, 8], [6, 8]]
    inner = [[0, 5], [2, 5], [0, 6], [1, 7], [2, 8], [5, 7]]
    return supple.Network(
        points=0.1 * np.array(points),
        springs=edges + inner[: int(random.integers(1, 7))],
        triangles=[[0, 1, 2], [1, 3, 2], [1, 4, 3], [3, 4, 5], [6, 7, 8]],
        stiffness=50.0,
        mass=0.01,
        name="truss",
    )


def cells(random: Random) -> tuple[int, int, int]:
    one, two, three = random.permutation([int(random.integers(1, 5)), int(random.integers(1, 4)), 1]).tolist()
    return one, two, three


BODIES: dict[str, Callable[[Random], supple.Body]] = {
    "sheet": lambda random: supple.Cloth.rectangle(width=0.5, height=0.5, columns=4, rows=4),
    "exact": lambda random: supple.Cloth.rectangle(
        width=0.5, height=0.5, columns=4, rows=4, self_contact="exact"
    ),
    "mesh": lambda random: supple.Cloth.from_mesh(*irregular_mesh(points=4)),
    "cushion": lambda random: supple.Cloth.cushion(
        width=0.4, height=0.4, columns=4, rows=4, pressure=10.0, name="cushion"
    ),
    "chain": lambda random: supple.Chain(length=0.5, points=6),
    "lattice": lambda random: supple.Lattice(size=(0.3, 0.3, 0.3), cells=cells(random)),
    "solid lattice": lambda random: supple.Lattice(size=(0.3, 0.3, 0.3), cells=(2, 2, 2)),
    "network": truss,
    "soft": lambda random: supple.SoftBody.box((0.3, 0.2, 0.2), 0.15, material="jelly"),
    "levels": lambda random: supple.SoftBody.ball(0.15, 0.15, material="jelly", levels=2),
}


def random_edit(simulation: Simulation, random: Random) -> None:
    """Make one edit; what makes no sense is refused in words."""
    name = str(random.choice(simulation.body_names))
    points, edges = np.array(simulation.positions(name)), simulation.edges(name)
    several = random.choice(len(points), min(len(points), int(random.integers(2, 5))), replace=False)
    other = str(random.choice(simulation.body_names))
    count = len(simulation.positions(other))
    partners = random.choice(count, min(count, len(several)), replace=False)
    path = points[random.integers(len(points), size=3)] + random.normal(scale=0.01, size=(3, 3))
    plane = (points.mean(axis=0) + random.normal(scale=0.03, size=3), random.normal(size=3))
    chain = edges[int(random.integers(len(edges)))].tolist() if len(edges) else [0, 1]
    onward = [e for e in edges.tolist() if chain[1] in e and chain[0] not in e]
    if onward:
        chain.append(next(end for end in onward[int(random.integers(len(onward)))] if end != chain[1]))
    rows = random.integers(max(1, len(simulation.triangles(name))), size=3)
    ways: list[Callable[[], object]] = [
        lambda: simulation.cut(name, path=path),
        lambda: simulation.cut(name, plane=plane),
        lambda: simulation.cut(name, plane=plane),
        lambda: simulation.cut(name, edges=chain),
        lambda: simulation.seam((name, several), (other, partners), seconds=0.0),
        lambda: simulation.shrink(name, several, 0.8, 0.02),
        lambda: simulation.tear(name, float(random.uniform(0.02, 0.4))),
        lambda: simulation.erase(name, rows),
        simulation.undo,
        simulation.redo,
    ]
    ways[int(random.integers(len(ways)))]()


SEEDS = {"lattice": 6, "network": 4, "mesh": 3, "soft": 2}
"""How many times, where not once."""


@pytest.mark.filterwarnings("ignore:.*is no longer closed")
@pytest.mark.parametrize("kind", BODIES)
def test_random_edits_stay_inside_their_arrays(kind):
    for seed in range(SEEDS.get(kind, 1)):
        random = np.random.default_rng([seed, *kind.encode()])
        scene = supple.Scene(BODIES[kind](random), supple.Plane(offset=-0.4))
        simulation = Simulation(scene, substeps=1)
        for _ in range(EDITS):
            before = totals(simulation)[0]
            if sum(len(simulation.positions(name)) for name in simulation.body_names) > MOST_POINTS:
                break
            with interpreted():
                try:
                    random_edit(simulation, random)
                except SuppleError:
                    assert totals(simulation)[0] == before
            ends = simulation.engine.world.springs.ends
            assert not len(ends) or ends.max() < simulation.particle_count


def test_a_lattice_that_is_cut_in_two_loses_the_springs_between_its_halves():
    lattice = supple.Lattice(size=(0.3, 0.3, 0.3), cells=(4, 2, 1), name="block")
    simulation = Simulation(supple.Scene(lattice))
    simulation.cut("block", path=[(0.0, 0.15, 0.15), (0.15, 0.0, -0.15), (0.075, 0.0, -0.15)])
    simulation.cut("block", plane=((0.015, 0.021, -0.006), (0.214, 0.162, -0.683)))
    simulation.cut("block-piece-1", plane=((0.024, 0.027, -0.069), (0.607, 0.72, 0.018)))  # ended the process
    pieces = simulation.engine.world.bodies.values()
    assert len(pieces) == 4
    for piece in pieces:
        ends = simulation.engine.world.springs.ends[piece.springs]
        assert ((ends >= piece.particles.start) & (ends < piece.particles.stop)).all()
    assert simulation.step().is_finite
