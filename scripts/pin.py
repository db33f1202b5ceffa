"""Write constraints.txt: the exact version of everything the project and its extras need.

Run by `make pin`. Only names and versions go into the file, never where a package came from.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEAD = "# Exact versions of everything supple and its extras need. Written by `make pin`.\n"


def resolved_versions(requirements: list[str]) -> dict[str, str]:
    """Return name to version as pip would install `requirements` into an empty environment."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed"]
    answer = subprocess.run(
        [*command, "--report", "-", *requirements], check=True, capture_output=True, text=True
    )
    packages = [entry["metadata"] for entry in json.loads(answer.stdout)["install"]]
    return {package["name"].lower().replace("_", "-"): package["version"] for package in packages}


def main() -> None:
    """Resolve every dependency, extra and build requirement and write the file."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    requirements = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    for extra in project["project"]["optional-dependencies"].values():
        requirements.extend(extra)
    versions = resolved_versions(requirements)
    lines = [f"{name}=={version}\n" for name, version in sorted(versions.items())]
    (ROOT / "constraints.txt").write_text(HEAD + "".join(lines), encoding="utf-8")
    print(f"constraints.txt: {len(lines)} packages")


if __name__ == "__main__":
    main()
