from __future__ import annotations

import os
import time

import numpy as np
import pytest

from supple.collide.distance_map import disk_cache
from supple.collide.distance_map.disk_cache import distance_map, load_map, map_folder, map_key, save_map
from supple.collide.distance_map.distance_map import DistanceMap
from supple.scene.obstacles.mesh_parts import rounded_box

BOX = rounded_box((0.6, 0.4, 0.4), 0.03, 0.1, 1)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(disk_cache, "map_folder", lambda: tmp_path / "maps")
    return tmp_path / "maps"


@pytest.fixture
def builds(monkeypatch):
    """Every call of DistanceMap.build, counted."""
    calls = []
    build = DistanceMap.build

    def counted(*arguments):
        calls.append(arguments)
        return build(*arguments)

    monkeypatch.setattr(DistanceMap, "build", staticmethod(counted))
    return calls


def assert_same(a, b):
    assert a.report == b.report
    assert (a.voxel, a.block_counts) == (b.voxel, b.block_counts)
    for name, value in vars(a).items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(getattr(b, name), value)
            assert getattr(b, name).dtype == value.dtype


def test_the_second_time_the_map_comes_from_disk(folder, builds):
    first = distance_map(*BOX, 0.05)
    second = distance_map(*BOX, 0.05)
    assert len(builds) == 1
    assert_same(first, second)
    assert [path.suffix for path in folder.iterdir()] == [".map"]


def test_another_mesh_or_accuracy_has_another_key():
    keys = {map_key(*BOX, None), map_key(*BOX, 0.05), map_key(BOX[0] * 1.001, BOX[1], 0.05)}
    keys.add(map_key(BOX[0], BOX[1][::-1], 0.05))
    assert len(keys) == 4
    assert map_key(*BOX, 0.05) == map_key(BOX[0].tolist(), BOX[1].astype(np.int32), 0.05)


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1] + bytes([content[-1] ^ 1]),
        lambda content: content[:900] + bytes([content[900] ^ 64]) + content[901:],
        lambda content: b"\n" * 5000,
    ],
    ids=["empty", "half", "last byte", "one bit", "noise"],
)
def test_a_damaged_file_is_replaced_without_a_word(folder, builds, damage):
    first = distance_map(*BOX, 0.05)
    (path,) = folder.iterdir()
    path.write_bytes(damage(path.read_bytes()))
    assert load_map(path) is None
    assert_same(distance_map(*BOX, 0.05), first)
    assert len(builds) == 2
    assert load_map(path) is not None


def test_a_file_of_another_format_is_replaced(folder, builds, monkeypatch):
    made = DistanceMap.build(*BOX, 0.05)
    path = folder / "x.map"
    with monkeypatch.context() as patch:
        patch.setattr(disk_cache, "FORMAT", 0)
        assert save_map(made, path)
    assert load_map(path) is None


def test_a_folder_that_cannot_be_written_does_not_matter(tmp_path, monkeypatch, builds):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setattr(disk_cache, "map_folder", lambda: blocked / "maps")
    distance_map(*BOX, 0.05)
    distance_map(*BOX, 0.05)
    assert len(builds) == 2


def test_a_full_disk_leaves_nothing_behind(folder, monkeypatch):
    made = DistanceMap.build(*BOX, 0.05)

    def fail(*_):
        raise OSError("no space left")

    monkeypatch.setattr(disk_cache.os, "replace", fail)
    assert not save_map(made, folder / "x.map")
    assert list(folder.iterdir()) == []


def test_the_folder_stays_small_by_dropping_what_was_not_used_for_the_longest_time(folder, monkeypatch):
    accuracies = (0.05, 0.06, 0.07)
    paths = [folder / (map_key(*BOX, accuracy) + ".map") for accuracy in accuracies]
    for age, accuracy, path in zip((300, 200, 100), accuracies, paths, strict=True):
        distance_map(*BOX, accuracy)
        os.utime(path, (time.time() - age,) * 2)
    distance_map(*BOX, accuracies[0])  # used again, so no longer the oldest
    room = sum(path.stat().st_size for path in paths)
    monkeypatch.setattr(disk_cache, "LARGEST_FOLDER", room)
    distance_map(*BOX, 0.08)
    left = set(folder.iterdir())
    assert paths[0] in left and paths[1] not in left
    assert sum(path.stat().st_size for path in left) <= room


def test_a_map_larger_than_all_the_room_is_kept_until_the_next_one(folder, monkeypatch, builds):
    monkeypatch.setattr(disk_cache, "LARGEST_FOLDER", 1)
    distance_map(*BOX, 0.05)
    distance_map(*BOX, 0.05)
    assert len(builds) == 1
    distance_map(*BOX, 0.06)
    assert [path.stem for path in folder.iterdir()] == [map_key(*BOX, 0.06)]


def test_the_variable_moves_the_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SUPPLE_CACHE_DIR", str(tmp_path))
    assert map_folder() == tmp_path / "maps"
    monkeypatch.delenv("SUPPLE_CACHE_DIR")
    assert map_folder().name == "maps"
