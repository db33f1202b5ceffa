"""Write docs/papers, a page for each of the five papers, from the rows in docs/papers/rows.

python scripts/papers.py           writes the pages
python scripts/papers.py --check   says which of them are not up to date

A row is one equation, figure or claim, in the order of the paper. Numbers in braces, such as
`{desbrun-4.stretch_at_double_percent:.1f}`, come from docs/papers/measured.json, which
`python -m scripts.figures.draw` writes together with the pictures.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "papers"

NAMES = ("gudukbay-1997", "desbrun-1999", "kang-2000", "meyer-2000", "debunne-2000")

STATES = {
    "as printed": "what is printed is what runs",
    "by name": "what is printed runs if it is asked for by name; another way is the default",
    "otherwise": "the same purpose is served in another way, and why is said",
    "partly": "some of it is here",
    "not here": "it is not here",
}
"""What can be said of a row, and what it means."""

KEYS = {"place", "title", "state", "printed", "code", "tests", "theirs", "ours", "why", "run", "picture"}

NUMBER = re.compile(r"\{([\w-]+)\.([^:}]+)(?::([^}]+))?\}")


def read(name: str) -> dict[str, Any]:
    """Return what is written about a paper; every row has the keys that pages and tests rely on."""
    document = tomllib.loads((FOLDER / "rows" / f"{name}.toml").read_text(encoding="utf-8"))
    for row in document["row"]:
        unknown = set(row) - KEYS
        if unknown or row["state"] not in STATES:
            raise SystemExit(
                f"{name}, {row['place']}: unknown key or state: {sorted(unknown) or row['state']}"
            )
        row.setdefault("code", [])
        row.setdefault("tests", [])
    return document


def written() -> dict[str, str]:
    """Return the text of every page by its file name."""
    measured = json.loads((FOLDER / "measured.json").read_text(encoding="utf-8"))
    papers = {name: read(name) for name in NAMES}
    pages = {f"{name}.md": _page(name, paper, measured) for name, paper in papers.items()}
    pages["README.md"] = _index(papers)
    return pages


def _page(name: str, paper: dict[str, Any], measured: dict[str, dict[str, float]]) -> str:
    """Return the page of one paper."""
    rows = paper["row"]
    lines = [
        "<!-- Written by make papers from rows and measured.json; change those. -->",
        "",
        f"# {paper['title']}",
        "",
        f"{paper['authors']}: *{paper['name']}*, {paper['where']}.",
        "",
        paper["about"].strip(),
        "",
        f"Scenes that compute its figures as printed: `supple scenes --paper {name}`. {_counted(rows)}",
        "",
        "| where | what | |",
        "| --- | --- | --- |",
        *(
            f"| {row['place']} | [{row['title']}](#{_anchor(_heading(row))}) | {row['state']} |"
            for row in rows
        ),
        "",
    ]
    for row in rows:
        lines += _row(row, measured)
    return "\n".join(lines).rstrip() + "\n"


def _row(row: dict[str, Any], measured: dict[str, dict[str, float]]) -> list[str]:
    """Return the lines of one row."""

    def filled(text: str) -> str:
        return NUMBER.sub(lambda found: format(measured[found[1]][found[2]], found[3] or ".3g"), text)

    lines = [f"## {_heading(row)}", "", filled(row["printed"].strip()), ""]
    if "picture" in row:
        lines += [f"![{row['title']}](images/{row['picture']}.png)", ""]
    facts = [f"**{row['state'].capitalize()}.**" + (f" {filled(row['why'].strip())}" if "why" in row else "")]
    if "theirs" in row or "ours" in row:
        facts.append(
            f"Theirs: {row.get('theirs', 'no number')}. Ours: {filled(row.get('ours', 'no number'))}."
        )
    facts += ["Code: " + ", ".join(_code(entry) for entry in row["code"]) + "."] if row["code"] else []
    facts += ["Test: " + ", ".join(_test(entry) for entry in row["tests"]) + "."] if row["tests"] else []
    facts += [f"Run: `{row['run']}`"] if "run" in row else []
    return [*lines, *(f"- {fact}" for fact in facts), ""]


def _heading(row: dict[str, Any]) -> str:
    return f"{row['place']}: {row['title']}"


def _anchor(heading: str) -> str:
    """Return what a heading is linked by."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def split(entry: str) -> tuple[str, str]:
    """Return the file and the symbol of `path: symbol`; the symbol may be missing."""
    path, _, symbol = entry.partition(": ")
    return path, symbol


def _code(entry: str) -> str:
    path, symbol = split(entry)
    return f"[`{symbol or Path(path).name}`](../../{path})"


def _test(entry: str) -> str:
    path, symbol = split(entry)
    return f"[`{symbol}`](../../{path})"


def _counted(rows: list[dict[str, Any]]) -> str:
    """Return a sentence on how many rows are in which state."""
    counts = [(state, sum(row["state"] == state for row in rows)) for state in STATES]
    told = ", ".join(f"{count} {state}" for state, count in counts if count)
    return f"Of {len(rows)} rows: {told}."


def _index(papers: dict[str, dict[str, Any]]) -> str:
    """Return the page that leads to the others."""
    lines = [
        "<!-- Written by make papers. -->",
        "",
        "# The five papers, figure by figure",
        "",
        "Every equation, figure and claim of the papers this engine grew from: where it is in the code, the test that "
        "holds it, our number beside theirs, and how to run it as printed. `make papers` writes these pages, "
        "`python -m scripts.figures.draw` draws their pictures and takes the measurements. "
        "Where a paper errs: [slips in print](../theory/slips-in-print.md).",
        "",
        "| paper | rows | " + " | ".join(STATES) + " |",
        "| --- | --- |" + " --- |" * len(STATES),
    ]
    for name, paper in papers.items():
        rows = paper["row"]
        counts = " | ".join(str(sum(row["state"] == state for row in rows)) for state in STATES)
        lines.append(f"| [{paper['title']}]({name}.md) | {len(rows)} | {counts} |")
    lines += ["", *(f"- *{state}*: {meaning}." for state, meaning in STATES.items()), ""]
    lines.append(
        "Times are processor time on one core of a shared machine, the least of several goes: read them as ratios."
    )
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write the pages, or with --check say which are stale."""
    pages = written()
    stale = [
        name
        for name, text in pages.items()
        if not (FOLDER / name).exists() or (FOLDER / name).read_text(encoding="utf-8") != text
    ]
    if "--check" in sys.argv[1:]:
        print(
            "\n".join(f"docs/papers/{name} is not up to date: run make papers" for name in stale)
            or "up to date"
        )
        return 1 if stale else 0
    for name in stale:
        (FOLDER / name).write_text(pages[name], encoding="utf-8")
    print(f"wrote {len(stale)} of {len(pages)} pages to docs/papers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
