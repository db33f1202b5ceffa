"""Cloth on puppets: contact is part of the solve, so that it carries what lies on it and reads its weight."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.integrate.descent.contact_rows import make_rows
from supple.integrate.descent.find_contacts import make_clearances
from supple.integrate.descent.puppet_contact import find_puppet_contacts, plane_above_start
from supple.scene.obstacles.mesh_parts import rounded_box
from tests.interpreted import interpreted


def table(offsets, friction=0.5):
    """Return a block that goes along x by some offsets [m], fifty a second."""
    points, triangles = rounded_box((0.8, 0.1, 0.6), 0.01, spacing=0.1, segments=1)
    samples = [points + np.array([offset, -0.052, 0.0]) for offset in offsets]
    moments = np.arange(len(samples)) / 50.0
    return supple.Puppet(
        moments=moments, samples=samples, triangles=triangles, friction=friction, shell=0.002, name="table"
    )


def sheet():
    return supple.Cloth.rectangle(width=0.3, height=0.3, columns=7, rows=7, plane="xz", material="denim")


def test_contacts_with_a_puppet_carry_the_weight_of_what_lies_on_it():
    simulation = supple.Simulation(supple.Scene(sheet(), table([0.0, 0.0])))
    for _ in simulation.run(0.6):
        pass
    weight = (
        9.81
        * simulation.engine.world.particles.masses[simulation.engine.world.bodies["cloth"].particles].sum()
    )
    force = simulation.contact_forces("cloth").sum(axis=0)
    assert force[1] == pytest.approx(weight, rel=0.02) and abs(force[[0, 2]]).max() < 0.02 * weight
    assert np.abs(simulation.positions("cloth")[:, 1]).max() < 2e-4


@pytest.mark.parametrize(("friction", "least", "most"), [(0.5, -0.001, 0.01), (0.1, 0.15, 0.35)])
def test_friction_takes_cloth_along_up_to_its_limit(friction, least, most):
    acceleration = 2.5  # m/s²: less than 0.5 g, more than 0.1 g
    moments = np.arange(31) / 50.0
    simulation = supple.Simulation(supple.Scene(sheet(), table(0.5 * acceleration * moments**2, friction)))
    for _ in simulation.run(0.6):
        pass
    ahead = 0.5 * acceleration * 0.6**2
    assert least < ahead - simulation.positions("cloth")[:, 0].mean() < most


def test_contacts_are_found_alike_compiled_and_interpreted():
    simulation = supple.Simulation(supple.Scene(sheet(), table([0.0, 0.02])))
    simulation.step()
    engine = simulation.engine
    puppets, particles, slots = engine.puppets, engine.world.particles, engine.integrator.order.slots
    particles.targets[:] = particles.positions
    cloth = engine.world.bodies["cloth"].particles
    particles.starts[cloth] += (0.0, 0.001, 0.0)
    guess = engine.integrator.points.guess
    guess[4 * slots[cloth.start] + 1] = -0.02  # deep inside: held off the plane that it began above
    particles.starts[cloth.start + 1] = (0.0, -0.03, 0.0)  # began inside as well
    guess[4 * slots[cloth.start + 1] + 1] = -0.03
    results = []
    for find in (find_puppet_contacts, find_puppet_contacts.py_func):
        rows = make_rows(64)
        arguments = (
            puppets.surface, puppets.drift, particles.arrays, slots, guess, 0.004,
            make_clearances(particles.count), puppets.scratch, rows,
        )  # fmt: skip
        if find is find_puppet_contacts:
            count = find(*arguments)
        else:
            with interpreted():
                count = find(*arguments)
        results.append((count, rows))
    (count, one), (again, other) = results
    assert count == again == 49
    for name in ("keys", "points", "normals", "offsets", "anchors", "coefficients"):
        np.testing.assert_allclose(getattr(one, name)[:count], getattr(other, name)[:count], atol=1e-12)
    assert one.offsets[0] == pytest.approx(0.0, abs=1e-3) and one.normals[0, 1] == pytest.approx(1.0)
    start = particles.starts[cloth.start + 1]
    for plane in (plane_above_start, plane_above_start.py_func):
        with interpreted():
            _, offset, _, place = plane(
                puppets.surface, particles.arrays, tuple(start), 0.004, puppets.scratch
            )
        assert offset < place[1] + 0.002


def test_a_run_on_a_puppet_goes_on_from_a_snapshot_as_it_would_have():
    simulation = supple.Simulation(supple.Scene(sheet(), table([0.0, 0.01, 0.03])))
    for _ in simulation.run(0.1):
        pass
    moment = simulation.snapshot()
    ends = []
    for _ in range(2):
        simulation.restore(moment)
        for _ in simulation.run(0.1):
            pass
        ends.append(simulation.positions("cloth").copy())
    np.testing.assert_array_equal(ends[0], ends[1])
