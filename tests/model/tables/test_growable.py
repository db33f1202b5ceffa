"""Arrays grow in place, and never into what is not theirs."""

import numpy as np

from supple.model.tables.growable import LEAST_SPARE_ROWS, resized


def test_an_array_grows_and_shrinks_in_the_same_memory():
    first = resized(np.arange(10), 12)
    assert first[:10].tolist() == list(range(10))
    more = resized(first, 10 + LEAST_SPARE_ROWS)
    assert np.shares_memory(first, more)
    assert type(more) is np.ndarray and more.flags.c_contiguous
    less = resized(more, 4)
    assert np.shares_memory(first, less) and less.tolist() == [0, 1, 2, 3]
    assert np.shares_memory(first, resized(first[:3], 8))
    far = resized(first, 10 + 2 * LEAST_SPARE_ROWS)
    assert not np.shares_memory(first, far) and far[:10].tolist() == list(range(10))


def test_a_part_of_an_array_gets_memory_of_its_own():
    rows = resized(np.arange(12.0).reshape(6, 2), 6)
    for part in (rows[1:], rows[:, 0], rows[::2], rows.view(np.int64), np.arange(6.0)):
        assert not np.shares_memory(resized(part, 5), rows)
        np.testing.assert_array_equal(resized(part, 2), part[:2])
