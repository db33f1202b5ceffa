"""Any edits in any order, on cloth that moves and touches something."""

from __future__ import annotations

import numpy as np

import supple
from supple import SuppleError
from tests.edit.judge import assert_kept, assert_proper, factor_error, residual, sheet, topology, totals

EDITS = 2000


def random_edit(simulation, random):
    """Make one edit, or try to: what makes no sense is refused, and that is fine."""
    name = str(random.choice(simulation.body_names))
    points = simulation.positions(name)
    kind = random.choice(["cut", "plane", "seam", "unseam", "shrink", "tear", "undo", "undo", "redo"])
    if kind == "cut":
        chosen = points[random.integers(len(points), size=random.integers(2, 4))]
        simulation.cut(name, path=chosen + random.normal(scale=0.02, size=chosen.shape))
    elif kind == "plane":
        simulation.cut(name, plane=(points[random.integers(len(points))], random.normal(size=3)))
    elif kind == "seam":
        other = str(random.choice(simulation.body_names))
        a = random.choice(len(points), size=min(len(points), random.integers(2, 6)), replace=False)
        count = len(simulation.positions(other))
        b = random.choice(count, size=min(count, random.integers(2, 6)), replace=False)
        strength = None if random.random() < 0.5 else 1.0
        simulation.seam((name, a), (other, b), seconds=float(random.choice([0.0, 0.1])), strength=strength)
    elif kind == "unseam" and simulation.seams:
        simulation.unseam(int(random.choice(simulation.seams)))
    elif kind == "shrink":
        chosen = random.choice(len(points), size=min(len(points), 30), replace=False)
        simulation.shrink(name, chosen, float(random.uniform(0.8, 1.25)), float(random.choice([0.0, 0.1])))
    elif kind == "tear":
        simulation.tear(name, None if random.random() < 0.7 else float(random.uniform(0.2, 0.5)))
    elif kind == "undo":
        simulation.undo()
    elif kind == "redo":
        simulation.redo()


def test_two_thousand_random_edits_on_moving_cloth():
    random = np.random.default_rng(7)
    ball = supple.Sphere(radius=0.25, at=(0.0, -0.5, 0.05))
    scene = supple.Scene(sheet(7).pinned("top-left", "top-right"), supple.Plane(offset=-1.0), ball)
    simulation = supple.Simulation(scene, substeps=3, integrator="filter")
    start = {name: (a.copy(), b.copy()) for name, (a, b) in topology(simulation).items()}
    mass = totals(simulation)[0]
    made = refused = 0
    for n in range(EDITS):
        before = totals(simulation)
        try:
            random_edit(simulation, random)
            made += 1
        except SuppleError:
            refused += 1
        is_free = not simulation.engine.world.particles.is_fixed.any()
        after = totals(simulation)
        if is_free:
            assert_kept(before, after)
        assert abs(after[0] - mass) <= 1e-11 * mass
        if simulation.particle_count > 260:
            while simulation.particle_count > 80:
                simulation.undo()
        if n % 8 == 0:
            assert simulation.step().is_finite
        if n % 100 == 99:
            assert_proper(simulation)
            factor_error(simulation)  # the same bits as a fresh factor in the same order
            assert residual(simulation) < 1e-12
    assert made > EDITS // 2
    while True:
        try:
            simulation.undo()
        except SuppleError:
            break
    found = topology(simulation)
    assert list(found) == list(start)
    for name in start:
        for a, b in zip(found[name], start[name], strict=True):
            np.testing.assert_array_equal(a, b)


def test_every_edit_of_free_cloth_keeps_mass_and_momentum():
    """Nothing is pinned here, so every edit, undo and redo must keep them, also while the cloth lies on something."""
    random = np.random.default_rng(11)
    scene = supple.Scene(sheet(8, plane="xz"), supple.Sphere(radius=0.2, at=(0.1, -0.22, 0.0)), drag=0.2)
    simulation = supple.Simulation(scene, substeps=3)
    kinds = set()
    for n in range(400):
        before = totals(simulation)
        try:
            random_edit(simulation, random)
            kinds.add(simulation.script.edits[-1].kind)
        except SuppleError:
            pass
        assert_kept(before, totals(simulation))
        while simulation.particle_count > 220:
            before = totals(simulation)
            simulation.undo()
            assert_kept(before, totals(simulation))
        if n % 5 == 0:
            assert simulation.step().is_finite
        if n % 50 == 49:
            assert_proper(simulation)
    assert kinds == {"cut", "seam", "unseam", "shrink", "tear", "undo", "redo"}
