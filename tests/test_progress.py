"""What a run tells of a start that is being untangled."""

from __future__ import annotations

import io

import pytest

import supple
from supple.kernel import cache_is_empty
from supple.progress import COMPILING, UNTANGLING, RunProgress
from supple.studio.connection.command_queue import CommandQueue
from supple.studio.player.player import Player


def tangled() -> supple.Scene:
    """Return a sheet that stands across another one."""
    options = {"width": 0.2, "height": 0.2, "columns": 9, "rows": 9, "self_contact": "exact"}
    flat = supple.Cloth.rectangle(plane="xz", name="flat", **options)
    tilted = supple.Cloth.rectangle(
        plane="xz", name="tilted", at=(0.003, 0.002, 0.004), rotation_deg=(20.0, 0.0, 0.0), **options
    )
    return supple.Scene(flat, tilted, settings=supple.Settings(on_intersection="untangle"))


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_every_round_of_an_untangling_is_told_until_all_edges_are_free():
    told: list[tuple[int, int]] = []
    supple.Simulation(tangled(), untangled=lambda free, most: told.append((free, most)))
    assert told[0][0] == 0 and told[0][1] > 5
    assert told[-1][0] == told[-1][1]
    assert all(0 <= free <= most for free, most in told) and len(told) > 3
    more = [most for _, most in told]
    assert more == sorted(more)


def test_a_free_start_tells_of_no_untangling():
    sheet = supple.Cloth.rectangle(width=0.2, height=0.2, columns=5, rows=5, self_contact="exact")
    told: list[tuple[int, int]] = []
    supple.Simulation(
        supple.Scene(sheet), on_intersection="untangle", untangled=lambda *edges: told.append(edges)
    )
    assert told == []


def test_a_terminal_sees_a_bar_and_anything_else_a_line():
    terminal, plain = Terminal(), io.StringIO()
    for stream in (terminal, plain):
        with RunProgress("sheets", 10, stream) as progress:
            for free in (0, 12, 40):
                progress.untangled(free, 40)
    assert UNTANGLING in terminal.getvalue() and "40/40" in terminal.getvalue()
    assert plain.getvalue() == f"{UNTANGLING}: 40 edges pass through triangles\n"


class KeptOutput:
    """Hears what a player tells, and lets it end with the first frame."""

    client_count = 0
    wants_strain = False
    wants_pressure = False

    def __init__(self) -> None:
        self.words: list[object] = []

    def __getattr__(self, name: str):
        return lambda *words, **_: self.words.extend(words)


def test_the_studio_is_told_of_an_untangling(tmp_path, monkeypatch):
    output = KeptOutput()
    monkeypatch.setattr(
        Player, "_show", lambda *_: (_ for _ in ()).throw(supple.SuppleError("as far as it goes"))
    )
    player = Player(tangled(), output, CommandQueue(), record_folder=tmp_path)
    player.start()
    player.join(120.0)
    told = [word for word in output.words if getattr(word, "stage", "") == "untangling"]
    assert told and told[0].done == 0 and told[0].total > 5


@pytest.mark.parametrize(("expected", "told"), [(317, "about 317 of them"), (None, "")])
def test_kernels_are_counted_right(expected, told):
    """How many there will be is known only where none is kept from an earlier run."""
    for done, word in ((1, "kernel"), (3, "kernels")):
        stream = io.StringIO()
        with RunProgress("sheets", 10, stream) as progress:
            for n in range(done):
                progress.kernel_compiled(f"kernel_{n}", expected)
            progress.frame_done("ok")
        first, last = stream.getvalue().splitlines()[:2]
        assert first.startswith(COMPILING) and first.removeprefix(COMPILING).strip(", ") == told
        assert last.startswith(f"compiled {done} {word} in ")


def test_a_cache_is_empty_until_something_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("SUPPLE_CACHE_DIR", str(tmp_path / "kernels"))
    assert cache_is_empty()
    kept = tmp_path / "kernels" / "forces" / "springs"
    kept.mkdir(parents=True)
    assert cache_is_empty()
    (kept / "add.nbc").write_bytes(b"x")
    assert not cache_is_empty()
