"""Bands shrink and stretch over time."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple import SuppleError
from tests.edit.judge import sheet

BAND = [12 * row + column for row in range(5, 8) for column in range(12)]


@pytest.mark.parametrize("ratio", [0.6, 1.3])
def test_a_band_becomes_as_long_as_asked(ratio):
    simulation = supple.Simulation(supple.Scene(sheet(12), gravity=(0.0, 0.0, 0.0), drag=4.0))
    simulation.shrink("cloth", [12 * 6 + column for column in range(12)], ratio, 0.5)
    before = simulation.rest_lengths("cloth").sum()
    for _ in range(100):
        simulation.step()
    row = simulation.positions("cloth")[12 * 6 : 12 * 7]
    length = np.linalg.norm(np.diff(row, axis=0), axis=1).sum()
    assert (length - 1.0) / (ratio - 1.0) > 0.4
    assert (simulation.rest_lengths("cloth").sum() - before) == pytest.approx(ratio - 1.0, abs=1e-9)


@pytest.mark.parametrize("integrator", ["filter", "jacobi", "xpbd", "explicit", "implicit"])
def test_every_integrator_follows_shrinking(integrator):
    cloth = supple.Cloth.rectangle(
        width=1.0, height=1.0, columns=4, rows=4, material=supple.Material(
            area_density=0.2, stretch_stiffness=50.0, shear_stiffness=20.0, bending_stiffness=1e-5, damping=0.05
        )
    )  # fmt: skip
    simulation = supple.Simulation(
        supple.Scene(cloth, gravity=(0.0, 0.0, 0.0), drag=4.0), integrator=integrator, substeps=4
    )
    simulation.shrink("cloth", None, 0.5, 0.3)
    for _ in range(60):
        simulation.step()
    assert np.ptp(simulation.positions("cloth")[:, 0]) == pytest.approx(0.5, rel=0.02)


def test_shrinking_at_once_is_shrinking_too():
    simulation = supple.Simulation(supple.Scene(sheet(12)))
    before = simulation.rest_lengths("cloth").copy()
    simulation.shrink("cloth", BAND, 0.5, 0.0)
    after = simulation.rest_lengths("cloth")
    changed = after != before
    assert 0 < changed.sum() < len(before)
    np.testing.assert_allclose(after[changed], 0.5 * before[changed])
    simulation.undo()
    np.testing.assert_array_equal(simulation.rest_lengths("cloth"), before)


def test_shrinking_goes_on_after_a_cut():
    simulation = supple.Simulation(supple.Scene(sheet(12)))
    simulation.shrink("cloth", None, 0.5, 0.2)
    whole = simulation.rest_lengths("cloth").mean()
    for _ in range(5):
        simulation.step()
    simulation.cut("cloth", path=[(-0.2, 0.1, 0.0), (0.2, 0.13, 0.0)])
    for _ in range(10):
        simulation.step()
    assert simulation.rest_lengths("cloth").mean() == pytest.approx(0.5 * whole, rel=0.02)


BAD = {
    "empty": ([], 0.5, 1.0),
    "one vertex": ([3], 0.5, 1.0),
    "far apart": ([0, 143], 0.5, 1.0),
    "ratio": (BAND, 0.0, 1.0),
    "seconds": (BAND, 0.5, -1.0),
    "vertices that are none": ([0, 1000], 0.5, 1.0),
}


@pytest.mark.parametrize("case", BAD.values(), ids=BAD)
def test_bad_bands_are_refused(case):
    simulation = supple.Simulation(supple.Scene(sheet(12)))
    with pytest.raises(SuppleError):
        simulation.shrink("cloth", *case)
    with pytest.raises(SuppleError, match="nothing to undo"):
        simulation.undo()


@pytest.mark.parametrize(("points", "ratio"), [([0, 7], 0.2), ([0, 7], 3.0), ([0, 1, 7], 0.2)])
def test_cloth_whose_triangles_no_longer_close_can_be_cut_and_stays_finite_in_the_wind(points, ratio):
    """A side was shrunk so far that the triangles on both sides of it cannot be laid out flat: they have no area."""
    cloth = supple.Cloth.rectangle(width=0.5, height=0.3, columns=6, rows=2).pinned("top")
    wind = supple.Wind(velocity=(0.0, 0.0, 3.0))
    simulation = supple.Simulation(supple.Scene(cloth, wind))
    simulation.shrink("cloth", points, ratio, 0.0)
    simulation.step()
    simulation.cut("cloth", plane=((0.1, 0.0, 0.0), (1.0, 0.0, 0.0)))
    for _ in range(3):
        assert simulation.step().is_finite
