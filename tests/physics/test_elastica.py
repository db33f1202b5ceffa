"""The heavy elastica: a strip that bends under its own weight, against published tip drops."""

import numpy as np
import pytest

import supple

DROPS = {2.0: 0.2385, 5.0: 0.4959, 10.0: 0.7002, 20.0: 0.8299}  # tip drop / length, by Γ = w L³ / B

DENSITY = 0.15
COLUMNS = 32


def cantilever(gamma, rows=2, **settings):
    """Return the tip drop over the length of a strip held level by its first two columns.

    The curvature between the two held columns and the next one belongs to the strip from halfway
    between them, so the length counts from there.
    """
    spacing = 0.01
    length = spacing * (COLUMNS - 1.5)
    bending = DENSITY * 9.81 * length**3 / gamma
    material = supple.Material(
        area_density=DENSITY, stretch_stiffness=400.0, shear_stiffness=40.0, bending_stiffness=bending
    )
    strip = supple.Cloth.rectangle(
        width=spacing * (COLUMNS - 1), height=spacing * (rows - 1), columns=COLUMNS, rows=rows, plane="xz",
        material=material,
    )  # fmt: skip
    held = [row * COLUMNS + column for row in range(rows) for column in (0, 1)]
    simulation = supple.Simulation(supple.Scene(strip.pinned(held), drag=8.0), **settings)
    for _ in simulation.run(4.0):
        pass
    grid = simulation.positions("cloth").reshape(rows, COLUMNS, 3)
    assert np.abs(simulation.velocities("cloth")).max() < 1e-3, "the strip has come to rest"
    return float(-grid[:, -1, 1].mean() / length)


@pytest.mark.parametrize("gamma", DROPS)
def test_a_strip_drops_like_the_heavy_elastica_with_the_filter(gamma):
    assert cantilever(gamma) == pytest.approx(DROPS[gamma], rel=0.05)


def test_a_strip_drops_like_the_heavy_elastica_with_the_exact_integrator():
    assert cantilever(5.0, integrator="implicit", substeps=2) == pytest.approx(DROPS[5.0], rel=0.05)


def test_filter_and_exact_integrator_rest_in_the_same_shape():
    exact = cantilever(10.0, integrator="implicit", substeps=2)
    assert cantilever(10.0, integrator="filter") == pytest.approx(exact, rel=1e-3)


def test_a_wider_strip_drops_as_far():
    assert cantilever(5.0, rows=4) == pytest.approx(DROPS[5.0], rel=0.05)


def test_a_chain_drops_like_the_heavy_elastica():
    points, spacing, gamma = 32, 0.01, 5.0
    length = spacing * (points - 1.5)
    chain = supple.Chain(
        length=spacing * (points - 1), points=points, linear_density=0.02, stretch_stiffness=100.0,
        bending_stiffness=0.02 * 9.81 * length**3 / gamma, rotation=(0.0, 0.0, 0.5 * np.pi),
    )  # fmt: skip
    simulation = supple.Simulation(supple.Scene(chain.pinned(0, 1), drag=8.0))
    for _ in simulation.run(3.0):
        pass
    assert -simulation.positions("chain")[-1, 1] / length == pytest.approx(DROPS[gamma], rel=0.05)
