"""Sweeps: in order, to the bit, whoever computes them and whoever is killed on the way."""

import concurrent.futures
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest

import supple
from tests.sweeps.scenes import deadly, hanging

ROOT = Path(__file__).parents[2]
needs_kill = pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no SIGKILL")

GRID = {"stiffness": [50.0, 500.0, 5000.0], "length": [1.0, 13, 1.5]}


def rows_of(folder):
    """Return what the runs in a folder measured, without the time they took."""
    rows = {path.name: json.loads(path.read_text()) for path in (Path(folder) / "rows").glob("*.json")}
    return {name: (row["parameters"], row["measures"]) for name, row in rows.items()}


def small(out, **values):
    return supple.sweep(
        hanging,
        **{
            "parameters": GRID,
            "measure": ["max_stretch", "lowest"],
            "out": out,
            "seconds": 0.06,
            "cluster": 1,
            **values,
        },
    )


def test_measures_come_in_the_order_asked_and_failures_are_kept(tmp_path):
    told = []
    result = small(tmp_path / "runs", progress=told.append)
    assert [tuple(p.values()) for p in result.parameters][:4] == [
        (50.0, 1.0),
        (50.0, 13),
        (50.0, 1.5),
        (500.0, 1.0),
    ]
    simulation = supple.Simulation(hanging(500.0, 1.5))
    stretch = max(report.max_stretch for report in simulation.run(0.06))
    assert result.measures["max_stretch"][5] == stretch
    assert result.measures["lowest"][5] == simulation.positions("cloth")[:, 1].min()
    assert [failure.number for failure in result.failures] == [1, 4, 7]
    failure = result.failures[0]
    assert failure.error == "ValueError: thirteen is too long" and "hanging" in failure.traceback
    assert np.isnan(result.measures["lowest"][[1, 4, 7]]).all()
    assert (told[-1].done, told[-1].failed, told[-1].total) == (9, 3, 9)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    again = subprocess.run([sys.executable, failure.script], capture_output=True, text=True, env=environment)
    assert again.returncode == 1 and "thirteen is too long" in again.stderr


def test_the_table_has_a_row_for_every_run(tmp_path):
    result = small(tmp_path / "runs")
    table = pyarrow.parquet.read_table(tmp_path / "runs/sweep.parquet").to_pydict()
    assert table["stiffness"] == [p["stiffness"] for p in result.parameters] and table["key"] == result.keys
    np.testing.assert_array_equal(table["lowest"], result.measures["lowest"])
    assert [error is not None for error in table["error"]] == [False, True, False] * 3


def test_a_sweep_called_again_makes_nothing_twice_and_takes_more_runs(tmp_path):
    first = small(tmp_path / "runs")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "runs").glob("*/*.json")}
    more = small(tmp_path / "runs", parameters={"stiffness": [10.0, 50.0], "length": [1.0]})
    assert len(more) == 2 and more.measures["lowest"][1] == first.measures["lowest"][0]
    assert all(path.stat().st_mtime_ns == when for path, when in before.items())
    small(tmp_path / "runs", retry=True)
    assert any(
        path.stat().st_mtime_ns != when for path, when in before.items() if path.parent.name == "failures"
    )


def test_a_folder_of_something_else_is_refused_or_replaced(tmp_path):
    small(tmp_path / "runs")
    with pytest.raises(supple.SuppleError, match="seconds differs"):
        small(tmp_path / "runs", seconds=0.08)
    assert len(small(tmp_path / "runs", seconds=0.08, replace=True).failures) == 3
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/notes.txt").write_text("keep me")
    with pytest.raises(supple.SuppleError, match="no folder of a sweep"):
        small(tmp_path / "mine", replace=True)
    with pytest.raises(supple.SuppleError, match="no folder of a sweep"):
        supple.Sweep(tmp_path / "mine")


def test_frames_are_kept_in_a_group_that_numpy_and_zarr_can_read(tmp_path):
    result = small(
        tmp_path / "runs",
        parameters={"stiffness": [50.0]},
        keep={"every": 2, "velocities": True, "images": (8, 6)},
    )
    frames = result.frames(0)
    assert frames["positions_cloth"].shape == frames["velocities_cloth"].shape == (2, 16, 3)
    assert frames["rgb_camera"].shape == (2, 6, 8, 3) and frames["depth_camera"].dtype == np.float32
    np.testing.assert_allclose(frames["time"], [0.0, 0.04])
    simulation = supple.Simulation(hanging(50.0))
    for _ in range(2):
        simulation.step()
    np.testing.assert_array_equal(
        frames["positions_cloth"][1], simulation.positions("cloth").astype(np.float32)
    )
    (group,) = (tmp_path / "runs/frames").iterdir()
    head = json.loads((group / "positions_cloth/.zarray").read_text())
    assert head["zarr_format"] == 2 and head["chunks"] == [2, 16, 3] and head["dtype"] == "<f4"
    assert json.loads((group / "positions_cloth/.zattrs").read_text())["_ARRAY_DIMENSIONS"] == [
        "frame",
        "vertex_cloth",
        "axis",
    ]
    assert json.loads((group / ".zattrs").read_text())["parameters"] == {"stiffness": 50.0}


def test_fields_of_a_scene_and_seeds_are_swept_as_well(tmp_path):
    scene = supple.Scene(hanging(100.0).bodies[0], supple.Wind(velocity=(3.0, 0.0, 2.0), gusts=0.9))
    result = supple.sweep(
        scene, {"wind.velocity.0": [1.0, 5.0], "seed": [1, 2]}, out=tmp_path / "runs", seconds=0.1, cluster=1,
        measure={
            "x": lambda simulation: simulation.positions("cloth")[:, 0].mean(),
            "both": lambda simulation, reports: {"n": len(reports), "t": simulation.time},
        },
    )  # fmt: skip
    assert len(set(result.measures["x"])) == 4 and set(result.measures["n"]) == {5.0}
    assert result.measures["t"] == pytest.approx([0.1] * 4)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"measure": "max_strech"}, "Did you mean"),
        ({"measure": lambda s: "far"}, None),
        ({"parameters": {"stiffness": 3.0}}, "list one value"),
        ({"parameters": []}, "no run"),
        ({"parameters": [{"stiffness": 1.0}, {"stiffness": 1.0}]}, "same parameters"),
        ({"parameters": [{"stiffness": object()}]}, "named by their parameters"),
        ({"seconds": -1.0}, "seconds"),
        ({"cluster": 3.5}, "cluster"),
        ({"cluster": 0}, "1 or more"),
        ({"cluster": True}, "1 or more"),
        ({"keep": {"evry": 3}}, "Did you mean"),
        ({"substep": 3}, "substep"),
    ],
)
def test_what_makes_no_sense_is_refused_or_fails_run_by_run(tmp_path, values, words):
    if words is None:
        assert "must be a number" in small(tmp_path / "runs", **values).failures[0].error
        return
    with pytest.raises(supple.SuppleError, match=words):
        small(tmp_path / "runs", **values)


def test_any_executor_gives_the_same(tmp_path):
    serial = small(tmp_path / "serial")
    with concurrent.futures.ThreadPoolExecutor(2) as executor:
        threaded = small(tmp_path / "threads", cluster=executor)
    assert rows_of(tmp_path / "serial") == rows_of(tmp_path / "threads")
    assert [f.error for f in serial.failures] == [f.error for f in threaded.failures]


@needs_kill
def test_a_process_that_is_killed_takes_no_run_with_it(tmp_path):
    parameters = [{"stiffness": 100.0 * n, "marker": str(tmp_path / "dead")} for n in range(1, 9)]
    killed = supple.sweep(deadly, parameters, measure="lowest", out=tmp_path / "two", seconds=0.04, cluster=2)
    assert (tmp_path / "dead").exists() and killed.failures == []
    serial = supple.sweep(deadly, parameters, measure="lowest", out=tmp_path / "one", seconds=0.04, cluster=1)
    assert rows_of(tmp_path / "two") == rows_of(tmp_path / "one")
    np.testing.assert_array_equal(killed.measures["lowest"], serial.measures["lowest"])


DASK = """
import sys
from distributed import LocalCluster
import supple
from tests.sweeps.scenes import hanging

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        print(*[nanny.pid for nanny in cluster.workers.values()], flush=True)
        supple.sweep(
            hanging, {"stiffness": [10.0 + n for n in range(200)]}, measure="lowest", out=sys.argv[1], seconds=0.04,
            cluster=cluster,
        )
"""


@needs_kill
def test_dask_workers_and_the_driver_may_be_killed(tmp_path):
    (tmp_path / "drive.py").write_text(DASK)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    driver = subprocess.Popen(
        [sys.executable, tmp_path / "drive.py", tmp_path / "killed"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, start_new_session=True,
    )  # fmt: skip
    try:
        victims = [int(word) for word in driver.stdout.readline().split()]
        assert len(victims) == 2
        wait_for(tmp_path / "killed", 5, driver)
        with contextlib.suppress(ProcessLookupError):  # all was done before we looked
            os.kill(victims[0], signal.SIGKILL)
        wait_for(tmp_path / "killed", 40, driver)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(driver.pid, signal.SIGKILL)
        driver.wait()
        driver.stdout.close()
    left = set(rows_of(tmp_path / "killed"))
    made = {path: path.stat().st_mtime_ns for path in (tmp_path / "killed/rows").glob("*.json")}
    grid = {"stiffness": [10.0 + n for n in range(200)]}
    resumed = supple.sweep(hanging, grid, measure="lowest", out=tmp_path / "killed", seconds=0.04, cluster=1)
    whole = supple.sweep(hanging, grid, measure="lowest", out=tmp_path / "whole", seconds=0.04, cluster=1)
    assert 40 <= len(left) and len(resumed) == 200 and resumed.failures == []
    assert all(path.stat().st_mtime_ns == when for path, when in made.items())  # nothing twice
    assert rows_of(tmp_path / "killed") == rows_of(tmp_path / "whole")
    np.testing.assert_array_equal(resumed.measures["lowest"], whole.measures["lowest"])


def wait_for(folder, count, driver):
    """Wait until so many runs have ended, as long as somebody works on them."""
    while len(list((folder / "rows").glob("*.json"))) < count:
        assert driver.poll() is None
        time.sleep(0.01)
