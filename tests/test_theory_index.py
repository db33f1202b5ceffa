"""The theory pages: every label is defined once, every citation leads to one, and the index is up to date."""

from __future__ import annotations

import re
import runpy
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "theory_index.py"))
LABEL = re.compile(r"\(([A-Z][0-9]{1,2})\)")
SECTION = re.compile(r'docs/theory/([\w-]+\.md), "([^"]+)"')


def labels_by_page():
    return {page.name: [label for label, _ in page.sections] for page in SCRIPT["pages"]()}


def written_files():
    """Yield every file that people write equations or citations into."""
    for folder, ending in (("supple", "py"), ("tests", "py"), ("benchmarks", "py"), ("examples", "py")):
        yield from sorted((ROOT / folder).rglob(f"*.{ending}"))
    yield from sorted((ROOT / "docs").rglob("*.md"))


def test_the_index_is_up_to_date():
    kept = (ROOT / "docs" / "theory" / "README.md").read_text(encoding="utf-8")
    assert SCRIPT["written"]() == kept, "run make theory"


def test_every_label_is_defined_once():
    counts = Counter(label for labels in labels_by_page().values() for label in labels)
    assert len(counts) > 100
    assert [label for label, count in counts.items() if count > 1] == []


def test_every_page_has_a_letter_of_its_own():
    letters = {name: {label[0] for label in labels} for name, labels in labels_by_page().items() if labels}
    assert [name for name, own in letters.items() if len(own) > 1] == []
    assert len(set().union(*letters.values())) == len(letters)


def test_every_equation_that_the_code_cites_stands_on_the_page_it_names():
    defined = labels_by_page()
    found = list(SCRIPT["citations"]())
    assert len(found) > 100
    assert [citation for citation in found if citation.label not in defined.get(citation.page, [])] == []


def test_every_label_in_brackets_is_defined_somewhere():
    defined = {label for labels in labels_by_page().values() for label in labels}
    missing = [
        (path.relative_to(ROOT).as_posix(), label)
        for path in written_files()
        for label in LABEL.findall(path.read_text(encoding="utf-8"))
        if label not in defined
    ]
    assert missing == []


def test_every_section_that_is_cited_by_its_title_exists():
    for path in written_files():
        for page, title in SECTION.findall(path.read_text(encoding="utf-8")):
            text = (ROOT / "docs" / "theory" / page).read_text(encoding="utf-8")
            assert re.search(rf"^#+ {re.escape(title)}$", text, re.MULTILINE), (path.name, page, title)


def test_no_paper_is_listed_twice():
    text = (ROOT / "docs" / "theory" / "README.md").read_text(encoding="utf-8")
    papers = [line for line in text.splitlines() if line.startswith("- ")]
    assert len(papers) > 10
    assert [paper for paper, count in Counter(papers).items() if count > 1] == []
