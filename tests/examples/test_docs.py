"""Links of the pages lead somewhere, and pictures are small."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


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


NAMED = re.compile(r"`((?:supple|tests|web|scripts|benchmarks|docs|examples)/[\w./-]*)`")
NAMING = [page for page in PAGES if page.parent.name not in ("decisions", "reference")]


@pytest.mark.parametrize("page", NAMING, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_paths_that_a_page_names_exist(page):
    # Decisions are left out: they tell how things were when they were made.
    text = page.read_text(encoding="utf-8")
    named = [
        name for name in NAMED.findall(text) if "NAME" not in name and not name.endswith("-v0")
    ]  # no environments
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_glossary_is_in_alphabetical_order_and_explains_every_term_once():
    text = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    field, own = (re.findall(r"^- \*\*([^*]+)\*\*", part, re.MULTILINE) for part in text.split("\n## ")[1:])
    assert len(field) > 80
    assert field == sorted(field, key=str.lower)
    assert len({*field, *own}) == len(field) + len(own)
