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
    from supple.record.readers.convert import convert
    from supple.record.readers.recording_reader import open_reader
    from supple.report import StepReport
    from supple.scene.air import Aerodynamics, Fan, Wind
    from supple.scene.bodies.chain import Chain
    from supple.scene.bodies.cloth import Cloth
    from supple.scene.bodies.lattice import Lattice
    from supple.scene.bodies.materials import Material
    from supple.scene.bodies.network import Network
    from supple.scene.bodies.pins import Anchor, Pin
    from supple.scene.bodies.pressure import Pressure
    from supple.scene.bodies.puppet import Puppet
    from supple.scene.bodies.regions import Region
    from supple.scene.bodies.soft_body import SoftBody
    from supple.scene.bodies.soft_materials import SoftMaterial
    from supple.scene.camera import Camera
    from supple.scene.cloth_shapes.bezier import Bezier
    from supple.scene.cloth_shapes.curve_layout import Course
    from supple.scene.cloth_shapes.cushion import Cushion
    from supple.scene.cloth_shapes.outline_corners import Corner
    from supple.scene.cloth_shapes.panel import Panel
    from supple.scene.cloth_shapes.rectangle import Rectangle
    from supple.scene.cloth_shapes.surface import Surface
    from supple.scene.cloth_shapes.wrap import Wrap
    from supple.scene.files.pattern import Pattern
    from supple.scene.files.toml_reader import find_scene, gallery_names, read_scene
    from supple.scene.obstacles.character import read_character
    from supple.scene.obstacles.mesh_obstacle import Mesh, Union
    from supple.scene.obstacles.motion_track import Track
    from supple.scene.obstacles.solids import Box, Capsule, Cylinder, Ellipsoid, Plane, Sphere, Torus
    from supple.scene.obstacles.walking_mannequin import walking_mannequin
    from supple.scene.scene import Scene
    from supple.scene.settings import Settings
    from supple.scene.timeline.actions import (
        Change,
        CutEdges,
        Erase,
        Free,
        Grab,
        Hold,
        Redo,
        Release,
        Undo,
        Unseam,
    )
    from supple.scene.timeline.edits import Cut, Seam, Shrink, Tear
    from supple.scene.timeline.keyframes import Keyframe, Path
    from supple.scene.timeline.script import Script, read_script
    from supple.scene.timeline.stitch import Stitch
    from supple.scene.water import Water
    from supple.simulation import Simulation
    from supple.studio.play import play
    from supple.sweeps import vary
    from supple.sweeps.sweep import Sweep, sweep

    open = open_reader  # no part of `__all__`: `from supple import *` leaves Python's own `open` alone

__version__ = "0.2.0"

__all__ = [
    "Aerodynamics",
    "Anchor",
    "Bezier",
    "Box",
    "Camera",
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
    "Mannequin",
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
    "Sweep",
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
    "lab",
    "play",
    "read_character",
    "read_scene",
    "read_script",
    "record",
    "sweep",
    "vary",
    "walking_mannequin",
    "write_pattern",
]

_HOMES = {
    "supple.errors": ("Mistake", "SceneError", "StateError", "SuppleError"),
    "supple.record": ("record",),
    "supple.record.readers.convert": ("convert",),
    "supple.record.readers.recording_reader": ("open",),
    "supple.report": ("StepReport",),
    "supple.scene.air": ("Aerodynamics", "Fan", "Wind"),
    "supple.scene.cloth_shapes.bezier": ("Bezier",),
    "supple.scene.bodies.chain": ("Chain",),
    "supple.scene.camera": ("Camera",),
    "supple.scene.obstacles.character": ("read_character",),
    "supple.scene.bodies.cloth": ("Cloth",),
    "supple.scene.cloth_shapes.outline_corners": ("Corner",),
    "supple.scene.cloth_shapes.curve_layout": ("Course",),
    "supple.scene.cloth_shapes.cushion": ("Cushion",),
    "supple.scene.timeline.edits": ("Cut", "Seam", "Shrink", "Tear"),
    "supple.scene.timeline.actions": (
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
    "supple.scene.bodies.lattice": ("Lattice",),
    "supple.scene.bodies.materials": ("Material",),
    "supple.scene.obstacles.mannequin_figure": ("Mannequin",),
    "supple.scene.obstacles.mesh_obstacle": ("Mesh", "Union"),
    "supple.scene.bodies.network": ("Network",),
    "supple.scene.bodies.puppet": ("Puppet",),
    "supple.scene.cloth_shapes.panel": ("Panel",),
    "supple.scene.files.pattern": ("Pattern",),
    "supple.scene.files.pattern_writer": ("write_pattern",),
    "supple.scene.timeline.keyframes": ("Keyframe", "Path"),
    "supple.scene.bodies.pins": ("Anchor", "Pin"),
    "supple.scene.bodies.pressure": ("Pressure",),
    "supple.scene.files.toml_reader": ("find_scene", "gallery_names", "read_scene"),
    "supple.scene.cloth_shapes.rectangle": ("Rectangle",),
    "supple.scene.bodies.regions": ("Region",),
    "supple.scene.scene": ("Scene",),
    "supple.scene.timeline.script": ("Script", "read_script"),
    "supple.scene.settings": ("Settings",),
    "supple.scene.bodies.soft_body": ("SoftBody",),
    "supple.scene.bodies.soft_materials": ("SoftMaterial",),
    "supple.scene.obstacles.solids": ("Box", "Capsule", "Cylinder", "Ellipsoid", "Plane", "Sphere", "Torus"),
    "supple.scene.timeline.stitch": ("Stitch",),
    "supple.scene.cloth_shapes.surface": ("Surface",),
    "supple.scene.obstacles.motion_track": ("Track",),
    "supple.scene.obstacles.walking_mannequin": ("walking_mannequin",),
    "supple.scene.cloth_shapes.wrap": ("Wrap",),
    "supple.scene.water": ("Water",),
    "supple.simulation": ("Simulation",),
    "supple.studio.play": ("play",),
    "supple.sweeps.sweep": ("Sweep", "sweep"),
    "supple.sweeps.vary": ("vary",),
    "supple.lab": ("lab",),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Load a public name from its module on first use."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(_HOME_OF[name])
    value = getattr(module, name) if hasattr(module, name) else module  # `vary` is a module itself
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted([*__all__, "open"])
