"""Links of the pages lead somewhere, and pictures are small."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md"))


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
