"""Deserialise: the bodies and the undo history that `serialise` has written, checked."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.edit.commands.in_progress import EditsInProgress, Shrinking
from supple.edit.commands.seam import Seam, seam_links
from supple.edit.history.erased_triangles import ErasedTriangles
from supple.edit.history.history import BodiesSnapshot, EditStep
from supple.edit.history.saved_names import (
    CHANGE_NAMES,
    ELEMENTS,
    RECORD_NAMES,
    SEAM_NUMBERS,
    STRAIN_RATES,
    Arrays,
    with_prefix,
)
from supple.edit.mesh.cloth_record import ClothRecord
from supple.edit.world.apply_edit import EditableWorld
from supple.edit.world.intersection_check import SavedPositions
from supple.edit.world.particle_change import ParticleChange
from supple.model.anchors import Anchors
from supple.model.bends import Bends
from supple.model.levels.levels import Levels
from supple.model.particles import Particles
from supple.model.springs import Springs
from supple.model.tetrahedra import Tetrahedra
from supple.model.world import BodyRange, World
from supple.scene.timeline.parameter_changes import BodyChanges

KnownLevels = dict[tuple[str, int], Levels]
"""Levels of detail that were made so far, by body and the identity of their nodes: snapshots share them."""


def deserialise(editable: EditableWorld, header: dict[str, Any], arrays: Arrays) -> None:
    """Give a world the bodies and the history that `serialise` described; a ValueError tells that they make no sense.

    The motion of the particles is left at zero: it is restored with everything else.
    """
    world = editable.world
    arrays = {**arrays, **{key: arrays[first] for key, first in header.get("same", {}).items()}}
    known: KnownLevels = {}
    now = _snapshot(header, arrays, world, known)
    done, undone = (
        [
            _step(entry, with_prefix(arrays, f"{name}.{n}."), world, known)
            for n, entry in enumerate(header.get(name, []))
        ]
        for name in ("done", "undone")
    )
    # Each change leads from the older side of its step to the newer one.
    sides = [step.snapshot.particle_count for step in done] + [now.particle_count]
    sides += [step.snapshot.particle_count for step in reversed(undone)]
    counts = [(step.change.old_count, step.change.new_count) for step in (*done, *reversed(undone))]
    if counts != list(itertools.pairwise(sides)):
        raise ValueError("history")
    rest = now.rest_positions
    world.particles = Particles(
        positions=rest.copy(), velocities=np.zeros_like(rest), masses=np.ones(len(rest)), rest_positions=rest
    )
    world.springs, world.bends, world.anchors, world.bodies = now.springs, now.bends, now.anchors, now.bodies
    world.tetrahedra, world.levels = now.tetrahedra, now.levels
    world.recouple()
    editable.cloth_records, editable.in_progress = now.cloth_records, now.in_progress
    editable.is_edited = True
    editable.unshared.clear()
    editable.history.done, editable.history.undone = done, undone


def _step(entry: dict[str, Any], arrays: Arrays, world: World, known: KnownLevels) -> EditStep:
    """Return an edit of the history."""
    snapshot = _snapshot(entry, arrays, world, known)
    change = _change(with_prefix(arrays, "change."), int(entry["old_count"]))
    settings = [(str(body), BodyChanges(**values)) for body, values in entry["settings"]]
    erased = _erased(with_prefix(arrays, "erased."), change)
    positions = _contact_positions(with_prefix(arrays, "places."), snapshot.particle_count)
    return EditStep(str(entry["label"]), snapshot, change, settings, erased, positions)


def _change(parts: Arrays, old_count: int) -> ParticleChange:
    found: dict[str, Any] = {}
    for name, saved in CHANGE_NAMES.items():
        dtype = np.float64 if name == "interpolation_weights" else np.int64
        found[name] = _shaped(parts[saved], (len(parts[saved]),), dtype)
    change = ParticleChange(old_count=old_count, **found)
    _within(change.nearest, change.old_count)
    _within(change.new_of, change.new_count, least=-1)
    _within(change.interpolated, change.new_count)
    _within(change.interpolated_from, change.old_count)
    _within(change.changed_particles, change.new_count)
    entry_counts = {
        len(found[name]) for name in ("interpolated", "interpolated_from", "interpolation_weights")
    }
    if len(change.new_of) != change.old_count or len(entry_counts) > 1:
        raise ValueError("change")
    return change


def _contact_positions(parts: Arrays, count: int) -> SavedPositions | None:
    if not parts:
        return None
    points = _shaped(parts["points"], (len(parts["points"]),), np.int64)
    _within(points, count)
    return SavedPositions(points, _shaped(parts["positions"], (len(points), 3), np.float64))


def _erased(parts: Arrays, change: ParticleChange) -> ErasedTriangles | None:
    if not parts:
        return None
    count, rim_count = len(parts["points"]), len(parts["rim"])
    erased = ErasedTriangles(
        points=_shaped(parts["points"], (count,), np.int64),
        positions=_shaped(parts["places"], (count, 3), np.float64),
        velocities=_shaped(parts["velocities"], (count, 3), np.float64),
        rim=_shaped(parts["rim"], (rim_count,), np.int64),
        rim_positions=_shaped(parts["rim_places"], (rim_count, 3), np.float64),
    )
    _within(erased.points, change.old_count)
    _within(erased.rim, change.old_count)
    return erased


def _snapshot(header: dict[str, Any], arrays: Arrays, world: World, known: KnownLevels) -> BodiesSnapshot:
    """Return the bodies of a snapshot; `world` is as its scene declares it."""
    springs = Springs(**_fields(arrays, "springs.", vars(world.springs)))
    bends = Bends(**_fields(arrays, "bends.", vars(world.bends)))
    anchors = Anchors(**_fields(arrays, "anchors.", vars(world.anchors)))
    rest = _checked(arrays["rest_positions"], world.particles.rest_positions)
    count = len(rest)
    masses = _shaped(arrays["masses"], (count,), np.float64)
    for indices in (springs.ends, bends.points, anchors.points):
        _within(indices, count)
    tetrahedra = _tetrahedra(arrays, world.tetrahedra, rest)
    bodies, cloth_records, ends = _bodies(header["bodies"], arrays, world)
    in_progress = _in_progress(header, arrays, count, set(bodies))
    links = seam_links(in_progress.seams).count
    found = ends["particles"], ends["springs"], ends["bends"] + links, ends["tetrahedra"]
    if found != (count, springs.count, bends.count, tetrahedra.count):
        raise ValueError("counts")
    return BodiesSnapshot(
        springs=springs,
        bends=bends,
        anchors=anchors,
        bodies=bodies,
        tetrahedra=tetrahedra,
        masses=masses,
        rest_positions=rest,
        cloth_records=cloth_records,
        in_progress=in_progress,
        levels=_levels(arrays, bodies, world, known),
    )


def _bodies(
    entries: list[dict[str, Any]], arrays: Arrays, world: World
) -> tuple[dict[str, BodyRange], dict[str, ClothRecord], dict[str, int]]:
    """Return bodies, cloth records by body, and where the rows of the last body end."""
    bodies: dict[str, BodyRange] = {}
    cloth_records: dict[str, ClothRecord] = {}
    begin = {"particles": 0, "springs": 0, "bends": 0, "tetrahedra": 0}
    for n, entry in enumerate(entries):
        name, declared = entry["name"], world.bodies[entry["origin"]]
        end = {key: int(entry[key]) for key in begin}
        if any(end[key] < begin[key] for key in begin):
            raise ValueError("body")
        counts = {key: end[key] - begin[key] for key in begin}
        parts = with_prefix(arrays, f"body.{n}.")
        triangles = _checked(parts["triangles"], declared.triangles)
        shares = _checked(parts["shares"], declared.shares)
        _within(triangles, counts["particles"])
        if len(shares) != counts["particles"]:
            raise ValueError("shares")
        declared_count = len(declared.shares)
        record_parts = with_prefix(parts, "fabric.")
        if RECORD_NAMES["incident_triangle"] in record_parts:
            cloth_records[name] = _cloth_record(
                record_parts, triangles, counts["particles"], counts["springs"], declared_count
            )
        bodies[name] = BodyRange(
            name=name,
            **{key: slice(begin[key], end[key]) for key in begin},
            triangles=triangles,
            shares=shares,
            regions=declared.regions,
            origin=entry["origin"],
            ancestry=cloth_records[name].ancestry if entry["is_edited_cloth"] else None,
            soft_ancestors=_soft_ancestors(parts.get("births"), counts["particles"], declared_count),
        )
        begin = end
    return bodies, cloth_records, begin


def _levels(
    arrays: Arrays, bodies: dict[str, BodyRange], world: World, known: KnownLevels
) -> dict[str, Levels]:
    """Return the bodies of several levels of detail, checked; one that is the same in several snapshots is made once."""
    found = {}
    for name, body in bodies.items():
        declared = world.levels.get(body.origin)
        if declared is None:
            continue
        parts = with_prefix(arrays, f"levels.{name}.")
        key = name, id(parts["rest"])
        if key not in known:
            known[key] = _body_levels(name, parts, declared)
        levels = known[key]
        if levels.finest_nodes.stop - levels.finest_nodes.start != body.particles.stop - body.particles.start:
            raise ValueError("levels")
        found[name] = levels
    return found


def _body_levels(name: str, parts: Arrays, declared: Levels) -> Levels:
    node_firsts = _shaped(parts["node_firsts"], declared.node_firsts.shape, np.int64)
    element_firsts = _shaped(parts["element_firsts"], declared.element_firsts.shape, np.int64)
    rest, count = _checked(parts["rest"], declared.rest), len(parts["numbers"])
    if any(firsts[0] != 0 or (np.diff(firsts) <= 0).any() for firsts in (node_firsts, element_firsts)):
        raise ValueError("levels")
    if node_firsts[-1] != len(rest) or element_firsts[-1] != count:
        raise ValueError("levels")
    numbers = _shaped(parts["numbers"], (count,), np.int64)
    corners = _shaped(parts["corners"], (count, 4), np.uint32)
    sides = _shaped(parts["sides"], (count,), np.int64)
    _within(numbers, declared.elements.count)
    _within(sides, count)
    for level in range(declared.count):
        own = corners[element_firsts[level] : element_firsts[level + 1]]
        if int(own.min()) < node_firsts[level] or int(own.max()) >= node_firsts[level + 1]:
            raise ValueError("levels")
    elements = declared.elements.reordered(numbers, corners, rest)
    _take_materials(elements, parts)
    return Levels(
        name=name,
        refine=declared.refine,
        cell=declared.cell,
        density=1.0,
        node_firsts=node_firsts,
        element_firsts=element_firsts,
        rest=rest,
        elements=elements,
        sides=sides,
    )


def _tetrahedra(arrays: Arrays, declared: Tetrahedra, rest: NDArray[np.float64]) -> Tetrahedra:
    numbers = _checked(arrays["tetrahedra.numbers"], declared.numbers)
    corners = _shaped(arrays["tetrahedra.corners"], (len(numbers), 4), np.uint32)
    _within(numbers, declared.count)
    _within(corners, len(rest))
    elements = declared.reordered(numbers, corners, rest)
    _take_materials(elements, with_prefix(arrays, "tetrahedra."))
    return elements


def _take_materials(elements: Tetrahedra, parts: Arrays) -> None:
    """Give elements the moduli, damping and strain rates they had: undo brings them back as they were, not as declared."""
    for name in ELEMENTS[2:]:
        getattr(elements, name)[:] = _shaped(parts[name], (elements.count,), np.float64)
    for name in STRAIN_RATES:
        setattr(elements, name, _shaped(parts[name], getattr(elements, name).shape, np.float64))
    elements.refresh()


def _soft_ancestors(array: NDArray[Any] | None, vertices: int, declared: int) -> NDArray[np.int64] | None:
    if array is None:
        return None
    soft_ancestors = _shaped(array, (vertices,), np.int64)
    _within(soft_ancestors, declared)
    return soft_ancestors


def _cloth_record(
    parts: Arrays, triangles: NDArray[np.int64], vertices: int, springs: int, declared: int
) -> ClothRecord:
    """Return a cloth record of so many vertices and springs, whose declared body has `declared` vertices."""
    count = len(triangles)
    shapes = {
        "neighbours": ((count, 3), np.int64),
        "incident_triangle": ((vertices,), np.int64),
        "spring_of": ((count, 3), np.int64),
        "corner_fractions": ((count, 3), np.float64),
        "ancestors": ((vertices, 3), np.int64),
        "ancestor_weights": ((vertices, 3), np.float64),
        "mean_edge": ((1,), np.float64),
    }
    arrays = {name: _shaped(parts[RECORD_NAMES[name]], *shape) for name, shape in shapes.items()}
    record = ClothRecord(triangles=triangles, **arrays)
    _within(record.neighbours, count, least=-1)
    _within(record.incident_triangle, count)
    _within(record.spring_of, springs, least=-1)
    _within(record.ancestors, declared)
    if not (triangles[record.incident_triangle] == np.arange(vertices)[:, None]).any(axis=1).all():
        raise ValueError("incident triangles")
    t, c = np.nonzero(record.neighbours >= 0)
    if not (record.neighbours[record.neighbours[t, c]] == t[:, None]).any(axis=1).all():
        raise ValueError("neighbours")
    return record


def _in_progress(header: dict[str, Any], arrays: Arrays, count: int, names: set[str]) -> EditsInProgress:
    seams = []
    for n, entry in enumerate(header["seams"]):
        # States of before seams could keep a gap have none.
        values = {name: float.fromhex({"least_gap": "0x0p0", **entry}[name]) for name in SEAM_NUMBERS}
        pairs = _shaped(arrays[f"seam.{n}.pairs"], (len(arrays[f"seam.{n}.pairs"]), 2), np.int64)
        _within(pairs, count)
        seams.append(
            Seam(
                number=int(values["number"]),
                pairs=pairs,
                gaps=_shaped(arrays[f"seam.{n}.gaps"], (len(pairs),), np.float64),
                seconds=values["seconds"],
                stiffness=values["stiffness"],
                strength=values["strength"],
                least_gap=values["least_gap"],
                name=str(entry.get("name", "")),
                is_weldable=bool(values["is_weldable"]),
                elapsed=values["elapsed"],
                is_welded=bool(values["is_welded"]),
            )
        )
    shrinkings = []
    for n, entry in enumerate(header["shrinkings"]):
        ratio, seconds, elapsed = (float.fromhex(value) for value in entry)
        members = _shaped(arrays[f"shrinking.{n}"], (count,), np.bool_)
        shrinkings.append(Shrinking(members, ratio, seconds, elapsed))
    strains = {name: float.fromhex(value) for name, value in header["strains"].items()}
    if not set(strains) <= names or any(math.isnan(value) for value in strains.values()):
        raise ValueError("strains")
    welded = arrays.get("welded", np.zeros((0, 2), np.int64))
    welded = _shaped(welded, (len(welded), 2), np.int64)
    _within(welded[:, 1], count)
    return EditsInProgress(seams, shrinkings, strains, int(header["seam_count"]), welded)


def _fields(arrays: Arrays, prefix: str, like: dict[str, NDArray[Any]]) -> Arrays:
    """Return arrays of the kinds of those in `like`, all of the same length."""
    found = {name: _checked(arrays[prefix + name], array) for name, array in like.items()}
    if len({len(array) for array in found.values()}) > 1:
        raise ValueError(prefix)
    return found


def _checked(array: NDArray[Any], like: NDArray[Any]) -> NDArray[Any]:
    return _shaped(array, (len(array), *like.shape[1:]), like.dtype)


def _shaped(array: NDArray[Any], shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    if array.shape != shape or array.dtype != dtype:
        raise ValueError(str(shape))
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise ValueError("nan")
    return np.ascontiguousarray(array)


def _within(indices: NDArray[Any], count: int, least: int = 0) -> None:
    if indices.size and not (int(indices.min()) >= least and int(indices.max()) < count):
        raise ValueError("indices")
