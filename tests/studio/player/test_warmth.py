"""While kernels are compiled elsewhere the player waits for those of the scene, and strokes wait for theirs."""

from __future__ import annotations

import threading

import pytest

from supple.studio.connection import protocol
from supple.studio.connection.command_queue import CommandQueue
from supple.studio.player import warmth as warmth_module
from supple.studio.player.player import Player
from supple.studio.player.warmth import Warmth
from supple.warm.kernel_list import TOOLS, Entry, KernelList
from supple.warm.warming import Warming
from tests.studio.pages import KeptOutput, sheet_scene
from tests.studio.tools.test_editing import row_path

KERNELS = KernelList(
    (Entry("supple.kernel:no_such_kernel", (), 0.1, ()),), {"my scene": (0,), TOOLS: (0,), "other": (0,)}
)


@pytest.fixture
def slow_tools(tmp_path, monkeypatch):
    """A list whose tools are not ready before the event is set that this returns."""
    monkeypatch.setenv("SUPPLE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(warmth_module, "kernel_list", lambda: KERNELS)
    are_ready = threading.Event()

    class Slow(Warming):
        def __init__(self, sets, *arguments, **options):
            super().__init__(sets, *arguments, kernels=KERNELS, **options)
            self.waits = TOOLS in self._sets

        def wait(self, seconds=None):
            if self.waits:
                are_ready.wait(60.0)
            return super().wait(seconds)

    monkeypatch.setattr(warmth_module, "Warming", Slow)
    return are_ready


def turned(player, condition):
    """Let the player turn until something is true."""
    for _ in range(2000):
        player._turn()
        if condition():
            return
    raise AssertionError("it never happened")


def test_strokes_wait_for_their_kernels_while_the_scene_moves_and_are_then_made_in_order(
    tmp_path, slow_tools
):
    told, output, commands = [], KeptOutput(), CommandQueue()
    warmth = Warmth(hub_told=lambda share, seconds: told.append(share))
    player = Player(sheet_scene(), output, commands, record_folder=tmp_path, warmth=warmth)
    player._begin()
    assert told[0] == 0.0 and told[-1] == 1.0, "the kernels of the scene were waited for"
    player._turn()
    line = protocol.SurfacePath(**row_path(3))
    commands.put(1, protocol.Cut(world=player._world, paths=(line,), along_edges=False))
    commands.put(1, protocol.Undo())
    frame = player.simulation.frame
    turned(player, lambda: player.simulation.frame > frame + 3)
    assert player.simulation.body_names == ("cloth",) and player.simulation.undoable == ()
    assert any(word.type == "problem" and "prepared" in word.text for word in output.words)
    slow_tools.set()
    turned(player, lambda: player.simulation.redoable != ())
    assert player.simulation.body_names == ("cloth",), "cut, and the cut undone"
    warmth.stop()


def test_a_scene_nobody_wrote_down_is_not_waited_for(slow_tools):
    told = []
    warmth = Warmth(hub_told=lambda share, seconds: told.append(share))
    warmth.wait_for("somebody's own scene")
    assert told == [] and not warmth.are_tools_ready
    warmth.stop()
