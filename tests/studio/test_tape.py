import numpy as np
import pytest

import supple
from supple.studio.tape import Tape
from tests.studio.pages import sheet_scene


def test_a_tape_holds_every_frame(tmp_path):
    simulation = supple.Simulation(sheet_scene())
    tape = Tape(simulation, tmp_path / "new folder", "sheet")
    expected = []
    for _ in range(4):
        simulation.step()
        tape.add()
        expected.append(simulation.positions("cloth").copy())
    path = tape.close()
    assert path.parent == tmp_path / "new folder"
    with np.load(path) as kept:
        assert np.allclose(kept["cloth/positions"], expected, atol=1e-6)
        assert np.allclose(kept["time"], [0.02, 0.04, 0.06, 0.08])
        assert np.array_equal(kept["cloth/triangles"], simulation.triangles("cloth"))
    assert [file.suffix for file in path.parent.iterdir()] == [".npz"]


def test_two_tapes_of_the_same_second_do_not_overwrite_each_other(tmp_path):
    simulation = supple.Simulation(sheet_scene())
    paths = {Tape(simulation, tmp_path, "sheet").close() for _ in range(2)}
    assert len(paths) == 2


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(supple.SuppleError, match="cannot record"):
        Tape(supple.Simulation(sheet_scene()), tmp_path / "file", "sheet")
