"""Every notebook runs from its first cell to its last."""

import json
from pathlib import Path

import matplotlib
import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples/notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    matplotlib.use("agg")
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["nbformat"] == 4 and content["cells"][0]["cell_type"] == "markdown"
    assert all(
        not cell.get("outputs") for cell in content["cells"]
    )  # kept without outputs: they change with every run
    names = {"__name__": "notebook"}
    for number, cell in enumerate(content["cells"]):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{path.name}[{number}]", "exec"), names)
    names["plt"].close("all")
