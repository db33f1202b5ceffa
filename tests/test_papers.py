"""Every row of docs/papers names code and tests that exist, and the pages say what the rows say."""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path

import pytest

import supple
from scripts.figures.draw import FIGURES

ROOT = Path(__file__).parents[1]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "papers.py"))
PAPERS = {name: SCRIPT["read"](name) for name in SCRIPT["NAMES"]}
ROWS = [(name, row) for name, paper in PAPERS.items() for row in paper["row"]]


def test_the_pages_are_up_to_date():
    pages = SCRIPT["written"]()
    kept = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "papers").glob("*.md")}
    assert not [name for name in {*pages, *kept} if pages.get(name) != kept.get(name)], "run make papers"


def test_every_row_says_where_it_is_and_what_proves_it():
    assert len(ROWS) > 150
    for name, row in ROWS:
        place = f"{name}, {row['place']}"
        assert row["printed"] and row["title"] and not row["title"].endswith("."), place
        if row["state"] == "not here":
            assert "why" in row, place
        else:
            assert row["code"] and row["tests"], place
        if row["state"] in ("otherwise", "partly"):
            assert "why" in row or row["printed"].startswith("Future"), place
        if row["state"] == "by name":
            assert "why" in row or "run" in row or "ours" in row or row["tests"], place


def test_places_of_a_paper_differ():
    for name, paper in PAPERS.items():
        headings = [f"{row['place']}: {row['title']}" for row in paper["row"]]
        assert len(headings) == len(set(headings)), name


def defined(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def test_all_code_that_is_named_exists():
    missing = []
    for name, row in ROWS:
        for entry in row["code"]:
            path, symbol = SCRIPT["split"](entry)
            if not (ROOT / path).is_file() or (symbol and symbol not in defined(ROOT / path)):
                missing.append(f"{name}, {row['place']}: {entry}")
    assert not missing


def test_all_tests_that_are_named_are_collected(request):
    """They exist, and where their file is part of this run, pytest has found them."""
    entries = sorted({entry for _, row in ROWS for entry in row["tests"]})
    named = [SCRIPT["split"](entry) for entry in entries]
    assert all(Path(path).name.startswith("test_") and test.startswith("test_") for path, test in named)
    missing = [(path, test) for path, test in named if test not in defined(ROOT / path)]
    if not request.config.option.keyword:
        found = {(item.nodeid.split("::")[0], item.name.split("[")[0]) for item in request.session.items}
        whole = {path for path, _ in found if not any("::" in argument for argument in request.config.args)}
        missing += [entry for entry in named if entry[0] in whole and entry not in found]
    assert not missing


def marks(path: Path) -> dict[str, set[str]]:
    """Return the marks that could keep a test from running, by its name."""
    found = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            names = {word for each in node.decorator_list for word in re.findall(r"\w+", ast.unparse(each))}
            found[node.name] = names & {"skip", "skipif", "xfail"}
    return found


def test_every_test_that_a_row_names_runs_in_continuous_integration():
    """The workflow runs `make test`, that runs all of tests/, and no test that is named is marked to be left out."""
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    assert re.search(r"^\s*- run: make test$", workflow, re.MULTILINE)
    recipe = re.search(
        r"^test:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )
    runs = [line for line in recipe[1].splitlines() if "-m pytest" in line]
    assert not any(re.search(r" -(k|m) (?!pytest)|deselect", line) for line in runs)
    left_out = {word for line in runs for word in re.findall(r"--ignore=(\S+)", line)}
    added = {word for line in runs for word in re.findall(r" (tests/\S+)", line)}
    assert left_out <= added
    named = {SCRIPT["split"](entry) for _, row in ROWS for entry in row["tests"]}
    assert all(path.startswith("tests/") for path, _ in named)
    kept_out = [(path, test) for path, test in named if marks(ROOT / path).get(test)]
    assert not kept_out


def test_every_row_of_every_page_names_a_test():
    assert not [f"{name}, {row['place']}" for name, row in ROWS if not row["tests"]]


@pytest.mark.parametrize("name", PAPERS)
def test_what_is_to_be_run_exists(name):
    for row in PAPERS[name]["row"]:
        if "picture" in row:
            assert (ROOT / "docs" / "papers" / "images" / f"{row['picture']}.png").is_file(), row["place"]
        command = row.get("run", "")
        if scene := re.match(r"supple (?:run|play|check) ([\w-]+)", command):
            assert scene[1] in supple.gallery_names(), command
        elif figure := re.fullmatch(r"python -m scripts\.figures\.draw ([\w-]+)", command):
            assert figure[1] in FIGURES, command
        else:
            assert command in ("", "supple bench"), command
