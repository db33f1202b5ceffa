"""The documentation as a site: every link and heading that pages name is there, and every page is found."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built strictly: a link or a heading that is missing ends the build."""
    folder = tmp_path_factory.mktemp("site")
    answer = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True,
    )  # fmt: skip
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return folder


def test_every_page_stands_in_the_navigation_and_is_found_by_search(site):
    home = (site / "index.html").read_text(encoding="utf-8")
    found = {
        entry["location"].split("#")[0]
        for entry in json.loads((site / "search/search_index.json").read_text())["docs"]
    }
    for page in sorted((ROOT / "docs").rglob("*.md")):
        place = (
            page.relative_to(ROOT / "docs").as_posix().replace("README.md", "index.md").removesuffix(".md")
            + ".html"
        )
        assert (site / place).is_file(), place
        assert place in found, place
        assert place == "index.html" or f'href="{place}"' in home, place


def test_the_gallery_shows_every_scene(site):
    text = (site / "gallery" / "index.html").read_text(encoding="utf-8")
    scenes = [path.stem for path in (ROOT / "supple" / "gallery").glob("*.toml")]
    assert [name for name in scenes if f"supple play {name}" not in text] == []


def test_pictures_of_pages_are_there(site):
    missing = []
    for page in site.rglob("*.html"):
        for source in re.findall(r'<img[^>]* src="([^"]+)"', page.read_text(encoding="utf-8")):
            if not source.startswith(("http", "data:")) and not (page.parent / source).is_file():
                missing.append(f"{page.name}: {source}")
    assert missing == []


def test_pages_fetch_nothing_from_elsewhere(site):
    fetched = re.compile(r'<(?:script|link|img)[^>]* (?:src|href)="(https?://[^"]+)"')
    assert fetched.findall((site / "index.html").read_text(encoding="utf-8")) == []


def test_pages_begin_with_what_the_reader_will_be_able_to_do():
    listed = re.findall(
        r"- ((?:tutorials|guide)/[\w-]+\.md)", (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    )
    exempt = {"tutorials/README.md", "guide/promises.md"}  # a list of pages, a list of facts
    assert len(listed) > 25
    for name in sorted(set(listed) - exempt):
        assert "\n\nYou will be able to" in (ROOT / "docs" / name).read_text(encoding="utf-8")[:200], name


def test_words_are_spelt_as_they_are_in_dictionaries():
    codespell = [sys.executable, "-m", "codespell_lib"]  # exceptions stand in pyproject.toml
    places = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs", "examples", "supple", "web/src"]
    answer = subprocess.run([*codespell, *places], cwd=ROOT, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stdout + answer.stderr
