"""Cloth of elements keeps to its material: along every direction, on every mesh, whatever is done to it."""

import numpy as np
import pytest

import supple
from supple.errors import SuppleError
from supple.forces.bending import bending_energy
from supple.forces.membrane import add_membrane_forces
from supple.forces.plates import plate_energy
from tests.physics.bodies import irregular_mesh
from tests.physics.test_materials import equilateral

WARP, WEFT, SHEAR, POISSON = 1000.0, 400.0, 60.0, 0.25

MATERIAL = supple.Material(
    area_density=0.15,
    stretch_stiffness=(WARP, WEFT),
    shear_stiffness=SHEAR,
    poisson_ratio=POISSON,
    bending_stiffness=1e-5,
)


def crossed(cells=4):
    """Return a square metre in which every cell has a point in its middle."""
    ticks = np.linspace(-0.5, 0.5, cells + 1)
    nodes = [[x, y, 0.0] for y in ticks for x in ticks]
    triangles = []
    for r in range(cells):
        for c in range(cells):
            a = r * (cells + 1) + c
            ring, middle = [a, a + 1, a + cells + 2, a + cells + 1], len(nodes)
            nodes.append(list(np.mean([nodes[k] for k in ring], axis=0)))
            triangles += [[ring[k], ring[(k + 1) % 4], middle] for k in range(4)]
    return np.array(nodes), np.array(triangles)


def right(cells=5):
    """Return a square metre of right triangles, all cut the same way."""
    sheet = supple.Rectangle(width=1.0, height=1.0, columns=cells + 1, rows=cells + 1)
    return sheet.local_points(), sheet.surface_triangles()


MESHES = {
    "right": lambda size: right(4 * size),
    "crossed": lambda size: crossed(2 * size),
    "equilateral": lambda size: equilateral(4 * size, 5 * size),
    "irregular": lambda size: irregular_mesh(4 * size + 1),
}


def cloth(kind, size=1, **values):
    values = {"material": MATERIAL, "membrane": "elements", **values}
    if kind == "grid":
        count = 4 * size + 1
        return supple.Cloth.rectangle(width=1.0, height=1.0, columns=count, rows=count, **values)
    if kind == "panel":
        outline = [[-0.5, -0.5], [0.6, -0.5], [0.4, 0.5], [-0.5, 0.4]]
        return supple.Cloth.panel(outline=outline, size=0.24 / size, **values)
    return supple.Cloth.from_mesh(*MESHES[kind](size), **values)


def started(body, **settings):
    return supple.Simulation(supple.Scene(body), integrator="explicit", **settings)


def plane_stiffness(simulation):
    """Return the matrix of small displacements within the plane of a flat cloth, (2n, 2n)."""
    world = simulation.engine.world
    positions = world.particles.positions
    still, count = np.zeros_like(positions), len(positions)
    matrix = np.zeros((2 * count, 2 * count))
    for i in range(count):
        for axis in range(2):
            pulls = []
            for away in (-1e-6, 1e-6):
                moved, forces = positions.copy(), np.zeros_like(positions)
                moved[i, axis] += away
                add_membrane_forces(moved, still, world.membrane.arrays, forces)
                pulls.append(forces[:, :2].ravel())
            matrix[:, 2 * i + axis] = (pulls[0] - pulls[1]) / 2e-6
    return matrix


def border_loads(points, triangles, stress):
    """Return the forces of a uniform stress (2, 2) [N/m] on the border of a flat mesh, (n, 2)."""
    edges = {}
    for t in triangles:
        for a, b in ((t[0], t[1]), (t[1], t[2]), (t[2], t[0])):
            edges[(a, b)] = edges.get((a, b), 0) + 1
    loads = np.zeros((len(points), 2))
    for a, b in edges:
        if (b, a) not in edges:
            along = points[b, :2] - points[a, :2]
            outward = np.array([along[1], -along[0]])
            loads[[a, b]] += 0.5 * stress @ outward
    return loads


def strain_under(simulation, stress):
    """Return the strain (2, 2) of a free cloth under a uniform stress, and how far it is from uniform."""
    body = simulation.engine.world.bodies["cloth"]
    points = simulation.engine.world.particles.positions
    loads = border_loads(points, body.triangles, stress)
    moved = np.linalg.lstsq(plane_stiffness(simulation), loads.ravel(), rcond=1e-9)[0].reshape(-1, 2)
    basis = np.column_stack([points[:, :2], np.ones(len(points))])
    gradient, *_ = np.linalg.lstsq(basis, moved, rcond=None)
    rest = moved - basis @ gradient
    gradient = gradient[:2].T
    return 0.5 * (gradient + gradient.T), np.abs(rest).max() / np.abs(moved).max()


def compliance(angle):
    """Return strain over stress of the orthotropic sheet at an angle between load and warp: εyy, εxx and γ for σyy, τ."""
    c, s = np.cos(angle), np.sin(angle)
    mixed = POISSON / np.sqrt(WARP * WEFT)
    along = c**4 / WARP + s**4 / WEFT + c**2 * s**2 * (1.0 / SHEAR - 2.0 * mixed)
    across = c**2 * s**2 * (1.0 / WARP + 1.0 / WEFT - 1.0 / SHEAR) - mixed * (c**4 + s**4)
    shear = 4.0 * c**2 * s**2 * (1.0 / WARP + 1.0 / WEFT + 2.0 * mixed) + (c**2 - s**2) ** 2 / SHEAR
    return along, across, shear


@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("kind", ["grid", *MESHES, "panel"])
def test_moduli_and_poissons_ratio_hold_along_every_direction_of_every_mesh(kind, size):
    for degrees in (0.0, 22.5, 45.0, 90.0) if size == 1 else (22.5,):
        simulation = started(cloth(kind, size, grain_deg=degrees))
        along, across, shear = compliance(np.radians(degrees))
        strain, unevenness = strain_under(simulation, np.array([[0.0, 0.0], [0.0, 1.0]]))
        assert strain[1, 1] == pytest.approx(along, rel=0.005)
        assert strain[0, 0] / strain[1, 1] == pytest.approx(across / along, rel=0.01, abs=0.002)
        assert unevenness < 1e-4  # the patch test
        skewed, _ = strain_under(simulation, np.array([[0.0, 1.0], [1.0, 0.0]]))
        assert 2.0 * skewed[0, 1] == pytest.approx(shear, rel=0.005)


def test_a_cloth_that_lies_or_is_turned_has_its_grain_in_its_own_axes():
    upright = started(cloth("irregular", grain_deg=30.0))
    turned = started(cloth("irregular", grain_deg=30.0, rotation_deg=(90.0, 40.0, 10.0), at=(1.0, 2.0, 3.0)))
    for simulation in (upright, turned):
        assert simulation.engine.world.membrane.element_count > 0
    first, second = (s.engine.world.membrane.arrays for s in (upright, turned))
    np.testing.assert_allclose(first.warp, second.warp, atol=1e-9)
    lying = started(
        cloth("grid").changed(shape=supple.Rectangle(width=1, height=1, columns=5, rows=5, plane="xz"))
    )
    arrays = lying.engine.world.membrane.arrays
    points = lying.engine.world.particles.positions
    warp = np.einsum("ec,ecx->ex", arrays.warp, points[arrays.corners])
    np.testing.assert_allclose(warp, np.broadcast_to([0.0, 0.0, -1.0], warp.shape), atol=1e-12)


# ---------------------------------------------------------------- motion


def swinging(**values):
    body = cloth("irregular", 2, **values).pinned(0, 8).changed(rotation=(-np.pi / 2, 0.0, 0.0))
    return supple.Scene(body)


def test_a_sheet_of_elements_moves_as_in_converged_motion():
    lows = {}
    for integrator in ("explicit", "descent"):
        simulation = supple.Simulation(swinging(), integrator=integrator, substeps=10)
        for _ in range(30):
            simulation.step()
        lows[integrator] = simulation.positions("cloth")[:, 1].min()
    assert lows["descent"] == pytest.approx(lows["explicit"], rel=0.02)


@pytest.mark.parametrize("integrator", ["explicit", "descent"])
def test_a_free_sheet_keeps_its_momenta(integrator):
    simulation = supple.Simulation(
        supple.Scene(cloth("irregular"), gravity=(0, 0, 0)), integrator=integrator, substeps=10
    )
    particles = simulation.engine.world.particles
    particles.velocities[:] = np.cross([1.0, 2.0, 0.5], particles.positions)
    particles.velocities[0] += 0.3
    first = simulation.step()
    for _ in range(20):
        last = simulation.step()
    np.testing.assert_allclose(first.linear_momentum, last.linear_momentum, atol=1e-9)
    np.testing.assert_allclose(first.angular_momentum, last.angular_momentum, atol=1e-7)


@pytest.mark.parametrize("integrator", ["explicit", "descent"])
def test_damping_takes_energy_out_of_elements_alike(integrator):
    left = []
    for damping in (0.0, 0.5):
        scene = supple.Scene(
            cloth("irregular", material=MATERIAL.changed(damping=damping)).pinned(0, 1, 2, 3, 4),
            gravity=(0, 0, 0),
        )
        simulation = supple.Simulation(scene, integrator=integrator, substeps=40)
        particles = simulation.engine.world.particles
        particles.velocities[:, 1] = 2.0 * (particles.positions[:, 1] + 0.5)
        for _ in range(5):
            report = simulation.step()
        left.append(report.kinetic_energy + report.potential_energy)
    assert 0.05 < left[1] / left[0] < 0.7


# ---------------------------------------------------------------- edits and changes


@pytest.mark.parametrize("integrator", ["explicit", "descent"])
def test_cuts_shrinking_and_changes_go_on(integrator):
    simulation = supple.Simulation(swinging(), integrator=integrator, substeps=8)
    world = simulation.engine.world
    area = world.membrane.arrays.areas.sum()
    simulation.step()
    simulation.cut("cloth", path=[(-0.6, 0.0, 0.03), (0.1, 0.0, 0.05)])
    assert world.membrane.arrays.areas.sum() == pytest.approx(area, rel=1e-6)
    assert not world.springs.stiffness.any()
    simulation.shrink("cloth", ratio=0.9, seconds=0.0)
    assert world.membrane.arrays.areas.sum() == pytest.approx(0.81 * area, rel=1e-6)
    stiff = world.membrane.arrays.moduli[:, 0] / world.membrane.arrays.areas
    simulation.set("cloth", stretch_stiffness=(2 * WARP, WEFT), shear_stiffness=5.0)
    now = world.membrane.arrays.moduli / world.membrane.arrays.areas[:, None]
    np.testing.assert_allclose(now[:, 0], 2 * stiff)
    np.testing.assert_allclose(now[:, 3], 5.0)
    for _ in range(5):
        assert simulation.step().is_finite


def test_a_saved_run_goes_on_bit_for_bit(tmp_path):
    simulation = supple.Simulation(swinging(), integrator="descent", substeps=6)
    simulation.set("cloth", shear_stiffness=11.0)
    simulation.step()
    simulation.cut("cloth", path=[(-0.6, 0.0, 0.03), (0.1, 0.0, 0.05)])
    simulation.step()
    simulation.save(tmp_path / "state.npz")
    again = supple.Simulation.load(tmp_path / "state.npz")
    for _ in range(3):
        simulation.step()
        again.step()
    np.testing.assert_array_equal(simulation.positions("cloth"), again.positions("cloth"))


def test_a_region_has_its_own_moduli():
    body = cloth("grid").changed(regions=[supple.Region(where=list(range(10)), stretch_stiffness=5000.0)])
    simulation = started(body)
    arrays = simulation.engine.world.membrane.arrays
    moduli = arrays.moduli[:, 0] / arrays.areas * (1.0 - POISSON**2)
    is_inside = (arrays.corners < 10).all(axis=1)
    np.testing.assert_allclose(moduli, np.where(is_inside, 5000.0, WARP))
    simulation.set("cloth", stretch_stiffness=100.0)
    arrays = simulation.engine.world.membrane.arrays
    moduli = arrays.moduli[:, 0] / arrays.areas * (1.0 - POISSON**2)
    np.testing.assert_allclose(moduli, np.where(is_inside, 5000.0, 100.0))


def test_another_integrator_takes_springs_and_back():
    simulation = supple.Simulation(swinging(membrane=None), integrator="descent", substeps=6)
    world = simulation.engine.world
    declared = supple.Simulation(swinging(membrane=None), integrator="filter").engine.world.springs.stiffness
    assert world.membrane.element_count > 0 and not world.springs.stiffness.any()
    simulation.set(integrator="filter")
    np.testing.assert_allclose(world.springs.stiffness, declared)
    simulation.step()
    simulation.set(integrator="explicit")
    assert not world.springs.stiffness.any()
    assert simulation.step().is_finite


# ---------------------------------------------------------------- declarations


def test_rectangles_have_springs_and_meshes_elements_unless_said():
    assert not cloth("grid", membrane=None).has_elements
    assert cloth("irregular", membrane=None).has_elements
    assert cloth("panel", membrane=None).has_elements
    assert not cloth("panel", membrane="springs").has_elements


@pytest.mark.parametrize("integrator", ["filter", "jacobi", "implicit", "xpbd"])
def test_integrators_without_elements_refuse_them_by_name(integrator):
    with pytest.raises(SuppleError, match=r"membrane.*elements.*descent"):
        supple.Simulation(supple.Scene(cloth("irregular")), integrator=integrator)


def test_a_grain_without_threads_is_refused():
    with pytest.raises(SuppleError, match=r"grain_deg.*springs have no grain"):
        cloth("grid", membrane=None, grain_deg=20.0)


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"stretch_stiffness": (1.0, 2.0, 3.0)}, "one number or two"),
        ({"stretch_stiffness": (1.0, -2.0)}, "at least 0"),
        ({"poisson_ratio": 1.0}, "at most 0.99"),
    ],
)
def test_impossible_moduli_are_refused(values, told):
    with pytest.raises(SuppleError, match=told):
        MATERIAL.changed(**values)


# ---------------------------------------------------------------- bending along the threads


def bent_energy(simulation, direction, curvature=0.01):
    """Return the bending energy per area of a flat cloth bent to a cylinder, over ½ κ²: its bending stiffness [N·m]."""
    world = simulation.engine.world
    positions = world.particles.positions.copy()
    positions[:, 2] = 0.5 * curvature * (positions[:, :2] @ direction) ** 2
    stored = bending_energy(positions, world.bends.arrays) + plate_energy(positions, world.membrane.plates)
    return stored / (0.5 * curvature**2 * world.membrane.arrays.areas.sum())


@pytest.mark.parametrize("kind", [*MESHES, "panel"])
def test_meshes_bend_along_every_direction_as_warp_and_weft_are_stiff(kind):
    warp, weft = 4e-5, 1e-5
    for degrees in (0.0, 22.5, 45.0, 90.0):
        material = MATERIAL.changed(bending_stiffness=(warp, weft))
        simulation = started(cloth(kind, material=material, grain_deg=degrees))
        c, s = np.cos(np.radians(degrees)) ** 2, np.sin(np.radians(degrees)) ** 2
        expected = warp * c**2 + weft * s**2 + 2.0 * np.sqrt(warp * weft) * c * s
        assert bent_energy(simulation, [0.0, 1.0]) == pytest.approx(expected, rel=1e-3)
    simulation.set("cloth", bending_stiffness=2e-5)
    assert bent_energy(simulation, [0.6, 0.8]) == pytest.approx(2e-5, rel=1e-3)


def test_a_grid_bends_along_its_rows_as_warp_and_weft_are_stiff():
    material = MATERIAL.changed(bending_stiffness=(4e-5, 1e-5))
    simulation = started(cloth("grid", 5, material=material))
    assert bent_energy(simulation, [0.0, 1.0]) == pytest.approx(
        4e-5, rel=0.06
    )  # second differences end at the border
    assert bent_energy(simulation, [1.0, 0.0]) == pytest.approx(1e-5, rel=0.06)


def curved_mesh():
    """Return half a cylinder of 0.3 m."""
    vertices, triangles = irregular_mesh(9)
    angles = np.pi * vertices[:, 0]
    return np.stack([0.3 * np.sin(angles), vertices[:, 1], 0.3 * np.cos(angles)], axis=1), triangles


@pytest.mark.parametrize("integrator", ["explicit", "descent"])
def test_a_curved_mesh_keeps_its_curvature(integrator):
    body = supple.Cloth.from_mesh(*curved_mesh(), material=MATERIAL.changed(bending_stiffness=1e-2))
    simulation = supple.Simulation(supple.Scene(body, gravity=(0, 0, 0)), integrator=integrator, substeps=10)
    start = simulation.positions("cloth").copy()
    width = np.ptp(start[:, 0])
    for _ in range(15):
        simulation.step()
    assert np.ptp(simulation.positions("cloth")[:, 0]) == pytest.approx(width, rel=0.03)


@pytest.mark.parametrize("integrator", ["explicit", "descent"])
def test_a_mesh_strip_drops_like_the_heavy_elastica(integrator):
    # The strip counts from where its triangles can move; Γ = 5 drops by 0.4959 and Γ = 8 by 0.6406 of the length.
    bending, width = 0.15 * 9.81 * 0.2**3 / 5.0, 0.04
    outline = [[-0.04, -0.02], [0.2, -0.02], [0.2, 0.02], [-0.04, 0.02]]
    material = MATERIAL.changed(stretch_stiffness=400.0, bending_stiffness=bending, poisson_ratio=0.0)
    strip = supple.Cloth.panel(outline=outline, size=0.012, material=material, rotation_deg=(-90, 0, 0))
    places = strip.local_points()
    held = np.flatnonzero(places[:, 0] < 0.001)
    simulation = supple.Simulation(
        supple.Scene(strip.pinned(held.tolist()), drag=8.0), integrator=integrator, substeps=16
    )
    arrays = simulation.engine.world.membrane.arrays
    length = arrays.areas[~np.isin(arrays.corners, held).all(axis=1)].sum() / width
    for _ in range(60):
        simulation.step()
    tip = simulation.positions("cloth")[places[:, 0] > 0.2 - 1e-6, 1].mean()
    gamma = 0.15 * 9.81 * length**3 / bending
    expected = 0.4959 + (0.6406 - 0.4959) * (1.0 - 0.5 ** ((gamma - 5.0) / 2.2)) / (1.0 - 0.5 ** (3.0 / 2.2))
    assert -tip / length == pytest.approx(expected, rel=0.03)
