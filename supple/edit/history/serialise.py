"""Kept: an edited world in plain arrays, and the way back, for a saved state that goes on bit for bit."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.edit.commands.in_progress import Ongoing, Shrinking
from supple.edit.commands.seam import Seam, links_of
from supple.edit.history.erased_triangles import Erased
from supple.edit.history.history import Snapshot, Step
from supple.edit.mesh.cloth_record import Fabric
from supple.edit.world.apply_edit import Workshop
from supple.edit.world.change import Change
from supple.edit.world.intersection_check import Places
from supple.model.anchors import Anchors
from supple.model.bends import Bends
from supple.model.levels.levels import Levels
from supple.model.particles import Particles
from supple.model.springs import Springs
from supple.model.tetrahedra import Tetrahedra
from supple.model.world import BodyRange, World
from supple.scene.timeline.parameter_changes import BodyChanges

Arrays = dict[str, NDArray[Any]]

MOST_SAVED_BYTES = 32_000_000
"""Memory of the snapshots that a file holds, for undo and for redo; older edits can then be undone no more."""

CHANGE_ARRAYS = {
    "nearest": np.int64,
    "new_of": np.int64,
    "mixed": np.int64,
    "mixed_from": np.int64,
    "mixed_weights": np.float64,
    "touched": np.int64,
}
"""Arrays of a `Change`."""

LEVEL_MESHES = ("node_firsts", "element_firsts", "rest", "sides")
"""Arrays of `Levels` that say, with its elements, what it is made of; all else follows from these."""

ELEMENTS = ("numbers", "corners", "shear_moduli", "lame_moduli", "shear_damping", "volume_damping")
"""Arrays that say what elements are made of: which declared ones they are, and what was set since."""

PACES = ("peak_strain", "last_step")
"""Arrays that say how fast elements were led, one value for each level of theirs."""

SEAM_NUMBERS = ("number", "seconds", "stiffness", "strength", "is_weldable", "elapsed", "is_welded")


def kept(shop: Workshop) -> tuple[dict[str, Any], Arrays]:
    """Return what `restore` needs: words and numbers, and arrays by name. Nothing of worlds never edited."""
    if not shop.is_edited:
        return {}, {}
    words, arrays = _told(shop.snapshot())
    for name, stack in (("done", shop.history.done), ("undone", shop.history.undone)):
        words[name] = []
        for n, step in enumerate(_latest(_whole(stack, shop.snapshot()), is_done=name == "done")):
            assert isinstance(step.snapshot, Snapshot)
            entry, own = _told(step.snapshot)
            if step.erased is not None:
                own |= {f"erased.{key}": array for key, array in vars(step.erased).items()}
            if step.places is not None:
                own |= {f"places.{key}": array for key, array in vars(step.places).items()}
            own |= {f"change.{key}": getattr(step.change, key) for key in CHANGE_ARRAYS}
            settings = [[body, changes.fields()] for body, changes in step.settings]
            words[name].append(
                {**entry, "label": step.label, "old_count": step.change.old_count, "settings": settings}
            )
            arrays |= {f"{name}.{n}.{key}": array for key, array in own.items()}
    words["same"] = _without_doubles(arrays)
    return words, arrays


def restore(shop: Workshop, words: dict[str, Any], arrays: Arrays) -> None:
    """Give the world of a workshop the bodies that `kept` described; a ValueError tells that they make no sense.

    The motion of the particles is left at zero: it is restored with everything else.
    """
    world = shop.world
    arrays = {**arrays, **{key: arrays[first] for key, first in words.get("same", {}).items()}}
    known: dict[tuple[str, int], Levels] = {}
    now = _heard(words, arrays, world, known)
    done, undone = (
        [
            _step(entry, _part(arrays, f"{name}.{n}."), world, known)
            for n, entry in enumerate(words.get(name, []))
        ]
        for name in ("done", "undone")
    )
    # Each change leads from the older side of its step to the newer one.
    sides = [step.snapshot.particle_count for step in done] + [now.particle_count]
    sides += [step.snapshot.particle_count for step in reversed(undone)]
    ways = [(step.change.old_count, step.change.new_count) for step in (*done, *reversed(undone))]
    if ways != list(itertools.pairwise(sides)):
        raise ValueError("history")
    rest = now.rest_positions
    world.particles = Particles(
        positions=rest.copy(), velocities=np.zeros_like(rest), masses=np.ones(len(rest)), rest_positions=rest
    )
    world.springs, world.bends, world.anchors, world.bodies = now.springs, now.bends, now.anchors, now.bodies
    world.tetrahedra, world.levels = now.tetrahedra, now.levels
    world.recouple()
    shop.fabrics, shop.ongoing, shop.is_edited = now.fabrics, now.ongoing, True
    shop.owned.clear()
    shop.history.done, shop.history.undone = done, undone


def _whole(stack: list[Step], current: Snapshot) -> list[Step]:
    """Return the steps of a stack with snapshots instead of patches, as far down as a file may hold them."""
    result = [*stack]
    total, n = 0, len(stack)
    while n > 0 and total <= MOST_SAVED_BYTES:
        n -= 1
        current = stack[n].snapshot.whole(current)
        result[n] = replace(stack[n], snapshot=current)
        total += current.size
    return result


def _latest(stack: list[Step], *, is_done: bool) -> list[Step]:
    """Return the last steps of a stack, as many as a file may hold."""
    total, first = 0, len(stack)
    while first > 0 and total + stack[first - 1].snapshot.size <= MOST_SAVED_BYTES:
        first -= 1
        total += stack[first].snapshot.size
    # The two halves of an erasing go together; what was undone lies the other way round.
    while first < len(stack) and (
        stack[first].erased is not None
        if is_done
        else first > 0 and stack[first - 1].erased is not None and stack[first].erased is None
    ):
        first += 1
    return stack[first:]


def _without_doubles(arrays: Arrays) -> dict[str, str]:
    """Take arrays out that are the very same as others; return under which name each is found."""
    first: dict[int, str] = {}
    same = {key: name for key, array in arrays.items() if (name := first.setdefault(id(array), key)) != key}
    for key in same:
        del arrays[key]
    return same


def _part(arrays: Arrays, prefix: str) -> Arrays:
    return {key.removeprefix(prefix): array for key, array in arrays.items() if key.startswith(prefix)}


def _step(entry: dict[str, Any], arrays: Arrays, world: World, known: dict[tuple[str, int], Levels]) -> Step:
    snapshot = _heard(entry, arrays, world, known)
    found: dict[str, Any] = {
        key: _shaped(arrays[f"change.{key}"], (len(arrays[f"change.{key}"]),), dtype)
        for key, dtype in CHANGE_ARRAYS.items()
    }
    change = Change(old_count=int(entry["old_count"]), **found)
    _within(change.nearest, change.old_count)
    _within(change.new_of, change.new_count, least=-1)
    _within(change.mixed, change.new_count)
    _within(change.mixed_from, change.old_count)
    _within(change.touched, change.new_count)
    mix_counts = {len(found[key]) for key in ("mixed", "mixed_from", "mixed_weights")}
    if len(change.new_of) != change.old_count or len(mix_counts) > 1:
        raise ValueError("change")
    settings = [(str(body), BodyChanges(**values)) for body, values in entry["settings"]]
    erased = _erased(_part(arrays, "erased."), change)
    places = _places(_part(arrays, "places."), snapshot.particle_count)
    return Step(str(entry["label"]), snapshot, change, settings, erased, places)


def _places(parts: Arrays, count: int) -> Places | None:
    if not parts:
        return None
    points = _shaped(parts["points"], (len(parts["points"]),), np.int64)
    _within(points, count)
    return Places(points, _shaped(parts["positions"], (len(points), 3), np.float64))


def _erased(parts: Arrays, change: Change) -> Erased | None:
    if not parts:
        return None
    count, rim_count = len(parts["points"]), len(parts["rim"])
    erased = Erased(
        points=_shaped(parts["points"], (count,), np.int64),
        places=_shaped(parts["places"], (count, 3), np.float64),
        velocities=_shaped(parts["velocities"], (count, 3), np.float64),
        rim=_shaped(parts["rim"], (rim_count,), np.int64),
        rim_places=_shaped(parts["rim_places"], (rim_count, 3), np.float64),
    )
    _within(erased.points, change.old_count)
    _within(erased.rim, change.old_count)
    return erased


def _told(snapshot: Snapshot) -> tuple[dict[str, Any], Arrays]:
    """Return bodies and what edits keep doing to them, as words and arrays."""
    ongoing = snapshot.ongoing
    arrays: Arrays = {f"springs.{name}": array for name, array in vars(snapshot.springs).items()}
    arrays |= {f"bends.{name}": array for name, array in vars(snapshot.bends).items()}
    arrays |= {f"anchors.{name}": array for name, array in vars(snapshot.anchors).items()}
    arrays["rest_positions"], arrays["masses"] = snapshot.rest_positions, snapshot.masses
    arrays |= {f"tetrahedra.{name}": getattr(snapshot.tetrahedra, name) for name in ELEMENTS + PACES}
    for name, levels in snapshot.levels.items():
        arrays |= {f"levels.{name}.{key}": getattr(levels, key) for key in LEVEL_MESHES}
        arrays |= {f"levels.{name}.{key}": getattr(levels.elements, key) for key in ELEMENTS + PACES}
    bodies = []
    for n, body in enumerate(snapshot.bodies.values()):
        arrays |= {f"body.{n}.triangles": body.triangles, f"body.{n}.shares": body.shares}
        if body.births is not None:
            arrays[f"body.{n}.births"] = body.births
        fabric = snapshot.fabrics.get(body.name)
        if fabric is not None:
            arrays |= {f"body.{n}.fabric.{name}": array for name, array in fabric.arrays().items()}
        bodies.append(
            {
                "name": body.name,
                "origin": body.origin,
                "particles": body.particles.stop,
                "springs": body.springs.stop,
                "bends": body.bends.stop,
                "tetrahedra": body.tetrahedra.stop,
                "is_edited_cloth": body.descent is not None,
            }
        )
    seams = []
    for n, seam in enumerate(ongoing.seams):
        arrays |= {f"seam.{n}.pairs": seam.pairs, f"seam.{n}.gaps": seam.gaps}
        seams.append({name: float(getattr(seam, name)).hex() for name in SEAM_NUMBERS})
    arrays["welded"] = ongoing.welded
    shrinkings = []
    for n, shrinking in enumerate(ongoing.shrinkings):
        arrays[f"shrinking.{n}"] = shrinking.members
        shrinkings.append([value.hex() for value in (shrinking.ratio, shrinking.seconds, shrinking.elapsed)])
    words = {
        "bodies": bodies,
        "seams": seams,
        "shrinkings": shrinkings,
        "strains": {name: float(strain).hex() for name, strain in ongoing.strains.items()},
        "seam_count": ongoing.seam_count,
    }
    return words, arrays


def _heard(
    words: dict[str, Any], arrays: Arrays, world: World, known: dict[tuple[str, int], Levels]
) -> Snapshot:
    """Return the bodies that `_told` has put into words, checked; `world` is as its scene declares it.

    `known` holds the levels of detail that were made so far, by body and the identity of their nodes.
    """
    springs = Springs(**_fields(arrays, "springs.", vars(world.springs)))
    bends = Bends(**_fields(arrays, "bends.", vars(world.bends)))
    anchors = Anchors(**_fields(arrays, "anchors.", vars(world.anchors)))
    rest = _checked(arrays["rest_positions"], world.particles.rest_positions)
    count = len(rest)
    masses = _shaped(arrays["masses"], (count,), np.float64)
    _within(springs.ends, count)
    _within(bends.points, count)
    _within(anchors.points, count)
    bodies: dict[str, BodyRange] = {}
    fabrics: dict[str, Fabric] = {}
    tetrahedra = _tetrahedra(arrays, world.tetrahedra, rest)
    begin = {"particles": 0, "springs": 0, "bends": 0, "tetrahedra": 0}
    for n, entry in enumerate(words["bodies"]):
        declared = world.bodies[entry["origin"]]
        end = {key: int(entry[key]) for key in begin}
        if any(end[key] < begin[key] for key in begin):
            raise ValueError("body")
        vertex_count, spring_count = end["particles"] - begin["particles"], end["springs"] - begin["springs"]
        triangles = _checked(arrays[f"body.{n}.triangles"], declared.triangles)
        shares = _checked(arrays[f"body.{n}.shares"], declared.shares)
        _within(triangles, vertex_count)
        parts = _part(arrays, f"body.{n}.fabric.")
        if "fan" in parts:
            fabrics[entry["name"]] = _fabric(
                parts, triangles, vertex_count, spring_count, len(declared.shares)
            )
        bodies[entry["name"]] = BodyRange(
            name=entry["name"],
            particles=slice(begin["particles"], end["particles"]),
            springs=slice(begin["springs"], end["springs"]),
            bends=slice(begin["bends"], end["bends"]),
            triangles=triangles,
            shares=shares,
            regions=declared.regions,
            tetrahedra=slice(begin["tetrahedra"], end["tetrahedra"]),
            origin=entry["origin"],
            descent=fabrics[entry["name"]].descent if entry["is_edited_cloth"] else None,
            births=_births(arrays.get(f"body.{n}.births"), vertex_count, len(declared.shares)),
        )
        if len(shares) != vertex_count:
            raise ValueError("shares")
        begin = end
    ongoing = _ongoing(words, arrays, count, set(bodies))
    links = links_of(ongoing.seams).count
    found = begin["particles"], begin["springs"], begin["bends"] + links, begin["tetrahedra"]
    if found != (count, springs.count, bends.count, tetrahedra.count):
        raise ValueError("counts")
    return Snapshot(
        springs=springs,
        bends=bends,
        anchors=anchors,
        bodies=bodies,
        tetrahedra=tetrahedra,
        masses=masses,
        rest_positions=rest,
        fabrics=fabrics,
        ongoing=ongoing,
        levels=_levels(arrays, bodies, world, known),
    )


def _levels(
    arrays: Arrays, bodies: dict[str, BodyRange], world: World, known: dict[tuple[str, int], Levels]
) -> dict[str, Levels]:
    """Return the bodies of several levels of detail, checked; one that is the same in several snapshots is made once."""
    found = {}
    for name, body in bodies.items():
        declared = world.levels.get(body.origin)
        if declared is None:
            continue
        parts = _part(arrays, f"levels.{name}.")
        key = name, id(parts["rest"])
        if key not in known:
            known[key] = _one_of_levels(name, parts, declared)
        levels = known[key]
        if levels.finest_nodes.stop - levels.finest_nodes.start != body.particles.stop - body.particles.start:
            raise ValueError("levels")
        found[name] = levels
    return found


def _one_of_levels(name: str, parts: Arrays, declared: Levels) -> Levels:
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
    _take_materials(elements, _part(arrays, "tetrahedra."))
    return elements


def _take_materials(elements: Tetrahedra, parts: Arrays) -> None:
    """Give elements the moduli, damping and pace they had: an undo brings them back as they were, not as declared."""
    for name in ELEMENTS[2:]:
        getattr(elements, name)[:] = _shaped(parts[name], (elements.count,), np.float64)
    for name in PACES:
        setattr(elements, name, _shaped(parts[name], getattr(elements, name).shape, np.float64))
    elements.refresh()


def _births(array: NDArray[Any] | None, vertices: int, declared: int) -> NDArray[np.int64] | None:
    if array is None:
        return None
    births = _shaped(array, (vertices,), np.int64)
    _within(births, declared)
    return births


def _fabric(parts: Arrays, triangles: NDArray[np.int64], vertices: int, springs: int, births: int) -> Fabric:
    count = len(triangles)
    fabric = Fabric(
        triangles=triangles,
        across=_shaped(parts["across"], (count, 3), np.int64),
        fan=_shaped(parts["fan"], (vertices,), np.int64),
        spring_of=_shaped(parts["spring_of"], (count, 3), np.int64),
        corner_shares=_shaped(parts["corner_shares"], (count, 3), np.float64),
        birth_points=_shaped(parts["birth_points"], (vertices, 3), np.int64),
        birth_weights=_shaped(parts["birth_weights"], (vertices, 3), np.float64),
        mean_edge=_shaped(parts["mean_edge"], (1,), np.float64),
    )
    _within(fabric.across, count, least=-1)
    _within(fabric.fan, count)
    _within(fabric.spring_of, springs, least=-1)
    _within(fabric.birth_points, births)
    if not (triangles[fabric.fan] == np.arange(vertices)[:, None]).any(axis=1).all():
        raise ValueError("fan")
    t, c = np.nonzero(fabric.across >= 0)
    if not (fabric.across[fabric.across[t, c]] == t[:, None]).any(axis=1).all():
        raise ValueError("across")
    return fabric


def _ongoing(words: dict[str, Any], arrays: Arrays, count: int, names: set[str]) -> Ongoing:
    seams = []
    for n, entry in enumerate(words["seams"]):
        values = {name: float.fromhex(entry[name]) for name in SEAM_NUMBERS}
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
                is_weldable=bool(values["is_weldable"]),
                elapsed=values["elapsed"],
                is_welded=bool(values["is_welded"]),
            )
        )
    shrinkings = []
    for n, entry in enumerate(words["shrinkings"]):
        ratio, seconds, elapsed = (float.fromhex(value) for value in entry)
        members = _shaped(arrays[f"shrinking.{n}"], (count,), np.bool_)
        shrinkings.append(Shrinking(members, ratio, seconds, elapsed))
    strains = {name: float.fromhex(value) for name, value in words["strains"].items()}
    if not set(strains) <= names or any(math.isnan(value) for value in strains.values()):
        raise ValueError("strains")
    welded = arrays.get("welded", np.zeros((0, 2), np.int64))
    welded = _shaped(welded, (len(welded), 2), np.int64)
    _within(welded[:, 1], count)
    return Ongoing(seams, shrinkings, strains, int(words["seam_count"]), welded)


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
