"""Seams join chains of points, of one body or two, and can be opened again."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple import SuppleError
from supple.edit.commands.seam import match_chains
from tests.edit.judge import assert_kept, assert_proper, factor_error, sheet, totals


def slit(size=14):
    """Return a simulation of a sheet cut from below, and the vertices on both sides of the slit from the tip down."""
    simulation = supple.Simulation(supple.Scene(sheet(size), gravity=(0.0, 0.0, 0.0)), integrator="filter")
    middle = -0.5 + (size // 2) / (size - 1)
    simulation.cut("cloth", path=[(middle, -0.5, 0.0), (middle, 0.1, 0.0)])
    positions = simulation.positions("cloth")
    on_line = np.flatnonzero(np.abs(positions[:, 0] - middle) < 1e-9)
    rows = {}
    for vertex in on_line.tolist():
        rows.setdefault(round(float(positions[vertex, 1]), 6), []).append(vertex)
    triangles = simulation.triangles("cloth")

    def beside(vertex):
        around = triangles[(triangles == vertex).any(axis=1)]
        return positions[around].mean(axis=(0, 1))[0]

    pairs = [sorted(rows[y], key=beside) for y in sorted(rows, reverse=True) if len(rows[y]) == 2]
    return simulation, [a for a, _ in pairs], [b for _, b in pairs]


def test_a_closed_seam_is_welded_and_the_surface_is_whole_again():
    simulation, left, right = slit()
    count = simulation.particle_count
    seam = simulation.seam(("cloth", left), ("cloth", right), seconds=0.1)
    for _ in range(10):
        simulation.step()
    assert simulation.particle_count == count - len(left)
    assert simulation.seams == (seam,)
    assert_proper(simulation)
    assert factor_error(simulation) < 1e-10


def test_two_seams_may_close_in_the_same_frame():
    simulation, left, right = slit()
    simulation.seam(("cloth", left), ("cloth", right), seconds=0.0)
    simulation.seam(("cloth", [0, 14, 28]), ("cloth", [13, 27, 41]), seconds=0.0)
    report = simulation.step()
    assert report.is_finite and len(simulation.seams) == 2
    assert_proper(simulation)


def test_a_welded_seam_can_be_opened_again():
    simulation, left, right = slit()
    count = simulation.particle_count
    seam = simulation.seam(("cloth", left), ("cloth", right), seconds=0.0)
    simulation.step()
    assert simulation.particle_count < count
    simulation.unseam(seam)
    # The lowest point of the seam is at the border; its upper end stays whole, as the tip of a slit does.
    assert simulation.particle_count == count - 1
    assert_proper(simulation)
    assert factor_error(simulation) < 1e-10


def test_sewing_keeps_mass_and_momentum():
    simulation, left, right = slit()
    particles = simulation.engine.world.particles
    particles.velocities[:] = np.random.default_rng(1).normal(size=particles.velocities.shape)
    for vertex in right:
        particles.positions[vertex] += [0.004, 0.0, 0.003]
    before = totals(simulation)
    seam = simulation.seam(("cloth", left), ("cloth", right), seconds=0.0)
    assert_kept(before, totals(simulation))
    simulation.engine.editor.advance(0.02)
    assert simulation.engine.editor.seams[0].is_welded
    assert_kept(before, totals(simulation))
    simulation.unseam(seam)
    assert_kept(before, totals(simulation))


def two_sheets():
    a = supple.Cloth.rectangle(width=0.5, height=0.5, columns=12, rows=12, at=(-0.3, 0.0, 0.0), name="a")
    b = supple.Cloth.rectangle(width=0.5, height=0.5, columns=8, rows=7, at=(0.3, 0.0, 0.0), name="b")
    simulation = supple.Simulation(supple.Scene(a, b, gravity=(0.0, 0.0, 0.0)), integrator="filter")
    return simulation, ("a", [12 * k + 11 for k in range(12)]), ("b", [8 * k for k in range(7)][::-1])


def test_two_bodies_are_sewn_although_their_points_do_not_match():
    simulation, a, b = two_sheets()
    before = totals(simulation)
    simulation.seam(a, b, seconds=0.4)
    assert_kept(before, totals(simulation))
    assert_proper(simulation)
    energy = 0.0
    for _ in range(60):
        report = simulation.step()
        energy = max(energy, report.kinetic_energy)
    seam = simulation.engine.editor.seams[0]
    ends = simulation.engine.world.particles.positions[seam.pairs]
    assert np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1).max() < 1e-3
    assert len(seam.pairs) >= 12
    assert report.is_finite and factor_error(simulation) < 1e-10


def test_a_seam_closes_over_its_time_not_at_once():
    simulation, a, b = two_sheets()
    simulation.seam(a, b, seconds=1.0)

    def gap():
        seam = simulation.engine.editor.seams[0]
        ends = simulation.engine.world.particles.positions[seam.pairs]
        return np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1).mean()

    start = gap()
    for _ in range(25):
        simulation.step()
    assert 0.3 * start < gap() < 0.7 * start


def test_a_weak_seam_gives_way():
    simulation, a, b = two_sheets()
    simulation.seam(a, b, seconds=0.0, strength=0.05)
    for _ in range(5):
        simulation.step()
    assert simulation.seams == ()


def test_points_are_matched_by_their_place_along_the_chain():
    marks = match_chains(np.linspace(0.0, 1.0, 5), np.linspace(0.0, 1.0, 3))
    assert [(a.index, b.index, b.fraction) for a, b in marks] == [
        (0, 0, 0.0), (1, 0, 0.5), (2, 1, 0.0), (3, 1, 0.5), (4, 2, 0.0),
    ]  # fmt: skip


BAD = {
    "a chain with itself": (("cloth", [1, 2, 3]), ("cloth", [1, 2, 3])),
    "chains that cross": (("cloth", [1, 2, 3]), ("cloth", [9, 2, 11])),
    "one point": (("cloth", [1]), ("cloth", [9, 10])),
    "no points": (("cloth", []), ("cloth", [9, 10])),
    "a point twice": (("cloth", [1, 1]), ("cloth", [9, 10])),
    "vertices that are none": (("cloth", [1, 2]), ("cloth", [9, 99999])),
    "words": (("cloth", "ab"), ("cloth", [9, 10])),
    "another body": (("clath", [1, 2]), ("cloth", [9, 10])),
}


@pytest.mark.parametrize("case", BAD.values(), ids=BAD)
def test_bad_seams_are_refused_and_change_nothing(case):
    simulation = supple.Simulation(supple.Scene(sheet(8)), integrator="filter")
    with pytest.raises(SuppleError):
        simulation.seam(*case)
    assert simulation.seams == () and simulation.revision == 0


def test_a_seam_that_is_none_cannot_be_opened():
    simulation = supple.Simulation(supple.Scene(sheet(4)), integrator="filter")
    with pytest.raises(SuppleError, match="no seam 3"):
        simulation.unseam(3)


@pytest.mark.parametrize(
    "body",
    [
        supple.Chain(length=1.0, points=12, name="line"),
        supple.Lattice(size=(0.4, 0.4, 0.4), cells=(3, 3, 3), name="line"),
    ],
    ids=["chain", "lattice"],
)
def test_a_seam_on_a_body_without_a_surface_of_its_own_is_held_by_its_threads(body):
    """Nothing there can be welded, and that is no reason for a frame to fail."""
    simulation = supple.Simulation(supple.Scene(body, gravity=(0.0, 0.0, 0.0)), integrator="filter")
    simulation.seam(("line", [0, 1, 2]), ("line", [5, 6, 7]), 0.1)
    for _ in simulation.run(seconds=1.0):
        pass
    (seam,) = simulation.engine.editor.seams
    ends = simulation.positions("line")[seam.pairs]
    assert (np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1) < 0.5 * seam.gaps).all()
    assert simulation.undo() == "seam line"
    simulation.step()
    assert simulation.seams == ()
