import numpy as np
import pytest
from pxr import Usd, UsdGeom

import supple
from supple.errors import SuppleError
from supple.record.formats.convention import OURS, Convention
from tests.record.conftest import SHAPE_ENDINGS, STEPS


@pytest.mark.parametrize("ending", [e for e in SHAPE_ENDINGS if e not in (".usdc", ".usda")])
def test_every_format_becomes_every_other(recorded, tmp_path, ending):
    """From the archive to the format and from the format to the archive."""
    there, back = tmp_path / f"there{ending}", tmp_path / "back.npz"
    supple.convert(recorded.path(".npz"), there, **({"tolerance": 0.0} if ending == ".glb" else {}))
    supple.convert(there, back)
    with supple.open(back) as recording:
        assert len(recording) == STEPS + 1
        for number, frame in enumerate(recording):
            truth = recorded.positions["cloth"][number]
            np.testing.assert_allclose(frame.positions("cloth"), truth, atol=2e-7 if ending == ".glb" else 0)


@pytest.mark.parametrize("ending", [e for e in SHAPE_ENDINGS if e not in (".glb", ".usdc")])
def test_axis_and_unit_are_converted_and_told(recorded, tmp_path, ending):
    path = tmp_path / f"turned{ending}"
    supple.convert(recorded.path(".npz"), path, up="z", unit="cm")
    recording = supple.open(path)
    assert recording.convention == Convention("z", "cm")
    truth = recorded.positions["cloth"][5]
    stored = recording.stored(5)
    x, y, z = truth.astype(np.float64).T * 100.0
    np.testing.assert_allclose(stored.positions("cloth"), np.stack([x, -z, y], axis=1), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(recording[5].positions("cloth"), truth, atol=1e-6)
    if "ball" in stored.obstacle_names and ending != ".vtu":
        place, turn = recording[STEPS].obstacle_pose("ball")
        vertices, _ = recording[STEPS].obstacle_surface("ball")
        own, _ = recorded.simulation.obstacle_surface("ball")
        expected = own @ recorded.poses[STEPS][1].T + recorded.poses[STEPS][0]
        np.testing.assert_allclose(vertices @ turn.T + place, expected, atol=1e-6)


def test_usd_tells_other_programs_its_axis_and_unit(recorded, tmp_path):
    supple.convert(recorded.path(".npz"), tmp_path / "turned.usd", up="z", unit="cm")
    stage = Usd.Stage.Open(str(tmp_path / "turned.usd"))
    assert UsdGeom.GetStageUpAxis(stage) == "Z"
    assert UsdGeom.GetStageMetersPerUnit(stage) == 0.01


def test_glb_has_axis_and_unit_by_definition(recorded, tmp_path):
    with pytest.raises(SuppleError, match="by definition"):
        supple.convert(recorded.path(".npz"), tmp_path / "turned.glb", up="z")


def test_what_a_file_does_not_tell_can_be_told(tmp_path):
    (tmp_path / "cm-0000.obj").write_text("o a\nv 0 0 100\nv 100 0 0\nv 0 100 0\nf 1 2 3\n", encoding="utf-8")
    supple.convert(tmp_path / "cm.obj", tmp_path / "m.npz", from_unit="cm", from_up="z")
    points = supple.open(tmp_path / "m.npz")[0].positions("a")
    np.testing.assert_allclose(points, [[0, 1, 0], [1, 0, 0], [0, 0, -1]], atol=1e-7)


def test_every_nth_frame_keeps_times_and_rate(recorded, tmp_path):
    supple.convert(recorded.path(".npz"), tmp_path / "few.npz", every=5)
    recording = supple.open(tmp_path / "few.npz")
    assert len(recording) == 3 and recording.frame_rate == 10.0
    np.testing.assert_allclose(recording.times, np.array(recorded.times)[::5])


def test_reports_go_from_the_archive_into_a_table(recorded, tmp_path):
    supple.convert(recorded.path(".npz"), tmp_path / "reports.csv")
    assert len((tmp_path / "reports.csv").read_text(encoding="utf-8").splitlines()) == STEPS + 1
    with pytest.raises(SuppleError, match="holds no reports"):
        supple.convert(recorded.path(".pc2"), tmp_path / "none.csv")


def test_a_file_is_not_converted_into_itself(recorded):
    with pytest.raises(SuppleError, match="into itself"):
        supple.convert(recorded.path(".npz"), recorded.path(".npz"), replace=True)


@pytest.mark.parametrize(("up", "unit"), [("x", "m"), ("y", "miles")])
def test_unknown_axes_and_units_are_refused(up, unit):
    with pytest.raises(SuppleError, match="must be"):
        Convention.named(up, unit)


def test_our_own_convention_changes_nothing():
    np.testing.assert_array_equal(OURS.matrix, np.eye(3))
    np.testing.assert_allclose(Convention("z", "m").matrix @ [0.0, 1.0, 0.0], [0.0, 0.0, 1.0])
