"""A program that speaks to the studio as a page does."""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np
import pytest

import supple
from supple.studio.client import StudioClient
from supple.studio.play import Studio
from tests.studio.pages import sheet_scene


@pytest.fixture
def client(studio):
    with StudioClient(studio.link) as connected:
        yield connected


def test_frames_hold_the_positions_of_the_simulation(studio, client):
    frame = client.frame()
    client.pause()
    while not (client.state.is_paused and frame.number == studio.player.simulation.frame):
        client._hear()  # not `frame`, which would wait for one after the last
        frame = client._newest or frame
    truth = studio.player.simulation.positions("cloth")
    assert frame.time == pytest.approx(studio.player.simulation.time)
    assert np.abs(frame.positions["cloth"] - truth).max() < 1e-4
    assert client.bodies["cloth"].triangles.max() == len(truth) - 1


def test_a_slow_program_gets_the_newest_frame(studio, client):
    first = client.frame().number
    wait_for = time.monotonic() + 60.0
    while studio.player.simulation.frame < first + 20:
        assert time.monotonic() < wait_for
        time.sleep(0.01)
    client.frame()
    assert (
        client.frame().number > first + 3
    )  # of those sent meanwhile, three at most, only the last was returned


def test_a_hand_takes_a_point_where_it_is_told_and_lets_go(client):
    client.grab("cloth", vertex=0, target=(0.2, 0.9, 0.3))
    for frame in client.frames(200):
        if np.linalg.norm(frame.positions["cloth"][0] - (0.2, 0.9, 0.3)) < 0.02:
            break
    else:
        pytest.fail("the point never came")
    client.release()


def test_parameters_are_set_and_told(client):
    client.set("drag", 3.0)
    for _ in client.frames(100):
        if client.parameters["drag"].value == 3.0:
            return
    pytest.fail("the new value was never told")


def test_what_is_refused_is_an_error_with_its_reason(client):
    client.grab("no-such-body", vertex=0, target=(0.0, 0.0, 0.0))
    with pytest.raises(supple.SuppleError, match=r"refused grab.*no-such-body"):
        for _ in client.frames(100):
            pass


def test_mistakes_are_told_before_anything_is_sent(client):
    with pytest.raises(supple.SuppleError, match="there is no parameter dragg"):
        client.set("dragg", 3.0)
    with pytest.raises(supple.SuppleError, match="hand 3 holds nothing"):
        client.move((0.0, 0.0, 0.0), hand=3)


def test_a_wrong_link_is_told(studio):
    with pytest.raises(supple.SuppleError, match="link is wrong"):
        StudioClient(f"http://127.0.0.1:{studio.port}/#token=wrong")
    with pytest.raises(supple.SuppleError, match="is no link to a studio"):
        StudioClient("http://127.0.0.1:8737/")
    with pytest.raises(supple.SuppleError, match="no studio answers"):
        StudioClient("http://127.0.0.1:9/#token=secret")


def test_the_end_of_the_studio_is_told(tmp_path):
    with Studio(sheet_scene(), port=0, record_folder=tmp_path) as studio:
        client = StudioClient(studio.link)
    with client, pytest.raises(supple.SuppleError, match=r"has ended|the server stops"):
        for _ in client.frames(100):
            pass


def test_the_client_needs_no_compiler():
    code = "import sys, supple.studio.client; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
