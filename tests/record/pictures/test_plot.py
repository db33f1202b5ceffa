import importlib.util

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from supple.cli import app
from supple.errors import SuppleError
from supple.record.pictures.plot import columns_of, draw, plot
from tests.record.conftest import STEPS


@pytest.mark.parametrize("ending", [".npz", ".csv", ".parquet", ".usd"])
def test_a_figure_is_drawn_of_whatever_tells_about_a_run(recorded, tmp_path, ending):
    path = plot(recorded.path(ending), tmp_path / "figure.png")
    with Image.open(path) as figure:
        pixels = np.asarray(figure.convert("L"))
    assert pixels.shape[1] == 1280 and (pixels < 128).mean() > 0.005


def test_curves_are_the_reports(recorded):
    columns = columns_of(recorded.path(".csv"))
    figure = draw(columns, "run")
    labels = [axis.get_ylabel() for axis in figure.axes]
    assert labels[0] == "energy [J]" and "largest stretch [-]" in labels and "cost [ms]" in labels
    time, kinetic = figure.axes[0].get_lines()[0].get_data()
    np.testing.assert_allclose(time, recorded.times[1:])
    np.testing.assert_allclose(kinetic, [report.kinetic_energy for report in recorded.reports])


def test_of_shapes_alone_the_motion_is_drawn(recorded):
    columns = columns_of(recorded.path(".pc2"))
    np.testing.assert_allclose(
        columns["height of cloth"], [points[:, 1].mean() for points in recorded.positions["cloth"]], rtol=1e-5
    )
    assert columns["speed of cloth"][0] == 0.0 and columns["speed of cloth"][-1] > 0.1


def test_figures_end_in_what_they_are_and_are_not_replaced(recorded, tmp_path):
    with pytest.raises(SuppleError, match=r"\.pdf"):
        plot(recorded.path(".csv"), tmp_path / "figure.docx")
    (tmp_path / "figure.svg").write_text("mine")
    with pytest.raises(SuppleError, match="--force"):
        plot(recorded.path(".csv"), tmp_path / "figure.svg")
    assert (
        plot(recorded.path(".csv"), tmp_path / "figure.svg", replace=True)
        .read_text("utf-8")
        .startswith("<?xml")
    )


def test_tables_of_others_are_refused(tmp_path):
    (tmp_path / "a.csv").write_text("month,sales\n1,5\n", encoding="utf-8")
    with pytest.raises(SuppleError, match="no column `time`"):
        plot(tmp_path / "a.csv")
    (tmp_path / "b.csv").write_text("\x00\x01", encoding="utf-8")
    with pytest.raises(SuppleError, match="table"):
        plot(tmp_path / "b.csv")
    with pytest.raises(SuppleError, match="cannot open"):
        plot(tmp_path / "none.csv")


def test_missing_matplotlib_names_the_one_command(recorded, tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SuppleError, match=r'pip install "supple\[plot\]"'):
        plot(recorded.path(".csv"), tmp_path / "figure.png")


def test_the_commands_convert_and_plot(recorded, tmp_path):
    runner = CliRunner()
    answer = runner.invoke(app, ["convert", str(recorded.path(".npz")), str(tmp_path / "a.obj"), "--up", "z"])
    assert answer.exit_code == 0 and f"to a-{STEPS:04d}.obj, {STEPS + 1} files" in answer.output
    answer = runner.invoke(app, ["plot", str(recorded.path(".csv")), "--out", str(tmp_path / "a.png")])
    assert answer.exit_code == 0 and (tmp_path / "a.png").is_file()
    answer = runner.invoke(app, ["film", "--ending", "avi"])
    assert isinstance(answer.exception, SuppleError)
    answer = runner.invoke(app, ["convert", "a.npz", "b.obj", "--size", "big"])
    assert isinstance(answer.exception, SuppleError)
