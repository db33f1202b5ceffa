"""Strokes on cloth become cuts along it, chains of edges, bands and holes; nonsense becomes a reason."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

import supple
from supple.errors import SuppleError
from supple.studio.connection import protocol
from supple.studio.tools.cloth_strokes import ClothStrokes
from tests.edit.judge import assert_proper

SIZE = 12
STEP = 1.0 / (SIZE - 1)


def hanging(columns=SIZE, **options):
    sheet = supple.Cloth.rectangle(width=1.0, height=1.0, columns=columns, rows=columns, **options)
    return supple.Simulation(supple.Scene(sheet.pinned("top"), settings=supple.Settings(substeps=1)))


def drawn(simulation, *places, body="cloth", **sides):
    """Return the path that a page would send for places (x, y) on a flat sheet, or on the front of a soft body."""
    positions, triangles = simulation.surface(body)
    if simulation.skin(body) is not None or not len(simulation.rest_lengths(body)):
        a, b, c = (positions[triangles[:, k]] for k in range(3))
        normals = np.cross(b - a, c - a)
        triangles = triangles[normals[:, 2] > 0.9 * np.linalg.norm(normals, axis=1)]
    corners, weights = [], []
    for x, y in places:
        a, b, c = (positions[triangles[:, k], :2] for k in range(3))
        e, f, g = b - a, c - a, np.array([x, y]) - a
        whole = e[:, 0] * f[:, 1] - e[:, 1] * f[:, 0]
        v = (g[:, 0] * f[:, 1] - g[:, 1] * f[:, 0]) / whole
        w = (e[:, 0] * g[:, 1] - e[:, 1] * g[:, 0]) / whole
        inner = np.minimum(np.minimum(v, w), 1.0 - v - w)
        t = int(np.argmax(inner))
        parts = np.clip([1.0 - v[t] - w[t], v[t], w[t]], 0.0, 1.0)
        corners.append(tuple(triangles[t].tolist()))
        weights.append(tuple((parts / parts.sum()).tolist()))
    return protocol.SurfacePath(body=body, corners=tuple(corners), weights=tuple(weights), **sides)


def line(start, end, count=24):
    return [tuple(np.array(start) + (np.array(end) - start) * n / (count - 1)) for n in range(count)]


def cut(simulation, *paths, along_edges=False, world=1):
    ClothStrokes(simulation, 1).cut(protocol.Cut(world=world, paths=paths, along_edges=along_edges))


def test_a_knife_that_comes_from_beside_and_goes_there_parts_the_cloth():
    simulation = hanging()
    path = drawn(simulation, *line((-0.49, 0.1), (0.49, 0.03)), from_beside=True, to_beside=True)
    cut(simulation, path)
    assert simulation.body_names == ("cloth", "cloth-piece-1")
    assert_proper(simulation)
    low = simulation.positions("cloth-piece-1")[:, 1].max(), simulation.positions("cloth")[:, 1].max()
    assert min(low) == pytest.approx(0.1, abs=0.05)


def test_a_trembling_hand_cuts_as_straight_as_a_calm_one():
    """A stroke has many more places than the cloth has edges, none of them quite on its line."""
    simulation = hanging(30)
    chance = np.random.default_rng(2)
    way = [(x, 0.31 * x + 0.05 + 0.002 * chance.normal()) for x in np.linspace(-0.499, 0.499, 200)]
    cut(simulation, drawn(simulation, *way, from_beside=True, to_beside=True))
    assert len(simulation.body_names) == 2
    upper = max(simulation.body_names, key=lambda name: simulation.positions(name)[:, 1].max())
    sides = np.sort(simulation.triangles(upper)[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    edges, counts = np.unique(sides, axis=0, return_counts=True)
    rim = simulation.positions(upper)[np.unique(edges[counts == 1])]
    rim = rim[(np.abs(rim[:, 0]) < 0.49) & (rim[:, 1] < 0.49)]
    away = np.abs(rim[:, 1] - 0.31 * rim[:, 0] - 0.05) / np.hypot(1.0, 0.31)
    assert len(rim) > 20 and away.max() < 0.5 / 29 and np.median(away) < 0.2 / 29


def test_a_knife_that_stays_inside_leaves_a_slit():
    simulation = hanging()
    cut(simulation, drawn(simulation, *line((-0.3, 0.1), (0.3, 0.1))))
    assert simulation.body_names == ("cloth",)
    assert len(simulation.positions("cloth")) > SIZE**2


def test_one_stroke_may_cross_the_cloth_twice():
    simulation = hanging()
    ends = {"from_beside": True, "to_beside": True}
    first = drawn(simulation, *line((-0.49, 0.2), (0.49, 0.2)), **ends)
    second = drawn(simulation, *line((0.49, -0.2), (-0.49, -0.2)), **ends)
    cut(simulation, first, second)
    assert simulation.body_names == ("cloth", "cloth-piece-1", "cloth-piece-2")
    assert_proper(simulation)


def test_a_path_means_the_cloth_it_was_drawn_on_wherever_that_is_by_now():
    simulation = hanging()
    path = drawn(simulation, *line((-0.49, 0.1), (0.49, 0.1)), from_beside=True, to_beside=True)
    simulation.engine.world.particles.positions += (5.0, 2.0, -1.0)
    cut(simulation, path)
    assert len(simulation.body_names) == 2


def test_scissors_follow_edges_from_border_to_border_and_split_nothing():
    simulation = hanging()
    count = len(simulation.triangles("cloth"))
    path = drawn(simulation, *line((0.15, 0.49), (0.12, -0.49)), from_beside=True, to_beside=True)
    cut(simulation, path, along_edges=True)
    assert len(simulation.body_names) == 2
    assert sum(len(simulation.triangles(name)) for name in simulation.body_names) == count
    assert all((simulation.origin(name)[2][:, 0] == 1.0).all() for name in simulation.body_names)
    assert_proper(simulation)


def test_a_needle_finds_the_border_beside_its_stroke():
    simulation = hanging()
    strokes = ClothStrokes(simulation, 1)
    left = drawn(simulation, *line((-0.44, -0.25), (-0.47, -0.49)))
    right = drawn(simulation, *line((0.45, -0.25), (0.46, -0.49)))
    assert {vertex % SIZE for vertex in strokes.edge_chain(left, border=0.35)} == {0}
    strokes.sew(protocol.Sew(world=1, first=left, second=right))
    assert simulation.seams == (0,)
    pairs = simulation.engine.editor.seams[0].pairs
    assert set(pairs[:, 0] % SIZE) == {0} and set(pairs[:, 1] % SIZE) == {SIZE - 1}
    for _ in range(60):
        report = simulation.step()
    assert report.status == "ok"
    assert len(simulation.positions("cloth")) < SIZE**2, "the borders have become one"


def test_a_chain_is_made_of_edges_and_stays_near_the_stroke():
    simulation = hanging()
    path = drawn(simulation, *line((-0.3, 0.3), (0.35, -0.2)))
    chain = ClothStrokes(simulation, 1).edge_chain(path, border=1.0)
    edges = {frozenset(edge) for edge in simulation.edges("cloth").tolist()}
    assert all(frozenset(pair) in edges for pair in itertools.pairwise(chain))
    across = np.array([0.5, 0.65]) / np.hypot(0.5, 0.65)
    away = (simulation.positions("cloth")[chain][:, :2] - (-0.3, 0.3)) @ across
    assert np.abs(away).max() < 1.2 * STEP


def test_a_brush_shrinks_what_lies_within_its_radius_along_the_cloth():
    simulation = hanging()
    before = simulation.rest_lengths("cloth").copy()
    stroke = drawn(simulation, *line((-0.2, 0.0), (0.2, 0.0)))
    ClothStrokes(simulation, 1).shrink(protocol.Shrink(world=1, paths=(stroke,), radius=0.12, ratio=0.6))
    for _ in range(30):
        simulation.step()
    shrunk = simulation.rest_lengths("cloth") / before < 0.61
    assert (simulation.rest_lengths("cloth")[~shrunk] == before[~shrunk]).all()
    rest = hanging().positions("cloth")
    places = rest[simulation.edges("cloth")[shrunk]].reshape(-1, 3)
    assert 20 < shrunk.sum() < 150
    assert np.abs(places[:, 1]).max() <= 0.12 + STEP and np.abs(places[:, 0]).max() <= 0.32 + STEP


def test_an_eraser_takes_at_least_the_triangle_it_touches():
    simulation = hanging()
    count = len(simulation.triangles("cloth"))
    stroke = drawn(simulation, (0.1, 0.1))
    ClothStrokes(simulation, 1).erase(protocol.Erase(world=1, paths=(stroke,), radius=0.001))
    assert len(simulation.triangles("cloth")) == count - 1
    stroke = drawn(simulation, *line((-0.3, -0.2), (0.2, -0.2)))
    ClothStrokes(simulation, 1).erase(protocol.Erase(world=1, paths=(stroke,), radius=0.1))
    assert count - 40 < len(simulation.triangles("cloth")) < count - 10
    assert_proper(simulation)


SPOT = {"body": "cloth", "corners": ((0, 1, SIZE),), "weights": ((0.2, 0.3, 0.5),)}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"corners": ((0, 1, 999),)}, "999 is none of them"),
        ({"body": "flag"}, "flag"),
        ({"weights": ((0.1, 0.1, 0.1),)}, "sum to 1"),
        ({"weights": ((1.0, 0.0, 0.0),) * 2}, "as many weights"),
        ({}, "too short"),
    ],
)
def test_bad_strokes_are_refused_and_change_nothing(fields, message):
    simulation = hanging()
    with pytest.raises(SuppleError, match=message):
        cut(simulation, protocol.SurfacePath(**{**SPOT, **fields}))
    assert simulation.revision == 0


def test_a_stroke_on_a_world_that_is_gone_is_refused():
    with pytest.raises(SuppleError, match="has changed since"):
        cut(hanging(), protocol.SurfacePath(**SPOT), world=2)


def test_random_strokes_leave_a_proper_world_or_a_reason():
    simulation = hanging(8)
    chance = random.Random(5)
    made = refused = 0
    for n in range(150):
        if n % 40 == 39:
            while simulation.undoable:
                simulation.undo()
            assert simulation.body_names == ("cloth",) and len(simulation.positions("cloth")) == 64
        strokes = ClothStrokes(simulation, 1)
        paths = []
        for _ in range(chance.randint(1, 3)):
            body = chance.choice([*simulation.body_names, "nobody"])
            count = chance.randint(1, 6)
            corners = tuple(tuple(chance.randrange(70) for _ in range(3)) for _ in range(count))
            if body != "nobody" and chance.random() < 0.8:
                triangles = simulation.triangles(body).tolist()
                corners = tuple(tuple(chance.choice(triangles)) for _ in range(count))
            weights = tuple(
                chance.choice([(1.0, 0.0, 0.0), (0.3, 0.3, 0.4), (0.0, 0.5, 0.5)]) for _ in corners
            )
            sides = {"from_beside": chance.random() < 0.5, "to_beside": chance.random() < 0.5}
            paths.append(protocol.SurfacePath(body=body, corners=corners, weights=weights, **sides))
        paths = tuple(paths)
        tool = chance.choice(["cut", "edges", "sew", "shrink", "erase"])
        try:
            if tool in ("cut", "edges"):
                strokes.cut(protocol.Cut(world=1, paths=paths, along_edges=tool == "edges"))
            elif tool == "sew":
                strokes.sew(protocol.Sew(world=1, first=paths[0], second=paths[-1]))
            elif tool == "shrink":
                ratio = chance.choice([0.5, 1.5])
                strokes.shrink(protocol.Shrink(world=1, paths=paths, radius=0.2, ratio=ratio))
            else:
                strokes.erase(protocol.Erase(world=1, paths=paths, radius=chance.choice([0.01, 0.15])))
            made += 1
        except SuppleError:
            refused += 1
        simulation.step()
        if n % 10 == 0:
            assert_proper(simulation)
            assert all(np.isfinite(simulation.positions(name)).all() for name in simulation.body_names)
    assert made > 25 and refused > 10


def soft_box(is_smooth):
    """Return a soft box, and a line down its front."""
    box = supple.SoftBody.box(size=(0.4, 0.2, 0.2), cell=0.07, smooth=is_smooth, name="box")
    simulation = supple.Simulation(supple.Scene(box, gravity=(0.0, 0.0, 0.0)))
    sides = {"from_beside": True, "to_beside": True}
    return simulation, drawn(simulation, *line((0.003, -0.08), (0.004, 0.08)), body="box", **sides)


@pytest.mark.parametrize("is_smooth", [False, True], ids=["tetrahedra", "smooth"])
def test_a_knife_cuts_a_soft_body_as_it_is_shown(is_smooth):
    simulation, path = soft_box(is_smooth)
    cut(simulation, path)
    assert simulation.body_names == ("box", "box-piece-1")
    assert simulation.step().is_finite


def test_tools_for_threads_say_that_a_soft_body_has_none():
    simulation, path = soft_box(is_smooth=True)
    strokes = ClothStrokes(simulation, 1)
    for message in (
        protocol.Shrink(world=1, paths=(path,), radius=0.1, ratio=0.5),
        protocol.Erase(world=1, paths=(path,), radius=0.1),
        protocol.Cut(world=1, paths=(path,), along_edges=True),
        protocol.Sew(world=1, first=path, second=path),
    ):
        with pytest.raises(SuppleError, match=r"is a soft body: the knife cuts it"):
            getattr(strokes, message.type)(message)
