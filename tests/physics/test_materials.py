"""Materials: moduli in real units mean the same at any resolution."""

import numpy as np
import pytest

import supple
from supple.model.world import build_world
from tests.physics.bodies import NO_GRAVITY
from tests.physics.energy import elastic_energy, stiffness_matrix

YOUNG = 200.0


def strip(columns, rows, *, width=1.0, height=0.3, shear=20.0, bending=0.0):
    material = supple.Material(
        area_density=0.15, stretch_stiffness=YOUNG, shear_stiffness=shear, bending_stiffness=bending
    )
    return supple.Cloth.rectangle(width=width, height=height, columns=columns, rows=rows, material=material)


# ---------------------------------------------------------------- stretch


@pytest.mark.parametrize(("columns", "rows"), [(5, 2), (9, 3), (21, 6)])
@pytest.mark.parametrize("shear", [2.0, 20.0])
def test_a_pulled_strip_shows_its_youngs_modulus_at_any_resolution(columns, rows, shear):
    # The diagonals of square cells add to the threads: Y' = Y + G Y / (Y + G), 1 % more for
    # G = Y / 100 and 9 % for G = Y / 10.
    modulus = YOUNG + shear * YOUNG / (YOUNG + shear)
    height, load = 0.25, 0.5
    share = np.ones(rows)
    share[[0, -1]] = 0.5
    masses = np.full((rows, columns), 1e-6)
    masses[:, -1] = load * share / share.sum()
    body = strip(columns, rows, height=height, shear=shear).changed(masses=masses.ravel())
    scene = supple.Scene(body.pinned("left"), gravity=(1.0, 0.0, 0.0))
    simulation = supple.Simulation(scene, integrator="implicit", substeps=1, frame_rate=1.0)
    for _ in range(12):
        simulation.step()
    strain = simulation.positions("cloth").reshape(rows, columns, 3)[:, -1, 0].mean() - 0.5
    assert load / height / strain == pytest.approx(modulus, rel=0.02)


@pytest.mark.parametrize("ratio", [0.5, 1.0, 2.0])
def test_the_diagonals_of_long_cells_add_to_the_threads_along_them(ratio):
    # Per area the diagonals of cells a x b store G/2 (r εx + εy / r)², r = a / b.
    body = strip(11, 11, width=ratio, height=1.0, shear=20.0)
    small = 1e-5
    gradient = np.diag([small, 0.0, 0.0])
    expected = 0.5 * (YOUNG + 20.0 * ratio**2) * small**2
    assert affine_energy(body, gradient) == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("points", [5, 10, 20])
@pytest.mark.parametrize(
    "settings",
    [
        {"integrator": "explicit"},
        {"integrator": "filter"},
        {"integrator": "filter", "substeps": 1},
        {"integrator": "implicit", "substeps": 1},
        {"integrator": "jacobi", "sweeps": 60},
        {"integrator": "xpbd", "substeps": 100},
    ],
    ids=["explicit", "filter", "filter-one-substep", "implicit", "jacobi-60-sweeps", "xpbd-100-substeps"],
)
def test_a_hanging_chain_stretches_by_its_own_weight_whatever_the_drag(points, settings):
    # δ = ρ g L² / 2 Y. The drag that settles it must not weaken gravity against the springs.
    chain = supple.Chain(length=1.0, points=points, linear_density=0.1, stretch_stiffness=20.0)
    simulation = supple.Simulation(supple.Scene(chain.pinned("start"), drag=20.0), **settings)
    for _ in simulation.run(3.0):
        pass
    longer = -simulation.positions("chain")[-1, 1] - 1.0
    is_exact = settings["integrator"] in ("explicit", "filter", "implicit")
    assert longer == pytest.approx(0.1 * 9.81 / (2.0 * 20.0), rel=1e-5 if is_exact else 0.02)


def equilateral(rows=6, columns=8, side=0.1):
    height = side * np.sqrt(3.0) / 2.0
    vertices = [[side * (c + 0.5 * (r % 2)), height * r, 0.0] for r in range(rows) for c in range(columns)]
    triangles = []
    for r in range(rows - 1):
        for c in range(columns - 1):
            a, b = r * columns + c, (r + 1) * columns + c
            lower = [[a, a + 1, b], [a + 1, b + 1, b]] if r % 2 == 0 else [[a, b + 1, b], [a, a + 1, b + 1]]
            triangles += lower
    return np.array(vertices), np.array(triangles)


def affine_energy(body, gradient):
    """Return the energy per area of a body stretched by (1 + gradient)."""
    world = build_world(supple.Scene(body))
    positions = world.particles.positions @ (np.eye(3) + gradient).T
    return elastic_energy(world, positions) / next(iter(world.bodies.values())).shares.sum()


def test_an_equilateral_mesh_has_its_youngs_modulus_and_a_third_as_poisson_ratio():
    vertices, triangles = equilateral()
    material = supple.Material(
        area_density=0.1, stretch_stiffness=YOUNG, shear_stiffness=0.0, bending_stiffness=0.0
    )
    mesh = supple.Cloth.from_mesh(vertices, triangles, material=material)
    small = 1e-4
    for angle in (0.0, 0.3, 0.9):
        along = np.array([np.cos(angle), np.sin(angle), 0.0])
        across = np.array([-np.sin(angle), np.cos(angle), 0.0])
        gradient = small * (np.outer(along, along) - np.outer(across, across) / 3.0)
        assert affine_energy(mesh, gradient) == pytest.approx(0.5 * YOUNG * small**2, rel=1e-3)


# ---------------------------------------------------------------- shear


@pytest.mark.parametrize(("columns", "rows"), [(5, 5), (10, 10), (20, 20), (20, 5), (4, 15)])
def test_a_sheared_sheet_stores_half_the_shear_modulus_per_area(columns, rows):
    small = 1e-4
    gradient = np.zeros((3, 3))
    gradient[0, 1] = small
    body = strip(columns, rows, shear=35.0)
    assert affine_energy(body, gradient) == pytest.approx(0.5 * 35.0 * small**2, rel=1e-3)


# ---------------------------------------------------------------- bending


def rolled(positions, radius, angle):
    """Return flat positions wrapped around a cylinder whose axis lies in the sheet at `angle`."""
    along = np.array([np.cos(angle), np.sin(angle), 0.0])
    axis = np.array([-np.sin(angle), np.cos(angle), 0.0])
    arc = positions @ along / radius
    return (
        np.outer(positions @ axis, axis)
        + radius * np.outer(np.sin(arc), along)
        + radius * np.outer(1.0 - np.cos(arc), [0.0, 0.0, 1.0])
    )


def bent_energy(body, radius, angle):
    world = build_world(supple.Scene(body))
    world.springs.stiffness[:] = 0.0
    area = next(iter(world.bodies.values())).shares.sum()
    return elastic_energy(world, rolled(world.particles.positions, radius, angle)) / area


@pytest.mark.parametrize("angle", [0.0, 0.4, np.pi / 4, 1.2, np.pi / 2])
@pytest.mark.parametrize("rows", [31, 61])
def test_a_grid_bent_to_a_cylinder_stores_half_b_curvature_squared_in_any_direction(angle, rows):
    # The border has no bending element of its own: half a cell at each end is missing.
    body = strip(61, rows, width=1.0, height=1.0, bending=0.02)
    missing = max(1.0 / 60.0 * np.cos(angle) ** 4, 1.0 / (rows - 1) * np.sin(angle) ** 4)
    energy = bent_energy(body, 2.0, angle) / (0.5 * 0.02 / 4.0)
    assert energy == pytest.approx(1.0, abs=missing + 0.02)


def test_a_grid_covers_all_but_half_a_cell_at_each_end_with_bending():
    for columns in (11, 21, 41):
        body = strip(columns, 7, width=1.0, height=0.5, bending=0.02)
        energy = bent_energy(body, 5.0, 0.0) / (0.5 * 0.02 / 25.0)
        assert energy == pytest.approx(1.0 - 1.0 / (columns - 1), rel=2e-3)


@pytest.mark.parametrize("kind", ["equilateral", "right-angled"])
def test_a_mesh_bent_along_its_edges_stores_half_b_curvature_squared(kind):
    rows, columns = 31, 40
    if kind == "equilateral":
        vertices, triangles = equilateral(rows, columns, side=0.02)
    else:
        grid = supple.Rectangle(width=0.8, height=0.6, columns=columns, rows=rows)
        vertices, triangles = grid.local_points(), grid.surface_triangles()
    material = supple.Material(
        area_density=0.1, stretch_stiffness=1.0, shear_stiffness=0.0, bending_stiffness=0.02
    )
    mesh = supple.Cloth.from_mesh(vertices, triangles, material=material)
    energy = bent_energy(mesh, 2.0, np.pi / 2) / (0.5 * 0.02 / 4.0)
    assert energy == pytest.approx(1.0, abs=0.05)


def test_a_chain_bent_to_an_arc_stores_half_ei_curvature_squared():
    chain = supple.Chain(length=1.0, points=51, stretch_stiffness=1.0, bending_stiffness=0.3)
    world = build_world(supple.Scene(chain))
    world.springs.stiffness[:] = 0.0
    energy = elastic_energy(world, rolled(world.particles.positions, 2.0, np.pi / 2))
    assert energy == pytest.approx(0.5 * 0.3 / 4.0 * (49 / 50), rel=1e-3)


# ---------------------------------------------------------------- solids


@pytest.mark.parametrize("cells", [(2, 2, 2), (5, 3, 3)])
def test_a_pulled_lattice_shows_its_youngs_modulus_and_a_quarter_as_poisson_ratio(cells):
    size = tuple(0.1 * count for count in cells)
    body = supple.Lattice(size=size, cells=cells, stiffness=1e4)
    world = build_world(supple.Scene(body, gravity=NO_GRAVITY))
    positions = world.particles.positions
    # Pull both ends apart with one newton per area; points on edges and corners carry less.
    share = np.ones(len(positions))
    for axis in (1, 2):
        is_border = np.isclose(np.abs(positions[:, axis]), 0.5 * size[axis])
        share *= np.where(is_border, 0.05, 0.1)
    is_end = np.isclose(np.abs(positions[:, 0]), 0.5 * size[0])
    pull = np.zeros_like(positions)
    pull[is_end, 0] = (np.sign(positions[:, 0]) * share)[is_end]
    moved = np.linalg.pinv(stiffness_matrix(world, positions), rcond=1e-6) @ pull.ravel()
    moved = moved.reshape(-1, 3)

    def strain(axis):
        low = np.isclose(positions[:, axis], -0.5 * size[axis])
        high = np.isclose(positions[:, axis], 0.5 * size[axis])
        return (moved[high, axis].mean() - moved[low, axis].mean()) / size[axis]

    assert 1.0 / strain(0) == pytest.approx(1e4, rel=1e-3)
    assert -strain(1) / strain(0) == pytest.approx(0.25, abs=1e-3)
    assert -strain(2) / strain(0) == pytest.approx(0.25, abs=1e-3)


def test_mass_is_density_times_size_at_any_resolution():
    for columns in (5, 10, 20):
        world = build_world(supple.Scene(strip(columns, 7)))
        assert world.particles.masses.sum() == pytest.approx(0.15 * 0.3, rel=1e-12)
        chain = supple.Chain(length=2.0, points=columns, linear_density=0.3)
        assert build_world(supple.Scene(chain)).particles.masses.sum() == pytest.approx(0.6, rel=1e-12)
    box = supple.Lattice(size=(0.2, 0.3, 0.4), cells=(2, 3, 5), density=50.0)
    assert build_world(supple.Scene(box)).particles.masses.sum() == pytest.approx(50.0 * 0.024, rel=1e-12)
