"""Four numbers at once give what four single operations give."""

from __future__ import annotations

import numpy as np
import pytest

from supple.kernel import kernel
from supple.solve.lanes import element, item, load, minus_product, pack, plus, scaled, store


@kernel
def combine(table, factors, out):
    """Use every operation once."""
    value = minus_product(load(table, 0), item(factors, 1), load(table, 1))
    value = plus(scaled(value, element(table, 2, 3)), pack(1.0, 2.0, 3.0, 4.0))
    store(out, 1, value)


@pytest.mark.parametrize("run", [combine, combine.py_func], ids=["compiled", "python"])
@pytest.mark.parametrize("precision", [np.float64, np.float32])
def test_lanes_round_like_single_operations(run, precision):
    generator = np.random.default_rng(1)
    table = generator.standard_normal((3, 4)).astype(precision)
    factors = generator.standard_normal(2)
    out = np.zeros((2, 4))
    run(table, factors, out)
    wide = table.astype(np.float64)
    expected = (wide[0] - factors[1] * wide[1]) * wide[2, 3] + np.array([1.0, 2.0, 3.0, 4.0])
    assert np.array_equal(out[1], expected)
    assert not out[0].any()
