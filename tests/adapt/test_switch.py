import numpy as np

from supple.adapt.switch import is_region_finer
from tests.physics.levelled import levelled_block, levels_of, split_around


def test_a_region_is_finer_where_a_node_and_all_its_owners_are_split():
    levels = levels_of(levelled_block())
    flags = split_around(levels, (0.05, 0.03, 0.05))
    flags[0] = False
    coarse = range(levels.finest_nodes.start)
    found = [is_region_finer(i, levels.node_firsts, levels.owners, flags) for i in coarse]
    by_hand = [is_region_finer.py_func(i, levels.node_firsts, levels.owners, flags) for i in coarse]
    owner_is_split = np.where(levels.owners < 0, True, flags[levels.owners])[: len(found)]
    assert found == by_hand == (flags[: len(found)] & owner_is_split).tolist()
    assert 0 < sum(found) < len(found)
