"""The one decorator: its cache on disk, what it counts, and compiled code against the same in Python."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import supple.kernel
from supple.kernel import (
    add_scaled,
    compilation_watch,
    cross,
    difference,
    dot,
    kernel,
    norm,
    source_hash,
)

BOTH = pytest.mark.parametrize("way", ["compiled", "python"])


def version(function, way):
    return function if way == "compiled" else function.py_func


# ---------------------------------------------------------------- 3-vectors


@BOTH
def test_vectors_as_tuples_agree_with_numpy(way):
    generator = np.random.default_rng(0)
    points = generator.standard_normal((4, 3))
    a, b = tuple(points[0].tolist()), tuple(points[1].tolist())
    assert version(difference, way)(points, 2, 3) == pytest.approx(tuple(points[2] - points[3]))
    assert version(dot, way)(a, b) == pytest.approx(points[0] @ points[1])
    assert version(cross, way)(a, b) == pytest.approx(tuple(np.cross(points[0], points[1])))
    assert version(norm, way)(a) == pytest.approx(np.linalg.norm(points[0]))
    expected = points[3] + 2.5 * points[0]
    version(add_scaled, way)(points, 3, a, 2.5)
    np.testing.assert_allclose(points[3], expected)


def test_division_by_zero_is_a_number_and_not_an_error():
    @kernel
    def ratio(a, b):
        return a / b

    assert np.isinf(ratio(1.0, 0.0))
    assert np.isnan(ratio(0.0, 0.0))


# ---------------------------------------------------------------- the cache on disk


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return a copy of the package's sources whose hashes start afresh."""
    copy = tmp_path / "supple"
    shutil.copytree(supple.kernel.PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(supple.kernel, "PACKAGE", copy)
    yield copy
    forget()


def forget():
    supple.kernel._imported_sources.cache_clear()
    source_hash.cache_clear()


def hashes(package):
    forget()
    names = (
        "kernel.py",
        "forces/springs.py",
        "forces/bending.py",
        "integrate/xpbd.py",
        "integrate/jacobi.py",
    )
    return {name: source_hash(package / name) for name in names}


def changed(before, after):
    return {name for name in before if before[name] != after[name]}


def test_an_edit_of_a_helper_changes_the_hash_of_every_caller(package):
    before = hashes(package)
    helper = package / "forces" / "bending.py"
    helper.write_text(helper.read_text() + "\n# edited\n")
    found = changed(before, hashes(package))
    assert {"forces/bending.py", "integrate/xpbd.py"} <= found
    assert "forces/springs.py" not in found
    assert "kernel.py" not in found


def test_an_edit_of_the_vector_helpers_changes_every_hash(package):
    before = hashes(package)
    (package / "kernel.py").write_text((package / "kernel.py").read_text() + "\n# edited\n")
    assert changed(before, hashes(package)) == set(before)


def test_an_indirect_import_counts(package):
    before = hashes(package)
    world = package / "model" / "springs.py"
    world.write_text(world.read_text() + "\n# edited\n")
    assert "integrate/jacobi.py" in changed(before, hashes(package))


def test_hashes_do_not_depend_on_where_the_package_lies(package):
    copied = hashes(package)
    supple.kernel.PACKAGE = Path(supple.kernel.__file__).parent
    assert hashes(supple.kernel.PACKAGE) == copied


PROGRAM = """
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    from supple.kernel import compilation_watch, norm
    compiled = []
    with compilation_watch(compiled.append):
        length = norm((3.0, 4.0, 0.0))
        norm((1.0, 2.0, 2.0))
print(length, compiled, len(caught), *(str(w.message)[:16] for w in caught))
"""


def run(cache):
    environment = {**os.environ, "SUPPLE_CACHE_DIR": str(cache)}
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
    )
    return result.stdout.strip()


def test_a_kernel_is_compiled_once_and_then_loaded(tmp_path):
    assert run(tmp_path / "cache") == "5.0 ['norm'] 0"
    assert run(tmp_path / "cache") == "5.0 [] 0"
    assert any((tmp_path / "cache" / "kernel").iterdir())


@pytest.fixture(scope="module")
def filled_cache(tmp_path_factory):
    folder = tmp_path_factory.mktemp("filled") / "cache"
    run(folder)
    return folder


@pytest.mark.parametrize(
    ("damage", "ending"), [("cut off", "nbc"), ("other bytes", "nbc"), ("empty", "nbi"), ("one bit", "nbi")]
)
def test_damaged_files_of_the_cache_are_compiled_anew(filled_cache, tmp_path, damage, ending):
    shutil.copytree(filled_cache, tmp_path / "cache")
    files = sorted((tmp_path / "cache").rglob(f"*.{ending}"))
    assert files
    for file in files:
        content = bytearray(file.read_bytes())
        half = len(content) // 2
        content[half] ^= 1
        damages = {
            "cut off": content[:half],
            "empty": b"",
            "other bytes": bytes(range(256)),
            "one bit": content,
        }
        file.write_bytes(damages[damage])
    assert run(tmp_path / "cache") == "5.0 ['norm'] 1 the kernel cache"
    assert run(tmp_path / "cache") == "5.0 [] 0"


def test_kernels_with_checked_indices_have_a_cache_of_their_own(tmp_path, monkeypatch):
    run(tmp_path / "cache")
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert run(tmp_path / "cache") == "5.0 ['norm'] 0"


def test_a_cache_that_cannot_be_written_warns_once_and_works(tmp_path):
    (tmp_path / "file").write_text("in the way")
    answer = run(tmp_path / "file" / "cache")
    assert answer == "5.0 ['norm'] 1 the kernel cache"


def test_old_versions_of_a_module_leave_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv(supple.cache_folder.CACHE_VARIABLE, str(tmp_path))
    for n in range(7):
        old = tmp_path / "kernel" / f"version{n}"
        old.mkdir(parents=True)
        os.utime(old, (n, n))
    supple.kernel._cache_folder.cache_clear()
    folder = supple.kernel._cache_folder(Path(supple.kernel.__file__))
    supple.kernel._cache_folder.cache_clear()
    kept = sorted(path.name for path in (tmp_path / "kernel").iterdir())
    assert len(kept) == supple.kernel.KEPT_VERSIONS
    assert folder.name in kept
    assert "version6" in kept


def test_compilations_are_counted_only_while_watched(tmp_path, monkeypatch):
    monkeypatch.setenv(supple.cache_folder.CACHE_VARIABLE, str(tmp_path))
    supple.kernel._cache_folder.cache_clear()

    @kernel
    def twice(a):
        return 2.0 * a

    seen = []
    with compilation_watch(seen.append):
        twice(1.0)
        twice(2.0)
        twice(np.float32(1.0))
    twice(1j)
    supple.kernel._cache_folder.cache_clear()
    assert seen == ["twice", "twice"]


def test_what_numba_compiles_of_its_own_is_not_counted(tmp_path, monkeypatch):
    monkeypatch.setenv(supple.cache_folder.CACHE_VARIABLE, str(tmp_path))
    supple.kernel._cache_folder.cache_clear()

    @kernel
    def clamped(a):
        return min(max(a, 1.0), 3.0)  # Numba compiles an `impl` for each of the two

    seen = []
    with compilation_watch(seen.append):
        clamped(2.0)
    supple.kernel._cache_folder.cache_clear()
    assert seen == ["clamped"]


# ---------------------------------------------------------------- kernels that take bundles


class Bundle(NamedTuple):
    values: np.ndarray
    counts: np.ndarray


@kernel(is_entry=True)
def weighted(bundle, factor, out):
    for i in range(bundle.values.shape[0]):
        out[i] = factor * bundle.values[i] * bundle.counts[i]


@kernel
def twice_weighted(bundle, out):
    weighted(bundle, 2.0, out)


def bundle_of(dtype=np.float64):
    return Bundle(np.arange(4, dtype=dtype), np.arange(4))


@pytest.mark.parametrize("times", [1, 3])
def test_an_entry_kernel_gives_what_a_kernel_gives(times):
    for _ in range(times):
        out = np.zeros(4)
        weighted(bundle_of(), 0.5, out)
        np.testing.assert_array_equal(out, [0.0, 0.5, 2.0, 4.5])


def test_kernels_call_entry_kernels():
    out = np.zeros(4)
    twice_weighted(bundle_of(), out)
    np.testing.assert_array_equal(out, [0.0, 2.0, 8.0, 18.0])


def test_arrays_of_another_type_are_refused_where_calls_are_checked(monkeypatch):
    weighted(bundle_of(), 0.5, np.zeros(4))
    monkeypatch.setattr(supple.kernel, "CHECKED_EVERY", 1)
    monkeypatch.setattr(supple.kernel, "CHECKS_CALLS", True)
    weighted(bundle_of(), 0.5, np.zeros(4))
    with pytest.raises(TypeError, match="weighted was called with arrays of other types"):
        weighted(Bundle(np.arange(8.0)[::2], np.arange(4)), 0.5, np.zeros(4))
