"""What obstacles did to particles is filtered once by a constant matrix, and nothing of it is lost."""

import numpy as np
import pytest

import supple
from supple.collide.obstacles.filtered_contact import apply_answers, take_back
from supple.collide.obstacles.particle_contact import ParticleContacts
from supple.integrate.constant_matrix import KeepingMomentum

STEP = 0.002


def lifted_middle():
    """Return an engine with a sheet whose middle contact has lifted by 1 mm, and the contacts that did it."""
    sheet = supple.Cloth.rectangle(
        width=1.0, height=1.0, columns=9, rows=9, plane="xz", material="cotton", name="cloth"
    )
    ball = supple.Sphere(radius=0.3, at=(0.0, -5.0, 0.0))
    engine = supple.Simulation(supple.Scene(sheet, ball), integrator="filter").engine
    engine.integrator.prepare(STEP)
    particles = engine.world.particles
    contacts = engine.obstacles.contacts
    middle = np.hypot(particles.positions[:, 0] - 0.1, particles.positions[:, 2]) < 0.3
    contacts.touched[middle] = 0
    contacts.displacements[middle, 1] = 1e-3
    particles.positions += contacts.displacements
    return engine, contacts, middle


def answered():
    """Return the engine, the moves of all particles after the matrix has answered [m], the contacts, and which they are."""
    engine, contacts, middle = lifted_middle()
    particles = engine.world.particles
    before = particles.positions - contacts.displacements
    filters = KeepingMomentum(engine.integrator, engine.momentum)
    wanted, reactions = np.array([True]), np.zeros((1, 6))
    reactions[0, 1] = -1e-3 * particles.masses[middle].sum()  # as the pass has left them
    engine.obstacles._filtered.answer(filters, STEP, wanted, contacts, reactions)
    return engine, particles.positions - before, contacts, middle, reactions


def test_neighbours_follow_and_contacts_end_near_where_they_were_put():
    _, moves, _, middle, _ = answered()
    assert np.abs(moves[middle, 1] - 1e-3).max() < 0.6e-3
    assert moves[middle, 1].mean() == pytest.approx(1e-3, rel=0.1)
    ring = ~middle
    assert (moves[ring, 1] > 0.0).any() and moves[ring, 1].max() < moves[middle, 1].max()


def test_what_the_sheet_receives_in_both_momenta_is_what_contact_gave_and_the_solid_lost():
    engine, moves, contacts, _, reactions = answered()
    particles = engine.world.particles
    masses = particles.masses[:, None]
    given = (masses * contacts.displacements).sum(axis=0)
    np.testing.assert_allclose((masses * moves).sum(axis=0), given, atol=1e-12 * np.abs(given).max())
    np.testing.assert_allclose(reactions[0, :3], -given, atol=1e-12 * np.abs(given).max())
    arms = particles.starts - particles.starts.mean(axis=0)
    turned = np.cross(arms, masses * contacts.displacements).sum(axis=0)
    np.testing.assert_allclose(
        np.cross(arms, masses * moves).sum(axis=0), turned, atol=1e-9 * np.abs(turned).max()
    )


def test_the_kernels_give_in_python_what_they_give_compiled():
    found = []
    for way in (lambda kernel: kernel, lambda kernel: kernel.py_func):
        engine, given, _ = lifted_middle()
        particles, impulses = engine.world.particles.arrays, np.zeros_like(given.displacements)
        contacts = ParticleContacts(*(array.copy() for array in given))
        assert way(take_back)(particles, contacts.displacements, impulses)
        answers = np.random.default_rng(0).normal(size=impulses.shape) + contacts.displacements
        labels, reactions = engine.world.couplings.component_labels, np.zeros((1, 6))
        sums = np.zeros((len(labels), 2))
        way(apply_answers)(labels, answers, particles, np.array([True]), contacts, sums, reactions)
        found.append((particles.positions.copy(), impulses, contacts.displacements, sums, reactions))
    for compiled, plain in zip(*found, strict=True):
        np.testing.assert_allclose(compiled, plain, rtol=1e-12, atol=1e-18)
