"""Importing the package and reading a scene stay light."""

import subprocess
import sys

import pytest

READ = (
    "import supple.scene.files.toml_reader as r; r.parse_scene('[cloth.a]\\n"
    'rectangle = { width = 1, height = 1, columns = 3, rows = 3 }\\npin = ["left"]\'); '
)


def loaded_after(statement):
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import supple", {"numba", "numpy", "scipy", "pydantic", "trimesh", "llvmlite"}),
        ("import supple; supple.SceneError, dir(supple), supple.__version__", {"numba", "numpy", "pydantic"}),
        (READ, {"numba", "llvmlite", "scipy", "trimesh", "pyamg"}),
    ],
    ids=["import supple", "look around", "read a scene"],
)
def test_heavy_libraries_are_not_imported(statement, absent):
    assert not absent & loaded_after(statement)


def test_every_public_name_can_be_loaded():
    import supple

    for name in dir(supple):
        assert getattr(supple, name) is not None
    with pytest.raises(AttributeError, match="Clooth"):
        _ = supple.Clooth


def test_a_star_import_shadows_nothing_of_python():
    import builtins

    import supple

    assert not set(supple.__all__) & set(dir(builtins))
    assert supple.open is not open
