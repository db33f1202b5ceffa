import numpy as np
import pytest

from supple.adapt.error_estimate import gather_child_errors
from supple.adapt.level_switch import is_region_finer
from tests.physics.levelled import levelled_block, levels_of, split_around


def test_a_region_is_finer_where_a_node_and_all_its_owners_are_split():
    levels = levels_of(levelled_block())
    flags = split_around(levels, (0.05, 0.03, 0.05))
    flags[0] = False
    coarse = range(levels.finest_nodes.start)
    found = [is_region_finer(i, levels.owners, flags) for i in coarse]
    by_hand = [is_region_finer.py_func(i, levels.owners, flags) for i in coarse]
    owner_is_split = np.where(levels.owners < 0, True, flags[levels.owners])[: len(found)]
    assert found == by_hand == (flags[: len(found)] & owner_is_split).tolist()
    assert 0 < sum(found) < len(found)


@pytest.mark.parametrize("way", [gather_child_errors, gather_child_errors.py_func])
def test_a_node_without_children_counts_those_around_it(way):
    # Two coarse nodes; the first owns all four finer ones, which lie around the second too.
    owners, children = np.array([-1, -1, 0, 0, 0, 0]), np.full((6, 4), -1)
    children[:2] = [2, 3, 4, 5]
    is_split, peaks, gathered = np.zeros(6, np.bool_), np.arange(6.0), np.zeros((6, 14))
    worst, has_split_child = np.zeros(6), np.zeros(6, np.bool_)
    gathered[3, 0] = 1.0  # the only one with elements
    way(2, owners, children, is_split, peaks, gathered, worst, has_split_child)
    assert worst[:2].tolist() == [3.0, 3.0] and not has_split_child.any()
    is_split[4], gathered[3, 0] = True, 0.0
    way(2, owners, children, is_split, peaks, gathered, worst, has_split_child)
    assert worst.tolist() == [0.0] * 6 and has_split_child[:2].all()


def test_pieces_are_wanted_as_fine_at_every_sample_also_where_a_coarse_node_owns_no_node():
    levels = levels_of(levelled_block())
    lonely = 3
    levels.samples.owners[:5, 0] = lonely
    levels.owners[levels.owners == lonely] = lonely + 1
    levels.split_down_to(np.full(len(levels.rest) - levels.finest_nodes.start, 2))
    levels.rebuild()
    assert (levels.samples.levels == 2).all()
