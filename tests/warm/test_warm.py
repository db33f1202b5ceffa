"""Kernels compiled before they are needed: the list, its types, the processes, and what the player makes of it."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba.core import types

import supple.warm.warming as warming_module
from supple.warm.commands import WarmingBar
from supple.warm.compiler import compiled
from supple.warm.kernel_list import HANDS, TOOLS, Entry, KernelList, kernel_list, written
from supple.warm.kernel_types import UnknownTypeError, decoded, encoded
from supple.warm.warming import Warming

VECTOR, NUMBER = "float64[2C]", "int64"
DIFFERENCE = Entry("supple.kernel:difference", (VECTOR, NUMBER, NUMBER), 0.1, ())
DOT = Entry("supple.kernel:dot", (["", "float64", "float64", "float64"],) * 2, 0.2, ())
GONE = Entry("supple.kernel:no_such_kernel", (), 0.1, (0,))


class Bundle(NamedTuple):
    positions: np.ndarray
    count: int


class Pair(NamedTuple):
    first: float
    second: float


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SUPPLE_CACHE_DIR", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    "value",
    [
        1,
        2.5,
        True,
        None,
        np.zeros((3, 3)),
        np.zeros(4, dtype=np.int32),
        np.zeros((4, 2), dtype=bool, order="F"),
        np.zeros((4, 4))[::2],
        np.broadcast_to(np.zeros(3), (2, 3)),
        (1.0, 2.0, 3.0),
        (1, 2.0),
        Bundle(np.zeros((2, 3)), 2),
        Pair(1.0, 2.0),
        (Bundle(np.zeros((2, 3)), 2), Pair(1.0, 2.0)),
    ],
)
def test_types_survive_being_written_down(value):
    kind = numba.typeof(value)
    assert decoded(json.loads(json.dumps(encoded(kind)))) == kind


def test_types_that_no_list_can_name_are_refused():
    with pytest.raises(UnknownTypeError):
        encoded(types.unicode_type)
    for text in (
        "no_such_type",
        ["tests.warm.test_warm:Bundle", "int64"],
        ["supple.kernel:Nothing", "int64"],
    ):
        with pytest.raises(UnknownTypeError):
            decoded(text)


def test_a_list_survives_being_written_down(tmp_path):
    kernels = KernelList((DIFFERENCE, DOT, GONE), {"one": (2,), "two": (1,)})
    path = tmp_path / "kernels.json"
    path.write_text(written(kernels))
    assert kernel_list(path) == kernels
    assert kernels.needed(["one"]) == {0, 2}
    assert kernels.needed(["one", "two", "unknown"]) == {0, 1, 2}
    urgency = kernels.urgency({0, 1, 2})
    assert urgency[0] == pytest.approx(0.2) and urgency[2] == pytest.approx(0.1)
    assert kernel_list(tmp_path / "missing.json") == KernelList((), {})


def test_the_list_knows_the_first_scene_the_tools_and_the_hands():
    from supple.studio.commands import DEFAULT_SCENE

    kernels = kernel_list()
    assert {DEFAULT_SCENE, HANDS, TOOLS} <= set(kernels.sets)
    assert all(callee < n for n, entry in enumerate(kernels.entries) for callee in entry.needs)


def test_most_of_what_the_first_scene_calls_is_on_the_list():
    """If this fails, kernels have changed: run scripts/kernel_list.py."""
    from supple.kernel import KERNELS
    from supple.scene.files.toml_reader import find_scene
    from supple.simulation import Simulation
    from supple.studio.commands import DEFAULT_SCENE

    before = {id(each): set(each.overloads) for each in KERNELS}
    simulation = Simulation(find_scene(DEFAULT_SCENE))
    simulation.step()
    kernels = kernel_list()
    listed = {
        (kernels.entries[n].kernel, json.dumps(list(kernels.entries[n].arguments)))
        for n in kernels.needed([DEFAULT_SCENE])
    }
    used = set()
    for each in KERNELS:
        for kinds in set(each.overloads) - before.get(id(each), set()):
            try:
                arguments = json.dumps([encoded(kind) for kind in kinds])
            except UnknownTypeError:
                continue
            used.add((f"{each.py_func.__module__}:{each.py_func.__name__}", arguments))
    missing = used - listed
    assert len(missing) <= 0.1 * len(used), sorted(name for name, _ in missing)


def test_a_process_compiles_onto_the_disk_and_what_is_there_starts_nothing(empty_cache):
    kernels = KernelList((DIFFERENCE, DOT, GONE), {"all": (1, 2)})
    told = []
    warming = Warming(
        ["all"], lambda share, seconds: told.append((share, seconds)), processes=2, kernels=kernels
    )
    assert warming.is_needed
    warming.start()
    assert warming.wait(120.0)
    assert warming.compiled == 2
    shares = [share for share, _ in told]
    assert len(shares) == 3 and shares[-1] == pytest.approx(1.0) and all(left >= 0.0 for _, left in told)
    assert len(list(empty_cache.rglob("*.nbc"))) == 2
    again = Warming(["all"], kernels=kernels)
    assert not again.is_needed
    (mark,) = empty_cache.glob("warm-*.json")
    mark.unlink()
    third = Warming(["all"], kernels=kernels, processes=1)
    assert third.is_needed
    third.start()
    assert third.wait(120.0) and third.compiled == 0, "what is on disk is not compiled again"


def test_a_process_that_dies_leaves_the_rest_to_whoever_calls_it(empty_cache, monkeypatch):
    monkeypatch.setattr(warming_module.sys, "executable", "/no/such/python")
    warming = Warming(["all"], kernels=KernelList((DIFFERENCE,), {"all": (0,)}))
    warming.start()
    assert warming.wait(10.0) and warming.compiled == 0
    assert not list(empty_cache.glob("warm-*.json")), "nothing is marked as done"


def test_stopping_ends_the_processes(empty_cache):
    names = [f"supple.kernel:no_such_{n}" for n in range(2000)]
    entries = tuple(Entry(name, (), 1.0, ()) for name in names)
    warming = Warming(
        ["all"], kernels=KernelList(entries, {"all": tuple(range(2000))}), processes=1, is_gentle=True
    )
    warming.start()
    warming.stop()
    assert warming.wait(10.0)
    assert not list(empty_cache.glob("warm-*.json"))


def test_what_is_no_kernel_any_more_is_passed_over():
    assert compiled("supple.kernel:PACKAGE", []) == "gone"
    assert compiled("supple.no_such_module:f", []) == "gone"
    assert compiled("supple.kernel:dot", [NUMBER]) == "gone", "it takes two"


def test_the_bar_tells_the_time_once_where_there_is_no_terminal(capsys):
    with WarmingBar() as bar:
        bar.told(0.0, 41.2)
        bar.told(0.5, 20.0)
        bar.told(1.0, 0.0)
    assert capsys.readouterr().err == "Preparing, once: kernels are compiled, about 41 s\n"


def test_the_command_names_scenes_it_does_not_know():
    answer = subprocess.run(
        [sys.executable, "-m", "supple", "warm", "sillk"], capture_output=True, text=True, check=False
    )
    assert answer.returncode == 2
    assert "sillk" in answer.stderr and "silk" in answer.stderr
