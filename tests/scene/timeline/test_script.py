"""Scripts are read as strictly as scenes."""

from __future__ import annotations

import math

import pytest

import supple
from supple import SceneError, SuppleError
from supple.scene.timeline.script import parse_script

WHOLE = supple.Script(
    edits=[
        supple.Cut(body="cloth", time=0.1, path=[(0.1, 1 / 3, 0.0), (1e-17, -0.5, 2.0)]),
        supple.Cut(body="cloth", time=0.1, plane_point=(0.0, 0.1, 0.0), plane_normal=(1.0, 0.0, 0.0)),
        supple.Tear(body="cloth", time=0.2, strain=0.3),
        supple.Tear(body="cloth", time=0.3, strain="never"),
        supple.Seam(body="cloth", time=0.4, points=(0, 1, 2), other_points=(9, 8, 7), weld=False),
        supple.Hold(body="cloth", time=0.5, points=(3,), target=(0.0, 0.2, 0.0)),
        supple.Change(time=0.5, wind=supple.Wind(velocity=(0.0, 0.0, 3.0))),
        supple.Change(time=0.5, body="cloth", damping=0.1),
        supple.Grab(body="a b", time=0.6, vertex=4, target=(0.0, 0.2, 0.0)),
        supple.Release(body="a b", time=0.7, vertex=4),
        supple.Unseam(time=0.8, seam=0),
        supple.Undo(time=0.9),
        supple.Redo(time=0.9),
    ]
)


@pytest.mark.parametrize("is_json", [False, True])
def test_every_kind_of_entry_survives_its_text(is_json):
    text = WHOLE.json_text() if is_json else WHOLE.toml_text()
    again = parse_script(text, is_json=is_json)
    assert again == WHOLE
    assert math.isinf(again.edits[3].strain)


BAD = {
    'kind = "cutt"': ("edit[0].kind", 'Did you mean "cut"'),
    'kind = "undo"\nbody = "cloth"': ("edit[0].body", "not known here"),
    'kind = "grab"\nbody = "cloth"\nvertex = -1\ntarget = [0, 0, 0]': ("edit[0].vertex", "between 0"),
    'kind = "change"\ndamping = 0.1': ("edit[0].damping", "belongs to a body"),
    'kind = "change"\nbody = "x"\ngravity = [0, 0, 0]': ("edit[0].gravity", "whole scene"),
    'kind = "change"': ("edit[0]", "changes nothing"),
    'kind = "tear"\nbody = "x"\nstrain = -1.0': ("edit[0].strain", "greater than 0"),
    'kind = "undo"\ntime = 2\n[[edit]]\nkind = "redo"\ntime = 1': ("script.edits[1]", "before it at 2 s"),
}


@pytest.mark.parametrize("entry", BAD)
def test_wrong_entries_are_told_with_their_place(entry):
    place, message = BAD[entry]
    with pytest.raises(SceneError) as caught:
        parse_script(f"[[edit]]\n{entry}\n")
    (mistake,) = caught.value.mistakes
    assert mistake.place == place and message in mistake.message


@pytest.mark.parametrize("text", ["edit = 3", "edit = [3]", "[edits]", "is_complete = 3", "[[edit", "x = 1"])
def test_texts_that_are_no_script_are_refused(text):
    with pytest.raises(SceneError):
        parse_script(text)


def test_files_that_are_not_there_are_told(tmp_path):
    with pytest.raises(SuppleError, match="cannot read"):
        supple.read_script(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(SuppleError, match="UTF-8"):
        supple.read_script(tmp_path / "bytes.toml")
    with pytest.raises(SuppleError, match="cannot write"):
        WHOLE.save(tmp_path / "no" / "folder.toml")
