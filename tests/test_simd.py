"""Packs of eight numbers: the same in machine code as in NumPy, to the last digit."""

import numpy as np
import pytest
from numba.core.errors import TypingError

from supple import simd
from supple.kernel import kernel

PRECISIONS = pytest.mark.parametrize("dtype", [np.float64, np.float32])


@kernel
def arithmetic(a, b, out, single):
    """Everything that packs can do."""
    x, y = simd.load(a, 0), simd.load(b, 8)
    z = (x * y - x / y) + 2.0 * x - 1.0
    z += simd.at_least(z, y)
    z = z + simd.sqrt(simd.at_least(x, 0.0))
    simd.store(out, 0, z)
    simd.store(single, 0, z)
    return simd.total(z)


@kernel
def rows(a, indices, out, single):
    """Points of three coordinates in rows of four numbers."""
    x, y = simd.load_rows(a, 8), simd.gather_rows(a, indices, 0)
    result = (x[0] + y[0], x[1] * y[1], x[2] - y[2])
    simd.store_rows(out, 0, result)
    simd.store_rows(single, 8, result)


def numbers(dtype, count):
    return np.random.default_rng(0).uniform(0.5, 2.0, count).astype(dtype)


@PRECISIONS
def test_arithmetic_is_that_of_numpy_to_the_last_digit(dtype):
    a, b = numbers(dtype, 16) - dtype(1.0), numbers(dtype, 16)
    answers = []
    for function in (arithmetic, arithmetic.py_func):
        out, single = np.zeros(8, dtype), np.zeros(8, np.float32)
        answers.append((float(function(a, b, out, single)), out, single))
    assert answers[0][0] == answers[1][0]
    for machine, hand in zip(answers[0][1:], answers[1][1:], strict=True):
        np.testing.assert_array_equal(machine, hand)


@PRECISIONS
def test_rows_of_points_come_and_go_as_three_packs(dtype):
    a = numbers(dtype, 64)
    a.reshape(-1, 4)[:, 3] = 0.0
    indices = np.array([15, 0, 3, 3, 8, 12, 1, 6], dtype=np.int32)
    answers = []
    for function in (rows, rows.py_func):
        out, single = np.zeros(64, dtype), np.zeros(64, np.float32)
        function(a, indices, out, single)
        answers.append((out, single))
    for machine, hand in zip(*answers, strict=True):
        np.testing.assert_array_equal(machine, hand)
    points = a.reshape(-1, 4)[:, :3]
    np.testing.assert_array_equal(answers[0][0].reshape(-1, 4)[:8, 0], points[8:16, 0] + points[indices, 0])


def test_numbers_are_chosen_by_the_sign_of_others():
    @kernel
    def chosen(sign, a, b, out):
        simd.store(out, 0, simd.where_positive(simd.load(sign, 0), simd.load(a, 0), simd.load(b, 0)))

    sign = np.array([1.0, -1.0, 0.0, np.nan, np.inf, -0.0, 1e-300, -np.inf])
    a, b, out = np.arange(8.0), -np.arange(8.0) - 1.0, np.zeros((2, 8))
    chosen(sign, a, b, out[0])
    chosen.py_func(sign, a, b, out[1])
    np.testing.assert_array_equal(out, [[0.0, -2.0, -3.0, -4.0, 4.0, -6.0, 6.0, -8.0]] * 2)


def test_a_pack_of_doubles_and_one_of_singles_do_not_mix():
    @kernel
    def mixed(a, b):
        return simd.total(simd.load(a, 0) + simd.load(b, 0))

    with pytest.raises(TypingError):
        mixed(np.zeros(8), np.zeros(8, np.float32))
