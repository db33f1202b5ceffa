"""State: a running simulation in memory or in a file, exact to the bit.

The file is a NumPy archive: the scene and the settings as JSON, large arrays beside it. It
holds no code, so a file from elsewhere can do no harm.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

import supple.scene.obstacles.motion_track as motion_track
import supple.scene.scene as scene_module
from supple.collide.self_contact.self_contact import SelfContact
from supple.edit.editor import Editor
from supple.edit.history.action_log import ActionLog
from supple.edit.history.deserialise import deserialise
from supple.edit.history.serialise import serialise
from supple.engine import Engine
from supple.errors import StateError, SuppleError
from supple.model.world import World
from supple.scene.bodies.cloth import Cloth
from supple.scene.bodies.soft_body import SoftBody
from supple.scene.declared import Declared
from supple.scene.files.array_file import check_archive
from supple.scene.scene import Scene
from supple.scene.settings import Settings
from supple.scene.timeline.script import Script, script_of

VERSION = 1
"""Version of the file format."""

PARTICLE_ARRAYS = ("positions", "velocities", "masses", "accelerations")
SPRING_ARRAYS = ("rest_lengths", "stiffness", "damping", "stretch_limits")
BEND_ARRAYS = ("stiffness",)
TETRAHEDRON_ARRAYS = (
    "shear_moduli",
    "lame_moduli",
    "shear_damping",
    "volume_damping",
    "inside_out",
    "peak_strain",
    "last_step",
    "rotations",
)

MATERIAL_ARRAYS = {
    *("masses", "stiffness", "damping", "stretch_limits"),
    *("shear_moduli", "lame_moduli", "shear_damping", "volume_damping", "moduli"),
}
"""Arrays that integrators have made matrices of."""

UNBOUNDED = ("stretch_limits",)
"""Arrays whose numbers may be infinite."""

POSITIVE = ("masses", "rest_lengths")
"""Arrays whose numbers are above 0."""

NOT_NEGATIVE = (*MATERIAL_ARRAYS - {"lame_moduli", "moduli"}, "peak_strain", "last_step")
"""Arrays whose numbers are 0 or more; of those that contract sideways when pressed, one of Lamé's moduli is not."""

LARGEST = 1.0e30
"""Largest number of a state, in any unit: squares of larger ones are none."""

LEVEL_ARRAYS = ("positions", "velocities", "is_split", "turns", "peaks", "is_touched")

Arrays = dict[str, NDArray[Any]]


class Restorable(Protocol):
    """A part of a simulation with a state of its own."""

    def restore(self, saved: Arrays) -> None:
        """Take over a saved state; a KeyError, ValueError or TypeError tells that it does not fit."""


@dataclass(frozen=True)
class SavedState:
    """A moment of a simulation: what a file holds, and what `Simulation.snapshot` returns."""

    scene: Scene
    settings: Settings
    frame: int
    time: float
    arrays: Arrays
    edits: dict[str, Any]
    """What `supple.edit.history.serialise` says of bodies that were edited."""

    made: Script
    """What was done so far."""

    planned: Script
    """What is still to be replayed."""

    waiting: dict[int, list[str]]
    """Edits of the scene that are due and wait, and for which bodies."""

    def part(self, prefix: str) -> Arrays:
        """Return the arrays whose names begin so, without that beginning."""
        return {name.removeprefix(prefix): a for name, a in self.arrays.items() if name.startswith(prefix)}

    @property
    def scene_without_contact(self) -> Scene:
        """The scene with bodies that do not notice each other.

        Contact may have been set in motion: where it has come to must be free of intersections, its start need not be.
        """
        return self.scene.changed(
            bodies=tuple(
                body.changed(self_contact="off") if isinstance(body, Cloth | SoftBody) else body
                for body in self.scene.bodies
            )
        )

    def resume(self, engine: Engine) -> None:
        """Let an engine that was built from `scene_without_contact` go on where the state was saved."""
        engine.scene = self.scene
        if self.edits:
            self._reshape(engine.editor)
            engine.follow_load()
        else:
            engine.contact = SelfContact(self.scene, engine.world)
        self._restore(engine)
        engine.frame, engine.time = self.frame, self.time
        engine.resume()
        if order := self.part("order."):
            engine.integrator.take_order(order)
        self._restore_integrator(engine)
        engine.strain_limit.refresh()
        engine.measure()

    def fits(self, engine: Engine) -> bool:
        """Tell whether an engine computes the same bodies in the same way, so that `rewind` is enough."""
        is_as_declared = not self.edits and not engine.editor.is_edited
        return is_as_declared and engine.settings == self.settings and engine.scene == self.scene

    def rewind(self, engine: Engine) -> None:
        """Let an engine that `fits` go on from here; its factors and tables are kept."""
        of_materials = [
            (getattr(owner, name), self.arrays[f"{prefix}.{name}"])
            for owner, names, prefix in _owners(engine.world)
            for name in names
            if name in MATERIAL_ARRAYS
        ]
        has_other_materials = any(not np.array_equal(now, then) for now, then in of_materials)
        engine.forget_motion()
        self._restore(engine)
        engine.frame, engine.time = self.frame, self.time
        engine.kinematic_changed()
        engine.level_of_detail.resume()
        if has_other_materials or engine.level_of_detail:
            engine.parameters_changed()
        self._restore_integrator(engine)
        engine.measure()

    def _restore_integrator(self, engine: Engine) -> None:
        """Let the integrator know of the substeps before; one that needs nothing has saved nothing.

        Friction inside cloth remembers as well where it has slipped. Both need the elements that the integrator has woven.
        """
        for name, slips in _slips(engine.world).items():
            saved = self.arrays.get(f"friction.{name}")
            if saved is None or saved.dtype != slips.dtype or saved.shape != slips.shape:
                raise StateError(f"the state lacks `friction.{name}` of shape {slips.shape}.")
            if not (np.abs(saved) <= LARGEST).all():
                raise StateError(f"`friction.{name}` of the state holds NaN, or more than {LARGEST:g}.")
            slips[:] = saved
        if past := self.part("integrator."):
            try:
                engine.integrator.restore(past)
            except (KeyError, ValueError, TypeError):
                raise StateError("the state does not say how the last substep went, or wrongly.") from None

    def _reshape(self, editor: Editor) -> None:
        """Give a world built from the same scene the bodies that edits have left."""
        try:
            deserialise(editor, self.edits, self.part("edits."))
        except (KeyError, ValueError, TypeError, IndexError, AttributeError):
            raise StateError(
                "the state does not say what edits have made of the bodies, or wrongly."
            ) from None

    def _restore(self, engine: Engine) -> None:
        """Write the saved arrays into the parts of an engine built from the same scene."""
        world = engine.world
        for owner, names, prefix in _owners(world):
            for name in names:
                into = getattr(owner, name)
                saved = self.arrays.get(f"{prefix}.{name}")
                if saved is None or saved.dtype != into.dtype or saved.shape != into.shape:
                    raise StateError(f"the state lacks `{prefix}.{name}` of shape {into.shape}.")
                bound = LARGEST if name not in UNBOUNDED else np.inf
                if not (np.abs(saved) <= bound).all():
                    raise StateError(f"`{prefix}.{name}` of the state holds NaN, or more than {bound:g}.")
                if (name in POSITIVE and not (saved > 0.0).all()) or (
                    name in NOT_NEGATIVE and not (saved >= 0.0).all()
                ):
                    raise StateError(f"`{prefix}.{name}` of the state holds numbers below 0, or 0.")
                into[:] = saved
        for elements in (world.tetrahedra, *(levels.elements for levels in world.levels.values())):
            elements.refresh()
        for name, array in self.part("holds.").items():
            if "_points" in name and not ((array >= 0) & (array < world.particles.count)).all():
                raise StateError(f"`holds.{name}` of the state names particles that the scene lacks.")
        parts: tuple[tuple[Restorable, str, str], ...] = (
            (engine.kinematic, "holds.", "what is held"),
            (engine.obstacles, "obstacles.", "where obstacles are"),
            (engine.puppets, "puppets.", "how far puppets are"),
            (engine.air, "air.", "how the wind blows"),
            (engine.contact, "contact.", "how cloth touches"),
            (engine.gas, "gas.", "how gas presses"),
            (engine.pushes, "pushes.", "what pushes"),
        )
        for part, prefix, fact in parts:
            try:
                part.restore(self.part(prefix))
            except (KeyError, ValueError, TypeError):
                raise StateError(f"the state does not say {fact}, or says it wrongly.") from None


def _owners(world: World) -> tuple[tuple[object, tuple[str, ...], str], ...]:
    of_levels = [
        owner
        for name, levels in world.levels.items()
        for owner in (
            (levels, LEVEL_ARRAYS, f"levels.{name}"),
            (levels.elements, TETRAHEDRON_ARRAYS[:-1], f"level_elements.{name}"),
        )
    ]
    of_fabrics = [
        (fabric, ("moduli",), f"fabrics.{name}")
        for name, fabric in world.fabrics.items()
        if fabric.has_elements
    ]
    return (
        *of_levels,
        *of_fabrics,
        (world.particles, PARTICLE_ARRAYS, "particles"),
        (world.springs, SPRING_ARRAYS, "springs"),
        (world.bends, BEND_ARRAYS, "bends"),
        (world.tetrahedra, TETRAHEDRON_ARRAYS, "tetrahedra"),
    )


def _slips(world: World) -> dict[str, NDArray[np.float64]]:
    """Return where friction inside cloth has slipped to; nothing where there is none."""
    membrane = world.membrane
    named = {"threads": membrane.laws.slips, "plates": membrane.friction.slips}
    return {name: slips for name, slips in named.items() if len(slips)}


def capture(engine: Engine, log: ActionLog, *, may_reshape: bool) -> SavedState:
    """Return the state of now, with copies of all arrays.

    Args:
        engine: whose state it is
        log: what was done to it
        may_reshape: whether bodies may change their number of points from now on; then, and after edits, the order of
            elimination depends on the past and belongs to the state
    """
    order = engine.integrator.saved_order() if engine.editor.is_edited or may_reshape else {}
    world = engine.world
    for levels in world.levels.values():
        levels.store_rotations()
    edits, edited = serialise(engine.editor)
    groups: dict[str, Mapping[str, NDArray[Any]]] = {
        "edits": edited,
        "order": order,
        "holds": engine.kinematic.state(),
        "obstacles": engine.obstacles.state(),
        "puppets": engine.puppets.state(),
        "air": engine.air.state(),
        "contact": engine.contact.state(),
        "gas": engine.gas.state(),
        "pushes": engine.pushes.state(),
        "friction": _slips(world),
        "integrator": engine.integrator.state(),
    }
    for owner, names, prefix in _owners(world):
        groups[prefix] = {name: getattr(owner, name) for name in names}
    return SavedState(
        scene=engine.scene,
        settings=engine.settings,
        frame=engine.frame,
        time=engine.time,
        arrays={
            f"{prefix}.{name}": array.copy()
            for prefix, group in groups.items()
            for name, array in group.items()
        },
        edits=edits,
        made=log.script,
        planned=log.remaining,
        waiting={number: list(names) for number, names in log.waiting.items()},
    )


def save(path: str | FilePath, saved: SavedState) -> None:
    """Write a state; the file appears whole or not at all."""
    arrays = dict(saved.arrays)
    header = {
        "edits": saved.edits,
        "version": VERSION,
        "scene": _encode(saved.scene, arrays),
        "settings": _encode(saved.settings, arrays),
        "made": saved.made.tables(),
        "planned": saved.planned.tables(),
        "waiting": list(saved.waiting.items()),
        "is_complete": saved.made.is_complete,
        "frame": saved.frame,
        "time": saved.time.hex(),
    }
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    target = FilePath(path)
    part = target.with_name(target.name + ".part")
    try:
        part.write_bytes(buffer.getvalue())
        part.replace(target)
    except OSError as error:
        raise StateError(f"cannot write {target}: {error.strerror}.") from None


def load(path: str | FilePath) -> SavedState:
    """Read a state."""
    try:
        with FilePath(path).open("rb") as stream:
            with zipfile.ZipFile(stream) as archive:
                check_archive(archive, FilePath(path).stat().st_size)
            stream.seek(0)
            with np.load(stream, allow_pickle=False) as file:
                arrays = dict(file)
        header = json.loads(arrays.pop("header").tobytes())
        if header["version"] != VERSION:
            raise StateError(f"{path} has version {header['version']}, this supple reads version {VERSION}.")
        return SavedState(
            scene=_decode(header["scene"], arrays),
            settings=_decode(header["settings"], arrays),
            frame=int(header["frame"]),
            time=float.fromhex(header["time"]),
            arrays=arrays,
            edits=header.get("edits", {}),
            made=script_of(header.get("made", []), header.get("is_complete", True)),
            planned=script_of(header.get("planned", [])),
            waiting={int(n): [str(name) for name in names] for n, names in header.get("waiting", [])},
        )
    except OSError as error:
        raise StateError(f"cannot read {path}: {error.strerror or error}.") from None
    except SuppleError:
        raise
    except Exception:  # a damaged archive fails in every way that NumPy, zipfile, zlib and json know
        raise StateError(f"{path} is not a state that `Simulation.save` wrote, or it is damaged.") from None


def _encode(value: object, arrays: Arrays) -> Any:
    if isinstance(value, Declared):
        fields = {name: _encode(entry, arrays) for name, entry in value.fields().items()}
        return {"class": type(value).__name__, "fields": fields}
    if isinstance(value, np.ndarray):
        key = f"scene.{len(arrays)}"
        arrays[key] = value
        return {"array": key}
    if isinstance(value, dict):
        return {"table": {name: _encode(entry, arrays) for name, entry in value.items()}}
    if isinstance(value, tuple | list):
        return [_encode(entry, arrays) for entry in value]
    if callable(value):
        raise StateError(
            "an obstacle moves by a Python function, which cannot be saved. Give it keyframes instead."
        )
    return value


def _decode(value: Any, arrays: Arrays) -> Any:
    if isinstance(value, list):
        return tuple(_decode(entry, arrays) for entry in value)
    if not isinstance(value, dict):
        return value
    if "array" in value:
        return arrays[value["array"]]
    if "table" in value:
        return {name: _decode(entry, arrays) for name, entry in value["table"].items()}
    fields = {name: _decode(entry, arrays) for name, entry in value["fields"].items()}
    return _declared_classes()[value["class"]](**fields)


def _declared_classes() -> dict[str, type[Declared]]:
    assert scene_module  # importing the scene has defined every kind of entry,
    assert motion_track  # and this one the kind that only animated figures have
    found: dict[str, type[Declared]] = {}
    waiting: list[type[Declared]] = [Declared]
    while waiting:
        for child in waiting.pop().__subclasses__():
            found[child.__name__] = child
            waiting.append(child)
    return found
