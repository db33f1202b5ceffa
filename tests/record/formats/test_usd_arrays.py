"""Points become USD's arrays bit for bit, by either way."""

import numpy as np
import pytest

pytest.importorskip("pxr")

from supple.record.formats import usd_arrays


@pytest.mark.parametrize("is_copied", [True, False])
@pytest.mark.parametrize("count", [0, 1, 4225])
def test_points_are_copied_to_the_bit(monkeypatch, is_copied, count):
    monkeypatch.setattr(usd_arrays, "shows_its_memory", lambda: is_copied)
    points = np.random.default_rng(3).normal(size=(count, 3)).astype(np.float32)
    array = usd_arrays.vec3f_array(points)
    np.testing.assert_array_equal(np.array(array).reshape(-1, 3), points)


def test_the_array_does_not_follow_its_source():
    points = np.ones((5, 3), dtype=np.float32)
    array = usd_arrays.vec3f_array(points)
    points[:] = 2.0
    assert np.array(array).max() == 1.0


def test_this_version_of_usd_takes_the_fast_way():
    assert usd_arrays.shows_its_memory()
