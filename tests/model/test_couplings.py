"""Couplings are found without sorting everything."""

from __future__ import annotations

import numpy as np
import pytest

from supple.model.couplings import sort_keys


@pytest.mark.parametrize("count", [0, 1, 2, 7, 40, 300])
def test_short_arrays_are_sorted_compiled_and_in_python(count):
    keys = np.random.default_rng(count).integers(0, 50, count)
    expected = np.sort(keys)
    for sort in (sort_keys, sort_keys.py_func):
        found = keys.copy()
        sort(found)
        np.testing.assert_array_equal(found, expected)
