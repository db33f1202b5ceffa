import os
import signal
import socket
import subprocess
import sys
import time
from types import SimpleNamespace

import httpx
import pytest

import supple
from supple.studio import play as module
from supple.studio.play import Studio, play
from tests.studio.pages import open_page, run, sheet_scene


def test_a_busy_port_is_told_and_the_next_is_taken():
    lines = []
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        studio = play(sheet_scene(), port=port, open_browser=False, blocking=False, say=lines.append)
        try:
            assert studio.port > port
            assert lines[0] == f"Port {port} is busy; using {studio.port} instead."
            assert lines[1] == studio.link
        finally:
            studio.stop()


def test_where_no_browser_can_be_opened_the_link_is_told_and_the_studio_runs(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(module.webbrowser, "open", lambda link: False)
    lines = []
    studio = play(sheet_scene(), port=0, blocking=False, say=lines.append)
    try:
        assert "No browser can be opened here" in lines[0]
        assert lines[1] == studio.link
        assert studio.player.is_running
    finally:
        studio.stop()


def test_the_link_is_there_before_the_compiler_is_loaded():
    script = """
import sys
from supple.studio.play import Studio
def up():
    print(studio.link.startswith("http://127.0.0.1:"), "numba" in sys.modules)
    raise SystemExit
studio = Studio("scarf", port=0)
studio.start(up)
"""
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert answer.stdout.split() == ["True", "False"], answer.stderr


def test_a_studio_that_has_not_started_has_no_player():
    with pytest.raises(supple.SuppleError, match="not been started"):
        _ = Studio(sheet_scene()).player


def test_a_browser_is_opened_with_a_code_instead_of_the_token(monkeypatch):
    """Every user of a machine can read the command lines of all programs on it."""
    opened = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(module.webbrowser, "open", lambda link: opened.append(link) or True)
    studio = play(sheet_scene(), port=0, blocking=False, say=lambda line: None)
    studio.stop()
    (link,) = opened
    address, code = link.split("#code=")
    token = studio.link.removeprefix(f"{address}#token=")
    assert len(code) >= 20 and len(token) >= 20 and token not in link


def test_whoever_opens_the_studio_to_a_network_is_told_what_that_means():
    lines = []
    studio = play(sheet_scene(), host="0.0.0.0", port=0, open_browser=False, blocking=False, say=lines.append)
    studio.stop()
    assert "without encryption" in lines[0] and "--certificate" in lines[0]
    lines.clear()
    play(sheet_scene(), port=0, open_browser=False, blocking=False, say=lines.append).stop()
    assert len(lines) == 1


def test_a_simulation_goes_on_from_where_it_stands_and_can_be_taken_back():
    simulation = supple.Simulation(sheet_scene())
    for _ in range(3):
        simulation.step()
    with Studio(simulation, port=0) as studio:
        deadline = time.monotonic() + 120.0
        while simulation.frame < 6 and time.monotonic() < deadline:
            time.sleep(0.02)
        assert studio.player.simulation is simulation
    frame = simulation.frame
    assert frame >= 6
    simulation.step()
    assert simulation.frame == frame + 1


def test_the_link_listens_on_this_machine_only_and_its_secret_differs():
    one, two = Studio(sheet_scene(), port=0), Studio(sheet_scene(), port=0)
    assert one.host == "127.0.0.1"
    assert one.link.split("#token=")[1] != two.link.split("#token=")[1]
    assert len(one.link.split("#token=")[1]) >= 20


def test_a_missing_certificate_is_named():
    with pytest.raises(supple.SuppleError, match="does not exist"):
        Studio(sheet_scene(), certificate="nowhere.pem")


def test_a_scene_that_cannot_be_built_ends_the_studio_with_its_reason(tmp_path):
    studio = Studio(str(tmp_path / "nothing.toml"), port=0)
    studio.start()
    try:
        with pytest.raises(supple.SuppleError, match=r"nothing\.toml"):
            studio.wait()
    finally:
        studio.stop()


def test_a_shared_link_is_the_start():
    with Studio(sheet_scene(), port=0, token="secret", share="scene=my+scene&p.drag=3.0") as studio:

        async def conversation():
            page = await open_page(studio)
            state = await page.until(lambda word: word["type"] == "state" and "drag" in word["share"])
            await page.socket.close()
            return state

        assert "p.drag=3.0" in run(conversation())["share"]


async def told_at_the_end(link, end):
    """Return what a page hears last from a server that is ended."""
    port, token = link.split(":")[2].split("/#token=")
    page = await open_page(SimpleNamespace(port=port), token=token)
    await page.of_type("welcome")
    page.answers_frames = False  # the socket may be closed before its last frames are read
    end()
    text = (await page.of_type("goodbye"))["text"]
    await page.socket.close()
    return text


SCRIPT = """
import sys, supple
from supple.studio.play import play
sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=4, rows=4).pinned("top")
play(supple.Scene(sheet), port=0, open_browser=False)
print("clean end")
"""


@pytest.mark.skipif(os.name != "posix", reason="signals cannot be sent here")
@pytest.mark.parametrize("wish", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "terminate"])
def test_ctrl_c_and_the_signal_to_terminate_end_cleanly_with_a_goodbye(wish):
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:  # which closes its pipes, whatever happens
        try:
            link = process.stderr.readline().strip()
            assert httpx.get(link.split("#")[0], trust_env=False, timeout=60.0).status_code in (200, 503)
            assert "stopped" in run(told_at_the_end(link, lambda: process.send_signal(wish)))
            output, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 0, errors
    assert output == "clean end\n"
    assert "Traceback" not in errors
