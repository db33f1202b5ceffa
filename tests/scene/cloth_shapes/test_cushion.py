"""Cushions and pressure as a scene declares them."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.scene.files.toml_reader import parse_scene
from supple.scene.soft_shapes.closed_surface import enclosed_volume, open_edge


@pytest.mark.parametrize(("columns", "rows"), [(3, 3), (5, 5), (4, 6), (7, 4)])
@pytest.mark.parametrize("plane", ["xy", "xz"])
def test_a_cushion_is_a_closed_surface_of_twice_its_area(columns, rows, plane):
    shape = supple.Cushion(width=0.6, height=0.4, columns=columns, rows=rows, plane=plane)
    points, triangles = shape.local_points(), shape.surface_triangles()
    assert points.shape == (shape.point_count, 3)
    assert open_edge(triangles) is None
    a, b, c = (points[triangles[:, n]] for n in range(3))
    assert np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2.0 == pytest.approx(2 * 0.24)
    assert enclosed_volume(shape.bent_points(), triangles) > 0.0
    assert enclosed_volume(points, triangles) == pytest.approx(0.0, abs=1e-15)


def test_no_two_triangles_of_a_cushion_have_the_same_corners():
    triangles = np.sort(supple.Cushion(width=1.0, height=1.0, columns=4, rows=4).surface_triangles(), axis=1)
    assert len(np.unique(triangles, axis=0)) == len(triangles)


def test_front_and_back_of_a_cushion_rest_flat_and_fold_freely_at_the_seam():
    scene = supple.Scene(supple.Cloth.cushion(width=0.4, height=0.4, columns=5, rows=5))
    simulation = supple.Simulation(scene)
    assert (simulation.engine.world.bends.rest_lengths == 0.0).all()
    assert simulation.rest_lengths("cloth").sum() > 0.0


def test_a_file_says_the_same_as_python():
    text = """
    [cloth.pillow]
    cushion = { width = 0.4, height = 0.3, columns = 5, rows = 4, plane = "xz" }
    pressure = { overpressure = 50.0, gas = "sealed", volume = 0.01 }
    [cloth.ball]
    cushion = { width = 0.4, height = 0.3, columns = 5, rows = 4 }
    pressure = 80
    """
    scene = parse_scene(text)
    sealed = supple.Pressure(overpressure=50.0, gas="sealed", volume=0.01)
    one = supple.Cloth.cushion(
        width=0.4, height=0.3, columns=5, rows=4, plane="xz", pressure=sealed, name="pillow"
    )
    other = supple.Cloth.cushion(width=0.4, height=0.3, columns=5, rows=4, pressure=80.0, name="ball")
    assert scene.bodies == (one, other)


def wrong(pressure, **values):
    shape = {"width": 0.4, "height": 0.4, "columns": 5, "rows": 5, **values}
    with pytest.raises(supple.SceneError) as caught:
        supple.Cloth.cushion(pressure=pressure, name="pillow", **shape)
    return str(caught.value)


def test_mistakes_are_told_in_full():
    assert "must be at least 0" in wrong(-1.0)
    assert 'belongs to a "sealed" gas' in wrong({"overpressure": 5.0, "volume": 1.0})
    assert "one of" in wrong({"overpressure": 5.0, "gas": "sealled"}) and "sealed" in wrong(
        {"overpressure": 5.0, "gas": "sealled"}
    )
    assert "is 2, but a cushion needs 3 or more" in wrong(None, columns=2)
    assert "at most half the shorter side" in wrong(None, depth=0.3)


def test_an_open_cloth_holds_no_gas_and_the_place_is_named():
    with pytest.raises(
        supple.SceneError,
        match=r"`cloth.sheet.pressure` needs a closed surface, but the edge from vertex 0 to 1",
    ):
        supple.Cloth.rectangle(width=1.0, height=1.0, columns=3, rows=3, name="sheet", pressure=10.0)
