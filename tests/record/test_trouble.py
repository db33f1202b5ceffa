"""Odd wishes and bad places: the right result or a clear error, and nothing lost."""

import importlib.util
import os

import numpy as np
import pytest

import supple
from supple.errors import SuppleError
from supple.record import FORMATS, open_recording, record
from tests.record.conftest import SHAPE_ENDINGS


@pytest.mark.parametrize("ending", [*SHAPE_ENDINGS, ".png"])
def test_what_exists_is_not_replaced_unless_asked(drifting, tmp_path, ending):
    path = tmp_path / f"drift{ending}"
    options = {"size": (40, 30)} if ending == ".png" else {}
    first = record(drifting, path, seconds=0.3, **options)
    before = {file: file.read_bytes() for file in first if file.is_file()}
    with pytest.raises(SuppleError, match="--force"):
        record(drifting, path, seconds=0.1, **options)
    assert {file: file.read_bytes() for file in before} == before
    record(drifting, path, seconds=0.1, replace=True, **options)
    if ending != ".png":
        assert len(supple.open(path)) == 2


@pytest.mark.parametrize("ending", SHAPE_ENDINGS)
def test_one_frame_is_a_recording(drifting, tmp_path, ending):
    record(drifting, tmp_path / f"drift{ending}", seconds=0.0)
    recording = supple.open(tmp_path / f"drift{ending}")
    assert len(recording) == 1
    np.testing.assert_array_equal(recording[0].positions("sheet"), drifting.positions("sheet"))


@pytest.mark.parametrize("ending", [*SHAPE_ENDINGS, ".csv", ".parquet", ".png"])
def test_no_frame_leaves_no_file(tmp_path, ending):
    with open_recording([tmp_path / f"drift{ending}"], frame_count=5, frame_rate=10.0) as recording:
        pass
    assert recording.files == []
    assert list(tmp_path.iterdir()) == []


def test_ten_thousand_frames_come_back(drifting, tmp_path):
    paths = [tmp_path / f"long{ending}" for ending in (".npz", ".usd", ".pc2")]
    with open_recording(paths, frame_count=10_000, frame_rate=10.0) as recording:
        for drifting.frame in range(10_000):
            recording.add(drifting)
    truth = drifting.positions("sheet").astype(np.float32)
    for path in paths:
        recording = supple.open(path)
        assert len(recording) == 10_000
        np.testing.assert_array_equal(recording[-1].positions("sheet"), truth)
        assert recording.times[-1] == pytest.approx(999.9)


def test_glb_with_too_many_shapes_says_so_and_keeps_the_frames(drifting, tmp_path, monkeypatch):
    monkeypatch.setattr("supple.record.formats.glb.MOST_SHAPES", 4)
    drifting.positions = lambda body: drifting._start[body] * (1.0 + 0.5 * (drifting.frame % 2))
    with pytest.raises(SuppleError, match="Raise the tolerance") as caught:
        record(drifting, tmp_path / "drift.glb", seconds=1.0)
    assert "No frame is lost" in str(caught.value)
    assert len(supple.open(tmp_path / "drift.glb")) == 11


@pytest.mark.parametrize("ending", [*SHAPE_ENDINGS, ".csv", ".parquet", ".png"])
def test_read_only_folder_is_refused_before_the_first_frame(drifting, tmp_path, ending, monkeypatch):
    monkeypatch.setattr(os, "access", lambda place, mode: False)
    with pytest.raises(SuppleError, match="read-only"):
        record(drifting, tmp_path / f"drift{ending}", seconds=0.1)
    assert drifting.frame == 0


@pytest.mark.parametrize(
    "ending", [ending for ending, form in FORMATS.items() if form.extra and not form.instead]
)
def test_missing_library_names_the_one_command(drifting, tmp_path, ending, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SuppleError) as caught:
        record(drifting, tmp_path / f"drift{ending}", seconds=0.1)
    assert f'pip install "supple[{FORMATS[ending].extra}]"' in str(caught.value)
    assert drifting.frame == 0


def test_extras_named_in_errors_exist():
    import tomllib
    from pathlib import Path

    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    assert {form.extra for form in FORMATS.values() if form.extra} <= set(extras)


def test_one_output_twice_is_refused(drifting, tmp_path):
    with pytest.raises(SuppleError, match="twice"):
        record(drifting, tmp_path / "a.obj", tmp_path / "a.obj", seconds=0.1)


def test_option_that_no_format_has_is_refused(drifting, tmp_path):
    with pytest.raises(SuppleError, match="`tolerence` is no option"):
        record(drifting, tmp_path / "a.glb", seconds=0.1, tolerence=0.1)


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf")])
def test_senseless_lengths_are_refused(drifting, tmp_path, seconds):
    with pytest.raises(SuppleError, match="`seconds`"):
        record(drifting, tmp_path / "a.npz", seconds=seconds)


def test_trouble_with_one_file_does_not_spoil_the_others(drifting, tmp_path, monkeypatch):
    monkeypatch.setattr("supple.record.formats.glb.MOST_SHAPES", 0)
    with pytest.raises(SuppleError, match="shapes"):
        record(drifting, tmp_path / "a.glb", tmp_path / "a.npz", seconds=0.5)
    assert (tmp_path / "a.npz").is_file() and not (tmp_path / "a.npz.part").exists()


def test_folder_that_is_no_recording_is_never_replaced(drifting, tmp_path):
    (tmp_path / "precious.npy").mkdir()
    (tmp_path / "precious.npy" / "thesis.txt").write_text("years of work")
    with pytest.raises(SuppleError, match="no recording"):
        record(drifting, tmp_path / "precious.npy", seconds=0.1, replace=True)
    assert (tmp_path / "precious.npy" / "thesis.txt").is_file()


# ---------------------------------------------------------------- cuts and tears


@pytest.mark.parametrize("ending", [".npz", ".npy", ".usd", ".usda", ".obj", ".ply", ".vtu"])
def test_torn_cloth_is_written_right(torn, tmp_path, ending):
    record(torn, tmp_path / f"torn{ending}", seconds=0.4)
    recording = supple.open(tmp_path / f"torn{ending}")
    assert recording.shape_changes()
    counts = [len(frame.positions("sheet")) for frame in recording]
    assert counts == [4, 4, 5, 5, 5]
    np.testing.assert_array_equal(recording[1].triangles("sheet"), [[0, 2, 1], [1, 2, 3]])
    np.testing.assert_array_equal(recording[3].triangles("sheet"), [[0, 2, 1], [4, 2, 3]])
    torn.frame = 4
    np.testing.assert_array_equal(recording[4].positions("sheet"), torn.positions("sheet").astype(np.float32))


@pytest.mark.parametrize("ending", [".glb", ".pc2"])
def test_formats_with_one_number_of_points_refuse_tears_before_the_run(torn, tmp_path, ending):
    with pytest.raises(SuppleError, match="cut or torn"):
        record(torn, tmp_path / f"torn{ending}", seconds=0.4, reshapes=True)
    assert torn.frame == 0
    torn.may_reshape = True
    with pytest.raises(SuppleError, match="cut or torn"):
        record(torn, tmp_path / f"torn{ending}", seconds=0.4)
    assert torn.frame == 0 and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", [".glb", ".pc2"])
def test_tears_nobody_announced_are_told_and_what_came_before_is_kept(torn, tmp_path, ending):
    with pytest.raises(SuppleError, match=r"\.usd"):
        record(torn, tmp_path / f"torn{ending}", seconds=0.4)
    assert len(supple.open(tmp_path / f"torn{ending}")) >= 2


def test_torn_recording_converts_where_it_can(torn, tmp_path):
    record(torn, tmp_path / "torn.npz", seconds=0.4)
    supple.convert(tmp_path / "torn.npz", tmp_path / "torn.usd")
    assert [len(frame.positions("sheet")) for frame in supple.open(tmp_path / "torn.usd")] == [4, 4, 5, 5, 5]
    with pytest.raises(SuppleError, match="cut or torn"):
        supple.convert(tmp_path / "torn.npz", tmp_path / "torn.pc2")


def cut_in_two():
    sheet = supple.Cloth.rectangle(width=0.4, height=0.4, columns=5, rows=5, name="sheet")
    cut = supple.Cut(body="sheet", time=0.05, plane_point=(0.0, 0.03, 0.0), plane_normal=(0.0, 1.0, 0.0))
    return supple.Simulation(supple.Scene(sheet.pinned("top"), cut))


@pytest.mark.parametrize("ending", [".npz", ".npy", ".usd", ".obj", ".ply", ".vtu"])
def test_a_piece_that_comes_off_is_a_body_of_the_recording(tmp_path, ending):
    simulation = cut_in_two()
    record(simulation, tmp_path / f"cut{ending}", seconds=0.2)
    last = supple.open(tmp_path / f"cut{ending}")[-1]
    assert simulation.body_names == ("sheet", "sheet-piece-1")
    for name in simulation.body_names:
        np.testing.assert_array_equal(last.positions(name), simulation.positions(name).astype(np.float32))


def test_a_scene_with_a_cut_says_that_it_may_change_its_points(tmp_path):
    simulation = cut_in_two()
    assert simulation.may_reshape
    with pytest.raises(SuppleError, match="cut or torn"):
        record(simulation, tmp_path / "cut.glb", seconds=0.2)
    assert simulation.frame == 0
