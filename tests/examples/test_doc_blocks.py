"""Every block of Python in the documentation runs, one after the other as a reader would paste them."""

from __future__ import annotations

import json
import re
import runpy
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import supple
from supple.studio.connection.packing import Packer

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def sources() -> dict[Path, list[tuple[int, str]]]:
    """Return pages with their blocks and the lines they begin at. Signatures of the reference are no programs."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    found = {}
    for page in pages:
        text = page.read_text(encoding="utf-8")
        blocks = [(text[: match.start()].count("\n") + 1, match[1]) for match in BLOCK.finditer(text)]
        if blocks and page.parent.name not in ("reference", "decisions", "notes"):
            found[page] = blocks
    return found


PAGES = sources()
SCENES = [
    page
    for page in sorted((ROOT / "docs" / "tutorials").glob("*.md"))
    if "```toml" in page.read_text("utf-8")
]


def sheet(side=40, **options):
    return supple.Cloth.rectangle(width=1.0, height=1.0, columns=side, rows=side, **options)


def prepared(page: str) -> dict[str, object]:
    """Return the names and make the files that a page takes for granted, as its text says."""
    if page == "docs/guide/air.md":
        return {"simulation": supple.Simulation(supple.Scene(sheet(6), supple.Wind()))}
    if page == "docs/guide/contact.md":
        own = sheet(6, name="sheet")
        return {"simulation": supple.Simulation(supple.Scene(own)), "scene": supple.Scene(own)}
    if page == "docs/guide/obstacles.md":
        ball = supple.Sphere(radius=0.2)
        shutil.copy(ROOT / "supple" / "gallery" / "liver.obj", "statue.obj")
        supple.record(supple.Simulation(supple.Scene(sheet(5))), "walk.glb", seconds=0.1)
        corners = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0, -1, 0], [0, 0, -1]], dtype=float)
        faces = [[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]]
        return {
            "simulation": supple.Simulation(supple.Scene(sheet(5), ball)),
            "cape": sheet(5, at=(0.0, 3.0, 0.0)),
            "vertices": 0.1 * corners,
            "triangles": np.array(faces),
        }
    if page == "docs/guide/panels.md":
        shutil.copy(ROOT / "supple" / "gallery" / "tunic.json", ".")
        shirt = ROOT / "supple" / "gallery" / "patterns" / "shirt.json"
        worn = supple.Pattern(file=shirt, size=0.03, body="anna", self_contact="off")
        return {
            "simulation": supple.Simulation(supple.Scene(worn, supple.Mesh(shape="mannequin", name="anna")))
        }
    if page == "docs/guide/studio.md":
        simulation = supple.Simulation(supple.find_scene("hanging-sheet"))
        simulation.step()
        simulation.script.save("hanging-sheet-edits.toml")
    return {}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_python_of_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    play = supple.play  # ended by a person, unless it runs beside the program
    monkeypatch.setattr(supple, "play", lambda *a, **b: play(*a, **b) if b.get("blocking") is False else None)
    monkeypatch.setenv(
        "SUPPLE_CHROMIUM", str(tmp_path / "none")
    )  # films drawn by the page take minutes; they
    name = page.relative_to(ROOT).as_posix()
    names = {"__name__": "page", "supple": supple, **prepared(name)}
    for line, code in PAGES[page]:
        code = code.replace(
            ".mp4", ".webp"
        )  # films drawn by the page take minutes, and have tests of their own
        exec(compile("\n" * line + code, name, "exec"), names)


@pytest.mark.parametrize("page", SCENES, ids=lambda page: page.name)
def test_the_scene_file_of_a_tutorial_is_one_and_runs(page, tmp_path):
    blocks = re.findall(r"^```toml\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    (tmp_path / "scene.toml").write_text("\n".join(blocks), encoding="utf-8")
    simulation = supple.Simulation(supple.read_scene(tmp_path / "scene.toml"))
    assert simulation.step().status.name == "OK"


def test_the_javascript_of_the_protocol_reads_what_the_server_sends(tmp_path):
    find_node = runpy.run_path(str(ROOT / "scripts" / "build_page.py"))["find_node"]
    try:
        node, _ = find_node(may_install=False)
    except RuntimeError as missing:
        pytest.skip(str(missing))
    page = (ROOT / "docs" / "guide" / "socket.md").read_text(encoding="utf-8")
    (snippet,) = re.findall(r"^```js\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    simulation = supple.Simulation(supple.Scene(sheet(6), supple.Sphere(radius=0.1, at=(0.0, -2.0, 0.0))))
    simulation.step()
    message = Packer(simulation, world=1).frame(with_strain=False)
    (tmp_path / "frame").write_bytes(bytes(message))
    program = f"""
        const bytes = require("fs").readFileSync({str(tmp_path / "frame")!r});
        const message = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
        const count = 36, positions = new Float32Array(3 * count);
        {snippet}
        console.log(JSON.stringify(Array.from(positions)));
    """
    printed = subprocess.run([node, "-e", program], capture_output=True, text=True, check=True).stdout
    read = np.array(json.loads(printed)).reshape(-1, 3)
    assert np.abs(read - simulation.positions("cloth")).max() < 1e-4
