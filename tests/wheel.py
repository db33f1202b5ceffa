"""The package as users get it: a wheel built from a clean tree, in an environment of its own without extras."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent


def clean_tree(folder: Path) -> Path:
    """Copy what git keeps or would keep, as a clone has it; only the page's parts are borrowed."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    if (ROOT / "web" / "node_modules").is_dir():
        (folder / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    return folder


def built(tree: Path, target: str, **environment: str) -> Path:
    """Build a `wheel` or an `sdist` from a tree and return the file."""
    answer = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target],
        cwd=tree, env={**os.environ, **environment}, capture_output=True, text=True,
    )  # fmt: skip
    assert answer.returncode == 0, answer.stdout + answer.stderr
    (file,) = (tree / "dist").glob("*.whl" if target == "wheel" else "*.tar.gz")
    return file


def unpacked(sdist: Path, folder: Path) -> Path:
    """Unpack a source distribution and return its tree."""
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (tree,) = folder.iterdir()
    return tree


def installed(wheel: Path, folder: Path) -> Path:
    """Install a wheel into a new environment that has its dependencies and no extras; return its programs.

    The dependencies are linked from this environment, which takes no network and a second instead of a minute.
    """
    venv.create(folder, with_pip=False, symlinks=True)
    programs = folder / "bin"
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(programs / "python"), "install", "--quiet", "--no-deps",
         "--no-index", "--disable-pip-version-check", str(wheel)],
        check=True,
    )  # fmt: skip
    (site,) = folder.glob("lib/python*/site-packages")
    for needed in _needed():
        for top in {
            file.parts[0] for file in needed.files or () if file.parts[0] not in ("..", "__pycache__")
        }:
            source, place = Path(str(needed.locate_file(top))), site / top
            if not place.exists() and source.exists():
                place.symlink_to(source)
    return programs


def _needed() -> list[Distribution]:
    """Return what supple needs without extras, and what that needs."""
    waiting = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    found: dict[str, Distribution] = {}
    while waiting:
        requirement = Requirement(waiting.pop())
        name = re.sub(r"[-_.]+", "-", requirement.name).lower()
        if name in found or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        found[name] = distribution(name)
        waiting.extend(found[name].requires or ())
    return list(found.values())
