"""Rebuild: put the edited bodies back into the world, each piece that came off as a body of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from supple.edit.change import Change, unchanged
from supple.edit.fabric import Fabric
from supple.edit.motion import grow, moved_on
from supple.model.anchors import Anchors
from supple.model.bends import Bends, join_bends, relinked
from supple.model.connected import part_leaders
from supple.model.rows import Refilling
from supple.model.springs import Springs, join_springs, with_own_numbers
from supple.model.world import BodyRange, World

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Block:
    """One body after an edit, its vertices counted from zero."""

    name: str
    origin: str
    """Name of the declared body it is, or came off."""

    masses: Floats
    """(vertex_count,) [kg]"""

    shares: Floats
    """(vertex_count,) as in `BodyRange`."""

    springs: Springs
    bends: Bends
    triangles: Indices
    fabric: Fabric | None
    vertices: Indices
    """(vertex_count,) the vertex before the edit, of the body it is or came off, that each one is nearest to."""

    new_of: Indices
    """(old vertex_count,) vertex that continues each one, -1 if none in this block does."""

    mixed: tuple[Indices, Indices, Floats]
    """As in `Change`, with the vertices of this block and of the body before."""

    touched: Indices
    """(count,) vertices whose mass or couplings have changed."""

    elements: Indices = field(default_factory=lambda: np.zeros(0, np.int64))
    """(element_count,) its tetrahedra, as the world counts them before the edit; none but in soft bodies."""

    corners: Indices = field(default_factory=lambda: np.zeros((0, 4), np.int64))
    """(element_count, 4) their vertices."""

    births: Indices | None = None
    """As in `BodyRange`."""

    refilled: tuple[Refilling, Refilling] | None = None
    """How the tables of its springs and bending elements have changed; None if hardly anything is where it was."""


def body_springs(world: World, body: BodyRange) -> Springs:
    """Return the springs of a body, ends counted from its first vertex."""
    fields = {name: array[body.springs] for name, array in vars(world.springs).items()}
    fields["ends"] = fields["ends"] - np.uint32(body.particles.start)
    return Springs(**fields)


def body_bends(world: World, body: BodyRange) -> Bends:
    """Return the bending elements of a body, points counted from its first vertex."""
    fields = {name: array[body.bends] for name, array in vars(world.bends).items()}
    fields["points"] = fields["points"] - np.uint32(body.particles.start)
    return Bends(**fields)


def body_corners(world: World, body: BodyRange) -> Indices:
    """Return the tetrahedra of a body, (element_count, 4) vertices counted from its first."""
    corners: Indices = world.tetrahedra.corners[body.tetrahedra].astype(np.int64) - body.particles.start
    return corners


def pieces_of(
    block: Block, count_before: int, parts_before: Callable[[], Indices], taken: set[str]
) -> list[Block]:
    """Return a block, or what stays of it and then every piece that has come off.

    What hung together before and does not any more has come apart; the part with the most vertices keeps the name.

    Args:
        block: the body after the edit
        count_before: how many connected parts there were
        parts_before: returns (old vertex_count,) a vertex that stands for the connected part of each one, before
        taken: names that are in use; those of new pieces are added
    """
    count = len(block.vertices)
    leaders = part_leaders(hanging_pairs(block.triangles, block.springs, block.corners), count)
    parts = np.flatnonzero(leaders == np.arange(count))
    if len(parts) == count_before:
        return [block]
    leaders_before = parts_before()
    part_of = np.searchsorted(parts, leaders)
    sizes = np.bincount(part_of)
    old_part = leaders_before[block.vertices[parts]]
    keeps = np.zeros(len(parts), np.bool_)
    for part in np.unique(old_part):
        members = np.flatnonzero(old_part == part)
        keeps[members[np.argmax(sizes[members])]] = True
    if keeps.all():
        return [block]
    blocks = [selected(block, keeps[part_of], block.name)]
    for part in np.flatnonzero(~keeps):
        number = 1
        while f"{block.origin}-piece-{number}" in taken:
            number += 1
        name = f"{block.origin}-piece-{number}"
        taken.add(name)
        blocks.append(selected(block, part_of == part, name))
    return blocks


def hanging_pairs(triangles: Indices, springs: Springs, corners: Indices) -> Indices:
    """Return pairs of vertices that hang together: sides of tetrahedra or triangles, or springs if there are none."""
    if len(corners):
        return corners[:, [[0, 1], [1, 2], [2, 3]]].reshape(-1, 2)
    if len(triangles):
        return triangles[:, [[0, 1], [1, 2]]].reshape(-1, 2)
    return springs.ends.astype(np.int64)


def selected(block: Block, is_in: NDArray[np.bool_], name: str) -> Block:
    """Return the part of a block whose vertices are selected, as a block of its own."""
    chosen = np.flatnonzero(is_in)
    rank = np.full(len(is_in), -1, np.int64)
    rank[chosen] = np.arange(len(chosen))
    spring_in, bend_in = is_in[block.springs.ends[:, 0]], is_in[block.bends.points[:, 0]]
    springs = Springs(**{key: array[spring_in] for key, array in vars(block.springs).items()})
    springs.ends = rank[springs.ends].astype(np.uint32)
    bends = Bends(**{key: array[bend_in] for key, array in vars(block.bends).items()})
    bends.points = rank[bends.points].astype(np.uint32)
    triangle_in = is_in[block.triangles[:, 0]]
    triangles = rank[block.triangles[triangle_in]]
    fabric = block.fabric
    if fabric is not None:
        triangle_rank = np.cumsum(triangle_in) - 1
        spring_rank = np.cumsum(spring_in) - 1
        across, spring_of = fabric.across[triangle_in], fabric.spring_of[triangle_in]
        fabric = Fabric(
            triangles=triangles,
            across=np.where(across >= 0, triangle_rank[across], -1),
            fan=triangle_rank[fabric.fan[chosen]],
            spring_of=np.where(spring_of >= 0, spring_rank[spring_of], -1),
            corner_shares=fabric.corner_shares[triangle_in],
            birth_points=fabric.birth_points[chosen],
            birth_weights=fabric.birth_weights[chosen],
            mean_edge=fabric.mean_edge,
        )
    element_in = is_in[block.corners[:, 0]]
    mixed, mixed_from, weights = block.mixed
    mixed_in = is_in[mixed]
    touched = block.touched[is_in[block.touched]]
    return replace(
        block,
        name=name,
        masses=block.masses[chosen],
        shares=block.shares[chosen],
        springs=springs,
        bends=bends,
        triangles=triangles,
        fabric=fabric,
        vertices=block.vertices[chosen],
        new_of=np.where(block.new_of >= 0, rank[block.new_of], -1),
        mixed=(rank[mixed[mixed_in]], mixed_from[mixed_in], weights[mixed_in]),
        touched=rank[touched],
        elements=block.elements[element_in],
        corners=rank[block.corners[element_in]],
        births=None if block.births is None else block.births[chosen],
        refilled=None,
    )


def rebuild(
    world: World, edited: dict[str, list[Block]], links: Callable[[Change], tuple[Bends, Indices]]
) -> Change:
    """Replace the particles, springs, bending elements and bodies of the world.

    The motion of particles is carried over, and their angular momentum kept.

    Args:
        world: changed
        edited: what has become of each body that was edited: itself first, then the pieces that came off;
            nothing at all takes a body away
        links: returns, given the change, the elements that hold seams after it, and the particles whose links
            are other than before; these elements follow those of all bodies
    """
    if not edited:
        return _relink(world, links)
    before = list(world.bodies.values())
    whole = [body for body in before if edited.get(body.name) != []]
    blocks = [edited[body.name][0] if body.name in edited else unedited(world, body) for body in whole]
    sources = list(whole)
    for name, found in edited.items():
        blocks.extend(found[1:])
        sources.extend([world.bodies[name]] * (len(found) - 1))
    firsts = [0, *np.cumsum([len(block.vertices) for block in blocks]).tolist()]
    change = _change_of(world, blocks, sources, firsts)
    link_bends, linked = links(change)

    links_before = world.bends.points[max(body.bends.stop for body in before) :]
    near = _refilled(world, change, blocks)
    masses = np.concatenate([block.masses for block in blocks])
    if near is None:
        rest_positions = change.carried(world.particles.rest_positions)
        particles = moved_on(world.particles, change, masses, rest_positions)
    else:
        change = replace(change, is_in_place=True)
        particles = world.particles
        grow(particles, change, masses)
        rest_positions = particles.rest_positions
    spring_firsts = [0, *np.cumsum([block.springs.count for block in blocks]).tolist()]
    bend_firsts = [0, *np.cumsum([block.bends.count for block in blocks]).tolist()]
    world.particles = particles
    if len(blocks) == 1:  # its arrays are new already
        world.springs = blocks[0].springs
        world.bends = (
            join_bends([blocks[0].bends, link_bends], [0, 0]) if link_bends.count else blocks[0].bends
        )
    else:
        world.springs = join_springs([block.springs for block in blocks], firsts[:-1])
        world.bends = join_bends([*(block.bends for block in blocks), link_bends], [*firsts[:-1], 0])
    points = change.new_of[world.anchors.points]
    world.anchors = Anchors(
        points=points[points >= 0],
        stiffness=world.anchors.stiffness[points >= 0],
        targets=world.anchors.targets[points >= 0],
    )
    element_firsts = [0, *np.cumsum([len(block.elements) for block in blocks]).tolist()]
    world.bodies = {
        block.name: replace(
            source,
            name=block.name,
            origin=block.origin,
            particles=slice(firsts[n], firsts[n + 1]),
            springs=slice(spring_firsts[n], spring_firsts[n + 1]),
            bends=slice(bend_firsts[n], bend_firsts[n + 1]),
            triangles=block.triangles,
            shares=block.shares,
            tetrahedra=slice(element_firsts[n], element_firsts[n + 1]),
            births=block.births,
            areas=source.areas if block.fabric is None else block.fabric.areas(block.shares),
        )
        for n, (block, source) in enumerate(zip(blocks, sources, strict=True))
    }
    if any(len(block.elements) for found in edited.values() for block in found):
        order = np.concatenate([block.elements for block in blocks])
        corners = [block.corners + first for block, first in zip(blocks, firsts[:-1], strict=True)]
        world.tetrahedra = world.tetrahedra.reordered(order, np.concatenate(corners), rest_positions)
    else:
        world.move_up_soft_bodies(whole)
    touched = np.union1d(change.touched, linked) if len(linked) else np.unique(change.touched)
    if near is None:
        world.recouple()
    else:
        # All links have been written anew, so all their pairs are looked up.
        sewn = np.concatenate([links_before.ravel(), link_bends.points.ravel()]).astype(np.int64)
        world.recouple_near(np.union1d(touched, sewn), *near)
    return replace(change, touched=touched)


def _as_it_was(span: slice) -> Refilling:
    return Refilling(span.stop - span.start, span.stop - span.start)


def _refilled(world: World, change: Change, blocks: list[Block]) -> tuple[Refilling, Refilling] | None:
    """Return how the tables of the world change, links aside, if all particles and nearly all rows stay where they are."""
    *others, last = (block.refilled for block in blocks)
    if (
        last is None
        or len(blocks) != len(world.bodies)
        or any(found is None or any(table.count != table.before for table in found) for found in others)
        or change.new_count < change.old_count
        or not np.array_equal(change.new_of, np.arange(change.old_count))
    ):
        return None
    result = []
    for n in range(2):
        tables = [block.refilled[n] for block in blocks if block.refilled is not None]
        total, first = sum(table.before for table in tables), 0
        shifted = []
        for table in tables:
            shifted.append(table.shifted(first, total))
            first += table.before
        result.append(
            Refilling(
                total,
                shifted[-1].count,
                np.concatenate([table.new for table in shifted]),
                np.concatenate([table.moved for table in shifted]),
                np.concatenate([table.sources for table in shifted]),
            )
        )
    return result[0], result[1]


def _relink(world: World, links: Callable[[Change], tuple[Bends, Indices]]) -> Change:
    """Replace only the elements that hold seams; what may be changed in place later is copied, for undo."""
    change = unchanged(world.particles.count)
    link_bends, linked = links(change)
    own_count = max(body.bends.stop for body in world.bodies.values())
    former = world.bends.points[own_count:]
    world.bends = relinked(world.bends, own_count, link_bends)
    world.springs = with_own_numbers(world.springs)
    world.particles.masses = world.particles.masses.copy()
    # All links have been written anew, so all their pairs are looked up.
    sewn = np.unique(np.concatenate([linked, former.ravel(), link_bends.points.ravel()])).astype(np.int64)
    world.recouple_near(sewn, _as_it_was(slice(0, world.springs.count)), _as_it_was(slice(0, own_count)))
    return replace(change, touched=linked, is_in_place=True)


def unedited(world: World, body: BodyRange) -> Block:
    """Return a body as it is."""
    count = body.particles.stop - body.particles.start
    nobody = np.zeros(0, np.int64)
    return Block(
        name=body.name,
        origin=body.origin,
        masses=world.particles.masses[body.particles],
        shares=body.shares,
        springs=body_springs(world, body),
        bends=body_bends(world, body),
        triangles=body.triangles,
        fabric=None,
        vertices=np.arange(count),
        new_of=np.arange(count),
        mixed=(nobody, nobody, np.zeros(0)),
        touched=nobody,
        elements=np.arange(body.tetrahedra.start, body.tetrahedra.stop),
        corners=body_corners(world, body),
        births=body.births,
        refilled=(_as_it_was(body.springs), _as_it_was(body.bends)),
    )


def _change_of(world: World, blocks: list[Block], sources: list[BodyRange], firsts: list[int]) -> Change:
    new_of = np.full(world.particles.count, -1, np.int64)
    nearest, mixed, mixed_from, weights, touched = [], [], [], [], []
    for block, source, first in zip(blocks, sources, firsts[:-1], strict=True):
        start = source.particles.start
        nearest.append(block.vertices + start)
        found = block.new_of >= 0
        new_of[source.particles][found] = block.new_of[found] + first
        mixed.append(block.mixed[0] + first)
        mixed_from.append(block.mixed[1] + start)
        weights.append(block.mixed[2])
        touched.append(block.touched + first)
    return Change(
        old_count=world.particles.count,
        nearest=np.concatenate(nearest),
        new_of=new_of,
        mixed=np.concatenate(mixed),
        mixed_from=np.concatenate(mixed_from),
        mixed_weights=np.concatenate(weights),
        touched=np.concatenate(touched),
    )
