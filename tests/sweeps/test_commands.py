"""`supple sweep` and `supple plot` of its folder."""

import pytest
from typer.testing import CliRunner

import supple
from supple.cli import app
from supple.sweeps.commands import values_of

SCENE = """
[cloth.sheet]
rectangle = { width = 1.0, height = 1.0, columns = 4, rows = 4 }
material = "silk"
pin = ["top-left"]
"""


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a.b=1:2:3", [1.0, 1.5, 2.0]),
        ("a.b=100:10000:log3", [100.0, 1000.0, 10000.0]),
        ("a.b=3", [3]),
        ("a.b=silk,denim", ["silk", "denim"]),
        ("a.b=1,2.5,true", [1, 2.5, True]),
    ],
)
def test_values_are_read_as_they_are_written(text, values):
    path, found = values_of(text)
    assert (
        path == "a.b" and found == pytest.approx(values) if isinstance(values[0], float) else found == values
    )


@pytest.mark.parametrize("text", ["a.b", "a.b=", "a.b=1:2", "a.b=0:2:log3", "a.b=x:y:3", "a.b=1:2:0"])
def test_values_that_make_no_sense_are_refused(text):
    with pytest.raises(supple.SuppleError, match="--vary"):
        values_of(text)


def test_a_sweep_is_made_and_drawn(tmp_path):
    (tmp_path / "scene.toml").write_text(SCENE)
    words = [
        "sweep",
        str(tmp_path / "scene.toml"),
        "--vary",
        "sheet.material.stretch_stiffness=100:10000:log3",
    ]
    words += ["--vary", "sheet.material.damping=-1,0.1", "--measure", "max_stretch", "--measure", "lowest"]
    words += ["--out", str(tmp_path / "runs"), "--seconds", "0.06", "--workers", "1"]
    answer = CliRunner().invoke(app, words, catch_exceptions=False)
    assert answer.exit_code == 0 and "6 runs" in answer.output and "3 failed" in answer.output
    result = supple.Sweep(tmp_path / "runs")
    assert result.parameters[-1]["sheet.material.stretch_stiffness"] == pytest.approx(10000.0)
    assert result.measures["max_stretch"][1] > result.measures["max_stretch"][5] > 1.0
    assert CliRunner().invoke(app, ["plot", str(tmp_path / "runs")], catch_exceptions=False).exit_code == 0
    assert (tmp_path / "runs/responses.png").stat().st_size > 5000
    with pytest.raises(supple.SuppleError, match="exists"):
        CliRunner().invoke(app, ["plot", str(tmp_path / "runs")], catch_exceptions=False)


def test_samples_are_drawn_instead_of_a_grid(tmp_path):
    (tmp_path / "scene.toml").write_text(SCENE)
    words = [
        "sweep",
        str(tmp_path / "scene.toml"),
        "--vary",
        "sheet.material.stretch_stiffness=100:10000:log",
    ]
    words += [
        "--vary",
        "sheet.material=silk,denim",
        "--samples",
        "5",
        "--method",
        "sobol",
        "--seconds",
        "0.02",
    ]
    words += ["--out", str(tmp_path / "runs"), "--workers", "1"]
    answer = CliRunner().invoke(app, words, catch_exceptions=False)
    assert answer.exit_code == 0 and len(supple.Sweep(tmp_path / "runs")) == 5
