"""Couplings are found without sorting everything."""

from __future__ import annotations

import numpy as np
import pytest

from supple.model.couplings.couplings import number_pairs, sort_keys


@pytest.mark.parametrize("count", [0, 1, 2, 7, 40, 300])
def test_short_arrays_are_sorted_compiled_and_in_python(count):
    keys = np.random.default_rng(count).integers(0, 50, count)
    expected = np.sort(keys)
    for sort in (sort_keys, sort_keys.py_func):
        found = keys.copy()
        sort(found)
        np.testing.assert_array_equal(found, expected)


def test_candidates_are_numbered_pair_by_pair_compiled_and_in_python():
    chance = np.random.default_rng(3)
    low, high = chance.integers(0, 9, 60), chance.integers(10, 16, 60)
    order = np.argsort(low, kind="stable")
    ends = np.append(np.cumsum(np.bincount(low, minlength=9)), 0)
    expected, pair_of = np.unique(np.column_stack([low, high]), axis=0, return_inverse=True)
    for number in (number_pairs, number_pairs.py_func):
        keys = (high[order] << 32) + order
        pairs = np.zeros((60, 2), np.int64)
        assert number(ends, keys, pairs) == len(expected)
        np.testing.assert_array_equal(pairs[: len(expected)], expected)
        np.testing.assert_array_equal(keys >> 32, pair_of.ravel()[keys & 0xFFFFFFFF])
