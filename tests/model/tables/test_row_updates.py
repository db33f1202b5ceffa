"""Rows come and go, and nearly all others stay."""

import numpy as np
import pytest

from supple.model.tables.row_updates import RowUpdate


@pytest.mark.parametrize("seed", range(20))
def test_an_updated_table_holds_what_stayed_and_what_came(seed):
    random = np.random.default_rng(seed)
    before = int(random.integers(1, 30))
    gone = np.flatnonzero(random.random(before) < random.random())
    new = 100 + np.arange(random.integers(0, 12))
    row_update = RowUpdate.of(gone, before, len(new))
    table = row_update.applied(np.arange(before), new)
    assert len(table) == row_update.count == before - len(gone) + len(new)
    assert sorted(table.tolist()) == sorted([*set(range(before)) - set(gone.tolist()), *new.tolist()])
    np.testing.assert_array_equal(table[row_update.new], new)
    stayed = np.setdiff1d(np.arange(min(before, len(table))), [*row_update.new, *row_update.moved])
    np.testing.assert_array_equal(table[stayed], stayed)
    assert len(row_update.moved) <= max(0, len(gone) - len(new))
