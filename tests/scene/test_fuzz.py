"""Whatever a file or a caller says, the answer is a scene or a SceneError."""

import tomllib

from hypothesis import given, settings
from hypothesis import strategies as st

import supple
from supple.scene.files.toml_reader import build_scene, parse_scene
from supple.scene.soft_shapes.soft_shapes import SoftBox, SoftMesh, SoftSurface, SoftTorus

DOCUMENT = """
title = "Everything"
gravity = [0.0, -9.81, 0.0]
drag = 0.1
duration = 2.0
[simulation]
integrator = "filter"
substeps = 10
frame_rate = 50.0
seed = 3
[material.paper]
area_density = 0.08
stretch_stiffness = 5000.0
shear_stiffness = 5000.0
bending_stiffness = 1e-4
stretch_limit = 0.1
[cloth.flag]
rectangle = { width = 1.5, height = 1.0, columns = 6, rows = 4, plane = "xz" }
at = [0.0, 2.0, 0.0]
rotation_deg = [0.0, 90.0, 0.0]
velocity = [1.0, 0.0, 0.0]
material = "paper"
pin = [
    "left", 7, { box = [[-1, 1, 0.7], [1, 3, 1]] },
    { at = [22, "bottom-right"], smooth = true, path = [{ time = 0, offset = [0, 0, 1] }] },
]
anchor = [{ at = "centre", stiffness = 5.0, target = [0.0, 3.0, 0.0] }]
region = [{ at = "top", stretch_stiffness = 20.0 }]
[cloth.patch]
bezier = { control_points = [[[0, 1, 0], [1, 1, 0]], [[0, 0, 0], [1, 0, 1]]], columns = 5, rows = 4 }
[chain.rope]
length = 2.0
points = 3
masses = [1, 1, 2]
[lattice.box]
size = [1, 2, 3]
cells = [1, 2, 3]
pin = ["bottom"]
[soft.bar]
box = { size = [1.0, 0.4, 0.4], cell = 0.4 }
material = { like = "jelly", young = 4000.0 }
elasticity = "linear"
pin = ["left"]
[network.web]
points = [[0, 0], [1, 0], [0, 1]]
springs = [[0, 1], [1, 2]]
stiffness = [10, 20]
mass = 0.1
rest_lengths = [1, 1]
triangles = [[0, 1, 2]]
[wind]
velocity = [6, 0, 1]
gusts = 0.3
[fan.desk]
at = [0, 1, 0]
direction = [0, 0, 1]
speed = 5.0
[water.river]
box = [[0, 0, 0], [1, 1, 1]]
current = [1, 0, 0]
"""

PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.sampled_from([10**400, -(10**30), 2**63, 1e300, 1e-300, -0.0]),
    st.text(max_size=8),
    st.sampled_from(["left", "top-left", "silk", "auto", "start", "{x}", "a/b", "\0", "../x.obj", "x.stl"]),
    st.dates(),
)
ANYTHING = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


def places(node, path=()):
    """Yield the path of every part of a document."""
    entries = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in entries:
        yield (*path, key)
        yield from places(value, (*path, key))


PLACES = sorted(places(tomllib.loads(DOCUMENT)), key=str)


def changed(document, path, action, value):
    node = document
    for key in path[:-1]:
        node = node[key]
    if action == "replace":
        node[path[-1]] = value
    elif action == "delete":
        del node[path[-1]]
    elif isinstance(node, dict):
        node[f"{path[-1]}x"] = node.pop(path[-1])
    else:
        node.insert(path[-1], value)


CHANGES = st.lists(
    st.tuples(st.sampled_from(PLACES), st.sampled_from(["replace", "replace", "delete", "move"]), ANYTHING),
    min_size=1,
    max_size=3,
)


@settings(max_examples=250, deadline=None)
@given(changes=CHANGES)
def test_a_mutated_document_is_a_scene_or_a_scene_error(changes):
    document = tomllib.loads(DOCUMENT)
    for path, action, value in changes:
        try:
            changed(document, path, action, value)
        except (AttributeError, KeyError, IndexError, TypeError):
            continue  # an earlier change took this place away
    try:
        scene = build_scene(document)
    except supple.SceneError as error:
        assert error.mistakes
        assert all(mistake.message for mistake in error.mistakes)
    else:
        assert scene.bodies
        for body in scene.bodies:
            assert body.start_points().shape == (body.point_count, 3)


@settings(max_examples=120, deadline=None)
@given(cut=st.integers(0, len(DOCUMENT)), length=st.integers(0, 40), noise=st.text(max_size=10))
def test_a_garbled_text_is_a_scene_or_a_scene_error(cut, length, noise):
    try:
        assert parse_scene(DOCUMENT[:cut] + noise + DOCUMENT[cut + length :]).bodies
    except supple.SceneError as error:
        assert error.mistakes


FIELDS = {
    kind: st.fixed_dictionaries(
        {}, optional=dict.fromkeys([*kind.model_fields, "rotation_deg", "x"], ANYTHING)
    )
    for kind in (
        supple.Cloth,
        supple.Chain,
        supple.Lattice,
        supple.Network,
        supple.Rectangle,
        supple.Surface,
        supple.Bezier,
        supple.Panel,
        supple.Corner,
        supple.Wrap,
        supple.Course,
        supple.Stitch,
        supple.Pattern,
        supple.Pin,
        supple.Anchor,
        supple.Region,
        supple.Path,
        supple.Keyframe,
        supple.Material,
        supple.SoftBody,
        supple.SoftMaterial,
        SoftBox,
        SoftTorus,
        SoftSurface,
        SoftMesh,
        supple.Settings,
        supple.Scene,
    )
}


@settings(max_examples=250, deadline=None)
@given(case=st.sampled_from(list(FIELDS)).flatmap(lambda kind: st.tuples(st.just(kind), FIELDS[kind])))
def test_a_constructor_builds_or_raises_a_scene_error(case):
    kind, values = case
    try:
        kind(**values)
    except supple.SceneError as error:
        assert error.mistakes


def test_the_document_that_is_mutated_has_no_mistake():
    assert len(parse_scene(DOCUMENT).bodies) == 6
