"""The theory pages hold every equation that the code cites, and links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
CITED = re.compile(r"docs/theory/([\w-]+\.md), eq\. \((\w+)\)")


def citations():
    for path in sorted((ROOT / "supple").rglob("*.py")):
        for page, label in CITED.findall(path.read_text(encoding="utf-8")):
            yield path.relative_to(ROOT).as_posix(), page, label


def has_equation(page, label):
    path = ROOT / "docs/theory" / page
    return path.exists() and re.search(rf"^    \({label}\)", path.read_text("utf-8"), re.MULTILINE)


def test_every_cited_equation_stands_on_its_page():
    found = list(citations())
    assert len(found) > 20
    assert [citation for citation in found if not has_equation(*citation[1:])] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_of_a_page_lead_to_files(page):
    text = page.read_text(encoding="utf-8")
    targets = [target for target in re.findall(r"\]\(([^)#]+)", text) if "://" not in target]
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_pictures_are_small():
    pictures = list((ROOT / "docs/images").glob("*.png"))
    films = list((ROOT / "docs/images").glob("*.webp"))
    assert pictures and films
    assert max(picture.stat().st_size for picture in pictures) < 200_000
    assert max(film.stat().st_size for film in films) < 300_000
