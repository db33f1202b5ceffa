"""Edits over the socket: they reach every page in the same frame, have one history, and can be written down."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

import supple
from supple.errors import SuppleError
from supple.studio.panel.parameters import declare_parameters
from supple.studio.play import Studio
from supple.studio.tools.undo_history import UndoHistory
from tests.studio.connection.test_protocol import EXAMPLES, mutated
from tests.studio.pages import open_page, run, sheet_scene


def row_path(row, columns=8, **sides):
    """Return a path along the middle of a row of squares, from the left border to the right."""
    corners, weights = [], []
    for column in range(columns - 1):
        a = row * columns + column
        corners.append([a, a + columns, a + columns + 1])
        weights.append([0.5, 0.3, 0.2])
    return {
        "body": "cloth",
        "corners": corners,
        "weights": weights,
        "from_beside": True,
        "to_beside": True,
        **sides,
    }


def numbers(message):
    """Return world and frame of a binary message."""
    return int.from_bytes(message[4:8], "little"), int.from_bytes(message[8:12], "little")


async def another_world(page):
    """Listen until the shapes of a new world have come."""
    count = len(page.geometries)
    while len(page.geometries) == count:
        await page.hear()


async def bodies_are_seen(page, count):
    """Listen until the shapes of so many bodies have come."""
    while True:
        geometry = page.geometries[-1]
        size = int.from_bytes(geometry[8:12], "little")
        if len(json.loads(geometry[16 : 16 + size])["bodies"]) == count:
            return
        await page.hear()


async def settled(studio):
    """Return a page that sees the running world, not the preview of it, and the number of that world."""
    page = await open_page(studio)
    while not page.frames or numbers(page.frames[-1])[1] < 1:
        await page.hear()
    return page, numbers(page.geometries[-1])[0]


def test_a_cut_reaches_the_page_in_the_same_frame(studio):
    async def conversation():
        page, world = await settled(studio)
        await page.say("cut", world=world, paths=[row_path(3)], along_edges=False)
        await another_world(page)
        last = numbers(page.frames[-1])
        await page.more_frames(3)
        await page.socket.close()
        return world, last, [numbers(frame) for frame in page.frames[-3:]], page.geometries[-1], page.words

    world, last, later, geometry, words = run(conversation())
    assert last[0] == world and [number for number, _ in later] == [world + 1] * 3
    assert later[0][1] > last[1], "no frame shows the cut cloth in its old shape"
    size = int.from_bytes(geometry[8:12], "little")
    shapes = json.loads(geometry[16 : 16 + size])
    assert [body["name"] for body in shapes["bodies"]] == ["cloth", "cloth-piece-1"]
    states = [word for word in words if word["type"] == "state"]
    assert states[-1]["undo_label"] == "cut cloth" and states[-1]["can_undo"]


def test_paused_edits_are_seen_at_once_and_what_was_drawn_before_one_is_made_after_it(studio):
    async def conversation():
        page, world = await settled(studio)
        await page.say("pause", value=True)
        await page.of_type("state", is_paused=True)
        await page.say("cut", world=world, paths=[row_path(3)], along_edges=True)
        await page.say("cut", world=world, paths=[row_path(5)], along_edges=True)
        await bodies_are_seen(page, 3)
        await page.say("undo")
        await page.say("undo")
        await bodies_are_seen(page, 1)
        await page.socket.close()

    run(conversation())
    assert studio.player.simulation.body_names == ("cloth",)


def test_what_was_drawn_before_the_scene_started_again_is_refused(studio):
    async def conversation():
        page, world = await settled(studio)
        await page.say("reset")
        await another_world(page)
        await page.say("cut", world=world, paths=[row_path(3)], along_edges=True)
        problem = await page.of_type("problem")
        await page.socket.close()
        return problem

    assert "has changed since this was drawn" in run(conversation())["text"]
    assert studio.player.simulation.body_names == ("cloth",)


def test_mutated_strokes_do_not_reach_the_simulation(studio):
    """Messages that are no strokes are refused before it, and strokes on nothing change nothing."""
    chance = random.Random(11)
    strokes = [words for words in EXAMPLES if words["type"] in ("cut", "sew", "shrink", "erase")]

    async def conversation():
        page, _ = await settled(studio)
        for n in range(1500):
            words = json.loads(json.dumps(chance.choice(strokes)))
            words["world"] = 10**6
            await page.socket.send(mutated(words, chance))
            if n % 100 == 0:
                await page.more_frames(1)
        await page.more_frames(3)
        await page.socket.close()
        return page

    page = run(conversation())
    assert sum(word["type"] == "problem" for word in page.words) > 1000
    simulation = studio.player.simulation
    assert simulation.undoable == () and simulation.revision == 0 and studio.player.failure is None
    assert np.isfinite(simulation.positions("cloth")).all()


def test_a_script_is_written_for_download_and_listed_nowhere_else(studio, tmp_path):
    async def conversation():
        page, world = await settled(studio)
        await page.say("cut", world=world, paths=[row_path(2)], along_edges=False)
        await page.of_type("state", undo_label="cut cloth")
        await page.say("save_script")
        saved = await page.of_type("script_saved")
        await page.socket.close()
        return saved

    saved = run(conversation())
    assert saved["entries"] == 1 and saved["is_complete"]
    script = supple.read_script(tmp_path / saved["name"])
    assert [edit.kind for edit in script.edits] == ["cut"]


def test_a_studio_replays_edits_and_does_so_again_after_a_reset(tmp_path):
    simulation = supple.Simulation(sheet_scene())
    simulation.step()
    simulation.cut("cloth", edges=[8 * row + 3 for row in range(8)])
    simulation.script.save(tmp_path / "edits.json")

    async def conversation(studio):
        page = await open_page(studio)
        await page.of_type("state", undo_label="cut cloth")
        await page.say("reset")
        await page.of_type("state", undo_label="")
        await page.of_type("state", undo_label="cut cloth")
        await page.socket.close()

    with Studio(sheet_scene(), port=0, token="secret", edits=tmp_path / "edits.json") as studio:
        run(conversation(studio))
        assert studio.player.simulation.body_names == ("cloth", "cloth-piece-1")


def test_a_missing_script_is_told_before_anything_starts(tmp_path):
    with pytest.raises(SuppleError, match="cannot read"):
        Studio(sheet_scene(), port=0, edits=tmp_path / "none.toml")


# ---------------------------------------------------------------- one history


def past():
    simulation = supple.Simulation(sheet_scene())
    return simulation, UndoHistory(simulation, declare_parameters(simulation))


def test_edits_of_the_scene_itself_can_be_taken_back_too():
    cut = supple.Cut(body="cloth", time=0.02, plane_point=(0.0, 0.0, 0.0), plane_normal=(1.0, 0.0, 0.0))
    simulation = supple.Simulation(supple.Scene(*sheet_scene().bodies, cut))
    history = UndoHistory(simulation, declare_parameters(simulation))
    history.change("drag", 2.0, 0.0)
    for _ in range(3):
        simulation.step()
        history.follow()
    assert history.undo_label == "cut cloth"
    assert history.undo() == {} and len(simulation.body_names) == 1
    assert history.undo() == {"drag": simulation.scene.drag} and history.undo_label == ""


def test_a_stroke_of_several_cuts_is_taken_back_as_one():
    simulation, history = past()
    for x in (-0.2, 0.2):
        simulation.cut("cloth", plane=((x, 0.0, 0.0), (1.0, 0.0, 0.0)))
    history.follow()
    history.undo()
    assert simulation.body_names == ("cloth",)
    history.redo()
    assert len(simulation.body_names) == 3
    history.follow()
    assert history.undo_label and not history.redo_label


def test_what_changed_by_itself_cannot_be_redone_and_says_so():
    simulation, history = past()
    simulation.cut("cloth", path=[(-0.6, 0.0, 0.0), (0.0, 0.0, 0.0)])
    history.follow()
    history.undo()
    assert history.redo_label == "cut cloth"
    simulation.engine.editor.history.undone.clear()  # as a running tear does
    assert history.redo_label == ""
    with pytest.raises(SuppleError, match="nothing to do again"):
        history.redo()


def test_a_pin_is_found_again_on_cloth_that_was_cut_through_it():
    simulation, history = past()
    history.toggle_pins("cloth", [35, 36], set())
    assert 35 in simulation.pinned("cloth")
    simulation.cut("cloth", edges=[8 * row + 3 for row in range(8)])  # vertex 35 lies on it
    history.follow()
    assert sum(len(simulation.pinned(name)) for name in simulation.body_names) == 4
    history.undo()
    history.undo()
    assert simulation.pinned("cloth").tolist() == [0, 7]
    history.redo()
    history.redo()
    assert sum(len(simulation.pinned(name)) for name in simulation.body_names) == 4


def test_a_fresh_start_keeps_parameters_and_forgets_edits():
    simulation, history = past()
    history.change("drag", 2.0, 0.0)
    simulation.cut("cloth", plane=((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)))
    history.follow()
    fresh = supple.Simulation(sheet_scene())
    again = UndoHistory(fresh, declare_parameters(fresh))
    again.start_again(history)
    assert fresh.scene.drag == 2.0
    assert again.undo_label == "Air damping"
    again.undo()
    assert fresh.scene.drag == sheet_scene().drag and again.undo_label == ""
