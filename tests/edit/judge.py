"""What must hold after every edit."""

from __future__ import annotations

from collections import Counter

import numpy as np

import supple
from supple.model.couplings.connected_components import label_components
from supple.solve.elimination_order import EliminationOrder
from supple.solve.tree_factor import TreeFactor


def sheet(size=16, **options):
    return supple.Cloth.rectangle(width=1.0, height=1.0, columns=size, rows=size, **options)


def moving(*bodies, frames=3, seed=0, **settings):
    """Return a simulation of bodies in weightlessness that move in all directions."""
    simulation = supple.Simulation(
        supple.Scene(*bodies, gravity=(0.0, 0.0, 0.0)), **{"integrator": "filter", **settings}
    )
    velocities = simulation.engine.world.particles.velocities
    velocities[:] = 0.3 * np.random.default_rng(seed).normal(size=velocities.shape)
    for _ in range(frames):
        simulation.step()
    return simulation


def totals(simulation):
    """Return mass [kg], momentum [kg·m/s] and angular momentum [kg·m²/s]."""
    particles = simulation.engine.world.particles
    momenta = particles.masses[:, None] * particles.velocities
    return particles.masses.sum(), momenta.sum(axis=0), np.cross(particles.positions, momenta).sum(axis=0)


def assert_kept(before, after):
    assert abs(after[0] - before[0]) <= 1e-12 * before[0]
    np.testing.assert_allclose(after[1], before[1], rtol=0.0, atol=1e-12)
    np.testing.assert_allclose(after[2], before[2], rtol=0.0, atol=1e-10)


def assert_proper(simulation):
    """Every surface is a manifold with border, every spring joins what it should, nothing is loose."""
    for name in simulation.body_names:
        triangles, count = simulation.triangles(name), len(simulation.positions(name))
        assert (simulation.masses(name) > 0.0).all()
        if len(triangles) == 0:
            continue
        edges = simulation.edges(name)
        assert len(np.unique(triangles)) == count, "a vertex is in no triangle"
        assert len({tuple(sorted(edge)) for edge in edges.tolist()}) == len(edges), "a spring is there twice"
        assert edges.min() >= 0 and edges.max() < count
        sides = Counter(
            tuple(sorted(side)) for a, b, c in triangles.tolist() for side in ((a, b), (b, c), (c, a))
        )
        assert max(sides.values()) <= 2, "an edge has three triangles"
        assert set(sides) <= {tuple(sorted(edge)) for edge in edges.tolist()}, "an edge has no spring"
        for vertex, fan in _fans(triangles).items():
            assert _is_one_fan(fan), f"vertex {vertex} joins two parts of the surface"
        record = simulation.engine.editor.cloth_records.get(name)
        if record is not None:
            assert_record(record, triangles, edges)
    springs, bends = simulation.engine.world.springs, simulation.engine.world.bends
    assert (springs.rest_lengths > 0.0).all() and np.isfinite(springs.stiffness).all()
    assert (springs.stiffness >= 0.0).all() and (bends.stiffness >= 0.0).all()
    np.testing.assert_allclose(bends.weights.sum(axis=1), 0.0, atol=1e-9)
    couplings = simulation.engine.world.couplings
    parts = label_components(couplings.pairs, couplings.particle_count)
    np.testing.assert_array_equal(
        couplings.component_labels, parts, "connected components are other than found anew"
    )


def assert_record(record, triangles, edges):
    np.testing.assert_array_equal(record.triangles, triangles)
    for corner in range(3):
        ends = np.sort(edges[record.spring_of[:, corner]], axis=1)
        sides = np.sort(triangles[:, [(corner + 1) % 3, (corner + 2) % 3]], axis=1)
        np.testing.assert_array_equal(ends, sides)
        linked = np.flatnonzero(record.neighbours[:, corner] >= 0)
        for t in linked.tolist():
            u = record.neighbours[t, corner]
            assert {*sides[t].tolist()} <= {*triangles[u].tolist()}, "neighbours share no edge"
    shares = np.zeros(len(record.incident_triangle))
    np.add.at(shares, triangles.ravel(), record.corner_fractions.ravel())
    np.testing.assert_allclose(shares, 1.0, atol=1e-9)
    assert (record.corner_fractions > 0.0).all()
    np.testing.assert_allclose(record.ancestor_weights.sum(axis=1), 1.0, atol=1e-9)


def _fans(triangles):
    fans = {}
    for triangle in triangles.tolist():
        for vertex in triangle:
            fans.setdefault(vertex, []).append([other for other in triangle if other != vertex])
    return fans


def _is_one_fan(fan):
    """Tell whether the edges opposite a vertex form one chain or ring."""
    reached, waiting = {0}, [0]
    while waiting:
        ends = set(fan[waiting.pop()])
        for n, other in enumerate(fan):
            if n not in reached and ends & set(other):
                reached.add(n)
                waiting.append(n)
    return len(reached) == len(fan)


def factor_error(simulation):
    """Return how far the solution of the followed factor is from that of a fresh one [-].

    A fresh factor in the same order must give the same bits; one in an order of its own differs by round-off.
    """
    world = simulation.engine.world
    right_side = np.random.default_rng(1).normal(size=(world.particles.count, 3))
    worst = 0.0
    for step, solver in simulation.engine.integrator.solvers.items():
        fresh = TreeFactor(world.particles.rest_positions, world.couplings.pairs)
        fresh.factor(*world.step_matrix(step), world.particles.is_fixed)
        expected, found = right_side.copy(), right_side.copy()
        fresh.solve(expected)
        solver.solve(found)
        tree = EliminationOrder.of(solver).tree(world.couplings.pairs)
        fresh = TreeFactor(world.particles.rest_positions, world.couplings.pairs, tree=tree)
        fresh.factor(*world.step_matrix(step), world.particles.is_fixed)
        same = right_side.copy()
        fresh.solve(same)
        np.testing.assert_array_equal(found, same)
        worst = max(worst, np.abs(found - expected).max() / np.abs(expected).max())
    return worst


def residual(simulation):
    """Return the residual of the followed factor's solution, over what its terms add up to [-]."""
    world = simulation.engine.world
    right_side = np.random.default_rng(1).normal(size=(world.particles.count, 3))
    right_side[world.particles.is_fixed] = 0.0
    worst = 0.0
    for step, solver in simulation.engine.integrator.solvers.items():
        diagonal, values = world.step_matrix(step)
        found = right_side.copy()
        solver.solve(found)
        product, size = diagonal[:, None] * found, np.abs(diagonal[:, None] * found) + np.abs(right_side)
        for a, b in ((0, 1), (1, 0)):
            rows, columns = world.couplings.pairs[:, a], world.couplings.pairs[:, b]
            np.add.at(product, rows, values[:, None] * found[columns])
            np.add.at(size, rows, np.abs(values[:, None] * found[columns]))
        is_free = ~world.particles.is_fixed
        worst = max(worst, float((np.abs(product - right_side)[is_free] / size[is_free].max()).max()))
    return worst


def area(simulation):
    """Return the area at rest of all bodies, from the rest lengths of their triangles [m²]."""
    total = 0.0
    for name in simulation.body_names:
        triangles, lengths = simulation.triangles(name), simulation.rest_lengths(name)
        by_ends = {
            tuple(sorted(edge)): length
            for edge, length in zip(simulation.edges(name).tolist(), lengths.tolist(), strict=True)
        }
        for a, b, c in triangles.tolist():
            x, y, z = (by_ends[tuple(sorted(side))] for side in ((a, b), (b, c), (c, a)))
            s = 0.5 * (x + y + z)
            total += np.sqrt(max(0.0, s * (s - x) * (s - y) * (s - z)))
    return total


def topology(simulation):
    """Return triangles and edges of every body by name."""
    return {name: (simulation.triangles(name), simulation.edges(name)) for name in simulation.body_names}


def assert_undone(simulation, before):
    """Undo an edit, and compare with the `topology` before it."""
    simulation.undo()
    found = topology(simulation)
    assert list(found) == list(before)
    for name in before:
        for a, b in zip(found[name], before[name], strict=True):
            np.testing.assert_array_equal(a, b)
    assert_proper(simulation)
    assert factor_error(simulation) < 1e-10
