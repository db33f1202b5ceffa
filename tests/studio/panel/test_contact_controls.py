"""Contact in the studio: intersections counted on demand, and modes that change while cloth moves."""

from __future__ import annotations

import pytest

import supple
from supple.errors import SuppleError
from supple.studio.connection import protocol
from supple.studio.panel.parameters import declare_parameters
from supple.studio.play import Studio
from supple.studio.tools.actions import declare_actions
from supple.studio.tools.undo_history import UndoHistory
from tests.studio.pages import open_page, run, sheet_scene


def crossed_scene(**options):
    """Two sheets without weight that cross along a line; the upright one flies off upwards."""
    flat = supple.Cloth.rectangle(
        width=0.4, height=0.4, columns=6, rows=6, plane="xz", name="flat", **options
    )
    upright = supple.Cloth.rectangle(
        width=0.3, height=0.3, columns=6, rows=6, name="upright", at=(0.01, 0.02, 0.013), **options
    )
    flying = upright.changed(velocity=(0.0, 6.0, 0.0))
    return supple.Scene(flat, flying, gravity=(0.0, 0.0, 0.0), settings=supple.Settings(substeps=2))


def past():
    simulation = supple.Simulation(crossed_scene())
    return simulation, UndoHistory(simulation, declare_parameters(simulation))


@pytest.fixture
def crossed(tmp_path):
    with Studio(crossed_scene(), port=0, record_folder=tmp_path, token="secret", is_paused=True) as running:
        yield running


# ---------------------------------------------------------------- counting


def test_intersections_are_counted_with_their_places():
    simulation = supple.Simulation(crossed_scene())
    answer = declare_actions(simulation)["count_intersections"].prepare(simulation)()
    count = simulation.intersections()
    assert answer.text.startswith(f"{count} edges pass through")
    assert len(answer.places) == count
    assert all(abs(y) < 1e-9 for _, y, _ in answer.places)
    free = supple.Simulation(sheet_scene())
    assert declare_actions(free)["count_intersections"].prepare(free)().text.startswith("0 intersections")


def test_of_very_many_places_some_are_shown_and_none_is_out_of_bounds():
    fine = {"width": 0.4, "height": 0.4, "columns": 130, "rows": 4}
    flat = supple.Cloth.rectangle(**fine, plane="xz", name="flat")
    upright = supple.Cloth.rectangle(**fine, name="upright", at=(0.0011, 0.02, 0.013))
    simulation = supple.Simulation(supple.Scene(flat, upright))
    simulation.engine.world.particles.positions[:, 0] += 2e6
    assert simulation.intersections() > protocol.MOST_PLACES
    answer = declare_actions(simulation)["count_intersections"].prepare(simulation)()
    assert protocol.MOST_PLACES / 2 < len(answer.places) <= protocol.MOST_PLACES
    assert {x for x, _, _ in answer.places} == {1e6}


def test_where_nothing_has_a_surface_nothing_is_offered():
    chain = supple.Simulation(supple.Scene(supple.Chain(length=1.0, points=4).pinned("start")))
    assert declare_actions(chain) == {}


def test_the_page_that_asks_is_answered_and_an_unknown_action_is_refused(crossed):
    async def conversation():
        page = await open_page(crossed)
        told = await page.of_type("parameters")
        await page.of_type("state")
        await page.say("act", name="count_intersections")
        answer = await page.of_type("answer")
        await page.say("act", name="make_coffee")
        problem = await page.of_type("problem")
        await page.socket.close()
        return told, answer, problem

    told, answer, problem = run(conversation())
    assert [action["name"] for action in told["actions"]] == ["count_intersections"]
    assert told["actions"][0]["group"] in {parameter["group"] for parameter in told["parameters"]}
    assert "edges pass through" in answer["text"] and answer["places"]
    assert problem["about"] == "act" and "make_coffee" in problem["text"]


# ---------------------------------------------------------------- modes


def test_contact_is_offered_for_cloth_and_soft_bodies_with_what_each_can_do():
    block = supple.SoftBody.box((0.2, 0.2, 0.2), 0.1, name="block", at=(3.0, 0.0, 0.0))
    scene = supple.Scene(*sheet_scene().bodies, block, supple.Chain(length=1.0, points=4).pinned("start"))
    simulation = supple.Simulation(scene)
    offered = declare_parameters(simulation)
    assert offered["cloth.self_contact"].choices == ("off", "points", "exact")
    assert offered["block.self_contact"].choices == ("off", "exact")
    assert "chain.self_contact" not in offered
    thickness = offered["cloth.thickness"]
    assert thickness.value == simulation.scene.body("cloth").contact_thickness()
    offered["cloth.self_contact"].change(simulation, "exact")
    for end in (thickness.low, thickness.high):
        thickness.change(simulation, thickness.checked(end))
        assert simulation.scene.body("cloth").thickness == end
    offered["cloth.friction"].change(simulation, 0.7)
    assert simulation.scene.body("cloth").friction == 0.7
    assert simulation.step().self_contact == "exact"


def test_a_refused_mode_is_told_and_the_page_goes_back_to_what_holds(crossed):
    async def conversation():
        page = await open_page(crossed)
        await page.of_type("state")
        await page.say("set", name="flat.self_contact", value="exact")
        await page.of_type("values", values={"flat.self_contact": "exact"})
        await page.say("set", name="upright.self_contact", value="exact")
        values = await page.of_type("values")
        problem = await page.of_type("problem")
        await page.socket.close()
        return values, problem

    values, problem = run(conversation())
    assert values["values"] == {"upright.self_contact": "off"}
    assert problem["about"] == "set" and "'upright' stays 'off'" in problem["text"]


def test_a_change_that_cannot_be_taken_back_now_can_be_taken_back_later():
    simulation, history = past()
    flat = simulation.engine.world.bodies["flat"].particles
    simulation.engine.world.particles.positions[flat, 1] -= 1.0
    history.change("flat.self_contact", "exact", 0.0)
    history.change("upright.self_contact", "exact", 2.0)
    history.change("upright.self_contact", "off", 4.0)
    simulation.engine.world.particles.positions[flat, 1] += 1.0
    with pytest.raises(SuppleError, match="stays 'off'"):
        history.undo()
    assert history.undo_label == "Self-contact" and history.redo_label == ""
    assert history.values["upright.self_contact"] == "off"
    simulation.engine.world.particles.positions[flat, 1] -= 1.0
    history.undo()
    assert simulation.scene.body("upright").self_contact == "exact"
    history.undo()
    simulation.engine.world.particles.positions[flat, 1] += 1.0
    with pytest.raises(SuppleError, match="stays 'off'"):
        history.redo()
    assert history.redo_label == "Self-contact" and history.undo_label == "Self-contact"


def test_a_fresh_start_that_cannot_be_exact_says_so_and_keeps_all_else():
    simulation, history = past()
    history.change("drag", 2.0, 0.0)
    simulation.engine.world.particles.positions[simulation.engine.world.bodies["flat"].particles, 1] -= 1.0
    for name in simulation.body_names:
        history.change(f"{name}.self_contact", "exact", 2.0)
    history.change("upright.friction", 0.9, 4.0)
    fresh = supple.Simulation(crossed_scene())
    again = UndoHistory(fresh, declare_parameters(fresh))
    (refusal,) = again.start_again(history)
    assert "'upright' stays 'off'" in refusal
    assert fresh.scene.drag == 2.0 and fresh.scene.body("upright").friction == 0.9
    assert again.values["upright.self_contact"] == fresh.scene.body("upright").self_contact == "off"
    assert again.values["flat.self_contact"] == fresh.scene.body("flat").self_contact == "exact"


def test_a_link_that_asks_for_what_cannot_be_sets_all_else(tmp_path):
    share = "scene=my+scene&p.flat.self_contact=%22exact%22&p.upright.self_contact=%22exact%22&p.drag=3.0"
    with Studio(crossed_scene(), port=0, record_folder=tmp_path, token="secret", is_paused=True) as studio:

        async def conversation():
            page = await open_page(studio)
            await page.of_type("state")
            await page.say("apply", share=share)
            problem = await page.of_type("problem")
            await page.socket.close()
            return problem

        problem = run(conversation())
        assert "'upright' stays 'off'" in problem["text"]
        assert studio.player.simulation.scene.drag == 3.0
