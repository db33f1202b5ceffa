"""Scenes that the tests of sweeps run, at the top of a module, where other processes find them."""

import os
import signal
from pathlib import Path

import supple


def hanging(stiffness, length=1.0):
    """Return a small sheet that hangs by a corner; a length of 13 is bad luck."""
    if length == 13:
        raise ValueError("thirteen is too long")
    material = supple.Material.like("silk", stretch_stiffness=stiffness)
    sheet = supple.Cloth.rectangle(width=length, height=1.0, columns=4, rows=4, material=material)
    return supple.Scene(sheet.pinned("top-left"), supple.Camera(at=(0.0, 0.0, 3.0)))


def deadly(stiffness, marker):
    """Return the same, but kill the process the first time that this stiffness is asked for."""
    if stiffness == 700.0 and not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return hanging(stiffness)
