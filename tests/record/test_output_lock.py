"""Two runs never write the same files."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import supple
from supple import Simulation, SuppleError
from supple.record import open_recording
from supple.record.output_lock import locked
from tests.record.test_crash import SCENE


@pytest.fixture
def simulation():
    return Simulation(supple.Scene(supple.Chain(length=0.3, points=3)))


@pytest.mark.parametrize("name", ["run.npz", "run.npy", "run.usd", "run.obj", "run.csv"])
def test_a_second_run_is_refused_while_the_first_is_alive(tmp_path, simulation, name):
    path = tmp_path / "deep" / name
    with open_recording([path], frame_count=2, frame_rate=50.0) as recording:
        recording.add(simulation)
        for options in ({}, {"replace": True}, {"kept": 1}):
            with (
                pytest.raises(SuppleError, match=f"another run is writing it .process {os.getpid()}"),
                open_recording([path], frame_count=2, frame_rate=50.0, **options),
            ):
                pass
    assert not list(path.parent.glob(".*.lock"))


def test_a_run_that_is_alive_is_not_resumed(tmp_path):
    scene, out = tmp_path / "scene.toml", tmp_path / "run.npz"
    scene.write_text(SCENE, encoding="utf-8")
    with locked(out):
        words = [sys.executable, "-m", "supple", "run", str(scene), "--seconds", "0.04", "--out", str(out)]
        done = subprocess.run([*words, "--resume"], capture_output=True, text=True, check=False)
    assert done.returncode != 0 and "another run is writing it" in done.stderr + done.stdout
    assert not out.exists()


def test_what_a_killed_run_leaves_behind_locks_nothing(tmp_path):
    program = "import os; from pathlib import Path; from supple.record.output_lock import locked\n"
    program += "with locked(Path('run.npz')): os._exit(1)"
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=False)
    assert (tmp_path / ".run.npz.lock").exists()
    with locked(tmp_path / "run.npz"):
        pass
    assert not (tmp_path / ".run.npz.lock").exists()
