"""Intersections counted and contact changed from the panel, in Chromium."""

from __future__ import annotations

import pytest

from supple.studio.play import Studio
from tests.studio.panel.test_contact_controls import crossed_scene

VALUE = "studio.parameters.find((each) => each.name === '{}').value"


@pytest.fixture
def crossed(tmp_path, built_page):
    with Studio(crossed_scene(), port=0, record_folder=tmp_path, is_paused=True) as studio:
        yield studio


def test_intersections_are_counted_marked_and_keep_contact_from_being_exact(open_page, crossed):
    page = open_page(on=crossed, width=1100, height=760)
    page.wait(
        "Boolean(window.studio && studio.state && studio.parameters.length && studio.drawnFrames > 1)", 120
    )
    count = crossed.player.simulation.intersections()
    button, answer = page.tab.locator("#a-count_intersections"), page.tab.locator(".row.action output")
    button.click()
    page.wait(f"studio.marks === {count}")
    assert answer.inner_text().startswith(f"{count} edges pass through cloth")
    assert page.tab.locator("#toast").inner_text() == answer.inner_text()
    page.wait("studio.marks === 0")  # they go by themselves; the answer stays
    assert answer.inner_text()

    # One of two may be exact. The other may not, and its control goes back to what holds.
    page.tab.locator("#p-flat-self_contact").select_option("exact")
    page.wait("studio.state.undo_label === 'Self-contact'")
    upright = page.tab.locator("#p-upright-self_contact")
    upright.select_option("exact")
    page.wait("studio.problems.some((text) => text.includes(\"'upright' stays 'off'\"))")
    assert upright.input_value() == "off"
    assert page.ask(VALUE.format("upright.self_contact")) == "off"

    # Once they have come apart, it may.
    page.tab.locator("#tool-pause").click()
    page.wait("studio.time > 0.1")
    upright.select_option("exact")
    page.wait(
        "!studio.problems.slice(1).length && document.getElementById('p-upright-self_contact').value === 'exact'"
    )
    page.wait("studio.state.share.includes('upright.self_contact')")
    button.click()
    page.wait("document.querySelector('.row.action output').textContent.startsWith('0 intersections')")
    assert crossed.player.simulation.scene.body("upright").self_contact == "exact"
