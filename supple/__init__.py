"""Cloth and soft bodies that move in real time, from Python, on a CPU.

    import supple

    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=40, rows=40, material="silk")
    simulation = supple.Simulation(supple.Scene(sheet.pinned("top-left", "top-right")))
    for report in simulation.run(seconds=4.0):
        ...

Names are loaded when they are first used, so `import supple` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from supple.errors import Mistake, SceneError, StateError, SuppleError
    from supple.record import record
    from supple.record.convert import convert
    from supple.record.footage import open_footage as open
    from supple.report import StepReport
    from supple.scene.air import Aerodynamics, Fan, Wind
    from supple.scene.bezier import Bezier
    from supple.scene.chain import Chain
    from supple.scene.character import read_character
    from supple.scene.cloth import Cloth
    from supple.scene.corner import Corner
    from supple.scene.course import Course
    from supple.scene.cushion import Cushion
    from supple.scene.edits import Cut, Seam, Shrink, Tear
    from supple.scene.handling import Change, CutEdges, Erase, Free, Grab, Hold, Redo, Release, Undo, Unseam
    from supple.scene.lattice import Lattice
    from supple.scene.materials import Material
    from supple.scene.mesh_obstacle import Mesh, Union
    from supple.scene.network import Network
    from supple.scene.panel import Panel
    from supple.scene.paths import Keyframe, Path
    from supple.scene.pattern import Pattern
    from supple.scene.pins import Anchor, Pin
    from supple.scene.pressure import Pressure
    from supple.scene.puppet import Puppet
    from supple.scene.reader import find_scene, gallery_names, read_scene
    from supple.scene.rectangle import Rectangle
    from supple.scene.regions import Region
    from supple.scene.scene import Scene
    from supple.scene.script import Script, read_script
    from supple.scene.settings import Settings
    from supple.scene.soft_body import SoftBody
    from supple.scene.soft_materials import SoftMaterial
    from supple.scene.solids import Box, Capsule, Cylinder, Ellipsoid, Plane, Sphere, Torus
    from supple.scene.stitch import Stitch
    from supple.scene.surface import Surface
    from supple.scene.track import Track
    from supple.scene.water import Water
    from supple.scene.wrap import Wrap
    from supple.simulation import Simulation
    from supple.studio.play import play

__version__ = "0.1.0"

__all__ = [
    "Aerodynamics",
    "Anchor",
    "Bezier",
    "Box",
    "Capsule",
    "Chain",
    "Change",
    "Cloth",
    "Corner",
    "Course",
    "Cushion",
    "Cut",
    "CutEdges",
    "Cylinder",
    "Ellipsoid",
    "Erase",
    "Fan",
    "Free",
    "Grab",
    "Hold",
    "Keyframe",
    "Lattice",
    "Material",
    "Mesh",
    "Mistake",
    "Network",
    "Panel",
    "Path",
    "Pattern",
    "Pin",
    "Plane",
    "Pressure",
    "Puppet",
    "Rectangle",
    "Redo",
    "Region",
    "Release",
    "Scene",
    "SceneError",
    "Script",
    "Seam",
    "Settings",
    "Shrink",
    "Simulation",
    "SoftBody",
    "SoftMaterial",
    "Sphere",
    "StateError",
    "StepReport",
    "Stitch",
    "SuppleError",
    "Surface",
    "Tear",
    "Torus",
    "Track",
    "Undo",
    "Union",
    "Unseam",
    "Water",
    "Wind",
    "Wrap",
    "__version__",
    "convert",
    "find_scene",
    "gallery_names",
    "open",
    "play",
    "read_character",
    "read_scene",
    "read_script",
    "record",
]

_HOMES = {
    "supple.errors": ("Mistake", "SceneError", "StateError", "SuppleError"),
    "supple.record": ("record",),
    "supple.record.convert": ("convert",),
    "supple.record.footage": ("open",),
    "supple.report": ("StepReport",),
    "supple.scene.air": ("Aerodynamics", "Fan", "Wind"),
    "supple.scene.bezier": ("Bezier",),
    "supple.scene.chain": ("Chain",),
    "supple.scene.character": ("read_character",),
    "supple.scene.cloth": ("Cloth",),
    "supple.scene.corner": ("Corner",),
    "supple.scene.course": ("Course",),
    "supple.scene.cushion": ("Cushion",),
    "supple.scene.edits": ("Cut", "Seam", "Shrink", "Tear"),
    "supple.scene.handling": (
        "Change",
        "CutEdges",
        "Erase",
        "Free",
        "Grab",
        "Hold",
        "Redo",
        "Release",
        "Undo",
        "Unseam",
    ),
    "supple.scene.lattice": ("Lattice",),
    "supple.scene.materials": ("Material",),
    "supple.scene.mesh_obstacle": ("Mesh", "Union"),
    "supple.scene.network": ("Network",),
    "supple.scene.puppet": ("Puppet",),
    "supple.scene.panel": ("Panel",),
    "supple.scene.pattern": ("Pattern",),
    "supple.scene.paths": ("Keyframe", "Path"),
    "supple.scene.pins": ("Anchor", "Pin"),
    "supple.scene.pressure": ("Pressure",),
    "supple.scene.reader": ("find_scene", "gallery_names", "read_scene"),
    "supple.scene.rectangle": ("Rectangle",),
    "supple.scene.regions": ("Region",),
    "supple.scene.scene": ("Scene",),
    "supple.scene.script": ("Script", "read_script"),
    "supple.scene.settings": ("Settings",),
    "supple.scene.soft_body": ("SoftBody",),
    "supple.scene.soft_materials": ("SoftMaterial",),
    "supple.scene.solids": ("Box", "Capsule", "Cylinder", "Ellipsoid", "Plane", "Sphere", "Torus"),
    "supple.scene.stitch": ("Stitch",),
    "supple.scene.surface": ("Surface",),
    "supple.scene.track": ("Track",),
    "supple.scene.wrap": ("Wrap",),
    "supple.scene.water": ("Water",),
    "supple.simulation": ("Simulation",),
    "supple.studio.play": ("play",),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Load a public name from its module on first use."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
