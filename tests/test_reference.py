"""The reference in docs/ says what the docstrings say, of every public name."""

from __future__ import annotations

import runpy
from pathlib import Path

import supple

ROOT = Path(__file__).parents[1]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "reference.py"))


def test_the_pages_are_up_to_date() -> None:
    pages = SCRIPT["written"]()
    kept = {
        path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "reference").glob("*.md")
    }
    stale = [name for name in {*pages, *kept} if pages.get(name) != kept.get(name)]
    assert not stale, "run make reference"


def test_every_public_name_is_on_a_page_once() -> None:
    others = {*SCRIPT["SHARED"], *SCRIPT["BESIDE"]}
    told = [name for _, names in SCRIPT["PAGES"].values() for name in names if name not in others]
    assert sorted(told) == sorted(name for name in dir(supple) if name != "__version__")


def test_every_public_field_and_method_says_what_it_means() -> None:
    rows = [
        (page, line)
        for page, text in SCRIPT["written"]().items()
        for line in text.splitlines()
        if line.startswith("| `")
    ]
    assert len(rows) > 150
    silent = [(page, line) for page, line in rows if line.endswith("|  |")]
    assert not silent
