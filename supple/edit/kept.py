"""Kept: an edited world in plain arrays, for a saved state that goes on bit for bit.

The history of edits is not kept: a state that was loaded has nothing to undo.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.edit.editor import Editor, Ongoing, Shrinking
from supple.edit.fabric import Fabric
from supple.edit.seam import Seam, links_of
from supple.model.anchors import Anchors
from supple.model.bends import Bends
from supple.model.particles import Particles
from supple.model.springs import Springs
from supple.model.tetrahedra import Tetrahedra
from supple.model.world import BodyRange

Arrays = dict[str, NDArray[Any]]

SEAM_NUMBERS = ("number", "seconds", "stiffness", "strength", "is_weldable", "elapsed", "is_welded")


def kept(editor: Editor) -> tuple[dict[str, Any], Arrays]:
    """Return what `restore` needs: words and numbers, and arrays by name. Nothing of worlds never edited."""
    if not editor.is_edited:
        return {}, {}
    world, ongoing = editor.world, editor.ongoing
    arrays: Arrays = {f"springs.{name}": array for name, array in vars(world.springs).items()}
    arrays |= {f"bends.{name}": array for name, array in vars(world.bends).items()}
    arrays |= {f"anchors.{name}": array for name, array in vars(world.anchors).items()}
    arrays["rest_positions"] = world.particles.rest_positions
    arrays |= {f"tetrahedra.{name}": getattr(world.tetrahedra, name) for name in ("numbers", "corners")}
    bodies = []
    for n, body in enumerate(world.bodies.values()):
        arrays |= {f"body.{n}.triangles": body.triangles, f"body.{n}.shares": body.shares}
        if body.births is not None:
            arrays[f"body.{n}.births"] = body.births
        fabric = editor.fabrics.get(body.name)
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
            }
        )
    seams = []
    for n, seam in enumerate(ongoing.seams):
        arrays |= {f"seam.{n}.pairs": seam.pairs, f"seam.{n}.gaps": seam.gaps}
        seams.append({name: float(getattr(seam, name)).hex() for name in SEAM_NUMBERS})
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


def restore(editor: Editor, words: dict[str, Any], arrays: Arrays) -> None:
    """Give the world of an editor the bodies that `kept` described; a ValueError tells that they make no sense.

    The motion of the particles is left at zero: it is restored with everything else.
    """
    world = editor.world
    springs = Springs(**_fields(arrays, "springs.", vars(world.springs)))
    bends = Bends(**_fields(arrays, "bends.", vars(world.bends)))
    anchors = Anchors(**_fields(arrays, "anchors.", vars(world.anchors)))
    rest = _checked(arrays["rest_positions"], world.particles.rest_positions)
    count = len(rest)
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
        prefix = f"body.{n}.fabric."
        if f"{prefix}fan" in arrays:
            parts = {name.removeprefix(prefix): a for name, a in arrays.items() if name.startswith(prefix)}
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
    world.particles = Particles(
        positions=rest.copy(), velocities=np.zeros_like(rest), masses=np.ones(count), rest_positions=rest
    )
    world.springs, world.bends, world.anchors, world.bodies = springs, bends, anchors, bodies
    world.tetrahedra = tetrahedra
    world.recouple()
    editor.fabrics, editor.ongoing, editor.is_edited = fabrics, ongoing, True


def _tetrahedra(arrays: Arrays, declared: Tetrahedra, rest: NDArray[np.float64]) -> Tetrahedra:
    numbers = _checked(arrays["tetrahedra.numbers"], declared.numbers)
    corners = _shaped(arrays["tetrahedra.corners"], (len(numbers), 4), np.uint32)
    _within(numbers, declared.count)
    _within(corners, len(rest))
    return declared.reordered(numbers, corners, rest)


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
    return Ongoing(seams, shrinkings, strains, int(words["seam_count"]))


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
