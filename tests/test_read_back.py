"""What is written is read back the same to the last bit: every field of every declaration, every array of a state."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest

import supple
from supple import SceneError, Simulation
from supple.scene.declared import Declared
from supple.scene.soft_shapes import soft_shapes
from supple.scene.timeline import actions, edits
from supple.scene.timeline.parameter_changes import BodyChanges
from supple.scene.timeline.script import Script, read_script
from supple.state import _declared_classes, _decode, _encode

TRIES = 6

ABSTRACT = {"Obstacle", "Body", "SoftShape", "Timed", "Edit", "FilledShape", "_Rod", "Pattern"}
"""Classes that no scene holds: bases, and what a scene takes apart when it is made."""

CUBE = Path(supple.__file__).parent / "gallery" / "cube-27.vtk"
LIVER = Path(supple.__file__).parent / "gallery" / "liver.obj"


def handmade() -> list[Declared]:
    """Return declarations of the kinds that the gallery does not show."""
    path = supple.Path(
        keyframes=[
            supple.Keyframe(time=0.1, offset=(0.1, 0.2, 0.3)),
            supple.Keyframe(time=0.7, rotation=(0.1, 0.0, 0.3)),
        ]
    )
    triangle = {"vertices": np.eye(3), "triangles": [[0, 1, 2]]}
    soft = {"cell": 0.1, "material": supple.SoftMaterial(young=1234.5)}
    return [
        supple.Plane(normal=(0.1, 0.7, 0.2), motion=path),
        supple.Chain(length=0.3, points=3).anchored("start", stiffness=7.3, target=(0.1, 0.2, 0.3)),
        supple.Ellipsoid(
            radii=(0.1, 0.2, 0.3),
            motion=supple.Track(
                moments=[0.1, 0.7], places=[[0.1, 0.2, 0.3], [0.3, 0.1, 0.7]], spins=[[0.1, 0.3, 0.2, 0.9]] * 2
            ),
        ),
        supple.Cylinder(start=(0.0, 0.0, 0.0), end=(0.1, 0.3, 0.2), radius=0.1),
        supple.Capsule(start=(0.0, 0.0, 0.0), end=(0.1, 0.3, 0.2), radius=0.1),
        supple.Torus(radius=0.3, tube=0.1, mass=0.3),
        supple.Mesh(**triangle),
        supple.Union(parts=[supple.Sphere(radius=0.1), supple.Box(size=(0.1, 0.2, 0.3), rounding=0.01)]),
        supple.Puppet(moments=[0, 0.3], samples=[np.eye(3), 1.1 * np.eye(3)], triangles=[[0, 1, 2]]),
        supple.SoftBody.ball(0.3, **soft),
        soft_shapes.SoftEllipsoid(radii=(0.1, 0.2, 0.3), cell=0.05),
        soft_shapes.SoftCapsule(radius=0.1, height=0.3, cell=0.05),
        soft_shapes.SoftCylinder(radius=0.1, height=0.3, cell=0.05),
        soft_shapes.SoftTorus(radius=0.3, tube=0.1, cell=0.05),
        supple.SoftBody.box((0.1, 0.2, 0.3), 0.1, levels=2),
        supple.SoftBody.from_tetrahedra(CUBE),
        supple.SoftBody.from_mesh(LIVER, cell=0.05),
        supple.Network(points=np.eye(3), springs=[[0, 1]], stiffness=[0.1], mass=0.3),
        supple.Fan(at=(0.1, 0.2, 0.3), direction=(0.3, 0.1, 0.7), speed=1.7),
        supple.Camera(at=(1.1, 0.3, 0.2), look_at=(0.1, 0.2, 0.3)),
        supple.Mannequin(height=1.66, girth=1.1, arms_deg=(24.0, 30.0)),
        BodyChanges(stretch_stiffness=123.4),
        Script(edits=[
            actions.Unseam(time=0.1, seam=1), actions.Undo(time=0.1), actions.Redo(time=0.1),
            actions.Hold(time=0.1, body="a", points=(1, 2), target=(0.1, 0.2, 0.3)),
            actions.Free(time=0.1, body="a", points=(1, 2)), actions.CutEdges(time=0.1, body="a", vertices=(1, 2)),
            actions.Erase(time=0.1, body="a", triangles=(1, 2)),
            actions.Grab(time=0.1, body="a", vertex=3, target=(0.1, 0.2, 0.3)),
            actions.Release(time=0.1, body="a", vertex=3),
            edits.Cut(time=0.1, body="a", plane_point=(0.1, 0.2, 0.3), plane_normal=(0.3, 0.1, 0.2)),
            edits.Cut(time=0.1, body="a", path=((0.1, 0.2, 0.3), (0.3, 0.1, 0.2))),
            edits.Tear(time=0.1, body="a", strain=0.3), edits.Shrink(time=0.1, body="a", ratio=0.7),
            edits.Seam(time=0.1, body="a", points=(1, 2), other="b", other_points=(3, 4)),
        ]),
    ]  # fmt: skip


def inside(value: object) -> list[Declared]:
    """Return all declarations in a value, itself included."""
    if isinstance(value, Declared):
        return [value, *(found for entry in value.fields().values() for found in inside(entry))]
    if isinstance(value, dict):
        return [found for entry in value.values() for found in inside(entry)]
    return [found for entry in value for found in inside(entry)] if isinstance(value, tuple | list) else []


@pytest.fixture(scope="module")
def declared() -> dict[str, list[Declared]]:
    scenes = [supple.find_scene(name) for name in supple.gallery_names()]
    found: dict[str, list[Declared]] = {}
    for value in inside([*scenes, *handmade()]):
        found.setdefault(type(value).__name__, []).append(value)
    return found


def bits(value: object) -> object:
    """Return a value with numbers as the bytes they are."""
    if isinstance(value, Declared):
        return type(value).__name__, {name: bits(entry) for name, entry in value.fields().items()}
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, dict):
        return {name: bits(entry) for name, entry in value.items()}
    if isinstance(value, tuple | list):
        return [bits(entry) for entry in value]
    return struct.pack("d", value) if isinstance(value, float) else value


def varied(value: object, random: np.random.Generator) -> object:
    """Return a value with other fractions in it."""
    if isinstance(value, bool | int | str) or value is None:
        return value
    if isinstance(value, float):
        return value * float(random.uniform(0.7, 1.4))
    if isinstance(value, np.ndarray):
        return value * random.uniform(0.9, 1.1, value.shape) if value.dtype.kind == "f" else value
    if isinstance(value, tuple | list):
        return tuple(varied(entry, random) for entry in value)
    return value


def read_back(value: Declared) -> Declared:
    arrays: dict[str, np.ndarray] = {}
    text = json.dumps(_encode(value, arrays))
    return _decode(json.loads(text), {name: array.copy() for name, array in arrays.items()})


def test_every_kind_of_declaration_is_among_the_examples(declared):
    assert set(_declared_classes()) - ABSTRACT == set(declared)


def test_every_field_is_read_back_to_the_last_bit(declared):
    random = np.random.default_rng(5)
    for name, values in declared.items():
        tried = 0
        for number in range(TRIES):
            value = values[number % len(values)]
            if callable(getattr(value, "motion", None)) and not isinstance(value.motion, Declared):
                continue
            assert bits(read_back(value)) == bits(value), name
            try:
                other = value.changed(**{key: varied(entry, random) for key, entry in value.fields().items()})
            except SceneError:
                continue
            tried += 1
            assert bits(read_back(other)) == bits(other), name
        assert tried or name in ("Surface", "SoftSurface", "SoftMesh", "Scene", "Panel", "Script"), name


def test_scripts_are_read_back_from_files_to_the_last_bit(declared, tmp_path):
    (script,) = [value for value in declared["Script"] if value.edits]
    for ending in ("toml", "json"):
        script.save(tmp_path / f"script.{ending}")
        assert bits(read_script(tmp_path / f"script.{ending}")) == bits(script)


def states() -> dict[str, Simulation]:
    """Return simulations that have moved, of all kinds of bodies."""
    sheet = supple.Cloth.rectangle(width=0.4, height=0.4, columns=4, rows=4, plane="xz", self_contact="exact")
    tilted = supple.Plane(normal=(0.1, 0.7, 0.2), offset=-0.2)
    motion = supple.Path(
        keyframes=[
            supple.Keyframe(time=0.0),
            supple.Keyframe(time=0.3, offset=(0.1, 0.0, 0.0), rotation=(0.3, 0.0, 0.0)),
        ]
    )
    box = supple.Box(size=(0.1, 0.1, 0.1), at=(0.0, -0.1, 0.0), rotation=(0.1, 0.2, 0.3), motion=motion)
    ball = supple.Sphere(radius=0.05, at=(0.1, 0.1, 0.1), mass=0.1)
    air = (supple.Wind(velocity=(1.0, 0.3, 0.1), gusts=0.5), supple.Water(level=-0.1))
    cushion = supple.Cloth.cushion(
        width=0.3, height=0.3, columns=4, rows=4, pressure=20.0, name="cushion", at=(1.0, 0.0, 0.0)
    )
    rope = supple.Chain(length=0.3, points=4, name="rope", at=(0.0, 0.5, 0.0))
    jelly = supple.SoftBody.ball(0.1, 0.08, material="jelly", levels=2, name="jelly", at=(2.0, 0.0, 0.0))
    mixed = Simulation(supple.Scene(sheet, cushion, rope, box, ball, tilted, *air), substeps=2)
    edited = Simulation(supple.Scene(sheet, tilted), substeps=2)
    edited.cut("cloth", plane=((0.01, 0.0, 0.0), (1.0, 0.0, 0.1)))
    edited.seam(("cloth", [0, 1]), ("cloth-piece-1", [0, 1]), seconds=0.3)
    edited.grab("cloth", 0, (0.3, 0.1, 0.2))
    edited.shrink("cloth", ratio=0.9, seconds=0.3)
    soft = Simulation(supple.Scene(jelly, tilted))
    return {"mixed": mixed, "edited": edited, "soft": soft}


def contents(path: Path) -> tuple[dict, dict[str, np.ndarray]]:
    """Return head and arrays of a state, also those that are stored once for several names."""
    arrays = dict(np.load(path))
    head = json.loads(arrays.pop("header").tobytes())
    for name, first in head["edits"].pop("same", {}).items():
        arrays[f"edits.{name}"] = arrays[f"edits.{first}"]
    return head, arrays


def test_a_state_that_is_loaded_and_saved_again_is_the_same_to_the_last_bit(tmp_path):
    for name, simulation in states().items():
        for _ in range(2):
            simulation.step()
        first, second = tmp_path / f"{name}-1.npz", tmp_path / f"{name}-2.npz"
        simulation.save(first)
        loaded = Simulation.load(first)
        assert loaded.scene == simulation.scene and loaded.settings == simulation.settings
        loaded.save(second)
        (head_one, one), (head_two, two) = contents(first), contents(second)
        assert head_one == head_two, name
        assert one.keys() == two.keys(), name
        for key, array in one.items():
            assert bits(array) == bits(two[key]), f"{name}: {key}"
