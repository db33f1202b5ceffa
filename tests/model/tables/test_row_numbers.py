"""Rows come and go, and nearly all others stay."""

import numpy as np
import pytest

from supple.model.tables.row_numbers import Refilling


@pytest.mark.parametrize("seed", range(20))
def test_a_refilled_table_holds_what_stayed_and_what_came(seed):
    random = np.random.default_rng(seed)
    before = int(random.integers(1, 30))
    gone = np.flatnonzero(random.random(before) < random.random())
    new = 100 + np.arange(random.integers(0, 12))
    refilled = Refilling.of(gone, before, len(new))
    table = refilled.applied(np.arange(before), new)
    assert len(table) == refilled.count == before - len(gone) + len(new)
    assert sorted(table.tolist()) == sorted([*set(range(before)) - set(gone.tolist()), *new.tolist()])
    np.testing.assert_array_equal(table[refilled.new], new)
    stayed = np.setdiff1d(np.arange(min(before, len(table))), [*refilled.new, *refilled.moved])
    np.testing.assert_array_equal(table[stayed], stayed)
    assert len(refilled.moved) <= max(0, len(gone) - len(new))
