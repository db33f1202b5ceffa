"""Neighbouring elements share the wind: they are put into patches by halving."""

from __future__ import annotations

import numpy as np
import pytest

from supple.forces import wind_patches
from supple.forces.air_elements import patches_of

KERNELS = ("comes_before", "swap_rows", "median_row", "select_half", "widest_axis", "middle_element")


def places(count=500, seed=0):
    random = np.random.default_rng(seed)
    return np.round(random.normal(size=(count, 3)) * (3.0, 1.0, 0.2), 1)  # rounded: many lie level


@pytest.mark.parametrize("size", [1, 7, 64, 1000])
def test_every_element_is_in_one_patch_of_at_most_the_size(size):
    centres = places()
    patch, middles = patches_of(centres, size)
    counts = np.bincount(patch)
    assert counts.max() <= size and counts.min() >= min(size, 500) // 2
    assert len(counts) == len(middles)
    np.testing.assert_array_equal(patch[middles], np.arange(len(middles)))


def test_halves_are_those_of_sorting_along_the_longest_axis():
    centres = places(64)
    patch, _ = patches_of(centres, 32)
    order = np.argsort(centres[:, 0], kind="stable")
    assert set(np.flatnonzero(patch == 0)) == set(order[:32].tolist())


def test_the_middle_is_the_element_nearest_to_the_centre():
    centres = places(200, seed=3)
    patch, middles = patches_of(centres, 25)
    for n, middle in enumerate(middles):
        members = centres[patch == n]
        away = np.linalg.norm(members - members.mean(axis=0), axis=1)
        assert np.linalg.norm(centres[middle] - members.mean(axis=0)) == pytest.approx(away.min())


def test_no_elements_make_no_patches():
    patch, middles = patches_of(np.zeros((0, 3)), 5)
    assert len(patch) == len(middles) == 0


def test_elements_in_one_place_are_halved_by_their_numbers():
    patch, _ = patches_of(np.zeros((8, 3)), 4)
    np.testing.assert_array_equal(patch, [0, 0, 0, 0, 1, 1, 1, 1])


def test_kernels_do_the_same_in_python(monkeypatch):
    centres = places(120, seed=5)
    compiled = patches_of(centres, 9)
    for name in KERNELS:
        monkeypatch.setattr(wind_patches, name, getattr(wind_patches, name).py_func)
    monkeypatch.setattr("supple.forces.air_elements.bisect_elements", wind_patches.bisect_elements.py_func)
    for a, b in zip(compiled, patches_of(centres, 9), strict=True):
        np.testing.assert_array_equal(a, b)
