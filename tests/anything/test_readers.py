"""Files that are damaged, or made to do harm, are refused in words."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile

import numpy as np
import pytest

import supple
from supple import SuppleError
from supple.scene.files.gltf_file import Gltf
from tests.anything.samples import TARGETS, write_samples


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    folder = tmp_path_factory.mktemp("samples")
    write_samples(folder)
    return folder


@pytest.mark.skipif(sys.platform == "win32", reason="alarms and limits of Unix")
def test_mutated_files_of_every_format_are_read_or_refused(samples, tmp_path):
    order = [
        sys.executable,
        "-m",
        "tests.anything.readers",
        str(tmp_path),
        "--child",
        str(samples),
        "--count",
        "8",
    ]
    done = subprocess.run(
        [*order, "--targets", *TARGETS],
        env=os.environ,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr[-2000:]


def with_array(path, name, content):
    """Write an archive again, with other content for one of its entries."""
    with zipfile.ZipFile(path) as archive:
        entries = {entry: archive.read(entry) for entry in archive.namelist()}
    changed = path.with_name("changed.npz")
    with zipfile.ZipFile(changed, "w") as archive:
        for entry, old in entries.items():
            archive.writestr(entry, content(old) if entry == name else old)
    return changed


def head(kind, shape):
    buffer = io.BytesIO()
    np.lib.format.write_array_header_1_0(buffer, {"descr": kind, "fortran_order": False, "shape": shape})
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "kind", "shape"),
    [
        ("cloth/positions.npy", "|O", (4, 16, 3)),  # bytes that were taken for pointers
        ("cloth/positions.npy", "<f4", (4, 2**40, 3)),
        ("cloth/positions.npy", "<f4", (2**40, 16, 3)),
        ("cloth/positions.npy", "<f4", (-1, 16, 3)),
        ("cloth/positions.npy", "<c16", (4, 16, 3)),
        ("time.npy", "|O", (4,)),
        ("cloth/triangles.npy", "<f8", (9, 3)),
        ("reports.npy", "|V8", (3, 2)),
    ],
)
def test_arrays_of_other_kinds_and_shapes_are_refused_before_they_are_mapped(samples, name, kind, shape):
    changed = with_array(samples / "drape.npz", name, lambda old: head(kind, shape) + old[128:])
    with pytest.raises(SuppleError, match="damaged"):
        supple.open(changed)[0]


def test_triangles_that_name_points_which_are_not_there_are_refused(samples):
    def far(old):
        return old[:128] + b"\xff\xff\xff\x7f" + old[132:]

    changed = with_array(samples / "drape.npz", "cloth/triangles.npy", far)
    with pytest.raises(SuppleError, match="names points"):
        supple.open(changed)[0]


@pytest.mark.parametrize("name", ["../../elsewhere", "/elsewhere", "a/../../b", "c:elsewhere"])
def test_a_recording_names_no_files_outside_of_it(samples, name):
    def renamed(old):
        return old.replace(b'"cloth"', f'"{name}"'.encode())

    with pytest.raises(SuppleError, match="outside"):
        supple.open(with_array(samples / "drape.npz", "about.json", renamed))


def test_a_small_archive_does_not_unpack_to_gigabytes(tmp_path):
    with zipfile.ZipFile(tmp_path / "bomb.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("time.npy", head("<f8", (1 << 27,)) + bytes(1 << 29))
    with pytest.raises(SuppleError, match="unpacks"):
        supple.open(tmp_path / "bomb.npz")


@pytest.mark.parametrize(
    "change", [{"byteOffset": -8}, {"byteStride": 1}, {"count": -1}, {"count": 1e3}, {"count": True}]
)
def test_arrays_of_gltf_lie_inside_of_their_buffer(samples, change):
    file = Gltf(samples / "walk.glb")
    file.text["accessors"][0].update(change)
    file.text["bufferViews"][file.text["accessors"][0]["bufferView"]].update(change)
    with pytest.raises(SuppleError, match="broken"):
        file.array(0)


def test_a_glb_that_ends_in_its_head_is_refused(samples, tmp_path):
    (tmp_path / "cut.glb").write_bytes((samples / "drape.glb").read_bytes()[:10])
    with pytest.raises(SuppleError, match="text is missing"):
        supple.open(tmp_path / "cut.glb")


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, 1e300])
@pytest.mark.parametrize("name", ["particles.positions", "particles.velocities", "springs.rest_lengths"])
def test_a_state_with_numbers_that_are_none_is_refused(samples, tmp_path, name, value):
    arrays = dict(np.load(samples / "state.npz"))
    arrays[name].flat[3] = value
    np.savez_compressed(tmp_path / "state.npz", **arrays)
    with pytest.raises(SuppleError, match=name):
        supple.Simulation.load(tmp_path / "state.npz")
