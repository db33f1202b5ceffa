"""What the guide promises is held by tests that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "guide" / "promises.md").read_text(encoding="utf-8")


def test_every_test_that_holds_a_promise_exists():
    held = re.findall(r"^- `(tests/[\w/]+\.py)`: `(\w+)`$", TEXT, re.MULTILINE)
    assert len(held) == TEXT.count("- `tests/"), "a line names a file and a test"
    missing = []
    for path, name in held:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        if name not in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}:
            missing.append(f"{path}: {name}")
    assert not missing


def test_every_promise_is_held_by_a_test():
    promised = TEXT.split("## What is not promised")[0].split("\n## ", 1)[1]
    blocks = [block.strip() for block in promised.split("\n\n")[1:]]
    paragraphs = [block for block in blocks if block and not block.startswith("## ")]
    for promise, tests in zip(paragraphs[::2], paragraphs[1::2], strict=True):
        assert promise.startswith("**"), promise
        assert tests.startswith("- `tests/"), promise
