"""Write the index of docs/theory/README.md: every page, its equations, and the files that cite them.

python scripts/theory_index.py           writes the index
python scripts/theory_index.py --check   says whether it is up to date

An equation is defined by a line that starts with four spaces and its label in brackets, as in `    (K1)   d = ...`.
A file cites it by `docs/theory/contact.md, eq. (K1)`, or by its label alone. The index stands between marks in the
README; what is around them is written by hand.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "theory"
INDEX = FOLDER / "README.md"

MARKS = ("<!-- {} from here on: written by make theory -->", "<!-- {} end here -->")
"""Lines around what is written, with the name of the part."""

DEFINED = re.compile(r"^    \(([A-Z][0-9]+)\)", re.MULTILINE)
CITED = re.compile(r"docs/theory/([\w-]+\.md), eqs?\. (\([A-Z][0-9]+\)(?:(?:, | and | to )\([A-Z][0-9]+\))*)")
RANGE = re.compile(r"\(([A-Z])([0-9]+)\) to \([A-Z]([0-9]+)\)")

ORDER = [
    *("springs", "membrane", "bending", "integrators", "descent", "solve", "constraints", "obstacles"),
    *("contact", "reactions"),
    *("air", "water", "pressure", "soft-bodies", "levels", "skin", "edits", "soft-cuts", "panels"),
    *("haptics", "slips-in-print"),
]  # fmt: skip
"""Pages in the order of reading; others follow by name."""


class Page(NamedTuple):
    """A theory page: its file, title, first sentence, and the section of every label it defines."""

    name: str
    title: str
    summary: str
    sections: list[tuple[str, str]]
    """Label and title of its section, in the order of the page; a label that is defined twice is here twice."""


class Citation(NamedTuple):
    """A file of the package that cites an equation of a page."""

    file: str
    page: str
    label: str


def main() -> int:
    """Write the index, or compare it."""
    text = written()
    if "--check" in sys.argv[1:]:
        if INDEX.read_text(encoding="utf-8") == text:
            return 0
        print("docs/theory/README.md is not up to date: run make theory")
        return 1
    INDEX.write_text(text, encoding="utf-8")
    print("wrote the index of docs/theory/README.md")
    return 0


def written() -> str:
    """Return the README of the theory with a fresh index between its marks."""
    text = INDEX.read_text(encoding="utf-8")
    for part, lines in (("pages", _table()), ("equations", _equations())):
        begin, end = (mark.format(part) for mark in MARKS)
        before, rest = text.split(begin)
        text = before + "\n".join([begin, "", *lines, "", end]) + rest.split(end)[1]
    return text


def pages() -> list[Page]:
    """Return all theory pages in the order of reading."""
    found = [_page(path) for path in FOLDER.glob("*.md") if path != INDEX]
    rank = {f"{name}.md": number for number, name in enumerate(ORDER)}
    return sorted(found, key=lambda page: (rank.get(page.name, len(rank)), page.name))


def citations() -> Iterator[Citation]:
    """Yield every citation of an equation in the sources of the package; `(O1) to (O3)` cites all three."""
    for path in sorted((ROOT / "supple").rglob("*.py")):
        # A citation may run over the end of a line.
        text = re.sub(r"\s+", " ", path.read_text(encoding="utf-8"))
        for page, labels in CITED.findall(text):
            spread = RANGE.sub(_spread, labels)
            for label in re.findall(r"\w+", spread.replace(" and ", " ")):
                yield Citation(path.relative_to(ROOT).as_posix(), page, label)


def _mentions() -> Iterator[tuple[str, str]]:
    """Yield files of the package with the labels that stand in brackets in them; a label names its page already."""
    for path in sorted((ROOT / "supple").rglob("*.py")):
        text = RANGE.sub(_spread, path.read_text(encoding="utf-8"))
        for label in re.findall(r"\(([A-Z][0-9]+)\)", text):
            yield path.relative_to(ROOT).as_posix(), label


def _spread(bounds: re.Match[str]) -> str:
    letter, first, last = bounds.groups()
    return " ".join(f"({letter}{number})" for number in range(int(first), int(last) + 1))


def _page(path: Path) -> Page:
    text = path.read_text(encoding="utf-8")
    title = text.splitlines()[0].removeprefix("# ")
    opening = " ".join(text.split("\n\n")[1].split())
    summary = re.split(r"(?<=\.) ", opening)[0]
    section, sections = title, []
    for line in text.splitlines():
        if line.startswith("#"):
            section = line.lstrip("# ").replace("`", "")
        elif label := DEFINED.match(line):
            sections.append((label[1], section))
    return Page(path.name, title, summary, sections)


def _table() -> Iterator[str]:
    """Yield a table with a line for every page."""
    yield from ("| page | equations | about |", "| --- | --- | --- |")
    for page in pages():
        labels = [label for label, _ in page.sections]
        yield f"| [{page.title}]({page.name}) | {_listed(labels)} | {page.summary} |"


def _equations() -> Iterator[str]:
    """Yield a table with a line for every equation, its section and the files that cite it."""
    files: dict[str, list[str]] = {}
    for file, label in _mentions():
        cited = files.setdefault(label, [])
        if file not in cited:
            cited.append(file)
    yield from ("| label | page | section | code that cites it |", "| --- | --- | --- | --- |")
    for page in pages():
        for label, section in sorted(page.sections, key=lambda entry: int(entry[0][1:])):
            code = ", ".join(f"`{file}`" for file in files.get(label, []))
            yield f"| {label} | [{page.title}]({page.name}) | {section} | {code} |"


def _listed(labels: list[str]) -> str:
    """Return labels in short: `K1 to K29` where none is missing in between."""
    numbers = sorted(int(label[1:]) for label in labels)
    if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{labels[0][0]}{numbers[0]} to {labels[0][0]}{numbers[-1]}"
    return ", ".join(sorted(labels, key=lambda label: int(label[1:])))


if __name__ == "__main__":
    sys.exit(main())
