"""Force feedback: a local model of the touched place, a loop of 1 kHz on it, and devices.

A device on a running studio: `supple.studio.haptic_client.HapticClient`. Only `TouchedPlace` needs the compiler.

Example:
    >>> from supple.haptics import ForceLoop, LocalModel
    >>> loop = ForceLoop()
    >>> loop.update(LocalModel(point=(0.0, 0.0, 0.0), normal=(0.0, 1.0, 0.0), stiffness=200.0))
    >>> loop.tick((0.0, 0.01, 0.0), seconds=0.001)
    (0.0, 0.0, 0.0)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from supple.haptics.device import Device, SimulatedDevice
    from supple.haptics.energy_tank import EnergyTank
    from supple.haptics.force_loop import ForceLoop
    from supple.haptics.local_model import LocalModel
    from supple.haptics.touched_place import TouchedPlace

__all__ = ["Device", "EnergyTank", "ForceLoop", "LocalModel", "SimulatedDevice", "TouchedPlace"]

_HOME_OF = {
    "Device": "device",
    "EnergyTank": "energy_tank",
    "ForceLoop": "force_loop",
    "LocalModel": "local_model",
    "SimulatedDevice": "device",
    "TouchedPlace": "touched_place",
}


def __getattr__(name: str) -> Any:
    """Load a part on first use: the process of a device does without the compiler."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"supple.haptics.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value
