"""The studio below a cell: in a frame of another page of this machine, hands included."""

from __future__ import annotations

import http.server
import threading

import numpy as np
import pytest

import supple
from supple.studio.play import Studio
from tests.browser.pages import sheet_scene, wait_for


@pytest.fixture
def around():
    """Serves one page, which a test fills, under both names of this machine."""

    class Page(http.server.BaseHTTPRequestHandler):
        text = ""

        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(Page.text.encode())

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield Page, server.server_port
    server.shutdown()
    server.server_close()


def within(frame, expression):
    return wait_for(lambda: frame.evaluate(expression))


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_hand_in_a_frame_moves_a_vertex(browser, built_page, around, host):
    page, port = around
    studio = supple.play(sheet_scene(), port=0, inline=True)
    try:
        page.text = f"<!doctype html><title>notebook</title><body style='margin:0'>{studio._repr_html_()}"
        context = browser.new_context(viewport={"width": 900, "height": 640})
        tab = context.new_page()
        tab.goto(f"http://{host}:{port}/")
        frame = wait_for(lambda: next((f for f in tab.frames if f"{host}:{studio.port}" in f.url), None))
        within(frame, "Boolean(window.studio && studio.frame >= 20 && studio.drawnFrames > 1)")
        simulation = studio.player.simulation
        wait_for(lambda: np.abs(simulation.velocities("cloth")).max() < 0.02)
        before = simulation.positions("cloth")[78].copy()
        x, y = frame.evaluate("studio.screen('cloth', 78)")
        tab.mouse.move(x, y)
        tab.mouse.down()
        tab.mouse.move(x + 90, y - 40, steps=6)
        wait_for(lambda: np.linalg.norm(simulation.positions("cloth")[78] - before) > 0.05)
        tab.mouse.up()
        context.close()
    finally:
        studio.stop()


def test_pages_that_were_not_named_may_not_show_it(browser, built_page, around):
    page, port = around
    with Studio(sheet_scene(), port=0, token="secret") as studio:
        page.text = f"<!doctype html><iframe src='{studio.link}'></iframe>"
        context = browser.new_context()
        tab = context.new_page()
        refused = []
        tab.on("console", lambda message: refused.append(message.text))
        tab.goto(f"http://127.0.0.1:{port}/")
        wait_for(lambda: any("frame-ancestors" in text for text in refused))
        context.close()
        assert "inline=True" in studio._repr_html_()


def test_origins_are_checked_and_simulations_have_a_picture():
    with pytest.raises(supple.SuppleError, match=r"`framed_by` names .*must look like"):
        Studio(sheet_scene(), framed_by=["https://a.b; script-src *"])
    shown = supple.Simulation(sheet_scene())._repr_html_()
    assert shown.startswith("<figure") and "A sheet: 1 body, 144 points, 0.00 s" in shown
