"""Pictures in which colours show strain or level of detail, and in which water is seen."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

import supple
from supple.record.pictures.colour_by import HEAT, checked_way, coloured
from supple.record.pictures.picture import figures_of, render
from supple.record.pictures.stage import Figure


def pulled(stretch: float) -> supple.Simulation:
    """Return a strip of cloth, every point of it held, that was made longer by a share [-]."""
    strip = supple.Cloth.rectangle(width=0.4, height=0.2, columns=9, rows=5)
    simulation = supple.Simulation(supple.Scene(strip.pinned(list(range(strip.point_count)))))
    points = simulation.positions("cloth") * (1.0 + stretch, 1.0, 1.0)
    for vertex, place in enumerate(points):
        simulation.pin("cloth", vertex=vertex, target=place)
    simulation.step()
    return simulation


def redness(path) -> float:
    """Return how much more red than blue a picture is, over all pixels [-]."""
    pixels = np.asarray(Image.open(path).convert("RGB"), dtype=np.float64)
    return float((pixels[..., 0] - pixels[..., 2]).mean())


def test_stretched_cloth_is_red_and_cloth_at_rest_is_blue(tmp_path):
    found = {}
    for stretch in (0.0, 0.3):
        path = tmp_path / f"{stretch}.png"
        supple.record(pulled(stretch), path, seconds=0.0, size=(120, 80), colour_by="strain")
        found[stretch] = redness(path)
    assert found[0.3] > found[0.0] + 20.0


def test_levels_of_detail_are_seen(tmp_path):
    block = supple.SoftBody.box((0.2, 0.1, 0.1), 0.025, levels=2, material="jelly")
    simulation = supple.Simulation(supple.Scene(block.pinned(box=((-0.2, -1.0, -1.0), (-0.09, 1.0, 1.0)))))
    supple.record(simulation, tmp_path / "coarse.png", seconds=0.0, size=(120, 80), colour_by="level")
    for _ in simulation.run(0.3):
        pass
    assert simulation.level_shares("soft").max() == 1.0, "it sags and is refined"
    supple.record(simulation, tmp_path / "fine.png", seconds=0.0, size=(120, 80), colour_by="level")
    assert redness(tmp_path / "fine.png") > redness(tmp_path / "coarse.png") + 5.0


def test_a_loop_is_coloured_too_and_films_say_that_they_are_not(tmp_path):
    supple.record(pulled(0.3), tmp_path / "strip.gif", seconds=0.04, size=(80, 60), colour_by="strain")
    with Image.open(tmp_path / "strip.gif") as film:
        first = np.asarray(film.convert("RGB"), dtype=np.float64)
    assert (first[..., 0] - first[..., 2]).max() > 60.0
    with pytest.raises(supple.SuppleError, match=r"\.png, \.gif and \.webp"):
        supple.record(pulled(0.0), tmp_path / "strip.mp4", seconds=0.04, colour_by="strain")
    with pytest.raises(supple.SuppleError, match="body, strain, level"):
        checked_way("heat")


def test_bands_share_points_normals_and_triangles_with_the_whole():
    points = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0.5]])
    whole = Figure(points, np.array([[0, 1, 2], [2, 1, 3]]), pins=np.array([0]))
    bands = coloured([whole], ["cloth"], {"cloth": np.array([0, 0, 0, 255], dtype=np.uint8)})
    assert [band.colour for band in bands] == [HEAT[0], HEAT[2]]
    np.testing.assert_array_equal(np.concatenate([band.triangles for band in bands]), whole.triangles)
    np.testing.assert_array_equal(
        np.concatenate([band.corner_normals for band in bands]), whole.corner_normals
    )
    assert [len(band.pins) for band in bands] == [1, 0]
    assert coloured([whole], ["cloth"], {}) == [whole]


@pytest.mark.parametrize("water", [{"level": 0.0}, {"box": ((-0.4, -0.2, -0.4), (0.4, 0.0, 0.4))}])
def test_water_is_seen_and_what_is_below_it_shows_through(water):
    block = supple.SoftBody.box((0.2, 0.2, 0.2), 0.1, material="jelly", colour="#d02020", at=(0.0, 0.0, 0.0))
    simulation = supple.Simulation(supple.Scene(block, supple.Water(**water)))
    with_water = render(simulation, (160, 120)).astype(float)
    without = render(figures_of(simulation), (160, 120)).astype(float)
    changed = np.abs(with_water - without).max(axis=2) > 8.0
    assert 0.05 < changed.mean() < 0.9
    bluer = (with_water - without)[changed]
    assert bluer[:, 2].mean() > bluer[:, 0].mean()
    is_red = (without[..., 0] > 1.5 * without[..., 2]) & changed
    assert is_red.any(), "a part of the block is below the surface"
    assert (with_water[is_red][:, 0] > 40.0).all(), "and still to be seen"
