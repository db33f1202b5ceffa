"""Runs that are killed, interrupted or run out of disk: what was written opens, and the run goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import supple
from supple.record.formats.table import read_table

SCENE = """
[cloth.sheet]
rectangle = { width = 0.5, height = 0.5, columns = 8, rows = 8, plane = "xz" }
pin = ["top-left"]

[obstacle.ball]
sphere = { radius = 0.2 }
at = [0.0, -0.3, 0.0]
motion = [{ time = 0.0 }, { time = 1.0, offset = [0.1, 0.0, 0.0] }]
"""
SHAPES = ("run.npz", "run.npy", "run.usd", "run.usda", "run.glb", "run.obj", "run.ply", "run.pc2", "run.vtu")
OUTPUTS = (*SHAPES, "run.csv", "run.parquet", "run.png")


def command(scene, folder, *more):
    outputs = [word for name in OUTPUTS for word in ("--out", str(folder / name))]
    return [sys.executable, "-m", "supple", "run", str(scene), *outputs, "--size", "60x40", *more]


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """A folder with the remains of a run that was killed, and the scene it ran."""
    folder = tmp_path_factory.mktemp("killed")
    scene = folder / "scene.toml"
    scene.write_text(SCENE, encoding="utf-8")
    process = subprocess.Popen(
        command(scene, folder, "--seconds", "100", "--checkpoint", "0"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        end = time.monotonic() + 300.0
        while not (folder / "run-0012.obj").exists():
            assert time.monotonic() < end and process.poll() is None
            time.sleep(0.01)
    finally:
        process.kill()
        process.wait()
    return folder, scene


@pytest.fixture(scope="module")
def whole(tmp_path_factory, killed):
    """The same scene run to the end of frame 60 without a break."""
    folder = tmp_path_factory.mktemp("whole")
    subprocess.run(command(killed[1], folder, "--seconds", "1.2"), check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("name", SHAPES)
def test_a_killed_run_leaves_what_was_written_readable(killed, whole, name):
    with supple.open(killed[0] / name) as recording, supple.open(whole / "run.npz") as truth:
        assert len(recording) >= 12
        for number in range(12):
            np.testing.assert_array_equal(
                recording[number].positions("sheet"), truth[number].positions("sheet")
            )


@pytest.mark.parametrize("name", ["run.csv", "run.parquet"])
def test_a_killed_run_leaves_its_reports_readable(killed, whole, name):
    found, truth = read_table(killed[0] / name), read_table(whole / name)
    count = min(len(found["time"]), 60)
    assert count >= 11
    np.testing.assert_array_equal(found["kinetic_energy"][:count], truth["kinetic_energy"][:count])


def test_a_new_run_does_not_overwrite_the_remains_of_a_killed_one(killed):
    folder, scene = killed
    for name in ("run.usd", "run.obj"):
        answer = subprocess.run(
            [sys.executable, "-m", "supple", "run", str(scene), "--out", str(folder / name)],
            capture_output=True,
            text=True,
        )
        assert answer.returncode == 2
        assert "--force" in answer.stderr
    assert "--resume" in answer.stderr or (folder / "run.usd.part").exists()


def test_resume_gives_the_same_bits_as_a_run_without_a_break(killed, whole):
    folder, scene = killed
    frames = len(supple.open(folder / "run.obj"))
    if frames > 55:
        pytest.skip("the run got far before it was killed")
    subprocess.run(command(scene, folder, "--seconds", "1.2", "--resume"), check=True, capture_output=True)
    names = {path.name for path in folder.rglob("*")}
    assert not any(name.endswith((".part", ".checkpoint", ".tmp")) for name in names)
    assert names - {"scene.toml"} == {path.name for path in whole.rglob("*")}
    for name in ("run-0055.obj", "run-0060.ply", "run-0020.vtu", "run.pc2", "run.pvd", "run.glb", "run.png"):
        assert (folder / name).read_bytes() == (whole / name).read_bytes(), name
    for name in SHAPES:
        with supple.open(folder / name) as again, supple.open(whole / name) as truth:
            assert len(again) == len(truth) == 61
            for number in range(61):
                np.testing.assert_array_equal(
                    again[number].positions("sheet"), truth[number].positions("sheet")
                )
    for name in ("run.csv", "run.parquet"):
        again, truth = read_table(folder / name), read_table(whole / name)
        for column in ("time", "kinetic_energy", "angular_momentum_x", "max_stretch"):
            np.testing.assert_array_equal(again[column], truth[column])


def test_interrupted_run_is_finished_and_goes_on(tmp_path):
    scene = tmp_path / "scene.toml"
    scene.write_text(SCENE, encoding="utf-8")
    words = [sys.executable, "-m", "supple", "run", str(scene), "--out", str(tmp_path / "run.npz")]
    process = subprocess.Popen([*words, "--seconds", "600"], stderr=subprocess.PIPE, text=True)
    try:
        times = tmp_path / "run.npz.part" / "time.npy"
        end = time.monotonic() + 300.0
        while not times.exists() or times.stat().st_size < 128 + 10 * 8:
            assert time.monotonic() < end and process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            process.kill()
    assert process.returncode == 130
    assert "--resume goes on from here" in said
    done = len(supple.open(tmp_path / "run.npz"))
    assert done >= 10
    seconds = str((done + 4) / 50.0)
    subprocess.run([*words, "--seconds", seconds, "--resume"], check=True, capture_output=True)
    assert len(supple.open(tmp_path / "run.npz")) == done + 5
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.npz", "scene.toml"]
    again = subprocess.run([*words, "--seconds", seconds, "--resume"], capture_output=True, text=True)
    assert again.returncode == 2 and "exists" in again.stderr
    assert len(supple.open(tmp_path / "run.npz")) == done + 5


KILLED_WHILE_FINISHING = """
import os, sys
import supple
from supple.record import open_recording
from tests.record.conftest import Drifting

def finished(name, done, total):
    if done == max(1, total // 2):
        os.kill(os.getpid(), 9)

drifting = Drifting()
with open_recording([sys.argv[1]], frame_count=8, frame_rate=10.0, finished=finished) as recording:
    for _ in range(8):
        recording.add(drifting)
        drifting.step()
"""


@pytest.mark.parametrize("ending", [".npz", ".usd", ".glb"])
def test_killed_while_the_file_is_made_all_frames_are_there(tmp_path, ending):
    path = tmp_path / f"drift{ending}"
    done = subprocess.run([sys.executable, "-c", KILLED_WHILE_FINISHING, str(path)], capture_output=True)
    assert done.returncode == -signal.SIGKILL
    assert not path.exists()
    assert len(supple.open(path)) == 8
    supple.convert(path.with_name(path.name + ".part"), path, replace=True)
    assert len(supple.open(path)) == 8


FULL_DISK = """
import resource, signal, sys
from supple.errors import SuppleError
from supple.record import open_recording
from tests.record.conftest import Drifting

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
drifting = Drifting()
count = 0
try:
    with open_recording([sys.argv[1]], frame_count=1000, frame_rate=10.0) as recording:
        recording.add(drifting)
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
        for _ in range(999):
            recording.add(drifting)
            count += 1
            drifting.step()
except SuppleError as error:
    print(error, *getattr(error, "__notes__", ()))
    print(count + 1)
    sys.exit(2)
"""


@pytest.mark.skipif(os.name != "posix", reason="limits of file sizes are a thing of POSIX")
@pytest.mark.parametrize(
    ("ending", "limit"),
    [
        (".npz", 3000),
        (".npy", 3000),
        (".usd", 60_000),
        (".usda", 60_000),
        (".glb", 3000),
        (".pc2", 2000),
        (".vtu", 20_000),
        (".obj", 100),
        (".ply", 100),
    ],
)
def test_a_disk_that_fills_up_takes_no_frame_with_it(tmp_path, ending, limit):
    """A limit on the size of files stands for the end of the disk: writing fails in the middle of a frame."""
    path = tmp_path / f"drift{ending}"
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path), str(limit)], capture_output=True, text=True
    )
    assert done.returncode == 2, done.stderr
    assert "cannot write" in done.stdout and "Traceback" not in done.stderr
    count = int(done.stdout.splitlines()[-1])
    with supple.open(path) as recording:
        # Of numbered files each is small: only those before the end of the disk are there.
        assert len(recording) >= min(count - 1, 999) and len(recording) >= (
            1 if ending in (".obj", ".ply") else 2
        )
        last = recording[-1]
        assert np.isfinite(last.positions("sheet")).all()
