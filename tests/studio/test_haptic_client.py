"""A simulated device on a real studio, over its socket."""

from __future__ import annotations

import subprocess
import sys

import pytest

import supple
from supple.haptics.device import SimulatedDevice
from supple.haptics.energy_tank import RESERVE
from supple.studio.haptic_client import HapticClient
from supple.studio.play import Studio
from tests.studio.pages import sheet_scene


@pytest.fixture
def studio(tmp_path):
    block = supple.SoftBody.box(size=(0.2, 0.1, 0.2), cell=0.05, material="liver", name="block")
    probe = supple.Sphere(radius=0.02, at=(0.0, 0.08, 0.0), name="probe")
    scene = supple.Scene(block.pinned("bottom"), probe, gravity=(0.0, 0.0, 0.0))
    with Studio(scene, port=0, record_folder=tmp_path) as running:
        yield running


def test_a_device_leads_its_tool_and_feels_what_it_presses(studio):
    device = SimulatedDevice((0.0, 0.08, 0.0), lambda time: (0.0, 0.08 - min(0.03, 0.03 * time), 0.0))
    felt = []

    class Watched:
        def read(self):
            return device.read()

        def apply(self, force):
            felt.append(force[1])
            device.apply(force)

    with HapticClient(studio.link, Watched(), "probe") as client:
        for _ in range(30):
            client.run(seconds=0.5)
            if max(felt) > 0.2 and client.touch is not None and client.touch.force[1] > 0.0:
                break
        else:
            pytest.fail(f"nothing was felt; the last word on it: {client.touch}")
        assert client.loop.tank.given <= RESERVE
        assert felt[-1] == 0.0, "a device that nobody answers any more must not push"
        assert studio.player.simulation.obstacle_pose("probe")[0][1] < 0.075
    assert len(client.answer_seconds) > 20


def test_a_device_holds_a_body_by_a_point(tmp_path):
    place = (0.0, -0.5, 0.3)
    with Studio(sheet_scene(), port=0, record_folder=tmp_path) as studio:
        with HapticClient(studio.link, SimulatedDevice(place, lambda _: place), "cloth", vertex=60) as client:
            for _ in range(30):
                client.run(seconds=0.3)
                if client.touch is not None and client.loop.is_touching:
                    break
            else:
                pytest.fail("nothing was felt")
            assert client.touch.normal is None and any(client.touch.force)


def test_a_tool_that_does_not_exist_is_told(studio):
    device = SimulatedDevice((0.0, 0.0, 0.0), lambda _: (0.0, 0.0, 0.0))
    with pytest.raises(supple.SuppleError, match=r"no obstacle called 'prod'. There are: probe"):
        HapticClient(studio.link, device, "prod")


def test_the_client_of_a_device_needs_no_compiler():
    code = "import sys, supple.studio.haptic_client; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
